//! ZooKeeper's client protocol as bytes: whatever can be said survives them, and whatever else they are does no harm.

use std::rc::Rc;

use zabscope::base::{Prng, SessionId, Stream, Zxid};
use zabscope::wire::{
    Acl, AddWatchMode, Answer, AuthId, Code, CreateMode, Data, EventType, KeeperState, Outcome, Password, Perms,
    Request, SetWatches, Stat, ToClient, ToServer, WatchedEvent, WatcherType,
};
use zabscope_jute::{Frames, Greeting, Incoming, Received, greeted, reply, sent, told};

use crate::length::seeds;

/// `jute.maxbuffer`.
const MOST: usize = 0xfffff;

/// Draws what clients and servers may say.
struct Draws(Prng);

impl Draws {
    fn new(seed: u64) -> Draws {
        Draws(Prng::new(seed, Stream::Crowd))
    }

    fn below(&mut self, n: u32) -> u32 {
        self.0.below(n)
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }

    fn coin(&mut self) -> bool {
        self.below(2) == 0
    }

    fn number(&mut self) -> i32 {
        self.below(u32::MAX) as i32
    }

    fn text(&mut self) -> Rc<str> {
        self.pick(&["", "/", "/a", "/a/b-0000000007", "/中文", "digest", "u:p", "/x y"]).into()
    }

    fn some<T>(&mut self, mut each: impl FnMut(&mut Draws) -> T) -> Vec<T> {
        (0..self.below(4)).map(|_| each(self)).collect()
    }

    fn data(&mut self) -> Data {
        let length = self.below(40);
        (!self.0.chance(1, 5)).then(|| (0..length).map(|_| self.below(256) as u8).collect::<Vec<_>>().into())
    }

    fn acl(&mut self) -> Vec<Acl> {
        let who = |draws: &mut Draws| AuthId { scheme: draws.text(), id: draws.text() };
        self.some(|draws| Acl { perms: Perms(draws.below(32) as u8), who: who(draws) })
    }

    fn stat(&mut self) -> Stat {
        let zxid = |draws: &mut Draws| Zxid::new(draws.below(9), draws.below(99));
        let (czxid, mzxid, pzxid) = (zxid(self), zxid(self), zxid(self));
        let (version, cversion, aversion) = (self.number(), self.number(), self.number());
        let (ctime, mtime) = (self.number().into(), -1);
        let ephemeral_owner = SessionId(self.0.between(0, u64::MAX - 1));
        let (data_length, num_children) = (self.number(), self.number());
        Stat {
            czxid,
            mzxid,
            ctime,
            mtime,
            version,
            cversion,
            aversion,
            ephemeral_owner,
            data_length,
            num_children,
            pzxid,
        }
    }

    fn create(&mut self) -> Request {
        use CreateMode::*;
        let all = [
            Persistent,
            PersistentSequential,
            Ephemeral,
            EphemeralSequential,
            Container,
            PersistentWithTtl,
            PersistentSequentialWithTtl,
        ];
        let mode = self.pick(&all);
        let plain = !mode.is_ttl() && mode != Container;
        let flags = (plain && self.0.chance(1, 8)).then_some(99);
        let mode = if flags.is_some() { Persistent } else { mode };
        let ttl = if mode.is_ttl() { self.number().into() } else { 0 };
        let stat = plain && self.coin();
        Request::Create { path: self.text(), data: self.data(), acl: self.acl(), mode, ttl, stat, flags }
    }

    fn writing_part(&mut self) -> Request {
        match self.below(4) {
            0 => self.create(),
            1 => Request::Delete { path: self.text(), version: self.number() },
            2 => Request::SetData { path: self.text(), data: self.data(), version: self.number() },
            _ => Request::Check { path: self.text(), version: self.number() },
        }
    }

    fn reading_part(&mut self) -> Request {
        match self.coin() {
            true => Request::GetData { path: self.text(), watch: false },
            false => Request::GetChildren { path: self.text(), watch: false, stat: false },
        }
    }

    fn request(&mut self) -> Request {
        let kinds = [WatcherType::Children, WatcherType::Data, WatcherType::Any, WatcherType::Persistent];
        let path = self.text();
        match self.below(18) {
            0..=3 => self.writing_part(),
            4 => Request::Exists { path, watch: self.coin() },
            5 => Request::GetData { path, watch: self.coin() },
            6 => Request::GetAcl { path },
            7 => Request::SetAcl { path, acl: self.acl(), version: self.number() },
            8 => Request::GetChildren { path, watch: self.coin(), stat: self.coin() },
            9 => Request::GetAllChildrenNumber { path },
            10 => Request::GetEphemerals { prefix: path },
            11 => Request::Sync { path },
            12 => {
                let (joining, leaving) = (Some(path), None);
                Request::Reconfig { joining, leaving, members: Some(self.text()), version: self.number().into() }
            }
            13 => Request::Multi { ops: self.some(Draws::writing_part) },
            14 => Request::MultiRead { ops: self.some(Draws::reading_part) },
            15 => Request::AddWatch {
                path,
                mode: self.pick(&[AddWatchMode::Persistent, AddWatchMode::PersistentRecursive]),
            },
            16 => match self.coin() {
                true => Request::RemoveWatches { path, kind: self.pick(&kinds) },
                false => Request::CheckWatches { path, kind: self.pick(&kinds) },
            },
            _ => self.without_record(),
        }
    }

    fn without_record(&mut self) -> Request {
        match self.below(3) {
            0 => Request::WhoAmI,
            1 => Request::CloseSession,
            _ => Request::SetWatches(SetWatches {
                relative_zxid: Zxid::new(1, self.below(9)),
                data: self.some(Draws::text),
                exist: self.some(Draws::text),
                child: self.some(Draws::text),
                persistent: self.some(Draws::text),
                recursive: self.some(Draws::text),
            }),
        }
    }

    fn any_to_server(&mut self) -> ToServer {
        match self.below(8) {
            0 => ToServer::Ping,
            1 => ToServer::auth(self.text(), self.coin().then(|| self.text())),
            _ => ToServer::Request { xid: self.below(1_000) as i32 + 1, request: self.request() },
        }
    }

    fn connect(&mut self) -> ToServer {
        ToServer::Connect {
            last_zxid_seen: Zxid::new(self.below(9), self.below(9)),
            timeout_ms: self.below(60_000),
            session: SessionId(self.0.between(0, u64::MAX - 1)),
            password: Password(self.0.between(0, u64::MAX - 1).into()),
            read_only: self.coin(),
        }
    }

    /// What a server may answer to a request.
    fn outcome(&mut self, request: &Request) -> Outcome {
        if self.0.chance(1, 6) {
            return Err(self.pick(&[Code::NoNode, Code::BadVersion, Code::SessionMoved, Code::QuotaExceeded]));
        }
        Ok(match request {
            Request::Create { stat, mode, flags, .. } => match *stat || flags.is_none() && needs_stat(*mode) {
                true => Answer::Created { path: self.text(), stat: self.stat() },
                false => Answer::Path(self.text()),
            },
            Request::Sync { .. } => Answer::Path(self.text()),
            Request::Exists { .. } | Request::SetData { .. } | Request::SetAcl { .. } => Answer::Stat(self.stat()),
            Request::GetData { .. } | Request::Reconfig { .. } => {
                Answer::Data { data: self.data(), stat: self.stat() }
            }
            Request::GetAcl { .. } => Answer::Acl { acl: self.acl(), stat: self.stat() },
            Request::GetChildren { stat, .. } => {
                Answer::Children { names: self.some(Draws::text), stat: stat.then(|| self.stat()) }
            }
            Request::GetAllChildrenNumber { .. } => Answer::Number(self.number()),
            Request::GetEphemerals { .. } => Answer::Paths(self.some(Draws::text)),
            Request::WhoAmI => {
                Answer::Identities(self.some(|draws| AuthId { scheme: draws.text(), id: draws.text() }))
            }
            Request::Multi { ops } | Request::MultiRead { ops } => {
                Answer::Multi(ops.iter().map(|op| self.outcome(op)).collect())
            }
            _ => Answer::Done,
        })
    }

    fn any_to_client(&mut self, request: &Request, xid: i32) -> ToClient {
        match self.below(8) {
            0 => ToClient::Pong,
            1 => ToClient::Auth { code: self.pick(&[Code::Ok, Code::AuthFailed]) },
            2 => {
                let kinds = [EventType::NodeCreated, EventType::NodeDeleted, EventType::NodeChildrenChanged];
                let event = WatchedEvent {
                    kind: self.pick(&kinds),
                    path: Some("/a".into()),
                    state: KeeperState::SyncConnected,
                };
                ToClient::Event { zxid: self.coin().then(|| Zxid::new(2, 3)), event }
            }
            _ => ToClient::Reply { xid, zxid: Zxid::new(1, self.below(99)), outcome: self.outcome(request) },
        }
    }
}

fn needs_stat(mode: CreateMode) -> bool {
    mode == CreateMode::Container || mode.is_ttl()
}

/// The one frame in these bytes.
fn frame(bytes: &[u8]) -> Vec<u8> {
    let mut frames = Frames::new(MOST);
    frames.push(bytes);
    let Ok(Some(Incoming::Frame(frame))) = frames.next() else { panic!("{bytes:?} are no frame") };
    assert_eq!(frames.next(), Ok(None));
    frame
}

#[test]
fn whatever_can_be_said_survives() {
    for seed in seeds(20_000) {
        let mut draws = Draws::new(seed);
        let connect = draws.connect();
        assert_eq!(Greeting::of(&frame(&sent(&connect))), Ok(Greeting { packet: connect, knows_read_only: true }));
        let packet = draws.any_to_server();
        assert_eq!(Received::of(&frame(&sent(&packet))), Ok(Received::Packet(packet.clone())), "seed {seed}");
        let (session, password) = (SessionId(draws.below(9).into()), Password(u128::from(draws.below(9)) << 99));
        let answer = ToClient::Connected { timeout_ms: draws.below(9), session, password, read_only: draws.coin() };
        assert_eq!(greeted(&frame(&reply(&answer, None, true))), Ok(answer));
        if let ToServer::Request { xid, request } = packet {
            let answer = draws.any_to_client(&request, xid);
            let bytes = frame(&reply(&answer, Some(&request), true));
            assert_eq!(told(&bytes, Some(&request)), Ok(answer), "seed {seed}: {request:?}");
        }
    }
}

/// Changes some bytes, cuts the end off, puts something in.
fn mutated(draws: &mut Draws, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..=draws.below(4) {
        let at = draws.below(bytes.len().max(1) as u32) as usize;
        match draws.below(5) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at.min(bytes.len()), draws.below(256) as u8),
            2 if bytes.len() >= at + 4 => bytes[at..at + 4].copy_from_slice(&draws.number().to_be_bytes()),
            3 if bytes.len() >= at + 4 => bytes[at..at + 4].copy_from_slice(&0x7fff_ffff_u32.to_be_bytes()),
            _ if at < bytes.len() => bytes[at] = draws.below(256) as u8,
            _ => {}
        }
    }
    bytes
}

/// The most memory that this process has asked for by now, MB; each test is one of its own.
fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmPeak:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    peak.unwrap_or_default() / 1_024
}

/// A length that is only claimed, up to 2 GB, costs nothing; threads have their own heaps.
const MORE_MB: u64 = 1_024;
/// So many take less than a second.
const MUTATED: u64 = 100_000;

/// A server is not harmed by a frame that is none; whatever it reads of one it can write again.
#[test]
fn a_mutated_frame_does_no_harm() {
    let (mut refused, mut read) = (0, 0);
    let before = peak_mb();
    for seed in 0..MUTATED {
        let mut draws = Draws::new(seed);
        let (packet, connect) = (draws.any_to_server(), draws.connect());
        let mut frames = Frames::new(MOST);
        frames.push(&mutated(&mut draws, [sent(&connect), sent(&packet)].concat()));
        let greeting = match frames.next() {
            Ok(Some(Incoming::Frame(frame))) => Greeting::of(&frame).map(|_| ()),
            Ok(_) => continue, // it waits for more, or hears a four-letter word
            Err(error) => Err(error),
        };
        let rest = greeting.and_then(|()| frames.next()).and_then(|next| match next {
            Some(Incoming::Frame(frame)) => Received::of(&frame).map(Some),
            _ => Ok(None),
        });
        match rest {
            Ok(Some(Received::Packet(packet))) => {
                let again = Received::of(&frame(&sent(&packet)));
                assert_eq!(again, Ok(Received::Packet(packet)), "seed {seed}");
                read += 1;
            }
            Ok(_) => read += 1,
            Err(error) => {
                assert!(error.to_string().len() < 100, "seed {seed}: {error}");
                refused += 1;
            }
        }
    }
    judge(refused, read, before);
}

/// Nor is a client by what a server says.
#[test]
fn a_mutated_answer_does_no_harm() {
    let (mut refused, mut read) = (0, 0);
    let before = peak_mb();
    for seed in 0..MUTATED {
        let mut draws = Draws::new(seed);
        let request = draws.request();
        let answer = draws.any_to_client(&request, 1);
        let mut frames = Frames::of_a_session(MOST);
        frames.push(&mutated(&mut draws, reply(&answer, Some(&request), true)));
        if let Ok(Some(Incoming::Frame(frame))) = frames.next() {
            let _ = (told(&frame, None), greeted(&frame));
            let counted = if told(&frame, Some(&request)).is_ok() { &mut read } else { &mut refused };
            *counted += 1;
        }
    }
    judge(refused, read, before);
}

fn judge(refused: u64, read: u64, before_mb: u64) {
    assert!(
        refused > 100 && read > 100,
        "{refused} were refused and {read} read: the mutations are too weak, or too strong"
    );
    let more = peak_mb() - before_mb;
    assert!(more < MORE_MB, "{more} MB were asked for");
}
