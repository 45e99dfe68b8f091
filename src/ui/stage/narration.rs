//! The narration: what a chapter of the scene teaches, as a headline that stands until the chapter ends; below it what the director tells, with its
//! reason. Where there is no scene, or somebody has changed its run, what is told is the headline; in a lesson that is what the lesson says, and as
//! long as its question stands no fact is told. Those who listen hear the same. What came before is listed on demand.

use yew::prelude::*;

use crate::base::SimTime;
use crate::i18n::page::{chapter_says, idea_because, page};
use crate::i18n::parts::parts;
use crate::i18n::title::title;
use crate::i18n::{Lang, narrate};
use crate::scenarios::{Scenario, scenario};
use crate::timeline::Session;
use crate::view::director::Waits;

use crate::ui::engine::Engine;
use crate::ui::engine::model::{use_model, use_voice_model};
use crate::ui::kit::shapes::control_icon;
use crate::ui::page::state::{Selection, UiAction, View, use_page_context};
use crate::ui::stage::headline::{self as lesson, Headline};
use crate::ui::stage::saying::{Drawn, Saying, drawn, use_light};
use crate::ui::stage::tools::Tools;
use crate::ui::stage::waits::Skipping;
use crate::ui::time::scene::Kicker;

/// How many sentences the list shows.
const LISTED: usize = 120;
/// What is said aloud while time runs matters at least so much.
const ALOUD: u8 = 4;

/// What the page tells the narration.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub view: View,
    pub open: bool,
    /// The legend is open.
    pub legend: bool,
    pub picked: Selection,
    /// Two runs are compared: each has its sentence below its stage.
    pub paired: bool,
}

#[derive(PartialEq)]
struct Said {
    seq: u64,
    at: SimTime,
    what: String,
    why: Option<String>,
}

/// The sentences before, if the list is open.
fn listed(engine: &Engine, (lang, open): &(Lang, bool)) -> Vec<Said> {
    let session = engine.session();
    let told = session.run_summary().told().filter_map(|record| {
        let sentence = narrate(*lang, record)?;
        Some(Said { seq: record.seq, at: record.at_us, what: sentence.what, why: sentence.why })
    });
    told.take(if *open { LISTED } else { 0 }).collect()
}

/// What the chapter teaches in which a session stands, if its run is still the scene's own, and why that is so, if it is the scene's idea.
pub(in crate::ui) fn chapter_now(session: &Session, lang: Lang) -> Option<(&'static str, Option<&'static str>)> {
    let (id, index) = session.told_chapter()?;
    let idea = scenario(id).and_then(Scenario::scene).is_some_and(|scene| scene.idea == index);
    Some((chapter_says(lang, id, index)?, idea_because(lang, id).filter(|_| idea)))
}

/// What is told now.
#[derive(PartialEq)]
struct Now {
    /// What the chapter teaches, if there is one.
    chapter: Vec<Drawn>,
    /// The same in words.
    says: &'static str,
    title: Vec<Drawn>,
    because: Vec<Drawn>,
    /// The same in words, for those who listen.
    aloud: Option<String>,
    waits: Option<Waits>,
    /// Nothing has happened.
    fresh: bool,
    /// Somebody has stopped time.
    stands: bool,
}

fn now(engine: &Engine, lang: &Lang) -> Now {
    let (playing, fresh) = (engine.session().playing, engine.session().events() == 0);
    let stands = !playing && engine.session().ending().is_none();
    let (says, idea) = chapter_now(&engine.session(), *lang).filter(|_| !engine.has_lesson()).unwrap_or_default();
    let (said, rank, waits) = engine.told(|told, _, waits| {
        (told.map(|told| title(*lang, told)).unwrap_or_default(), told.map_or(0, |told| told.rank), waits)
    });
    let because = idea.map(String::from).or(said.because).unwrap_or_default();
    let [chapter, title, reason] = parts(*lang, [says, &said.title, &because]);
    let aloud = (!playing || rank >= ALOUD).then(|| format!("{} {because}", said.title));
    let [chapter, title, because] = [chapter, title, reason].map(|parts| drawn(engine, parts));
    Now { chapter, says, title, because, aloud, waits, fresh, stands }
}

fn one(said: &Said) -> Html {
    html! {
        <li key={said.seq}>
            <time class="z">{ said.at.seconds() }</time>
            <span>{ said.what.clone() }</span>
            <small>{ said.why.clone().unwrap_or_default() }</small>
        </li>
    }
}

/// The title with its reason, and the meaning of a term in it.
#[component]
pub(in crate::ui) fn Told(props: &ToldProps) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let now = use_voice_model(&context.engine, props.lang, now);
    let lesson = use_voice_model(&context.engine, props.lang, lesson::said);
    let open = use_state_eq(|| None::<&'static str>);
    let heard = use_mut_ref(String::new);
    if let Some(aloud) = &now.aloud {
        let mark = if props.letter.is_empty() { "" } else { ": " };
        heard.replace(format!("{}{mark}{aloud}", props.letter));
    }
    let toggle = {
        let open = open.clone();
        Callback::from(move |about| open.set((*open != Some(about)).then_some(about)))
    };
    let there = |parts: &[Drawn]| (*open).filter(|about| parts.iter().any(|part| part.explains(about)));
    let meaning = there(&now.chapter).or(there(&now.title)).or(there(&now.because));
    let held = now.waits.map(|waits| match waits {
        Waits::ToBeRead => words.held_to_read,
        Waits::ForHand => words.held_for_hand,
    });
    use_light();
    if let Some(said) = &*lesson {
        return html! {
            <div class="now">
                <Headline key={format!("{said:?}")} lang={props.lang} said={said.clone()} />
                <p class="why">
                    if !said.silent { <b class="fact"><Saying parts={now.title.clone()} open={meaning} {toggle} /></b> }
                </p>
            </div>
        };
    }
    html! {
        <div class="now">
            <p class="what">
                if now.chapter.is_empty() {
                    if now.title.is_empty() { { if now.fresh { words.nothing_yet } else { words.none_told } } }
                    <Saying parts={now.title.clone()} open={meaning} toggle={toggle.clone()} />
                } else {
                    <Saying parts={now.chapter.clone()} open={meaning} toggle={toggle.clone()} />
                }
            </p>
            <p class="why">
                if !now.chapter.is_empty() {
                    <b class="fact"><Saying parts={now.title.clone()} open={meaning} toggle={toggle.clone()} /></b>{ " " }
                }
                <Saying parts={now.because.clone()} open={meaning} {toggle} />
            </p>
            if let Some(meaning) = meaning { <p class="meaning" role="note">{ meaning }</p> }
            <span class="held" aria-hidden="true">
                if let Some(held) = held {
                    { held }
                } else if props.letter.is_empty() {
                    if now.stands { <span class="by-keys">{ words.held_by_keys }</span> }
                    <Skipping lang={props.lang} />
                }
            </span>
            <p class="unseen" aria-live="polite">{ now.says }</p>
            <p class="unseen" aria-live="polite">{ heard.borrow().clone() }</p>
        </div>
    }
}

/// What the sentence is told.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct ToldProps {
    pub lang: Lang,
    /// The letter of its run, for those who listen, where there are two.
    #[prop_or_default]
    pub letter: &'static str,
}

/// The narration.
#[component]
pub(in crate::ui) fn Narration(props: &Props) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let said = use_model(&context.engine, (props.lang, props.open), listed);
    let lesson = use_model(&context.engine, props.lang, lesson::said);
    let toggle = {
        let (choose, open) = (context.choose.clone(), props.open);
        Callback::from(move |_: MouseEvent| choose.dispatch(UiAction::Log(!open)))
    };
    let label = if props.open { words.hide_log } else { words.show_log };
    html! {
        <section class={classes!("narration", props.open.then_some("open"))} aria-label={words.narration}>
            <div class="kick">
                <Kicker lang={props.lang} />
                <Tools lang={props.lang} view={props.view} legend={props.legend} picked={props.picked} />
                <button class="round" onclick={toggle} aria-expanded={props.open.to_string()} aria-label={label}
                    title={label}>{ control_icon("up") }</button>
            </div>
            if !props.paired {
                <Told lang={props.lang} />
            } else if let Some(said) = &*lesson {
                <div class="now"><Headline key={format!("{said:?}")} lang={props.lang} said={said.clone()} /></div>
            }
            <ol class="log" aria-label={words.log_title} tabindex={props.open.then_some("0")}>
                { for said.iter().map(one) }
            </ol>
        </section>
    }
}
