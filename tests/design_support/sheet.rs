//! The page's style sheet as a list of rules, those inside of `@media` included.

use std::collections::BTreeMap;

/// The style sheet.
pub const STYLE: &str = include_str!("../../static/style.css");

/// A rule.
#[derive(Debug)]
pub struct Rule {
    pub selector: String,
    /// Properties and their values, in order.
    pub declarations: Vec<(String, String)>,
}

impl Rule {
    /// Whether it says what tokens are.
    pub fn is_tokens(&self) -> bool {
        self.selector.starts_with(":root")
    }
}

/// What the page can wear.
#[derive(Clone, Copy, Debug)]
pub struct Theme {
    pub dark: bool,
    pub high: bool,
}

impl Theme {
    pub const ALL: [Theme; 4] = [
        Theme { dark: false, high: false },
        Theme { dark: true, high: false },
        Theme { dark: false, high: true },
        Theme { dark: true, high: true },
    ];
}

/// All rules in their order.
pub fn rules() -> Vec<Rule> {
    let mut found = Vec::new();
    parse(&without_comments(STYLE), &mut found);
    found
}

fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, rest)| rest);
    }
    out + rest
}

fn parse(mut text: &str, found: &mut Vec<Rule>) {
    while let Some((selector, after)) = text.split_once('{') {
        let mut depth = 1;
        let end = after.find(|c| {
            depth += match c {
                '{' => 1,
                '}' => -1,
                _ => 0,
            };
            depth == 0
        });
        let end = end.expect("every brace is closed");
        let (body, selector) = (&after[..end], selector.trim().to_string());
        if selector.starts_with('@') {
            parse(body, found);
        } else {
            let one = |line: &str| line.split_once(':').map(|(p, v)| (p.trim().to_string(), v.trim().to_string()));
            found.push(Rule { selector, declarations: body.split(';').filter_map(one).collect() });
        }
        text = &after[end + 1..];
    }
}

/// The tokens of a theme by name, those that it does not change included.
pub fn tokens(theme: Theme) -> BTreeMap<String, String> {
    let applies = |selector: &str| match selector {
        ":root" => true,
        ":root[data-theme=\"dark\"]" => theme.dark,
        ":root[data-contrast=\"high\"]" => theme.high,
        ":root[data-theme=\"dark\"][data-contrast=\"high\"]" => theme.dark && theme.high,
        _ => false,
    };
    let mut all = BTreeMap::new();
    for rule in rules().into_iter().filter(|rule| applies(&rule.selector)) {
        all.extend(rule.declarations.into_iter().filter(|(name, _)| name.starts_with("--")));
    }
    all
}
