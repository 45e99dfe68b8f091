//! The talk with the page around this one, if there is one: its messages come in, ours go out. What may be said is read in
//! [`crate::ui::remote::messages`]; who may say it is decided here: only the parent, and after its first greeting only from the
//! origin of that. Ours go to that origin, or through the port that came with the greeting; never to whoever listens.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{JsString, Object, Reflect};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use web_sys::{KeyboardEvent, MessageEvent, MessagePort, Window};

use crate::i18n::page::trouble_words;
use crate::i18n::{Interest, Lang, interest, narrate};
use crate::share::encode;
use crate::sim::Record;
use crate::story_files::are_there;
use crate::timeline::Session;
use crate::timeline::milestones as turns;
use crate::timeline::milestones::Reader;
use crate::ui::remote::messages::{
    Command, Load, Loaded, Look, MAX_MESSAGE_BYTES, Moment, PROTOCOL, Telling, Wrong, read,
};

use crate::ui::engine::{Engine, Hidden, LessonNews, ListenerGroup, Listening};
use crate::ui::kit::browser::{Listener, document, lang_of_page, preferred_theme, window};
use crate::ui::kit::wear::Theme;
use crate::ui::page::panel::Panel;
use crate::ui::page::state::{PageContext, UiAction};
use crate::ui::remote::sight::{self, Sight};
use crate::ui::remote::{api, lesson};

/// Most facts in one message; of more the newest.
const FACTS_AT_ONCE: usize = 200;
/// Most facts in the answer to a question.
const FACTS_ASKED: usize = 2_000;
/// Most turning points that are told at once; of more the newest.
const TURNS_AT_ONCE: usize = 20;
/// Most commands that wait for stories.
const WAITING_MOST: usize = 1_000;

/// The page around this one.
struct Host {
    parent: Window,
    origin: String,
    /// Where the greeting brought one: the way to a host that has no origin, as one from a file.
    port: Option<MessagePort>,
    facts: Telling,
    reader: Reader,
    /// The state that it was told last, and where the lesson was then.
    state: Value,
    lesson: Option<LessonNews>,
}

thread_local! {
    static HOST: RefCell<Option<Host>> = const { RefCell::new(None) };
    /// Commands behind one that waits for stories.
    static WAITING: RefCell<Vec<(Option<u64>, Command)>> = const { RefCell::new(Vec::new()) };
}

/// What lives as long as the page listens.
pub(in crate::ui) struct Attention {
    _shown: Listener,
    _printed: Listener,
    _heard: Option<(Listener, Listening, Sight)>,
}

/// Begins to listen: to the browser, which may hide the page, and to the page around this one.
pub(in crate::ui) fn attend(context: &PageContext) -> Attention {
    let engine = context.engine.clone();
    engine.hide(Hidden::Document, document().hidden());
    let still = engine.clone();
    let printed = Listener::new(&window(), "beforeprint", move |_| {
        sight::remember_size();
        still.still();
    });
    let shown = Listener::new(&document(), "visibilitychange", move |_| {
        engine.hide(Hidden::Document, document().hidden());
    });
    let parent = window().parent().ok().flatten().filter(|parent| *parent != window());
    let heard = parent.map(|parent| {
        let (context, engine) = (context.clone(), context.engine.clone());
        let listener = Listener::new(&window(), "message", move |event| {
            if let Ok(event) = event.dyn_into::<MessageEvent>() {
                hear(&context, &parent, &event);
            }
        });
        let told = engine.clone();
        (listener, engine.listen(ListenerGroup::Stage, Rc::new(move || tell(&told))), Sight::of(engine.clone()))
    });
    Attention { _shown: shown, _printed: printed, _heard: heard }
}

fn hear(context: &PageContext, parent: &Window, event: &MessageEvent) {
    if !event.source().is_some_and(|source| Object::is(&source, parent)) {
        return;
    }
    let origin = event.origin();
    let known = HOST.with_borrow(|host| host.as_ref().map(|host| host.origin == origin));
    if known == Some(false) {
        return;
    }
    let Some(text) = event.data().dyn_ref::<JsString>().cloned() else {
        // what other programs send each other as objects is none of our business
        if Reflect::has(&event.data(), &"zabscope".into()).unwrap_or(false) {
            complain(None, "a message is a text: JSON.stringify makes one");
        }
        return;
    };
    if text.length() as usize > MAX_MESSAGE_BYTES {
        return complain(None, &format!("a message has at most {MAX_MESSAGE_BYTES} bytes"));
    }
    match String::from(text).as_str() {
        "slide:start" => context.engine.hide(Hidden::Slide, false),
        "slide:stop" => context.engine.hide(Hidden::Slide, true),
        text => match read(text) {
            Ok(message) => match message.command {
                Command::Hello { facts } => {
                    let port = event.ports().get(0).dyn_into::<MessagePort>().ok();
                    greet(&context.engine, parent.clone(), origin, port, facts);
                }
                command if known.is_some() => take(context, message.id, command),
                _ => {}
            },
            Err(Wrong { id, why }) => complain(id, &why),
        },
    }
}

fn greet(engine: &Engine, parent: Window, origin: String, port: Option<MessagePort>, facts: Telling) {
    let mut reader = Reader::default();
    reader.read(&engine.session());
    let state = state(engine);
    let ready = json!({
        "zabscope": PROTOCOL, "tell": "ready", "page": env!("CARGO_PKG_VERSION"), "state": state,
    });
    let lesson = engine.lesson_news();
    HOST.set(Some(Host { parent, origin, port, facts, reader, state, lesson }));
    post(&ready);
}

/// Sends a message to the host; whether there is one.
fn post(message: &Value) -> bool {
    HOST.with_borrow(|host| {
        let Some(host) = host else { return false };
        let text = JsValue::from(message.to_string());
        let sent = match &host.port {
            Some(port) => port.post_message(&text),
            // a host without an origin cannot be named; without a port it hears nothing
            None if host.origin == "null" => return false,
            None => host.parent.post_message(&text, &host.origin),
        };
        sent.is_ok()
    })
}

fn answer(id: Option<u64>, value: &Value) {
    if let Some(id) = id {
        post(&json!({ "zabscope": PROTOCOL, "tell": "answer", "id": id, "value": value }));
    }
}

fn complain(id: Option<u64>, why: &str) {
    post(&json!({ "zabscope": PROTOCOL, "tell": "error", "id": id, "why": why }));
}

// ---- commands

/// Does what is asked. What needs stories that are not there waits for them, and so does all that comes behind it.
fn take(context: &PageContext, id: Option<u64>, command: Command) {
    let lacks = matches!(&command, Command::Load(load) if load.needs_stories()) && !are_there();
    let waiting = WAITING.with_borrow(Vec::len);
    match waiting {
        0 if !lacks => answer_with(id, obey(context, command)),
        WAITING_MOST.. => complain(id, "too many messages wait"),
        _ => WAITING.with_borrow_mut(|all| all.push((id, command))),
    }
    if waiting == 0 && lacks {
        let context = context.clone();
        context.engine.clone().with_stories(move |_, _| {
            for (id, command) in WAITING.take() {
                answer_with(id, obey(&context, command));
            }
        });
    }
}

fn answer_with(id: Option<u64>, done: Result<Value, String>) {
    match done {
        Ok(value) => answer(id, &value),
        Err(why) => complain(id, &why),
    }
}

fn obey(context: &PageContext, command: Command) -> Result<Value, String> {
    let engine = &context.engine;
    let done = match command {
        Command::Hello { .. } => Ok(()), // greeted where it arrived
        Command::Play(on) => {
            // what stands there until a lesson begins is not its run
            let on = on && !engine.awaits_lesson();
            engine.change(|session| session.playing = on);
            Ok(())
        }
        Command::Step { count, back, turns: by_turns } => engine.change(|session| {
            session.playing = false;
            match (back, by_turns) {
                (false, true) => turns::forth(session, count),
                (true, true) => turns::back(session, count),
                (true, false) => {
                    session.step_back(count);
                    Ok(())
                }
                (false, false) => {
                    session.step(count);
                    Ok(())
                }
            }
        }),
        Command::Seek(moment) => go(engine, moment),
        Command::Act(action) => engine.try_act(*action),
        Command::Load(load) => return open(engine, *load).map(|()| Value::Null),
        Command::Set(look) => {
            dress(context, &look);
            Ok(())
        }
        Command::Shown(on) => {
            engine.hide(Hidden::Host, !on);
            Ok(())
        }
        Command::State => return Ok(whole_state(engine)),
        Command::Link => return link(context).map(Value::String),
        Command::Facts(since) => return Ok(facts(engine, since)),
        Command::Beat(beat) => return lesson::go_to(engine, &beat).map(|()| Value::Null),
        Command::Answer(given) => return lesson::answer(engine, &given).map(|()| Value::Null),
        Command::Reveal => return lesson::reveal(engine).map(|()| Value::Null),
    };
    done.map(|()| Value::Null).map_err(|error| error.to_string())
}

/// What stands behind `#` in a link to this moment.
fn link(context: &PageContext) -> Result<String, String> {
    encode(&context.engine.pair().moment(Default::default())).map_err(|error| trouble_words(Lang::En, &error))
}

/// Goes to a moment, whether time runs or not. Whoever asked is answered when it is there.
pub(in crate::ui) fn go(engine: &Engine, moment: Moment) -> Result<(), crate::sim::RunError> {
    engine.change(|session| match moment {
        Moment::At(at) => session.seek(at),
        Moment::Milestone(number) => session.seek_turn(number),
    })
}

fn open(engine: &Engine, load: Load) -> Result<(), String> {
    let is_scene = matches!(load.what, Loaded::Scenario { .. });
    let loaded = match load.what {
        Loaded::Scenario { scenario, beside, given, seed } => engine.choose(scenario, beside, given, seed),
        Loaded::Rule(_) if !are_there() => return Err(lesson::MISSING.into()),
        Loaded::Rule(rule) => engine.show_rule(rule),
        Loaded::Run(run) => engine.load(*run, None),
        Loaded::Link(link) => {
            // replaced, so that the way back through the deck's slides has no stop here
            return window().location().replace(&format!("#{link}")).map_err(|_| "link: not an address".to_string());
        }
        Loaded::Lesson { lesson, beat } => return lesson::open(engine, &lesson, beat),
    };
    loaded.map_err(|error| error.to_string())?;
    // the host wants another run, not a lesson beside it
    engine.end_lesson();
    if let Some(play) = load.play {
        engine.change(|session| session.playing = play);
    }
    let gone = match load.from {
        Some(moment) => go(engine, moment),
        None if is_scene => engine.open_scene(),
        None => Ok(()),
    };
    gone.map_err(|error| error.to_string())
}

fn dress(context: &PageContext, look: &Look) {
    let choose = |choice| context.choose.dispatch(choice);
    if let Some(lang) = look.lang.as_deref().and_then(Lang::from_tag) {
        choose(UiAction::Lang(lang));
    }
    match look.theme.as_deref() {
        Some("light") => choose(UiAction::Theme(Theme::Light)),
        Some("dark") => choose(UiAction::Theme(Theme::Dark)),
        Some(_) => choose(UiAction::Theme(preferred_theme())),
        None => {}
    }
    match look.panel.as_deref() {
        Some("none") => choose(UiAction::Side(false)),
        Some(name) => Panel::named(name).into_iter().for_each(|panel| choose(UiAction::Panel(panel))),
        None => {}
    }
    if let Some(controls) = look.controls {
        choose(UiAction::Controls(controls));
    }
    if let Some(deck) = look.deck_keys {
        choose(UiAction::DeckKeys(deck));
    }
    if let Some(speed) = look.speed {
        context.engine.change(|session| session.speed = speed);
    }
}

// ---- what the host hears

/// The state in short: what is told whenever it changes.
fn state(engine: &Engine) -> Value {
    let beside = engine.pair().right().and_then(Session::scenario).map(|scenario| scenario.id);
    let session = engine.session();
    let summary = session.player().summary(session.violations().count());
    let speed = session.chosen_speed();
    json!({
        "time_us": session.cursor_us() as u64,
        "turn": session.turn(),
        "playing": session.playing,
        "shown": !engine.is_hidden(),
        "speed": { "times": speed.times, "of": speed.of },
        "scenario": session.scenario().map(|scenario| scenario.id),
        "beside": beside,
        "seed": session.player().run().seed,
        "events": summary.events,
        "leader": summary.leader,
        "epoch": summary.epoch,
        "committed": summary.committed,
        "violations": summary.violations,
        "lesson": lesson::state(engine),
    })
}

/// The state at length, as `window.zabscope.state()` has it, and what only a host asks for.
fn whole_state(engine: &Engine) -> Value {
    let mut whole = api::state(engine);
    let short = state(engine);
    for name in ["turn", "shown", "beside"] {
        whole[name] = short[name].clone();
    }
    whole
}

fn facts(engine: &Engine, since: u64) -> Value {
    let session = engine.session();
    let facts: Vec<&Record> = session.facts().from(since).take(FACTS_ASKED).collect();
    let next = facts.last().map_or(since.min(session.next_seq()), |last| last.seq + 1);
    json!({ "facts": facts, "next": next })
}

/// Tells the host what is new: at most ten times a second while time runs, since the stage is told no more often.
fn tell(engine: &Engine) {
    let mut news = Vec::new();
    HOST.with_borrow_mut(|host| {
        let Some(host) = host else { return };
        let session = engine.session();
        let (turned, since) = host.reader.read(&session);
        news.extend(new_facts(&session, since, host.facts));
        let points: Vec<_> = turned.chunk_by(|(a, _), (b, _)| a == b).collect();
        news.extend(points[points.len().saturating_sub(TURNS_AT_ONCE)..].iter().map(|point| turning_point(point)));
        drop(session);
        let state = state(engine);
        if state != host.state {
            news.push(json!({ "zabscope": PROTOCOL, "tell": "state", "state": state }));
            host.state = state;
        }
        let lesson = engine.lesson_news();
        if lesson != host.lesson {
            for mut told in lesson::news(host.lesson.as_ref(), lesson.as_ref()) {
                told["zabscope"] = json!(PROTOCOL);
                news.push(told);
            }
            host.lesson = lesson;
        }
    });
    for message in &news {
        post(message);
    }
}

/// The facts since a number, in one message; none where there are none.
fn new_facts(session: &Session, since: u64, which: Telling) -> Option<Value> {
    let wanted = |record: &&Record| match which {
        Telling::None => false,
        Telling::Told => interest(record) != Interest::Noise,
        Telling::All => true,
    };
    let kept = session.facts().from(since);
    // a long jump leaves most of what lies on its way behind
    let passed = session.next_seq().saturating_sub(since).saturating_sub(kept.len() as u64);
    let facts: Vec<&Record> = kept.filter(wanted).collect();
    let more = facts.len().saturating_sub(FACTS_AT_ONCE);
    (!facts.is_empty()).then(|| {
        let (facts, skipped) = (&facts[more..], passed + more as u64);
        json!({ "zabscope": PROTOCOL, "tell": "facts", "facts": facts, "skipped": skipped })
    })
}

/// A turning point: its number, its facts, and what narration says of them.
fn turning_point(point: &[(u64, &Record)]) -> Value {
    let lang = lang_of_page();
    let said = |(_, record): &(u64, &Record)| {
        narrate(lang, record).map_or(Value::Null, |said| json!({ "what": said.what, "why": said.why }))
    };
    json!({
        "zabscope": PROTOCOL,
        "tell": "step",
        "turn": point.first().map(|(number, _)| number),
        "at_us": point.first().map(|(_, record)| record.at_us),
        "facts": point.iter().map(|(_, record)| record).collect::<Vec<_>>(),
        "said": point.iter().map(said).collect::<Vec<_>>(),
    })
}

/// Hands a key that turns slides to the host; whether that was done. What needs the key itself keeps it, and Escape goes out only
/// where nothing is open that it would close.
pub(in crate::ui) fn hand_over(event: &KeyboardEvent, closable: bool) -> bool {
    let key = event.key();
    let needed = || {
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let close =
            |target: web_sys::Element| target.closest("input, select, textarea, [role=menu], [role=tree]").ok();
        event.default_prevented() || event.shift_key() || target.and_then(close).flatten().is_some()
    };
    let goes = match key.as_str() {
        "PageUp" | "PageDown" => true,
        "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" => !needed(),
        "Escape" => !closable,
        _ => false,
    };
    let message = || {
        json!({
            "zabscope": PROTOCOL, "tell": "key", "key": key, "code": event.code(), "key_code": event.key_code(),
        })
    };
    goes && !event.ctrl_key() && !event.alt_key() && !event.meta_key() && post(&message())
}
