//! Each built-in lesson is proved: everything that it says is so, for many seeds, and a lesson that lies is found out.

use std::rc::Rc;

use zabscope::lessons::{LESSONS, Lesson, MAX_LESSON_BYTES, prove, read_over};
use zabscope::scenarios::TOPICS;

use crate::length::seeds;

fn text(id: &str) -> &'static str {
    LESSONS.iter().find(|(known, _)| *known == id).expect("a built-in lesson").1
}

#[test]
fn what_lessons_say_is_so() {
    let seeds = seeds(4).end;
    let mut flaws = Vec::new();
    for (id, text) in LESSONS {
        let lesson = Rc::new(Lesson::from_json(text).unwrap_or_else(|error| panic!("{id}: {error}")));
        assert_eq!(&*lesson.id, *id);
        flaws.extend(read_over(&lesson).into_iter().map(|flaw| format!("{id}: {flaw}")));
        let first = lesson.start.seeds.start;
        for seed in first..first + seeds {
            let found = prove(&lesson, seed).unwrap_or_else(|error| panic!("{id}: seed {seed}: {error}"));
            let replay = format!("zabscope lesson check {id} --seeds {seed}..{}", seed + 1);
            flaws.extend(found.into_iter().map(|flaw| format!("{id}: {flaw} ({replay})")));
        }
    }
    assert!(flaws.is_empty(), "{}", flaws.join("\n"));
}

#[test]
fn lessons_name_what_exists() {
    for (id, text) in LESSONS {
        let lesson = Lesson::from_json(text).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert!(!lesson.topics.is_empty() && lesson.beats.iter().any(|beat| beat.ask.is_some()), "{id}");
        for after in &lesson.after {
            assert!(LESSONS.iter().any(|(known, _)| **known == **after), "{id}: there is no lesson {after}");
        }
        assert!(TOPICS.iter().any(|topic| *topic.id == *lesson.topics[0]), "{id}");
        let mut beats: Vec<_> = lesson.beats.iter().map(|beat| &beat.id).collect();
        beats.sort();
        beats.dedup();
        assert_eq!(beats.len(), lesson.beats.len(), "{id}: two beats of one name");
    }
}

/// A proof that finds nothing proves nothing: each of these changes is a lie that has to be found.
#[test]
fn a_lesson_that_lies_is_found_out() {
    let honest = text("zab-broadcast");
    for (part, lie, found) in [
        (
            r#"["=", 0, ["count", "synced last={W}"]]"#,
            r#"["=", 1, ["count", "synced last={W}"]]"#,
            "holds[1] is not so",
        ),
        (r#""at": "queued zxid={W} server={L}""#, r#""at": "crashed server={L}""#, "its moment does not come"),
        (r#""given": ["=", "{you}", 2]"#, r#""given": ["=", "{you}", 1]"#, "the answer is the idea"),
        (r#""shows": ["violated", "ack-honesty"]"#, r#""shows": ["violated", "durability"]"#, "does not show it"),
        (r#""shows": ["violated", "ack-honesty"]"#, r#""shows": true"#, "the lesson's own run shows it too"),
        (
            r#"["time", "write_answered zxid={V}"], ["time", "synced"#,
            r#"["time", "write_answered zxid=9:9"], ["time", "synced"#,
            "options are true",
        ),
        (r#"200000]]"#, r#"0]]"#, "its solution does not meet the goal"),
        (r#""until": "write_answered zxid={W}""#, r#""until": "proposed zxid={W}""#, "comes too early"),
    ] {
        assert!(honest.contains(part), "{part}");
        let lesson = Lesson::from_json(&honest.replacen(part, lie, 1)).expect(lie);
        let flaws = prove(&Rc::new(lesson), 1).expect("its run is valid");
        assert!(flaws.iter().any(|flaw| flaw.what.contains(found)), "{lie}: {flaws:?}");
    }
    let long =
        honest.replacen("The disk of {F} is slow now.", "The disk of {F} is slow now, by 300 ms. It is. It is.", 1);
    let said = read_over(&Lesson::from_json(&long).expect("a lesson"));
    assert!(
        said.iter().any(|flaw| flaw.what.contains("sentences"))
            && said.iter().any(|flaw| flaw.what.contains("braces"))
    );
}

#[test]
fn what_is_no_lesson_gets_a_sentence() {
    let honest = text("zab-broadcast");
    for (part, wrong, place) in [
        (r#""lesson": 1"#, r#""lesson": 2"#, "lesson: 2 is not"),
        (r#""kind": "catch""#, r#""kind": "guess""#, "beats[1].ask.kind: unknown name `guess`"),
        ("{L} gives the write", "{Q} gives the write", "beats[0].say.en: unknown name `Q`"),
        (r#""scenario": "cold-start-3""#, r#""scenario": "hot-start""#, "start.scenario: unknown name `hot-start`"),
        (
            r#"["count", "synced last={W}"]"#,
            r#"["counts", "synced last={W}"]"#,
            "beats[0].holds[1][2][0]: unknown name `counts`",
        ),
        (r#""zh": "之前""#, r#""ch": "之前""#, "missing field `zh`"),
        (r#""zab-broadcast", "zab-roles""#, r#""zab-roles", "zab-nothing""#, "topics[1]: unknown name `zab-nothing`"),
    ] {
        assert!(honest.contains(part), "{part}");
        let error = Lesson::from_json(&honest.replacen(part, wrong, 1)).expect_err(wrong).to_string();
        assert!(error.contains(place), "{wrong}: {error}");
    }
    assert!(Lesson::from_json(&" ".repeat(MAX_LESSON_BYTES + 1)).is_err());
    assert!(Lesson::from_json(&"[".repeat(10_000)).is_err());
}

/// A lesson with a task that is done by writing.
fn writing(write: &str) -> String {
    let same = |text: &str| format!(r#"{{"en": "{text}", "zh": "{text}"}}"#);
    format!(
        r#"{{"lesson": 1, "id": "mine", "topics": ["lock-mutex"], "title": {0}, "idea": {0},
        "start": {{"recipe": "naive-lock", "until_ms": 2000, "seeds": [3, 5]}},
        "beats": [{{"id": "has-it", "at": "acquired", "say": {0}, "holds": [["=", 1, ["count", "acquired"]]]}}],
        "play": [{{"id": "write", "say": {0}, "write": {write}}}]}}"#,
        same("A.")
    )
}

/// Everybody holds.
const WRONG: &str =
    r#"["acquire", "  me = create /lock/n- ephemeral sequential", "  hold", "release", "  delete me"]"#;

#[test]
fn what_is_written_is_judged_by_the_search() {
    let flaws = |write: &str, seed: u64| {
        let text = writing(&write.replace("WRONG", WRONG));
        let lesson = Lesson::from_json(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        prove(&Rc::new(lesson), seed).expect("its run is valid")
    };
    for right in [
        r#"{"from": WRONG, "mend": "mutual-exclusion", "answer": "predecessor-lock", "schedules": 200}"#,
        r#"{"from": "herd-lock", "mend": "own-no-herd", "answer": "predecessor-lock", "schedules": 200}"#,
        r#"{"from": WRONG, "mend": "mutual-exclusion", "answer": "herd-lock", "may_herd": true, "schedules": 200}"#,
        r#"{"from": "predecessor-lock", "break": "own-no-herd", "answer": "herd-lock", "schedules": 200}"#,
        r#"{"from": "herd-lock", "break": "own-no-herd", "schedules": 200}"#,
    ] {
        assert_eq!(flaws(right, 3), [], "{right}");
    }
    for (wrong, found) in [
        (
            r#"{"from": "predecessor-lock", "mend": "own-no-herd", "answer": "predecessor-lock", "schedules": 200}"#,
            "does not fall by own-no-herd: nothing falls",
        ),
        (
            r#"{"from": WRONG, "mend": "mutual-exclusion", "answer": WRONG, "schedules": 200}"#,
            "its answer is not what is wanted: mutual-exclusion",
        ),
        (
            r#"{"from": WRONG, "mend": "mutual-exclusion", "answer": "herd-lock", "schedules": 200}"#,
            "its answer is not what is wanted: own-no-herd falls",
        ),
        (
            r#"{"from": WRONG, "mend": "mutual-exclusion", "answer": "queue", "schedules": 200}"#,
            "its answer has no section acquire",
        ),
        (
            r#"{"from": "herd-lock", "break": "own-no-herd", "answer": "naive-lock", "schedules": 200}"#,
            "what it begins with is what is wanted",
        ),
        (
            r#"{"from": "predecessor-lock", "break": "own-no-herd", "schedules": 200}"#,
            "its answer is not what is wanted: nothing falls",
        ),
    ] {
        let said = flaws(wrong, 3);
        assert!(
            said.iter().any(|flaw| flaw.place == "play[0] write" && flaw.what.contains(found)),
            "{wrong}: {said:?}"
        );
        // runs of the search have their own seeds: it is searched once
        assert_eq!(flaws(wrong, 4), [], "{wrong}");
    }
}

#[test]
fn what_cannot_be_written_gets_a_sentence() {
    for (write, said) in [
        (r#"{"from": "nice-lock", "break": "own-woken"}"#, "write.from: unknown name `nice-lock`"),
        (r#"{"from": ["acquire", "  hold on"], "break": "own-woken"}"#, "write.from: line 2"),
        (r#"{"from": "queue"}"#, "mend"),
        (r#"{"from": "queue", "mend": "own-woken", "break": "own-woken", "answer": "queue"}"#, "mend"),
        (r#"{"from": "queue", "mend": "durability", "answer": "queue"}"#, "write.mend: unknown name `durability`"),
        (r#"{"from": "queue", "mend": "own-woken"}"#, "missing field `answer`"),
        (r#"{"from": "queue", "break": "own-woken", "schedules": 20000}"#, "write.schedules: 20000 is not"),
        (r#"{"from": "queue", "break": "own-woken"}, "goal": true"#, "unknown field `goal`"),
    ] {
        let error = Lesson::from_json(&writing(write)).expect_err(write).to_string();
        assert!(error.contains(said), "{write}: {error}");
    }
}

/// Whatever is changed in a lesson's text, reading and proving it ends without a panic.
#[test]
fn no_text_is_too_odd() {
    use zabscope::base::{Prng, Stream};
    let honest = text("zab-broadcast").as_bytes();
    let mut prng = Prng::new(7, Stream::Faults);
    let mut read = 0;
    for _ in 0..400 {
        let mut bytes = honest.to_vec();
        for _ in 0..prng.between(1, 4) {
            let at = prng.between(0, bytes.len() as u64 - 1) as usize;
            bytes[at] = b"[]{}\",:0129aLW- "[prng.between(0, 15) as usize];
        }
        let Ok(text) = String::from_utf8(bytes) else { continue };
        if let Ok(lesson) = Lesson::from_json(&text) {
            read += 1;
            if read < 6 {
                let _ = prove(&Rc::new(lesson), 3);
            }
        }
    }
    assert!(read > 0);
}

#[test]
fn what_course_texts_have_wrong_is_said_where_it_is_seen() {
    let corrected: Vec<String> = LESSONS
        .iter()
        .filter_map(|(_, text)| Lesson::from_json(text).ok())
        .flat_map(|lesson| lesson.corrections.clone())
        .flat_map(|correction| correction.claims.iter().map(|claim| claim.to_string()).collect::<Vec<_>>())
        .collect();
    let wrong = "A4 A5 A7 A13 A17 A20 A21 A25 A27 A28 A29 A31 A34 A36 A37 A38 A39 A40 A41 B7 B8 B10 B14 B16 B17 B19 B23 B25 \
                 B29 B35 B36 B43 B45 C2 C4 C5 C7 C16 C24 C25 C30 C33 C36 C50 C57 C66 C67 C68 C73 C74 D4 D5 D10 D12 D13 D14 \
                 D15 D17 D18";
    for claim in wrong.split_whitespace() {
        assert!(corrected.iter().any(|known| known == claim), "no lesson corrects {claim}");
    }
}
