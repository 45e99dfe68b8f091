//! What lies over the page: help, and the form for a new run.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::base::limits::{MAX_SERVERS, MAX_VOTERS};
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::sim::{Run, Setup};

use crate::ui::kit::browser::wrong_words;
use crate::ui::page::dialog::Dialog;
use crate::ui::page::state::{Overlay, UiAction, use_page_context};
use crate::ui::panels::recipe::open;
use crate::ui::stage::legend::sign;

/// What the page tells a dialog.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// Keys as caps. Words that stand together are pressed together, arrows one or the other.
fn key_caps(keys: &'static str) -> Html {
    if keys.contains('–') {
        return html! { <kbd>{ keys }</kbd> };
    }
    let cap = |key: &'static str| html! { <><kbd>{ key }</kbd>{ " " }</> };
    html! { <>{ for keys.split(' ').map(cap) }</> }
}

/// What the page tells help.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct HelpProps {
    pub lang: Lang,
    /// Keys of one character mean nothing.
    pub no_letters: bool,
}

/// What one sees, signs, keys.
#[component]
pub(in crate::ui) fn Help(props: &HelpProps) -> Html {
    let words = page(props.lang);
    let context = use_page_context();
    let few = Callback::from(move |event: Event| {
        let off = event.target_dyn_into::<HtmlInputElement>().is_some_and(|field| field.checked());
        context.choose.dispatch(UiAction::NoLetters(off));
    });
    html! {
        <Dialog title={words.help_title} lang={props.lang} wide={true}>
            <p>{ words.help_intro }</p>
            <div class="help">
                <section>
                    <h3>{ words.help_sees }</h3>
                    <dl class="sees">
                        { for words.sees.iter().map(|(part, what)| html! {
                            <div key={*part}><dt>{ *part }</dt><dd>{ *what }</dd></div>
                        }) }
                    </dl>
                </section>
                <section>
                    <h3>{ words.help_signs }</h3>
                    <dl class="signs">
                        { for words.legend.iter().map(|(name, what)| html! {
                            <div key={*name}><dt>{ sign(name) }</dt><dd>{ *what }</dd></div>
                        }) }
                    </dl>
                </section>
                <section>
                    <h3>{ words.help_keys }</h3>
                    <label>
                        <input type="checkbox" checked={props.no_letters} onchange={few} />{ " " }{ words.keys_few }
                    </label>
                    { for words.keys.iter().map(|(group, keys)| html! {
                        <section key={*group} class="key-group">
                            <h4>{ *group }</h4>
                            <dl class="keys">
                                { for keys.iter().map(|(key, what)| html! {
                                    <div key={*key}><dt>{ key_caps(key) }</dt><dd>{ *what }</dd></div>
                                }) }
                            </dl>
                        </section>
                    }) }
                </section>
            </div>
            <p>
                { fill(words.about, &[&env!("CARGO_PKG_VERSION")]) }{ " " }
                <a href="licences.txt" target="_blank">{ words.licences }</a>
            </p>
        </Dialog>
    }
}

fn choice(node: &NodeRef, from: usize, to: usize, selected: usize) -> Html {
    html! {
        <select ref={node}>
            { for (from..=to).map(|n| html! {
                <option key={n} value={n.to_string()} selected={n == selected}>{ n }</option>
            }) }
        </select>
    }
}

/// The form for a new run.
#[component]
pub(in crate::ui) fn NewRun(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let (seed, voters, observers) = (use_node_ref(), use_node_ref(), use_node_ref());
    let wrong = use_state(|| None::<String>);
    let start = {
        let (seed, voters, observers) = (seed.clone(), voters.clone(), observers.clone());
        let (context, lang, say) = (context.clone(), props.lang, wrong.setter());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let number = |node: &NodeRef| node.cast::<HtmlSelectElement>().and_then(|s| s.value().parse::<u8>().ok());
            let typed = seed.cast::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default();
            let Ok(seed) = typed.trim().parse::<u64>() else {
                say.set(Some(fill(page(lang).wrong_parameter, &[&"seed", &typed])));
                return;
            };
            let (voters, observers) = (number(&voters).unwrap_or(3), number(&observers).unwrap_or(0));
            let run = Run::new(seed, Setup { voters, observers, ..Setup::default() });
            match context.engine.leaving(|pair| pair.load(run, None)) {
                Ok(()) => {
                    context.engine.change(|session| session.playing = true);
                    context.choose.dispatch(UiAction::Close);
                }
                Err(error) => say.set(Some(wrong_words(&error))),
            }
        })
    };
    let choose = context.choose.clone();
    let disks = move |_: MouseEvent| choose.dispatch(UiAction::Overlay(Overlay::Disks));
    let write = {
        let context = context.clone();
        move |_: MouseEvent| open(&context)
    };
    let most = MAX_SERVERS - MAX_VOTERS;
    let now = context.engine.session().player().run().clone();
    html! {
        <Dialog title={words.new_run_title} lang={props.lang}>
            <form class="new-run" onsubmit={start}>
                <label><span>{ words.voters }</span>{ choice(&voters, 1, MAX_VOTERS, now.setup.voters.into()) }</label>
                <label>
                    <span>{ words.observers }</span>{ choice(&observers, 0, most, now.setup.observers.into()) }
                </label>
                <label>
                    <span>{ words.seed }</span>
                    <input ref={seed} inputmode="numeric" maxlength="20" value={now.seed.to_string()} />
                </label>
                <p class="wrong" role="alert">{ (*wrong).clone().unwrap_or_default() }</p>
                <button>{ words.start }</button>
                <button type="button" class="chip" onclick={disks}>{ words.disks }</button>
            </form>
            <p><button class="chip" onclick={write}>{ words.recipe_write }</button></p>
        </Dialog>
    }
}
