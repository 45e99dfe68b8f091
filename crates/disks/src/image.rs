//! The state of a real server: znodes and sessions, with all that the files say about them, and the digest of real servers over it
//! (`DataTree.java`, `DigestCalculator.java`).
//!
//! The simulation's tree (`store::Tree`) is a value, of which thousands share their parts. This one is read once from a million records,
//! so it changes in place.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use zabscope_ground::base::{Arrange, SessionId, Zxid};
use zabscope_ground::wire::{Acl, AuthId, Perms};

use crate::jute::{Jute, Unreadable};
use crate::record::{AclBytes, Body, CONTAINER, Record, TTL};

/// What is persisted of a znode beside its data and its list of permissions (`StatPersisted`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stat {
    /// The transaction that created it.
    pub czxid: Zxid,
    /// The transaction that last set its data.
    pub mzxid: Zxid,
    /// When it was created, ms since 1970.
    pub ctime: i64,
    /// When its data was last set, ms since 1970.
    pub mtime: i64,
    /// How often its data was set.
    pub version: i32,
    /// How many children were ever created.
    pub cversion: i32,
    /// How often its list of permissions was set.
    pub aversion: i32,
    /// 0, a session, [`CONTAINER`], or [`TTL`] and milliseconds.
    pub owner: u64,
    /// The transaction that last created or deleted a child.
    pub pzxid: Zxid,
}

impl Stat {
    fn of_new(zxid: Zxid, time: i64, owner: u64) -> Stat {
        Stat { czxid: zxid, mzxid: zxid, ctime: time, mtime: time, owner, pzxid: zxid, ..Stat::default() }
    }

    pub(crate) fn read(jute: &mut Jute) -> Result<Stat, Unreadable> {
        let zxid = |jute: &mut Jute| jute.long().map(|zxid| Zxid(zxid.cast_unsigned()));
        Ok(Stat {
            czxid: zxid(jute)?,
            mzxid: zxid(jute)?,
            ctime: jute.long()?,
            mtime: jute.long()?,
            version: jute.int()?,
            cversion: jute.int()?,
            aversion: jute.int()?,
            owner: jute.long()?.cast_unsigned(),
            pzxid: zxid(jute)?,
        })
    }
}

/// A znode without its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its data.
    pub data: Option<Box<[u8]>>,
    /// The rest.
    pub stat: Stat,
    /// The place of its list of permissions in the table.
    acl: u32,
    /// What it adds to the digest.
    digest: u32,
}

/// The state of a server.
#[derive(Clone, Debug)]
pub struct Image {
    /// By path; the root's is empty.
    nodes: HashMap<Box<str>, Node>,
    acls: Vec<Box<[u8]>>,
    acl_places: HashMap<Box<[u8]>, u32>,
    sessions: BTreeMap<SessionId, i32>,
    ephemerals: HashMap<SessionId, BTreeSet<Box<str>>>,
    digest: u64,
    last: Zxid,
}

/// Below this the digest does not look: servers write there without transactions.
const UNCOUNTED: &str = "/zookeeper/";

/// What a znode adds to the digest: `CRC32` of path, data and stat. The root's path is empty.
pub(crate) fn node_digest(path: &str, data: Option<&[u8]>, stat: &Stat) -> u32 {
    if path.starts_with(UNCOUNTED) {
        return 0;
    }
    let mut numbers = [0; 60];
    let longs = [stat.czxid.0, stat.mzxid.0, stat.pzxid.0, stat.ctime.cast_unsigned(), stat.mtime.cast_unsigned()];
    for (to, number) in numbers.chunks_exact_mut(8).zip(longs) {
        to.copy_from_slice(&number.to_be_bytes());
    }
    for (to, number) in numbers[40..52].chunks_exact_mut(4).zip([stat.version, stat.cversion, stat.aversion]) {
        to.copy_from_slice(&number.to_be_bytes());
    }
    numbers[52..].copy_from_slice(&stat.owner.to_be_bytes());
    let mut crc = crc32fast::Hasher::new();
    crc.update(path.as_bytes());
    crc.update(data.unwrap_or_default());
    crc.update(&numbers);
    crc.finalize()
}

/// The root has two names.
fn named(path: &str) -> &str {
    if path == "/" { "" } else { path }
}

/// The path of a znode's parent; none of the root's.
fn parent_of(path: &str) -> Option<&str> {
    path.rfind('/').map(|slash| &path[..slash])
}

impl Image {
    /// No znodes at all: what a snapshot is read into.
    pub(crate) fn nothing(last: Zxid) -> Image {
        Image {
            nodes: HashMap::new(),
            acls: Vec::new(),
            acl_places: HashMap::new(),
            sessions: BTreeMap::new(),
            ephemerals: HashMap::new(),
            digest: 0,
            last,
        }
    }

    /// The state before the first transaction.
    pub fn empty() -> Image {
        let mut image = Image::nothing(Zxid::ZERO);
        for path in ["", "/zookeeper", "/zookeeper/quota", "/zookeeper/config"] {
            image.put(path, Some(&[]), 0, Stat::default());
        }
        image
    }

    /// The digest of real servers over these znodes; the root's path is `/`.
    pub(crate) fn digest_of<'a>(nodes: impl Iterator<Item = (&'a str, Option<&'a [u8]>, Stat)>) -> u64 {
        let each = nodes.map(|(path, data, stat)| u64::from(node_digest(named(path), data, &stat)));
        each.fold(0, u64::wrapping_add)
    }

    /// The digest of real servers (3.6 and newer) over all znodes.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// The last transaction that is in it.
    pub fn last(&self) -> Zxid {
        self.last
    }

    /// How many znodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no znode, not even a root.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A znode.
    pub fn get(&self, path: &str) -> Option<&Node> {
        self.nodes.get(named(path))
    }

    /// All znodes, in the order of their paths; the root's is `/`.
    pub fn nodes(&self) -> Vec<(&str, &Node)> {
        let mut all: Vec<(&str, &Node)> = self.nodes.iter().map(|(path, node)| (&**path, node)).collect();
        all.arrange_by(|(one, _), (other, _)| one.cmp(other));
        all.iter_mut().filter(|(path, _)| path.is_empty()).for_each(|(path, _)| *path = "/");
        all
    }

    /// All sessions with their timeouts, ms.
    pub fn sessions(&self) -> impl Iterator<Item = (SessionId, i32)> {
        self.sessions.iter().map(|(session, timeout)| (*session, *timeout))
    }

    /// Who may do what with a znode.
    pub fn acl(&self, node: &Node) -> Vec<Acl> {
        let bytes = self.acls.get(node.acl as usize).map_or(&[][..], |bytes| bytes);
        acl_of(bytes).unwrap_or_default()
    }

    /// Whether two znodes of two states are the same in all that clients can see.
    pub fn alike(&self, node: &Node, other: &Image, of_other: &Node) -> bool {
        let acl = |image: &'_ Image, node: &Node| image.acls.get(node.acl as usize).cloned();
        node.data == of_other.data && node.stat == of_other.stat && acl(self, node) == acl(other, of_other)
    }

    pub(crate) fn add_session(&mut self, session: SessionId, timeout: i32) {
        self.sessions.insert(session, timeout);
    }

    /// The place of a list of permissions in the table.
    pub(crate) fn place(&mut self, acl: &[u8]) -> u32 {
        if let Some(place) = self.acl_places.get(acl) {
            return *place;
        }
        let place = self.acls.len() as u32;
        self.acls.push(acl.into());
        self.acl_places.insert(acl.into(), place);
        place
    }

    /// A znode as it stands in a snapshot.
    pub(crate) fn put(&mut self, path: &str, data: Option<&[u8]>, acl: u32, stat: Stat) {
        let digest = node_digest(path, data, &stat);
        self.digest = self.digest.wrapping_add(digest.into());
        if let Some(session) = session_of(stat.owner) {
            self.ephemerals.entry(session).or_default().insert(path.into());
        }
        let node = Node { data: data.map(Box::from), stat, acl, digest };
        if let Some(old) = self.nodes.insert(path.into(), node) {
            self.digest = self.digest.wrapping_sub(old.digest.into());
        }
    }

    /// Whether a znode's parent is there.
    pub(crate) fn has_parent(&self, path: &str) -> bool {
        parent_of(path).is_none_or(|parent| self.nodes.contains_key(parent))
    }

    /// Applies a transaction. What it finds done already, or undone, is passed over: a log repeats what the snapshot holds.
    pub fn apply(&mut self, record: &Record) {
        match &record.body {
            _ if record.is_refusal() => {}
            Body::Multi(parts) => parts.iter().for_each(|(_, part)| self.apply_part(record, part)),
            body => self.apply_part(record, body),
        }
        self.last = self.last.max(record.zxid);
    }

    fn apply_part(&mut self, record: &Record, body: &Body) {
        let zxid = record.zxid;
        match body {
            Body::CreateSession { timeout } => self.add_session(record.session, *timeout),
            Body::CloseSession { paths } => {
                for path in paths.iter().flatten() {
                    self.delete(path, zxid);
                }
                for path in self.ephemerals.remove(&record.session).unwrap_or_default() {
                    self.delete(&path, zxid);
                }
                self.sessions.remove(&record.session);
            }
            Body::Create { path, data, acl, owner, parent_cversion } => {
                self.create(path, *data, *acl, *parent_cversion, Stat::of_new(zxid, record.time, *owner));
            }
            Body::Delete { path } => self.delete(path, zxid),
            Body::SetData { path, data, version } => self.change(named(path), |node| {
                node.data = data.map(Box::from);
                (node.stat.version, node.stat.mzxid, node.stat.mtime) = (*version, zxid, record.time);
            }),
            Body::SetAcl { path, acl, version } => {
                let place = self.place(acl.0);
                self.change(named(path), |node| (node.acl, node.stat.aversion) = (place, *version));
            }
            Body::Check { .. } | Body::Error(_) | Body::Multi(_) => {}
        }
    }

    fn create(&mut self, path: &str, data: Option<&[u8]>, acl: AclBytes, parent_cversion: Option<i32>, stat: Stat) {
        let Some(parent) = parent_of(path).filter(|parent| path != "/" && self.nodes.contains_key(*parent)) else {
            return;
        };
        let acl = self.place(acl.0);
        self.change(parent, |parent| {
            let cversion = parent_cversion.unwrap_or_else(|| parent.stat.cversion.wrapping_add(1));
            if cversion > parent.stat.cversion {
                (parent.stat.cversion, parent.stat.pzxid) = (cversion, stat.czxid);
            }
        });
        // only where a log repeats what is in the snapshot (`DataTree.java`, ZOOKEEPER-4846)
        match self.nodes.get_mut(path) {
            Some(there) => there.acl = acl,
            None => self.put(path, data, acl, stat),
        }
    }

    /// The parent hears of it, whether the child is there or not (`DataTree.deleteNode`).
    fn delete(&mut self, path: &str, zxid: Zxid) {
        let Some(parent) = parent_of(path).filter(|_| path != "/") else { return };
        if !self.nodes.contains_key(parent) {
            return;
        }
        self.change(parent, |parent| parent.stat.pzxid = parent.stat.pzxid.max(zxid));
        if let Some(node) = self.nodes.remove(path) {
            self.digest = self.digest.wrapping_sub(node.digest.into());
            if let Some(of) = session_of(node.stat.owner).and_then(|session| self.ephemerals.get_mut(&session)) {
                of.remove(path);
            }
        }
    }

    /// Changes a znode, if it is there.
    fn change(&mut self, path: &str, change: impl FnOnce(&mut Node)) {
        if let Some(node) = self.nodes.get_mut(path) {
            change(node);
            let digest = node_digest(path, node.data.as_deref(), &node.stat);
            self.digest = self.digest.wrapping_sub(node.digest.into()).wrapping_add(digest.into());
            node.digest = digest;
        }
    }
}

/// The session on which a znode's life hangs.
pub(crate) fn session_of(owner: u64) -> Option<SessionId> {
    (owner != 0 && owner != CONTAINER && owner & TTL != TTL).then_some(SessionId(owner))
}

pub(crate) fn acl_of(bytes: &[u8]) -> Result<Vec<Acl>, Unreadable> {
    let mut jute = Jute::new(bytes);
    let count = jute.count(12)?;
    let mut entry = || {
        let perms = Perms(jute.int()?.cast_unsigned() as u8);
        let (scheme, id) = (jute.text()?, jute.text()?);
        Ok(Acl { perms, who: AuthId { scheme: scheme.into(), id: id.into() } })
    };
    (0..count).map(|_| entry()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record<'a>(zxid: u64, session: u64, body: Body<'a>) -> Record<'a> {
        let (session, zxid) = (SessionId(session), Zxid(zxid));
        Record { session, cxid: 0, zxid, time: 5, kind: 0, body, digest: None, length: 0 }
    }

    fn create(path: &str, owner: u64, parent_cversion: Option<i32>) -> Body<'_> {
        Body::Create { path: path.into(), data: None, acl: AclBytes(&[0; 4]), owner, parent_cversion }
    }

    /// The number stands in ZooKeeper's own files: the digest of a tree before its first transaction.
    #[test]
    fn an_empty_tree_has_the_digest_that_real_servers_give_it() {
        assert_eq!(Image::empty().digest(), 1_371_985_504);
    }

    #[test]
    fn a_digest_is_that_of_the_tree_however_it_came_about() {
        let mut image = Image::empty();
        let before = image.digest();
        image.apply(&record(1, 7, create("/a", 7, Some(1))));
        image.apply(&record(2, 0, Body::SetData { path: "/".into(), data: Some(b"x"), version: 1 }));
        let mut again = Image::nothing(image.last());
        for (path, node) in image.nodes() {
            again.put(named(path), node.data.as_deref(), 0, node.stat);
        }
        assert_eq!(image.digest(), again.digest());
        assert_ne!(image.digest(), before);
    }

    #[test]
    fn a_session_takes_its_ephemerals_along_whether_it_names_them_or_not() {
        for paths in [None, Some(vec!["/a".into()]), Some(vec![])] {
            let mut image = Image::empty();
            image.apply(&record(1, 7, Body::CreateSession { timeout: 9 }));
            image.apply(&record(2, 7, create("/a", 7, Some(1))));
            image.apply(&record(3, 8, create("/b", 8, None)));
            image.apply(&record(4, 7, Body::CloseSession { paths }));
            let paths: Vec<&str> = image.nodes().iter().map(|(path, _)| *path).collect();
            assert_eq!(paths, ["/", "/b", "/zookeeper", "/zookeeper/config", "/zookeeper/quota"]);
            let root = image.get("/").unwrap().stat;
            assert_eq!((root.cversion, root.pzxid, image.sessions().count()), (2, Zxid(4), 0));
        }
    }

    #[test]
    fn a_failed_multi_changes_nothing_but_the_zxid() {
        let mut image = Image::empty();
        let parts = vec![(1, create("/a", 0, Some(1))), (-1, Body::Error(-101))];
        image.apply(&record(9, 7, Body::Multi(parts)));
        assert_eq!((image.len(), image.last()), (4, Zxid(9)));
    }

    #[test]
    fn what_a_log_repeats_is_passed_over() {
        let mut image = Image::empty();
        for _ in 0..2 {
            image.apply(&record(1, 7, create("/a", 0, Some(1))));
        }
        image.apply(&record(2, 7, create("/none/b", 0, Some(1))));
        image.apply(&record(3, 7, Body::Delete { path: "/gone".into() }));
        let root = image.get("/").unwrap().stat;
        assert_eq!(
            (image.len(), root.cversion, root.pzxid),
            (5, 1, Zxid(3)),
            "a parent hears of a child that is gone"
        );
        for path in ["/", "", "x"] {
            image.apply(&record(4, 7, Body::Delete { path: path.into() }));
            image.apply(&record(4, 7, create(path, 0, None)));
        }
        assert_eq!(image.len(), 5);
    }
}
