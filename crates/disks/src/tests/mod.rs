//! Disks of real servers, against what others found on them: `tests/disks/README.md`.

mod artifacts;
mod mutated;
mod restart;
mod start;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use zabscope_ground::base::Zxid;

use crate::archive::Intake;
use crate::disk::{Disks, sort};
use crate::image::{Image, session_of};
use crate::trouble::hex;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/disks").join(name)
}

/// The archives in a folder, by their names.
fn archives(of: &str) -> Vec<PathBuf> {
    let files = fs::read_dir(folder(of)).expect("a folder of archives");
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| path.to_string_lossy().ends_with(".tar.gz"));
    paths.sort();
    paths
}

fn intake(archive: &Path) -> Intake {
    let mut intake = Intake::default();
    let name = archive.file_name().expect("a name").to_string_lossy();
    intake.add_from(&name, fs::File::open(archive).expect("an archive")).expect("it can be read");
    intake
}

fn disks(archive: &Path) -> Disks {
    sort(intake(archive), &BTreeMap::new())
}

fn zxid(text: &Value) -> Zxid {
    let text = text.as_str().expect("a zxid");
    Zxid(u64::from_str_radix(text.trim_start_matches("0x"), 16).expect("hex"))
}

/// The znodes of a tree that do not differ from server to server, a line for each; how many, and the checksum.
fn tree(image: &Image) -> (u64, u64) {
    let (mut count, mut crc) = (0, crc32fast::Hasher::new());
    for (path, node) in image.nodes() {
        if path == "/zookeeper/config" || path.ends_with("/zookeeper_stats") {
            continue;
        }
        let data = node.data.as_ref().map_or("null".into(), |data| String::from_utf8_lossy(data));
        let owner = session_of(node.stat.owner).map_or(0, |session| session.0);
        let zxids = [node.stat.czxid, node.stat.mzxid].map(hex).join("\t");
        crc.update(format!("{path}\t{data}\t{}\t{zxids}\t0x{owner:x}\n", node.stat.version).as_bytes());
        count += 1;
    }
    (count, crc.finalize().into())
}
