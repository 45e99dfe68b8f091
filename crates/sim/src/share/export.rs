//! A run as text for other programs: played again from its beginning, a piece at a time, so that a page stays responsive.

use crate::base::limits::{MAX_EXPORT_BYTES, MAX_ROWS, MAX_TIME_MS};
use crate::base::{Micros, SimTime};
use crate::sim::{Run, World};

use super::counters::Counters;
use super::link::OpenError;
use super::trace::Trace;

/// What is told of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// Every fact as a line of JSON: what the digest is made of, and what `zabscope run --facts` prints.
    Facts,
    /// Counters as CSV, a row for so much virtual time.
    Counters {
        /// µs.
        every_us: Micros,
    },
    /// The trace with vector clocks, as ShiViz reads it.
    Trace,
}

#[derive(Debug)]
enum Reader {
    Facts,
    Counters(Box<Counters>),
    Trace(Box<Trace>),
}

/// A text in the making.
#[derive(Debug)]
pub struct Export {
    world: World,
    until: SimTime,
    reader: Reader,
    bytes: usize,
    over: bool,
}

impl Export {
    /// The beginning of a text about everything up to and including a moment.
    ///
    /// # Errors
    /// The run is not valid, or the text would have too many rows.
    pub fn new(run: &Run, until: SimTime, telling: Telling) -> Result<Export, OpenError> {
        run.check().map_err(|read_error| OpenError::Run(read_error.into()))?;
        let until = SimTime(until.0.min(MAX_TIME_MS * 1_000));
        let reader = match telling {
            Telling::Facts => Reader::Facts,
            Telling::Counters { every_us } if until.0 / every_us.max(1) >= MAX_ROWS => {
                return Err(OpenError::TooManyRows);
            }
            Telling::Counters { every_us } => Reader::Counters(Box::new(Counters::new(run, every_us.max(1)))),
            Telling::Trace => Reader::Trace(Box::default()),
        };
        Ok(Export { world: World::new(run.clone()), until, reader, bytes: 0, over: false })
    }

    /// Goes on for so many steps, and writes behind what is there; whether there is more.
    ///
    /// # Errors
    /// The text gets too long.
    pub fn advance(&mut self, steps: u64, out: &mut String) -> Result<bool, OpenError> {
        let before = out.len();
        for _ in 0..steps {
            if self.over {
                break;
            }
            if self.world.next_at().is_none_or(|at| at > self.until) {
                self.over = true;
                if let Reader::Counters(counters) = &mut self.reader {
                    counters.finish(self.until, out);
                }
                break;
            }
            self.step(out);
        }
        self.bytes += out.len() - before;
        if self.bytes > MAX_EXPORT_BYTES { Err(OpenError::TextTooLong) } else { Ok(!self.over) }
    }

    fn step(&mut self, out: &mut String) {
        let Some(at) = self.world.next_at() else { return };
        let records = self.world.step().unwrap_or_default();
        match &mut self.reader {
            Reader::Facts => {
                for record in records {
                    out.push_str(&serde_json::to_string(record).unwrap_or_default());
                    out.push('\n');
                }
            }
            Reader::Counters(counters) => counters.step(at, records),
            Reader::Trace(trace) => records.iter().for_each(|record| trace.read(record, out)),
        }
    }

    /// How far it has come and how far it goes, µs.
    pub fn progress(&self) -> (Micros, Micros) {
        (if self.over { self.until.0 } else { self.world.now.0.min(self.until.0) }, self.until.0)
    }
}
