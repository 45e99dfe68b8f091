//! What a trace of recipes says was done: objects and commands, one line each.

use serde_json::json;
use std::rc::Rc;

use crate::recipes::{Method, Recipe};

/// What traces call the recipes, and their names in the simulation.
const KINDS: &[(&str, &str)] = &[
    ("mutex", "mutex"),
    ("semmutex", "semaphore_mutex"),
    ("rw", "read_write"),
    ("semaphore", "semaphore"),
    ("latch", "latch"),
    ("selector", "selector"),
    ("barrier", "barrier"),
    ("doubleBarrier", "double_barrier"),
    ("queue", "simple_queue"),
    ("herd", "naive_lock"),
    ("naiveQueueLock", "predecessor_lock"),
    ("lock", "kazoo_lock"),
    ("writeLock", "kazoo_write_lock"),
    ("readLock", "kazoo_read_lock"),
    ("kazooSemaphore", "kazoo_semaphore"),
    ("election", "kazoo_election"),
];
const MAX_PAUSE_MS: u64 = 60_000;
const MAX_METHOD_MS: u64 = 60_000;

/// How a trace writes what the methods of an object give back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Speech {
    #[default]
    Java,
    /// The methods hand out data.
    Data,
    Python,
}

/// An object of a client's program: `a lock mutex /lock`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) client: String,
    pub(super) object: Rc<str>,
    /// What the simulation calls its kind.
    name: &'static str,
    path: Rc<str>,
    /// How many leases or members there are.
    number: Option<u32>,
    with: Vec<Rc<str>>,
}

impl Made {
    pub(super) fn parse(line: &str) -> Result<Made, String> {
        let mut words = line.split(' ');
        let (Some(client), Some(object), Some(kind), Some(path)) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(format!("'{line}' is no object: write CLIENT NAME KIND PATH"));
        };
        let known = KINDS.iter().find(|(known, _)| *known == kind);
        let Some((_, name)) = known else { return Err(format!("'{kind}' is no kind of recipe")) };
        let (mut number, mut with) = (None, Vec::new());
        for word in words {
            match word.parse() {
                Ok(given) => number = Some(given),
                Err(_) => with.push(in_snake_case(word).into()),
            }
        }
        Ok(Made { client: client.into(), object: object.into(), name, path: path.into(), number, with })
    }

    fn is_kazoo(&self) -> bool {
        self.name.starts_with("kazoo_")
    }

    pub(super) fn speech(&self) -> Speech {
        match self.name {
            "simple_queue" => Speech::Data,
            _ if self.is_kazoo() => Speech::Python,
            _ => Speech::Java,
        }
    }

    /// The recipe in the simulation. A participant's id is its client's name. It is read as runs write it: whatever else
    /// recipes may be given stays as it is where nothing is said.
    pub(super) fn recipe(&self) -> Result<Recipe, String> {
        let has_id = matches!(self.name, "latch" | "selector") || self.is_kazoo();
        let id = has_id.then_some(&self.client);
        let recipe = json!({"kind": self.name, "path": self.path, "count": self.number, "id": id, "with": self.with});
        serde_json::from_value(recipe).map_err(|error| error.to_string())
    }
}

/// `autoRequeue` is `auto_requeue`.
fn in_snake_case(word: &str) -> String {
    word.chars().fold(String::new(), |mut text, c| {
        if c.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(c.to_ascii_lowercase());
        text
    })
}

/// A method that is called, and the words that the trace has for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Called {
    pub object: Rc<str>,
    /// As answers name it: `tryAcquire`.
    pub word: String,
    pub method: Method,
}

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// A client calls a method.
    Do { client: String, called: Called },
    /// Whoever holds the object calls a method of it.
    Holder { called: Called },
    /// The connection is cut until the session has expired.
    Expire { client: String },
    /// The client may connect again.
    Let { client: String },
    /// The connection is cut once.
    Cut { client: String },
    /// The program closes its framework (`CuratorFramework.close`): the session ends, and no recipe tidies up.
    Stop { client: String },
    /// Time goes by, ms.
    Pause { ms: u64 },
}

impl Command {
    pub(super) fn parse(line: &str) -> Result<Command, String> {
        let words: Vec<&str> = line.split(' ').collect();
        match words.as_slice() {
            ["do", client, object, method @ ..] => {
                Ok(Command::Do { client: (*client).into(), called: called(object, method)? })
            }
            ["holder", object, method @ ..] => Ok(Command::Holder { called: called(object, method)? }),
            ["expire", client] => Ok(Command::Expire { client: (*client).into() }),
            ["let", client] => Ok(Command::Let { client: (*client).into() }),
            ["cut", client] => Ok(Command::Cut { client: (*client).into() }),
            ["stop", client] => Ok(Command::Stop { client: (*client).into() }),
            ["pause", seconds] => Ok(Command::Pause { ms: milliseconds(seconds)? }),
            _ => Err(format!("'{line}' is no command")),
        }
    }

    /// Whose it is, where it names a client.
    pub(super) fn client(&self) -> Option<&str> {
        match self {
            Command::Do { client, .. }
            | Command::Expire { client }
            | Command::Let { client }
            | Command::Cut { client }
            | Command::Stop { client } => Some(client),
            Command::Holder { .. } | Command::Pause { .. } => None,
        }
    }

    /// How long it pauses.
    pub(super) fn pause_ms(&self) -> u64 {
        if let Command::Pause { ms } = self { *ms } else { 0 }
    }

    /// The object whose method it calls.
    pub(super) fn object(&self) -> Option<&str> {
        match self {
            Command::Do { called, .. } | Command::Holder { called } => Some(&called.object),
            _ => None,
        }
    }

    /// The same, done by another client.
    pub(super) fn by(&self, client: &str) -> Command {
        match self {
            Command::Do { called, .. } => Command::Do { client: client.into(), called: called.clone() },
            other => other.clone(),
        }
    }
}

/// `tryAcquire 700` is `acquire` with a limit, `pollFor 300` is `poll` with one; `acquireMany 2` is `acquire` of two, and
/// `tryAcquireMany 2 700` has both. Any other word is data.
fn called(object: &str, words: &[&str]) -> Result<Called, String> {
    let (word, given, many) = match words {
        [word] => (*word, None, None),
        [word, many] if *word == "acquireMany" => (*word, None, Some(*many)),
        [word, many, given] if *word == "tryAcquireMany" => (*word, Some(*given), Some(*many)),
        [word, given] => (*word, Some(*given), None),
        _ => return Err("a method has a name and at most one argument".into()),
    };
    if word.ends_with("cquireMany") && many.and_then(|many| many.parse::<u32>().ok()).is_none() {
        return Err(format!("{word}: how many? Write a number"));
    }
    let (part, name) = word.split_once('.').map_or(("", word), |(part, name)| (&word[..=part.len()], name));
    let limited = match name.strip_prefix("try") {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_uppercase()) => {
            Some(format!("{part}{}{}", rest[..1].to_ascii_lowercase(), &rest[1..]))
        }
        _ => name.strip_suffix("For").map(|rest| format!("{part}{rest}")),
    };
    let limited = limited.map(|method| method.trim_end_matches("Many").to_string());
    let (method, timeout_ms, data) = match (limited, given) {
        (Some(method), Some(ms)) => {
            let ms = ms.parse().ok().filter(|ms| *ms <= MAX_METHOD_MS);
            let ms = ms.ok_or_else(|| format!("{word}: the limit is no number of ms up to {MAX_METHOD_MS}"))?;
            (method, Some(ms), None)
        }
        (Some(_), None) => return Err(format!("{word}: how long? Write a number of ms")),
        (None, given) => (plain(word).to_string(), None, given.map(Rc::from)),
    };
    let data = many.map(Rc::from).or(data);
    let method = Method { method: method.into(), timeout_ms, data };
    Ok(Called { object: object.into(), word: word.into(), method })
}

/// A method's name in the simulation.
fn plain(word: &str) -> &str {
    match word {
        "acquireMany" => "acquire",
        "releaseAll" => "release_all",
        other => other,
    }
}

/// `0.25` s.
fn milliseconds(seconds: &str) -> Result<u64, String> {
    let wrong = || format!("'{seconds}' are no seconds up to {}, with at most three decimals", MAX_PAUSE_MS / 1000);
    let (whole, part) = seconds.split_once('.').unwrap_or((seconds, ""));
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 6 || part.len() > 3 || !is_plain(whole) || !is_plain(part) {
        return Err(wrong());
    }
    let ms = format!("{whole}{part:0<3}").parse::<u64>().map_err(|_| wrong())?;
    if ms > MAX_PAUSE_MS { Err(wrong()) } else { Ok(ms) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(line: &str) -> (String, Option<u64>, Option<String>) {
        let Ok(Command::Do { called, .. }) = Command::parse(line) else { panic!("{line}") };
        (called.method.method.to_string(), called.method.timeout_ms, called.method.data.map(|data| data.to_string()))
    }

    #[test]
    fn methods_have_limits_and_data() {
        assert_eq!(method("do a lock acquire"), ("acquire".into(), None, None));
        assert_eq!(method("do a lock tryAcquire 700"), ("acquire".into(), Some(700), None));
        assert_eq!(method("do a rw read.tryAcquire 7"), ("read.acquire".into(), Some(7), None));
        assert_eq!(method("do a q pollFor 300"), ("poll".into(), Some(300), None));
        assert_eq!(method("do a q offer 1"), ("offer".into(), None, Some("1".into())));
        assert_eq!(method("do a s acquireMany 2"), ("acquire".into(), None, Some("2".into())));
        assert_eq!(method("do a s tryAcquireMany 2 700"), ("acquire".into(), Some(700), Some("2".into())));
        assert_eq!(method("do a s releaseAll"), ("release_all".into(), None, None));
        assert_eq!(Command::parse("stop a"), Ok(Command::Stop { client: "a".into() }));
        for line in ["do a s acquireMany", "do a s acquireMany x", "do a s tryAcquireMany 700", "stop"] {
            assert!(Command::parse(line).is_err(), "{line}");
        }
        for line in ["do a lock", "do a lock tryAcquire", "do a lock tryAcquire 9999999", "fly a", "", "do a l m 1 2"]
        {
            assert!(Command::parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn an_object_is_the_recipe_that_it_says() {
        for (line, speech, recipe) in [
            ("a lock mutex /lock", Speech::Java, r#"{"kind":"mutex","path":"/lock"}"#),
            ("a sem semaphore /s 2", Speech::Java, r#"{"kind":"semaphore","path":"/s","count":2}"#),
            (
                "a sem kazooSemaphore /s 2",
                Speech::Python,
                r#"{"kind":"kazoo_semaphore","path":"/s","count":2,"id":"a"}"#,
            ),
            ("b w writeLock /l", Speech::Python, r#"{"kind":"kazoo_write_lock","path":"/l","id":"b"}"#),
            ("b r readLock /l", Speech::Python, r#"{"kind":"kazoo_read_lock","path":"/l","id":"b"}"#),
        ] {
            let made = Made::parse(line).expect("an object");
            assert_eq!((made.speech(), made.recipe()), (speech, Ok(serde_json::from_str(recipe).expect("a recipe"))));
        }
        assert!(Made::parse("a lock kazoo_lock /n").is_err());
    }

    #[test]
    fn pauses_are_in_seconds() {
        for (text, ms) in [("1.5", 1500), ("0.2", 200), ("3", 3000), ("0.025", 25)] {
            assert_eq!(Command::parse(&format!("pause {text}")), Ok(Command::Pause { ms }));
        }
        for text in ["", "x", "-1", "1e3", "0.0001", "61", "999999999999999999999", ".5"] {
            assert!(Command::parse(&format!("pause {text}")).is_err(), "{text}");
        }
    }
}
