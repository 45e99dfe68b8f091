//! Clients in a world: what is done to them, and what they want done.

use std::rc::Rc;

use crate::base::limits::MAX_CLIENTS;
use crate::base::{ClientId, ConnId, Node, Prng, ServerId, SessionId, Stream, Way};
use crate::client::{Client, ClientConfig, Input, Move, Outbox, Output};
use crate::sim::agenda::Choice;
use crate::sim::client_process::ClientProcess;
use crate::sim::fact::{Fact, WorldFact};
use crate::sim::host;
use crate::sim::move_to::MoveTo;
use crate::sim::network::{Parcel, Port};
use crate::sim::process::Process;
use crate::sim::reasons::ActionRefusal;
use crate::{client, recipes, server};

use super::World;

impl World {
    pub(super) fn move_client(&mut self, client: ClientId, to: MoveTo) -> Result<(), ActionRefusal> {
        self.process(to.server)?;
        let (wrong_password, claim_ahead, keep_old) = (to.wrong_password, to.claim_ahead, to.keep_old);
        let to = Move { to: to.server, wrong_password, claim_ahead, keep_old };
        self.fit(client, Client::may_move, ActionRefusal::ClientOver { client })?;
        self.with_client(client, |library, now, out| library.move_to(now, to, out))
    }

    pub(super) fn client_process(&self, client: ClientId) -> Result<&ClientProcess, ActionRefusal> {
        self.clients.get(&client).ok_or(ActionRefusal::NoSuchClient { client })
    }

    /// Refuses for this reason what would do nothing to a client. One that is paused is refused as such.
    pub(super) fn fit(
        &self,
        client: ClientId,
        fits: impl Fn(&Client) -> bool,
        otherwise: ActionRefusal,
    ) -> Result<(), ActionRefusal> {
        let process = self.client_process(client)?;
        if process.paused || fits(&process.client) { Ok(()) } else { Err(otherwise) }
    }

    /// A client of the simulation begins, as an action says.
    pub(super) fn open_by_action(
        &mut self,
        id: ClientId,
        servers: Vec<ServerId>,
        timeout_ms: u32,
        chroot: Option<Rc<str>>,
        raw: bool,
    ) -> Result<(), ActionRefusal> {
        let servers = if servers.is_empty() { self.processes.keys().copied().collect() } else { servers };
        let rules = self.run.setup.rules_in_force();
        self.open_client(ClientConfig {
            id,
            servers,
            timeout_ms,
            chroot,
            raw,
            outside: None,
            expires: !raw && !rules.breaks(Way::ClientNeverExpires),
            read_only: self.run.setup.can_be_read_only,
            stop_cuts: false, // until its program turns out to be kazoo's
            rules,
        })
    }

    pub(super) fn open_client(&mut self, config: ClientConfig) -> Result<(), ActionRefusal> {
        let (client, servers, timeout_ms) = (config.id, config.servers.clone(), config.timeout_ms);
        for &server in &servers {
            self.process(server)?;
        }
        match self.clients.get(&client) {
            Some(process) if !process.client.is_over() => return Err(ActionRefusal::ClientThere { client }),
            None if self.clients.len() >= MAX_CLIENTS => {
                return Err(ActionRefusal::NoRoomForClients { most: MAX_CLIENTS });
            }
            _ => self.remove_client(client),
        }
        self.fact(WorldFact::ClientOpened { client, servers, timeout_ms });
        *self.opened.get_or(client, 0) += 1;
        let own_seed = self.seed_of(client);
        let mut out = Outbox { items: Vec::new(), next_conn: self.next_conn };
        let library = Client::open(config, Prng::new(own_seed, Stream::Client), self.now, &mut out);
        self.clients.insert(client, ClientProcess::new(client, library));
        self.do_for_client(client, out);
        Ok(())
    }

    /// Lets a client's library do something on behalf of its application.
    pub(super) fn with_client(
        &mut self,
        client: ClientId,
        act: impl FnOnce(&mut Client, crate::base::SimTime, &mut Outbox),
    ) -> Result<(), ActionRefusal> {
        if self.client_process(client)?.paused {
            return Err(ActionRefusal::WrongClientStatus { client, paused: true });
        }
        let mut out = Outbox { items: Vec::new(), next_conn: self.next_conn };
        if let Some(process) = self.clients.get_mut(&client) {
            act(&mut process.client, self.now, &mut out);
        }
        self.do_for_client(client, out);
        Ok(())
    }

    pub(super) fn client_input(&mut self, client: ClientId, input: Input) {
        let _ = self.with_client(client, |library, now, out| library.handle(now, input, out));
    }

    /// Does what a library wants done. What it tells its program makes the program want more, until both rest.
    fn do_for_client(&mut self, client: ClientId, out: Outbox) {
        self.next_conn = out.next_conn;
        self.do_for_client_and_program(client, out.items, Vec::new());
    }

    /// The same, with what its program told beside it.
    pub(super) fn do_for_client_and_program(
        &mut self,
        client: ClientId,
        mut items: Vec<Output>,
        mut told: Vec<(usize, recipes::Told)>,
    ) {
        loop {
            let mut inputs = Vec::new();
            let mut told_next = told.into_iter().peekable();
            for (index, output) in items.into_iter().enumerate() {
                while let Some((_, told)) = told_next.next_if(|(at, _)| *at <= index) {
                    self.told_by_program(client, told);
                }
                inputs.extend(self.do_output(client, output));
            }
            told_next.for_each(|(_, told)| self.told_by_program(client, told));
            match self.tell_program(client, inputs) {
                Some(out) => (items, told) = (out.library.items, out.told),
                None => return,
            }
        }
    }

    /// Does one thing for a library; what its program is to hear of it.
    fn do_output(&mut self, client: ClientId, output: Output) -> Option<recipes::Input> {
        match output {
            Output::Dial(conn, server) => self.dial_as_client(conn, client, server),
            Output::Close(conn) => self.close(client.into(), conn),
            Output::Send(conn, packet) => self.send(client.into(), conn, Parcel::ToServer(packet)),
            Output::SetTimer(timer, at) => {
                if let Some(process) = self.clients.get_mut(&client) {
                    process.timers.insert(timer, at);
                    self.agenda.set(Choice::ClientTimer(client, timer), at.max(self.now));
                }
            }
            Output::CancelTimer(timer) => {
                if let Some(process) = self.clients.get_mut(&client) {
                    process.timers.remove(&timer);
                    self.agenda.remove(Choice::ClientTimer(client, timer));
                }
            }
            Output::Answered(call, outcome) => return Some(recipes::Input::Answered(call, outcome)),
            Output::Event(watcher, event) => return Some(recipes::Input::Event(watcher, event)),
            Output::Fact(fact) => self.told_by_client(client, fact),
        }
        None
    }

    /// A fact of a library; and what it tells of a program outside, of whom nothing else is known.
    fn told_by_client(&mut self, client: ClientId, fact: client::Fact) {
        let outside = self.clients.get_mut(&client).and_then(|process| process.outside.as_mut());
        let recognised = outside.map(|program| program.read(&fact)).unwrap_or_default();
        self.record(Fact::Client { client, fact }, None);
        for fact in recognised {
            self.record(Fact::Program { client, fact }, None);
        }
    }

    /// What a client draws from, and its program.
    pub(super) fn seed_of(&self, client: ClientId) -> u64 {
        let opened = self.opened.get(&client).copied().unwrap_or(0);
        self.run.seed ^ (u64::from(client.0) << 32) ^ opened
    }

    fn dial_as_client(&mut self, conn: ConnId, client: ClientId, server: ServerId) {
        self.dial(conn, client.into(), server.into(), Port::Client);
    }

    pub(super) fn client_timer(&mut self, client: ClientId, timer: crate::client::Timer) {
        if let Some(process) = self.clients.get_mut(&client) {
            process.timers.remove(&timer);
        }
        self.client_input(client, Input::Timer(timer));
    }

    /// The process dies: its connections end, its session lives on.
    pub(super) fn kill_client(&mut self, client: ClientId) -> Result<(), ActionRefusal> {
        self.client_process(client)?;
        self.fact(WorldFact::ClientKilled { client });
        self.remove_client(client);
        Ok(())
    }

    fn remove_client(&mut self, client: ClientId) {
        let Some(process) = self.clients.remove(&client) else { return };
        for timer in process.timers.into_keys() {
            self.agenda.remove(Choice::ClientTimer(client, timer));
        }
        self.agenda.remove(Choice::Program(client));
        self.words.retain(|_, asking| asking.client != client);
        self.reset_connections(client.into());
    }

    pub(super) fn pause_client(&mut self, client: ClientId) -> Result<(), ActionRefusal> {
        if self.client_process(client)?.paused {
            return Err(ActionRefusal::WrongClientStatus { client, paused: true });
        }
        if let Some(process) = self.clients.get_mut(&client) {
            process.paused = true;
            for &timer in process.timers.keys() {
                self.agenda.remove(Choice::ClientTimer(client, timer));
            }
        }
        self.agenda.remove(Choice::Program(client));
        self.enable_all(|_, to| to == Node::Client(client));
        self.fact(WorldFact::ClientPaused { client });
        Ok(())
    }

    /// A paused client goes on: first it reads what waits, then its timers come, late.
    pub(super) fn resume_client(&mut self, client: ClientId) -> Result<(), ActionRefusal> {
        if !self.client_process(client)?.paused {
            return Err(ActionRefusal::WrongClientStatus { client, paused: false });
        }
        let mut timers = Default::default();
        if let Some(process) = self.clients.get_mut(&client) {
            process.paused = false;
            timers = process.timers.clone();
        }
        self.fact(WorldFact::ClientResumed { client });
        self.enable_all(|_, to| to == Node::Client(client));
        for (timer, at) in timers {
            self.agenda.set(Choice::ClientTimer(client, timer), at.max(self.now));
        }
        self.set_program_timer(client);
        Ok(())
    }

    /// The leader ends the session, as it does when nothing was heard of it.
    pub(super) fn expire_client(&mut self, client: ClientId) -> Result<(), ActionRefusal> {
        let session = self.client_process(client)?.client.session;
        let leads = |server: &ServerId| {
            self.processes.get(server).and_then(Process::server).is_some_and(|memory| {
                memory.service.leading.as_ref().is_some_and(|leading| leading.is_alive(session))
            })
        };
        let leader = self.processes.keys().copied().rev().find(leads);
        let Some(leader) = leader.filter(|_| session != SessionId::NONE) else {
            return Err(ActionRefusal::NoSession { client });
        };
        self.input(leader, host::Input::Server(server::Input::Expire(session)));
        Ok(())
    }
}
