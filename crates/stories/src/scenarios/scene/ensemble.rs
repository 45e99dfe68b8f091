//! Scenes about the ensemble and its protocol.

use crate::scenarios::scene::{Chapter, Scene, scenes};

scenes! {
    /// In the order of their scenarios.
    ENSEMBLE:
    "cold-start-3" opens 0, idea 2, try "Crash S3 while a write is on its way. Who leads then, and is the write still there?",
        "Three look for a leader",
        "A leader is elected" at "elected role=LEADING",
        "One history for all" at "sync_chosen",
        "The first write" at "write_asked";
    "cold-start-5" opens 0, idea 4, try "Before the last server starts, crash one of the others. Does the ensemble go on?",
        "One alone",
        "Two of five" at "started server=2",
        "The third: a majority" at "started server=3",
        "A leader" at "elected role=LEADING",
        "Latecomers" at "started server=4",
        "A write" at "write_asked";
    "leader-crash-under-load" opens 1_340, idea 3, try "Go back to the crash and crash a follower instead. Does any client notice?",
        "Writes under way",
        "The leader crashes" at "crashed",
        "A new leader" at "elected role=LEADING",
        "Writes again" at "established",
        "The old leader returns" at "started server=3";
    "uncommitted-kept" opens 1_490, idea 4, try "Cut the leader off just before its PROPOSAL leaves. Does the write survive then?",
        "A write at the leader",
        "Committed, no follower told" at "committed zxid=1:3",
        "The leader dies" at "crashed",
        "The newest log wins" at "elected role=LEADING",
        "1:3 is kept" at "established epoch=2",
        "The old leader follows" at "started server=3";
    "rejoin-diff" opens 1_490, idea 3, try "Crash S2 while S1 is down. What can S3 still do?",
        "Writes without S1",
        "It comes back" at "started server=1",
        "DIFF: only what is missing" at "sync_chosen sync=DIFF",
        "Writes with all three" at "write_asked";
    "rejoin-snap" opens 1_240, idea 3, try "Restart S1 earlier, after two writes. Is it a DIFF then?",
        "Writes without S1",
        "It comes back" at "started server=1",
        "SNAP: the whole state" at "sync_chosen sync=SNAP",
        "Up to date" at "up_to_date server=1",
        "Writes with all three" at "write_asked";
    "rejoin-trunc" opens 3_540, idea 3, try "Heal the links before S3 crashes. Is 1:3 kept now?",
        "A leader without 1:3",
        "S3 returns with 1:3" at "started server=3",
        "TRUNC: 1:3 is cut" at "sync_chosen sync=TRUNC",
        "One history again" at "up_to_date server=3";
    "minority-partition" opens 1_490, idea 4, try "Draw another line: leave the leader with two followers. Who steps down now?",
        "The cut",
        "Writes in the minority" at "write_asked server=5",
        "The majority looks again" at "left reason=leader_silent",
        "The old leader steps down" at "left reason=no_quorum",
        "A new leader" at "established epoch=2",
        "Healing, and SNAP" at "link_healed";
    "old-leader-returns" opens 3_590, idea 3, try "Resume S3 before syncLimit is over. Does it still lead?",
        "Paused, and replaced",
        "The old one wakes" at "resumed server=3",
        "Nobody obeys it" at "left role=LEADING",
        "It follows" at "up_to_date server=3";
    "observer" opens 1_190, idea 2, try "Crash S1 and S2. Can S3 and the observer still write?",
        "A write at the observer",
        "Three vote, it learns" at "committed zxid=1:1",
        "Two more" at "write_asked",
        "It crashes: no vote missing" at "crashed";
    "counter-rollover" opens 1_270, idea 2, try "Crash S3 right after it resigns. Who leads the new epoch?",
        "The last number",
        "The leader resigns" at "left reason=counter_used_up",
        "A new epoch" at "established epoch=2",
        "Counting from 1" at "committed zxid=2:1",
        "Used up again" at "left reason=counter_used_up";
    "leader-power-off" opens 1_990, idea 3, try "Take the power-off back and crash S3 instead. How long until the others notice?",
        "The power fails",
        "A write without an answer" at "write_asked",
        "syncLimit is over" at "left reason=leader_silent",
        "A new leader" at "established epoch=2",
        "S3 is back" at "started server=3";
    "zab-heartbeat" opens 1_290, idea 3, try "Run it again with syncLimit 10. Does the second silence still cost S1 its place?",
        "A PING every half tick",
        "A short silence" at "paused server=1",
        "syncLimit is over" at "learner_dropped reason=silent",
        "S1 joins again" at "up_to_date server=1",
        "The leader crashes" at "crashed server=3",
        "S2 waits for S1" at "elected role=LEADING",
        "initLimit is over" at "left reason=quorum_wait_over";
    "snap-too-slow" opens 7_290, idea 2, try "Restart S2 now: with it there is a majority before the SNAP is through.",
        "A SNAP under way",
        "initLimit is over" at "left reason=quorum_wait_over",
        "Once more" at "sync_chosen sync=SNAP",
        "Over again" at "left reason=quorum_wait_over",
        "S2 is back" at "started server=2";
    "disk-full" opens 2_490, idea 4, try "Fill the disk of a follower instead. Does the ensemble stop?",
        "A write onto a full disk",
        "The log fails" at "disk_failed",
        "Committed all the same" at "committed",
        "The leader resigns" at "left reason=disk_failed",
        "A new leader" at "established epoch=2",
        "No room to follow" at "disk_failed",
        "Room again" at "disk_fault_set";
    "reconfig-grow" opens 2_990, idea 2, try "Crash a third server. What is missing now?",
        "A reconfiguration asked",
        "Two majorities needed" at "config_seen version=1:4",
        "Five members" at "config_activated",
        "Two crash" at "crashed",
        "Three of five go on" at "committed";
    "reconfig-no-quorum" opens 1_990, idea 2, try "Restart S1 before the first request. Is it accepted then?",
        "A reconfiguration asked",
        "Refused" at "answered code=NewConfigNoQuorum",
        "The new ones start" at "added server=4",
        "Asked again" at "called client=1",
        "Accepted" at "config_activated",
        "S1 returns" at "started server=1";
    "reconfig-leader-leaves" opens 1_990, idea 2, try "Crash S1 just before it takes over. What do S2 and S3 do?",
        "The leader's own removal",
        "A successor is named" at "leader_designated",
        "Handed over, no election" at "established epoch=2",
        "S3 follows without a vote" at "up_to_date server=3",
        "S3 crashes: no vote missing" at "crashed server=3";
    "config-by-hand" opens 2_290, idea 2, try "Heal all links. Whose write is lost?",
        "Two halves",
        "A second leader" at "established epoch=2",
        "Both write" at "write_asked",
        "Two histories" at "committed";
    "quorum-groups" opens 3_190, idea 2, try "While five have no quorum, restart S6. Do they have one now?",
        "Five of nine are gone",
        "Four are a quorum" at "established epoch=3",
        "They write" at "write_asked",
        "Two come back" at "started server=9",
        "S5 crashes" at "crashed server=5",
        "Five, and no quorum" at "write_failed",
        "S5 decides" at "started server=5";
}
