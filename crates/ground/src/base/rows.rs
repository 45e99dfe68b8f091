//! What is inside a value, as rows for a reader: a name, a text, and rows below it. Each room tells of its own values, with
//! every field named once; who shows the rows decides how.

use std::fmt::Display;

use super::{ClientId, ConnId, MsgId, ServerId, ServerSet, SessionId, SimTime, Zxid};

/// What stands where there is nothing.
pub const NONE: &str = "–";

/// What a row's text names, where it is something that can be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refers {
    /// A server.
    Server(ServerId),
    /// A client.
    Client(ClientId),
    /// A packet.
    Packet(MsgId),
    /// A transaction, or a place in the order of them.
    Zxid(Zxid),
}

macro_rules! headings {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// Under what a group of rows stands. Every language has words for each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Heading { $($(#[$doc])* $name,)* }

        impl Heading {
            /// All of them.
            pub const ALL: &[Heading] = &[$(Heading::$name,)*];
        }
    };
}

headings! {
    /// Who belongs to the ensemble, and who leads it.
    Ensemble,
    /// The run's time and its events.
    Run,
    /// How many there are of everything.
    Counts,
    /// What can happen next, earliest first.
    Next,
    /// What programs write to outside of the ensemble.
    Resources,
    /// A process.
    Process,
    /// What a machine of another kind keeps in memory.
    Memory,
    /// A server's role and phase.
    Role,
    /// Its epochs, in memory and on disk.
    Epochs,
    /// Its log and what is committed of it.
    Log,
    /// What it keeps while it leads.
    Leading,
    /// The learners of a leader.
    Learners,
    /// Proposals without a majority.
    Proposals,
    /// What it keeps while it follows or observes.
    Learning,
    /// The replicated state.
    DataTree,
    /// Armed timers.
    Timers,
    /// A disk.
    Disk,
    /// The service for clients: sessions.
    Sessions,
    /// The connections of clients.
    Connections,
    /// Watches that a server keeps.
    Watches,
    /// The election as a server remembers it.
    Election,
    /// The connections for elections.
    ElectionLinks,
    /// A client's session.
    Session,
    /// The servers that a client may use.
    Hosts,
    /// Requests that wait for an answer.
    Requests,
    /// Watchers registered in a client.
    Watchers,
    /// What servers hold for a client.
    Held,
    /// The framework of a program.
    Framework,
    /// The recipes of a program.
    Objects,
    /// The threads of a program.
    Threads,
    /// Who holds and who waits.
    Standings,
    /// A link in the direction of the higher id.
    There,
    /// And back.
    Back,
    /// The connections on a link.
    LinkConnections,
    /// What a packet says.
    Packet,
    /// A packet's way.
    Way,
    /// A transaction.
    Transaction,
    /// Where a transaction has got to.
    Copies,
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// What tells it from the rows beside it, at every moment of a run.
    pub key: String,
    /// Its name in the field's own terms, the same in every language.
    pub name: String,
    /// Its text.
    pub text: String,
    /// What the text names.
    pub refers: Option<Refers>,
    /// The rows below it.
    pub rows: Vec<Row>,
    /// The rows below it are the end of something long: as some come at the end, others go at the beginning.
    pub sliding: bool,
}

/// The rows of a value, as they are told.
#[derive(Clone, Debug, Default)]
pub struct Rows(pub Vec<Row>);

impl Rows {
    /// A field and its value.
    pub fn put(&mut self, name: &str, value: &dyn Display) {
        self.row(name, name, value.to_string(), None);
    }

    /// A field that may have no value.
    pub fn some(&mut self, name: &str, value: Option<&dyn Display>) {
        self.row(name, name, value.map_or(NONE.into(), ToString::to_string), None);
    }

    /// A place in the order of transactions.
    pub fn zxid(&mut self, name: &str, zxid: Zxid) {
        self.row(name, name, zxid.to_string(), refers(zxid));
    }

    /// One that may be missing.
    pub fn zxid_or_none(&mut self, name: &str, zxid: Option<Zxid>) {
        self.row(name, name, zxid.map_or(NONE.into(), |zxid| zxid.to_string()), zxid.and_then(refers));
    }

    /// A server; [`ServerId::NONE`] is none.
    pub fn server(&mut self, name: &str, server: ServerId) {
        let there = Some(server).filter(|server| *server != ServerId::NONE);
        self.row(name, name, there.map_or(NONE.into(), |s| s.to_string()), there.map(Refers::Server));
    }

    /// Some servers.
    pub fn servers(&mut self, name: &str, servers: ServerSet) {
        self.row(name, name, names(servers), None);
    }

    /// A connection, or none.
    pub fn conn(&mut self, name: &str, conn: Option<ConnId>) {
        self.row(name, name, conn.map_or(NONE.into(), |conn| format!("#{}", conn.0)), None);
    }

    /// A session, or none.
    pub fn session(&mut self, name: &str, session: SessionId) {
        let none = session == SessionId::NONE;
        self.row(name, name, if none { NONE.into() } else { session.to_string() }, None);
    }

    /// A moment, or none.
    pub fn moment(&mut self, name: &str, at: Option<SimTime>) {
        self.row(name, name, at.map_or(NONE.into(), |at| at.to_string()), None);
    }

    /// A list with as many things in it as there are rows; each is told with [`Rows::item`].
    pub fn list(&mut self, name: &str, tell: impl FnOnce(&mut Rows)) {
        let mut within = Rows::default();
        tell(&mut within);
        let text = within.0.len().to_string();
        self.row(name, name, text, None).rows = within.0;
    }

    /// The end of something with `len` things in it.
    pub fn end_of(&mut self, name: &str, len: usize, tell: impl FnOnce(&mut Rows)) {
        let mut within = Rows::default();
        tell(&mut within);
        let row = self.row(name, name, len.to_string(), None);
        (row.rows, row.sliding) = (within.0, true);
    }

    /// Something with rows of its own.
    pub fn within(&mut self, name: &str, text: String, tell: impl FnOnce(&mut Rows)) {
        let mut within = Rows::default();
        tell(&mut within);
        self.row(name, name, text, None).rows = within.0;
    }

    /// One of a list: what tells it from the others, its name, its text and what it refers to.
    pub fn item(&mut self, key: &dyn Display, name: &dyn Display, text: String, refers: Option<Refers>) -> &mut Row {
        self.row(&key.to_string(), &name.to_string(), text, refers)
    }

    fn row(&mut self, key: &str, name: &str, text: String, refers: Option<Refers>) -> &mut Row {
        self.0.push(Row { key: key.into(), name: name.into(), text, refers, ..Row::default() });
        let last = self.0.len() - 1;
        &mut self.0[last]
    }
}

/// What a zxid refers to: 0:0 is before everything.
fn refers(zxid: Zxid) -> Option<Refers> {
    (zxid.counter() > 0).then_some(Refers::Zxid(zxid))
}

/// The names of some servers.
pub fn names(servers: ServerSet) -> String {
    if servers.is_empty() {
        return NONE.into();
    }
    servers.iter().map(|server| server.to_string()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_a_dash_and_a_list_counts_itself() {
        let mut rows = Rows::default();
        rows.server("leader", ServerId::NONE);
        rows.zxid("last", Zxid::new(1, 0));
        rows.list("queue", |rows| {
            rows.item(&1, &"one", "x".into(), None);
            rows.item(&2, &"two", "y".into(), None);
        });
        let texts: Vec<&str> = rows.0.iter().map(|row| row.text.as_str()).collect();
        assert_eq!(texts, [NONE, "1:0", "2"]);
        assert_eq!((rows.0[1].refers, rows.0[2].rows.len()), (None, 2), "no transaction is numbered 0");
    }
}
