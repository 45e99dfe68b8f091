//! Disks that are read and loaded: as long as somebody asks about them they stay.

use std::collections::BTreeMap;

use zabscope_ground::base::Arrange;
use zabscope_sim::sim::{Run, ZkVersion};

use crate::disk::{Disk, Disks, ToldBy};
use crate::load::Loaded;
use crate::matrix::Matrix;
use crate::report::{Report, Start, Started, voters};
use crate::start::{Choice, Ensemble, Unknown};
use crate::verdict::{GAP_MS, Judging, ORDER_SEED, Voters};

/// Disks, and what their servers would load.
pub struct Examined {
    disks: Disks,
    loaded: Vec<Loaded>,
    matrix: Matrix,
}

impl Examined {
    /// Loads all of them.
    pub fn of(disks: Disks) -> Examined {
        let loaded: Vec<Loaded> = disks.disks.iter().map(|disk| Loaded::of(disk, disks.room)).collect();
        Examined::with(disks, loaded)
    }

    fn with(disks: Disks, loaded: Vec<Loaded>) -> Examined {
        let matrix = Matrix::of(&own(&disks, &loaded));
        Examined { disks, loaded, matrix }
    }

    /// The same once it is said whose the data directories in these folders are.
    pub fn say(self, said: &BTreeMap<String, u64>) -> Examined {
        let Examined { mut disks, loaded, .. } = self;
        let mut all: Vec<(Disk, Loaded)> = std::mem::take(&mut disks.disks).into_iter().zip(loaded).collect();
        for (disk, _) in &mut all {
            if let Some(id) = said.get(&disk.folder) {
                (disk.id, disk.told_by, disk.is_copy) = (Some(*id), ToldBy::Said, false);
            }
        }
        all.arrange_by_key(|(disk, _)| disk.place());
        let (of, loaded): (Vec<Disk>, Vec<Loaded>) = all.into_iter().unzip();
        disks.disks = of;
        Examined::with(disks, loaded)
    }

    /// The disks.
    pub fn disks(&self) -> &Disks {
        &self.disks
    }

    /// Which transactions are where.
    pub fn matrix(&self) -> &Matrix {
        &self.matrix
    }

    /// Each with what its server loads, copies of data directories last.
    pub fn all(&self) -> impl Iterator<Item = (&Disk, &Loaded)> {
        self.disks.disks.iter().zip(&self.loaded)
    }

    /// The same without those copies.
    pub fn own(&self) -> Vec<(&Disk, &Loaded)> {
        own(&self.disks, &self.loaded)
    }

    /// What is on them; nothing is started yet.
    pub fn report(&self) -> Report {
        let all: Vec<(&Disk, &Loaded)> = self.all().collect();
        Report::before_start(&self.disks, &all, &self.matrix)
    }

    /// The same with what happens when they are started by the rules of a version.
    pub fn whole_report(&self, version: ZkVersion) -> Report {
        let start = self.start(version, |_, _, _| ());
        let unknown = start.as_ref().err().copied();
        Report { unknown, start: start.ok(), ..self.report() }
    }

    /// What happens when they are started. It takes a while: `heard` is told how many choices are judged, of how many, and can ask what
    /// is known so far.
    ///
    /// # Errors
    /// Why nothing can be said.
    pub fn start(
        &self,
        version: ZkVersion,
        mut heard: impl FnMut(usize, usize, &mut dyn FnMut() -> Start),
    ) -> Result<Start, Unknown> {
        let own = self.own();
        let ensemble = Ensemble::of(&own, version, self.disks.room)?;
        let voting = voters(&own, self.matrix.newest);
        let votes = |(_, (disk, _)): &(usize, &(&Disk, &Loaded))| disk.id.is_some_and(|id| voting.contains(&id));
        let here = own.iter().enumerate().filter(votes).map(|(place, _)| place).collect();
        let voters = Voters { here, all: voting.len() };
        let mut judging = Judging::of(&ensemble, &own, &self.matrix, voters);
        while judging.step() {
            let (done, all) = judging.progress();
            heard(done, all, &mut || Start::told(judging.verdict(), &own, &self.matrix, version));
        }
        Ok(Start::told(judging.verdict(), &own, &self.matrix, version))
    }

    /// Such a start as a run, and the ids of the servers that have the numbers 1, 2, … in it.
    ///
    /// # Errors
    /// Why there is none.
    pub fn run(&self, started: &Started, version: ZkVersion) -> Result<(Run, Vec<u64>), Unknown> {
        let own = self.own();
        let ensemble = Ensemble::of(&own, version, self.disks.room)?;
        let (ids, gap_ms, seed) = match started {
            Started::Together(ids, seed) => (ids, 0, *seed),
            Started::InTurn(ids) => (ids, GAP_MS, ORDER_SEED),
        };
        let place = |id: &u64| own.iter().position(|(disk, _)| disk.id == Some(*id)).ok_or(Unknown::NoDisk);
        let start = ids.iter().map(place).collect::<Result<_, _>>()?;
        Ok((ensemble.run(&Choice { start, gap_ms }, seed), ensemble.ids().to_vec()))
    }
}

fn own<'a>(disks: &'a Disks, loaded: &'a [Loaded]) -> Vec<(&'a Disk, &'a Loaded)> {
    disks.disks.iter().zip(loaded).filter(|(disk, _)| !disk.is_copy).collect()
}
