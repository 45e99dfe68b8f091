//! What questions show, measured as a viewer has it: frames of 16 ms at the default speed. Every reveal of every lesson takes six to fifteen
//! seconds, and what decides stands until it can have been read.

use std::rc::Rc;

use zabscope::i18n::title::{dwell_ms, reading_ms, title};
use zabscope::i18n::{Lang, tongue};
use zabscope::lessons::{DryRun, Kind, LESSONS, Value, all_seen, answer, lesson, seen, trial};
use zabscope::sim::Run;
use zabscope::timeline::Session;
use zabscope::view::director::Director;
use zabscope::view::lesson::{Guide, Phase};

const FRAME_MS: u64 = 16;
const SHORTEST_MS: u64 = 6_000;
const LONGEST_MS: u64 = 15_000;
/// What decides stands so long at least, ms.
const HELD_MS: u64 = 1_500;

/// A reveal as it was watched.
struct Watched {
    name: String,
    /// How long it took, ms.
    took: u64,
    /// How long each sentence stood, ms.
    shown: Vec<(String, u64)>,
    /// How long each fact that decides stood, and how long it takes to be read, ms.
    decisive: Vec<(u64, u64)>,
    /// What stands at its end tells the last of them.
    ends: bool,
}

/// Puts the viewer where the question stands; where time is to be stopped, where that is right.
fn stand(session: &mut Session, guide: &Guide) {
    session.hold(guide.run(), guide.horizon().events).expect("the same run");
    let stopped = match guide.ask().map(|ask| &ask.kind) {
        Some(Kind::Catch { from, .. }) => guide.resolved().spot(from),
        _ => None,
    };
    session.seek_event(stopped.unwrap_or(guide.place()).events).expect("it is near");
}

/// Answers as it is, and plays the runs that the answer needs.
fn answer_right(guide: &mut Guide) {
    let (resolved, ask) = (guide.resolved().clone(), guide.ask().expect("a question").clone());
    let real = answer(&resolved, &ask, &all_seen(&resolved, &ask).expect("valid runs"));
    // any one of what can be built is right
    guide.answer(if matches!(ask.kind, Kind::Build { .. }) { real.items()[0].clone() } else { real });
    while let Some(at) = guide.next_trial() {
        let played =
            trial(&resolved.lesson, &ask, at, resolved.run.seed).and_then(DryRun::play).expect("a valid run");
        guide.has_tried(seen(&ask, &played));
    }
}

/// The facts that decide, by their numbers, as far as they happen in the reveal, and how long each takes to be read, ms.
fn decisive(guide: &Guide, lang: Lang, from: u64) -> Vec<(u64, u64)> {
    let (resolved, ask) = (guide.resolved(), guide.ask().expect("a question"));
    let step = |step: &zabscope::lessons::Step| {
        Some((resolved.fact_at(&step.at)?, reading_ms(&resolved.said(&step.say, tongue(lang)))))
    };
    let because = ask.because.as_ref().and_then(|because| resolved.fact_at(because)).map(|seq| (seq, HELD_MS));
    ask.steps.iter().filter_map(step).chain(because).filter(|(seq, _)| *seq >= from).collect()
}

fn watch(session: &mut Session, guide: &mut Guide, lang: Lang) -> Watched {
    let (until, from) = (guide.until().expect("it ends").events, session.next_seq());
    let dwell = |told: &zabscope::view::director::Told| dwell_ms(lang, told);
    let (mut director, mut now) = (Director::default(), 0);
    director.look(session, now, &dwell);
    let reveal = guide.rehearse(session, tongue(lang), &dwell, &reading_ms).expect("something is shown");
    let mut decisive: Vec<(u64, u64, u64)> =
        decisive(guide, lang, from).into_iter().map(|(seq, least)| (seq, least, 0)).collect();
    director.begin_reveal(reveal);
    session.playing = true;
    let mut shown: Vec<(String, u64)> = Vec::new();
    while (session.events() < until || director.reveals()) && now < 10 * LONGEST_MS {
        director.play(session, FRAME_MS, now, &dwell);
        now += FRAME_MS;
        let Some(told) = director.told().filter(|_| director.stood_ms() < u64::MAX) else { continue };
        let says = title(lang, told).title;
        match shown.last_mut() {
            Some((last, ms)) if *last == says => *ms += FRAME_MS,
            _ => shown.push((says, FRAME_MS)),
        }
        for (seq, least, stood) in &mut decisive {
            if told.records().iter().any(|record| record.seq == *seq) {
                if *stood == 0 {
                    *least = (*least).max(dwell(told));
                }
                *stood += FRAME_MS;
            }
        }
    }
    director.end_reveal(session, now, &dwell);
    let tells = |seq: u64| {
        let records = director.told().map_or(&[][..], |told| told.records());
        records.iter().any(|record| record.seq >= seq)
    };
    Watched {
        name: format!("{} {}", guide.resolved().lesson.id, guide.name().expect("a beat")),
        took: now,
        shown,
        ends: decisive.iter().all(|(seq, ..)| tells(*seq)),
        decisive: decisive.into_iter().map(|(_, least, stood)| (stood, least)).collect(),
    }
}

/// All reveals of a lesson in which something is shown.
fn reveals(id: &str, lang: Lang) -> Vec<Watched> {
    let mut guide = Guide::new(Rc::new(
        DryRun::new(&lesson(id).expect("it exists"), None).and_then(DryRun::play).expect("a valid run"),
    ));
    let staged = guide.resolved().lesson.staged_as();
    let mut session = Session::new(Run::clone(&guide.run()), staged).expect("a valid run");
    let mut all = Vec::new();
    while guide.phase() != Phase::Over {
        match guide.ask().map(|ask| &ask.kind) {
            Some(Kind::Do(_)) if guide.phase() == Phase::Asks => guide.answer(Value::Truth(true)),
            Some(_) if guide.phase() == Phase::Asks => {
                stand(&mut session, &guide);
                let here = session.events();
                answer_right(&mut guide);
                session.hold(guide.run(), guide.horizon().events).expect("the same run");
                if guide.until().is_some_and(|until| until.events > here) {
                    all.push(watch(&mut session, &mut guide, lang));
                }
            }
            _ => _ = guide.go_on(),
        }
    }
    all
}

#[test]
fn every_reveal_takes_its_time_and_no_more_and_what_decides_is_held() {
    let mut flaws = Vec::new();
    for lang in [Lang::En, Lang::Zh] {
        let mut all: Vec<Watched> = LESSONS.iter().flat_map(|(id, _)| reveals(id, lang)).collect();
        // a question to think about has nothing that is to be seen
        let quiet = |one: &Watched| one.shown.is_empty() && one.decisive.is_empty() && one.took < HELD_MS;
        let count = all.len();
        all.retain(|one| !quiet(one));
        assert!(count - all.len() <= 2, "so many show nothing: {}", count - all.len());
        for one in &all {
            println!("{}: {} ms {:?}", one.name, one.took, one.decisive);
            one.shown.iter().for_each(|(says, ms)| println!("  {ms:6} {says}"));
            let mut flaw = |what: &str| flaws.push(format!("{lang:?} {}: {what} ({} ms)", one.name, one.took));
            if !(SHORTEST_MS..=LONGEST_MS).contains(&one.took) {
                flaw("too short, or too long");
            }
            if one.decisive.iter().any(|(stood, least)| stood + FRAME_MS < (*least).max(HELD_MS)) {
                flaw("what decides does not stand long enough");
            }
            if !one.ends {
                flaw("it does not end with what decides");
            }
        }
        all.sort_by_key(|one| one.took);
        let [shortest, median, longest] = [0, all.len() / 2, all.len() - 1].map(|at| (&all[at].name, all[at].took));
        println!("{lang:?}: {} reveals; {shortest:?}, {median:?} (median), {longest:?}", all.len());
        assert!(all.len() >= 100);
    }
    assert!(flaws.is_empty(), "{}", flaws.join("\n"));
}
