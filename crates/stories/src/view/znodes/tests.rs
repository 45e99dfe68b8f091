//! The tree as a server has it: what is shown of znodes, and how two servers' trees differ.

use super::*;
use crate::base::{ConnId, SimTime};
use crate::scenarios::scenario;
use crate::sim::{Action, Player};
use crate::store::{Op, Txn};
use crate::wire::Acl;

const S1: ServerId = ServerId(1);
const S2: ServerId = ServerId(2);

fn world() -> World {
    let mut player = Player::new(scenario("cold-start-3").unwrap().run()).unwrap();
    player.run_until(SimTime::from_ms(2_000), |_, _| {});
    player.world().clone()
}

fn apply(world: &mut World, server: ServerId, op: Op) {
    let tree = &mut world.processes.get_mut(&server).unwrap().server_mut().unwrap().tree;
    let zxid = tree.last.next();
    tree.apply(zxid, &Txn { session: SessionId(7), cxid: 1, time: 5, op }).outcome.unwrap();
}

fn create(path: &str, owner: Owner) -> Op {
    let data = Some(format!("data of {path}").into());
    Op::Create { path: path.into(), data, acl: Acl::open().into(), owner, parent_cversion: 1, with_stat: false }
}

fn row<'a>(view: &'a ZnodeView, path: &str) -> &'a ZnodeRow {
    view.rows.iter().find(|row| &*row.path == path).unwrap_or_else(|| panic!("{path}"))
}

#[test]
fn every_kind_is_told_and_the_reserved_part_is_closed() {
    let mut world = world();
    for (path, owner) in [
        ("/a", Owner::None),
        ("/a/e-0000000003", Owner::Session(SessionId(7))),
        ("/c", Owner::Container),
        ("/t", Owner::Ttl(500)),
    ] {
        apply(&mut world, S1, create(path, owner));
    }
    let view = znodes(&world, S1, &ZnodeQuery::default());
    assert_eq!(row(&view, "/a").kind, ZnodeKind::Persistent);
    assert!(!row(&view, "/a").sequential && row(&view, "/a/e-0000000003").sequential);
    assert_eq!(row(&view, "/a/e-0000000003").kind, ZnodeKind::Ephemeral(SessionId(7), None));
    assert_eq!(row(&view, "/a/e-0000000003").depth, 2);
    assert_eq!((row(&view, "/c").kind, row(&view, "/t").kind), (ZnodeKind::Container, ZnodeKind::Ttl(500)));
    assert!(!row(&view, "/zookeeper").open && view.rows.iter().all(|row| &*row.path != "/zookeeper/config"));
    let mut query = ZnodeQuery::default();
    query.turn(&"/zookeeper".into());
    query.turn(&"/a".into());
    let view = znodes(&world, S1, &query);
    assert!(row(&view, "/zookeeper/config").data.is_some());
    assert!(view.rows.iter().all(|row| &*row.path != "/a/e-0000000003"));
}

#[test]
fn the_owner_of_an_ephemeral_is_named_when_a_client_holds_the_session() {
    let mut world = world();
    apply(&mut world, S1, create("/e", Owner::Session(SessionId(7))));
    let client = ClientId(4);
    let open = Action::OpenClient { client, servers: vec![S1], timeout_ms: 4_000, chroot: None, raw: false };
    world.append(world.now, open);
    while !world.clients.contains_key(&client) {
        world.step();
    }
    world.clients.get_mut(&client).unwrap().client.session = SessionId(7);
    let view = znodes(&world, S1, &ZnodeQuery::default());
    assert_eq!(row(&view, "/e").kind, ZnodeKind::Ephemeral(SessionId(7), Some(client)));
}

#[test]
fn a_lagging_server_is_seen_lagging() {
    let mut world = world();
    for server in [S1, S2] {
        apply(&mut world, server, create("/a", Owner::None));
        apply(&mut world, server, create("/b", Owner::None));
    }
    let beside = ZnodeQuery { beside: Some(S2), ..ZnodeQuery::default() };
    let view = znodes(&world, S1, &beside);
    assert_eq!(view.last, view.last_there);
    assert!(view.rows.iter().all(|row| row.beside == Beside::Same && !row.differs_below));

    apply(&mut world, S1, create("/a/new", Owner::None));
    apply(&mut world, S1, Op::SetData { path: "/b".into(), data: Some("other".into()), version: 1 });
    let view = znodes(&world, S1, &beside);
    assert_eq!(row(&view, "/a/new").beside, Beside::OnlyHere);
    let Beside::Differs(fields) = &row(&view, "/a").beside else { panic!("/a has a child more") };
    assert_eq!(fields, &["cversion", "numChildren", "pzxid"]);
    let Beside::Differs(fields) = &row(&view, "/b").beside else { panic!("/b was set") };
    assert_eq!(fields, &["data", "mzxid", "version", "dataLength"]);

    let view = znodes(&world, S2, &ZnodeQuery { beside: Some(S1), ..ZnodeQuery::default() });
    assert_eq!(row(&view, "/a/new").beside, Beside::OnlyThere);
    assert!(view.last < view.last_there);
    let closed = ZnodeQuery { turned: ["/a".into()].into(), ..beside };
    assert!(row(&znodes(&world, S1, &closed), "/a").differs_below);
}

#[test]
fn a_large_tree_is_cut_and_what_is_left_is_counted() {
    let mut world = world();
    for number in 0..MOST_ROWS + 100 {
        apply(&mut world, S1, create(&format!("/n{number}"), Owner::None));
    }
    let view = znodes(&world, S1, &ZnodeQuery::default());
    assert_eq!(view.rows.len(), MOST_ROWS);
    let hidden = world.processes[&S1].server().unwrap().tree.below("/zookeeper/").count();
    assert_eq!((view.rows.len() + view.more + hidden, view.endless), (view.count, false));
}

#[test]
fn a_chosen_znode_shows_its_stat_in_the_words_of_zookeeper() {
    let mut world = world();
    apply(&mut world, S1, create("/a", Owner::Session(SessionId(7))));
    let service = &mut world.processes.get_mut(&S1).unwrap().server_mut().unwrap().service;
    service.watches.add(&"/a".into(), ConnId(99), WatchMode::Child);
    let query = ZnodeQuery { chosen: Some("/a".into()), beside: Some(S2), ..ZnodeQuery::default() };
    let view = znodes(&world, S1, &query);
    let here = Watching { at: None, client: None, kind: WatchKind::Child };
    assert_eq!(row(&view, "/a").watches, [here]);
    let sheet = view.sheet.expect("a chosen znode");
    let value = |name| sheet.stat.iter().find(|(field, ..)| *field == name).map(|(_, value, _)| value.as_str());
    assert_eq!((value("ephemeralOwner"), value("dataLength"), value("ctime")), (Some("0x7"), Some("10"), Some("5")));
    assert_eq!(sheet.acl, [("world:anyone".to_string(), "cdrwa".to_string())]);
    let there = znodes(&world, S2, &ZnodeQuery { chosen: Some("/a".into()), beside: Some(S1), ..query });
    assert_eq!(
        row(&there, "/a").watches,
        [Watching { at: Some(S1), ..here }],
        "kept by S1, and watched all the same"
    );
    assert!(there.sheet.is_some_and(|sheet| sheet.only_there));
}

#[test]
fn a_server_that_is_down_has_no_tree() {
    let mut world = world();
    world.append(world.now, Action::Crash { server: S1 });
    while world.processes[&S1].server().is_some() {
        world.step();
    }
    let view = znodes(&world, S1, &ZnodeQuery { beside: Some(S2), ..ZnodeQuery::default() });
    assert!(view.last.is_none() && view.last_there.is_some() && view.rows.is_empty());
    assert!(children_of(&world, S1, "/").is_empty());
    assert!(children_of(&world, S2, "/").contains(&"zookeeper".to_string()));
}

#[test]
fn bytes_that_are_no_text_are_shown_as_hex_with_their_length() {
    let mut world = world();
    let put = |world: &mut World, path: &str, data: Data| {
        let acl = Acl::open().into();
        let op =
            Op::Create { path: path.into(), data, acl, owner: Owner::None, parent_cversion: 1, with_stat: false };
        apply(world, S1, op);
    };
    for (path, data) in [
        ("/count", Some([0, 0, 0, 7].into())),
        ("/long", Some(vec![0xab; 3_000].into())),
        ("/none", Some("".into())),
        ("/null", None),
        ("/text", Some("a\tb".into())),
    ] {
        put(&mut world, path, data);
    }
    let view = znodes(&world, S1, &ZnodeQuery { chosen: Some("/long".into()), ..ZnodeQuery::default() });
    let shown = |text: &str, length| Some(ShownData { text: text.into(), length });
    assert_eq!(row(&view, "/count").data, shown("0x00000007", Some(4)));
    assert_eq!(row(&view, "/long").data, shown(&format!("0x{}…", "ab".repeat(19)), Some(3_000)));
    assert_eq!(row(&view, "/none").data, shown("", None));
    assert_eq!(row(&view, "/null").data, None);
    assert_eq!(row(&view, "/text").data, shown("a\tb", None));
    let sheet = view.sheet.unwrap();
    assert_eq!(sheet.data, shown(&format!("0x{}…", "ab".repeat(1_999)), Some(3_000)));
    assert!(sheet.stat.contains(&("dataLength", "3000".into(), None)));
}
