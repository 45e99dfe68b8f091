//! Answers as records (`zookeeper.jute`, the `…Response` records; `MultiResponse.java`). What is answered does not say of itself what it
//! is: whoever writes or reads it needs the request.

use std::rc::Rc;

use zabscope_ground::base::{SessionId, Zxid};
use zabscope_ground::wire::{Answer, AuthId, Code, Outcome, Request, Stat};

use crate::JuteError;
use crate::op;
use crate::record::{Reader, Writer};
use crate::request::{next_part, part_header, read_acl, write_acl};

fn write_stat(writer: &mut Writer, stat: &Stat) {
    writer.bits(stat.czxid.0).bits(stat.mzxid.0).long(stat.ctime).long(stat.mtime);
    writer.int(stat.version).int(stat.cversion).int(stat.aversion).bits(stat.ephemeral_owner.0);
    writer.int(stat.data_length).int(stat.num_children).bits(stat.pzxid.0);
}

fn read_stat(from: &mut Reader) -> Result<Stat, JuteError> {
    let zxid = |from: &mut Reader| Ok(Zxid(from.long()? as u64));
    Ok(Stat {
        czxid: zxid(from)?,
        mzxid: zxid(from)?,
        ctime: from.long()?,
        mtime: from.long()?,
        version: from.int()?,
        cversion: from.int()?,
        aversion: from.int()?,
        ephemeral_owner: SessionId(from.long()? as u64),
        data_length: from.int()?,
        num_children: from.int()?,
        pzxid: zxid(from)?,
    })
}

fn write_texts(writer: &mut Writer, texts: &[Rc<str>]) {
    writer.vector(texts, |writer, text| {
        writer.text(text);
    });
}

/// Writes an answer's record, behind its header.
pub(crate) fn write(writer: &mut Writer, request: &Request, answer: &Answer) {
    match answer {
        // `ErrorResponse` of the request that sets a lasting watch
        Answer::Done if matches!(request, Request::AddWatch { .. }) => {
            writer.int(0);
        }
        Answer::Done => {}
        Answer::Path(path) => {
            writer.text(path);
        }
        Answer::Created { path, stat } => {
            writer.text(path);
            write_stat(writer, stat);
        }
        Answer::Stat(stat) => write_stat(writer, stat),
        Answer::Data { data, stat } => {
            writer.buffer(data.as_deref());
            write_stat(writer, stat);
        }
        Answer::Children { names, stat } => {
            write_texts(writer, names);
            stat.iter().for_each(|stat| write_stat(writer, stat));
        }
        Answer::Acl { acl, stat } => {
            write_acl(writer, acl);
            write_stat(writer, stat);
        }
        Answer::Number(number) => {
            writer.int(*number);
        }
        Answer::Paths(paths) => write_texts(writer, paths),
        Answer::Identities(who) => {
            writer.vector(who, |writer, who| {
                writer.text(&who.scheme).text(&who.id);
            });
        }
        Answer::Multi(parts) => write_parts(writer, request, parts),
    }
}

fn parts_of(request: &Request) -> &[Request] {
    match request {
        Request::Multi { ops } | Request::MultiRead { ops } => ops,
        _ => &[],
    }
}

fn write_parts(writer: &mut Writer, request: &Request, parts: &[Outcome]) {
    for (part, outcome) in parts_of(request).iter().zip(parts) {
        match outcome {
            Ok(answer) => {
                part_header(writer, op_of_result(part, answer), false, 0);
                write(writer, part, answer);
            }
            Err(code) => {
                part_header(writer, op::ERROR, false, code.number());
                writer.int(code.number());
            }
        }
    }
    part_header(writer, -1, true, -1);
}

/// What a part's result is called: whatever gives a Stat beside the path is a create2 (`OpResult.java` `CreateResult`).
fn op_of_result(part: &Request, answer: &Answer) -> i32 {
    match answer {
        Answer::Created { .. } => op::CREATE2,
        Answer::Path(_) => op::CREATE,
        _ => op::of(part),
    }
}

/// Reads the record that answers a request.
pub(crate) fn read(request: &Request, from: &mut Reader) -> Result<Answer, JuteError> {
    Ok(match request {
        Request::Multi { ops } | Request::MultiRead { ops } => Answer::Multi(read_parts(ops, from)?),
        Request::AddWatch { .. } => {
            from.int()?;
            Answer::Done
        }
        Request::Exists { .. } | Request::SetAcl { .. } => Answer::Stat(read_stat(from)?),
        Request::GetAcl { .. } => Answer::Acl { acl: read_acl(from)?, stat: read_stat(from)? },
        Request::GetChildren { stat: true, .. } => {
            Answer::Children { names: from.vector(Reader::text)?, stat: Some(read_stat(from)?) }
        }
        Request::GetAllChildrenNumber { .. } => Answer::Number(from.int()?),
        Request::GetEphemerals { .. } => Answer::Paths(from.vector(Reader::text)?),
        Request::Sync { .. } => Answer::Path(from.text()?),
        Request::WhoAmI => {
            Answer::Identities(from.vector(|from| Ok(AuthId { scheme: from.text()?, id: from.text()? }))?)
        }
        Request::Reconfig { .. } => Answer::Data { data: from.data()?, stat: read_stat(from)? },
        Request::RemoveWatches { .. }
        | Request::CheckWatches { .. }
        | Request::SetWatches(_)
        | Request::CloseSession => Answer::Done,
        part => read_result(op::of(part), from)?,
    })
}

fn read_parts(ops: &[Request], from: &mut Reader) -> Result<Vec<Outcome>, JuteError> {
    let mut parts = Vec::new();
    while let Some(op) = next_part(from)? {
        parts.push(match op {
            op::ERROR => Err(code(from.int()?)?),
            op => Ok(read_result(op, from)?),
        });
    }
    match parts.len() == ops.len() {
        true => Ok(parts),
        false => Err(JuteError::Number { what: "number of results", number: parts.len() as i32 }),
    }
}

/// The result of an operation that may also stand in a multi.
fn read_result(op: i32, from: &mut Reader) -> Result<Answer, JuteError> {
    Ok(match op {
        op::CREATE => Answer::Path(from.text()?),
        op::CREATE2 | op::CREATE_CONTAINER | op::CREATE_TTL => {
            Answer::Created { path: from.text()?, stat: read_stat(from)? }
        }
        op::DELETE | op::CHECK => Answer::Done,
        op::SET_DATA => Answer::Stat(read_stat(from)?),
        op::GET_DATA => Answer::Data { data: from.data()?, stat: read_stat(from)? },
        op::GET_CHILDREN => Answer::Children { names: from.vector(Reader::text)?, stat: None },
        number => return Err(JuteError::Number { what: "operation of a result", number }),
    })
}

pub(crate) fn code(number: i32) -> Result<Code, JuteError> {
    Code::of_number(number).ok_or(JuteError::Number { what: "error code", number })
}
