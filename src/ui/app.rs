//! The page as a whole: bar, stage, side, narration, transport.

pub(super) mod bar;
mod first_visit;
pub(super) mod hall;
pub(super) mod keys;
mod live_line;
mod notice;

use std::rc::Rc;

use yew::prelude::*;

use crate::base::SimTime;
use crate::i18n::page::{fill, page};
use crate::i18n::{Lang, error_words};
use crate::lessons::FIRST;
use crate::scenarios::scenario;
use crate::story_files::are_there;
use crate::timeline::Destination;
use crate::ui::page::controls::Controls;
use crate::ui::remote::address as query;
use crate::ui::remote::address::UrlParams;
use crate::ui::remote::messages::Moment;

use super::compare::{above, below};
use super::engine::{Engine, ListenerGroup};
use super::gallery::Gallery;
use super::lesson::{Band, Overview};
use super::pictures::Pictures;
use super::spacetime::SpaceTime;
use super::stage::Stage;
use crate::i18n::wording::LETTERS;
use crate::ui::app::bar::Bar;
use crate::ui::app::hall::Hall;
use crate::ui::app::live_line::Live;
use crate::ui::app::notice::Notice;
use crate::ui::compare::form::CompareWith;
use crate::ui::dialogs::disks::Disks;
use crate::ui::dialogs::help::{Help, NewRun};
use crate::ui::dialogs::home::home;
use crate::ui::dialogs::locks::Locks;
use crate::ui::dialogs::params::Params;
use crate::ui::dialogs::share::Share;
use crate::ui::engine::model::use_model;
use crate::ui::kit::browser::{asked, dress, preferred_lang, preferred_theme, use_media};
use crate::ui::kit::rescue;
use crate::ui::kit::wear::Theme;
use crate::ui::kit::wear::Wear;
use crate::ui::page::looks::{self, Seen};
use crate::ui::page::panel::Panel;
use crate::ui::page::state::{Choices, Overlay, PageContext, View};
use crate::ui::panels::side::Side;
use crate::ui::remote::api;
use crate::ui::remote::embed::Extras;
use crate::ui::remote::exchange::{self, Exchange};
use crate::ui::remote::{live, talk};
use crate::ui::stage::legend::Legend;
use crate::ui::stage::narration::Narration;
use crate::ui::stage::partition::Partition;
use crate::ui::time::edit::Edit;
use crate::ui::time::scene::EndCard;
use crate::ui::time::transport::Transport;

/// What the address asks for, as choices and as a run.
fn begin() -> (Engine, Choices) {
    let wishes = query::read(&asked());
    let lang = wishes.lang.as_deref().and_then(Lang::from_tag).unwrap_or_else(preferred_lang);
    let theme = match wishes.theme.as_deref() {
        Some("dark") => Theme::Dark,
        Some(_) => Theme::Light,
        None => preferred_theme(),
    };
    let engine = Engine::new();
    follow(&engine, &wishes, lang);
    let mut choices = Choices { lang, theme, ..Choices::default() };
    choices.controls = wishes.controls.unwrap_or_default();
    (choices.deck_keys, choices.no_letters) = (wishes.deck_keys, wishes.no_letters);
    // a link tells what is on the screen; the address before it has the last word
    if let Some(seen) = exchange::open_fragment(&engine, lang) {
        let lang = seen.lang.filter(|_| wishes.lang.is_none());
        let theme = seen.theme.filter(|_| wishes.theme.is_none());
        choices.show(Seen { lang, theme, ..seen });
    }
    choices.lecture |= wishes.lecture;
    choices.cast = wishes.cast.or(choices.cast);
    if choices.controls == Controls::Full && first_visit::is_first(&wishes) {
        engine.want_lesson(FIRST, None);
        engine.change(|session| session.playing = false);
    }
    if let Some(token) = &wishes.live {
        live::connect(&engine, token);
    }
    if let Some(panel) = wishes.panel.as_deref().and_then(Panel::named) {
        (choices.panel, choices.side) = (panel, true);
    }
    (engine, choices)
}

/// How many wrong parameters of an address are named.
const TOLD: usize = 3;

fn follow(engine: &Engine, wishes: &UrlParams, lang: Lang) {
    let from = scenario(wishes.scenario.as_deref().unwrap_or("cold-start-3"));
    let beside = wishes.beside.as_deref().and_then(scenario);
    let mut trouble = Vec::new();
    for (name, value) in wishes.wrong.iter().take(TOLD) {
        trouble.push(fill(page(lang).wrong_parameter, &[name, value]));
    }
    let more = wishes.wrong.len().saturating_sub(TOLD);
    if more > 0 {
        trouble.push(fill(page(lang).more_wrong_parameters, &[&more]));
    }
    let asks = wishes.scenario.is_some() || beside.is_some() || wishes.seed.is_some() || !wishes.given.is_empty();
    // the engine begins with the scenario that comes first
    if let Some(from) = from.filter(|_| asks)
        && let Err(error) = engine.choose(from, beside, wishes.given.clone(), wishes.seed)
    {
        trouble.push(error_words(lang, &error));
    }
    match wishes.rule {
        Some(_) if !are_there() => trouble.push(page(lang).stories_missing.into()),
        Some(rule) => trouble.extend(engine.show_rule(rule).err().map(|error| error_words(lang, &error))),
        None => {}
    }
    let moment = wishes.at_ms.map(|at| Moment::At(SimTime::from_ms(at))).or(wishes.turn.map(Moment::Milestone));
    let gone = match moment {
        // nobody waits for an answer
        Some(Moment::At(at)) => engine.change(|session| session.set_out(Destination::Time(at))),
        Some(moment) => talk::go(engine, moment),
        None if asks => engine.open_scene(),
        None => Ok(()),
    };
    if let Err(error) = gone {
        trouble.push(error_words(lang, &error));
    }
    match (&wishes.lesson, &wishes.course) {
        (Some(lesson), _) => engine.want_lesson(lesson, wishes.beat.as_deref()),
        (None, Some(course)) => engine.want_course(course, wishes.part.unwrap_or(1)),
        (None, None) => {}
    }
    engine.change(|session| {
        // what stands on the stage until a lesson opens is not its run
        session.playing = !wishes.paused && (!wishes.teaches() || wishes.scenario.is_some());
        session.speed = wishes.speed.unwrap_or(session.speed);
    });
    if !trouble.is_empty() {
        engine.note(Some(trouble.join(" ")));
    }
}

/// The page.
#[component]
pub(super) fn App() -> Html {
    let begun = use_memo((), |()| begin());
    let (engine, first) = (begun.0.clone(), begun.1.clone());
    let choices = use_reducer(move || first);
    let now = (*choices).clone();
    let context = PageContext { engine: engine.clone(), choose: choices.dispatcher() };
    // before any child's effect: the canvas reads its colours from the dressed document
    let (forced, contrast) = (use_media("(forced-colors: active)"), use_media("(prefers-contrast: more)"));
    // what is painted stands on the ground that the system forces
    let theme = if forced { preferred_theme() } else { now.theme };
    let wear = Wear { theme, lecture: now.lecture, contrast: contrast || forced };
    use_memo((now.lang, wear), |(lang, wear)| {
        dress(*lang, *wear);
        rescue::learn(*lang);
    });
    use_effect_with(context.clone(), |context| {
        api::publish(&context.engine);
        context.engine.run();
        let attention = talk::attend(context);
        let engine = context.engine.clone();
        engine.keep_runs();
        let kept = context.engine.listen(ListenerGroup::Beside, Rc::new(move || engine.keep_runs()));
        move || drop((attention, kept))
    });
    keys::use_keys(&context, &now);
    use_effect_with(engine.clone(), |engine| engine.open_wanted_lesson());
    let alone = *use_model(&engine, (), |engine, ()| engine.pair().right().is_none());
    use_effect_with((engine, now.lecture, now.cast, now.lang), |(engine, lecture, cast, lang)| {
        engine.set_hall(*lecture);
        engine.set_cast(*cast);
        engine.set_telling(*lang, *lecture);
    });
    html! {
        <ContextProvider<PageContext> context={context}>
            { frame(&now, wear, alone, home) }
        </ContextProvider<PageContext>>
    }
}

/// Everything on the page, below its context. It asks nothing of the browser: `home` is called when the page's address is needed.
pub(super) fn frame(now: &Choices, wear: Wear, alone: bool, home: fn() -> String) -> Html {
    let (thin, side) = (now.thin(), now.side);
    let Choices {
        lang, theme, picked, panel, view, over, log_open, client, console_asked, controls, lecture, ..
    } = *now;
    let letter = if alone { "" } else { LETTERS[0] };
    let (only_stage, dark, legend) = (now.only_stage, now.dark, now.legend && view == View::Stage && !thin);
    let class = classes!(
        "page",
        (!alone).then_some("comparing"),
        thin.then_some("thin"),
        (controls == Controls::None).then_some("bare"),
        (thin && alone && side).then_some("sided"),
        (!side && !legend && !thin).then_some("wide"),
        legend.then_some("keyed"),
        lecture.then_some("lecture"),
        only_stage.then_some("only-stage"),
        now.more.then_some("more")
    );
    html! {
        <div {class}>
            if thin {
                <h1 class="unseen">{ "ZabScope" }</h1>
            } else {
                <Bar {lang} {theme} {lecture} more={now.more} side={alone.then_some(side)} />
                <Params {lang} />
            }
            <div class="notices">
                <Notice {lang} />
                <Live {lang} />
            </div>
            <Narration {lang} {view} open={log_open} {legend} {picked} paired={!alone} />
            if !alone { { above(lang) } }
            if view == View::SpaceTime {
                <SpaceTime {lang} {wear} {picked} {letter} />
            } else {
                <Stage {lang} {wear} {picked} {over} {letter} />
            }
            if !alone {
                { below(lang, wear, view, thin) }
            } else if side && !legend {
                <Side {lang} {wear} {panel} {picked} {client} {console_asked} />
            }
            if legend { <Legend {lang} /> }
            <Overview {lang} />
            <Band {lang} keeps={!thin && !lecture} />
            if controls != Controls::None {
                <Transport {lang}>
                    if thin { <Extras {lang} {theme} side={alone.then_some(side)} /> }
                </Transport>
            }
            if controls != Controls::None { <div class="end" aria-live="polite"><EndCard {lang} /></div> }
            { dialogs(now, home) }
            <Hall {lang} {theme} {only_stage} {dark} />
            <div class="over">
                if over == Overlay::Gallery { <Gallery {lang} {theme} /> }
            </div>
        </div>
    }
}

/// Each dialog in a place of its own, whether it is open or not.
fn dialogs(now: &Choices, home: fn() -> String) -> Html {
    let Choices { lang, theme, picked, over, .. } = *now;
    html! {
        <>
            <div class="over">
                if over == Overlay::Help { <Help {lang} no_letters={now.no_letters} /> }
            </div>
            <div class="over">
                if over == Overlay::Compare { <CompareWith {lang} /> }
            </div>
            <div class="over">
                if over == Overlay::NewRun { <NewRun {lang} /> }
            </div>
            <div class="over">
                if over == Overlay::Share { <Share {lang} {theme} look={looks::of(now)} home={home()} /> }
            </div>
            <Exchange {lang} />
            <div class="over">
                if let Overlay::Edit(first, count) = over { <Edit {lang} {first} {count} /> }
            </div>
            <div class="over">
                if over == Overlay::Partition { <Partition {lang} {picked} /> }
            </div>
            <div class="over">
                if over == Overlay::Locks { <Locks {lang} /> }
            </div>
            <div class="over">
                if over == Overlay::Disks { <Disks {lang} /> }
            </div>
            <div class="over">
                if over == Overlay::Pictures { <Pictures {lang} {theme} /> }
            </div>
        </>
    }
}
