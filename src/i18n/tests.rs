//! Real runs are told from beginning to end, in every language.

mod alike;
mod english;
mod keys;
mod notes;
pub(crate) mod traditional;
mod voice;

use std::rc::Rc;

use serde_json::Value;

use super::*;
use crate::base::{ClientId, ServerId, ServerSet, SessionId, SimTime, Zxid};
use crate::check::{LIVENESS, PROPERTIES, RECIPE_LIVENESS};
use crate::explore::own::Law;
use crate::scenarios::{SCENARIOS, scenario};
use crate::sim::{Action, DiskFault, LatencyRange, Parcel, Player, Run, Setup, Silence, WorldFact};
use crate::store::{Body, Submitted, Tree};
use crate::zab::{Message, Notification, Packet, Payload, Proposal, Vote};

fn play(run: Run, until_ms: u64) -> Vec<Rc<Record>> {
    let mut player = Player::new(run).expect("a valid run");
    let mut records = Vec::new();
    player.run_until(SimTime::from_ms(until_ms), |_, facts| records.extend_from_slice(facts));
    records
}

/// Everything a hand can do, with a leader that dies, a pause and a partition.
fn by_hand() -> Vec<Rc<Record>> {
    let set = |ids: &[u8]| ids.iter().copied().map(ServerId).collect::<ServerSet>();
    let id = ServerId;
    let write =
        |server, data: &str| Action::Write { server: id(server), data: data.into(), count: 3, every_us: 20_000 };
    let (slow, now) = (LatencyRange::ms(20, 30), LatencyRange { min_us: 1_500, max_us: 1_500 });
    let mut run = Run::new(7, Setup { commit_log_count: 4, snap_count: 8, ..Setup::default() });
    let actions = [
        (900, write(1, "x=1")),
        (1_000, Action::Pause { server: id(1) }),
        (1_005, Action::Crash { server: id(9) }),
        (1_600, Action::Resume { server: id(1) }),
        (1_700, Action::Latency { from: set(&[1]), to: set(&[2]), range: slow }),
        (1_700, Action::Disk { server: id(2), sync: now }),
        (1_800, Action::Add { server: id(4), observer: true }),
        (2_000, Action::Cut { from: set(&[3]), to: set(&[1, 2, 4]), one_way: false }),
        (2_010, write(3, "a text that is longer than what fits into one line of narration")),
        (2_040, Action::Crash { server: id(3) }),
        (4_500, write(2, "y=2")),
        (4_600, Action::HealAll),
        (4_700, write(3, "nobody there")),
        (4_800, Action::Restart { server: id(3) }),
        (6_000, Action::Crash { server: id(1) }),
        (5_900, Action::BackUpDisk { server: id(1) }),
        (6_050, Action::RestoreBackup { server: id(2) }),
        (6_060, Action::RestoreBackup { server: id(1) }),
        (6_100, Action::WipeDisk { server: id(1) }),
        (6_200, Action::Restart { server: id(1) }),
        (6_400, Action::Add { server: id(5), observer: false }),
        (8_000, write(4, "z=3")),
        (8_001, Action::CutLinks { links: vec![(id(2).into(), id(4).into())] }),
        (8_050, Action::DiskFault { server: id(5), fault: DiskFault::Full }),
        (8_060, Action::DiskFault { server: id(5), fault: DiskFault::Full }),
        (8_060, write(4, "full=1")),
        (8_090, Action::DiskFault { server: id(5), fault: DiskFault::Error }),
        (8_095, Action::Oracle { server: id(2), grants: true }),
        (8_100, Action::HealLinks { links: vec![(id(2).into(), id(4).into())] }),
    ];
    for (at_ms, action) in actions {
        run.push(SimTime::from_ms(at_ms), action);
    }
    let mut records = play(run, 9_000);
    records.extend(with_packets());
    records
}

/// A packet is held, let go, held and lost, and each of that once too often.
fn with_packets() -> Vec<Rc<Record>> {
    let mut player = Player::new(Run::new(3, Setup::default())).expect("a valid run");
    let mut records = Vec::new();
    player.run_until(SimTime::from_ms(2_000), |_, _| {});
    for lose in [false, true] {
        let server = ServerId(3);
        let mut act = |player: &mut Player, action| {
            player.act(action, |_, facts| records.extend_from_slice(facts)).expect("an action");
        };
        act(&mut player, Action::Write { server, data: "x".into(), count: 2, every_us: 100 });
        player.run_until(SimTime(player.world().now.0 + 1_500), |_, _| {});
        let first = (0..5_000).find_map(|msg| player.world().network.packet(crate::base::MsgId(msg)));
        let packet = first.expect("something is on its way").0;
        act(&mut player, Action::HoldPacket { packet });
        act(&mut player, Action::HoldPacket { packet });
        if lose {
            act(&mut player, Action::DropPacket { packet });
        }
        act(&mut player, Action::ReleasePacket { packet });
        act(&mut player, Action::ReleasePacket { packet });
        player.run_until(SimTime(player.world().now.0 + 500_000), |_, _| {});
    }
    records
}

fn all_records() -> Vec<Rc<Record>> {
    let built_in = SCENARIOS.iter().flat_map(|scenario| play(scenario.run(), scenario.until_ms));
    let broken = Rule::all().flat_map(|rule| {
        let mut run = scenario("leader-crash-under-load").expect("a built-in scenario").run();
        run.setup.rules = run.setup.rules.breaking(rule);
        play(run, 5_000)
    });
    built_in.chain(by_hand()).chain(broken).collect()
}

fn has_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c))
}

/// A sentence that a lecturer could read aloud.
fn assert_plain(lang: Lang, text: &str, of: &str) {
    let (stop, chinese) = match lang {
        Lang::En => ('.', false),
        Lang::Zh | Lang::ZhHant => ('。', true),
    };
    assert!(text.ends_with(stop), "no {stop} at the end in {}: {text} ({of})", lang.name());
    assert!(has_chinese(text) == chinese, "not in {}: {text} ({of})", lang.name());
    assert!(text.chars().count() <= 220, "too long: {text}");
    // real names of packets and nodes may have an underscore; nothing else may
    let names = [
        "CLIENT_PING",
        "CLIENT_PONG",
        "WATCH_EVENT",
        "AUTH_REPLY",
        "WORD_REPLY",
        "__READ__",
        "__WRIT__",
        "zookeeper_",
        "zk_server_state",
        "__lock__",
        "START_REPLICATION",
        "LOG_ACK",
        "LOG_DATA",
        "IN_DOUBT",
    ];
    let text = names.into_iter().fold(text.to_string(), |text, name| text.replace(name, "PACKET"));
    for debris in
        ["{", "}", "Some(", "None", "ServerId", "Zxid", "[S", "::", "  ", "..", "。。", " 。", " .", " ，", "_"]
    {
        assert!(!text.contains(debris), "{debris:?} in {text} ({of})");
    }
}

fn assert_phrase(lang: Lang, text: &str) {
    assert!(!text.is_empty() && !text.ends_with(['.', '。']), "{text}");
    assert_eq!(has_chinese(text), lang != Lang::En, "{text}");
}

/// The zxids that must be heard: what the fact is about, but not the zxid in a repeated vote.
fn zxids(record: &Record) -> Vec<String> {
    let json = serde_json::to_value(record).expect("a fact is JSON");
    let of = |key: &str| json[key].as_str().filter(|text| text.contains(':')).map(str::to_string);
    match json["type"].as_str() {
        Some("NOTIFICATION" | "FOLLOWERINFO" | "OBSERVERINFO" | "LEADERINFO" | "UPTODATE") => Vec::new(),
        _ if json["kind"] == "lost" => Vec::new(),
        _ => ["zxid", "last_zxid", "first", "last"].into_iter().filter_map(of).collect(),
    }
}

#[test]
fn every_record_of_real_runs_has_plain_sentences() {
    for record in all_records() {
        let json = serde_json::to_string(&record).expect("a fact is JSON");
        for lang in Lang::ALL {
            let told = describe(lang, &record);
            // what is typed at other systems stands in their sentences as it is
            if matches!(
                record.fact,
                Fact::Other { .. } | Fact::World(WorldFact::Sent { message: Parcel::Other(_), .. })
            ) {
                let stop = if lang == Lang::En { '.' } else { '。' };
                assert!(told.what.ends_with(stop) && !told.what.starts_with('@'), "{} ({json})", told.what);
                assert_eq!(has_chinese(&told.what), lang != Lang::En, "{} ({json})", told.what);
                continue;
            }
            assert_plain(lang, &told.what, &json);
            told.why.iter().for_each(|why| assert_plain(lang, why, &json));
            for zxid in zxids(&record) {
                assert!(told.what.contains(&zxid), "{zxid} is missing: {}", told.what);
            }
            let narrated = narrate(lang, &record);
            assert_eq!(narrated.is_some(), interest(&record) != Interest::Noise, "{json}");
            assert!(narrated.is_none_or(|narrated| narrated == told));
        }
    }
}

#[test]
fn the_runs_show_nearly_every_kind_of_fact_and_note() {
    let mut seen: Vec<String> = Vec::new();
    for record in all_records() {
        let json: Value = serde_json::to_value(&record).expect("a fact is JSON");
        for name in ["kind", "why"].iter().filter_map(|&key| json[key].as_str()) {
            if !seen.iter().any(|other| other == name) {
                seen.push(name.to_string());
            }
        }
    }
    for name in
        ["action_refused", "learner_dropped", "log_truncated", "too_far_behind", "unsynced_lost", "disk_wiped"]
    {
        assert!(seen.iter().any(|other| other == name), "{name} is not in {seen:?}");
    }
    assert!(seen.len() >= 60, "{}: {seen:?}", seen.len());
}

#[test]
fn a_lecturer_hears_the_story_and_not_the_heartbeats() {
    let cold_start = scenario("cold-start-3").expect("a built-in scenario");
    let records = play(cold_start.run(), cold_start.until_ms);
    let told: Vec<Sentence> = records.iter().filter_map(|record| narrate(Lang::En, record)).collect();
    let steps = records.iter().filter(|record| interest(record) == Interest::Step).count();
    assert!(told.len() < records.len() / 2, "{} of {} records are told", told.len(), records.len());
    assert!((15..40).contains(&steps), "{steps} steps");
    let heard = |what: &str| told.iter().any(|sentence| sentence.what == what);
    assert!(heard("S3 wins the election of round 1 and becomes LEADING."));
    let begins = |what: &str| told.iter().any(|sentence| sentence.what.starts_with(what));
    let counted = |by| format!("S3 counts the ACK of {by} for 1:1: it has 2 ({by} and S3), a majority.");
    assert!(["S1", "S2"].into_iter().any(|by| heard(&counted(by))));
    assert!(begins("S3 commits 1:1: acknowledged by S"));
    assert!(!told.iter().any(|sentence| sentence.what.contains("PING")));
}

#[test]
fn the_why_names_the_rule_and_what_the_leader_remembers() {
    let rejoin = scenario("rejoin-diff").expect("a built-in scenario");
    let records = play(rejoin.run(), rejoin.until_ms);
    let told: Vec<Sentence> = records.iter().filter_map(|record| narrate(Lang::Zh, record)).collect();
    let diff = told.iter().find(|sentence| sentence.what.contains("补上 4 个事务")).expect("the DIFF is told");
    assert_eq!(
        diff.why.as_deref(),
        Some("学习者缺少的事务都在领导者的已提交日志中。领导者内存中的已提交日志从 1:1 到 1:6。")
    );
}

/// The button "Expire session" ends a session that was heard of all the time.
#[test]
fn a_session_that_is_expired_by_request_is_not_told_as_silent() {
    let ids = [1, 2].map(crate::base::ClientId);
    let mut run = scenario("cold-start-3").expect("a scenario").run();
    for client in ids {
        let open = Action::OpenClient { client, servers: vec![], timeout_ms: 4_000, chroot: None, raw: false };
        run.push(SimTime::from_ms(2_000), open);
    }
    run.push(SimTime::from_ms(3_000), Action::ExpireClient { client: ids[0] });
    run.push(SimTime::from_ms(3_000), Action::KillClient { client: ids[1] });
    let records = play(run, 12_000);
    let expires = |record: &&Rc<Record>| {
        matches!(record.fact, Fact::Server { fact: crate::server::Fact::SessionExpired { .. }, .. })
    };
    let expired: Vec<&Rc<Record>> = records.iter().filter(expires).collect();
    assert!(expired.len() == 2 && expired[0].at_us == SimTime::from_ms(3_000));
    for (lang, silence, request) in [(Lang::En, "heard nothing", "request"), (Lang::Zh, "没有收到", "按要求")]
    {
        let [asked, silent] = [expired[0], expired[1]].map(|record| describe(lang, record));
        let text = |said: &Sentence| format!("{} {}", said.what, said.why.clone().unwrap_or_default());
        assert!(text(&asked).contains(request) && !text(&asked).contains(silence), "{}", text(&asked));
        assert!(text(&silent).contains(silence) && !text(&silent).contains(request), "{}", text(&silent));
    }
}

#[test]
fn every_packet_is_explained() {
    let (zxid, state) = (Zxid::new(1, 3), Tree::new(""));
    let proposal = || Proposal { zxid, payload: Payload::text("S1#0 x=1") };
    let body = Body::Put { path: "/x".into(), data: "1".into() };
    let asked = Submitted { session: SessionId::NONE, cxid: 0, who: [].into(), from: ServerId(1), body };
    let packets = [
        Packet::FollowerInfo { accepted_epoch: 1, config: Zxid::ZERO },
        Packet::ObserverInfo { accepted_epoch: 1, config: Zxid::ZERO },
        Packet::LeaderInfo { epoch: 2 },
        Packet::AckEpoch { zxid, current_epoch: Some(1), want_snap: false },
        Packet::AckEpoch { zxid, current_epoch: None, want_snap: true },
        Packet::Diff { zxid },
        Packet::Trunc { zxid },
        Packet::Snap { zxid, state: state.into() },
        Packet::Proposal(proposal()),
        Packet::Commit { zxid },
        Packet::CommitAndActivate { zxid, leader: ServerId(2) },
        Packet::InformAndActivate { proposal: proposal(), leader: ServerId(2) },
        Packet::Inform(proposal()),
        Packet::NewLeader { zxid: Zxid::new(2, 0), config: None },
        Packet::Ack { zxid: Zxid::new(2, 0) },
        Packet::Ack { zxid },
        Packet::UpToDate,
        Packet::Request { payload: asked.into() },
        Packet::Ping { zxid, touched: None },
    ];
    let own = Vote { leader: ServerId(2), zxid, peer_epoch: 1 };
    let votes = [(own, ServerState::Looking), (Vote::NONE, ServerState::Looking), (own, ServerState::Following)];
    let notifications =
        votes.map(|(vote, state)| Message::Notification(Notification { vote, round: 1, state, config: None }));
    for message in packets.into_iter().map(Message::Packet).chain(notifications).map(Parcel::Zab) {
        for lang in Lang::ALL {
            let (name, about) = packet_about(lang, &message);
            assert!(about.starts_with(name), "{about}");
            assert_plain(lang, &about, name);
        }
    }
    let (_, about) = packet_about(Lang::En, &Parcel::Zab(Message::Packet(Packet::Proposal(proposal()))));
    assert_eq!(about, "PROPOSAL 1:3: asks the follower to log “S1#0 x=1” and to acknowledge it.");
}

/// The names of all properties, those that only a soak run shows and those of recipes of one's own included.
fn properties() -> impl Iterator<Item = &'static str> {
    let at_the_end = [&LIVENESS, &RECIPE_LIVENESS];
    let laws = Law::ALL.iter().filter(|law| **law != Law::OneHolder).map(|law| law.id());
    PROPERTIES.iter().chain(at_the_end).map(|property| property.id).chain(laws)
}

#[test]
fn notes_rules_and_properties_have_words_of_their_own() {
    for lang in Lang::ALL {
        for id in properties() {
            assert_ne!(property_about(lang, id), id, "the property has no words in {}", lang.name());
        }
        let mut about: Vec<&str> = notes::NOTES.iter().map(|&note| note_about(lang, note)).collect();
        about.extend(Rule::all().map(|rule| rule_about(lang, rule)));
        about.extend(properties().map(|id| property_about(lang, id)));
        about.iter().for_each(|text| assert_plain(lang, text, "a text about a rule"));
        let rules = Rule::all().map(|rule| rule_title(lang, rule));
        let titles = rules.chain(properties().map(|id| property_title(lang, id)));
        let mut all: Vec<&str> = titles.inspect(|title| assert_phrase(lang, title)).chain(about).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "two things have the same words");
    }
    assert_eq!(property_title(Lang::Zh, "not-there"), "not-there");
    assert_eq!(property_about(Lang::En, "not-there"), "not-there");
}

#[test]
fn words_for_cards_keep_the_names_of_the_protocol() {
    assert_eq!(role_name(Lang::Zh, ServerState::Leading), Term { name: "LEADING", spoken: "领导者" });
    assert_eq!(phase_name(Lang::En, Phase::Discovery), Term { name: "DISCOVERY", spoken: "discovery" });
    for lang in Lang::ALL {
        for state in [
            ServerState::Looking,
            ServerState::Following,
            ServerState::Leading,
            ServerState::Observing,
            ServerState::Standalone,
        ] {
            let json = serde_json::to_value(state).expect("a name");
            assert_eq!(json, role_name(lang, state).name);
            assert_phrase(lang, role_name(lang, state).spoken);
        }
        for phase in [Phase::Election, Phase::Discovery, Phase::Synchronization, Phase::Broadcast, Phase::Standalone]
        {
            assert_eq!(serde_json::to_value(phase).expect("a name"), phase_name(lang, phase).name);
            assert_phrase(lang, phase_name(lang, phase).spoken);
        }
        for status in [Status::Running, Status::Paused, Status::Crashed] {
            assert_phrase(lang, status_name(lang, status).spoken);
        }
        for sync in [SyncKind::Diff, SyncKind::Trunc, SyncKind::Snap] {
            assert_eq!(serde_json::to_value(sync).expect("a name"), sync_name(lang, sync).name);
            assert_phrase(lang, sync_name(lang, sync).spoken);
        }
        for file in [EpochFile::AcceptedEpoch, EpochFile::CurrentEpoch] {
            assert_eq!(serde_json::to_value(file).expect("a name"), epoch_file(lang, file).name);
        }
    }
}

#[test]
fn facts_that_the_runs_do_not_show_are_told_too() {
    let (server, zxid) = (ServerId(2), Zxid::new(3, 4));
    let zab = |fact| Fact::Zab { server, fact };
    let rare = [
        zab(zab::Fact::RefusedToStart { last_zxid: zxid, current_epoch: 2 }),
        zab(zab::Fact::CannotStart { fault: zab::StartFault::NoSnapshot { first: zxid } }),
        zab(zab::Fact::CannotStart { fault: zab::StartFault::Hole { before: zxid, next: zxid.next() } }),
        zab(zab::Fact::CannotStart { fault: zab::StartFault::NotInPeerList }),
        zab(zab::Fact::AcksForgotten { learner: ServerId(1), zxids: vec![zxid, zxid.next()] }),
        zab(zab::Fact::Standalone { last_zxid: Zxid::ZERO }),
        zab(zab::Fact::Left { role: ServerState::Standalone, reason: zab::LeaveReason::DiskFailed }),
        Fact::World(WorldFact::FourLetterUnanswered {
            server,
            word: "SRVR".into(),
            silence: Silence::Closed,
            client: None,
        }),
        Fact::World(WorldFact::FourLetterUnanswered {
            server,
            word: "srvr".into(),
            silence: Silence::Refused,
            client: Some(ClientId(1)),
        }),
        Fact::World(WorldFact::Exited { server }),
        Fact::World(WorldFact::Purged { server, before: zxid, snapshots: 1, logs: 2 }),
        Fact::World(WorldFact::LogTruncated { server, to: zxid, removed: vec![], snapshots: 0 }),
        Fact::World(WorldFact::LogTruncated {
            server,
            to: zxid,
            removed: vec![zxid.next(), zxid.next().next()],
            snapshots: 1,
        }),
    ];
    let reasons = [LeaveReason::QuorumWaitOver, LeaveReason::LaterEpochPromised, LeaveReason::LeaderUnreachable]
        .into_iter()
        .chain([LeaveReason::OlderEpoch, LeaveReason::OutOfOrder, LeaveReason::CannotTruncate])
        .chain([LeaveReason::UnmatchedCommit, LeaveReason::BadSyncPacket])
        .map(|reason| zab(zab::Fact::Left { role: ServerState::Following, reason }));
    let drops = [
        DropReason::Silent,
        DropReason::SlowAck,
        DropReason::NewerHistory,
        DropReason::BadPacket,
        DropReason::Replaced,
    ]
    .map(|reason| zab(zab::Fact::LearnerDropped { learner: ServerId(1), reason }));
    for fact in rare.into_iter().chain(reasons).chain(drops) {
        let record = Record { seq: 0, at_us: SimTime::ZERO, fact, why: None };
        for lang in Lang::ALL {
            let told = narrate(lang, &record).expect("it is told");
            assert_plain(lang, &told.what, "a rare fact");
        }
    }
}

#[test]
#[ignore = "prints the narration of every scenario for a reader"]
fn print_the_narration() {
    for scenario in SCENARIOS {
        println!("\n# {}", scenario.id);
        for record in play(scenario.run(), scenario.until_ms) {
            for sentence in Lang::ALL.iter().filter_map(|&lang| narrate(lang, &record)) {
                let why = sentence.why.map(|why| format!("  ({why})")).unwrap_or_default();
                println!("{:>6} {:?} {}{why}", record.at_us.as_ms(), interest(&record), sentence.what);
            }
        }
    }
}
