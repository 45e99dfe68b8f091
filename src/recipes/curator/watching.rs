//! Which watches the objects of a program have set, and their removal (`WatcherRemovalManager.java`,
//! `RemoveWatchesBuilderImpl.java`).

use std::rc::Rc;

use crate::wire::{Request, WatcherType};

use super::super::context::Cx;
use super::op::Op;

impl Cx<'_> {
    /// A watch of the object has fired.
    pub fn forget_watch(&mut self, object: &str, path: &str) {
        if let Some(paths) = self.core.curator.watches.get_mut(object) {
            paths.remove(path);
        }
    }

    /// `removeWatchers()`: in the background, for each watch that has not fired.
    pub fn remove_watchers(&mut self, object: &Rc<str>) {
        for path in self.core.curator.watches.remove(object).unwrap_or_default() {
            let request = Request::RemoveWatches { path, kind: WatcherType::Any };
            self.start(Op::background(request, Some(object)), None);
        }
    }
}
