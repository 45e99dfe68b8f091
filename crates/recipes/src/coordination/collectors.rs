//! Log collectors. Each collector has a persistent node, whose data are the sources that it collects from, and below it a
//! `status` that it writes again and again. A monitor hands out the sources: it looks over the statuses from time to time,
//! moves what a silent collector had, and evens out the load.
//!
//! Why not ephemeral nodes (`ephemeral`)? They go with the session, and with them what the collector had to do; they can have
//! no status below; and after a blip of the session all has to be handed out anew.

use std::rc::Rc;

use crate::base::{Gather, SimTime, SortedMap};
use crate::wire::{Bytes, CreateMode};

use crate::coordination::routine::{Decision, Done, Look, Rounds, Routine, Seen, below, name};
use crate::curator::Create;
use crate::runtime::context::{Boxed, Cx, Object};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::value::Exception;

/// The collectors' nodes are ephemeral, and have no status.
pub(crate) const WORDS: &[&str] = &["ephemeral"];

methods! { Collect "collect", Monitor "monitor", Stop "stop", Source "source" }

/// How often a status is written, and looked at, ms.
const BEAT_MS: u64 = 500;
/// A collector that was silent for so long counts as dead, ms.
const SILENCE_MS: u64 = 3_000;

/// A collector, or the monitor.
#[derive(Clone, Debug)]
pub(crate) struct Collectors {
    root: Rc<str>,
    id: Rc<str>,
    ephemeral: bool,
    role: Option<Role>,
    alive: bool,
    /// What a collector collects.
    said: Option<Rc<str>>,
    /// When the monitor last saw a status change, and to which version.
    heard: SortedMap<Rc<str>, (i32, SimTime)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Collector,
    Monitor,
}

impl Collectors {
    pub(crate) fn new(recipe: &Recipe, cx: &mut Cx<'_>) -> Collectors {
        let id = recipe.id.clone().unwrap_or_else(|| cx.core.client.to_string().into());
        let (root, ephemeral, heard) = (recipe.path.clone(), recipe.has("ephemeral"), SortedMap::new());
        Collectors { root, id, ephemeral, role: None, alive: false, said: None, heard }
    }

    fn collector(&self, id: &str) -> String {
        below(&self.root, &format!("collectors/{id}"))
    }

    fn status(&self, id: &str) -> String {
        below(&self.root, &format!("collectors/{id}/status"))
    }

    /// A collector keeps its nodes, says that it is there, and takes what it is given.
    fn collect(&mut self, seen: &Seen) -> Decision {
        let mut decision = Decision::default();
        let (own, status) = (self.collector(&self.id), self.status(&self.id));
        match (seen.data(&own), self.ephemeral) {
            (_, true) => decision.register(seen, &own, ""),
            (None, false) => decision.create(&own, CreateMode::Persistent, ""),
            (Some(_), false) => {}
        }
        match seen.data(&status) {
            _ if self.ephemeral => {}
            Some((beats, stat)) => {
                let beats: u64 = beats.parse().unwrap_or(0);
                decision.set(&status, &beats.wrapping_add(1).to_string(), stat);
                decision.wake_at(seen.now.plus(BEAT_MS * 1000));
            }
            None => {
                decision.create(&status, CreateMode::Persistent, "1");
                decision.wake_at(seen.now.plus(BEAT_MS * 1000));
            }
        }
        if let Some((sources, _)) = seen.data(&own)
            && self.said.as_deref() != Some(&*sources)
        {
            let sources: Rc<str> = sources.into();
            self.said = Some(sources.clone());
            decision.told.push(("collects", sources));
        }
        decision
    }

    /// Who gave a sign of life lately.
    fn living(&mut self, seen: &Seen, ids: &[Rc<str>]) -> Vec<Rc<str>> {
        let mut living = Vec::new();
        for id in ids {
            let version = seen.data(&self.status(id)).map_or(-1, |(_, stat)| stat.version);
            let heard = self.heard.get_or(id.clone(), (version, seen.now));
            if heard.0 != version {
                *heard = (version, seen.now);
            }
            if self.ephemeral || seen.now.since(heard.1) < SILENCE_MS * 1000 {
                living.push(id.clone());
            }
        }
        living
    }

    /// The monitor's round. Where nobody lives, everything stays as it is written: whoever comes back goes on.
    fn hand_out(&mut self, seen: &Seen) -> Decision {
        let mut decision = Decision::default();
        decision.wake_at(seen.now.plus(BEAT_MS * 1000));
        let ids = seen.names(&below(&self.root, "collectors")).unwrap_or_default().to_vec();
        let sources = seen.names(&below(&self.root, "sources")).unwrap_or_default();
        let living = self.living(seen, &ids);
        if living.is_empty() {
            return decision;
        }
        let given = |id: &str| seen.data(&self.collector(id)).map(|(given, _)| given).unwrap_or_default();
        let given: SortedMap<&str, _> = living.iter().map(|id| (&**id, given(id))).gathered();
        let mut plan: SortedMap<&str, Vec<&str>> = living.iter().map(|id| (&**id, Vec::new())).gathered();
        let mut free: Vec<&str> = sources.iter().map(|source| &**source).collect();
        for (id, has) in plan.iter_mut() {
            has.extend(given[id].split(' ').filter(|source| sources.iter().any(|known| **known == **source)));
            free.retain(|source| !has.contains(source));
        }
        share_out(&mut plan, free, &mut decision);
        for id in &ids {
            let wanted = plan.get(&**id).map(|has| has.join(" ")).unwrap_or_default();
            if let Some((has, stat)) = seen.data(&self.collector(id))
                && has != wanted
            {
                decision.set(&self.collector(id), &wanted, stat);
            }
        }
        decision
    }
}

/// Gives what is free to whoever has the least, and then evens out what differs by more than one.
fn share_out<'a>(plan: &mut SortedMap<&'a str, Vec<&'a str>>, mut free: Vec<&'a str>, decision: &mut Decision) {
    loop {
        let least = plan.iter().min_by_key(|(id, has)| (has.len(), **id)).map(|(id, has)| (*id, has.len()));
        let most = plan.iter().max_by_key(|(id, has)| (has.len(), **id)).map(|(id, has)| (*id, has.len()));
        let (Some(least), Some(most)) = (least, most) else { return };
        let source = match free.pop() {
            Some(source) => Some(source),
            None if most.1 > least.1 + 1 => plan.get_mut(most.0).and_then(Vec::pop),
            None => None,
        };
        let Some(source) = source else { return };
        plan.get_or_default(least.0).push(source);
        decision.told.push(("moves", format!("{source} {}", least.0).into()));
    }
}

impl Object for Collectors {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        self.role = match Asked::of(method)? {
            Asked::Collect => Some(Role::Collector),
            Asked::Monitor => Some(Role::Monitor),
            Asked::Stop => None,
            Asked::Source => {
                let path = below(&self.root, &format!("sources/{}", name(&method.data)?));
                return Ok(Create::plain(&path, CreateMode::Persistent, None::<Bytes>).with_parents().boxed());
            }
        };
        Rounds::<Collectors>::begin(&mut self.alive, me, cx);
        Ok(Done::boxed())
    }
}

impl Routine for Collectors {
    fn looks(&self, seen: &Seen) -> Vec<Look> {
        let both = |id: &str, watch: bool| {
            let status = (!self.ephemeral).then(|| Look::data(self.status(id), false));
            [Some(Look::data(self.collector(id), watch)), status].into_iter().flatten()
        };
        match self.role {
            None => Vec::new(),
            Some(Role::Collector) => both(&self.id, true).collect(),
            Some(Role::Monitor) => {
                let collectors = below(&self.root, "collectors");
                let ids = seen.names(&collectors).unwrap_or_default();
                let roots = [Look::children(below(&self.root, "sources"), true), Look::children(collectors, true)];
                roots.into_iter().chain(ids.iter().flat_map(|id| both(id, false))).collect()
            }
        }
    }

    fn decide(&mut self, seen: &Seen) -> Decision {
        match self.role {
            None => Decision::default(),
            Some(Role::Collector) => self.collect(seen),
            Some(Role::Monitor) => self.hand_out(seen),
        }
    }
}
