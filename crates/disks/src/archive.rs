//! Files that are packed in others: tar, tar.gz, zip, and any of them once more.

use std::io::{self, Cursor, Read};

use crate::content::{Content, NoRoom, Room};
use crate::logs::text::{Reader, Text, is_log};
use crate::trouble::{Trouble, Wrong};

/// Archives in archives: a tar.gz of each server in a zip of all, and one more.
const DEEPEST: usize = 3;
const CHUNK: usize = 1 << 16;
/// How many files are taken in.
const MOST_FILES: usize = 100_000;
/// How many logs of servers.
const MOST_LOGS: usize = 400;

/// So much of a file shows whether it is a log of a server, bytes.
const SHOWS: u64 = 8_192;

/// A file that comes in: as its bytes, or, of a server's log, only as what it tells.
#[derive(Debug)]
pub enum Inflow {
    /// Its bytes.
    Bytes(Content),
    /// A log.
    Log(Box<Reader>),
}

impl Default for Inflow {
    fn default() -> Inflow {
        Inflow::Bytes(Content::default())
    }
}

impl Inflow {
    /// Adds what comes next in the file.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn push(&mut self, chunk: &[u8], room: &mut Room) -> Result<(), NoRoom> {
        match self {
            Inflow::Log(reader) => reader.push(chunk),
            Inflow::Bytes(content) => {
                let is_new = content.size() < SHOWS;
                content.push(chunk, room)?;
                if is_new && is_log(content.bytes()) {
                    *self = Inflow::Log(Box::new(begun(content)));
                }
            }
        }
        Ok(())
    }
}

fn begun(content: &Content) -> Reader {
    let mut reader = Reader::default();
    reader.push(content.bytes());
    reader
}

/// Files, unpacked.
#[derive(Debug, Default)]
pub struct Intake {
    /// What servers' own logs tell, each with its path.
    pub logs: Vec<(String, Text)>,
    /// Each with its path: those in archives below the archive's.
    pub files: Vec<(String, Content)>,
    /// Symbolic links in archives: their paths and where they point to.
    pub links: Vec<(String, String)>,
    /// What could not be unpacked.
    pub troubles: Vec<Trouble>,
    /// How much more may be kept.
    pub room: Room,
}

impl Intake {
    /// Takes a file in: itself, or what is packed in it.
    pub fn add(&mut self, path: &str, content: Content) {
        self.unpack(path, content, 0);
    }

    /// Takes a file in as it is read.
    ///
    /// # Errors
    /// What its reader says.
    pub fn add_from(&mut self, path: &str, from: impl Read) -> io::Result<()> {
        if let Some(inflow) = self.read(path, from)? {
            self.take_in(path, inflow);
        }
        Ok(())
    }

    /// Takes a file in that has come to its end.
    pub fn take_in(&mut self, path: &str, inflow: Inflow) {
        self.sort_in(path, inflow, 0);
    }

    fn sort_in(&mut self, path: &str, inflow: Inflow, depth: usize) {
        match inflow {
            Inflow::Bytes(content) => self.unpack(path, content, depth),
            Inflow::Log(_) if self.logs.len() >= MOST_LOGS => self.trouble(path, Wrong::NoRoom),
            Inflow::Log(reader) => self.logs.push((path.into(), reader.end())),
        }
    }

    /// Reads something to its end; nothing where there is no room.
    fn read(&mut self, path: &str, mut from: impl Read) -> io::Result<Option<Inflow>> {
        let (mut content, mut chunk) = (Inflow::default(), vec![0; CHUNK]);
        loop {
            let length = match from.read(&mut chunk) {
                Ok(0) => return Ok(Some(content)),
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if content.push(&chunk[..length], &mut self.room).is_err() {
                self.trouble(path, Wrong::NoRoom);
                return Ok(None);
            }
        }
    }

    fn trouble(&mut self, path: &str, wrong: Wrong) {
        self.troubles.push(Trouble::of(path, wrong));
    }

    fn unpack(&mut self, path: &str, content: Content, depth: usize) {
        match kind_of(path, &content) {
            Kind::Other if is_log(content.bytes()) => {
                self.sort_in(path, Inflow::Log(Box::new(begun(&content))), depth);
            }
            Kind::Other if self.files.len() >= MOST_FILES => self.trouble(path, Wrong::NoRoom),
            Kind::Other => self.files.push((path.into(), content)),
            _ if depth >= DEEPEST => self.trouble(path, Wrong::Nested),
            Kind::Zip => self.zip(path, &content, depth),
            Kind::Gz => self.gz(path, &content, depth),
            Kind::Tar => self.tar(path, content.reader(), depth),
        }
    }

    fn gz(&mut self, path: &str, content: &Content, depth: usize) {
        let mut decoder = flate2::read::MultiGzDecoder::new(content.reader());
        let mut head = Vec::new();
        if let Err(error) = decoder.by_ref().take(512).read_to_end(&mut head) {
            self.trouble(path, Wrong::Archive(error.to_string()));
        }
        let name = path.strip_suffix(".gz").unwrap_or(path);
        let name = name.strip_suffix(".tgz").unwrap_or(name);
        let is_tar = is_tar(&head);
        let all = Cursor::new(head).chain(decoder);
        if is_tar {
            return self.tar(path, all, depth);
        }
        match self.read(path, all) {
            Ok(Some(inflow)) => self.sort_in(name, inflow, depth + 1),
            Ok(None) => {}
            Err(error) => self.trouble(path, Wrong::Archive(error.to_string())),
        }
    }

    /// As far as it can be read: the end of an archive may be missing.
    fn tar(&mut self, path: &str, from: impl Read, depth: usize) {
        let mut archive = tar::Archive::new(from);
        let entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return self.trouble(path, Wrong::Archive(error.to_string())),
        };
        for entry in entries {
            if let Err((place, why)) =
                entry.map_err(|why| (None, why)).and_then(|entry| self.entry(path, entry, depth))
            {
                let wrong = Wrong::Archive(why.to_string());
                return self.trouble(place.as_deref().unwrap_or(path), wrong);
            }
        }
    }

    fn entry(
        &mut self,
        archive: &str,
        entry: tar::Entry<'_, impl Read>,
        depth: usize,
    ) -> Result<(), (Option<String>, io::Error)> {
        let name = below(archive, &entry.path_bytes());
        let kind = entry.header().entry_type();
        if let Some(target) = entry.link_name_bytes().filter(|_| kind.is_symlink() || kind.is_hard_link()) {
            self.links.push((name, String::from_utf8_lossy(&target).into_owned()));
        } else if kind.is_file() || kind.is_gnu_sparse() || kind.is_contiguous() {
            let size = entry.size();
            match self.read(&name, entry) {
                Ok(Some(inflow)) => {
                    let read = match &inflow {
                        Inflow::Bytes(content) => content.size(),
                        Inflow::Log(reader) => reader.size(),
                    };
                    if read < size {
                        self.trouble(&name, Wrong::Archive(format!("only {read} of {size} bytes are there")));
                    }
                    self.sort_in(&name, inflow, depth + 1);
                }
                Ok(None) => {}
                Err(error) => return Err((Some(name), error)),
            }
        }
        Ok(())
    }

    fn zip(&mut self, path: &str, content: &Content, depth: usize) {
        let Ok(bytes) = content.whole(&mut self.room) else { return self.trouble(path, Wrong::NoRoom) };
        let archive = match rawzip::ZipArchive::from_slice(&bytes) {
            Ok(archive) => archive,
            Err(error) => return self.trouble(path, Wrong::Archive(error.to_string())),
        };
        let mut entries = archive.entries();
        loop {
            let entry = match entries.next_entry() {
                Ok(Some(entry)) => entry,
                Ok(None) => return,
                Err(error) => return self.trouble(path, Wrong::Archive(error.to_string())),
            };
            let name = below(path, entry.file_path().as_ref());
            if entry.is_dir() {
                continue;
            }
            let packed = match archive.get_entry(entry.wayfinder()) {
                Ok(packed) => packed,
                Err(error) => {
                    self.trouble(&name, Wrong::Archive(error.to_string()));
                    continue;
                }
            };
            let read = match entry.compression_method() {
                rawzip::CompressionMethod::STORE => self.read(&name, packed.verifying_reader(packed.data())),
                rawzip::CompressionMethod::DEFLATE => {
                    let unpacked = flate2::read::DeflateDecoder::new(packed.data());
                    self.read(&name, packed.verifying_reader(unpacked))
                }
                _ => Err(io::Error::other("packed in a way that is not known here")),
            };
            match read {
                Ok(Some(inflow)) => self.sort_in(&name, inflow, depth + 1),
                Ok(None) => {}
                Err(error) => self.trouble(&name, Wrong::Archive(error.to_string())),
            }
        }
    }
}

/// What kind of archive a file is.
enum Kind {
    Tar,
    Gz,
    Zip,
    Other,
}

fn kind_of(path: &str, content: &Content) -> Kind {
    let bytes = content.bytes();
    // snapshots are packed too, and a server reads them so
    let is_snapshot = path.rsplit('/').next().is_some_and(|name| name.starts_with("snapshot."));
    match bytes {
        [0x1f, 0x8b, 8, ..] if !is_snapshot => Kind::Gz,
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Kind::Zip,
        _ if is_tar(bytes) => Kind::Tar,
        _ => Kind::Other,
    }
}

fn is_tar(bytes: &[u8]) -> bool {
    bytes.get(257..262) == Some(b"ustar")
}

/// The path of a file in an archive: without `./`, `..` and roots, which mean nothing there.
fn below(archive: &str, name: &[u8]) -> String {
    let name = String::from_utf8_lossy(name);
    let parts = name.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | ".."));
    [archive].into_iter().chain(parts).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        for (name, bytes) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_cksum();
            archive.append_data(&mut header, name, *bytes).unwrap();
        }
        archive.into_inner().unwrap()
    }

    fn gz(bytes: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut packed = Vec::new();
        let mut archive = rawzip::ZipArchiveWriter::new(&mut packed);
        for (name, bytes) in files {
            let method = rawzip::CompressionMethod::DEFLATE;
            let (mut entry, config) = archive.new_file(name).compression_method(method).start().unwrap();
            let encoder = flate2::write::DeflateEncoder::new(&mut entry, flate2::Compression::fast());
            let mut writer = config.wrap(encoder);
            writer.write_all(bytes).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            entry.finish(descriptor).unwrap();
        }
        archive.finish().unwrap();
        packed
    }

    fn intake(path: &str, bytes: &[u8]) -> Intake {
        let mut intake = Intake::default();
        intake.add_from(path, bytes).unwrap();
        intake
    }

    #[test]
    fn files_come_out_of_all_archives_with_their_zeros() {
        let log = [&b"ZKLG"[..], &[0; 9_000]].concat();
        let files = [("./s1/data/myid", &b"1\n"[..]), ("s1/data/version-2/log.1", &log)];
        let expected = [("a/s1/data/myid", Content::of(b"1\n")), ("a/s1/data/version-2/log.1", Content::of(&log))];
        for packed in [tar(&files), gz(&tar(&files)), zip(&files)] {
            let intake = intake("a", &packed);
            assert!(intake.troubles.is_empty(), "{:?}", intake.troubles);
            let files: Vec<(&str, Content)> =
                intake.files.iter().map(|(path, content)| (path.as_str(), content.clone())).collect();
            assert_eq!(files, expected);
        }
        let nested = intake("all.zip", &zip(&[("s1.tgz", &gz(&tar(&files))), ("zookeeper.log.gz", &gz(b"INFO"))]));
        let paths: Vec<&str> = nested.files.iter().map(|(path, _)| path.as_str()).collect();
        let below = ["all.zip/s1.tgz/s1/data/myid", "all.zip/s1.tgz/s1/data/version-2/log.1"];
        assert_eq!(paths, [below[0], below[1], "all.zip/zookeeper.log"]);
    }

    #[test]
    fn a_snapshot_stays_packed() {
        assert_eq!(intake("snapshot.1.gz", &gz(b"ZKSN")).files[0].1.bytes()[..2], [0x1f, 0x8b]);
    }

    #[test]
    fn an_archive_cut_short_gives_what_is_in_it() {
        let packed = tar(&[("s1/myid", &b"1\n"[..]), ("s1/log.1", &[7; 2_000])]);
        let cut = intake("a.tar", &packed[..2_000]);
        assert_eq!((cut.files.len(), cut.troubles.len()), (2, 2));
        assert_eq!(cut.troubles[0].file, "a.tar/s1/log.1");
        let mut wrong = zip(&[("a", &[7; 500])]);
        wrong[35] ^= 0x55;
        assert_eq!((intake("a.zip", &wrong).files.len(), intake("a.zip", &wrong).troubles.len()), (0, 1));
    }

    #[test]
    fn neither_bombs_nor_nests_are_unpacked() {
        let mut bomb = Intake { room: Room::of(1_000), ..Intake::default() };
        bomb.add("a.gz", Content::of(&gz(&[7; 100_000])));
        assert_eq!((bomb.files.len(), bomb.troubles[0].what.clone()), (0, Wrong::NoRoom));
        let nest = (0..9).fold(gz(b"x"), |inner, _| gz(&inner));
        assert_eq!(intake("a", &nest).troubles[0].what, Wrong::Nested);
    }
}
