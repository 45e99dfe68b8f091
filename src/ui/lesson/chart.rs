//! What was expected beside what happened, a column for each run or card.

use yew::prelude::*;

use crate::i18n::page::{Page, fill};
use crate::view::lesson::{Chart, Column, Form};

/// The columns as a table: a picture where they hold numbers, what was expected, what happened, or as much of it as is known.
pub(super) fn chart(chart: &Chart, whole: bool, words: &'static Page) -> Html {
    let cells = |value: fn(&Column) -> Option<i64>, missing: &'static str| {
        let cell = move |column: &Column| {
            let text = value(column).map_or(missing.into(), |value| written(&chart.form, value, words));
            html! { <td>{ text }</td> }
        };
        chart.columns.iter().map(cell).collect::<Html>()
    };
    let expected = chart.columns.iter().any(|column| column.you.is_some());
    let did: fn(&Column) -> Option<i64> = |column| column.did;
    let label = if whole { words.lesson_did_row } else { words.lesson_so_far };
    let most = match chart.form {
        Form::Bet(seeds) => seeds,
        _ => chart.columns.iter().flat_map(|column| [column.you, column.did]).flatten().max().unwrap_or(0),
    };
    html! {
        <table class="foretold">
            <thead>
                <tr><td />{ for chart.columns.iter().map(|column| html! { <th scope="col">{ column.words.clone() }</th> }) }</tr>
            </thead>
            <tbody>
                if let Form::Curve(_) | Form::Bet(_) = chart.form {
                    <tr aria-hidden="true"><td />{ for chart.columns.iter().map(|column| html! { <td>{ bars(most, column) }</td> }) }</tr>
                }
                if expected { <tr class="you"><th scope="row">{ words.lesson_you_row }</th>{ cells(|column| column.you, "") }</tr> }
                <tr class="did"><th scope="row">{ label }</th>{ cells(did, "…") }</tr>
            </tbody>
        </table>
    }
}

fn written(form: &Form, value: i64, words: &'static Page) -> String {
    match form {
        Form::Curve(_) => value.to_string(),
        Form::Bet(seeds) => fill(words.lesson_bet, &[&value, seeds]),
        Form::Place | Form::Build => if value > 0 { words.lesson_yes } else { words.lesson_no }.into(),
        Form::Bins(names) => {
            let name = usize::try_from(value - 1).ok().and_then(|at| names.get(at));
            name.cloned().unwrap_or_default()
        }
    }
}

/// What was expected as a frame, what happened as a bar.
fn bars(most: i64, column: &Column) -> Html {
    let height = |value: Option<i64>| (value.unwrap_or(0) * 100 / most.max(1)).clamp(0, 100);
    let (you, did) = (height(column.you), height(column.did));
    html! {
        <svg viewBox="0 0 20 100" preserveAspectRatio="none">
            <rect class="you" x="1" y={(100 - you).to_string()} width="8" height={you.to_string()} />
            <rect class="did" x="11" y={(100 - did).to_string()} width="8" height={did.to_string()} />
        </svg>
    }
}

/// The numbers on a scale of factors up to the largest one, which spans decades: a hundred steps or, where those are less than one, each
/// number.
pub(super) fn stops(most: i64) -> Vec<i64> {
    let mut all: Vec<i64> = (0..=100).map(|place| at_scale(place, most)).collect();
    all.dedup();
    all
}

/// The number at a place of such a scale.
fn at_scale(place: i64, most: i64) -> i64 {
    let factor = (most.max(1) as f64 + 1.0).powf(place as f64 / 100.0);
    ((factor - 1.0).round() as i64).clamp(0, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_of_a_scale_is_another_number_and_the_first_one_follows_nothing() {
        for most in [1, 50, 2_000, 1_000_000] {
            let stops = stops(most);
            assert!(stops.windows(2).all(|pair| pair[0] < pair[1]), "{stops:?}");
            assert_eq!((stops[0], stops[1], stops.last()), (0, 1, Some(&most)));
        }
    }
}
