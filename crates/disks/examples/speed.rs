//! How fast disks are read: writes a log of so many million creates into memory, with data of 100 bytes, and reads it: records and
//! checksums first, then the tree and its digests. `cargo run --profile bench --example speed -p zabscope-disks [MILLIONS]`

use std::collections::BTreeMap;
use std::time::Instant;

use zabscope_disks::archive::Intake;
use zabscope_disks::content::Content;
use zabscope_disks::disk::sort;
use zabscope_disks::load::Loaded;

fn text(to: &mut Vec<u8>, text: &str) {
    to.extend((text.len() as u32).to_be_bytes());
    to.extend(text.as_bytes());
}

fn create(zxid: u64, path: &str, cversion: u32) -> Vec<u8> {
    let mut body = Vec::with_capacity(256);
    body.extend(0x1_0000_0000_0001_u64.to_be_bytes());
    body.extend((zxid as u32).to_be_bytes());
    body.extend(zxid.to_be_bytes());
    body.extend(1_700_000_000_000_u64.to_be_bytes());
    body.extend(1_u32.to_be_bytes());
    text(&mut body, path);
    text(&mut body, &"x".repeat(100));
    body.extend([0, 0, 0, 1, 0, 0, 0, 31]);
    text(&mut body, "world");
    text(&mut body, "anyone");
    body.push(0);
    body.extend(cversion.to_be_bytes());
    let mut record = u64::from(simd_adler32::adler32(&&body[..])).to_be_bytes().to_vec();
    record.extend((body.len() as u32).to_be_bytes());
    record.extend(body);
    record.push(0x42);
    record
}

fn main() {
    let millions: u64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1);
    let mut log = [&b"ZKLG"[..], &[0, 0, 0, 2], &[0; 8]].concat();
    for number in 1..=millions * 1_000_000 {
        let path = if number % 1_000 == 1 {
            format!("/{}", number / 1_000)
        } else {
            format!("/{}/{number}", number / 1_000)
        };
        log.extend(create(0x1_0000_0000 + number, &path, number as u32));
    }
    let megabytes = log.len() as f64 / 1e6;
    let content = Content::of(&log);
    drop(log);
    let mut intake = Intake::default();
    intake.add("s1/version-2/log.100000001", content);
    let began = Instant::now();
    let disks = sort(intake, &BTreeMap::new());
    let read = began.elapsed().as_secs_f64();
    let loaded = Loaded::of(&disks.disks[0], disks.room);
    let all = began.elapsed().as_secs_f64();
    println!("{megabytes:.0} MB, {} records, {} znodes", loaded.applied.len(), loaded.image.len());
    println!("records and checksums: {read:.2} s, {:.0} MB/s", megabytes / read);
    println!("and the tree with its digests: {all:.2} s, {:.0} MB/s", megabytes / all);
}
