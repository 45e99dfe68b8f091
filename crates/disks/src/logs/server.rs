//! Whose a log is, and all files of a server as one.

use std::collections::BTreeMap;

use zabscope_ground::base::Arrange;

use super::event::Event;
use super::text::{Text, Told};

/// The log of a server.
#[derive(Clone, Debug, Default)]
pub struct ServerLog {
    /// Its id.
    pub id: u64,
    /// The files, oldest first.
    pub files: Vec<String>,
    /// Its events in the order of time, each with the place of its file.
    pub events: Vec<(usize, Told)>,
    /// The time of the last line.
    pub last: i64,
    /// How many events were left out.
    pub left_out: u64,
}

/// Puts files together, by server. `whose` knows more of a path than the lines do, or less: it is asked for those that say nothing.
pub fn by_server(texts: Vec<(String, Text)>, whose: impl Fn(&str) -> Option<u64>) -> Vec<ServerLog> {
    let mut all: BTreeMap<u64, Vec<(String, Text)>> = BTreeMap::new();
    for (path, text) in texts {
        if let Some(id) = text.id().or_else(|| whose(&path)).filter(|_| !text.events.is_empty()) {
            all.entry(id).or_default().push((path, text));
        }
    }
    all.into_iter().map(|(id, files)| together(id, files)).collect()
}

/// Files may repeat each other (a log of INFO beside one of DEBUG): what several say counts once.
fn together(id: u64, mut files: Vec<(String, Text)>) -> ServerLog {
    files.sort_by(|(one, a), (other, b)| (a.span, one).cmp(&(b.span, other)));
    let mut log = ServerLog { id, ..ServerLog::default() };
    let mut known: BTreeMap<(i64, Box<str>), Vec<usize>> = BTreeMap::new();
    let last = files.iter().filter_map(|(_, text)| Some(text.span?.1)).max();
    log.last = last.unwrap_or_default();
    for (file, (path, text)) in files.into_iter().enumerate() {
        log.left_out += text.left_out;
        log.files.push(path);
        let mut said: BTreeMap<(i64, Box<str>), usize> = BTreeMap::new();
        for told in text.events {
            let key = (told.time, told.text.clone());
            let nth = said.entry(key.clone()).or_default();
            *nth += 1;
            let places = known.entry(key).or_default();
            match places.get(*nth - 1) {
                Some(place) => later_end(&mut log.events[*place].1.event, &told.event),
                None => {
                    places.push(log.events.len());
                    log.events.push((file, told));
                }
            }
        }
    }
    log.events.arrange_by_key(|(_, told)| told.time);
    log
}

/// Of two files that tell of one start, the fuller knows better when the process before it ended.
fn later_end(known: &mut Event, other: &Event) {
    if let (Event::Started(known), Event::Started(other)) = (known, other) {
        *known = (*known).max(*other);
    }
}
