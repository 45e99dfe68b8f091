//! Scenes about what is built from recipes and plain operations.

use crate::scenarios::scene::{Chapter, Scene, scenes};

scenes! {
    /// In the order of their scenarios.
    USES:
    "use-master-worker" opens 9_200, idea 3, try "Kill the last worker. Who keeps the tasks?",
        "A worker is silent",
        "Its session ends" at "session_closed",
        "Its tasks move" at "told what=buries",
        "The master dies" at "client_killed",
        "The backup takes over" at "told what=leads",
        "A new task" at "told what=assigns";
    "use-config" opens 4_090, idea 3, try "At a console: set /config twice, quickly. Does everybody read both values?",
        "A late subscriber",
        "A new value" at "called client=1",
        "All are notified" at "notified event=NodeDataChanged",
        "All have read it" at "told what=configured";
    "use-naming" opens 4_690, idea 3, try "Disconnect a service for a moment. Does the balancer drop it?",
        "The balancer chooses",
        "One service dies" at "client_killed",
        "Another signs off" at "told what=follows",
        "The dead one goes too" at "session_closed",
        "The list is right again" at "told what=follows";
    "use-standby" opens 5_990, idea 3, try "Pause the running instance instead of killing it. Can two run at once?",
        "The running one dies",
        "Its session ends" at "session_closed",
        "The next resumes" at "told what=runs_from";
    "use-collectors" opens 9_640, idea 2, try "Pause a collector for two seconds. Do its sources move, and back?",
        "A silent collector",
        "Its sources move" at "told what=moves",
        "Another collects them" at "told what=collects",
        "A new collector" at "notified path=/logs/collectors/c4",
        "Shared out again" at "told what=moves";
    "use-queue" opens 3_090, idea 3, try "Kill a consumer that has just taken an item. Is the item lost?",
        "Consumers wait",
        "An item: both run" at "notified",
        "One gets it" at "consumed",
        "The next item" at "consumed";
    "use-barrier" opens 4_390, idea 2, try "Kill one client before the last has come. Does the barrier open?",
        "Not everybody is here",
        "It opens" at "notified event=NodeCreated",
        "The first is done, and waits" at "waits_behind",
        "All leave" at "told what=left";
    "use-persistent-node" opens 6_590, idea 3, try "Delete /members/kept at a console. What does its owner do?",
        "Both nodes are gone",
        "The client learns of it" at "client_ended state=Expired",
        "One comes back" at "notified event=NodeCreated",
        "Found and adopted" at "told what=adopts";
    "use-cache" opens 4_990, idea 4, try "Disconnect C1 again and change /conf/a twice. How often does the cache tell of it?",
        "Disconnected",
        "Three changes unseen" at "called client=2",
        "Connected again" at "session_resumed",
        "Everything is read again" at "told what=cache_changed",
        "And what is new" at "told what=cache_created";
    "use-discovery" opens 4_390, idea 3, try "Pause an instance for a moment. Is it handed out meanwhile?",
        "Both are handed out",
        "An instance dies" at "client_killed",
        "Two errors: hidden" at "method_called method=noteError",
        "Its session ends" at "session_closed",
        "Gone from the list" at "method_called method=queryForInstances";
    "use-group-member" opens 3_690, idea 3, try "Pause a member for longer than its timeout. When is it on the list again?",
        "Three members",
        "One dies" at "client_killed",
        "Still on the list" at "method_called method=getCurrentMembers",
        "Its session ends" at "session_closed",
        "Gone from the list" at "told what=cache_deleted",
        "A member's data" at "method_called method=setThisData",
        "Who leaves is gone at once" at "method_called method=close";
    "use-delay-queue" opens 4_490, idea 3, try "Start another consumer before the report is due. Which of them gets it?",
        "Two wait for their time",
        "Due at once" at "method_called method=put",
        "The last one first" at "consumed data=alarm",
        "When its time has come" at "consumed data=reminder",
        "The producer dies" at "client_killed",
        "Due all the same" at "consumed data=report";
    "use-id-queue" opens 4_390, idea 3, try "At a console: ls /orders. Where do the names say whose they are?",
        "Orders of three customers",
        "One cancels" at "method_called method=remove",
        "Found by name, and deleted" at "called op=delete",
        "And the other one" at "called client=1 op=delete",
        "A consumer begins" at "method_called client=2 method=start",
        "What is left, in order" at "consumed data=tea";
}
