//! What is hostile gets a sentence: damaged links, streams that nobody wrote, bombs; and nothing of a run is forgotten.

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec;
use std::collections::BTreeSet;

use super::link::{OpenError, decode, encode, open, seal};
use super::moment::{Beside, Moment, Place};
use super::pack::{Packed, PackedRun, pack};
use super::{Look, Qr};
use crate::base::json::{Fields, Json, Read};
use crate::base::limits::{MAX_ACTIONS, MAX_LINK_CHARS, MAX_PLACE_EVENTS, MAX_RUN_BYTES};
use crate::base::{Prng, Stream};
use crate::sim::{Action, FORMAT_VERSION, Player, Run, Setup};

fn look() -> Look {
    let mut look = Look { panel: Some("inspect".into()), picked: Some("S1-S2".into()), ..Look::default() };
    look.scenario = Some("lock-herd".into());
    look.given = vec![("clients".into(), "9".into())];
    look.until_ms = Some(12_345);
    look
}

fn moment(run: Run) -> Moment {
    Moment { run, place: Place { events: 2_718, cursor_us: 1_234_567 }, look: look(), beside: None }
}

/// A run that may be played: of the examples below as many as fit together, in an order of the seed's.
fn some_run(seed: u64) -> Run {
    let (examples, mut prng) = (examples(), Prng::new(seed, Stream::Faults));
    let mut run = Run::new(seed, Setup { voters: 3 + 2 * (seed % 3) as u8, ..Setup::default() });
    for _ in 0..prng.below(80) {
        let action = examples[prng.below(examples.len() as u32) as usize].clone();
        let actions = run.actions.clone();
        run.push(crate::base::SimTime(u64::from(prng.below(60_000_000))), action);
        if run.check().is_err() {
            run.actions = actions;
        }
    }
    run
}

/// Some moments of every kind. (Those of scenarios and of random runs: `tests/share.rs` of the page's crate.)
fn moments() -> Vec<Moment> {
    let mut all = vec![Moment::start(Run::new(0, Setup::default()))];
    all.extend((0..60).map(|seed| moment(some_run(seed))));
    for pair in 0..4 {
        let mut both = all[pair * 3 + 1].clone();
        let beside = all[pair * 3 + 2 - pair % 2].run.clone();
        both.beside = Some(Beside { run: beside, scenario: (pair > 1).then(|| "lock-predecessor".into()) });
        all.push(both);
    }
    all
}

fn survives(moment: &Moment) {
    let link = encode(moment).unwrap_or_else(|trouble| panic!("{trouble:?}: {}", moment.run.to_json()));
    assert_eq!(decode(&link).as_ref(), Ok(moment), "{link}");
    assert_eq!(decode(&format!("https://some.host/page/?lang=en#{link}\n")).as_ref(), Ok(moment));
    assert!(link.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)), "{link}");
}

#[test]
fn runs_survive() {
    moments().iter().for_each(survives);
}

/// The names of actions, one for each: another variant does not compile before it is here, and then needs an example.
fn name(action: &Action) -> &'static str {
    match action {
        Action::Crash { .. } => "crash",
        Action::Kill { .. } => "kill",
        Action::PowerOff { .. } => "power_off",
        Action::Restart { .. } => "restart",
        Action::Pause { .. } => "pause",
        Action::Resume { .. } => "resume",
        Action::Cut { .. } => "cut",
        Action::Heal { .. } => "heal",
        Action::HealAll => "heal_all",
        Action::Latency { .. } => "latency",
        Action::Disk { .. } => "disk",
        Action::DiskFault { .. } => "disk_fault",
        Action::WipeDisk { .. } => "wipe_disk",
        Action::BackUpDisk { .. } => "back_up_disk",
        Action::RestoreBackup { .. } => "restore_backup",
        Action::Write { .. } => "write",
        Action::Add { .. } => "add",
        Action::EditConfig { .. } => "edit_config",
        Action::Oracle { .. } => "oracle",
        Action::OpenClient { .. } => "open_client",
        Action::Ask { .. } => "ask",
        Action::AddAuth { .. } => "add_auth",
        Action::CloseClient { .. } => "close_client",
        Action::KillClient { .. } => "kill_client",
        Action::PauseClient { .. } => "pause_client",
        Action::ResumeClient { .. } => "resume_client",
        Action::DisconnectClient { .. } => "disconnect_client",
        Action::MoveClient { .. } => "move_client",
        Action::ExpireClient { .. } => "expire_client",
        Action::SetUpCurator { .. } => "set_up_curator",
        Action::MakeRecipe { .. } => "make_recipe",
        Action::RunThread { .. } => "run_thread",
        Action::InterruptThread { .. } => "interrupt_thread",
        Action::ConnectOutside { .. } => "connect_outside",
        Action::Ping { .. } => "ping",
        Action::CutLinks { .. } => "cut_links",
        Action::HealLinks { .. } => "heal_links",
        Action::HoldPacket { .. } => "hold_packet",
        Action::ReleasePacket { .. } => "release_packet",
        Action::DropPacket { .. } => "drop_packet",
        Action::DelayPacket { .. } => "delay_packet",
        Action::DelayDisk { .. } => "delay_disk",
        Action::ClockJump { .. } => "clock_jump",
        Action::FourLetter { .. } => "four_letter",
    }
}

/// Examples of every action; of those that hold others, of their kinds too.
const ACTIONS: &str = include_str!("actions.jsonl");

fn examples() -> Vec<Action> {
    let lines = ACTIONS.lines().filter(|line| !line.is_empty());
    lines.map(|line| Json::parse(line).and_then(Action::read).expect(line)).collect()
}

#[test]
fn every_action_survives() {
    let actions = examples();
    let names: BTreeSet<_> = actions.iter().map(name).collect();
    assert_eq!(names.len(), 44, "{names:?}");
    let mut prng = Prng::new(5, Stream::Faults);
    for round in 0..60 {
        let mut run = Run::new(u64::MAX - round, Setup::default());
        for _ in 0..prng.below(40) {
            let action = actions[prng.below(actions.len() as u32) as usize].clone();
            run.push(crate::base::SimTime(u64::from(prng.below(1 << 31))), action);
        }
        survives(&moment(run));
    }
}

#[test]
fn every_field_of_a_setup_survives() {
    let text = serde_json::to_string(&Setup::default()).unwrap();
    let Json::Object(fields) = Json::parse(&text).unwrap() else { panic!("{text}") };
    let mut changed = 0;
    for (name, value) in fields.iter() {
        let other = match value {
            Json::Natural(number) => Json::Natural(number / 2 + 1),
            Json::Bool(on) => Json::Bool(!on),
            Json::List(_) if name == "rules" => Json::List(vec![Json::Text("ack-before-sync".into())]),
            Json::List(_) => Json::List(vec![Json::Natural(3), Json::Natural(599_999_999)]),
            _ => Json::parse(r#"{"min_us":1,"max_us":77}"#).unwrap(),
        };
        let mut fields: Vec<_> = fields.iter().map(|(name, value)| (name.to_string(), value.clone())).collect();
        fields.iter_mut().filter(|(field, _)| field == name).for_each(|(_, value)| *value = other.clone());
        let run = Run::new(1, Setup::read(Json::Object(Fields::of(fields))).unwrap_or_else(|why| panic!("{why}")));
        assert_ne!(run.setup, Setup::default(), "{name}");
        survives(&Moment::start(run));
        changed += 1;
    }
    assert!(changed >= 18, "{changed}");
}

#[test]
fn odd_values_survive() {
    let long = "漢😀\u{7}\"\\ ".repeat(50);
    let actions = [
        format!(r#"{{"do":"write","server":1,"data":{}}}"#, serde_json::to_string(&long).unwrap()),
        r#"{"do":"write","server":1,"data":""}"#.into(),
        r#"{"do":"write","server":1,"data":"007"}"#.into(),
        r#"{"do":"write","server":1,"data":"18446744073709551615"}"#.into(),
        r#"{"do":"write","server":1,"data":"a0"}"#.into(),
        r#"{"do":"write","server":1,"data":"a999999999"}"#.into(),
        r#"{"do":"write","server":1,"data":"a3"}"#.into(),
        r#"{"do":"ask","client":999,"request":{"op":"create","path":"/t","mode":"PERSISTENT_WITH_TTL","ttl":-9223372036854775808}}"#.into(),
        r#"{"do":"ask","client":1,"request":{"op":"setData","path":"","data":null,"version":-2147483648}}"#.into(),
        r#"{"do":"ask","client":1,"request":{"op":"create","path":"/f","acl":[],"flags":-1}}"#.into(),
    ];
    let actions: Vec<String> =
        actions.iter().map(|action| format!(r#"{{"at_us":999999999999,{}"#, &action[1..])).collect();
    let text =
        format!(r#"{{"version":{FORMAT_VERSION},"seed":18446744073709551615,"actions":[{}]}}"#, actions.join(","));
    survives(&Moment::start(Run::from_json(&text).unwrap_or_else(|error| panic!("{error}"))));
}

/// Moments that are read quickly.
fn short_moments() -> Vec<Moment> {
    let mut all = moments();
    for moment in &mut all {
        moment.run.actions.truncate(25);
        moment.beside.iter_mut().for_each(|beside| beside.run.actions.truncate(25));
    }
    all
}

/// A link or a file: either it opens to a run that may be played, or there is a reason.
fn feed(opened: Result<Moment, OpenError>) -> bool {
    let Ok(moment) = opened else { return false };
    assert_eq!(moment.run.check(), Ok(()));
    assert!(moment.place.events <= MAX_PLACE_EVENTS);
    let mut player = Player::new(moment.run).expect("a run that was checked");
    (0..20).for_each(|_| _ = player.step());
    true
}

const ALPHABET: &[u8] = b"ABCXYZabcxyz0189-_.#% \n~";

fn mutate(bytes: &mut Vec<u8>, prng: &mut Prng, alphabet: Option<&[u8]>) {
    for _ in 0..=prng.below(4) {
        let at = prng.below(bytes.len().max(1) as u32) as usize;
        let new =
            alphabet.map_or(prng.below(256) as u8, |letters| letters[prng.below(letters.len() as u32) as usize]);
        match prng.below(4) {
            0 if at < bytes.len() => bytes[at] = new,
            1 => bytes.insert(at.min(bytes.len()), new),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 if prng.chance(1, 4) => bytes.truncate(at),
            _ if at < bytes.len() => bytes[at] ^= 1 << prng.below(8),
            _ => {}
        }
        bytes.retain(|byte| alphabet.is_none() || byte.is_ascii());
    }
}

#[test]
fn mutated_links_never_panic_and_never_open_to_something_else() {
    let mut prng = Prng::new(1, Stream::Faults);
    let links: Vec<(String, Moment)> =
        short_moments().into_iter().map(|moment| (encode(&moment).unwrap(), moment)).collect();
    for round in 0..12_000 {
        let (link, moment) = &links[round % links.len()];
        let mut bytes = link.clone().into_bytes();
        mutate(&mut bytes, &mut prng, Some(ALPHABET));
        let opened = decode(&String::from_utf8_lossy(&bytes));
        assert!(opened.is_err() || opened.as_ref() == Ok(moment), "{}", String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn streams_that_nobody_wrote_never_panic() {
    let mut prng = Prng::new(2, Stream::Faults);
    let streams: Vec<Vec<u8>> = short_moments().iter().map(|moment| pack(moment).unwrap()).collect();
    let mut opened = 0;
    for round in 0..12_000 {
        let mut bytes = match round % 4 {
            0 => (0..prng.below(60)).map(|_| prng.below(256) as u8).collect(),
            1 => streams[round % streams.len()].clone(),
            // what is inside, deflated well
            _ => decompress_to_vec(&streams[round % streams.len()]).unwrap(),
        };
        mutate(&mut bytes, &mut prng, None);
        let stream = if round % 4 < 2 { bytes } else { compress_to_vec(&bytes, 1) };
        opened += u32::from(feed(decode(&seal(FORMAT_VERSION, &stream))));
    }
    assert!(opened > 100, "some of them are runs: {opened}");
}

#[test]
fn mutated_files_never_panic() {
    let mut prng = Prng::new(3, Stream::Faults);
    let mut files: Vec<String> = short_moments().iter().map(|moment| moment.run.to_json()).collect();
    files.extend(short_moments().iter().map(|moment| format!("Look: https://a.b/c#{} !", encode(moment).unwrap())));
    let mut opened = 0;
    for round in 0..12_000 {
        let mut bytes = files[round % files.len()].clone().into_bytes();
        mutate(&mut bytes, &mut prng, Some(br#"0123456789-eE.,:{}[]"atrue nulcrswi#"#));
        opened += u32::from(feed(open(&String::from_utf8_lossy(&bytes))));
    }
    assert!(opened > 100, "some of them are still runs: {opened}");
}

#[test]
fn mutated_looks_are_looks() {
    let mut prng = Prng::new(4, Stream::Faults);
    let original = serde_json::to_string(&look()).unwrap();
    for round in 0..12_000 {
        let mut bytes = original.clone().into_bytes();
        mutate(&mut bytes, &mut prng, Some(br#"0129-.,:{}[]"atruenlcswi"#));
        if let Ok(json) = Json::parse(&String::from_utf8_lossy(&bytes)) {
            let read = Look::of(json);
            let again = serde_json::to_string(&read).unwrap();
            assert_eq!(Json::parse(&again).map(Look::of), Ok(read.clone()));
            if round % 100 == 0 {
                survives(&Moment { look: read, ..Moment::start(Run::new(1, Setup::default())) });
            }
        }
    }
}

/// A link with one run, of actions of these forms.
fn bomb(forms: &[String], later: Vec<u64>, which: Vec<u32>, numbers: Vec<Vec<u64>>) -> String {
    let run = PackedRun { setup: "{}".into(), unit_us: 1, later, which, numbers, ..PackedRun::default() };
    let packed = Packed { forms: forms.to_vec(), runs: vec![run], look: "{}".into(), ..Packed::default() };
    seal(FORMAT_VERSION, &packed.bytes())
}

#[test]
fn bombs_do_not_go_off() {
    let write = |data: &str| format!("{{\"do\":\"write\",\"server\":\0,\"data\":\"{data}\"}}");
    let good = bomb(&[write("x")], vec![7], vec![0], vec![vec![1]]);
    assert!(decode(&good).is_ok(), "a link that is none");
    // 100,000 times a kilobyte; a text as long as a run may be; more actions than there may be
    let ones = |count| vec![vec![1; count]];
    let kilobytes = bomb(&[write(&"x".repeat(1_000))], vec![0; MAX_ACTIONS], vec![0; MAX_ACTIONS], ones(MAX_ACTIONS));
    assert!(kilobytes.len() < 30_000, "{}", kilobytes.len());
    let text = bomb(&[write(&"y".repeat(MAX_RUN_BYTES))], vec![0], vec![0], ones(1));
    let actions = bomb(&[write("x")], vec![0; MAX_ACTIONS + 1], vec![0; MAX_ACTIONS + 1], ones(MAX_ACTIONS + 1));
    for link in [kilobytes, text, actions] {
        assert_eq!(decode(&link), Err(OpenError::TooLong), "{} characters", link.len());
    }
    // times without an end, forms and numbers that are not there, lists within lists
    for (form, later, which, numbers) in [
        (write("x"), vec![u64::MAX, 1], vec![0, 0], vec![1, 1]),
        (write("x"), vec![1], vec![1], vec![1]),
        (write("x"), vec![1, 2], vec![0], vec![1, 1]),
        (write("x"), vec![1, 2], vec![0, 0], vec![1]),
        ("[".repeat(200_000), vec![1], vec![0], vec![]),
    ] {
        assert!(decode(&bomb(&[form], later, which, vec![numbers])).is_err());
    }
}

#[test]
fn sizes_are_looked_at_first() {
    assert_eq!(decode(&"a".repeat(MAX_LINK_CHARS + 1)), Err(OpenError::TooLong));
    assert_eq!(open(&" ".repeat(MAX_RUN_BYTES + 1)), Err(OpenError::TooLong));
    assert!(!feed(open(&"[".repeat(1_000_000))));
    assert!(!feed(open(&"{\"a\":".repeat(1_000_000))));
    let mut moment = Moment::start(Run::new(1, Setup::default()));
    moment.place.events = MAX_PLACE_EVENTS + 1;
    assert_eq!(encode(&moment), Err(OpenError::TooLong));
    let older = Run { version: 1, ..Run::new(1, Setup::default()) };
    assert!(matches!(open(&older.to_json()), Err(OpenError::Older { format: 1 })));
}

#[test]
fn what_is_foreign_old_or_new_is_told_apart() {
    let good = encode(&moment(some_run(7))).unwrap();
    for (link, trouble) in [
        ("", OpenError::NoLink),
        ("#", OpenError::NoLink),
        ("lesson-3", OpenError::NoLink),
        ("1.2", OpenError::NoLink),
        ("b4.ä", OpenError::NoLink),
        ("b9999999999.AAAA", OpenError::NoLink),
        ("c2.AAAA", OpenError::Newer),
        ("b999.AAAA", OpenError::Newer),
        ("a1.AAAA", OpenError::Older { format: 1 }),
        ("a2.AAAA", OpenError::Older { format: 2 }),
        ("b4.A", OpenError::Damaged),
        ("b4.AAAA", OpenError::Damaged),
        (&good[..good.len() - 1], OpenError::Damaged),
        (&good.replacen(['A', 'B', 'C', 'd', 'e', 'f'], "g", 1), OpenError::Damaged),
    ] {
        assert_eq!(decode(link), Err(trouble), "{link}");
    }
    for (file, trouble) in [
        ("", OpenError::NoFile),
        ("Dear all,\nsee https://example.org/#top.", OpenError::NoFile),
        ("[1,2]", OpenError::NoFile),
        (r#"{"version":1,"seed":3,"old":true}"#, OpenError::Older { format: 1 }),
        (r#"{"version":77,"new":true}"#, OpenError::Newer),
    ] {
        assert_eq!(open(file), Err(trouble), "{file}");
    }
    for (file, why) in
        [("{", "line 1"), ("{}", "version"), (r#"{"version":4,"sead":3}"#, "sead"), (r#"{"version":0}"#, "format 0")]
    {
        let Err(OpenError::Run(error)) = open(file) else { panic!("{file}: {:?}", open(file)) };
        assert!(error.to_string().contains(why), "{error}");
    }
    let letter = format!("See <https://example.org/zab/?theme=dark#{good}>.\nBest, J.");
    assert_eq!(open(&letter), decode(&good));
    assert_eq!(open(&format!("\u{feff} {}", some_run(7).to_json())), Ok(Moment::start(some_run(7))));
}

#[test]
fn a_link_is_made_the_same_everywhere_and_for_ever() {
    let mut run = Run::new(7, Setup { voters: 5, ..Setup::default() });
    run.push(crate::base::SimTime(912_345), Action::Crash { server: crate::base::ServerId(5) });
    let moment = Moment { place: Place { events: 99, cursor_us: 1_000_001 }, ..Moment::start(run) };
    // links that people keep: where this changes, the codec's letter must change too
    assert_eq!(encode(&moment).as_deref(), Ok(KEPT));
    assert_eq!(decode(KEPT), Ok(moment.clone()));
    // one of format 3 is the same moment of a run that is known to be older
    let older = Run { version: 3, ..moment.run.clone() };
    assert_eq!(decode(KEPT_OF_3), Ok(Moment { run: older, ..moment }));
}

const KEPT: &str = "b4.5NiwJwE8AMP_ARl7ImRvIjoiY3Jhc2giLCJzZXJ2ZXIiOgB9AQcMeyJ2b3RlcnMiOjV9AQHZ1zcBAAEBBWPBhD0Ce30A";
const KEPT_OF_3: &str =
    "b3.1ZYC3QE8AMP_ARl7ImRvIjoiY3Jhc2giLCJzZXJ2ZXIiOgB9AQcMeyJ2b3RlcnMiOjV9AQHZ1zcBAAEBBWPBhD0Ce30A";

#[test]
fn a_qr_code_has_the_shape_of_one() {
    let link = encode(&moment(some_run(3))).unwrap();
    let mut text = format!("https://example.org/zabscope/#{link}");
    text.truncate(300);
    let qr = Qr::new(&text).unwrap();
    assert!((21..=177).contains(&qr.size) && (qr.size - 17).is_multiple_of(4), "{}", qr.size);
    let far = qr.size - 7;
    for (left, top) in [(0, 0), (far, 0), (0, far)] {
        // a finder: a dark ring, a light one, a dark middle
        for (x, y) in (0..7).flat_map(|y| (0..7).map(move |x| (x, y))) {
            let ring = (x as i32 - 3).abs().max((y as i32 - 3).abs());
            assert_eq!(qr.is_dark(left + x, top + y), ring != 2, "{x},{y} of the finder at {left},{top}");
        }
    }
    for at in 8..qr.size - 8 {
        assert_eq!((qr.is_dark(at, 6), qr.is_dark(6, at)), (at % 2 == 0, at % 2 == 0), "timing at {at}");
    }
    assert!(!qr.is_dark(qr.size, 0) && !qr.is_dark(0, qr.size));
    // the path covers each dark module once
    let mut covered = 0;
    for piece in qr.path().split('M').skip(1) {
        let run: usize = piece.split(['h', 'v']).nth(1).unwrap().parse().unwrap();
        covered += run;
    }
    let dark =
        (0..qr.size).flat_map(|y| (0..qr.size).map(move |x| (x, y))).filter(|(x, y)| qr.is_dark(*x, *y)).count();
    assert_eq!(covered, dark);
    assert_eq!(Qr::new(&"x".repeat(2_953)).map(|qr| qr.size), Ok(177));
    assert_eq!(Qr::new(&"x".repeat(2_954)), Err(OpenError::NoQr { chars: 2_954 }));
}
