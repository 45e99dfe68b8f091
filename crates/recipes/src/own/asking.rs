//! What a line asks, and what its answer is kept as; what values come to, and whether conditions hold.

use std::rc::Rc;

use crate::wire::{Acl, Answer, Code as Error, Request};

use crate::curator::CONNECTION;
use crate::runtime::context::Cx;
use crate::runtime::thread::Flow;
use crate::runtime::value::Exception;
use crate::sorting::child_of;

use super::forms::{Condition, Make, Statement, Text};
use super::running::{Activity, Clause, Running};
use super::values::Kept;
use super::words::placeholders;

impl Running {
    pub(super) fn value(&self, name: &str, cx: &Cx<'_>) -> Kept {
        match (self.values.get(name), name) {
            (Some(value), _) => value.clone(),
            (None, "session") => Kept::Text(cx.library.session.to_string().into()),
            (None, "item") => self.item.clone().map_or(Kept::Nothing, Kept::Text),
            (None, "client") => Kept::Text(cx.core.client.to_string().into()),
            (None, _) => Kept::Nothing,
        }
    }

    fn of(&self, text: &Text, cx: &Cx<'_>) -> Kept {
        match text {
            Text::Name(name) => self.value(name, cx),
            Text::Path(path) => {
                let fill =
                    |path: String, name: &&str| path.replace(&format!("{{{name}}}"), &self.value(name, cx).as_text());
                let names = placeholders(path).unwrap_or_default();
                Kept::Text(names.iter().fold(path.to_string(), fill).into())
            }
            Text::Quoted(text) => Kept::Text(text.clone()),
            Text::Nothing => Kept::Nothing,
        }
    }

    pub(super) fn text(&self, text: &Text, cx: &Cx<'_>) -> Rc<str> {
        self.of(text, cx).as_text()
    }

    pub(super) fn is_so(&self, condition: &Condition, cx: &Cx<'_>) -> bool {
        let list = |name: &Rc<str>| self.value(name, cx);
        let (so, not) = match condition {
            Condition::First { one, not, list: of, .. } => (list(of).place(&self.of(one, cx)) == Some(0), *not),
            Condition::Last { one, not, list: of, .. } => {
                let of = list(of);
                (of.place(&self.of(one, cx)).is_some_and(|at| at + 1 == of.items().len()), *not)
            }
            Condition::In { one, not, list: of, .. } => (list(of).place(&self.of(one, cx)).is_some(), *not),
            Condition::Empty { list: of, not, .. } => (list(of).items().is_empty(), *not),
            Condition::Mine { node, not, .. } => {
                let session = cx.library.session;
                (matches!(self.of(node, cx), Kept::Node(_, stat) if stat.ephemeral_owner == session), *not)
            }
            Condition::AtLeast { list: of, many } => (list(of).items().len() >= *many as usize, false),
            Condition::Same { one, not, other, .. } => (self.of(one, cx).is_like(&self.of(other, cx)), *not),
        };
        so != not
    }

    /// What an expression comes to that asks nobody.
    pub(super) fn made_of(&self, make: &Make, cx: &mut Cx<'_>) -> Kept {
        let or_nothing = |item: Option<&Rc<str>>| item.map_or(Kept::Nothing, |item| Kept::Text(item.clone()));
        match make {
            Make::Before { one, list } => self.value(list, cx).before(&self.of(one, cx)),
            Make::First { list } => or_nothing(self.value(list, cx).items().first()),
            Make::Last { list } => or_nothing(self.value(list, cx).items().last()),
            Make::OneWith { text, list } => or_nothing(self.value(list, cx).with(&self.text(text, cx)).next()),
            Make::AllWith { list, text } => {
                Kept::List(self.value(list, cx).with(&self.text(text, cx)).cloned().collect())
            }
            Make::Guid {} => Kept::Text(cx.core.curator.guid().into()),
            Make::Same { value } => self.of(value, cx),
            // those ask the ensemble
            _ => Kept::Nothing,
        }
    }

    /// The request of a line, if it has one.
    fn request(&self, what: &Statement, cx: &Cx<'_>) -> Option<Request> {
        let make = match what {
            Statement::WaitGone { node, .. } | Statement::WaitThere { node, .. } => {
                return Some(Request::Exists { path: self.text(node, cx), watch: true });
            }
            Statement::Do { what: (_, make) } => make,
            _ => return None,
        };
        let version_of = |version: &Option<Text>| match version.as_ref().map(|of| self.of(of, cx)) {
            Some(Kept::Node(_, stat)) => stat.version,
            _ => -1,
        };
        let path = self.text(make.path()?, cx);
        Some(match make {
            Make::Create { data, mode, .. } => {
                let data = data.as_ref().map_or(Rc::from(""), |data| self.text(data, cx));
                let (data, acl) = (Some(data.into()), Acl::open());
                Request::Create { path, data, acl, mode: *mode, ttl: 0, stat: true, flags: None }
            }
            Make::Delete { version, .. } => Request::Delete { path, version: version_of(version) },
            Make::Get { watch, .. } => Request::GetData { path, watch: *watch },
            Make::Exists { watch, .. } => Request::Exists { path, watch: *watch },
            Make::Children { watch, .. } => Request::GetChildren { path, watch: *watch, stat: false },
            Make::Set { data, version, .. } => {
                Request::SetData { path, data: Some(self.text(data, cx).into()), version: version_of(version) }
            }
            _ => return None,
        })
    }

    /// Sends the request of the line that it is at; waits for a connection before, where there is none. A path that is nothing is a node
    /// that is not there: nobody has to be asked.
    pub(super) fn ask(&mut self, cx: &mut Cx<'_>) -> Option<Flow> {
        let of = self.shared.clone();
        let request = self.request(&of.program.code.get(self.at)?.what, cx)?;
        let path: Rc<str> = request.path().into();
        if path.is_empty() {
            return self.answered(Err(Exception::Keeper(Error::NoNode)), cx);
        }
        if !cx.core.curator.connected {
            return Some(self.rests(Activity::Connects, Some(CONNECTION), None));
        }
        (self.doing, self.in_a_row) = (Activity::Asks, 0);
        match &request {
            Request::Create { .. } => self.made = path,
            Request::Exists { watch: true, .. }
            | Request::GetData { watch: true, .. }
            | Request::GetChildren { watch: true, .. } => {
                (self.watched, self.hit) = (path, None);
                return Some(cx.ask_watching(request, &of.object));
            }
            _ => {}
        }
        Some(cx.ask(request))
    }

    /// The answer to the request of the line that it is at: how it goes on, where it does not at the next line.
    pub(super) fn answered(&mut self, answer: Result<Answer, Exception>, cx: &mut Cx<'_>) -> Option<Flow> {
        let of = self.shared.clone();
        let what = &of.program.code.get(self.at)?.what;
        if answer.as_ref().is_err_and(Exception::is_retryable) {
            return self.request_lost(cx);
        }
        let Statement::Do { what: (name, make) } = what else {
            let there = matches!(what, Statement::WaitThere { .. });
            return match (answer, there) {
                (Ok(_), false) | (Err(Exception::Keeper(Error::NoNode)), true) => Some(self.wait(None, cx)),
                (Ok(_), true) | (Err(Exception::Keeper(Error::NoNode)), false) => self.leave(self.at, cx),
                (Err(exception), _) => Some(self.ends(Err(exception), cx)),
            };
        };
        match &answer {
            Ok(Answer::Created { path, stat }) => self.born = Some((path.clone(), stat.czxid)),
            Ok(Answer::Stat(stat)) if stat.ephemeral_owner == cx.library.session => {
                self.born = make.path().map(|path| (self.text(path, cx), stat.czxid));
            }
            _ => {}
        }
        match self.kept(make, answer, cx) {
            Ok(value) => {
                match (make, &value) {
                    (Make::Children { .. }, list) => self.list = list.clone(),
                    (Make::Create { .. }, Kept::Text(path)) => self.made = path.clone(),
                    _ => {}
                }
                self.keep(name.as_ref(), value, cx)
            }
            Err(exception) => Some(self.ends(Err(exception), cx)),
        }
    }

    /// The request of this line was lost: its own clause, or that for all; in a clause it is sent again. Without a clause it is over.
    fn request_lost(&mut self, cx: &mut Cx<'_>) -> Option<Flow> {
        let code = &self.shared.program.code;
        let own = code.get(self.at + 1).filter(|code| code.parent == Some(self.at)).map(|_| self.at + 1);
        match (self.clause, own.or_else(|| self.shared.program.place_of(&Statement::OnLoss {}))) {
            (Some(_), _) => None,
            (None, Some(clause)) => {
                self.clause = Some(Clause { at: clause, request: self.at, loops: self.loops.len() });
                self.at = clause + 1;
                None
            }
            (None, None) => Some(self.ends(Err(Exception::Keeper(Error::ConnectionLoss)), cx)),
        }
    }

    /// What an answer is kept as. That a node is there already, or not, or has another version, is an answer too.
    fn kept(&self, make: &Make, answer: Result<Answer, Exception>, cx: &Cx<'_>) -> Result<Kept, Exception> {
        use Exception::Keeper;
        let path = make.path().map(|path| self.text(path, cx)).unwrap_or_default();
        let children = matches!(make, Make::Children { .. });
        Ok(match answer {
            Ok(Answer::Path(path) | Answer::Created { path, .. }) => Kept::Text(path),
            Ok(Answer::Children { names, .. }) => {
                Kept::List(names.iter().map(|name| child_of(&path, name)).collect()).sorted(false)
            }
            Ok(Answer::Data { data, stat }) => {
                Kept::Node(data.map(|data| data.shown().into()).unwrap_or_default(), Box::new(stat))
            }
            Ok(Answer::Stat(stat)) => Kept::Node(path, Box::new(stat)),
            Ok(_) => Kept::Text(path),
            Err(Keeper(Error::NoNode)) if children => Kept::List(Rc::new([])),
            // where a node is to be made, it is the one above that is missing
            Err(Keeper(Error::NoNode)) if !matches!(make, Make::Create { .. }) => Kept::Nothing,
            Err(Keeper(Error::NodeExists | Error::BadVersion)) => Kept::Nothing,
            Err(exception) => return Err(exception),
        })
    }
}
