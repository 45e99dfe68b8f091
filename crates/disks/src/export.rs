//! The other way: a simulated server's disk as the files of a real one, from which a real server boots.
//!
//! What is written is what 3.8 writes: records with the tree's digest behind them, snapshots with two seals.

use std::collections::BTreeMap;
use std::rc::Rc;

use zabscope_ground::base::{ServerId, SessionId, Zxid};
use zabscope_ground::wire::{Acl, Data};
use zabscope_zookeeper::server::Files;
use zabscope_zookeeper::store::{CONFIG, Op, Owner, Tree, Txn, Znode};
use zabscope_zookeeper::zab::{Members, Proposal};

use crate::image::Image;
use crate::log::checksum;
use crate::record::{CONTAINER, Record, TTL, kind};

/// Where a server that was exported listens for clients, and for the others: this and its id, on one machine.
const CLIENT_PORT: u16 = 2180;
const QUORUM_PORT: u16 = 2887;
const ELECTION_PORT: u16 = 3887;
/// The version of a digest (`DigestCalculator.java`).
const DIGEST: i32 = 2;

/// Files, each with its path.
pub type Named = Vec<(String, Vec<u8>)>;

/// The files of a server below its own folder, by their paths: `zoo.cfg`, `data/myid`, `data/version-2/…`. The configuration names this
/// machine, and a data directory beside itself: `zkServer.sh start-foreground ./zoo.cfg` in that folder starts it.
pub fn export(id: ServerId, files: &Files, members: &Members, tick_time_ms: u64) -> Named {
    let members = files.config.as_ref().map_or(members, |config| &config.now);
    let mut all = config(id, members, tick_time_ms);
    all.push(("data/myid".into(), format!("{}\n", id.0).into_bytes()));
    let mut add = |name: String, bytes: Vec<u8>| all.push((format!("data/version-2/{name}"), bytes));
    add("acceptedEpoch".into(), files.accepted_epoch.to_string().into_bytes());
    add("currentEpoch".into(), files.current_epoch.to_string().into_bytes());
    for found in &files.snapshots {
        add(format!("snapshot.{:x}", found.zxid.0), snapshot(&found.state));
    }
    for (name, bytes) in logs(files) {
        add(format!("log.{:x}", name.0), bytes);
    }
    all
}

/// The same of several servers, a folder each, as a tar archive. Every time in it is 0: one state gives one file.
///
/// # Errors
/// A path is longer than an archive can hold, which none is.
pub fn archive(servers: &[(String, Named)]) -> std::io::Result<Vec<u8>> {
    let mut builder = tar::Builder::new(Vec::new());
    for (server, files) in servers {
        for (path, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            builder.append_data(&mut header, format!("{server}/{path}"), &bytes[..])?;
        }
    }
    builder.into_inner()
}

/// `zoo.cfg`, and once there was a reconfiguration the dynamic one, which names the servers then.
fn config(id: ServerId, members: &Members, tick_time_ms: u64) -> Named {
    let port = |base: u16, of: ServerId| base + u16::from(of.0);
    let is_dynamic = members.version != Zxid::ZERO;
    let mut text = format!(
        "tickTime={tick_time_ms}\ninitLimit=10\nsyncLimit=5\ndataDir=data\nextendedTypesEnabled=true\nadmin.enableServer=false\n\
         4lw.commands.whitelist=*\n"
    );
    let mut servers = String::new();
    for of in members.all().iter() {
        let role = if members.votes(of) { "participant" } else { "observer" };
        let (quorum, election, client) = (port(QUORUM_PORT, of), port(ELECTION_PORT, of), port(CLIENT_PORT, of));
        let client = if is_dynamic { format!(";{client}") } else { String::new() };
        servers += &format!("server.{}=127.0.0.1:{quorum}:{election}:{role}{client}\n", of.0);
    }
    let lines = members.to_string();
    for line in lines.lines().filter(|line| line.starts_with("group.") || line.starts_with("weight.")) {
        servers += &format!("{line}\n");
    }
    if !is_dynamic {
        text += &format!("clientPort={}\n{servers}", port(CLIENT_PORT, id));
        return vec![("zoo.cfg".into(), text.into_bytes())];
    }
    let name = format!("zoo.cfg.dynamic.{:x}", members.version.0);
    text += &format!("reconfigEnabled=true\nstandaloneEnabled=false\ndynamicConfigFile={name}\n");
    vec![("zoo.cfg".into(), text.into_bytes()), (name, servers.into_bytes())]
}

/// The log in its files. Each record has the digest of the tree after it where the tree is known: from a snapshot that the log goes on
/// from, or from the beginning. Servers compare it, and take a record without one for one of an older version.
fn logs(files: &Files) -> Vec<(Zxid, Vec<u8>)> {
    let before = files.snapshots.iter().rev().find(|snapshot| snapshot.reaches() <= files.log_start);
    let mut image = match before {
        _ if files.log_start == Zxid::ZERO => Some(Image::empty()),
        Some(snapshot) => Some(image(&snapshot.state)),
        None => None,
    };
    let mut all: Vec<(Zxid, Vec<u8>)> = Vec::new();
    for proposal in files.log.iter() {
        if all.is_empty() || files.log_files.contains(&proposal.zxid) {
            all.push((proposal.zxid, [&b"ZKLG"[..], &[0, 0, 0, 2], &[0; 8]].concat()));
        }
        let mut body = Jute::default();
        record(&mut body, proposal);
        if let (Some(image), Ok(read)) = (&mut image, Record::read(&body.0)) {
            image.apply(&read);
            let refused = matches!(proposal.payload.txn.op, Op::Error(_));
            if !refused {
                body.int(DIGEST).long(image.digest());
            }
        }
        if let Some((_, to)) = all.last_mut() {
            to.extend(u64::from(checksum(&body.0)).to_be_bytes());
            to.extend((body.0.len() as u32).to_be_bytes());
            to.extend(body.0);
            to.push(b'B');
        }
    }
    all
}

fn record(to: &mut Jute, Proposal { zxid, payload }: &Proposal) {
    let Txn { session, cxid, time, op } = &*payload.txn;
    to.long(session.0).int(*cxid).long(zxid.0).long(time.cast_unsigned()).int(kind_of(op));
    body(to, op);
}

fn kind_of(op: &Op) -> i32 {
    match op {
        Op::CreateSession { .. } => kind::CREATE_SESSION,
        Op::CloseSession { .. } => kind::CLOSE_SESSION,
        Op::Create { owner: Owner::Container, .. } => kind::CREATE_CONTAINER,
        Op::Create { owner: Owner::Ttl(_), .. } => kind::CREATE_TTL,
        Op::Create { with_stat: true, .. } => kind::CREATE2,
        Op::Create { .. } => kind::CREATE,
        Op::Delete { .. } => kind::DELETE,
        Op::SetData { .. } => kind::SET_DATA,
        Op::SetAcl { .. } => kind::SET_ACL,
        Op::Reconfig { .. } => kind::RECONFIG,
        Op::Check { .. } => kind::CHECK,
        Op::Multi(_) | Op::FailedMulti(_) => kind::MULTI,
        Op::Error(_) => kind::ERROR,
    }
}

fn body(to: &mut Jute, op: &Op) {
    match op {
        Op::CreateSession { timeout_ms } => to.int(timeout_ms.cast_signed()),
        Op::CloseSession { paths } => {
            to.int(paths.len() as i32);
            paths.iter().fold(to, |to, path| to.text(path))
        }
        Op::Create { path, data, acl, owner, parent_cversion, .. } => {
            to.text(path).data(data).acl(acl);
            match owner {
                Owner::None => to.bool(false).int(*parent_cversion),
                Owner::Session(_) => to.bool(true).int(*parent_cversion),
                Owner::Container => to.int(*parent_cversion),
                Owner::Ttl(ttl) => to.int(*parent_cversion).long(ttl.cast_unsigned()),
            }
        }
        Op::Delete { path } => to.text(path),
        Op::SetData { path, data, version } => to.text(path).data(data).int(*version),
        Op::SetAcl { path, acl, version } => to.text(path).acl(acl).int(*version),
        Op::Reconfig { config } => to.text(CONFIG).text(config).int(-1),
        // whatever version was compared, it was right
        Op::Check { path } => to.text(path).int(0),
        Op::Multi(ops) => {
            to.int(ops.len() as i32);
            ops.iter().fold(to, |to, op| to.part(kind_of(op), |to| body(to, op)))
        }
        Op::FailedMulti(codes) => {
            to.int(codes.len() as i32);
            codes.iter().fold(to, |to, code| {
                to.part(kind::ERROR, |to| {
                    to.int(code.number());
                })
            })
        }
        Op::Error(code) => to.int(code.number()),
    };
}

/// The number in which a real znode's owner is (`EphemeralType.java`).
fn owner(owner: Owner) -> u64 {
    match owner {
        Owner::None => 0,
        Owner::Session(SessionId(session)) => session,
        Owner::Container => CONTAINER,
        Owner::Ttl(ttl) => TTL | ttl.cast_unsigned(),
    }
}

/// The state as its snapshot would be read.
fn image(tree: &Tree) -> Image {
    use crate::content::{Content, Room};
    use crate::snapshot::{Compression, SnapshotFile};
    let bytes = Content::of(&snapshot(tree));
    let file = SnapshotFile::read("", tree.last, Compression::Plain, bytes, Room::default());
    file.load(Room::default()).unwrap_or_else(|_| Image::empty())
}

fn snapshot(tree: &Tree) -> Vec<u8> {
    let mut to = Jute(b"ZKSN".to_vec());
    to.int(2).long(u64::MAX);
    to.int(tree.sessions().count() as i32);
    for (session, timeout) in tree.sessions() {
        to.long(session.0).int(timeout.cast_signed());
    }
    let mut acls = BTreeMap::<Vec<u8>, u64>::new();
    for (_, znode) in tree.nodes() {
        let next = acls.len() as u64 + 1;
        acls.entry(acl_bytes(&znode.acl)).or_insert(next);
    }
    to.int(acls.len() as i32);
    for (acl, place) in &acls {
        to.long(*place).bytes(acl);
    }
    // in the order of their paths parents come before their children
    for (path, znode) in tree.nodes() {
        let place = acls.get(&acl_bytes(&znode.acl)).copied().unwrap_or(u64::MAX);
        node(&mut to, if &**path == "/" { "" } else { path }, znode, place);
    }
    to.text("/").seal();
    let digest = Image::digest_of(tree.nodes().map(|(path, znode)| (&**path, znode.data.as_deref(), stat(znode))));
    to.long(tree.last.0).int(DIGEST).long(digest).seal();
    to.0
}

fn stat(znode: &Znode) -> crate::image::Stat {
    crate::image::Stat {
        czxid: znode.czxid,
        mzxid: znode.mzxid,
        ctime: znode.ctime,
        mtime: znode.mtime,
        version: znode.version,
        cversion: znode.cversion,
        aversion: znode.aversion,
        owner: owner(znode.owner),
        pzxid: znode.pzxid,
    }
}

fn node(to: &mut Jute, path: &str, znode: &Znode, acl: u64) {
    let stat = stat(znode);
    to.text(path).data(&znode.data).long(acl);
    to.long(stat.czxid.0).long(stat.mzxid.0).long(stat.ctime.cast_unsigned()).long(stat.mtime.cast_unsigned());
    to.int(stat.version).int(stat.cversion).int(stat.aversion).long(stat.owner).long(stat.pzxid.0);
}

fn acl_bytes(acl: &Rc<[Acl]>) -> Vec<u8> {
    let mut to = Jute::default();
    to.acl(acl);
    to.0
}

/// Writing jute (`BinaryOutputArchive.java`).
#[derive(Default)]
struct Jute(Vec<u8>);

impl Jute {
    fn bytes(&mut self, bytes: &[u8]) -> &mut Jute {
        self.0.extend(bytes);
        self
    }

    fn bool(&mut self, it: bool) -> &mut Jute {
        self.bytes(&[u8::from(it)])
    }

    fn int(&mut self, number: i32) -> &mut Jute {
        self.bytes(&number.to_be_bytes())
    }

    fn long(&mut self, number: u64) -> &mut Jute {
        self.bytes(&number.to_be_bytes())
    }

    fn text(&mut self, text: &str) -> &mut Jute {
        self.int(text.len() as i32).bytes(text.as_bytes())
    }

    fn data(&mut self, data: &Data) -> &mut Jute {
        match data {
            Some(data) => self.int(data.len() as i32).bytes(data),
            None => self.int(-1),
        }
    }

    fn acl(&mut self, list: &[Acl]) -> &mut Jute {
        self.int(list.len() as i32);
        list.iter().fold(self, |to, acl| to.int(i32::from(acl.perms.0)).text(&acl.who.scheme).text(&acl.who.id))
    }

    /// A part of a multi: its kind, and its bytes behind their length.
    fn part(&mut self, kind: i32, write: impl FnOnce(&mut Jute)) -> &mut Jute {
        let mut part = Jute::default();
        write(&mut part);
        self.int(kind).int(part.0.len() as i32).bytes(&part.0)
    }

    /// The checksum of all before it.
    fn seal(&mut self) -> &mut Jute {
        let sum = checksum(&self.0);
        self.long(sum.into()).text("/")
    }
}
