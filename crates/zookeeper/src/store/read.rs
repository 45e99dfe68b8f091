//! Reads, answered from one server's own tree (`FinalRequestProcessor.java`).

use std::rc::Rc;

use crate::base::{Arrange, SessionId, java};
use crate::wire::{Acl, Answer, AuthId, Code, Outcome, Perms, Request};

use super::acl::{allows, check};
use super::node::Znode;
use super::tree::Tree;

/// Answers a request that reads; others get `Unimplemented`.
pub fn read(tree: &Tree, session: SessionId, who: &[AuthId], request: &Request) -> Outcome {
    let node = |path: &str, wanted: Perms| {
        let node = tree.get(path).ok_or(Code::NoNode)?;
        check(&node.acl, who, wanted).map(|()| node)
    };
    match request {
        Request::Exists { path, .. } if path.contains('\0') => Err(Code::BadArguments), // no other read looks
        Request::Exists { path, .. } => Ok(Answer::Stat(node(path, Perms::READ)?.stat())),
        Request::GetData { path, .. } => {
            let node = node(path, Perms::READ)?;
            Ok(Answer::Data { data: node.data.clone(), stat: node.stat() })
        }
        Request::GetChildren { path, stat, .. } => {
            let node = node(path, Perms::READ)?;
            Ok(Answer::Children { names: names(node), stat: stat.then(|| node.stat()) })
        }
        Request::GetAllChildrenNumber { path } => {
            node(path, Perms::READ)?;
            Ok(Answer::Number(i32::try_from(all_children(tree, path)).unwrap_or(i32::MAX)))
        }
        Request::GetEphemerals { prefix } => {
            let all = matches!(prefix.trim_matches(|c| c <= ' '), "" | "/");
            let mut paths = tree.ephemerals_cloned(session);
            paths.retain(|path| all || path.starts_with(&**prefix));
            Ok(Answer::Paths(paths))
        }
        Request::GetAcl { path } => {
            let node = node(path, Perms(Perms::READ.0 | Perms::ADMIN.0))?;
            Ok(Answer::Acl { acl: shown(&node.acl, who), stat: node.stat() })
        }
        Request::WhoAmI => Ok(Answer::Identities(who.iter().map(AuthId::user).collect())),
        Request::Sync { path } => Ok(Answer::Path(path.clone())),
        Request::MultiRead { ops } if !ops.iter().all(is_readable_part) => Err(Code::MarshallingError),
        Request::MultiRead { ops } => Ok(Answer::Multi(ops.iter().map(|op| read(tree, session, who, op)).collect())),
        _ => Err(Code::Unimplemented),
    }
}

/// The children in the order of a HashSet, which is none to rely on. In one bucket they come by name; there by age.
fn names(node: &Znode) -> Vec<Rc<str>> {
    let mut names: Vec<Rc<str>> = node.children.iter().cloned().collect();
    let table = java::grown(8, names.len());
    names.arrange_by_key(|name| java::bucket(java::string_hash(name), table));
    names
}

/// What a multiRead may hold (`MultiOperationRecord.java`): getData and the getChildren without a Stat.
fn is_readable_part(op: &Request) -> bool {
    matches!(op, Request::GetData { .. } | Request::GetChildren { stat: false, .. })
}

/// All znodes below one; below the root all but the root, which its other name, the empty path, does not leave out.
fn all_children(tree: &Tree, path: &str) -> usize {
    match path {
        "" => tree.len(),
        "/" => tree.len() - 1,
        _ => tree.below(&format!("{path}/")).count(),
    }
}

/// A list as it is told: without ADMIN the hashes of passwords are masked.
fn shown(acl: &[Acl], who: &[AuthId]) -> Vec<Acl> {
    if allows(acl, who, Perms::ADMIN) {
        return acl.to_vec();
    }
    let masked = |entry: &Acl| match (&*entry.who.scheme, entry.who.id.split_once(':')) {
        ("digest", Some((user, _))) => {
            let who = AuthId { scheme: "digest".into(), id: format!("{user}:x").into() };
            Acl { perms: entry.perms, who }
        }
        _ => entry.clone(),
    };
    acl.iter().map(masked).collect()
}
