//! The case in a sentence, the table of all choices of servers, the order that loses least, and the way to the stage.

use std::rc::Rc;

use yew::prelude::*;

use crate::disks::report::{Judged, Start, Started, Told};
use crate::i18n::Lang;
use crate::i18n::disks::{self as said, server, servers};
use crate::i18n::page::{fill, page};

use crate::ui::disks::Known;
use crate::ui::page::state::{Overlay, PageContext, UiAction, use_page_context};
use crate::ui::remote::exchange::try_open;

use super::matrix::matrix;

/// How far the timeline of a start reaches at first, ms: real servers have ticks of two seconds.
const PLANNED_MS: u64 = 30_000;

/// A choice of servers and what it may come to, by their places.
type Pick = (usize, usize);

/// What the dialog tells it.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub known: Rc<Known>,
}

/// The case, its table and its matrix.
#[component]
pub(super) fn Verdict(props: &Props) -> Html {
    let context = use_page_context();
    let pick = use_state_eq(|| (0, 0));
    let lang = props.lang;
    let Some(report) = &props.known.report else { return html! {} };
    let start = props.known.start.as_deref();
    let of = start.and_then(|start| start.outcome(*pick).or_else(|| start.outcome((0, 0))));
    let lost: Vec<String> = of.iter().flat_map(|(_, told)| &told.lost).map(|lost| lost.first.clone()).collect();
    html! {
        <>
            if let (Some(start), Some((judged, told))) = (start, of) {
                { sentence(judged, told, start.tried, lang) }
                { starts(&context, &props.known, judged, told, lang) }
            }
            <div class="disk-case">
                if !report.servers.is_empty() { { matrix(report, &lost, lang) } }
                if let Some(start) = start {
                    <div>
                        { table(start, *pick, pick.setter(), lang) }
                        if !props.known.stage.goes_on() { { rest(&context, &props.known, start, lang) } }
                    </div>
                }
            </div>
        </>
    }
}

fn sentence(judged: &Judged, told: &Told, tried: u64, lang: Lang) -> Html {
    let harm = said::harm(lang, told);
    let is_safe = harm.is_empty() && !told.reigns.is_empty();
    // what the same servers may come to as well is said before somebody starts them
    let others = judged.outcomes.iter().filter(|other| *other != told);
    let mut worse: Vec<String> = others.flat_map(|other| said::harm(lang, other)).collect();
    worse.retain(|other| !harm.contains(other));
    let or = |worse: String| html! { <p class="bad chance">{ fill(page(lang).disks_or, &[&worse]) }</p> };
    html! {
        <div class="disk-sentence" role="status">
            <p>{ said::sentence(lang, judged, told) }</p>
            { for harm.into_iter().map(|harm| html! { <p class="bad">{ harm }</p> }) }
            if is_safe && !said::is_parted(told) { <p class="good">{ page(lang).disks_safe }</p> }
            if let Some(chance) = said::chance(lang, judged, told, tried) { <p class="chance">{ chance }</p> }
            { for worse.into_iter().map(or) }
        </div>
    }
}

/// Puts a start on the stage.
fn run(context: &PageContext, started: Started, lang: Lang) {
    let page_context = context.clone();
    context.engine.run_disks(started, move |text, ids| match try_open(&page_context, &text, lang) {
        Ok(()) => {
            page_context.engine.change(|session| {
                session.plan(PLANNED_MS);
                session.playing = true;
            });
            page_context.engine.note(numbers(&ids, lang));
            page_context.choose.dispatch(UiAction::Overlay(Overlay::Nothing));
        }
        Err(trouble) => page_context.engine.note(Some(trouble)),
    });
}

/// Which servers have which numbers on the stage, where these are not their ids.
fn numbers(ids: &[u64], lang: Lang) -> Option<String> {
    let words = page(lang);
    let one = |(number, id): (u64, &u64)| fill(words.disks_number, &[&server(number), id]);
    let all: Vec<String> = (1..).zip(ids).filter(|(number, id)| number != *id).map(one).collect();
    (!all.is_empty()).then(|| fill(words.disks_numbers, &[&all.join(words.start_join)]))
}

/// The button, and what is to be known of it.
fn starts(context: &PageContext, known: &Known, judged: &Judged, told: &Told, lang: Lang) -> Html {
    let (started, context) = (judged.started(told), context.clone());
    let press = move |_: MouseEvent| run(&context, started.clone(), lang);
    html! {
        <p class="disk-start">
            <button class="main" onclick={press} disabled={known.stage.goes_on()}>{ page(lang).disks_start }</button>
            <b>{ servers(&judged.start) }</b>
        </p>
    }
}

/// What was not in the table, and the order that loses least.
fn rest(context: &PageContext, known: &Known, start: &Start, lang: Lang) -> Html {
    let words = page(lang);
    let never: Vec<String> = start.never.iter().map(|ids| servers(ids)).collect();
    let order = start.advice.as_ref().map(|advice| advice.order.clone());
    let press = |order: Vec<u64>| {
        let context = context.clone();
        move |_: MouseEvent| run(&context, Started::InTurn(order.clone()), lang)
    };
    html! {
        <>
            if !never.is_empty() { <p class="small">{ fill(words.disks_never, &[&never.join(words.start_join)]) }</p> }
            if start.left_out > 0 { <p class="small">{ fill(words.disks_left_out, &[&start.left_out]) }</p> }
            <p class="disk-advice">{ said::advice(lang, start) }</p>
            if let Some(order) = order.filter(|order| order.len() > 1 && !known.stage.goes_on()) {
                <button class="chip" onclick={press(order)}>{ words.disks_start_so }</button>
            }
        </>
    }
}

fn table(start: &Start, pick: Pick, set: UseStateSetter<Pick>, lang: Lang) -> Html {
    let words = page(lang);
    let all = start.choices.iter().enumerate();
    let rows = all.flat_map(|(choice, judged)| {
        judged.outcomes.iter().enumerate().map(move |(outcome, told)| ((choice, outcome), judged, told))
    });
    let row = |(place, judged, told): (Pick, &Judged, &Told)| {
        let set = set.clone();
        let press = move |_: MouseEvent| set.set(place);
        let is_worst = start.worst == Some(place);
        let lost = told.lost_count();
        let trees = if said::is_parted(told) { words.disks_more_trees } else { words.disks_one_tree };
        let epochs: Vec<String> = told.reigns.iter().map(|reign| reign.epoch.to_string()).collect();
        html! {
            <tr class={classes!(is_worst.then_some("worst"), (pick == place).then_some("now"))}>
                <th scope="row">
                    <button class="chip" onclick={press} aria-pressed={(pick == place).to_string()} title={said::what(lang, told)}>
                        { servers(&judged.start) }
                    </button>
                </th>
                <td class="when">
                    { said::when(lang, told, judged, start.tried) }
                    if is_worst { <b>{ words.disks_worst }</b> }
                </td>
                <td>{ leads(told, lang) }</td>
                <td>{ epochs.join(" ") }</td>
                <td class={classes!((lost > 0).then_some("bad"))}>{ lost }</td>
                <td class={classes!(said::is_parted(told).then_some("bad"))}>{ if told.reigns.is_empty() { "–" } else { trees } }</td>
            </tr>
        }
    };
    let heads = [
        words.disks_who,
        words.disks_when,
        words.disks_leads,
        words.disks_epoch,
        words.disks_lost,
        words.disks_trees,
    ];
    html! {
        <div class="disk-choices" tabindex="0" role="region" aria-label={words.disks_choices}>
            <table>
                <caption>{ words.disks_choices }</caption>
                <thead><tr>{ for heads.map(|head| html! { <th scope="col">{ head }</th> }) }</tr></thead>
                <tbody>{ for rows.map(row) }</tbody>
            </table>
        </div>
    }
}

fn leads(told: &Told, lang: Lang) -> String {
    match &told.reigns[..] {
        [] => "–".into(),
        [_] => said::either(lang, &told.leaders),
        all => all.iter().map(|reign| server(reign.leader)).collect::<Vec<_>>().join(" + "),
    }
}
