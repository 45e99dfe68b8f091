//! The properties: each with its sentence, and whether it holds, was violated, or was never put to the test in this run.

use yew::prelude::*;

use crate::base::SimTime;
use crate::check::{State, known, system_property};
use crate::i18n::page::{Page, fill, page};
use crate::i18n::{Lang, double_holder, evidence_words, property_about, property_title};

use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::page::state::use_page_context;
use crate::ui::panels::empty_state::{EmptyState, Step};
use crate::ui::panels::lists::Props;

/// The first property of a group, and what the group is called.
type Group = (&'static str, fn(&Page) -> &'static str);

/// The groups: their properties follow each other in the checker's order.
const GROUPS: [Group; 4] = [
    ("epoch-uniqueness", |words| words.properties_order),
    ("quorum-durable", |words| words.properties_servers),
    ("session-fifo", |words| words.properties_clients),
    ("mutual-exclusion", |words| words.properties_recipes),
];

#[derive(Clone, Copy, PartialEq)]
enum Verdict {
    Holds,
    Untested,
    Violated(SimTime),
}

impl Verdict {
    /// The name of the style class, and the sign: nothing is said by a colour alone.
    fn looks(self) -> (&'static str, &'static str) {
        match self {
            Verdict::Holds => ("held", "✓"),
            Verdict::Untested => ("untested", "–"),
            Verdict::Violated(_) => ("violated", "✗"),
        }
    }
}

#[derive(PartialEq)]
struct Judged {
    id: &'static str,
    verdict: Verdict,
    /// What was seen; empty where it is not violated.
    evidence: String,
}

#[derive(PartialEq)]
struct Model {
    all: Vec<Judged>,
    doubles: Vec<String>,
    fresh: bool,
    /// Since when disks have lost more than the protocol bears.
    outside: Option<SimTime>,
}

fn model(engine: &Engine, lang: &Lang) -> Model {
    let session = engine.session();
    let evidence = |id| {
        let Some(found) = session.violations().find(|violation| violation.property == id) else {
            return String::new();
        };
        let told = evidence_words(*lang, &found.evidence);
        match known(id, session.player().run().setup.zookeeper) {
            Some(bugs) => fill(page(*lang).known_bugs, &[&told, &bugs]),
            None => told,
        }
    };
    let judged = |(id, state): (&'static str, State)| Judged {
        id,
        verdict: match state {
            State::Holds { tested: Some(_) } => Verdict::Holds,
            State::Holds { tested: None } => Verdict::Untested,
            State::Violated { at, .. } => Verdict::Violated(at),
        },
        evidence: evidence(id),
    };
    Model {
        all: session.states().map(judged).collect(),
        doubles: session.doubles().map(|double| double_holder(*lang, double)).collect(),
        fresh: session.events() == 0,
        outside: session.outside(),
    }
}

fn row(engine: &Engine, one: &Judged, lang: Lang) -> Html {
    let words = page(lang);
    let (class, sign) = one.verdict.looks();
    let state = match one.verdict {
        Verdict::Holds => html! { <span class="state">{ words.holds }</span> },
        Verdict::Untested => html! { <span class="state">{ words.untested }</span> },
        Verdict::Violated(at) => {
            let engine = engine.clone();
            let go = move |_: MouseEvent| {
                engine.change(|session| {
                    session.playing = false;
                    let _ = session.seek(at);
                });
            };
            html! { <button class="state" onclick={go}>{ fill(words.violated_at, &[&at.seconds()]) }</button> }
        }
    };
    html! {
        <li key={one.id} class={class}>
            <i class="sign" aria-hidden="true">{ sign }</i>
            <b class="what">{ property_title(lang, one.id).to_string() }</b>
            { state }
            <small>{ property_about(lang, one.id).to_string() }</small>
            if !one.evidence.is_empty() { <small class="evidence">{ one.evidence.clone() }</small> }
        </li>
    }
}

/// The properties and whether they hold so far.
#[component]
pub(in crate::ui) fn Properties(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_model(&context.engine, props.lang, model);
    let (lang, words) = (props.lang, page(props.lang));
    // those of other systems stand behind all of the ensemble's, and are shown before them: a run that has some is about them
    let own = model.all.iter().position(|one| system_property(one.id).is_some()).unwrap_or(model.all.len());
    let place = |id: &str| model.all.iter().position(|one| one.id == id).unwrap_or(own);
    let section = |key: &'static str, title: &'static str, rows: &[Judged]| {
        html! {
            <section {key}>
                <h2>{ title }</h2>
                <ul class="properties" aria-label={title}>{ for rows.iter().map(|one| row(&context.engine, one, lang)) }</ul>
            </section>
        }
    };
    let group = |at: usize| {
        let (first, title) = GROUPS[at];
        let end = GROUPS.get(at + 1).map_or(own, |(next, _)| place(next));
        section(first, title(words), &model.all[place(first)..end])
    };
    html! {
        <>
            <p class="hint">{ words.properties_hint }</p>
            if model.fresh {
                <EmptyState {lang} why={words.none_judged} steps={vec![Step::Play]} />
            }
            if let Some(since) = model.outside {
                <p class="hint">{ fill(words.outside_model, &[&since.seconds()]) }</p>
            }
            if !model.doubles.is_empty() {
                <h2>{ words.doubles_title }</h2>
                <p class="hint">{ words.doubles_hint }</p>
                <ul class="doubles">{ for model.doubles.iter().map(|double| html! { <li>{ double.clone() }</li> }) }</ul>
            }
            if own < model.all.len() {
                { section("systems", words.properties_systems, &model.all[own..]) }
            }
            { for (0..GROUPS.len()).map(group) }
        </>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::PROPERTIES;

    #[test]
    fn the_groups_follow_each_other_and_leave_nothing_out() {
        let place = |id| PROPERTIES.iter().position(|property| property.id == id).expect(id);
        let begins: Vec<usize> = GROUPS.iter().map(|(first, _)| place(*first)).collect();
        assert!(begins[0] == 0 && begins.is_sorted(), "{begins:?}");
    }
}
