//! Master and workers: `master`, `workers`, `tasks`, `assign` below one path. Whoever makes the ephemeral `master` leads, the
//! others stand by and watch it. The master hands tasks to the worker with the fewest, and takes back what a dead worker had;
//! all it knows stands in the tree, so that the next master goes on where it stopped.

use std::rc::Rc;

use crate::base::{Gather, Micros, SimTime, SortedMap, SortedSet};
use crate::wire::CreateMode;

use crate::coordination::routine::{Decision, Done, Look, Rounds, Routine, Seen, below};
use crate::curator::Create;
use crate::runtime::context::{Boxed, Cx, Object};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::value::Exception;

/// Nothing changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! { Master "master", Worker "worker", Stop "stop", Submit "submit" }

/// How long a worker works on a task where nothing else is said, ms.
const TASK_MS: u64 = 500;

/// What a client is in it.
#[derive(Clone, Debug)]
pub(crate) struct MasterWorker {
    root: Rc<str>,
    id: Rc<str>,
    role: Option<Role>,
    alive: bool,
    /// What a master or backup said last.
    said: Rc<str>,
}

#[derive(Clone, Debug)]
enum Role {
    /// The master, or a backup.
    Master,
    Worker {
        takes: Micros,
        /// The task it works on, and until when.
        task: Option<(Rc<str>, SimTime)>,
    },
}

impl MasterWorker {
    pub(crate) fn new(recipe: &Recipe, cx: &mut Cx<'_>) -> MasterWorker {
        let id = recipe.id.clone().unwrap_or_else(|| cx.core.client.to_string().into());
        MasterWorker { root: recipe.path.clone(), id, role: None, alive: false, said: "".into() }
    }

    fn at(&self, name: &str) -> String {
        below(&self.root, name)
    }
}

impl Object for MasterWorker {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::Master => self.role = Some(Role::Master),
            Asked::Worker => {
                let ms: u64 = method.data.as_deref().and_then(|ms| ms.parse().ok()).unwrap_or(TASK_MS);
                self.role = Some(Role::Worker { takes: ms.min(60_000) * 1000, task: None });
            }
            Asked::Stop => self.role = None,
            Asked::Submit => {
                let (path, data) = (self.at("tasks/task-"), method.data.clone());
                return Ok(Create::plain(&path, CreateMode::PersistentSequential, data).with_parents().boxed());
            }
        }
        Rounds::<MasterWorker>::begin(&mut self.alive, me, cx);
        Ok(Done::boxed())
    }
}

impl Routine for MasterWorker {
    fn looks(&self, seen: &Seen) -> Vec<Look> {
        match self.role {
            None => Vec::new(),
            Some(Role::Master) => self.master_looks(seen),
            Some(Role::Worker { .. }) => {
                let assigned = self.at(&format!("assign/{}", self.id));
                let mut looks = vec![Look::data(self.at(&format!("workers/{}", self.id)), true)];
                looks.push(Look::children(assigned.clone(), true));
                let first = seen.names(&assigned).and_then(|names| names.first());
                looks.extend(first.map(|task| Look::data(self.at(&format!("tasks/{task}")), false)));
                looks
            }
        }
    }

    fn decide(&mut self, seen: &Seen) -> Decision {
        match self.role.clone() {
            None => Decision::default(),
            Some(Role::Master) => self.as_master(seen),
            Some(Role::Worker { takes, task }) => {
                let (decision, task) = self.as_worker(seen, takes, task);
                self.role = Some(Role::Worker { takes, task });
                decision
            }
        }
    }
}

impl MasterWorker {
    fn master_looks(&self, seen: &Seen) -> Vec<Look> {
        let mut looks = vec![Look::data(self.at("master"), true)];
        if seen.owns(&self.at("master")) {
            looks.extend([Look::children(self.at("workers"), true), Look::children(self.at("tasks"), true)]);
            looks.push(Look::children(self.at("assign"), false));
            let workers = seen.names(&self.at("assign")).unwrap_or_default();
            looks.extend(workers.iter().map(|id| Look::children(self.at(&format!("assign/{id}")), false)));
        }
        looks
    }

    fn as_master(&mut self, seen: &Seen) -> Decision {
        let mut decision = Decision::default();
        let master = self.at("master");
        match seen.data(&master) {
            None => decision.create(&master, CreateMode::Ephemeral, &self.id),
            Some((other, _)) if !seen.owns(&master) => {
                let other = other.to_string();
                decision.tell_change(&mut self.said, "stands_by", &other);
            }
            Some(_) => {
                let id = self.id.clone();
                decision.tell_change(&mut self.said, "leads", &id);
                self.assign(seen, &mut decision);
            }
        }
        decision
    }

    /// Takes back what dead workers had, and hands out what nobody has.
    fn assign(&self, seen: &Seen, decision: &mut Decision) {
        let names = |path: &str| seen.names(&self.at(path)).unwrap_or_default();
        let mut load: SortedMap<&Rc<str>, usize> = names("workers").iter().map(|id| (id, 0)).gathered();
        let mut taken: SortedSet<&Rc<str>> = SortedSet::new();
        for id in names("assign") {
            let tasks = names(&format!("assign/{id}"));
            if let Some(load) = load.get_mut(id) {
                *load = tasks.len();
                taken.extend(tasks);
                continue;
            }
            for task in tasks {
                decision.delete(&self.at(&format!("assign/{id}/{task}")));
            }
            decision.delete(&self.at(&format!("assign/{id}")));
            decision.told.push(("buries", id.clone()));
        }
        for task in names("tasks").iter().filter(|task| !taken.contains(task)) {
            let fewest = load.iter().min_by_key(|(id, load)| (**load, **id)).map(|(id, _)| *id);
            let Some(id) = fewest else { return };
            if let Some(load) = load.get_mut(id) {
                *load += 1
            }
            decision.create(&self.at(&format!("assign/{id}/{task}")), CreateMode::Persistent, "");
            decision.told.push(("assigns", format!("{task} {id}").into()));
        }
    }

    /// Registers, and works on the first task; one that is no longer its own is left.
    fn as_worker(
        &self,
        seen: &Seen,
        takes: Micros,
        mut task: Option<(Rc<str>, SimTime)>,
    ) -> (Decision, Option<(Rc<str>, SimTime)>) {
        let mut decision = Decision::default();
        let assigned = self.at(&format!("assign/{}", self.id));
        decision.register(seen, &self.at(&format!("workers/{}", self.id)), "");
        let Some(names) = seen.names(&assigned) else {
            decision.create(&assigned, CreateMode::Persistent, "");
            return (decision, None);
        };
        let Some(first) = names.first() else { return (decision, None) };
        let path = self.at(&format!("tasks/{first}"));
        let begun = task.take().filter(|(task, _)| task == first);
        let until = begun.map_or(seen.now.plus(takes), |(_, until)| until);
        match seen.data(&path) {
            Some((data, _)) if until <= seen.now => {
                decision.told.push(("consumed", data.into()));
                decision.delete(&path);
                decision.delete(&format!("{assigned}/{first}"));
                (decision, None)
            }
            Some(_) => {
                decision.wake_at(until);
                (decision, Some((first.clone(), until)))
            }
            // it was done by somebody else
            None => {
                decision.delete(&format!("{assigned}/{first}"));
                (decision, None)
            }
        }
    }
}
