//! What a setup says of the system.

use serde::{Deserialize, Serialize};

use crate::base::ServerId;
use crate::base::json::{Json, Read, ReadError, ValueError, at_most, within};
use crate::base::limits::MAX_DURATION_US;
use crate::daemon::{Place, System};
use crate::lines::Script;

use super::client::{Client, ClientConfig};
use super::command::Command;
use super::replica::{Replica, ReplicaConfig};

/// Most replicas, spares included.
const MOST: u64 = 5;
const MAX_PROGRAMS: usize = 10;
const MAX_LINES: usize = 1_000;

/// When replicas that were behind are sent what a read found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repair {
    /// Never.
    #[default]
    None,
    /// After the answer.
    After,
    /// Before it, and the answer waits for their acknowledgements.
    Before,
}

/// Where timestamps come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stamps {
    /// One more than the greatest that R replicas have: a round of its own before each write.
    #[default]
    Asked,
    /// The writer's wall clock: the last writer wins, by its clock.
    Clock,
}

impl Read for Repair {
    fn read(json: Json) -> Result<Repair, ReadError> {
        json.name()
    }
}

impl Read for Stamps {
    fn read(json: Json) -> Result<Stamps, ReadError> {
        json.name()
    }
}

/// How clients read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rules {
    /// At how many answers a read is done (R), 1 to N.
    pub r: u8,
    /// At how many acknowledgements a write is done (W), 1 to N.
    pub w: u8,
    /// Read repair.
    pub repair: Repair,
    /// Whether a read writes back what it returns (ABD), unless all answers were the same.
    pub write_back: bool,
    /// Where timestamps come from.
    pub stamps: Stamps,
    /// After how long a spare stands in for a replica that does not answer (sloppy quorum, hinted handoff), ms. 0: never.
    pub stand_in_ms: u64,
}

/// A register and its clients.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Register {
    /// How many replicas (N): N1, N2, …
    pub replicas: u8,
    /// How many nodes beside them may stand in; 5 in all.
    pub spares: u8,
    /// How clients read and write.
    #[serde(flatten)]
    pub rules: Rules,
    /// The clients C1, C2, …
    pub clients: Vec<Program>,
}

/// A client and what it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    /// How long it waits for answers, ms. Then it reports a failure.
    pub timeout_ms: u64,
    /// What it does, line by line, as on its console.
    pub lines: Vec<String>,
    /// Whether it begins again after the last line.
    pub repeat: bool,
}

impl Default for Register {
    fn default() -> Register {
        let (repair, stamps) = Default::default();
        let rules = Rules { r: 2, w: 2, repair, write_back: false, stamps, stand_in_ms: 0 };
        Register { replicas: 3, spares: 0, rules, clients: Vec::new() }
    }
}

impl Read for Register {
    fn read(json: Json) -> Result<Register, ReadError> {
        let (mut fields, mut setup) = (json.fields()?, Register::default());
        fields.set("replicas", &mut setup.replicas)?;
        fields.set("spares", &mut setup.spares)?;
        fields.set("r", &mut setup.rules.r)?;
        fields.set("w", &mut setup.rules.w)?;
        fields.set("repair", &mut setup.rules.repair)?;
        fields.set("write_back", &mut setup.rules.write_back)?;
        fields.set("stamps", &mut setup.rules.stamps)?;
        fields.set("stand_in_ms", &mut setup.rules.stand_in_ms)?;
        fields.set("clients", &mut setup.clients)?;
        fields.end().map(|()| setup)
    }
}

impl Read for Program {
    fn read(json: Json) -> Result<Program, ReadError> {
        let mut fields = json.fields()?;
        let program = Program {
            timeout_ms: fields.or("timeout_ms", 1_000)?,
            lines: fields.or("lines", Vec::new())?,
            repeat: fields.or("repeat", false)?,
        };
        fields.end().map(|()| program)
    }
}

impl Program {
    fn check(&self) -> Result<(), ReadError> {
        within("timeout_ms", self.timeout_ms, 1, MAX_DURATION_US / 1000)?;
        at_most("lines", self.lines.len(), MAX_LINES)?;
        let mut waits = false;
        for (at, line) in self.lines.iter().enumerate() {
            let command = Command::parse(line).map_err(|why| why.within(&format!("lines[{at}]")))?;
            waits |= command != Command::Sleep(0);
        }
        match self.repeat && !waits {
            true => Err(ReadError::new(ValueError::RetryWithoutPause).within("repeat")),
            false => Ok(()),
        }
    }
}

impl System for Register {
    fn check(&self) -> Result<(), ReadError> {
        within("replicas", self.replicas.into(), 1, MOST)?;
        within("spares", self.spares.into(), 0, MOST - u64::from(self.replicas))?;
        within("r", self.rules.r.into(), 1, self.replicas.into())?;
        within("w", self.rules.w.into(), 1, self.replicas.into())?;
        within("stand_in_ms", self.rules.stand_in_ms, 0, MAX_DURATION_US / 1000)?;
        at_most("clients", self.clients.len(), MAX_PROGRAMS)?;
        let check =
            |(at, program): (usize, &Program)| program.check().map_err(|why| why.within(&format!("clients[{at}]")));
        self.clients.iter().enumerate().try_for_each(check)
    }

    fn place(&self, world: &mut impl Place) {
        let all: Vec<ServerId> = (1..=self.replicas + self.spares).map(|n| ServerId::nth("N", n)).collect();
        for &node in &all {
            world.put::<Replica>(node, ReplicaConfig { nodes: all.clone() });
        }
        let (homes, spares) = all.split_at(usize::from(self.replicas));
        for (at, program) in (1..).zip(&self.clients) {
            let config = ClientConfig {
                homes: homes.to_vec(),
                spares: spares.to_vec(),
                rules: self.rules,
                timeout: program.timeout_ms * 1000,
                script: Script {
                    lines: program.lines.iter().filter_map(|line| Command::parse(line).ok()).collect(),
                    repeat: program.repeat,
                },
            };
            world.put::<Client>(ServerId::nth("C", at), config);
        }
    }
}
