//! A log as it is read: piece by piece, and nothing of it is kept but what it tells.

use std::collections::BTreeMap;

use super::entry::Entry;
use super::event::{Event, explain, read};

/// So much of a line is read, bytes.
const LINE: usize = 8_192;
/// So much of a line is kept, characters, and so many lines of a trace.
const KEPT: usize = 400;
const TRACE: usize = 3;
/// So many events of a file are kept that the story needs, and so many others: votes and sessions.
const MOST: usize = 40_000;
/// So many threads are remembered for what they said before.
const THREADS: usize = 1_000;

/// An event, and the line that tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// When, ms since 1970 by the server's own clock.
    pub time: i64,
    /// What.
    pub event: Event,
    /// The number of the line, from 1.
    pub line: u64,
    /// Its place, bytes from the beginning of the file.
    pub offset: u64,
    /// The line, and what follows of a trace.
    pub text: Box<str>,
}

/// What a file tells.
#[derive(Clone, Debug, Default)]
pub struct Text {
    /// Its events, in its order.
    pub events: Vec<Told>,
    /// How many were left out.
    pub left_out: u64,
    /// The times of its first and its last entry.
    pub span: Option<(i64, i64)>,
    /// How many lines it has.
    pub lines: u64,
    /// How often an id of a server stands in it.
    ids: BTreeMap<u64, u64>,
}

impl Text {
    /// Whose it is, by what its lines say most often.
    pub fn id(&self) -> Option<u64> {
        self.ids.iter().max_by_key(|(_, count)| **count).map(|(id, _)| *id)
    }
}

/// Reads a file that comes in pieces.
#[derive(Debug, Default)]
pub struct Reader {
    text: Text,
    line: Vec<u8>,
    /// Where the line begins, and where reading is.
    begins: u64,
    at: u64,
    open: Option<Told>,
    trace: usize,
    kept: [usize; 2],
    /// The last time before a process read its configuration.
    before: Option<Option<i64>>,
    /// Which learner a thread of a leader serves.
    learners: BTreeMap<String, u64>,
}

/// Whether a file that begins so is a log: one of its lines is an entry.
pub fn is_log(beginning: &[u8]) -> bool {
    if beginning.get(257..262) == Some(b"ustar") || beginning.starts_with(b"PK") {
        return false;
    }
    let lines = beginning[..beginning.len().min(LINE)].split(|byte| *byte == b'\n');
    lines.take(40).any(|line| {
        line.first().is_some_and(u8::is_ascii_digit) && Entry::read(&String::from_utf8_lossy(line)).is_some()
    })
}

impl Reader {
    /// The next piece.
    pub fn push(&mut self, mut chunk: &[u8]) {
        while let Some(end) = chunk.iter().position(|byte| *byte == b'\n') {
            self.add(&chunk[..end]);
            self.at += 1;
            self.end_line();
            chunk = &chunk[end + 1..];
        }
        self.add(chunk);
    }

    /// How much has come, bytes.
    pub fn size(&self) -> u64 {
        self.at
    }

    /// All has come.
    pub fn end(mut self) -> Text {
        if self.at > self.begins {
            self.end_line();
        }
        self.close();
        self.text
    }

    fn add(&mut self, part: &[u8]) {
        let room = LINE.saturating_sub(self.line.len());
        self.line.extend_from_slice(&part[..part.len().min(room)]);
        self.at += part.len() as u64;
    }

    fn end_line(&mut self) {
        self.text.lines += 1;
        let bytes = std::mem::take(&mut self.line);
        {
            let line = String::from_utf8_lossy(&bytes);
            match Entry::read(line.trim_end_matches('\r')) {
                Some(entry) => self.entry(&entry, &line),
                None => self.goes_on(&line),
            }
        }
        self.line = bytes;
        self.line.clear();
        self.begins = self.at;
    }

    fn entry(&mut self, entry: &Entry, line: &str) {
        self.close();
        let last = self.text.span.map(|(_, last)| last);
        if entry.message.starts_with("Reading configuration from") {
            self.before = Some(last);
        }
        let (first, latest) = self.text.span.unwrap_or((entry.time, entry.time));
        self.text.span = Some((first, latest.max(entry.time)));
        let said = entry.message.strip_prefix("Starting quorum peer, myid=").and_then(|id| id.trim().parse().ok());
        if let Some(id) = entry.my_id.or_else(|| entry.id_of_thread()).or(said) {
            *self.text.ids.entry(id).or_default() += 1;
        }
        let Some(event) = read(entry).and_then(|event| self.of_thread(event, entry.thread)) else { return };
        let event =
            if event == Event::Started(None) { Event::Started(self.before.take().unwrap_or(last)) } else { event };
        let text = line.chars().filter(|c| !c.is_control()).take(KEPT).collect();
        self.trace = 0;
        self.open = Some(Told { time: entry.time, event, line: self.text.lines, offset: self.begins, text });
    }

    /// A snapshot's line does not name the learner; the thread is its own.
    fn of_thread(&mut self, event: Event, thread: &str) -> Option<Event> {
        match event {
            Event::Apart(id, _) => {
                if self.learners.len() >= THREADS {
                    self.learners.clear();
                }
                self.learners.insert(thread.into(), id);
                Some(event)
            }
            Event::Sent(0, kind, zxid) => Some(Event::Sent(*self.learners.get(thread)?, kind, zxid)),
            event => Some(event),
        }
    }

    fn goes_on(&mut self, line: &str) {
        let Some(open) = &mut self.open else { return };
        if self.trace < TRACE {
            self.trace += 1;
            explain(&mut open.event, line);
            let more: String = line.chars().filter(|c| !c.is_control()).take(KEPT).collect();
            open.text = format!("{}\n{more}", open.text).into();
        }
    }

    fn close(&mut self) {
        let Some(told) = self.open.take() else { return };
        let kept = &mut self.kept[usize::from(told.event.carries())];
        if *kept < MOST {
            *kept += 1;
            self.text.events.push(told);
        } else {
            self.text.left_out += 1;
        }
    }
}
