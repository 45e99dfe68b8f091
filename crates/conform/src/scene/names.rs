//! What clients and random names are called in traces.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::ClientId;

/// Length of a UUID in text.
const UUID: usize = 36;
/// Length of the same in kazoo, which leaves the hyphens out.
const HEX: usize = 32;
const PROTECTED: &str = "_c_";

/// Names of clients, and whose the random names are.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    clients: BTreeMap<ClientId, String>,
    /// What they call themselves.
    own: BTreeMap<String, ClientId>,
    /// The client that used the random name first.
    makers: BTreeMap<Rc<str>, ClientId>,
}

impl Names {
    pub(super) fn add(&mut self, client: ClientId, name: &str) {
        self.clients.insert(client, name.into());
        self.own.insert(name.into(), client);
    }

    /// A client's own name as it is called now; any other text as it is.
    pub(super) fn renamed<'a>(&'a self, text: &'a str) -> &'a str {
        self.own.get(text).map_or(text, |client| self.of(*client))
    }

    /// The client of this name.
    pub(super) fn client(&self, name: &str) -> Option<ClientId> {
        self.clients.iter().find(|(_, known)| *known == name).map(|(client, _)| *client)
    }

    pub(super) fn of(&self, client: ClientId) -> &str {
        self.clients.get(&client).map_or("?", String::as_str)
    }

    /// Everybody is called otherwise from now on.
    pub(super) fn rename(&mut self, names: &BTreeMap<String, String>) {
        for name in self.clients.values_mut() {
            if let Some(other) = names.get(name) {
                *name = other.clone();
            }
        }
    }

    /// A client creates a node of this path.
    pub(super) fn note(&mut self, client: ClientId, path: &str) {
        if let Some(name) = path.rsplit('/').next().filter(|name| is_uuid(name)) {
            self.makers.entry(name.into()).or_insert(client);
        }
    }

    /// A path without what is random in it.
    pub(super) fn path(&self, path: &str) -> String {
        path.split('/').map(|name| self.node(name)).collect::<Vec<_>>().join("/")
    }

    fn node(&self, name: &str) -> String {
        if is_uuid(name) {
            let maker = self.makers.get(name).map_or("?", |client| self.of(*client));
            return format!("<guid:{maker}>");
        }
        // kazoo's: the digits alone, before `__lock__` and a number
        if let Some((_, rest)) =
            name.split_at_checked(HEX).filter(|(hex, rest)| is_hex(hex) && rest.starts_with("__"))
        {
            return format!("<guid>{rest}");
        }
        let protected = name.strip_prefix(PROTECTED).and_then(|rest| rest.split_at_checked(UUID));
        match protected {
            Some((guid, rest)) if is_uuid(guid) && rest.starts_with('-') => format!("{PROTECTED}<guid>{rest}"),
            _ => name.into(),
        }
    }
}

fn is_hex(text: &str) -> bool {
    text.len() == HEX && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_uuid(text: &str) -> bool {
    if is_hex(text) {
        return true;
    }
    let fits = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() == UUID && text.bytes().enumerate().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_names_are_written_by_their_maker() {
        let mut names = Names::default();
        names.add(ClientId(7), "a");
        let guid = "0ab1c2d3-0000-4000-8000-0123456789ab";
        names.note(ClientId(7), &format!("/db/{guid}"));
        assert_eq!(names.path(&format!("/db/{guid}")), "/db/<guid:a>");
        assert_eq!(names.path(&format!("/l/_c_{guid}-lock-0000000003")), "/l/_c_<guid>-lock-0000000003");
        for plain in ["/", "/lock", "/lock/_c_x-lock-1", "/l/_c_"] {
            assert_eq!(names.path(plain), plain);
        }
    }
}
