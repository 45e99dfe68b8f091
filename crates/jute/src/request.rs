//! Requests as records (`zookeeper.jute`, `MultiOperationRecord.java`).

use zabscope_ground::base::Zxid;
use zabscope_ground::wire::{Acl, AuthId, CreateMode, Perms, Request, SetWatches};

use crate::JuteError;
use crate::op;
use crate::record::{Reader, Writer};

/// A flag that is no mode.
const NO_MODE: i32 = -1;

/// What stands between the parts of a multi, and behind the last: the part's operation, whether it is the end, an error (`MultiHeader`).
pub(crate) fn part_header(writer: &mut Writer, op: i32, done: bool, code: i32) {
    writer.int(op).bool(done).int(code);
}

/// The next part's operation; `None` at the end.
pub(crate) fn next_part(from: &mut Reader) -> Result<Option<i32>, JuteError> {
    let (op, done, _) = (from.int()?, from.bool()?, from.int()?);
    Ok((!done).then_some(op))
}

pub(crate) fn write_acl(writer: &mut Writer, acl: &[Acl]) {
    writer.vector(acl, |writer, Acl { perms, who }| {
        writer.int(perms.0.into()).text(&who.scheme).text(&who.id);
    });
}

/// kazoo writes an empty text as null: the id of `auth` is one.
pub(crate) fn read_acl(from: &mut Reader) -> Result<Vec<Acl>, JuteError> {
    from.vector(|from| {
        let perms = Perms((from.int()? & i32::from(Perms::ALL.0)) as u8);
        let mut text = || Ok(from.text_or_null()?.unwrap_or_default());
        Ok(Acl { perms, who: AuthId { scheme: text()?, id: text()? } })
    })
}

/// Writes a request's record, without its header.
pub(crate) fn write(writer: &mut Writer, request: &Request) {
    match request {
        Request::Create { path, data, acl, mode, ttl, flags, .. } => {
            writer.text(path).buffer(data.as_deref());
            write_acl(writer, acl);
            writer.int(flags.unwrap_or(mode.flag()));
            if flags.is_none() && mode.is_ttl() {
                writer.long(*ttl);
            }
        }
        Request::Delete { path, version } | Request::Check { path, version } => {
            writer.text(path).int(*version);
        }
        Request::Exists { path, watch }
        | Request::GetData { path, watch }
        | Request::GetChildren { path, watch, .. } => {
            writer.text(path).bool(*watch);
        }
        Request::SetData { path, data, version } => {
            writer.text(path).buffer(data.as_deref()).int(*version);
        }
        Request::GetAcl { path }
        | Request::GetAllChildrenNumber { path }
        | Request::GetEphemerals { prefix: path }
        | Request::Sync { path } => {
            writer.text(path);
        }
        Request::SetAcl { path, acl, version } => {
            writer.text(path);
            write_acl(writer, acl);
            writer.int(*version);
        }
        Request::Reconfig { joining, leaving, members, version } => {
            for list in [joining, leaving, members] {
                writer.buffer(list.as_deref().map(str::as_bytes));
            }
            writer.long(*version);
        }
        Request::Multi { ops } | Request::MultiRead { ops } => {
            for part in ops {
                part_header(writer, op::of(part), false, -1);
                write(writer, part);
            }
            part_header(writer, -1, true, -1);
        }
        Request::AddWatch { path, mode } => {
            writer.text(path).int(op::of_add_watch_mode(*mode));
        }
        Request::RemoveWatches { path, kind } | Request::CheckWatches { path, kind } => {
            writer.text(path).int(op::of_watcher_type(*kind));
        }
        Request::SetWatches(watches) => write_watches(writer, watches, op::of(request) == op::SET_WATCHES2),
        Request::WhoAmI | Request::CloseSession => {}
    }
}

fn write_watches(writer: &mut Writer, watches: &SetWatches, second: bool) {
    let SetWatches { relative_zxid, data, exist, child, persistent, recursive } = watches;
    writer.bits(relative_zxid.0);
    for list in [data, exist, child].into_iter().chain([persistent, recursive].into_iter().filter(|_| second)) {
        writer.vector(list, |writer, path| {
            writer.text(path);
        });
    }
}

/// Reads the record of an operation; `None` where no client may send such a one.
pub(crate) fn read(op: i32, from: &mut Reader) -> Result<Option<Request>, JuteError> {
    Ok(Some(match op {
        op::MULTI => Request::Multi { ops: read_parts(from)? },
        op::MULTI_READ => Request::MultiRead { ops: read_parts(from)? },
        op::SET_WATCHES | op::SET_WATCHES2 => Request::SetWatches(read_watches(from, op == op::SET_WATCHES2)?),
        op::EXISTS => Request::Exists { path: from.text()?, watch: from.bool()? },
        op::GET_ACL => Request::GetAcl { path: from.text()? },
        op::SET_ACL => Request::SetAcl { path: from.text()?, acl: read_acl(from)?, version: from.int()? },
        op::GET_CHILDREN2 => Request::GetChildren { path: from.text()?, watch: from.bool()?, stat: true },
        op::GET_ALL_CHILDREN_NUMBER => Request::GetAllChildrenNumber { path: from.text()? },
        op::GET_EPHEMERALS => Request::GetEphemerals { prefix: from.text()? },
        op::SYNC => Request::Sync { path: from.text()? },
        op::RECONFIG => Request::Reconfig {
            joining: from.text_or_null()?,
            leaving: from.text_or_null()?,
            members: from.text_or_null()?,
            version: from.long()?,
        },
        op::ADD_WATCH => Request::AddWatch { path: from.text()?, mode: op::add_watch_mode(from.int()?)? },
        op::REMOVE_WATCHES => Request::RemoveWatches { path: from.text()?, kind: op::watcher_type(from.int()?)? },
        op::CHECK_WATCHES => Request::CheckWatches { path: from.text()?, kind: op::watcher_type(from.int()?)? },
        op::WHO_AM_I => Request::WhoAmI,
        op::CLOSE_SESSION => Request::CloseSession,
        _ => return read_part(op, from),
    }))
}

/// Reads what may also stand in a multi.
fn read_part(op: i32, from: &mut Reader) -> Result<Option<Request>, JuteError> {
    Ok(Some(match op {
        op::CREATE | op::CREATE2 | op::CREATE_CONTAINER | op::CREATE_TTL => read_create(op, from)?,
        op::DELETE => Request::Delete { path: from.text()?, version: from.int()? },
        op::SET_DATA => Request::SetData { path: from.text()?, data: from.data()?, version: from.int()? },
        op::CHECK => Request::Check { path: from.text()?, version: from.int()? },
        op::GET_DATA => Request::GetData { path: from.text()?, watch: from.bool()? },
        op::GET_CHILDREN => Request::GetChildren { path: from.text()?, watch: from.bool()?, stat: false },
        _ => return Ok(None),
    }))
}

/// A flag that does not belong to its operation stays a flag: the server judges it. A plain mode belongs to all of them.
fn read_create(op: i32, from: &mut Reader) -> Result<Request, JuteError> {
    let (path, data, acl, flag) = (from.text()?, from.data()?, read_acl(from)?, from.int()?);
    let ttl = if op == op::CREATE_TTL { from.long()? } else { 0 };
    let is_plain = |mode: &CreateMode| *mode != CreateMode::Container && !mode.is_ttl();
    let fits = |mode: &CreateMode| match op {
        op::CREATE_CONTAINER => !mode.is_ttl(),
        op::CREATE_TTL => mode.is_ttl() || ttl < 0 && is_plain(mode),
        _ => is_plain(mode),
    };
    let mode = CreateMode::of_flag(flag).filter(fits);
    let flags = mode.is_none().then_some(match op {
        op::CREATE_TTL if ttl >= 0 => NO_MODE, // a mode without a time to live may not have one (`EphemeralType.validateTTL`)
        _ => flag,
    });
    let stat = op == op::CREATE2 || op != op::CREATE && mode.as_ref().is_none_or(is_plain);
    let ttl = if mode.is_some_and(CreateMode::is_ttl) { ttl } else { 0 };
    Ok(Request::Create { path, data, acl, mode: mode.unwrap_or_default(), ttl, stat, flags })
}

fn read_parts(from: &mut Reader) -> Result<Vec<Request>, JuteError> {
    let mut parts = Vec::new();
    while let Some(op) = next_part(from)? {
        let part = read_part(op, from)?;
        parts.push(part.ok_or(JuteError::Number { what: "operation of a multi", number: op })?);
    }
    Ok(parts)
}

fn read_watches(from: &mut Reader, second: bool) -> Result<SetWatches, JuteError> {
    let relative_zxid = Zxid(from.long()? as u64);
    let mut list = || from.vector(Reader::text);
    let (data, exist, child) = (list()?, list()?, list()?);
    let (persistent, recursive) = if second { (list()?, list()?) } else { Default::default() };
    Ok(SetWatches { relative_zxid, data, exist, child, persistent, recursive })
}
