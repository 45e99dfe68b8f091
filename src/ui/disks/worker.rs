//! What a worker calls (static/search.js) that reads disks: files come in piece by piece, then it is asked. Its only disks are kept here:
//! a worker has no page, and no engine.

// scripts call what is exported to them, which has to be public
#![allow(unreachable_pub)]

use std::cell::RefCell;

use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::base::limits::MAX_RUN_BYTES;
use crate::disks::archive::{Inflow, Intake};
use crate::disks::content::Room;
use crate::disks::disk::sort;
use crate::disks::examined::Examined;
use crate::disks::report::Started;
use crate::disks::trouble::{Trouble, Wrong};
use crate::sim::ZkVersion;

use super::messages::{Ask, News};

/// How much of all files is kept, bytes, zeros at their ends not counted: a browser has less room than a command.
const ROOM: u64 = 1 << 30;

/// A file that comes in, as far as there is room for it.
struct Open {
    path: String,
    content: Option<Inflow>,
}

thread_local! {
    static INTAKE: RefCell<Option<Intake>> = const { RefCell::new(None) };
    static OPEN: RefCell<Option<Open>> = const { RefCell::new(None) };
    static EXAMINED: RefCell<Option<Examined>> = const { RefCell::new(None) };
}

fn with_intake(change: impl FnOnce(&mut Intake)) {
    let new = || Intake { room: Room::of(ROOM), ..Intake::default() };
    INTAKE.with_borrow_mut(|intake| change(intake.get_or_insert_with(new)));
}

/// A file of this path comes.
#[wasm_bindgen(js_name = diskOpens)]
pub fn disk_opens(path: String) {
    OPEN.set(Some(Open { path, content: Some(Inflow::default()) }));
}

/// So it goes on.
#[wasm_bindgen(js_name = diskBytes)]
pub fn disk_bytes(bytes: &[u8]) {
    OPEN.with_borrow_mut(|open| {
        let Some(Open { path, content }) = open else { return };
        with_intake(|intake| {
            if content.as_mut().is_some_and(|content| content.push(bytes, &mut intake.room).is_err()) {
                *content = None;
                intake.troubles.push(Trouble::of(path, Wrong::NoRoom));
            }
        });
    });
}

/// It ends; where it could not be read to its end, with what the browser says.
#[wasm_bindgen(js_name = diskEnds)]
pub fn disk_ends(wrong: Option<String>) {
    let Some(Open { path, content }) = OPEN.take() else { return };
    with_intake(|intake| match (wrong, content) {
        (Some(why), _) => intake.troubles.push(Trouble::of(&path, Wrong::Io(why))),
        (None, Some(content)) => intake.take_in(&path, content),
        (None, None) => {}
    });
}

/// Answers what is asked ([`Ask`]) with news ([`News`]).
#[wasm_bindgen(js_name = disksAsk)]
pub fn disks_ask(ask: &[u8], tell: &Function) {
    let Ok(ask) = postcard::from_bytes::<Ask>(ask) else { return };
    answer(ask, &mut |news| {
        let bytes = postcard::to_allocvec(&news).unwrap_or_default();
        let _ = tell.call1(&JsValue::NULL, &Uint8Array::from(&bytes[..]));
    });
}

/// The same without a script.
pub(super) fn answer(ask: Ask, tell: &mut dyn FnMut(News)) {
    match ask {
        Ask::Examine { said, zookeeper } => {
            let said = said.into_iter().collect();
            let examined = match (INTAKE.take(), EXAMINED.take()) {
                (Some(intake), _) => Examined::of(sort(intake, &said)),
                (None, Some(examined)) => examined.say(&said),
                (None, None) => return,
            };
            tell(News::Report(Box::new(examined.report())));
            judge(&examined, version(&zookeeper), tell);
            EXAMINED.set(Some(examined));
        }
        Ask::Run { started, zookeeper } => EXAMINED.with_borrow(|examined| {
            if let Some(examined) = examined {
                tell(run(examined, &started, version(&zookeeper)));
            }
        }),
    }
}

fn version(name: &str) -> ZkVersion {
    ZkVersion::named(name).unwrap_or(ZkVersion::V39)
}

/// After the first choice, which is that of all, the case is known; the rest comes when all are judged.
fn judge(examined: &Examined, version: ZkVersion, tell: &mut dyn FnMut(News)) {
    let judged = examined.start(version, |done, all, so_far| {
        let first = (done == 1).then(so_far).map(Box::new);
        tell(News::Judged(done as u32, all as u32, first));
    });
    tell(match judged {
        Ok(start) => News::Start(Box::new(start)),
        Err(unknown) => News::Unknown(unknown),
    });
}

fn run(examined: &Examined, started: &Started, version: ZkVersion) -> News {
    let (run, ids) = match examined.run(started, version) {
        Ok(found) => found,
        Err(unknown) => return News::Unknown(unknown),
    };
    // what is so long is not worth being packed
    let about = run.setup.disks.bytes();
    let text = if about > crate::base::limits::MAX_DISKS_BYTES as u64 { None } else { Some(run.to_json()) };
    match text.filter(|text| text.len() <= MAX_RUN_BYTES) {
        Some(text) => News::Run(text, ids),
        None => News::TooLarge(about >> 20),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SimTime;
    use crate::disks::load::Refusal;
    use crate::i18n::Lang;
    use crate::i18n::disks as said;
    use crate::sim::{Player, Run};

    /// A file of `tests/disks`, handed over as a script does.
    fn read(name: &str, change: impl FnOnce(&mut Vec<u8>)) {
        let path = format!("{}/tests/disks/{name}", env!("CARGO_MANIFEST_DIR"));
        let mut bytes = std::fs::read(path).expect("an archive");
        change(&mut bytes);
        disk_opens(name.rsplit('/').next().unwrap_or_default().into());
        bytes.chunks(4_000).for_each(disk_bytes);
        disk_ends(None);
    }

    /// What is answered, there and back through what pages and workers send each other.
    fn asked(ask: &Ask) -> Vec<News> {
        let ask = postcard::from_bytes(&postcard::to_allocvec(ask).unwrap()).unwrap();
        let mut all = Vec::new();
        answer(ask, &mut |news| {
            let read: News = postcard::from_bytes(&postcard::to_allocvec(&news).unwrap()).unwrap();
            assert_eq!(read, news);
            all.push(read);
        });
        all
    }

    fn examine(said: &[(&str, u64)]) -> Vec<News> {
        let said = said.iter().map(|(folder, id)| (folder.to_string(), *id)).collect();
        asked(&Ask::Examine { said, zookeeper: "3.9".into() })
    }

    #[test]
    fn the_case_comes_first_then_all_and_each_start_is_a_run() {
        read("restart/two-old-copies-outvote-the-newest.tar.gz", |_| ());
        let news = examine(&[]);
        assert!(matches!(&news[0], News::Report(report) if report.servers.len() == 3 && report.start.is_none()));
        let News::Judged(1, 7, Some(first)) = &news[1] else { panic!("{:?}", news[1]) };
        let News::Start(start) = news.last().expect("a verdict") else { panic!("{news:?}") };
        assert_eq!(first.choices[0], start.choices[0]);
        let (judged, told) = (&start.choices[0], &start.choices[0].outcomes[0]);
        let sentence = said::sentence(Lang::En, judged, told);
        assert_eq!(sentence, "If S1 S2 S3 start, S1 leads epoch 3 with 0x2000001fd.");
        assert!(told.seed.is_some(), "{told:?}");
        let started = judged.started(told);
        let [News::Run(text, ids)] = &asked(&Ask::Run { started, zookeeper: "3.9".into() })[..] else {
            panic!("a run")
        };
        let run = Run::from_json(text).expect("a run");
        let mut player = Player::new(run).expect("a run");
        player.run_until(SimTime::from_ms(20_000), |_, _| {});
        let leads = player.leader().map(|id| ids[usize::from(id.0) - 1]);
        assert_eq!(leads, Some(told.reigns[0].leader));
        let (_, worst) = start.outcome(start.worst.unwrap()).unwrap();
        let harm = said::harm(Lang::En, worst);
        assert_eq!(harm, ["510 transactions that only S1 has are lost."]);
    }

    #[test]
    fn what_is_broken_is_told_with_its_file_in_every_language() {
        read("restart/all-alike.tar.gz", |bytes| bytes.truncate(900));
        let News::Report(report) = &examine(&[])[0] else { panic!("a report") };
        assert!(!report.troubles.is_empty());
        for lang in Lang::ALL {
            for trouble in &report.troubles {
                assert!(said::trouble(lang, trouble).contains("all-alike.tar.gz"));
            }
            let refusal = Refusal::AcceptedEpoch { accepted: 1, current: 2 };
            assert!(said::refusal(lang, &refusal).contains('1'));
        }
    }

    #[test]
    fn who_cannot_be_told_apart_is_said_and_then_started() {
        disk_opens("one/version-2/currentEpoch".into());
        disk_bytes(b"1");
        disk_ends(None);
        disk_opens("other/version-2/currentEpoch".into());
        disk_bytes(b"1");
        disk_ends(None);
        let news = examine(&[]);
        assert!(matches!(news.last(), Some(News::Unknown(_))), "{news:?}");
        let news = examine(&[("other", 7), ("one", 4)]);
        let News::Report(report) = &news[0] else { panic!("a report") };
        let names: Vec<&str> = report.servers.iter().map(|server| server.name.as_str()).collect();
        assert_eq!(names, ["S4", "S7"]);
        let Some(News::Start(start)) = news.last() else { panic!("{news:?}") };
        assert_eq!(start.choices[0].start, [4, 7]);
    }
}
