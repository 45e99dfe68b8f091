//! ServiceProvider (`ServiceProviderImpl.java`, `ServiceCacheImpl.java`): it follows the instances of a service in a CuratorCache
//! and hands one out at a time, without a request. An instance that died stays in its list until the session is over; who
//! calls it meanwhile notes the errors, and two of them hide it.
//!
//! Its path is the service's: `/services/web`.

use crate::base::SortedMap;
use std::rc::Rc;

use crate::curator::Containers;
use crate::elections::leadership::Phase;
use crate::nodes::cache::{Cache, GONE, INITIALIZED, IS};
use crate::nodes::strategy::{Down, Instance, Strategy};
use crate::runtime::context::{Boxed, Copied, Cx, Frame, Object, at_once};
use crate::runtime::fact::Fact;
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::thread::{Flow, Resume, Wake};
use crate::runtime::value::{Exception, Outcome, Value};
use crate::sorting::name_of;

/// The strategy, which is round robin by itself: `random`, `sticky`.
pub(crate) const WORDS: &[&str] = &["random", "sticky"];

methods! {
    Start "start", GetInstance "getInstance", GetAllInstances "getAllInstances", NoteError "noteError", Close "close",
}

/// A way to one service.
#[derive(Clone, Debug)]
pub(crate) struct Provider {
    pub path: Rc<str>,
    /// The cache, a part of the program's objects.
    cache: Rc<str>,
    phase: Phase,
    /// By id.
    instances: SortedMap<Rc<str>, Rc<str>>,
    /// The list is complete.
    initialized: bool,
    strategy: Strategy,
    down: Down,
}

impl Provider {
    pub(crate) fn new(name: &Rc<str>, recipe: &Recipe, cx: &mut Cx<'_>) -> Provider {
        let cache: Rc<str> = format!("{name}/cache").into();
        cx.core.objects.0.insert(cache.clone(), Box::new(Cache::at(&recipe.path).told_to(name)));
        Provider {
            path: recipe.path.clone(),
            cache,
            phase: Phase::Latent,
            instances: SortedMap::new(),
            initialized: false,
            strategy: Strategy::of(|word| recipe.has(word)),
            down: Down::new(cx.now),
        }
    }

    /// `close()`.
    pub(crate) fn close(&mut self, cx: &mut Cx<'_>) -> Outcome {
        self.phase.close()?;
        cx.with::<Cache, _>(&self.cache, |cache, me, cx| cache.close(me, cx));
        Ok(Value::Nothing)
    }

    /// `FilteredInstanceProvider`: those that no errors hide.
    fn available(&mut self, cx: &Cx<'_>) -> Vec<Instance> {
        let all: Vec<Instance> = self.instances.iter().map(|(id, data)| (id.clone(), data.clone())).collect();
        all.into_iter().filter(|instance| !self.down.hides(instance, cx.now)).collect()
    }

    /// The first instance with this address.
    fn note_error(&mut self, method: &Method, cx: &Cx<'_>) {
        let wanted = |(_, data): &(&Rc<str>, &Rc<str>)| Some(*data) == method.data.as_ref();
        if let Some((id, data)) = self.instances.iter().find(wanted) {
            self.down.add((id.clone(), data.clone()), cx.now);
        }
    }
}

impl Object for Provider {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        Ok(match Asked::of(method)? {
            Asked::Start => {
                self.phase.start()?;
                let (object, cache) = (me.clone(), self.cache.clone());
                Box::new(Start { object, cache, path: self.path.clone(), began: false })
            }
            Asked::GetInstance => {
                let instances = self.available(cx);
                let picked = self.strategy.pick(&instances, &mut cx.core.curator.prng);
                at_once(Value::Text(picked.map(|(_, data)| data)))
            }
            Asked::GetAllInstances => {
                at_once(Value::Names(self.available(cx).into_iter().map(|(_, data)| data).collect()))
            }
            Asked::NoteError => {
                self.note_error(method, cx);
                at_once(Value::Nothing)
            }
            Asked::Close => at_once(self.close(cx)?),
        })
    }

    fn copy(&self) -> Option<Copied> {
        let values = self.instances.values().cloned().collect();
        let hidden = self.down.hidden().map(|(_, data)| data.clone()).collect();
        (self.phase == Phase::Started).then(|| Copied {
            path: self.path.clone(),
            below: true,
            values,
            named: false,
            hidden,
        })
    }

    /// Its cache tells of a node. Of nodes further down too: the original takes each of them for an instance.
    fn finished(&mut self, me: &Rc<str>, what: &'static str, outcome: Outcome, cx: &mut Cx<'_>) {
        match (what, outcome) {
            (INITIALIZED, _) => {
                self.initialized = true;
                cx.notify(me);
                return;
            }
            (IS, Ok(Value::Names(node))) => match &node[..] {
                [path, data] if *path != self.path => self.instances.insert(name_of(path).into(), data.clone()),
                _ => return,
            },
            (GONE, Ok(Value::Text(Some(path)))) if path != self.path => self.instances.remove(name_of(&path)),
            _ => return,
        };
        if self.initialized {
            cx.fact(Fact::Callback { object: me.clone(), callback: "cacheChanged" });
        }
    }
}

/// `start()`: the service's node is made where it is missing, and the list is waited for.
#[derive(Clone, Debug)]
struct Start {
    object: Rc<str>,
    cache: Rc<str>,
    path: Rc<str>,
    began: bool,
}

impl Frame for Start {
    fn resume(&mut self, cx: &mut Cx<'_>, with: Resume) -> Flow {
        match with {
            Resume::Woken(Wake::Interrupted) => return Flow::Return(Err(Exception::Interrupted)),
            Resume::Returned(Err(exception)) => return Flow::Return(Err(exception)),
            Resume::Returned(Ok(_)) if !self.began => {
                self.began = true;
                let started = cx.with::<Cache, _>(&self.cache, |cache, me, cx| cache.start(me, cx));
                if let Some(Err(exception)) = started {
                    return Flow::Return(Err(exception));
                }
            }
            Resume::Start => return Flow::Call(Containers::ensure(&self.path)),
            _ => {}
        }
        match cx.object::<Provider>(&self.object) {
            Some(provider) if !provider.initialized => Flow::Wait { on: Some(self.object.clone()), until: None },
            _ => Flow::Return(Ok(Value::Nothing)),
        }
    }
}
