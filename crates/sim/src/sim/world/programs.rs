//! Programs on clients: recipes and their threads, and what they use outside of the ensemble.

use std::rc::Rc;

use crate::base::{ClientId, Prng, Stream, Zxid};
use crate::client;
use crate::recipes::{App, CuratorConfig, Input, Outbox, Refusal, ThreadId, Told};
use crate::sim::agenda::Choice;
use crate::sim::fact::{Fact, WorldFact};
use crate::sim::reasons::ActionRefusal;

use super::World;

impl World {
    pub(super) fn set_up_curator(&mut self, client: ClientId, config: CuratorConfig) -> Result<(), ActionRefusal> {
        if self.client_process(client)?.app.is_some() {
            return Err(ActionRefusal::ProgramRefuses { client, why: Refusal::FrameworkAtWork });
        }
        if let Some(process) = self.clients.get_mut(&client) {
            process.curator = config;
        }
        Ok(())
    }

    /// Lets a client's program do something. The first time there is none yet.
    pub(super) fn act_in(&mut self, client: ClientId, input: Input) -> Result<(), ActionRefusal> {
        let process = self.client_process(client)?;
        if process.client.config.raw {
            return Err(ActionRefusal::RawClient { client });
        }
        if process.paused {
            return Err(ActionRefusal::WrongClientStatus { client, paused: true });
        }
        let own_seed = self.seed_of(client);
        if let Some(process) = self.clients.get_mut(&client) {
            let (config, prng) = (process.curator, Prng::new(own_seed, Stream::Recipe));
            let app = process.app.get_or_insert_with(|| App::new(client, config, &process.client, prng));
            if let Some(why) = app.refusal(&input) {
                return Err(ActionRefusal::ProgramRefuses { client, why });
            }
        }
        if let Some(out) = self.tell_program(client, vec![input]) {
            self.do_for_program(client, out);
        }
        Ok(())
    }

    fn do_for_program(&mut self, client: ClientId, out: Outbox) {
        self.do_for_client_and_program(client, out.library.items, out.told);
    }

    /// Tells a program what happened; what it wants done. `None` where there is nothing to tell, or nobody.
    pub(super) fn tell_program(&mut self, client: ClientId, inputs: Vec<Input>) -> Option<Outbox> {
        if inputs.is_empty() {
            return None;
        }
        let process = self.clients.get_mut(&client)?;
        let app = process.app.as_mut()?;
        let library = client::Outbox { items: Vec::new(), next_conn: self.next_conn };
        let mut out = Outbox { library, told: Vec::new() };
        for input in inputs {
            app.handle(self.now, input, &mut process.client, &mut out);
        }
        self.next_conn = out.library.next_conn;
        self.set_program_timer(client);
        Some(out)
    }

    pub(super) fn program_timer(&mut self, client: ClientId) {
        if let Some(out) = self.tell_program(client, vec![Input::Timer]) {
            self.do_for_program(client, out);
        }
    }

    /// The program's earliest time goes on the agenda.
    pub(super) fn set_program_timer(&mut self, client: ClientId) {
        let next = self.clients.get(&client).and_then(|process| process.app.as_ref()?.next_at());
        match next {
            Some(at) => self.agenda.set(Choice::Program(client), at.max(self.now)),
            None => drop(self.agenda.remove(Choice::Program(client))),
        }
    }

    pub(super) fn told_by_program(&mut self, client: ClientId, told: Told) {
        match told {
            Told::Fact(fact) => self.record(Fact::Program { client, fact }, None),
            Told::Use { thread, resource, token } => self.use_resource(client, thread, resource, token),
        }
    }

    /// A resource takes every write but those with an older token than it has seen.
    fn use_resource(&mut self, client: ClientId, thread: ThreadId, resource: Rc<str>, token: Option<Zxid>) {
        let newest = self.resources.get(&resource).copied().flatten();
        match (token, newest) {
            (Some(token), Some(newest)) if token < newest => {
                self.fact(WorldFact::ResourceRefused { resource, client, thread, token, newest });
            }
            _ => {
                self.resources.insert(resource.clone(), token.or(newest));
                self.fact(WorldFact::ResourceWritten { resource, client, thread, token });
            }
        }
    }
}
