//! What of a run matters to programs outside.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use crate::base::{ClientId, MsgId, Node, ServerId, SessionId};
use crate::client;
use crate::server;
use crate::sim::{Fact, FourLetterWord, Parcel, Record, Status, World, WorldFact};
use crate::wire::ToClient;

/// Whether a client's program is outside.
pub fn is_outside(world: &World, client: ClientId) -> bool {
    world.clients.get(&client).is_some_and(|process| process.client.config.outside.is_some())
}

/// The servers of an ensemble, and whether each one's process lives.
pub fn servers(world: &World) -> Vec<(ServerId, bool)> {
    let all = world.processes.iter().filter(|(id, _)| id.is_valid());
    all.map(|(&id, process)| (id, process.status != Status::Crashed)).collect()
}

/// What whoever speaks for the guests must know.
#[derive(Clone, Debug)]
pub enum News {
    /// A packet has arrived at a client: the record of its sending.
    Packet(ClientId, Rc<Record>),
    /// A client's connection is over.
    Over(ClientId),
    /// A session is closed for good.
    Closed(SessionId),
    /// A four-letter word was answered.
    Word(FourLetterWord, Vec<Rc<str>>),
    /// Or not.
    NoWord,
}

/// Hears each fact of a run once, in order.
#[derive(Clone, Debug, Default)]
pub struct Ear {
    /// Packets on their way to clients from outside.
    flying: BTreeMap<MsgId, (ClientId, Rc<Record>)>,
    news: VecDeque<News>,
}

impl Ear {
    /// What has happened since the last time, in order.
    pub(crate) fn next(&mut self) -> Option<News> {
        self.news.pop_front()
    }

    /// What has become of the four-letter word that was said last.
    pub(crate) fn take_word(&mut self) -> Option<News> {
        let last = self.news.iter().rposition(|news| matches!(news, News::Word(..) | News::NoWord));
        last.and_then(|last| self.news.remove(last))
    }

    /// A fact, and the world in which it is so.
    pub fn hear(&mut self, world: &World, record: &Rc<Record>) {
        match &record.fact {
            Fact::World(WorldFact::Sent { msg, to: Node::Client(client), message: Parcel::ToClient(_), .. })
                if is_outside(world, *client) =>
            {
                self.flying.insert(*msg, (*client, record.clone()));
            }
            Fact::World(WorldFact::Delivered { msg, .. }) => {
                if let Some((client, record)) = self.flying.remove(msg) {
                    self.news.push_back(News::Packet(client, record));
                }
            }
            Fact::World(WorldFact::Lost { msg, .. }) => drop(self.flying.remove(msg)),
            Fact::World(WorldFact::FourLetterAnswered { word, answer, client: None, .. }) => {
                self.news.push_back(News::Word(*word, answer.clone()));
            }
            Fact::World(WorldFact::FourLetterUnanswered { client: None, .. }) => self.news.push_back(News::NoWord),
            Fact::World(WorldFact::ClientKilled { client })
            | Fact::Client {
                client,
                fact: client::Fact::ClientDisconnected { .. } | client::Fact::ClientEnded { .. },
            } => self.news.push_back(News::Over(*client)),
            Fact::Server { fact: server::Fact::SessionClosed { session, .. }, .. } => {
                self.news.push_back(News::Closed(*session));
            }
            _ => {}
        }
    }
}

/// The packet in a record of [`News::Packet`].
pub(crate) fn packet_of(record: &Record) -> Option<&ToClient> {
    match &record.fact {
        Fact::World(WorldFact::Sent { message: Parcel::ToClient(packet), .. }) => Some(packet),
        _ => None,
    }
}
