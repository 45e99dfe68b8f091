//! The charts in words: titles, a sentence with the numbers, tables, and why there is nothing.

use crate::base::{Micros, SimTime};
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};

use crate::ui::kit::empty_state::Step;
use crate::ui::panels::charts::part::Part;
use crate::ui::stage::narration::seconds;

/// How many types of messages have a bar of their own.
pub(super) const MOST_TYPES: usize = 12;
/// How many types a sentence names.
const NAMED: usize = 3;
/// How many rows a table has at most, the last ones.
const MOST_ROWS: usize = 60;

/// A length of time in milliseconds, with a tenth.
fn ms(us: Micros) -> String {
    format!("{}.{}", us / 1_000, us % 1_000 / 100)
}

/// A number given in tenths.
fn tenths(tenths: u64) -> String {
    if tenths.is_multiple_of(10) { (tenths / 10).to_string() } else { format!("{}.{}", tenths / 10, tenths % 10) }
}

/// A share of two numbers in tenths, rounded.
fn each(sum: u64, of: u64) -> String {
    tenths((sum * 10 + of / 2) / of.max(1))
}

fn length(us: Micros) -> String {
    seconds(SimTime(us))
}

/// What a chart is called.
pub(super) fn title(part: &Part, lang: Lang) -> &'static str {
    let words = page(lang);
    match part {
        Part::Latency(_) => words.chart_latency,
        Part::Rate(_) => words.chart_rate,
        Part::Sent(_) => words.chart_sent,
        Part::Releases(_) => words.chart_release,
        Part::Gaps(_) => words.chart_gap,
    }
}

/// What a chart says, in a sentence or two.
pub(super) fn said(part: &Part, lang: Lang) -> String {
    let words = page(lang);
    match part {
        Part::Latency(latency) => {
            let (Some(slowest), Some(last)) = (latency.slowest, latency.last) else { return String::new() };
            let median = ms(latency.median_us);
            let mut said = fill(
                words.chart_latency_said,
                &[&latency.count, &median, &ms(slowest.took_us), &seconds(slowest.at), &ms(last.took_us)],
            );
            if latency.every > 1 {
                said.push_str(&fill(words.chart_sampled, &[&latency.every]));
            }
            said
        }
        Part::Rate(rate) => {
            let Some((from, most)) = rate.most() else { return String::new() };
            let (step, to) = (length(rate.step_us), SimTime(from.0 + rate.step_us));
            fill(words.chart_rate_said, &[&rate.count, &tenths(most), &seconds(from), &seconds(to), &step])
        }
        Part::Sent(sent) => {
            let named = sent.types.iter().take(NAMED).map(|(name, many)| format!("{name} {many}"));
            fill(words.chart_sent_said, &[&sent.total, &named.collect::<Vec<_>>().join(words.chart_comma)])
        }
        Part::Releases(releases) => {
            let (notified, asked) =
                (each(releases.notifications, releases.count), each(releases.requests, releases.count));
            fill(words.chart_release_said, &[&releases.count, &notified, &asked, &releases.most])
        }
        Part::Gaps(gaps) => {
            let Some(longest) = gaps.longest else {
                return fill(words.chart_gap_never, &[&length(gaps.of_us)]);
            };
            let (total, of) = (length(gaps.total_us), length(gaps.of_us));
            let mut said = fill(
                words.chart_gap_said,
                &[&total, &of, &gaps.count, &length(longest.us()), &seconds(longest.from)],
            );
            if gaps.lasts {
                said.push_str(words.chart_gap_lasts);
            }
            said
        }
    }
}

/// Why a chart is empty, and what would fill it; none where it is not.
pub(super) fn why_nothing(part: &Part, lang: Lang) -> Option<(&'static str, Vec<Step>)> {
    let words = page(lang);
    match part {
        Part::Latency(latency) => (latency.count == 0).then(|| (words.chart_latency_none, vec![Step::Write])),
        Part::Rate(rate) => (rate.count == 0).then(|| (words.chart_rate_none, vec![Step::Write])),
        Part::Sent(sent) => (sent.total == 0).then(|| (words.chart_sent_none, vec![Step::Play])),
        Part::Releases(releases) => match (releases.count, releases.held) {
            (0, false) => Some((words.chart_release_never, vec![Step::Play, Step::Gallery])),
            (0, true) => Some((words.chart_release_none, vec![Step::Play])),
            _ => None,
        },
        Part::Gaps(gaps) => (gaps.of_us == 0).then(|| (words.chart_gap_none, vec![Step::Play])),
    }
}

/// The heads of a table, and its rows, the newest first.
type Table = (Vec<&'static str>, Vec<Vec<String>>);

/// The numbers of a chart.
pub(super) fn table(part: &Part, lang: Lang) -> Table {
    let (own, words) = (page(lang), page(lang));
    match part {
        Part::Latency(latency) => {
            let row =
                |dot: &crate::timeline::figures::Dot| vec![seconds(dot.at), ms(dot.took_us), dot.epoch.to_string()];
            let rows = latency.dots.iter().rev().take(MOST_ROWS).map(row).collect();
            (vec![words.head_at, words.head_took, words.head_epoch], rows)
        }
        Part::Rate(rate) => {
            let begins = |place: usize| seconds(SimTime(place as u64 * rate.step_us));
            let row =
                |(place, many): (usize, &u32)| vec![begins(place), many.to_string(), tenths(rate.tenths(*many))];
            let rows = rate.steps.iter().enumerate().rev().take(MOST_ROWS).map(row).collect();
            (vec![words.head_from, words.head_commits, words.chart_rate_y], rows)
        }
        Part::Sent(sent) => {
            let row = |(name, many): &(&'static str, u64)| vec![name.to_string(), many.to_string()];
            (vec![words.head_type, words.chart_sent_x], sent.types.iter().map(row).collect())
        }
        Part::Releases(releases) => {
            let rows = releases.shown.iter().rev().take(MOST_ROWS).map(|release| {
                let numbers = [release.waiting as u64, release.notifications, release.requests];
                let took = release.latency.map_or_else(String::new, ms);
                [vec![seconds(release.at)], numbers.map(|number| number.to_string()).to_vec(), vec![took]].concat()
            });
            let heads = vec![
                words.head_at,
                words.head_waited,
                own.compare_notifications,
                own.compare_requests,
                words.head_handed,
            ];
            (heads, rows.collect())
        }
        Part::Gaps(gaps) => {
            let row = |gap: &crate::view::charts::Gap| vec![seconds(gap.from), seconds(gap.to), length(gap.us())];
            let rows = gaps.shown.iter().rev().take(MOST_ROWS).map(row).collect();
            (vec![words.head_from, words.head_to, words.chart_gap_y], rows)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::figures::Dot;
    use crate::view::charts::{Gaps, Latency, Rate, Sent};

    #[test]
    fn sentences_have_the_numbers_in_them() {
        let dot = Dot { at: SimTime::from_ms(1_250), took_us: 31_460, epoch: 1 };
        let (slowest, last) = (Some(dot), Some(Dot { took_us: 9_000, ..dot }));
        let latency =
            Part::Latency(Latency { count: 3, median_us: 12_300, slowest, last, dots: vec![dot], every: 1 });
        for (lang, number) in
            Lang::ALL.iter().flat_map(|lang| ["3", "12.3", "31.4", "1.250", "9.0"].map(|n| (*lang, n)))
        {
            assert!(said(&latency, lang).contains(number), "{}", said(&latency, lang));
        }
        let rate = Part::Rate(Rate { count: 9, step_us: 250_000, steps: vec![0, 5, 4] });
        assert!(said(&rate, Lang::En).contains("20 per second"), "{}", said(&rate, Lang::En));
        let sent = Part::Sent(Sent { total: 12, types: vec![("PING", 7), ("ACK", 4), ("COMMIT", 1)] });
        assert!(said(&sent, Lang::En).contains("PING 7, ACK 4, COMMIT 1"), "{}", said(&sent, Lang::En));
        let never =
            Gaps { total_us: 0, of_us: 0, count: 0, longest: None, lasts: false, shown: vec![], reigns: vec![] };
        assert!(why_nothing(&Part::Gaps(never), Lang::En).is_some());
        assert!(why_nothing(&sent, Lang::En).is_none());
        assert_eq!(
            (tenths(40), tenths(45), each(5, 2), each(0, 0)),
            ("4".into(), "4.5".into(), "2.5".into(), "0".into())
        );
    }
}
