//! The page starts.

use serde_json::json;

use crate::harness::Page;

#[test]
fn opens_without_an_error() {
    let page = Page::open("");
    assert_eq!(page.title(), "ZabScope");
    page.assert_no_errors();
}

#[test]
fn allows_a_strict_policy_for_scripts() {
    let page = Page::open("");
    assert_eq!(page.js("return [...document.scripts].filter((script) => !script.src).length", &[]), json!(0));
}
