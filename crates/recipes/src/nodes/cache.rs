//! CuratorCache (`CuratorCacheImpl.java`, `PersistentWatcher.java`): a copy of a node and all below it, which a persistent
//! recursive watch keeps fresh. The watch is set again with every new connection, and then all that is known is asked for
//! again, from the root on.
//!
//! What it compares are versions, as the original still does: children are listed again only where the parent's cversion
//! is another, and listeners hear of a change only where the version is another. A node that was deleted and made anew
//! while nobody watched has old versions again, and may so hide its new children, or its new data from the listeners.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::base::rows::Rows;
use crate::wire::{AddWatchMode, Answer, Code, Data, EventType, Request, Stat, WatchedEvent, WatcherType, decoded};

use crate::curator::{ConnectionState, Op, Pause};
use crate::elections::leadership::Phase;
use crate::runtime::context::{Boxed, Copied, Cx, Frame, Object, at_once};
use crate::runtime::fact::Fact;
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume};
use crate::runtime::thread_id::ThreadId;
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::child_of;

/// `SINGLE_NODE_CACHE`; `DO_NOT_CLEAR_ON_CLOSE`.
pub(crate) const WORDS: &[&str] = &["single_node", "keeps_on_close"];

methods! { Start "start", Get "get", List "stream", Size "size", Close "close" }

/// A copy of a part of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    path: Rc<str>,
    recursive: bool,
    clears: bool,
    phase: Phase,
    nodes: BTreeMap<Rc<str>, (Data, Stat)>,
    /// Requests under way; when there are none for the first time, the cache is complete.
    outstanding: u32,
    initialized: bool,
    /// The object that it is a part of, and that listens to it.
    owner: Option<Rc<str>>,
}

/// What its listener hears by `Object::finished` of a node: its path and its data; its path; nothing.
pub(crate) const IS: &str = "node_is";
/// The node is gone.
pub(crate) const GONE: &str = "node_gone";
/// All that there is has been read once.
pub(crate) const INITIALIZED: &str = "initialized";

impl Cache {
    pub(crate) fn new(recipe: &Recipe) -> Cache {
        let (recursive, clears) = (!recipe.has("single_node"), !recipe.has("keeps_on_close"));
        Cache { recursive, clears, ..Cache::at(&recipe.path) }
    }

    /// Of a node and all below it.
    pub(crate) fn at(path: &Rc<str>) -> Cache {
        Cache {
            path: path.clone(),
            recursive: true,
            clears: true,
            phase: Phase::Latent,
            nodes: BTreeMap::new(),
            outstanding: 0,
            initialized: false,
            owner: None,
        }
    }

    /// The same with a listener.
    pub(crate) fn told_to(self, owner: &Rc<str>) -> Cache {
        Cache { owner: Some(owner.clone()), ..self }
    }

    /// `start()`.
    pub(crate) fn start(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) -> Outcome {
        if self.phase != Phase::Latent {
            return Err(Exception::state("Already started"));
        }
        self.phase = Phase::Started;
        self.reset(me, cx);
        Ok(Value::Nothing)
    }

    /// `close()`: the watch is taken back in the background. A second time it does nothing.
    pub(crate) fn close(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) {
        if self.phase != Phase::Started {
            return;
        }
        self.phase = Phase::Closed;
        cx.core.curator.watches.remove(me);
        let request = Request::RemoveWatches { path: self.path.clone(), kind: WatcherType::Any };
        cx.start(Op::background(request, Some(me)), None);
        if self.clears {
            self.nodes.clear();
        }
    }

    /// The children of its root with their data.
    pub(crate) fn children(&self) -> impl Iterator<Item = (&str, &Data)> {
        let prefix = child_of(&self.path, "");
        let name = move |path: &Rc<str>| path.strip_prefix(&*prefix).map(str::len);
        self.nodes.iter().filter_map(move |(path, (data, _))| {
            let name = &path[path.len() - name(path)?..];
            (!name.is_empty() && !name.contains('/')).then_some((name, data))
        })
    }

    /// `PersistentWatcher.reset`: the watch is set, once more after each interruption.
    fn reset(&self, me: &Rc<str>, cx: &mut Cx<'_>) {
        if self.phase != Phase::Started {
            return;
        }
        let mode = if self.recursive { AddWatchMode::PersistentRecursive } else { AddWatchMode::Persistent };
        let request = Request::AddWatch { path: self.path.clone(), mode };
        cx.start(Op::background(request, Some(me)), Some((me, "watched")));
    }

    /// `rebuild`: the root first, then whatever else is known.
    fn rebuild(&mut self, me: &Rc<str>, cx: &mut Cx<'_>) {
        let known: Vec<Rc<str>> = self.nodes.keys().filter(|path| **path != self.path).cloned().collect();
        for path in [self.path.clone()].into_iter().chain(known) {
            self.ask(me, path, false, cx);
        }
    }

    fn ask(&mut self, me: &Rc<str>, path: Rc<str>, children: bool, cx: &mut Cx<'_>) {
        if self.phase == Phase::Started {
            self.outstanding += 1;
            cx.start(Box::new(Ask { cache: me.clone(), path, children }), None);
        }
    }

    /// The answer to [`Ask`].
    fn answered(&mut self, me: &Rc<str>, path: &Rc<str>, outcome: Outcome, cx: &mut Cx<'_>) {
        match outcome {
            Ok(Value::Answer(Answer::Data { data, stat })) => self.put(me, path, data, stat, cx),
            Ok(Value::Answer(Answer::Children { names, .. })) => {
                names.iter().for_each(|name| self.ask(me, child_of(path, name), false, cx));
            }
            Err(Exception::Keeper(Code::NoNode)) => self.remove(me, path, cx),
            _ => {} // only logged: the next connection asks again
        }
        self.outstanding -= 1;
        if self.outstanding == 0 && self.phase == Phase::Started && !self.initialized {
            self.initialized = true;
            cx.fact(Fact::Callback { object: me.clone(), callback: INITIALIZED });
            self.tell(INITIALIZED, Value::Nothing, cx);
        }
    }

    /// `putStorage`, `checkChildrenChanged`.
    fn put(&mut self, me: &Rc<str>, path: &Rc<str>, data: Data, stat: Stat, cx: &mut Cx<'_>) {
        let cversion = stat.cversion;
        let before = self.nodes.insert(path.clone(), (data.clone(), stat)).map(|(_, stat)| stat);
        let what = match &before {
            None => Some("cache_created"),
            Some(before) => (before.version != stat.version).then_some("cache_changed"),
        };
        if let (Some(what), Phase::Started) = (what, self.phase) {
            cx.fact(Fact::Told { thread: ThreadId::OBJECT, object: me.clone(), what, about: path.clone() });
            self.tell(IS, Value::Names(vec![path.clone(), decoded(&data).into()]), cx);
        }
        if self.recursive && before.is_none_or(|before| before.cversion != cversion) {
            self.ask(me, path.clone(), true, cx);
        }
    }

    fn remove(&mut self, me: &Rc<str>, path: &Rc<str>, cx: &mut Cx<'_>) {
        if self.nodes.remove(path).is_some() && self.phase == Phase::Started {
            let (object, about) = (me.clone(), path.clone());
            cx.fact(Fact::Told { thread: ThreadId::OBJECT, object, what: "cache_deleted", about });
            self.tell(GONE, Value::Text(Some(path.clone())), cx);
        }
    }

    fn tell(&self, what: &'static str, value: Value, cx: &mut Cx<'_>) {
        if let Some(owner) = &self.owner {
            cx.with_object(owner, |object, me, cx| object.finished(me, what, Ok(value), cx));
        }
    }

    fn node(&self, path: &Option<Rc<str>>) -> Value {
        let path = path.as_ref().unwrap_or(&self.path);
        Value::Text(self.nodes.get(path).map(|(data, _)| shown(data)))
    }
}

/// Data as a text; null as an empty one.
fn shown(data: &Data) -> Rc<str> {
    data.as_ref().map_or("".into(), |data| data.shown().into())
}

impl Object for Cache {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        Ok(at_once(match Asked::of(method)? {
            Asked::Start => self.start(me, cx)?,
            Asked::Get => self.node(&method.data),
            Asked::List => Value::Names(self.nodes.keys().cloned().collect()),
            Asked::Size => Value::Text(Some(self.nodes.len().to_string().into())),
            Asked::Close => {
                self.close(me, cx);
                Value::Nothing
            }
        }))
    }

    fn event(&mut self, me: &Rc<str>, event: &WatchedEvent, cx: &mut Cx<'_>) {
        let (Some(path), Phase::Started) = (&event.path, self.phase) else { return };
        match event.kind {
            EventType::NodeDataChanged | EventType::NodeCreated => self.ask(me, path.clone(), false, cx),
            EventType::NodeDeleted => self.remove(me, path, cx),
            _ => {}
        }
    }

    fn connection(&mut self, me: &Rc<str>, state: ConnectionState, cx: &mut Cx<'_>) {
        if state.is_connected() {
            self.reset(me, cx);
        }
    }

    fn finished(&mut self, me: &Rc<str>, what: &'static str, outcome: Outcome, cx: &mut Cx<'_>) {
        match (what, outcome) {
            ("watched", Ok(_)) if self.phase == Phase::Started => self.rebuild(me, cx),
            ("watched", Err(_)) => {
                cx.start(Pause::boxed(), Some((me, "again")));
            }
            ("again", _) => self.reset(me, cx),
            _ => {}
        }
    }

    fn copy(&self) -> Option<Copied> {
        let listens = self.phase == Phase::Started && self.owner.is_none();
        let value = |name: &str, data: &Data| match shown(data) {
            nothing if nothing.is_empty() => name.into(),
            shown => format!("{name}={shown}").into(),
        };
        listens.then(|| Copied {
            path: self.path.clone(),
            below: self.recursive,
            values: match self.recursive {
                true => self.children().map(|(name, data)| value(name, data)).collect(),
                false => self.nodes.values().map(|(data, _)| shown(data)).collect(),
            },
            named: self.recursive,
            hidden: Vec::new(),
        })
    }

    fn rows(&self, rows: &mut Rows) {
        for (path, (data, _)) in &self.nodes {
            rows.put(path, &shown(data));
        }
    }
}

/// A node's data, or its children, in the background.
#[derive(Clone, Debug)]
struct Ask {
    cache: Rc<str>,
    path: Rc<str>,
    children: bool,
}

impl Frame for Ask {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        let path = self.path.clone();
        match with {
            Resume::Returned(outcome) => {
                cx.with::<Cache, _>(&self.cache, |cache, me, cx| cache.answered(me, &path, outcome, cx));
                Flow::Return(Ok(Value::Nothing))
            }
            _ if self.children => {
                Flow::Call(Op::background(Request::GetChildren { path, watch: false, stat: true }, None))
            }
            _ => Flow::Call(Op::background(Request::GetData { path, watch: false }, None)),
        }
    }
}
