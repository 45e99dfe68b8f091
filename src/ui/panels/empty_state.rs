//! Where there is nothing to be seen: why, and what would make something appear.

use yew::prelude::*;

use crate::base::ServerId;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::sim::Action;
use crate::view::Face;

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::kit::shapes::control_icon;
use crate::ui::page::state::{Overlay, PageContext, Selection, UiAction, use_page_context};
use crate::ui::stage::client_bar::open_client;
use crate::ui::stage::menu::write_at;

/// What somebody can do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum Step {
    /// Let time run; not offered while it does.
    Play,
    /// Write at the leader and let time run; where nobody leads a write would be refused, so only time is let run.
    Write,
    /// Open a client and its console.
    Client,
    /// UiAction a scenario.
    Gallery,
    /// Start a server that is down.
    Restart(ServerId),
    /// Look at the whole ensemble.
    Ensemble,
}

/// What a panel tells of itself.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    /// Why there is nothing.
    pub why: AttrValue,
    /// What can be done next; may be empty.
    #[prop_or_default]
    pub steps: Vec<Step>,
}

fn words(step: Step, lang: Lang) -> String {
    let words = page(lang);
    match step {
        Step::Play => words.play.to_string(),
        Step::Write => words.next_write.to_string(),
        Step::Client => words.new_client.to_string(),
        Step::Gallery => words.next_gallery.to_string(),
        Step::Restart(server) => fill(words.next_restart, &[&server]),
        Step::Ensemble => words.next_ensemble.to_string(),
    }
}

fn take(context: &PageContext, step: Step, lang: Lang) {
    let (engine, choose) = (&context.engine, &context.choose);
    let play = || engine.change(|session| session.playing = true);
    match step {
        Step::Play => play(),
        Step::Write => {
            let leader = engine.session().player().leader();
            if let Some(leader) = leader {
                engine.act(write_at(engine, leader, "", lang));
            }
            play();
        }
        Step::Client => {
            if let Some(client) = open_client(engine, Vec::new()) {
                choose.dispatch(UiAction::Client(client));
                choose.dispatch(UiAction::Console);
            }
        }
        Step::Gallery => choose.dispatch(UiAction::Overlay(Overlay::Gallery)),
        Step::Restart(server) => engine.act(Action::Restart { server }),
        Step::Ensemble => choose.dispatch(UiAction::Pick(Selection::Nothing)),
    }
}

/// Why a server that does not run has nothing to show, and what starts it.
pub(in crate::ui) fn not_running(engine: &Engine, server: ServerId, lang: Lang) -> (String, Vec<Step>) {
    let starts = engine.scene().cards.iter().any(|card| card.id == server && card.face == Face::Off);
    match starts {
        true => (fill(page(lang).none_started, &[&server]), vec![Step::Play]),
        false => (fill(page(lang).server_down, &[&server]), vec![Step::Restart(server)]),
    }
}

/// What of it makes sense now.
fn offered(engine: &Engine, steps: &Vec<Step>) -> Vec<Step> {
    let session = engine.session();
    let led = session.player().leader().is_some();
    let mut offered: Vec<Step> = Vec::new();
    for step in steps {
        let step = if *step == Step::Write && !led { Step::Play } else { *step };
        if !(offered.contains(&step) || step == Step::Play && session.playing) {
            offered.push(step);
        }
    }
    offered
}

/// Why there is nothing, and buttons for what can be done.
#[component]
pub(in crate::ui) fn EmptyState(props: &Props) -> Html {
    let context = use_page_context();
    let offered = use_model(&context.engine, props.steps.clone(), offered);
    let button = |step: &Step| {
        let (context, step, lang) = (context.clone(), *step, props.lang);
        let sign = match step {
            Step::Play => control_icon("play"),
            Step::Client => control_icon("plus"),
            Step::Gallery => control_icon("grid"),
            _ => Html::default(),
        };
        let go = move |_: MouseEvent| take(&context, step, lang);
        html! { <button type="button" class="chip" onclick={go}>{ sign }{ words(step, props.lang) }</button> }
    };
    html! {
        <div class="nothing">
            <p>{ props.why.clone() }</p>
            <div>{ for offered.iter().map(button) }</div>
        </div>
    }
}
