//! Service names: each instance is an ephemeral node with its address below the service's node; a balancer watches the
//! children and hands out the addresses in turn. An instance whose session ended registers again; one that unregisters
//! deletes by name, whoever has made the node since.

use std::rc::Rc;

use crate::coordination::routine::{Decision, Done, Look, Rounds, Routine, Seen, below};
use crate::curator::Delete;
use crate::runtime::context::{Boxed, Copied, Cx, Object};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::value::Exception;

/// Nothing changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! { Register "register", Unregister "unregister", Follow "follow", Lookup "lookup" }

/// A service at one client: an instance of it, or a balancer, or both.
#[derive(Clone, Debug)]
pub(crate) struct Naming {
    path: Rc<str>,
    /// The own node.
    own: Rc<str>,
    address: Option<Rc<str>>,
    follows: bool,
    alive: bool,
    addresses: Vec<Rc<str>>,
    /// Whose turn it is.
    turn: usize,
}

impl Naming {
    pub(crate) fn new(recipe: &Recipe, cx: &mut Cx<'_>) -> Naming {
        let id = recipe.id.clone().unwrap_or_else(|| cx.core.client.to_string().into());
        let own = below(&recipe.path, &id).into();
        let (address, addresses) = (None, Vec::new());
        Naming { path: recipe.path.clone(), own, address, follows: false, alive: false, addresses, turn: 0 }
    }
}

impl Object for Naming {
    fn call(&mut self, me: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::Register => self.address = Some(method.data.clone().unwrap_or_else(|| cx.core.address())),
            Asked::Unregister => {
                self.address = None;
                return Ok(Delete::guaranteed(self.own.clone()));
            }
            Asked::Follow => self.follows = true,
            Asked::Lookup => {
                let turn = self.turn.checked_rem(self.addresses.len());
                self.turn = turn.map_or(0, |turn| turn + 1);
                return Ok(Done::text(turn.and_then(|turn| self.addresses.get(turn)).cloned()));
            }
        }
        Rounds::<Naming>::begin(&mut self.alive, me, cx);
        Ok(Done::boxed())
    }

    fn copy(&self) -> Option<Copied> {
        self.follows.then(|| Copied {
            path: self.path.clone(),
            below: true,
            values: self.addresses.clone(),
            named: false,
            hidden: Vec::new(),
        })
    }
}

impl Routine for Naming {
    fn looks(&self, seen: &Seen) -> Vec<Look> {
        let mut looks = Vec::new();
        if self.address.is_some() {
            looks.push(Look::data(self.own.clone(), true));
        }
        if self.follows {
            looks.push(Look::children(self.path.clone(), true));
            let names = seen.names(&self.path).unwrap_or_default();
            looks.extend(names.iter().map(|name| Look::data(below(&self.path, name), false)));
        }
        looks
    }

    fn decide(&mut self, seen: &Seen) -> Decision {
        let mut decision = Decision::default();
        if let Some(address) = &self.address {
            decision.register(seen, &self.own, address);
        }
        if self.follows {
            let names = seen.names(&self.path).unwrap_or_default();
            let data = names.iter().filter_map(|name| seen.data(&below(&self.path, name)));
            let addresses: Vec<Rc<str>> = data.map(|(address, _)| address.into()).collect();
            if addresses != self.addresses {
                decision.told.push(("follows", addresses.join(" ").into()));
                self.addresses = addresses;
            }
        }
        decision
    }
}
