//! Guests: connections from outside, and the clients that they are in the run. What they say becomes actions; what arrives at
//! their clients is written back to them.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use zabscope_jute::{Greeting, Incoming, Received, reply, sasl_reply};

use crate::base::limits::{MAX_CLIENT_ID, MAX_DURATION_US};
use crate::base::{ClientId, ServerId, SessionId, Zxid};
use crate::ear::{Ear, News, is_outside, packet_of};
use crate::server::{password_of, version_number};
use crate::sim::{Action, ClientProcess, FourLetterWord, Status, World};
use crate::talk::{Event, GuestId, Order};
use crate::wire::{Code, Request, ToClient, ToServer};

/// Words whose answers are no lines (`RuokCommand.java`, `IsroCommand.java`).
const UNENDED: [&str; 4] = ["ruok", "isro", "gtmk", "stmk"];

/// The last release of each line of releases, as servers name the line in a run.
const RELEASES: [(&str, &str); 3] = [("3.8", "3.8.6"), ("3.9", "3.9.5"), ("3.10", "3.10.0")];

/// Whoever plays the run.
pub trait Host {
    /// The world as it is.
    fn world(&self) -> &World;

    /// Does something now; its facts are heard.
    ///
    /// # Errors
    /// Why it cannot be done.
    fn act(&mut self, action: Action) -> Result<(), String>;

    /// What has heard all facts.
    fn ear(&mut self) -> &mut Ear;
}

/// Somebody outside.
#[derive(Debug)]
struct Guest {
    id: GuestId,
    server: ServerId,
    /// His client, when he has said CONNECT.
    client: Option<ClientId>,
    knows_read_only: bool,
    /// What his program is called.
    name: Option<Rc<str>>,
    /// His requests without an answer, with his own numbers: answers come in the order of the requests.
    asked: VecDeque<(i32, Request)>,
    /// What he has said and nobody has read: his client stands still, or the machine whose word he asks for.
    unread: VecDeque<Incoming>,
}

/// All guests.
#[derive(Debug, Default)]
pub struct Guests {
    guests: BTreeMap<GuestId, Guest>,
    by_client: BTreeMap<ClientId, GuestId>,
    /// Clients that stand still, and whose guests have gone meanwhile: they hear of it when they go on.
    left: BTreeSet<ClientId>,
    orders: Vec<Order>,
}

/// Why a guest's connection is closed.
struct Hangup(String);

impl From<String> for Hangup {
    fn from(why: String) -> Hangup {
        Hangup(why)
    }
}

fn hang_up(why: impl Into<String>) -> Hangup {
    Hangup(why.into())
}

impl Guests {
    /// Something happens at a door.
    pub fn take(&mut self, event: Event, stage: &mut dyn Host) {
        match event {
            Event::Hello(_) | Event::Ports(_) | Event::Tick => {} // for whoever plays the run
            Event::Opened(id, server) => {
                let (client, name, asked, unread) = (None, None, VecDeque::new(), VecDeque::new());
                self.guests.insert(id, Guest { id, server, client, knows_read_only: true, name, asked, unread });
            }
            Event::Named(id, name) => {
                if let Some(guest) = self.guests.get_mut(&id) {
                    guest.name = Some(name.into());
                }
            }
            Event::Says(id, incoming) => {
                if let Some(guest) = self.guests.get_mut(&id) {
                    guest.unread.push_back(incoming);
                }
                self.read(id, stage);
            }
            Event::Garbles(id, why) => self.close(id, &why, stage),
            Event::Gone(id) => self.close(id, "", stage),
        }
        self.tell(stage);
    }

    /// What has happened in the run, for those whom it concerns; and those go on who had to wait.
    pub fn hear(&mut self, stage: &mut dyn Host) {
        self.tell(stage);
        for client in std::mem::take(&mut self.left) {
            self.leave(client, stage);
        }
        let waiting = self.guests.iter().filter(|(_, guest)| !guest.unread.is_empty());
        for id in waiting.map(|(&id, _)| id).collect::<Vec<_>>() {
            self.read(id, stage);
        }
    }

    /// What is to be done at the doors by now.
    pub fn take_orders(&mut self) -> Vec<Order> {
        std::mem::take(&mut self.orders)
    }

    /// The clients whose programs are connected now.
    pub fn clients(&self) -> impl ExactSizeIterator<Item = ClientId> {
        self.by_client.keys().copied()
    }

    /// Their connections, and which client each is.
    pub fn connections(&self) -> impl Iterator<Item = (GuestId, ClientId)> {
        self.by_client.iter().map(|(&client, &guest)| (guest, client))
    }

    /// The run is another one, in which nobody is connected: everybody is sent away.
    pub fn dismiss(&mut self) {
        self.orders.extend(self.guests.keys().map(|&id| Order::Close(id)));
        (self.guests, self.by_client, self.left) = Default::default();
    }

    fn tell(&mut self, stage: &mut dyn Host) {
        while let Some(news) = stage.ear().next() {
            match news {
                News::Packet(client, record) => {
                    let guest = self.by_client.get(&client).and_then(|id| self.guests.get_mut(id));
                    if let Some((guest, packet)) = guest.zip(packet_of(&record)) {
                        self.orders.extend(guest.answer(packet));
                    }
                }
                News::Over(client) => {
                    if let Some(id) = self.by_client.remove(&client) {
                        self.guests.remove(&id);
                        self.orders.push(Order::Close(id));
                    }
                }
                News::Closed(session) => self.forget(session, stage),
                News::Word(..) | News::NoWord => {} // said by a line of stdin
            }
        }
    }

    /// A session is closed that nobody outside uses: its client is gone from the run.
    fn forget(&mut self, session: SessionId, stage: &mut dyn Host) {
        let unused = of_session(stage.world(), session).filter(|client| !self.by_client.contains_key(client));
        if let Some(client) = unused {
            self.act(Action::KillClient { client }, stage);
        }
    }

    /// A guest's connection is over: it was closed from outside, or for this reason.
    fn close(&mut self, id: GuestId, why: &str, stage: &mut dyn Host) {
        let Some(guest) = self.guests.remove(&id) else { return };
        self.orders.push(Order::Close(id));
        let name = guest.client.map_or_else(|| format!("a guest of {}", guest.server), |client| client.to_string());
        if !why.is_empty() {
            self.orders.push(Order::Say(format!("the connection of {name} is closed: {why}")));
        }
        let Some(client) = guest.client.filter(|client| self.by_client.get(client) == Some(&id)) else { return };
        self.by_client.remove(&client);
        self.leave(client, stage);
    }

    /// A client has nobody outside any more: its connection ends, when it can.
    fn leave(&mut self, client: ClientId, stage: &mut dyn Host) {
        let process = stage.world().clients.get(&client);
        match process.filter(|process| process.client.has_connection()).map(|process| process.paused) {
            Some(true) => drop(self.left.insert(client)),
            Some(false) => self.act(Action::DisconnectClient { client }, stage),
            None => {}
        }
    }

    /// Reads what a guest has said, as far as somebody is there to hear it.
    fn read(&mut self, id: GuestId, stage: &mut dyn Host) {
        while let Some(guest) = self.guests.get_mut(&id) {
            if guest.must_wait(stage.world()) {
                return;
            }
            let Some(incoming) = guest.unread.pop_front() else { return };
            let mut orders = vec![Order::Read(id)];
            let done = match incoming {
                Incoming::Word(text) => guest.ask_word(text, stage, &mut orders),
                Incoming::Frame(frame) if guest.client.is_none() => self.greet(id, &frame, stage),
                Incoming::Frame(frame) => guest.say(&frame, stage, &mut orders),
            };
            self.orders.append(&mut orders);
            self.tell(stage);
            if let Err(Hangup(why)) = done {
                self.close(id, &why, stage);
            }
        }
    }

    /// The first frame: it becomes a client of the run, or the one that has the session already.
    fn greet(&mut self, id: GuestId, frame: &[u8], stage: &mut dyn Host) -> Result<(), Hangup> {
        let Greeting { packet, knows_read_only } = Greeting::of(frame).map_err(|error| hang_up(error.to_string()))?;
        let ToServer::Connect { last_zxid_seen: last_zxid, timeout_ms, session, password, read_only } = packet else {
            return Err(hang_up("it does not begin with CONNECT"));
        };
        let known = of_session(stage.world(), session);
        let client = match known {
            Some(client) => client,
            None => self.free_number(stage.world()).ok_or_else(|| hang_up("there is no number left for a client"))?,
        };
        if let Some(old) = self.by_client.get(&client).copied() {
            self.close(old, "the session is taken up on another one", stage);
            self.tell(stage);
        }
        self.by_client.insert(client, id);
        let Some(guest) = self.guests.get_mut(&id) else { return Ok(()) };
        (guest.client, guest.knows_read_only) = (Some(client), knows_read_only);
        let wrong_password = session != SessionId::NONE && password != password_of(session);
        let timeout_ms = timeout_ms.min((MAX_DURATION_US / 1_000) as u32);
        let (server, name) = (guest.server, guest.name.clone());
        let connects = Action::ConnectOutside {
            client,
            server,
            timeout_ms,
            session,
            last_zxid,
            wrong_password,
            read_only,
            name,
        };
        stage.act(connects)?;
        match is_outside(stage.world(), client) {
            true => Ok(()),
            false => Err(hang_up("the run does not take it")),
        }
    }

    /// Does something that nobody waits for.
    fn act(&mut self, action: Action, stage: &mut dyn Host) {
        self.orders.extend(stage.act(action).err().map(Order::Say));
    }

    /// The lowest number of a client that the run does not have, or whose session is over, or who never got one.
    fn free_number(&self, world: &World) -> Option<ClientId> {
        let is_free = |client: &ClientId| {
            let unused = world.clients.get(client).is_none_or(|process| {
                let library = &process.client;
                let never_in = library.session == SessionId::NONE && !library.has_connection();
                library.config.outside.is_some() && (library.is_over() || never_in) && !process.paused
            });
            unused && !self.by_client.contains_key(client)
        };
        (1..=MAX_CLIENT_ID).map(ClientId).find(is_free)
    }
}

/// The client from outside that has a session.
fn of_session(world: &World, session: SessionId) -> Option<ClientId> {
    let has = |process: &ClientProcess| session != SessionId::NONE && process.client.has_outside(session);
    let found = world.clients.iter().find(|(_, process)| has(process));
    found.map(|(&client, _)| client)
}

/// The client whose session a CONNECT takes up.
fn claimed(frame: &[u8], world: &World) -> Option<ClientId> {
    match Greeting::of(frame).ok()?.packet {
        ToServer::Connect { session, .. } => of_session(world, session),
        _ => None,
    }
}

impl Guest {
    /// Whether nobody hears him now.
    fn must_wait(&self, world: &World) -> bool {
        let stands = |client: &ClientId| world.clients.get(client).is_some_and(|process| process.paused);
        match self.unread.front() {
            Some(Incoming::Frame(frame)) => {
                self.client.or_else(|| claimed(frame, world)).as_ref().is_some_and(stands)
            }
            Some(Incoming::Word(_)) => {
                world.processes.get(&self.server).is_some_and(|process| process.status == Status::Paused)
            }
            None => false,
        }
    }

    /// A four-letter word, said on the server's own machine.
    fn ask_word(&mut self, text: String, stage: &mut dyn Host, orders: &mut Vec<Order>) -> Result<(), Hangup> {
        stage.act(Action::FourLetter { server: self.server, word: text.into(), client: None })?;
        if let Some(News::Word(word, lines)) = stage.ear().take_word() {
            orders.push(Order::Write(self.id, shown(word, &lines).into_bytes()));
        }
        Err(hang_up("")) // that is all that such a connection is for
    }

    /// A frame behind CONNECT.
    fn say(&mut self, frame: &[u8], stage: &mut dyn Host, orders: &mut Vec<Order>) -> Result<(), Hangup> {
        let Some(client) = self.client else { return Ok(()) };
        let action = match Received::of(frame).map_err(|error| hang_up(error.to_string()))? {
            Received::Packet(ToServer::Ping) => Action::Ping { client },
            Received::Packet(ToServer::Auth { scheme, auth, .. }) => Action::AddAuth { client, scheme, auth },
            Received::Packet(ToServer::Request { xid, request }) => {
                self.asked.push_back((xid, request.clone()));
                Action::Ask { client, request, watcher: None, local: false, on_old_connection: false }
            }
            Received::Packet(_) => return Ok(()),
            Received::Sasl { xid } => {
                orders.push(Order::Write(self.id, sasl_reply(xid)));
                return Ok(());
            }
            Received::Unknown { xid, op } => {
                let outcome = Err(Code::Unimplemented);
                let refusal = reply(&ToClient::Reply { xid, zxid: Zxid::NONE, outcome }, None, true);
                orders.push(Order::Write(self.id, refusal));
                return Err(hang_up(format!("there is no operation {op} for clients")));
            }
        };
        Ok(stage.act(action)?)
    }

    /// A packet for him; none where it answers what he has not asked.
    fn answer(&mut self, packet: &ToClient) -> Option<Order> {
        let bytes = match packet {
            ToClient::Reply { zxid, outcome, .. } => {
                let (xid, request) = self.asked.pop_front()?;
                let packet = ToClient::Reply { xid, zxid: *zxid, outcome: outcome.clone() };
                reply(&packet, Some(&request), true)
            }
            packet => reply(packet, None, self.knows_read_only),
        };
        Some(Order::Write(self.id, bytes))
    }
}

/// An answer as it is written to a connection.
fn shown(word: FourLetterWord, lines: &[Rc<str>]) -> String {
    let end = if UNENDED.contains(&word.name()) && lines.iter().all(|line| !line.contains(' ')) { "" } else { "\n" };
    with_build(lines.join("\n")) + end
}

/// Programs look for a release and a build behind a dash (`VersionInfoMain.java`: `3.9.5-…, built on …`), where a run names the line of
/// releases alone.
fn with_build(text: String) -> String {
    let tells = |line: &str| text.contains(&version_number(line));
    match RELEASES.iter().find(|(line, _)| tells(line)) {
        Some((line, release)) => text.replace(&version_number(line), &version_number(&format!("{release}-zabscope"))),
        None => text,
    }
}
