//! WebM (RFC 8794 and RFC 9559): what describes the frames, where each second begins, then a cluster for each second.

use super::{Codec, Coded, Video};

/// What wrote it.
const WRITER: &[u8] = b"ZabScope";

/// An element: its name, which tells its own length, how long it is, what is in it.
fn element(id: u32, parts: &[&[u8]]) -> Vec<u8> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut all: Vec<u8> = id.to_be_bytes().into_iter().skip_while(|byte| *byte == 0).collect();
    // eight bytes for any length, so that nothing moves when a number becomes larger
    all.extend((1_u64 << 56 | length as u64).to_be_bytes());
    parts.iter().for_each(|part| all.extend_from_slice(part));
    all
}

fn number(id: u32, value: u64) -> Vec<u8> {
    element(id, &[&value.to_be_bytes()])
}

/// A second of the film.
struct Cluster {
    /// When it begins, ms.
    at: u32,
    /// Whether a player can begin there.
    key: bool,
    bytes: Vec<u8>,
}

impl Cluster {
    fn of(frames: &[Coded], rate: u32) -> Cluster {
        // the time of a frame, rounded for itself: no error adds up
        let ms = |frame: &Coded| (frame.number * 1_000 + rate / 2) / rate;
        let at = frames.first().map_or(0, ms);
        let mut inside = number(0xe7, at.into());
        for frame in frames {
            let [high, low] = ((ms(frame) - at) as u16).to_be_bytes();
            // of track 1
            let head = [0x81, high, low, u8::from(frame.key) << 7];
            inside.extend(element(0xa3, &[&head, &frame.bytes]));
        }
        let key = frames.first().is_some_and(|frame| frame.key);
        Cluster { at, key, bytes: element(0x1f43_b675, &[&inside]) }
    }
}

/// The file of a film with `count` frames.
pub(super) fn file(video: &Video, count: u32) -> Vec<u8> {
    let rate = video.rate;
    let seconds = video.frames.chunk_by(|one, next| one.number / rate == next.number / rate);
    let clusters: Vec<Cluster> = seconds.map(|frames| Cluster::of(frames, rate)).collect();
    let described = [info(video, count), tracks(video)].concat();
    // cues are as long wherever clusters lie
    let begin = described.len() + cues(&clusters, 0).len();
    let mut inside = [described, cues(&clusters, begin)].concat();
    clusters.iter().for_each(|cluster| inside.extend_from_slice(&cluster.bytes));
    let versions = [number(0x4286, 1), number(0x42f7, 1), number(0x42f2, 4), number(0x42f3, 8)].concat();
    let kind = [element(0x4282, &[b"webm"]), number(0x4287, 4), number(0x4285, 2)].concat();
    [element(0x1a45_dfa3, &[&versions, &kind]), element(0x1853_8067, &[&inside])].concat()
}

/// Times are in ms, and how long it is.
fn info(video: &Video, count: u32) -> Vec<u8> {
    let long = f64::from(count) * 1_000.0 / f64::from(video.rate);
    let times = [number(0x2a_d7b1, 1_000_000), element(0x4489, &[&long.to_be_bytes()])].concat();
    element(0x1549_a966, &[&times, &element(0x4d80, &[WRITER]), &element(0x5741, &[WRITER])])
}

/// The only track.
fn tracks(video: &Video) -> Vec<u8> {
    let codec: &[u8] = if video.codec == Codec::Vp8 { b"V_VP8" } else { b"V_VP9" };
    let (width, height) = video.size;
    let mut picture = [number(0xb0, width.into()), number(0xba, height.into())].concat();
    if let Some(tint) = video.tint {
        let range = if tint.full { 2 } else { 1 };
        let colours = [
            number(0x55b1, tint.matrix.into()),
            number(0x55b9, range),
            number(0x55ba, tint.transfer.into()),
            number(0x55bb, tint.primaries.into()),
        ];
        picture.extend(element(0x55b0, &[&colours.concat()]));
    }
    let track = [
        number(0xd7, 1),
        number(0x73c5, 1),
        number(0x83, 1),
        number(0x9c, 0),
        // ns
        number(0x23_e383, 1_000_000_000 / u64::from(video.rate)),
        element(0x86, &[codec]),
        element(0xe0, &[&picture]),
    ];
    element(0x1654_ae6b, &[&element(0xae, &[&track.concat()])])
}

/// Where a player can begin, by time and place; the first cluster lies at `begin`.
fn cues(clusters: &[Cluster], begin: usize) -> Vec<u8> {
    let (mut points, mut at) = (Vec::new(), begin as u64);
    for cluster in clusters {
        if cluster.key {
            let place = element(0xb7, &[&number(0xf7, 1), &number(0xf1, at)]);
            points.extend(element(0xbb, &[&number(0xb3, cluster.at.into()), &place]));
        }
        at += cluster.bytes.len() as u64;
    }
    element(0x1c53_bb6b, &[&points])
}
