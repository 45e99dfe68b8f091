//! Files with bytes changed, cut, repeated and mixed: whatever comes out, nothing panics.

use super::*;
use crate::content::{Content, Room};
use crate::load::Loaded;
use crate::matrix::{Matrix, compare, differences};
use crate::start::{Choice, Ensemble};
use zabscope_ground::base::{Prng, Stream};
use zabscope_sim::sim::ZkVersion;

/// How many mutated disks are read in the ordinary test.
const ROUNDS: u64 = 6_000;

fn pick(prng: &mut Prng, length: usize) -> usize {
    prng.between(0, length.saturating_sub(1) as u64) as usize
}

fn mutate(bytes: &mut Vec<u8>, prng: &mut Prng) {
    for _ in 0..prng.between(1, 4) {
        if bytes.is_empty() {
            return;
        }
        let at = pick(prng, bytes.len());
        match prng.between(0, 6) {
            0 => bytes[at] ^= 1 << prng.between(0, 7),
            1 => bytes[at] = [0, 0x42, 0x7f, 0x80, 0xff][pick(prng, 5)],
            2 => bytes.truncate(at),
            3 => bytes.insert(at, prng.between(0, 255) as u8),
            4 => {
                let number = [-1, i32::MIN, i32::MAX, 0, 1][pick(prng, 5)].to_be_bytes();
                bytes.iter_mut().skip(at).zip(number).for_each(|(to, from)| *to = from);
            }
            5 => {
                let end = (at + 40).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                let to = pick(prng, bytes.len());
                drop(bytes.splice(to..to, piece));
            }
            _ => {
                bytes.drain(at..(at + 9).min(bytes.len()));
            }
        }
    }
}

/// A damaged record whose checksum is right: whoever reads bodies must not count on it.
fn mend(bytes: &mut [u8]) {
    let (mut at, mark) = (16, 0x42);
    while let Some(length) = bytes.get(at + 8..at + 12).and_then(|length| length.first_chunk::<4>()) {
        let length = i32::from_be_bytes(*length);
        let Ok(length) = usize::try_from(length) else { return };
        let (from, end) = (at + 12, (at + 12).saturating_add(length));
        if length == 0 || end >= bytes.len() {
            return;
        }
        let sum = u64::from(simd_adler32::adler32(&&bytes[from..end]));
        bytes[at..at + 8].copy_from_slice(&sum.to_be_bytes());
        bytes[end] = mark;
        at = end + 1;
    }
}

#[test]
fn nothing_that_is_on_a_disk_makes_the_reader_panic() {
    let names = ["newest-snapshot-removed-wakes-ghosts", "reconfig-end-of-five", "sessions-over-a-leader-change"];
    let points = names.map(|name| intake(&folder(&format!("restart/{name}.tar.gz"))).files);
    let packed = intake(&folder("restart/only-a-snapshot-and-a-log-missing.tar.gz")).files;
    let packed: Vec<_> = packed.into_iter().filter(|(path, _)| path.contains("/snapshot.")).collect();
    let mut prng = Prng::new(51, Stream::Faults);
    let (mut troubles, mut started) = (0, 0);
    for round in 0..ROUNDS {
        let mut files = points[pick(&mut prng, points.len())].clone();
        if round % 10 == 0 {
            files.push(packed[pick(&mut prng, packed.len())].clone());
        }
        for _ in 0..prng.between(1, 3) {
            let place = pick(&mut prng, files.len());
            let (path, content) = &mut files[place];
            let mut bytes = content.bytes().to_vec();
            mutate(&mut bytes, &mut prng);
            if path.contains("/log.") && prng.between(0, 1) == 1 {
                mend(&mut bytes);
            }
            *content = Content::of(&bytes);
        }
        let intake = Intake { files, room: Room::of(1 << 24), ..Intake::default() };
        let disks = sort(intake, &BTreeMap::new());
        let loaded: Vec<Loaded> = disks.disks.iter().map(|disk| Loaded::of(disk, disks.room)).collect();
        let pairs: Vec<_> = disks.disks.iter().zip(&loaded).collect();
        let matrix = Matrix::of(&pairs);
        assert!(matrix.columns.iter().all(|column| column.cells.len() == pairs.len() && column.first <= column.last));
        if round % 5 == 0
            && let Ok(ensemble) = Ensemble::of(&pairs, ZkVersion::V39, disks.room)
        {
            let outcome = ensemble.start(&Choice { start: (0..pairs.len()).collect(), gap_ms: 0 }, round);
            started += usize::from(!outcome.reigns.is_empty());
        }
        for one in &loaded {
            compare(one, &loaded[0]);
            differences(&one.image, &loaded[0].image);
        }
        troubles += disks
            .disks
            .iter()
            .flat_map(|disk| disk.all_troubles())
            .map(|it| it.to_string().len().min(1))
            .sum::<usize>();
    }
    assert!(troubles > 1_000, "most of it is noticed: {troubles}");
    assert!(started > 100, "many start all the same: {started}");
}

/// Archives too: whatever their readers do with them, it ends in a sentence.
#[test]
fn a_damaged_archive_is_read_as_far_as_it_goes() {
    let whole = fs::read(folder("restart/election-cut-short.tar.gz")).expect("an archive");
    let mut prng = Prng::new(52, Stream::Faults);
    for _ in 0..1_000 {
        let mut bytes = whole.clone();
        mutate(&mut bytes, &mut prng);
        let mut intake = Intake { room: Room::of(1 << 24), ..Intake::default() };
        intake.add("a.tar.gz", Content::of(&bytes));
        sort(intake, &BTreeMap::new());
    }
}
