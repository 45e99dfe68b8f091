//! A database in memory: tables, sessions, transactions, locks. It knows neither disk nor network: it is told statements and
//! the time, and says what is to be logged and answered.

mod deadlock;
mod ending;
mod fail;
mod innodb;
mod named;
mod postgres;
mod restore;
mod rows;
mod serial;
mod session;
mod tables;
mod transactions;

use std::collections::{BTreeMap, VecDeque};

use crate::base::{Node, SimTime, SortedMap};

use super::engine::{Engine, Variables};
use super::fact::{Blocker, Fact};
use super::locks::{Locks, Owner, Resource};
use super::log::Record;
use super::op::Op;
use super::reply::{Problem, Reply};
use super::table::{Table, TableDef, TrxId};

pub use session::{Query, Session, Statement};
pub use transactions::{State, Trx};

/// Why a statement does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// It waits for a lock.
    Wait,
    /// It is refused; what names the key, table, column or branch.
    Refused(Problem, String),
}

/// What a database wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Out {
    /// A statement is answered.
    Answer(u64, Query, Reply, Vec<String>),
    /// What a transaction did is to be logged, then published ([`Db::publish`]) and answered ([`Db::finish`]).
    Log(u64, Option<TrxId>, Record),
    /// A connection is closed.
    Close(u64),
    /// Something happened.
    Fact(Fact),
}

/// The database.
#[derive(Clone, Debug)]
pub struct Db {
    /// Which one it is.
    pub engine: Engine,
    /// What is set.
    pub variables: Variables,
    /// The tables, in the order of the setup.
    pub tables: Vec<Table>,
    /// The locks.
    pub locks: Locks,
    /// The sessions, by the number of their connection.
    pub sessions: SortedMap<u64, Session>,
    /// The transactions that are under way, prepared ones included.
    pub trxs: BTreeMap<TrxId, Trx>,
    /// Whether it takes no changes: it is a replica.
    pub read_only: bool,
    /// The place of the last commit in the order of commits.
    pub seq: u64,
    /// The moment.
    pub now: SimTime,
    /// What its machine's clock shows, ms.
    pub clock_ms: i64,
    /// What is to be done.
    pub out: Vec<Out>,
    next_trx: TrxId,
    woken: VecDeque<u64>,
    /// Who gets on when the one before has been answered.
    in_turn: VecDeque<u64>,
    /// What serializable transactions have read and whom they depend on (PostgreSQL).
    serial: serial::Serial,
}

impl Db {
    /// The database at the beginning.
    pub fn new(engine: Engine, variables: Variables, tables: &[TableDef]) -> Db {
        Db {
            engine,
            variables,
            tables: tables.iter().map(Table::new).collect(),
            locks: Locks::default(),
            sessions: SortedMap::new(),
            trxs: BTreeMap::new(),
            read_only: false,
            seq: 0,
            now: SimTime::ZERO,
            clock_ms: 0,
            out: Vec::new(),
            next_trx: 1,
            woken: VecDeque::new(),
            in_turn: VecDeque::new(),
            serial: serial::Serial::default(),
        }
    }

    /// Whether it is MariaDB.
    pub(super) fn is_mariadb(&self) -> bool {
        self.engine == Engine::MariaDb
    }

    /// A variable as a number.
    pub fn number(&self, name: &str) -> u64 {
        self.variables.number(self.engine, name)
    }

    /// Whether a variable is on.
    pub fn is_on(&self, name: &str) -> bool {
        self.variables.is_on(self.engine, name)
    }

    pub(super) fn fact(&mut self, fact: Fact) {
        self.out.push(Out::Fact(fact));
    }

    /// The session of an owner of locks; none for what is prepared and nobody's.
    pub(super) fn session_of(&self, owner: Owner) -> Option<u64> {
        match owner {
            Owner::Session(session) => Some(session),
            Owner::Trx(trx) => self.trxs.get(&trx).and_then(|trx| trx.session),
        }
    }

    /// Who gets on with what they wait for.
    pub(super) fn wake(&mut self, owners: Vec<Owner>) {
        for owner in owners {
            let Some(session) = self.session_of(owner) else { continue };
            if !self.woken.contains(&session) {
                self.woken.push_back(session);
            }
        }
    }

    /// Lets everybody go on who can.
    pub fn run(&mut self) {
        while let Some(session) = self.woken.pop_front() {
            self.go(session);
        }
    }

    /// What a session waits for, by one of its two names.
    pub(super) fn waiting(&self, session: u64) -> Option<(Owner, &Resource)> {
        let trx = self.sessions.get(&session).and_then(|session| session.trx).map(Owner::Trx);
        let owners = [Some(Owner::Session(session)), trx];
        owners.into_iter().flatten().find_map(|owner| self.locks.waited_for(owner).map(|what| (owner, what)))
    }

    /// Whom a session waits for, in the words of a fact.
    pub(super) fn blocked_by(&self, session: u64) -> Vec<Blocker> {
        let owner = self.waiting(session).map(|(owner, _)| owner);
        let owners = owner.map_or(Vec::new(), |owner| self.locks.blockers(owner));
        let mut blockers: Vec<Blocker> = owners.into_iter().map(|owner| self.blocker(owner)).collect();
        blockers.dedup();
        blockers
    }

    fn blocker(&self, owner: Owner) -> Blocker {
        let session = self.session_of(owner).and_then(|session| self.sessions.get(&session));
        match session.map(|session| (session.peer.server(), session.gone)) {
            Some((Some(client), gone)) => Blocker::Client { client, gone },
            _ => Blocker::Prepared,
        }
    }

    /// Somebody connects.
    pub fn connect(&mut self, session: u64, peer: Node) {
        self.sessions.insert(session, Session::new(session, peer, self.now));
    }

    /// Somebody asks for something; it is done when what they asked for before is answered.
    pub fn ask(&mut self, session: u64, query: Query) {
        let Some(it) = self.sessions.get_mut(&session) else { return };
        it.queue.push_back(query);
        self.next_query(session);
        self.run();
    }

    fn next_query(&mut self, session: u64) {
        let now = self.now;
        let undo = self.trx_of(session).map_or(0, |trx| trx.undo.len());
        let Some(it) = self.sessions.get_mut(&session) else { return };
        if it.statement.is_none()
            && let Some(query) = it.queue.pop_front()
        {
            it.statement = Some(Box::new(Statement::new(query, now, undo)));
            self.go(session);
        }
    }

    /// Lets a session's statement go on as far as it can.
    fn go(&mut self, session: u64) {
        let Some(it) = self.sessions.get_mut(&session) else { return };
        if it.statement.as_ref().is_none_or(|statement| statement.ending) {
            return;
        }
        let Some(mut statement) = it.statement.take() else { return };
        statement.waits_since = None;
        let came = self.step(session, &mut statement);
        let waits = came == Err(Stop::Wait);
        if waits {
            (statement.waits_since, statement.looked) = (Some(self.now), false);
        }
        if let Some(it) = self.sessions.get_mut(&session) {
            it.statement = Some(statement);
        }
        match came {
            Ok(reply) => self.succeed(session, reply),
            Err(Stop::Wait) => self.starts_to_wait(session),
            Err(Stop::Refused(problem, what)) => self.fail(session, problem, &what),
        }
    }

    fn starts_to_wait(&mut self, session: u64) {
        let Some(it) = self.sessions.get(&session) else { return };
        let (Some(client), Some(statement)) = (it.peer.server(), &it.statement) else { return };
        let what = statement.query.text.clone();
        let on = self.waiting(session).map_or(String::new(), |(_, what)| self.resource_name(what));
        let blocked_by = self.blocked_by(session);
        let engine = self.engine;
        self.fact(Fact::Waits { client, what, on, blocked_by, engine });
        if self.is_mariadb() {
            self.look_for_deadlock(session);
        }
    }

    /// Something that is locked, in a few words.
    fn resource_name(&self, what: &Resource) -> String {
        let table = |at: &usize| self.tables.get(*at).map_or("", |table| table.def.name.as_str());
        match what {
            Resource::Record(at, index, entry) => {
                let def = self.tables.get(*at).map(|table| &table.def);
                let column = def.and_then(|def| Some(def.columns.get(def.index_column(*index)?)?.0.as_str()));
                let value = entry.as_ref().map_or("supremum".into(), |(value, _)| value.to_string());
                format!("{}.{} {value}", table(at), column.unwrap_or("row"))
            }
            Resource::Row(at, row) | Resource::Tuple(at, row) => format!("{} row {row}", table(at)),
            Resource::Trx(trx) => format!("transaction {trx}"),
            Resource::Table(at) => table(at).into(),
            Resource::Name(name) => name.clone(),
        }
    }

    /// Whether a statement of this kind ends the wait of nobody: it is only answered.
    pub(super) fn op_of(&self, session: u64) -> Option<Op> {
        Some(self.sessions.get(&session)?.statement.as_ref()?.query.op.clone())
    }
}
