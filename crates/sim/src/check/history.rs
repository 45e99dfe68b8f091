//! The shared witness of most properties: a tree of histories. A node is a transaction with all that came before it, so
//! two servers have the same history exactly when they stand at the same node.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::base::{Chunks, Epoch, Zxid};
use crate::store::{Change, Tree, Txn};
use crate::zab::Payload;

mod found;

/// How many of the newest histories keep their model. What is older is not judged any more.
const MODELS: usize = 4_096;

/// How many of the newest histories stay whatever becomes of disks.
const KEPT: u32 = if cfg!(test) { 64 } else { MODELS as u32 };

/// A history: its last transaction in the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The empty history.
    pub const ROOT: NodeId = NodeId(0);
}

#[derive(Clone, Debug, Hash)]
struct Node {
    zxid: Zxid,
    /// None at the root, and where nobody has told it.
    payload: Option<Payload>,
    parent: NodeId,
    depth: u32,
    /// The model's digest; without a model the one that the first server to get here had.
    state: Option<u64>,
    /// A primary proposed it at this place.
    proposed: bool,
    committed: bool,
    /// An older node with the same zxid.
    namesake: Option<NodeId>,
}

/// What a history comes to.
#[derive(Clone, Debug, Hash)]
struct Model {
    /// The state after it, made by a single store that gets one transaction after the other.
    state: Tree,
    /// What its last transaction changed there.
    changes: Rc<[Change]>,
}

/// What the tree knows of a transaction that a server puts after a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It is known at this place.
    Here(NodeId),
    /// It is known, but after another history.
    Elsewhere(NodeId),
    /// Its zxid is known for another transaction.
    Namesake(NodeId),
    /// Nobody has seen its zxid.
    Nowhere,
}

/// All histories that ever were, as far as somebody can still tell of them, and which of them is committed.
#[derive(Clone, Debug, Hash)]
pub struct Histories {
    /// The empty one.
    root: Node,
    /// The others, by number; the first so many are forgotten.
    nodes: Chunks<Node>,
    forgotten: u32,
    /// The first so many were on disks when the run began.
    found: u32,
    /// The models of the newest histories, as far as all of them is known; and that of the empty one.
    models: Chunks<Option<Model>>,
    empty: Option<Model>,
    newest: BTreeMap<Zxid, NodeId>,
    tip: NodeId,
    /// How often a model was asked for that is not kept any more.
    missed: Missed,
}

#[derive(Clone, Debug, Default)]
struct Missed(Cell<u64>);

impl Hash for Missed {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.get().hash(hasher);
    }
}

impl Histories {
    /// The empty history, and the state with which every server starts.
    pub fn new(fresh: Tree) -> Histories {
        let root = Node {
            zxid: Zxid::ZERO,
            payload: None,
            parent: NodeId::ROOT,
            depth: 0,
            state: None,
            proposed: true,
            committed: true,
            namesake: None,
        };
        Histories {
            root,
            nodes: Chunks::default(),
            forgotten: 0,
            found: 0,
            models: Chunks::default(),
            empty: Some(Model { state: fresh, changes: Rc::default() }),
            newest: BTreeMap::from([(Zxid::ZERO, NodeId::ROOT)]),
            tip: NodeId::ROOT,
            missed: Missed::default(),
        }
    }

    /// Where a history stands in the list; one that is forgotten is a beginning of all that are kept, as the first of them is.
    fn place(&self, id: NodeId) -> Option<usize> {
        Some((id.0.checked_sub(1)?).saturating_sub(self.forgotten) as usize)
    }

    fn node(&self, id: NodeId) -> &Node {
        self.place(id).map_or(&self.root, |place| &self.nodes[place])
    }

    fn node_mut(&mut self, id: NodeId) -> &mut Node {
        let place = self.place(id);
        place.map_or(&mut self.root, |place| self.nodes.get_mut(place).expect("nobody makes an id but `grow`"))
    }

    fn is_kept(&self, id: NodeId) -> bool {
        id.0 > self.forgotten
    }

    /// How many transactions before a history's end.
    pub fn depth(&self, id: NodeId) -> u32 {
        self.node(id).depth
    }

    /// The last zxid of a history.
    pub fn zxid(&self, id: NodeId) -> Zxid {
        self.node(id).zxid
    }

    /// The last epoch of a history.
    pub fn epoch(&self, id: NodeId) -> Epoch {
        self.node(id).zxid.epoch()
    }

    /// The history without its last transaction.
    pub fn parent(&self, id: NodeId) -> NodeId {
        self.node(id).parent
    }

    /// The state's hash, when somebody has told it.
    pub fn state(&self, id: NodeId) -> Option<u64> {
        self.node(id).state
    }

    /// What a history comes to, where it is still kept and all of it is known.
    fn comes_to(&self, id: NodeId) -> Option<&Model> {
        if id == NodeId::ROOT {
            return self.empty.as_ref();
        }
        // models are of the newest, so they are counted from there
        let kept = self.place(id).filter(|_| self.is_kept(id));
        let back = kept.map(|place| self.nodes.len() - place);
        let model = back.and_then(|back| self.models.len().checked_sub(back)).map(|place| &self.models[place]);
        if model.is_none() {
            self.missed.0.set(self.missed.0.get() + 1);
        }
        model?.as_ref()
    }

    /// The state after a history, where it is still kept and all of it is known.
    pub fn model(&self, id: NodeId) -> Option<&Tree> {
        self.comes_to(id).map(|model| &model.state)
    }

    /// What the last transaction of a history changed, where the state after it is known.
    pub fn changes(&self, id: NodeId) -> Option<Rc<[Change]>> {
        self.comes_to(id).map(|model| model.changes.clone())
    }

    /// How often something could not be judged, because the state that it is about is older than those that are kept.
    pub fn missed(&self) -> u64 {
        self.missed.0.get()
    }

    /// A history's last transaction.
    pub fn txn(&self, id: NodeId) -> Option<&Txn> {
        let known = Some(id).filter(|&id| self.is_kept(id))?;
        self.node(known).payload.as_ref().map(|payload| &*payload.txn)
    }

    /// What becomes committed when a history does, in order. What was there before the run is left out: whether it was committed then
    /// nobody knows.
    pub fn not_yet_committed(&self, id: NodeId) -> Vec<NodeId> {
        let path = std::iter::successors(Some(id), |&at| Some(self.parent(at)));
        let mut news: Vec<NodeId> = path.take_while(|&at| !self.is_committed(at) && !self.is_found(at)).collect();
        news.reverse();
        news
    }

    /// The place at which a primary proposed a transaction.
    pub fn proposed(&self, zxid: Zxid, payload: &Payload) -> Option<NodeId> {
        self.namesakes(zxid).find(|&id| self.node(id).proposed && self.node(id).payload.as_ref() == Some(payload))
    }

    /// Whether all of it was ever committed.
    pub fn is_committed(&self, id: NodeId) -> bool {
        self.node(id).committed
    }

    /// The longest committed history.
    pub fn tip(&self) -> NodeId {
        self.tip
    }

    /// Whether `one` is a prefix of `other` (or the same).
    pub fn is_prefix(&self, one: NodeId, other: NodeId) -> bool {
        let depth = self.node(one).depth;
        let mut at = other;
        while self.node(at).depth > depth {
            at = self.parent(at);
        }
        self.place(at) == self.place(one)
    }

    /// The longest prefix of a history that ends before an epoch.
    pub fn before_epoch(&self, id: NodeId, epoch: Epoch) -> NodeId {
        let mut at = id;
        while at != NodeId::ROOT && self.epoch(at) >= epoch {
            at = self.parent(at);
        }
        at
    }

    fn namesakes(&self, zxid: Zxid) -> impl Iterator<Item = NodeId> {
        let all = std::iter::successors(self.newest.get(&zxid).copied(), |&id| self.node(id).namesake);
        all.take_while(|&id| id == NodeId::ROOT || self.is_kept(id))
    }

    /// The prefix of `history` that ends with `zxid`.
    pub fn prefix_at(&self, zxid: Zxid, history: NodeId) -> Option<NodeId> {
        self.namesakes(zxid).find(|&id| self.is_prefix(id, history))
    }

    /// The newest history that ends with `zxid`.
    pub fn newest(&self, zxid: Zxid) -> Option<NodeId> {
        self.newest.get(&zxid).copied()
    }

    /// The history that ends with `zxid` and has this state; failing that, the newest that ends with it.
    pub fn with_state(&self, zxid: Zxid, state: u64) -> Option<NodeId> {
        self.namesakes(zxid)
            .find(|&id| self.node(id).state == Some(state))
            .or_else(|| self.newest.get(&zxid).copied())
    }

    /// Looks for a transaction after a history. Without a payload any with this zxid will do.
    pub fn find(&self, zxid: Zxid, payload: Option<&Payload>, after: NodeId) -> Found {
        let mut found = Found::Nowhere;
        for id in self.namesakes(zxid) {
            let node = self.node(id);
            let same = payload.is_none() || payload == node.payload.as_ref();
            match (same, node.parent == after && id != NodeId::ROOT) {
                (true, true) => return Found::Here(id),
                (true, false) if !matches!(found, Found::Elsewhere(_)) => found = Found::Elsewhere(id),
                (false, _) if found == Found::Nowhere => found = Found::Namesake(id),
                _ => {}
            }
        }
        found
    }

    /// The node of a transaction after a history; it grows where it is not known.
    pub fn grow(&mut self, zxid: Zxid, payload: Option<&Payload>, after: NodeId, proposed: bool) -> NodeId {
        let known = match self.find(zxid, payload, after) {
            Found::Here(id) => {
                self.node_mut(id).proposed |= proposed;
                return id;
            }
            Found::Elsewhere(id) => Some(id),
            _ => None,
        };
        let payload = payload.or_else(|| known.and_then(|id| self.node(id).payload.as_ref())).cloned();
        let model = self.model(after).cloned().zip(payload.as_ref()).map(|(mut state, payload)| {
            let changes = state.apply(zxid, &payload.txn).changes.into();
            Model { state, changes }
        });
        let id = self.push(zxid, payload, after, proposed);
        self.node_mut(id).state = model.as_ref().map(|model| model.state.digest());
        self.models.push_newest(model, MODELS);
        id
    }

    /// A node without a model.
    fn push(&mut self, zxid: Zxid, payload: Option<Payload>, parent: NodeId, proposed: bool) -> NodeId {
        let id = NodeId(self.forgotten + self.nodes.len() as u32 + 1);
        let namesake = self.newest.insert(zxid, id);
        let (depth, state, committed) = (self.node(parent).depth + 1, None, false);
        self.nodes.push(Node { zxid, payload, parent, depth, state, proposed, committed, namesake });
        id
    }

    /// Forgets what comes before a history, and beside it: it is committed, and a beginning of all that any server still has. The newest
    /// ones stay whatever that is: answers are judged that come late.
    pub fn forget_before(&mut self, mut floor: NodeId) {
        let newest = self.forgotten + self.nodes.len() as u32;
        while self.is_kept(floor) && newest - floor.0 < KEPT {
            floor = self.parent(floor);
        }
        self.forget(floor);
    }

    fn forget(&mut self, floor: NodeId) {
        let Some(gone) = self.place(floor) else { return };
        for _ in 0..gone {
            self.nodes.drop_first();
        }
        self.forgotten += gone as u32;
        self.node_mut(floor).parent = NodeId::ROOT;
        let forgotten = self.forgotten;
        self.newest.retain(|_, id| *id == NodeId::ROOT || id.0 > forgotten);
    }

    /// How many histories are kept, but for the empty one.
    #[cfg(test)]
    pub fn kept(&self) -> usize {
        self.nodes.len()
    }

    /// From now on transactions have no effect that anybody knows: stories tell of them by their texts alone.
    #[cfg(test)]
    pub fn forget_models(&mut self) {
        self.empty = None;
        self.models = self.models.iter().map(|_| None).collect();
    }

    /// Keeps the state that the first server had here, where there is no model.
    pub fn learn_state(&mut self, id: NodeId, state: u64) {
        self.node_mut(id).state.get_or_insert(state);
    }

    /// All of a history is committed.
    pub fn commit(&mut self, id: NodeId) {
        let mut at = id;
        while !self.node(at).committed {
            self.node_mut(at).committed = true;
            at = self.parent(at);
        }
        if self.node(id).depth >= self.node(self.tip).depth || !self.is_prefix(id, self.tip) {
            self.tip = id;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(text: &str) -> Payload {
        Payload::text(text)
    }

    #[test]
    fn equal_histories_are_one_node_and_different_ones_two() {
        let mut tree = Histories::new(Tree::new(""));
        let (z1, z2) = (Zxid::new(1, 1), Zxid::new(1, 2));
        let a = tree.grow(z1, Some(&payload("a")), NodeId::ROOT, true);
        let ab = tree.grow(z2, Some(&payload("b")), a, true);
        assert_eq!(tree.grow(z1, Some(&payload("a")), NodeId::ROOT, false), a);
        let c = tree.grow(z1, Some(&payload("c")), NodeId::ROOT, true);
        assert!(tree.is_prefix(a, ab) && !tree.is_prefix(c, ab) && tree.is_prefix(NodeId::ROOT, c));
        assert_eq!(tree.find(z2, Some(&payload("b")), c), Found::Elsewhere(ab));
        assert_eq!(tree.find(z2, Some(&payload("x")), a), Found::Namesake(ab));
        assert_eq!(tree.prefix_at(z1, ab), Some(a));
    }

    #[test]
    fn what_is_forgotten_is_a_beginning_of_all_that_is_kept() {
        let mut tree = Histories::new(Tree::new(""));
        let z = |counter| Zxid::new(1, counter);
        let mut line = vec![NodeId::ROOT];
        for counter in 1..=10 {
            let last = *line.last().expect("the root");
            line.push(tree.grow(z(counter), Some(&payload("x")), last, true));
        }
        let beside = tree.grow(z(3), Some(&payload("y")), line[2], true);
        tree.commit(line[8]);
        tree.forget(line[6]);
        assert_eq!(tree.kept(), 6, "five of the line, and the one beside it, which is younger");
        assert!(tree.is_prefix(line[2], line[9]) && tree.is_prefix(NodeId::ROOT, line[6]));
        assert!(!tree.is_prefix(line[9], line[8]) && !tree.is_prefix(line[6], NodeId::ROOT));
        assert_eq!((tree.txn(line[2]), tree.txn(NodeId::ROOT)), (None, None));
        assert!(tree.txn(line[6]).is_some() && tree.zxid(NodeId::ROOT) == Zxid::ZERO);
        assert_eq!((tree.newest(z(2)), tree.prefix_at(z(7), line[9])), (None, Some(line[7])));
        assert_eq!(tree.before_epoch(line[9], 1), NodeId::ROOT);
        assert_eq!(tree.find(z(10), Some(&payload("x")), line[9]), Found::Here(line[10]));
        let more = tree.grow(z(11), Some(&payload("x")), line[10], true);
        assert!(tree.not_yet_committed(more) == [line[9], line[10], more] && tree.model(more).is_some());
        tree.commit(more);
        assert!(tree.tip() == more && tree.is_prefix(line[3], more) && tree.newest(z(3)) == Some(beside));
        tree.forget(line[9]);
        assert_eq!((tree.kept(), tree.depth(more)), (4, 11));
    }

    #[test]
    fn the_committed_tip_only_moves_on() {
        let mut tree = Histories::new(Tree::new(""));
        let a = tree.grow(Zxid::new(1, 1), None, NodeId::ROOT, true);
        let ab = tree.grow(Zxid::new(1, 2), None, a, true);
        tree.commit(ab);
        tree.commit(a);
        assert_eq!(tree.tip(), ab);
        assert!(tree.is_committed(a));
    }
}
