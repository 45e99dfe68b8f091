//! The first visit: whoever has never been here and asks for nothing begins with a lesson of a minute. This browser alone remembers it.

use crate::ui::kit::browser::window;
use crate::ui::remote::address::UrlParams;

/// The name under which the browser remembers.
const KEY: &str = "zabscope-seen";

/// Whether this browser has never been here and its address asks for nothing in particular. Where it remembers nothing, each visit would be
/// the first: then none is.
pub(super) fn is_first(wishes: &UrlParams) -> bool {
    let storage = window().local_storage().ok().flatten();
    let new = storage.as_ref().is_some_and(|storage| matches!(storage.get_item(KEY), Ok(None)));
    let free = wishes.asks_nothing() && window().location().hash().is_ok_and(|hash| hash.is_empty());
    if let Some(storage) = storage.filter(|_| new) {
        let _ = storage.set_item(KEY, "1");
    }
    new && free
}
