//! Programs outside of the simulation: each connection that they make is an action.

use std::rc::Rc;

use crate::base::{ClientId, ServerId, SessionId, Zxid};
use crate::client::{Brought, ClientConfig};
use crate::server::password_of;
use crate::sim::reasons::ActionRefusal;
use crate::wire::Password;

use super::World;

impl World {
    /// Somebody outside connects to a server: with the session that this client has, it connects again. What he says: the session,
    /// the last zxid that he has seen, and whether the password is false; and what he is called, where that is known.
    pub(super) fn connect_outside(
        &mut self,
        client: ClientId,
        server: ServerId,
        timeout_ms: u32,
        read_only: bool,
        (session, last_zxid, wrong_password): (SessionId, Zxid, bool),
        name: Option<Rc<str>>,
    ) -> Result<(), ActionRefusal> {
        self.process(server)?;
        let password = if wrong_password { Password(!password_of(session).0) } else { password_of(session) };
        let brought = Brought { session, password, last_zxid };
        let config = ClientConfig {
            id: client,
            servers: vec![server],
            timeout_ms,
            chroot: None,
            raw: true,
            outside: Some(brought),
            expires: false,
            read_only,
            stop_cuts: false,
            rules: self.run.setup.rules_in_force(),
        };
        let known = self.clients.get(&client).is_some_and(|process| {
            let library = &process.client;
            library.config.outside.is_some() && !library.is_over() && library.session == session
        });
        match known {
            true => self.with_client(client, |library, now, out| library.connect_again(config, now, out))?,
            false => self.open_client(config)?,
        }
        if let Some(process) = self.clients.get_mut(&client) {
            let program = process.outside.get_or_insert_default();
            program.name = name.or(program.name.take());
        }
        Ok(())
    }
}
