//! Disks of real servers: dropped, told, started on the stage; broken files; whose a disk is. Nothing of them leaves the browser.

use std::fs;
use std::time::{Duration, Instant};

use base64ct::{Base64, Encoding};
use serde_json::{Value, json};
use zabscope::i18n::page::fill;

use crate::harness::{Page, en};

/// How long all choices may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

fn archive(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/disks/restart/{name}.tar.gz", env!("CARGO_MANIFEST_DIR"));
    fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Files, dropped in the middle of the page.
fn drop_files(page: &Page, files: &[(&str, Vec<u8>)]) {
    let files: Vec<Value> = files.iter().map(|(name, bytes)| json!([name, Base64::encode_string(bytes)])).collect();
    let script = "
        const data = new DataTransfer();
        for (const [name, base64] of arguments[0])
            data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
        const at = document.querySelector('.dialog') ?? document.querySelector('.stage');
        for (const name of ['dragover', 'drop'])
            at.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: data }));";
    page.js(script, &[json!(files)]);
}

fn text(page: &Page, selector: &str) -> String {
    let text = page.js("return document.querySelector(arguments[0])?.innerText ?? ''", &[json!(selector)]);
    text.as_str().unwrap_or_default().to_string()
}

#[test]
fn what_is_dropped_is_told_in_a_sentence_a_table_and_a_matrix_and_starts_on_the_stage() {
    let page = Page::open("?lang=en&scenario=cold-start-3&paused=1");
    page.wait_until("all is kept for later", "return navigator.serviceWorker.ready.then(() => true)");
    let asked = page.asked().len();
    let since = Instant::now();
    drop_files(&page, &[("incident.tar.gz", archive("two-old-copies-outvote-the-newest"))]);
    page.wait_for_words(".disk-sentence", "S1 leads epoch 3 with 0x2000001fd");
    println!("the sentence came after {} ms", since.elapsed().as_millis());
    page.wait_within(PATIENCE, "all choices", "return !!document.querySelector('.disk-advice')");
    println!("all choices after {} ms", since.elapsed().as_millis());
    assert!(text(&page, ".disk-choices .worst").contains(en().disks_worst));
    assert!(text(&page, ".disk-advice").starts_with("Start S1, then S2, then S3"));
    assert!(text(&page, ".disk-log").contains(&fill(en().disks_on_one, &[&"S1"])));
    // the worst is looked at: what is lost is said, and marked in the matrix
    page.js("document.querySelector('.disk-choices .worst button').click()", &[]);
    page.wait_for_words(".disk-sentence .bad", "510 transactions that only S1 has are lost.");
    page.wait_until(
        "the columns are marked",
        "return document.querySelectorAll('.disk-log thead .lost').length === 2",
    );
    page.find("button", en().disks_start).click();
    page.wait_until("the stage plays it", "return !document.querySelector('.dialog') && zabscope.state().playing");
    page.js("zabscope.pause(); zabscope.seek(20000)", &[]);
    page.wait_until("S3 leads", "return zabscope.state().leader === 3");
    let more = page.asked().split_off(asked);
    assert!(more.iter().all(|path| path.ends_with(".js")), "nothing but the worker's script is asked for: {more:?}");
    page.find("button", en().share).click();
    page.wait_for_words(".share .wrong", en().link_of_disks);
    page.assert_no_errors();
}

#[test]
fn a_broken_file_gets_its_sentence_and_whose_a_disk_is_is_asked() {
    let page = Page::open("?lang=en&scenario=cold-start-3&paused=1");
    let mut cut = archive("all-alike");
    cut.truncate(1_200);
    drop_files(&page, &[("cut.tar.gz", cut)]);
    page.wait_for_words(".disk-troubles", "cut.tar.gz");
    page.find("button", en().disks_other).click();
    drop_files(&page, &[("picture.png", vec![7; 100])]);
    page.wait_for_words(".of-disks .wrong", en().disks_none);
    page.find("button", en().disks_other).click();
    drop_files(&page, &[("currentEpoch", b"1".to_vec()), ("log.1", b"no log at all".to_vec())]);
    page.wait_for_words(".disk-troubles", "log.1");
    page.wait_until("it is asked", "return !!document.querySelector('.disk-ask input')");
    page.js("document.querySelector('.disk-ask input').value = '3'", &[]);
    page.find("button", en().disks_say).click();
    page.wait_for_words(".disk-servers", "S3");
    page.assert_no_errors();
}
