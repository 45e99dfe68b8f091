//! A recipe of one's own in the page: written, refused, broken by the search, shown line by line, shared, kept, compared.

use std::time::Duration;

use fantoccini::key::Key;
use serde_json::json;
use zabscope::explore::own::Law;
use zabscope::i18n::page::fill;
use zabscope::i18n::{Lang, program_words, property_title};
use zabscope::recipes::own::{Program, READY};

use crate::harness::{Element, Page, en, words};
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
fn a_task_of_a_workshop_is_solved_by_typing() {
    let page = crate::lessons::lesson("lesson=workshop-pause&beat=let-go");
    page.find("button", en().lesson_write).click();
    page.find("textbox", en().recipe_program);
    let text = page.js(TEXT, &[]);
    let text = text.as_str().expect("its program");
    assert!(text.ends_with("on connection loss\n  again\n"), "{text}");
    // as it is it falls: the lesson says by what, and the run is on its stage
    page.find("button", en().recipe_find).click();
    let falls = fill(en().lesson_falls, &[&property_title(Lang::En, Law::Believed.id())]);
    let said = format!("return document.querySelector('.lesson-judged')?.innerText === {}", json!(falls));
    page.wait_within(PATIENCE, "it is told what falls", &said);
    page.wait_until("the run is told in the panel", "return !!document.querySelector('.finds li')");
    assert_eq!(page.js("return zabscope.state().lesson?.beat", &[]), json!("let-go"));
    // what came of it is told of that text alone
    page.find("textbox", en().recipe_program).keys("on session lost\nrelease");
    page.wait_until("nothing is told of the new text", "return !document.querySelector('.lesson-judged')");
    assert_eq!(page.js(TEXT, &[]), json!(format!("{text}on session lost\n  release")));
    page.find("button", en().recipe_find).click();
    page.wait_within(PATIENCE, "it is done", "return !!document.querySelector('.lesson-done')");
    assert_eq!(page.js("return zabscope.state().lesson?.beat", &[]), json!("let-go"));
    // whoever goes on and comes back finds what they wrote
    page.find("button", en().lesson_on).click();
    page.find("button", en().lesson_back).click();
    page.wait_until("it is done still", "return !!document.querySelector('.lesson-done')");
    page.wait_until(
        "and stands there",
        &format!("{TEXT} === {}", json!(format!("{text}on session lost\n  release"))),
    );
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
    page.find("button", en().recipe_back).click();
    let back = format!("return document.querySelector('.recipe-lines textarea')?.value === {}", json!(READY[1].text));
    page.wait_until("the panel is back", &back);
    page.assert_no_errors();
    let fresh = Page::open(&format!("#{}", link.split_once('#').expect("a fragment").1));
    let same = format!("return document.querySelector('.recipe-lines textarea')?.value === {}", json!(text));
    fresh.wait_until("its program stands there", &same);
    fresh.assert_no_errors();
}

/// The field of a block; what its line is about does not matter.
fn field(page: &Page, line: usize) -> Element<'_> {
    page.find("textbox", &format!("{}, …", fill(en().recipe_at, &[&line])))
}

/// What stands in the text form, once it is that.
fn wait_for_text(page: &Page, text: &str) {
    page.find("button", en().recipe_text).click();
    let same = format!("return document.querySelector('.recipe-lines textarea')?.value === {}", json!(text));
    page.wait_until(&format!("the text is {text:?}"), &same);
    page.find("button", en().recipe_blocks).click();
}

#[test]
fn blocks_and_text_are_one_recipe_and_blocks_are_built_by_keys() {
    let page = panel();
    let text = "# ours\nacquire   # gets it\n\n  me = create /lock/n- ephemeral sequential\n  hold\n";
    paste(&page, text);
    page.find("button", en().recipe_blocks).click();
    let each = "return [...document.querySelectorAll('.recipe-blocks textarea')].map(one => one.value)";
    let lines = ["# ours", "acquire   # gets it", "", "me = create /lock/n- ephemeral sequential", "hold"];
    assert_eq!(page.js(each, &[]), json!(lines), "line n is block n");
    wait_for_text(&page, text);
    // Enter goes on below, where the line belongs; Tab and Shift+Tab put a block into the one above, and out
    field(&page, 4).click();
    page.keys(&Key::Enter);
    page.keys("repeat");
    page.keys(&Key::Enter);
    page.keys("wait");
    page.keys(&(Key::Shift + Key::Tab.to_string().as_str()));
    wait_for_text(&page, &text.replace("  hold", "  repeat\n  wait\n  hold"));
    field(&page, 6).click();
    page.keys(&Key::Tab);
    let whole = text.replace("  hold", "  repeat\n    wait\n  hold");
    wait_for_text(&page, &whole);
    // a block moves with what is in it
    field(&page, 5).click();
    page.keys(&(Key::Alt + Key::Down.to_string().as_str()));
    wait_for_text(&page, &text.replace("  hold\n", "  hold\n  repeat\n    wait\n"));
    field(&page, 6).click();
    page.keys(&(Key::Alt + Key::Up.to_string().as_str()));
    wait_for_text(&page, &whole);
    // an empty one goes by a key
    field(&page, 7).click();
    page.keys(&Key::Enter);
    page.wait_until("an empty block", "return document.querySelectorAll('.recipe-blocks li').length === 8");
    page.keys(&Key::Delete);
    wait_for_text(&page, &whole);
    page.assert_no_errors();
}

#[test]
fn what_fits_is_offered_what_is_wrong_is_marked_and_all_is_taken_back() {
    let page = panel();
    let text = "acquire\n  me = create /lock/n- ephemeral sequential\n  hold\n";
    paste(&page, text);
    page.find("button", en().recipe_blocks).click();
    field(&page, 2).click();
    page.find("button", en().recipe_add).click();
    assert!(page.find_all("button", "stop").is_empty(), "there is nothing to be left");
    page.find("button", "on session lost release").click();
    wait_for_text(&page, &format!("{text}\non session lost\n  release\n"));
    field(&page, 2).click();
    page.find("button", en().recipe_add).click();
    page.find("button", "all = children of /lock").click();
    page.wait_until("it has the focus", "return document.activeElement.value === 'all = children of /lock'");
    page.find("button", en().recipe_undo).click();
    wait_for_text(&page, &format!("{text}\non session lost\n  release\n"));
    // the parser's sentence stands at the block
    let wrong = text.replace("create", "creat");
    let put = "const field = document.querySelectorAll('.recipe-blocks textarea')[1]; field.value = arguments[0];
        field.dispatchEvent(new Event('input', { bubbles: true }))";
    page.js(put, &[json!("me = creat /lock/n- ephemeral sequential")]);
    let error = Program::parse(&wrong).expect_err("a wrong program");
    page.wait_for_words(".recipe-blocks .off .wrong", &program_words(Lang::En, &error));
    page.wait_until(
        "a screen reader hears it",
        "return !!document.querySelector('.recipe-blocks [aria-invalid=true][aria-describedby]')",
    );
    field(&page, 2).click();
    page.find("button", en().recipe_remove).click();
    wait_for_text(&page, "acquire\n  hold\n\non session lost\n  release\n");
    // clients stand at blocks, and the browser remembers the form
    page.choose(en().recipe_start, "naive-lock");
    page.find("button", en().recipe_run).click();
    page.wait_until("clients stand at blocks", "return !!document.querySelector('.recipe-blocks li.at > b')");
    page.reload();
    let count = READY[0].text.lines().count();
    let all = format!("return document.querySelectorAll('.recipe-blocks li').length === {count}");
    page.wait_until("it is blocks again", &all);
    page.assert_no_errors();
}

#[test]
fn on_a_phone_blocks_are_large_enough_for_fingers_and_nothing_is_cut_off() {
    let page = Page::open_sized("?lang=en&scenario=cold-start-3&paused=1&panel=recipe", 390, 844);
    paste(&page, READY[3].text);
    page.find("button", en().recipe_blocks).click();
    field(&page, 2).click();
    page.find("button", en().recipe_add).click();
    let small = "return [...document.querySelectorAll('.recipe-blocks button, .recipe-blocks .tile')]
        .filter(one => one.getBoundingClientRect().height < 32 || one.getBoundingClientRect().width < 32).map(one => one.innerText)";
    assert_eq!(page.js(small, &[]), json!([]));
    let wide = "const box = document.querySelector('.recipe-blocks'); return box.scrollWidth <= box.clientWidth
        && [...document.querySelectorAll('.recipe-blocks textarea')].every(one => one.scrollHeight <= one.clientHeight + 1)";
    page.wait_until("all of each line is seen", wide);
    page.assert_no_errors();
}
