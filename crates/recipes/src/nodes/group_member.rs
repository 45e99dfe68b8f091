//! GroupMember (`GroupMember.java`): an ephemeral PersistentNode for the own membership, and a CuratorCache of all members.
//! Whoever asks is always a member, also while its node is missing.

use crate::base::SortedMap;
use std::rc::Rc;

use crate::wire::{CreateMode, decoded};

use crate::nodes::cache::Cache;
use crate::nodes::persistent_node::PersistentNode;
use crate::runtime::context::{Boxed, Cx, Object, at_once};
use crate::runtime::io::Method;
use crate::runtime::io::methods;
use crate::runtime::recipe::Recipe;
use crate::runtime::value::{Exception, Value};
use crate::sorting::child_of;

/// Nothing changes it.
pub(crate) const WORDS: &[&str] = &[];

methods! { Start "start", SetThisData "setThisData", GetCurrentMembers "getCurrentMembers", Close "close" }

/// A member, made of two parts.
#[derive(Clone, Debug)]
pub(crate) struct GroupMember {
    id: Rc<str>,
    node: Rc<str>,
    cache: Rc<str>,
}

impl GroupMember {
    pub(crate) fn new(name: &Rc<str>, recipe: &Recipe, cx: &mut Cx<'_>) -> GroupMember {
        let id = recipe.id.clone().unwrap_or_else(|| cx.core.client.to_string().into());
        let [node, cache]: [Rc<str>; 2] = ["node", "cache"].map(|part| format!("{name}/{part}").into());
        let kept = PersistentNode::at(&child_of(&recipe.path, &id), CreateMode::Ephemeral, cx.core.address());
        cx.core.objects.0.insert(node.clone(), Box::new(kept));
        cx.core.objects.0.insert(cache.clone(), Box::new(Cache::at(&recipe.path)));
        GroupMember { id, node, cache }
    }

    fn members(&self, cx: &mut Cx<'_>) -> Value {
        let mut members: SortedMap<Rc<str>, Rc<str>> = SortedMap::new();
        if let Some(node) = cx.object::<PersistentNode>(&self.node) {
            members.insert(self.id.clone(), node.data().clone());
        }
        if let Some(cache) = cx.object::<Cache>(&self.cache) {
            let known = cache.children().map(|(id, data)| (id.into(), decoded(data).into()));
            members.extend(known);
        }
        Value::Names(members.iter().map(|(id, data)| format!("{id}={data}").into()).collect())
    }
}

impl Object for GroupMember {
    fn call(&mut self, _: &Rc<str>, method: &Method, cx: &mut Cx<'_>) -> Result<Boxed, Exception> {
        match Asked::of(method)? {
            Asked::Start => {
                cx.with::<PersistentNode, _>(&self.node, |node, me, cx| node.start(me, cx)).transpose()?;
                cx.with::<Cache, _>(&self.cache, |cache, me, cx| cache.start(me, cx)).transpose()?;
                Ok(at_once(Value::Nothing))
            }
            Asked::SetThisData => {
                let set =
                    |node: &mut PersistentNode, me: &Rc<str>, cx: &mut Cx<'_>| node.set_data(me, &method.data, cx);
                cx.with(&self.node, set).transpose()?;
                Ok(at_once(Value::Nothing))
            }
            Asked::GetCurrentMembers => Ok(at_once(self.members(cx))),
            Asked::Close => {
                cx.with::<Cache, _>(&self.cache, |cache, me, cx| cache.close(me, cx));
                let close = cx.with::<PersistentNode, _>(&self.node, |node, me, _| node.close(me));
                close.ok_or_else(Exception::gone)
            }
        }
    }
}
