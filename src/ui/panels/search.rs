//! The search for a run that reaches a goal: what is asked, how it goes, and what it has found.

use web_sys::{Element, HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::base::{RuleSet, SimTime};
use crate::check::{LIVENESS, PROPERTIES, RECIPE_LIVENESS, SECOND_STORE};
use crate::explore::{Bounds, Goal, MAX_SERVERS, Progress, Proof, Question, Report, Stage};
use crate::i18n::page::{fill, goal_words, page};
use crate::i18n::{Lang, action_words, evidence_words, property_title, rule_title};
use crate::sim::{Rule, Run};
use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::kit::browser::wrong_words;
use crate::ui::kit::rule_options::rule_options;
use crate::ui::page::state::use_page_context;
use crate::ui::panels::lists::Props;
use crate::ui::search::{Shown, Standing};

/// How many runs may be tried.
const BUDGETS: [u64; 3] = [20_000, 2_000, 200_000];
/// The value of the choice that stands for a pattern of one's own.
const OWN: &str = "fact";
/// A pattern, as an example.
const PATTERN: &str = "established epoch=2";

/// What can be looked for in a run that stands on this stage.
fn goals(engine: &Engine) -> Vec<Goal> {
    let session = engine.session();
    let of_systems: Vec<&str> = session.states().map(|(id, _)| id).collect();
    let known = |id: &&str| PROPERTIES.iter().any(|property| property.id == *id);
    let systems = of_systems.iter().copied().filter(|id| !known(id));
    if !session.player().run().setup.has_ensemble() {
        return std::iter::once(Goal::Any).chain(systems.map(Goal::Violated)).collect();
    }
    // what the protocol allows is found in any run, what it forbids only where a rule is broken: the first one is to find something
    let broken = session.player().run().setup.rules != RuleSet::default();
    let first = [
        if broken { Goal::Any } else { Goal::TwoLeaders },
        if broken { Goal::TwoLeaders } else { Goal::Any },
        Goal::Violated(LIVENESS.id),
        Goal::CommitLost,
        Goal::TwoEstablished,
        Goal::StaleRead,
        Goal::StaleSync,
        Goal::TwoHolders,
        Goal::Epoch(3),
        Goal::Standstill(10_000_000),
    ];
    let own = PROPERTIES.iter().map(|property| property.id);
    let own = own.filter(|id| ![LIVENESS.id, SECOND_STORE.id].contains(id)).chain([RECIPE_LIVENESS.id]);
    let mut goals: Vec<Goal> = first.into_iter().chain(own.chain(systems).map(Goal::Violated)).collect();
    goals.dedup();
    goals
}

/// Where a search begins, or what every order is tried of.
#[derive(Clone, Copy, PartialEq)]
enum Where {
    Now,
    Beginning,
    Empty,
    Orders { writes: u32, crashes: u32 },
}

const PLACES: [Where; 8] = [
    Where::Beginning,
    Where::Now,
    Where::Empty,
    Where::Orders { writes: 1, crashes: 0 },
    Where::Orders { writes: 1, crashes: 1 },
    Where::Orders { writes: 2, crashes: 0 },
    Where::Orders { writes: 1, crashes: 2 },
    Where::Orders { writes: 2, crashes: 1 },
];
/// Most situations that are looked at where every order is tried.
const SITUATIONS: u64 = 500_000;

fn place_words(place: Where, lang: Lang) -> String {
    let words = page(lang);
    match place {
        Where::Now => words.search_run_now.to_string(),
        Where::Beginning => words.search_run_all.to_string(),
        Where::Empty => words.search_run_empty.to_string(),
        Where::Orders { writes, crashes } => fill(words.search_orders, &[&writes, &crashes]),
    }
}

/// What there is on this stage.
fn places(engine: &Engine) -> Vec<Where> {
    let session = engine.session();
    let setup = &session.player().run().setup;
    let is_tiny = (1..=MAX_SERVERS).contains(&setup.voters) && setup.observers == 0;
    PLACES.into_iter().filter(|place| is_tiny || !matches!(place, Where::Orders { .. })).collect()
}

/// The fields of the form.
#[derive(Clone, Default, PartialEq)]
struct Fields {
    goal: NodeRef,
    pattern: NodeRef,
    place: NodeRef,
    rule: NodeRef,
    budget: NodeRef,
}

fn value(field: &NodeRef) -> String {
    field.cast::<HtmlSelectElement>().map(|select| select.value()).unwrap_or_default()
}

/// What the form asks, or why it asks nothing.
fn question(engine: &Engine, fields: &Fields, lang: Lang) -> Result<Question, String> {
    let goal = match value(&fields.goal) {
        own if own == OWN => {
            let pattern = fields.pattern.cast::<HtmlInputElement>().map(|input| input.value()).unwrap_or_default();
            let goal = format!("fact:{}", pattern.trim()).parse::<Goal>();
            goal.map_err(|_| fill(page(lang).search_wrong_pattern, &[&pattern]))?
        }
        goal => goal.parse().unwrap_or(Goal::Any),
    };
    let session = engine.session();
    let place = value(&fields.place).parse().ok().and_then(|at: usize| PLACES.get(at).copied());
    let empty = || Run { actions: Vec::new(), ..Run::clone(session.world().run()) };
    let mut orders = None;
    let (mut run, from) = match place.unwrap_or(Where::Beginning) {
        Where::Now => (so_far(session.world().run(), session.world().now), session.world().now),
        Where::Beginning => (Run::clone(session.world().run()), SimTime::ZERO),
        Where::Empty => (empty(), SimTime::ZERO),
        Where::Orders { writes, crashes } => {
            orders = Some(Bounds { writes, crashes, ..Bounds::default() });
            (empty(), SimTime::ZERO)
        }
    };
    if let Some(rule) = Rule::named(&value(&fields.rule)) {
        run.setup.rules = run.setup.rules.breaking(rule);
    }
    let runs = value(&fields.budget).parse().unwrap_or(BUDGETS[0]);
    let budget = if orders.is_some() { SITUATIONS } else { runs };
    let question = Question { from, orders, ..Question::new(run, goal, budget) };
    question.check().map_err(|error| wrong_words(&error.into()))?;
    Ok(question)
}

/// A run without what is done in it after a moment.
fn so_far(run: &Run, now: SimTime) -> Run {
    let actions = run.actions.iter().filter(|timed| timed.at_us <= now).cloned().collect();
    Run { actions, ..run.clone() }
}

/// The panel.
#[component]
pub(in crate::ui) fn SearchPanel(props: &Props) -> Html {
    let context = use_page_context();
    let (lang, words) = (props.lang, page(props.lang));
    let fields = use_memo((), |()| Fields::default());
    let (own, orders, wrong) = (use_state(|| false), use_state(|| false), use_state(|| None::<String>));
    let goals = use_model(&context.engine, (), |engine, ()| goals(engine));
    let places = use_model(&context.engine, (), |engine, ()| places(engine));
    let search = use_model(&context.engine, (), |engine, ()| engine.search());
    let form = use_node_ref();
    let open = *use_memo((), |()| search.is_none());
    let asked = search.as_ref().as_ref().map_or(words.search_ask.to_string(), |(question, _)| asked(question, lang));
    let start = {
        let (engine, fields, wrong, form) = (context.engine.clone(), fields.clone(), wrong.setter(), form.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let asked = question(&engine, &fields, lang);
            wrong.set(asked.as_ref().err().cloned());
            if let Ok(asked) = asked {
                engine.search_for(asked, |_| ());
                // what comes of it is what one wants to see now
                let _ = form.cast::<Element>().map(|form| form.remove_attribute("open"));
            }
        })
    };
    html! {
        <>
            if search.is_none() { <p class="hint">{ words.search_about }</p> }
            <details class="what" ref={form} {open}>
            <summary>{ asked }</summary>
            <form class="seek" onsubmit={start}>
                { form_of(&fields, (&goals, &places), [&own, &orders], lang) }
                // where one has just pressed: below the button it may be out of sight
                if let Some(wrong) = &*wrong { <p class="wrong" role="alert">{ wrong.clone() }</p> }
                <button class="main">{ words.search_start }</button>
            </form>
            </details>
            if let Some((question, standing)) = &*search { { told(&context.engine, question, standing, lang) } }
        </>
    }
}

/// Keeps whether what is chosen is so.
fn keep(state: &UseStateHandle<bool>, is_so: impl Fn(&str) -> bool + 'static) -> Callback<Event> {
    let state = state.clone();
    Callback::from(move |event: Event| {
        let select = event.target_dyn_into::<HtmlSelectElement>();
        state.set(select.is_some_and(|select| is_so(&select.value())));
    })
}

/// What can be asked. A pattern of one's own has a field, every order has no number of runs.
fn form_of(
    fields: &Fields,
    (goals, places): (&[Goal], &[Where]),
    [own, orders]: [&UseStateHandle<bool>; 2],
    lang: Lang,
) -> Html {
    let words = page(lang);
    let first_orders = places.iter().position(|place| matches!(place, Where::Orders { .. })).unwrap_or(places.len());
    let place_chosen = keep(orders, move |value| value.parse().is_ok_and(|at: usize| at >= first_orders));
    // the first of a list is chosen; browsers would choose the one that is put there first, which is the last
    let option =
        |at: usize, value: String, words: String| html! { <option {value} selected={at == 0}>{ words }</option> };
    let goal = |(at, goal): (usize, &Goal)| option(at, goal.to_string(), goal_words(lang, goal));
    let numbered = |(at, place): (usize, &Where)| option(at, at.to_string(), place_words(*place, lang));
    let budget =
        |(at, runs): (usize, &u64)| option(at, runs.to_string(), fill(words.search_runs, &[&grouped(*runs)]));
    let rules = goals.len() > 1 && goals.contains(&Goal::CommitLost);
    html! {
        <>
            <label><span>{ words.search_goal }</span>
                <select ref={fields.goal.clone()} onchange={keep(own, |value| value == OWN)}>
                    { for goals.iter().enumerate().map(goal) }
                    { option(1, OWN.to_string(), words.search_own.to_string()) }
                </select>
            </label>
            if **own {
                <input ref={fields.pattern.clone()} type="text" maxlength="200" spellcheck="false" aria-label={words.search_pattern}
                    placeholder={PATTERN} />
            }
            <label><span>{ words.search_run }</span>
                <select ref={fields.place.clone()} onchange={place_chosen}>{ for places.iter().enumerate().map(numbered) }</select>
            </label>
            if rules {
                <label><span>{ words.search_rule }</span>
                    <select ref={fields.rule.clone()}>
                        { option(0, String::new(), words.search_rule_as_is.to_string()) }
                        { rule_options(lang) }
                    </select>
                </label>
            }
            if !**orders {
                <label><span>{ words.search_budget }</span>
                    <select ref={fields.budget.clone()}>{ for BUDGETS.iter().enumerate().map(budget) }</select>
                </label>
            }
        </>
    }
}

/// What was asked, in a line: the goal, of what every order is tried, and which rules are broken.
fn asked(question: &Question, lang: Lang) -> String {
    let broken = Rule::broken_in(question.run.setup.rules).map(|rule| rule_title(lang, rule).to_string());
    let orders =
        question.orders.map(|Bounds { writes, crashes, .. }| place_words(Where::Orders { writes, crashes }, lang));
    std::iter::once(goal_words(lang, &question.goal)).chain(orders).chain(broken).collect::<Vec<_>>().join(" · ")
}

/// How it goes, or what came of it.
fn told(engine: &Engine, question: &Question, standing: &Standing, lang: Lang) -> Html {
    let words = page(lang);
    let stop = {
        let engine = engine.clone();
        move |_: MouseEvent| engine.stop_search()
    };
    let proof = match standing {
        Standing::Over(report, _) => report.proof,
        _ => None,
    };
    let said = match standing {
        Standing::Going(None) => words.search_begins.to_string(),
        Standing::Going(Some(report)) => progress_words(report, lang),
        Standing::Stopped(report) => {
            let so_far = report.as_ref().map(|report| so_far_words(report, lang)).unwrap_or_default();
            format!("{} {so_far}", words.search_stopped)
        }
        Standing::Broken(why) => fill(words.search_broken, &[why]),
        Standing::Over(Report { proof: Some(proof), .. }, _) => certainty(proof, lang),
        Standing::Over(report, finds) if finds.is_empty() => {
            let Progress { trials, events, .. } = report.progress;
            fill(words.search_none, &[&grouped(trials), &grouped(events / 1_000)])
        }
        Standing::Over(report, _) => counts(report.progress, lang),
    };
    let finds = if let Standing::Over(_, finds) = standing { finds.as_slice() } else { &[] };
    // an order is no run that could be watched: the search of runs finds one
    let runs = proof.and_then(|proof| proof.violated).map(|id| {
        let (engine, question) = (engine.clone(), question.clone());
        let goal = Goal::Violated(id);
        let asked = Question { goal, orders: None, budget: BUDGETS[0], ..question };
        let look = move |_: MouseEvent| engine.search_for(asked.clone(), |_| ());
        html! { <button class="chip" onclick={look}>{ words.search_orders_run }</button> }
    });
    html! {
        <section class="sought">
            <p class={if proof.is_some() { "verdict" } else { "hint" }} role="status">{ said }</p>
            if matches!(standing, Standing::Going(_)) {
                <button class="chip stop" onclick={stop}>{ words.search_stop }</button>
            }
            { runs }
            <ul class="finds">
                { for finds.iter().enumerate().map(|(at, find)| find_words(engine, find, at == 0, lang)) }
            </ul>
        </section>
    }
}

/// A number with a comma before each three digits.
pub(super) fn grouped(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1_000), number % 1_000),
    }
}

fn counts(progress: Progress, lang: Lang) -> String {
    let Progress { trials, shrinks, events, finds, .. } = progress;
    fill(page(lang).search_counts, &[&grouped(trials + shrinks), &grouped(events / 1_000), &finds])
}

/// How much was tried.
fn so_far_words(report: &Report, lang: Lang) -> String {
    match &report.proof {
        Some(proof) => situations(page(lang).search_orders_so_far, proof),
        None => counts(report.progress, lang),
    }
}

/// A sentence about situations and the steps between them.
fn situations(sentence: &'static str, proof: &Proof) -> String {
    fill(sentence, &[&grouped(proof.states), &grouped(proof.transitions)])
}

/// What every order came to.
fn certainty(proof: &Proof, lang: Lang) -> String {
    let words = page(lang);
    match (proof.violated, proof.complete) {
        (Some(id), _) => fill(words.search_orders_fall, &[&property_title(lang, id), &proof.after]),
        (None, true) => situations(words.search_certain, proof),
        (None, false) => situations(words.search_uncertain, proof),
    }
}

fn progress_words(report: &Report, lang: Lang) -> String {
    let words = page(lang);
    let now = match report.progress.stage {
        Stage::Trying(rung) => {
            let trying = if rung.late { words.search_trying_late } else { words.search_trying };
            fill(trying, &[&rung.deeds, &(rung.point + 1), &rung.points])
        }
        Stage::Shrinking { find, deeds } => fill(words.search_shrinking, &[&(find + 1), &deeds]),
        Stage::Ordering | Stage::Done => String::new(),
    };
    format!("{} {now}", so_far_words(report, lang))
}

/// A run that was found: what it shows, what is done in it, and the ways to see it.
fn find_words(engine: &Engine, find: &Shown, open: bool, lang: Lang) -> Html {
    let words = page(lang);
    let answer = &find.answer;
    let seconds = answer.at.seconds();
    let evidence = find.found.as_ref().and_then(|found| Some((found.property?, found.evidence.as_ref()?)));
    let seen = match evidence {
        Some((property, evidence)) => {
            html! { <><b>{ property_title(lang, property) }</b>{ " " }{ evidence_words(lang, evidence) }</> }
        }
        None => html! { fill(words.search_reached, &[&seconds]) },
    };
    let deed = |timed: &crate::sim::TimedAction| {
        html! { <li><b>{ format!("{} s", timed.at_us.seconds()) }</b>{ " " }{ action_words(lang, &timed.action) }</li> }
    };
    let way = |word: &'static str, beside: bool| {
        let (engine, answer) = (engine.clone(), answer.clone());
        let show = move |_: MouseEvent| {
            let result = engine.show_found(answer.run.clone(), answer.at, beside);
            engine.note(result.err().map(|error| wrong_words(&error)));
        };
        html! { <button class="chip" onclick={show}>{ word }</button> }
    };
    let kept = answer.repaired.map(|holds| if holds { words.search_repaired } else { words.search_fails_too });
    html! {
        <li>
            <details open={open}>
                <summary>{ fill(words.search_deeds, &[&answer.deeds, &answer.shrunk_from, &seconds]) }</summary>
                <p>{ seen }</p>
                <ol>{ for answer.run.actions.iter().take(answer.deeds).map(deed) }</ol>
                if let Some(kept) = kept { <p class="hint">{ kept }</p> }
                <p class="ways">
                    { way(words.search_watch, false) }
                    if answer.repaired.is_some() { { way(words.search_beside, true) } }
                </p>
            </details>
        </li>
    }
}
