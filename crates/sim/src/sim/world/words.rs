//! Four-letter words that are said to servers: on a server's own machine, or on a client's, from where they travel as its packets do.

use std::rc::Rc;

use crate::base::{ClientId, ConnId, ServerId};
use crate::client::Input;
use crate::server;
use crate::sim::fact::WorldFact;
use crate::sim::four_letter::told;
use crate::sim::host;
use crate::sim::network::{Parcel, Port};
use crate::sim::reasons::{ActionRefusal, Silence, Status};
use crate::wire::{ToClient, ToServer};

use super::World;

/// A word on a connection of its own.
#[derive(Clone, Debug, Hash)]
pub(super) struct Asking {
    /// On whose machine it was said.
    pub(super) client: ClientId,
    server: ServerId,
    text: Rc<str>,
}

impl World {
    /// `echo srvr | nc S1 2181`.
    pub(super) fn say_word(
        &mut self,
        server: ServerId,
        text: Rc<str>,
        client: Option<ClientId>,
    ) -> Result<(), ActionRefusal> {
        let Some(client) = client else {
            self.expect(server, &[Status::Running])?;
            if self.process(server)?.server().is_none() {
                return Err(ActionRefusal::NoSuchServer { server });
            }
            self.input(server, host::Input::Server(server::Input::Word(text)));
            return Ok(());
        };
        self.process(server)?;
        if self.client_process(client)?.paused {
            return Err(ActionRefusal::WrongClientStatus { client, paused: true });
        }
        let conn = ConnId(self.next_conn);
        self.next_conn += 1;
        self.words.insert(conn, Asking { client, server, text });
        self.dial(conn, client.into(), server.into(), Port::Client);
        Ok(())
    }

    /// Something comes to a client's machine: for a word that was said there, or for the client itself.
    pub(super) fn tell_client(&mut self, client: ClientId, input: Input) {
        let about = match &input {
            Input::Connected(conn) | Input::Refused(conn) | Input::Closed(conn) | Input::Packet(conn, _) => {
                Some(*conn)
            }
            _ => None,
        };
        match about.and_then(|conn| Some((conn, self.words.get(&conn)?.clone()))) {
            Some((conn, asking)) => self.word_hears(conn, asking, input),
            None => self.client_input(client, input),
        }
    }

    fn word_hears(&mut self, conn: ConnId, asking: Asking, input: Input) {
        let Asking { client, server, text } = asking;
        if let Input::Connected(_) = input {
            return self.send(client.into(), conn, Parcel::ToServer(ToServer::Word { text }));
        }
        self.words.remove(&conn);
        match input {
            Input::Packet(_, ToClient::Text { text: answer }) => {
                self.fact(told(server, text, Some(&answer), Some(client)));
                self.close(client.into(), conn);
            }
            Input::Refused(_) => {
                let (client, silence) = (Some(client), Silence::Refused);
                self.fact(WorldFact::FourLetterUnanswered { server, word: text, silence, client });
            }
            _ => self.fact(told(server, text, None, Some(client))),
        }
    }
}
