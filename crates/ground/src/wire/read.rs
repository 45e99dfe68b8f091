//! Requests from JSON, as [`Request`] is written: what is left out has its default, and nothing else may be there.

use crate::base::json::{Fields, Json, Read, ReadError, deserialize_as_read};

use super::acl::Acl;
use super::mode::CreateMode;
use super::request::{AddWatchMode, Request, SetWatches, WatcherType};

/// The version that every node has.
const ANY: i32 = -1;

deserialize_as_read!(Request);

impl Read for Request {
    fn read(json: Json) -> Result<Request, ReadError> {
        let mut fields = json.fields()?;
        let op: String = fields.need("op")?;
        let request = request(&op, &mut fields)?;
        fields.end().map(|()| request)
    }
}

fn request(op: &str, from: &mut Fields) -> Result<Request, ReadError> {
    Ok(match op {
        "create" => Request::Create {
            path: from.need("path")?,
            data: from.or("data", None)?,
            acl: from.or("acl", Acl::open())?,
            mode: from.or("mode", CreateMode::Persistent)?,
            ttl: from.or("ttl", 0)?,
            stat: from.or("stat", false)?,
            flags: from.or("flags", None)?,
        },
        "delete" => Request::Delete { path: from.need("path")?, version: from.or("version", ANY)? },
        "exists" => Request::Exists { path: from.need("path")?, watch: from.or("watch", false)? },
        "getData" => Request::GetData { path: from.need("path")?, watch: from.or("watch", false)? },
        "setData" => Request::SetData {
            path: from.need("path")?,
            data: from.or("data", None)?,
            version: from.or("version", ANY)?,
        },
        "getACL" => Request::GetAcl { path: from.need("path")? },
        "setACL" => {
            Request::SetAcl { path: from.need("path")?, acl: from.need("acl")?, version: from.or("version", ANY)? }
        }
        "getChildren" => Request::GetChildren {
            path: from.need("path")?,
            watch: from.or("watch", false)?,
            stat: from.or("stat", false)?,
        },
        "getAllChildrenNumber" => Request::GetAllChildrenNumber { path: from.need("path")? },
        "getEphemerals" => Request::GetEphemerals { prefix: from.need("path")? },
        "sync" => Request::Sync { path: from.need("path")? },
        "check" => Request::Check { path: from.need("path")?, version: from.or("version", ANY)? },
        "reconfig" => Request::Reconfig {
            joining: from.or("joining", None)?,
            leaving: from.or("leaving", None)?,
            members: from.or("newMembers", None)?,
            version: from.or("curConfigId", -1)?,
        },
        "multi" => Request::Multi { ops: from.need("ops")? },
        "multiRead" => Request::MultiRead { ops: from.need("ops")? },
        "addWatch" => Request::AddWatch { path: from.need("path")?, mode: from.need("mode")? },
        "removeWatches" => Request::RemoveWatches { path: from.need("path")?, kind: from.need("type")? },
        "checkWatches" => Request::CheckWatches { path: from.need("path")?, kind: from.need("type")? },
        "setWatches" => Request::SetWatches(SetWatches {
            relative_zxid: from.need("relativeZxid")?,
            data: from.or("data", Vec::new())?,
            exist: from.or("exist", Vec::new())?,
            child: from.or("child", Vec::new())?,
            persistent: from.or("persistent", Vec::new())?,
            recursive: from.or("persistentRecursive", Vec::new())?,
        }),
        "whoAmI" => Request::WhoAmI,
        "closeSession" => Request::CloseSession,
        _ => return Err(ReadError::unknown("op", op)),
    })
}

impl Read for AddWatchMode {
    fn read(json: Json) -> Result<AddWatchMode, ReadError> {
        json.name()
    }
}

impl Read for WatcherType {
    fn read(json: Json) -> Result<WatcherType, ReadError> {
        json.name()
    }
}
