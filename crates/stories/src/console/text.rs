//! zkCli's words for answers, errors and events (`StatPrinter.java`, `CliWrapperException.java`, `KeeperException.java`,
//! `WatchedEvent.java`).

use crate::base::date;
use crate::base::java::{bucket, grown, string_hash};
use crate::base::{Arrange, Zxid};
use crate::client::Failure;
use crate::sim::ZkVersion;
use crate::wire::{Acl, Answer, Code, Data, Stat, WatchedEvent};

use super::command::{Form, Show};
use super::{Kind, Line, Note, encode};

/// An answer as lines.
pub(super) fn answer_lines(show: Show, answer: &Answer) -> Vec<Line> {
    let texts = match (show, answer) {
        (Show::Nothing, _) => Vec::new(),
        (Show::Created, Answer::Path(path) | Answer::Created { path, .. }) => {
            // the root of a chroot loses all of its path with the chroot's
            let named = if &**path == "/" { "" } else { &**path };
            vec![format!("Created {named}")]
        }
        (Show::Children(with), Answer::Children { names, stat }) => {
            let mut names: Vec<&str> = names.iter().map(|name| &**name).collect();
            names.arrange();
            with_stat(vec![list(&names)], stat.as_ref().filter(|_| with))
        }
        (Show::Data(form, with), Answer::Data { data, stat }) => {
            with_stat(data_texts(form, data), Some(stat).filter(|_| with))
        }
        (Show::Committed(with), Answer::Data { data, stat }) => {
            let mut texts = vec!["Committed new configuration:".to_string()];
            texts.extend(data_texts(Form::Text, data));
            with_stat(texts, Some(stat).filter(|_| with))
        }
        (Show::Stat, Answer::Stat(stat)) => stat_lines(stat),
        (Show::Acl(with), Answer::Acl { acl, stat }) => {
            with_stat(acl.iter().flat_map(acl_texts).collect(), Some(stat).filter(|_| with))
        }
        (Show::Sync, _) => vec!["Sync is OK".to_string()],
        (Show::Plain, Answer::Number(number)) => vec![number.to_string()],
        (Show::Plain, Answer::Paths(paths)) => vec![list(&paths.iter().map(|path| &**path).collect::<Vec<_>>())],
        (Show::Plain, Answer::Identities(who)) => {
            let who = who.iter().map(|who| format!("{}: {}", who.scheme, who.id));
            std::iter::once("Auth scheme: User".to_string()).chain(who).collect()
        }
        (_, other) => vec![format!("{other:?}")], // the answer to another question
    };
    texts.into_iter().map(Line::output).collect()
}

fn list(names: &[&str]) -> String {
    format!("[{}]", names.join(", "))
}

fn with_stat(mut texts: Vec<String>, stat: Option<&Stat>) -> Vec<String> {
    texts.extend(stat.iter().flat_map(|stat| stat_lines(stat)));
    texts
}

fn data_texts(form: Form, data: &Data) -> Vec<String> {
    let data = data.clone().unwrap_or_else(|| "null".into());
    match form {
        Form::Text => data.decoded().split('\n').map(String::from).collect(),
        Form::Base64 => vec![data.base64()],
        Form::Hex => encode::hex_dump(&data),
        Form::Servers => vec![client_config(&data.decoded())],
    }
}

/// The version and the client addresses of a configuration (`ConfigUtils.getClientConfigStr`).
fn client_config(config: &str) -> String {
    let entries: Vec<(&str, &str)> = config.lines().filter_map(|line| line.trim().split_once('=')).collect();
    let version = entries.iter().find(|(key, _)| *key == "version").map_or("", |(_, version)| *version);
    let mut servers: Vec<_> = entries.iter().filter(|(key, _)| key.starts_with("server.")).collect();
    let table = grown(16, entries.len() + 1); // `Properties` are a ConcurrentHashMap
    servers.arrange_by_key(|(key, _)| bucket(string_hash(key), table));
    let addresses = servers.into_iter().map(|(_, server)| match server.split_once(';').map(|(_, at)| at.trim()) {
        None => String::new(),
        Some(port) if !port.contains(':') => format!("0.0.0.0:{port}"),
        Some(address) => address.to_string(),
    });
    format!("{version} {}", addresses.collect::<Vec<_>>().join(","))
}

/// `'world,'anyone` and `: cdrwa`: an identity in Jute's notation has a line break behind it.
fn acl_texts(acl: &Acl) -> [String; 2] {
    [format!("'{},'{}", escaped(&acl.who.scheme), escaped(&acl.who.id)), format!(": {}", acl.perms)]
}

fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, c| {
        match c {
            '\0' | '\n' | '\r' | '%' | ',' | '}' => escaped.push_str(&format!("%{:02X}", u32::from(c))),
            _ => escaped.push(c),
        }
        escaped
    })
}

/// A Stat in zkCli's eleven lines.
pub fn stat_lines(stat: &Stat) -> Vec<String> {
    vec![
        format!("cZxid = 0x{:x}", stat.czxid.0),
        format!("ctime = {}", date(stat.ctime)),
        format!("mZxid = 0x{:x}", stat.mzxid.0),
        format!("mtime = {}", date(stat.mtime)),
        format!("pZxid = 0x{:x}", stat.pzxid.0),
        format!("cversion = {}", stat.cversion),
        format!("dataVersion = {}", stat.version),
        format!("aclVersion = {}", stat.aversion),
        format!("ephemeralOwner = 0x{:x}", stat.ephemeral_owner.0),
        format!("dataLength = {}", stat.data_length),
        format!("numChildren = {}", stat.num_children),
    ]
}

/// A failed call as lines. `path` is the one that the exception names; getEphemerals' names none.
pub(super) fn failure_lines(show: Show, failure: &Failure, path: Option<&str>, write: bool) -> Vec<Line> {
    let code = match failure {
        Failure::IllegalArgument(message) => return vec![Line::error(message.clone())],
        Failure::Code(code) => *code,
    };
    let mut lines = match show {
        Show::Sync => vec![Line::output(format!("Sync has failed. rc={}", code.number()))],
        Show::Created if code == Code::InvalidACL => {
            vec![Line::error(keeper_message(code, path)), Line::error(error_text(code, path))]
        }
        Show::Created if code == Code::EphemeralOnLocalSession => {
            let text = "Unable to create ephemeral node on a local session";
            vec![Line::error(text), Line::error(error_text(code, path))]
        }
        _ => vec![Line::error(error_text(code, path))],
    };
    if write && is_in_doubt(code) {
        lines.push(Line::note(Note::InDoubt));
    }
    lines
}

/// Whether nobody knows what became of a write that failed so.
pub(super) fn is_in_doubt(code: Code) -> bool {
    matches!(code, Code::ConnectionLoss | Code::OperationTimeout | Code::RequestTimeout)
}

/// What zkCli makes of an exception.
pub(super) fn error_text(code: Code, path: Option<&str>) -> String {
    let at = path.unwrap_or("null");
    match code {
        Code::NoNode => format!("Node does not exist: {at}"),
        Code::NoChildrenForEphemerals => format!("Ephemerals cannot have children: {at}"),
        Code::NodeExists => format!("Node already exists: {at}"),
        Code::NotEmpty => format!("Node not empty: {at}"),
        Code::NotReadOnly => format!("Not a read-only call: {at}"),
        Code::InvalidACL => format!("Acl is not valid : {at}"),
        Code::NoAuth => format!("Insufficient permission : {at}"),
        Code::BadArguments => format!("Arguments are not valid : {at}"),
        Code::BadVersion => format!("version No is not valid : {at}"),
        Code::ReconfigInProgress => {
            "Another reconfiguration is in progress -- concurrent reconfigs not supported (yet)".into()
        }
        Code::NewConfigNoQuorum => {
            "No quorum of new config is connected and up-to-date with the leader of last commmitted config - \
                                    try invoking reconfiguration after new servers are connected and synced"
                .into()
        }
        Code::QuotaExceeded => format!("Quota has exceeded : {at}"),
        _ => keeper_message(code, path),
    }
}

/// What the exception says itself (`getMessage`): for some codes that is not their name.
pub(super) fn keeper_message(code: Code, path: Option<&str>) -> String {
    let text = match code {
        Code::Ok => "ok",
        Code::NotEmpty => "Directory not empty",
        Code::EphemeralOnLocalSession => "Ephemeral node on local session",
        Code::NotReadOnly => "Not a read-only call",
        Code::SessionExpired => "Session expired",
        Code::SessionMoved => "Session moved",
        Code::NoWatcher => "No such watcher",
        Code::RequestTimeout => "Unknown error REQUESTTIMEOUT",
        Code::ReconfigDisabled => "Reconfig is disabled",
        Code::QuotaExceeded => "Quota has exceeded",
        _ => code.name(),
    };
    match path {
        Some(path) if !path.is_empty() => format!("KeeperErrorCode = {text} for {path}"),
        _ => format!("KeeperErrorCode = {text}"),
    }
}

/// What zkCli prints when a watcher is called; the zxid of the transaction, where the event carries one. Events of 3.8 know
/// of none.
pub fn event_lines(event: &WatchedEvent, zxid: Option<Zxid>, version: ZkVersion) -> Vec<Line> {
    let path = event.path.as_deref().unwrap_or("null");
    let zxid = match (version, zxid) {
        (ZkVersion::V38, _) => String::new(),
        (_, Some(zxid)) => format!(" zxid: {}", zxid.0),
        (_, None) => " zxid: -1".to_string(),
    };
    let text = format!("WatchedEvent state:{:?} type:{:?} path:{path}{zxid}", event.state, event.kind);
    ["WATCHER::".to_string(), text].map(|text| Line { kind: Kind::Event, text }).into()
}

/// What `deleteall` prints when a multi failed.
pub(super) const DELETED_PARTLY: &str = "Failed to delete some node(s) in the subtree!";
