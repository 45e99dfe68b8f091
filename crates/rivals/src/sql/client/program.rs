//! What programs do: a lock recipe around a number that is read, worked on and written; as a setup says it, and how far it
//! has come.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::rc::Rc;

use crate::base::SimTime;
use crate::base::json::{Json, Read, ReadError, at_most, short, within};
use crate::base::limits::MAX_DURATION_US;
use crate::base::rows::Rows;
use crate::daemon::{BadgeLine, Tone};
use crate::sql::op::{MAX_NAME, one_of};

/// A recipe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recipe {
    /// A row in a table with a unique index: inserted to lock, deleted to unlock, each in autocommit.
    LockRow,
    /// `SELECT … FOR UPDATE`, work and COMMIT in one transaction.
    ForUpdate,
    /// No lock: an update that asks for the version that was read.
    Version,
    /// A named lock of the database.
    Advisory,
    /// No number: two updates in one transaction, which must happen together or not at all.
    Transfer,
}

impl Recipe {
    /// All of them, by name.
    pub const ALL: [(&'static str, Recipe); 5] = [
        ("lock_row", Recipe::LockRow),
        ("for_update", Recipe::ForUpdate),
        ("version", Recipe::Version),
        ("advisory", Recipe::Advisory),
        ("transfer", Recipe::Transfer),
    ];
}

/// What a program does wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsafe {
    /// It deletes the row by the name of the lock, whosever it is.
    DeleteByName,
    /// It looks at the age first and deletes then, by name.
    AgeInTwoSteps,
    /// It compares the age with its own clock.
    AgeByClientClock,
    /// It locks outside of a transaction.
    Autocommit,
    /// It commits before it works.
    CommitBeforeWork,
    /// It does not ask for the version.
    NoVersion,
    /// At repeatable read it looks at something before it locks.
    LookBeforeLock,
    /// It takes a statement that was refused by the time limit for a transaction that was rolled back.
    TimeOutIsRollback,
}

impl Unsafe {
    /// All of them, by name.
    pub const ALL: [(&'static str, Unsafe); 8] = [
        ("delete_by_name", Unsafe::DeleteByName),
        ("age_in_two_steps", Unsafe::AgeInTwoSteps),
        ("age_by_client_clock", Unsafe::AgeByClientClock),
        ("autocommit", Unsafe::Autocommit),
        ("commit_before_work", Unsafe::CommitBeforeWork),
        ("no_version", Unsafe::NoVersion),
        ("look_before_lock", Unsafe::LookBeforeLock),
        ("time_out_is_rollback", Unsafe::TimeOutIsRollback),
    ];
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What it does.
    pub recipe: Recipe,
    /// The lock's name.
    pub lock: String,
    /// How long it works at most, ms.
    pub work_ms: u64,
    /// How long it pauses at most before it begins again, ms.
    pub pause_ms: u64,
    /// After how long it tries again, ms.
    pub poll_ms: u64,
    /// From which age on it clears a lock row away, ms; 0: never.
    pub age_ms: u64,
    /// How long the server lets it wait for a lock, ms; 0: as the server's settings say.
    pub lock_wait_ms: u64,
    /// Whether a lock row's number is a fencing token.
    pub fenced: bool,
    /// How often it does it all; 0: for ever.
    pub rounds: u64,
    /// What it does wrong.
    pub wrong: Vec<Unsafe>,
}

impl Program {
    /// The program of a recipe with its defaults.
    pub fn new(recipe: Recipe) -> Program {
        Program {
            recipe,
            lock: "m".into(),
            work_ms: 300,
            pause_ms: 200,
            poll_ms: 200,
            age_ms: 0,
            lock_wait_ms: 0,
            fenced: false,
            rounds: 0,
            wrong: Vec::new(),
        }
    }

    /// Whether it does this wrong.
    pub fn does(&self, wrong: Unsafe) -> bool {
        self.wrong.contains(&wrong)
    }

    /// The way through one round.
    pub(super) fn plan(&self) -> Vec<Stage> {
        use Stage::*;
        let mut plan = Vec::new();
        match self.recipe {
            Recipe::LockRow => {
                plan.push(Forget);
                if self.age_ms > 0 && (self.does(Unsafe::AgeInTwoSteps) || self.does(Unsafe::AgeByClientClock)) {
                    plan.extend([LookAtAge, ClearAway]);
                } else if self.age_ms > 0 {
                    plan.push(ClearOld);
                }
                plan.push(Take);
                plan.extend(self.fenced.then_some([Token, Register]).into_iter().flatten());
                plan.extend([Read, Work, Write, Release]);
            }
            Recipe::ForUpdate if self.does(Unsafe::Autocommit) => plan.extend([Lock, Work, Write]),
            Recipe::ForUpdate if self.does(Unsafe::CommitBeforeWork) => plan.extend([Begin, Lock, End, Work, Write]),
            Recipe::ForUpdate if self.does(Unsafe::LookBeforeLock) => {
                plan.extend([BeginRepeatable, Look, LockName, Read, Work, Write, End]);
            }
            Recipe::ForUpdate => plan.extend([Begin, Lock, Work, Write, End]),
            Recipe::Version => plan.extend([Read, Work, Write]),
            Recipe::Advisory => plan.extend([Take, Read, Work, Write, Release]),
            Recipe::Transfer => plan.extend([Begin, Write, Work, WriteOther, End]),
        }
        plan
    }
}

/// A step on the way through a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// A row is deleted that may be its own from before.
    Forget,
    /// Rows that are too old are deleted, in one statement.
    ClearOld,
    /// It looks whether the row is too old.
    LookAtAge,
    /// It deletes the row that was.
    ClearAway,
    /// It takes the lock.
    Take,
    /// It reads its token.
    Token,
    /// It shows its token to what it will change.
    Register,
    /// A transaction begins.
    Begin,
    /// One at repeatable read.
    BeginRepeatable,
    /// It reads the number, before it has locked.
    Look,
    /// It locks the row of the lock's name.
    LockName,
    /// It locks the number, and reads it.
    Lock,
    /// It reads the number.
    Read,
    /// It works.
    Work,
    /// It writes.
    Write,
    /// It writes the other half.
    WriteOther,
    /// It gives the lock back.
    Release,
    /// It commits.
    End,
}

/// A program that runs.
#[derive(Clone, Debug)]
pub struct Running {
    /// What it does.
    pub(super) program: Rc<Program>,
    pub(super) starts: u64,
    pub(super) round: u64,
    pub(super) plan: Vec<Stage>,
    /// Where it is in its plan; none between two rounds.
    pub(super) at: Option<usize>,
    /// When it goes on.
    pub(super) wakes_at: Option<SimTime>,
    /// What is set for its session is set.
    pub(super) set_up: bool,
    /// It is rolling back.
    pub(super) undoes: bool,
    /// As whom it holds the lock, or tries to.
    pub(super) holder: String,
    pub(super) holding: bool,
    /// A row that may be its own from before.
    pub(super) old: Option<String>,
    /// What it has found that is too old.
    pub(super) found: Option<String>,
    pub(super) token: Option<i64>,
    pub(super) read: i64,
    pub(super) version: i64,
}

impl Running {
    /// At its beginning; how often it has started.
    pub fn new(program: Rc<Program>, starts: u64) -> Running {
        Running {
            plan: program.plan(),
            program,
            starts,
            round: 0,
            at: None,
            wakes_at: None,
            set_up: false,
            undoes: false,
            holder: String::new(),
            holding: false,
            old: None,
            found: None,
            token: None,
            read: 0,
            version: 0,
        }
    }

    /// The step at which it is.
    pub(super) fn stage(&self) -> Option<Stage> {
        self.plan.get(self.at?).copied()
    }

    /// Its lock, as it believes, or its round where it has none.
    pub(super) fn badge_line(&self) -> BadgeLine {
        let token = self.token.map(|token| format!("#{token}"));
        let (value, tone) = match self.holding {
            true => (token.unwrap_or_else(|| self.holder.clone()), Tone::Held),
            false => ("–".into(), Tone::Plain),
        };
        BadgeLine { label: self.program.lock.clone(), value, tone, left: None }
    }

    /// For a reader.
    pub fn rows(&self, rows: &mut Rows) {
        rows.put("round", &self.round);
        rows.put("stage", &self.stage().map_or("–".into(), |stage| format!("{stage:?}")));
        rows.put("holds", &if self.holding { self.holder.as_str() } else { "–" });
    }
}

const MAX_MS: u64 = MAX_DURATION_US / 1000;

impl Read for Program {
    fn read(json: Json) -> Result<Program, ReadError> {
        let mut fields = json.fields()?;
        let recipe: String = fields.need("recipe")?;
        let recipe = one_of(&recipe, &Recipe::ALL).map_err(|read_error| read_error.within("recipe"))?;
        let default = Program::new(recipe);
        let wrong: Vec<String> = fields.or("wrong", Vec::new())?;
        at_most("wrong", wrong.len(), Unsafe::ALL.len())?;
        let wrong = wrong.iter().map(|word| one_of(word, &Unsafe::ALL)).collect::<Result<Vec<Unsafe>, _>>();
        let program = Program {
            recipe,
            lock: fields.or("lock", default.lock)?,
            work_ms: fields.or("work_ms", default.work_ms)?,
            pause_ms: fields.or("pause_ms", default.pause_ms)?,
            poll_ms: fields.or("poll_ms", default.poll_ms)?,
            age_ms: fields.or("age_ms", default.age_ms)?,
            lock_wait_ms: fields.or("lock_wait_ms", default.lock_wait_ms)?,
            fenced: fields.or("fenced", default.fenced)?,
            rounds: fields.or("rounds", default.rounds)?,
            wrong: wrong.map_err(|read_error| read_error.within("wrong"))?,
        };
        fields.end()?;
        short("lock", &program.lock, MAX_NAME)?;
        within("poll_ms", program.poll_ms, 1, MAX_MS)?;
        for (name, ms) in [
            ("work_ms", program.work_ms),
            ("pause_ms", program.pause_ms),
            ("age_ms", program.age_ms),
            ("lock_wait_ms", program.lock_wait_ms),
        ] {
            within(name, ms, 0, MAX_MS)?;
        }
        Ok(program)
    }
}

fn name_of<T: PartialEq>(all: &[(&'static str, T)], value: &T) -> &'static str {
    all.iter().find(|(_, other)| other == value).map_or("", |(name, _)| name)
}

impl Serialize for Program {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let (mut map, default) = (s.serialize_map(None)?, Program::new(self.recipe));
        map.serialize_entry("recipe", name_of(&Recipe::ALL, &self.recipe))?;
        if self.lock != default.lock {
            map.serialize_entry("lock", &self.lock)?;
        }
        for (name, ours, usual) in [
            ("work_ms", self.work_ms, default.work_ms),
            ("pause_ms", self.pause_ms, default.pause_ms),
            ("poll_ms", self.poll_ms, default.poll_ms),
            ("age_ms", self.age_ms, default.age_ms),
            ("lock_wait_ms", self.lock_wait_ms, default.lock_wait_ms),
            ("rounds", self.rounds, default.rounds),
        ] {
            if ours != usual {
                map.serialize_entry(name, &ours)?;
            }
        }
        if self.fenced {
            map.serialize_entry("fenced", &true)?;
        }
        if !self.wrong.is_empty() {
            let words: Vec<&str> = self.wrong.iter().map(|wrong| name_of(&Unsafe::ALL, wrong)).collect();
            map.serialize_entry("wrong", &words)?;
        }
        map.end()
    }
}
