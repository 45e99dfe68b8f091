//! The page as a screen reader has it: a line for each thing that has a role, with its name, its state and its value. Roles and names
//! follow WAI-ARIA and its computation of names, as far as the page uses them.

use super::html::{Element, Node};

/// Roles whose name is what stands in them.
const NAMED_BY_CONTENT: [&str; 17] = [
    "button",
    "link",
    "heading",
    "option",
    "tab",
    "menuitem",
    "treeitem",
    "columnheader",
    "rowheader",
    "cell",
    "summary",
    "listitem",
    "paragraph",
    "definition",
    "caption",
    "alert",
    "status",
];
/// Roles that somebody can act on.
pub(super) const INTERACTIVE: [&str; 13] = [
    "button",
    "link",
    "tab",
    "menuitem",
    "treeitem",
    "summary",
    "combobox",
    "textbox",
    "searchbox",
    "checkbox",
    "slider",
    "file",
    "radio",
];
/// What is said of a thing beside its name.
const STATES: [&str; 11] = [
    "aria-current",
    "aria-expanded",
    "aria-haspopup",
    "aria-level",
    "aria-live",
    "aria-modal",
    "aria-pressed",
    "aria-selected",
    "checked",
    "disabled",
    "readonly",
];

/// A thing on the page.
#[derive(Debug, PartialEq)]
pub(super) struct Line {
    pub depth: usize,
    pub role: String,
    pub states: String,
    pub name: String,
    /// Its description, its value, its hint: whatever else is said or shown of it.
    pub more: Vec<(&'static str, String)>,
}

impl Line {
    /// Everything that is said in it; what was typed is the same in every language.
    pub(super) fn said(&self) -> impl Iterator<Item = &str> {
        let typed = self.role == "textbox";
        let more = self.more.iter().filter(move |(what, _)| !(typed && *what == "="));
        [self.name.as_str()].into_iter().chain(more.map(|(_, said)| said.as_str()))
    }
}

impl std::fmt::Display for Line {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Line { depth, role, states, name, more } = self;
        write!(out, "{:1$}{role}", "", depth * 2)?;
        if !states.is_empty() {
            write!(out, " [{states}]")?;
        }
        if !name.is_empty() {
            write!(out, " {name:?}")?;
        }
        more.iter().try_for_each(|(what, said)| write!(out, " {what} {said:?}"))
    }
}

/// What an element is; none where it only holds others.
pub(super) fn role(element: &Element) -> Option<&str> {
    let named = element.attribute("aria-label").is_some();
    let role = match (element.attribute("role"), element.tag.as_str()) {
        (Some("none"), _) => return None,
        (Some(role), _) => role,
        (None, "a") => "link",
        (None, "aside") => "complementary",
        (None, "canvas" | "svg" | "section" | "form" | "footer") if !named => return None,
        (None, "section") => "region",
        (None, "footer") => "contentinfo",
        (None, "dd") => "definition",
        (None, "fieldset") => "group",
        (None, "dt") => "term",
        (None, "h1" | "h2" | "h3" | "h4") => "heading",
        (None, "input") => match element.attribute("type") {
            Some("search") => "searchbox",
            Some("checkbox") => "checkbox",
            Some("radio") => "radio",
            Some("range") => "slider",
            Some("file") => "file",
            _ => "textbox",
        },
        (None, "li") => "listitem",
        (None, "ol" | "ul") => "list",
        (None, "output") => "status",
        (None, "p") => "paragraph",
        (None, "progress") => "progressbar",
        (None, "select") => "combobox",
        (None, "td") => "cell",
        (None, "textarea") => "textbox",
        (None, "th") if element.attribute("scope") == Some("row") => "rowheader",
        (None, "th") => "columnheader",
        (None, "tr") => "row",
        (None, tag @ ("button" | "caption" | "form" | "main" | "option" | "summary" | "table")) => tag,
        (None, _) => return None,
    };
    Some(role)
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What stands in an element for whoever listens; what is typed or chosen in it is no part of its name.
pub(super) fn content(element: &Element) -> String {
    let part = |node: &Node| match node {
        Node::Text(text) => text.clone(),
        Node::Element(child)
            if child.is_hidden() || ["select", "input", "textarea"].contains(&child.tag.as_str()) =>
        {
            String::new()
        }
        Node::Element(child) => {
            format!(" {} ", child.attribute("aria-label").map_or_else(|| content(child), str::to_string))
        }
    };
    squeezed(&element.children.iter().map(part).collect::<String>())
}

fn with_ids(page: &Element, ids: &str) -> String {
    let one = |id| page.find(&|element| element.attribute("id") == Some(id)).map(content).unwrap_or_default();
    squeezed(&ids.split_whitespace().map(one).collect::<Vec<_>>().join(" "))
}

/// What an element is called. `above` is what it stands in.
pub(super) fn name(element: &Element, above: &[&Element], page: &Element) -> String {
    let child = |tag: &str| element.elements().find(|child| child.tag == tag).map(content);
    let named = element.attribute("aria-labelledby").map(|ids| with_ids(page, ids));
    let named = named.or_else(|| element.attribute("aria-label").map(squeezed));
    let named = named.or_else(|| match element.tag.as_str() {
        "input" | "select" | "textarea" | "progress" => {
            above.iter().rfind(|one| one.tag == "label").map(|label| content(label))
        }
        "fieldset" => child("legend"),
        "table" => child("caption"),
        "svg" | "g" => child("title"),
        _ => None,
    });
    let by_content = role(element).is_some_and(|role| NAMED_BY_CONTENT.contains(&role) || role == "term");
    let named = named.or_else(|| by_content.then(|| content(element))).filter(|name| !name.is_empty());
    named.or_else(|| element.attribute("title").map(squeezed)).unwrap_or_default()
}

/// What an element is in, besides its name.
fn more(element: &Element, name: &str, page: &Element) -> Vec<(&'static str, String)> {
    let described = element.attribute("aria-describedby").map(|ids| with_ids(page, ids));
    let title = element.attribute("title").map(squeezed);
    let stops =
        role(element).is_some_and(|role| INTERACTIVE.contains(&role) || ["application", "listitem"].contains(&role));
    let about = described.or(title.filter(|_| stops)).filter(|about| about != name);
    let mut options: Vec<&Element> = Vec::new();
    element.walk(&mut |one, _| options.extend((element.tag == "select" && one.tag == "option").then_some(one)));
    let chosen = options.iter().find(|option| option.attribute("selected").is_some()).or(options.first());
    let others = options.iter().map(|option| content(option)).collect::<Vec<_>>().join(" | ");
    let value = match element.tag.as_str() {
        "textarea" => element.children.iter().find_map(|node| match node {
            Node::Text(text) => Some(text.clone()),
            Node::Element(_) => None,
        }),
        "select" => chosen.map(|option| content(option)),
        "input" | "progress" => element.attribute("value").map(str::to_string),
        "output" => Some(content(element)).filter(|said| said != name),
        _ => None,
    };
    let hint = element.attribute("placeholder").map(str::to_string);
    let all = [("about", about), ("=", value), ("of", Some(others)), ("hint", hint)];
    all.into_iter().filter_map(|(what, said)| Some((what, said.filter(|said| !said.is_empty())?))).collect()
}

fn states(element: &Element) -> String {
    let said = |name: &&str| {
        let value = element.attribute(name)?;
        let name = name.trim_start_matches("aria-");
        Some(if value.is_empty() || value == name { name.to_string() } else { format!("{name}={value}") })
    };
    STATES.iter().filter_map(said).collect::<Vec<_>>().join(" ")
}

/// Whether there is anything in an element that has a line of its own.
fn is_plain(element: &Element) -> bool {
    element.elements().all(|child| child.is_hidden() || role(child).is_none() && is_plain(child))
}

/// The lines of an element of a page.
pub(super) fn outline(element: &Element, page: &Element) -> Vec<Line> {
    let mut lines = Vec::new();
    add(element, &mut Vec::new(), page, 0, &mut lines);
    lines
}

/// An outline without things of these roles and what is in them.
pub(super) fn without(lines: Vec<Line>, is_left_out: fn(&str) -> bool) -> Vec<Line> {
    let mut out = None::<usize>;
    let stays = |line: &Line| {
        out = out.filter(|depth| line.depth > *depth).or(is_left_out(&line.role).then_some(line.depth));
        out.is_none()
    };
    lines.into_iter().filter(stays).collect()
}

/// The only thing in an element, if somebody can act on it.
fn only_button(element: &Element) -> Option<&Element> {
    let mut buttons = Vec::new();
    element
        .walk(&mut |one, _| buttons.extend(role(one).is_some_and(|role| INTERACTIVE.contains(&role)).then_some(one)));
    (buttons.len() == 1).then(|| buttons[0])
}

/// A row of a table in a line, and so is a term with what is said of it.
fn joined(element: &Element, role: &str, depth: usize, lines: &mut Vec<Line>) -> bool {
    let how = if only_button(element).is_some() { "button" } else { "=" };
    match role {
        "definition" => {
            let term = lines.last_mut().filter(|line| line.role == "term" && line.depth == depth);
            term.map(|term| term.more.push((how, content(element)))).is_some()
        }
        "row" => {
            let name = element.elements().map(content).collect::<Vec<_>>().join(" | ");
            lines.push(Line { depth, role: role.into(), states: String::new(), name, more: Vec::new() });
            true
        }
        _ => false,
    }
}

fn add<'a>(element: &'a Element, above: &mut Vec<&'a Element>, page: &Element, depth: usize, lines: &mut Vec<Line>) {
    if element.is_hidden() {
        return;
    }
    let Some(role) = role(element) else { return add_children(element, above, page, depth, lines) };
    if joined(element, role, depth, lines) {
        return;
    }
    let leaf = is_plain(element) || ["combobox", "button", "tab", "treeitem", "term"].contains(&role);
    let full = leaf || !NAMED_BY_CONTENT.contains(&role) || element.attribute("aria-label").is_some();
    let name = if full { name(element, above, page) } else { String::new() };
    if leaf && name.is_empty() && states(element).is_empty() && ["paragraph", "list", "cell"].contains(&role) {
        return;
    }
    // an item that is nothing but a button is the button
    if role == "listitem" && only_button(element).is_some_and(|button| content(button) == content(element)) {
        return add_children(element, above, page, depth, lines);
    }
    let level =
        element.tag.strip_prefix('h').filter(|level| role == "heading" && level.len() == 1).unwrap_or_default();
    let (role, more) = (format!("{role}{level}"), more(element, &name, page));
    lines.push(Line { depth, role, states: states(element), name, more });
    if !leaf {
        add_children(element, above, page, depth + 1, lines);
    }
}

/// What is in an element: things, and between them texts. What is folded is not there, and what names a control is said with it.
fn add_children<'a>(
    element: &'a Element,
    above: &mut Vec<&'a Element>,
    page: &Element,
    depth: usize,
    lines: &mut Vec<Line>,
) {
    let folded = element.tag == "details" && element.attribute("open").is_none();
    let said_elsewhere = |tag: &str| tag == "legend" || tag == "title";
    let is_label = above.iter().chain([&element]).any(|one| one.tag == "label");
    above.push(element);
    let mut text = String::new();
    let flush = |text: &mut String, lines: &mut Vec<Line>| {
        let name = squeezed(&std::mem::take(text));
        if !name.is_empty() {
            lines.push(Line { depth, role: "text".into(), states: String::new(), name, more: Vec::new() });
        }
    };
    for node in &element.children {
        match node {
            Node::Text(said) if !is_label => text.push_str(said),
            Node::Text(_) => {}
            Node::Element(child) if folded && child.tag != "summary" || said_elsewhere(&child.tag) => {}
            Node::Element(child) if role(child).is_none() && is_plain(child) && !is_label => {
                text.push_str(&if child.is_hidden() { String::new() } else { format!(" {} ", content(child)) });
            }
            Node::Element(child) => {
                flush(&mut text, lines);
                add(child, above, page, depth, lines);
            }
        }
    }
    flush(&mut text, lines);
    above.pop();
}
