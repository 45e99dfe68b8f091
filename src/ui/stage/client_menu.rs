//! What can be done to clients.

use crate::base::{ClientId, ServerId};
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::sim::{Action, MoveTo};
use crate::view::{ClientFace, ClientView, free_number};
use crate::wire::Request;

use crate::ui::engine::Engine;
use crate::ui::stage::menu::{Entry, Kind, MenuItem};
use crate::ui::stage::packet_menu::packets_between;

/// The session timeout that a new client asks for, ms.
const TIMEOUT_MS: u32 = 4_000;

/// A new client, of these servers or of all; nothing when all numbers are taken.
pub(in crate::ui) fn new_client(engine: &Engine, servers: Vec<ServerId>) -> Option<Action> {
    let session = engine.session();
    // where there is no ensemble nobody would answer
    let all = session.world().members.all();
    if all.is_empty() || servers.iter().any(|server| !server.is_valid()) {
        return None;
    }
    let client = free_number(session.player().run(), session.world())?;
    Some(Action::OpenClient { client, servers, timeout_ms: TIMEOUT_MS, chroot: None, raw: false })
}

/// A request with the rights of a superuser: of a client that is connected, or else of a new one. A run may have another password: then it
/// is refused.
pub(in crate::ui) fn as_superuser(engine: &Engine, request: Request) -> Option<Vec<Action>> {
    let connected = engine.scene().clients.iter().find(|it| it.face == ClientFace::Connected).map(|it| it.id);
    let opened = if connected.is_none() { Some(new_client(engine, Vec::new())?) } else { None };
    let client = match opened {
        Some(Action::OpenClient { client, .. }) => client,
        _ => connected?,
    };
    let prove = Action::AddAuth { client, scheme: "digest".into(), auth: Some("super:test".into()) };
    let ask = Action::Ask { client, request, watcher: None, local: false, on_old_connection: false };
    Some(opened.into_iter().chain([prove, ask]).collect())
}

fn find(engine: &Engine, id: ClientId) -> Option<ClientView> {
    engine.scene().clients.iter().find(|client| client.id == id).cloned()
}

/// Pause or resume.
pub(in crate::ui) fn toggle_client(engine: &Engine, client: ClientId) -> Option<Action> {
    Some(match find(engine, client)?.face {
        ClientFace::Paused => Action::ResumeClient { client },
        _ => Action::PauseClient { client },
    })
}

/// The process dies; nothing for one that is not there.
pub(in crate::ui) fn kill(engine: &Engine, client: ClientId) -> Option<Action> {
    find(engine, client).map(|_| Action::KillClient { client })
}

/// The connection is cut, where there is one.
pub(in crate::ui) fn disconnect(engine: &Engine, client: ClientId) -> Option<Action> {
    let view = find(engine, client)?;
    (view.face != ClientFace::Paused && view.line().is_some()).then_some(Action::DisconnectClient { client })
}

/// The links of a client that are cut, and the one to its server; whether they are.
fn cuttable(engine: &Engine, view: &ClientView) -> Vec<(ServerId, bool)> {
    let servers = engine.servers();
    let session = engine.session();
    let network = &session.world().network;
    let links = servers
        .into_iter()
        .map(|server| (server, network.link(view.id, server).cut || network.link(server, view.id).cut));
    links.filter(|(server, cut)| *cut || view.line().is_some_and(|(at, _)| at == *server)).collect()
}

/// What can be done to a client.
pub(in crate::ui) fn client_entries(engine: &Engine, client: ClientId, lang: Lang) -> Vec<Entry> {
    let words = page(lang);
    let Some(view) = find(engine, client) else { return Vec::new() };
    let paused = view.face == ClientFace::Paused;
    let mut entries = vec![Entry::new(Kind::Look, words.console, "/", MenuItem::Console(client))];
    let mut add = |kind: Kind, word: &str, key, action: Option<Action>| {
        entries.extend(action.map(|action| Entry::new(kind, word, key, MenuItem::Act(action))));
    };
    if view.face.is_over() {
        let config = engine.session().world().clients.get(&client).map(|process| process.client.config.clone());
        add(
            Kind::Process,
            words.client_open_again,
            "",
            config.map(|config| Action::OpenClient {
                client,
                servers: config.servers,
                timeout_ms: config.timeout_ms,
                chroot: config.chroot,
                raw: config.raw,
            }),
        );
    } else {
        add(Kind::Network, words.act_disconnect, "X", disconnect(engine, client));
        for (server, cut) in cuttable(engine, &view) {
            let links = vec![(client.into(), server.into())];
            let (word, action) = match cut {
                true => (words.client_heal, Action::HealLinks { links }),
                false => (words.client_cut, Action::CutLinks { links }),
            };
            add(Kind::Network, &fill(word, &[&server]), "", Some(action));
        }
        let word = if paused { words.act_resume } else { words.act_pause };
        add(Kind::Process, word, "P", toggle_client(engine, client));
        if !paused {
            for server in engine.servers().into_iter().filter(|server| view.line() != Some((*server, true))) {
                let to = MoveTo { server, wrong_password: false, claim_ahead: false, keep_old: false };
                add(Kind::Network, &fill(words.act_move, &[&server]), "", Some(Action::MoveClient { client, to }));
            }
            add(Kind::Failure, words.act_close, "", Some(Action::CloseClient { client }));
        }
        let has_session = view.session != crate::base::SessionId::NONE;
        add(Kind::Failure, words.act_expire, "", has_session.then_some(Action::ExpireClient { client }));
    }
    add(Kind::Failure, words.act_kill, "C", kill(engine, client));
    for server in engine.servers() {
        entries.extend(packets_between(engine, client.into(), server.into(), lang));
    }
    entries.push(Entry::inspect(lang));
    entries
}
