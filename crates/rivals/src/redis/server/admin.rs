//! What operators and Sentinels say: CONFIG, CLIENT, DEBUG, SAVE, SHUTDOWN (`config.c`, `networking.c`, `debug.c`, `rdb.c`).

use std::rc::Rc;

use crate::base::ConnId;
use crate::daemon::Cx;
use crate::redis::conf::NAMES;
use crate::redis::fact::Fact;
use crate::redis::reply::Reply;

use super::files::Snapshot;
use super::session::Session;
use super::state::Server;

fn no_subcommand(name: &str, args: &[String]) -> Reply {
    let word = args.get(1).map_or("", String::as_str);
    let name = name.to_ascii_uppercase();
    Reply::error(format!("ERR unknown subcommand or wrong number of arguments for '{word}'. Try {name} HELP."))
}

impl Server {
    pub(super) fn administer(
        &mut self,
        conn: ConnId,
        name: &str,
        args: &[String],
        cx: &mut Cx<Server>,
    ) -> Option<Reply> {
        Some(match name {
            "info" => self.info(cx),
            "role" => self.role_reply(),
            "config" => self.config(args, cx),
            "client" => self.client(conn, args, cx),
            "debug" => self.debug(args),
            "save" => {
                cx.files.rdb = Some(Snapshot { data: Rc::new(self.keys.data.clone()), place: None });
                Reply::ok()
            }
            "shutdown" => return self.shutdown(args, cx),
            "reset" => {
                self.leave_channels(conn);
                let node = self.node_of(conn);
                self.sessions.insert(conn, Session::new(node));
                Reply::Status("RESET".into())
            }
            "quit" => {
                if let Some(session) = self.sessions.get_mut(&conn) {
                    session.closing = true;
                }
                Reply::ok()
            }
            _ => no_subcommand(name, args),
        })
    }

    fn config(&mut self, args: &[String], cx: &mut Cx<Server>) -> Reply {
        let word = args.get(1).map(|word| word.to_ascii_uppercase()).unwrap_or_default();
        match (&*word, args.get(2..).unwrap_or_default()) {
            ("GET", names) if !names.is_empty() => {
                let wanted =
                    |name: &str| names.iter().any(|pattern| pattern == "*" || pattern.eq_ignore_ascii_case(name));
                let known = NAMES.iter().filter(|name| wanted(name));
                let pairs = known.filter_map(|name| Some([(*name).to_string(), self.keys.conf.get(name)?]));
                Reply::texts(pairs.flatten().collect::<Vec<_>>())
            }
            ("SET", pairs) if !pairs.is_empty() && pairs.len() % 2 == 0 => {
                let was_logging = self.keys.conf.append_only;
                let mut conf = self.keys.conf.clone();
                for pair in pairs.chunks_exact(2) {
                    if let [name, value] = pair
                        && let Err(error) = conf.set(name, value)
                    {
                        return Reply::error(error);
                    }
                }
                self.keys.conf = conf;
                if self.keys.conf.append_only && !was_logging {
                    self.begin_log(cx);
                }
                self.count_good();
                Reply::ok()
            }
            ("REWRITE", []) => {
                let source = self.source().map_or("no".into(), |source| source.to_string());
                cx.files.conf.insert("replicaof".into(), source);
                for name in NAMES.iter().filter(|name| **name != "save") {
                    if let Some(value) = self.keys.conf.get(name) {
                        cx.files.conf.insert((*name).into(), value);
                    }
                }
                Reply::ok()
            }
            ("RESETSTAT", []) => {
                (self.keys.expired, self.repl.full_syncs, self.repl.partial_syncs) = (0, 0, 0);
                Reply::ok()
            }
            _ => no_subcommand("config", args),
        }
    }

    fn client(&mut self, conn: ConnId, args: &[String], cx: &mut Cx<Server>) -> Reply {
        let words: Vec<String> = args.iter().skip(1).map(|word| word.to_ascii_uppercase()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["KILL", "TYPE", kind] => self.kill_clients(conn, kind, cx),
            ["KILL", "ADDR", _] => {
                let node = args.get(3).map_or("", String::as_str);
                self.close_clients(cx, |session, _| session.node.is_some_and(|it| it.to_string() == node))
            }
            ["ID"] => Reply::Int(conn.0.min(i64::MAX as u64) as i64),
            ["SETNAME", _] => Reply::ok(),
            _ => no_subcommand("client", args),
        }
    }

    /// CLIENT KILL TYPE: all of a kind but the asker.
    fn kill_clients(&mut self, asker: ConnId, kind: &str, cx: &mut Cx<Server>) -> Reply {
        match kind {
            "NORMAL" => self.close_clients(cx, |session, conn| {
                session.replica.is_none() && !session.is_subscribed() && conn != asker
            }),
            "PUBSUB" => self.close_clients(cx, |session, conn| session.is_subscribed() && conn != asker),
            "REPLICA" | "SLAVE" => self.close_clients(cx, |session, _| session.replica.is_some()),
            "MASTER" => {
                let there = self.repl.link.conn().is_some();
                if there {
                    self.give_up_link(cx);
                }
                Reply::Int(i64::from(there))
            }
            other => Reply::error(format!("ERR Unknown client type '{}'", other.to_ascii_lowercase())),
        }
    }

    fn close_clients(&mut self, cx: &mut Cx<Server>, pick: impl Fn(&Session, ConnId) -> bool) -> Reply {
        let mut closed = 0;
        for (conn, session) in self.sessions.iter_mut() {
            if session.node.is_some() && pick(session, *conn) {
                session.closing = true;
                closed += 1;
            }
        }
        if closed > 0 {
            cx.fact(Fact::Disconnected { clients: closed });
        }
        Reply::Int(closed as i64)
    }

    fn debug(&mut self, args: &[String]) -> Reply {
        let is = |at: usize, word: &str| args.get(at).is_some_and(|arg| arg.eq_ignore_ascii_case(word));
        if is(1, "SET-ACTIVE-EXPIRE") && (is(2, "0") || is(2, "1")) {
            self.keys.conf.active_expire = is(2, "1");
            return Reply::ok();
        }
        no_subcommand("debug", args)
    }

    /// SHUTDOWN; NOSAVE writes nothing and is the only one that ends a script which has written.
    fn shutdown(&mut self, args: &[String], cx: &mut Cx<Server>) -> Option<Reply> {
        let no_save = args.get(1).is_some_and(|word| word.eq_ignore_ascii_case("NOSAVE"));
        if self.busy.is_some() && !no_save {
            return Some(Reply::error(super::process::BUSY));
        }
        match no_save {
            true => cx.exit(),
            false => self.write_and_exit(cx),
        }
        None
    }
}
