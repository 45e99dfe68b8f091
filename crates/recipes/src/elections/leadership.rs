//! Leadership as an object believes it, and what its listener hears of it (`LeaderLatch.java` `setLeadership`,
//! `LeaderLatchListener.java`).

use std::rc::Rc;

use crate::base::Zxid;

use crate::curator::ConnectionState;
use crate::runtime::context::Cx;
use crate::runtime::fact::{Fact, ReleaseReason, Share};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::Exception;

/// How far an object is that is started and closed once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Latent,
    Started,
    Closed,
}

impl Phase {
    /// `start()`: only once.
    pub(crate) fn start(&mut self) -> Result<(), Exception> {
        if *self != Phase::Latent {
            return Err(Exception::state("Cannot be started more than once"));
        }
        *self = Phase::Started;
        Ok(())
    }

    /// `close()`: only once, and only what was started.
    pub(crate) fn close(&mut self) -> Result<(), Exception> {
        if *self != Phase::Started {
            return Err(Exception::state("Already closed or has not been started"));
        }
        *self = Phase::Closed;
        Ok(())
    }
}

/// A node of the object's own.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    pub path: Rc<str>,
    /// Its czxid, where the reply that told it was not lost.
    pub token: Option<Zxid>,
}

/// Whether an object leads. What leads is the object, not one of its threads.
#[derive(Clone, Debug)]
pub(crate) struct Leadership {
    path: Rc<str>,
    leads: bool,
    /// Whether the listener is still there.
    pub listened: bool,
}

impl Leadership {
    pub(crate) fn of(path: &Rc<str>) -> Leadership {
        Leadership { path: path.clone(), leads: false, listened: true }
    }

    pub(crate) fn leads(&self) -> bool {
        self.leads
    }

    /// It leads from now on; nothing happens where it did before.
    pub(crate) fn gains(&mut self, me: &Rc<str>, own: &Own, cx: &mut Cx<'_>) {
        if std::mem::replace(&mut self.leads, true) {
            return;
        }
        let (thread, object, path) = (ThreadId::OBJECT, me.clone(), self.path.clone());
        let (node, share, token) = (own.path.clone(), Share::Leader, own.token);
        cx.fact(Fact::Acquired { thread, object, path, node, share, token });
        self.call(me, "isLeader", cx);
        cx.notify(me);
    }

    /// It leads no longer, if it did.
    pub(crate) fn loses(&mut self, me: &Rc<str>, reason: ReleaseReason, cx: &mut Cx<'_>) {
        if std::mem::replace(&mut self.leads, false) {
            let (thread, object, path) = (ThreadId::OBJECT, me.clone(), self.path.clone());
            cx.fact(Fact::Released { thread, object, path, reason });
            self.call(me, "notLeader", cx);
        }
    }

    fn call(&self, me: &Rc<str>, callback: &'static str, cx: &mut Cx<'_>) {
        if self.listened {
            cx.fact(Fact::Callback { object: me.clone(), callback });
        }
    }

    /// The connection's state ends it where the program's policy counts the state as an error; LOST always does.
    pub(crate) fn doubts(&mut self, me: &Rc<str>, state: ConnectionState, cx: &mut Cx<'_>) {
        if state == ConnectionState::Lost || cx.core.curator.config.error_policy.is_error(state) {
            self.loses(me, reason(state), cx);
        }
    }
}

/// Why something ends in this state of the connection.
pub(crate) fn reason(state: ConnectionState) -> ReleaseReason {
    if state == ConnectionState::Lost { ReleaseReason::Lost } else { ReleaseReason::Suspended }
}
