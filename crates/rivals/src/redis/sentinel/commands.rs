//! What others say to a Sentinel: Sentinels, clients that look for the master, an operator.

use crate::base::{ConnId, ServerId};
use crate::daemon::Cx;
use crate::redis::PORT;
use crate::redis::fact::Fact;
use crate::redis::line::split;
use crate::redis::message::Message;
use crate::redis::reply::Reply;

use super::state::Sentinel;
use super::watch::{HELLO, NAME};

impl Sentinel {
    /// A command has arrived; a vote is answered when it is on disk.
    pub(super) fn command(&mut self, conn: ConnId, args: &[String], cx: &mut Cx<Sentinel>) {
        if args.first().is_some_and(|name| name.eq_ignore_ascii_case("SUBSCRIBE")) {
            return self.subscribe(conn, args, cx);
        }
        let before = self.vote;
        let reply = self.answer(args, cx);
        match self.vote == before {
            true => cx.send(conn, Message::Reply { reply }),
            false => self.save(Some((conn, reply)), cx),
        }
    }

    fn subscribe(&mut self, conn: ConnId, args: &[String], cx: &mut Cx<Sentinel>) {
        let channels = self.asking.get_or_default(conn);
        for channel in args.iter().skip(1) {
            channels.push(channel.clone());
            let count = Reply::Int(channels.len() as i64);
            let parts = vec![Reply::Bulk("subscribe".into()), Reply::Bulk(channel.clone()), count];
            cx.send(conn, Message::Reply { reply: Reply::Array(parts) });
        }
    }

    fn answer(&mut self, args: &[String], cx: &mut Cx<Sentinel>) -> Reply {
        let words: Vec<&str> = args.iter().map(String::as_str).collect();
        let upper = |word: Option<&&str>| word.map(|word| word.to_ascii_uppercase()).unwrap_or_default();
        match (&*upper(words.first()), &*upper(words.get(1)), words.get(2..).unwrap_or_default()) {
            ("PING", ..) => Reply::Status("PONG".into()),
            ("PUBLISH", _, [hello]) if words.get(1) == Some(&HELLO) => {
                self.hello(hello, cx);
                Reply::Int(1)
            }
            ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", [NAME]) => {
                Reply::texts([self.current_master().to_string(), PORT.into()])
            }
            ("SENTINEL", "GET-MASTER-ADDR-BY-NAME", [_]) => Reply::NilArray,
            ("SENTINEL", "IS-MASTER-DOWN-BY-ADDR", [master, _, epoch, candidate]) => {
                self.is_master_down(master, epoch, candidate, cx)
            }
            ("SENTINEL", "CKQUORUM", [NAME]) => self.check_quorum(),
            (name, ..) => Reply::error(format!("ERR unknown command '{name}', with args beginning with: ")),
        }
    }

    /// Whether this Sentinel finds the master down, and for whom it votes.
    fn is_master_down(&mut self, master: &str, epoch: &str, candidate: &str, cx: &mut Cx<Sentinel>) -> Reply {
        let (Some(master), Ok(epoch)) = (ServerId::named(master), epoch.parse::<u64>()) else {
            return Reply::error("ERR value is not an integer or out of range");
        };
        let is_ours = master == self.master;
        let down = is_ours && self.instances.get(&master).is_some_and(|instance| instance.down_since.is_some());
        let vote = ServerId::named(candidate).filter(|_| is_ours).and_then(|whom| self.vote_for(whom, epoch, cx));
        let (leader, epoch) = vote.map_or(("*".into(), 0), |(whom, epoch)| (whom.to_string(), epoch as i64));
        Reply::Array(vec![Reply::Int(i64::from(down)), Reply::Bulk(leader), Reply::Int(epoch)])
    }

    fn check_quorum(&self) -> Reply {
        let sentinels = self.sentinels();
        let down = |id: &&ServerId| self.instances.get(id).is_some_and(|it| it.down_since.is_some());
        let usable = sentinels.len() + 1 - sentinels.iter().filter(down).count();
        let (all, quorum) = (sentinels.len() + 1, usize::from(self.config.quorum));
        match usable >= quorum && usable > all / 2 {
            true => Reply::Status(format!(
                "OK {usable} usable Sentinels. Quorum and failover authorization can be reached"
            )),
            false => Reply::error(format!(
                "NOQUORUM {usable} usable Sentinels. Not enough available Sentinels to reach the majority and authorize a failover"
            )),
        }
    }

    /// A line typed at the Sentinel itself.
    pub(super) fn operate(&mut self, line: &str, cx: &mut Cx<Sentinel>) {
        let reply = match split(line) {
            Some(args) if !args.is_empty() => self.answer(&args, cx),
            _ => Reply::error("Invalid argument(s)"),
        };
        cx.fact(Fact::Operated { line: line.into(), reply });
    }
}
