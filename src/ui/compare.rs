//! Two runs beside each other with one clock: above each stage its name and its number, below it its sentence; how the costs of releases
//! grow; where the two part, and on demand all numbers.

pub mod form;
pub mod growth;
pub mod heads;
pub mod numbers;
pub mod rules;

use std::rc::Rc;

use yew::prelude::*;

use crate::base::SimTime;
use crate::i18n::page::{fill, page, scenario_words};
use crate::i18n::{Lang, describe, property_title, rule_title};
use crate::scenarios::Scenario;
use crate::sim::Record;
use crate::timeline::{Against, Pair, Side, Standing, Variation};

use super::engine::Engine;
use super::spacetime::SpaceTime;
use super::stage::Stage;
use crate::ui::app::state::{Choices, PageContext, View, use_page_context};
use crate::ui::compare::growth::Growth;
use crate::ui::compare::heads::Heads;
use crate::ui::compare::numbers::Numbers;
use crate::ui::kit::browser::wrong_words;
use crate::ui::kit::model::use_model;
use crate::ui::kit::wear::Wear;
use crate::ui::stage::narration::Told;

/// What the two sides are called in sentences.
const LETTERS: [&str; 2] = ["A", "B"];

/// What the page tells all parts.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub wear: Wear,
    pub view: View,
}

/// What stands above the stages. Not for the first picture, which has one stage.
#[inline(never)]
pub(super) fn above(lang: Lang) -> Html {
    html! { <Heads {lang} /> }
}

/// The stage of the run on the right, and what stands below and beside both; on a page that is only a part of another one no more than the
/// sentences.
#[inline(never)]
pub(super) fn below(lang: Lang, wear: Wear, view: View, thin: bool) -> Html {
    html! {
        <>
            <div class="telling a"><b class="letter">{ LETTERS[0] }</b><Told {lang} letter={LETTERS[0]} /></div>
            <RightStage {lang} {wear} {view} />
            if !thin {
                <Growth {lang} {wear} />
                <Strip {lang} {wear} {view} />
            }
        </>
    }
}

/// The stage of the run on the right, with its sentence. What is picked there is its own.
#[component]
fn RightStage(props: &Props) -> Html {
    let page = use_page_context();
    let choices = use_reducer(Choices::default);
    let context = PageContext { engine: page.engine.on(Side::Right), choose: choices.dispatcher() };
    html! {
        <ContextProvider<PageContext> context={context}>
            <div class="right-stage">
                if props.view == View::SpaceTime {
                    <SpaceTime lang={props.lang} wear={props.wear} picked={choices.picked} />
                } else {
                    <Stage lang={props.lang} wear={props.wear} picked={choices.picked} over={choices.over} />
                }
            </div>
            <div class="telling b"><b class="letter">{ LETTERS[1] }</b><Told lang={props.lang} letter={LETTERS[1]} /></div>
        </ContextProvider<PageContext>>
    }
}

/// What the run on the right is called.
fn against_words(against: &Against, lang: Lang) -> String {
    let words = page(lang);
    match against {
        Against::Scenario(scenario) => scenario_title(Some(*scenario), lang),
        Against::Named(name) => name.clone(),
        Against::Varied(Variation::Seed(seed)) => format!("{} {seed}", words.seed),
        Against::Varied(Variation::Latency(min, max)) => fill(words.compare_is_latency, &[min, max]),
        Against::Varied(Variation::DiskSync(min, max)) => fill(words.compare_is_disk, &[min, max]),
        Against::Varied(Variation::Tick(ms)) => fill(words.compare_is_tick, &[ms]),
        Against::Varied(Variation::Rule(rule)) => fill(words.compare_is_rule, &[&rule_title(lang, *rule)]),
    }
}

fn scenario_title(scenario: Option<&Scenario>, lang: Lang) -> String {
    let Some(scenario) = scenario else { return page(lang).own_run.to_string() };
    scenario_words(lang, scenario.id).map_or(scenario.id, |(title, _)| title).to_string()
}

/// What both runs are called, the left one first.
fn titles(pair: &Pair, lang: Lang) -> [String; 2] {
    let [left, right] = [Side::Left, Side::Right].map(|side| scenario_title(pair.session(side).scenario(), lang));
    [left, pair.against().map_or(right, |against| against_words(against, lang))]
}

/// The same with their letters: A and B.
pub(super) fn marked_titles(pair: &Pair, lang: Lang) -> [String; 2] {
    let [left, right] = titles(pair, lang);
    [format!("{} {left}", LETTERS[0]), format!("{} {right}", LETTERS[1])]
}

/// Where the two runs part, and on demand all numbers.
#[component]
fn Strip(props: &Props) -> Html {
    let words = page(props.lang);
    let open = use_state(|| false);
    let toggle = {
        let open = open.clone();
        Callback::from(move |_: MouseEvent| open.set(!*open))
    };
    html! {
        <section class="compare" aria-label={words.compare_title}>
            <Parting lang={props.lang}>
                <button class="chip" onclick={toggle} aria-expanded={open.to_string()}>{ words.compare_numbers }</button>
            </Parting>
            if *open { <Numbers lang={props.lang} wear={props.wear} /> }
        </section>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct PartingProps {
    lang: Lang,
    /// What can be done there besides.
    children: Html,
}

/// Where the two runs part, and how only one of them stays.
#[component]
fn Parting(props: &PartingProps) -> Html {
    let context = use_page_context();
    let words = page(props.lang);
    let told = use_model(&context.engine, props.lang, |engine, lang| parting(engine, *lang));
    let only = |word: &'static str, keep: fn(&mut Pair)| {
        let engine = context.engine.clone();
        html! { <button class="chip" onclick={move |_: MouseEvent| engine.change_pair(keep)}>{ word }</button> }
    };
    let go = told.1.map(|at| {
        let engine = context.engine.clone();
        let go = move |_: MouseEvent| {
            let result = engine.change(|session| {
                session.playing = false;
                session.seek(at)
            });
            engine.note(result.err().map(|error| wrong_words(&error)));
        };
        html! { <button class="chip" onclick={go}>{ words.compare_go_there }</button> }
    });
    html! {
        <div class="parting">
            <p role="status" title={told.0.clone()}>{ told.0.clone() }</p>
            { go }
            { props.children.clone() }
            { only(words.compare_only_left, Pair::only_left) }
            { only(words.compare_only_right, Pair::only_right) }
        </div>
    }
}

/// What is known of where they part, and the moment to go to.
fn parting(engine: &Engine, lang: Lang) -> (String, Option<SimTime>) {
    let words = page(lang);
    let pair = engine.pair();
    if let Some(harm) = harm(&pair, lang) {
        return harm;
    }
    match pair.standing() {
        Some(Standing::Divergence(found)) => {
            let side = |record: &Option<Rc<Record>>| {
                record.as_ref().map_or(words.compare_nothing.to_string(), |record| describe(lang, record).what)
            };
            let [left, right] = found.facts.each_ref().map(side);
            (fill(words.compare_part, &[&found.at.seconds(), &left, &right]), Some(found.at))
        }
        Some(Standing::Same(at)) => {
            let digest = pair.left().player().digest();
            let short = digest.get(..8).unwrap_or_default();
            let now = SimTime(pair.left().cursor_us() as u64);
            match pair.right().is_some_and(|right| right.player().digest() == digest) {
                true => (fill(words.compare_same, &[&short]), None),
                false => (fill(words.compare_looking, &[&at.seconds(), &now.seconds()]), None),
            }
        }
        None => (words.compare_begins.to_string(), None),
    }
}

/// Which property one of the two has violated and the other has not, and since when; where a rule was changed, that none has.
fn harm(pair: &Pair, lang: Lang) -> Option<(String, Option<SimTime>)> {
    let words = page(lang);
    let both = [Side::Left, Side::Right].map(|side| pair.session(side));
    for (side, other) in [(1, 0), (0, 1)] {
        let kept = |property: &str| both[other].violations().all(|violation| violation.property != property);
        if let Some(first) = both[side].violations().find(|violation| kept(violation.property)) {
            let title = property_title(lang, first.property);
            let told = fill(words.compare_harm, &[&LETTERS[side], &title, &first.at.seconds(), &LETTERS[other]]);
            return Some((told, Some(first.at)));
        }
    }
    let ruled = matches!(pair.against(), Some(Against::Varied(Variation::Rule(_))));
    ruled.then(|| (words.compare_unharmed.to_string(), None))
}
