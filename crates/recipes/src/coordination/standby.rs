//! Standby of replication tasks. Hot: every instance registers at its task, the one with the smallest number runs, the others
//! watch and stand by. Cold: an instance looks over all tasks of a group from time to time, registers where nobody is, and
//! withdraws where another was first. Either way the runner writes how far it has come to `lastCommit`, and the next one
//! goes on from there.

use crate::base::SortedMap;
use std::rc::Rc;

use crate::wire::{Bytes, CreateMode};

use crate::coordination::routine::{Decision, Done, Look, Rounds, Routine, Seen, below, name};
use crate::curator::Create;
use crate::runtime::context::{Boxed, Cx, Object};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::value::Exception;
use crate::sorting::{key, sorted};

/// Nothing changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! { Hot "hot", Cold "cold", Stop "stop", Task "task" }

/// How often a runner commits, and a scanner scans, ms.
const STEP_MS: u64 = 500;

/// An instance.
#[derive(Clone, Debug)]
pub(crate) struct Standby {
    root: Rc<str>,
    id: Rc<str>,
    way: Option<Way>,
    alive: bool,
    /// What was said last of each task.
    said: SortedMap<Rc<str>, &'static str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The path is one task.
    Hot,
    /// The path is a group, with `tasks` below.
    Cold,
}

impl Standby {
    pub(crate) fn new(recipe: &Recipe, cx: &mut Cx<'_>) -> Standby {
        let id = recipe.id.clone().unwrap_or_else(|| cx.core.client.to_string().into());
        Standby { root: recipe.path.clone(), id, way: None, alive: false, said: SortedMap::new() }
    }

    fn tasks(&self, seen: &Seen) -> Vec<String> {
        let tasks = below(&self.root, "tasks");
        match self.way {
            None => Vec::new(),
            Some(Way::Hot) => vec![self.root.to_string()],
            Some(Way::Cold) => {
                seen.names(&tasks).unwrap_or_default().iter().map(|task| below(&tasks, task)).collect()
            }
        }
    }

    /// A task's instances in the order of their numbers, and which of them bear the own id.
    fn instances(&self, seen: &Seen, task: &str) -> Vec<(String, bool)> {
        let (path, prefix) = (below(task, "instances"), format!("{}-", self.id));
        let names = sorted(seen.names(&path).unwrap_or_default().to_vec(), |name| key(name, "-"));
        names.iter().map(|name| (below(&path, name), name.starts_with(&prefix))).collect()
    }

    /// What becomes of one task in this round.
    fn see_to(&mut self, seen: &Seen, task: &str, decision: &mut Decision) {
        let instances = self.instances(seen, task);
        let own = instances.iter().position(|(path, own)| *own && seen.owns(path));
        match own {
            None if self.way == Some(Way::Hot) || instances.is_empty() => {
                let path = below(task, &format!("instances/{}-", self.id));
                decision.create(&path, CreateMode::EphemeralSequential, "");
            }
            None => {}
            Some(0) => self.commit(seen, task, decision),
            Some(own) if self.way == Some(Way::Cold) => decision.delete(&instances[own].0),
            Some(_) => self.say("stands_by", task, task, decision),
        }
        if own.is_none() {
            self.said.remove(task);
        }
    }

    fn say(&mut self, what: &'static str, task: &str, about: &str, decision: &mut Decision) {
        if self.said.insert(task.into(), what) != Some(what) {
            decision.told.push((what, about.into()));
        }
    }

    /// The runner's work: one more than was there.
    fn commit(&mut self, seen: &Seen, task: &str, decision: &mut Decision) {
        let path = below(task, "lastCommit");
        let last: u64 = seen.data(&path).and_then(|(data, _)| data.parse().ok()).unwrap_or(0);
        self.say("runs_from", task, &format!("{task} {last}"), decision);
        let next = last.saturating_add(1).to_string();
        match seen.data(&path) {
            Some((_, stat)) => decision.set(&path, &next, stat),
            None => decision.create(&path, CreateMode::Persistent, &next),
        }
        decision.wake_at(seen.now.plus(STEP_MS * 1000));
    }
}

impl Object for Standby {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        self.way = match Asked::of(method)? {
            Asked::Hot => Some(Way::Hot),
            Asked::Cold => Some(Way::Cold),
            Asked::Stop => None,
            Asked::Task => {
                let path = below(&self.root, &format!("tasks/{}", name(&method.data)?));
                return Ok(Create::plain(&path, CreateMode::Persistent, None::<Bytes>).with_parents().boxed());
            }
        };
        Rounds::<Standby>::begin(&mut self.alive, me, cx);
        Ok(Done::boxed())
    }
}

impl Routine for Standby {
    fn looks(&self, seen: &Seen) -> Vec<Look> {
        let mut looks = Vec::new();
        let hot = self.way == Some(Way::Hot);
        if self.way == Some(Way::Cold) {
            looks.push(Look::children(below(&self.root, "tasks"), false));
        }
        for task in self.tasks(seen) {
            looks.push(Look::children(below(&task, "instances"), hot));
            let instances = self.instances(seen, &task);
            looks.extend(instances.iter().filter(|(_, own)| *own).map(|(path, _)| Look::data(path.clone(), false)));
            if instances.first().is_some_and(|(_, own)| *own) {
                looks.push(Look::data(below(&task, "lastCommit"), false));
            }
        }
        looks
    }

    fn decide(&mut self, seen: &Seen) -> Decision {
        let mut decision = Decision::default();
        for task in self.tasks(seen) {
            self.see_to(seen, &task, &mut decision);
        }
        if self.way == Some(Way::Cold) {
            decision.wake_at(seen.now.plus(STEP_MS * 1000));
        }
        decision
    }
}
