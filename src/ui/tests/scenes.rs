//! Moments of real runs, and what a viewer may have chosen in them.

use crate::base::{ClientId, MsgId, RuleSet, ServerId, SimTime, Zxid};
use crate::explore::Question;
use crate::scenarios::scenario;
use crate::sim::{Action, Rule, Run, Setup};
use crate::timeline::Session;
use crate::timeline::Variation;
use crate::zab::BrokenRule;

use super::Scene;
use crate::ui::engine::Engine;
use crate::ui::page::controls::Controls;
use crate::ui::page::panel::Panel;
use crate::ui::page::state::{Choices, Overlay, Selection, View};
use crate::ui::search::Hunt;

/// Changes the session, and has a frame drawn.
pub(super) fn session(engine: &Engine, change: impl FnOnce(&mut Session)) {
    engine.change(change);
    engine.draw(engine.session().version());
}

/// A scenario, played up to a moment.
fn played(id: &str, at_ms: u64) -> Engine {
    let engine = Engine::new();
    engine.choose(scenario(id).expect(id), None, Vec::new(), None).expect("a built-in scenario");
    engine.resize(1_100.0, 640.0);
    session(&engine, |session| {
        session.playing = false;
        // at the beginning nothing has happened, not even what happens in the first microsecond
        if at_ms > 0 {
            session.seek(SimTime::from_ms(at_ms)).expect("a moment of the run");
        }
    });
    engine
}

/// A scenario at the moment of its picture in the gallery.
fn telling(id: &str) -> Engine {
    played(id, scenario(id).expect(id).telling_ms)
}

pub(super) fn begun() -> Engine {
    played("cold-start-3", 0)
}

/// Goes on, a step at a time, until something is so.
fn until(engine: Engine, what: &str, holds: impl Fn(&Engine) -> bool) -> Engine {
    for _ in 0..5_000 {
        if holds(&engine) {
            return engine;
        }
        session(&engine, |session| _ = session.step(1));
    }
    panic!("{what} is not seen in this run");
}

fn did(engine: Engine, action: Action) -> Engine {
    session(&engine, |session| session.act(action).expect("a possible action"));
    engine
}

fn with_packet(engine: Engine) -> Engine {
    until(engine, "a packet", |engine| !engine.flying().is_empty())
}

fn leader(engine: &Engine) -> ServerId {
    engine.session().player().leader().expect("a leader")
}

fn scene(title: &'static str, engine: &Engine, choices: Choices) -> Scene {
    Scene { title, engine: engine.clone(), choices }
}

fn plain(title: &'static str, engine: &Engine) -> Scene {
    scene(title, engine, Choices::default())
}

pub(super) fn panel(title: &'static str, panel: Panel, engine: &Engine) -> Scene {
    scene(title, engine, Choices { panel, side: true, ..Choices::default() })
}

fn picked(title: &'static str, panel: Panel, engine: &Engine, picked: Selection) -> Scene {
    scene(title, engine, Choices { panel, side: true, picked, ..Choices::default() })
}

pub(super) fn over(title: &'static str, engine: &Engine, over: Overlay) -> Scene {
    scene(title, engine, Choices { over, ..Choices::default() })
}

pub(super) fn bar() -> Vec<Scene> {
    let locks = telling("lock-herd");
    let hall = Choices { lecture: true, ..Choices::default() };
    vec![plain("a run with parameters and a partner", &locks), scene("a hall", &begun(), hall)]
}

pub(super) fn stage() -> Vec<Scene> {
    let cut = telling("minority-partition");
    let crashed = with_packet(telling("leader-crash-under-load"));
    let (one, two) = ([ServerId(1)].into_iter().collect(), [ServerId(2)].into_iter().collect());
    let one_way = did(crashed, Action::Cut { from: one, to: two, one_way: true });
    vec![
        plain("a run that has not begun", &begun()),
        plain("a leader is down, a link is cut one way", &one_way),
        plain("an ensemble that is split", &cut),
        plain("clients with a lock", &telling("lock-mutex")),
        plain("the holder is paused", &played("lock-pause", 5_000)),
        plain("the holder has lost the lock and does not know it", &played("lock-pause", 8_500)),
    ]
}

pub(super) fn space_time() -> Vec<Scene> {
    // what is drawn is known to effects only
    vec![scene("an election", &telling("cold-start-3"), Choices { view: View::SpaceTime, ..Choices::default() })]
}

pub(super) fn narration() -> Vec<Scene> {
    let open = Choices { log_open: true, ..Choices::default() };
    vec![
        plain("a run that has not begun", &begun()),
        scene("everything told of an election", &telling("cold-start-3"), open),
        plain("nothing has happened for minutes", &played("leader-crash-under-load", 600_000)),
    ]
}

pub(super) fn legend() -> Vec<Scene> {
    let legend = Choices { legend: true, ..Choices::default() };
    vec![scene("an ensemble that is split", &telling("minority-partition"), legend)]
}

pub(super) fn transport() -> Vec<Scene> {
    let engine = telling("leader-crash-under-load");
    let future = did(telling("cold-start-3"), Action::Crash { server: ServerId(1) });
    engine.change(|session| session.playing = true);
    session(&future, |session| {
        session.step(200);
        assert!(session.undo());
        session.act(Action::Pause { server: ServerId(2) }).expect("a possible action");
        session.step(10);
    });
    let scene = played("minority-partition", 0);
    scene.change(|session| (0..2).for_each(|_| assert!(session.next_chapter())));
    vec![
        plain("a run that plays", &engine),
        plain("a run with a future that was left", &future),
        plain("a scene in its second chapter", &scene),
    ]
}

pub(super) fn scene_end() -> Vec<Scene> {
    let scene = played("lock-pause", 0);
    while scene.change(Session::next_chapter) {}
    let quiet = played("minority-partition", 0);
    let run = quiet.session().player().run().as_ref().clone();
    quiet.load(run, None).expect("a possible run");
    session(&quiet, |session| while session.step_to_turn() {});
    vec![plain("a scene is over", &scene), plain("only heartbeats are left", &quiet)]
}

/// The herd beside the queue at a moment, so many contend.
fn herd(clients: u16, at_ms: u64) -> Engine {
    let pair = played("lock-herd", 0);
    let (herd, queue) = (scenario("lock-herd").expect("a scenario"), scenario("lock-predecessor"));
    pair.choose(herd, queue, vec![("clients".into(), clients.to_string())], None).expect("a possible pair");
    session(&pair, |session| {
        session.playing = false;
        session.seek(SimTime::from_ms(at_ms)).expect("a moment of the run");
    });
    pair
}

pub(super) fn compare() -> Vec<Scene> {
    let engine = telling("cold-start-3");
    engine.vary(Variation::Seed(7)).expect("a possible run");
    let broken = telling("rejoin-trunc");
    broken.vary(Variation::Rule(Rule::named("rejoin-without-trunc").expect("a rule"))).expect("a possible run");
    session(&broken, |session| session.seek(session.extent()).expect("its end"));
    vec![
        plain("another seed", &engine),
        plain("two recipes", &herd(5, 3_000)),
        plain("a rule that does harm", &broken),
        plain("a rule's own run, to its end", &of_rule("commit-at-minority")),
        plain("one that shows only what never comes", &of_rule("election-answers-none")),
    ]
}

/// A rule's own run beside itself, to its end.
fn of_rule(name: &str) -> Engine {
    let engine = played("cold-start-3", 0);
    engine.show_rule(Rule::named(name).expect("a rule")).expect("a possible run");
    session(&engine, |session| {
        session.playing = false;
        session.seek(session.extent()).expect("its end");
    });
    engine
}

pub(super) fn heads() -> Vec<Scene> {
    vec![
        plain("a release woke all, or one", &herd(20, 5_300)),
        plain("a rule kept and broken", &of_rule("commit-at-minority")),
    ]
}

pub(super) fn growth() -> Vec<Scene> {
    let engine = herd(5, 8_000);
    let fewer = vec![("clients".into(), "3".into())];
    engine.change_pair(|pair| pair.give(fewer)).expect("it has that parameter");
    vec![plain("fewer than were tried before", &engine)]
}

/// A latch beside a selector, so many want to lead.
fn elections(clients: u16, at_ms: u64) -> Engine {
    let pair = played("elect-latch", 0);
    let (latch, selector) = (scenario("elect-latch").expect("a scenario"), scenario("elect-selector"));
    pair.choose(latch, selector, vec![("clients".into(), clients.to_string())], None).expect("a possible pair");
    session(&pair, |session| {
        session.playing = false;
        session.seek(SimTime::from_ms(at_ms)).expect("a moment of the run");
    });
    pair
}

pub(super) fn reigns() -> Vec<Scene> {
    vec![plain("a line for each client", &elections(5, 14_000)), plain("one line for all", &elections(12, 14_000))]
}

pub(super) fn side() -> Vec<Scene> {
    vec![
        panel("a panel with nothing below it", Panel::Console, &begun()),
        panel("the first panel", Panel::default(), &begun()),
    ]
}

pub(super) fn proposals() -> Vec<Scene> {
    let waits = |engine: &Engine| engine.scene().meters.iter().any(|meter| !meter.done);
    let load = until(telling("leader-crash-under-load"), "a proposal that waits", waits);
    let show = |title, engine: &Engine| panel(title, Panel::Proposals, engine);
    vec![show("a run that has not begun", &begun()), show("a crash under load", &load)]
}

pub(super) fn znodes() -> Vec<Scene> {
    let crashed = did(telling("zk-tree"), Action::Crash { server: ServerId(1) });
    let bytes = telling("zk-tree");
    bytes.enter(ClientId(1), "set -b /box AP8=");
    session(&bytes, |session| session.seek(after(session, 300)).expect("a moment"));
    let show = |title, engine: &Engine| panel(title, Panel::Znodes, engine);
    vec![
        show("a run that has not begun", &begun()),
        show("a tree without a node of anybody", &telling("cold-start-5")),
        show("a tree", &telling("zk-tree")),
        show("a tree that is watched", &telling("zk-watch")),
        show("bytes that are no text", &bytes),
        picked("a server that is down", Panel::Znodes, &crashed, Selection::Server(ServerId(1))),
    ]
}

pub(super) fn sessions() -> Vec<Scene> {
    let show = |title, engine: &Engine| panel(title, Panel::Sessions, engine);
    vec![show("a run that has not begun", &begun()), show("clients that wait", &telling("lock-mutex"))]
}

/// So many milliseconds later than the moment of a session, or earlier.
fn after(session: &Session, ms: i64) -> SimTime {
    SimTime((session.cursor_us() as i64 + ms * 1_000) as u64)
}

pub(super) fn console() -> Vec<Scene> {
    let typed = telling("zk-tree");
    let client = *typed.session().world().clients.keys().next().expect("a client");
    typed.enter(client, "ls /");
    session(&typed, |session| session.seek(after(session, 200)).expect("a moment"));
    for line in ["config", "nonsense", "stat /nothing"] {
        typed.enter(client, line);
    }
    let rewound = telling("zk-tree");
    let later = |ms| session(&rewound, |session| session.seek(after(session, ms)).expect("a moment"));
    rewound.enter(client, "sync /");
    later(-100);
    later(500);
    rewound.enter(client, "create /again x");
    later(400);
    let show = |title, engine: &Engine| panel(title, Panel::Console, engine);
    vec![
        show("no client", &begun()),
        show("a client that waits for an answer", &typed),
        show("one that works again after time went back", &rewound),
    ]
}

pub(super) fn properties() -> Vec<Scene> {
    let broken = telling("minority-partition");
    let rule = Variation::Rule(Rule::Zab(BrokenRule::CommitAtMinority));
    let run = rule.apply(broken.session().player().run()).expect("a possible run");
    broken.load(run, None).expect("a possible run");
    let broken = until(broken, "a violation", |engine| engine.session().violations().next().is_some());
    let show = |title, engine: &Engine| panel(title, Panel::Properties, engine);
    let doubles = until(telling("lock-pause"), "two holders", |engine| engine.session().doubles().next().is_some());
    vec![
        show("a run that has not begun", &begun()),
        show("a broken rule", &broken),
        show("a lock that two believe to hold", &doubles),
    ]
}

/// A search for what a broken rule lets happen in three servers, after so many steps.
fn searched(rule: &str, goal: &str, budget: u64, steps: u64) -> Engine {
    let (engine, rules) = (begun(), Rule::named(rule).map(|rule| RuleSet::default().breaking(rule)));
    let run = Run::new(1, Setup { rules: rules.unwrap_or_default(), ..Setup::default() });
    let question = Question::new(run, goal.parse().expect("a goal"), budget);
    engine.put_search(Hunt::after(question, steps));
    engine
}

pub(super) fn search() -> Vec<Scene> {
    let show = |title, engine: &Engine| panel(title, Panel::Search, engine);
    vec![show("nothing was looked for", &begun()), show("a run of another system", &telling("redis-pause"))]
}

pub(super) fn sought() -> Vec<Scene> {
    let show = |title, engine: &Engine| panel(title, Panel::Search, engine);
    let stopped = searched("", "two-leaders", 2_000, 4_000);
    stopped.stop_search();
    vec![
        show("it tries", &searched("", "liveness", 2_000, 2_000)),
        show("it makes a find smaller", &searched("commit-at-minority", "durability", 300, 70_000)),
        show("found", &searched("commit-at-minority", "durability", 300, u64::MAX)),
        show("nothing found", &searched("", "any", 40, u64::MAX)),
        show("stopped", &stopped),
    ]
}

pub(super) fn logs() -> Vec<Scene> {
    let show = |title, engine: &Engine| panel(title, Panel::Logs, engine);
    vec![show("a run that has not begun", &begun()), show("a proposal that was lost", &telling("uncommitted-kept"))]
}

pub(super) fn inspect() -> Vec<Scene> {
    let engine = with_packet(telling("lock-mutex"));
    let packet = engine.flying()[0].msg;
    let commit = engine.session().run_summary().commits().next_back().expect("a commit").zxid;
    let has_logged = |engine: &Engine| {
        engine.scene().cards.iter().any(|card| card.id == ServerId(2) && card.last == Zxid::new(1, 10))
    };
    let logs = until(played("leader-crash-under-load", 1_020), "a proposal in the log of S2", has_logged);
    let show = |title, what| picked(title, Panel::Inspect, &engine, what);
    vec![
        panel("a run that has not begun", Panel::Inspect, &begun()),
        show("the ensemble", Selection::Nothing),
        show("the leader", Selection::Server(leader(&engine))),
        show("a link", Selection::Link(ServerId(1), ServerId(2))),
        show("a packet", Selection::Packet(packet)),
        show("a client", Selection::Client(ClientId(1))),
        show("a transaction", Selection::Transaction(commit)),
        show("a packet that nobody knows", Selection::Packet(MsgId(9_999_999))),
        picked("a follower that logs a proposal", Panel::Inspect, &logs, Selection::Server(ServerId(2))),
    ]
}

pub(super) fn charts() -> Vec<Scene> {
    let show = |title, engine: &Engine| panel(title, Panel::Chart, engine);
    vec![show("a run that has not begun", &begun()), show("locks that are handed over", &telling("lock-herd"))]
}

pub(super) fn menus() -> Vec<Scene> {
    let engine = with_packet(telling("lock-mutex"));
    let flying = engine.flying()[0].clone();
    let (packet, _) = engine.session().world().network.packet(flying.msg).expect("a packet on its way");
    let of = |title, engine: &Engine, picked| {
        scene(title, engine, Choices { picked, over: Overlay::Menu, ..Choices::default() })
    };
    let (one, two) = (ServerId(1), ServerId(2));
    let again = || with_packet(telling("lock-mutex"));
    let act = |action| did(again(), action);
    let wrong = did(act(Action::Pause { server: one }), Action::Crash { server: two });
    let cut = Action::Cut { from: [one].into_iter().collect(), to: [two].into_iter().collect(), one_way: true };
    vec![
        of("a server", &engine, Selection::Server(one)),
        of("a server that is paused", &wrong, Selection::Server(one)),
        of("a server that is down", &wrong, Selection::Server(two)),
        of("a link", &engine, Selection::Link(one, two)),
        of("a link that is cut one way", &act(cut), Selection::Link(one, two)),
        of("a packet", &engine, Selection::Packet(flying.msg)),
        of("a packet that is held", &act(Action::HoldPacket { packet }), Selection::Packet(flying.msg)),
        of("a packet that has arrived", &engine, Selection::Packet(MsgId(1))),
        of("a client", &engine, Selection::Client(ClientId(1))),
        of(
            "a client that is paused",
            &act(Action::PauseClient { client: ClientId(1) }),
            Selection::Client(ClientId(1)),
        ),
        of("a client that was closed", &closed(again()), Selection::Client(ClientId(1))),
    ]
}

fn closed(engine: Engine) -> Engine {
    let is_over = |engine: &Engine| {
        engine.scene().clients.iter().any(|client| client.id == ClientId(1) && client.face.is_over())
    };
    until(did(engine, Action::CloseClient { client: ClientId(1) }), "a closed client", is_over)
}

pub(super) fn dialogs() -> Vec<Scene> {
    let (engine, crash) = (telling("lock-mutex"), telling("leader-crash-under-load"));
    vec![
        over("help", &engine, Overlay::Help),
        over("a new run", &engine, Overlay::NewRun),
        over("another run beside this one", &engine, Overlay::Compare),
        over("share", &begun(), Overlay::Share),
        over("an action", &crash, Overlay::Edit(0, 1)),
        over("several actions", &crash, Overlay::Edit(0, 3)),
        over("a cut", &engine, Overlay::Partition),
        over("pictures", &engine, Overlay::Pictures),
    ]
}

pub(super) fn gallery() -> Vec<Scene> {
    let engine = telling("cold-start-3");
    let other = scenario("lock-mutex").expect("a scenario");
    engine.leaving(|engine| engine.choose(other, None, Vec::new(), None)).expect("a possible run");
    vec![over("a run was left", &engine, Overlay::Gallery)]
}

/// All lists of scenarios, properties and rules, and what is on the stage.
pub(super) fn lists() -> (Scene, &'static str) {
    let choices = Choices { over: Overlay::Compare, panel: Panel::Search, side: true, ..Choices::default() };
    (scene("a comparison and a search", &telling("lock-mutex"), choices), "lock-mutex")
}

pub(super) fn embedded() -> Vec<Scene> {
    let thin = Choices { controls: Controls::Minimal, ..Choices::default() };
    vec![scene("in somebody else's page", &telling("cold-start-3"), thin)]
}

pub(super) fn hall() -> Vec<Scene> {
    let dark = Choices { lecture: true, only_stage: true, dark: true, ..Choices::default() };
    vec![scene("a dark hall", &begun(), dark)]
}

pub(super) fn notice() -> Vec<Scene> {
    let engine = begun();
    engine.note(Some("S9".into()));
    vec![plain("a sentence about what did not work", &engine)]
}
