//! Data that are no text, from a line to every server's tree and back.

use crate::base::{ClientId, Prng, SimTime, Stream};
use crate::console::ConsoleHost;
use crate::share::{Moment, decode, encode};
use crate::sim::Run;
use crate::timeline::Session;
use crate::wire::Bytes;

use super::hosting::{C1, go, open, settled, texts};

/// What a line prints.
fn typed(session: &mut Session, host: &mut ConsoleHost, client: ClientId, line: &str) -> Vec<String> {
    let before = texts(host).len();
    host.enter(session, client, line);
    go(session, host, 100);
    while host.consoles[&client].is_busy() {
        go(session, host, 20);
    }
    texts(host)[before + 1..].to_vec()
}

/// As typed into zkCli 3.9.5.
#[test]
fn a_byte_that_is_no_text_is_kept_and_shown() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    let mut say = |line: &str| typed(&mut session, &mut host, C1, line);
    assert_eq!(say("create /a"), ["Created /a"]);
    assert_eq!(say("get -b /a"), ["bnVsbA=="], "null is shown as its name");
    assert_eq!(say("set -b /a /w=="), [""; 0]);
    assert_eq!(say("get -b /a"), ["/w=="]);
    let dump = [
        "         +-------------------------------------------------+",
        "         |  0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f |",
        "+--------+-------------------------------------------------+----------------+",
        "|00000000| ff                                              |.               |",
        "+--------+-------------------------------------------------+----------------+",
    ];
    assert_eq!(say("get -x /a"), dump);
    assert_eq!(say("get /a"), ["\u{fffd}"]);
    assert!(say("stat /a").iter().any(|line| line == "dataLength = 1"));
    assert_eq!(say("set -b /a \"\""), [""; 0]);
    assert_eq!([say("get /a"), say("get -b /a"), say("get -x /a")], [[""], [""], [""]], "no bytes are not null");
}

/// Random bytes come through the console, the requests of a run, its JSON, a link, transactions and trees as they are.
#[test]
fn any_bytes_come_through_everything() {
    let (mut session, mut host) = settled();
    open(&mut session, &mut host);
    typed(&mut session, &mut host, C1, "create /a");
    let mut prng = Prng::new(48, Stream::Crowd);
    for _ in 0..40 {
        let length = prng.below(40);
        let bytes: Bytes = (0..length).map(|_| prng.below(256) as u8).collect::<Vec<u8>>().into();
        let base64 = if bytes.is_empty() { "\"\"".to_string() } else { bytes.base64() };
        assert_eq!(typed(&mut session, &mut host, C1, &format!("set -b /a {base64}")), [""; 0]);
        assert_eq!(typed(&mut session, &mut host, C1, "get -b /a"), [bytes.base64()]);
        assert_eq!(typed(&mut session, &mut host, C1, "get /a").join("\n"), bytes.decoded());
        for process in session.world().processes.values() {
            let tree = &process.server().unwrap().tree;
            assert_eq!(tree.get("/a").unwrap().data.as_ref(), Some(&bytes));
        }
    }
    let run = Run::clone(session.player().run());
    assert_eq!(Run::from_json(&run.to_json()).unwrap(), run);
    let moment = Moment::start(run);
    assert_eq!(decode(&encode(&moment).unwrap()).unwrap(), moment);
    let (end, digest) = (session.world().now, session.player().digest());
    let mut again = Session::new(moment.run, None).unwrap();
    again.seek(SimTime::from_ms(end.as_ms())).unwrap();
    assert_eq!(again.player().digest(), digest, "the run is all that there is to it");
}
