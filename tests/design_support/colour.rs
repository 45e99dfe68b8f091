//! Colours: contrast by WCAG 2, distance by CIE Lab, and what eyes with a deficiency see of them.

/// A colour in sRGB, each part from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rgb([f64; 3]);

impl Rgb {
    /// `#rrggbb`; a fourth part, how opaque it is, is left out.
    pub fn parse(text: &str) -> Option<Rgb> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 || digits.len() == 8)?;
        let part = |at: usize| Some(f64::from(u8::from_str_radix(digits.get(at..at + 2)?, 16).ok()?) / 255.0);
        Some(Rgb([part(0)?, part(2)?, part(4)?]))
    }

    fn linear(self) -> [f64; 3] {
        self.0.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) })
    }

    fn from_linear(linear: [f64; 3]) -> Rgb {
        Rgb(linear.map(|c| {
            let c = c.clamp(0.0, 1.0);
            if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 }
        }))
    }

    fn luminance(self) -> f64 {
        let [r, g, b] = self.linear();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn lab(self) -> [f64; 3] {
        let linear = self.linear();
        let xyz = times(
            &[
                [0.412_456_4, 0.357_576_1, 0.180_437_5],
                [0.212_672_9, 0.715_152_2, 0.072_175],
                [0.019_333_9, 0.119_192, 0.950_304_1],
            ],
            linear,
        );
        let white = [0.950_47, 1.0, 1.088_83];
        let f = |t: f64| if t > 216.0 / 24_389.0 { t.cbrt() } else { (24_389.0 / 27.0 * t + 16.0) / 116.0 };
        let [x, y, z] = [0, 1, 2].map(|i| f(xyz[i] / white[i]));
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }
}

fn times(matrix: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|row| (0..3).map(|i| matrix[row][i] * v[i]).sum())
}

/// WCAG's contrast of two colours, from 1 to 21.
pub fn contrast(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (a.luminance(), b.luminance());
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The distance of two colours in CIE Lab (1976).
pub fn apart(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (a.lab(), b.lab());
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

/// Eyes: those that see all colours, and the three that lack a kind of cones.
#[derive(Clone, Copy, Debug)]
pub enum Eyes {
    Usual,
    Protanopia,
    Deuteranopia,
    Tritanopia,
}

impl Eyes {
    pub const ALL: [Eyes; 4] = [Eyes::Usual, Eyes::Protanopia, Eyes::Deuteranopia, Eyes::Tritanopia];

    /// What they see (Machado, Oliveira and Fernandes 2009, severity 1).
    pub fn see(self, colour: Rgb) -> Rgb {
        let matrix = match self {
            Eyes::Usual => return colour,
            Eyes::Protanopia => [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
            Eyes::Deuteranopia => [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
            Eyes::Tritanopia => [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        };
        Rgb::from_linear(times(&matrix, colour.linear()))
    }
}

#[test]
fn numbers_that_are_known() {
    let (white, black) = (Rgb::parse("#ffffff").unwrap(), Rgb::parse("#000000").unwrap());
    assert!((contrast(white, black) - 21.0).abs() < 1e-9);
    assert!((contrast(Rgb::parse("#767676").unwrap(), white) - 4.54).abs() < 0.01);
    assert!((apart(white, black) - 100.0).abs() < 0.01);
    // red and green of the same brightness are one colour for eyes without the second kind of cones
    let (red, green) = (Rgb::parse("#c04000").unwrap(), Rgb::parse("#7a6a00").unwrap());
    assert!(apart(red, green) > 40.0);
    assert!(apart(Eyes::Deuteranopia.see(red), Eyes::Deuteranopia.see(green)) < 15.0);
    assert_eq!(Eyes::Usual.see(red), red);
}
