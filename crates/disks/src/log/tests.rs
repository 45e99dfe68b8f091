//! A log with all that can be wrong with it.

use super::*;

/// A record that ends a session, with its frame.
fn record(counter: u32) -> Vec<u8> {
    let mut body = [&7_u64.to_be_bytes()[..], &0_i32.to_be_bytes()].concat();
    body.extend(Zxid::new(1, counter).0.to_be_bytes());
    body.extend([0; 8]);
    body.extend((-11_i32).to_be_bytes());
    framed(&body)
}

fn framed(body: &[u8]) -> Vec<u8> {
    let frame = [&u64::from(checksum(body)).to_be_bytes()[..], &(body.len() as u32).to_be_bytes()].concat();
    [&frame[..], body, &[MARK]].concat()
}

const ONE: usize = 12 + 32 + 1;

fn file(counters: &[u32]) -> Vec<u8> {
    let header = [&b"ZKLG"[..], &2_i32.to_be_bytes(), &[0; 8]].concat();
    [header, counters.iter().flat_map(|counter| record(*counter)).collect()].concat()
}

fn read(bytes: &[u8]) -> LogFile {
    LogFile::read("log.100000001", Zxid::new(1, 1), Content::of(bytes))
}

/// How many records, how it ends, what is wrong and where.
fn told(bytes: &[u8]) -> (usize, Ending, Vec<(Option<u64>, Wrong)>) {
    let log = read(bytes);
    (log.entries.len(), log.ending, log.troubles.into_iter().map(|it| (it.offset, it.what)).collect())
}

#[test]
fn a_log_ends_with_its_file_or_with_zeros() {
    let whole = file(&[1, 2, 3]);
    assert_eq!(told(&whole), (3, Ending::File, vec![]));
    let log = read(&[&whole[..], &[0; 100]].concat());
    assert_eq!((log.ending, log.end, log.size()), (Ending::Padding, whole.len() as u64, whole.len() as u64 + 100));
    let second = log.record(&log.entries[1]).unwrap();
    assert_eq!((second.zxid, second.session.0), (Zxid::new(1, 2), 7));
}

#[test]
fn a_record_cut_short_ends_the_log_without_a_word() {
    let whole = file(&[1, 2]);
    let place = (16 + ONE) as u64;
    // a checksum begins with four zeros
    for cut in 1..ONE - 4 {
        let bytes = &whole[..whole.len() - cut];
        assert_eq!(told(bytes), (1, Ending::Torn, vec![(Some(place), Wrong::CutShort)]), "{cut}");
        // in a file that was longer before, the rest is zeros: its end is missing, or its length
        let padded = [bytes, &vec![0; 1000]].concat();
        let (count, ending, wrong) = told(&padded);
        let expected = if cut > ONE - 12 { Ending::Padding } else { Ending::Torn };
        assert_eq!((count, ending, wrong.len()), (1, expected, 1), "{cut}");
    }
}

#[test]
fn a_damaged_record_is_told_with_what_is_behind_it() {
    let whole = file(&[1, 2, 3, 4]);
    let (place, zxid) = ((16 + ONE) as u64, Some(Zxid::new(1, 2)));
    let mut mark = whole.clone();
    mark[16 + 2 * ONE - 1] = 0;
    assert_eq!(told(&mark), (1, Ending::Torn, vec![(Some(place), Wrong::Partial { zxid, behind: 2 })]));
    let mut byte = whole.clone();
    byte[16 + ONE + 14] ^= 1;
    let (count, ending, wrong) = told(&byte);
    assert!(matches!(wrong[..], [(Some(at), Wrong::Crc { behind: 2, .. })] if at == place), "{wrong:?}");
    assert_eq!((count, ending), (1, Ending::Refused));
    let mut length = whole.clone();
    length[16 + ONE + 8] = 0x80;
    assert_eq!(told(&length).1, Ending::Refused);
    assert!(matches!(told(&length).2[..], [(Some(_), Wrong::Length(..0))]));
    length[16 + ONE + 8] = 0x70;
    assert!(matches!(told(&length).2[..], [(Some(_), Wrong::Length(1..))]));
    let kind = [file(&[1]), framed(&[&[0; 20][..], &[0; 8], &99_i32.to_be_bytes()].concat())].concat();
    assert_eq!(told(&kind), (1, Ending::Refused, vec![(Some(place), Wrong::Record { zxid: None, kind: Some(99) })]));
    let short = [file(&[1]), framed(&[0; 31]), record(2)].concat();
    assert_eq!(told(&short), (1, Ending::Torn, vec![(Some(place), Wrong::Record { zxid: None, kind: None })]));
}

#[test]
fn what_is_no_log_is_told_so() {
    for (bytes, wrong) in [
        (&b""[..], Wrong::Empty),
        (b"ZKLG", Wrong::Version(0)),
        (b"ZKLG\0\0\0\x02\0\0", Wrong::Header),
        (b"ZKSN\0\0\0\x02\0\0\0\0\0\0\0\0", Wrong::Magic),
        (b"ZKLG\0\0\0\x03\0\0\0\0\0\0\0\0", Wrong::Version(3)),
    ] {
        assert_eq!(told(bytes), (0, Ending::Refused, vec![(Some(0), wrong)]));
    }
    assert_eq!(told(&file(&[])), (0, Ending::File, vec![]));
}

#[test]
fn disorder_and_a_wrong_name_are_told() {
    let (_, _, wrong) = told(&file(&[2, 4, 3]));
    let (before, zxid) = (Zxid::new(1, 4), Zxid::new(1, 3));
    let order = (Some((16 + 2 * ONE) as u64), Wrong::Order { before, zxid });
    assert_eq!(wrong, [order, (None, Wrong::Name { first: Zxid::new(1, 2) })]);
    assert_eq!(told(&[&file(&[1])[..], &[0; 30], &[1]].concat()).2, [(Some((16 + ONE) as u64), Wrong::Padding)]);
}

#[test]
fn the_same_transaction_is_the_same_with_and_without_a_digest() {
    let body = |counter: u32| record(counter)[12..44].to_vec();
    let digest = [0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 9];
    let of = |body: Vec<u8>| read(&[file(&[]), framed(&body)].concat()).entries[0].id;
    assert_eq!(of(body(1)), of([&body(1)[..], &digest].concat()));
    assert_ne!(of(body(1)), of(body(2)));
}
