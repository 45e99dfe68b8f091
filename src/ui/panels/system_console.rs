//! The console of another system's client: a line as it is typed at that system's own shell, and what came of it.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::base::limits::MAX_PAYLOAD_BYTES;
use crate::base::{ClientId, ServerId};
use crate::i18n::page::{fill, page};
use crate::i18n::{Lang, describe};
use crate::sim::{Action, Fact, Interest};

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::page::state::{UiAction, use_page_context};
use crate::ui::panels::console::Console;

/// How many lines are shown.
const SHOWN: usize = 60;

/// The machines at which a line can be typed.
pub(in crate::ui) fn machines(engine: &Engine) -> Vec<ServerId> {
    engine.servers().into_iter().filter(|id| id.letters() == "C").collect()
}

/// What the console tells it.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub client: Option<ClientId>,
    pub asked: u32,
}

#[derive(PartialEq)]
struct Model {
    machines: Vec<ServerId>,
    chosen: ServerId,
    lines: Vec<(u64, String)>,
}

fn model(engine: &Engine, (wanted, lang): &(Option<ClientId>, Lang)) -> Model {
    let machines = machines(engine);
    let wanted = wanted.and_then(|client| ServerId::named(&client.to_string())).filter(|id| machines.contains(id));
    let chosen = wanted.or_else(|| machines.first().copied()).unwrap_or(ServerId::NONE);
    let session = engine.session();
    let told = session.facts().all().rev().filter_map(|record| match &record.fact {
        Fact::Other { server, fact } if *server == chosen && fact.interest != Interest::Noise => {
            Some((record.seq, format!("{}  {}", record.at_us.seconds(), describe(*lang, record).what)))
        }
        _ => None,
    });
    let mut lines: Vec<_> = told.take(SHOWN).collect();
    lines.reverse();
    Model { machines, chosen, lines }
}

/// The console.
#[component]
pub(in crate::ui) fn SystemConsole(props: &Props) -> Html {
    let context = use_page_context();
    let (lang, words) = (props.lang, page(props.lang));
    let model = use_model(&context.engine, (props.client, lang), model);
    let (input, screen, chosen) = (use_node_ref(), use_node_ref(), model.chosen);
    use_effect_with((screen.clone(), model.lines.last().map(|(seq, _)| *seq)), |(screen, _)| {
        if let Some(element) = screen.cast::<web_sys::Element>() {
            element.set_scroll_top(element.scroll_height());
        }
    });
    use_effect_with((input.clone(), props.asked), |(input, asked)| {
        if let Some(input) = input.cast::<HtmlInputElement>().filter(|_| *asked > 0) {
            let _ = input.focus();
        }
    });
    let choose = {
        let choose = context.choose.clone();
        Callback::from(move |event: Event| {
            let value = event.target_dyn_into::<HtmlSelectElement>().and_then(|select| select.value().parse().ok());
            if let Some(number) = value {
                choose.dispatch(UiAction::Client(ClientId(number)));
            }
        })
    };
    let submit = {
        let (engine, input) = (context.engine.clone(), input.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let Some(input) = input.cast::<HtmlInputElement>() else { return };
            let line = input.value();
            if !line.trim().is_empty() {
                engine.act(Action::Write { server: chosen, data: line.trim().into(), count: 1, every_us: 0 });
                // nobody but the system knows when that is answered; time stands again when nothing happens any more
                engine.change(|session| session.playing = true);
                input.set_value("");
            }
        })
    };
    // no key in the line means anything to the page
    let keys = Callback::from(|event: KeyboardEvent| {
        event.stop_propagation();
        if event.key() == "Escape"
            && let Some(input) = event.target_dyn_into::<HtmlInputElement>()
        {
            let _ = input.blur();
        }
    });
    let name = chosen.to_string();
    let number = |id: ServerId| id.to_string().trim_start_matches('C').to_string();
    html! {
        <div class="console">
            <div class="controls">
                <label>
                    <span>{ words.client }</span>
                    <select onchange={choose}>
                        { for model.machines.iter().map(|id| html! {
                            <option key={id.0} value={number(*id)} selected={*id == chosen}>{ id.to_string() }</option>
                        }) }
                    </select>
                </label>
            </div>
            <div class="screen" role="log" aria-label={fill(words.console_log, &[&name])} tabindex="0" ref={screen}>
                if model.lines.is_empty() { <p class="note">{ words.system_none_typed }</p> }
                { for model.lines.iter().map(|(seq, line)| html! { <p key={*seq} class="printed">{ line.clone() }</p> }) }
            </div>
            <form class="line" onsubmit={submit}>
                <span class="prompt" aria-hidden="true">{ format!("{name}> ") }</span>
                <input ref={input} type="text" aria-label={words.console} placeholder={words.system_console_hint}
                    maxlength={MAX_PAYLOAD_BYTES.to_string()} autocomplete="off" autocapitalize="off" spellcheck="false"
                    onkeydown={keys} />
            </form>
        </div>
    }
}

/// Whether nobody speaks to an ensemble, and somebody to another system.
fn is_other(engine: &Engine, _: &()) -> bool {
    engine.session().world().clients.is_empty() && !machines(engine).is_empty()
}

/// The console that fits who is there: zkCli, or another system's.
#[component]
pub(in crate::ui) fn Consoles(props: &Props) -> Html {
    let context = use_page_context();
    let other = use_model(&context.engine, (), is_other);
    let Props { lang, client, asked } = *props;
    if *other {
        html! { <SystemConsole {lang} {client} {asked} /> }
    } else {
        html! { <Console {lang} {client} {asked} /> }
    }
}
