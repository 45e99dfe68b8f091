//! What machines of other kinds than ZooKeeper's say, in messages and facts: a value that knows its name, its sentences and how
//! much it matters. All that reads it has one arm for it.

use serde::Serialize;
use serde_json::{Map, Value};
use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::base::ServerId;
use crate::daemon::Tone;

/// How much a fact matters to somebody who watches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Interest {
    /// Nobody would mention it.
    Noise,
    /// It is told.
    Detail,
    /// It is told, and worth stopping at: the next interesting step.
    Step,
}

/// Languages in which a daemon tells of itself. Traditional Chinese is made of the Simplified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tongue {
    /// English.
    English,
    /// Simplified Chinese.
    Chinese,
}

/// What stands large at a machine while a fact is news: a few words that nothing else on the stage says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// At which machine; none: at the one that states the fact.
    pub at: Option<ServerId>,
    /// How it looks.
    pub tone: Tone,
    /// The words in English and in Simplified Chinese, up to some thirty letters.
    pub words: [String; 2],
}

impl Remark {
    /// At the machine that states the fact.
    pub fn new(tone: Tone, english: impl Into<String>, chinese: impl Into<String>) -> Remark {
        Remark { at: None, tone, words: [english.into(), chinese.into()] }
    }

    /// The same at another machine.
    pub fn at(self, machine: ServerId) -> Remark {
        Remark { at: Some(machine), ..self }
    }
}

/// A value that goes into facts: all that is known of it is what it says of itself.
pub trait Say: fmt::Debug + Clone + PartialEq + Serialize + 'static {
    /// Its kind in facts, as `redis_expired`; for a message its type, in the real name.
    fn name(&self) -> &'static str;

    /// It as a sentence, or what a message of this type is about. In the sentence of a fact a `@` at the beginning stands for the
    /// machine that states it.
    fn text(&self, tongue: Tongue) -> String;

    /// The rule that decided it, as a sentence.
    fn why(&self, _tongue: Tongue) -> Option<String> {
        None
    }

    /// How much it matters to somebody who watches.
    fn interest(&self) -> Interest {
        Interest::Detail
    }

    /// A few characters beside a packet.
    fn label(&self) -> String {
        String::new()
    }

    /// A few words at the place where it happens, where it leaves nothing that can be seen.
    fn remark(&self) -> Option<Remark> {
        None
    }

    /// Whether what was remarked of an earlier fact is over with this one: its transaction, its term, its lock. `here` says that both are
    /// stated by one machine.
    fn ends(&self, _earlier: &Self, _here: bool) -> bool {
        false
    }
}

/// [`Say`] without its type.
trait Said: fmt::Debug {
    fn text(&self, tongue: Tongue) -> String;
    fn why(&self, tongue: Tongue) -> Option<String>;
    fn label(&self) -> String;
    fn remark(&self) -> Option<Remark>;
    fn ends(&self, earlier: &dyn Said, here: bool) -> bool;
    fn as_any(&self) -> &dyn Any;
}

impl<T: Say> Said for T {
    fn text(&self, tongue: Tongue) -> String {
        Say::text(self, tongue)
    }

    fn why(&self, tongue: Tongue) -> Option<String> {
        Say::why(self, tongue)
    }

    fn label(&self) -> String {
        Say::label(self)
    }

    fn remark(&self) -> Option<Remark> {
        Say::remark(self)
    }

    fn ends(&self, earlier: &dyn Said, here: bool) -> bool {
        earlier.as_any().downcast_ref::<T>().is_some_and(|earlier| Say::ends(self, earlier, here))
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// What a daemon says, in a message or a fact, as the world carries it. Two are the same where they are written the same.
#[derive(Clone, Debug)]
pub struct Saying {
    /// Its kind or type.
    pub name: &'static str,
    /// How much it matters.
    pub interest: Interest,
    fields: Rc<Map<String, Value>>,
    said: Rc<dyn Said>,
}

impl Saying {
    /// A value, as the world carries it.
    pub fn new<T: Say>(said: T) -> Saying {
        let (name, interest) = (said.name(), said.interest());
        // a value without fields is written as its name alone
        let fields = match serde_json::to_value(&said) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        };
        Saying { name, interest, fields: Rc::new(fields), said: Rc::new(said) }
    }

    /// It as a sentence, or what a message of this type is about.
    pub fn text(&self, tongue: Tongue) -> String {
        self.said.text(tongue)
    }

    /// A fact as a sentence: this machine states it.
    pub fn told_by(&self, machine: ServerId, tongue: Tongue) -> String {
        let text = self.text(tongue);
        let mut text = text.strip_prefix('@').map(|rest| format!("{machine}{rest}")).unwrap_or(text);
        // what was typed may stand at its end
        let stop = if tongue == Tongue::English { '.' } else { '。' };
        if !text.ends_with(stop) {
            text.push(stop);
        }
        text
    }

    /// The rule that decided it.
    pub fn why(&self, tongue: Tongue) -> Option<String> {
        self.said.why(tongue)
    }

    /// A few characters beside a packet.
    pub fn label(&self) -> String {
        self.said.label()
    }

    /// A few words at the place where it happens.
    pub fn remark(&self) -> Option<Remark> {
        self.said.remark()
    }

    /// Whether what was remarked of an earlier fact, of the same machine or not, is over with this one.
    pub fn ends(&self, earlier: &Saying, here: bool) -> bool {
        self.said.ends(&*earlier.said, here)
    }

    /// Its name under a key, and its fields.
    pub fn written(&self, key: &'static str) -> impl Iterator<Item = (&str, Value)> {
        let fields = self.fields.iter().map(|(key, value)| (key.as_str(), value.clone()));
        std::iter::once((key, Value::from(self.name))).chain(fields)
    }

    /// The value, for those who know its type.
    pub fn value<T: Say>(&self) -> Option<&T> {
        self.said.as_any().downcast_ref()
    }
}

impl PartialEq for Saying {
    fn eq(&self, other: &Saying) -> bool {
        self.name == other.name && self.fields == other.fields
    }
}

impl Eq for Saying {}

impl Hash for Saying {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        (self.name, &self.fields).hash(hasher);
    }
}

/// A message is written as `"type"` and its fields.
impl Serialize for Saying {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_map(self.written("type"))
    }
}
