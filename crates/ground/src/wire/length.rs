//! How long packets are on the wire, as jute writes them: what servers count. The length that stands before each is not in it.

use super::Data;
use super::acl::Acl;
use super::answer::{Answer, Outcome};
use super::packet::{ToClient, ToServer};

/// A `Stat`.
const STAT: usize = 68;
/// A `ReplyHeader`: xid, zxid, error.
const HEADER: usize = 16;
/// The header of a part of a multi: type, whether it is the last, error (`MultiHeader`).
const PART: usize = 9;

fn text(text: &str) -> usize {
    4 + text.len()
}

fn data(data: &Data) -> usize {
    4 + data.as_ref().map_or(0, |data| data.len())
}

impl Acl {
    /// A list of permissions, bytes.
    pub fn bytes(list: &[Acl]) -> usize {
        4 + list.iter().map(|acl| 4 + text(&acl.who.scheme) + text(&acl.who.id)).sum::<usize>()
    }
}

impl ToServer {
    /// Its length, bytes.
    pub fn bytes(&self) -> usize {
        match self {
            ToServer::Connect { .. } => 45,
            ToServer::Word { .. } => 0, // four bytes that stand where a length would
            ToServer::Ping => 8,
            ToServer::Auth { scheme, auth, .. } => {
                8 + 4 + text(scheme) + 4 + auth.as_ref().map_or(0, |auth| auth.len())
            }
            ToServer::Request { request, .. } => request.bytes(),
        }
    }
}

impl ToClient {
    /// Its length, bytes.
    pub fn bytes(&self) -> usize {
        match self {
            ToClient::Connected { .. } => 37,
            ToClient::Text { text } => text.len(),
            ToClient::Pong | ToClient::Auth { .. } => HEADER,
            ToClient::Reply { outcome, .. } => HEADER + outcome.as_ref().map_or(0, record),
            ToClient::Event { event, .. } => HEADER + 4 + 4 + text(event.path.as_deref().unwrap_or_default()),
        }
    }
}

/// An answer's record. Some requests are answered by a header alone, and those that set a watch by a record of 4 bytes that this
/// leaves out.
fn record(answer: &Answer) -> usize {
    let texts = |texts: &[std::rc::Rc<str>]| 4 + texts.iter().map(|one| text(one)).sum::<usize>();
    match answer {
        Answer::Done => 0,
        Answer::Path(path) => text(path),
        Answer::Created { path, .. } => text(path) + STAT,
        Answer::Stat(_) => STAT,
        Answer::Data { data: bytes, .. } => data(bytes) + STAT,
        Answer::Children { names, stat } => texts(names) + stat.map_or(0, |_| STAT),
        Answer::Acl { acl, .. } => Acl::bytes(acl) + STAT,
        Answer::Number(_) => 4,
        Answer::Paths(paths) => texts(paths),
        Answer::Identities(who) => 4 + who.iter().map(|id| text(&id.scheme) + text(&id.id)).sum::<usize>(),
        Answer::Multi(parts) => parts.iter().map(|one| PART + part(one)).sum::<usize>() + PART,
    }
}

fn part(outcome: &Outcome) -> usize {
    outcome.as_ref().map_or(4, record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Zxid;
    use crate::wire::{Code, Stat};

    /// `zk_last_client_response_size` of a real server: a header, that of getData with 3 bytes, that of a created path.
    #[test]
    fn packets_are_as_long_as_jute_writes_them() {
        let reply = |outcome| ToClient::Reply { xid: 1, zxid: Zxid::ZERO, outcome }.bytes();
        let stat = Stat::default();
        assert_eq!([ToClient::Pong.bytes(), reply(Err(Code::NoNode))], [16, 16]);
        assert_eq!(reply(Ok(Answer::Stat(stat))), 84);
        assert_eq!(reply(Ok(Answer::Data { data: Some("abc".into()), stat })), 91);
        assert_eq!(reply(Ok(Answer::Path("/w0000000a".into()))), 30);
        let children = |stat| Answer::Children { names: vec!["a".into(), "bc".into()], stat };
        assert_eq!([reply(Ok(children(None))), reply(Ok(children(Some(stat))))], [31, 99]);
        assert_eq!(reply(Ok(Answer::Multi(vec![Ok(Answer::Done), Err(Code::NoNode)]))), 16 + 9 + 9 + 4 + 9);
        assert_eq!([ToServer::Ping.bytes(), ToServer::is_read_only().bytes()], [8, 0]);
    }
}
