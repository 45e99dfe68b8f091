//! A link as a QR code (ISO/IEC 18004), for a hall.

use std::fmt::Write;

use qrcodegen::{QrCode, QrCodeEcc};

use super::link::OpenError;

/// The light border that readers need, modules.
pub const QUIET: usize = 4;

/// A QR code: a square of dark and light modules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Qr {
    /// Modules a side, 21 to 177.
    pub size: usize,
    dark: Vec<bool>,
}

impl Qr {
    /// A text as a QR code, with as much error correction as fits into the smallest size.
    ///
    /// # Errors
    /// The text is too long.
    pub fn new(text: &str) -> Result<Qr, OpenError> {
        let code = QrCode::encode_text(text, QrCodeEcc::Low);
        let code = code.map_err(|_| OpenError::NoQr { chars: text.chars().count() })?;
        let side = code.size();
        let dark =
            (0..side).flat_map(|y| (0..side).map(move |x| (x, y))).map(|(x, y)| code.get_module(x, y)).collect();
        Ok(Qr { size: side.unsigned_abs() as usize, dark })
    }

    /// Whether a module is dark; those outside are light.
    pub fn is_dark(&self, x: usize, y: usize) -> bool {
        x < self.size && self.dark.get(y * self.size + x).copied().unwrap_or(false)
    }

    /// The dark modules as the path of an SVG whose unit is a module, [`QUIET`] from its corner.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for y in 0..self.size {
            let mut x = 0;
            while x < self.size {
                let run = (x..self.size).take_while(|&x| self.is_dark(x, y)).count();
                if run > 0 {
                    let _ = write!(path, "M{} {}h{run}v1h-{run}z", x + QUIET, y + QUIET);
                }
                x += run.max(1);
            }
        }
        path
    }

    /// How many modules the picture has a side, its border included.
    pub fn side(&self) -> usize {
        self.size + 2 * QUIET
    }
}
