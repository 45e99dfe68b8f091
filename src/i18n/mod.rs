//! Every sentence of the project, in every language: what happened and why ([`narrate`]), what a packet is
//! ([`packet_about`]), what roles, rules, properties and reasons are called.
//!
//! There are no string keys. A language is a folder and a line of [`Lang`]'s table; its sentences are a value of `Words`: one function for
//! each kind of thing that can be said, each an exhaustive match. A new fact without its sentence in every language does not compile. Names
//! of the protocol (zxid, ACK, PROPOSAL, NEWLEADER, acceptedEpoch …) are the same in all of them.
//!
//! A reason states the rule ("a leader may commit only what a majority has logged"), not the case: it stays true in a
//! run that breaks the rule on purpose.

pub mod disks;
mod en;
mod hant;
mod lang;
pub mod page;
pub mod parts;
mod text;
pub mod title;
pub mod wording;
mod words;
mod zh;

#[cfg(test)]
pub(crate) mod tests;

pub use crate::sim::{Interest, interest};
pub use en::grading::Grading;
pub use words::{SceneWord, Term};

use crate::base::ProgramError;
use crate::base::json::{ReadError, ValueError};
use crate::base::rows::Heading;
use crate::base::texts::fill;
use crate::check::{Double, Evidence, system_property};
use crate::lessons::RecordError;
use crate::sim::{
    Action, Choice, EpochFile, Fact, LossReason, Parcel, Record, RefusalReason, Rule, RunError, Status, Tongue,
    departure,
};
use crate::view::Said;
use crate::zab::{self, DropReason, LeaderStage, LearnerStage, LeaveReason, Note, Phase, ServerState, SyncKind};

lang::languages! {
    written {
        /// English.
        #[default]
        En: en, "en", "English", [];
        /// Chinese in simplified characters.
        Zh: zh, "zh-Hans", "简体中文", ["hans"];
    }
    converted {
        /// Chinese in traditional characters, with the words of Taiwan.
        ZhHant: Zh by hant, "zh-Hant", "繁體中文", ["hant", "tw", "hk", "mo"];
    }
}

/// What to say about a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// What happened, with the numbers in it.
    pub what: String,
    /// Why it was allowed or what follows from it, where there is something to say.
    pub why: Option<String>,
}

/// What a lecturer would say about this record; `None` for noise.
pub fn narrate(lang: Lang, record: &Record) -> Option<Sentence> {
    (interest(record) != Interest::Noise).then(|| describe(lang, record))
}

/// What there is to say about any record, noise too: for a list of all facts.
pub fn describe(lang: Lang, record: &Record) -> Sentence {
    let words = lang.words();
    let (what, rule) = match &record.fact {
        Fact::Zab { server, fact } => ((words.zab)(*server, fact), (words.zab_rule)(fact)),
        Fact::World(fact) => ((words.world)(fact), (words.world_rule)(fact)),
        Fact::Client { client, fact } => ((words.client)(*client, fact), (words.client_rule)(fact)),
        Fact::Program { client, fact } => ((words.program)(*client, fact), (words.program_rule)(fact)),
        Fact::Server { server, fact } => ((words.service)(*server, fact), (words.service_rule)(fact)),
        Fact::Other { server, fact } => {
            let why = fact.why(words.tongue).map(|why| lang.say(why));
            return Sentence { what: lang.say(fact.told_by(*server, words.tongue)), why };
        }
    };
    let why = match (record.why, &record.fact) {
        (Some(note), Fact::Zab { fact: zab::Fact::SyncChosen { min_committed, max_committed, .. }, .. }) => {
            let window = text::shows_window(note).then(|| lang.say((words.window)(*min_committed, *max_committed)));
            Some([note_about(lang, note), &window.unwrap_or_default()].concat())
        }
        (Some(note), _) => Some(note_about(lang, note).to_string()),
        (None, _) => rule.map(|rule| lang.fixed(rule).to_string()),
    };
    let ours = departure(record).map(|ours| lang.fixed((words.departure)(ours)));
    let why = match (why, ours) {
        (Some(why), Some(ours)) => Some([why.as_str(), ours].join(gap(&why))),
        (why, ours) => why.or(ours.map(str::to_string)),
    };
    Sentence { what: lang.say(what), why }
}

/// What stands between two sentences: nothing after a Chinese full stop.
fn gap(before: &str) -> &'static str {
    if before.ends_with('。') { "" } else { " " }
}

/// In which of the languages that lessons and systems are written in a language of the page is told.
pub fn tongue(lang: Lang) -> Tongue {
    lang.words().tongue
}

/// A sentence of a lesson, as the page's language writes it.
pub fn taught(lang: Lang, sentence: String) -> String {
    lang.say(sentence)
}

/// Remarks on runs that were handed in, before [`taught`] writes them as the language does. Not among a language's words: the page
/// needs few of them, and late.
pub fn grading(lang: Lang) -> &'static Grading {
    match tongue(lang) {
        Tongue::English => &Grading::ENGLISH,
        Tongue::Chinese => &zh::grading::GRADING,
    }
}

/// Why no lesson is made of a run.
pub fn record_trouble(lang: Lang, error: &RecordError) -> String {
    let words = grading(lang);
    let said = match error {
        RecordError::NoDeeds => words.no_deeds.into(),
        RecordError::TooManyDeeds(count, most) => fill(words.many_deeds, &[count, most]),
        RecordError::TooLate(at, most_ms) => fill(words.too_late, &[&at.seconds(), &(most_ms / 1_000)]),
        RecordError::Run(error) => return error_words(lang, error),
    };
    taught(lang, said)
}

/// What an action does, in a lesson's language.
pub fn deed_words(action: &Action, tongue: Tongue) -> String {
    match tongue {
        Tongue::English => action_words(Lang::En, action),
        Tongue::Chinese => action_words(Lang::Zh, action),
    }
}

/// The rule that a note names, as one sentence.
pub fn note_about(lang: Lang, note: Note) -> &'static str {
    lang.fixed((lang.words().note)(note))
}

/// A packet's name in the protocol, and one sentence: what it is and what it carries.
pub fn packet_about(lang: Lang, message: &Parcel) -> (&'static str, String) {
    let words = lang.words();
    let about = match message {
        Parcel::Zab(message) => (words.packet)(message),
        Parcel::ToServer(packet) => (words.to_server)(packet),
        Parcel::ToClient(packet) => (words.to_client)(packet),
        Parcel::Other(saying) => saying.text(words.tongue),
    };
    (message.name(), lang.say(about))
}

/// A server's role: its name in the protocol and its spoken label.
pub fn role_name(lang: Lang, state: ServerState) -> Term {
    Term { name: text::state(state), spoken: lang.fixed((lang.words().role)(state)) }
}

/// The few words at the place where something happens.
pub fn callout_words(lang: Lang, said: &Said) -> String {
    lang.say((lang.words().callout)(said))
}

/// A phase: its name in the protocol and its spoken label.
pub fn phase_name(lang: Lang, phase: Phase) -> Term {
    Term { name: text::phase(phase), spoken: lang.fixed((lang.words().phase)(phase)) }
}

/// What a process of another system is.
pub fn badge_name(lang: Lang, role: &'static str) -> &'static str {
    lang.fixed((lang.words().badge)(role))
}

/// What a process is doing; the protocol has no name for it, so both are the language's word.
pub fn status_name(lang: Lang, status: Status) -> Term {
    let word = lang.fixed((lang.words().status)(status));
    Term { name: word, spoken: word }
}

/// How a learner is brought up to date: DIFF, TRUNC or SNAP, and what that means in a few words.
pub fn sync_name(lang: Lang, sync: SyncKind) -> Term {
    Term { name: sync.word(), spoken: lang.fixed((lang.words().sync)(sync)) }
}

/// A file with an epoch: its real name and what it holds.
pub fn epoch_file(lang: Lang, file: EpochFile) -> Term {
    Term { name: text::epoch_file(file), spoken: lang.fixed((lang.words().epoch_file)(file)) }
}

/// A short title for a rule that a run can break.
pub fn rule_title(lang: Lang, rule: Rule) -> &'static str {
    lang.fixed((lang.words().rule)(rule).0)
}

/// What happens when the rule is broken and what the real rule is for.
pub fn rule_about(lang: Lang, rule: Rule) -> &'static str {
    lang.fixed((lang.words().rule)(rule).1)
}

/// Who went on believing to hold what another had by right, as a sentence.
pub fn double_holder(lang: Lang, double: &Double) -> String {
    lang.say((lang.words().double)(double))
}

/// What was seen when a property was violated, as a sentence.
pub fn evidence_words(lang: Lang, evidence: &Evidence) -> String {
    lang.say((lang.words().evidence)(evidence))
}

/// Why a run, an action or a setting was refused.
pub fn error_words(lang: Lang, error: &RunError) -> String {
    lang.say((lang.words().error)(error))
}

/// What is wrong with a recipe of one's own, and where.
pub fn program_words(lang: Lang, error: &ProgramError) -> String {
    error_words(lang, &RunError::Value(ReadError::new(ValueError::Program(error.clone()))))
}

/// A short title for the property with this id; the id itself where it is unknown.
pub fn property_title(lang: Lang, id: &str) -> &str {
    let own = (lang.words().property)(id).map(|(title, _)| title);
    own.or_else(|| system_property(id).map(|one| of_tongue(lang, one.title))).map_or(id, |title| lang.fixed(title))
}

/// The one of two texts that is in the language which a system tells in.
fn of_tongue(lang: Lang, [english, chinese]: [&'static str; 2]) -> &'static str {
    match lang.words().tongue {
        Tongue::English => english,
        Tongue::Chinese => chinese,
    }
}

/// What is done to a run, short as a label.
pub fn action_words(lang: Lang, action: &Action) -> String {
    lang.say((lang.words().action)(action))
}

/// What the property says, in one sentence; the id itself where it is unknown.
pub fn property_about(lang: Lang, id: &str) -> &str {
    let own = (lang.words().property)(id).map(|(_, about)| about);
    own.or_else(|| system_property(id).map(|one| of_tongue(lang, one.about))).map_or(id, |about| lang.fixed(about))
}

/// Why a server left its role: a clause without a full stop.
pub fn leave_reason(lang: Lang, reason: LeaveReason) -> &'static str {
    lang.fixed((lang.words().leave)(reason))
}

/// Why a leader dropped a learner: a clause without a full stop.
pub fn drop_reason(lang: Lang, reason: DropReason) -> &'static str {
    lang.fixed((lang.words().drop)(reason))
}

/// Why a message never arrived: a clause without a full stop.
pub fn loss_reason(lang: Lang, reason: LossReason) -> &'static str {
    lang.fixed((lang.words().loss)(reason))
}

/// Why a write was not taken, or its fate is unknown: a clause without a full stop.
pub fn refusal(lang: Lang, reason: RefusalReason) -> &'static str {
    lang.fixed((lang.words().refusal)(reason))
}

/// What a group of a state's rows is called, and what it is, in one sentence.
pub fn heading_words(lang: Lang, heading: Heading) -> (&'static str, &'static str) {
    let (title, about) = (lang.words().heading)(heading);
    (lang.fixed(title), lang.fixed(about))
}

/// What a leader waits for, as a sentence.
pub fn leader_stage(lang: Lang, stage: LeaderStage) -> &'static str {
    lang.fixed((lang.words().leader_stage)(stage))
}

/// What a learner waits for, as a sentence.
pub fn learner_stage(lang: Lang, stage: LearnerStage) -> &'static str {
    lang.fixed((lang.words().learner_stage)(stage))
}

/// What a step took, as a sentence.
pub fn choice_words(lang: Lang, choice: Choice) -> String {
    lang.say((lang.words().choice)(choice))
}
