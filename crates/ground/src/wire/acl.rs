//! Access control lists (`ZooDefs.java` `Perms`, `Ids`).

use serde::{Deserialize, Serialize, Serializer};
use std::fmt;
use std::rc::Rc;

use crate::base::json::{Json, Read, ReadError, ValueError, deserialize_as_read};

/// A set of permissions, written with the letters of zkCli: `cdrwa`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Perms(pub u8);

impl Perms {
    /// getData, getChildren, exists.
    pub const READ: Perms = Perms(1);
    /// setData.
    pub const WRITE: Perms = Perms(2);
    /// create a child.
    pub const CREATE: Perms = Perms(4);
    /// delete a child.
    pub const DELETE: Perms = Perms(8);
    /// setACL.
    pub const ADMIN: Perms = Perms(16);
    /// All five.
    pub const ALL: Perms = Perms(31);

    const LETTERS: [(char, Perms); 5] =
        [('c', Perms::CREATE), ('d', Perms::DELETE), ('r', Perms::READ), ('w', Perms::WRITE), ('a', Perms::ADMIN)];

    /// Whether one of these permissions is among them.
    pub fn any_of(self, wanted: Perms) -> bool {
        self.0 & wanted.0 != 0
    }

    /// Reads the letters; `None` where one is none of `cdrwa`.
    pub fn parse(letters: &str) -> Option<Perms> {
        letters.chars().try_fold(Perms(0), |all, letter| {
            let (_, perm) = Perms::LETTERS.iter().find(|(name, _)| *name == letter)?;
            Some(Perms(all.0 | perm.0))
        })
    }
}

impl fmt::Display for Perms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Perms::LETTERS.iter().filter(|(_, perm)| self.any_of(*perm)).try_for_each(|(letter, _)| write!(f, "{letter}"))
    }
}

impl Serialize for Perms {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

deserialize_as_read!(Perms);

impl Read for Perms {
    fn read(json: Json) -> Result<Perms, ReadError> {
        let letters = String::read(json)?;
        let perms = Perms::parse(&letters);
        perms.ok_or_else(|| ReadError::new(ValueError::NoPerms { letters: letters.chars().take(40).collect() }))
    }
}

/// An identity: of a list, or of a connection.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AuthId {
    /// `world`, `auth`, `digest`, …
    pub scheme: Rc<str>,
    /// Its meaning depends on the scheme.
    pub id: Rc<str>,
}

impl AuthId {
    /// `world:anyone`.
    pub fn anyone() -> AuthId {
        AuthId { scheme: "world".into(), id: "anyone".into() }
    }

    /// The address of every client: all machines of a world are one.
    pub fn local() -> AuthId {
        AuthId { scheme: "ip".into(), id: "127.0.0.1".into() }
    }
}

impl fmt::Display for AuthId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.scheme, self.id)
    }
}

/// One entry of a list: who may do what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Acl {
    /// Any of read, write, create, delete, admin.
    pub perms: Perms,
    /// The identity that they are given to.
    #[serde(flatten)]
    pub who: AuthId,
}

impl Acl {
    /// `world:anyone` may do everything (`OPEN_ACL_UNSAFE`).
    pub fn open() -> Vec<Acl> {
        vec![Acl { perms: Perms::ALL, who: AuthId::anyone() }]
    }
}

impl Read for Acl {
    fn read(json: Json) -> Result<Acl, ReadError> {
        let mut fields = json.fields()?;
        let who = AuthId { scheme: fields.need("scheme")?, id: fields.need("id")? };
        let acl = Acl { perms: fields.need("perms")?, who };
        fields.end().map(|()| acl)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_letters() {
        assert_eq!(Perms::ALL.to_string(), "cdrwa");
        assert_eq!(Perms::parse("rw"), Some(Perms(3)));
        assert_eq!(Perms::parse("x"), None);
    }

    #[test]
    fn an_entry_survives_json() {
        let text = r#"{"perms":"cdrwa","scheme":"world","id":"anyone"}"#;
        assert_eq!(serde_json::to_string(&Acl::open()[0]).unwrap(), text);
        assert_eq!(Json::parse(text).and_then(Acl::read).unwrap(), Acl::open()[0]);
    }
}
