//! What lies on the disks of real servers, and what becomes of it when they are started, in words: the command line's and the page's.

use std::collections::BTreeMap;

use crate::base::texts::fill;
use crate::disks::load::Refusal;
use crate::disks::logs::story::{Lane, Moment, Story, sentence as of_pattern};
use crate::disks::report::{Judged, Learner, Lost, Report, Stands, Start, Told, ToldReign, Tree, listed};
use crate::disks::start::Unknown;
use crate::disks::trouble::{Trouble, Wrong};
use crate::sim::Tongue;
use crate::zab::SyncKind;

use super::page::page;
use super::{Lang, tongue, zh};

/// How many orders are written out.
const ORDERS: usize = 4;

/// A server by its id.
pub fn server(id: u64) -> String {
    format!("S{id}")
}

/// `S1 S2`
pub fn servers(ids: &[u64]) -> String {
    ids.iter().map(|id| server(*id)).collect::<Vec<_>>().join(" ")
}

/// `S1, then S3`
pub fn in_turn(lang: Lang, order: &[u64]) -> String {
    order.iter().map(|id| server(*id)).collect::<Vec<_>>().join(page(lang).start_then)
}

/// When it comes to this.
pub fn when(lang: Lang, told: &Told, judged: &Judged, tried: u64) -> String {
    let words = page(lang);
    if judged.outcomes.len() == 1 {
        return if judged.start.len() == 1 { words.start_alone } else { words.start_any }.into();
    }
    let together = (told.together > 0).then(|| fill(words.start_together, &[&told.together, &tried]));
    let mut orders: Vec<String> = told.orders.iter().take(ORDERS).map(|order| in_turn(lang, order)).collect();
    if told.orders.len() > ORDERS {
        orders.push(fill(words.start_more, &[&(told.orders.len() - ORDERS)]));
    }
    together.into_iter().chain(orders).collect::<Vec<_>>().join(words.start_or)
}

/// Who leads with what, and what the others get.
pub fn what(lang: Lang, told: &Told) -> String {
    let words = page(lang);
    let mut text = match &told.reigns[..] {
        [] => words.start_nobody.to_string(),
        [one] if told.leaders.len() > 1 => led_by_one_of(lang, told, one),
        reigns => reigns.iter().map(|one| reign(lang, one)).collect::<Vec<_>>().join(words.start_at_once),
    };
    let exits = told.exits.iter().map(|id| fill(words.start_exits, &[&server(*id)]));
    let out = told.not_serving.iter().filter(|id| !told.exits.contains(id) && !told.reigns.is_empty());
    for also in exits.chain(out.map(|id| fill(words.start_not_in, &[&server(*id)]))) {
        text += words.start_join;
        text += &also;
    }
    text
}

/// Whoever of them leads.
pub fn either(lang: Lang, ids: &[u64]) -> String {
    ids.iter().map(|id| server(*id)).collect::<Vec<_>>().join(page(lang).start_one_or_other)
}

/// Whose way of getting what is missing hangs on who leads.
fn led_by_one_of(lang: Lang, told: &Told, reign: &ToldReign) -> String {
    let words = page(lang);
    let needs_nothing = |learner: &Learner| learner.sync == SyncKind::Diff && learner.sent == 0;
    let rest = match reign.learners.iter().all(needs_nothing) {
        true => words.start_sent_nothing,
        false => words.start_brought,
    };
    let leads = fill(words.start_either, &[&either(lang, &told.leaders), &reign.last_zxid]);
    [&leads, words.start_join, rest].concat()
}

fn reign(lang: Lang, reign: &ToldReign) -> String {
    let words = page(lang);
    let mut text = fill(words.start_leads, &[&server(reign.leader), &reign.epoch, &reign.last_zxid]);
    if reign.history_of != reign.leader {
        text += &fill(words.start_history, &[&server(reign.history_of)]);
    }
    for learner in &reign.learners {
        text += words.start_join;
        text += &synced(lang, learner, reign.other_trees.contains(&learner.server));
    }
    text
}

fn synced(lang: Lang, learner: &Learner, keeps_its_tree: bool) -> String {
    let words = page(lang);
    let Learner { server: id, sync, to, sent, beside } = learner;
    let own = match beside {
        0 => String::new(),
        _ if keeps_its_tree => fill(words.start_keeps, &[beside]),
        _ => fill(words.start_without, &[beside]),
    };
    let way = match sync {
        SyncKind::Diff if *sent == 0 => fill(words.start_diff_none, &[&server(*id)]),
        SyncKind::Diff => fill(words.start_diff, &[&server(*id), sent]),
        SyncKind::Trunc => fill(words.start_trunc, &[&server(*id), to]),
        SyncKind::Snap => fill(words.start_snap, &[&server(*id)]),
    };
    way + &own
}

/// Transactions that are lost: how many, whose, which, and what they do.
pub fn lost(lang: Lang, lost: &Lost) -> String {
    let words = page(lang);
    let who = whose(lang, &lost.on, lost.on_majority);
    let text = match lost.count {
        1 => fill(words.start_lost_one, &[&who, &lost.first]),
        _ => fill(words.start_lost_many, &[&lost.count, &who, &format!("{}..{}", lost.first, lost.last)]),
    };
    if lost.what.is_empty() { text } else { format!("{text}: {}", listed(&lost.what, lost.count)) }
}

/// Who has transactions.
pub fn whose(lang: Lang, on: &[u64], are_majority: bool) -> String {
    let words = page(lang);
    match on {
        [only] => fill(words.start_only, &[&server(*only)]),
        on if are_majority => fill(words.start_majority, &[&servers(on)]),
        on => fill(words.start_have, &[&servers(on)]),
    }
}

/// That some serve another tree than their leader, where some do.
pub fn other_trees(lang: Lang, reign: &ToldReign) -> Option<String> {
    let words = page(lang);
    let said = if reign.other_trees.len() == 1 { words.start_other_tree } else { words.start_other_trees };
    let others = servers(&reign.other_trees);
    (!reign.other_trees.is_empty()).then(|| fill(said, &[&others, &server(reign.leader)]))
}

/// The order of start that loses least.
pub fn advice(lang: Lang, start: &Start) -> String {
    let words = page(lang);
    let told = start.advice.as_ref().and_then(|advice| {
        let (_, told) = start.outcome((advice.choice, advice.outcome))?;
        Some((advice, told))
    });
    let Some((advice, told)) = told else { return words.start_no_advice.into() };
    let of = |lost: &Lost| fill(words.start_lost_of, &[&lost.count, &whose(lang, &lost.on, lost.on_majority)]);
    let left = match (told.lost_count(), is_parted(told)) {
        (0, false) => words.start_saved.to_string(),
        (0, true) => words.start_parted.into(),
        (lost, _) => {
            let of: Vec<String> = told.lost.iter().map(of).collect();
            fill(words.start_least, &[&lost, &of.join(words.start_join)])
        }
    };
    fill(words.start_advice, &[&in_turn(lang, &advice.order), &left])
}

/// Whether not all who serve have one tree.
pub fn is_parted(told: &Told) -> bool {
    told.reigns.len() > 1 || told.reigns.iter().any(|reign| !reign.other_trees.is_empty())
}

/// What comes of it if these start, in a sentence.
pub fn sentence(lang: Lang, judged: &Judged, told: &Told) -> String {
    let (words, start) = (page(lang), servers(&judged.start));
    let also = |reign: &ToldReign| fill(words.disks_leads_too, &[&server(reign.leader), &reign.epoch]);
    match &told.reigns[..] {
        [] => fill(words.disks_if_nobody, &[&start]),
        [one] if told.leaders.len() > 1 => {
            fill(words.disks_if_either, &[&start, &either(lang, &told.leaders), &one.last_zxid])
        }
        [one] if judged.start.len() == 1 => fill(words.disks_if_one, &[&start, &one.epoch, &one.last_zxid]),
        [one] => fill(words.disks_if, &[&start, &server(one.leader), &one.epoch, &one.last_zxid]),
        all => {
            let all: Vec<String> = all.iter().map(also).collect();
            fill(words.disks_if_two, &[&start, &all.join(words.start_join)])
        }
    }
}

/// What is bad in that, a sentence each: what is lost, and whose tree is another.
pub fn harm(lang: Lang, told: &Told) -> Vec<String> {
    let words = page(lang);
    let mut by_owner: BTreeMap<(&[u64], bool), u64> = BTreeMap::new();
    for lost in &told.lost {
        *by_owner.entry((&lost.on[..], lost.on_majority)).or_default() += lost.count;
    }
    let lost = by_owner.into_iter().map(|((on, are_majority), count)| {
        let who = whose(lang, on, are_majority);
        if count == 1 { fill(words.disks_lost_one, &[&who]) } else { fill(words.disks_lost_many, &[&count, &who]) }
    });
    let trees = told.reigns.iter().filter_map(|reign| other_trees(lang, reign));
    lost.chain(trees.map(|said| said + words.disks_stop)).collect()
}

/// When it comes to this, where it does not always.
pub fn chance(lang: Lang, judged: &Judged, told: &Told, tried: u64) -> Option<String> {
    let words = page(lang);
    let order = told.orders.first().map(|order| in_turn(lang, order));
    match (judged.outcomes.len(), told.together) {
        (..2, _) => None,
        (_, 0) => Some(fill(words.disks_in_order, &[&order?])),
        (_, together) => Some(fill(words.disks_race, &[&together, &tried])),
    }
}

/// How a tree stands to that of the newest server.
pub fn tree(lang: Lang, report: &Report, tree: &Tree) -> String {
    let words = page(lang);
    let of = |place: usize| report.servers.get(place);
    let name = |place: usize| of(place).map_or("", |server| server.name.as_str());
    let (whose, newest) = (name(tree.server), name(report.newest.unwrap_or(usize::MAX)));
    let last = of(tree.server).map_or("", |server| server.last_zxid.as_str());
    match (tree.relation, &tree.parted_at) {
        (Stands::Same, _) => fill(words.disks_tree_same, &[&whose, &newest]),
        (Stands::Behind, _) => fill(words.disks_tree_behind, &[&whose, &newest, &last]),
        (Stands::Ahead, _) => fill(words.disks_tree_ahead, &[&newest, &whose]),
        (Stands::Parted, Some(at)) => fill(words.disks_tree_parted, &[&whose, &newest, at, &tree.differences]),
        (Stands::Parted, None) => fill(words.disks_tree_other, &[&whose, &newest, &tree.differences]),
    }
}

/// What is wrong with a file, and where.
pub fn trouble(lang: Lang, trouble: &Trouble) -> String {
    let what = wrong(lang, &trouble.what);
    match trouble.offset {
        Some(offset) => fill(page(lang).disks_at, &[&trouble.file, &offset, &what]),
        None => fill(page(lang).disks_of, &[&trouble.file, &what]),
    }
}

fn wrong(lang: Lang, wrong: &Wrong) -> String {
    match tongue(lang) {
        Tongue::English => wrong.to_string(),
        Tongue::Chinese => lang.say(zh::disks::wrong(wrong)),
    }
}

/// Why a server does not start.
pub fn refusal(lang: Lang, refusal: &Refusal) -> String {
    match tongue(lang) {
        Tongue::English => refusal.to_string(),
        Tongue::Chinese => lang.say(zh::disks::refusal(refusal)),
    }
}

/// Why it cannot be told what happens.
pub fn unknown(lang: Lang, unknown: Unknown) -> String {
    match tongue(lang) {
        Tongue::English => unknown.to_string(),
        Tongue::Chinese => lang.say(zh::disks::unknown(unknown).to_string()),
    }
}

/// What happened at a moment.
pub fn moment(lang: Lang, moment: &Moment) -> String {
    match tongue(lang) {
        Tongue::English => moment.text.clone(),
        Tongue::Chinese => {
            let words: Vec<String> = moment.words.iter().map(|word| super::text::raw(word)).collect();
            lang.say(of_pattern(zh::disks::moment(moment.say), &words))
        }
    }
}

/// How a server's clock stands to that of the first.
pub fn clock_of(lang: Lang, story: &Story, lane: &Lane) -> String {
    let words = page(lang);
    let first = story.lanes.first().map_or(String::new(), |lane| server(lane.server));
    let own = server(lane.server);
    match lane.ahead {
        Some(0) => fill(words.happened_same, &[&first, &own, &lane.within]),
        Some(ahead) => {
            let said = if ahead > 0 { words.happened_ahead } else { words.happened_behind };
            fill(said, &[&own, &ahead.unsigned_abs(), &first, &lane.within])
        }
        None if lane.was_set => fill(words.happened_set, &[&own, &first]),
        None => fill(words.happened_unknown, &[&own, &first]),
    }
}
