//! The digest of a run: SipHash-2-4 with 128 bits (Aumasson and Bernstein 2012, key 0) over its facts, each as one line
//! of JSON ended by a newline: exactly what `zabscope run --facts` prints. Anybody can check it with other tools.

use siphasher::sip128::{Hasher128, SipHasher24};
use std::hash::Hasher;

use super::fact::Record;

/// A digest in the making.
#[derive(Clone, Debug)]
pub struct Digest {
    hasher: SipHasher24,
    line: Vec<u8>,
    facts: u64,
}

impl Default for Digest {
    fn default() -> Digest {
        Digest { hasher: SipHasher24::new(), line: Vec::new(), facts: 0 }
    }
}

impl Digest {
    /// Takes in the next fact.
    pub fn read(&mut self, record: &Record) {
        self.line.clear();
        if serde_json::to_writer(&mut self.line, record).is_ok() {
            self.line.push(b'\n');
            self.hasher.write(&self.line);
            self.facts += 1;
        }
    }

    /// How many facts were taken in.
    pub fn facts(&self) -> u64 {
        self.facts
    }

    /// The digest of all facts so far: 32 hexadecimal digits.
    pub fn hex(&self) -> String {
        format!("{:032x}", self.hasher.finish128().as_u128())
    }
}
