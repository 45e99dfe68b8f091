//! States of all that can be picked, over many runs with faults, clients and programs.

use std::collections::BTreeSet;

use super::*;
use crate::base::RuleSet;
use crate::scenarios::{SCENARIOS, scenario};
use crate::server;
use crate::sim::{Fact, Item, Run, WorldFact};
use crate::soak::soak_run;
use crate::timeline::recent::Recent;

/// Everything that can be picked now.
fn pickable(world: &World) -> Vec<Pick> {
    let servers: Vec<ServerId> = world.processes.keys().copied().collect();
    let mut picks = vec![Pick::Ensemble];
    picks.extend(servers.iter().map(|id| Pick::Server(*id)));
    picks.extend(world.clients.keys().map(|id| Pick::Client(*id)));
    for (place, a) in servers.iter().enumerate() {
        picks.extend(servers[place + 1..].iter().map(|b| Pick::Link(*a, *b)));
    }
    let pipes = world.network.conns.values().flat_map(|conn| &conn.pipes);
    let messages = pipes.flat_map(|pipe| &pipe.items).filter(|item| matches!(item.item, Item::Message(_)));
    picks.extend(messages.take(5).map(|item| Pick::Packet(item.msg)));
    let trees = world.processes.values().filter_map(|process| process.server());
    picks.extend(trees.take(1).map(|memory| Pick::Transaction(memory.tree.last)));
    picks
}

fn assert_unique(rows: &[Row], at: &str) {
    let mut seen = BTreeSet::new();
    for row in rows {
        assert!(!row.key.is_empty() && !row.name.is_empty(), "{at}: {row:?}");
        assert!(seen.insert(&row.key), "{at}: {} twice", row.key);
        assert_unique(&row.rows, &format!("{at}/{}", row.key));
    }
}

/// Runs with faults, clients and programs: the scenarios with another seed, and random ones.
fn runs() -> Vec<Run> {
    let mut runs: Vec<Run> = SCENARIOS.iter().map(|scenario| Run { seed: 7, ..scenario.run() }).collect();
    runs.extend((1..=6).map(|seed| soak_run(5, seed, 1, RuleSet::default())));
    runs
}

/// Plays the first steps of a run and lets somebody look at the world before and after each `every`-th.
fn play(run: &Run, steps: usize, every: usize, mut look: impl FnMut(&World, &World, Facts<'_>)) {
    let mut world = World::new(run.clone());
    let (mut recent, mut next) = (Recent::default(), 0);
    for step in 1..=steps {
        // a copy of a whole world is dear
        let before = (step % every == 0).then(|| world.clone());
        let Some(records) = world.step() else { return };
        records.iter().for_each(|record| recent.read(record));
        next = records.last().map_or(next, |last| last.seq + 1);
        if let Some(before) = before {
            look(&before, &world, recent.before(next));
        }
    }
}

#[test]
fn everything_that_can_be_picked_has_rows_with_keys_of_their_own() {
    for run in runs() {
        play(&run, 6_000, 101, |_, world, facts| {
            for pick in pickable(world) {
                let sheet = sheet(world, facts, pick).unwrap_or_else(|| panic!("{pick:?} is there"));
                let headings: BTreeSet<Heading> = sheet.groups.iter().map(|group| group.heading).collect();
                assert_eq!(headings.len(), sheet.groups.len(), "{pick:?}");
                sheet.groups.iter().for_each(|group| assert_unique(&group.rows, &format!("{pick:?}")));
            }
        });
    }
}

#[test]
fn a_difference_leads_from_one_state_to_the_other_and_nothing_else_is_marked() {
    for run in runs() {
        let mut old: Option<World> = None;
        play(&run, 4_000, 131, |before, world, facts| {
            // one step apart, and far apart
            for old in [Some(before), old.as_ref()].into_iter().flatten() {
                pickable(world).into_iter().for_each(|pick| assert_leads(old, world, facts, pick));
            }
            old = Some(world.clone());
        });
    }
}

fn assert_leads(before: &World, after: &World, facts: Facts<'_>, pick: Pick) {
    let is = sheet(after, facts, pick).unwrap();
    let still = diff(Some(&is), &is);
    assert_eq!((still.changes(), still.apply(&is).as_ref()), (0, Some(&is)), "{pick:?}");
    let Some(was) = sheet(before, facts, pick) else { return };
    let diff = diff(Some(&was), &is);
    assert_eq!(diff.apply(&was).as_ref(), Some(&is), "{pick:?}");
    // what is marked is different, and what is different is marked
    let texts = |sheet: &Sheet| sheet.groups.iter().map(|group| group.rows.clone()).collect::<Vec<_>>();
    let shifts = diff.groups.iter().any(|group| {
        group.rows.iter().any(|row| row.rows.iter().any(|row| matches!(row.mark, Mark::Out | Mark::In)))
    });
    assert_eq!(diff.changes() > 0, texts(&was) != texts(&is) && (diff.changes() > 0 || !shifts), "{pick:?}");
}

#[test]
fn what_is_said_of_a_server_is_seen_in_it() {
    let mut seen = BTreeSet::new();
    for run in runs() {
        play(&run, 4_000, 1, |before, world, facts| {
            for record in world.last_facts() {
                let Some((server, kind)) = changes_server(&record.fact) else { continue };
                let sheet = |world| sheet(world, facts, Pick::Server(server));
                assert!(sheet(before) != sheet(world), "{server} {record:?}");
                seen.insert(kind);
            }
        });
    }
    assert!(seen.len() > 25, "{seen:?}");
}

/// The server that a fact says has changed, and the kind of fact.
fn changes_server(fact: &Fact) -> Option<(ServerId, String)> {
    let kind =
        |fact: &dyn std::fmt::Debug| format!("{fact:?}").split([' ', '(']).next().unwrap_or_default().to_string();
    match fact {
        Fact::Zab { server, fact } => Some((*server, kind(fact))),
        Fact::Server {
            server,
            fact: fact @ (server::Fact::SessionOpened { .. } | server::Fact::SessionClosed { .. }),
        } => Some((*server, kind(fact))),
        Fact::World(
            fact @ (WorldFact::Synced { server, .. }
            | WorldFact::EpochWritten { server, .. }
            | WorldFact::SnapshotWritten { server, .. }
            | WorldFact::LogTruncated { server, .. }
            | WorldFact::Purged { server, .. }
            | WorldFact::Applied { server, .. }
            | WorldFact::Crashed { server, .. }
            | WorldFact::Paused { server }
            | WorldFact::Resumed { server }
            | WorldFact::Serving { server, .. }),
        ) => Some((*server, kind(fact))),
        _ => None,
    }
}

#[test]
fn a_log_that_grows_marks_what_came_and_one_that_is_cut_what_went() {
    let row = |key: u32| Row { key: key.to_string(), name: key.to_string(), ..Row::default() };
    let log = |from: u32, to: u32| {
        let rows = (from..=to).map(row).collect();
        let list = Row {
            text: to.to_string(),
            rows,
            sliding: true,
            ..Row { key: "log".into(), name: "log".into(), ..Row::default() }
        };
        Sheet { groups: vec![Group { heading: Heading::Log, text: String::new(), stage: None, rows: vec![list] }] }
    };
    let marks = |before: &Sheet, after: &Sheet| {
        let diff = diff(Some(before), after);
        assert_eq!(diff.apply(before).as_ref(), Some(after));
        let list = diff.groups[0].rows[0].clone();
        list.rows
            .iter()
            .filter(|one| one.mark != Mark::Same)
            .map(|one| (one.row.key.clone(), one.mark.clone()))
            .collect::<Vec<_>>()
    };
    let (four, six) = (log(1, 4), log(3, 6));
    let told =
        |keys: [u32; 4], marks: [Mark; 4]| keys.map(|key| key.to_string()).into_iter().zip(marks).collect::<Vec<_>>();
    assert_eq!(marks(&four, &six), told([1, 2, 5, 6], [Mark::Out, Mark::Out, Mark::Added, Mark::Added]));
    assert_eq!(marks(&six, &four), told([1, 2, 5, 6], [Mark::In, Mark::In, Mark::Removed, Mark::Removed]));
}

#[test]
fn what_is_gone_stands_where_it_stood() {
    let row = |key: &str, text: &str| Row { key: key.into(), name: key.into(), text: text.into(), ..Row::default() };
    let of =
        |rows| Sheet { groups: vec![Group { heading: Heading::Timers, text: String::new(), stage: None, rows }] };
    let before = of(vec![row("a", "1"), row("b", "2"), row("c", "3")]);
    let after = of(vec![row("a", "1"), row("c", "4"), row("d", "5")]);
    let shown = diff(Some(&before), &after);
    let marks: Vec<(&str, &Mark)> =
        shown.groups[0].rows.iter().map(|one| (one.row.key.as_str(), &one.mark)).collect();
    let was = Mark::Changed { was: "3".into() };
    assert_eq!(marks, [("a", &Mark::Same), ("b", &Mark::Removed), ("c", &was), ("d", &Mark::Added)]);
    assert_eq!(shown.changes(), 3);
}

#[test]
fn the_last_step_is_the_one_that_was_due() {
    play(&scenario("leader-crash-under-load").unwrap().run(), 3_000, 1, |before, world, _| {
        let step = last_step(before, world).unwrap();
        let delivered = step.facts.iter().find_map(|record| match &record.fact {
            Fact::World(WorldFact::Delivered { from, to, name, .. }) => Some((*name, *from, *to)),
            _ => None,
        });
        if let Some((name, from, to)) = delivered {
            let (title, sender, receiver) = step.arrived.expect("a packet arrived");
            assert!(title.starts_with(name), "{title} {name}");
            assert_eq!((sender, receiver), (from, to));
        }
    });
}
