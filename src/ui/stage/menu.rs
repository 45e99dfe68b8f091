//! The menu of a server or a link: what can be done to it.

use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::HtmlElement;
use yew::prelude::*;

use crate::base::{Arrange, ClientId, MsgId, ServerId, ServerSet};
use crate::draw::Point;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::sim::{Action, DiskFault, LatencyRange, Status};
use crate::view::LinkView;
use crate::wire::Request;
use crate::zab::Members;

use crate::ui::engine::Engine;
use crate::ui::kit::browser::place;
use crate::ui::kit::focus::focused;
use crate::ui::page::panel::Panel;
use crate::ui::page::state::{Overlay, PageContext, Selection, UiAction, use_page_context};
use crate::ui::stage::client_menu::{as_superuser, client_entries, new_client};
use crate::ui::stage::packet_menu::{packet_entries, packet_title, packets_between, use_still_time};

/// More lines than this stand in two columns.
const COLUMN: usize = 7;

/// What the stage tells the menu.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
    pub picked: Selection,
}

/// The groups of a menu. They stand in the order of their first lines: what one mostly came for comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::ui) enum Kind {
    Process,
    Network,
    Disk,
    Look,
    Failure,
}

impl Kind {
    fn word(self, lang: Lang) -> &'static str {
        let words = page(lang);
        match self {
            Kind::Process => words.menu_process,
            Kind::Network => words.menu_network,
            Kind::Disk => words.menu_disk,
            Kind::Look => words.menu_look,
            Kind::Failure => words.menu_failure,
        }
    }
}

/// A line of a menu: its group, its word, the key that does the same, and what it does.
#[derive(Clone, Debug)]
pub(in crate::ui) struct Entry {
    kind: Kind,
    pub word: String,
    pub key: &'static str,
    pub does: MenuItem,
}

impl Entry {
    pub(crate) fn new(kind: Kind, word: impl Into<String>, key: &'static str, does: MenuItem) -> Entry {
        Entry { kind, word: word.into(), key, does }
    }

    /// The line that opens the inspector.
    pub(crate) fn inspect(lang: Lang) -> Entry {
        Entry::new(Kind::Look, page(lang).act_inspect, "", MenuItem::Inspect)
    }
}

/// What choosing a word does.
#[derive(Clone, Debug)]
pub(in crate::ui) enum MenuItem {
    /// Something in the run.
    Act(Action),
    /// Several things in the run, at once.
    ActAll(Vec<Action>),
    /// A look at what is picked.
    Inspect,
    /// A client's console, ready to be typed in.
    Console(ClientId),
    /// The menu of a packet.
    Packet(MsgId),
    /// The form that splits the ensemble.
    Partition,
}

/// The other servers.
fn others(engine: &Engine, id: ServerId) -> ServerSet {
    engine.servers().into_iter().filter(|other| *other != id).collect()
}

fn one(id: ServerId) -> ServerSet {
    [id].into_iter().collect()
}

/// Whether every link of a server is cut.
fn is_isolated(links: &[LinkView], id: ServerId) -> bool {
    let mut mine = links.iter().filter(|link| link.a == id || link.b == id).peekable();
    mine.peek().is_some() && mine.all(|link| link.cut_ab && link.cut_ba)
}

/// Cuts a server off, or brings it back.
pub(in crate::ui) fn isolate(engine: &Engine, id: ServerId) -> Action {
    let isolated = is_isolated(&engine.scene().links, id);
    let (from, to) = (one(id), others(engine, id));
    match isolated {
        true => Action::Heal { from, to, one_way: false },
        false => Action::Cut { from, to, one_way: false },
    }
}

/// Crash or restart.
pub(in crate::ui) fn toggle_crash(engine: &Engine, server: ServerId) -> Option<Action> {
    let status = engine.session().world().processes.get(&server)?.status;
    Some(if status == Status::Crashed { Action::Restart { server } } else { Action::Crash { server } })
}

/// Pause or resume; nothing for a crashed one.
pub(in crate::ui) fn toggle_pause(engine: &Engine, server: ServerId) -> Option<Action> {
    match engine.session().world().processes.get(&server)?.status {
        Status::Running => Some(Action::Pause { server }),
        Status::Paused => Some(Action::Resume { server }),
        Status::Crashed => None,
    }
}

/// A write with a text made from its place in the run.
pub(in crate::ui) fn write_at(engine: &Engine, server: ServerId, text: &str, lang: Lang) -> Action {
    let count = engine.session().player().run().actions.len() + 1;
    let data = match text.trim() {
        "" => fill(page(lang).write_default, &[&count]),
        text => text.to_string(),
    };
    Action::Write { server, data, count: 1, every_us: 0 }
}

fn server_entries(engine: &Engine, id: ServerId, lang: Lang) -> Vec<Entry> {
    let words = page(lang);
    let (status, disk, fault, usual, oracle) = {
        let session = engine.session();
        let Some(process) = session.world().processes.get(&id) else { return Vec::new() };
        let oracle = process.files().and_then(|files| files.oracle);
        (process.status, process.disk.sync, process.disk.fault, session.world().setup().disk_sync, oracle)
    };
    let isolated = is_isolated(&engine.scene().links, id);
    let crashed = status == Status::Crashed;
    let mut entries: Vec<Entry> = Vec::new();
    let mut add = |kind: Kind, word: &str, key, action: Option<Action>| {
        entries.extend(action.map(|action| Entry::new(kind, word, key, MenuItem::Act(action))));
    };
    if crashed {
        add(Kind::Process, words.act_restart, "C", toggle_crash(engine, id));
    } else {
        add(Kind::Failure, words.act_crash, "C", toggle_crash(engine, id));
        add(Kind::Failure, words.act_kill, "K", Some(Action::Kill { server: id }));
        add(Kind::Failure, words.act_power_off, "O", Some(Action::PowerOff { server: id }));
        let word = if status == Status::Paused { words.act_resume } else { words.act_pause };
        add(Kind::Process, word, "P", toggle_pause(engine, id));
        // what to write to another system its console takes
        add(Kind::Process, words.act_write, "W", id.is_valid().then(|| write_at(engine, id, "", lang)));
        add(Kind::Process, words.act_clock, "", Some(Action::ClockJump { server: id, ms: 10_000 }));
    }
    add(Kind::Process, words.new_client_here, "N", new_client(engine, vec![id]));
    if engine.servers().len() > 1 {
        let word = if isolated { words.act_rejoin } else { words.act_isolate };
        add(Kind::Network, word, "X", Some(isolate(engine, id)));
    }
    let slow = LatencyRange { min_us: usual.min_us * 10, max_us: usual.max_us * 10 };
    let (word, sync) = if disk == usual { (words.act_slow_disk, slow) } else { (words.act_usual_disk, usual) };
    add(Kind::Disk, word, "", Some(Action::Disk { server: id, sync }));
    let faults: &[(&str, DiskFault)] = match fault {
        DiskFault::None => &[(words.act_fill_disk, DiskFault::Full), (words.act_break_disk, DiskFault::Error)],
        _ => &[(words.act_mend_disk, DiskFault::None)],
    };
    for &(word, fault) in faults {
        add(Kind::Disk, word, "", Some(Action::DiskFault { server: id, fault }));
    }
    if let Some(grants) = oracle {
        let action = Action::Oracle { server: id, grants: !grants };
        add(Kind::Process, &fill(words.act_oracle, &[&u8::from(!grants)]), "", Some(action));
    }
    add(Kind::Disk, words.act_back_up, "", Some(Action::BackUpDisk { server: id }));
    if crashed {
        add(Kind::Disk, words.act_restore, "", Some(Action::RestoreBackup { server: id }));
        add(Kind::Failure, words.act_wipe, "", Some(Action::WipeDisk { server: id }));
    } else {
        let asked = Action::FourLetter { server: id, word: "srvr".into(), client: None };
        let asked = id.is_valid().then_some(asked);
        add(Kind::Look, &fill(words.act_ask, &[&"srvr"]), "", asked);
    }
    entries.extend(reconfig_entry(engine, id, lang));
    if engine.servers().len() > 1 {
        entries.push(Entry::new(Kind::Network, words.act_partition, "", MenuItem::Partition));
    }
    let number = id.to_string().strip_prefix('C').and_then(|number| number.parse().ok());
    entries
        .extend(number.map(|number| Entry::new(Kind::Look, words.console, "/", MenuItem::Console(ClientId(number)))));
    entries.push(Entry::inspect(lang));
    entries
}

/// A server with a vote, as a configuration file names it.
fn line_of(id: ServerId) -> String {
    let mut alone = Members::new(one(id), ServerSet::EMPTY);
    alone.client_ports[usize::from(id.0)] = 10_000 + u16::from(id.0);
    alone.to_string().lines().next().unwrap_or_default().to_string()
}

/// The server gets a vote, or leaves the ensemble, where it may be reconfigured.
fn reconfig_entry(engine: &Engine, id: ServerId, lang: Lang) -> Option<Entry> {
    let member = {
        let session = engine.session();
        let world = session.world();
        world.setup().reconfig_enabled.then(|| world.members.all().contains(id))?
    };
    let (word, joining, leaving): (_, Option<Rc<str>>, Option<Rc<str>>) = match member {
        true => (page(lang).act_leave, None, Some(id.0.to_string().into())),
        false => (page(lang).act_join, Some(line_of(id).into()), None),
    };
    let request = Request::Reconfig { joining, leaving, members: None, version: -1 };
    Some(Entry::new(Kind::Process, fill(word, &[&id.0]), "", MenuItem::ActAll(as_superuser(engine, request)?)))
}

fn link_entries(engine: &Engine, a: ServerId, b: ServerId, lang: Lang) -> Vec<Entry> {
    let words = page(lang);
    let Some(link) = engine.scene().links.iter().find(|link| (link.a, link.b) == (a, b)).copied() else {
        return Vec::new();
    };
    let cut = |from, to, one_way| MenuItem::Act(Action::Cut { from: one(from), to: one(to), one_way });
    let line = |word: &str, key, does| Entry::new(Kind::Network, word, key, does);
    let mut entries = Vec::new();
    if !(link.cut_ab && link.cut_ba) {
        entries.push(line(words.act_cut, "X", cut(a, b, false)));
    }
    if link.is_open() {
        entries.push(line(&fill(words.act_cut_one, &[&a, &b]), "", cut(a, b, true)));
        entries.push(line(&fill(words.act_cut_one, &[&b, &a]), "", cut(b, a, true)));
    } else {
        let key = if link.cut_ab && link.cut_ba { "X" } else { "" };
        let heal = Action::Heal { from: one(a), to: one(b), one_way: false };
        entries.push(line(words.act_heal, key, MenuItem::Act(heal)));
    }
    let usual = engine.session().world().setup().latency;
    let range = LatencyRange { min_us: usual.min_us * 5, max_us: usual.max_us * 5 };
    let (word, range) = if link.slow { (words.act_usual, usual) } else { (words.act_slow, range) };
    entries.push(line(word, "", MenuItem::Act(Action::Latency { from: one(a), to: one(b), range })));
    entries.extend(packets_between(engine, a.into(), b.into(), lang));
    entries.push(Entry::inspect(lang));
    entries
}

/// Where a menu of some size fits: beside what it belongs to, so that this stays in sight; below or above where the stage is narrow.
fn spot(engine: &Engine, picked: Selection, (width, height): (f64, f64)) -> Point {
    let layout = engine.layout();
    let half = |(wide, high): (f64, f64)| (wide / 2.0 + 8.0, high / 2.0 + 8.0);
    let (at, (beside, below)) = match picked {
        Selection::Server(id) => (layout.place(id), half(layout.size(id.into()))),
        Selection::Link(a, b) => (layout.handle(a, b), (16.0, 16.0)),
        Selection::Client(id) => (layout.place(id), half(layout.chip.size())),
        Selection::Packet(id) => (engine.place_of(id).unwrap_or(layout.middle()), (22.0, 22.0)),
        _ => (layout.middle(), (0.0, 0.0)),
    };
    let on_stage = |from: f64, size: f64, all: f64| from.min(all - size - 4.0).max(4.0);
    let (right, left) = (at.x + beside, at.x - beside - width);
    if right + width + 4.0 <= layout.width || left >= 4.0 {
        let x = if right + width + 4.0 <= layout.width { right } else { left };
        return Point::new(x, on_stage(at.y - height / 2.0, height, layout.height));
    }
    let top = if at.y + below + height <= layout.height { at.y + below } else { at.y - below - height };
    Point::new(on_stage(at.x - width / 2.0, width, layout.width), top.max(4.0))
}

/// What a menu is of, and what can be done there.
pub(in crate::ui) fn entries(engine: &Engine, picked: Selection, lang: Lang) -> (String, Vec<Entry>) {
    let (title, mut entries) = match picked {
        Selection::Server(id) => (id.to_string(), server_entries(engine, id, lang)),
        Selection::Link(a, b) => (format!("{a}–{b}"), link_entries(engine, a, b, lang)),
        Selection::Client(id) => (id.to_string(), client_entries(engine, id, lang)),
        Selection::Packet(id) => (packet_title(engine, id, lang), packet_entries(engine, id, lang)),
        _ => (String::new(), Vec::new()),
    };
    let kinds: Vec<Kind> = entries.iter().map(|entry| entry.kind).collect();
    entries.arrange_by_key(|entry| kinds.iter().position(|kind| *kind == entry.kind));
    (title, entries)
}

/// The menu.
#[component]
pub(in crate::ui) fn Menu(props: &Props) -> Html {
    let context = use_page_context();
    let node = use_node_ref();
    let (title, entries) = entries(&context.engine, props.picked, props.lang);
    let packet = matches!(props.picked, Selection::Packet(_));
    use_still_time(&context.engine, packet);
    use_effect_with(node.clone(), give_back);
    let engine = context.engine.clone();
    use_effect_with((node.clone(), props.picked, entries.len()), move |(node, picked, _)| {
        if let Some(element) = node.cast::<HtmlElement>() {
            let size = (f64::from(element.offset_width()), f64::from(element.offset_height()));
            let at = spot(&engine, *picked, size);
            place(&element, at.x, at.y, None, None);
            focus_first(&element);
        }
    });
    let label = fill(page(props.lang).menu_of, &[&title]);
    // so many lines would be higher than many a stage
    let class = classes!("menu", (entries.len() > COLUMN).then_some("two"));
    let group = |lines: &[Entry]| {
        let word = lines[0].kind.word(props.lang);
        html! {
            <section key={word}>
                <h3 aria-hidden="true">{ word }</h3>
                <ul role="group" aria-label={word}>{ for lines.iter().map(|line| entry(&context, line)) }</ul>
            </section>
        }
    };
    html! {
        <div {class} ref={node.clone()} onkeydown={walk(&node)}
            onclick={|event: MouseEvent| event.stop_propagation()}>
            <h2>{ title }</h2>
            <div role="menu" aria-label={label}>{ for entries.chunk_by(|one, next| one.kind == next.kind).map(group) }</div>
            if packet {
                <p class="note">{ page(props.lang).packet_note }</p>
            }
        </div>
    }
}

/// A menu that goes gives the focus back to what it came from, unless something else has taken it. Who works with a pointer gets it on
/// the stage as a whole: on a button Space would open a menu, where it is to play.
fn give_back(menu: &NodeRef) -> impl FnOnce() + use<> {
    let (before, menu) = (focused(), menu.cast::<web_sys::Element>());
    let stage = menu.as_ref().and_then(|menu| menu.closest(".stage").ok()?);
    let by_keys = before.as_ref().is_some_and(|before| before.matches(":focus-visible").unwrap_or(true));
    move || {
        let lost = focused()
            .is_none_or(|now| now.tag_name() == "BODY" || menu.is_some_and(|menu| menu.contains(Some(now.as_ref()))));
        let back = if by_keys { before } else { stage.map(JsCast::unchecked_into) };
        if let Some(back) = back.filter(|_| lost) {
            let _ = back.focus();
        }
    }
}

fn focus_first(menu: &web_sys::Element) {
    if let Some(first) = menu.query_selector("button").ok().flatten() {
        let _ = wasm_bindgen::JsCast::dyn_into::<HtmlElement>(first).map(|button| button.focus());
    }
}

/// Arrow keys walk through a menu, from group to group.
fn walk(menu: &NodeRef) -> Callback<KeyboardEvent> {
    let menu = menu.clone();
    Callback::from(move |event: KeyboardEvent| {
        let all = menu.cast::<web_sys::Element>().and_then(|menu| menu.query_selector_all("button").ok());
        let (Some(all), Some(target)) = (all, event.target_dyn_into::<web_sys::Node>()) else { return };
        let Some(at) = (0..all.length()).find(|&at| all.get(at).as_ref() == Some(&target)) else { return };
        let next = match event.key().as_str() {
            "ArrowDown" => all.get(at + 1),
            "ArrowUp" => at.checked_sub(1).and_then(|before| all.get(before)),
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        if let Some(next) = next.and_then(|next| next.dyn_into::<HtmlElement>().ok()) {
            let _ = next.focus();
        }
    })
}

/// Does what a line says.
pub(super) fn carry_out(context: &PageContext, deed: &MenuItem) {
    let (engine, choose) = (&context.engine, &context.choose);
    match deed {
        MenuItem::Act(action) => engine.act(action.clone()),
        MenuItem::ActAll(actions) => actions.iter().for_each(|action| engine.act(action.clone())),
        MenuItem::Inspect => choose.dispatch(UiAction::Panel(Panel::Inspect)),
        MenuItem::Console(client) => {
            choose.dispatch(UiAction::Client(*client));
            choose.dispatch(UiAction::Console);
        }
        MenuItem::Packet(packet) => {
            engine.change(|session| session.packet = Some(*packet));
            return choose.dispatch(UiAction::Open(Selection::Packet(*packet)));
        }
        MenuItem::Partition => return choose.dispatch(UiAction::Overlay(Overlay::Partition)),
    }
    choose.dispatch(UiAction::Overlay(Overlay::Nothing));
}

fn entry(context: &PageContext, line: &Entry) -> Html {
    let Entry { word, key, does: deed, .. } = line.clone();
    let context = context.clone();
    let chosen = Callback::from(move |event: MouseEvent| {
        event.stop_propagation();
        carry_out(&context, &deed);
    });
    html! {
        <li key={word.clone()} role="none">
            <button role="menuitem" onclick={chosen} aria-keyshortcuts={(!key.is_empty()).then_some(key)}>
                <span>{ word }</span>
                if !key.is_empty() { <kbd aria-hidden="true">{ key }</kbd> }
            </button>
        </li>
    }
}
