//! Three languages: chosen by the browser, by the link, by hand.

use serde_json::json;
use zabscope::i18n::{Lang, role_name};
use zabscope::zab::ServerState;

use crate::harness::{Engine, Page, en, only_in, words};

fn lang(page: &Page) -> String {
    page.js("return document.documentElement.lang", &[]).as_str().unwrap_or_default().to_string()
}

/// S3, which leads.
fn leader(lang: Lang) -> &'static str {
    words::begin(words::of(lang).server_label, &[&"S3", &role_name(lang, ServerState::Leading).spoken])
}

#[test]
fn the_choice_goes_into_the_link() {
    let page = Page::open("?lang=en&scenario=cold-start-3&t=1650&paused=1");
    page.choose(en().language, "zh-Hant");
    assert_eq!(lang(&page), "zh-Hant");
    let hant = words::of(Lang::ZhHant);
    page.find("button", leader(Lang::ZhHant));
    page.find("button", hant.play);
    // what somebody typed is not ours to convert
    page.js(
        "zabscope.act({ do: 'write', server: 1, data: '默认网络', count: 1, every_us: 0 }); zabscope.seek(1900)",
        &[],
    );
    page.find("button", hant.show_log).click();
    let text = page.text();
    assert!(text.contains("默认网络") && !text.contains("預設網路"), "{text}");
    page.find("button", hant.share).click();
    let link = page.find("textbox", hant.share_link).property("value");
    page.goto("?lang=en");
    page.visit(link.as_str().expect("an address"));
    assert_eq!(lang(&page), "zh-Hant");
    page.choose(hant.language, "zh-Hans");
    page.find("button", leader(Lang::Zh));
    // what is wrong with an address is told in the language of the page
    page.goto("?lang=zh-Hant&scenario=lock-herd&clients=many&paused=1");
    let said = page.find("alert", "").text();
    assert!(said.contains("整數") && !said.contains("whole number"), "{said}");
    page.assert_no_errors();
}

#[test]
fn the_browser_says_which_one_is_first() {
    if !only_in(Engine::Chromium, "languages are set by its developer tools") {
        return;
    }
    let page = Page::blank(false);
    for (accepts, is) in [
        ("zh-TW,en", "zh-Hant"),
        ("zh-HK", "zh-Hant"),
        ("zh-CN,zh-TW", "zh-Hans"),
        ("de,zh-MO", "zh-Hant"),
        ("de", "en"),
    ] {
        let agent = page.js("return navigator.userAgent", &[]);
        page.devtools("Emulation.setUserAgentOverride", json!({ "userAgent": agent, "acceptLanguage": accepts }));
        page.goto("?paused=1");
        assert_eq!(lang(&page), is, "{accepts}");
    }
}
