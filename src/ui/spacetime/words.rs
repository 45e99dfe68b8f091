//! What is said of the picture over time: its events, its messages, and how two events stand to each other.

use crate::draw::spacetime::{Words, seconds};
use crate::i18n::Lang;
use crate::i18n::page::{Page, fill, page};
use crate::timeline::spacetime::{Arrow, Diagram, End, Event, Fate, Moment, Order};

/// How many messages of a path are named.
const NAMED: usize = 6;

/// The words that the picture itself has.
pub(in crate::ui) fn picture_words(lang: Lang) -> Words<'static> {
    let words = page(lang);
    Words {
        reign: words.reign,
        down: words.weave_down,
        paused: words.server_paused,
        connected: words.client_connected,
        away: words.client_disconnected,
        holds: words.weave_holds,
    }
}

/// A moment in seconds, to the microsecond.
pub(in crate::ui) fn exactly(us: u64) -> String {
    match us % 1_000 {
        0 => seconds(us, 3),
        _ => seconds(us, 6),
    }
}

/// What happened, as a clause.
pub(in crate::ui) fn event_words(lang: Lang, event: &Event) -> String {
    let table = page(lang).moments;
    let id = event.what.id();
    let text = table.iter().find(|(known, _)| *known == id).map_or("{}", |(_, text)| text);
    fill(text, &[&event.node, &event.about()]).trim().to_string()
}

/// A message's name, with what is written beside it.
pub(in crate::ui) fn arrow_name(words: &Page, diagram: &Diagram, arrow: &Arrow) -> String {
    match arrow.msg() {
        None => words.weave_fin.to_string(),
        Some(_) => format!("{} {}", diagram.kind(arrow).name, arrow.label()).trim().to_string(),
    }
}

/// A message in a few lines: what, from whom to whom, when, and what became of it as far as the facts before a number tell.
pub(in crate::ui) fn arrow_words(lang: Lang, diagram: &Diagram, arrow: &Arrow, next_seq: u32) -> Vec<String> {
    let words = page(lang);
    let (fate, end) = arrow.fate_at(next_seq);
    let sent = fill(words.weave_sent, &[&exactly(arrow.sent_us)]);
    let took = |end: u64| seconds_as_ms(end - arrow.sent_us);
    let became = match fate {
        Fate::Flying => words.on_its_way.to_string(),
        Fate::Arrived => fill(words.weave_arrived, &[&exactly(end), &took(end)]),
        Fate::Lost => fill(words.weave_lost, &[&exactly(end)]),
    };
    let who = format!("{} → {}", arrow.from, arrow.to);
    vec![format!("{} · {who}", arrow_name(words, diagram, arrow)), sent, became]
}

/// A length of time in milliseconds.
fn seconds_as_ms(us: u64) -> String {
    match us % 1_000 {
        0 => (us / 1_000).to_string(),
        rest => format!("{}.{rest:03}", us / 1_000).trim_end_matches('0').to_string(),
    }
}

/// An event on a lane, as a clause.
pub(in crate::ui) fn moment_words(lang: Lang, diagram: &Diagram, moment: &Moment) -> String {
    let words = page(lang);
    let arrow = |place: u32| diagram.arrows().get(place as usize);
    let told = match moment.end {
        End::Sent(place) => arrow(place)
            .map(|arrow| fill(words.weave_sends, &[&arrow.from, &arrow_name(words, diagram, arrow), &arrow.to])),
        End::Arrived(place) => arrow(place)
            .map(|arrow| fill(words.weave_receives, &[&arrow.to, &arrow_name(words, diagram, arrow), &arrow.from])),
        End::Event(place) => diagram.events().get(place as usize).map(|event| event_words(lang, event)),
    };
    told.unwrap_or_default()
}

/// The same with its time.
pub(in crate::ui) fn moment_at(lang: Lang, diagram: &Diagram, moment: &Moment) -> String {
    let what = moment_words(lang, diagram, moment);
    fill(page(lang).weave_at, &[&exactly(moment.at_us), &what])
}

/// How two events stand to each other, in a sentence.
pub(in crate::ui) fn order_words(lang: Lang, diagram: &Diagram, a: &Moment, b: &Moment, order: &Order) -> String {
    let words = page(lang);
    let node = a.node;
    let named = |letter: &str, moment: &Moment| format!("{letter} ({})", moment_words(lang, diagram, moment));
    let (a, b) = (named("A", a), named("B", b));
    let after = |first: &str, second: &str, path: &[u32]| {
        let way = match path.is_empty() {
            // without a message both are on one lane
            true => fill(words.weave_same_lane, &[&node]),
            false => fill(words.weave_way, &[&way_words(words, diagram, path)]),
        };
        format!("{} {way}", fill(words.weave_before, &[&first, &second]))
    };
    match order {
        Order::Same => words.weave_same.to_string(),
        Order::Before(path) => after(&a, &b, path),
        Order::After(path) => after(&b, &a, path),
        Order::Concurrent => fill(words.weave_concurrent, &[&a, &b]),
    }
}

fn way_words(words: &Page, diagram: &Diagram, path: &[u32]) -> String {
    let arrows = path.iter().filter_map(|&place| diagram.arrows().get(place as usize));
    let name = |arrow: &Arrow| format!("{} {} → {}", arrow_name(words, diagram, arrow), arrow.from, arrow.to);
    let mut named: Vec<String> = arrows.take(NAMED).map(name).collect();
    if path.len() > NAMED {
        named.push(format!("… (+{})", path.len() - NAMED));
    }
    named.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenarios::scenario;
    use crate::sim::Player;
    use crate::timeline::spacetime::What;

    fn diagram_of() -> Diagram {
        let mut player = Player::new(scenario("leader-crash-under-load").expect("a scenario").run()).expect("a run");
        let mut diagram = Diagram::default();
        player.run_until(crate::base::SimTime::from_ms(3_000), |_, records| {
            records.iter().for_each(|record| diagram.read(record));
        });
        diagram
    }

    #[test]
    fn every_kind_of_event_has_words_in_every_language() {
        for lang in Lang::ALL {
            let ids: Vec<&str> = page(lang).moments.iter().map(|(id, _)| *id).collect();
            let all: Vec<&str> = What::ALL.iter().map(|what| what.id()).collect();
            assert_eq!(ids, all, "{lang:?}");
            let whole = page(lang).moments.iter().all(|(_, text)| (1..=2).contains(&text.matches("{}").count()));
            assert!(whole, "{lang:?}");
        }
    }

    #[test]
    fn events_messages_and_orders_are_said() {
        let diagram = diagram_of();
        let place = |what: What| diagram.events().iter().position(|event| event.what == what).expect("there") as u32;
        let crash = diagram.moment(End::Event(place(What::Crashed))).expect("a moment");
        let commit = diagram.moment(End::Event(place(What::Committed))).expect("a moment");
        assert_eq!(moment_words(Lang::En, &diagram, &crash), "S3 crashes");
        let same_lane = order_words(Lang::En, &diagram, &commit, &crash, &diagram.order(&commit, &crash));
        assert!(same_lane.contains("happened before B (S3 crashes)") && same_lane.contains("on S3"), "{same_lane}");
        let after = |event: &crate::timeline::spacetime::Event| event.what == What::Looking && event.seq > crash.seq;
        let looks = diagram.events().iter().position(after).expect("a follower looks") as u32;
        let looks = diagram.moment(End::Event(looks)).expect("a moment");
        let because = order_words(Lang::En, &diagram, &looks, &crash, &diagram.order(&looks, &crash));
        assert!(because.starts_with("B (S3 crashes) happened before A") && because.contains("→"), "{because}");
        for lang in Lang::ALL {
            for (place, arrow) in diagram.arrows().iter().enumerate().take(400) {
                let lines = arrow_words(lang, &diagram, arrow, u32::MAX);
                assert!(lines.len() == 3 && lines.iter().all(|line| !line.is_empty() && !line.contains("{}")));
                let moment = diagram.moment(End::Sent(place as u32)).expect("a moment");
                assert!(!moment_at(lang, &diagram, &moment).contains("{}"));
                assert!(
                    !order_words(lang, &diagram, &crash, &moment, &diagram.order(&crash, &moment)).contains("{}")
                );
            }
        }
    }

    #[test]
    fn times_are_as_exact_as_they_are() {
        assert_eq!([exactly(1_250_000), exactly(1_250_001)], ["1.250", "1.250001"]);
        assert_eq!([seconds_as_ms(12_000), seconds_as_ms(12_340)], ["12", "12.34"]);
    }
}
