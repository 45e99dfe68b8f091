//! What a server lets its clients do at once, and what it says of who they are.

use zabscope::base::{ClientId, ServerId, SimTime};
use zabscope::client;
use zabscope::server::{self, TurnedAway};
use zabscope::sim::{Action, Fact, Player, Run, Setup};
use zabscope::wire::{Answer, Request};

const CALM: SimTime = SimTime(2_000_000);
const ASKED: SimTime = SimTime(4_000_000);

/// An ensemble, and clients that connect to server 1.
fn with_clients(setup: Setup, clients: u16) -> Run {
    let mut run = Run::new(1, setup);
    for client in (1..=clients).map(ClientId) {
        let servers = vec![ServerId(1)];
        run.push(CALM, Action::OpenClient { client, servers, timeout_ms: 30_000, chroot: None, raw: false });
    }
    run
}

fn ask(run: &mut Run, client: u16, request: Request) {
    let client = ClientId(client);
    run.push(ASKED, Action::Ask { client, request, watcher: None, local: false, on_old_connection: false });
}

/// What `pick` takes of the facts of a run.
fn told<T>(run: Run, pick: impl Fn(&Fact) -> Option<T>) -> Vec<T> {
    let mut found = Vec::new();
    let mut player = Player::new(run).expect("a valid run");
    player.run_until(SimTime::from_ms(12_000), |_, records| {
        found.extend(records.iter().filter_map(|record| pick(&record.fact)));
    });
    found
}

fn answered(fact: &Fact) -> Option<client::CallOutcome> {
    match fact {
        Fact::Client { fact: client::Fact::Answered { outcome, .. }, .. } => Some(outcome.clone()),
        _ => None,
    }
}

/// `NIOServerCnxnFactory.java`: a server counts the connections of an address; here all clients have one.
#[test]
fn a_connection_too_many_is_closed() {
    for (limit, clients) in [(60, 61), (2, 4), (0, 70)] {
        let run = with_clients(Setup { max_client_cnxns: limit, ..Setup::default() }, clients);
        let away = told(run.clone(), |fact| match fact {
            Fact::Server { server, fact: server::Fact::ClientTurnedAway { client, reason } } => {
                assert_eq!((*server, *reason), (ServerId(1), TurnedAway::TooManyConnections));
                Some(*client)
            }
            _ => None,
        });
        let inside = told(run, |fact| match fact {
            Fact::Client { client, fact: client::Fact::ClientConnected { .. } } => Some(*client),
            _ => None,
        });
        let most = if limit == 0 { clients } else { limit as u16 };
        assert_eq!(inside.len(), usize::from(most), "{limit}: {inside:?}");
        assert_eq!(away.is_empty(), most == clients, "{limit}: {away:?}");
        assert!(away.iter().all(|client| !inside.contains(client)), "{limit}: {away:?}");
    }
}

/// `FinalRequestProcessor.java`, whoAmI: every identity of the connection, without what proves it.
#[test]
fn who_asks_is_told_all_its_identities_and_no_password() {
    let mut run = with_clients(Setup::default(), 1);
    ask(&mut run, 1, Request::WhoAmI);
    let known = |run: Run| -> Vec<String> {
        let last = told(run, answered).pop();
        let Some(Ok(Answer::Identities(who))) = last else { panic!("no identities: {last:?}") };
        let mut texts: Vec<String> = who.iter().map(ToString::to_string).collect();
        texts.sort();
        texts
    };
    assert_eq!(known(run.clone()), ["ip:127.0.0.1"]);
    for auth in ["bob:secret", "amy:word", "bob:secret"] {
        let (client, scheme) = (ClientId(1), "digest".into());
        run.push(SimTime::from_ms(5_000), Action::AddAuth { client, scheme, auth: auth.into() });
    }
    let (client, request) = (ClientId(1), Request::WhoAmI);
    let asked = Action::Ask { client, request, watcher: None, local: false, on_old_connection: false };
    run.push(SimTime::from_ms(6_000), asked);
    assert_eq!(known(run), ["digest:amy", "digest:bob", "ip:127.0.0.1"]);
}
