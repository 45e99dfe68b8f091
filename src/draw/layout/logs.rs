//! How large the logs of all servers are, below the ring: as large as leaves the servers room.

/// A stage keeps at least this height for the servers, in a hall and elsewhere.
const SERVERS: (f64, f64) = (270.0, 170.0);

/// From so many servers on each more needs so much of it: the cards of many would lose all their words.
const MANY: usize = 5;
const MORE: f64 = 35.0;

/// How large everything is.
#[derive(Clone, Copy)]
pub(in crate::draw) struct Measures {
    /// The size of all letters.
    pub letters: f64,
    /// The height of the epochs' line; none where colours must do.
    pub epochs: f64,
    /// The height of the zxids' line.
    pub zxids: f64,
    /// The height of a row.
    pub row: f64,
    /// The narrowest and the widest column.
    pub column: (f64, f64),
    /// The width of the servers' names.
    pub names: f64,
}

const HALL: Measures =
    Measures { letters: 20.0, epochs: 30.0, zxids: 30.0, row: 32.0, column: (72.0, 104.0), names: 84.0 };
const HALL_SMALL: Measures =
    Measures { letters: 20.0, epochs: 0.0, zxids: 26.0, row: 26.0, column: (72.0, 104.0), names: 84.0 };
const USUAL: Measures =
    Measures { letters: 13.0, epochs: 21.0, zxids: 20.0, row: 23.0, column: (48.0, 62.0), names: 64.0 };
const SMALL: Measures =
    Measures { letters: 12.0, epochs: 0.0, zxids: 17.0, row: 18.0, column: (34.0, 46.0), names: 48.0 };

/// Space above and below.
pub(in crate::draw) const PAD: f64 = 8.0;

impl Measures {
    /// The height of the logs of so many servers.
    pub(crate) fn height(&self, servers: usize) -> f64 {
        2.0 * PAD + self.epochs + self.zxids + servers as f64 * self.row
    }
}

/// The measures with which the logs of so many servers have room on a stage of this size.
pub(in crate::draw) fn measures(servers: usize, (width, height): (f64, f64), hall: bool) -> Option<Measures> {
    let all: &[Measures] = match (hall, width < 560.0) {
        (true, _) => &[HALL, HALL_SMALL],
        (false, true) => &[SMALL],
        (false, false) => &[USUAL, SMALL],
    };
    let few = if hall { SERVERS.0 } else { SERVERS.1 };
    let least = few + servers.saturating_sub(MANY) as f64 * MORE;
    all.iter().copied().find(|one| servers > 0 && height - one.height(servers) >= least)
}
