//! Anything that keeps the contract of a host can live in the world. Two toy counters do, beside a ZooKeeper server.

mod daemon;

use std::rc::Rc;

use zabscope::base::{ServerId, ServerSet, SimTime};
use zabscope::check::Checker;
use zabscope::i18n::{Lang, narrate};
use zabscope::sim::{Action, Digest, Fact, Machine, Record, Run, Setup, Status, World, WorldFact};
use zabscope::timeline::RunSummary;
use zabscope::view::{Card, Face};

use daemon::{Counted, Counter};

const ONE: ServerId = ServerId(5);
const TWO: ServerId = ServerId(6);

fn world(actions: &[(u64, Action)]) -> World {
    let mut run = Run::new(7, Setup { voters: 1, ..Setup::default() });
    for (ms, action) in actions {
        run.push(SimTime::from_ms(*ms), action.clone());
    }
    let mut world = World::new(run);
    world.add_machine(ONE, Machine::running::<Counter>(Some(TWO.into())));
    world.add_machine(TWO, Machine::running::<Counter>(None));
    for server in [ONE, TWO] {
        world.schedule_start(SimTime::ZERO, server);
    }
    world
}

fn play(world: &mut World, until_ms: u64) -> Vec<Rc<Record>> {
    let mut facts = Vec::new();
    while world.next_at().is_some_and(|at| at <= SimTime::from_ms(until_ms)) {
        facts.extend(world.step().unwrap_or_default().to_vec());
    }
    facts
}

fn write(server: ServerId, data: &str) -> Action {
    Action::Write { server, data: data.into(), count: 1, every_us: 0 }
}

fn set(server: ServerId) -> ServerSet {
    [server].into_iter().collect()
}

/// What a machine's rows say of a field.
fn row(world: &World, server: ServerId, name: &str) -> String {
    let (mut rows, process) = (zabscope::base::rows::Rows::default(), &world.processes[&server]);
    process.machine.host().rows(&mut rows);
    process.disk_rows(&mut rows);
    rows.0.into_iter().find(|row| row.name == name).map_or(String::new(), |row| row.text)
}

fn counted(facts: &[Rc<Record>]) -> Vec<(ServerId, u64)> {
    let counted = |record: &Rc<Record>| match &record.fact {
        Fact::Other { server, fact } => Some((*server, fact.value::<Counted>()?.count)),
        _ => None,
    };
    facts.iter().filter_map(counted).collect()
}

#[test]
fn a_count_goes_to_disk_and_to_the_twin_beside_a_zookeeper_server() {
    let mut world = world(&[(500, write(ONE, "3")), (500, write(ServerId(1), "x=1"))]);
    let facts = play(&mut world, 1_500);
    assert_eq!(counted(&facts), [(ONE, 3), (TWO, 3)]);
    assert_eq!((row(&world, TWO, "count"), row(&world, TWO, "countOnDisk")), ("3".into(), "3".into()));
    let answered = |record: &Rc<Record>| matches!(record.fact, Fact::World(WorldFact::WriteAnswered { .. }));
    assert!(facts.iter().any(answered), "the ensemble of one does its work");
    let mut checker = Checker::new(world.setup());
    for record in &facts {
        checker.read(record);
    }
    assert!(checker.violations().is_empty());
}

#[test]
fn a_crash_takes_memory_and_what_is_not_on_disk_and_nothing_else() {
    let crash =
        [(500, write(ONE, "3")), (900, Action::Disk { server: ONE, sync: zabscope::sim::LatencyRange::ms(50, 50) })];
    let crash = [&crash[..], &[(1_000, write(ONE, "4")), (1_020, Action::Crash { server: ONE })]].concat();
    let mut world = world(&[&crash[..], &[(1_500, Action::Restart { server: ONE })]].concat());
    play(&mut world, 1_400);
    assert_eq!((world.processes[&ONE].status, row(&world, ONE, "count")), (Status::Crashed, String::new()));
    assert_eq!(row(&world, ONE, "countOnDisk"), "3");
    play(&mut world, 2_500);
    assert_eq!((row(&world, ONE, "count"), row(&world, TWO, "count")), ("3".into(), "3".into()));
}

#[test]
fn a_paused_counter_does_nothing_and_a_cut_link_holds_its_pings() {
    let pause =
        [(500, Action::Pause { server: TWO }), (600, write(ONE, "3")), (2_000, Action::Resume { server: TWO })];
    let cut = |to_heal| (to_heal, Action::Cut { from: set(ONE), to: set(TWO), one_way: false });
    let heal = (4_000, Action::Heal { from: set(ONE), to: set(TWO), one_way: false });
    let mut world = world(&[&pause[..], &[cut(3_000), (3_100, write(ONE, "1")), heal]].concat());
    play(&mut world, 1_900);
    assert_eq!((row(&world, ONE, "count"), row(&world, TWO, "count")), ("3".into(), "0".into()));
    play(&mut world, 2_500);
    assert_eq!(row(&world, TWO, "count"), "3");
    play(&mut world, 3_900);
    assert_eq!((row(&world, ONE, "count"), row(&world, TWO, "count")), ("4".into(), "3".into()));
    play(&mut world, 4_500);
    assert_eq!(row(&world, TWO, "count"), "4");
}

#[test]
fn facts_are_written_digested_and_told_in_every_language() {
    let digest = |data: &str| {
        let (mut world, mut digest) = (world(&[(500, write(ONE, data))]), Digest::default());
        play(&mut world, 600).iter().for_each(|record| digest.read(record));
        digest.hex()
    };
    assert_eq!(digest("3"), digest("3"));
    assert_ne!(digest("3"), digest("4"));
    let facts = play(&mut world(&[(500, write(ONE, "3"))]), 600);
    let fact = facts.iter().find(|record| matches!(record.fact, Fact::Other { .. })).expect("it is on disk");
    let line = serde_json::to_string(fact).expect("facts are written");
    assert!(line.contains(r#""server":5,"kind":"counter_counted","count":3"#), "{line}");
    let told = |lang| narrate(lang, fact).map(|sentence| (sentence.what, sentence.why.unwrap_or_default()));
    let (what, why) = told(Lang::En).expect("it is told");
    assert_eq!((&*what, &*why), ("The count 3 is on disk.", "A count is told only once it is on disk."));
    assert_eq!(told(Lang::Zh).expect("it is told").0, "计数 3 已落盘。");
    let sent = facts.iter().find(|record| serde_json::to_string(record).unwrap_or_default().contains("COUNTER_PING"));
    let sent = zabscope::i18n::describe(Lang::En, sent.expect("it pings"));
    assert_eq!(sent.what, "S5 sends S6 COUNTER_PING: it says that the count is 0.");
}

#[test]
fn it_has_a_card_on_the_stage() {
    let mut world = world(&[(500, write(ONE, "3")), (700, Action::Crash { server: TWO })]);
    let mut summary = RunSummary::default();
    play(&mut world, 1_000).iter().for_each(|record| summary.read(record));
    let card = |server| Card::of(&world, &world.processes[&server], &summary);
    let said =
        |server| card(server).badge.lines.into_iter().map(|line| line.label + " " + &line.value).collect::<String>();
    assert_eq!((card(ONE).face, said(ONE)), (Face::Other("Counter"), "count 3".into()));
    assert_eq!((card(TWO).face, said(TWO)), (Face::Crashed, "count 3".into()));
    assert_eq!((card(ServerId(1)).face, said(ServerId(1))), (Face::Leading, String::new()));
}

#[test]
fn a_copy_of_the_world_goes_its_own_way_and_the_same_way() {
    let mut world = world(&[(500, write(ONE, "3")), (700, Action::Crash { server: TWO })]);
    play(&mut world, 450);
    let mut copy = world.clone();
    assert_eq!(play(&mut world, 2_000), play(&mut copy, 2_000));
}
