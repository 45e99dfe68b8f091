//! Scenes about what is built from recipes and plain operations.

use crate::scenarios::scene::{Chapter, Scene, scenes};

scenes! {
    /// In the order of their scenarios.
    USES:
    "use-master-worker" opens 9_200, idea 3 because "The worker's own node went with its session; its assignments are persistent nodes, which the master can move.",
        try "Kill the last worker. Who keeps the tasks?",
        "A worker is silent" says "A worker has fallen silent; the master waits to be sure",
        "The session ends" at "session_closed" says "The worker's session ends, and so the master learns of it",
        "Its tasks move" at "told what=buries" says "What the dead worker left undone goes to others",
        "The master dies" at "client_killed" says "The master dies too; workers go on with what they have",
        "The backup takes over" at "told what=leads" says "The backup master reads the tree and takes over",
        "A new task" at "told what=assigns" says "The new master assigns tasks as the old one did";
    "use-config" opens 4_090, idea 3, try "At a console: set /config twice, quickly. Does everybody read both values?",
        "A late subscriber" says "A client that comes late reads the value that is there",
        "A new value" at "called client=1" says "Publishing a value means writing one node",
        "All are notified" at "notified event=NodeDataChanged" says "Every subscriber is told of a change, not of the new value",
        "All have read it" at "told what=configured" says "Each reads the node itself, and all know the new value";
    "use-naming" opens 4_690, idea 3 because "Whoever signs off deletes its node itself; the node of a dead service stays until its session ends.",
        try "Disconnect a service for a moment. Does the balancer drop it?",
        "The balancer chooses" says "The balancer picks among the services that are registered",
        "One service dies" at "client_killed" says "A service dies without signing off",
        "Another signs off" at "watch_fired event=NodeDeleted" says "Signing off leaves the list at once; dying does not",
        "The dead one goes too" at "session_expired" says "The dead one's session ends, and its address goes with it",
        "The list is right again" at "told what=follows" says "The balancer's list shows only those that live";
    "use-standby" opens 5_990, idea 3 because "How far it got stands in a node of the ensemble, not in the instance that died.",
        try "Pause the running instance instead of killing it. Can two run at once?",
        "The running one dies" says "One instance runs while others stand by; the running one dies",
        "The session ends" at "session_closed" says "The dead one's session ends, and the standbys learn of it",
        "The next resumes" at "told what=runs_from" says "The next one resumes where the last one stopped";
    "use-collectors" opens 9_640, idea 2 because "Whoever writes its status no more for too long counts as dead, even before its session ends.",
        try "Pause a collector for two seconds. Do its sources move, and back?",
        "A silent collector" says "A collector has written no status for too long",
        "Its sources move" at "notified path=/logs/collectors/c3" says "The sources of a silent collector move to the others",
        "Another collects them" at "told what=collects" says "No source is left without a collector",
        "A new collector" at "notified path=/logs/collectors/c4" says "A new collector signs up and has no sources yet",
        "Shared out again" at "told what=moves" says "Some sources move to it: the load is shared again";
    "use-queue" opens 3_090, idea 3 because "To take an item is to delete its node: the first delete succeeds, the others get NoNode.",
        try "Kill a consumer that has just taken an item. Is the item lost?",
        "Consumers wait" says "Consumers watch the queue and wait for an item",
        "An item: both try" at "notified" says "An item comes, and every consumer tries to take it",
        "One gets it" at "consumed" says "Only one can delete an item, and so only one gets it",
        "The next item" at "consumed" says "Items go out in the order in which they came in";
    "use-barrier" opens 4_390, idea 2 because "The last to come makes a node that all the others watch and wait for.",
        try "Kill one client before the last has come. Does the barrier open?",
        "Not everybody is here" says "Nobody starts before all have arrived",
        "It opens" at "last told what=entered" says "The last one has come: now all may start",
        "The first is done, and waits" at "waits_behind" says "Whoever is done waits for the others before it leaves",
        "All leave" at "told what=left" says "All are done, so all may leave";
    "use-persistent-node" opens 4_850, idea 3, try "Delete /members/kept at a console. What does its owner do?",
        "Both nodes are gone" says "When a session expires, all its ephemeral nodes go",
        "The client learns of it" at "client_ended state=Expired" says "The client learns that its session is over, and begins anew",
        "One comes back" at "notified event=NodeCreated" says "Curator makes one node again; the plain one stays gone",
        "Found and adopted" at "told what=adopts" says "The client finds the node there and takes it over as its own";
    "use-ttl-node" opens 4_500, idea 3 because "The leader looks at its clock and at the tree; no session has anything to do with it.",
        try "Delete /kept/touch at a console while its client lives. What becomes of /kept?",
        "Kept by touching" says "A client keeps its node by touching a child of it",
        "The client dies" at "client_killed" says "The client dies; its node is no ephemeral one and stays",
        "The session ends" at "session_closed" says "The client's session ends, and the node outlives it",
        "The child's time is over" at "proposed path=/kept/touch" says "The child was not touched in time, so the ensemble deletes it",
        "The node goes too" at "told what=cache_deleted" says "A container that has lost its last child is deleted as well";
    "use-cache" opens 4_990, idea 4 because "While the client was disconnected no server kept its watch: what was missed shows only in what is read.",
        try "Disconnect C1 again and change /conf/a twice. How often does the cache tell of it?",
        "Disconnected" says "A client with a cache loses its connection",
        "Three changes unseen" at "called client=2" says "Three changes happen, and no watch tells the client of them",
        "Connected again" at "session_resumed" says "The client is back, but its copy is still the old one",
        "Everything is read again" at "told what=cache_changed" says "Only by reading all again does the cache find what changed",
        "And what is new" at "told what=cache_created" says "New nodes are found as well: the copy is right again";
    "use-discovery" opens 4_390, idea 3 because "The caller counts the errors itself: it knows of the death before the ensemble does.",
        try "Pause an instance for a moment. Is it handed out meanwhile?",
        "Both are handed out" says "A caller is handed one instance after another",
        "An instance dies" at "client_killed" says "An instance dies; the list still has it",
        "Two errors: hidden" at "method_called method=noteError" says "After two errors the dead instance is not handed out",
        "The session ends" at "session_expired" says "The dead one's session ends, and it leaves the list for everybody",
        "Gone from the list" at "method_called method=queryForInstances" says "Whoever asks for the list sees only those that live";
    "use-group-member" opens 3_690, idea 3 because "A member is an ephemeral node, and that stands until the session ends.",
        try "Pause a member for longer than its timeout. When is it on the list again?",
        "Three members" says "Three members, and each knows who is there",
        "One dies" at "client_killed" says "A member dies without leaving the group",
        "Still on the list" at "method_called method=getCurrentMembers" says "Until its session ends, the dead one is on the list",
        "The session ends" at "session_expired" says "The dead one's session ends, and the ensemble deletes its node",
        "Gone from the list" at "told what=cache_deleted" says "Now the others strike it from their lists",
        "A member's data" at "method_called method=setThisData" says "What a member says of itself, all the others see",
        "Leaving: gone at once" at "method_called method=close" says "A member that leaves deletes its node and is gone at once";
    "use-delay-queue" opens 4_490, idea 3 because "The name carries the moment when the item is due, and the consumer takes the smallest name.",
        try "Start another consumer before the report is due. Which of them gets it?",
        "Two wait for their time" says "Two items wait; each carries its time in its name",
        "Due at once" at "method_called method=put" says "A third item comes, and is due at once",
        "The last one first" at "consumed data=alarm" says "Not the first in, but the first due, goes out first",
        "When its time has come" at "consumed data=reminder" says "No item is handed on before it is due",
        "The producer dies" at "client_killed" says "The producer dies; its item is kept by the ensemble",
        "Due all the same" at "consumed data=report" says "An item outlives whoever put it there";
    "use-id-queue" opens 4_390, idea 4 because "The id stands in the name, so a list of the names is enough to find all of a customer's items.",
        try "At a console: ls /orders. Where do the names say whose they are?",
        "Orders of three customers" says "Orders wait in a queue; each name says whose it is",
        "One cancels" at "method_called method=remove" says "One customer takes back all of its orders",
        "Found by name" at "called op=delete" says "The list of names is enough to find both of its orders",
        "Both deleted" at "method_returned client=1 method=remove" says "An item can be taken back by its id while it still waits",
        "A consumer begins" at "method_called client=2 method=start" says "A consumer starts; what was cancelled it never sees",
        "What is left, in order" at "consumed data=tea" says "What is left goes out in the order it came in";
}
