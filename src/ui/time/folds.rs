//! Idle stretches on the timeline: a break for each, with its length above the chapters, and what it ends with.

use yew::prelude::*;

use crate::base::Micros;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::timeline::{Idle, IdleEnd, WIDTH, percent};

use crate::ui::time::on_line::OnLine;

/// Free space between two texts, pixels.
const GAP_PX: i64 = 10;

/// What a fold hides, and how long it is.
pub(in crate::ui) fn fold_words(lang: Lang, idle: &Idle) -> String {
    fill(idle_words(lang, idle.end), &[&tenths(idle.to.since(idle.from))])
}

fn idle_words(lang: Lang, end: IdleEnd) -> &'static str {
    let words = page(lang);
    match end {
        IdleEnd::Deed | IdleEnd::Other => words.idle_heartbeats,
        IdleEnd::Silence => words.idle_silence,
        IdleEnd::Expiry => words.idle_expiry,
        IdleEnd::Client => words.idle_client,
    }
}

/// Seconds with one digit, as in `3.6`.
pub(in crate::ui) fn tenths(us: Micros) -> String {
    format!("{}.{}", us / 1_000_000, us / 100_000 % 10)
}

/// The breaks. Each has its words where they fit between those of its neighbours, or its length alone.
pub(super) fn folds(line: &OnLine) -> Html {
    let (map, lang) = (&line.map, line.lang);
    let all: Vec<Idle> = map.folded().collect();
    let middle = |idle: &Idle| (map.place(idle.from.0) + map.place(idle.to.0)) / 2;
    let px = |idle: &Idle| middle(idle) * line.wide as i64 / WIDTH as i64;
    let mut taken = -GAP_PX;
    let mut drawn = Vec::new();
    for (index, idle) in all.iter().enumerate() {
        let words = fold_words(lang, idle);
        let short = fill(page(lang).idle_short, &[&tenths(idle.to.since(idle.from))]);
        let half = |text: &str| line.long(text) / 2;
        let next = all.get(index + 1).map_or(line.wide as i64, |next| px(next) - half(&short) - GAP_PX);
        let fits = |text: &&String| px(idle) - half(text) >= taken + GAP_PX && px(idle) + half(text) <= next;
        let text = [&words, &short].into_iter().find(fits).cloned();
        taken = text.as_ref().map_or(taken, |text| px(idle) + half(text));
        let (x, width) = (map.percent(idle.from.0), map.percent_wide(idle.from.0, idle.to.0));
        drawn.push(html! {
            <g key={idle.from.0}>
                <title>{ words }</title>
                <svg aria-hidden="true" {x} {width} y="0" height="100%" viewBox="0 0 30 15" preserveAspectRatio="none">
                    <path class="gap" d="M3 0 8 4 3 8 8 12 5 15H24L27 12 22 8 27 4 22 0z" />
                    <path d="M3 0 8 4 3 8 8 12 5 15M22 0 27 4 22 8 27 12 24 15" />
                </svg>
                { for text.map(|text| html! { <text x={percent(middle(idle))}>{ text }</text> }) }
            </g>
        });
    }
    if drawn.is_empty() {
        return Html::default();
    }
    html! { <svg class="folds" width="100%" role="group" aria-label={page(lang).idle_folds}>{ for drawn }</svg> }
}
