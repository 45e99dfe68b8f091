//! Who may do what (`ZooKeeperServer.java` `checkACL`, `PrepRequestProcessor.fixupACL`).

use std::rc::Rc;

use crate::wire::{Acl, AuthId, Code, Perms};

/// Whether one of these identities has the permission.
pub fn allows(acl: &[Acl], who: &[AuthId], wanted: Perms) -> bool {
    let matches = |entry: &Acl| entry.who == AuthId::anyone() || who.iter().any(|id| is_meant(&entry.who, id));
    who.iter().any(|id| &*id.scheme == "super")
        || acl.iter().any(|entry| entry.perms.any_of(wanted) && matches(entry))
}

/// Whether an entry of a list means this identity: for addresses the entry may be a range (`IPAuthenticationProvider.java`).
fn is_meant(entry: &AuthId, id: &AuthId) -> bool {
    if entry == id {
        return true;
    }
    let (Some((range, bits)), Some((address, _))) = (addresses(entry), addresses(id)) else { return false };
    bits == 0 || (range ^ address) >> (32 - bits) == 0
}

/// The address of an `ip` identity and how many of its bits count.
fn addresses(id: &AuthId) -> Option<(u32, u32)> {
    if &*id.scheme != "ip" {
        return None;
    }
    let (address, bits) = id.id.split_once('/').unwrap_or((&id.id, "32"));
    let address: std::net::Ipv4Addr = address.parse().ok()?;
    let bits: u32 = bits.parse().ok().filter(|bits| *bits <= 32)?;
    Some((address.into(), bits))
}

pub(super) fn check(acl: &[Acl], who: &[AuthId], wanted: Perms) -> Result<(), Code> {
    if allows(acl, who, wanted) { Ok(()) } else { Err(Code::NoAuth) }
}

/// The list as it is stored: `auth` becomes the caller's own identities, doubles go.
pub(super) fn fixed(acl: &[Acl], who: &[AuthId]) -> Result<Rc<[Acl]>, Code> {
    if acl.is_empty() {
        return Err(Code::InvalidACL);
    }
    let mut fixed: Vec<Acl> = Vec::new();
    let mut keep = |entry: Acl| {
        if !fixed.contains(&entry) {
            fixed.push(entry);
        }
    };
    for entry in acl {
        match &*entry.who.scheme {
            "world" if &*entry.who.id == "anyone" => keep(entry.clone()),
            "auth" => {
                let mine: Vec<&AuthId> = who.iter().filter(|id| &*id.scheme == "digest").collect();
                if mine.is_empty() {
                    return Err(Code::InvalidACL);
                }
                mine.into_iter().for_each(|id| keep(Acl { perms: entry.perms, who: id.clone() }));
            }
            "digest" if entry.who.id.split(':').count() == 2 => keep(entry.clone()),
            "ip" if addresses(&entry.who).is_some() => keep(entry.clone()),
            _ => return Err(Code::InvalidACL),
        }
    }
    Ok(fixed.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(perms: Perms, scheme: &str, id: &str) -> Acl {
        Acl { perms, who: AuthId { scheme: scheme.into(), id: id.into() } }
    }

    #[test]
    fn auth_stands_for_whoever_asks() {
        let me = AuthId { scheme: "digest".into(), id: "me:hash".into() };
        let list = fixed(&[entry(Perms::READ, "auth", "")], std::slice::from_ref(&me)).unwrap();
        assert!(allows(&list, std::slice::from_ref(&me), Perms::READ));
        assert!(!allows(&list, &[], Perms::READ));
        assert_eq!(fixed(&[entry(Perms::READ, "auth", "")], &[]), Err(Code::InvalidACL));
    }

    #[test]
    fn an_address_may_be_a_range() {
        let me = [AuthId { scheme: "ip".into(), id: "127.0.0.1".into() }];
        for (range, meant) in [("127.0.0.1", true), ("127.0.0.0/8", true), ("10.0.0.0/8", false), ("0.0.0.0/0", true)]
        {
            let list = fixed(&[entry(Perms::READ, "ip", range)], &me).unwrap();
            assert_eq!(allows(&list, &me, Perms::READ), meant, "{range}");
        }
        assert_eq!(fixed(&[entry(Perms::READ, "ip", "127.0.0.1/40")], &me), Err(Code::InvalidACL));
    }

    #[test]
    fn what_no_scheme_knows_is_refused() {
        for bad in
            [entry(Perms::ALL, "world", "me"), entry(Perms::ALL, "digest", "x"), entry(Perms::ALL, "no", "x:y")]
        {
            assert_eq!(fixed(&[bad], &[]), Err(Code::InvalidACL));
        }
        assert_eq!(fixed(&[], &[]), Err(Code::InvalidACL));
        let doubled = [Acl::open(), Acl::open()].concat();
        assert_eq!(fixed(&doubled, &[]).unwrap().len(), 1);
    }
}
