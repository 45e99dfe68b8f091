//! What happens when servers are started on their disks, in words.

use std::fmt::Write;

use zabscope_disks::report::{Judged, Learner, Lost, Start, Told, ToldReign};

use super::super::{Failure, print};
use crate::zab::SyncKind;

/// How many orders are written out.
const ORDERS: usize = 4;

pub(super) fn tell(start: &Start) -> Result<(), Failure> {
    print(format_args!("\nWhat happens when they are started, by the rules of ZooKeeper {}", start.zookeeper))?;
    for (choice, judged) in start.choices.iter().enumerate() {
        print(format_args!("  {}", servers(&judged.start)))?;
        for (outcome, told) in judged.outcomes.iter().enumerate() {
            let worst = if start.worst == Some((choice, outcome)) { "  ** the worst **" } else { "" };
            print(format_args!("    {}: {}{worst}", when(told, judged, start.tried), what(told)))?;
            told.lost.iter().try_for_each(|lost| print(format_args!("      LOST: {}", lost_words(lost))))?;
            for reign in told.reigns.iter().filter(|reign| !reign.other_trees.is_empty()) {
                print(format_args!(
                    "      TWO TREES: {} {} another tree than S{}, and nothing tells them so",
                    servers(&reign.other_trees),
                    if reign.other_trees.len() == 1 { "serves" } else { "serve" },
                    reign.leader
                ))?;
            }
        }
    }
    if !start.never.is_empty() {
        let never: Vec<String> = start.never.iter().map(|ids| servers(ids)).collect();
        print(format_args!("  nobody serves: {}", never.join("; ")))?;
    }
    if start.left_out > 0 {
        print(format_args!("  {} choices of fewer servers were not tried", start.left_out))?;
    }
    print(advice(start))
}

/// `S1 S2`
fn servers(ids: &[u64]) -> String {
    ids.iter().map(|id| format!("S{id}")).collect::<Vec<_>>().join(" ")
}

fn when(told: &Told, judged: &Judged, tried: u64) -> String {
    if judged.outcomes.len() == 1 {
        return if judged.start.len() == 1 { "started".into() } else { "in whatever order".into() };
    }
    let together = (told.together > 0).then(|| format!("together ({} of {tried})", told.together));
    let mut orders: Vec<String> = told.orders.iter().take(ORDERS).map(|order| one_after_another(order)).collect();
    if told.orders.len() > ORDERS {
        orders.push(format!("{} more orders", told.orders.len() - ORDERS));
    }
    together.into_iter().chain(orders).collect::<Vec<_>>().join(", or ")
}

/// `S1, then S3`
fn one_after_another(order: &[u64]) -> String {
    order.iter().map(|id| format!("S{id}")).collect::<Vec<_>>().join(", then ")
}

fn what(told: &Told) -> String {
    let mut text = match &told.reigns[..] {
        [] => "nobody serves".to_string(),
        [one] if told.leaders.len() > 1 => led_by_one_of(told, one),
        reigns => reigns.iter().map(reign).collect::<Vec<_>>().join("; AT THE SAME TIME "),
    };
    for id in &told.exits {
        let _ = write!(text, "; S{id} ends at once");
    }
    for id in told.not_serving.iter().filter(|id| !told.exits.contains(id) && !told.reigns.is_empty()) {
        let _ = write!(text, "; S{id} does not get in");
    }
    text
}

/// Whose way of getting what is missing hangs on who leads.
fn led_by_one_of(told: &Told, reign: &ToldReign) -> String {
    let names: Vec<String> = told.leaders.iter().map(|id| format!("S{id}")).collect();
    let needs_nothing = |learner: &Learner| learner.sync == SyncKind::Diff && learner.sent == 0;
    let rest = match reign.learners.iter().all(needs_nothing) {
        true => "nobody is sent anything",
        false => "the others are brought up to it",
    };
    format!("{} leads with {}; {rest}", names.join(" or "), reign.last_zxid)
}

fn reign(reign: &ToldReign) -> String {
    let whose = match reign.history_of == reign.leader {
        true => String::new(),
        false => format!(", the history of S{}", reign.history_of),
    };
    let mut text = format!("S{} leads, epoch {}, with {}{whose}", reign.leader, reign.epoch, reign.last_zxid);
    for learner in &reign.learners {
        let keeps = reign.other_trees.contains(&learner.server);
        let _ = write!(text, "; {}", synced(learner, keeps));
    }
    text
}

fn synced(learner: &Learner, keeps_its_tree: bool) -> String {
    let Learner { server, sync, to, sent, beside } = learner;
    let own = match beside {
        0 => String::new(),
        _ if keeps_its_tree => format!(", and keeps {beside} of its own"),
        _ => format!(", without {beside} of its own"),
    };
    match sync {
        SyncKind::Diff if *sent == 0 => format!("S{server} is sent nothing (DIFF){own}"),
        SyncKind::Diff => format!("S{server} gets a DIFF of {sent}{own}"),
        SyncKind::Trunc => format!("S{server} is cut back to {to} (TRUNC){own}"),
        SyncKind::Snap => format!("S{server} gets a SNAP{own}"),
    }
}

fn lost_words(lost: &Lost) -> String {
    let range = if lost.count == 1 { lost.first.clone() } else { format!("{}..{}", lost.first, lost.last) };
    let who = whose(lost);
    let transactions = if lost.count == 1 { "transaction" } else { "transactions" };
    let more = if lost.count > lost.what.len() as u64 { ", …" } else { "" };
    let what = if lost.what.is_empty() { String::new() } else { format!(": {}{more}", lost.what.join(", ")) };
    format!("{} {transactions} that {who}, {range}{what}", lost.count)
}

fn whose(lost: &Lost) -> String {
    match (&lost.on[..], lost.on_majority) {
        ([only], _) => format!("only S{only} has"),
        (on, true) => format!("{}, a majority, have", servers(on)),
        (on, false) => format!("{} have", servers(on)),
    }
}

fn advice(start: &Start) -> String {
    let Some(advice) = &start.advice else { return "No order was found in which anybody serves.".into() };
    let told = &start.choices[advice.choice].outcomes[advice.outcome];
    let lost: u64 = told.lost.iter().map(|lost| lost.count).sum();
    let two_trees = told.reigns.len() > 1 || told.reigns.iter().any(|reign| !reign.other_trees.is_empty());
    let left = match (lost, two_trees) {
        (0, false) => "nothing is lost, and all have one tree".to_string(),
        (0, true) => "nothing is lost, but not all have one tree: empty the data directory of the other first".into(),
        (lost, _) => format!(
            "{lost} are lost ({}), and no order loses less",
            told.lost
                .iter()
                .map(|lost| format!("{} that {}", lost.count, whose(lost)))
                .collect::<Vec<_>>()
                .join("; ")
        ),
    };
    format!("Start {}, each once the one before is up: {left}.", one_after_another(&advice.order))
}
