//! ServiceDiscovery (`ServiceDiscoveryImpl.java`): an instance of a service is a node below the service's, ephemeral by itself,
//! with its description as data. It is registered again with every connection: where its node is still there, that is deleted
//! and made anew, so that watchers hear of it. An instance whose session lives on so vanishes for a moment.
//!
//! One instance an object: `id` is its id. Its description is its address here; the real one is JSON.

use std::collections::VecDeque;
use std::rc::Rc;

use crate::wire::{Answer, Code, CreateMode, Request, decoded};

use crate::curator::{ConnectionState, Create, Delete, Instead, Op};
use crate::nodes::provider::Provider;
use crate::runtime::context::{Boxed, Cx, Frame, Object, at_once};
use crate::runtime::fact::Fact;
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::child_of;

/// The instance's `ServiceType`, which is dynamic by itself: `static`; `sequential` (with a number behind its id, by which
/// nobody unregisters it).
pub(crate) const WORDS: &[&str] = &["static", "sequential"];

methods! {
    Start "start", Register "registerService", Update "updateService", Unregister "unregisterService",
    Names "queryForNames", Instances "queryForInstances", Close "close",
}

/// A way to a set of services.
#[derive(Clone, Debug)]
pub(crate) struct Discovery {
    path: Rc<str>,
    id: Rc<str>,
    mode: CreateMode,
    /// The instance that is kept registered.
    service: Option<Service>,
    /// It hears of new connections: between `start` and `close`.
    hears: bool,
}

/// An instance of a service.
#[derive(Clone, Debug)]
struct Service {
    path: Rc<str>,
    data: Rc<str>,
}

impl Discovery {
    pub(crate) fn new(recipe: &Recipe, cx: &mut Cx<'_>) -> Discovery {
        let id = recipe.id.clone().unwrap_or_else(|| cx.core.curator.guid().into());
        let mode = match (recipe.has("static"), recipe.has("sequential")) {
            (true, _) => CreateMode::Persistent,
            (_, true) => CreateMode::EphemeralSequential,
            _ => CreateMode::Ephemeral,
        };
        Discovery { path: recipe.path.clone(), id, mode, service: None, hears: false }
    }

    /// The instance in a word: its service, and its address where it is not the client's.
    fn service(&self, data: &Option<Rc<str>>, cx: &Cx<'_>) -> Result<Service, Exception> {
        let text = data.as_deref().unwrap_or_default();
        let (service, address) = text.split_once(' ').unwrap_or((text, ""));
        if service.is_empty() || service.contains('/') {
            return Err(Exception::java("IllegalArgumentException", "the service's name is wanted"));
        }
        let data = if address.is_empty() { cx.core.address() } else { address.into() };
        Ok(Service { path: child_of(&child_of(&self.path, service), &self.id), data })
    }

    fn register(&self, service: &Service) -> Register {
        Register { service: service.clone(), mode: self.mode, tries: 0, deleting: false, then: None }
    }

    /// `close()`: its providers are closed, its instance unregistered.
    fn close(&mut self, cx: &mut Cx<'_>) -> Boxed {
        self.hears = false;
        let below = child_of(&self.path, "");
        for name in cx.core.objects.0.keys().cloned().collect::<Vec<_>>() {
            cx.with::<Provider, _>(&name, |provider, _, cx| {
                if provider.path.starts_with(&*below) {
                    let _ = provider.close(cx); // quietly: one that was never started, or is closed already
                }
            });
        }
        self.unregister()
    }

    fn unregister(&mut self) -> Boxed {
        match self.service.take() {
            Some(service) => Instead::ignoring(Code::NoNode, Delete::guaranteed(service.path)),
            None => at_once(Value::Nothing),
        }
    }
}

impl Object for Discovery {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        Ok(match Asked::of(method)? {
            Asked::Start => match &self.service {
                Some(service) => Box::new(Register { then: Some(me.clone()), ..self.register(service) }),
                None => {
                    self.hears = true;
                    at_once(Value::Nothing)
                }
            },
            Asked::Register => {
                let service = self.service(&method.data, cx)?;
                let register = self.register(&service);
                self.service.get_or_insert(service); // of an id that it has it keeps what it had (`putIfAbsent`)
                Box::new(register)
            }
            Asked::Update if self.service.is_none() => {
                return Err(Exception::java("Exception", "Service not registered"));
            }
            Asked::Update => {
                let service = self.service(&method.data, cx)?;
                let (path, data) = (service.path.clone(), Some(service.data.clone().into()));
                self.service = Some(service);
                Instead::of(Value::Nothing, Op::new(Request::SetData { path, data, version: -1 }))
            }
            Asked::Unregister => self.unregister(),
            Asked::Names => Box::new(Query { path: self.path.clone(), ids: None, found: Vec::new(), deep: false }),
            Asked::Instances => {
                let path = child_of(&self.path, method.data.as_deref().unwrap_or_default());
                let path: Rc<str> = path.trim_end_matches('/').into();
                Box::new(Query { path, ids: None, found: Vec::new(), deep: true })
            }
            Asked::Close => self.close(cx),
        })
    }

    fn connection(&mut self, me: &Rc<str>, state: ConnectionState, cx: &mut Cx<'_>) {
        if let (Some(service), true, true) = (&self.service, self.hears, state.is_connected()) {
            let (object, about) = (me.clone(), service.path.clone());
            cx.fact(Fact::Told { thread: ThreadId::OBJECT, object, what: "registers_again", about });
            cx.start(Box::new(self.register(service)), None);
        }
    }
}

/// `internalRegisterService`: a node that is there is deleted first, whoever made it. Tried twice: where another was quicker
/// both times, nothing is registered and nobody hears of it.
#[derive(Clone, Debug)]
struct Register {
    service: Service,
    mode: CreateMode,
    tries: u32,
    deleting: bool,
    /// The discovery that hears of connections from then on (`start`), whatever the ensemble answered.
    then: Option<Rc<str>>,
}

/// How often it is tried (`MAX_TRIES`).
const MAX_TRIES: u32 = 2;

impl Register {
    fn create(&mut self) -> Flow {
        self.deleting = false;
        self.tries += 1;
        let data = Some(self.service.data.clone());
        Flow::Call(Create::plain(&self.service.path, self.mode, data).with_parents().boxed())
    }

    fn end(&self, cx: &mut Cx<'_>, outcome: Outcome) -> Flow {
        let Some(discovery) = &self.then else { return Flow::Return(outcome) };
        match outcome {
            Ok(_) | Err(Exception::Keeper(_)) => {
                cx.with::<Discovery, _>(discovery, |discovery, _, _| discovery.hears = true);
                Flow::Return(Ok(Value::Nothing))
            }
            outcome => Flow::Return(outcome),
        }
    }
}

impl Frame for Register {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(Ok(_)) if self.deleting && self.tries < MAX_TRIES => self.create(),
            Resume::Returned(Ok(_)) => self.end(cx, Ok(Value::Nothing)),
            Resume::Returned(Err(Exception::Keeper(Code::NodeExists))) if !self.deleting => {
                self.deleting = true;
                Flow::Call(Op::new(Request::Delete { path: self.service.path.clone(), version: -1 }))
            }
            Resume::Returned(outcome) => self.end(cx, outcome),
            _ => self.create(),
        }
    }
}

/// `queryForNames`, or `queryForInstances`: each instance is read, one after another, and who is gone meanwhile left out.
#[derive(Clone, Debug)]
struct Query {
    path: Rc<str>,
    /// Those that are not read yet.
    ids: Option<VecDeque<Rc<str>>>,
    found: Vec<Rc<str>>,
    /// The children's data are wanted, not their names.
    deep: bool,
}

impl Query {
    fn next(&mut self) -> Flow {
        match self.ids.as_mut().and_then(VecDeque::pop_front) {
            Some(id) => Flow::Call(Op::new(Request::GetData { path: child_of(&self.path, &id), watch: false })),
            None => Flow::Return(Ok(Value::Names(std::mem::take(&mut self.found)))),
        }
    }
}

impl Frame for Query {
    fn resume(&mut self, _: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Returned(Ok(Value::Answer(Answer::Children { names, .. }))) if self.deep => {
                self.ids = Some(names.into());
                self.next()
            }
            Resume::Returned(Ok(Value::Answer(Answer::Children { names, .. }))) => {
                Flow::Return(Ok(Value::Names(names)))
            }
            Resume::Returned(Ok(Value::Answer(Answer::Data { data, .. }))) => {
                self.found.push(decoded(&data).into());
                self.next()
            }
            Resume::Returned(Err(Exception::Keeper(Code::NoNode))) if self.deep => self.next(),
            Resume::Returned(outcome) => Flow::Return(outcome),
            _ => Flow::Call(Op::children(&self.path)),
        }
    }
}
