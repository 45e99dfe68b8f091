//! What a language has to say: one function for each kind of thing.

use std::rc::Rc;

use crate::base::rows::Heading;
use crate::base::{ClientId, ServerId, Zxid};
use crate::check::{Double, Evidence};
use crate::client;
use crate::recipes;
use crate::server;
use crate::sim::{
    Action, Choice, Departure, EpochFile, LossReason, Record, RefusalReason, Rule, RunError, Status, Tongue,
    WorldFact,
};
use crate::view::Said;
use crate::wire::{ToClient, ToServer};
use crate::zab::{
    self, DropReason, LeaderStage, LearnerStage, LeaveReason, Message, Note, Phase, ServerState, SyncKind,
};

/// A word of the protocol and how it is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The protocol's own name, the same in every language.
    pub name: &'static str,
    /// The language's word for it.
    pub spoken: &'static str,
}

/// What is said around scenes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneWord {
    /// What is before a scene.
    StartUp,
    /// The list of chapters.
    Chapters,
    /// The chapter with this number and name, of so many: three places.
    Chapter,
    /// The end of a scene.
    End,
    /// The end of what happens in a run of one's own.
    Quiet,
    /// The same, in a sentence.
    QuietAbout,
    /// A run that has as many steps as are shown of one.
    Full,
    /// The same, in a sentence: how many steps.
    FullAbout,
    /// Before the list of what was seen.
    Saw,
    /// Before a deed to do by hand.
    TryThis,
    /// The next scene, by title: one place.
    Next,
    /// To let time run on.
    PlayOn,
    /// To see the scene again.
    Again,
}

/// Terms, each in all forms that it has in sentences, and what it means.
pub(in crate::i18n) type Terms = &'static [(&'static [&'static str], &'static str)];

/// A title and one sentence.
pub(in crate::i18n) type Entry = (&'static str, &'static str);

/// A language: every text is a field, so that none can be forgotten.
pub(in crate::i18n) struct Words {
    /// The language in which machines of other kinds tell of themselves.
    pub tongue: Tongue,
    /// The terms that are explained where they stand.
    pub glossary: Terms,
    /// A title for facts of one kind, about the session of this client; nothing where their sentence is one.
    pub title: fn(&[Rc<Record>], Option<ClientId>) -> Option<String>,
    /// Why something happens of which neither the record nor its sentence says it.
    pub because: fn(&Record) -> Option<String>,
    /// A server's fact as a sentence.
    pub zab: fn(ServerId, &zab::Fact) -> String,
    /// The rule behind a kind of server fact, where its record has no note.
    pub zab_rule: fn(&zab::Fact) -> Option<&'static str>,
    /// What the leader's committed log in memory holds, put after the note of a chosen synchronisation.
    pub window: fn(Zxid, Zxid) -> String,
    /// What is done to a run, as a label.
    pub action: fn(&Action) -> String,
    /// A fact outside the servers as a sentence.
    pub world: fn(&WorldFact) -> String,
    /// The rule behind a kind of such fact.
    pub world_rule: fn(&WorldFact) -> Option<&'static str>,
    /// A client's fact as a sentence.
    pub client: fn(ClientId, &client::Fact) -> String,
    /// The rule behind it, where there is something to say.
    pub client_rule: fn(&client::Fact) -> Option<&'static str>,
    /// A fact of a client's program as a sentence.
    pub program: fn(ClientId, &recipes::Fact) -> String,
    /// The rule behind it.
    pub program_rule: fn(&recipes::Fact) -> Option<&'static str>,
    /// A double holder as a sentence.
    pub double: fn(&Double) -> String,
    /// What was seen when a property was violated, as a sentence.
    pub evidence: fn(&Evidence) -> String,
    /// Why a run or an action was refused.
    pub error: fn(&RunError) -> String,
    /// A fact of a server's service for clients as a sentence.
    pub service: fn(ServerId, &server::Fact) -> String,
    /// A few words at the place where it happens.
    pub callout: fn(&Said) -> String,
    /// The rule behind it, where there is something to say.
    pub service_rule: fn(&server::Fact) -> Option<&'static str>,
    /// What a packet of a client says.
    pub to_server: fn(&ToServer) -> String,
    /// What a packet to a client says.
    pub to_client: fn(&ToClient) -> String,
    /// A note as a sentence.
    pub note: fn(Note) -> &'static str,
    /// What is said where a rule of ours decided that ZooKeeper does not have.
    pub departure: fn(Departure) -> &'static str,
    /// A packet as a sentence.
    pub packet: fn(&Message) -> String,
    /// A role's spoken label.
    pub role: fn(ServerState) -> &'static str,
    /// A phase's spoken label.
    pub phase: fn(Phase) -> &'static str,
    /// A process's condition.
    pub status: fn(Status) -> &'static str,
    /// What a process of another system is, by the name that it gives itself.
    pub badge: fn(&'static str) -> &'static str,
    /// What DIFF, TRUNC and SNAP mean.
    pub sync: fn(SyncKind) -> &'static str,
    /// What a file with an epoch holds.
    pub epoch_file: fn(EpochFile) -> &'static str,
    /// A broken rule.
    pub rule: fn(Rule) -> Entry,
    /// A property, if it is known.
    pub property: fn(&str) -> Option<Entry>,
    /// A built-in scenario, if it is known.
    pub scenario: fn(&str) -> Option<Entry>,
    /// A chapter of its scene, by number from 0, if it is known: its name, and what it teaches.
    pub chapter: fn(&str, usize) -> Option<Entry>,
    /// What there is to try in its scene.
    pub try_this: fn(&str) -> Option<&'static str>,
    /// Why the idea of its scene is so, where no fact of its chapter says it; empty otherwise.
    pub idea_because: fn(&str) -> Option<&'static str>,
    /// What is said around scenes.
    pub scenes: fn(SceneWord) -> &'static str,
    /// Why a server left its role.
    pub leave: fn(LeaveReason) -> &'static str,
    /// Why a learner was dropped.
    pub drop: fn(DropReason) -> &'static str,
    /// Why a message never arrived.
    pub loss: fn(LossReason) -> &'static str,
    /// Why a write failed.
    pub refusal: fn(RefusalReason) -> &'static str,
    /// What a group of a state's rows is.
    pub heading: fn(Heading) -> Entry,
    /// What a leader waits for.
    pub leader_stage: fn(LeaderStage) -> &'static str,
    /// What a learner waits for.
    pub learner_stage: fn(LearnerStage) -> &'static str,
    /// What a step took.
    pub choice: fn(Choice) -> String,
}
