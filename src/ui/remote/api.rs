//! `window.zabscope`: the page for scripts. JSON values in and out; what is wrong is thrown as an `Error` with a
//! sentence, and then nothing has changed. Documented in `docs/api.md`.

use js_sys::{JSON, Object, Reflect};
use serde::Serialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

use crate::base::SimTime;
use crate::base::limits::MAX_TIME_MS;
use crate::scenarios::scenario;
use crate::sim::{Action, Run};

use crate::draw::PacketView;
use crate::i18n::title::title;

use crate::ui::engine::Engine;
use crate::ui::kit::browser::{document, lang_of_page, window};
use crate::ui::kit::rescue;
use crate::ui::remote::{find, lesson};

type Answer = Result<JsValue, JsValue>;

/// Puts `zabscope` on the window.
pub(in crate::ui) fn publish(engine: &Engine) {
    let api = Object::new();
    set(&api, "version", &env!("CARGO_PKG_VERSION").into());
    method(&api, "load", engine, load);
    method(&api, "play", engine, |engine, _| play(engine, true));
    method(&api, "pause", engine, |engine, _| play(engine, false));
    method(&api, "step", engine, step);
    method(&api, "stepBack", engine, step_back);
    method(&api, "seek", engine, seek);
    method(&api, "memory", engine, |_, _| Ok(memory().into()));
    method(&api, "undo", engine, |engine, _| change(engine, Engine::undo));
    method(&api, "redo", engine, |engine, _| change(engine, Engine::redo));
    method(&api, "act", engine, act);
    method(&api, "state", engine, |engine, _| out(&state(engine)));
    method(&api, "facts", engine, facts);
    method(&api, "digest", engine, |engine, _| Ok(engine.session().player().digest().into()));
    method(&api, "find", engine, find);
    method(&api, "packets", engine, |engine, _| out(&packets(engine)));
    method(&api, "panic", engine, die);
    set(&window(), "zabscope", &api);
}

fn set(object: &JsValue, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}

fn method(api: &Object, name: &str, engine: &Engine, body: fn(&Engine, JsValue) -> Answer) {
    let engine = engine.clone();
    let closure = Closure::<dyn Fn(JsValue) -> Answer>::new(move |argument| body(&engine, argument));
    set(api, name, closure.as_ref());
    closure.forget(); // it lives as long as the page
}

fn wrong(sentence: impl std::fmt::Display) -> JsValue {
    js_sys::Error::new(&sentence.to_string()).into()
}

fn out(value: &impl Serialize) -> Answer {
    let text = serde_json::to_string(value).map_err(wrong)?;
    JSON::parse(&text)
}

/// An argument as JSON text.
fn text(argument: &JsValue, what: &str) -> Result<String, JsValue> {
    let text = JSON::stringify(argument).ok().and_then(|text| text.as_string());
    text.ok_or_else(|| wrong(format_args!("{what}: a JSON value is needed")))
}

/// An argument that counts: a whole number from 0.
fn count(argument: &JsValue, what: &str, most: u64) -> Result<u64, JsValue> {
    let number = argument.as_f64().filter(|n| n.is_finite() && *n >= 0.0 && n.fract() == 0.0);
    match number {
        Some(number) if number <= most as f64 => Ok(number as u64),
        _ => Err(wrong(format_args!("{what}: a whole number from 0 to {most} is needed"))),
    }
}

/// `load(run | scenario id)`.
fn load(engine: &Engine, argument: JsValue) -> Answer {
    let (run, from) = match argument.as_string() {
        Some(id) => {
            let found = scenario(&id).ok_or_else(|| wrong(format_args!("load: there is no scenario '{id}'")))?;
            (found.run(), Some(found))
        }
        None => {
            let text = text(&argument, "load")?;
            (Run::from_json(&text).map_err(|error| wrong(format_args!("load: {error}")))?, None)
        }
    };
    engine.load(run, from).map_err(|error| wrong(format_args!("load: {error}")))?;
    Ok(JsValue::UNDEFINED)
}

fn play(engine: &Engine, on: bool) -> Answer {
    engine.change(|session| session.playing = on);
    Ok(JsValue::UNDEFINED)
}

/// `step(n = 1)`: takes steps, answers how many were taken.
fn step(engine: &Engine, argument: JsValue) -> Answer {
    let steps = if argument.is_undefined() { 1 } else { count(&argument, "step", 1_000_000)? };
    let taken = engine.change(|session| session.step(steps));
    Ok(JsValue::from_f64(taken as f64))
}

/// `stepBack(n = 1)`: takes steps back, answers how many.
fn step_back(engine: &Engine, argument: JsValue) -> Answer {
    let steps = if argument.is_undefined() { 1 } else { count(&argument, "stepBack", 1_000_000)? };
    let taken = engine.change(|session| session.step_back(steps));
    Ok(JsValue::from_f64(taken as f64))
}

/// `undo()` and `redo()`: whether there was something.
fn change(engine: &Engine, change: fn(&Engine) -> bool) -> Answer {
    Ok(change(engine).into())
}

/// `seek(ms)`.
fn seek(engine: &Engine, argument: JsValue) -> Answer {
    let until = SimTime::from_ms(count(&argument, "seek", MAX_TIME_MS)?);
    engine.change(|session| session.seek(until)).map_err(|error| wrong(format_args!("seek: {error}")))?;
    Ok(JsValue::UNDEFINED)
}

/// `act(action)`.
fn act(engine: &Engine, argument: JsValue) -> Answer {
    let text = text(&argument, "act")?;
    let action: Action = serde_json::from_str(&text).map_err(|error| wrong(format_args!("act: {error}")))?;
    engine.change(|session| session.act(action)).map_err(|error| wrong(format_args!("act: {error}")))?;
    Ok(JsValue::UNDEFINED)
}

/// `packets()`: the packets in the picture that is seen, as actions call them, and where they are in the window.
fn packets(engine: &Engine) -> Value {
    let stage = document().query_selector(".stage").ok().flatten().map(|stage| stage.get_bounding_client_rect());
    let (left, top) = stage.map_or((0.0, 0.0), |stage| (stage.left(), stage.top()));
    let one = |packet: &PacketView| {
        json!({
            "from": packet.from, "to": packet.to, "what": packet.what, "type": packet.name, "held": packet.pinned,
            "waits": packet.held, "x": left + packet.at.x, "y": top + packet.at.y,
        })
    };
    engine.flying().iter().map(one).collect()
}

/// `panic(how = "panic")`: stops the page on purpose.
fn die(engine: &Engine, argument: JsValue) -> Answer {
    let how = argument.as_string().unwrap_or_else(|| "panic".into());
    match rescue::die(|| engine.change(|_| panic!("zabscope.panic() was called")), &how) {
        true => Ok(JsValue::UNDEFINED),
        false => Err(wrong(format_args!("panic: '{how}' is not known: panic, trap and stack are"))),
    }
}

/// `find(question)`: a promise of runs that reach a goal.
fn find(engine: &Engine, argument: JsValue) -> Answer {
    let text = if argument.is_undefined() { "{}".into() } else { text(&argument, "find")? };
    let run = Run::clone(engine.session().world().run());
    let question = find::question(&text, run).map_err(|error| wrong(format_args!("find: {error}")))?;
    Ok(find::find(engine, question).into())
}

/// `facts(since = 0)`: the facts from that number on, as far as they are kept.
fn facts(engine: &Engine, argument: JsValue) -> Answer {
    let since = if argument.is_undefined() { 0 } else { count(&argument, "facts", 1 << 53)? };
    let session = engine.session();
    out(&session.facts().from(since).collect::<Vec<_>>())
}

/// The moment in numbers.
pub(in crate::ui) fn state(engine: &Engine) -> Value {
    let session = engine.session();
    let player = session.player();
    let summary = player.summary(session.violations().count());
    let servers: Vec<Value> = session.world().processes.values().map(server).collect();
    let speed = session.chosen_speed();
    json!({
        "time_us": session.cursor_us() as u64,
        "playing": session.playing,
        "speed": { "times": speed.times, "of": speed.of },
        "scenario": session.scenario().map(|scenario| scenario.id),
        "seed": player.run().seed,
        "events": summary.events,
        "facts": summary.facts,
        "leader": summary.leader,
        "epoch": summary.epoch,
        "committed": summary.committed,
        "last_committed": summary.last_committed,
        "narration": narration(engine),
        "violations": session.violations().collect::<Vec<_>>(),
        "double_holders": session.doubles().collect::<Vec<_>>(),
        "servers": servers,
        "actions": player.run().actions.len(),
        "known_events": session.known_events(),
        "futures": session.futures().len(),
        "lesson": lesson::state(engine),
    })
}

/// What the narration says, the number of the fact that it is about, and how long it has stood.
fn narration(engine: &Engine) -> Value {
    engine.told(|told, shown_ms, _| {
        told.map_or(Value::Null, |told| {
            let said = title(lang_of_page(), told);
            json!({ "title": said.title, "because": said.because, "seq": told.seq(), "shown_ms": shown_ms })
        })
    })
}

/// The memory of the page's WebAssembly, bytes: it grows and never shrinks.
fn memory() -> f64 {
    let buffer = Reflect::get(&wasm_bindgen::memory(), &"buffer".into()).unwrap_or_default();
    Reflect::get(&buffer, &"byteLength".into()).ok().and_then(|length| length.as_f64()).unwrap_or(0.0)
}

fn server(process: &crate::sim::Process) -> Value {
    let peer = process.server().map(|memory| &memory.peer);
    let (storage, files) = (peer.map(|peer| &peer.storage), process.files());
    json!({
        "id": process.id,
        "status": process.status,
        "role": peer.map(|peer| peer.state()),
        "phase": peer.map_or(Value::Null, |peer| json!(peer.phase())),
        "serving": peer.is_some_and(|peer| peer.is_serving()),
        "accepted_epoch": storage.map(|storage| storage.accepted_epoch).or(files.map(|files| files.accepted_epoch)),
        "current_epoch": storage.map(|storage| storage.current_epoch).or(files.map(|files| files.current_epoch)),
        "last_logged": files.map(|files| files.last_logged()),
        "last_processed": storage.map(|storage| storage.last_processed),
    })
}
