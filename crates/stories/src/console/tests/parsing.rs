//! Every command: what it asks for, and how it complains.

use crate::base::ServerId;
use crate::base::limits::MAX_LINE_BYTES;
use crate::console::{
    Action, Command, ConsoleError, Each, Effect, Form, Local, Note, Operation, QuotaCommand, Show, parse, parse_as,
};
use crate::sim::ZkVersion;
use crate::wire::{Acl, Request, WatcherType};

fn action(line: &str) -> Action {
    parse(line).unwrap_or_else(|error| panic!("{line}: {error}")).action
}

/// The request of a line, as the JSON that actions carry it in, and how its answer is shown.
fn asked(line: &str) -> (String, Show) {
    match action(line) {
        Action::Ask(Operation::One { call, show }) => (serde_json::to_string(&call.request).unwrap(), show),
        other => panic!("{line}: {other:?}"),
    }
}

fn error(line: &str) -> String {
    parse(line).expect_err(line).to_string()
}

#[test]
fn reads_become_one_request() {
    let data = |stat| Show::Data(Form::Text, stat);
    for (line, json, show) in [
        ("ls /a", r#"{"op":"getChildren","path":"/a","stat":true}"#, Show::Children(false)),
        ("ls -s -w /a", r#"{"op":"getChildren","path":"/a","watch":true,"stat":true}"#, Show::Children(true)),
        ("get /a", r#"{"op":"getData","path":"/a"}"#, data(false)),
        ("get -sw /a", r#"{"op":"getData","path":"/a","watch":true}"#, data(true)),
        ("get -b /a", r#"{"op":"getData","path":"/a"}"#, Show::Data(Form::Base64, false)),
        ("get -b -x /a", r#"{"op":"getData","path":"/a"}"#, Show::Data(Form::Hex, false)),
        ("stat -w /a", r#"{"op":"exists","path":"/a","watch":true}"#, Show::Stat),
        ("getAcl -s /a", r#"{"op":"getACL","path":"/a"}"#, Show::Acl(true)),
        ("getEphemerals", r#"{"op":"getEphemerals","path":"/"}"#, Show::Plain),
        ("getEphemerals /a", r#"{"op":"getEphemerals","path":"/a"}"#, Show::Plain),
        ("getAllChildrenNumber /", r#"{"op":"getAllChildrenNumber","path":"/"}"#, Show::Plain),
        ("sync /a", r#"{"op":"sync","path":"/a"}"#, Show::Sync),
        ("config -s", r#"{"op":"getData","path":"/zookeeper/config"}"#, data(true)),
        (
            "reconfig -v 100000000 -remove 3 -add server.4=H:1:2;3 -s",
            r#"{"op":"reconfig","joining":"server.4=h:1:2;3","leaving":"3","curConfigId":4294967296}"#,
            Show::Committed(true),
        ),
        ("config -c", r#"{"op":"getData","path":"/zookeeper/config"}"#, Show::Data(Form::Servers, false)),
    ] {
        assert_eq!(asked(line), (json.to_string(), show), "{line}");
    }
}

#[test]
fn writes_become_one_request() {
    for (line, json) in [
        ("create /a", r#"{"op":"create","path":"/a","data":null,"mode":"PERSISTENT"}"#),
        ("create /a \"\"", r#"{"op":"create","path":"/a","data":"","mode":"PERSISTENT"}"#),
        ("create -s /a/ 'b c'", r#"{"op":"create","path":"/a/","data":"b c","mode":"PERSISTENT_SEQUENTIAL"}"#),
        ("create -e /a x", r#"{"op":"create","path":"/a","data":"x","mode":"EPHEMERAL"}"#),
        ("create /a x -e -s", r#"{"op":"create","path":"/a","data":"x","mode":"EPHEMERAL_SEQUENTIAL"}"#),
        ("create -c /a", r#"{"op":"create","path":"/a","data":null,"mode":"CONTAINER"}"#),
        (
            "create -s -t 5000 /a",
            r#"{"op":"create","path":"/a","data":null,"mode":"PERSISTENT_SEQUENTIAL_WITH_TTL","ttl":5000,"stat":true}"#,
        ),
        (
            "create /a x world:anyone:r",
            r#"{"op":"create","path":"/a","data":"x","acl":[{"perms":"r","scheme":"world","id":"anyone"}],"mode":"PERSISTENT"}"#,
        ),
        ("set /a x", r#"{"op":"setData","path":"/a","data":"x","version":-1}"#),
        ("set -s -v 3 /a x", r#"{"op":"setData","path":"/a","data":"x","version":3}"#),
        ("set -b /a aGk=", r#"{"op":"setData","path":"/a","data":"hi","version":-1}"#),
        ("set -b /a /w==", r#"{"op":"setData","path":"/a","data":{"base64":"/w=="},"version":-1}"#),
        ("delete -v 0 /a", r#"{"op":"delete","path":"/a","version":0}"#),
        (
            "setAcl -v 2 /a auth::cdrwa",
            r#"{"op":"setACL","path":"/a","acl":[{"perms":"cdrwa","scheme":"auth","id":""}],"version":2}"#,
        ),
        ("addWatch /a", r#"{"op":"addWatch","path":"/a","mode":"PERSISTENT_RECURSIVE"}"#),
        ("addWatch -m persistent /a", r#"{"op":"addWatch","path":"/a","mode":"PERSISTENT"}"#),
    ] {
        assert_eq!(asked(line).0, json, "{line}");
    }
    assert_eq!(asked("set -s /a x").1, Show::Stat);
    assert_eq!(asked("setAcl -s /a world:anyone:r").1, Show::Stat);
    assert_eq!(asked("create /a").1, Show::Created);
}

#[test]
fn watches_are_removed_by_kind() {
    for (line, wanted, local) in [
        ("removewatches /a", WatcherType::Any, false),
        ("removewatches /a -c", WatcherType::Children, false),
        ("removewatches /a -d -l", WatcherType::Data, true),
        ("removewatches /a -p", WatcherType::Persistent, false),
        ("removewatches /a -a -r", WatcherType::PersistentRecursive, false),
        ("removewatches /a -a", WatcherType::Any, false),
    ] {
        let Action::Ask(Operation::One { call, .. }) = action(line) else { panic!("{line}") };
        assert_eq!(call.request, Request::RemoveWatches { path: "/a".into(), kind: wanted });
        assert_eq!((call.local, call.watcher), (local, None));
    }
}

#[test]
fn some_commands_walk() {
    let walk = |path: &str, watch, each| Action::Ask(Operation::Walk { path: path.into(), watch, each });
    assert_eq!(action("ls -R -w /a"), walk("/a", true, Each::Print));
    assert_eq!(action("setAcl -R -v 1 /a world:anyone:cdrwa"), walk("/a", false, Each::SetAcl(Acl::open(), 1)));
    let delete = |batch| Action::Ask(Operation::DeleteAll { path: "/a".into(), batch });
    assert_eq!(action("deleteall /a"), delete(1000));
    assert_eq!(action("deleteall /a -b 7"), delete(7));
    assert_eq!(action("deleteall /a -b -3"), delete(0));
    assert_eq!(action("deleteall /a -b 2000000000"), delete(1000));
}

#[test]
fn other_commands_are_the_consoles_or_the_pages() {
    for (line, wanted) in [
        ("help", Local::Help(None)),
        ("help ls", Local::Help(Some("ls".into()))),
        ("history", Local::History),
        ("redo 3", Local::Redo(Some(3))),
        ("redo -1", Local::Redo(Some(-1))),
        ("redo 0x1f", Local::Redo(Some(31))),
        ("redo -#A", Local::Redo(Some(-10))),
        ("redo +010", Local::Redo(Some(8))),
        ("redo 0", Local::Redo(Some(0))),
        ("redo", Local::Redo(None)),
        ("printwatches", Local::PrintWatches(None)),
        ("printwatches on", Local::PrintWatches(Some(true))),
        ("printwatches whatever", Local::PrintWatches(Some(false))),
        ("version", Local::Version),
    ] {
        assert_eq!(action(line), Action::Local(wanted), "{line}");
    }
    let auth =
        |scheme: &str, auth: Option<&str>| Effect::AddAuth { scheme: scheme.into(), auth: auth.map(Into::into) };
    for (line, wanted) in [
        ("close", Effect::Close),
        ("quit", Effect::Quit),
        ("clear", Effect::Clear),
        ("connect", Effect::Connect(None)),
        ("connect S2", Effect::Connect(Some(ServerId(2)))),
        ("connect s3", Effect::Connect(Some(ServerId(3)))),
        ("addauth digest user:pw", auth("digest", Some("user:pw"))),
        ("addauth digest \"\"", auth("digest", Some(""))),
        ("addauth digest", auth("digest", None)),
    ] {
        assert_eq!(action(line), Action::Effect(wanted), "{line}");
    }
}

#[test]
fn a_missing_word_gets_the_usage_line() {
    for (line, usage) in [
        ("ls", "ls [-s] [-w] [-R] path"),
        ("create -e", "create [-s] [-e] [-c] [-t ttl] path [data] [acl]"),
        (
            "get",
            "get [-s] [-w] [-b] [-x] path\n -b   Output data in base64 format\n -s   Print znode stats additionally\n \
             -w   Watch for changes on the znode\n -x   Output data in hexdump format\n",
        ),
        (
            "set /a",
            "set path data [-s] [-v version] [-b]\n -b         Supply data in base64 format\n \
             -s         Print znode stats additionally\n -v <arg>   Set with an expected version\n",
        ),
        ("stat", "stat [-w] path"),
        ("delete -v 3", "delete [-v version] path"),
        ("deleteall", "deleteall path [-b batch size]"),
        ("sync", "sync path"),
        ("removewatches -l", "removewatches path [-c|-d|-a] [-l]"),
        ("getAcl", "getAcl [-s] path"),
        ("setAcl /a", "setAcl [-s] [-v version] [-R] path acl"),
        ("addauth", "addauth scheme auth"),
        ("getAllChildrenNumber", "getAllChildrenNumber path"),
        ("version 3", "version"),
        ("setAcl -R /a", "setAcl [-s] [-v version] [-R] path acl"),
        (
            "addWatch -m once /a",
            "addWatch [-m mode] path # optional mode is one of [PERSISTENT, PERSISTENT_RECURSIVE] - default is PERSISTENT_RECURSIVE",
        ),
    ] {
        assert_eq!(error(line), usage, "{line}");
        assert!(matches!(parse(line), Err(ConsoleError::Usage(_))));
    }
}

#[test]
fn other_complaints_are_zkclis() {
    for (line, text) in [
        ("foo /a", "Command not found: Command not found foo"),
        ("LS /a", "Command not found: Command not found LS"),
        ("ls -q /a", "org.apache.commons.cli.UnrecognizedOptionException: Unrecognized option: -q"),
        ("get -sq /a", "org.apache.commons.cli.UnrecognizedOptionException: Unrecognized option: -sq"),
        ("set /a x -v", "org.apache.commons.cli.MissingArgumentException: Missing argument for option: v"),
        ("ls2 /a", "Command not found: Command not found ls2"),
        ("rmr /a", "Command not found: Command not found rmr"),
        ("deleteall /a -b x", "-b argument must be an int value"),
        ("create -c -e /a", "-c cannot be combined with -s or -e. Containers cannot be ephemeral or sequential."),
        ("create -t x /a", "-t argument must be a long value"),
        ("create -t 99999999999999999999 /a", "-t argument must be a long value"),
        ("create -t 1099511627776 /a", "ttl must be positive and cannot be larger than: 1099511627775"),
        ("create -t 0 /a", "ttl must be positive and cannot be larger than: 1099511627775"),
        ("create -t 1 -e /a", "TTLs cannot be used with Ephemeral znodes"),
        ("create -t 1 -c /a", "TTLs cannot be used with Container znodes"),
        ("ls a", "Path must start with / character"),
        ("get /a/", "Path must not end with / character"),
        ("create /a/", "Path must not end with / character"),
        ("create \"\"", "Path length must be > 0"),
        ("deleteall //a", "Invalid path string \"//a\" caused by empty node name specified @1"),
        ("ls -R /a/..", "Invalid path string \"/a/..\" caused by relative paths not allowed @4"),
        ("connect localhost:2181", "'localhost:2181' is not a server. Example: connect S2"),
        ("connect S0", "'S0' is not a server. Example: connect S2"),
        ("reconfig -remove", "org.apache.commons.cli.MissingArgumentException: Missing argument for option: remove"),
        ("reconfig -add", "org.apache.commons.cli.MissingArgumentException: Missing argument for option: add"),
        (
            "reconfig -members",
            "org.apache.commons.cli.MissingArgumentException: Missing argument for option: members",
        ),
        ("reconfig -file", "org.apache.commons.cli.MissingArgumentException: Missing argument for option: file"),
        ("reconfig -add 4 -v", "org.apache.commons.cli.MissingArgumentException: Missing argument for option: v"),
        ("reconfig -A 4", "org.apache.commons.cli.UnrecognizedOptionException: Unrecognized option: -A"),
        ("reconfig --remove 4", "org.apache.commons.cli.UnrecognizedOptionException: Unrecognized option: --remove"),
        ("setquota -n 0 q", "the num quota must be greater than zero"),
        ("setquota -n 5 q", "Path must start with / character"),
        (
            "delquota /a/",
            "Invalid path string \"/zookeeper/quota/a//zookeeper_limits\" caused by empty node name specified @19",
        ),
        ("reconfig -v x -add 4", "-v must be followed by a long (configuration version)"),
        ("reconfig -file a -members b", "Can't use -file and -members together (conflicting non-incremental modes)"),
        ("\"", "No command entered"),
        ("   ", "Command not found: Command not found  "),
        ("\t", "Command not found: Command not found \t"),
        ("", "No command entered"),
    ] {
        assert_eq!(error(line), text, "{line}");
    }
}

#[test]
fn what_is_too_large_is_refused_before_it_is_read() {
    let too_long = format!("set /a {}", "x".repeat(MAX_LINE_BYTES));
    assert_eq!(parse(&too_long), Err(ConsoleError::Note(Note::LineTooLong)));
    for line in ["get", "deleteall", "ls -R"] {
        let line = format!("{line} /{}", "x".repeat(5000));
        assert_eq!(error(&line), "path: 5001 bytes are too many: 4096 are allowed");
    }
    let entries = "world:anyone:r,".repeat(101);
    for line in [format!("setAcl /a {entries}"), format!("setAcl -R /a {entries}"), format!("create /a x {entries}")]
    {
        assert_eq!(error(&line), "acl: 101 are too many: 100 are allowed");
    }
}

#[test]
fn old_ways_of_writing_are_named() {
    for (line, now, hint) in [
        ("ls /a true", "ls -w /a", "'ls path [watch]' has been deprecated. Please use 'ls [-w] path' instead."),
        ("get /a x", "get -w /a", "'get path [watch]' has been deprecated. Please use 'get [-s] [-w] path' instead."),
        ("stat /a x", "stat -w /a", "'stat path [watch]' has been deprecated. Please use 'stat [-w] path' instead."),
        (
            "delete /a 3",
            "delete /a",
            "'delete path [version]' has been deprecated. Please use 'delete [-v version] path' instead.",
        ),
        ("setAcl /a world:anyone", "setAcl /a ,", "world:anyone does not have the form scheme:id:perm"),
    ] {
        let Command { action: same, hints } = parse(line).unwrap();
        assert_eq!((same, hints), (action(now), vec![hint.to_string()]), "{line}");
    }
    // a slip of the real one, kept: the third word becomes -w, whatever it is
    assert_eq!(asked("ls -s /a /x").0, r#"{"op":"getChildren","path":"/x","watch":true,"stat":true}"#);
}

/// Exceptions that nobody catches: there the real one ends.
#[test]
fn where_zkcli_ends_the_exception_is_told() {
    let number = |text: &str| format!("java.lang.NumberFormatException: For input string: \"{text}\"");
    let argument = |text: &str| format!("java.lang.IllegalArgumentException: {text}");
    for (line, exception) in [
        ("set -v 99999999999 /a x", number("99999999999")),
        ("delete -v x /a", number("x")),
        ("setAcl -v 0x1 /a world:anyone:r", number("0x1")),
        ("redo x", number("x")),
        ("redo -0xg", format!("{} under radix 16", number("-g"))),
        ("redo 08", format!("{} under radix 8", number("8"))),
        ("redo \"\"", "java.lang.NumberFormatException: Zero length string".into()),
        ("redo +-1", "java.lang.NumberFormatException: Sign character in wrong position".into()),
        ("set -b /a ???", argument("Illegal base64 character 3f")),
        ("addWatch a", argument("Path must start with / character")),
    ] {
        assert_eq!(parse(line), Err(ConsoleError::Thrown(exception.clone())), "{line}");
        assert_eq!(error(line), format!("Exception in thread \"main\" {exception}"));
    }
}

/// `hint-comes-before-the-error`: it remarks while it reads, and looks at the path at last.
#[test]
fn hints_come_before_the_mistake() {
    let path = "Path must start with / character";
    let instead = |name: &str, how: &str, what: &str| {
        format!("'{name} path [{what}]' has been deprecated. Please use '{how}' instead.")
    };
    for (line, hint) in [
        ("ls - /", instead("ls", "ls [-w] path", "watch")),
        ("get a watch", instead("get", "get [-s] [-w] path", "watch")),
        ("ls a watch", instead("ls", "ls [-w] path", "watch")),
        ("stat a watch", instead("stat", "stat [-w] path", "watch")),
        ("delete a 3", instead("delete", "delete [-v version] path", "version")),
        ("create a x bad", "bad does not have the form scheme:id:perm".into()),
        ("setAcl a bad", "bad does not have the form scheme:id:perm".into()),
    ] {
        assert_eq!(error(line), format!("{hint}\n{path}"), "{line}");
    }
    let both =
        "Unknown perm type: x\nException in thread \"main\" java.lang.NumberFormatException: For input string: \"y\"";
    assert_eq!(error("setAcl -v y /a world:anyone:x"), both);
}

/// `quota-path-without-slash`: only where the limits are is a path to `listquota` and `delquota`.
#[test]
fn quotas_of_what_is_no_path_are_looked_for() {
    let quota = |what| Action::Ask(Operation::Quota { path: "q".into(), what });
    assert_eq!(action("listquota q"), quota(QuotaCommand::List));
    assert_eq!(action("delquota q"), quota(QuotaCommand::Delete(None)));
    assert_eq!(
        error("listquota /a/"),
        "absolute path is /zookeeper/quota/a//zookeeper_limits\nInvalid path string \
         \"/zookeeper/quota/a//zookeeper_limits\" caused by empty node name specified @19"
    );
}

#[test]
fn ls_has_a_help_of_its_own() {
    let help = "usage: ls [options] path\n -?   help\n -R   recurse\n -s   stat\n -w   watch";
    assert_eq!(error("ls -?"), format!("{help}\nls [-s] [-w] [-R] path"));
    let Command { action: lists, hints } = parse("ls -? /").expect("a command");
    assert_eq!((lists, hints.join("\n")), (action("ls /"), help.to_string()));
}

/// The zkCli of 3.8.0 to 3.8.4.
#[test]
fn version_3_8_has_fewer_options() {
    let said = |line: &str| parse_as(line, ZkVersion::V38).expect_err(line).to_string();
    for (line, option) in [
        ("get -b /a", "-b"),
        ("get -sx /a", "-sx"),
        ("set -b /a aGk=", "-b"),
        ("removewatches /a -p", "-p"),
        ("removewatches /a -r", "-r"),
    ] {
        let unknown = format!("org.apache.commons.cli.UnrecognizedOptionException: Unrecognized option: {option}");
        assert_eq!(said(line), unknown, "{line}");
        assert!(parse_as(line, ZkVersion::V39).is_ok(), "{line}");
    }
    assert_eq!(said("get"), "get [-s] [-w] path");
    assert_eq!(said("set /a"), "set [-s] [-v version] path data");
    assert_eq!(parse_as("get -sw /a", ZkVersion::V38), parse("get -sw /a"));
}
