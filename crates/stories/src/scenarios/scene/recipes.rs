//! Scenes about locks and elections.

use crate::scenarios::scene::{Chapter, Scene, scenes};

scenes! {
    /// In the order of their scenarios.
    RECIPES:
    "lock-herd" opens 3_190, idea 2 because "All watched the same node, so its deletion is news for all of them.",
        try "Kill the holder instead of waiting for it. Who wakes, and when?",
        "All watch one node" says "All waiters watch the same node: the lock itself",
        "A release wakes all" at "last notified" says "Everybody wakes, and only one can win",
        "One wins" at "acquired" says "One gets the lock; the others woke for nothing",
        "The others wait again" at "waits_behind" says "The losers watch the same node once more",
        "The next herd" at "last notified" says "Every release wakes all who still wait";
    "lock-predecessor" opens 2_990, idea 2 because "Each watches only the node just before its own, so this deletion is news for one alone.",
        try "Kill a client in the middle of the queue. Whom does its successor watch then?",
        "A queue of numbers" says "Each waiter watches only the one before it",
        "A release wakes one" at "notified" says "A release wakes nobody but the next in line",
        "The next holds" at "acquired" says "The next has the lock, and nobody woke for nothing",
        "Down the queue" at "released" says "The lock goes down the queue in order of arrival";
    "lock-mutex" opens 3_820, idea 3, try "Disconnect the holder for a moment. Does it keep the lock?",
        "Held twice, so let go twice" says "The holder may take it again, and must release as often",
        "The last release counts" at "released" says "Only the last release deletes the node and frees the lock",
        "Only the next wakes" at "notified" says "The holder's node is gone, and only the next in line is told",
        "The next holds" at "acquired" says "The next has the lock without any race",
        "In order of arrival" at "acquired" says "The numbers of the nodes keep the order of arrival";
    "lock-semaphore" opens 3_390, idea 3 because "A lease is a node: whoever counts no more of them than there are leases, its own included, has one.",
        try "Kill a client that has a lease. When is the lease free again?",
        "A queue for leases" says "Only the first in the queue may try for a lease",
        "The first lease" at "acquired" says "The first has its lease; the next in line may try",
        "The next lease" at "acquired" says "Several may hold at once, as long as leases are left",
        "A lease comes back" at "released" says "A lease given back goes to the first in the queue",
        "It changes hands" at "acquired" says "There are never more holders than leases";
    "lock-watch-all" opens 3_240, idea 3 because "A watch on the whole queue tells of every change and cannot say whom it concerns.",
        try "Compare it with the other read/write lock: how many wake at a release?",
        "All watch all" says "Every waiter watches the whole queue",
        "A reader lets go" at "released" says "One reader lets go, and the whole queue has changed",
        "Everybody wakes" at "last notified" says "Every change wakes everybody, whoever it concerns",
        "The writer, alone" at "acquired object=lock/write" says "A writer has the lock alone; the others woke for nothing",
        "Readers together" at "acquired object=lock/read" says "Readers share it, and every release wakes all once more";
    "lock-readwrite" opens 3_060, idea 2 because "A writer must be first of all in the queue; a reader only must have no writer before it.",
        try "Kill the writer while it waits. When may the readers behind it read?",
        "Readers side by side" says "Readers may hold the lock at the same time",
        "A writer waits" at "waits_behind object=lock/read" says "A writer waits for all before it; readers behind it wait too",
        "The writer, alone" at "acquired object=lock/write" says "A writer shares the lock with nobody",
        "Readers again" at "acquired object=lock/read" says "The readers behind the writer go in together";
    "lock-downgrade" opens 3_490, idea 4 because "Who may write is decided by numbers; whoever reads on by a later one no longer stands before the next writer.",
        try "Tick “Curator 5.9”. When does the next writer write?",
        "One writes, one waits" says "One client holds the write lock, and the next one waits for it",
        "The writer reads as well" at "acquired object=lock/read" says "The holder takes the read lock too, so as to read on",
        "The write lock goes" at "released object=lock/write" says "The holder lets the write lock go and keeps the read lock",
        "The next writer" at "acquired client=2" says "The next writer writes: no reader stands before it any more",
        "The next one lets go" at "released client=2" says "The next writer is done and lets go";
    "lock-pause" opens 3_990, idea 4 because "Its thread goes on where it stopped; the news of its session has not reached it yet.",
        try "Tick “Check fencing tokens” and watch the same write again.",
        "The holder falls asleep" says "The holder is paused and does not notice the time",
        "Its session ends" at "session_closed" says "The holder's session expires: for the ensemble the lock is free",
        "C2 gets the lock" at "acquired" says "The next client gets the lock and writes to the store",
        "Two believe" at "client_resumed" says "Both act as holders; only a fencing token stops the old one",
        "C1 learns of it" at "client_ended state=Expired" says "The old holder learns only now that it had lost the lock";
    "elect-naive" opens 6_790, idea 3 because "All watched the one node of the leader, and only one of them can make it anew.",
        try "Disconnect the new leader. Does it keep its place?",
        "The leader dies" says "The first leader dies without telling anybody",
        "Its session ends" at "session_expired" says "When the dead leader's session ends, its node is deleted",
        "All wake" at "last notified" says "All the others wake and race for one place",
        "One wins" at "acquired" says "One leads; the others woke for nothing and watch again",
        "The new leader resigns" at "released reason=closed" says "The new leader resigns, and its node goes at once",
        "All wake again" at "last notified" says "A resignation wakes as many as a death";
    "elect-latch" opens 4_290, idea 3 because "Each watches only the node just before its own in the queue.",
        try "Kill the one that is next in line. Who learns of it?",
        "The leader loses its connection" says "Without a connection the leader must stop leading",
        "The leader dies" at "client_killed" says "The leader dies; its node stays until its session ends",
        "Only the next wakes" at "notified" says "Only the next in line wakes; all others sleep on",
        "A new leader" at "acquired" says "The new leader leads until it closes its latch, or dies",
        "A latch is closed" at "released reason=closed" says "Closing the latch gives leadership up at once",
        "The next in line" at "acquired" says "Leadership goes down the queue in order of arrival";
    "elect-selector" opens 3_375, idea 2 because "A queue for a lock stands behind it: who gives leadership up deletes its node, and the next in line is told.",
        try "Kill the client that leads now. How long is there no leader?",
        "takeLeadership runs" says "A client leads only as long as its task runs",
        "The task ends" at "notified" says "When the task ends, its client gives leadership up",
        "The next leads" at "acquired" says "The next in line leads; the one before queues again",
        "One dies in the queue" at "client_killed" says "A client dies; its place stays taken until its session ends",
        "Its place closes up" at "session_closed" says "The dead one's session ends, and the one behind it moves up",
        "Round and round" at "requeued" says "Everybody leads in turn, again and again";
    "elect-worker" opens 5_790, idea 2 because "Each watches only the node just before its own, so one learns of it and nobody else.",
        try "Kill a worker in the middle. Does the leader learn of it?",
        "The first of the group dies" says "A worker dies; nobody learns of it before its session ends",
        "Only the next learns" at "notified" says "Only the worker behind it is told; the rest work on",
        "The next takes over" at "acquired" says "The next moves up and is the first of the group now",
        "A worker leaves" at "released reason=closed" says "A worker that leaves deletes its node itself",
        "The next in line" at "acquired" says "The place passes on; again only one was told";
    "lock-kazoo" opens 4_000, idea 3 because "The ensemble deleted the old holder's node and told the next; the old holder's program listens to nothing.",
        try "Pause C2 for 6 s while it holds the lock. What does it do when it goes on?",
        "One holds, two wait" says "One client holds the lock and works; two queue for it",
        "The holder's session ends" at "session_closed" says "The holder's session is over, so the lock is no longer its own",
        "C2 has it, C1 works on" at "acquired client=2" says "The lock has a new holder, and the old one works on",
        "C1 hears of it" at "connection_state client=1 state=LOST" says "The old holder is told, and goes on all the same",
        "C1 lets go at last" at "released client=1" says "The old holder releases a lock that it lost long ago",
        "Nothing left to delete" at "answered client=1 code=NoNode" says "The old holder's node went with its session long ago";
    "lock-last-number" opens 3_350, idea 3, try "Kill the client whose number has a minus. Who holds the lock then?",
        "One number is left" says "The lock is held, and one number is left to give",
        "Two come at once" at "called client=2" says "Two ask at once, and only one number is left",
        "Two hold the lock" at "acquired" says "The negative number sorts first: two hold the lock",
        "The counter stands still" at "called client=4" says "The counter has run out and stands still",
        "The first holder lets go" at "released client=1" says "One holder lets go of a lock it never held alone",
        "The next holds" at "acquired" says "The next in line gets the lock, as if all were well";
    "elect-circuit-breaker" opens 4_990, idea 2, try "Disconnect both once more, as soon as both are connected. Which of them steps back?",
        "Both have stepped back" says "Two leaders lost their connections, and both stepped back",
        "One hears nothing more" at "state_held_back" says "A circuit breaker hides a connection that comes and goes",
        "The other steps back again" at "released client=1" says "Without a circuit breaker each break costs leadership",
        "The circuit closes" at "connection_state client=2 state=RECONNECTED" says "The connection has held: the circuit closes",
        "C2 leads again, once" at "acquired client=2" says "C2 leads again, after one step back instead of two";
}
