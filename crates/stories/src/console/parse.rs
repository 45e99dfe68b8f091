//! From a line to a command. Each function is one class of zkCli's package `cli`, and complains in the same order.

mod quota;
mod shell;

use std::rc::Rc;

use crate::base::ServerId;
use crate::base::json::short;
use crate::base::limits::{MAX_LINE_BYTES, MAX_MULTI_OPS, MAX_PATH_BYTES};
use crate::client::Call;
use crate::sim::ZkVersion;
use crate::wire::{Acl, AddWatchMode, Bytes, CreateMode, Request, WatcherType, check_path};

use super::command::{Action, Command, ConsoleError, Each, Effect, Form, Local, Operation, Show};
use super::options::{self, Options};
use super::spec::{self, Spec};
use super::{Note, acl, encode, words};

/// The longest time to live that fits: 40 bits.
const MAX_TTL: i64 = 0xff_ffff_ffff;
/// Where the ensemble keeps its own configuration.
const CONFIG: &str = "/zookeeper/config";
/// Commands that read no options: a dash means itself.
const PLAIN: &[&str] = &[
    "clear",
    "close",
    "connect",
    "echo",
    "help",
    "history",
    "kill",
    "poweroff",
    "printwatches",
    "quit",
    "redo",
    "whoami",
    "zkServer.sh",
];

type Parsed<T> = Result<T, ConsoleError>;

/// Reads a line as zkCli 3.9 does.
///
/// # Errors
/// Why it is no command; shown, it is what zkCli prints.
pub fn parse(line: &str) -> Parsed<Command> {
    parse_as(line, ZkVersion::default())
}

/// Reads a line as the zkCli of a version does.
///
/// # Errors
/// Why it is no command; shown, it is what zkCli prints.
pub fn parse_as(line: &str, version: ZkVersion) -> Parsed<Command> {
    if line.len() > MAX_LINE_BYTES {
        return Err(ConsoleError::Note(Note::LineTooLong));
    }
    let words = words::words(line);
    let Some(name) = words.first() else { return Err(ConsoleError::Empty) };
    let spec = spec::find(name, version).ok_or_else(|| ConsoleError::NotFound((*name).to_string()))?;
    let options = match PLAIN.contains(&spec.name) {
        true => Options::none(&words),
        false => options::read(&words, spec.options, spec.names()).map_err(ConsoleError::Said)?,
    };
    let mut reading = Reading { spec, words, options, hints: Vec::new() };
    let action = action(&mut reading).and_then(|action| match &action {
        Action::Ask(Operation::One { call, .. }) => {
            call.request.check().map_err(|error| Note::TooLarge(error).into()).map(|()| action)
        }
        _ => Ok(action),
    });
    match action {
        Ok(action) => Ok(Command { action, hints: reading.hints }),
        // it remarks as it reads, and so before it finds the mistake
        Err(error) if reading.hints.is_empty() => Err(error),
        Err(error) => Err(ConsoleError::Hinted(reading.hints, Box::new(error))),
    }
}

fn action(reading: &mut Reading<'_>) -> Parsed<Action> {
    match reading.spec.name {
        "addWatch" => add_watch(reading),
        "config" => config(reading),
        "create" => create(reading),
        "delete" => delete(reading),
        "deleteall" => delete_all(reading),
        "get" => get(reading),
        "getAcl" => get_acl(reading),
        "getAllChildrenNumber" => {
            reading.need(2)?;
            Ok(ask(Request::GetAllChildrenNumber { path: reading.path(1)? }, Show::Plain))
        }
        "getEphemerals" => get_ephemerals(reading),
        "ls" => ls(reading),
        "listquota" => quota::list_quota(reading),
        "setquota" => quota::set_quota(reading),
        "delquota" => quota::delete_quota(reading),
        "reconfig" => reconfig(reading),
        "removewatches" => remove_watches(reading),
        "set" => set(reading),
        "setAcl" => set_acl(reading),
        "stat" => stat(reading),
        "whoami" => Ok(ask(Request::WhoAmI, Show::Plain)),
        "sync" => {
            reading.need(2)?;
            Ok(ask(Request::Sync { path: reading.path(1)? }, Show::Sync))
        }
        _ => without_calls(reading),
    }
}

/// The commands that send no request.
fn without_calls(reading: &Reading<'_>) -> Parsed<Action> {
    let word = reading.arg(1);
    let local = match reading.spec.name {
        "addauth" => return add_auth(reading),
        "clear" => return Ok(Action::Effect(Effect::Clear)),
        "close" => return Ok(Action::Effect(Effect::Close)),
        "connect" => return connect(reading),
        "echo" => return shell::four_letter(reading),
        "kill" | "poweroff" | "zkServer.sh" => return shell::machine(reading),
        "quit" => return Ok(Action::Effect(Effect::Quit)),
        "help" => Local::Help(word.map(String::from)),
        "history" => Local::History,
        "printwatches" => Local::PrintWatches(word.map(|word| word == "on")),
        "redo" => Local::Redo(word.map(decoded).transpose()?),
        "version" if word.is_none() => Local::Version,
        _ => return Err(reading.usage()),
    };
    Ok(Action::Local(local))
}

/// A line being read.
struct Reading<'a> {
    spec: &'static Spec,
    words: Vec<&'a str>,
    options: Options<'a>,
    hints: Vec<String>,
}

impl<'a> Reading<'a> {
    fn has(&self, option: char) -> bool {
        self.options.has(option)
    }

    fn arg(&self, at: usize) -> Option<&'a str> {
        self.options.args.get(at).copied()
    }

    fn usage(&self) -> ConsoleError {
        ConsoleError::Usage(self.spec.usage())
    }

    /// At least so many words, the command's name among them.
    fn need(&self, words: usize) -> Parsed<()> {
        if self.options.args.len() < words { Err(self.usage()) } else { Ok(()) }
    }

    fn path(&self, at: usize) -> Parsed<Rc<str>> {
        self.node(at, false)
    }

    fn node(&self, at: usize, sequential: bool) -> Parsed<Rc<str>> {
        let path = self.unchecked(at)?;
        check_path(path, sequential)?;
        Ok(path.into())
    }

    /// A path of which zkCli looks only at what it makes of it.
    fn unchecked(&self, at: usize) -> Parsed<&'a str> {
        let path = self.arg(at).ok_or_else(|| self.usage())?;
        short("path", path, MAX_PATH_BYTES).map_err(Note::TooLarge)?;
        Ok(path)
    }

    fn version(&self) -> Parsed<i32> {
        self.options.value('v').map_or(Ok(-1), number)
    }

    /// The old way of asking for a watch: a second word behind the command. As in zkCli the third word of the line,
    /// whatever it is, becomes `-w`.
    fn old_watch(&mut self, instead: &str) -> Parsed<()> {
        if self.options.args.len() > 2 {
            let name = self.spec.name;
            self.hints.push(format!("'{name} path [watch]' has been deprecated. Please use '{instead}' instead."));
            self.words[2] = "-w";
            let (known, names) = (self.spec.options, self.spec.names());
            self.options = options::read(&self.words, known, names).map_err(ConsoleError::Said)?;
        }
        Ok(())
    }
}

/// `Integer.parseInt`.
fn number(text: &str) -> Parsed<i32> {
    text.parse().map_err(|_| ConsoleError::number(text))
}

/// `Integer.decode`: also hexadecimal and octal.
fn decoded(text: &str) -> Parsed<i32> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let hexadecimal = ["0x", "0X", "#"].into_iter().find_map(|prefix| unsigned.strip_prefix(prefix));
    let (digits, radix) = match (hexadecimal, unsigned.strip_prefix('0')) {
        (Some(digits), _) => (digits, 16),
        (None, Some(digits)) if !digits.is_empty() => (digits, 8),
        _ => (unsigned, 10),
    };
    let thrown = |why: &str| ConsoleError::Thrown(format!("java.lang.NumberFormatException: {why}"));
    if text.is_empty() {
        return Err(thrown("Zero length string"));
    }
    if digits.starts_with(['-', '+']) {
        return Err(thrown("Sign character in wrong position"));
    }
    let radixed = if radix == 10 { String::new() } else { format!(" under radix {radix}") };
    let signed = format!("{sign}{digits}");
    i32::from_str_radix(&signed, radix).map_err(|_| thrown(&format!("For input string: \"{signed}\"{radixed}")))
}

fn ask(request: Request, show: Show) -> Action {
    Action::Ask(Operation::One { call: Call::new(request), show })
}

fn add_watch(reading: &Reading<'_>) -> Parsed<Action> {
    if reading.options.args.len() != 2 {
        return Err(reading.usage());
    }
    let mode = match reading.options.value('m').map(str::to_ascii_uppercase).as_deref() {
        None | Some("PERSISTENT_RECURSIVE") => AddWatchMode::PersistentRecursive,
        Some("PERSISTENT") => AddWatchMode::Persistent,
        Some(_) => return Err(reading.usage()),
    };
    let path = reading.unchecked(1)?;
    check_path(path, false).map_err(ConsoleError::illegal_argument)?; // the one command that does not catch it
    Ok(ask(Request::AddWatch { path: path.into(), mode }, Show::Nothing))
}

fn add_auth(reading: &Reading<'_>) -> Parsed<Action> {
    reading.need(2)?;
    let scheme = reading.arg(1).unwrap_or("").to_string();
    Ok(Action::Effect(Effect::AddAuth { scheme, auth: reading.arg(2).map(String::from) }))
}

fn config(reading: &Reading<'_>) -> Parsed<Action> {
    let form = if reading.has('c') { Form::Servers } else { Form::Text };
    let request = Request::GetData { path: CONFIG.into(), watch: reading.has('w') };
    Ok(ask(request, Show::Data(form, reading.has('s'))))
}

fn server(word: &str) -> Parsed<ServerId> {
    let digits = word.strip_prefix(['S', 's']).unwrap_or(word);
    let id = digits.parse().ok().map(ServerId).filter(|id| id.is_valid());
    id.ok_or_else(|| ConsoleError::Note(Note::NoServer(word.chars().take(40).collect())))
}

/// `ReconfigCommand.java`.
fn reconfig(reading: &Reading<'_>) -> Parsed<Action> {
    let [whole, file, add, remove] = ['M', 'F', 'A', 'R'].map(|option| reading.options.value(option));
    let said = |text: &str| Err(ConsoleError::Said(text.into()));
    if [whole, file, add, remove].iter().all(Option::is_none) {
        return Err(reading.usage());
    }
    let version = match reading.options.value('v').map(|text| i64::from_str_radix(text, 16)) {
        None => -1,
        Some(Ok(version)) => version,
        Some(Err(_)) => return said("-v must be followed by a long (configuration version)"),
    };
    match (file, whole, add.or(remove)) {
        (Some(_), _, Some(_)) | (_, Some(_), Some(_)) => said(
            "Can't use -file or -members together with -add or -remove (mixing incremental and non-incremental modes is not \
             allowed)",
        ),
        (Some(_), Some(_), None) => said("Can't use -file and -members together (conflicting non-incremental modes)"),
        (Some(file), None, None) => said(&format!("Error processing {file}{file} (No such file or directory)")),
        _ => {
            let [joining, leaving, members] = [add, remove, whole].map(|list| Some(list?.to_lowercase().into()));
            let request = Request::Reconfig { joining, leaving, members, version };
            Ok(ask(request, Show::Committed(reading.has('s'))))
        }
    }
}

fn connect(reading: &Reading<'_>) -> Parsed<Action> {
    Ok(Action::Effect(Effect::Connect(reading.arg(1).map(server).transpose()?)))
}

fn create(reading: &mut Reading<'_>) -> Parsed<Action> {
    reading.need(2)?;
    let (mode, ttl) = create_mode(reading)?;
    let data = reading.arg(2).map(Bytes::from);
    let acl = match reading.arg(3) {
        Some(text) => acl::parse(text, &mut reading.hints),
        None => Acl::open(),
    };
    let path = reading.node(1, mode.is_sequential())?;
    let request = Request::Create { path, data, acl, mode, ttl, stat: mode.is_ttl(), flags: None };
    Ok(ask(request, Show::Created))
}

fn create_mode(reading: &Reading<'_>) -> Parsed<(CreateMode, i64)> {
    let said = |text: &str| Err(ConsoleError::Said(text.to_string()));
    let [s, e, c, t] = ['s', 'e', 'c', 't'].map(|option| reading.has(option));
    if c && (e || s) {
        return said("-c cannot be combined with -s or -e. Containers cannot be ephemeral or sequential.");
    }
    let Ok(ttl) = reading.options.value('t').unwrap_or("0").parse::<i64>() else {
        return said("-t argument must be a long value");
    };
    if t && e {
        return said("TTLs cannot be used with Ephemeral znodes");
    }
    if t && c {
        return said("TTLs cannot be used with Container znodes");
    }
    if t && !(1..=MAX_TTL).contains(&ttl) {
        return said(&format!("ttl must be positive and cannot be larger than: {MAX_TTL}"));
    }
    let mode = match (e, s, t) {
        (true, true, _) => CreateMode::EphemeralSequential,
        (true, false, _) => CreateMode::Ephemeral,
        (false, true, true) => CreateMode::PersistentSequentialWithTtl,
        (false, true, false) => CreateMode::PersistentSequential,
        (false, false, true) => CreateMode::PersistentWithTtl,
        (false, false, false) if c => CreateMode::Container,
        (false, false, false) => CreateMode::Persistent,
    };
    Ok((mode, ttl))
}

fn delete(reading: &mut Reading<'_>) -> Parsed<Action> {
    reading.need(2)?;
    if reading.options.args.len() > 2 {
        let hint = "'delete path [version]' has been deprecated. Please use 'delete [-v version] path' instead.";
        reading.hints.push(hint.to_string());
    }
    let version = reading.version()?;
    Ok(ask(Request::Delete { path: reading.path(1)?, version }, Show::Nothing))
}

fn delete_all(reading: &Reading<'_>) -> Parsed<Action> {
    reading.need(2)?;
    let size = reading.options.value('b').map_or(Ok(1000), str::parse::<i32>);
    let size = size.map_err(|_| ConsoleError::Said("-b argument must be an int value".to_string()))?;
    let batch = usize::try_from(size).unwrap_or(0).min(MAX_MULTI_OPS);
    Ok(Action::Ask(Operation::DeleteAll { path: reading.path(1)?, batch }))
}

fn get(reading: &mut Reading<'_>) -> Parsed<Action> {
    reading.need(2)?;
    reading.old_watch("get [-s] [-w] path")?;
    let form = match (reading.has('x'), reading.has('b')) {
        (true, _) => Form::Hex,
        (false, true) => Form::Base64,
        (false, false) => Form::Text,
    };
    let request = Request::GetData { path: reading.path(1)?, watch: reading.has('w') };
    Ok(ask(request, Show::Data(form, reading.has('s'))))
}

fn get_acl(reading: &Reading<'_>) -> Parsed<Action> {
    reading.need(2)?;
    Ok(ask(Request::GetAcl { path: reading.path(1)? }, Show::Acl(reading.has('s'))))
}

fn get_ephemerals(reading: &Reading<'_>) -> Parsed<Action> {
    let prefix = if reading.arg(1).is_some() { reading.path(1)? } else { "/".into() };
    Ok(ask(Request::GetEphemerals { prefix }, Show::Plain))
}

fn ls(reading: &mut Reading<'_>) -> Parsed<Action> {
    if reading.has('?') {
        let help = ["usage: ls [options] path", " -?   help", " -R   recurse", " -s   stat", " -w   watch"];
        reading.hints.extend(help.map(String::from));
    }
    reading.old_watch("ls [-w] path")?;
    reading.need(2)?;
    let (path, watch) = (reading.path(1)?, reading.has('w'));
    if reading.has('R') {
        return Ok(Action::Ask(Operation::Walk { path, watch, each: Each::Print }));
    }
    Ok(ask(Request::GetChildren { path, watch, stat: true }, Show::Children(reading.has('s'))))
}

fn remove_watches(reading: &Reading<'_>) -> Parsed<Action> {
    reading.need(2)?;
    let kinds = [
        ('c', WatcherType::Children),
        ('d', WatcherType::Data),
        ('p', WatcherType::Persistent),
        ('r', WatcherType::PersistentRecursive),
    ];
    let kind = kinds.into_iter().find(|(option, _)| reading.has(*option)).map_or(WatcherType::Any, |(_, kind)| kind);
    let mut call = Call::new(Request::RemoveWatches { path: reading.path(1)?, kind });
    call.local = reading.has('l');
    Ok(Action::Ask(Operation::One { call, show: Show::Nothing }))
}

fn set(reading: &Reading<'_>) -> Parsed<Action> {
    reading.need(3)?;
    let text = reading.arg(2).unwrap_or("");
    let data: Bytes = match reading.has('b') {
        true => encode::from_base64(text).map_err(ConsoleError::illegal_argument)?.into(),
        false => text.into(),
    };
    let version = reading.version()?;
    let show = if reading.has('s') { Show::Stat } else { Show::Nothing };
    Ok(ask(Request::SetData { path: reading.path(1)?, data: Some(data), version }, show))
}

fn set_acl(reading: &mut Reading<'_>) -> Parsed<Action> {
    reading.need(3)?;
    let acl = acl::parse(reading.arg(2).unwrap_or(""), &mut reading.hints);
    let version = reading.version()?;
    let path = reading.path(1)?;
    if reading.has('R') {
        let probe = Request::SetAcl { path: path.clone(), acl: acl.clone(), version };
        probe.check().map_err(Note::TooLarge)?;
        return Ok(Action::Ask(Operation::Walk { path, watch: false, each: Each::SetAcl(acl, version) }));
    }
    let show = if reading.has('s') { Show::Stat } else { Show::Nothing };
    Ok(ask(Request::SetAcl { path, acl, version }, show))
}

fn stat(reading: &mut Reading<'_>) -> Parsed<Action> {
    reading.need(2)?;
    reading.old_watch("stat [-w] path")?;
    Ok(ask(Request::Exists { path: reading.path(1)?, watch: reading.has('w') }, Show::Stat))
}
