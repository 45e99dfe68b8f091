//! Very many elements on one page, and frames that a page around has shut too tightly.

use serde_json::json;

use crate::embed::{run, wait};
use crate::harness::{Engine, Page, en, not_in};

#[test]
fn of_very_many_elements_only_some_are_open_and_none_forgets_where_it_was() {
    if !not_in(Engine::Webkit, "its small browser takes seconds for each of sixty frames") {
        return;
    }
    let page = Page::open("");
    page.host("docs/slides/plain.html");
    run(
        &page,
        "document.body.replaceChildren(...Array.from({ length: 60 }, (_, index) => {
            const one = document.createElement('zab-scope');
            one.setAttribute('scenario', 'cold-start-3');
            one.setAttribute('paused', '');
            one.id = `e${index}`;
            one.style.cssText = 'display: block; width: 480px; height: 270px; margin: 200px';
            return one;
        }));
        scrollTo(0, 0);",
    );
    wait(&page, "the first one runs", "inside('e0').zabscope");
    run(
        &page,
        "await $('e0').act({ do: 'crash', server: 2 }); await $('e0').seek(1500); window.was = await $('e0').state()",
    );
    let open = "return [...document.querySelectorAll('zab-scope')].filter((one) => one.shadowRoot.querySelector('iframe')).length";
    for index in 0..60 {
        run(&page, &format!("$('e{index}').scrollIntoView({{ block: 'center' }})"));
        wait(&page, "it opens when it comes into sight", &format!("inside('e{index}').zabscope"));
        run(&page, &format!("await $('e{index}').state()"));
    }
    wait(&page, "the first one is put away", "!frame('e0')");
    let count = run(&page, open).as_u64().expect("a number");
    assert!((10..=30).contains(&count), "{count} pages are open");
    run(&page, "scrollTo(0, 0)");
    wait(&page, "it opens again where it was", "inside('e0').zabscope && state('e0').time_us === was.time_us");
    assert_eq!(
        run(&page, "return state('e0').actions === was.actions"),
        json!(true),
        "what was done in it is still done"
    );
    // one that is far away opens for whoever calls it
    assert_eq!(run(&page, "return (await $('e59').state()).scenario"), json!("cold-start-3"));
    page.assert_no_errors();
}

#[test]
fn a_frame_without_an_origin_says_why_it_is_empty() {
    if !not_in(Engine::Webkit, "its driver does not go into a frame that has no origin") {
        return;
    }
    let page = Page::open("");
    page.host("docs/slides/plain.html");
    run(
        &page,
        "const frame = document.createElement('iframe');
         frame.sandbox = 'allow-scripts';
         frame.src = '../../dist/index.html?embed=1&lang=en';
         document.body.replaceChildren(frame);",
    );
    page.in_frame(0, || page.wait_for_words("[role=alert]", "allow-same-origin"));
}

#[test]
fn the_legend_is_whole_in_frames_as_large_as_slides() {
    let page = Page::open("?embed=1&controls=full&lang=en&scenario=leader-crash-under-load&t=1035&paused=1");
    page.find("button", en().legend_label).click();
    for (width, height) in [(960, 540), (868, 488)] {
        page.resize(width, height);
        let sizes = "const one = document.querySelector('.legend-side'); return [one.scrollHeight, one.clientHeight]";
        let sizes = page.js(sizes, &[]);
        let [whole, shown] = [0, 1].map(|at| sizes[at].as_u64().expect("pixels"));
        // engines round what is laid out between two pixels, each of the two by itself
        assert!(whole <= shown + 1, "{width} x {height}: {sizes}");
    }
    page.assert_no_errors();
}
