//! A second opinion on the store: every transaction and every answer once more, by a store that shares no code with the
//! servers'. The other properties judge by the servers' own code, which finds errors of replication, never of the store.
//!
//! It costs about as much as the other properties together, so it is for the soak and the command line; the page does not carry it.

mod store;

use std::collections::BTreeMap;

use crate::base::{Arrange, MsgId};
use crate::sim::{Fact, Setup, WorldFact};
use crate::store::{Op, Txn};
use crate::wire::{Answer, Code, Outcome};

use super::evidence::{Breach, Evidence};
use super::history::NodeId;
use super::witness::{Step, Witness};
use super::{Checker, Property};

use store::{At, Not, Store};

/// How many of the newest states are kept: an older one no server answers from.
const STATES: usize = 512;

/// What no single fact shows, but a store beside the servers'.
pub const SECOND_STORE: Property = Property::beside(
    "second-store",
    "A second store agrees",
    "Every write and every read comes to what a separately written store makes of it.",
    "PrepRequestProcessor.java, DataTree.java, FinalRequestProcessor.java",
);

/// Who looks at the steps beside the properties.
pub trait Judge {
    /// What is wrong, if anything; asked before the step takes effect.
    fn judge(&mut self, witness: &Witness, step: &Step) -> Option<Evidence>;
}

impl Judge for () {
    fn judge(&mut self, _: &Witness, _: &Step) -> Option<Evidence> {
        None
    }
}

/// The committed states, each with what its last transaction answers.
#[derive(Clone, Debug)]
pub struct SecondStore {
    now: Store,
    states: BTreeMap<NodeId, (Store, Option<Outcome>)>,
}

impl Checker<SecondStore> {
    /// At the beginning of a run with this setup, with a second store beside the properties.
    pub fn with_second_store(setup: &Setup) -> Checker<SecondStore> {
        let now = Store::new(&setup.cversions);
        let states = BTreeMap::from([(NodeId::ROOT, (now.clone(), None))]);
        Checker::judging(setup, SecondStore { now, states })
    }
}

impl Judge for SecondStore {
    fn judge(&mut self, witness: &Witness, step: &Step) -> Option<Evidence> {
        if !witness.saw_all() {
            return None; // it makes its states of requests and transactions, from the first one on
        }
        let mut breach = None;
        for &node in &step.committed {
            let wrong = self.commits(witness, node);
            breach = breach.or(wrong);
        }
        if let Fact::World(WorldFact::Delivered { msg, .. }) = step.fact {
            breach = breach.or_else(|| self.answers(witness, *msg));
        }
        breach.map(Evidence::Client)
    }
}

impl SecondStore {
    /// A transaction becomes committed.
    fn commits(&mut self, witness: &Witness, node: NodeId) -> Option<Breach> {
        let (zxid, txn) = (witness.zxid(node), witness.histories.txn(node)?);
        let behind = witness.clients.behind(txn.session, txn.cxid).filter(|(_, asked)| !asked.overlapping);
        let who = behind.map_or(&[][..], |(_, asked)| &asked.who);
        let at = At { session: txn.session, who, zxid, time: txn.time };
        let (mut next, mut outcome, mut breach) = (self.now.clone(), None, None);
        match behind.filter(|_| is_known(&txn.op)).map(|(client, asked)| (client, next.write(&asked.request, &at))) {
            None | Some((_, Err(Not::Sure))) => {
                next = self.now.clone();
                next.follow(&txn.op, &at);
            }
            Some((client, done)) => {
                let done = done.map_err(|not| if let Not::Refused(code) = not { code } else { Code::SystemError });
                if !agrees(witness, node, txn, &done, &next) {
                    breach = Some(Breach::WrongResult { client, zxid });
                    next = self.now.clone();
                    next.follow(&txn.op, &at);
                } else {
                    outcome = Some(done);
                }
            }
        }
        self.now = next.clone();
        self.states.insert(node, (next, outcome));
        if self.states.len() > STATES {
            self.states.pop_first();
        }
        breach
    }

    /// An answer arrives.
    fn answers(&self, witness: &Witness, msg: MsgId) -> Option<Breach> {
        let (reply, view, asked) = witness.clients.reply(msg).filter(|(_, view, _)| !view.overlapping)?;
        let (client, server, xid, zxid) = (reply.client, reply.server, reply.xid, reply.zxid);
        if reply.ordered {
            let node = witness.histories.prefix_at(zxid, reply.state)?;
            let right = self.states.get(&node)?.1.as_ref()?;
            return (*right != reply.outcome).then_some(Breach::WrongAnswer { client, server, zxid });
        }
        if reply.outcome == Err(Code::SessionExpired) {
            return None;
        }
        let (state, _) = self.states.get(&reply.state)?;
        let at = At { session: view.session, who: &asked.who, zxid, time: 0 };
        let right = match state.read(&asked.request, &at) {
            Ok(answer) => Ok(answer),
            Err(Not::Refused(code)) => Err(code),
            Err(Not::Sure) => return None,
        };
        let state = witness.zxid(reply.state);
        (!is_same(&right, &reply.outcome)).then_some(Breach::WrongRead { client, server, xid, state })
    }
}

/// Whether this store knows why a request is refused so.
fn is_known(op: &Op) -> bool {
    let known = |code: &Code| {
        use Code::*;
        matches!(
            code,
            Ok | RuntimeInconsistency
                | NoNode
                | NodeExists
                | NotEmpty
                | BadVersion
                | NoAuth
                | InvalidACL
                | BadArguments
                | NoChildrenForEphemerals
        )
    };
    match op {
        Op::Error(code) => known(code),
        Op::FailedMulti(codes) => codes.iter().all(known),
        _ => true,
    }
}

/// Whether a transaction is what this store has done.
fn agrees(witness: &Witness, node: NodeId, txn: &Txn, done: &Outcome, next: &Store) -> bool {
    match (&txn.op, done) {
        (Op::Error(code), Err(right)) => code == right,
        (Op::FailedMulti(codes), Ok(Answer::Multi(right))) => {
            right.iter().map(|part| part.as_ref().err()).eq(codes.iter().map(Some))
        }
        (Op::Error(_) | Op::FailedMulti(_), _) | (_, Err(_)) => false,
        (op, Ok(_)) => {
            let Some(tree) = witness.histories.model(node) else { return true };
            let mut paths = Vec::new();
            touched(op, &mut paths);
            // what is below /zookeeper servers write too, without a transaction
            paths.into_iter().filter(|path| !path.starts_with("/zookeeper")).all(|path| {
                let theirs = tree.get(path).map(|node| (node.data.clone(), node.acl.to_vec(), node.stat()));
                theirs == next.seen(path)
            })
        }
    }
}

/// The nodes that a transaction changes, and their parents.
fn touched<'a>(op: &'a Op, paths: &mut Vec<&'a str>) {
    let mut both = |path: &'a str| paths.extend([Some(path), crate::wire::parent_of(path)].into_iter().flatten());
    match op {
        Op::Create { path, .. } | Op::Delete { path } | Op::SetData { path, .. } | Op::SetAcl { path, .. } => {
            both(path)
        }
        Op::CloseSession { paths: gone } => gone.iter().for_each(|path| both(path)),
        Op::Multi(ops) => ops.iter().for_each(|op| touched(op, paths)),
        _ => {}
    }
}

/// Whether two answers say the same: names of children and paths come in no order to rely on.
fn is_same(right: &Outcome, told: &Outcome) -> bool {
    match (right, told) {
        (Ok(Answer::Children { names, stat }), Ok(Answer::Children { names: told, stat: other })) => {
            let (mut names, mut told) = (names.clone(), told.clone());
            names.arrange();
            told.arrange();
            names == told && stat == other
        }
        (Ok(Answer::Paths(paths)), Ok(Answer::Paths(told))) => {
            let (mut paths, mut told) = (paths.clone(), told.clone());
            paths.arrange();
            told.arrange();
            paths == told
        }
        (Ok(Answer::Multi(right)), Ok(Answer::Multi(told))) => {
            right.len() == told.len() && right.iter().zip(told).all(|(right, told)| is_same(right, told))
        }
        _ => right == told,
    }
}

#[cfg(test)]
mod tests {
    use crate::check::testkit::{SESSION, Story, create, get};
    use crate::store::{Op, Owner};
    use crate::wire::{Answer, Code, CreateMode, Request};

    #[test]
    fn what_the_servers_store_has_right_is_right_here_too() {
        let mut story = Story::with_znode();
        story.ask(3, 2, create("/a/b", CreateMode::Ephemeral));
        let _ = story.txn("1:3", 2, Story::created("/a/b", Owner::Session(SESSION), 1));
        story.ask(3, 3, Request::Delete { path: "/a".into(), version: -1 });
        let _ = story.txn("1:4", 3, Op::Error(Code::NotEmpty));
        let there = story.reads(&get("/a"));
        story.ask(3, 4, get("/a")).reply(3, 4, "1:4", there);
        assert_eq!((story.violated(), story.second()), (Vec::new(), None));
    }

    #[test]
    fn a_transaction_that_the_store_would_not_make_is_seen() {
        let mut story = Story::with_znode();
        story.ask(3, 2, Request::SetData { path: "/a".into(), data: None, version: 7 });
        let _ = story.txn("1:3", 2, Op::SetData { path: "/a".into(), data: None, version: 1 });
        assert_eq!(story.second().as_deref(), Some("second-store"));
    }

    #[test]
    fn a_read_of_something_else_is_seen() {
        let mut story = Story::with_znode();
        let Ok(Answer::Data { stat, .. }) = story.reads(&get("/a")) else { panic!("no node") };
        story.ask(3, 2, get("/a")).reply(3, 2, "1:2", Ok(Answer::Data { data: Some("x".into()), stat }));
        assert_eq!(story.second().as_deref(), Some("second-store"));
    }
}
