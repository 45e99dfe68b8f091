//! Where the page is, as far as links to it and code for other pages say so.

use crate::i18n::page::Page;
use crate::ui::kit::browser::window;

/// What stands for the address of a page that has none.
pub(super) const NOWHERE: &str = "https://ADDRESS/";

/// The page's address, without what follows its path.
pub(in crate::ui) fn home() -> String {
    let location = window().location();
    let (protocol, origin) = (location.protocol().unwrap_or_default(), location.origin().unwrap_or_default());
    address_of(&protocol, &origin, &location.pathname().unwrap_or_default())
}

/// The same, of an address in its parts.
fn address_of(protocol: &str, origin: &str, path: &str) -> String {
    match protocol {
        // a page from a file has no origin that others could use
        "file:" => format!("file://{path}"),
        // an object in memory, as the package for notebooks has it, or a text in a frame
        "blob:" | "about:" | "data:" => NOWHERE.to_string(),
        _ => format!("{origin}{path}"),
    }
}

/// Whether the page has no address, by that or by a link to it.
pub(in crate::ui) fn is_nowhere(link: &str) -> bool {
    link.starts_with(NOWHERE)
}

/// What has to be said of an address that others cannot open.
pub(super) fn reach(home: &str, words: &Page) -> Option<&'static str> {
    match is_nowhere(home) {
        true => Some(words.share_nowhere),
        false => home.starts_with("file:").then_some(words.share_file),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::i18n::Lang;
    use crate::i18n::page::page;

    #[test]
    fn an_address_that_others_cannot_open_is_told() {
        let told = |protocol, origin, path| {
            let home = address_of(protocol, origin, path);
            let said = reach(&home, page(Lang::En));
            (home, said)
        };
        let words = page(Lang::En);
        assert_eq!(told("https:", "https://example.org", "/z/"), ("https://example.org/z/".to_string(), None));
        let file = told("file:", "null", "/z/zabscope.html");
        assert_eq!(file, ("file:///z/zabscope.html".to_string(), Some(words.share_file)));
        // a browser takes the whole address in memory for the path
        let notebook = told("blob:", "http://127.0.0.1:8888", "http://127.0.0.1:8888/3f1a");
        assert_eq!(notebook, (NOWHERE.to_string(), Some(words.share_nowhere)));
        assert!(is_nowhere(&told("about:", "null", "srcdoc").0) && words.share_nowhere.contains("ADDRESS"));
    }
}
