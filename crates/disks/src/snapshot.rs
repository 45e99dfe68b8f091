//! A snapshot (`FileSnap.java`, `SnapStream.java`, `DataTree.java` `deserialize`).

use std::io::Read;

use zabscope_ground::base::{SessionId, Zxid};

use crate::content::{Content, NoRoom, Room};
use crate::image::{Image, Stat, node_digest};
use crate::jute::{Jute, Unreadable};
use crate::record::{Digest, acl};
use crate::trouble::{Trouble, Wrong};

const MAGIC: &[u8] = b"ZKSN";
const VERSION: i32 = 2;
/// What all plain snapshots end with: the mark of a seal. A server looks at no other.
const LAST: &[u8] = &[0, 0, 0, 1, b'/'];
/// `-1` in the place of a list: `world:anyone` may do everything.
const OPEN: &[u8] = b"\0\0\0\x01\0\0\0\x1f\0\0\0\x05world\0\0\0\x06anyone";
const SNAPPY: &[u8] = b"\x82SNAPPY\0";

/// How a snapshot is compressed: by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compression {
    /// It is not.
    Plain,
    /// `.gz`
    Gz,
    /// `.snappy`
    Snappy,
}

/// A snapshot.
#[derive(Clone, Debug)]
pub struct SnapshotFile {
    /// Its path.
    pub path: String,
    /// The zxid in its name: the last that was applied when writing it began.
    pub name: Zxid,
    /// How it is compressed.
    pub compression: Compression,
    /// What it says about itself.
    pub about: About,
    /// Whether a server would load it.
    pub is_valid: bool,
    /// What is wrong with it.
    pub troubles: Vec<Trouble>,
    content: Content,
}

/// What a snapshot says, and its tree's digest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// How many sessions there are.
    pub sessions: usize,
    /// How many znodes.
    pub nodes: usize,
    /// How many lists of permissions are in its table.
    pub acls: usize,
    /// A zxid and the digest of the tree after it (3.6 and newer): from there on it is whole. 0 where there was none to be said.
    pub digest: Option<(Zxid, Digest)>,
    /// The last zxid (3.9 and newer).
    pub last_processed: Option<Zxid>,
    /// How many seals it has.
    pub seals: usize,
    /// The digest of its tree, calculated.
    pub tree_digest: u64,
}

impl About {
    /// The digest that it says, where there was one to be said.
    pub fn said(&self) -> Option<(Zxid, u64)> {
        self.digest
            .filter(|(_, digest)| digest.version == 2 && digest.sum != 0)
            .map(|(zxid, digest)| (zxid, digest.sum))
    }
}

/// Who is told what is in a snapshot.
trait Reader {
    fn session(&mut self, session: SessionId, timeout: i32);
    fn acl(&mut self, number: i64, list: &[u8]);
    /// False where the list of permissions is not in the table.
    fn node(&mut self, path: &str, data: Option<&[u8]>, acl: i64, stat: Stat) -> bool;
    fn has_parent(&self, path: &str) -> bool;
    fn digest(&self) -> u64;
}

/// Reads for the digest alone.
#[derive(Default)]
struct Sum {
    digest: u64,
    acls: std::collections::HashSet<i64>,
}

impl Reader for Sum {
    fn session(&mut self, _: SessionId, _: i32) {}

    fn acl(&mut self, number: i64, _: &[u8]) {
        self.acls.insert(number);
    }

    fn node(&mut self, path: &str, data: Option<&[u8]>, acl: i64, stat: Stat) -> bool {
        self.digest = self.digest.wrapping_add(node_digest(path, data, &stat).into());
        acl == -1 || self.acls.contains(&acl)
    }

    fn has_parent(&self, _: &str) -> bool {
        true
    }

    fn digest(&self) -> u64 {
        self.digest
    }
}

/// Reads a state.
struct Builder {
    image: Image,
    acls: std::collections::HashMap<i64, u32>,
}

impl Reader for Builder {
    fn session(&mut self, session: SessionId, timeout: i32) {
        self.image.add_session(session, timeout);
    }

    fn acl(&mut self, number: i64, list: &[u8]) {
        let place = self.image.place(list);
        self.acls.insert(number, place);
    }

    fn node(&mut self, path: &str, data: Option<&[u8]>, acl: i64, stat: Stat) -> bool {
        let place = self.acls.get(&acl).copied();
        self.image.put(path, data, place.unwrap_or(0), stat);
        place.is_some()
    }

    fn has_parent(&self, path: &str) -> bool {
        self.image.has_parent(path)
    }

    fn digest(&self) -> u64 {
        self.image.digest()
    }
}

impl SnapshotFile {
    /// Reads a file and checks all that can be checked.
    pub fn read(path: &str, name: Zxid, compression: Compression, content: Content, room: Room) -> SnapshotFile {
        let mut snapshot = SnapshotFile {
            path: path.into(),
            name,
            compression,
            about: About::default(),
            is_valid: false,
            troubles: Vec::new(),
            content,
        };
        let (bytes, wrong) = snapshot.unpacked(room);
        snapshot.troubles.extend(wrong.map(|wrong| Trouble::of(path, wrong)));
        // a server does not look at a file that is not finished
        let is_finished = compression != Compression::Plain || bytes.ends_with(LAST);
        let mut scan = Scan::of(path, &bytes, Sum::default());
        let read = scan.all();
        snapshot.is_valid = read.is_ok() && is_finished;
        if let Err(wrong) = read {
            scan.trouble(wrong);
        } else if scan.jute.rest().is_empty() {
            scan.compare_digest(name);
        } else {
            let more = scan.jute.rest().len() as u64;
            scan.trouble(Wrong::Behind(more));
        }
        let (about, troubles) = (scan.about, scan.troubles);
        snapshot.about = about;
        snapshot.troubles.extend(troubles);
        snapshot
    }

    /// The file's length, bytes.
    pub fn size(&self) -> u64 {
        self.content.size()
    }

    /// The state that it holds, and what a server finds wrong only when it loads it.
    pub fn load(&self, room: Room) -> Result<Image, Trouble> {
        let (bytes, wrong) = self.unpacked(room);
        let mut image = Image::nothing(self.name);
        let open = image.place(OPEN);
        let builder = Builder { image, acls: [(-1, open)].into() };
        let mut scan = Scan::of(&self.path, &bytes, builder);
        match scan.all() {
            Ok(()) if scan.reader.image.get("/").is_some() => Ok(scan.reader.image),
            Ok(()) => Err(Trouble::of(&self.path, Wrong::Snapshot)),
            Err(what) => Err(wrong.map_or_else(
                || Trouble::at(&self.path, scan.jute.at() as u64, what),
                |wrong| Trouble::of(&self.path, wrong),
            )),
        }
    }

    /// Its bytes, and why they end too early.
    fn unpacked(&self, mut room: Room) -> (Vec<u8>, Option<Wrong>) {
        let mut bytes = Vec::new();
        let wrong = match self.compression {
            Compression::Plain => match self.content.whole(&mut room) {
                Ok(whole) => return (whole, None),
                Err(NoRoom) => Some(Wrong::NoRoom),
            },
            Compression::Gz => {
                let mut decoder = flate2::read::MultiGzDecoder::new(self.content.reader()).take(room.left() + 1);
                let read = decoder.read_to_end(&mut bytes);
                let wrong = read.err().map(|error| Wrong::Archive(error.to_string()));
                wrong.or((bytes.len() as u64 > room.left()).then_some(Wrong::NoRoom))
            }
            Compression::Snappy => match self.content.whole(&mut room) {
                Ok(whole) => snappy(&whole, room, &mut bytes).err(),
                Err(NoRoom) => Some(Wrong::NoRoom),
            },
        };
        (bytes, wrong)
    }
}

/// Unpacks a stream of snappy-java: a header, then blocks, each behind its length (`SnappyInputStream.java`).
fn snappy(bytes: &[u8], mut room: Room, to: &mut Vec<u8>) -> Result<(), Wrong> {
    let broken = |why: &str| Wrong::Archive(why.into());
    let mut jute = Jute::new(bytes);
    if !bytes.starts_with(SNAPPY) {
        return Err(broken("does not begin as snappy-java's streams do"));
    }
    let mut decoder = snap::raw::Decoder::new();
    while !jute.rest().is_empty() {
        // two streams in a row are one
        if jute.rest().starts_with(SNAPPY) {
            jute.take(SNAPPY.len() + 8).map_err(|_| broken("ends in a header"))?;
            continue;
        }
        let block = jute.buffer().ok().flatten().ok_or_else(|| broken("ends in the middle of a block"))?;
        let length = snap::raw::decompress_len(block).map_err(|error| Wrong::Archive(error.to_string()))?;
        room.take(length as u64).map_err(|NoRoom| Wrong::NoRoom)?;
        let unpacked = decoder.decompress_vec(block).map_err(|error| Wrong::Archive(error.to_string()))?;
        to.extend(unpacked);
    }
    Ok(())
}

struct Scan<'a, R> {
    path: &'a str,
    bytes: &'a [u8],
    jute: Jute<'a>,
    reader: R,
    about: About,
    troubles: Vec<Trouble>,
    sealed: (usize, simd_adler32::Adler32),
}

impl From<Unreadable> for Wrong {
    fn from(_: Unreadable) -> Wrong {
        Wrong::Snapshot
    }
}

impl<'a, R: Reader> Scan<'a, R> {
    fn of(path: &'a str, bytes: &'a [u8], reader: R) -> Scan<'a, R> {
        let sealed = (0, simd_adler32::Adler32::new());
        Scan { path, bytes, jute: Jute::new(bytes), reader, about: About::default(), troubles: Vec::new(), sealed }
    }

    fn trouble(&mut self, wrong: Wrong) {
        self.troubles.push(Trouble::at(self.path, self.jute.at() as u64, wrong));
    }

    /// All of it. What is missing behind the first seal was not written by older servers.
    fn all(&mut self) -> Result<(), Wrong> {
        self.head()?;
        self.nodes()?;
        self.about.tree_digest = self.reader.digest();
        if self.jute.rest().is_empty() {
            return Err(Wrong::NoSeal);
        }
        self.seal()?;
        let before = self.jute;
        let Ok(digest) = self.digest() else {
            self.jute = before;
            return Ok(());
        };
        self.about.digest = Some(digest);
        self.seal()?;
        let before = self.jute;
        let Ok(last) = self.jute.long() else {
            self.jute = before;
            return Ok(());
        };
        self.about.last_processed = Some(Zxid(last.cast_unsigned()));
        self.seal()
    }

    fn head(&mut self) -> Result<(), Wrong> {
        let jute = &mut self.jute;
        if jute.take(MAGIC.len())? != MAGIC {
            self.jute = Jute::new(self.bytes);
            return Err(Wrong::Magic);
        }
        match jute.int()? {
            VERSION => {}
            other => return Err(Wrong::Version(other)),
        }
        jute.long()?;
        self.about.sessions = jute.count(12)?;
        for _ in 0..self.about.sessions {
            self.reader.session(SessionId(jute.long()?.cast_unsigned()), jute.int()?);
        }
        self.about.acls = jute.count(12)?;
        for _ in 0..self.about.acls {
            self.reader.acl(jute.long()?, acl(jute)?.0);
        }
        Ok(())
    }

    fn nodes(&mut self) -> Result<(), Wrong> {
        let mut no_acl = None;
        loop {
            let at = self.jute;
            let path = self.jute.text()?;
            if path == "/" {
                break;
            }
            if !self.reader.has_parent(&path) {
                self.jute = at;
                return Err(Wrong::Orphan(path.into()));
            }
            let (data, acl) = (self.jute.buffer()?, self.jute.long()?);
            let stat = Stat::read(&mut self.jute)?;
            if !self.reader.node(&path, data, acl, stat) && no_acl.is_none() {
                no_acl = Some(acl);
                self.troubles.push(Trouble::at(self.path, at.at() as u64, Wrong::NoAcl(acl)));
            }
            self.about.nodes += 1;
        }
        Ok(())
    }

    fn digest(&mut self) -> Result<(Zxid, Digest), Unreadable> {
        let (zxid, version) = (Zxid(self.jute.long()?.cast_unsigned()), self.jute.int()?);
        let sum = match version {
            ..2 => u64::from_str_radix(&self.jute.text()?, 16).unwrap_or(0),
            _ => self.jute.long()?.cast_unsigned(),
        };
        Ok((zxid, Digest { version, sum }))
    }

    /// A checksum of all before it, earlier seals included.
    fn seal(&mut self) -> Result<(), Wrong> {
        let (from, adler) = &mut self.sealed;
        adler.write(self.bytes.get(*from..self.jute.at()).unwrap_or_default());
        *from = self.jute.at();
        let (found, before, number) = (adler.finish(), self.jute, self.about.seals + 1);
        let said = self.jute.long()?.cast_unsigned();
        if said != u64::from(found) {
            self.jute = before;
            return Err(Wrong::Seal { number, said, found });
        }
        if self.jute.text()? != "/" {
            return Err(Wrong::SealMark(number));
        }
        self.about.seals = number;
        Ok(())
    }

    /// Where nothing was applied while it was written, its digest is that of its tree.
    fn compare_digest(&mut self, name: Zxid) {
        if let Some((_, said)) = self.about.said().filter(|(zxid, _)| *zxid <= name)
            && said != self.about.tree_digest
        {
            let found = self.about.tree_digest;
            self.trouble(Wrong::TreeDigest { said, found });
        }
    }
}

#[cfg(test)]
mod tests {
    use zabscope_ground::wire::Acl;

    use crate::log::checksum;

    use super::*;

    /// A snapshot with a session, a root and `/a`, with so many seals.
    fn file(seals: usize) -> Vec<u8> {
        let text = |text: &str| [&(text.len() as u32).to_be_bytes()[..], text.as_bytes()].concat();
        let node = |path| [text(path), vec![0xff; 4], (-1_i64).to_be_bytes().to_vec(), vec![0; 60]].concat();
        let mut bytes =
            [MAGIC, &[0, 0, 0, 2], &[0xff; 8], &[0, 0, 0, 1], &[0; 7], &[7], &[0, 0, 0, 9], &[0; 4]].concat();
        bytes.extend([node(""), node("/a"), text("/")].concat());
        let digest: u64 = ["", "/a"].map(|path| u64::from(node_digest(path, None, &Stat::default()))).iter().sum();
        for part in
            [vec![], [&[0; 8][..], &[0, 0, 0, 2], &digest.to_be_bytes()].concat(), vec![0; 8]].iter().take(seals)
        {
            bytes.extend(part);
            bytes.extend(u64::from(checksum(&bytes)).to_be_bytes());
            bytes.extend(text("/"));
        }
        bytes
    }

    fn read(bytes: &[u8], compression: Compression) -> SnapshotFile {
        SnapshotFile::read("snapshot.0", Zxid::ZERO, compression, Content::of(bytes), Room::default())
    }

    fn gz(bytes: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        let level = flate2::Compression::fast();
        flate2::bufread::GzEncoder::new(bytes, level).read_to_end(&mut packed).unwrap();
        packed
    }

    fn snappy(bytes: &[u8]) -> Vec<u8> {
        let mut packed = [SNAPPY, &[0, 0, 0, 1, 0, 0, 0, 1]].concat();
        for block in bytes.chunks(50) {
            let block = snap::raw::Encoder::new().compress_vec(block).unwrap();
            packed.extend((block.len() as u32).to_be_bytes());
            packed.extend(block);
        }
        packed
    }

    #[test]
    fn a_snapshot_has_one_two_or_three_seals_in_three_packings() {
        for seals in 1..=3 {
            let plain = file(seals);
            for (bytes, compression) in [
                (plain.clone(), Compression::Plain),
                (gz(&plain), Compression::Gz),
                (snappy(&plain), Compression::Snappy),
            ] {
                let snapshot = read(&bytes, compression);
                assert!(snapshot.is_valid && snapshot.troubles.is_empty(), "{:?}", snapshot.troubles);
                let About { sessions, nodes, seals: found, tree_digest, .. } = snapshot.about;
                assert_eq!((sessions, nodes, found), (1, 2, seals));
                let image = snapshot.load(Room::default()).unwrap();
                assert_eq!((image.len(), image.digest()), (2, tree_digest));
                assert_eq!(image.acl(image.get("/a").unwrap()), Acl::open());
                assert_eq!(snapshot.about.last_processed, (seals == 3).then_some(Zxid::ZERO));
                assert_eq!(snapshot.about.said().is_some(), seals > 1);
            }
        }
    }

    #[test]
    fn each_byte_of_a_snapshot_is_sealed() {
        for seals in 1..=3 {
            let plain = file(seals);
            for at in 0..plain.len() {
                let mut bytes = plain.clone();
                bytes[at] ^= 0x10;
                let snapshot = read(&bytes, Compression::Plain);
                assert!(!snapshot.is_valid && !snapshot.troubles.is_empty(), "byte {at} of {seals} seals");
            }
        }
    }

    #[test]
    fn a_snapshot_that_is_not_finished_is_none() {
        let (plain, whole) = (file(2), file(3));
        for end in 0..whole.len() {
            let expected = end == plain.len() || end == file(1).len();
            assert_eq!(read(&whole[..end], Compression::Plain).is_valid, expected, "{end}");
            assert!(!read(&gz(&whole)[..end.min(40)], Compression::Gz).is_valid);
        }
        let mut more = whole.clone();
        more.extend(b"\0\0\0\x01/");
        let snapshot = read(&more, Compression::Plain);
        assert!(snapshot.is_valid, "a server does not look further");
        assert_eq!(snapshot.troubles[0].what, Wrong::Behind(5));
    }

    #[test]
    fn a_packed_snapshot_takes_no_more_room_than_there_is() {
        let packed = gz(&[7; 100_000]);
        let snapshot = SnapshotFile::read("s", Zxid::ZERO, Compression::Gz, Content::of(&packed), Room::of(1_000));
        assert_eq!(snapshot.troubles[0].what, Wrong::NoRoom);
        let mut huge = [SNAPPY, &[0; 8], &[0, 0, 0, 5]].concat();
        huge.extend([0xff, 0xff, 0xff, 0xff, 0x0f]);
        assert!(matches!(read(&huge, Compression::Snappy).troubles[0].what, Wrong::NoRoom | Wrong::Archive(_)));
    }
}
