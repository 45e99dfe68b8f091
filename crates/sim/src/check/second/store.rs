//! A store as plain as can be: a map of paths, changed by one request after the other. It shares no code with the servers'
//! store: children are found by looking through the map, a multi works on a copy, and the rules are written down once more
//! (`PrepRequestProcessor.java`, `DataTree.java`, `FinalRequestProcessor.java`).

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::{SessionId, Zxid};
use crate::store::{Op, Owner};
use crate::wire::{Acl, Answer, AuthId, Code, CreateMode, Data, Outcome, Perms, Request, Stat};

/// The longest time to live (`EphemeralType.java` `TTL`), ms.
const LONGEST_TTL: i64 = 0xff_ffff_ffff;
/// What nobody deletes (`ZKDatabase.java` `isSpecialPath`).
const KEPT: [&str; 4] = ["/", "/zookeeper", "/zookeeper/quota", "/zookeeper/config"];

/// What ends a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Delete,
    Session(SessionId),
    Childless,
    Time(i64),
}

#[derive(Clone, Debug)]
struct Node {
    data: Data,
    acl: Vec<Acl>,
    end: End,
    created: (Zxid, i64),
    set: (Zxid, i64),
    version: i32,
    aversion: i32,
    /// How many children it ever got: the next number. The last one is never left.
    births: i32,
    /// How often a child came or went.
    changes: i32,
    pzxid: Zxid,
    /// Its list was set: for a while the leader may go by the one before.
    relisted: bool,
}

/// On whose behalf something is done, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct At<'a> {
    pub session: SessionId,
    pub who: &'a [AuthId],
    pub zxid: Zxid,
    pub time: i64,
}

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Not {
    /// The request is refused.
    Refused(Code),
    /// A list under way decides, or something that this store does not know.
    Sure,
}

type Done = Result<Answer, Not>;

/// The state, and what nodes begin to number their children with, by path. A copy is made only where one is changed.
#[derive(Clone, Debug)]
pub(super) struct Store(Rc<BTreeMap<Rc<str>, Rc<Node>>>, Rc<BTreeMap<Rc<str>, i32>>);

fn above(path: &str) -> &str {
    match path.rfind('/') {
        Some(0) | None => "/",
        Some(slash) => &path[..slash],
    }
}

fn is_valid(path: &str) -> bool {
    let part = |part: &str| !matches!(part, "" | "." | "..");
    // controls, and all that Java writes with two units or keeps for itself (`PathUtils.java` `validatePath`)
    let odd = |c| matches!(c, '\0'..='\x1f' | '\x7f'..='\u{9f}' | '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..);
    path == "/" || path.strip_prefix('/').is_some_and(|rest| rest.split('/').all(part)) && !path.contains(odd)
}

fn argued(is_fine: bool) -> Result<(), Not> {
    if is_fine { Ok(()) } else { Err(Not::Refused(Code::BadArguments)) }
}

/// Whether a path has one above it at all, which is looked at before anything else (`validatePathForCreate`, `getParentPathAndValidate`).
fn has_above(path: &str) -> bool {
    path.contains('/') && !path.contains('\0')
}

fn may(acl: &[Acl], who: &[AuthId], wanted: u8) -> bool {
    let names = |entry: &Acl, id: &AuthId| entry.who.scheme == id.scheme && entry.who.id == id.id;
    let everybody = |entry: &Acl| &*entry.who.scheme == "world" && &*entry.who.id == "anyone";
    who.iter().any(|id| &*id.scheme == "super")
        || acl
            .iter()
            .any(|entry| entry.perms.0 & wanted != 0 && (everybody(entry) || who.iter().any(|id| names(entry, id))))
}

fn listed(acl: &[Acl], who: &[AuthId]) -> Result<Vec<Acl>, Not> {
    let mut list: Vec<Acl> = Vec::new();
    let mut seen: Vec<&Acl> = Vec::new();
    for entry in acl {
        if seen.contains(&entry) {
            continue;
        }
        seen.push(entry);
        match &*entry.who.scheme {
            "world" => list.push(entry.clone()),
            "auth" => {
                let mine: Vec<&AuthId> = who.iter().filter(|id| &*id.scheme == "digest").collect();
                if mine.is_empty() {
                    return Err(Not::Refused(Code::InvalidACL));
                }
                list.extend(mine.into_iter().map(|id| Acl { perms: entry.perms, who: id.clone() }));
            }
            "digest" if entry.who.id.split(':').filter(|part| !part.is_empty()).count() == 2 => {
                list.push(entry.clone());
            }
            _ => return Err(Not::Sure),
        }
    }
    if list.is_empty() { Err(Not::Refused(Code::InvalidACL)) } else { Ok(list) }
}

impl Store {
    pub(super) fn new(first: &BTreeMap<Rc<str>, i32>) -> Store {
        let fixed = [("/", 1), ("/zookeeper", 2), ("/zookeeper/quota", 0), ("/zookeeper/config", 0)];
        let zero = (Zxid::ZERO, 0);
        let node = |children: i32| Node {
            data: Some("".into()),
            acl: Acl::open(),
            end: End::Delete,
            created: zero,
            set: zero,
            version: 0,
            aversion: 0,
            births: 0,
            changes: -children,
            pzxid: Zxid::ZERO,
            relisted: false,
        };
        let nodes = fixed.into_iter().map(|(path, children)| (path.into(), Rc::new(node(children))));
        Store(Rc::new(nodes.collect()), Rc::new(first.clone()))
    }

    fn children<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a str> {
        let prefix = if path == "/" { "/".to_string() } else { format!("{path}/") };
        let from: Rc<str> = prefix.as_str().into();
        let names = self.0.range(from..).map(|(path, _)| &**path).take_while({
            let prefix = prefix.clone();
            move |path| path.starts_with(&*prefix)
        });
        names.filter_map(move |path| {
            Some(&path[prefix.len()..]).filter(|name| !name.is_empty() && !name.contains('/'))
        })
    }

    fn stat_of(&self, path: &str, node: &Node) -> Stat {
        let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        Stat {
            czxid: node.created.0,
            mzxid: node.set.0,
            ctime: node.created.1,
            mtime: node.set.1,
            version: node.version,
            cversion: node.changes,
            aversion: node.aversion,
            ephemeral_owner: if let End::Session(session) = node.end { session } else { SessionId::NONE },
            data_length: count(node.data.as_ref().map_or(0, |data| data.len())),
            num_children: count(self.children(path).count()),
            pzxid: node.pzxid,
        }
    }

    /// A node's data, list and Stat.
    pub(super) fn seen(&self, path: &str) -> Option<(Data, Vec<Acl>, Stat)> {
        let node = self.node(path).ok()?;
        Some((node.data.clone(), node.acl.clone(), self.stat_of(path, node)))
    }

    fn node(&self, path: &str) -> Result<&Node, Not> {
        // the root has two names (`DataTree.java`)
        let path = if path.is_empty() { "/" } else { path };
        self.0.get(path).map(|node| &**node).ok_or(Not::Refused(Code::NoNode))
    }

    /// The node, if its list allows it.
    fn allowed(&self, path: &str, at: &At, wanted: u8) -> Result<&Node, Not> {
        let node = self.node(path)?;
        match may(&node.acl, at.who, wanted) {
            _ if node.relisted => Err(Not::Sure),
            true => Ok(node),
            false => Err(Not::Refused(Code::NoAuth)),
        }
    }

    /// Does a write.
    pub(super) fn write(&mut self, request: &Request, at: &At) -> Done {
        match request {
            Request::Create { .. } => self.create(request, at),
            Request::Delete { path, version } => {
                argued(has_above(path) && !KEPT.contains(&&**path))?;
                self.allowed(above(path), at, Perms::DELETE.0)?;
                expect(self.node(path)?.version, *version)?;
                if self.children(path).next().is_some() {
                    return Err(Not::Refused(Code::NotEmpty));
                }
                self.remove(path, at.zxid);
                Ok(Answer::Done)
            }
            Request::SetData { path, data, version } => {
                argued(is_valid(path))?;
                expect(self.allowed(path, at, Perms::WRITE.0)?.version, *version)?;
                self.change(path, |node| {
                    (node.data, node.set) = (data.clone(), (at.zxid, at.time));
                    node.version += 1;
                })
            }
            Request::SetAcl { path, acl, version } => {
                argued(is_valid(path))?;
                let acl = listed(acl, at.who)?;
                expect(self.allowed(path, at, Perms::ADMIN.0)?.aversion, *version)?;
                self.change(path, |node| {
                    (node.acl, node.relisted) = (acl, true);
                    node.aversion += 1;
                })
            }
            Request::Check { path, version } => {
                argued(is_valid(path))?;
                expect(self.allowed(path, at, Perms::READ.0)?.version, *version)?;
                Ok(Answer::Done)
            }
            Request::CloseSession => {
                self.end_session(at.session, at.zxid);
                Ok(Answer::Done)
            }
            Request::Multi { ops } => self.multi(ops, at),
            _ => Err(Not::Sure),
        }
    }

    fn multi(&mut self, ops: &[Request], at: &At) -> Done {
        let mut copy = self.clone();
        let mut results: Vec<Outcome> = Vec::new();
        for op in ops {
            match copy.write(op, at) {
                Ok(answer) => results.push(Ok(answer)),
                Err(Not::Sure) => return Err(Not::Sure),
                Err(Not::Refused(code)) => {
                    let before = results.len();
                    let code_of = |index: usize| match index.cmp(&before) {
                        std::cmp::Ordering::Less => Code::Ok,
                        std::cmp::Ordering::Equal => code,
                        std::cmp::Ordering::Greater => Code::RuntimeInconsistency,
                    };
                    return Ok(Answer::Multi((0..ops.len()).map(|index| Err(code_of(index))).collect()));
                }
            }
        }
        *self = copy;
        Ok(Answer::Multi(results))
    }

    fn create(&mut self, request: &Request, at: &At) -> Done {
        let Request::Create { path, data, acl, mode, ttl, stat, flags: None } = request else {
            return Err(Not::Sure);
        };
        argued(!mode.is_ttl() || (1..=LONGEST_TTL).contains(ttl))?;
        argued(has_above(path))?;
        let acl = listed(acl, at.who)?;
        let parent_path = above(path);
        let parent = self.allowed(parent_path, at, Perms::CREATE.0)?;
        let real: Rc<str> = match mode.is_sequential() {
            // it hangs on what else the leader has under way
            true if parent.births == i32::MAX => return Err(Not::Sure),
            true => format!("{path}{:010}", parent.births).into(),
            false => path.clone(),
        };
        argued(is_valid(&real))?;
        if self.0.contains_key(&real) {
            return Err(Not::Refused(Code::NodeExists));
        }
        if matches!(parent.end, End::Session(_)) {
            return Err(Not::Refused(Code::NoChildrenForEphemerals));
        }
        let end = match mode {
            CreateMode::Persistent | CreateMode::PersistentSequential => End::Delete,
            // of a server with the id 255: a time to live, where there are such
            mode if mode.is_ephemeral() && at.session.0 >> 56 == 0xff => return Err(Not::Sure),
            CreateMode::Ephemeral | CreateMode::EphemeralSequential => End::Session(at.session),
            CreateMode::Container => End::Childless,
            CreateMode::PersistentWithTtl | CreateMode::PersistentSequentialWithTtl => End::Time(*ttl),
        };
        self.add(&real, data.clone(), acl, end, at.zxid, at.time);
        let with_stat = *stat || matches!(end, End::Childless | End::Time(_));
        Ok(match self.seen(&real).filter(|_| with_stat) {
            Some((_, _, stat)) => Answer::Created { path: real, stat },
            None => Answer::Path(real),
        })
    }

    fn add(&mut self, path: &Rc<str>, data: Data, acl: Vec<Acl>, end: End, zxid: Zxid, time: i64) {
        self.family(path, zxid, 1);
        let (created, set) = ((zxid, time), (zxid, time));
        let births = self.1.get(path).copied().unwrap_or(0);
        let (version, aversion, changes, relisted) = (0, 0, births.wrapping_mul(2), false);
        let node = Node { data, acl, end, created, set, version, aversion, births, changes, pzxid: zxid, relisted };
        Rc::make_mut(&mut self.0).insert(path.clone(), Rc::new(node));
    }

    fn remove(&mut self, path: &str, zxid: Zxid) {
        if Rc::make_mut(&mut self.0).remove(path).is_some() {
            self.family(path, zxid, 0);
        }
    }

    /// A child comes or goes.
    fn family(&mut self, path: &str, zxid: Zxid, births: i32) {
        if let Some(parent) = Rc::make_mut(&mut self.0).get_mut(above(path)) {
            let parent = Rc::make_mut(parent);
            if births > 0 && parent.births == i32::MAX {
                // the tree takes no counter that has run over, nor the zxid with it
                parent.changes = parent.changes.wrapping_sub(1);
                return;
            }
            parent.births += births;
            parent.changes = parent.changes.wrapping_add(1);
            parent.pzxid = zxid;
        }
    }

    fn change(&mut self, path: &str, by: impl FnOnce(&mut Node)) -> Done {
        let node = Rc::make_mut(&mut self.0).get_mut(path).ok_or(Not::Refused(Code::NoNode))?;
        by(Rc::make_mut(node));
        Ok(self.seen(path).map_or(Answer::Done, |(_, _, stat)| Answer::Stat(stat)))
    }

    fn end_session(&mut self, session: SessionId, zxid: Zxid) {
        let of = |(_, node): &(&Rc<str>, &Rc<Node>)| node.end == End::Session(session);
        let paths: Vec<Rc<str>> = self.0.iter().filter(of).map(|(path, _)| path.clone()).collect();
        paths.iter().for_each(|path| self.remove(path, zxid));
    }

    /// Does what a transaction says, where the request is not known or its result not sure.
    pub(super) fn follow(&mut self, op: &Op, at: &At) {
        match op {
            Op::Create { path, data, acl, owner, .. } => {
                let end = match owner {
                    Owner::None => End::Delete,
                    Owner::Session(session) => End::Session(*session),
                    Owner::Container => End::Childless,
                    Owner::Ttl(ttl) => End::Time(*ttl),
                };
                self.add(path, data.clone(), acl.to_vec(), end, at.zxid, at.time);
            }
            Op::Delete { path } => self.remove(path, at.zxid),
            Op::SetData { path, data, version } => drop(self.change(path, |node| {
                (node.data, node.set, node.version) = (data.clone(), (at.zxid, at.time), *version);
            })),
            Op::SetAcl { path, acl, version } => drop(self.change(path, |node| {
                (node.acl, node.aversion, node.relisted) = (acl.to_vec(), *version, true);
            })),
            Op::CloseSession { .. } => self.end_session(at.session, at.zxid),
            Op::Multi(ops) => ops.iter().for_each(|op| self.follow(op, at)),
            // what is below /zookeeper is not judged
            Op::CreateSession { .. } | Op::Reconfig { .. } | Op::Check { .. } | Op::FailedMulti(_) | Op::Error(_) => {
            }
        }
    }

    /// Answers a read.
    pub(super) fn read(&self, request: &Request, at: &At) -> Done {
        let readable = |path: &str, wanted: u8| {
            let node = self.node(path)?;
            may(&node.acl, at.who, wanted).then_some(node).ok_or(Not::Refused(Code::NoAuth))
        };
        match request {
            _ if request.path().starts_with("/zookeeper") => Err(Not::Sure),
            Request::Exists { path, .. } => Ok(Answer::Stat(self.stat_of(path, readable(path, Perms::READ.0)?))),
            Request::GetData { path, .. } => {
                let node = readable(path, Perms::READ.0)?;
                Ok(Answer::Data { data: node.data.clone(), stat: self.stat_of(path, node) })
            }
            Request::GetChildren { path, stat, .. } => {
                let node = readable(path, Perms::READ.0)?;
                let names = self.children(path).map(Rc::from).collect();
                Ok(Answer::Children { names, stat: stat.then(|| self.stat_of(path, node)) })
            }
            Request::GetAcl { path } => {
                let node = readable(path, Perms::READ.0 | Perms::ADMIN.0)?;
                let masked = |entry: &Acl| match entry.who.id.split_once(':') {
                    Some((user, _)) if &*entry.who.scheme == "digest" => {
                        let who = AuthId { scheme: "digest".into(), id: format!("{user}:x").into() };
                        Acl { perms: entry.perms, who }
                    }
                    _ => entry.clone(),
                };
                let whole = may(&node.acl, at.who, Perms::ADMIN.0);
                let acl = node.acl.iter().map(|entry| if whole { entry.clone() } else { masked(entry) }).collect();
                Ok(Answer::Acl { acl, stat: self.stat_of(path, node) })
            }
            Request::GetAllChildrenNumber { path } if &**path != "/" => {
                readable(path, Perms::READ.0)?;
                let prefix = format!("{path}/");
                let below = self.0.keys().filter(|other| other.starts_with(&prefix)).count();
                Ok(Answer::Number(i32::try_from(below).unwrap_or(i32::MAX)))
            }
            Request::GetEphemerals { prefix } if &**prefix == "/" => {
                let mine = self.0.iter().filter(|(_, node)| node.end == End::Session(at.session));
                Ok(Answer::Paths(mine.map(|(path, _)| path.clone()).collect()))
            }
            Request::MultiRead { ops } => {
                let mut results: Vec<Outcome> = Vec::new();
                for op in ops {
                    results.push(match self.read(op, at) {
                        Err(Not::Sure) => return Err(Not::Sure),
                        Err(Not::Refused(code)) => Err(code),
                        Ok(answer) => Ok(answer),
                    });
                }
                Ok(Answer::Multi(results))
            }
            _ => Err(Not::Sure),
        }
    }
}

fn expect(version: i32, expected: i32) -> Result<(), Not> {
    if expected == -1 || expected == version { Ok(()) } else { Err(Not::Refused(Code::BadVersion)) }
}
