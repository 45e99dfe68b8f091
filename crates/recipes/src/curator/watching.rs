//! Which watches the objects of a program have set, and their removal (`WatcherRemovalManager.java`,
//! `RemoveWatchesBuilderImpl.java`).

use std::rc::Rc;

use crate::wire::{Request, WatcherType};

use super::op::Op;
use crate::runtime::context::Cx;

impl Cx<'_> {
    /// A watch of the object has fired.
    pub(crate) fn forget_watch(&mut self, object: &str, path: &str) {
        if let Some(paths) = self.core.curator.watches.get_mut(object) {
            paths.remove(path);
        }
    }

    /// `removeWatchers()`: in the background, for each watch that has not fired; after whatever was started before.
    pub(crate) fn remove_watchers(&mut self, object: &Rc<str>) {
        for request in self.removals(object) {
            self.start(Op::background(request, Some(object)), None);
        }
    }

    /// The same of a thread that goes on with requests: these come later.
    pub(crate) fn remove_watchers_first(&mut self, object: &Rc<str>) {
        for request in self.removals(object) {
            Op::start_at_once(self, request, object);
        }
    }

    fn removals(&mut self, object: &Rc<str>) -> impl Iterator<Item = Request> + use<> {
        let paths = self.core.curator.watches.remove(object).unwrap_or_default();
        paths.into_iter().map(|path| Request::RemoveWatches { path, kind: WatcherType::Any })
    }
}
