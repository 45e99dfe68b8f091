//! A line that says which step was the last.

use crate::base::Arrange;
use std::rc::Rc;

use yew::prelude::*;

use crate::i18n::page::{fill, page};
use crate::i18n::{Interest, Lang, choice_words, describe, interest, narrate};
use crate::sim::{Choice, Fact, Record, WorldFact};
use crate::view::state::LastStep;

/// How many sentences follow on the step itself.
const TOLD: usize = 2;

/// What the inspector tells the line.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub playing: bool,
    pub last: Option<LastStep>,
}

/// The step in words: what was taken, and the weightiest of what it led to.
fn sentences(step: &LastStep, lang: Lang) -> Vec<String> {
    let mut said = Vec::new();
    let mut led_to: Vec<&Rc<Record>> =
        step.facts.iter().filter(|record| interest(record) != Interest::Noise).collect();
    match (&step.arrived, step.choice) {
        (Some((title, from, to)), _) => said.push(fill(page(lang).inspect_arrived, &[title, from, to])),
        // what an action did says more than its number
        (None, Choice::Start(_) | Choice::Repeat(_) | Choice::Script) if !step.facts.is_empty() => {
            if led_to.is_empty() {
                said.extend(step.facts.first().map(|record| describe(lang, record).what));
            }
        }
        (None, Choice::Disk { .. }) if led_to.iter().any(|record| is_disk(record)) => {}
        (None, choice) => said.push(choice_words(lang, choice)),
    }
    // the weightiest ones, in their order
    let mut weights: Vec<Interest> = led_to.iter().map(|record| interest(record)).collect();
    weights.arrange_by(|a, b| b.cmp(a));
    let least = weights.get(TOLD - 1).or(weights.last()).copied().unwrap_or(Interest::Noise);
    led_to.retain(|record| interest(record) >= least);
    said.extend(led_to.iter().take(TOLD).filter_map(|record| narrate(lang, record)).map(|sentence| sentence.what));
    said
}

fn is_disk(record: &Record) -> bool {
    use WorldFact::{EpochWritten, LogTruncated, SnapshotWritten, Synced};
    matches!(
        &record.fact,
        Fact::World(Synced { .. } | EpochWritten { .. } | SnapshotWritten { .. } | LogTruncated { .. })
    )
}

/// The line. It is as high whatever it says.
#[component]
pub(super) fn LastLine(props: &Props) -> Html {
    let words = page(props.lang);
    match &props.last {
        _ if props.playing => html! { <p class="step">{ words.inspect_playing }</p> },
        None => html! { <p class="step">{ words.inspect_first }</p> },
        Some(step) => html! {
            <p class="step"><b>{ words.inspect_last }</b>{ " " }{ sentences(step, props.lang).join(" ") }</p>
        },
    }
}
