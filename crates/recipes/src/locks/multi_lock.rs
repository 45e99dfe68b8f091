//! InterProcessMultiLock (`InterProcessMultiLock.java`): several mutexes as one. They are acquired in the order of the list and
//! released in the reverse; whoever cannot have all of them keeps none. Nothing prevents a deadlock: two programs whose lists
//! have different orders may each hold what the other waits for.

use std::rc::Rc;

use crate::locks::mutex::{BrokenRules, Mutex};
use crate::runtime::context::{Boxed, Cx, Frame, Object, at_once};
use crate::runtime::fact::{Fact, ReleaseReason, Share};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Outcome, Value};

/// No word changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! { Acquire "acquire", Release "release", IsAcquired "is_acquired" }

/// The lock. Its members are parts of the program's objects under `name/1`, `name/2` …
#[derive(Clone, Debug)]
pub(crate) struct MultiLock {
    paths: Rc<str>,
    members: Rc<[Rc<str>]>,
}

impl MultiLock {
    pub(crate) fn new(name: &Rc<str>, recipe: &Recipe, cx: &mut Cx<'_>) -> MultiLock {
        let mut members = Vec::new();
        for (index, path) in recipe.path.split(' ').enumerate() {
            let member: Rc<str> = format!("{name}/{}", index + 1).into();
            let lock = Mutex { flaw: BrokenRules::of(recipe), ..Mutex::at(&path.into()) };
            cx.core.objects.0.insert(member.clone(), Box::new(lock));
            members.push(member);
        }
        MultiLock { paths: recipe.path.clone(), members: members.into() }
    }
}

impl Object for MultiLock {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        let (object, paths, members) = (me.clone(), self.paths.clone(), self.members.clone());
        match Asked::of(method)? {
            Asked::Acquire => {
                let limit = method.timeout_ms.map(|ms| ms * 1000);
                let (next, held, failed) = (0, Vec::new(), None);
                Ok(Box::new(AcquireAll { object, paths, members, limit, next, held, failed, gives_back: false }))
            }
            Asked::Release => Ok(Box::new(ReleaseAll { object, paths, left: members.to_vec(), failed: None })),
            Asked::IsAcquired => {
                let all = members.iter().all(|member| is_held(member, cx));
                Ok(at_once(Value::Bool(all)))
            }
        }
    }
}

fn is_held(member: &str, cx: &mut Cx<'_>) -> bool {
    cx.object::<Mutex>(member).is_some_and(|lock| !lock.holds.is_empty())
}

/// `acquire()`, with a limit for each member.
#[derive(Clone, Debug)]
struct AcquireAll {
    object: Rc<str>,
    paths: Rc<str>,
    members: Rc<[Rc<str>]>,
    limit: Option<u64>,
    next: usize,
    /// What it has got, the last one last.
    held: Vec<Rc<str>>,
    /// What it comes to, where not all could be had: the last member's failure.
    failed: Option<Outcome>,
    gives_back: bool,
}

impl AcquireAll {
    fn step(&mut self, cx: &mut Cx<'_>) -> Flow {
        match self.members.get(self.next) {
            Some(member) if !self.gives_back => Flow::Call(Mutex::acquire(member, self.limit)),
            _ => self.end(cx),
        }
    }

    fn returned(&mut self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        if self.gives_back {
            return self.end(cx); // errors of giving back are nobody's concern
        }
        match outcome {
            Ok(Value::Bool(false)) => {
                self.failed.get_or_insert(Ok(Value::Bool(false)));
                self.gives_back = true;
            }
            Ok(_) => self.held.extend(self.members.get(self.next).cloned()),
            // the others are tried all the same, but for an interrupted thread each would throw at once
            Err(exception) => {
                self.gives_back = exception == Exception::Interrupted;
                self.failed = Some(Err(exception));
            }
        }
        self.next += 1;
        self.step(cx)
    }

    /// All members were tried: the whole is had, or what was got is given back, the last one first.
    fn end(&mut self, cx: &mut Cx<'_>) -> Flow {
        let (thread, object) = (cx.thread, self.object.clone());
        let Some(failed) = &self.failed else {
            let first = self.held.first().and_then(|member| cx.core.held(member, thread));
            let (node, token) = first.unwrap_or_default();
            let (path, share) = (self.paths.clone(), Share::Exclusive);
            cx.fact(Fact::Acquired { thread, object, path, node, share, token });
            return Flow::Return(Ok(if self.limit.is_some() { Value::Bool(true) } else { Value::Nothing }));
        };
        self.gives_back = true;
        match self.held.pop() {
            Some(member) => Flow::Call(Mutex::release(&member)),
            None => {
                cx.fact(Fact::GaveUp { thread, object });
                Flow::Return(failed.clone())
            }
        }
    }
}

impl Frame for AcquireAll {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(outcome) => self.returned(cx, outcome),
            Resume::Woken(Wake::Interrupted) => Flow::Return(Err(Exception::Interrupted)),
            _ => self.step(cx),
        }
    }
}

/// `release()`: of all members, whatever becomes of each.
#[derive(Clone, Debug)]
struct ReleaseAll {
    object: Rc<str>,
    paths: Rc<str>,
    /// Still to be released, the next one last.
    left: Vec<Rc<str>>,
    failed: Option<Exception>,
}

impl ReleaseAll {
    fn next(&mut self) -> Flow {
        match self.left.pop() {
            Some(member) => Flow::Call(Mutex::release(&member)),
            None => Flow::Return(self.failed.take().map_or(Ok(Value::Nothing), Err)),
        }
    }
}

impl Frame for ReleaseAll {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(Err(exception)) => {
                // a further failure is wrapped around the first one
                let wrapped = |first: Exception| Exception::java("Exception", &first.to_string());
                self.failed = Some(self.failed.take().map_or(exception, wrapped));
                self.next()
            }
            Resume::Returned(Ok(_)) => self.next(),
            _ => {
                let (thread, object, path) = (cx.thread, self.object.clone(), self.paths.clone());
                if self.left.iter().any(|member| cx.core.held(member, thread).is_some()) {
                    cx.fact(Fact::Released { thread, object, path, reason: ReleaseReason::Released });
                }
                self.next()
            }
        }
    }
}
