//! Scenes about locks and elections.

use crate::scenarios::scene::{Chapter, Scene, scenes};

scenes! {
    /// In the order of their scenarios.
    RECIPES:
    "lock-herd" opens 3_190, idea 2, try "Kill the holder instead of waiting for it. Who wakes, and when?",
        "All watch one node",
        "A release wakes all" at "released",
        "One wins" at "acquired",
        "The others wait again" at "waits_behind",
        "The next herd" at "released";
    "lock-predecessor" opens 2_990, idea 2, try "Kill a client in the middle of the queue. Whom does its successor watch then?",
        "A queue of numbers",
        "A release wakes one" at "released",
        "The next holds" at "acquired",
        "Down the queue" at "released";
    "lock-mutex" opens 3_820, idea 3, try "Disconnect the holder for a moment. Does it keep the lock?",
        "Held twice, so let go twice",
        "The last release counts" at "released",
        "Only the next wakes" at "notified",
        "The next holds" at "acquired",
        "In order of arrival" at "acquired";
    "lock-semaphore" opens 3_390, idea 3, try "Kill a client that has a lease. When is the lease free again?",
        "A queue for leases",
        "The first lease" at "acquired",
        "The next lease" at "acquired",
        "A lease comes back" at "told what=returns_lease",
        "It changes hands" at "acquired";
    "lock-watch-all" opens 3_240, idea 3, try "Compare it with the other read/write lock: how many wake at a release?",
        "All watch all",
        "A reader lets go" at "released",
        "Everybody wakes" at "notified",
        "The writer, alone" at "acquired object=lock/write",
        "Readers together" at "acquired object=lock/read";
    "lock-readwrite" opens 3_060, idea 2, try "Kill the writer while it waits. When may the readers behind it read?",
        "Readers side by side",
        "A writer waits" at "waits_behind object=lock/write",
        "The writer, alone" at "acquired object=lock/write",
        "Readers again" at "acquired object=lock/read";
    "lock-pause" opens 3_990, idea 4, try "Tick “Check fencing tokens” and watch the same write again.",
        "The holder falls asleep",
        "Its session ends" at "session_closed",
        "C2 gets the lock" at "acquired",
        "Two believe" at "client_resumed",
        "C1 learns of it" at "client_ended state=Expired";
    "elect-naive" opens 6_790, idea 3, try "Disconnect the new leader. Does it keep its place?",
        "The leader dies",
        "Its session ends" at "session_expired",
        "All wake" at "notified",
        "One wins" at "acquired",
        "It resigns" at "released reason=closed",
        "All wake again" at "notified";
    "elect-latch" opens 4_290, idea 3, try "Kill the one that is next in line. Who learns of it?",
        "The leader loses its connection",
        "It dies" at "client_killed",
        "Only the next wakes" at "notified",
        "It leads" at "acquired",
        "It closes its latch" at "released reason=closed",
        "The next in line" at "acquired";
    "elect-selector" opens 4_000, idea 2, try "Kill the client that leads now. How long is there no leader?",
        "takeLeadership runs",
        "It returns: leadership goes" at "released",
        "The next leads" at "acquired",
        "One dies in the queue" at "client_killed",
        "Its place closes up" at "session_closed",
        "Round and round" at "requeued";
    "elect-worker" opens 5_790, idea 2, try "Kill a worker in the middle. Does the leader learn of it?",
        "The first of the group dies",
        "Only the next learns" at "notified",
        "It takes over" at "acquired",
        "It leaves" at "released reason=closed",
        "The next in line" at "acquired";
    "lock-kazoo" opens 4_000, idea 3, try "Pause C2 for 6 s while it holds the lock. What does it do when it goes on?",
        "One holds, two wait",
        "The holder's session ends" at "session_closed",
        "C2 has it, C1 works on" at "acquired client=2",
        "C1 hears of it" at "connection_state client=1 state=LOST",
        "It lets go at last" at "released client=1",
        "Nothing left to delete" at "answered client=1 code=NoNode";
    "elect-circuit-breaker" opens 4_990, idea 2, try "Disconnect both once more, as soon as both are connected. Which of them steps back?",
        "Both have stepped back",
        "One hears nothing more" at "state_held_back",
        "The other leads again" at "acquired client=1",
        "And steps back again" at "released client=1",
        "The circuit closes" at "connection_state client=2 state=RECONNECTED",
        "It leads again, once" at "acquired client=2";
}
