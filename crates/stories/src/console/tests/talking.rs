//! Whole conversations: a console with a small tree behind it.

use std::collections::BTreeSet;

use crate::client::{Call, CallOutcome, Failure, State};
use crate::console::{Asked, Console, Effect, Kind, Note, Step};
use crate::wire::{AddWatchMode, Answer, AuthId, Code, EventType, Request, Stat, WatchedEvent};

/// A console and the paths that there are.
struct Talk {
    console: Console,
    nodes: BTreeSet<String>,
    /// What was asked, in order.
    asked: Vec<String>,
    /// Fails the calls from this one on, counted from 0.
    lost_from: usize,
}

impl Talk {
    fn new(nodes: &[&str]) -> Talk {
        let nodes = nodes.iter().map(|path| (*path).to_string()).chain(["/".to_string()]).collect();
        Talk { console: Console::default(), nodes, asked: Vec::new(), lost_from: usize::MAX }
    }

    /// Types a line and answers until nothing is asked any more.
    fn say(&mut self, line: &str) -> Vec<String> {
        let step = self.console.enter(line, State::Connected);
        self.go_on(step)
    }

    fn go_on(&mut self, mut step: Step) -> Vec<String> {
        let mut printed = Vec::new();
        let mut open: Vec<Asked> = Vec::new();
        loop {
            printed.extend(step.lines.drain(..).map(|line| line.text));
            open.extend(step.calls);
            if open.is_empty() {
                assert!(!self.console.is_busy());
                return printed;
            }
            let Asked { number, call } = open.remove(0);
            let outcome = self.outcome(&call);
            step = self.console.answered(number, &outcome);
        }
    }

    fn outcome(&mut self, call: &Call) -> CallOutcome {
        self.asked.push(call.request.to_string());
        if self.asked.len() > self.lost_from {
            return Err(Failure::Code(Code::ConnectionLoss));
        }
        self.apply(&call.request).map_err(Failure::Code)
    }

    fn children(&self, path: &str) -> Vec<String> {
        let prefix = if path == "/" { "/".to_string() } else { format!("{path}/") };
        let below = self.nodes.iter().filter_map(|node| node.strip_prefix(&prefix));
        below.filter(|name| !name.is_empty() && !name.contains('/')).map(String::from).collect()
    }

    fn apply(&mut self, request: &Request) -> Result<Answer, Code> {
        let path = request.path();
        let needs_node = !matches!(request, Request::Create { .. } | Request::Multi { .. } | Request::WhoAmI);
        if needs_node && !self.nodes.contains(path) {
            return Err(Code::NoNode);
        }
        match request {
            Request::Create { .. } if !self.nodes.insert(path.to_string()) => Err(Code::NodeExists),
            Request::Create { .. } => Ok(Answer::Path(path.into())),
            Request::Delete { .. } if !self.children(path).is_empty() => Err(Code::NotEmpty),
            Request::Delete { .. } => {
                self.nodes.remove(path);
                Ok(Answer::Done)
            }
            Request::GetChildren { .. } => {
                let names = self.children(path).iter().map(|name| name.as_str().into()).collect();
                Ok(Answer::Children { names, stat: Some(Stat::default()) })
            }
            Request::Multi { ops } => {
                let results: Vec<_> = ops.iter().map(|op| self.apply(op)).collect();
                let failed = results.iter().any(Result::is_err);
                Ok(Answer::Multi(if failed { vec![Err(Code::NotEmpty)] } else { results }))
            }
            Request::SetAcl { .. } => Ok(Answer::Stat(Stat::default())),
            Request::WhoAmI => {
                Ok(Answer::Identities(vec![AuthId { scheme: "digest".into(), id: "bob".into() }, AuthId::local()]))
            }
            _ => Ok(Answer::Data { data: None, stat: Stat::default() }),
        }
    }
}

#[test]
fn a_node_is_made_read_and_deleted() {
    let mut talk = Talk::new(&[]);
    assert_eq!(talk.say("create /a x"), ["Created /a"]);
    assert_eq!(talk.say("create /a"), ["Node already exists: /a"]);
    assert_eq!(talk.say("ls /"), ["[a]"]);
    assert_eq!(talk.say("delete /a"), [""; 0]);
    assert_eq!(talk.say("stat /a"), ["Node does not exist: /a"]);
    assert_eq!(
        talk.say("ls /a x"),
        ["'ls path [watch]' has been deprecated. Please use 'ls [-w] path' instead.", "Node does not exist: /a"]
    );
    assert_eq!(talk.say(""), [""; 0]);
    assert_eq!(talk.console.prompt("S1", State::Connected), "[zk: S1(CONNECTED) 6] ");
    assert_eq!(talk.console.prompt("S1", State::Expired), "[zk: S1(CLOSED) 6] ");
}

/// `WhoAmICommand.java`: a headline, then a line for each identity.
#[test]
fn whoami_lists_schemes_and_users() {
    let mut talk = Talk::new(&[]);
    assert_eq!(talk.say("whoami"), ["Auth scheme: User", "digest: bob", "ip: 127.0.0.1"]);
    assert_eq!(talk.asked, ["whoAmI"]);
}

const TREE: &[&str] = &["/a", "/a/b", "/a/b/c", "/a/d", "/e"];

#[test]
fn ls_r_prints_a_nodes_children_before_theirs() {
    let mut talk = Talk::new(TREE);
    assert_eq!(talk.say("ls -R -w /a"), ["/a", "/a/b", "/a/d", "/a/b/c"]);
    assert_eq!(talk.asked, ["get /a -w", "ls /a -w", "ls /a/b -w", "ls /a/b/c -w", "ls /a/d -w"]);
    assert_eq!(talk.say("ls -R /x"), ["Node does not exist: /x"]);
    assert_eq!(talk.say("ls -R /").len(), 6);
    talk.lost_from = talk.asked.len() + 2;
    assert_eq!(talk.say("ls -R /a"), ["/a", "/a/b", "/a/d", "KeeperErrorCode = ConnectionLoss for /a/b"]);
}

#[test]
fn ls_r_passes_over_what_is_deleted_meanwhile() {
    let mut talk = Talk::new(TREE);
    let step = talk.console.enter("ls -R /a", State::Connected);
    let step = talk.console.answered(step.calls[0].number, &Ok(Answer::Done));
    let names = ["gone", "d"].map(Into::into).to_vec();
    let step = talk.console.answered(step.calls[0].number, &Ok(Answer::Children { names, stat: None }));
    assert_eq!(step.lines.len(), 2);
    assert_eq!(talk.go_on(step), ["/a/d", "/a/gone"]);
}

#[test]
fn set_acl_r_goes_on_after_a_refusal() {
    let mut talk = Talk::new(TREE);
    assert_eq!(talk.say("setAcl -R /a world:anyone:r"), [""; 0]);
    assert_eq!(
        talk.asked,
        [
            "get /a",
            "setACL /a",
            "ls /a",
            "setACL /a/b",
            "setACL /a/d",
            "ls /a/b",
            "setACL /a/b/c",
            "ls /a/b/c",
            "ls /a/d"
        ]
    );
    let step = talk.console.enter("setAcl -R /e world:anyone:r", State::Connected);
    let step = talk.console.answered(step.calls[0].number, &Ok(Answer::Done));
    let step = talk.console.answered(step.calls[0].number, &Err(Failure::Code(Code::NoAuth)));
    assert_eq!(talk.go_on(step), ["KeeperErrorCode = NoAuth for /e"]);
}

/// `setacl-recursive-has-no-line-breaks`: it prints its failures with `print`.
#[test]
fn what_set_acl_r_complains_about_stands_in_one_line() {
    let mut talk = Talk::new(TREE);
    let step = talk.console.enter("setAcl -R -v 0 /a world:anyone:r", State::Connected);
    let step = talk.console.answered(step.calls[0].number, &Ok(Answer::Done));
    let step = talk.console.answered(step.calls[0].number, &Err(Failure::Code(Code::BadVersion)));
    assert_eq!(step.lines, []);
    talk.lost_from = talk.asked.len() + 1;
    let printed = talk.go_on(step);
    let loss = "KeeperErrorCode = ConnectionLoss for /a/bKeeperErrorCode = ConnectionLoss for /a/d";
    assert_eq!(printed[0], format!("KeeperErrorCode = BadVersion for /a{loss}"));
    assert!(printed[1].contains("may have been applied"), "{printed:?}");
    assert_eq!(printed[2], "KeeperErrorCode = ConnectionLoss for /a/b", "the list of children");

    let mut talk = Talk::new(TREE);
    let step = talk.console.enter("setAcl -R /e bad", State::Connected);
    assert_eq!(step.lines[0].text, "bad does not have the form scheme:id:perm");
    let step = talk.console.answered(step.calls[0].number, &Ok(Answer::Done));
    let step = talk.console.answered(step.calls[0].number, &Err(Failure::Code(Code::InvalidACL)));
    assert_eq!(talk.go_on(step), ["KeeperErrorCode = InvalidACL"], "the library refuses the list, and names no path");
}

/// `addwatch-mode-sticks`: the mode is a field of the one object that carries out `addWatch`.
#[test]
fn add_watch_keeps_the_mode_that_it_was_given_last() {
    let mut console = Console::default();
    let (lasting, below) = (AddWatchMode::Persistent, AddWatchMode::PersistentRecursive);
    for (line, wanted) in [
        ("addWatch /a", below),
        ("addWatch -m persistent /a", lasting),
        ("addWatch /e", lasting),
        ("redo 0", lasting),
        ("addWatch /a -mPERSISTENT_RECURSIVE", below),
        ("addWatch /e", below),
    ] {
        let Asked { number, call } = console.enter(line, State::Connected).calls.remove(0);
        assert!(matches!(call.request, Request::AddWatch { mode, .. } if mode == wanted), "{line}: {call:?}");
        console.answered(number, &Ok(Answer::Done));
    }
}

/// `redo-without-number`, `redo-hexadecimal`, `line-of-spaces`, and a line in which there is no word.
#[test]
fn odd_lines_are_taken_as_zkcli_takes_them() {
    let mut talk = Talk::new(TREE);
    assert_eq!(
        talk.say("\""),
        [
            "Exception in thread \"main\" java.lang.NullPointerException: Cannot invoke \"java.util.List.toArray(Object[])\" because \
             \"this.cmdArgs\" is null",
            &Note::Ends.to_string()
        ]
    );
    assert_eq!(talk.say("   "), ["Command not found: Command not found  "]);
    assert_eq!(talk.say("ls /a"), ["[b, d]"]);
    assert_eq!(talk.say("redo"), [""; 0]);
    assert_eq!(talk.say("redo 0x2"), ["[b, d]"]);
    assert_eq!(talk.say("\""), ["[b, d]"], "the words of the last command are still there");
    let history = ["0 - \"", "1 -    ", "2 - ls /a", "3 - redo", "4 - ls /a", "5 - \"", "6 - history"];
    assert_eq!(talk.say("history"), history);
    assert_eq!(talk.say("redo 5"), ["No redoing redos"]);
    assert_eq!(
        talk.say("redo x"),
        [
            "Exception in thread \"main\" java.lang.NumberFormatException: For input string: \"x\"",
            &Note::Ends.to_string()
        ]
    );
}

#[test]
fn deleteall_lists_then_deletes_from_the_leaves() {
    let mut talk = Talk::new(TREE);
    assert_eq!(talk.say("deleteall /a"), [""; 0]);
    assert_eq!(talk.asked[..4], ["ls /a", "ls /a/b", "ls /a/d", "ls /a/b/c"]);
    assert_eq!(talk.asked[4..], ["multi [delete /a/b/c] [delete /a/d] [delete /a/b] [delete /a]"]);
    assert_eq!(talk.nodes.len(), 2);
    assert_eq!(talk.say("deleteall /a"), ["Node does not exist: /a"]);
}

#[test]
fn deleteall_in_batches_has_ten_on_their_way_and_stops_at_a_failure() {
    let paths: Vec<String> = (0..30).map(|number| format!("/a/{number:02}")).collect();
    let mut nodes: Vec<&str> = paths.iter().map(String::as_str).collect();
    nodes.push("/a");
    let mut talk = Talk::new(&nodes);
    assert_eq!(talk.say("deleteall /a -b 2"), [""; 0]);
    assert_eq!(talk.nodes.len(), 1);
    assert_eq!(talk.asked.len(), 31 + 16);

    let mut talk = Talk::new(&nodes);
    talk.lost_from = 31 + 3;
    let printed = talk.say("deleteall /a -b 2");
    assert_eq!(printed[0], "Failed to delete some node(s) in the subtree!");
    assert!(printed[1].contains("may have been applied"));
    assert_eq!(talk.asked.len(), 31 + 3 + 10, "what was on its way when the first failed");
}

#[test]
fn deleteall_without_batches_deletes_one_by_one() {
    let mut talk = Talk::new(TREE);
    assert_eq!(talk.say("deleteall /a -b 0"), [""; 0]);
    assert_eq!(talk.asked[4..], ["delete /a/b/c", "delete /a/d", "delete /a/b", "delete /a"]);
    let mut talk = Talk::new(TREE);
    talk.lost_from = 5;
    assert_eq!(talk.say("deleteall /a -b 0")[0], "KeeperErrorCode = ConnectionLoss for /a/d");
}

#[test]
fn history_and_redo() {
    let mut talk = Talk::new(TREE);
    talk.say("ls /a");
    talk.say("foo");
    assert_eq!(talk.say("history"), ["0 - ls /a", "1 - foo", "2 - history"]);
    assert_eq!(talk.say("redo 0"), ["[b, d]"]);
    assert_eq!(talk.say("redo 4"), ["Command index out of range"]);
    assert_eq!(talk.say("redo -1"), ["Command index out of range"]);
    assert_eq!(talk.say("redo 4"), ["No redoing redos"]);
    assert_eq!(talk.say("redo 1").last().unwrap(), "Command not found: Command not found foo");
    assert_eq!(talk.say("history")[3..5], ["3 - ls /a", "4 - redo 4"]);
    assert_eq!(talk.console.history.up(""), Some("history"));
}

#[test]
fn help_lists_and_explains() {
    let mut talk = Talk::new(&[]);
    let list = talk.say("help");
    assert_eq!(list[0], "ZooKeeper -server host:port -client-configuration properties-file cmd args");
    assert_eq!(list[16], "\tls [-s] [-w] [-R] path");
    assert_eq!(list.len(), 29);
    assert_eq!(talk.say("help ls"), ["ls [-s] [-w] [-R] path"]);
    assert_eq!(talk.say("help get").len(), 6, "an empty line behind the options");
    assert_eq!(talk.say("get"), talk.say("help get"));
    assert_eq!(talk.say("help foo"), ["Command not found: Command not found foo"]);
    assert_eq!(talk.say("foo"), ["Command not found: Command not found foo"], "one line, unlike zkCli");
    assert!(talk.say("version")[0].starts_with("ZooKeeper CLI version: 3.9"));
}

#[test]
fn watch_events_can_be_silenced() {
    let mut talk = Talk::new(&[]);
    let event = WatchedEvent::at(EventType::NodeCreated, "/a".into());
    assert_eq!(talk.say("printwatches"), ["printwatches is on"]);
    assert_eq!(talk.console.event(&event, None).len(), 2);
    talk.say("printwatches off");
    assert_eq!(talk.say("printwatches"), ["printwatches is off"]);
    assert!(talk.console.event(&event, None).is_empty());
}

#[test]
fn without_a_session_only_some_commands_work() {
    let mut console = Console::default();
    // whether it has a session it asks before it looks at a command's words
    for line in
        ["ls /", "close", "addauth digest a:b", "version", "ls", "get a", "set -v x /a b", "create -q", "whoami"]
    {
        for state in [State::Closed, State::Expired, State::AuthFailed] {
            assert_eq!(console.enter(line, state).lines[0].text, "Not connected", "{line}");
        }
    }
    assert!(matches!(console.enter("connect S2", State::Closed).effect, Some(Effect::Connect(Some(_)))));
    assert_eq!(console.enter("quit", State::Closed).effect, Some(Effect::Quit));
    assert_eq!(console.enter("foo", State::Closed).lines[0].text, "Command not found: Command not found foo");
    assert_eq!(console.enter("help ls", State::Closed).lines.len(), 1, "ours needs nobody");
    assert_eq!(console.enter("connect S0", State::Closed).lines[0].kind, Kind::Note(Note::NoServer("S0".into())));
    assert_eq!(console.enter("close", State::Disconnected).effect, Some(Effect::Close));
    assert_eq!(console.enter("ls /", State::Disconnected).calls.len(), 1, "it waits for a connection");
}

/// `close-then-commands`: what zkCli answers itself it answers, and looks for a session then.
#[test]
fn without_a_session_its_own_answers_are_followed_by_the_news() {
    let mut console = Console::default();
    let mut say = |line: &str| -> Vec<String> {
        console.enter(line, State::Closed).lines.into_iter().map(|line| line.text).collect()
    };
    assert_eq!(say("ls /"), ["Not connected"]);
    assert_eq!(say("history"), ["0 - ls /", "1 - history", "Not connected"]);
    assert_eq!(say("printwatches"), ["printwatches is on", "Not connected"]);
    assert_eq!(say("printwatches off"), ["Not connected"]);
    assert_eq!(say("redo"), ["Not connected"]);
    assert_eq!(say("redo 0"), ["Not connected", "Not connected"]);
    assert_eq!(say("redo 2"), ["printwatches is off", "Not connected", "Not connected"]);
    assert_eq!(say("redo 99"), ["Command index out of range"]);
}

#[test]
fn one_command_at_a_time_unless_it_is_given_up() {
    let mut console = Console::default();
    let first = console.enter("ls -R /", State::Connected).calls[0].number;
    let busy = console.enter("ls /", State::Connected);
    assert_eq!((busy.calls.len(), &busy.lines[0].kind), (0, &Kind::Note(Note::Busy)));
    assert_eq!(console.give_up().lines[0].kind, Kind::Note(Note::GivenUp));
    assert!(console.give_up().lines.is_empty());
    let second = console.enter("get /", State::Connected).calls[0].number;
    assert_ne!(first, second);
    assert_eq!(console.answered(first, &Ok(Answer::Done)), Step::default(), "too late");
    assert!(console.is_busy());
    assert_eq!(console.answered(second + 9, &Ok(Answer::Done)), Step::default(), "never asked");
    let lines = console.answered(second, &Err(Failure::Code(Code::NoNode))).lines;
    assert_eq!(lines[0].text, "Node does not exist: /");
    assert_eq!(console.answered(second, &Ok(Answer::Done)), Step::default(), "answered before");
}
