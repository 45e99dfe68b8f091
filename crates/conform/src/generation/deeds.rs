//! What was done, as a recording's sentences say it.

/// Something that was done, or seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// A server is killed.
    Kill(u8),
    /// It starts again.
    Start(u8),
    /// It is paused.
    Pause(u8),
    /// It goes on.
    GoOn(u8),
    /// It is cut off from the others, for so many ms where that is said.
    CutOff(u8, Option<u64>),
    /// Links are whole again.
    Heal,
    /// So many writes at a server.
    Writes(u32, u8),
    /// A write at the leader that is cut off, and what came of it.
    WriteAtIt(String),
    /// Another server leads.
    Leads(u8, u64),
    /// A write at that one, and what came of it.
    WriteThere(String),
}

impl Deed {
    /// To which server something is done.
    pub(super) fn server(&self) -> Option<&u8> {
        match self {
            Deed::Kill(it) | Deed::Start(it) | Deed::Pause(it) | Deed::GoOn(it) => Some(it),
            Deed::CutOff(it, _) | Deed::Writes(_, it) => Some(it),
            Deed::Heal | Deed::WriteAtIt(_) | Deed::Leads(..) | Deed::WriteThere(_) => None,
        }
    }
}

/// A sentence: deeds, who is said to lead or to follow at its beginning, and the term.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sentence {
    pub deeds: Vec<Deed>,
    pub leader: Option<u8>,
    pub followers: Vec<u8>,
    pub term: Option<u64>,
}

/// Most writes at once, and longest time, ms.
const MOST_WRITES: u32 = 1_000;
const LONGEST: u64 = 120_000;

/// A server's number.
pub(super) fn number(name: &str) -> Option<u8> {
    name.strip_prefix('s')?.parse().ok().filter(|number| (1..=9).contains(number))
}

impl Sentence {
    /// Reads one.
    pub(super) fn read(text: &str) -> Result<Sentence, String> {
        let mut sentence = Sentence::default();
        let mut outside = String::new();
        for (at, part) in text.split(['(', ')']).enumerate() {
            if at % 2 == 0 {
                outside += part;
            } else {
                for words in part.split(", ") {
                    sentence.roles(&words.split(' ').collect::<Vec<_>>());
                }
            }
        }
        for clause in outside.split([',', ';']) {
            let (clause, result) = clause.split_once(':').unwrap_or((clause, ""));
            let words: Vec<&str> = clause.split_whitespace().collect();
            let deed = sentence.deed(&words, result.trim());
            sentence.deeds.extend(deed.ok_or_else(|| format!("what is \"{}\"?", clause.trim()))?);
        }
        Ok(sentence)
    }

    /// What is said of roles and the term: `leader s1`, `term 2`.
    fn roles<'a>(&mut self, words: &'a [&'a str]) -> &'a [&'a str] {
        match words {
            ["leader", name, ..] if number(name).is_some() => self.leader = number(name),
            ["follower", name, ..] => self.followers.extend(number(name)),
            ["term", term, ..] => {
                self.term = term.parse().ok();
                return words;
            }
            _ => return words,
        }
        &words[1..]
    }

    fn deed(&mut self, words: &[&str], result: &str) -> Option<Option<Deed>> {
        let words = self.roles(words);
        let server = |name: &str| number(name);
        let deed = match words {
            [name, "is", "killed"] => Deed::Kill(server(name)?),
            [name, "starts", "again"] => Deed::Start(server(name)?),
            [name, "is", "paused"] => Deed::Pause(server(name)?),
            [name, "goes", "on"] => Deed::GoOn(server(name)?),
            [name, "is", "cut", "off"] => Deed::CutOff(server(name)?, None),
            [name, "is", "cut", "off", "for", seconds, "s"] => {
                let ms = seconds.parse::<u64>().ok()?.checked_mul(1_000).filter(|ms| *ms <= LONGEST)?;
                Deed::CutOff(server(name)?, Some(ms))
            }
            ["healed"] => Deed::Heal,
            [count, "writes", "at", name] => {
                Deed::Writes(count.parse().ok().filter(|count| *count <= MOST_WRITES)?, server(name)?)
            }
            ["write", "at", "it"] => Deed::WriteAtIt(result.into()),
            ["write", "there"] => Deed::WriteThere(result.into()),
            [name, "leads", "term", term] => Deed::Leads(server(name)?, term.parse().ok()?),
            _ => return None,
        };
        Some(Some(deed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_read() {
        let read = |text| Sentence::read(text).unwrap();
        let killed = read("leader s1 (term 2) is killed, s2 starts again: s2 (behind) and s3 (up to date) are up");
        assert_eq!(killed.deeds, [Deed::Kill(1), Deed::Start(2)]);
        assert_eq!((killed.leader, killed.term), (Some(1), Some(2)));
        let cut = read("follower s2 is cut off for 8 s (leader s1, term 2)");
        assert_eq!(cut.deeds, [Deed::CutOff(2, Some(8_000))]);
        assert_eq!((cut.leader, cut.followers, cut.term), (Some(1), vec![2], Some(2)));
        let old = read("leader s2 (term 2) is cut off; write at it: no answer; s1 leads term 3; write there: ok");
        let said = [Deed::WriteAtIt("no answer".into()), Deed::Leads(1, 3), Deed::WriteThere("ok".into())];
        assert_eq!(old.deeds, [&[Deed::CutOff(2, None)], &said[..]].concat());
        assert!(Sentence::read("s1 is blown up").is_err());
    }
}
