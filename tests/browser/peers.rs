//! What two other visualizers cost, as our page is measured: `scripts/bench --peers DIR` knows a folder with copies of them.

use std::path::Path;
use std::time::Duration;

use serde_json::json;

use crate::frames::{A_WRITE_A_SECOND, measure};
use crate::harness::{Edition, Engine, Page, SLOW};

/// Somebody else's page.
struct Peer {
    name: &'static str,
    /// Its page below the folder of all of them.
    path: &'static str,
    /// What runs before its own scripts.
    before: &'static str,
    /// Whether it shows its servers.
    shows: &'static str,
    /// Makes five servers of which one leads.
    begin: &'static str,
    /// Whether one leads.
    leads: &'static str,
    /// Has one more written from now on each second.
    play: &'static str,
    /// No longer, and stands still.
    pause: &'static str,
}

const PEERS: [Peer; 2] = [
    Peer {
        name: "RaftScope",
        path: "raftscope/index.html",
        before: "",
        shows: "return document.querySelectorAll('#servers g.server').length === 5",
        begin: "window.leader = () => state.current.servers.find((server) => server.state === 'leader');
            raft.timeout(state.current, state.current.servers[0])",
        leads: "return leader()",
        play: "window.writes = setInterval(() => {
            if (!leader()) return;
            state.fork();
            raft.clientRequest(state.current, leader());
            state.save();
            render.update();
        }, 1000)",
        pause: "clearInterval(writes); playback.pause()",
    },
    Peer {
        name: "The Secret Lives of Data",
        path: "secret-lives/raft/index.html",
        // its player is known to its own scripts only
        before: "Object.defineProperty(window, 'playback', { configurable: true, set(all) {
            const make = all.player;
            all.player = (...given) => (window.player = make.apply(all, given));
            Object.defineProperty(window, 'playback', { value: all, writable: true });
        } })",
        shows: "return document.querySelector('#chart svg') && window.player?.current()",
        begin: "player.current(player.frame('replication'));
            window.model = () => player.current().model();
            const five = ['A', 'B', 'C', 'D', 'E'];
            player.current().after(100, () => {
                model().title = '';
                five.forEach((name) => model().nodes.create(name));
                model().nodes.toArray().forEach((node) => node.cluster(five));
                model().clients.create('X');
                model().forceImmediateLeader();
                player.layout().invalidate();
            })",
        leads: "return model().leader()",
        play: "window.writes = setInterval(() => model().clients.find('X').send(model().leader(), 'SET 5'), 1000)",
        pause: "clearInterval(writes); player.pause()",
    },
];

fn bench_one(one: &Peer) {
    // as `figure` does, with the column of the table
    let print = |name: &str, unit: &str, value: f64, digits: usize| {
        println!("figure\t{name}\t{unit}\t{value:.digits$}\t{}", one.name);
    };
    let page = Page::blank(false);
    page.resize(1440, 900);
    page.serve(Edition::Packed);
    page.devtools("Page.enable", json!({}));
    page.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": one.before }));
    page.throttle(Some(SLOW));
    page.host(&format!("target/peers/{}", one.path));
    page.wait_within(Duration::from_secs(60), "it shows its servers", one.shows);
    let seen = page.js(
        "const all = [...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')];
         return [performance.now(), all.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)]",
        &[],
    );
    let number = |at: usize| seen[at].as_f64().expect("a number");
    print("first visit, slow line: the stage is painted", "ms", number(0), 0);
    print("page in all", "kB gzip", number(1) / 1e3, 1);
    page.throttle(None);
    page.js(one.begin, &[]);
    page.wait_within(Duration::from_secs(120), "one leads", one.leads);
    measure(&page, [one.play, "", one.pause], |what, unit, value, digits| {
        print(&format!("{A_WRITE_A_SECOND}: {what}"), unit, value, digits);
    });
}

#[test]
#[ignore = "a bench: scripts/bench"]
fn bench_peers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/peers");
    for one in &PEERS {
        match Engine::chosen() == Engine::Chromium && folder.join(one.path).is_file() {
            true => bench_one(one),
            false => println!("{}: no copy is in target/peers", one.name),
        }
    }
}
