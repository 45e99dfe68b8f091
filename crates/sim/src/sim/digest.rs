//! The digest of a run: SipHash-2-4 with 128 bits (Aumasson and Bernstein 2012, key 0) over its facts, each as one line
//! of JSON ended by a newline: exactly what `zabscope run --facts` prints. Anybody can check it with other tools.

use siphasher::sip128::{Hasher128, SipHasher24};
use std::hash::Hasher;
use std::rc::Rc;

use super::fact::Record;

/// So many facts of a run's beginning are kept as they are, and taken in together later: what a page shows first need not wait for the
/// code that writes facts down.
const EARLY: usize = 1_024;

/// A digest in the making.
#[derive(Clone, Debug)]
pub struct Digest {
    hasher: SipHasher24,
    line: Vec<u8>,
    facts: u64,
    /// The first facts, until there are [`EARLY`] of them.
    early: Option<Vec<Rc<Record>>>,
}

impl Default for Digest {
    fn default() -> Digest {
        Digest { hasher: SipHasher24::new(), line: Vec::new(), facts: 0, early: Some(Vec::new()) }
    }
}

impl Digest {
    /// Takes in the next fact.
    pub fn read(&mut self, record: &Rc<Record>) {
        self.facts += 1;
        match &mut self.early {
            None => self.write(record),
            Some(early) => {
                early.push(record.clone());
                if early.len() >= EARLY {
                    self.write_early();
                }
            }
        }
    }

    fn write_early(&mut self) {
        for record in self.early.take().unwrap_or_default() {
            self.write(&record);
        }
    }

    fn write(&mut self, record: &Record) {
        self.line.clear();
        // into memory, and every fact has a text: this cannot fail
        if serde_json::to_writer(&mut self.line, record).is_ok() {
            self.line.push(b'\n');
            self.hasher.write(&self.line);
        }
    }

    /// How many facts were taken in.
    pub fn facts(&self) -> u64 {
        self.facts
    }

    /// The digest of all facts so far: 32 hexadecimal digits.
    pub fn hex(&self) -> String {
        match &self.early {
            Some(early) if !early.is_empty() => {
                let mut whole = self.clone();
                whole.write_early();
                whole.hex()
            }
            _ => format!("{:032x}", self.hasher.finish128().as_u128()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::{Player, Run};

    #[test]
    fn the_digest_is_that_of_the_lines_at_any_time() {
        let mut player = Player::new(Run::new(1, Default::default())).unwrap();
        let (mut digest, mut lines) = (Digest::default(), SipHasher24::new());
        let mut facts = 0;
        while facts < EARLY + 500 {
            for record in player.step().expect("heartbeats go on") {
                digest.read(record);
                lines.write(&serde_json::to_vec(record).unwrap());
                lines.write(b"\n");
                facts += 1;
                if facts % 97 == 0 || facts.abs_diff(EARLY) < 3 {
                    assert_eq!(digest.hex(), format!("{:032x}", lines.finish128().as_u128()), "after {facts} facts");
                }
            }
        }
        assert_eq!(digest.facts(), facts as u64);
    }
}
