//! MP4 (ISO/IEC 14496-12 and -15): what describes the frames comes first, so that a player can begin with it, then all frames in one piece.

use super::{Coded, Video};

/// Parts of a frame's time: no rate is a small number that a program could take for a mistake.
const TICKS: u32 = 1_000;

/// Neither turned nor scaled.
const MATRIX: [u32; 9] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];

/// No language.
const UNDETERMINED: u32 = 0x55c4 << 16;

/// 72 pixels in an inch.
const DENSITY: u32 = 72 << 16;

fn words(all: &[u32]) -> Vec<u8> {
    all.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// A box: how long it is, its name, what is in it.
fn boxed(name: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = 8 + parts.iter().map(|part| part.len()).sum::<usize>();
    let mut all = words(&[length as u32]);
    all.extend_from_slice(name);
    parts.iter().for_each(|part| all.extend_from_slice(part));
    all
}

/// One with a version, 0, and flags before all else, which holds nothing but numbers.
fn full(name: &[u8; 4], flags: u32, numbers: &[u32]) -> Vec<u8> {
    boxed(name, &[&words(&[flags]), &words(numbers)])
}

/// The file of a film with `count` frames.
pub(super) fn file(video: &Video, count: u32) -> Vec<u8> {
    let mut all = boxed(b"ftyp", &[b"isom", &words(&[0x200]), b"isomiso2avc1mp41"]);
    // it is as long wherever the frames begin
    let begin = all.len() + movie(video, count, 0).len() + 8;
    all.extend(movie(video, count, begin as u32));
    all.extend(words(&[video.bytes as u32 + 8]));
    all.extend_from_slice(b"mdat");
    video.frames.iter().for_each(|frame| all.extend_from_slice(&frame.bytes));
    all
}

/// What describes the film, whose frames begin at that byte of the file.
fn movie(video: &Video, count: u32, begin: u32) -> Vec<u8> {
    let mut numbers = vec![0, 0, video.rate * TICKS, count * TICKS, 0x1_0000, 0x100_0000, 0, 0];
    numbers.extend(MATRIX);
    // six that stand for nothing, and the number of the next track
    numbers.extend([0, 0, 0, 0, 0, 0, 2]);
    boxed(b"moov", &[&full(b"mvhd", 0, &numbers), &track(video, count, begin)])
}

fn track(video: &Video, count: u32, begin: u32) -> Vec<u8> {
    let (width, height) = video.size;
    let mut numbers = vec![0, 0, 1, 0, count * TICKS, 0, 0, 0, 0];
    numbers.extend(MATRIX);
    numbers.extend([width << 16, height << 16]);
    let time = full(b"mdhd", 0, &[0, 0, video.rate * TICKS, count * TICKS, UNDETERMINED]);
    let kind = boxed(b"hdlr", &[&words(&[0, 0]), b"vide", &words(&[0, 0, 0]), b"ZabScope\0"]);
    // the frames are in this file
    let here = boxed(b"dref", &[&words(&[0, 1]), &full(b"url ", 1, &[])]);
    let info = [full(b"vmhd", 1, &[0, 0]), boxed(b"dinf", &[&here]), table(video, count, begin)].concat();
    let media = boxed(b"mdia", &[&time, &kind, &boxed(b"minf", &[&info])]);
    boxed(b"trak", &[&full(b"tkhd", 7, &numbers), &media])
}

/// How long each frame stays, which can be shown alone, how large they are and where they lie.
fn table(video: &Video, count: u32, begin: u32) -> Vec<u8> {
    let frames = &video.frames;
    let number = frames.len() as u32;
    let ends = frames.iter().skip(1).map(|next| next.number).chain([count]);
    let stays: Vec<u32> = frames.iter().zip(ends).map(|(frame, end)| (end - frame.number) * TICKS).collect();
    let runs: Vec<u32> = stays.chunk_by(|one, next| one == next).flat_map(|run| [run.len() as u32, run[0]]).collect();
    let is_key = |(at, frame): (u32, &Coded)| frame.key.then_some(at);
    let keys: Vec<u32> = (1..).zip(frames).filter_map(is_key).collect();
    let mut sizes = vec![0, number];
    sizes.extend(frames.iter().map(|frame| frame.bytes.len() as u32));
    let listed = |all: Vec<u32>, each: usize| [vec![(all.len() / each) as u32], all].concat();
    let all = [
        boxed(b"stsd", &[&words(&[0, 1]), &sample(video)]),
        full(b"stts", 0, &listed(runs, 2)),
        full(b"stss", 0, &listed(keys, 1)),
        full(b"stsc", 0, &[1, 1, number, 1]),
        full(b"stsz", 0, &sizes),
        full(b"stco", 0, &[1, begin]),
    ];
    boxed(b"stbl", &[&all.concat()])
}

/// What every frame is.
fn sample(video: &Video) -> Vec<u8> {
    let (width, height) = video.size;
    let mut numbers = vec![0, 1, 0, 0, 0, 0, width << 16 | height, DENSITY, DENSITY, 0];
    // a frame in each sample, no name for what has compressed it, 24 bits a pixel
    numbers.extend([1 << 16, 0, 0, 0, 0, 0, 0, 0, 24]);
    let colours = video.tint.map(|tint| {
        let numbers = [0, tint.primaries, 0, tint.transfer, 0, tint.matrix, u8::from(tint.full) << 7];
        boxed(b"colr", &[b"nclx", &numbers])
    });
    let setup = boxed(b"avcC", &[&video.setup]);
    boxed(b"avc1", &[&words(&numbers), &[0xff, 0xff], &setup, &colours.unwrap_or_default()])
}
