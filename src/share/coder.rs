//! A range coder with tables that learn (Martin 1979; carries as in LZMA): what was seen often costs little. Whole numbers only.
//!
//! One [`Coder`] writes or reads. Whoever describes data calls the same functions for both: to write, what is given goes in;
//! to read, what is given is ignored; both ways the answer is what stands in the stream. So the two cannot drift apart.

/// Weights in a table add up to at most this: small beside a range, so that little is lost by rounding.
const MOST: u32 = 1 << 12;
/// Ranges are kept above this.
const BOTTOM: u32 = 1 << 24;
/// Most bits that are coded at once without a table.
const RAW_BITS: u32 = 12;

/// How often each symbol of a small alphabet was seen.
#[derive(Clone, Debug)]
pub(super) struct Table {
    weights: Vec<u16>,
    total: u32,
}

impl Table {
    /// Symbols that are as likely as their weights say: none may be 0.
    pub fn new(weights: Vec<u16>) -> Table {
        let total = weights.iter().map(|weight| u32::from(*weight)).sum();
        Table { weights, total }
    }

    /// How many symbols there are.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Another symbol, as likely as its weight says.
    pub fn grow(&mut self, weight: u16) {
        self.weights.push(weight);
        self.total += u32::from(weight);
        self.settle();
    }

    /// A symbol begins again: it stands for something else now.
    pub fn renew(&mut self, symbol: usize, weight: u16) {
        self.total = self.total - u32::from(self.weights[symbol]) + u32::from(weight);
        self.weights[symbol] = weight;
        self.settle();
    }

    fn saw(&mut self, symbol: usize, step: u16) {
        self.weights[symbol] += step;
        self.total += u32::from(step);
        self.settle();
    }

    /// What was long ago counts half.
    fn settle(&mut self) {
        while self.total > MOST {
            self.weights.iter_mut().for_each(|weight| *weight = weight.div_ceil(2));
            let total = self.weights.iter().map(|weight| u32::from(*weight)).sum();
            if total >= self.total {
                break; // so many symbols that each weighs 1
            }
            self.total = total;
        }
    }
}

/// Writes a stream, or reads one.
#[derive(Debug)]
pub(super) enum Coder<'a> {
    Write(Writer),
    Read(Reader<'a>),
}

/// The stream so far.
#[derive(Debug)]
pub(super) struct Writer {
    low: u64,
    range: u32,
    /// The last byte that a carry may still change, and how many bytes of 255 stand behind it.
    last: u8,
    full: usize,
    out: Vec<u8>,
}

/// What is left of the stream.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    code: u32,
    range: u32,
    rest: std::slice::Iter<'a, u8>,
}

impl Coder<'_> {
    /// An empty stream.
    pub fn write() -> Coder<'static> {
        Coder::Write(Writer { low: 0, range: u32::MAX, last: 0, full: 0, out: Vec::new() })
    }

    /// A stream that somebody wrote. Behind its end stand zeros.
    pub fn read(bytes: &[u8]) -> Coder<'_> {
        let mut reader = Reader { code: 0, range: u32::MAX, rest: bytes.iter() };
        (0..4).for_each(|_| reader.next());
        Coder::Read(reader)
    }

    /// A symbol of a table, which learns it by `step`. `without` is a symbol that it cannot be.
    pub fn symbol(&mut self, table: &mut Table, given: usize, without: Option<usize>, step: u16) -> usize {
        let left_out = without.map_or(0, |symbol| u32::from(table.weights[symbol]));
        let weight = |at: usize| if without == Some(at) { 0 } else { u32::from(table.weights[at]) };
        let total = table.total - left_out;
        let symbol = match self {
            Coder::Write(_) => given.min(table.len() - 1),
            Coder::Read(reader) => {
                let (target, mut below) = (reader.target(total), 0);
                let holds = |at: &usize| {
                    below += weight(*at);
                    target < below
                };
                (0..table.len()).find(holds).unwrap_or(0)
            }
        };
        let start = (0..symbol).map(weight).sum();
        self.part(start, weight(symbol), total);
        table.saw(symbol, step);
        symbol
    }

    /// Bits without a table, at most 63.
    pub fn raw(&mut self, given: u64, bits: u32) -> u64 {
        let (mut left, mut value) = (bits, 0);
        while left > 0 {
            let now = left.min(RAW_BITS);
            left -= now;
            let size = 1 << now;
            let piece = match self {
                Coder::Write(_) => (given >> left) as u32 & (size - 1),
                Coder::Read(reader) => reader.target(size),
            };
            self.part(piece, 1, size);
            value = value << now | u64::from(piece);
        }
        value
    }

    /// The stream goes on in a part of its range: `size` of `total`, behind `start`.
    fn part(&mut self, start: u32, size: u32, total: u32) {
        match self {
            Coder::Write(writer) => {
                let unit = writer.range / total;
                writer.low += u64::from(start * unit);
                writer.range = size * unit;
                while writer.range < BOTTOM {
                    writer.range <<= 8;
                    writer.shift();
                }
            }
            Coder::Read(reader) => {
                let unit = reader.range / total;
                reader.code = reader.code.wrapping_sub(start * unit);
                reader.range = size.max(1) * unit;
                while reader.range < BOTTOM {
                    reader.range <<= 8;
                    reader.next();
                }
            }
        }
    }

    /// The stream that was written, without the zeros at its end.
    pub fn finish(self) -> Vec<u8> {
        let Coder::Write(mut writer) = self else { return Vec::new() };
        // of all numbers in the range the one with most zeros at its end
        let end = writer.low + u64::from(writer.range) - 1;
        let zeros = (0..32).rev().find(|zeros| (end >> zeros << zeros) >= writer.low).unwrap_or(0);
        writer.low = end >> zeros << zeros;
        (0..5).for_each(|_| writer.shift());
        let mut out = writer.out.split_off(1); // the first byte only caught carries, and there was none
        while out.last() == Some(&0) {
            out.pop();
        }
        out
    }
}

impl Writer {
    /// The uppermost byte leaves, when no carry can change it any more.
    fn shift(&mut self) {
        if self.low < 0xff00_0000 || self.low > u64::from(u32::MAX) {
            let carry = (self.low >> 32) as u8;
            self.out.push(self.last.wrapping_add(carry));
            let full = std::mem::take(&mut self.full);
            self.out.extend(std::iter::repeat_n(0xff_u8.wrapping_add(carry), full));
            self.last = (self.low >> 24) as u8;
        } else {
            self.full += 1;
        }
        self.low = (self.low & 0x00ff_ffff) << 8;
    }
}

impl Reader<'_> {
    fn next(&mut self) {
        self.code = self.code << 8 | u32::from(self.rest.next().copied().unwrap_or(0));
    }

    /// Which of `total` parts the stream stands in.
    fn target(&self, total: u32) -> u32 {
        (self.code / (self.range / total)).min(total - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Prng, Stream};

    #[test]
    fn what_was_written_is_read() {
        let mut prng = Prng::new(3, Stream::Faults);
        for round in 0..200 {
            let skew = 1 + prng.below(30);
            let script: Vec<(usize, u64)> = (0..prng.below(400))
                .map(|_| {
                    let most = 1 + prng.below(skew);
                    (prng.below(most) as usize, u64::from(prng.below(1 << 30)) << 20)
                })
                .collect();
            let play = |coder: &mut Coder, script: &[(usize, u64)]| -> Vec<(usize, u64)> {
                let mut table = Table::new(vec![1; 30]);
                let one = |(symbol, raw): &(usize, u64)| {
                    let without = (*symbol != 7).then_some(7);
                    (coder.symbol(&mut table, *symbol, without.filter(|_| round % 2 == 0), 24), coder.raw(*raw, 51))
                };
                script.iter().map(one).collect()
            };
            let mut writer = Coder::write();
            // a symbol that is left out must be known to both: here it depends on what is written, so it is not 7
            let script: Vec<_> =
                script.into_iter().map(|(symbol, raw)| (if symbol == 7 { 8 } else { symbol }, raw)).collect();
            assert_eq!(play(&mut writer, &script), script);
            let bytes = writer.finish();
            let blank = vec![(0, 0); script.len()];
            assert_eq!(play(&mut Coder::read(&bytes), &blank), script, "round {round}");
        }
    }

    #[test]
    fn carries_and_long_rows_of_the_same_are_no_trouble() {
        for symbols in [vec![1; 100_000], vec![0; 100_000], (0..50_000).map(|n| n % 2).collect::<Vec<usize>>()] {
            let play = |coder: &mut Coder, symbols: &[usize]| -> Vec<usize> {
                let mut table = Table::new(vec![1; 2]);
                symbols.iter().map(|symbol| coder.symbol(&mut table, *symbol, None, 32)).collect()
            };
            let mut writer = Coder::write();
            play(&mut writer, &symbols);
            let bytes = writer.finish();
            assert_eq!(play(&mut Coder::read(&bytes), &vec![0; symbols.len()]), symbols);
        }
    }

    #[test]
    fn any_bytes_can_be_read() {
        let mut prng = Prng::new(4, Stream::Faults);
        for _ in 0..2_000 {
            let bytes: Vec<u8> = (0..prng.below(40)).map(|_| prng.below(256) as u8).collect();
            let (mut coder, mut table) = (Coder::read(&bytes), Table::new(vec![1; 20]));
            for _ in 0..300 {
                let symbol = coder.symbol(&mut table, 0, Some(3), 24);
                assert!(symbol < 20 && symbol != 3);
                assert!(coder.raw(0, 13) < 1 << 13);
            }
        }
    }
}
