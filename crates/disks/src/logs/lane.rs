//! A server over time: what it did from when to when, by its own word, and what it tells.

use zabscope_zookeeper::zab::SyncKind;

use super::event::{Event, Role};
use super::say::Say;
use super::server::ServerLog;
use super::story::{Line, Reign, Span, name};

/// Something that is said of one server; several that say one thing become a moment.
pub(super) struct Word {
    pub(super) at: i64,
    pub(super) say: Say,
    pub(super) who: String,
    pub(super) rest: Vec<String>,
    pub(super) server: u64,
    pub(super) lines: Vec<Line>,
}

/// A server's log, walked through.
pub(super) struct Walk<'a> {
    log: &'a ServerLog,
    shift: i64,
    pub(super) spans: Vec<Span>,
    pub(super) reigns: Vec<Reign>,
    pub(super) words: Vec<Word>,
    /// Who it votes for, and who says that it leads.
    vote: Option<u64>,
    leader: Option<u64>,
    /// The place of the word about its synchronisation or its reign, while that goes on.
    open: Option<usize>,
    /// When it lost its leader or its quorum: that it looks for one is then no news.
    lost: Option<usize>,
    expired: Vec<u64>,
    version: String,
}

impl<'a> Walk<'a> {
    /// Walks through a log whose clock is so many ms ahead.
    pub(super) fn of(log: &'a ServerLog, shift: i64) -> Walk<'a> {
        let (spans, reigns, words, expired) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let version = log.events.iter().find_map(|(_, told)| match &told.event {
            Event::Version(version) => Some(version.clone()),
            _ => None,
        });
        let version = version.unwrap_or_else(|| "?".into());
        let (vote, leader, open, lost) = (None, None, None, None);
        let mut walk = Walk { log, shift, spans, reigns, words, vote, leader, open, lost, expired, version };
        (0..log.events.len()).for_each(|at| walk.step(at));
        walk.stop(log.last - shift);
        walk
    }

    fn line(&self, at: usize) -> Line {
        let (file, told) = &self.log.events[at];
        Line {
            file: self.log.files.get(*file).cloned().unwrap_or_default(),
            number: told.line,
            text: told.text.to_string(),
        }
    }

    fn say(&mut self, at: usize, say: Say, who: String, rest: Vec<String>) -> usize {
        let time = self.log.events[at].1.time - self.shift;
        let lines = vec![self.line(at)];
        self.words.push(Word { at: time, say, who, rest, server: self.log.id, lines });
        self.words.len() - 1
    }

    fn add_line(&mut self, word: Option<usize>, at: usize) {
        let line = self.line(at);
        if let Some(word) = word.and_then(|place| self.words.get_mut(place)) {
            word.lines.push(line);
        }
    }

    fn own(&self) -> String {
        name(self.log.id)
    }

    fn led_by(&self) -> String {
        self.leader.or(self.vote).map_or("?".into(), name)
    }

    fn step(&mut self, at: usize) {
        let log = self.log;
        let told = &log.events[at].1;
        let time = told.time - self.shift;
        match &told.event {
            Event::Started(before) => {
                // a file may begin with a start: then what stands before it in another tells when the process before ended
                let earlier = at.checked_sub(1).map(|place| log.events[place].1.time);
                if let Some(before) = before.filter(|_| at > 0).or(earlier) {
                    self.stop(before - self.shift);
                    let place = self.say(at, Say::Ends, self.own(), Vec::new());
                    self.words[place].at = before - self.shift;
                }
                self.say(at, Say::Starts, self.own(), vec![self.version.clone()]);
            }
            Event::Takes(role) => self.takes(*role, time, at),
            Event::Phase(phase) => self.phase(phase, time),
            Event::Hears(from, role, ballot) => {
                let leader = u64::try_from(ballot.leader).ok();
                match role {
                    Role::Looking if *from == self.log.id => self.vote = leader,
                    Role::Leading => self.leader = Some(*from),
                    _ => {}
                }
                if let Some(leader) = leader.filter(|_| *role == Role::Looking) {
                    let rest = vec![name(leader), zxid(ballot.zxid), ballot.round.to_string()];
                    self.say(at, Say::Votes, name(*from), rest);
                }
            }
            Event::Leader(id) => self.leader = Some(*id),
            Event::Sync(kind, to) => {
                let say = match kind {
                    SyncKind::Diff => Say::Diff,
                    SyncKind::Trunc => Say::Trunc,
                    SyncKind::Snap => Say::Snap,
                };
                self.open = Some(self.say(at, say, self.own(), vec![self.led_by(), zxid(*to)]));
            }
            Event::Quorum(sids, first) => self.established(at, sids, *first),
            Event::Epoch(epoch) => {
                self.epoch(*epoch);
                self.add_line(self.open, at);
            }
            Event::NewLeader | Event::UpToDate => self.add_line(self.open, at),
            Event::LostQuorum(why) => self.gives_up(at, why),
            Event::LostLeader(why) => {
                let (say, more) = reason(why);
                let rest = [self.led_by()].into_iter().chain(more).collect();
                self.lost = Some(self.say(at, say, self.own(), rest));
            }
            Event::LostLearner(id) => drop(self.say(at, Say::LosesLearner, name(*id), vec![self.own()])),
            event => self.session(event, at),
        }
    }

    fn session(&mut self, event: &Event, at: usize) {
        let here = self.own();
        match event {
            // the id's first byte is the server at which it began
            Event::Born(id) => drop(self.say(at, Say::SessionBorn, zxid(*id), vec![name(id >> 56)])),
            Event::Expired(id, ms) => {
                self.expired.push(*id);
                self.say(at, Say::SessionExpired, zxid(*id), vec![here, ms.to_string()]);
            }
            Event::Closed(id) => match self.expired.iter().position(|expired| expired == id) {
                Some(place) => drop(self.expired.swap_remove(place)),
                None => drop(self.say(at, Say::SessionClosed, zxid(*id), vec![here])),
            },
            Event::Moved(id) => drop(self.say(at, Say::SessionMoved, zxid(*id), vec![here])),
            Event::Refused(id) => {
                let session = if *id == 0 { "?".into() } else { zxid(*id) };
                self.say(at, Say::SessionRefused, session, vec![here]);
            }
            _ => {}
        }
    }

    fn takes(&mut self, role: Role, time: i64, at: usize) {
        let word = ["LOOKING", "FOLLOWING", "LEADING", "OBSERVING"][role as usize];
        if self.spans.last().is_none_or(|span| span.to != i64::MAX || span.role != word) {
            self.enter(word, "", time);
        }
        match role {
            Role::Looking => {
                self.end_reign(time);
                match self.lost.take() {
                    Some(lost) => self.add_line(Some(lost), at),
                    None => drop(self.say(at, Say::Looks, self.own(), Vec::new())),
                }
                (self.vote, self.leader, self.open) = (None, None, None);
            }
            Role::Leading => {
                self.reigns.push(Reign {
                    server: self.log.id,
                    epoch: None,
                    from: time,
                    established: None,
                    to: i64::MAX,
                });
                let place = self.say(at, Say::NoMajority, self.own(), Vec::new());
                self.open = Some(place);
            }
            _ => {}
        }
    }

    fn phase(&mut self, phase: &str, time: i64) {
        let mut parts = phase.split(" - ");
        let role = match parts.next() {
            Some("looking") => "LOOKING",
            Some("following") => "FOLLOWING",
            Some("leading") => "LEADING",
            Some("observing") => "OBSERVING",
            _ => return,
        };
        let stage = parts.next().unwrap_or_default();
        let same = |span: &Span| span.to == i64::MAX && span.role == role && span.phase == stage;
        if !self.spans.last().is_some_and(same) {
            self.enter(role, stage, time);
        }
    }

    fn enter(&mut self, role: &str, phase: &str, time: i64) {
        let epoch = match self.spans.last_mut().filter(|span| span.to == i64::MAX) {
            Some(last) => {
                last.to = time.max(last.from);
                if last.role == role { last.epoch } else { 0 }
            }
            None => 0,
        };
        self.spans.push(Span { from: time, to: i64::MAX, role: role.into(), phase: phase.into(), epoch });
    }

    fn epoch(&mut self, epoch: u64) {
        let open = self.spans.iter_mut().rev().take_while(|span| span.role != "LOOKING");
        open.for_each(|span| span.epoch = epoch as u32);
    }

    fn established(&mut self, at: usize, sids: &str, first: u64) {
        let time = self.log.events[at].1.time - self.shift;
        self.epoch(first >> 32);
        let Some(reign) = self.reigns.last_mut() else { return };
        (reign.epoch, reign.established) = (Some((first >> 32) as u32), Some(time));
        let line = self.line(at);
        if let Some(word) = self.open.take().and_then(|place| self.words.get_mut(place)) {
            (word.say, word.at) = (Say::Leads, time);
            word.rest = vec![(first >> 32).to_string(), servers(sids), zxid(first)];
            word.lines.push(line);
        }
    }

    fn gives_up(&mut self, at: usize, why: &str) {
        let epoch = self.reigns.last().and_then(|reign| reign.epoch).map_or("?".into(), |epoch| epoch.to_string());
        let why = why.trim_end_matches('.').to_string();
        let say = if why.contains("Not sufficient followers") { Say::LostQuorum } else { Say::StopsLeading };
        if self.reigns.last().is_some_and(|reign| reign.to == i64::MAX) {
            self.lost = Some(self.say(at, say, self.own(), vec![epoch, why]));
        }
    }

    fn end_reign(&mut self, time: i64) {
        if let Some(reign) = self.reigns.last_mut().filter(|reign| reign.to == i64::MAX) {
            reign.to = time.max(reign.from);
        }
    }

    /// The process ends, or its log.
    fn stop(&mut self, time: i64) {
        self.end_reign(time);
        if let Some(span) = self.spans.last_mut().filter(|span| span.to == i64::MAX) {
            span.to = time.max(span.from);
        }
        (self.vote, self.leader, self.open, self.lost) = (None, None, None, None);
    }
}

/// `0x10000000c`
pub(super) fn zxid(number: u64) -> String {
    format!("0x{number:x}")
}

/// `[[1, 3]]` as `S1 S3`.
fn servers(sids: &str) -> String {
    let mut ids: Vec<u64> = sids.split(|c: char| !c.is_ascii_digit()).filter_map(|id| id.parse().ok()).collect();
    ids.sort_unstable();
    ids.dedup();
    ids.into_iter().map(name).collect::<Vec<_>>().join(" ")
}

/// Why a learner lost its leader: by the exception.
fn reason(why: &str) -> (Say, Option<String>) {
    if why.contains("EOFException") || why.contains("Connection reset") || why.contains("Socket closed") {
        (Say::Closed, None)
    } else if why.contains("SocketTimeoutException") {
        (Say::Silent, None)
    } else {
        (Say::LosesLeader, Some(if why.is_empty() { "?".into() } else { why.trim_end_matches('.').into() }))
    }
}
