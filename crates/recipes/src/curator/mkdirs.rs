//! The nodes above a path, made where they are missing (`ZKPaths.java` `mkdirs`). In 5.4.0 each is looked for from the root down, and
//! made where it is not there. Since CURATOR-715 and 728 (5.7.1, 5.8.0) the path itself is looked for, then what is above it, up to the
//! first node that is there: nobody needs the right to see what is above that.

use std::rc::Rc;

use crate::wire::{Acl, Code, CreateMode, Request};

use crate::runtime::value::Exception;

/// On its way along a path.
#[derive(Clone, Debug)]
pub(super) struct Mkdirs {
    path: Rc<str>,
    /// Whether the path's own node is made, too.
    whole: bool,
    from_below: bool,
    making: bool,
    /// Where the part of the path ends that is looked for, or made.
    end: usize,
}

/// What it wants next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Next {
    Ask(Request),
    Done,
}

impl Mkdirs {
    /// The first step for a path that is not the root.
    pub(super) fn begin(path: Rc<str>, whole: bool, from_below: bool) -> (Mkdirs, Next) {
        let mut mkdirs = Mkdirs { path, whole, from_below, making: false, end: 0 };
        let first = if from_below { mkdirs.look(mkdirs.path.len()) } else { mkdirs.down() };
        (mkdirs, first)
    }

    /// The next step, by what the last one came to; none where it failed.
    pub(super) fn next<T>(&mut self, came_to: &Result<T, Exception>) -> Option<Next> {
        Some(match came_to {
            Ok(_) => self.down(),
            Err(Exception::Keeper(Code::NodeExists)) if self.making => self.down(),
            Err(Exception::Keeper(Code::NoNode)) if !self.making => self.missing(),
            Err(_) => return None,
        })
    }

    fn missing(&mut self) -> Next {
        if !self.from_below {
            return self.make(self.end);
        }
        match self.path[..self.end].rfind('/') {
            Some(above @ 1..) => self.look(above),
            _ => {
                self.end = 0; // the root is there
                self.down()
            }
        }
    }

    /// One node further down.
    fn down(&mut self) -> Next {
        let rest = self.path.get(self.end + 1..).unwrap_or_default();
        let end = match rest.find('/') {
            Some(length) => self.end + 1 + length,
            None if self.whole && self.end < self.path.len() => self.path.len(),
            None => return Next::Done,
        };
        if self.from_below { self.make(end) } else { self.look(end) }
    }

    fn look(&mut self, end: usize) -> Next {
        (self.making, self.end) = (false, end);
        Next::Ask(Request::Exists { path: self.path[..end].into(), watch: false })
    }

    fn make(&mut self, end: usize) -> Next {
        (self.making, self.end) = (true, end);
        let (path, data, acl) = (self.path[..end].into(), Some("".into()), Acl::open());
        let (mode, ttl, stat, flags) = (CreateMode::Container, 0, false, None);
        Next::Ask(Request::Create { path, data, acl, mode, ttl, stat, flags })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The steps for a path where these nodes are there.
    fn steps(path: &str, whole: bool, from_below: bool, there: &[&str]) -> Vec<String> {
        let (mut mkdirs, mut next) = Mkdirs::begin(path.into(), whole, from_below);
        let mut steps = Vec::new();
        while let Next::Ask(request) = next {
            steps.push(format!("{} {}", if mkdirs.making { "create" } else { "exists" }, request.path()));
            let missing = !mkdirs.making && !there.contains(&request.path());
            let came_to = if missing { Err(Exception::Keeper(Code::NoNode)) } else { Ok(()) };
            next = mkdirs.next(&came_to).expect("no error");
        }
        steps
    }

    #[test]
    fn from_the_root_down_each_is_looked_for() {
        let all = ["exists /a", "create /a", "exists /a/b", "create /a/b"];
        assert_eq!(steps("/a/b/c", false, false, &[]), all);
        assert_eq!(steps("/a/b", true, false, &["/a"]), ["exists /a", "exists /a/b", "create /a/b"]);
        assert_eq!(steps("/a", false, false, &[]), [""; 0]);
    }

    #[test]
    fn from_below_nothing_is_looked_for_above_the_first_that_is_there() {
        let all = ["exists /a/b/c", "exists /a/b", "exists /a", "create /a", "create /a/b"];
        assert_eq!(steps("/a/b/c", false, true, &[]), all);
        assert_eq!(steps("/a/b/c", false, true, &["/a"])[3..], ["create /a/b"]);
        assert_eq!(steps("/a/b", true, true, &["/a"]), ["exists /a/b", "exists /a", "create /a/b"]);
        assert_eq!(steps("/a/b", true, true, &["/a/b"]), ["exists /a/b"]);
        assert_eq!(steps("/a", false, true, &[]), ["exists /a"]);
    }

    #[test]
    fn who_is_quicker_helps_and_other_errors_end_it() {
        let (mut mkdirs, _) = Mkdirs::begin("/a/b".into(), true, false);
        mkdirs.next(&Err::<(), _>(Exception::Keeper(Code::NoNode)));
        let next = mkdirs.next(&Err::<(), _>(Exception::Keeper(Code::NodeExists)));
        assert_eq!(next, Some(Next::Ask(Request::Exists { path: "/a/b".into(), watch: false })));
        assert_eq!(mkdirs.next(&Err::<(), _>(Exception::Keeper(Code::NoAuth))), None);
        assert_eq!(mkdirs.next(&Err::<(), _>(Exception::Keeper(Code::NodeExists))), None, "nothing was made");
    }
}
