//! The transport at the bottom: play, step, speed, time, timeline.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use crate::base::SimTime;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::timeline::pace::{SPEEDS, Speed};

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::kit::shapes::control_icon;
use crate::ui::page::state::use_page_context;
use crate::ui::time::history::{RunUntil, Undo};
use crate::ui::time::line::Line;

/// What the page tells the transport.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    /// What else stands there.
    #[prop_or_default]
    pub children: Html,
}

#[derive(PartialEq)]
struct Model {
    playing: bool,
    speed: usize,
    skip_idle: bool,
    at_ms: u64,
}

fn model(engine: &Engine, (): &()) -> Model {
    let session = engine.session();
    Model {
        playing: session.playing,
        speed: session.speed,
        skip_idle: session.skip_idle,
        at_ms: session.cursor_us() as u64 / 1000,
    }
}

/// A speed in words.
pub(in crate::ui) fn speed_words(speed: Speed, lang: Lang) -> String {
    match speed.of {
        1 => fill(page(lang).speed_times, &[&speed.times]),
        of => fill(page(lang).speed_of_real, &[&of]),
    }
}

/// The transport.
#[component]
pub(in crate::ui) fn Transport(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let model = use_model(&context.engine, (), model);
    let act = |change: fn(&mut crate::timeline::Session)| {
        let engine = context.engine.clone();
        Callback::from(move |_: MouseEvent| engine.change(change))
    };
    // pointed at, a button says its key
    let titled = |label: &str, key: &str| format!("{label} {key}").trim_end().to_string();
    let button = |name: &'static str,
                  (label, key): (&'static str, &str),
                  change: fn(&mut crate::timeline::Session)| {
        html! {
            <button class={classes!("round", name)} onclick={act(change)} aria-label={label} title={titled(label, key)}>
                { control_icon(name) }
            </button>
        }
    };
    let play = {
        let engine = context.engine.clone();
        Callback::from(move |_: MouseEvent| {
            if !engine.plays_lesson_on() {
                engine.change(|session| session.playing = !session.playing);
            }
        })
    };
    let (icon, play_word) = if model.playing { ("pause", words.pause) } else { ("play", words.play) };
    let pick_speed = {
        let engine = context.engine.clone();
        Callback::from(move |event: Event| {
            let chosen = event.target_dyn_into::<HtmlSelectElement>().and_then(|select| select.value().parse().ok());
            engine.change(|session| session.speed = chosen.unwrap_or(session.speed));
        })
    };
    html! {
        <footer class="transport" aria-label={words.transport}>
            <div class="buttons">
                { button("start", (words.to_start, ""), |session| { let _ = session.seek(SimTime::ZERO); }) }
                { button("turn-back", (words.turn_back, "(Shift ←)"), |session| { session.playing = false; session.step_back_to_turn(); }) }
                { button("step-back", (words.step_back, "(←)"), |session| { session.playing = false; session.step_back(1); }) }
                <button class="round play" onclick={play}
                    aria-label={play_word} title={titled(play_word, "(Space)")}>{ control_icon(icon) }</button>
                { button("step", (words.step, "(→)"), |session| { session.playing = false; session.step(1); }) }
                { button("turn", (words.turn, "(Shift →)"), |session| { session.playing = false; session.step_to_turn(); }) }
            </div>
            <div class="buttons changes"><Undo lang={props.lang} /></div>
            <output class="clock" aria-live="off" aria-label={words.time}>{ SimTime::from_ms(model.at_ms).seconds() }{ " s" }</output>
            <div class="pace">
                <select aria-label={words.speed} onchange={pick_speed}>
                    { for SPEEDS.iter().enumerate().map(|(index, speed)| html! {
                        <option key={index} value={index.to_string()} selected={index == model.speed}>
                            { speed_words(*speed, props.lang) }
                        </option>
                    }) }
                </select>
                <button class="chip tick" aria-pressed={model.skip_idle.to_string()}
                    onclick={act(|session| session.skip_idle = !session.skip_idle)}>{ words.skip_idle }</button>
                <RunUntil lang={props.lang} />
            </div>
            <div class="line"><Line lang={props.lang} /></div>
            { props.children.clone() }
        </footer>
    }
}
