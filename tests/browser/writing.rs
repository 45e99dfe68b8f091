//! A recipe of one's own in the page: written, refused, broken by the search, shown line by line, shared, kept, compared.

use std::time::Duration;

use serde_json::json;
use zabscope::explore::own::Law;
use zabscope::i18n::page::fill;
use zabscope::i18n::{Lang, program_words, property_title};
use zabscope::recipes::own::{Program, READY};

use crate::harness::{Page, en, words};
use crate::search::COUNT;

/// How long a search may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
const TEXT: &str = "return document.querySelector('.recipe-lines textarea').value";

fn panel() -> Page {
    Page::open("?lang=en&scenario=cold-start-3&paused=1&panel=recipe")
}

/// Puts a text into the editor, as if it had been pasted.
fn paste(page: &Page, text: &str) {
    let put = "const field = document.querySelector('.recipe-lines textarea'); field.value = arguments[0];
        field.dispatchEvent(new Event('input', { bubbles: true }))";
    page.js(put, &[json!(text)]);
}

#[test]
fn a_lock_is_typed_the_search_breaks_it_and_the_stage_shows_how() {
    let page = panel();
    page.js(COUNT, &[]);
    paste(&page, "");
    // whoever presses Enter goes on where the line belongs
    page.find("textbox", en().recipe_program)
        .keys("acquire\nme = create /lock/n- ephemeral sequential\nhold\nrelease\ndelete me");
    let typed = "acquire\n  me = create /lock/n- ephemeral sequential\n  hold\nrelease\n  delete me";
    assert_eq!(page.js(TEXT, &[]), json!(typed));
    page.find("button", en().recipe_find).click();
    page.wait_within(PATIENCE, "a run", "return !!document.querySelector('.finds li')");
    let title = property_title(Lang::En, Law::OneHolder.id());
    page.wait_for_words(".finds summary", title);
    page.wait_until("the worker has ended", "return begun === 1 && alive === 0");
    let on_stage = "const state = zabscope.state(); return state.scenario === null && !!document.querySelector('.recipe-lines li.at')";
    page.wait_until("clients stand at lines", on_stage);
    let holders =
        "return [...document.querySelectorAll('.stands li')].filter(one => one.innerText.includes(WORD)).length > 1";
    page.wait_within(PATIENCE, "two have it", &holders.replace("WORD", &json!(en().recipe_holds).to_string()));
    // a line further at a time
    page.js("zabscope.pause(); zabscope.seek(0)", &[]);
    let line = page.find("button", en().recipe_line);
    line.click();
    page.wait_for_words(".stands", &fill(en().recipe_at, &[&2]));
    // it is kept with the browser, with what came of it
    page.reload();
    assert_eq!(page.js(TEXT, &[]), json!(typed));
    page.js("document.querySelectorAll('.recipe details').forEach(one => one.open = true)", &[]);
    page.wait_for_words(".tries", words::start(en().recipe_fell, &[&title]));
    page.assert_no_errors();
}

#[test]
fn what_is_wrong_is_told_with_its_line_and_a_search_is_stopped() {
    let page = panel();
    let text = "acquire\n  me = creat /lock ephemeral\n";
    paste(&page, text);
    let error = Program::parse(text).expect_err("a wrong program");
    page.wait_for_words(".recipe .wrong", &program_words(Lang::En, &error));
    page.wait_until("its line is marked", "return document.querySelector('.recipe-lines .off i').innerText === '2'");
    let off = "return [...document.querySelectorAll('.deeds-of button')].every(one => one.disabled)";
    page.wait_until("nothing can be done with it", off);
    page.choose(en().recipe_start, "predecessor-lock");
    assert_eq!(page.js(TEXT, &[]), json!(READY[2].text));
    page.find("button", en().recipe_find).click();
    page.find("button", en().search_stop).click();
    page.wait_for_words(".sought [role=status]", words::start(en().recipe_stopped, &[]));
    page.assert_no_errors();
}

#[test]
fn a_link_carries_the_program_and_old_and_new_stand_beside_each_other() {
    let page = Page::open("?lang=en&scenario=cold-start-3&paused=1");
    page.find("button", en().new_run).click();
    page.find("button", en().recipe_write).click();
    page.wait_until("clients stand at lines", "return !!document.querySelector('.stands li')");
    let text = READY[0].text.replace("# Whoever", "# Ours: whoever");
    paste(&page, &text);
    page.find("button", en().recipe_run).click();
    page.find("button", en().share).click();
    let link = page.find("textbox", en().share_link).property("value");
    let link = link.as_str().expect("a link");
    page.find("button", en().close).click();
    paste(&page, READY[1].text);
    page.find("button", en().recipe_beside).click();
    page.find("region", en().compare_title);
    page.assert_no_errors();
    let fresh = Page::open(&format!("#{}", link.split_once('#').expect("a fragment").1));
    let same = format!("return document.querySelector('.recipe-lines textarea')?.value === {}", json!(text));
    fresh.wait_until("its program stands there", &same);
    fresh.assert_no_errors();
}
