//! Headings of a state, what is waited for, and what a step took.

use crate::base::rows::Heading;
use crate::i18n::text;
use crate::i18n::words::Entry;
use crate::sim::Choice;
use crate::zab::{LeaderStage, LearnerStage};

/// What a group of rows is called, and what it is.
pub(super) fn heading(heading: Heading) -> Entry {
    use Heading as H;
    match heading {
        H::Ensemble => ("Ensemble", "Who votes, who leads, how many make a majority."),
        H::Run => ("Time", "Virtual time and the number of events so far."),
        H::Counts => ("Counts", "Totals at this time."),
        H::Next => ("What comes next", "The next events, earliest first; the first one is the next step."),
        H::Resources => {
            ("Resources", "What programs write to outside of the ensemble, and the newest token seen there.")
        }
        H::Process => ("Process", "The operating system's process: a crash takes its memory and leaves its disk."),
        H::Role => ("Role", "What the server is doing, and the phase of the protocol."),
        H::Epochs => {
            ("Epochs", "acceptedEpoch is a promise, currentEpoch says whose history is here. Both are on disk.")
        }
        H::Log => ("Log", "Transactions in memory; the last ones of the log below, oldest first."),
        H::Leading => ("As leader", "What a leader tracks."),
        H::Learners => ("Learners", "The followers and observers that are connected to this leader."),
        H::Proposals => ("Pending proposals", "No majority of ACKs yet."),
        H::Memory => ("Memory", "Lost in a crash."),
        H::Learning => ("As learner", "Received from the leader, not processed yet."),
        H::DataTree => ("Data tree", "The znodes as this server has them; equal digests, equal trees."),
        H::Timers => ("Timers", "Armed timers and when they are due."),
        H::Disk => ("Disk", "What survives a crash, and pending writes."),
        H::Sessions => ("Sessions", "What this server does for clients; a leader tracks when sessions expire."),
        H::Connections => ("Connections of clients", "Each with its session and waiting requests."),
        H::Watches => ("Watches", "Kept in memory at this server only."),
        H::Election => ("Election", "Votes that this server has received."),
        H::ElectionLinks => {
            ("Election connections", "One for each other server; a message that cannot be sent waits.")
        }
        H::Session => ("Library", "The client library's own view: it may be wrong about its session."),
        H::Hosts => ("Servers it may use", "In the order in which it tries them, shuffled once."),
        H::Requests => ("Requests", "Sent but not answered, or waiting for a connection."),
        H::Watchers => ("Watchers", "Registered in the library; set again after a reconnection."),
        H::Held => ("On the servers", "What servers keep for this client."),
        H::Framework => ("Curator", "The framework on the library: what it tells its listeners."),
        H::Objects => ("Recipes", "The program's objects."),
        H::Threads => ("Threads", "Each a stack of calls, the innermost last."),
        H::Standings => ("Locks and queues", "Who holds, who waits, and behind which node."),
        H::There => ("Forward", "This direction of the link."),
        H::Back => ("Back", "The other direction of the link."),
        H::LinkConnections => ("Connections", "Between these two servers."),
        H::Packet => ("Contents", "Its fields by their real names."),
        H::Way => ("Route", "Packets of one connection never overtake each other."),
        H::Transaction => ("Transaction", "Its place in the order and what it does."),
        H::Copies => ("Where it is", "At each server: in memory, in the log, on disk."),
    }
}

/// What a leader waits for.
pub(super) fn leader_stage(stage: LeaderStage) -> &'static str {
    match stage {
        LeaderStage::WriteSnapshot => "Waits until a snapshot is on its own disk; those that connect wait too.",
        LeaderStage::AwaitEpochQuorum => "Waits for a majority to connect, to choose the new epoch.",
        LeaderStage::WriteAcceptedEpoch => "Waits until acceptedEpoch is on its own disk.",
        LeaderStage::AwaitEpochAcks => "Waits for a majority to promise the new epoch (ACKEPOCH).",
        LeaderStage::WriteCurrentEpoch => "Waits until currentEpoch is on its own disk.",
        LeaderStage::AwaitNewLeaderAcks => "Waits for a majority to have its history (ACK of NEWLEADER).",
        LeaderStage::Active => "Established: it proposes, counts ACKs and commits.",
    }
}

/// What a learner waits for.
pub(super) fn learner_stage(stage: LearnerStage) -> &'static str {
    match stage {
        LearnerStage::Connecting => "Waits for a connection to its leader.",
        LearnerStage::AwaitLeaderInfo => "Waits for LEADERINFO: the new epoch.",
        LearnerStage::WriteAcceptedEpoch => "Waits until its promise, acceptedEpoch, is on disk.",
        LearnerStage::AwaitSync => "Waits for DIFF, TRUNC or SNAP.",
        LearnerStage::Truncating => "Waits until its log is cut.",
        LearnerStage::Syncing => "Receives what it is missing, up to NEWLEADER.",
        LearnerStage::WriteHistory => "Waits until that history is on disk.",
        LearnerStage::WriteCurrentEpoch => "Waits until currentEpoch is on disk.",
        LearnerStage::AwaitUpToDate => "Waits for UPTODATE: then it may serve.",
        LearnerStage::Serving => "Serves: it logs proposals, acknowledges them, applies commits.",
    }
}

/// What a step took, where it was no packet with a name.
pub(super) fn choice(choice: Choice) -> String {
    match choice {
        Choice::Deliver { .. } => "Something arrives on a connection.".into(),
        Choice::Timer(server, timer) => format!("The timer {} of {server} fires.", text::timer(timer)),
        Choice::ClientTimer(client, timer) => format!("The timer {timer:?} of {client}’s library fires."),
        Choice::Program(client) => format!("A timer of {client}’s program fires."),
        Choice::Disk { server, background: false } => format!("{server}’s disk finishes an operation."),
        Choice::Disk { server, background: true } => format!("{server}’s disk finishes a snapshot."),
        Choice::Repeat(_) => "The next write of a repeated action.".into(),
        Choice::Start(_) => "A server starts.".into(),
        Choice::Script => "An action of the run is done.".into(),
    }
}
