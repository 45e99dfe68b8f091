//! `zabscope grade`: what students hand in, judged by facts; and the table that is written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;

use zabscope::base::{Prng, ServerId, SimTime, Stream};
use zabscope::lessons::{Asked, Assignment, DryRun, Kind, LESSONS, Lesson, Remark, Task, grade};
use zabscope::scenarios::scenario;
use zabscope::share::{Look, Moment, Place, encode};
use zabscope::sim::{Action, Run};

/// Crash the first leader, in at most two deeds; and a lesson's task.
const ASSIGNMENT: &str = r#"{"assignment": 1, "title": "Lab 1", "tasks": [
 {"id": "next", "start": {"scenario": "cold-start-3", "until_ms": 8000,
   "names": {"L": {"server": ["field", "established", "server"]}}},
  "goal": ["happens", ["next", "crashed server={L}", "established"]], "most": 2},
 {"lesson": "zab-election", "task": "s1-without-a-death"}]}"#;

fn assignment() -> Assignment {
    Assignment::from_json(ASSIGNMENT).expect("an assignment")
}

/// The run of the first task with these servers crashed, each a second after the one before.
fn crashing(servers: &[u8]) -> Run {
    let mut run = scenario("cold-start-3").expect("a scenario").run();
    for (at, server) in servers.iter().enumerate() {
        run.push(SimTime::from_ms(2_000 + 1_000 * at as u64), Action::Crash { server: ServerId(*server) });
    }
    run
}

fn link(run: Run) -> String {
    let look = Look { scenario: Some("cold-start-3".into()), ..Look::default() };
    let place = Place { events: 0, cursor_us: 2_500_000 };
    encode(&Moment { run, place, look, beside: None }).expect("a link")
}

/// A folder of its own for a test, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("zabscope-grade-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("assignment.json"), ASSIGNMENT).expect("a file");
        Folder(folder)
    }

    /// What is said to this list: on stdout, on stderr; and the exit code.
    fn grade(&self, list: impl AsRef<[u8]>, more: &[&str]) -> (String, String, Option<i32>) {
        fs::write(self.0.join("links.txt"), list).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_zabscope"));
        let files = [self.file("assignment.json"), self.file("links.txt")];
        let output = command.arg("grade").args(files).args(more).stdin(Stdio::null()).output().expect("it ends");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&output.stdout), text(&output.stderr), output.status.code())
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The rows of a table without its headings, digests checked and left out.
fn rows(table: &str) -> Vec<Vec<String>> {
    let mut lines = table.split_terminator("\r\n");
    assert_eq!(lines.next(), Some("name,task,reached,deeds,at_ms,digest,remark"));
    let cells = |line: &str| line.split(',').map(str::to_string).collect::<Vec<_>>();
    lines.map(cells).collect()
}

#[test]
fn what_is_handed_in_is_judged_in_the_order_of_the_list() {
    let folder = Folder::new("order");
    let leader = 3;
    fs::write(folder.0.join("dan.json"), crashing(&[leader]).to_json()).expect("a file");
    let list = [
        "# name and link".into(),
        format!("ann next {}", link(crashing(&[leader]))),
        String::new(),
        format!("bob\tnext https://example.org/#{}", link(crashing(&[1]))),
        format!("cem next {}", link(crashing(&[1, 2, leader]))),
        "dan next dan.json".into(),
        format!("eva next {}", link(scenario("lock-herd").expect("a scenario").run())),
        "fay next nonsense".into(),
        "ann next -".into(),
        format!("=1+1\tnext {}", link(crashing(&[leader]))),
        format!("Li, \"Wei\"\tnext {}", link(crashing(&[]))),
    ];
    let (out, err, code) = folder.grade(list.join("\n"), &[]);
    assert_eq!((err.as_str(), code), ("", Some(1)), "{out}");
    let rows = rows(&out);
    let names: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
    assert_eq!(names, ["ann", "bob", "cem", "dan", "eva", "fay", "ann", "\"'=1+1\"", "\"Li"], "{out}");
    let told: Vec<(&str, &str)> = rows[..8].iter().map(|row| (row[2].as_str(), row[3].as_str())).collect();
    let all =
        [("yes", "1"), ("no", "1"), ("no", "3"), ("yes", "1"), ("no", ""), ("no", ""), ("no", ""), ("yes", "1")];
    assert_eq!(told, all, "{out}");
    assert!(out.contains("\"Li, \"\"Wei\"\"\",next,no,0,,"), "{out}");
    // the same run is the same digest, as a link and as a file
    assert!(rows[0][5].len() >= 16 && rows[0][4..6] == rows[3][4..6], "{out}");
    for (row, remark) in [(4, "another scenario's"), (5, "neither a ZabScope link"), (6, "nothing was handed in")] {
        assert!(rows[row][6].contains(remark), "{out}");
    }
}

#[test]
fn deeds_are_counted_up_to_where_the_goal_is_met() {
    let asked = &assignment().tasks[0];
    let judged = |run: Run| grade(asked, &Rc::new(run), SimTime::ZERO);
    let one = judged(crashing(&[3]));
    assert!(one.reached && one.remark.is_none(), "{one:?}");
    let at = one.at.expect("it is met");
    assert!(at > SimTime::from_ms(2_000) && at < SimTime::from_ms(4_000), "{at}");
    let mut later = crashing(&[3]);
    for after in 1..5 {
        later.push(SimTime::from_ms(7_000 + after), Action::HealAll);
    }
    let later = judged(later);
    assert_eq!((later.reached, later.deeds, later.at), (true, Some(1), Some(at)));
    let mut many = crashing(&[3]);
    for before in 1..4 {
        many.push(SimTime::from_ms(1_000 + before), Action::HealAll);
    }
    let many = judged(many);
    assert_eq!((many.reached, many.deeds, many.remark), (false, Some(4), Some(Remark::TooManyDeeds)));
    let seed = judged(Run { seed: 99, ..crashing(&[3]) });
    assert_eq!((seed.reached, seed.deeds, seed.digest.as_str()), (false, None, ""));
    assert!(matches!(seed.remark, Some(Remark::OtherSeed(99, _))));
    let mut late = crashing(&[]);
    late.push(SimTime::from_ms(900_000_000), Action::HealAll);
    assert!(matches!(judged(late).remark, Some(Remark::Stopped(_))));
}

#[test]
fn a_run_that_lacks_what_the_task_does_is_another_one() {
    let text = r#"{"assignment": 1, "tasks": [{"id": "a", "start": {"scenario": "leader-crash-under-load",
        "until_ms": 3000}, "goal": false}]}"#;
    let asked = &Assignment::from_json(text).expect("an assignment").tasks[0];
    let mut run = Run::clone(&asked.run);
    run.actions.pop();
    let judged = grade(asked, &Rc::new(run), SimTime::ZERO);
    assert_eq!((judged.deeds, judged.remark), (None, Some(Remark::OtherRun)));
}

/// All tasks of a lesson.
fn tasks(lesson: &Lesson) -> Vec<&Task> {
    let asked = lesson.beats.iter().filter_map(|beat| match &beat.ask.as_ref()?.kind {
        Kind::Do(task) => Some(&**task),
        _ => None,
    });
    lesson.play.iter().chain(asked).collect()
}

#[test]
fn each_solution_of_a_lesson_is_reached() {
    let mut wrong = Vec::new();
    for (id, text) in LESSONS {
        let lesson = Rc::new(Lesson::from_json(text).unwrap_or_else(|error| panic!("{id}: {error}")));
        for task in tasks(&lesson) {
            let own = format!(r#"{{"assignment": 1, "tasks": [{{"lesson": "{id}", "task": "{}"}}]}}"#, task.id);
            // what is written is judged by the search, and is no run that could be handed in
            let Some(hands) = task.hands() else {
                let refused = Assignment::from_json(&own).expect_err("no task of an assignment").to_string();
                assert!(refused.contains(&format!("tasks[0].task: unknown name `{}`", task.id)), "{refused}");
                continue;
            };
            let asked: Asked = Assignment::from_json(&own).expect("an assignment").tasks.remove(0);
            let solved = DryRun::with(&lesson, &hands.solution, Some(asked.run.seed)).and_then(DryRun::play);
            let solved = solved.unwrap_or_else(|error| panic!("{id}: {error}"));
            let judged = grade(&asked, &solved.run, SimTime::ZERO);
            if !judged.reached {
                wrong.push(format!("{id} {}: most {}, {judged:?}", task.id, asked.most));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn several_links_in_a_line_are_for_the_tasks_in_turn() {
    let folder = Folder::new("several");
    let one = link(crashing(&[3]));
    let list = format!("ann {one}\nbob {one} {one} {one}\ncem\ndan - {one}\n");
    let out = folder.file("table.csv");
    let (said, err, code) = folder.grade(&list, &["--out", &out, "--lang", "zh"]);
    assert_eq!((err.as_str(), code), ("", Some(1)), "{said}");
    assert_eq!(said, "Lab 1: 9 rows, 2 reached, 1 unreadable\n");
    let table = fs::read_to_string(&out).expect("a table");
    let rows = rows(&table);
    let told: Vec<String> = rows.iter().map(|row| format!("{} {} {}", row[0], row[1], row[2])).collect();
    let other = "s1-without-a-death";
    let all = [
        "ann next yes".into(),
        format!("ann {other} no"),
        "bob next yes".into(),
        format!("bob {other} no"),
        "bob  no".into(),
        "cem next no".into(),
        format!("cem {other} no"),
        "dan next no".into(),
        format!("dan {other} no"),
    ];
    assert_eq!(told, all, "{table}");
    assert!(rows[4][6].contains("链接多于 2 个任务") && rows[5][6].contains("未提交"), "{table}");
}

#[test]
fn lists_that_are_empty_or_too_long_are_told() {
    let folder = Folder::new("long");
    for empty in ["", "\n\n", "# nobody\n"] {
        let (out, err, code) = folder.grade(empty, &[]);
        assert_eq!((rows(&out).len(), err.as_str(), code), (0, "", Some(0)));
    }
    let (out, _, code) = folder.grade("ann\n".repeat(5_001), &[]);
    assert_eq!((out.as_str(), code), ("", Some(2)));
    let (out, err, code) = folder.grade(format!("ann next b4.{}\nbob next -\n", "A".repeat(3 << 20)), &[]);
    assert_eq!((rows(&out).len(), err.as_str(), code), (2, "", Some(1)), "{out}");
    assert!(out.contains("ann,,no,,,,this line is too long\r\nbob,next,no,,,,nothing was handed in"), "{out}");
    fs::File::create(folder.0.join("links.txt")).and_then(|file| file.set_len((64 << 20) + 1)).expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_zabscope"))
        .args(["grade", &folder.file("assignment.json"), &folder.file("links.txt")])
        .output()
        .expect("it ends");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_assignment_that_is_none_gets_a_sentence() {
    let folder = Folder::new("none");
    for (part, wrong, why) in [
        (r#""assignment": 1"#, r#""assignment": 2"#, "assignment: 2 is not"),
        ("cold-start-3", "hot-start", "tasks[0].start.scenario: unknown name `hot-start`"),
        ("zab-election", "zab-selection", "tasks[1].lesson: unknown name `zab-selection`"),
        ("s1-without-a-death", "s1", "tasks[1].task: unknown name `s1`"),
        (r#""id": "next""#, r#""id": "the next""#, "tasks[0].id"),
        (r#"["happens", ["next", "crashed server={L}", "established"]]"#, "true", "next: its goal is met"),
        (r#""most": 2"#, r#""least": 2"#, "tasks[0]: unknown field `least`"),
        (r#""task": "s1-"#, r#""id": "next", "task": "s1-"#, "tasks[1].id"),
    ] {
        assert!(ASSIGNMENT.contains(part), "{part}");
        fs::write(folder.0.join("assignment.json"), ASSIGNMENT.replacen(part, wrong, 1)).expect("a file");
        let (out, err, code) = folder.grade("ann next -", &[]);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{wrong}");
        assert!(err.contains(why), "{wrong}: {err}");
    }
    for text in [" ".repeat(300_000), "[".repeat(10_000), "{}".into(), String::new()] {
        assert!(Assignment::from_json(&text).is_err());
    }
    assert!(!Path::new(&folder.file("table.csv")).exists());
}

/// Whatever is in the list, each line with a name is a row or two, and nothing panics.
#[test]
fn no_list_is_too_odd() {
    let folder = Folder::new("odd");
    let honest = format!("ann next {}\n\"bob\"\t{} -\r\n", link(crashing(&[3])), link(crashing(&[1])));
    let mut prng = Prng::new(11, Stream::Faults);
    let mut list = Vec::new();
    for _ in 0..300 {
        let mut bytes = honest.clone().into_bytes();
        for _ in 0..prng.between(1, 6) {
            let at = prng.between(0, bytes.len() as u64 - 1) as usize;
            bytes[at] = prng.between(0, 255) as u8;
        }
        list.extend(bytes);
    }
    let (out, err, code) = folder.grade(&list, &[]);
    assert!(!err.contains("panicked") && code.is_some_and(|code| code < 2), "{err}");
    assert!(out.lines().count() > 300, "{out}");
}
