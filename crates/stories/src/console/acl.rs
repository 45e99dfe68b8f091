//! Lists of permissions as zkCli reads them (`AclParser.java`): `world:anyone:r,digest:user:hash=:cdrwa,auth::rw`. What it does
//! not understand it complains about and leaves out; a list that is empty then is for the server to refuse.

use crate::wire::{Acl, AuthId, Perms};

/// Reads a list. The complaints go to `hints`.
pub(super) fn parse(text: &str, hints: &mut Vec<String>) -> Vec<Acl> {
    let kept = text.trim_end_matches(',');
    if kept.is_empty() && !text.is_empty() {
        return Vec::new(); // Java's split drops empty parts at the end, but keeps an empty text whole
    }
    kept.split(',').filter_map(|part| entry(part, hints)).collect()
}

fn entry(part: &str, hints: &mut Vec<String>) -> Option<Acl> {
    let split = part.split_once(':').and_then(|(scheme, rest)| Some((scheme, rest.rsplit_once(':')?)));
    let Some((scheme, (id, letters))) = split else {
        hints.push(format!("{part} does not have the form scheme:id:perm"));
        return None;
    };
    let mut perms = 0;
    for letter in letters.chars() {
        match Perms::parse(letter.encode_utf8(&mut [0; 4])) {
            Some(perm) => perms |= perm.0,
            None => hints.push(format!("Unknown perm type: {letter}")),
        }
    }
    Some(Acl { perms: Perms(perms), who: AuthId { scheme: scheme.into(), id: id.into() } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let mut hints = Vec::new();
        let list = parse(text, &mut hints);
        (list.iter().map(|acl| format!("{}:{}", acl.who, acl.perms)).collect(), hints)
    }

    #[test]
    fn lists_are_read() {
        let text = "world:anyone:cdrwa,digest:user:+owfoSBn/am19roBPzR1/MfCblE=:r,auth::cdrwa,ip:10.0.0.0/8:rw";
        assert_eq!(read(text), (text.split(',').map(String::from).collect(), vec![]));
        assert_eq!(read("auth:u:pw:arwdc,").0, ["auth:u:pw:cdrwa"]);
    }

    #[test]
    fn what_is_wrong_is_named_and_left_out() {
        assert_eq!(read("world:anyone"), (vec![], vec!["world:anyone does not have the form scheme:id:perm".into()]));
        assert_eq!(read("").1, [" does not have the form scheme:id:perm"]);
        assert_eq!(read(",,"), (vec![], vec![]));
        let (list, hints) = read("world:anyone:rx,,a:b:é");
        assert_eq!(list, ["world:anyone:r", "a:b:"]);
        assert_eq!(hints, ["Unknown perm type: x", " does not have the form scheme:id:perm", "Unknown perm type: é"]);
    }
}
