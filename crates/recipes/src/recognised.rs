//! What a program outside of the simulation does with the locks of well-known libraries, as far as its packets tell: which nodes are its
//! places in a queue, behind whom it waits, since when it must believe to hold. Nobody tells us so. A library's names tell which queue
//! is meant (`LockInternals.java`, `kazoo/recipe/lock.py`, ZooKeeper's recipes), and whoever is shown a list of children in which its own node
//! is the first holds by the rule of each of them.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::rows::Rows;
use crate::base::{Arrange, Zxid};
use crate::client::{self, CallId};
use crate::runtime::fact::{Fact, ReleaseReason, Share, Standing};
use crate::runtime::thread_id::ThreadId;
use crate::sorting::{child_of, name_of, numbered};
use crate::wire::{Answer, CreateMode, KeeperState, Request, parent_of};

/// The word of the fact that says as what something is recognised.
const RECOGNISED: &str = "recognised";

/// Whoever never asks for what it has asked before is no lock: so many of its nodes are kept.
const MOST: usize = 100;

/// A library's way to name the nodes of a queue.
#[derive(Debug, PartialEq, Eq)]
struct Sign {
    /// What stands before the number.
    mark: &'static str,
    /// Whose it is.
    of: &'static str,
    share: Share,
    /// Which nodes before its own it waits for.
    heeds: &'static [&'static str],
}

const fn sign(mark: &'static str, of: &'static str, share: Share, heeds: &'static [&'static str]) -> Sign {
    Sign { mark, of, share, heeds }
}

const SIGNS: &[Sign] = &[
    sign("__lock__", "kazoo Lock", Share::Exclusive, &["__lock__", "__rlock__"]),
    sign("__rlock__", "kazoo ReadLock", Share::Read, &["__lock__"]),
    sign("__WRIT__", "Curator InterProcessReadWriteLock", Share::Exclusive, &["__WRIT__", "__READ__"]),
    sign("__READ__", "Curator InterProcessReadWriteLock", Share::Read, &["__WRIT__"]),
    sign("latch-", "Curator LeaderLatch", Share::Leader, &["latch-"]),
    sign("lock-", "lock", Share::Exclusive, &["lock-"]),
    sign("write-", "read/write lock", Share::Exclusive, &["write-", "read-"]),
    sign("read-", "read/write lock", Share::Read, &["write-"]),
    sign("n_", "leader election", Share::Leader, &["n_"]),
];

/// The queue in which a node stands by its name, and its number.
fn place(name: &str) -> Option<(&'static Sign, i64)> {
    let (label, number) = numbered(name)?;
    Some((sign_of(label)?, number))
}

/// What a name without its number is the sign of. What is before it makes it unique, and ends with a hyphen where the sign does not begin
/// with a line.
fn sign_of(label: &str) -> Option<&'static Sign> {
    SIGNS.iter().find(|sign| {
        let before = label.strip_suffix(sign.mark);
        before.is_some_and(|before| before.is_empty() || before.ends_with('-') || sign.mark.starts_with("__"))
    })
}

/// Whose a node is, by its sign and what stands before it: Curator's `lock-` is always protected.
fn library(sign: &Sign, name: &str) -> &'static str {
    if sign.mark == "lock-" && name.starts_with("_c_") { "Curator InterProcessMutex" } else { sign.of }
}

/// A node of the program.
#[derive(Clone, Debug)]
struct Own {
    /// Stands for the thread that made it.
    thread: ThreadId,
    sign: &'static Sign,
    number: i64,
    /// The zxid with which it was made.
    token: Option<Zxid>,
    /// Where it is known to stand.
    standing: Option<Standing>,
}

/// What is asked of a server and matters here.
#[derive(Clone, Debug)]
enum Asked {
    Place,
    List(Rc<str>),
}

/// A program outside, with what is known of its locks.
#[derive(Clone, Debug, Default)]
pub struct Recognised {
    /// What the program is called.
    pub name: Option<Rc<str>>,
    asked: BTreeMap<CallId, Asked>,
    nodes: BTreeMap<Rc<str>, Own>,
    /// Where its queues are, and as what they are recognised. Their paths are also the names of the objects, which it does not tell.
    queues: BTreeMap<Rc<str>, &'static str>,
}

impl Recognised {
    /// The paths below which it stood or stands in queues.
    pub fn queues(&self) -> impl Iterator<Item = &Rc<str>> {
        self.queues.keys()
    }

    /// Where it stands: by path of the queue and thread.
    pub fn standings(&self) -> impl Iterator<Item = (&Rc<str>, ThreadId, &Standing)> {
        self.nodes.iter().filter_map(|(path, own)| {
            let (queue, _) = self.queues.get_key_value(parent_of(path)?)?;
            Some((queue, own.thread, own.standing.as_ref()?))
        })
    }

    /// Its queues, each with what it is by the names of its nodes.
    pub fn queue_rows(&self, rows: &mut Rows) {
        for (queue, library) in &self.queues {
            rows.item(queue, queue, (*library).into(), None);
        }
    }

    /// Reads what happens in its library; what that says about its locks.
    pub fn read(&mut self, fact: &client::Fact) -> Vec<Fact> {
        use client::Fact as F;
        match fact {
            F::Called { call, request } => self.asks(*call, request),
            F::Answered { call, zxid, outcome, .. } => match (self.asked.remove(call), outcome) {
                (Some(Asked::Place), Ok(Answer::Path(path) | Answer::Created { path, .. })) => {
                    self.takes(path, *zxid)
                }
                (Some(Asked::List(queue)), Ok(Answer::Children { names, .. })) => self.sees(&queue, names),
                _ => Vec::new(),
            },
            F::ClientEnded { state, .. } => {
                let reason = if *state == KeeperState::Closed { ReleaseReason::Closed } else { ReleaseReason::Lost };
                let nodes: Vec<Rc<str>> = self.nodes.keys().cloned().collect();
                nodes.iter().filter_map(|node| self.leaves(node, reason)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn asks(&mut self, call: CallId, request: &Request) -> Vec<Fact> {
        match request {
            Request::Create { path, mode: CreateMode::EphemeralSequential, .. } => {
                if sign_of(name_of(path)).is_some() {
                    self.asked.insert(call, Asked::Place);
                }
                Vec::new()
            }
            Request::GetChildren { path, .. } => {
                self.asked.insert(call, Asked::List(path.clone()));
                Vec::new()
            }
            // whoever lets go does not wait for the answer
            Request::Delete { path, .. } => self.leaves(path, ReleaseReason::Released).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// It has a node in a queue.
    fn takes(&mut self, path: &Rc<str>, token: Option<Zxid>) -> Vec<Fact> {
        let Some(((sign, number), queue)) = place(name_of(path)).zip(parent_of(path)) else { return Vec::new() };
        if self.nodes.len() >= MOST {
            return Vec::new();
        }
        let object: Rc<str> = queue.into();
        let is_free = |thread: &ThreadId| self.nodes.values().all(|own| own.thread != *thread);
        let thread = (ThreadId::MAIN.0..=ThreadId::LAST.0).map(ThreadId).find(is_free).unwrap_or(ThreadId::LAST);
        self.nodes.insert(path.clone(), Own { thread, sign, number, token, standing: None });
        let library = library(sign, name_of(path));
        if self.queues.insert(object.clone(), library).is_some() {
            return Vec::new();
        }
        vec![Fact::Told { thread, object, what: RECOGNISED, about: library.into() }]
    }

    /// It is shown who stands in a queue.
    fn sees(&mut self, queue: &Rc<str>, names: &[Rc<str>]) -> Vec<Fact> {
        let mut there: Vec<(i64, &'static Sign, &Rc<str>)> =
            names.iter().filter_map(|name| place(name).map(|(sign, number)| (number, sign, name))).collect();
        there.arrange_by_key(|(number, _, name)| (*number, (*name).clone()));
        let mine = self.nodes.keys().filter(|path| parent_of(path) == Some(queue)).cloned();
        let mut facts = Vec::new();
        for path in mine.collect::<Vec<_>>() {
            if !names.iter().any(|name| **name == *name_of(&path)) {
                facts.extend(self.leaves(&path, ReleaseReason::Displaced));
                continue;
            }
            let Some(own) = self.nodes.get_mut(&path) else { continue };
            let before = |(number, sign, _): &&(i64, &'static Sign, &Rc<str>)| {
                *number < own.number && own.sign.heeds.contains(&sign.mark)
            };
            let ahead: Vec<_> = there.iter().filter(before).collect();
            let (thread, object, node) = (own.thread, queue.clone(), path.clone());
            let (standing, fact) = match ahead.last() {
                None => {
                    let (share, token) = (own.sign.share, own.token);
                    let fact =
                        Fact::Acquired { thread, object, path: queue.clone(), node: node.clone(), share, token };
                    (Standing::Holding { node, share, token }, fact)
                }
                Some((.., name)) => {
                    let (watched, ahead) = (child_of(queue, name), ahead.len() as u32);
                    let fact =
                        Fact::WaitsBehind { thread, object, node: node.clone(), watched: watched.clone(), ahead };
                    (Standing::Waiting { node, watched, ahead }, fact)
                }
            };
            // who holds goes on holding, whatever it looks at
            let holds = matches!(own.standing, Some(Standing::Holding { .. }));
            if !holds && own.standing.as_ref() != Some(&standing) {
                own.standing = Some(standing);
                facts.push(fact);
            }
        }
        facts
    }

    /// It gives a node up, or knows that it is gone.
    fn leaves(&mut self, path: &str, reason: ReleaseReason) -> Option<Fact> {
        let Own { thread, standing, .. } = self.nodes.remove(path)?;
        let object: Rc<str> = parent_of(path)?.into();
        match standing? {
            Standing::Holding { .. } => Some(Fact::Released { thread, path: object.clone(), object, reason }),
            _ => Some(Fact::GaveUp { thread, object }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::Fact as F;

    const HEX: &str = "0123456789abcdef0123456789abcdef";

    fn asks(of: &mut Recognised, call: u64, request: Request) -> Vec<Fact> {
        of.read(&F::Called { call: CallId(call), request })
    }

    fn hears(of: &mut Recognised, call: u64, answer: Answer) -> Vec<Fact> {
        let zxid = Some(Zxid::new(1, call as u32));
        of.read(&F::Answered { call: CallId(call), zxid, outcome: Ok(answer), in_doubt: false })
    }

    fn enters(of: &mut Recognised, call: u64, label: &str, number: u32) -> Vec<Fact> {
        let (path, mode) = (Rc::from(format!("/l/{label}")), CreateMode::EphemeralSequential);
        let (data, acl) = (None, Vec::new());
        asks(of, call, Request::Create { path, data, acl, mode, ttl: 0, stat: false, flags: None });
        hears(of, call, Answer::Path(format!("/l/{label}{number:010}").into()))
    }

    fn sees(of: &mut Recognised, call: u64, names: &[String]) -> Vec<Fact> {
        asks(of, call, Request::GetChildren { path: "/l".into(), watch: true, stat: false });
        let names = names.iter().map(|name| Rc::from(&**name)).collect();
        hears(of, call, Answer::Children { names, stat: None })
    }

    #[test]
    fn names_of_libraries_tell_the_queue_and_others_tell_nothing() {
        let guid = "01234567-89ab-4cde-8f01-23456789abcd";
        let of = |name: String| place(&name).map(|(sign, number)| (sign.mark, number));
        assert_eq!(of(format!("{HEX}__lock__0000000012")), Some(("__lock__", 12)));
        assert_eq!(of(format!("{HEX}__rlock__0000000003")), Some(("__rlock__", 3)));
        assert_eq!(of(format!("_c_{guid}-lock-0000000004")), Some(("lock-", 4)));
        assert_eq!(of(format!("_c_{guid}-latch-0000000005")), Some(("latch-", 5)));
        assert_eq!(of(format!("{guid}-n_0000000006")), Some(("n_", 6)));
        assert_eq!(of("n_0000000007".into()), Some(("n_", 7)));
        for other in
            ["version_0000000001", "block-0000000001", "lock-", "lock-00000x0001", "ä0000000001", "0000000001"]
        {
            assert_eq!(of(other.into()), None, "{other}");
        }
    }

    #[test]
    fn who_is_first_holds_and_who_is_not_waits_behind_the_one_before() {
        let (mut of, label) = (Recognised::default(), format!("{HEX}__lock__"));
        let told = enters(&mut of, 1, &label, 7);
        assert!(
            matches!(&told[..], [Fact::Told { what: RECOGNISED, about, .. }] if &**about == "kazoo Lock"),
            "{told:?}"
        );
        let (own, other) = (format!("{label}0000000007"), "f".repeat(32) + "__lock__0000000003");
        let waits = sees(&mut of, 2, &[own.clone(), other.clone(), "config".into()]);
        assert!(matches!(&waits[..], [Fact::WaitsBehind { watched, ahead: 1, .. }] if watched.ends_with(&other)));
        assert_eq!(sees(&mut of, 3, &[own.clone(), other]), [], "that is known");
        let holds = sees(&mut of, 4, std::slice::from_ref(&own));
        let token = Some(Zxid::new(1, 1));
        assert!(matches!(&holds[..], [Fact::Acquired { share: Share::Exclusive, token: t, .. }] if *t == token));
        assert!(matches!(of.standings().next(), Some((queue, _, Standing::Holding { .. })) if &**queue == "/l"));
        let released = asks(&mut of, 5, Request::Delete { path: format!("/l/{own}").into(), version: -1 });
        assert!(matches!(released[..], [Fact::Released { reason: ReleaseReason::Released, .. }]));
        assert_eq!((of.standings().count(), of.queues().count()), (0, 1));
    }

    #[test]
    fn readers_heed_writers_only() {
        let mut of = Recognised::default();
        enters(&mut of, 1, "read-", 9);
        let (own, reader, writer) = ("read-0000000009", "read-0000000002", "write-0000000001");
        let waits = sees(&mut of, 2, &[own.into(), reader.into(), writer.into()]);
        assert!(
            matches!(&waits[..], [Fact::WaitsBehind { watched, ahead: 1, .. }] if &**watched == "/l/write-0000000001")
        );
        assert!(matches!(
            sees(&mut of, 3, &[own.into(), reader.into()])[..],
            [Fact::Acquired { share: Share::Read, .. }]
        ));
    }

    #[test]
    fn what_is_gone_is_not_held_and_the_end_of_a_session_ends_all() {
        let mut of = Recognised::default();
        enters(&mut of, 1, "lock-", 1);
        enters(&mut of, 2, "lock-", 2);
        let both = ["lock-0000000001".to_string(), "lock-0000000002".to_string()];
        assert_eq!(sees(&mut of, 3, &both).len(), 2, "it holds by one and waits by the other");
        assert!(matches!(
            sees(&mut of, 4, &both[1..])[..],
            [Fact::Released { reason: ReleaseReason::Displaced, thread: ThreadId(1), .. }, Fact::Acquired { .. }]
        ));
        let (state, session) = (KeeperState::Expired, crate::base::SessionId::NONE);
        let ended = of.read(&F::ClientEnded { state, session, by_itself: false });
        assert!(matches!(ended[..], [Fact::Released { reason: ReleaseReason::Lost, .. }]));
    }
}
