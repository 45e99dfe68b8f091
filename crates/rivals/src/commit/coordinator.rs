//! The coordinator: it asks all participants of a transaction whether they can commit, decides, and tells the decision until
//! everybody has acknowledged it.

use std::rc::Rc;

use crate::base::rows::Rows;
use crate::base::{ConnId, Prng, ServerId, SortedMap};
use crate::daemon::{Badge, BadgeLine, Cx, Daemon, Env, Told, Tone};

use super::alarms::{Alarms, NextAlarm};
use super::course::{Course, Phase};
use super::fact::{Fact, What, Why};
use super::lines::Lines;
use super::log::{Files, Job, Record};
use super::message::Message;
use super::setup::{Commit, Presumption, Unsafe};
use super::txn::{Decision, Txn, Vote, Work};

/// The coordinator of all transactions.
#[derive(Clone, Debug)]
pub struct Coordinator {
    /// How often it has started, this time included.
    start: u32,
    /// Whether that is on disk: until then no number is given out.
    counted: bool,
    /// How many numbers it has given out since.
    given: u32,
    /// Requests that came before.
    early: Vec<(ConnId, u64, Work)>,
    open: SortedMap<Txn, Course>,
    lines: Lines,
    alarms: Alarms<Alarm>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Alarm {
    Votes(Txn),
    Resend(Txn),
}

type C<'a, 'b> = &'a mut Cx<'b, Coordinator>;

impl Daemon for Coordinator {
    const KIND: &'static str = "Coordinator";
    type Config = Rc<Commit>;
    type Message = Message;
    type Timer = NextAlarm;
    type Job = Job;
    type Files = Files;
    type Fact = Fact;

    fn start(_: Prng, cx: &mut Cx<Self>) -> Coordinator {
        cx.listen(true);
        let start = cx.files.starts.saturating_add(1);
        cx.persist(Job::Start(start));
        let (lines, alarms) = Default::default();
        let (early, open) = (Vec::new(), SortedMap::new());
        let mut coordinator = Coordinator { start, counted: false, given: 0, early, open, lines, alarms };
        for participant in super::participants(cx.config.participants).iter() {
            coordinator.lines.open(cx, participant);
        }
        coordinator.recover(cx);
        coordinator.alarms.arm(cx);
        coordinator
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
            Told::Refused(conn) | Told::Closed(conn) => {
                if let Some(peer) = self.lines.closed(conn) {
                    self.lost(peer, cx);
                }
            }
            Told::Message(conn, message) => self.hear(conn, message, cx),
            Told::Persisted(Job::Start(_)) => {
                self.counted = true;
                for (conn, request, work) in std::mem::take(&mut self.early) {
                    self.begin(conn, request, work, cx);
                }
            }
            Told::Persisted(Job::Force(_, record)) => self.forced(&record, cx),
            Told::Write(..) => {}
        }
        self.alarms.arm(cx);
    }

    fn write(files: &mut Files, job: &Job) -> Option<Fact> {
        files.write(job)
    }

    fn lose_power(files: &mut Files) {
        files.log.lose_power();
    }

    fn badge(coordinator: Option<&Coordinator>, _: &Files, _: &Env) -> Badge {
        let open = coordinator.into_iter().flat_map(|coordinator| &coordinator.open);
        let line = |(txn, course): (&Txn, &Course)| BadgeLine {
            label: txn.to_string(),
            value: course.phase_text(),
            tone: if matches!(course.phase, Phase::Decided(_)) { Tone::Held } else { Tone::Waiting },
            left: None,
        };
        Badge {
            role: "COORDINATOR",
            crowned: coordinator.is_some(),
            lines: open.map(line).collect(),
            ..Badge::default()
        }
    }

    fn rows(&self, rows: &mut Rows) {
        rows.list("transactions", |rows| {
            for (txn, course) in &self.open {
                rows.item(txn, txn, course.phase_text(), None).rows = course.rows();
            }
        });
    }

    fn file_rows(files: &Files, rows: &mut Rows) {
        rows.put("starts", &files.starts);
        files.rows(rows);
    }
}

impl Coordinator {
    fn fact(cx: C, what: What) {
        let me = cx.env.me;
        cx.fact(Fact { me, what });
    }

    /// Writes a record without waiting for the disk.
    fn append(cx: C, record: Record) {
        Self::fact(cx, What::Written { record: record.word(), txn: record.txn() });
        cx.files.log.append(record);
    }

    fn force(cx: C, record: Record) {
        let me = cx.env.me;
        cx.persist(Job::Force(me, record));
    }

    /// Goes on where its log ends.
    fn recover(&mut self, cx: C) {
        if cx.config.breaks(Unsafe::ForgetsAtRestart) {
            return;
        }
        let read = cx.files.log.read();
        if read.is_empty() {
            return;
        }
        let mut undecided = Vec::new();
        for (txn, said) in read.into_iter().filter(|(_, said)| !said.ended) {
            match (said.decided, said.collecting) {
                (Some((decision, heirs)), _) if cx.config.presumes.acknowledges(decision) => {
                    self.open.insert(txn, Course::reopened(heirs, Phase::Deciding(decision, Why::InLog)));
                }
                // a commit that nobody acknowledges is over with its record
                (Some(_), _) | (None, None) => {}
                (None, Some(heirs)) => {
                    self.open.insert(txn, Course::reopened(heirs, Phase::Voting));
                    undecided.push(txn);
                }
            }
        }
        let open: Vec<Txn> = self.open.keys().copied().collect();
        Self::fact(cx, What::Recovered { open: open.clone() });
        for txn in open {
            match undecided.contains(&txn) {
                true => self.decide(txn, Decision::Abort, Why::NotInLog, cx),
                false => self.announce(txn, cx),
            }
        }
    }

    fn hear(&mut self, conn: ConnId, message: Message, cx: C) {
        let Some(from) = self.lines.peer(conn) else { return };
        match message {
            Message::Request { request, work } if self.counted => self.begin(conn, request, work, cx),
            Message::Request { request, work } => self.early.push((conn, request, work)),
            Message::Done { txn } => self.done(txn, from, cx),
            Message::Vote { txn, vote } => self.vote(txn, from, vote, cx),
            Message::Ack { txn } => self.acknowledged(txn, from, cx),
            Message::Inquiry { txn } => self.answer(txn, from, conn, cx),
            _ => {}
        }
    }

    fn begin(&mut self, conn: ConnId, request: u64, work: Work, cx: C) {
        let Some(client) = self.lines.peer(conn) else { return };
        self.given += 1;
        let txn = Txn { start: self.start, number: self.given };
        let mut course = Course::new(work);
        course.client = Some((conn, request));
        let (participants, deciders) = (course.all(), course.deciders());
        let collects = cx.config.presumes == Presumption::Commit && !deciders.is_empty();
        course.phase = Phase::Collecting;
        self.open.insert(txn, course);
        Self::fact(cx, What::Began { txn, client, participants });
        let record = Record::Collecting { txn, participants: deciders };
        match collects {
            true if cx.config.breaks(Unsafe::CollectingNotForced) => Self::append(cx, record),
            true => return Self::force(cx, record),
            false => {}
        }
        self.ask(txn, cx);
    }

    /// The participants get their parts, and with them PREPARE unless work comes first.
    fn ask(&mut self, txn: Txn, cx: C) {
        if !cx.config.work_first {
            return self.prepare(txn, cx);
        }
        let Some(course) = self.open.get_mut(&txn) else { return };
        course.phase = Phase::Working;
        self.alarms.set(cx, Alarm::Votes(txn), Commit::us(cx.config.vote_timeout_ms));
        for (participant, items) in course.work.clone() {
            self.lines.send(cx, participant, Message::Work { txn, items });
        }
    }

    fn prepare(&mut self, txn: Txn, cx: C) {
        let Some(course) = self.open.get_mut(&txn) else { return };
        course.phase = Phase::Voting;
        self.alarms.set(cx, Alarm::Votes(txn), Commit::us(cx.config.vote_timeout_ms));
        let participants = course.deciders();
        for (participant, items) in course.work.clone() {
            let items = if cx.config.work_first { Vec::new() } else { items };
            self.lines.send(cx, participant, Message::Prepare { txn, items, participants });
        }
    }

    fn done(&mut self, txn: Txn, from: ServerId, cx: C) {
        let Some(course) = self.open.get_mut(&txn).filter(|course| course.phase == Phase::Working) else { return };
        course.done.insert(from);
        if course.done == course.all() {
            self.prepare(txn, cx);
        }
    }

    fn vote(&mut self, txn: Txn, from: ServerId, vote: Vote, cx: C) {
        let Some(course) = self.open.get_mut(&txn).filter(|course| course.asks()) else { return };
        let vote = match vote {
            Vote::Read if cx.config.breaks(Unsafe::ReadTakenForNo) => Vote::No,
            Vote::No if cx.config.breaks(Unsafe::NoTakenForYes) => Vote::Yes,
            vote => vote,
        };
        course.votes.insert(from, vote);
        let yes = course.votes.values().filter(|vote| **vote != Vote::No).count();
        let majority = cx.config.breaks(Unsafe::MajorityCommits) && yes * 2 > course.work.len();
        if yes == course.work.len() {
            self.decide(txn, Decision::Commit, Why::AllYes, cx);
        } else if majority {
            self.decide(txn, Decision::Commit, Why::Majority, cx);
        } else if vote == Vote::No && !cx.config.breaks(Unsafe::MajorityCommits) {
            self.decide(txn, Decision::Abort, Why::VotedNo { participant: from }, cx);
        }
    }

    /// A connection that this machine had dialled is gone: nobody will vote on it any more.
    fn lost(&mut self, peer: ServerId, cx: C) {
        let waits =
            |(txn, course): (&Txn, &Course)| (course.asks() && course.missing().contains(peer)).then_some(*txn);
        let hit: Vec<Txn> = self.open.iter().filter_map(waits).collect();
        for txn in hit {
            Self::fact(cx, What::LineLost { txn, peer });
            self.decide(txn, Decision::Abort, Why::LineLost { participant: peer }, cx);
        }
    }

    fn ring(&mut self, alarm: Alarm, cx: C) {
        match alarm {
            Alarm::Votes(txn) => {
                let Some(course) = self.open.get(&txn).filter(|course| course.asks()) else { return };
                let missing = course.missing();
                Self::fact(cx, What::VoteTimeout { txn, missing });
                self.decide(txn, Decision::Abort, Why::TimedOut { missing }, cx);
            }
            Alarm::Resend(txn) => self.tell_again(txn, cx),
        }
    }

    /// A commit counts from the moment when its record is on disk; an abort needs a record only where it is not presumed.
    fn decide(&mut self, txn: Txn, decision: Decision, why: Why, cx: C) {
        let Some(course) = self.open.get_mut(&txn) else { return };
        course.phase = Phase::Deciding(decision, why);
        self.alarms.clear(Alarm::Votes(txn));
        let heirs = course.heirs();
        let records = decision == Decision::Commit || cx.config.presumes.acknowledges(decision);
        if !records || heirs.is_empty() {
            return self.announce(txn, cx);
        }
        let (commits, record) = (decision == Decision::Commit, Record::of(txn, decision, heirs));
        if commits && cx.config.breaks(Unsafe::CommitNotForced) {
            Self::append(cx, record);
            return self.announce(txn, cx);
        }
        Self::force(cx, record);
        if commits && cx.config.breaks(Unsafe::CommitToldBeforeForced) {
            self.announce(txn, cx);
        }
    }

    fn forced(&mut self, record: &Record, cx: C) {
        let txn = record.txn();
        match (record, self.open.get(&txn).map(|course| course.phase)) {
            (Record::Collecting { .. }, Some(Phase::Collecting)) => self.ask(txn, cx),
            (Record::Commit { .. } | Record::Abort { .. }, Some(Phase::Deciding(..))) => self.announce(txn, cx),
            _ => {}
        }
    }

    /// The decision is made, and everybody who waits for it is told.
    fn announce(&mut self, txn: Txn, cx: C) {
        let Some(course) = self.open.get_mut(&txn) else { return };
        let Phase::Deciding(decision, why) = course.phase else { return };
        course.phase = Phase::Decided(decision);
        Self::fact(cx, What::Decided { txn, decision, why });
        if let Some((conn, request)) = course.client.take().filter(|(conn, _)| self.lines.peer(*conn).is_some()) {
            cx.send(conn, Message::Outcome { request, txn, decision });
        }
        let heirs = course.heirs();
        for participant in heirs.iter() {
            self.lines.send(cx, participant, Message::Decide { txn, decision });
        }
        let waits = cx.config.presumes.acknowledges(decision) && !cx.config.breaks(Unsafe::ForgetsBeforeAcks);
        if !waits || heirs.is_empty() {
            return self.end(txn, decision, cx);
        }
        course.unacked = heirs;
        if !cx.config.breaks(Unsafe::DecisionSentOnce) {
            self.alarms.set(cx, Alarm::Resend(txn), Commit::us(cx.config.resend_ms));
        }
    }

    fn acknowledged(&mut self, txn: Txn, from: ServerId, cx: C) {
        let Some(course) = self.open.get_mut(&txn) else { return };
        let Phase::Decided(decision) = course.phase else { return };
        if course.unacked.remove(from) && course.unacked.is_empty() {
            self.end(txn, decision, cx);
        }
    }

    /// Nobody will ask any more whom what is presumed would mislead. END is worth no force: without it, the decision is told again.
    fn end(&mut self, txn: Txn, decision: Decision, cx: C) {
        self.open.remove(&txn);
        self.alarms.clear(Alarm::Resend(txn));
        if cx.config.presumes.acknowledges(decision) {
            Self::append(cx, Record::End { txn });
        }
        Self::fact(cx, What::Ended { txn });
    }

    /// On new connections: on the old ones nothing has come back.
    fn tell_again(&mut self, txn: Txn, cx: C) {
        let Some(course) = self.open.get(&txn) else { return };
        let (Phase::Decided(decision), participants) = (course.phase, course.unacked) else { return };
        Self::fact(cx, What::ToldAgain { txn, participants });
        self.alarms.set(cx, Alarm::Resend(txn), Commit::us(cx.config.resend_ms));
        for participant in participants.iter() {
            if self.lines.hang_up(cx, participant) {
                self.lost(participant, cx);
            }
            self.lines.send(cx, participant, Message::Decide { txn, decision });
        }
    }

    /// A participant in doubt asks. While nothing is decided it gets no answer: it will be told.
    fn answer(&mut self, txn: Txn, participant: ServerId, conn: ConnId, cx: C) {
        match self.open.get(&txn).map(|course| course.phase) {
            Some(Phase::Decided(decision)) => cx.send(conn, Message::Decide { txn, decision }),
            Some(_) => {}
            None => {
                let decision = cx.config.presumes.answer();
                Self::fact(cx, What::Presumed { txn, decision, participant });
                cx.send(conn, Message::Decide { txn, decision });
            }
        }
    }
}
