//! Which transactions are on which disks: servers below each other, zxids beside each other, in columns of which all disks have the same.

use yew::prelude::*;

use crate::disks::matrix::{Cell, Place};
use crate::disks::report::{Report, Transactions, listed};
use crate::draw::epoch_colour;
use crate::i18n::Lang;
use crate::i18n::page::{Page, fill, page};

/// So many columns are shown from the beginning, and so many up to the end.
const FIRST: usize = 12;
const LAST: usize = 40;

/// The matrix; `lost` are the first zxids of columns that are lost in the case that is looked at.
pub(super) fn matrix(report: &Report, lost: &[String], lang: Lang) -> Html {
    let words = page(lang);
    let names: Vec<&str> =
        report.servers.iter().filter(|server| !server.is_copy).map(|server| server.name.as_str()).collect();
    let all = &report.transactions;
    let left_out = all.len().saturating_sub(FIRST + LAST);
    let (first, last) = match left_out {
        0 => (&all[..], &all[all.len()..]),
        _ => all.split_at(FIRST),
    };
    let last = &last[left_out.min(last.len())..];
    let each = |show: &dyn Fn(&Transactions) -> Html, between: Html| {
        html! {
            <>
                { for first.iter().map(show) }
                if left_out > 0 { { between } }
                { for last.iter().map(show) }
            </>
        }
    };
    let gap = html! { <td class="gap">{ "…" }</td> };
    let class = |column: &Transactions| {
        classes!(
            format!("e{}", epoch_colour(epoch(&column.first))),
            lost.contains(&column.first).then_some("lost"),
            (column.place == Place::Beside).then_some("beside")
        )
    };
    let head = |column: &Transactions| {
        html! { <th scope="col" class={class(column)}><i>{ range(column) }</i></th> }
    };
    let row = |(place, name): (usize, &&str)| {
        let show = |column: &Transactions| {
            let cell = column.cells.get(place).copied().unwrap_or(Cell::Behind);
            html! { <td class={classes!(class(column), kind(cell))}><span>{ content(cell, column, words) }</span></td> }
        };
        let crown = (report.newest == Some(place)).then_some("newest");
        html! { <tr class={classes!(crown)}><th scope="row">{ *name }</th>{ each(&show, gap.clone()) }</tr> }
    };
    let foot = |column: &Transactions| {
        html! {
            <td class={class(column)}>
                { for remarks(column, report, &names, words).into_iter().map(|remark| html! { <small>{ remark }</small> }) }
                if !column.what.is_empty() { <small class="what">{ listed(&column.what, column.count) }</small> }
            </td>
        }
    };
    let between = html! { <td class="gap"><small>{ fill(words.disks_between, &[&left_out]) }</small></td> };
    let newest = report.newest.and_then(|place| names.get(place));
    html! {
        <div>
            <div class="disk-log" tabindex="0" role="region" aria-label={words.disks_matrix}>
                <table>
                    <caption>
                        { words.disks_matrix }
                        if let Some(newest) = newest { <small>{ " " }{ fill(words.disks_newest, &[newest]) }</small> }
                    </caption>
                    <thead><tr><td />{ each(&head, gap.clone()) }</tr></thead>
                    <tbody>{ for names.iter().enumerate().map(row) }</tbody>
                    <tfoot><tr><td />{ each(&foot, between) }</tr></tfoot>
                </table>
            </div>
        </div>
    }
}

/// The epoch of a zxid as it is written.
fn epoch(zxid: &str) -> u32 {
    let number = zxid.strip_prefix("0x").and_then(|hex| u64::from_str_radix(hex, 16).ok()).unwrap_or_default();
    (number >> 32) as u32
}

fn range(column: &Transactions) -> String {
    if column.count == 1 { column.first.clone() } else { format!("{} … {}", column.first, column.last) }
}

fn kind(cell: Cell) -> &'static str {
    match cell {
        Cell::Behind => "has-behind",
        Cell::Hole => "has-hole",
        Cell::Log => "has-log",
        Cell::Snapshot => "has-snapshot",
        Cell::Covered => "has-covered",
    }
}

fn content(cell: Cell, column: &Transactions, words: &Page) -> String {
    match cell {
        Cell::Behind => "–".into(),
        Cell::Hole => words.disks_cell_hole.into(),
        Cell::Log => column.count.to_string(),
        Cell::Snapshot => words.disks_cell_snapshot.into(),
        Cell::Covered => words.disks_cell_covered.into(),
    }
}

/// Who has them, and whether they belong to the history.
fn remarks(column: &Transactions, report: &Report, names: &[&str], words: &Page) -> Vec<String> {
    let have: Vec<&str> =
        names.iter().zip(&column.cells).filter(|(_, cell)| cell.is_there()).map(|(name, _)| *name).collect();
    let (on, voters) = (column.on_voters, report.voters.len());
    let place = match &have[..] {
        [] if column.cells.contains(&Cell::Covered) => words.disks_not_back.to_string(),
        [] => words.disks_on_none.into(),
        _ if on >= voters && voters > 0 => words.disks_on_all.into(),
        _ if column.on_majority => words.disks_on_majority.into(),
        [only] => fill(words.disks_on_one, &[only]),
        _ => fill(words.disks_on_some, &[&on, &voters]),
    };
    let beside = (column.place == Place::Beside).then(|| words.disks_beside.to_string());
    let twice = column.is_twice.then(|| words.disks_twice.to_string());
    [place].into_iter().chain(beside).chain(twice).collect()
}
