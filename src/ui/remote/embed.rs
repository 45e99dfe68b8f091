//! What stands beside the transport where the page is a part of somebody else's: the way to the panels, and to the whole page.

use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::page;
use crate::timeline::Session;
use crate::ui::compare::names::rule_beside;

use crate::ui::engine::Engine;
use crate::ui::kit::browser::is_blob;
use crate::ui::kit::shapes::control_icon;
use crate::ui::kit::wear::Theme;
use crate::ui::page::state::{UiAction, use_page_context};

/// What the page tells it.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub theme: Theme,
    /// Whether the panels are open; none where there is no room for them.
    pub side: Option<bool>,
}

/// The address of the whole page with the same run at the same moment, or the same beat of a lesson. What was done by hand is not in it.
fn whole_page(engine: &Engine, lang: Lang, theme: Theme) -> String {
    let theme = if theme == Theme::Dark { "dark" } else { "light" };
    let mut address = format!("./?lang={}&theme={theme}&paused=1", lang.code());
    let mut add = |name: &str, value: &str| address.push_str(&format!("&{name}={value}"));
    if let Some((lesson, beat)) = engine.lesson_in_address() {
        add("lesson", &lesson);
        add("beat", &beat);
        return address;
    }
    let pair = engine.pair();
    let session = pair.left();
    if let Some(scenario) = session.scenario() {
        add("scenario", scenario.id);
    }
    if let Some(rule) = rule_beside(&pair).filter(|_| session.scenario().is_none()) {
        add("rule", rule.name());
    }
    if let Some(beside) = pair.right().and_then(Session::scenario) {
        add("beside", beside.id);
    }
    for (name, value) in pair.given() {
        add(name, value);
    }
    add("seed", &session.player().run().seed.to_string());
    add("t", &((session.cursor_us() / 1000.0) as u64).to_string());
    address
}

/// The two buttons.
#[component]
pub(in crate::ui) fn Extras(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let toggle = |open: bool| {
        let choose = context.choose.clone();
        Callback::from(move |_: MouseEvent| choose.dispatch(UiAction::Side(!open)))
    };
    let (engine, lang, theme) = (context.engine.clone(), props.lang, props.theme);
    // a link and not a script that opens a window: no browser takes it for an advertisement
    let link = use_node_ref();
    let follow = {
        let link = link.clone();
        Callback::from(move |_: MouseEvent| {
            let link = link.cast::<web_sys::Element>();
            let _ = link.map(|link| link.set_attribute("href", &whole_page(&engine, lang, theme)));
        })
    };
    html! {
        <div class="extras">
            if let Some(open) = props.side {
                <button class="round" onclick={toggle(open)} aria-expanded={open.to_string()} aria-label={words.panels}
                    title={words.panels}>{ control_icon("panels") }</button>
            }
            // where there is one behind the frame
            if !is_blob() {
                <a ref={link} class="round" href="./" target="_blank" rel="noopener" onclick={follow} aria-label={words.open_whole}
                    title={words.open_whole}>{ control_icon("whole") }</a>
            }
        </div>
    }
}
