//! The digest scheme (`DigestAuthenticationProvider.java`).

use base64ct::{Base64, Encoding};
use std::rc::Rc;

use super::acl::AuthId;

/// The identity for `user:password`: `user:base64(sha1(user:password))`. `None` for another scheme or form.
pub fn identify(scheme: &str, auth: &str) -> Option<AuthId> {
    if scheme != "digest" {
        return None;
    }
    let user = auth.split(':').next().filter(|_| auth.contains(':'))?;
    let hash = sha1_smol::Sha1::from(auth.as_bytes()).digest().bytes();
    let id: Rc<str> = format!("{user}:{}", Base64::encode_string(&hash)).into();
    Some(AuthId { scheme: "digest".into(), id })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_real_one() {
        let id = identify("digest", "super:test").unwrap();
        assert_eq!(&*id.id, "super:D/InIHSb7yEEbrWz8b9l71RjZJU=", "the example of ZooKeeper's documentation");
        assert_eq!(identify("digest", "nobody"), None);
        assert_eq!(identify("ip", "a:b"), None);
    }
}
