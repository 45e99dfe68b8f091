//! `zookeeper-client`, a client in Rust from crates.io, as its users have it, at a simulated ensemble.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use zookeeper_client::{
    Acls, AddWatchMode, Client, CreateMode, CreateOptions, Error, EventType, LockPrefix, SessionState, StateWatcher,
};

const PATIENCE: Duration = Duration::from_secs(40);
const PERSISTENT: &CreateOptions<'static> = &CreateMode::Persistent.with_acls(Acls::anyone_all());
const EPHEMERAL: &CreateOptions<'static> = &CreateMode::Ephemeral.with_acls(Acls::anyone_all());
const SEQUENCE: &CreateOptions<'static> = &CreateMode::EphemeralSequential.with_acls(Acls::anyone_all());

/// An ensemble of three, and what it has told.
struct Ensemble {
    process: Child,
    hosts: String,
    facts: Arc<Mutex<Vec<Value>>>,
}

impl Ensemble {
    fn new() -> Ensemble {
        let mut process = Command::new(env!("CARGO_BIN_EXE_zabscope"))
            .args(["live", "--headless", "--ports", "0,0,0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut lines = BufReader::new(process.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
        let facts: Arc<Mutex<Vec<Value>>> = Arc::default();
        let mut read = move |facts: &Mutex<Vec<Value>>| {
            let line = lines.next()?;
            let Some(ports) = line.strip_prefix("ports ") else {
                facts.lock().expect("nobody panicked").push(serde_json::from_str(&line).expect("a fact"));
                return Some(None);
            };
            let ports: Value = serde_json::from_str(ports).expect("its ports");
            let all = ports.as_object().expect("a port for each server").values();
            Some(Some(all.map(|port| format!("127.0.0.1:{port}")).collect::<Vec<_>>().join(",")))
        };
        let hosts = loop {
            if let Some(hosts) = read(&facts).expect("it tells its ports") {
                break hosts;
            }
        };
        let told = facts.clone();
        std::thread::spawn(move || while read(&told).is_some() {});
        Ensemble { process, hosts, facts }
    }

    async fn client(&self, timeout_s: u64) -> Client {
        let connector = Client::connector().with_session_timeout(Duration::from_secs(timeout_s));
        connector.connect(&self.hosts).await.expect("it connects")
    }

    fn act(&mut self, action: &Value) {
        writeln!(self.process.stdin.as_mut().expect("a pipe"), "{action}").expect("it reads");
    }

    /// How many facts there are: where `fact` may begin to look.
    fn mark(&self) -> usize {
        self.facts.lock().expect("nobody panicked").len()
    }

    /// The first fact with these fields, from a mark on; waits for it, and lets clients work meanwhile.
    async fn fact(&self, since: usize, fields: Value) -> Value {
        let fits = |fact: &&Value| {
            fields.as_object().is_some_and(|all| all.iter().all(|(name, value)| fact[name] == *value))
        };
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(fact) = self.facts.lock().expect("nobody panicked")[since..].iter().find(fits) {
                return fact.clone();
            }
            assert!(Instant::now() < end, "there is no fact with {fields}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// The client of the run that a program is.
    async fn number(&self, client: &Client) -> u64 {
        let connected = self.fact(0, json!({ "kind": "client_connected", "session": session(client) })).await;
        connected["client"].as_u64().expect("a number")
    }

    /// Who leads.
    async fn leader(&self) -> Value {
        self.fact(0, json!({ "kind": "established" })).await["server"].clone()
    }

    /// Ends it: no property was violated.
    fn over(mut self) {
        drop(self.process.stdin.take());
        assert!(self.process.wait().expect("it ends").success(), "a property was violated");
    }
}

impl Drop for Ensemble {
    fn drop(&mut self) {
        let _ = self.process.kill(); // a test that failed leaves nothing behind
    }
}

fn session(client: &Client) -> String {
    format!("0x{:x}", client.session_id().0)
}

async fn until(states: &mut StateWatcher, state: SessionState) {
    let change = async { while states.changed().await != state {} };
    tokio::time::timeout(PATIENCE, change).await.unwrap_or_else(|_| panic!("it never was {state}"));
}

/// The same again where a connection was lost.
async fn insist<T, F: Future<Output = Result<T, Error>>>(ask: impl Fn() -> F) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        match ask().await {
            Err(Error::ConnectionLoss) if Instant::now() < end => {
                tokio::time::sleep(Duration::from_millis(100)).await
            }
            done => return done.expect("it is done"),
        }
    }
}

#[tokio::test]
async fn it_works_and_sees_watches() {
    let ensemble = Ensemble::new();
    let (one, two) = (ensemble.client(10).await, ensemble.client(10).await);
    one.create("/w", b"hello", PERSISTENT).await.expect("a node");
    two.sync("/").await.expect("all is known");
    let (data, stat) = two.get_data("/w").await.expect("what was written");
    assert_eq!((&data[..], stat.version, stat.ephemeral_owner), (&b"hello"[..], 0, 0));
    assert_eq!(one.create("/w", b"", PERSISTENT).await.map(drop), Err(Error::NodeExists));
    assert_eq!(one.get_data("/none").await.map(drop), Err(Error::NoNode));
    assert_eq!(two.set_data("/w", b"world", Some(0)).await.expect("the version fits").version, 1);
    assert_eq!(one.set_data("/w", b"late", Some(0)).await.map(drop), Err(Error::BadVersion));
    for number in 0..2 {
        let (stat, sequence) = one.create("/w/n-", b"", SEQUENCE).await.expect("a node with a number");
        assert_eq!((sequence.into_i64(), stat.ephemeral_owner), (number, one.session_id().0));
    }
    let mut writer = one.new_multi_writer();
    writer.add_check_version("/w", 1).expect("a check");
    writer.add_create("/w/m", b"m", PERSISTENT).expect("a node");
    writer.add_delete("/w/n-0000000001", None).expect("a deletion");
    assert_eq!(writer.commit().await.expect("all or nothing").len(), 3);
    two.sync("/").await.expect("all is known");
    let mut children = two.list_children("/w").await.expect("children");
    children.sort();
    assert_eq!(children, ["m", "n-0000000000"]);

    let mut everything = two.watch("/w", AddWatchMode::PersistentRecursive).await.expect("a watch");
    let (stat, created) = two.check_and_watch_stat("/x").await.expect("a watch");
    assert_eq!(stat, None);
    let (_, _, changed) = two.get_and_watch_data("/w").await.expect("a watch");
    one.create("/x", b"", PERSISTENT).await.expect("a node");
    one.set_data("/w", b"!", None).await.expect("data");
    one.create("/w/x", b"", PERSISTENT).await.expect("a node");
    let seen = async {
        let (created, changed) = (created.changed().await, changed.changed().await);
        let all = [everything.changed().await, everything.changed().await];
        [created, changed].into_iter().chain(all).map(|event| (event.event_type, event.path)).collect::<Vec<_>>()
    };
    let seen = tokio::time::timeout(PATIENCE, seen).await.expect("four events");
    let expected = [
        (EventType::NodeCreated, "/x"),
        (EventType::NodeDataChanged, "/w"),
        (EventType::NodeDataChanged, "/w"),
        (EventType::NodeCreated, "/w/x"),
    ];
    assert_eq!(seen, expected.map(|(kind, path)| (kind, path.to_owned())));
    ensemble.over();
}

#[tokio::test]
async fn it_loses_the_leader() {
    let mut ensemble = Ensemble::new();
    let (client, other) = (ensemble.client(10).await, ensemble.client(10).await);
    client.create("/w", b"hello", PERSISTENT).await.expect("a node");
    client.create("/e", b"mine", EPHEMERAL).await.expect("an ephemeral");
    let (_, _, changed) = client.get_and_watch_data("/w").await.expect("a watch");
    let (before, mut states, mark) = (session(&client), client.state_watcher(), ensemble.mark());
    let number = ensemble.number(&client).await;
    let leader = ensemble.leader().await;
    ensemble.act(&json!({ "do": "crash", "server": leader }));
    until(&mut states, SessionState::Disconnected).await;
    ensemble.fact(mark, json!({ "kind": "established" })).await;
    until(&mut states, SessionState::SyncConnected).await;
    let resumed = ensemble.fact(mark, json!({ "kind": "client_connected", "client": number })).await;
    assert_eq!((session(&client), &resumed["session"]), (before.clone(), &json!(before)));
    let stat = insist(|| other.check_stat("/e")).await.expect("its ephemeral is there");
    assert_eq!(stat.ephemeral_owner, client.session_id().0);
    insist(|| other.set_data("/w", b"world", None)).await;
    // the watch was set again on the new connection
    let event = tokio::time::timeout(PATIENCE, changed.changed()).await.expect("an event");
    assert_eq!((event.event_type, &event.path[..]), (EventType::NodeDataChanged, "/w"));
    assert_eq!(insist(|| client.get_data("/w")).await.0, b"world");
    ensemble.act(&json!({ "do": "restart", "server": leader }));
    ensemble.over();
}

#[tokio::test]
async fn its_session_expires_and_another_one_gets_its_lock() {
    let mut ensemble = Ensemble::new();
    let (first, second) = (ensemble.client(4).await, ensemble.client(10).await);
    let lock = || LockPrefix::new_curator("/lock", "lock-").expect("a place for locks");
    first.create("/lock", b"", PERSISTENT).await.expect("a node");
    let held = first.lock(lock(), b"", Acls::anyone_all()).await.expect("the lock");
    let (mut states, mark) = (first.state_watcher(), ensemble.mark());
    let number = ensemble.number(&first).await;
    let waits = second.clone();
    let gets = tokio::spawn(async move {
        let prefix = LockPrefix::new_curator("/lock", "lock-").expect("a place for locks");
        waits.lock(prefix, b"", Acls::anyone_all()).await.expect("the lock").lock_path().to_owned()
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(!gets.is_finished(), "two have the lock");
    ensemble.act(&json!({ "do": "pause_client", "client": number }));
    ensemble.fact(mark, json!({ "kind": "session_expired", "session": session(&first) })).await;
    let path = tokio::time::timeout(PATIENCE, gets).await.expect("the other one gets it").expect("it does not panic");
    assert!(path.starts_with("/lock/_c_") && path != held.lock_path(), "{path}");
    ensemble.act(&json!({ "do": "resume_client", "client": number }));
    until(&mut states, SessionState::Expired).await;
    assert_eq!(first.check_stat("/lock").await.map(drop), Err(Error::SessionExpired));
    std::mem::forget(held); // it would be released by a session that is over
    let anew = ensemble.client(4).await;
    assert_ne!(session(&anew), session(&first));
    anew.create("/e", b"", EPHEMERAL).await.expect("an ephemeral");
    ensemble.over();
}
