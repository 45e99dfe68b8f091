//! Words for sentences.

use crate::base::ServerId;
use crate::daemon::Tongue;

/// A sentence in the language wanted.
pub(crate) fn pick(tongue: Tongue, english: String, chinese: String) -> String {
    match tongue {
        Tongue::English => english,
        Tongue::Chinese => chinese,
    }
}

/// Names in a row.
pub(crate) fn names(tongue: Tongue, servers: &[ServerId]) -> String {
    let names: Vec<String> = servers.iter().map(ToString::to_string).collect();
    names.join(pick(tongue, ", ".into(), "、".into()).as_str())
}
