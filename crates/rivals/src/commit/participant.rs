//! A participant: it keeps items, votes on its part of a transaction, and once it has voted yes waits for the decision, whatever
//! that costs.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::rows::Rows;
use crate::base::{Arrange, ConnId, Prng, ServerSet, SortedMap, SortedSet};
use crate::daemon::{Badge, Cx, Daemon, Env, Told, Tone};

use super::alarms::{Alarms, NextAlarm};
use super::branch::{Branch, State};
use super::fact::{Fact, How, Refusal, What};
use super::items::Items;
use super::lines::Lines;
use super::log::{Files, Job, Record};
use super::message::Message;
use super::setup::{Commit, Unsafe};
use super::txn::{Decision, Item, Txn, Vote, items_text};

/// A participant.
#[derive(Clone, Debug, Default)]
pub struct Participant {
    pub(super) items: Items,
    pub(super) branches: SortedMap<Txn, Branch>,
    /// Those that wait for locks, in order.
    pub(super) queue: Vec<Txn>,
    /// Clients that read, and wait for whoever writes.
    pub(super) readers: SortedSet<(ConnId, String)>,
    /// What its log says of transactions that are over.
    pub(super) outcomes: BTreeMap<Txn, Decision>,
    pub(super) lines: Lines,
    pub(super) alarms: Alarms<Alarm>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Alarm {
    Lock(Txn),
    Idle(Txn),
    Doubt(Txn),
    Read(ConnId),
}

pub(super) type C<'a, 'b> = &'a mut Cx<'b, Participant>;

impl Daemon for Participant {
    const KIND: &'static str = "Participant";
    type Config = Rc<Commit>;
    type Message = Message;
    type Timer = NextAlarm;
    type Job = Job;
    type Files = Files;
    type Fact = Fact;

    fn start(_: Prng, cx: &mut Cx<Self>) -> Participant {
        cx.listen(true);
        let mut participant = Participant::default();
        participant.recover(cx);
        participant.alarms.arm(cx);
        participant
    }

    fn handle(&mut self, told: Told<Self>, cx: &mut Cx<Self>) {
        match told {
            Told::Timer(NextAlarm) => {
                while let Some(alarm) = self.alarms.due(cx.env.now) {
                    self.ring(alarm, cx);
                }
            }
            Told::Accepted(conn, from) => self.lines.accepted(conn, from),
            Told::Connected(conn) => self.lines.connected(cx, conn),
            Told::Refused(conn) | Told::Closed(conn) => self.closed(conn, cx),
            Told::Message(conn, message) => self.hear(conn, message, cx),
            Told::Persisted(Job::Force(_, record)) => self.forced(&record, cx),
            Told::Persisted(Job::Start(_)) | Told::Write(..) => {}
        }
        self.alarms.arm(cx);
    }

    fn write(files: &mut Files, job: &Job) -> Option<Fact> {
        files.write(job)
    }

    fn lose_power(files: &mut Files) {
        files.log.lose_power();
    }

    fn badge(participant: Option<&Participant>, _: &Files, _: &Env) -> Badge {
        let mut badge = Badge { role: "PARTICIPANT", ..Badge::default() };
        if let Some(participant) = participant {
            badge.lines.extend(participant.branches.iter().map(|(txn, branch)| branch.badge_line(*txn)));
            badge.lines.arrange_by_key(|line| line.tone != Tone::Bad);
            badge.lines.extend(participant.items.badge_lines());
        }
        badge
    }

    fn rows(&self, rows: &mut Rows) {
        self.items.rows(rows);
        rows.list("transactions", |rows| {
            for (txn, branch) in &self.branches {
                let text = format!("{} {}", branch.state_text(), items_text(&branch.items));
                rows.item(txn, txn, text, None);
            }
        });
    }

    fn file_rows(files: &Files, rows: &mut Rows) {
        files.rows(rows);
    }
}

impl Participant {
    pub(super) fn fact(cx: C, what: What) {
        let me = cx.env.me;
        cx.fact(Fact { me, what });
    }

    fn force(cx: C, record: Record) {
        let me = cx.env.me;
        cx.persist(Job::Force(me, record));
    }

    fn append(cx: C, record: Record) {
        Self::fact(cx, What::Written { record: record.word(), txn: record.txn() });
        cx.files.log.append(record);
    }

    /// Sends, if the connection still stands.
    pub(super) fn reply(&self, conn: Option<ConnId>, message: Message, cx: C) {
        if let Some(conn) = conn.filter(|conn| self.lines.peer(*conn).is_some()) {
            cx.send(conn, message);
        }
    }

    /// Goes on where its log ends: what is committed is done again, and what is prepared and not decided is locked again.
    fn recover(&mut self, cx: C) {
        let read = cx.files.log.read();
        let prepared = |txn: Txn| read.get(&txn).and_then(|said| said.prepared.clone()).unwrap_or_default();
        cx.files.log.committed().for_each(|txn| self.items.apply(&prepared(txn).0));
        for (txn, said) in &read {
            match (said.decided, &said.prepared) {
                (Some((decision, _)), _) => {
                    self.outcomes.insert(*txn, decision);
                }
                (None, Some((items, participants))) => {
                    self.items.lock(*txn, items);
                    let (items, participants) = (items.clone(), *participants);
                    let branch =
                        Branch { items, participants, state: State::Ready, asked: true, ..Branch::default() };
                    self.branches.insert(*txn, branch);
                    self.alarms.set(cx, Alarm::Doubt(*txn), 0);
                }
                (None, None) => {}
            }
        }
        if !read.is_empty() {
            let open = self.branches.keys().copied().collect();
            Self::fact(cx, What::Recovered { open });
        }
    }

    fn hear(&mut self, conn: ConnId, message: Message, cx: C) {
        match message {
            Message::Work { txn, items } => {
                self.take(txn, Branch { items, coordinator: Some(conn), ..Branch::default() }, cx);
            }
            Message::Prepare { txn, items, participants } => {
                let known = self.outcomes.contains_key(&txn) || self.branches.contains_key(&txn);
                if known || items.is_empty() {
                    return self.prepare(txn, participants, conn, cx);
                }
                let coordinator = Some(conn);
                self.take(txn, Branch { items, participants, asked: true, coordinator, ..Branch::default() }, cx);
            }
            Message::Decide { txn, decision } => self.told(txn, decision, conn, cx),
            Message::Inquiry { txn } => self.asked(txn, conn, cx),
            Message::InDoubt { txn } => self.in_doubt_too(txn, conn, cx),
            Message::Get { item, waits } => self.read(conn, item, waits, cx),
            _ => {}
        }
    }

    /// A part of a transaction comes: it waits for its locks.
    fn take(&mut self, txn: Txn, branch: Branch, cx: C) {
        if self.outcomes.contains_key(&txn) || self.branches.contains_key(&txn) {
            return;
        }
        let conflict = self.items.conflict(txn, &branch.items);
        self.branches.insert(txn, branch);
        self.queue.push(txn);
        self.alarms.set(cx, Alarm::Lock(txn), Commit::us(cx.config.lock_wait_ms));
        if let Some((item, holder)) = conflict {
            Self::fact(cx, What::LockWait { txn, item, holder });
        }
        self.grant(cx);
    }

    /// Gives locks to those that wait, first come first served.
    fn grant(&mut self, cx: C) {
        let mut ahead: Vec<Item> = Vec::new();
        for txn in self.queue.clone() {
            // one that is refused on the way gives its locks to those behind it
            let waits = |branch: &&mut Branch| branch.state == State::Waiting;
            let Some(branch) = self.branches.get_mut(&txn).filter(waits) else { continue };
            let meets = |item: &Item| {
                let other =
                    ahead.iter().find(|other| other.name == item.name && !(other.is_read() && item.is_read()));
                other.is_some()
            };
            if branch.items.iter().any(meets) || self.items.conflict(txn, &branch.items).is_some() {
                ahead.extend(branch.items.iter().cloned());
                continue;
            }
            branch.state = State::Active;
            self.items.lock(txn, &branch.items);
            self.queue.retain(|waiting| *waiting != txn);
            self.alarms.clear(Alarm::Lock(txn));
            self.work(txn, cx);
        }
        self.serve_readers(cx);
    }

    /// The locks are there: the part is done, if it can be.
    fn work(&mut self, txn: Txn, cx: C) {
        let Some(branch) = self.branches.get(&txn) else { return };
        if let Some(item) = self.items.negative(&branch.items) {
            return self.refuse(txn, Refusal::Negative { item }, cx);
        }
        if branch.asked {
            return self.vote(txn, cx);
        }
        if cx.config.work_first {
            self.reply(branch.coordinator, Message::Done { txn }, cx);
            self.alarms.set(cx, Alarm::Idle(txn), Commit::us(cx.config.idle_timeout_ms));
        }
    }

    fn prepare(&mut self, txn: Txn, participants: ServerSet, conn: ConnId, cx: C) {
        let Some(branch) = self.branches.get_mut(&txn) else {
            let aborted = self.outcomes.contains_key(&txn);
            let refusal = Some(if aborted { Refusal::AbortedBefore } else { Refusal::NoWork });
            Self::fact(cx, What::Voted { txn, vote: Vote::No, refusal });
            return cx.send(conn, Message::Vote { txn, vote: Vote::No });
        };
        (branch.participants, branch.asked, branch.coordinator) = (participants, true, Some(conn));
        self.alarms.clear(Alarm::Idle(txn));
        match branch.state {
            State::Active => self.vote(txn, cx),
            // another participant has asked, and was told that it aborts
            State::Deciding(..) => branch.refuses = true,
            State::Waiting | State::Preparing | State::Ready => {}
        }
    }

    /// It can do its part.
    fn vote(&mut self, txn: Txn, cx: C) {
        let Some(branch) = self.branches.get_mut(&txn) else { return };
        if branch.items.iter().all(Item::is_read) {
            let conn = branch.coordinator;
            Self::fact(cx, What::Voted { txn, vote: Vote::Read, refusal: None });
            self.reply(conn, Message::Vote { txn, vote: Vote::Read }, cx);
            self.branches.remove(&txn);
            self.items.unlock(txn);
            return self.grant(cx);
        }
        let record = Record::Prepared { txn, items: branch.items.clone(), participants: branch.participants };
        branch.state = State::Preparing;
        match cx.config.breaks(Unsafe::PreparedNotForced) {
            true => {
                Self::append(cx, record);
                self.ready(txn, cx);
            }
            false => Self::force(cx, record),
        }
    }

    /// From now on it may not decide.
    fn ready(&mut self, txn: Txn, cx: C) {
        let Some(branch) = self.branches.get_mut(&txn) else { return };
        branch.state = State::Ready;
        let conn = branch.coordinator;
        Self::fact(cx, What::Voted { txn, vote: Vote::Yes, refusal: None });
        self.reply(conn, Message::Vote { txn, vote: Vote::Yes }, cx);
        self.alarms.set(cx, Alarm::Doubt(txn), Commit::us(cx.config.ask_after_ms));
    }

    fn refuse(&mut self, txn: Txn, refusal: Refusal, cx: C) {
        Self::fact(cx, What::Voted { txn, vote: Vote::No, refusal: Some(refusal) });
        if let Some(branch) = self.branches.get_mut(&txn) {
            branch.refuses = true;
        }
        let force = cx.config.presumes.acknowledges(Decision::Abort);
        self.conclude(txn, Decision::Abort, How::Alone, force, cx);
    }

    fn forced(&mut self, record: &Record, cx: C) {
        let txn = record.txn();
        match (record, self.branches.get(&txn).map(|branch| branch.state)) {
            (Record::Prepared { .. }, Some(State::Preparing)) => self.ready(txn, cx),
            (Record::Commit { .. } | Record::Abort { .. }, Some(State::Deciding(..))) => self.finish(txn, cx),
            _ => {}
        }
    }

    /// The coordinator, or another participant, tells the decision.
    fn told(&mut self, txn: Txn, decision: Decision, conn: ConnId, cx: C) {
        let Some(from) = self.lines.peer(conn) else { return };
        let by_coordinator = from == super::coordinator();
        let wanted = by_coordinator && cx.config.presumes.acknowledges(decision);
        if let Some(outcome) = self.outcomes.get(&txn) {
            // told twice, or an answer that was late
            if *outcome == decision && wanted {
                cx.send(conn, Message::Ack { txn });
            }
            return;
        }
        let state = self.branches.get(&txn).map(|branch| branch.state);
        let voted = matches!(state, Some(State::Preparing | State::Ready | State::Deciding(..)));
        if decision == Decision::Commit && !voted {
            return self.miss(txn, wanted.then_some(conn), cx);
        }
        let branch = self.branches.get_or_default(txn);
        if let State::Deciding(other, _) = branch.state {
            branch.ack_to = (wanted && other == decision).then_some(conn).or(branch.ack_to);
            return;
        }
        branch.ack_to = wanted.then_some(conn);
        let how = if by_coordinator { How::Told } else { How::ToldBy { other: from } };
        let force = cx.config.presumes.acknowledges(decision);
        self.conclude(txn, decision, how, force, cx);
    }

    /// It is to commit what it has not prepared. A real participant knows no such transaction, and takes it for one that is done.
    fn miss(&mut self, txn: Txn, ack_to: Option<ConnId>, cx: C) {
        Self::fact(cx, What::Missing { txn });
        self.drop_branch(txn);
        self.reply(ack_to, Message::Ack { txn }, cx);
        self.grant(cx);
    }

    fn silence(&mut self, txn: Txn) {
        for alarm in [Alarm::Lock(txn), Alarm::Idle(txn), Alarm::Doubt(txn)] {
            self.alarms.clear(alarm);
        }
    }

    fn drop_branch(&mut self, txn: Txn) -> Option<Branch> {
        self.queue.retain(|waiting| *waiting != txn);
        self.silence(txn);
        self.items.unlock(txn);
        self.branches.remove(&txn)
    }

    /// Its part is decided; it counts from the moment when the record is where it must be.
    pub(super) fn conclude(&mut self, txn: Txn, decision: Decision, how: How, force: bool, cx: C) {
        self.branches.get_or_default(txn).state = State::Deciding(decision, how);
        self.silence(txn);
        self.queue.retain(|waiting| *waiting != txn);
        let record = Record::of(txn, decision, ServerSet::EMPTY);
        if force {
            return Self::force(cx, record);
        }
        Self::append(cx, record);
        self.finish(txn, cx);
    }

    /// The decision is carried out: locks are released, and who waits for an answer gets it.
    fn finish(&mut self, txn: Txn, cx: C) {
        let Some(branch) = self.drop_branch(txn) else { return };
        let State::Deciding(decision, how) = branch.state else { return };
        if decision == Decision::Commit {
            self.items.apply(&branch.items);
        }
        self.outcomes.insert(txn, decision);
        Self::fact(cx, What::Concluded { txn, decision, how });
        self.reply(branch.ack_to, Message::Ack { txn }, cx);
        if branch.refuses {
            self.reply(branch.coordinator, Message::Vote { txn, vote: Vote::No }, cx);
        }
        for conn in branch.inquirers {
            self.reply(Some(conn), Message::Decide { txn, decision }, cx);
        }
        self.grant(cx);
    }

    fn ring(&mut self, alarm: Alarm, cx: C) {
        match alarm {
            Alarm::Lock(txn) => {
                let Some(branch) = self.branches.get(&txn) else { return };
                let conflict = self.items.conflict(txn, &branch.items).map(|(item, _)| item);
                let first = branch.items.first().map(|item| item.name.clone());
                let item = conflict.or(first).unwrap_or_default();
                self.refuse(txn, Refusal::LockTimeout { item }, cx);
            }
            Alarm::Idle(txn) => self.abort_alone(txn, cx),
            Alarm::Doubt(txn) => self.doubts(txn, cx),
            Alarm::Read(conn) => self.refuse_read(conn, cx),
        }
    }

    /// It has not voted: nobody needs it any more.
    fn abort_alone(&mut self, txn: Txn, cx: C) {
        let force = cx.config.presumes.acknowledges(Decision::Abort);
        self.conclude(txn, Decision::Abort, How::Alone, force, cx);
    }

    /// What a coordinator had not asked about yet is undone when its connection ends.
    fn closed(&mut self, conn: ConnId, cx: C) {
        self.lines.closed(conn);
        self.readers.retain(|(reader, _)| *reader != conn);
        let of = |(txn, branch): (&Txn, &Branch)| {
            let open = matches!(branch.state, State::Waiting | State::Active);
            (open && branch.coordinator == Some(conn)).then_some(*txn)
        };
        let undone: Vec<Txn> = self.branches.iter().filter_map(of).collect();
        for txn in undone {
            Self::fact(cx, What::LineLost { txn, peer: super::coordinator() });
            self.abort_alone(txn, cx);
        }
    }
}
