//! Frames to a GIF: only the rectangle that has changed is written, and in it only what has.

use std::borrow::Cow;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use crate::draw::film::{Colours, MOST_BYTES, Refusal};

/// How long the last frame stays before the film begins again, hundredths of a second.
const HOLD: u16 = 150;

/// A film that grows frame by frame.
pub struct Film {
    encoder: Encoder<Vec<u8>>,
    colours: Colours,
    size: (u16, u16),
    rate: u32,
    /// How many frames have come.
    frames: u32,
    /// What is on the screen, as numbers of colours.
    shown: Vec<u8>,
    next: Vec<u8>,
    /// What comes into the file when it is known how long it is seen.
    pending: Option<Frame<'static>>,
}

impl From<EncodingError> for Refusal {
    fn from(error: EncodingError) -> Refusal {
        Refusal::Broken(error.to_string())
    }
}

impl Film {
    /// A film without a frame; `rate` frames in a second.
    ///
    /// # Errors
    /// A side is too long.
    pub fn new((width, height): (u32, u32), rate: u32, colours: Colours) -> Result<Film, Refusal> {
        let side = |length: u32| u16::try_from(length).ok().filter(|length| *length > 0).ok_or(Refusal::Large);
        let size = (side(width)?, side(height)?);
        let mut encoder = Encoder::new(Vec::new(), size.0, size.1, &colours.table())?;
        encoder.set_repeat(Repeat::Infinite)?;
        let (shown, next) = (Vec::new(), Vec::new());
        Ok(Film { encoder, colours, size, rate: rate.max(1), frames: 0, shown, next, pending: None })
    }

    /// The next frame: red, green, blue and alpha of each pixel in turn.
    ///
    /// # Errors
    /// It has another size, or the film has become too large.
    pub fn add(&mut self, pixels: &[u8]) -> Result<(), Refusal> {
        if pixels.len() != usize::from(self.size.0) * usize::from(self.size.1) * 4 {
            return Err(Refusal::Large);
        }
        // hundredths of a second are rounded so that no error adds up
        let until = |frames: u32| (frames * 200 / self.rate).div_ceil(2);
        let delay = (until(self.frames + 1) - until(self.frames)) as u16;
        self.frames += 1;
        self.colours.number(pixels, &mut self.next);
        let frame = if self.shown.is_empty() { Some(self.whole()) } else { self.changed() };
        match (frame, &mut self.pending) {
            (None, Some(pending)) => pending.delay = pending.delay.saturating_add(delay),
            (frame, pending) => {
                let before = std::mem::replace(pending, frame.map(|frame| Frame { delay, ..frame }));
                self.write(before)?;
            }
        }
        std::mem::swap(&mut self.shown, &mut self.next);
        Ok(())
    }

    fn write(&mut self, frame: Option<Frame<'static>>) -> Result<(), Refusal> {
        if let Some(frame) = frame {
            self.encoder.write_frame(&frame)?;
        }
        if self.bytes() > MOST_BYTES { Err(Refusal::Heavy) } else { Ok(()) }
    }

    /// How large it is so far.
    pub fn bytes(&self) -> usize {
        self.encoder.get_ref().len()
    }

    /// The file. The last frame stays for a while before the film begins again.
    ///
    /// # Errors
    /// It has become too large.
    pub fn finish(mut self) -> Result<Vec<u8>, Refusal> {
        let last = self.pending.take().map(|frame| Frame { delay: frame.delay.saturating_add(HOLD), ..frame });
        self.write(last)?;
        Ok(self.encoder.into_inner()?)
    }

    fn whole(&self) -> Frame<'static> {
        let (width, height) = self.size;
        Frame {
            width,
            height,
            dispose: DisposalMethod::Keep,
            buffer: Cow::Owned(self.next.clone()),
            ..Frame::default()
        }
    }

    /// The rectangle in which the next frame differs from what is shown; what does not differ in it is see-through.
    fn changed(&self) -> Option<Frame<'static>> {
        let width = usize::from(self.size.0);
        let rows = || self.shown.chunks_exact(width).zip(self.next.chunks_exact(width));
        let top = rows().position(|(old, new)| old != new)?;
        let bottom = rows().rposition(|(old, new)| old != new)?;
        let (mut left, mut right) = (width - 1, 0);
        for (old, new) in rows().skip(top).take(bottom + 1 - top).filter(|(old, new)| old != new) {
            let differs = |x: &usize| old[*x] != new[*x];
            left = (0..left).find(differs).unwrap_or(left);
            right = (right + 1..width).rev().find(differs).unwrap_or(right);
            // a single column is its own left and right
            right = if differs(&left) { right.max(left) } else { right };
        }
        let mut buffer = Vec::with_capacity((right + 1 - left) * (bottom + 1 - top));
        for (old, new) in rows().skip(top).take(bottom + 1 - top) {
            buffer.extend((left..=right).map(|x| if old[x] == new[x] { 0 } else { new[x] }));
        }
        Some(Frame {
            left: left as u16,
            top: top as u16,
            width: (right + 1 - left) as u16,
            height: (bottom + 1 - top) as u16,
            transparent: Some(0),
            dispose: DisposalMethod::Keep,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        })
    }
}
