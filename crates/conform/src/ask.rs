//! What a client asks for. Transcripts write nearly what [`Request`] reads; the rest is put into its words here.

use serde_json::{Map, Value, json};
use std::rc::Rc;

use crate::base::limits::MAX_DATA_BYTES;
use crate::wire::Request;

/// A request, and how it is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// The request itself.
    pub request: Request,
    /// The Watcher object.
    pub watcher: Option<Rc<str>>,
    /// For removeWatches: also where no server can be told.
    pub local: bool,
    /// On the connection that a reconnection kept open.
    pub on_old_connection: bool,
    /// The length of the data that is to be made up for it, bytes.
    pub data_bytes: Option<usize>,
}

impl Ask {
    /// The steps that are requests.
    pub const NAMES: &'static [&'static str] = &[
        "create",
        "delete",
        "exists",
        "getData",
        "setData",
        "getChildren",
        "getACL",
        "setACL",
        "sync",
        "multi",
        "multiRead",
        "addWatch",
        "removeWatches",
        "removeAllWatches",
        "checkWatches",
        "getEphemerals",
        "getAllChildrenNumber",
    ];

    /// Reads a step, without its client and what was recorded.
    pub(super) fn from_json(step: Value) -> Result<Ask, String> {
        let Value::Object(mut fields) = step else { return Err("a request is not an object".into()) };
        let watcher = match fields.remove("watcher") {
            None => None,
            Some(Value::String(name)) if name.len() <= 100 => Some(Rc::from(name)),
            Some(_) => return Err("`watcher` is not a short text".into()),
        };
        let local = flag(&mut fields, "local")?;
        let on_old_connection = match fields.remove("via") {
            None => false,
            Some(via) if via == "oldConnection" => true,
            Some(via) => return Err(format!("via: {via} is no connection: oldConnection is")),
        };
        let data_bytes = match fields.remove("dataBytes") {
            None => None,
            Some(bytes) => {
                let bytes = bytes.as_u64().filter(|bytes| *bytes <= MAX_DATA_BYTES as u64);
                Some(bytes.ok_or_else(|| format!("dataBytes is no number up to {MAX_DATA_BYTES}"))? as usize)
            }
        };
        let mut request = request(fields, true)?;
        if watcher.is_some() {
            set_watch(&mut request);
        }
        request.check().map_err(|read_error| read_error.to_string())?;
        Ok(Ask { request, watcher, local, on_old_connection, data_bytes })
    }
}

impl Ask {
    /// The request with the data that is made up for it.
    pub(super) fn whole_request(&self) -> Request {
        let mut request = self.request.clone();
        if let (Request::Create { data, .. } | Request::SetData { data, .. }, Some(bytes)) =
            (&mut request, self.data_bytes)
        {
            *data = Some("x".repeat(bytes).into());
        }
        request
    }
}

/// The fields, where there are none but those allowed.
pub(super) fn nothing_else(fields: Map<String, Value>, allowed: &[&str]) -> Result<Map<String, Value>, String> {
    match fields.keys().find(|name| !allowed.contains(&name.as_str())) {
        Some(unknown) => Err(format!("unknown field `{unknown}`")),
        None => Ok(fields),
    }
}

fn flag(fields: &mut Map<String, Value>, name: &str) -> Result<bool, String> {
    match fields.remove(name) {
        None => Ok(false),
        Some(Value::Bool(on)) => Ok(on),
        Some(_) => Err(format!("`{name}` is neither true nor false")),
    }
}

/// A transcript names the Watcher, a request says that there is one.
fn set_watch(request: &mut Request) {
    if let Request::Exists { watch, .. } | Request::GetData { watch, .. } | Request::GetChildren { watch, .. } =
        request
    {
        *watch = true;
    }
}

/// A request from a step or, not `whole`, from a part of a multi.
fn request(mut fields: Map<String, Value>, whole: bool) -> Result<Request, String> {
    let name = match fields.remove("do") {
        Some(Value::String(name)) => name,
        _ => return Err("`do` is not a text".into()),
    };
    if !(Ask::NAMES.contains(&name.as_str()) || name == "check") {
        return Err(format!("'{name}' is no request"));
    }
    let op = if name == "removeAllWatches" { "removeWatches" } else { &name };
    fields.insert("op".into(), op.into());
    if name == "create" && flag(&mut fields, "withStat")? {
        fields.insert("stat".into(), true.into());
    }
    if name == "getChildren" && whole {
        fields.insert("stat".into(), true.into()); // the recorder's clients asked for it (getChildren2)
    }
    if let Some(acl) = fields.get_mut("acl") {
        *acl = acl_entries(acl)?;
    }
    match fields.remove("ops") {
        Some(ops) => nothing_else(fields, &["op"]).and_then(|_| multi(&name, ops)),
        None => serde_json::from_value(Value::Object(fields)).map_err(|error| format!("{name}: {error}")),
    }
}

/// `[["r", "world", "anyone"]]`; null is as good as an empty list.
fn acl_entries(acl: &Value) -> Result<Value, String> {
    if acl.is_null() {
        return Ok(json!([]));
    }
    let entries = acl.as_array().ok_or("`acl` is not a list")?;
    let entry = |entry: &Value| match entry.as_array().map(Vec::as_slice) {
        Some([perms, scheme, id]) => Ok(json!({"perms": perms, "scheme": scheme, "id": id})),
        _ => Err("an entry of `acl` is [perms, scheme, id]".to_string()),
    };
    entries.iter().map(entry).collect()
}

fn multi(name: &str, ops: Value) -> Result<Request, String> {
    let Value::Array(ops) = ops else { return Err("`ops` is not a list".into()) };
    let part = |op| match op {
        Value::Object(fields) if fields.get("do").is_some_and(|name| name != "multi" && name != "multiRead") => {
            request(fields, false)
        }
        Value::String(text) => spoken(&text),
        _ => Err("a part of `ops` is no request".into()),
    };
    let ops = ops.into_iter().map(part).collect::<Result<Vec<_>, String>>()?;
    match name {
        "multi" => Ok(Request::Multi { ops }),
        "multiRead" => Ok(Request::MultiRead { ops }),
        _ => Err(format!("{name}: unknown field `ops`")),
    }
}

/// A part as the transcripts of the library write it: `create /y`, `setData /x 9`, `delete /no -1`, with a version and
/// without data.
fn spoken(text: &str) -> Result<Request, String> {
    let words: Vec<&str> = text.split(' ').collect();
    let fields = match words.as_slice() {
        ["create", path] => json!({"op": "create", "path": path, "data": ""}),
        [op @ ("setData" | "delete" | "check"), path, version] => {
            let version = version.parse::<i32>().map_err(|_| format!("'{text}': the version is no number"))?;
            let mut fields = json!({"op": op, "path": path, "version": version});
            if *op == "setData" {
                fields["data"] = json!("");
            }
            fields
        }
        _ => return Err(format!("'{text}' is no part of a multi")),
    };
    serde_json::from_value(fields).map_err(|error| format!("'{text}': {error}"))
}
