//! What an encoder has made of a film's frames, as a file: an MP4 around H.264, a WebM around VP9 and VP8. One track of pictures and no
//! sound; nothing here encodes.

mod mp4;
mod webm;

use crate::draw::film::{MOST_BYTES, Refusal};

/// How frames are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// H.264, in an MP4: what slide programs play.
    H264,
    /// VP9, in a WebM.
    Vp9,
    /// VP8, in a WebM.
    Vp8,
}

impl Codec {
    /// All of them; those that more programs play come first.
    pub const ALL: [Codec; 3] = [Codec::H264, Codec::Vp9, Codec::Vp8];

    /// What WebCodecs calls it. Its level, 4.0, has room for the largest frame of a film; H.264's baseline profile has its frames in
    /// the order in which they are seen.
    pub fn webcodecs(self) -> &'static str {
        match self {
            Codec::H264 => "avc1.42E028",
            Codec::Vp9 => "vp09.00.40.08",
            Codec::Vp8 => "vp8",
        }
    }

    /// What its files are called.
    pub fn container(self) -> &'static str {
        if self == Codec::H264 { "MP4" } else { "WebM" }
    }

    /// How names of its files end.
    pub fn ending(self) -> &'static str {
        if self == Codec::H264 { "mp4" } else { "webm" }
    }

    /// The media type of its files.
    pub fn mime(self) -> &'static str {
        if self == Codec::H264 { "video/mp4" } else { "video/webm" }
    }
}

/// What the numbers in a picture mean as colours, in the numbers of ITU-T H.273.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tint {
    primaries: u8,
    transfer: u8,
    matrix: u8,
    /// Whether 0 is black, rather than 16.
    full: bool,
}

impl Tint {
    /// By the names that WebCodecs has for primaries, transfer and matrix.
    pub fn named([primaries, transfer, matrix]: [&str; 3], full: bool) -> Tint {
        // what has one name in several of H.273's tables has one number in them
        let number = |name: &str| match name {
            "rgb" => 0,
            "bt709" => 1,
            "bt470bg" => 5,
            "smpte170m" => 6,
            "iec61966-2-1" => 13,
            // not said
            _ => 2,
        };
        Tint { primaries: number(primaries), transfer: number(transfer), matrix: number(matrix), full }
    }
}

/// A frame as it came out of the encoder.
#[derive(Debug)]
struct Coded {
    /// Which frame of the film it is, from 0.
    number: u32,
    /// Whether it can be shown without those before it.
    key: bool,
    bytes: Vec<u8>,
}

/// A video that grows frame by frame.
#[derive(Debug)]
pub struct Video {
    codec: Codec,
    /// Width and height, pixels.
    size: (u32, u32),
    /// Frames in a second.
    rate: u32,
    /// What a decoder of H.264 has to know first, as an `avcC` has it.
    setup: Vec<u8>,
    tint: Option<Tint>,
    frames: Vec<Coded>,
    /// How many bytes they are.
    bytes: usize,
}

impl Video {
    /// A video without a frame: width and height in pixels, `rate` frames in a second.
    pub fn new(codec: Codec, size: (u32, u32), rate: u32) -> Video {
        Video { codec, size, rate: rate.max(1), setup: Vec::new(), tint: None, frames: Vec::new(), bytes: 0 }
    }

    /// What the encoder says of all frames: what a decoder has to know first, and the colours.
    pub fn describe(&mut self, setup: Vec<u8>, tint: Option<Tint>) {
        (self.setup, self.tint) = (setup, tint);
    }

    /// The next frame that the encoder gave out, which is that number of the film (from 0). One that it left out makes the one before
    /// it longer.
    ///
    /// # Errors
    /// It comes before another, the first cannot be shown alone, or the file has become too large.
    pub fn add(&mut self, number: u32, key: bool, bytes: Vec<u8>) -> Result<(), Refusal> {
        let follows = self.frames.last().map_or(number == 0 && key, |last| last.number < number);
        if !follows {
            return Err(Refusal::Encoder(format!("frame {number} is out of order")));
        }
        self.bytes += bytes.len();
        self.frames.push(Coded { number, key, bytes });
        if self.bytes > MOST_BYTES { Err(Refusal::Heavy) } else { Ok(()) }
    }

    /// The file of a film that has `count` frames.
    ///
    /// # Errors
    /// The encoder gave out too little to play, or more than it was given.
    pub fn finish(&self, count: u32) -> Result<Vec<u8>, Refusal> {
        if self.frames.last().is_none_or(|last| last.number >= count) {
            return Err(Refusal::Encoder(format!("{} of {count} frames", self.frames.len())));
        }
        match self.codec {
            Codec::H264 if self.setup.is_empty() => Err(Refusal::Encoder("no avcC".into())),
            Codec::H264 => Ok(mp4::file(self, count)),
            Codec::Vp9 | Codec::Vp8 => Ok(webm::file(self, count)),
        }
    }
}

#[cfg(test)]
mod tests;
