//! Scenes about the znode store, its clients, and how servers treat them.

use crate::scenarios::scene::{Chapter, Scene, scenes};

scenes! {
    /// In the order of their scenarios.
    STORE:
    "zk-tree" opens 1_190, idea 3, try "At the console of C2: make a container with a child, then delete the child. How long does the container live?",
        "A persistent node",
        "Numbered by the parent" at "called client=1 call=2",
        "Ephemeral: no children" at "called client=1 call=4",
        "Containers and TTL" at "called client=1 call=6",
        "All or nothing" at "called client=1 call=12",
        "What goes by itself" at "proposed zxid=1:15",
        "The session is closed" at "session_closed";
    "zk-stat" opens 1_190, idea 2, try "Open the console, set /node twice with stat in between. Which fields move?",
        "Created: czxid",
        "setData: mzxid, version" at "called client=1 call=2",
        "A child: pzxid, cversion" at "called client=1 call=4",
        "setAcl: aversion" at "called client=1 call=8",
        "The child goes" at "called client=1 call=10",
        "An ephemeral: its owner" at "called client=1 call=12";
    "zk-version" opens 1_405, idea 3, try "At the console of C2: set /count 99 -v 0. What is the answer, and why?",
        "Both read version 0",
        "Both write" at "called client=1 call=3",
        "BadVersion" at "answered code=BadVersion",
        "Read again, then write" at "called client=2 call=3";
    "zk-watch" opens 1_390, idea 2, try "At the console of C1: get -w /conf, then let C2 write twice. How many events come?",
        "A watch is set",
        "It fires, once" at "watch_fired",
        "A change unheard" at "committed zxid=1:6",
        "Set again" at "called client=1 call=2",
        "Unheard again" at "committed zxid=1:8",
        "A recursive watch" at "called client=3";
    "zk-session" opens 1_590, idea 4, try "Resume C1 before its session is over. Does /live stay?",
        "The connection breaks",
        "Another server, same session" at "session_moved",
        "C1 falls silent" at "client_paused",
        "The session expires" at "session_expired",
        "C1 learns of it" at "client_ended state=Expired",
        "A new session" at "client_opened",
        "Closed: gone at once" at "session_closed";
    "zk-guarantees" opens 1_390, idea 2, try "Crash S2 as well after the answer. When can the value be read again?",
        "In order",
        "All or nothing" at "called client=2 call=1",
        "A server far behind" at "latency_set",
        "Never back in time" at "client_turned_away",
        "Answered, then a crash" at "called client=1 call=6",
        "A new leader" at "elected role=LEADING",
        "Still there" at "called client=1 call=7";
    "zk-stale-read" opens 1_990, idea 3, try "At the console of C1: get /x while the link is slow, then sync /x and get again.",
        "A slow link, a write",
        "The writer reads: new" at "called client=2 call=3",
        "Another reads: old" at "called client=1 call=1",
        "sync, then read" at "called client=1 call=2",
        "Now it is new" at "answered client=1 call=3";
    "zk-cli" opens 1_390, idea 2, try "Open the console of C1, type help, then create a node and watch what travels.",
        "create: a line, a call",
        "ls and get -w" at "called client=1 call=3",
        "The watch speaks up" at "notified client=1",
        "set -v 0: BadVersion" at "answered code=BadVersion",
        "addWatch at C2" at "called client=2 call=2",
        "delete: not empty" at "answered code=NotEmpty",
        "deleteall: list, then one multi" at "called client=1 call=9";
    "leader-serves-no" opens 2_790, idea 3, try "Restart S3, then move a client there. Is it served?",
        "The leader crashes",
        "S2 leads" at "elected role=LEADING",
        "Sent away" at "client_turned_away",
        "At the only follower" at "client_connected",
        "A write" at "called client=1";
    "quota" opens 1_990, idea 2, try "At a console: delete /jobs/1, then create /jobs/5 again.",
        "Below both limits",
        "Soft: a warning" at "over_quota",
        "Two at once slip past" at "proposed zxid=1:9",
        "Hard: refused" at "over_quota hard=true",
        "What is counted" at "called client=1";
    "read-only-mode" opens 1_490, idea 3, try "Heal S1's links instead of C1's. What happens to C1?",
        "S1 is cut off",
        "The others write on" at "called client=2",
        "Reads only" at "read_only on=true",
        "A client that allows it" at "client_connected client=1",
        "An old value" at "called client=1",
        "A write is refused" at "answered code=NotReadOnly",
        "A better server" at "client_disconnected reason=found";
    "local-sessions" opens 1_290, idea 3, try "Before C2 moves, let it create an ephemeral node at its console.",
        "No transaction needed",
        "A write" at "called client=1 call=1",
        "Upgraded for an ephemeral" at "session_upgraded",
        "Now it can move" at "session_moved",
        "The local one cannot" at "client_turned_away";
    "throttling" opens 1_490, idea 4, try "Stop while C1 is not read and type at its console: echo cons | nc S1 2181. How many wait for an answer?",
        "A connection too many",
        "Taken by S2" at "client_connected client=3",
        "Nine requests at once" at "called client=1 call=2",
        "S1 reads no more" at "throttled client=1 on=true",
        "It reads on" at "throttled client=1 on=false",
        "Nothing is lost" at "answered client=1 call=10";
    "clock-skew" opens 1_290, idea 3, try "Crash S3 right after its clock jumps. Is /lease still there a second later?",
        "A node for 30 seconds",
        "The leader's clock jumps" at "clock_jumped",
        "Deleted far too early" at "watch_fired event=NodeDeleted",
        "A time to come" at "called client=1 call=3",
        "The leader crashes" at "crashed",
        "The session lives on" at "session_resumed",
        "Later, and dated before" at "called client=1 call=5";
    "ask-the-servers" opens 1_490, idea 2, try "At the console of C1: echo mntr | nc S3 2181, then the same to S1. Which lines has only the leader?",
        "Is it there?",
        "Who leads?" at "four_letter_answered word=srvr",
        "Who am I?" at "called op=whoAmI",
        "One identity more" at "called op=whoAmI",
        "Who is in the ensemble?" at "called op=getData",
        "What of its clients?" at "four_letter_answered word=cons",
        "Without a leader" at "crashed";
}
