//! What real recipes did on real ensembles, ours do: `tests/recipes_recorded/*.json`, played.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use zabscope::conform::scene::{Problem, Scene, play_once, play_scene};

use crate::length::step;

/// How many traces there are: one that is lost is missed.
const TRACES: usize = 35;
/// Seeds with which each is played.
const SEEDS: u64 = 4;
/// Scenes that a draw decides: who of those that were woken together is first, or whose random name is lowest.
const DRAWN: &[&str] = &[
    "double-barrier-more-than-quota",
    "per-release-herd-02-waiters",
    "per-release-herd-10-waiters",
    "queue-consumers-wait",
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recipes_recorded")
}

fn texts() -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("the folder of traces").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|name| name == "json")).collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).expect("a trace")).collect()
}

fn text(name: &str) -> String {
    fs::read_to_string(folder().join(format!("{name}.json"))).expect("a trace")
}

fn read(text: &str) -> Scene {
    Scene::from_json(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn every_scene_is_played_as_recorded() {
    let texts = texts();
    assert_eq!(texts.len(), TRACES);
    let mut failed = String::new();
    for scene in texts.iter().map(|text| read(text)) {
        for seed in 0..SEEDS {
            match play_scene(&scene, seed) {
                Ok(plays) if plays == 1 || DRAWN.contains(&scene.name.as_str()) => {}
                Ok(plays) => failed += &format!("\n{} --seed {seed}: only in play {plays}", scene.name),
                Err(failure) => failed += &format!("\n{} --seed {seed}: {failure}", scene.name),
            }
        }
    }
    assert!(failed.is_empty(), "zabscope conform tests/recipes_recorded:{failed}");
}

/// The places of everything recorded in a stage: each value that holds no other, each list, each object.
fn places(value: &Value, here: String, found: &mut Vec<String>) {
    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Object(fields) => {
            if !fields.is_empty() {
                found.push(here.clone());
            }
            fields.iter().for_each(|(name, value)| places(value, format!("{here}/{}", escaped(name)), found));
        }
        Value::Array(list) => {
            found.push(here.clone());
            list.iter().enumerate().for_each(|(index, value)| places(value, format!("{here}/{index}"), found));
        }
        _ => found.push(here),
    }
}

fn change(value: &mut Value) {
    *value = match value.take() {
        Value::String(text) => format!("{text}?").into(),
        Value::Number(number) => (number.as_i64().unwrap_or(0) + 1).into(),
        Value::Bool(on) => (!on).into(),
        Value::Array(list) if !list.is_empty() => list[1..].to_vec().into(),
        Value::Object(fields) => fields.into_iter().skip(1).collect::<serde_json::Map<_, _>>().into(),
        _ => serde_json::json!(["* x changed it"]),
    };
}

/// All places of what was recorded, with the stage's name and the field.
fn recorded(scene: &Value) -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    for (list, skipped) in [("stages", &["stage", "commands"][..]), ("summary", &["stage"][..])] {
        for (index, stage) in scene[list].as_array().into_iter().flatten().enumerate() {
            let name = stage["stage"].as_str().expect("a name");
            for (field, value) in stage.as_object().expect("a stage") {
                if skipped.contains(&field.as_str()) {
                    continue;
                }
                let mut found = Vec::new();
                places(value, format!("/{list}/{index}/{field}"), &mut found);
                let shown = if list == "stages" { field.clone() } else { format!("summary[{index}].{field}") };
                all.extend(found.into_iter().map(|place| (place, name.to_string(), shown.clone())));
            }
        }
    }
    all
}

/// Every field of the scenes is changed, one at a time: the play stops in that stage and names it.
#[test]
fn a_changed_field_is_found_and_named() {
    let mut changes = 0;
    for text in texts() {
        let scene: Value = serde_json::from_str(&text).expect("JSON");
        if DRAWN.contains(&scene["name"].as_str().expect("a name")) {
            continue; // which play would be the right one?
        }
        for (place, stage, field) in recorded(&scene).into_iter().step_by(step(7)) {
            let mut changed = scene.clone();
            change(changed.pointer_mut(&place).expect("a place of the trace"));
            let failure = play_once(&read(&changed.to_string()), 0);
            let failure = failure.expect_err(&format!("{}: {place} was changed", scene["name"]));
            assert_eq!(failure.name, stage, "{}: {place}: {failure}", scene["name"]);
            let Problem::Differs(difference) = &failure.problem else {
                panic!("{}: {place}: {failure}", scene["name"])
            };
            assert!(difference.field.starts_with(&field), "{}: {place}: {failure}", scene["name"]);
            changes += 1;
        }
    }
    assert!(changes > 1000 / step(7), "{changes}");
}

/// As traces write places: `/stages/2/requests/b` is `stages[2].requests.b`.
fn written(place: &str) -> String {
    let plain = |part: &str| part.replace("~1", "/").replace("~0", "~");
    place.split('/').skip(1).fold(String::new(), |text, part| match part.parse::<usize>() {
        Ok(index) => format!("{text}[{index}]"),
        Err(_) if text.is_empty() => plain(part),
        Err(_) => format!("{text}.{}", plain(part)),
    })
}

/// Whether plays differed there, or in a part of it.
fn is_free(scene: &Value, place: &str) -> bool {
    let place = written(place);
    let mut differed = scene["differedBetweenPlays"].as_array().expect("places").iter().filter_map(Value::as_str);
    differed.any(|free| free.starts_with(&place) || place.starts_with(free))
}

/// A change is found however often the scene is played: no other draw makes it right.
#[test]
fn no_draw_makes_a_changed_scene_right() {
    for (number, text) in texts().iter().enumerate() {
        let mut scene: Value = serde_json::from_str(text).expect("JSON");
        let mut all = recorded(&scene);
        let differed = !scene["differedBetweenPlays"].as_array().expect("places").is_empty();
        // where stages are left out, their numbers in the list are others
        let counts_only = differed && scene.get("summary").is_some();
        all.retain(|(place, ..)| !(is_free(&scene, place) || counts_only && place.starts_with("/stages")));
        let (place, ..) = &all[number * 31 % all.len()];
        change(scene.pointer_mut(place).expect("a place of the trace"));
        assert!(play_scene(&read(&scene.to_string()), 0).is_err(), "{}: {place}", scene["name"]);
    }
}

/// `recorded_from` names the Curator: 5.9 looks for the node itself first (CURATOR-728), and a reader keeps its writer's number
/// (CURATOR-621).
#[test]
fn a_trace_is_played_by_the_curator_that_it_names() {
    let later = |text: &str| text.replace("Apache Curator 5.4.0", "Apache Curator 5.9.0");
    let mut scene: Value = serde_json::from_str(&text("mutex-reentrant")).expect("JSON");
    let asked = scene["stages"][0]["requests"]["a"].as_array_mut().expect("requests");
    let mut own = asked[1].clone();
    own["path"] = "/lock/_c_<guid>-lock-".into();
    asked.insert(1, own);
    let count = &mut scene["stages"][0]["counts"]["requests"];
    *count = (count.as_u64().expect("a number") + 1).into();
    let of_5_9 = scene.to_string();
    assert_eq!(play_scene(&read(&later(&of_5_9)), 0), Ok(1));
    assert!(play_scene(&read(&of_5_9), 0).is_err());
    for name in ["mutex-reentrant", "rw-downgrade"] {
        assert_eq!(play_scene(&read(&text(name)), 0), Ok(1));
        assert!(play_scene(&read(&later(&text(name))), 0).is_err(), "{name}");
    }
}

/// What was not the same in all plays may be anything, and nothing else.
#[test]
fn what_differed_between_plays_is_free() {
    let scene: Value = serde_json::from_str(&text("queue-consumers-wait")).expect("JSON");
    for (place, value) in [
        ("/stages/2/writes/1/who", json!("z")),
        ("/stages/3/answers/1", json!("= z q take data 9")),
        ("/stages/2/requests/b", json!([])),
    ] {
        let mut changed = scene.clone();
        *changed.pointer_mut(place).expect("a place of the trace") = value;
        let played = play_scene(&read(&changed.to_string()), 0);
        assert!(played.is_ok(), "{place}: {played:?}");
        changed["differedBetweenPlays"] = json!([]);
        assert!(play_scene(&read(&changed.to_string()), 0).is_err(), "{place} is not free");
    }
}

/// A trace with these stages in the place of those behind the first of a recorded one.
fn continued(name: &str, kept: usize, stages: Vec<Value>) -> Scene {
    let mut scene: Value = serde_json::from_str(&text(name)).expect("JSON");
    let all = scene["stages"].as_array_mut().expect("stages");
    all.truncate(kept);
    all.extend(stages);
    read(&scene.to_string())
}

fn stage(command: &str, fields: Value) -> Value {
    let mut stage = json!({
        "stage": command, "commands": [command], "answers": [], "writes": [], "requests": {}, "notifications": {},
        "watchesAfter": {}, "childWatchesAfter": {},
    });
    let fields = fields.as_object().expect("fields").clone();
    stage.as_object_mut().expect("a stage").extend(fields);
    let lengths = |field: &str| -> usize {
        let lists = stage[field].as_object().expect("lists by name");
        lists.values().map(|list| list.as_array().expect("a list").len()).sum()
    };
    let writes = stage["writes"].as_array().expect("writes").len();
    stage["counts"] = json!({"requests": lengths("requests"), "notifications": lengths("notifications"),
        "writes": writes, "watchesAfter": lengths("watchesAfter")});
    stage
}

fn deleted(path: &str) -> Value {
    json!([{"type": "NodeDeleted", "path": path}])
}

const NODES: [&str; 3] =
    ["/lock/_c_<guid>-lock-0000000000", "/lock/_c_<guid>-lock-0000000001", "/lock/_c_<guid>-lock-0000000002"];

/// `CuratorFramework.close` ends the session, and the recipe's node goes with it: nobody deletes it. Whatever the program asks
/// for afterwards is refused by the framework (`CuratorFrameworkImpl.checkState`).
#[test]
fn a_framework_that_is_closed_takes_its_nodes_along() {
    let listed = json!([{"request": "getChildren2", "path": "/lock", "watch": false, "children": 2}]);
    let closes =
        |who: &str, node: &str| json!([{"zxid": "+6", "type": "closeSession", "who": who, "deletes": [node]}]);
    let holder_stops = stage(
        "stop a",
        json!({
            "answers": ["= b lock acquire ok"],
            "writes": closes("a", NODES[0]),
            "requests": {"b": listed.clone()},
            "notifications": {"b": deleted(NODES[0])},
            "watchesAfter": {NODES[1]: ["c"]},
        }),
    );
    let too_late = stage(
        "do a lock release",
        json!({
            "answers": ["= a lock release error IllegalStateException"], "watchesAfter": {NODES[1]: ["c"]},
        }),
    );
    let mut shown = holder_stops.clone();
    shown["requests"]["a"] = json!([{"request": "closeSession"}]);
    shown["counts"]["requests"] = 2.into();
    for first in [holder_stops, shown] {
        let scene = continued("mutex-holder-session-expires", 3, vec![first, too_late.clone()]);
        assert_eq!(play_scene(&scene, 0), Ok(1));
    }
    let waiter_stops = stage(
        "stop b",
        json!({
            "answers": ["= b lock acquire error IOException"],
            "writes": closes("b", NODES[1]),
            "requests": {"c": [listed[0].clone(), {"request": "getData", "path": NODES[0], "watch": true}]},
            "notifications": {"c": deleted(NODES[1])},
            "watchesAfter": {NODES[0]: ["c"]},
        }),
    );
    assert_eq!(play_scene(&continued("mutex-holder-session-expires", 3, vec![waiter_stops]), 0), Ok(1));
}

/// Several leases of one call are acquired one by one, and given back together in the same order
/// (`InterProcessSemaphoreV2.java` `acquire(qty)`, `returnAll`).
#[test]
fn a_call_may_want_several_leases() {
    let lock = |number: u32| format!("/sem/locks/_c_<guid>-lock-{number:010}");
    let lease = |number: u32| format!("/sem/leases/_c_<guid>-lease-{number:010}");
    let made = |zxid: u32, path: &str| json!({"zxid": format!("+{zxid}"), "type": "create2", "who": "b", "path": path, "ephemeral": true});
    let gone = |zxid: u32, who: &str, path: &str| json!({"zxid": format!("+{zxid}"), "type": "delete", "who": who, "path": path});
    let mut scene: Value = serde_json::from_str(&text("semaphore-holder-expires")).expect("JSON");
    for object in ["a", "b", "c"].iter().enumerate() {
        scene["objects"][object.0] = format!("{} sem semaphore /sem 3", object.1).into();
    }
    let mut many = stage(
        "do b sem acquireMany 2",
        json!({
            "answers": ["= b sem acquireMany ok"],
            "writes": [
                made(9, &lock(1)), made(10, &lease(1)), gone(11, "b", &lock(1)),
                made(12, &lock(2)), made(13, &lease(2)), gone(14, "b", &lock(2)),
            ],
        }),
    );
    let mut all = stage(
        "do b sem releaseAll",
        json!({
            "answers": ["= b sem releaseAll ok"],
            "writes": [gone(15, "b", &lease(1)), gone(16, "b", &lease(2))],
        }),
    );
    // which requests it takes, and which watches stay, other traces tell
    let mut free = Vec::new();
    for (number, stage) in [&mut many, &mut all].into_iter().enumerate() {
        for field in ["requests", "notifications", "childWatchesAfter", "counts"] {
            stage[field] = json!({});
            free.push(format!("stages[{}].{field}", number + 1));
        }
    }
    scene["stages"].as_array_mut().expect("stages").truncate(1);
    scene["stages"].as_array_mut().expect("stages").extend([many, all]);
    scene["differedBetweenPlays"] = json!(free);
    assert_eq!(play_scene(&read(&scene.to_string()), 0).map(|_| ()), Ok(()));
    scene["stages"][2]["writes"][1]["path"] = lease(1).into();
    assert!(play_scene(&read(&scene.to_string()), 0).is_err(), "another lease is given back");
}

/// Two commands for whoever holds it are for two holders, though neither has returned yet.
#[test]
fn two_holders_give_back_in_one_stage() {
    let mut scene: Value = serde_json::from_str(&text("semaphore-holder-expires")).expect("JSON");
    for object in ["a", "b", "c"].iter().enumerate() {
        scene["objects"][object.0] = format!("{} sem semaphore /sem 2", object.1).into();
    }
    let comes = |who: &str, answers: Value| stage(&format!("do {who} sem acquire"), json!({"answers": answers}));
    let mut stages = [
        comes("b", json!(["= b sem acquire ok"])),
        comes("c", json!([])),
        stage(
            "twice",
            json!({
                "commands": ["holder sem release", "holder sem release"],
                "answers": ["= a sem release ok", "= b sem release ok", "= c sem acquire ok"],
                "requests": {"c": [
                    {"request": "getChildren2", "path": "/sem/leases", "watch": true, "children": 1},
                    {"request": "checkWatches", "path": "/sem/leases", "type": "Any"},
                    {"request": "delete", "path": "/sem/locks/_c_<guid>-lock-0000000002"},
                ]},
            }),
        ),
    ];
    let mut free = Vec::new();
    for (number, stage) in stages.iter_mut().enumerate() {
        let fields = ["writes", "notifications", "childWatchesAfter", "watchesAfter", "counts"];
        free.extend(fields.map(|field| format!("stages[{}].{field}", number + 1)));
        let of_others = if number < 2 { vec![""] } else { vec![".a", ".b"] };
        free.extend(of_others.iter().map(|who| format!("stages[{}].requests{who}", number + 1)));
        stage["counts"] = json!({});
    }
    scene["stages"].as_array_mut().expect("stages").truncate(1);
    scene["stages"].as_array_mut().expect("stages").extend(stages);
    scene["differedBetweenPlays"] = json!(free);
    for seed in 0..20 {
        assert_eq!(play_scene(&read(&scene.to_string()), seed).map(|_| ()), Ok(()), "seed {seed}");
    }
}

/// Whoever waits when its framework is closed is told by its watch, which hears of the end, and asks on. The framework refuses that
/// (`CuratorFrameworkImpl.checkState`), or the recipe has noticed itself: a lock that the connection is lost, a double barrier that
/// its event was of no connection. kazoo's client refuses it too. A LeaderLatch hears of nothing, and its `await` has no end.
#[test]
fn whoever_waits_when_its_framework_closes_is_told() {
    let closed = "error IllegalStateException";
    for (name, kept, who, call, told) in [
        ("semaphore-holder-expires", 3, "b", "sem acquire", closed),
        ("semaphore-holder-expires", 3, "c", "sem acquire", "error IOException"),
        ("barrier", 4, "b", "bar wait", closed),
        ("double-barrier-enter-times-out", 1, "a", "db enter", "error ConnectionLossException"),
        ("queue-consumers-wait", 2, "c", "q take", closed),
        ("kazoo-lock", 3, "b", "lock acquire", "error ConnectionClosedError"),
    ] {
        let mut answers = vec![format!("= {who} {call} {told}")];
        if name == "kazoo-lock" {
            answers.push(format!("* {who} connection LOST")); // its listeners hear of the end
        }
        stopped(name, kept, vec![stage(&format!("stop {who}"), json!({"answers": answers}))]);
    }
    let leader = stage("do a latch close", json!({"answers": ["= a latch close ok", "* c latch isLeader"]}));
    stopped("latch-close-leader", 3, vec![stage("do b latch await", json!({})), stage("stop b", json!({})), leader]);
}

/// Objects for which no trace is recorded yet: what their calls come to.
#[test]
fn kazoos_other_locks_can_be_recorded() {
    let told = |command: &str, answers: &[&str]| stage(command, json!({"answers": answers}));
    let semaphores = ["a sem kazooSemaphore /sem 2", "b sem kazooSemaphore /sem 2", "c sem kazooSemaphore /sem 2"];
    answered(
        "kazoo-lock",
        &semaphores,
        vec![
            told("do a sem acquire", &["= a sem acquire True"]),
            told("do b sem acquire", &["= b sem acquire True"]),
            told("do c sem acquire", &[]),
            told("holder sem release", &["= a sem release True", "= c sem acquire True"]),
        ],
    );
    answered(
        "kazoo-lock",
        &["a l readLock /lock", "b l writeLock /lock", "c l readLock /lock"],
        vec![
            told("do a l acquire", &["= a l acquire True"]),
            told("do b l acquire", &[]),
            told("do c l acquire", &[]),
            told("do a l release", &["= a l release True", "= b l acquire True"]),
            told("do b l release", &["= b l release True", "= c l acquire True"]),
        ],
    );
}

/// What objects are told in these stages, with nothing before.
fn answered(name: &str, objects: &[&str], stages: Vec<Value>) {
    let mut scene: Value = serde_json::from_str(&text(name)).expect("JSON");
    scene["objects"] = json!(objects);
    told_only(scene, 0, stages);
}

/// What they are told in these stages behind the first of a recorded trace, whatever is sent for it.
fn stopped(name: &str, kept: usize, stages: Vec<Value>) {
    told_only(serde_json::from_str(&text(name)).expect("JSON"), kept, stages);
}

fn told_only(mut scene: Value, kept: usize, mut stages: Vec<Value>) {
    let all = scene["stages"].as_array_mut().expect("stages");
    all.truncate(kept);
    let fields = ["writes", "requests", "notifications", "childWatchesAfter", "watchesAfter", "counts"];
    let places = (kept..).zip(&stages).flat_map(|(at, _)| fields.map(|field| format!("stages[{at}].{field}")));
    let free: Vec<String> = places.collect();
    stages.iter_mut().for_each(|stage| stage["counts"] = json!({}));
    all.extend(stages);
    scene["differedBetweenPlays"] = json!(free);
    for seed in 0..3 {
        assert_eq!(
            play_scene(&read(&scene.to_string()), seed).map(|_| ()),
            Ok(()),
            "{}, seed {seed}",
            scene["objects"]
        );
    }
}

fn zabscope(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_zabscope")).arg("conform").args(args).output().expect("zabscope runs")
}

/// A file that goes with the test.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> File {
        let path = std::env::temp_dir().join(format!("zabscope-{}-{name}", std::process::id()));
        fs::write(&path, text).expect("a file");
        File(path)
    }

    fn conform(&self) -> (Option<i32>, String) {
        let output = zabscope(&[&self.0.to_string_lossy()]);
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[test]
fn the_command_knows_a_scene_by_its_fields() {
    let text = fs::read_to_string(folder().join("mutex-reentrant.json")).expect("a trace");
    let (code, said) = File::new("good.json", &text).conform();
    assert_eq!((code, said.as_str()), (Some(0), "mutex-reentrant: pass\n1 files, 0 failed\n"));

    let (code, said) = File::new("bad.json", &text.replacen("\"+4\"", "\"+9\"", 1)).conform();
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains(r#"stage 3 (b acquires): writes[0].zxid: expected "+9", got "+4""#), "{said}");

    let kazoo = text.replace("lock mutex", "lock lock");
    let (code, said) = File::new("kazoo.json", &kazoo).conform();
    assert_eq!(code, Some(1), "what kazoo asks for is not what Curator does: {said}");
}

#[test]
fn what_is_no_scene_is_said_to_be_none() {
    let text = fs::read_to_string(folder().join("mutex-reentrant.json")).expect("a trace");
    let nested = format!(r#""notifications": {}{}"#, "[".repeat(200), "]".repeat(200));
    let long = ["pause 60"; 6].join("\",\"");
    let cases = [
        ("a lock mutex /lock", "a lock fly /lock", "'fly' is no kind of recipe"),
        ("a lock mutex /lock", "z lock mutex /lock", "there is no client 'z'"),
        ("do b lock acquire", "do b door acquire", "there is no object 'door'"),
        ("do b lock acquire", "do z lock acquire", "there is no client 'z'"),
        ("do b lock acquire", "fly", "'fly' is no command"),
        ("do b lock acquire", "stop z", "there is no client 'z'"),
        ("do b lock acquire", "do b lock acquireMany", "how many?"),
        ("do b lock acquire", "pause 1e9", "are no seconds"),
        ("do b lock acquire", &long, "pauses are longer than 300 s"),
        ("\"watchesAfter\": {}", "\"watchesAfter\": 7", "watchesAfter"),
        ("\"counts\"", "\"sums\"", "unknown field `sums`"),
        (text.as_str(), r#"{"stages":[]}"#, "missing field `name`"),
        ("\"notifications\": {}", &nested, "notifications[0][0]"),
    ];
    for (number, (from, to, why)) in cases.into_iter().enumerate() {
        let (code, said) = File::new(&format!("nonsense{number}.json"), &text.replacen(from, to, 1)).conform();
        assert_eq!(code, Some(2), "{to}: {said}");
        assert!(said.contains(" is not a transcript: ") && said.contains(why), "{to}: {said}");
    }
}
