//! Frames as `org.apache.zookeeper.proto` of ZooKeeper 3.8.0 writes them.

use zabscope_ground::base::{SessionId, Zxid};
use zabscope_ground::wire::{
    Acl, AddWatchMode, Answer, AuthId, Code, CreateMode, Data, EventType, Password, Perms, Request, SetWatches, Stat,
    ToClient, ToServer, WatchedEvent, WatcherType,
};

use crate::{Greeting, Received, greeted, reply, sent, told};

const ANYONE: &str = "000000010000001f00000005776f726c6400000006616e796f6e65";
const PASSWORD: &str = "000102030405060708090a0b0c0d0e0f";
const STAT: &str = "0000000000000001000000000000000200000000000000030000000000000004\
                    0000000500000006000000070000000000000008000000090000000a000000000000000b";

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> =
        hex.bytes().filter_map(|byte| char::from(byte).to_digit(16)).map(|digit| digit as u8).collect();
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

/// Without its length.
fn record(frame: &[u8]) -> String {
    frame[4..].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn stat() -> Stat {
    Stat {
        czxid: Zxid(1),
        mzxid: Zxid(2),
        ctime: 3,
        mtime: 4,
        version: 5,
        cversion: 6,
        aversion: 7,
        ephemeral_owner: SessionId(8),
        data_length: 9,
        num_children: 10,
        pzxid: Zxid(11),
    }
}

fn create(path: &str, data: Data, mode: CreateMode, ttl: i64) -> Request {
    Request::Create { path: path.into(), data, acl: Acl::open(), mode, ttl, stat: false, flags: None }
}

fn parts() -> Request {
    Request::Multi {
        ops: vec![
            create("/m", Some([1].into()), CreateMode::Persistent, 0),
            Request::Delete { path: "/n".into(), version: -1 },
            Request::SetData { path: "/o".into(), data: Some([2].into()), version: 3 },
            Request::Check { path: "/q".into(), version: 4 },
        ],
    }
}

/// What is no create of its kind is judged by the server, as `PrepRequestProcessor` and `EphemeralType.validateTTL` do.
#[test]
fn a_plain_mode_belongs_to_every_create() {
    let read = |op: i32, flag: i32, ttl: &str| {
        let hex = format!("00000007{op:08x}000000022f61ffffffff{ANYONE}{flag:08x}{ttl}");
        match Received::of(&bytes(&hex)) {
            Ok(Received::Packet(ToServer::Request {
                request: Request::Create { mode, ttl, stat, flags, .. },
                ..
            })) => (mode, ttl, stat, flags),
            other => panic!("{other:?}"),
        }
    };
    use CreateMode::{Container, Ephemeral, Persistent, PersistentWithTtl};
    let (some, none) = ("0000000000000005", "ffffffffffffffff");
    assert_eq!(read(crate::op::CREATE, 1, ""), (Ephemeral, 0, false, None));
    assert_eq!(read(crate::op::CREATE, 4, ""), (Persistent, 0, false, Some(4)));
    assert_eq!(read(crate::op::CREATE_CONTAINER, 4, ""), (Container, 0, false, None));
    assert_eq!(read(crate::op::CREATE_CONTAINER, 1, ""), (Ephemeral, 0, true, None));
    assert_eq!(read(crate::op::CREATE_CONTAINER, 5, ""), (Persistent, 0, true, Some(5)));
    assert_eq!(read(crate::op::CREATE_TTL, 5, some), (PersistentWithTtl, 5, false, None));
    assert_eq!(read(crate::op::CREATE_TTL, 0, none), (Persistent, 0, true, None));
    assert_eq!(read(crate::op::CREATE_TTL, 0, some), (Persistent, 0, true, Some(-1)), "it has no use for the time");
}

#[test]
fn requests_are_written_as_java_does() {
    let list = |path: &str| vec![path.into()];
    let watches = SetWatches {
        relative_zxid: Zxid(5),
        data: list("/d"),
        exist: list("/e"),
        child: list("/f"),
        persistent: list("/p"),
        recursive: list("/r"),
    };
    let (container, none) = (Some("".into()), None);
    let reads = vec![
        Request::GetData { path: "/m".into(), watch: false },
        Request::GetChildren { path: "/n".into(), watch: false, stat: false },
    ];
    let (joining, leaving, members) = (Some("server.4=x".into()), Some("2".into()), None);
    let any = WatcherType::Any;
    let recursive = AddWatchMode::PersistentRecursive;
    for (xid, request, hex) in [
        (
            7,
            create("/a", Some("hi".into()), CreateMode::EphemeralSequential, 0),
            "0000000700000001000000022f61000000026869000000010000001f00000005776f726c6400000006616e796f6e6500000003",
        ),
        (
            8,
            create("/t", none, CreateMode::PersistentWithTtl, 60_000),
            "0000000800000015000000022f74ffffffff000000010000001f00000005776f726c6400000006616e796f6e6500000005000000000000ea60",
        ),
        (
            9,
            create("/c", container, CreateMode::Container, 0),
            "0000000900000013000000022f6300000000000000010000001f00000005776f726c6400000006616e796f6e6500000004",
        ),
        (10, Request::GetChildren { path: "/".into(), watch: true, stat: true }, "0000000a0000000c000000012f01"),
        (
            -8,
            Request::SetWatches(watches),
            "fffffff800000069000000000000000500000001000000022f6400000001000000022f6500000001000000022f66\
             00000001000000022f7000000001000000022f72",
        ),
        (11, Request::CloseSession, "0000000bfffffff5"),
        (12, Request::AddWatch { path: "/w".into(), mode: recursive }, "0000000c0000006a000000022f7700000001"),
        (13, Request::RemoveWatches { path: "/w".into(), kind: any }, "0000000d00000012000000022f7700000003"),
        (
            14,
            Request::Reconfig { joining, leaving, members, version: -1 },
            "0000000e000000100000000a7365727665722e343d780000000132ffffffffffffffffffffffff",
        ),
        (
            15,
            parts(),
            "0000000f0000000e0000000100ffffffff000000022f6d0000000101000000010000001f00000005776f726c6400000006616e796f6e65\
             000000000000000200ffffffff000000022f6effffffff0000000500ffffffff000000022f6f00000001020000000300\
             00000d00ffffffff000000022f7100000004ffffffff01ffffffff",
        ),
        (
            16,
            Request::MultiRead { ops: reads },
            "00000010000000160000000400ffffffff000000022f6d000000000800ffffffff000000022f6e00ffffffff01ffffffff",
        ),
    ] {
        let packet = ToServer::Request { xid, request };
        assert_eq!(record(&sent(&packet)), hex, "{packet:?}");
        assert_eq!(Received::of(&bytes(hex)), Ok(Received::Packet(packet)));
    }
}

#[test]
fn connections_begin_as_they_do_in_java() {
    let (session, password) = (SessionId(0x10_0000_abcd), Password(0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f));
    let connect = format!("00000000000000010000000200002710000000100000abcd00000010{PASSWORD}");
    let packet = |read_only| ToServer::Connect {
        last_zxid_seen: Zxid::new(1, 2),
        timeout_ms: 10_000,
        session,
        password,
        read_only,
    };
    let greeting = |knows_read_only, read_only| Ok(Greeting { packet: packet(read_only), knows_read_only });
    assert_eq!(Greeting::of(&bytes(&connect)), greeting(false, false), "a client before 3.4");
    assert_eq!(Greeting::of(&bytes(&format!("{connect}01"))), greeting(true, true));
    assert_eq!(record(&sent(&packet(true))), format!("{connect}01"));

    let connected = format!("0000000000001770000000100000abcd00000010{PASSWORD}");
    let answer = ToClient::Connected { timeout_ms: 6_000, session, password, read_only: false };
    assert_eq!(record(&reply(&answer, None, false)), connected);
    assert_eq!(record(&reply(&answer, None, true)), format!("{connected}00"));
    assert_eq!(greeted(&bytes(&connected)), Ok(answer));

    let auth = ToServer::auth("digest".into(), Some("u:p".into()));
    assert_eq!(record(&sent(&auth)), "fffffffc00000064000000000000000664696765737400000003753a70");
    assert_eq!(record(&sent(&ToServer::Ping)), "fffffffe0000000b");
}

#[test]
fn answers_are_written_as_java_does() {
    let get = |path: &str| Request::GetData { path: path.into(), watch: false };
    let list = Request::GetChildren { path: "/".into(), watch: false, stat: true };
    let watch = Request::AddWatch { path: "/w".into(), mode: AddWatchMode::Persistent };
    let stat = stat();
    let done = vec![Ok(Answer::Path("/m".into())), Ok(Answer::Done), Ok(Answer::Stat(stat)), Ok(Answer::Done)];
    let failed = [Code::Ok, Code::NoNode, Code::RuntimeInconsistency, Code::RuntimeInconsistency].map(Err).to_vec();
    let who = vec![AuthId { scheme: "ip".into(), id: "127.0.0.1".into() }];
    for (xid, zxid, request, answer, hex) in [
        (1, Zxid::new(2, 3), get("/a"), Answer::Data { data: Some("xy".into()), stat }, format!("000000027879{STAT}")),
        (
            15,
            Zxid(1),
            parts(),
            Answer::Multi(done),
            format!(
                "000000010000000000000000022f6d000000020000000000000000050000000000{STAT}0000000d0000000000ffffffff01ffffffff"
            ),
        ),
        (
            15,
            Zxid(1),
            parts(),
            Answer::Multi(failed),
            "ffffffff000000000000000000ffffffff00ffffff9bffffff9bffffffff00fffffffefffffffeffffffff00fffffffefffffffe\
             ffffffff01ffffffff"
                .to_string(),
        ),
        (
            10,
            Zxid(1),
            list,
            Answer::Children { names: vec!["a".into(), "b".into()], stat: Some(stat) },
            format!("0000000200000001610000000162{STAT}"),
        ),
        (3, Zxid(1), Request::GetAcl { path: "/a".into() }, Answer::Acl { acl: Acl::open(), stat }, format!("{ANYONE}{STAT}")),
        (
            3,
            Zxid(1),
            Request::WhoAmI,
            Answer::Identities(who),
            "0000000100000002697000000009".to_string() + "3132372e302e302e31",
        ),
        (12, Zxid(1), watch, Answer::Done, "00000000".to_string()),
    ] {
        let packet = ToClient::Reply { xid, zxid, outcome: Ok(answer) };
        let frame = reply(&packet, Some(&request), true);
        let header = format!("{xid:08x}{:016x}00000000", zxid.0);
        assert_eq!(record(&frame), format!("{header}{hex}"), "{packet:?}");
        assert_eq!(told(&frame[4..], Some(&request)), Ok(packet));
    }
    let event = WatchedEvent::at(EventType::NodeDataChanged, "/a".into());
    let packet = ToClient::Event { zxid: None, event };
    let frame = reply(&packet, None, true);
    assert_eq!(record(&frame), "ffffffffffffffffffffffff000000000000000300000003000000022f61");
    assert_eq!(told(&frame[4..], None), Ok(packet));
}

#[test]
fn kazoo_writes_no_text_as_null() {
    let set = bytes("0000000100000007000000022f61000000010000001f0000000461757468ffffffffffffffff");
    let who = AuthId { scheme: "auth".into(), id: "".into() };
    let request = Request::SetAcl { path: "/a".into(), acl: vec![Acl { perms: Perms::ALL, who }], version: -1 };
    assert_eq!(Received::of(&set), Ok(Received::Packet(ToServer::Request { xid: 1, request })));
}

/// What servers count as a packet's length is how long it is.
#[test]
fn lengths_are_those_that_servers_count() {
    let set = Request::SetData { path: "/a".into(), data: Some("xyz".into()), version: 1 };
    for request in [
        create("/a", Some("hi".into()), CreateMode::Ephemeral, 0),
        set,
        parts(),
        create("/t", None, CreateMode::PersistentWithTtl, 9),
    ] {
        let packet = ToServer::Request { xid: 1, request };
        assert_eq!(sent(&packet).len(), 4 + packet.bytes(), "{packet:?}");
    }
    let reply_to = |request: &Request, answer| {
        let packet = ToClient::Reply { xid: 1, zxid: Zxid(1), outcome: answer };
        (reply(&packet, Some(request), true).len(), 4 + packet.bytes())
    };
    let (counted, counts) = reply_to(&parts(), Ok(Answer::Multi(vec![Err(Code::NoNode); 4])));
    assert_eq!(counted, counts);
    let (counted, counts) = reply_to(&Request::Sync { path: "/".into() }, Err(Code::SessionMoved));
    assert_eq!(counted, counts);
}

#[test]
fn what_no_client_may_ask_for_is_told_by_its_number() {
    let of = |op: i32| Received::of(&[5_i32.to_be_bytes(), op.to_be_bytes()].concat());
    assert_eq!(of(102), Ok(Received::Sasl { xid: 5 }));
    for op in [0, 10, 20, 23, 108, -1, -10, 12_345] {
        assert_eq!(of(op), Ok(Received::Unknown { xid: 5, op }));
    }
    assert!(of(1).is_err() && Received::of(&[0, 0, 0]).is_err() && Greeting::of(&[]).is_err());
    let in_a_multi = [15_i32, 14, 9].map(i32::to_be_bytes).concat();
    let error = Received::of(&[in_a_multi, vec![0; 5]].concat()).unwrap_err();
    assert_eq!(error.to_string(), "9 is no operation of a multi");
}
