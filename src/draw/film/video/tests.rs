//! Files of videos are read again, box by box and element by element.

use super::*;

/// A big-endian number of four bytes.
fn word(bytes: &[u8]) -> u32 {
    bytes[..4].iter().fold(0, |sum, byte| sum << 8 | u32::from(*byte))
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(word).collect()
}

/// The boxes that lie in these bytes, one behind the other, with nothing between them.
fn boxes(mut bytes: &[u8]) -> Vec<(&str, &[u8])> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let length = word(bytes) as usize;
        all.push((std::str::from_utf8(&bytes[4..8]).unwrap(), &bytes[8..length]));
        bytes = &bytes[length..];
    }
    all
}

/// What is in the box at the end of this way.
fn within<'a>(bytes: &'a [u8], way: &[&str]) -> &'a [u8] {
    way.iter().fold(bytes, |bytes, name| {
        boxes(bytes).into_iter().find(|(found, _)| found == name).unwrap_or_else(|| panic!("no {name}")).1
    })
}

/// The elements that lie in these bytes, one behind the other, with nothing between them.
fn elements(mut bytes: &[u8]) -> Vec<(u32, &[u8])> {
    let long = |first: u8| first.leading_zeros() as usize + 1;
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let name = long(bytes[0]);
        let size = long(bytes[name]);
        let marked = uint(&bytes[name..name + size]);
        let (begin, length) = (name + size, (marked ^ 1_u64 << (7 * size)) as usize);
        all.push((uint(&bytes[..name]) as u32, &bytes[begin..begin + length]));
        bytes = &bytes[begin + length..];
    }
    all
}

fn uint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
}

/// What is in each element with this name.
fn named(bytes: &[u8], name: u32) -> Vec<&[u8]> {
    elements(bytes).into_iter().filter(|(id, _)| *id == name).map(|(_, inside)| inside).collect()
}

/// What is in the element at the end of this way.
fn inside<'a>(bytes: &'a [u8], way: &[u32]) -> &'a [u8] {
    way.iter()
        .fold(bytes, |bytes, name| named(bytes, *name).first().copied().unwrap_or_else(|| panic!("no {name:x}")))
}

/// 30 frames, 12 in a second, of which the encoder has left out the fifth. Each is filled with its number.
fn video(codec: Codec) -> Video {
    let mut video = Video::new(codec, (64, 48), 12);
    video.describe(vec![1, 0x42, 0xe0, 0x28], Some(Tint::named(["bt709", "iec61966-2-1", "smpte170m"], false)));
    for number in numbers() {
        video.add(number, number.is_multiple_of(12), vec![number as u8; 10 + number as usize]).unwrap();
    }
    video
}

fn numbers() -> impl Iterator<Item = u32> {
    (0..30).filter(|number| *number != 5)
}

#[test]
fn an_mp4_says_how_long_its_frames_stay_and_where_they_lie() {
    let file = video(Codec::H264).finish(30).unwrap();
    let names: Vec<&str> = boxes(&file).iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["ftyp", "moov", "mdat"]);
    // a twelfth of a second is 1,000 of 12,000
    assert_eq!(words(within(&file, &["moov", "mvhd"]))[3..5], [12_000, 30_000]);
    let track = within(&file, &["moov", "trak"]);
    let head = words(within(track, &["tkhd"]));
    assert_eq!((head[0], head[3], head[5], &head[19..]), (7, 1, 30_000, &[64 << 16, 48 << 16][..]));
    assert_eq!(words(within(track, &["mdia", "mdhd"]))[3..5], [12_000, 30_000]);
    assert_eq!(within(track, &["mdia", "hdlr"])[8..12], *b"vide");
    let table = within(track, &["mdia", "minf", "stbl"]);
    let numbers_of = |name: &str| words(&within(table, &[name])[4..]);
    assert_eq!(numbers_of("stts"), [3, 4, 1_000, 1, 2_000, 24, 1_000]);
    assert_eq!(numbers_of("stss"), [3, 1, 12, 24]);
    assert_eq!(numbers_of("stsc"), [1, 1, 29, 1]);
    let sizes = numbers_of("stsz");
    assert_eq!(sizes[..2], [0, 29]);
    let mut at = numbers_of("stco")[1] as usize;
    for (number, size) in numbers().zip(&sizes[2..]) {
        let frame = &file[at..at + *size as usize];
        assert!(
            frame.len() == 10 + number as usize && frame.iter().all(|byte| u32::from(*byte) == number),
            "{number}"
        );
        at += frame.len();
    }
    assert_eq!(at, file.len());
    let sample = within(&within(table, &["stsd"])[8..], &["avc1"]);
    assert_eq!(sample[24..28], [0, 64, 0, 48]);
    assert_eq!(within(&sample[78..], &["avcC"]), [1, 0x42, 0xe0, 0x28]);
    assert_eq!(within(&sample[78..], &["colr"]), b"nclx\0\x01\0\x0d\0\x06\0");
}

#[test]
fn a_webm_has_a_cluster_for_each_second_and_cues_that_find_them() {
    for (codec, name) in [(Codec::Vp9, b"V_VP9"), (Codec::Vp8, b"V_VP8")] {
        let file = video(codec).finish(30).unwrap();
        let names: Vec<u32> = elements(&file).iter().map(|(id, _)| *id).collect();
        assert_eq!(names, [0x1a45_dfa3, 0x1853_8067]);
        assert_eq!(inside(&file, &[0x1a45_dfa3, 0x4282]), b"webm");
        let segment = inside(&file, &[0x1853_8067]);
        let info = inside(segment, &[0x1549_a966]);
        assert_eq!(uint(inside(info, &[0x2a_d7b1])), 1_000_000);
        assert_eq!(f64::from_bits(uint(inside(info, &[0x4489]))), 2_500.0);
        let track = inside(segment, &[0x1654_ae6b, 0xae]);
        assert_eq!(inside(track, &[0x86]), name);
        let picture = inside(track, &[0xe0]);
        let colours = [0x55bb, 0x55ba, 0x55b1, 0x55b9].map(|part| uint(inside(picture, &[0x55b0, part])));
        assert_eq!(
            (uint(inside(picture, &[0xb0])), uint(inside(picture, &[0xba])), colours),
            (64, 48, [1, 13, 6, 1])
        );
        let clusters = named(segment, 0x1f43_b675);
        let begins: Vec<u64> = clusters.iter().map(|cluster| uint(inside(cluster, &[0xe7]))).collect();
        assert_eq!(begins, [0, 1_000, 2_000]);
        let points = named(inside(segment, &[0x1c53_bb6b]), 0xbb);
        assert_eq!(points.len(), 3);
        for ((point, begin), cluster) in points.into_iter().zip(&begins).zip(&clusters) {
            let at = uint(inside(point, &[0xb7, 0xf1])) as usize;
            assert_eq!(
                (uint(inside(point, &[0xb3])), elements(&segment[at..])[0]),
                (*begin, (0x1f43_b675, *cluster))
            );
        }
        let blocks = clusters.iter().zip(&begins).flat_map(|(cluster, begin)| {
            named(cluster, 0xa3).into_iter().map(move |block| (begin + uint(&block[1..3]), block))
        });
        let blocks: Vec<(u64, &[u8])> = blocks.collect();
        assert_eq!(blocks.len(), 29);
        for (number, (ms, block)) in numbers().zip(blocks) {
            assert_eq!(ms, (f64::from(number) * 1_000.0 / 12.0).round() as u64);
            assert_eq!((block[0], block[3]), (0x81, if number.is_multiple_of(12) { 0x80 } else { 0 }));
            assert_eq!(block[4..], vec![number as u8; 10 + number as usize]);
        }
    }
}

#[test]
fn what_cannot_be_played_is_refused() {
    let mut empty = Video::new(Codec::Vp9, (64, 48), 10);
    assert!(matches!(empty.finish(3), Err(Refusal::Encoder(_))), "no frame");
    assert!(empty.add(0, false, vec![1]).is_err() && empty.add(1, true, vec![1]).is_err(), "nothing to begin with");
    assert!(empty.add(0, true, vec![1]).is_ok() && empty.add(0, true, vec![1]).is_err(), "twice the same");
    assert!(empty.finish(0).is_err() && empty.finish(1).is_ok(), "more than there was");
    assert_eq!(empty.add(1, false, vec![0; MOST_BYTES]), Err(Refusal::Heavy));
    let mut bare = Video::new(Codec::H264, (64, 48), 10);
    bare.add(0, true, vec![1]).unwrap();
    assert!(bare.finish(1).is_err(), "nothing for the decoder");
    let kinds = Codec::ALL.map(|codec| (codec.container(), codec.ending(), codec.mime()));
    assert_eq!(kinds, [("MP4", "mp4", "video/mp4"), ("WebM", "webm", "video/webm"), ("WebM", "webm", "video/webm")]);
}
