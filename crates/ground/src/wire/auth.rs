//! Who somebody is (`DigestAuthenticationProvider.java`, `IPAuthenticationProvider.java`).

use crate::base::Arrange;
use base64ct::{Base64, Encoding};
use std::rc::Rc;

use crate::base::java::{bucket, grown, string_hash};

use super::acl::AuthId;

/// The identity for what somebody says of himself; `None` for a scheme without a provider, and for a digest of nothing at all,
/// on which the provider fails. A digest is `user:base64(sha1(user:password))`, and needs no colon; the scheme ip takes the
/// address, whatever is said.
pub fn identify<'a>(scheme: &str, auth: impl Into<Option<&'a str>>) -> Option<AuthId> {
    match scheme {
        "digest" => {
            let auth = auth.into()?;
            let user = auth.split(':').next().unwrap_or_default();
            let hash = sha1_smol::Sha1::from(auth.as_bytes()).digest().bytes();
            let id: Rc<str> = format!("{user}:{}", Base64::encode_string(&hash)).into();
            Some(AuthId { scheme: "digest".into(), id })
        }
        "ip" => Some(AuthId::local()),
        _ => None,
    }
}

impl AuthId {
    /// It without what proves it: of a digest the name before the colon (`AuthenticationProvider.java` `getUserName`).
    pub fn user(&self) -> AuthId {
        match &*self.scheme {
            "digest" => AuthId { id: self.id.split(':').next().unwrap_or_default().into(), ..self.clone() },
            _ => self.clone(),
        }
    }
}

/// A connection's identities when one was proved; who proves the digest of `superDigest` is the superuser too.
pub fn with_proof(who: &[AuthId], id: AuthId, superuser: Option<&str>) -> Rc<[AuthId]> {
    match superuser == Some(&*id.id) && &*id.scheme == "digest" {
        true => with_identity(&with_identity(who, AuthId { scheme: "super".into(), id: "".into() }), id),
        false => with_identity(who, id),
    }
}

/// A connection's identities and one more, in the order of the ConcurrentHashMap that holds them (`ServerCnxn.java`): an
/// entry `auth` of a list stands for them in this order.
pub fn with_identity(who: &[AuthId], id: AuthId) -> Rc<[AuthId]> {
    let mut all = who.to_vec();
    if !all.contains(&id) {
        all.push(id);
    }
    let table = grown(16, all.len() + 1); // it grows one earlier than a HashMap
    all.arrange_by_key(|id| bucket(hash(id), table));
    all.into()
}

/// `Id.hashCode`, as jute makes it.
fn hash(id: &AuthId) -> u32 {
    [&id.scheme, &id.id].iter().fold(17, |hash: u32, text| hash.wrapping_mul(37).wrapping_add(string_hash(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_real_one() {
        let id = |auth: &'static str| identify("digest", auth).map(|id| id.id.to_string());
        let documented = "super:D/InIHSb7yEEbrWz8b9l71RjZJU=";
        assert_eq!(id("super:test").as_deref(), Some(documented), "the example of ZooKeeper's documentation");
        assert_eq!(id("nocolon").as_deref(), Some("nocolon:Ra+cHr2ZoHvBjtNArFGNGlVie4g="));
        assert_eq!(identify("ip", "8.8.8.8"), Some(AuthId::local()));
        assert_eq!(identify("ip", None), Some(AuthId::local()));
        assert_eq!(id("").as_deref(), Some(":2jmj7l5rSw0yVb/vlWAYkK/YBwk="), "an empty proof is one");
        assert_eq!(identify("digest", None), None);
        assert_eq!(identify("sasl", "a:b"), None);
    }

    /// As a ConcurrentHashMap of Java 17 orders them.
    #[test]
    fn identities_come_in_the_order_of_a_java_map() {
        let users = |proofs: &[String]| {
            let ids = proofs.iter().filter_map(|proof| identify("digest", proof.as_str()));
            let who = ids.fold(Rc::from([AuthId::local()]), |who: Rc<[AuthId]>, id| with_identity(&who, id));
            who.iter().map(|id| id.id.split(':').next().unwrap_or_default().to_string()).collect::<Vec<_>>()
        };
        let four = ["u1:p1", "u2:p2", "u3:p3", "u4:p4", "u1:p1"].map(String::from);
        assert_eq!(users(&four), ["u2", "u1", "u4", "u3", "127.0.0.1"], "as recorded");
        let thirteen: Vec<String> = (1..=13).map(|number| format!("u{number}:p")).collect();
        let order = ["u3", "u5", "u7", "u11", "127.0.0.1", "u9", "u2", "u8", "u12", "u1", "u13", "u6", "u4", "u10"];
        assert_eq!(users(&thirteen), order);
    }
}
