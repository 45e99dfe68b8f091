//! Logs of real servers, against what a second parser found in them: `tests/disks/README.md`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use zabscope_ground::base::{Prng, Stream};

use super::entry::{Entry, clock};
use super::event::{Event, Role};
use super::say::Say;
use super::server::ServerLog;
use super::story::Story;
use super::text::{Reader, is_log};
use crate::archive::Intake;
use crate::disk::{Disks, sort};

fn archives() -> Vec<PathBuf> {
    let of = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/disks/artifacts");
    let folders = ["3.8.0", "3.9.5"].map(|version| of.join(version));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("a folder of archives"));
    let mut all: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    all.retain(|path| path.to_string_lossy().ends_with(".tar.gz"));
    all.sort();
    assert!(all.len() >= 15, "all archives are there");
    all
}

/// An archive, of whose logs only those that are wanted.
fn disks(archive: &Path, wanted: impl Fn(&str) -> bool) -> Disks {
    let mut intake = Intake::default();
    intake.add_from("a.tar.gz", fs::File::open(archive).expect("an archive")).expect("it can be read");
    intake.logs.retain(|(path, _)| wanted(path));
    sort(intake, &BTreeMap::new())
}

/// The time in an expectation, as a log writes it.
fn time(value: &Value) -> i64 {
    let line = format!("{} - INFO  [a:B@1] - c", value.as_str().expect("a time"));
    Entry::read(&line).expect("a time").time
}

fn hex(value: &Value) -> u64 {
    u64::from_str_radix(value.as_str().expect("a number").trim_start_matches("0x"), 16).expect("hex")
}

fn all<T>(log: &ServerLog, of: impl Fn(&Event) -> Option<T>) -> Vec<(i64, T)> {
    log.events.iter().filter_map(|(_, told)| Some((told.time, of(&told.event)?))).collect()
}

fn expected<T>(value: &Value, of: impl Fn(&Value) -> T) -> Vec<(i64, T)> {
    value.as_array().expect("a list").iter().map(|one| (time(&one[0]), of(one))).collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").into()
}

fn check(log: &ServerLog, said: &Value, wrong: &mut Vec<String>) {
    let mut same = |what: &str, ours: String, theirs: String| {
        if ours != theirs {
            wrong.push(format!("{:?} {what}:\n  ours   {ours}\n  theirs {theirs}", log.files));
        }
    };
    let word = |role: Role| ["LOOKING", "FOLLOWING", "LEADING", "OBSERVING"][role as usize].to_string();
    let roles = all(log, |event| if let Event::Takes(role) = event { Some(word(*role)) } else { None });
    same("roles", format!("{roles:?}"), format!("{:?}", expected(&said["roles"], |one| text(&one[1]))));
    let phases = all(log, |event| if let Event::Phase(phase) = event { Some(phase.clone()) } else { None });
    same("phases", format!("{phases:?}"), format!("{:?}", expected(&said["phases"], |one| text(&one[1]))));
    let syncs =
        all(
            log,
            |event| if let Event::Sync(kind, zxid) = event { Some((kind.word().to_string(), *zxid)) } else { None },
        );
    same(
        "syncs",
        format!("{syncs:?}"),
        format!("{:?}", expected(&said["syncs"], |one| (text(&one[1]), hex(&one[2])))),
    );
    let apart = all(log, |event| if let Event::Apart(id, zxids) = event { Some((*id, *zxids)) } else { None });
    let theirs = |one: &Value| (one[1].as_u64().expect("an id"), [2, 3, 4, 5].map(|at| hex(&one[at])));
    same("sent", format!("{apart:?}"), format!("{:?}", expected(&said["sentSyncs"], theirs)));
    let expired = all(log, |event| if let Event::Expired(id, ms) = event { Some((*id, *ms)) } else { None });
    let theirs = |one: &Value| (hex(&one[1]), one[2].as_u64().expect("ms"));
    same("expired", format!("{expired:?}"), format!("{:?}", expected(&said["expired"], theirs)));
    let born = all(log, |event| if let Event::Born(id) = event { Some(*id) } else { None });
    same("born", format!("{born:?}"), format!("{:?}", expected(&said["created"], |one| hex(&one[1]))));
    let quorums =
        all(log, |event| if let Event::Quorum(sids, zxid) = event { Some((sids.clone(), *zxid)) } else { None });
    same(
        "quorums",
        format!("{quorums:?}"),
        format!("{:?}", expected(&said["quorums"], |one| (text(&one[1]), hex(&one[2])))),
    );
    let count = |of: fn(&Event) -> bool| log.events.iter().filter(|(_, told)| of(&told.event)).count().to_string();
    same("heard", count(|event| matches!(event, Event::Hears(..))), said["notificationsReceived"].to_string());
    same("starts", count(|event| matches!(event, Event::Started(_))), said["starts"].to_string());
}

#[test]
fn logs_of_info_tell_what_another_parser_found() {
    let mut wrong = Vec::new();
    for archive in archives() {
        let disks = disks(&archive, |path| path.ends_with("/zookeeper.log"));
        let said = disks.others.iter().find(|(path, _)| path.ends_with("/expected.json")).expect("expectations");
        let said: Value = serde_json::from_slice(said.1.bytes()).expect("JSON");
        assert_eq!(disks.server_logs.len(), said.as_object().expect("servers").len());
        for log in &disks.server_logs {
            check(log, &said[format!("server-{}", log.id)], &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
}

fn told_by(disks: &Disks) -> Option<Story> {
    let logs: Vec<_> =
        disks.disks.iter().filter(|disk| !disk.is_copy).map(|disk| (disk.id.unwrap(), &disk.logs[..])).collect();
    Story::of(&disks.server_logs, &logs)
}

fn story(archive: &Path, wanted: impl Fn(&str) -> bool) -> Story {
    let disks = disks(archive, wanted);
    told_by(&disks).expect("a story")
}

#[test]
fn the_leaders_of_every_story_are_told_with_their_epochs() {
    for archive in archives() {
        let facts = disks(&archive, |_| false);
        let facts = facts.others.iter().find(|(path, _)| path.ends_with("/facts.json")).expect("facts");
        let facts: Value = serde_json::from_slice(facts.1.bytes()).expect("JSON");
        let leaders = facts["leaders"].as_array().expect("leaders").iter();
        let leaders: Vec<(u64, String)> =
            leaders.map(|one| (one["sid"].as_u64().expect("an id"), text(&one["epoch"]))).collect();
        for end in ["/zookeeper.log", "/zookeeper-debug.log", ".log"] {
            let story = story(&archive, |path| path.ends_with(end));
            let told = story.reigns.iter().filter_map(|reign| Some((reign.server, reign.epoch?.to_string())));
            let told: Vec<(u64, String)> = told.collect();
            // what was done in a story may end before another leader that a configuration brings about
            assert_eq!(told[..leaders.len().min(told.len())], leaders[..], "{}", archive.display());
            let spans = story.lanes.iter().flat_map(|lane| &lane.spans);
            assert!(spans.clone().all(|span| span.from <= span.to && span.to <= story.to));
            assert!(
                spans.filter(|span| span.role == "FOLLOWING" && span.phase == "broadcast").all(|span| span.epoch > 0)
            );
            // one machine wrote them all, so there is one clock
            assert!(
                story.lanes.iter().all(|lane| lane.ahead == Some(0)),
                "{}: {:?}",
                archive.display(),
                story.lanes.iter().map(|l| (l.ahead, l.within, l.was_set)).collect::<Vec<_>>()
            );
            assert!(story.lanes.iter().all(|lane| !lane.transactions.is_empty()), "{}", archive.display());
        }
        println!("== {}", archive.display());
        for moment in &story(&archive, |path| path.ends_with("/zookeeper.log")).moments {
            println!("{} {} ({} lines)", clock(moment.at), moment.text, moment.lines.len());
        }
    }
}

/// A log with all its times so many ms later.
fn later(log: &mut ServerLog, ms: i64) {
    log.last += ms;
    for (_, told) in &mut log.events {
        told.time += ms;
        if let Event::Started(Some(before)) = &mut told.event {
            *before += ms;
        }
    }
}

#[test]
fn a_clock_that_is_ahead_is_found_and_taken_back() {
    for archive in archives() {
        let mut disks = disks(&archive, |path| path.ends_with("/zookeeper.log"));
        let shifts: Vec<i64> = (0..).map(|place| place * 3_700_000 - 150_000).take(disks.server_logs.len()).collect();
        disks.server_logs.iter_mut().zip(&shifts).for_each(|(log, ms)| later(log, *ms));
        let story = told_by(&disks).expect("a story");
        for (lane, ms) in story.lanes.iter().zip(&shifts) {
            let (real, found) = (ms - shifts[0], lane.ahead.expect("it can be told"));
            assert!(
                (found - real).abs() <= lane.within && lane.within < 2_000,
                "{}: {found} ± {}, {real}",
                archive.display(),
                lane.within
            );
        }
    }
}

fn of_text(lines: &str) -> ServerLog {
    let mut intake = Intake::default();
    intake.add_from("zk3.log", lines.as_bytes()).expect("it can be read");
    sort(intake, &BTreeMap::new()).server_logs.remove(0)
}

#[test]
fn what_ends_a_reign_is_told_with_its_lines() {
    let head = |second: u32, message: &str| {
        format!(
            "2026-11-29 10:14:{second:02},000 [myid:] - INFO  [QuorumPeer[myid=3](plain=a:1)(secure=disabled):o.a.z.s.q.QuorumPeer@1] - {message}\n"
        )
    };
    let lines = [
        head(1, "LOOKING"),
        head(2, "LEADING"),
        head(
            3,
            "Have quorum of supporters, sids: [[1, 3]]; starting up and setting last processed zxid: 0x500000000",
        ),
        head(9, "Shutdown called. For the reason Not sufficient followers synced, only synced with sids: [ [3] ]"),
        head(9, "LOOKING"),
    ];
    let mut one = of_text(&lines.concat());
    let story = Story::of(&[one.clone()], &[]).expect("a story");
    let lost = story.moments.iter().find(|moment| moment.say == Say::LostQuorum).expect("it is told");
    assert_eq!(
        lost.text,
        "S3 gives up epoch 5, for it has lost its quorum: Not sufficient followers synced, only synced with sids: [ [3] ]."
    );
    assert_eq!(lost.lines.iter().map(|line| line.number).collect::<Vec<_>>(), [4, 5]);
    assert_eq!((story.reigns[0].epoch, story.reigns[0].to - story.reigns[0].from), (Some(5), 7_000));
    let mut other = of_text(&lines.concat().replace("myid=3", "myid=2").replace("0x500000000", "0x600000000"));
    later(&mut other, 5_500);
    one.id = 3;
    let story = Story::of(&[other, one], &[]).expect("a story");
    assert!(story.lanes[1].ahead.is_none(), "nothing tells how their clocks stand");
    let two = story.moments.iter().find(|moment| moment.say == Say::TwoLeaders).expect("it is told");
    assert_eq!(two.text, "Two leaders: S2 takes the lead while S3 still leads, for 1.500 s.");
}

#[test]
fn a_file_that_comes_in_small_pieces_tells_the_same() {
    let archive = &archives()[0];
    let whole = disks(archive, |path| path.ends_with("server-1/zookeeper.log")).server_logs.remove(0);
    let plain: Vec<u8> = whole.events.iter().flat_map(|(_, told)| [told.text.as_bytes(), b"\r\n"].concat()).collect();
    let (mut once, mut pieces) = (Reader::default(), Reader::default());
    once.push(&plain);
    plain.chunks(7).for_each(|piece| pieces.push(piece));
    let (once, pieces) = (once.end(), pieces.end());
    assert_eq!((once.events.len(), once.lines, &once.events), (pieces.events.len(), pieces.lines, &pieces.events));
    assert!(is_log(&plain) && !is_log(b"ZKLG\0\0\0\x02") && once.id() == Some(1));
}

/// How many damaged pieces of logs are read.
const ROUNDS: u64 = 100_000;

#[test]
fn nothing_that_is_in_a_log_makes_the_reader_panic() {
    let disks = disks(&archives()[3], |path| path.ends_with("-debug.log"));
    let of =
        |log: &ServerLog| log.events.iter().map(|(_, told)| told.text.to_string() + "\n").collect::<Vec<String>>();
    let lines: Vec<String> = disks.server_logs.iter().flat_map(of).collect();
    let (mut prng, mut told) = (Prng::new(53, Stream::Faults), 0);
    let mut pick = |length: usize| prng.between(0, length.saturating_sub(1) as u64) as usize;
    for round in 0..ROUNDS {
        let mut bytes = Vec::new();
        for _ in 0..2 {
            bytes.extend_from_slice(lines[pick(lines.len())].as_bytes());
        }
        for _ in 0..pick(4) + 1 {
            let at = pick(bytes.len());
            match pick(5) {
                0 => bytes[at] = pick(256) as u8,
                1 => bytes[at] = [0, b'\n', b'[', b']', b':', b'9', b'-', 0xff][pick(8)],
                2 => drop(bytes.drain(at..(at + 12).min(bytes.len()))),
                3 => bytes.insert(at, [0, 0xc3, b' ', b'0'][pick(4)]),
                _ => bytes.truncate(at + 1),
            }
            if bytes.is_empty() {
                break;
            }
        }
        let mut reader = Reader::default();
        reader.push(&bytes);
        let text = reader.end();
        told += text.events.len();
        if round % 20 == 0 {
            let logs = super::server::by_server(vec![("3.log".into(), text)], |_| Some(3));
            if let Some(story) = Story::of(&logs, &[]) {
                assert!(story.from <= story.to || story.moments.is_empty());
            }
        }
    }
    assert!(told > 50_000, "most of it is read all the same: {told}");
}
