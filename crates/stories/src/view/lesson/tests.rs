//! A lesson from its first beat to its last, without a page.

use std::rc::Rc;

use super::*;
use crate::daemon::Tongue;
use crate::lessons::{DryRun, LESSONS, all_seen, answer, lesson, seen, trial, trials};
use crate::sim::{Player, Run};
use crate::timeline::Session;

fn guide(id: &str) -> Guide {
    Guide::new(Rc::new(DryRun::new(&lesson(id).unwrap(), None).unwrap().play().unwrap()))
}

fn session(guide: &Guide) -> Session {
    let mut session = Session::new(Run::clone(&guide.run()), None).unwrap();
    session.hold(guide.run(), guide.horizon().events).unwrap();
    session
}

/// Plays the runs that answer the question, if there are any.
fn try_all(guide: &mut Guide) {
    while let Some(at) = guide.next_trial() {
        let (resolved, ask) = (guide.resolved().clone(), guide.ask().unwrap());
        let played = trial(&resolved.lesson, ask, at, resolved.run.seed).unwrap().play().unwrap();
        let value = seen(ask, &played);
        guide.has_tried(value);
    }
}

/// What there is to see does not depend on what the lesson does later: it is what a run shows that ends there.
#[test]
fn nothing_of_what_comes_can_be_seen_at_a_question() {
    for (id, _) in LESSONS {
        let mut guide = guide(id);
        let mut session = session(&guide);
        while guide.phase() != Phase::Over {
            session.hold(guide.run(), guide.horizon().events).unwrap();
            session.seek_event(guide.place().events).unwrap();
            if guide.phase() == Phase::Asks {
                let place = guide.place();
                let mut alone = Session::new(Run::clone(&guide.run()), None).unwrap();
                alone.seek_event(place.events).unwrap();
                assert_eq!(session.player().digest(), alone.player().digest(), "{id}");
                assert_eq!(session.known_events(), place.events.max(session.known_events()), "{id}");
                let later = |run: &Run| run.actions.iter().filter(|timed| timed.at_us > guide.horizon().at).count();
                assert_eq!(later(session.player().run()), 0, "{id}");
                if let Some(ask) = guide.ask().filter(|ask| !matches!(ask.kind, Kind::Do(_) | Kind::Catch { .. })) {
                    let seen = all_seen(guide.resolved(), ask).unwrap();
                    let real = answer(guide.resolved(), ask, &seen);
                    assert!(session.known_events() <= guide.horizon().events, "{id}");
                    guide.answer(real);
                } else {
                    guide.show();
                }
                try_all(&mut guide);
            } else {
                guide.go_on();
            }
        }
        assert_eq!(guide.number().0, guide.number().1, "{id}");
    }
}

#[test]
fn an_answer_is_shown_before_it_is_told() {
    for (id, _) in LESSONS {
        let mut guide = guide(id);
        let world = Player::new(guide.run()).unwrap().world().clone();
        while guide.phase() != Phase::Over {
            if guide.phase() == Phase::Asks {
                let said = guide.saying(Tongue::English, &world);
                assert!(said.question.is_some() && said.compared.is_none() && said.feedback.is_none(), "{id}");
                assert!(!guide.go_on(), "{id}: a question waits");
                guide.show();
                assert_eq!(guide.phase(), Phase::Shows);
                assert_eq!(guide.next_trial().is_some(), guide.ask().is_some_and(|ask| trials(ask) > 0), "{id}");
                try_all(&mut guide);
                assert!(!guide.reached(guide.place().events.saturating_sub(1)), "{id}");
                let until = guide.until().unwrap();
                assert!(guide.reached(until.events) && guide.phase() == Phase::Told, "{id}");
                assert_eq!(guide.horizon().events.max(until.events), guide.horizon().events);
            }
            assert!(guide.go_on());
        }
        while guide.go_back() {}
        assert_eq!(guide.number().0, 1, "{id}");
    }
}

/// All has been said behind the last beat of a part, and nothing of the one that would come is known.
#[test]
fn a_part_ends_where_its_last_beat_does() {
    let whole = guide("zab-recovery-keep");
    let lesson = whole.resolved().lesson.clone();
    let dies = lesson.place_of("dies").unwrap();
    let mut part = Guide::part(whole.resolved().clone(), [dies, dies]);
    assert_eq!((part.number().0, part.phase()), (dies + 1, Phase::Asks));
    part.show();
    part.reached(u64::MAX);
    assert_eq!(part.phase(), Phase::Told);
    let seen = part.horizon();
    assert!(part.go_on());
    assert_eq!((part.phase(), part.number().0, part.horizon()), (Phase::Over, dies + 1, seen));
    assert!(part.beat().is_none() && part.task().is_none() && !part.go_on());
    assert!(part.go_back());
    assert_eq!((part.phase(), part.number().0), (Phase::Told, dies + 1));
    assert_eq!((part.again().phase(), part.again().number().0), (Phase::Asks, dies + 1));
}

#[test]
fn a_part_may_be_a_task_alone() {
    let whole = guide("zab-broadcast");
    let task = whole.resolved().lesson.place_of("two-slow").unwrap();
    let mut part = Guide::part(whole.resolved().clone(), [task, task]);
    assert_eq!(part.phase(), Phase::Does);
    assert!(part.go_on());
    assert_eq!(part.phase(), Phase::Over);
}

#[test]
fn each_idea_is_answered_with_its_words() {
    let mut found = 0;
    for (id, _) in LESSONS {
        let fresh = guide(id);
        for (at, beat) in fresh.resolved().lesson.beats.iter().enumerate() {
            let Some(Kind::Choose(options)) = beat.ask.as_ref().map(|ask| &ask.kind) else { continue };
            for option in 1..=options.len() as i64 {
                let mut guide = fresh.clone();
                guide.enter(at);
                guide.answer(Value::Number(option));
                guide.reached(u64::MAX);
                let right = guide.verdict() == Some(Verdict::Right);
                let world = Player::new(guide.run()).unwrap().world().clone();
                let said = guide.saying(Tongue::Chinese, &world);
                let marks = |of: fn(&Mark) -> bool| said.marks.iter().position(of).map(|at| at as i64 + 1);
                assert_eq!(marks(|mark| mark.yours), Some(option), "{id}");
                assert_eq!(marks(|mark| mark.right == Some(true)) == Some(option), right, "{id}");
                assert_eq!(said.marks.iter().filter(|mark| mark.right == Some(true)).count(), 1, "{id}");
                assert_eq!(said.feedback.is_some(), guide.thinks().is_some(), "{id}");
                found += usize::from(!right);
            }
            // who only wants to see is told too
            let mut guide = fresh.clone();
            guide.enter(at);
            guide.show();
            guide.reached(u64::MAX);
            let world = Player::new(guide.run()).unwrap().world().clone();
            let marks = guide.saying(Tongue::Chinese, &world).marks;
            assert!(
                marks.iter().any(|mark| mark.right == Some(true)) && marks.iter().all(|mark| !mark.yours),
                "{id}"
            );
        }
    }
    assert!(found > 0);
}

#[test]
fn what_was_answered_is_recalled_once_it_was_shown() {
    for id in ["zab-broadcast", "lock-database"] {
        let mut guide = guide(id);
        let (mut asked, mut settled) = (0, 0);
        while guide.phase() != Phase::Over {
            if guide.phase() == Phase::Asks {
                match guide.ask().map(|ask| ask.kind.clone()) {
                    Some(Kind::Do(task)) => {
                        guide.has_done();
                        assert!(matches!(guide.settled(), Some((_, Settled::Task(id))) if *id == task.id));
                        settled += 1;
                    }
                    Some(Kind::Choose(_)) => guide.answer(Value::Number(1)),
                    _ => guide.show(),
                }
                assert_eq!(guide.recalled(Tongue::English).len(), asked, "{id}: before it is shown");
                try_all(&mut guide);
                guide.reached(u64::MAX);
                (asked, settled) = (asked + 1, settled + 1);
                let all = guide.recalled(Tongue::Chinese);
                assert_eq!((all.len(), guide.settled().map(|(number, _)| *number)), (asked, Some(settled)), "{id}");
                assert!(all.iter().all(|one| !one.question.is_empty() && !one.then.is_empty()), "{id}");
            }
            guide.go_on();
        }
        let all = guide.recalled(Tongue::English);
        assert_eq!(all.len(), asked);
        let is_deed = |one: &Recalled| one.expected.is_none() && one.did.is_none() && one.answered;
        assert_eq!(all.iter().any(is_deed), id == "lock-database");
        assert!(all.iter().any(|one| one.expected.is_some() && one.did.is_some()), "{id}");
    }
}

/// Whoever teaches sees the question with its answer before it has been given, what is answered instead, and what comes next.
#[test]
fn a_teacher_sees_answer_mistakes_and_what_comes_next() {
    let mut guide = guide("first-minute");
    let world = Player::new(guide.run()).unwrap().world().clone();
    let lesson = guide.resolved().lesson.clone();
    let said = |text: &crate::lessons::Text, guide: &Guide| guide.resolved().said(text, Tongue::English);
    for (at, beat) in lesson.beats.iter().enumerate() {
        guide.enter(at);
        let desk = guide.desk(Tongue::English, &world);
        assert_eq!(desk.says, said(&beat.say, &guide));
        let next = lesson.beats.get(at + 1).map_or(&lesson.play[0].say, |next| &next.say);
        assert_eq!(desk.next, Some(said(next, &guide)));
        let Some(ask) = &beat.ask else { continue };
        assert_eq!(desk.question, Some(said(&ask.prompt, &guide)));
        assert!(desk.answer.is_some_and(|answer| answer.ends_with(&said(&ask.then, &guide))));
        assert_eq!(desk.mistakes.len(), ask.thinks.len());
        assert!(
            desk.mistakes.iter().all(|mistake| mistake.contains(": ")),
            "with what is answered: {:?}",
            desk.mistakes
        );
    }
    guide.enter(lesson.places());
    assert_eq!(guide.desk(Tongue::English, &world), Desk::default());
}
