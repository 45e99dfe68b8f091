//! Below the stages: what the two runs are about, where they part, which property one of them violates, and on demand all numbers or a
//! bug's story.

use std::rc::Rc;

use yew::prelude::*;

use super::Props;
use super::names::{bug_beside, rule_beside};
use crate::base::SimTime;
use crate::explore::{Goal, Prepared, prepared, reach};
use crate::i18n::page::{fill, goal_words, page};
use crate::i18n::wording::LETTERS;
use crate::i18n::{Lang, describe, evidence_words, property_title, rule_about, rule_title};
use crate::museum::{Bug, Shows};
use crate::sim::{Record, Run};
use crate::timeline::{Pair, Side, Standing};
use crate::ui::compare::numbers::Numbers;
use crate::ui::engine::Engine;
use crate::ui::engine::model::{use_model, use_stories};
use crate::ui::kit::browser::wrong_words;
use crate::ui::lesson::cards;
use crate::ui::page::panel::Panel;
use crate::ui::page::state::{UiAction, use_page_context};

/// Where the two runs part, and on demand all numbers.
#[component]
pub(super) fn Strip(props: &Props) -> Html {
    let words = page(props.lang);
    let open = use_state(|| false);
    let story = use_state(|| false);
    let context = use_page_context();
    let rule = use_model(&context.engine, (), |engine, ()| rule_beside(&engine.pair()));
    use_stories(&context.engine, rule.is_some());
    let bug = use_model(&context.engine, (), |engine, ()| bug_beside(&engine.pair()));
    // one lies where the other does
    let turn = |this: &UseStateHandle<bool>, other: &UseStateHandle<bool>| {
        let (this, other) = (this.clone(), other.clone());
        Callback::from(move |_: MouseEvent| {
            other.set(false);
            this.set(!*this);
        })
    };
    html! {
        <section class="compare" aria-label={words.compare_title}>
            <Parting lang={props.lang}>
                if bug.is_some() {
                    <button class="chip" onclick={turn(&story, &open)} aria-expanded={story.to_string()}>{ words.bug_story }</button>
                }
                <button class="chip" onclick={turn(&open, &story)} aria-expanded={open.to_string()}>{ words.compare_numbers }</button>
            </Parting>
            if *open { <Numbers lang={props.lang} wear={props.wear} /> }
            if let Some(bug) = (*bug).as_ref().filter(|_| *story) { { told(bug, props.lang) } }
        </section>
    }
}

/// A bug's story, its releases, and where that is known from.
fn told(bug: &Bug, lang: Lang) -> Html {
    let words = page(lang);
    html! {
        <div class="numbers story" role="note">
            <div>
                <h3>{ bug_title(bug, lang) }</h3>
                <p>{ cards::words(&bug.story, lang) }</p>
                <p class="hint">
                    if !bug.since.is_empty() { { fill(words.bug_since, &[&bug.since]) } { " " } }
                    { format!("{}: {}. ", bug.year, mended(bug, lang)) }
                    { fill(words.bug_source, &[&bug.source]) }
                </p>
            </div>
        </div>
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
    let about = use_model(&context.engine, props.lang, |engine, lang| about(&engine.pair(), *lang));
    let recipe = use_model(&context.engine, (), |engine, ()| engine.has_recipe_beside());
    let come_to = use_come_to(&context.engine, props.lang);
    let Parted { said, evidence, at, harmed } = (*come_to).clone().unwrap_or_else(|| (*told).clone());
    let only = |word: &'static str, keep: fn(&mut Pair)| {
        let engine = context.engine.clone();
        html! { <button class="chip" onclick={move |_: MouseEvent| engine.change_pair(keep)}>{ word }</button> }
    };
    // a recipe's panel stands beside one run only
    let back = recipe.then(|| {
        let (engine, choose) = (context.engine.clone(), context.choose.clone());
        let press = move |_: MouseEvent| {
            engine.change_pair(Pair::only_right);
            choose.dispatch(UiAction::Panel(Panel::Recipe));
        };
        html! { <button class="chip" onclick={press}>{ words.recipe_back }</button> }
    });
    let go = at.map(|at| {
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
            // once it has done harm that is what matters
            if let Some((title, about)) = (*about).as_ref().filter(|_| !harmed) {
                <p class="rule"><b>{ title.clone() }</b>{ " " }{ about.clone() }</p>
            }
            <p class={harmed.then_some("harm")} title={format!("{said} {evidence}")}>
                if harmed { <b>{ said.clone() }</b>{ " " }{ evidence } } else { { said.clone() } }
            </p>
            // how far they are the same changes all the time; where they part is said once
            <span class="unseen" role="status">{ if at.is_some() || harmed { said.clone() } else { String::new() } }</span>
            { go }
            { props.children.clone() }
            { back }
            { only(words.compare_only_left, Pair::only_left) }
            { only(words.compare_only_right, Pair::only_right) }
        </div>
    }
}

/// Of which rule or bug the two tell, and what it is.
fn about(pair: &Pair, lang: Lang) -> Option<(String, String)> {
    if let Some(rule) = rule_beside(pair) {
        return Some((rule_title(lang, rule).to_string(), rule_about(lang, rule).to_string()));
    }
    let bug = bug_beside(pair)?;
    Some((bug_title(&bug, lang), first_sentence(&cards::words(&bug.story, lang)).to_string()))
}

/// A bug's issue and its title.
pub(in crate::ui) fn bug_title(bug: &Bug, lang: Lang) -> String {
    format!("{} · {}", bug.id, cards::words(&bug.title, lang))
}

/// When a bug was mended.
pub(in crate::ui) fn mended(bug: &Bug, lang: Lang) -> String {
    match &*bug.fixed {
        "" => page(lang).bug_open.to_string(),
        "by design" => page(lang).bug_by_design.to_string(),
        fixed => fill(page(lang).bug_fixed, &[&fixed]),
    }
}

/// The first sentence of a text.
pub(in crate::ui) fn first_sentence(text: &str) -> &str {
    let end = text.find('。').map(|at| at + '。'.len_utf8()).or_else(|| text.find(". ").map(|at| at + 1));
    end.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// What a rule's or a bug's own run is about.
#[derive(Clone, PartialEq)]
struct Own {
    goal: Goal,
    /// How long it is worth watching.
    until: SimTime,
    /// The run on the left of a rule, where the two stand as they were prepared.
    kept: Option<Rc<Prepared>>,
    bug: Option<Rc<Bug>>,
}

fn own(pair: &Pair) -> Option<Own> {
    let bug = bug_beside(pair);
    if let Some(one) = rule_beside(pair).and_then(prepared) {
        return Some(Own { goal: one.goal.clone(), until: one.until, kept: Some(one), bug });
    }
    let Shows::Runs { goal, until, .. } = &bug.as_ref()?.shows else { return None };
    Some(Own { goal: goal.clone(), until: *until, kept: None, bug })
}

/// The run on the right, once it has come to a goal that is no property which a fact violates.
fn waited(pair: &Pair) -> Option<(Own, Rc<Run>)> {
    let (left, right, own) = (pair.left(), pair.right()?, own(pair)?);
    let only_its_end_shows = own.goal.heals() || !own.goal.is_violation();
    let is_as_prepared = own.kept.as_ref().is_none_or(|kept| **left.world().run() == kept.run);
    let is_over = only_its_end_shows && is_as_prepared && left.cursor_us() as u64 >= own.until.0;
    is_over.then(|| (own, right.world().run().clone()))
}

/// What that run comes to, by playing it once more.
fn come_to(own: &Own, run: &Run, lang: Lang) -> Option<Parted> {
    let words = page(lang);
    let found = reach(run, &own.goal, own.until)?;
    let (said, evidence) = match (found.property, found.evidence) {
        (Some(id), Some(seen)) => (fill(words.rule_stuck, &[&property_title(lang, id)]), evidence_words(lang, &seen)),
        _ => {
            // a pattern of facts tells nobody what it means
            let (said, more) = match (&own.goal, &own.bug, &own.kept) {
                (Goal::Facts { .. }, Some(bug), _) => (cards::words(&bug.title, lang), String::new()),
                (Goal::Facts { .. }, None, Some(kept)) => {
                    (rule_title(lang, kept.rule).to_string(), rule_about(lang, kept.rule).to_string())
                }
                (goal, ..) => (goal_words(lang, goal), String::new()),
            };
            (fill(words.rule_comes_to, &[&said]), more)
        }
    };
    Some(Parted { said, evidence, at: None, harmed: true })
}

/// What the right run of a rule or a bug comes to, where no fact of it violates a property.
#[hook]
fn use_come_to(engine: &Engine, lang: Lang) -> Rc<Option<Parted>> {
    let waited = use_model(engine, (), |engine, ()| waited(&engine.pair()));
    use_memo(((*waited).clone(), lang), |(waited, lang)| {
        let (own, run) = waited.as_ref()?;
        come_to(own, run, *lang)
    })
}

/// What is known of where they part.
#[derive(Clone, Default, PartialEq)]
struct Parted {
    said: String,
    /// What was seen of a violated property.
    evidence: String,
    /// The moment to go to.
    at: Option<SimTime>,
    /// Harm is done on one side only.
    harmed: bool,
}

impl Parted {
    fn said(said: String, at: Option<SimTime>) -> Parted {
        Parted { said, at, ..Parted::default() }
    }
}

fn parting(engine: &Engine, lang: Lang) -> Parted {
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
            Parted::said(fill(words.compare_part, &[&found.at.seconds(), &left, &right]), Some(found.at))
        }
        Some(Standing::Same(at)) => {
            let digest = pair.left().player().digest();
            let short = digest.get(..8).unwrap_or_default();
            let now = SimTime(pair.left().cursor_us() as u64);
            match pair.right().is_some_and(|right| right.player().digest() == digest) {
                true => Parted::said(fill(words.compare_same, &[&short]), None),
                false => Parted::said(fill(words.compare_looking, &[&at.seconds(), &now.seconds()]), None),
            }
        }
        None => Parted::said(words.compare_begins.to_string(), None),
    }
}

/// Which property one of the two has violated and the other has not, and since when; where a rule was changed, that none has.
fn harm(pair: &Pair, lang: Lang) -> Option<Parted> {
    let words = page(lang);
    let both = [Side::Left, Side::Right].map(|side| pair.session(side));
    // what a rule's or a bug's run is about comes first, as soon as it shows
    let meant = own(pair).and_then(|own| if let Goal::Violated(id) = own.goal { Some(id) } else { None });
    for (side, other) in [(1, 0), (0, 1)] {
        let kept = |property: &str| both[other].violations().all(|violation| violation.property != property);
        let only = || both[side].violations().filter(|violation| kept(violation.property));
        let meant = only().find(|violation| Some(violation.property) == meant).or_else(|| only().next());
        if let Some(first) = meant {
            let title = property_title(lang, first.property);
            let said = fill(words.compare_harm, &[&LETTERS[side], &title, &first.at.seconds(), &LETTERS[other]]);
            let evidence = evidence_words(lang, &first.evidence);
            return Some(Parted { said, evidence, at: Some(first.at), harmed: true });
        }
    }
    rule_beside(pair).map(|_| Parted::said(words.compare_unharmed.to_string(), None))
}
