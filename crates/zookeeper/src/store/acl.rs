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

/// The address of an `ip` identity and how many of its bits count. Numbers are read as `Integer.parseInt` reads them, with
/// leading zeros and a sign; IPv6 is not known to 3.9.
fn addresses(id: &AuthId) -> Option<(u32, u32)> {
    if &*id.scheme != "ip" {
        return None;
    }
    let (address, bits) = id.id.split_once('/').unwrap_or((&id.id, "32"));
    let number = |text: &str, most: i32| text.parse::<i32>().ok().filter(|number| (0..=most).contains(number));
    let mut address = address.split('.').map(|part| number(part, 255));
    let parts = [address.next()??, address.next()??, address.next()??, address.next()??];
    let bits = number(bits, 32)?;
    address.next().is_none().then(|| (parts.into_iter().fold(0, |all, part| all << 8 | part as u32), bits as u32))
}

pub(super) fn check(acl: &[Acl], who: &[AuthId], wanted: Perms) -> Result<(), Code> {
    if allows(acl, who, wanted) { Ok(()) } else { Err(Code::NoAuth) }
}

/// Whether the id of a digest has two pieces around a colon; empty ones at its end do not count, as in `String.split`.
fn is_digest(id: &str) -> bool {
    id.trim_end_matches(':').split(':').count() == 2
}

/// The list as it is stored: doubles go, and then `auth` becomes the caller's own identities, doubled or not.
pub(super) fn fixed(acl: &[Acl], who: &[AuthId]) -> Result<Rc<[Acl]>, Code> {
    if acl.is_empty() {
        return Err(Code::InvalidACL);
    }
    let mut fixed: Vec<Acl> = Vec::new();
    let first_of_its_kind = |(at, entry): (usize, &'_ Acl)| !acl[..at].contains(entry);
    for entry in acl.iter().enumerate().filter(|one| first_of_its_kind(*one)).map(|(_, entry)| entry) {
        match &*entry.who.scheme {
            "world" if &*entry.who.id == "anyone" => fixed.push(entry.clone()),
            "auth" => {
                let mine = who.iter().filter(|id| &*id.scheme == "digest");
                let before = fixed.len();
                fixed.extend(mine.map(|id| Acl { perms: entry.perms, who: id.clone() }));
                if fixed.len() == before {
                    return Err(Code::InvalidACL);
                }
            }
            "digest" if is_digest(&entry.who.id) => fixed.push(entry.clone()),
            "ip" if addresses(&entry.who).is_some() => fixed.push(entry.clone()),
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
    fn doubles_go_before_auth_is_expanded() {
        let me = AuthId { scheme: "digest".into(), id: "me:hash".into() };
        let own = Acl { perms: Perms::READ, who: me.clone() };
        let twice = [entry(Perms::READ, "auth", ""), entry(Perms::READ, "auth", ""), entry(Perms::READ, "auth", "x")];
        assert_eq!(*fixed(&twice, std::slice::from_ref(&me)).unwrap(), [own.clone(), own.clone()]);
        let listed = [own.clone(), entry(Perms::READ, "auth", "")];
        assert_eq!(*fixed(&listed, &[me]).unwrap(), [own.clone(), own]);
    }

    #[test]
    fn ids_are_read_as_java_reads_them() {
        let valid = |scheme, id| fixed(&[entry(Perms::READ, scheme, id)], &[]).is_ok();
        for (id, is) in [("u:h", true), ("u:h:", true), ("u:h::", true), (":h", true), ("u:", false), (":", false)] {
            assert_eq!(valid("digest", id), is, "digest {id}");
        }
        for (id, is) in [
            ("127.0.0.01", true),
            ("+127.0.-0.1", true),
            ("127.0.0.1/+08", true),
            ("127.0.0.256", false),
            ("127.0.0.-1", false),
            ("127.0.0", false),
            ("127.0.0.1.", false),
            ("127.0.0. 1", false),
            ("127.0.0.1/", false),
            ("::1", false),
        ] {
            assert_eq!(valid("ip", id), is, "ip {id}");
        }
        let me = [AuthId { scheme: "ip".into(), id: "127.0.0.1".into() }];
        assert!(allows(&[entry(Perms::READ, "ip", "+127.0.0.01")], &me, Perms::READ));
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

    #[test]
    fn a_range_is_as_wide_as_its_bits_say() {
        let me = [AuthId { scheme: "ip".into(), id: "127.0.0.1".into() }];
        for (range, meant) in
            [("127.9.9.9/8", true), ("126.0.0.1/7", true), ("127.0.0.3/30", true), ("127.0.0.3/31", false)]
        {
            assert_eq!(allows(&[entry(Perms::READ, "ip", range)], &me, Perms::READ), meant, "{range}");
        }
    }
}
