//! Which of the messages are drawn where thousands share a pixel: every one drawn is a real message that stands for those
//! around it between the same two lanes. Lost ones come before others, and heartbeats last.

use crate::draw::spacetime::frame::Frame;
use crate::timeline::spacetime::{Arrow, Diagram, Fate};

/// So many messages are drawn one by one.
pub(super) const ONE_BY_ONE: usize = 1_600;
/// About so many are drawn where there are more.
const DRAWN: f64 = 1_900.0;

/// A message that is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Its place among the arrows.
    pub place: u32,
    /// The fact by which it was sent: after the run was changed, its place may be another message's, or nobody's.
    pub sent_seq: u32,
    /// For how many it stands, itself too.
    pub weight: u32,
}

impl Drawn {
    fn new(place: u32, arrow: &Arrow) -> Drawn {
        Drawn { place, sent_seq: arrow.sent_seq, weight: 1 }
    }

    /// The message, unless the run was changed and it is no longer there.
    pub(super) fn arrow<'a>(&self, diagram: &'a Diagram) -> Option<&'a Arrow> {
        diagram.arrows().get(self.place as usize).filter(|arrow| arrow.sent_seq == self.sent_seq)
    }
}

/// The messages of a frame that are drawn.
#[derive(Clone, Debug, Default)]
pub struct Thinned {
    /// They.
    pub drawn: Vec<Drawn>,
    /// How many messages there are in the frame.
    pub visible: usize,
}

/// How much a message is worth to be seen.
fn rank(diagram: &Diagram, arrow: &Arrow) -> u8 {
    match arrow.fate {
        Fate::Lost if !diagram.kind(arrow).is_heartbeat() => 3,
        _ if arrow.msg().is_none() => 0,
        _ if diagram.kind(arrow).is_heartbeat() => 1,
        _ => 2,
    }
}

/// Chooses what is drawn.
pub fn thin(diagram: &Diagram, frame: &Frame) -> Thinned {
    let (from, to) = frame.span();
    let rows = frame.rows.len();
    let pair = |arrow: &Arrow| Some(frame.row(arrow.from)? * rows + frame.row(arrow.to)?);
    if diagram.at_most_in(from, to) <= ONE_BY_ONE {
        let drawn: Vec<Drawn> = diagram.arrows_in(from, to).map(|(place, arrow)| Drawn::new(place, arrow)).collect();
        return Thinned { visible: drawn.len(), drawn };
    }
    // who talks to whom, and how many there are
    let (mut talks, mut visible) = (vec![false; rows * rows], 0);
    for (_, arrow) in diagram.arrows_in(from, to) {
        visible += 1;
        if let Some(pair) = pair(arrow) {
            talks[pair] = true;
        }
    }
    let pairs = talks.iter().filter(|&&talks| talks).count().max(1) as f64;
    let every = if visible <= ONE_BY_ONE { 0.0 } else { ((frame.width - frame.left) * pairs / DRAWN).max(1.0) };
    let mut drawn: Vec<Drawn> = Vec::new();
    let mut last = vec![(u32::MAX, 0_u32); rows * rows];
    let a_column = every * frame.us_a_px();
    for (place, arrow) in diagram.arrows_in(from, to) {
        let Some(pair) = pair(arrow) else { continue };
        // columns of time, not of pixels: what is chosen stays chosen when the picture moves
        let column = if every == 0.0 { place } else { (arrow.sent_us as f64 / a_column) as u32 };
        let (before, chosen) = &mut last[pair];
        if *before != column {
            (*before, *chosen) = (column, drawn.len() as u32);
            drawn.push(Drawn::new(place, arrow));
            continue;
        }
        let one = &mut drawn[*chosen as usize];
        one.weight += 1;
        if rank(diagram, arrow) > rank(diagram, &diagram.arrows()[one.place as usize]) {
            (one.place, one.sent_seq) = (place, arrow.sent_seq);
        }
    }
    Thinned { drawn, visible }
}
