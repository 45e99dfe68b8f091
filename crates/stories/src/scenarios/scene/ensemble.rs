//! Scenes about the ensemble and its protocol.

use crate::scenarios::scene::{Chapter, Scene, scenes};

scenes! {
    /// In the order of their scenarios.
    ENSEMBLE:
    "cold-start-3" opens 0, idea 2, try "Crash S3 while a write is on its way. Who leads then, and is the write still there?",
        "Three look for a leader" says "Each first votes for itself, then for the best it hears of",
        "A leader is elected" at "elected role=LEADING" says "With equal histories a majority elects the highest number",
        "One history for all" at "sync_chosen" says "The leader serves once a majority has its history",
        "The first write" at "write_asked" says "A write is committed once a majority has it on disk";
    "cold-start-5" opens 0, idea 4 because "Any two majorities of five share a server; with two servers only, there could be two leaders.",
        try "Before the last server starts, crash one of the others. Does the ensemble go on?",
        "One alone" says "One of five is no majority: it can only look for a leader",
        "Two of five" at "started server=2" says "Two may agree, but they are no majority of five",
        "The third: a majority" at "started server=3" says "With the third server a majority becomes possible",
        "A leader" at "elected role=LEADING" says "Three of five are enough to elect a leader",
        "Latecomers" at "started server=4" says "A late server follows the leader there is: no new election",
        "A write" at "write_asked" says "Five get the proposal; three ACKs are enough to commit it";
    "leader-crash-under-load" opens 1_340, idea 3, try "Go back to the crash and crash a follower instead. Does any client notice?",
        "Writes under way" says "Clients write all the time; the leader orders the writes",
        "The leader crashes" at "crashed" says "The leader is gone: until there is a new one, writes fail",
        "A new leader" at "elected role=LEADING" says "What a majority has logged, the new leader has too",
        "Writes again" at "established" says "The leader's history is on a majority: clients write again",
        "The old leader returns" at "started server=3" says "The old leader comes back as a follower and catches up";
    "uncommitted-kept" opens 1_490, idea 4, try "Cut the leader off just before its PROPOSAL leaves. Does the write survive then?",
        "A write at the leader" says "The leader sends out 1:3, the last that others hear of it",
        "Committed, no follower told" at "committed zxid=1:3" says "1:3 is committed, but only the leader and its client know",
        "The leader dies" at "crashed" says "The leader dies: no server that is up knows of the commit",
        "Whoever leads has 1:3" at "elected role=LEADING" says "A majority has 1:3 in its log, so any new leader has it",
        "1:3 is kept" at "established epoch=2" says "The client was told that 1:3 is done, and so it stays",
        "The old leader follows" at "started server=3" says "The old leader comes back and has nothing to cut";
    "rejoin-diff" opens 1_490, idea 3, try "Crash S2 while S1 is down. What can S3 still do?",
        "Writes without S1" says "While S1 is down, the other two go on writing",
        "S1 comes back" at "started server=1" says "S1 is back, with the log it had when it crashed",
        "DIFF: only what is missing" at "sync_chosen sync=DIFF" says "The leader sends only the transactions that S1 misses",
        "Writes with all three" at "write_asked" says "S1 logs and acknowledges like the others again";
    "rejoin-snap" opens 1_240, idea 3, try "Restart S1 earlier, after two writes. Is it a DIFF then?",
        "Writes without S1" says "While S1 is down, more is written than the leader remembers",
        "S1 comes back" at "started server=1" says "S1 is back, too far behind for a list of what it misses",
        "SNAP: the whole state" at "sync_chosen sync=SNAP" says "A server that misses too much gets the whole state",
        "Up to date" at "up_to_date server=1" says "S1 is as up to date as if it had never been away",
        "Writes with all three" at "write_asked" says "From now on S1 gets every proposal again";
    "rejoin-trunc" opens 3_540, idea 3, try "Heal the links before S3 crashes. Is 1:3 kept now?",
        "A leader without 1:3" says "Only the crashed leader has 1:3 in its log",
        "S3 returns with 1:3" at "started server=3" says "The old leader returns with a write that nobody else has",
        "TRUNC: 1:3 is cut" at "sync_chosen sync=TRUNC" says "1:3 was never on a majority, so it must be cut",
        "One history again" at "up_to_date server=3" says "Without 1:3 the history of S3 fits, and S3 can follow";
    "minority-partition" opens 1_490, idea 4, try "Draw another line: leave the leader with two followers. Who steps down now?",
        "The cut" says "The leader is cut off with one follower: two of five",
        "Writes in the minority" at "write_asked server=5" says "Two of five can log a write but never commit it",
        "The majority looks again" at "left reason=leader_silent" says "Three of five hear no leader and look for another",
        "The old leader steps down" at "left reason=no_quorum" says "A leader that loses its majority must step down",
        "A new leader" at "established epoch=2" says "The majority has a new leader and goes on writing",
        "Healing, and SNAP" at "link_healed" says "Back together, the minority gives up what only it had";
    "old-leader-returns" opens 3_590, idea 2 because "The others have promised a later epoch, so nobody acknowledges what the old leader proposes.",
        try "Resume S3 before syncLimit is over. Does it still lead?",
        "Paused, and replaced" says "The leader was paused too long: the others have a new one",
        "The old one wakes" at "resumed server=3" says "Two servers think they lead; only one can commit",
        "Nobody obeys it" at "left role=LEADING" says "Nobody follows the old epoch any more: its leader steps down",
        "S3 follows" at "up_to_date server=3" says "The old leader follows the new one, and its late write is gone";
    "observer" opens 1_190, idea 2, try "Crash S1 and S2. Can S3 and the observer still write?",
        "A write at the observer" says "A client writes at an observer, which asks the leader",
        "Three vote, one learns" at "committed zxid=1:1" says "Only voters' ACKs count; the observer learns the result",
        "Two more" at "write_asked" says "Two voters of three are enough, with or without observers",
        "No vote is missing" at "crashed" says "The observer crashes, and the majority does not notice";
    "counter-rollover" opens 1_270, idea 2, try "Crash S3 right after it resigns. Who leads the new epoch?",
        "The last number" says "This epoch's counter has reached its last number",
        "The leader resigns" at "left reason=counter_used_up" says "Out of numbers, the leader resigns to begin a new epoch",
        "A new epoch" at "established epoch=2" says "A new epoch counts from the beginning again",
        "Counting from 1" at "committed zxid=2:1" says "2:1 is later than 1:4, because the epoch counts first",
        "Used up again" at "left reason=counter_used_up" says "Again no number is left: every epoch ends like this";
    "leader-power-off" opens 1_990, idea 3, try "Take the power-off back and crash S3 instead. How long until the others notice?",
        "The power fails" says "The leader's machine is off, and nobody is told",
        "A write without an answer" at "write_asked" says "A follower passes on a write and waits for an answer in vain",
        "syncLimit is over" at "left reason=leader_silent" says "Only silence for syncLimit tells them the leader is gone",
        "A new leader" at "established epoch=2" says "A new leader takes over; what was committed is still there",
        "S3 is back" at "started server=3" says "The old leader starts again and follows like any other";
    "zab-heartbeat" opens 1_290, idea 3, try "Run it again with syncLimit 10. Does the second silence still cost S1 its place?",
        "A PING every half tick" says "PINGs go out every half tick; an answer is a sign of life",
        "A short silence" at "paused server=1" says "A silence shorter than syncLimit costs nothing",
        "syncLimit is over" at "learner_dropped reason=silent" says "A follower silent for longer than syncLimit is dropped",
        "S1 joins again" at "up_to_date server=1" says "The dropped follower is back, under the same leader",
        "The leader crashes" at "crashed server=3" says "The leader crashes; the two others look for a new one",
        "S2 waits for S1" at "elected role=LEADING" says "Elected, the new leader must wait for its follower",
        "initLimit is over" at "left reason=quorum_wait_over" says "No majority within initLimit: the new leader gives up";
    "snap-too-slow" opens 7_290, idea 2, try "Restart S2 now: with it there is a majority before the SNAP is through.",
        "A SNAP under way" says "The whole state takes longer to send than initLimit allows",
        "initLimit is over" at "left reason=quorum_wait_over" says "initLimit ends before the SNAP: the leader must give up",
        "Once more" at "sync_chosen sync=SNAP" says "A new try sends the whole state from its beginning again",
        "Over again" at "left reason=quorum_wait_over" says "Each try ends the same: half a state is worth nothing",
        "S2 is back" at "started server=2" says "With S2 there is a majority, so the SNAP may take its time";
    "disk-full" opens 2_490, idea 4, try "Fill the disk of a follower instead. Does the ensemble stop?",
        "A write onto a full disk" says "The leader's disk is full, and a client writes",
        "The log fails" at "disk_failed" says "The leader cannot log the write; its followers can",
        "Committed all the same" at "committed" says "Two disks of three are enough, even without the leader's",
        "The leader resigns" at "left reason=disk_failed" says "A leader that cannot write its log must not lead",
        "A new leader" at "established epoch=2" says "The new leader has what the old one could not log",
        "No room to follow" at "disk_failed" says "Even a follower needs its disk: it must write the new epoch",
        "Room again" at "disk_fault_set" says "With room on its disk S3 follows and catches up";
    "reconfig-grow" opens 2_990, idea 2, try "Crash a third server. What is missing now?",
        "A reconfiguration asked" says "Two servers are to join three while clients go on writing",
        "Two majorities needed" at "last config_seen" says "Until the change is done, old and new majorities must agree",
        "Five members" at "config_activated" says "The new configuration is in force: five vote",
        "Two crash" at "crashed" says "Even with two of five down a majority is left",
        "Three of five go on" at "committed" says "Three ACKs of five commit, as two of three did before";
    "reconfig-no-quorum" opens 1_990, idea 2, try "Restart S1 before the first request. Is it accepted then?",
        "A reconfiguration asked" says "Two servers are to join that do not run yet",
        "Refused" at "answered code=NewConfigNoQuorum" says "Refused: only two of the future five are there",
        "The new ones start" at "added server=4" says "The new servers start; until they are members they have no vote",
        "Asked again" at "called client=1" says "The same request again, with four of five running now",
        "Accepted" at "config_activated" says "Both majorities agree: the ensemble has five members",
        "S1 returns" at "started server=1" says "S1 missed it all and learns the new configuration";
    "reconfig-leader-leaves" opens 1_990, idea 3 because "The message with which the old leader put the change in force names the new one, so nobody looks for a leader.",
        try "Crash S1 just before it takes over. What do S2 and S3 do?",
        "The leader's own removal" says "The leader is asked to propose its own removal",
        "A successor is named" at "leader_designated" says "The leader names its successor before it goes",
        "Handed over, no election" at "established epoch=2" says "The successor leads at once: nobody had to vote",
        "S3 follows without a vote" at "up_to_date server=3" says "Removed, the old leader still follows, without a vote",
        "S3 crashes: no vote missing" at "crashed server=3" says "S3 crashes, and the two that vote go on writing";
    "config-by-hand" opens 2_290, idea 2, try "Heal all links. Whose write is lost?",
        "Two halves" says "Edited files, cut links: each half counts its own majority",
        "A second leader" at "established epoch=2" says "Two majorities without a common server: two leaders",
        "Both write" at "write_asked" says "Each leader takes a write and finds its majority",
        "Two histories" at "committed" says "Two committed histories: they can never be one again";
    "quorum-groups" opens 3_190, idea 2, try "While five have no quorum, restart S6. Do they have one now?",
        "Five of nine are gone" says "Nine servers in three groups; five of them go down",
        "Four are a quorum" at "established epoch=3" says "Two of three in two of three groups: that is a quorum",
        "They write" at "write_asked" says "Four of nine commit writes, though most are down",
        "Two come back" at "started server=9" says "Two come back and follow; one of them has no weight",
        "S5 crashes" at "crashed server=5" says "Five are left, but only one group has its majority",
        "Five, and no quorum" at "write_failed" says "Five cannot do what four could: one group is not enough",
        "S5 decides" at "started server=5" says "S5 is back: a second group has its majority again";
    "oracle" opens 1_990, idea 2, try "Let both oracles say 1, then cut the link between the two. How many leaders are there?",
        "S2, the leader, crashes" says "One of two is left, and one of two is no majority",
        "S1 may go on alone" at "elected role=LEADING" says "The oracle of S1 says 1, so S1 leads without a majority",
        "One server writes" at "write_asked" says "What one disk has is committed as long as the oracle grants it",
        "S2 may not, and follows" at "started server=2" says "The oracle of S2 says 0, so S2 follows whoever leads",
        "S1 crashes: no leader" at "crashed server=1" says "S2 is alone and may not lead: nobody serves",
        "The oracle changes its mind" at "oracle_set" says "Somebody lets S2 go on alone, and it leads";
    "restart-old-copies" opens 2_590, idea 3 because "An election compares the disks of those that are up; a disk that is down has no vote.",
        try "Go back to before S2 starts, and start S3 instead. What is lost now?",
        "S1 starts from an old copy" says "S1 and S2 have old copies; only S3, still down, has 1:5",
        "A majority of old copies" at "elected role=LEADING" says "Two of three are up, and none of them misses anything",
        "They serve" at "established epoch=2" says "Two old copies are a majority: they lead, and serve old data",
        "They go on" at "committed zxid=2:1" says "The next write is committed without 1:3 to 1:5",
        "The newest comes last" at "started server=3" says "S3 comes with the only copy of what clients were told is done",
        "SNAP over it" at "snapshot_written server=3" says "S3 gets the leader's state: 1:3 to 1:5 are gone";
    "restart-newest-first" opens 2_590, idea 2 because "With equal currentEpoch the higher last zxid wins, and the others follow its history.",
        try "Go back to before S3 starts, and start S2 instead. Who leads now?",
        "S3 starts first" says "The same disks, but the one that has 1:3 to 1:5 starts first",
        "The newest leads" at "elected role=LEADING" says "Of the two that are up, S3 has the later history, and leads",
        "What was missing is sent" at "sync_chosen learner=1" says "The old copy is sent what it misses",
        "A majority has all" at "established epoch=2" says "Two of three have all of it again: nothing can be lost now",
        "The other copy" at "started server=2" says "The second old copy finds a leader that has everything",
        "All have all" at "up_to_date server=2" says "In this order of start nothing is lost";
}
