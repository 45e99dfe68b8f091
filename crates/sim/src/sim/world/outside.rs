//! Programs outside of the simulation: each connection that they make is an action.

use crate::client::{Brought, ClientConfig};
use crate::server::password_of;
use crate::sim::action::Action;
use crate::sim::reasons::ActionRefusal;
use crate::wire::Password;

use super::World;

impl World {
    /// Somebody outside connects to a server, as this action says: with the session that this client has, it connects again.
    pub(super) fn connect_outside(&mut self, action: Action) -> Result<(), ActionRefusal> {
        let Action::ConnectOutside {
            client,
            server,
            timeout_ms,
            session,
            last_zxid,
            wrong_password,
            read_only,
            name,
        } = action
        else {
            return Ok(()); // another action is another's
        };
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
        let known = self.clients.get(&client).is_some_and(|process| process.client.has_outside(session));
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
