//! The wheel `zabscope` in a real JupyterLab: shown, driven by cells, its facts as a table of pandas.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;

use super::{open, press_play};
use crate::embed::{run, wait};
use crate::harness::{Engine, PATIENCE, Page, only_in};
use crate::paper::printed;

/// A JupyterLab that ends with the test, and its kernel with it.
struct Lab(Child, u16);

impl Lab {
    fn start() -> Lab {
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder = project.join("target/decks/jupyter");
        fs::create_dir_all(&folder).expect("a folder");
        fs::copy(project.join("tests/browser/decks/jupyter/lecture.ipynb"), folder.join("lecture.ipynb"))
            .expect("the notebook");
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        let child = Command::new(project.join("target/decks/python/bin/jupyter-lab"))
            .args([
                "--no-browser",
                "--allow-root",
                "--ip=127.0.0.1",
                "--IdentityProvider.token=",
                "--LabApp.expose_app_in_browser=True",
            ])
            .arg(format!("--port={port}"))
            .args(["--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"])
            .current_dir(&folder)
            // nothing of the reader's own Jupyter
            .envs(
                ["CONFIG", "DATA", "RUNTIME"]
                    .map(|kind| (format!("JUPYTER_{kind}_DIR"), folder.join(kind).display().to_string())),
            )
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("JupyterLab, which scripts/decks installs, does not start: {error}"));
        let lab = Lab(child, port);
        for _ in 0..600 {
            if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return lab;
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        panic!("JupyterLab does not answer at port {port}");
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        // asked to end, it ends its kernels too
        let _ = Command::new("kill").arg(self.0.id().to_string()).status();
        let _ = self.0.wait();
    }
}

/// Runs the notebook's next cell, and waits until it is done.
fn next(page: &Page, cell: usize) {
    run(page, "await jupyterapp.commands.execute('notebook:run-cell-and-select-next')");
    let done = format!(
        "/^\\[\\d+\\]/.test(document.querySelectorAll('.jp-CodeCell')[{cell}].querySelector('.jp-InputPrompt').textContent)"
    );
    wait(page, "the cell is done", &done);
}

/// What a cell has printed.
fn said(page: &Page, cell: usize) -> String {
    let text = format!(
        "return document.querySelectorAll('.jp-CodeCell')[{cell}].querySelector('.jp-OutputArea').innerText.trim()"
    );
    run(page, &text).as_str().unwrap_or_default().to_string()
}

#[test]
fn the_wheel_plays_in_jupyterlab() {
    if !only_in(Engine::Chromium, "its developer tools press buttons inside frames") {
        return;
    }
    let page = open("docs/slides/plain.css");
    let lab = Lab::start();
    page.look_at(&format!("http://127.0.0.1:{}/lab/tree/lecture.ipynb?reset", lab.1));
    page.wait_within(
        PATIENCE * 12,
        "the notebook is open",
        "return window.jupyterapp && document.querySelectorAll('.jp-CodeCell').length === 7",
    );
    page.wait_within(
        PATIENCE * 12,
        "its kernel is ready",
        "return jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'",
    );
    // the element has no name of its own there
    let name = "document.querySelectorAll('zab-scope').forEach((one, index) => one.id = ['run', 'second'][index])";
    next(&page, 0);
    wait(&page, "the program runs", &format!("({name}, $('run')?.shadowRoot && inside('run').zabscope)"));
    assert_eq!(run(&page, "const s = await $('run').state(); return [s.turn, s.playing]"), json!([8, false]));
    let page_of = run(&page, "return frame('run').src");
    assert!(page_of.as_str().is_some_and(|from| from.starts_with("blob:")), "{page_of}");
    run(&page, "$('run').scrollIntoView({ block: 'center' })");
    press_play(&page, "run");
    run(&page, "await $('run').pause()");
    // the kernel hears of a moment some time after it has come
    let settled = || std::thread::sleep(PATIENCE / 5);
    settled();
    next(&page, 1);
    wait(&page, "it did what was asked", "state('run').time_us === 1500000");
    settled();
    next(&page, 2);
    let facts = said(&page, 2);
    assert!(facts.starts_with("facts ") && facts.ends_with("True True True 1500000"), "{facts}");
    next(&page, 3);
    wait(&page, "it went back", "state('run').time_us === 900000");
    settled();
    next(&page, 4);
    let fewer = said(&page, 4);
    assert!(fewer.starts_with("fewer True True") && fewer.contains("unknown name `nonsense`"), "{fewer}");
    next(&page, 5);
    assert_eq!(said(&page, 5), "wrong unknown attribute 'colour'");
    next(&page, 6);
    wait(&page, "the second one runs", &format!("({name}, $('second')?.shadowRoot && inside('second').zabscope)"));
    let second = "return [frame('second').src, inside('second').document.documentElement.lang, $('second').offsetHeight, state('second').time_us]";
    assert_eq!(run(&page, second), json!([page_of, "zh-Hans", 400, 1_500_000]));
    // on paper
    run(&page, "$('second').remove(); await $('run').seek(1035)");
    let sheets = printed(&page, "notebook", json!({ "printBackground": true }));
    assert!(!sheets.is_empty(), "nothing is printed");
    // what it asks elsewhere is not to be had here
    page.console();
}
