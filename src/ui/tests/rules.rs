//! What has to hold of everything that the page renders, in every language.

use std::collections::BTreeSet;

use super::html::{Element, parse};
use super::outline::{INTERACTIVE, name, role};

/// Roles that say nothing without a name, beside those that somebody can act on.
const NAMED: [&str; 18] = [
    "alertdialog",
    "application",
    "complementary",
    "contentinfo",
    "dialog",
    "form",
    "img",
    "log",
    "menu",
    "option",
    "progressbar",
    "region",
    "table",
    "tablist",
    "tabpanel",
    "toolbar",
    "tree",
    "heading",
];
/// Attributes that name ids.
const REFERRING: [&str; 6] =
    ["aria-controls", "aria-labelledby", "aria-describedby", "aria-owns", "aria-activedescendant", "for"];
/// Attributes that are true or false.
const TRUE_OR_FALSE: [&str; 5] = ["aria-expanded", "aria-pressed", "aria-selected", "aria-modal", "aria-checked"];
/// What stands in what: a role, and one that is around it, with nothing but holders between.
const WITHIN: [(&str, &str); 4] =
    [("tab", "tablist"), ("menuitem", "menu"), ("treeitem", "tree"), ("listitem", "list")];
/// Elements that the focus reaches by themselves.
const FOCUSABLE: [&str; 5] = ["a", "button", "input", "select", "textarea"];

fn ids(page: &Element) -> Vec<&str> {
    let mut ids = Vec::new();
    page.walk(&mut |element, _| ids.extend(element.attribute("id")));
    ids
}

fn takes_focus(element: &Element) -> bool {
    let index = element.attribute("tabindex");
    index.map_or(FOCUSABLE.contains(&element.tag.as_str()), |index| index != "-1")
}

/// What is wrong with a single element.
fn wrong<'a>(element: &'a Element, above: &[&'a Element], page: &Element) -> Vec<String> {
    let mut wrong = Vec::new();
    let is_hidden = |element: &&Element| element.attribute("aria-hidden") == Some("true");
    if above.iter().chain([&element]).any(is_hidden) {
        wrong.extend(takes_focus(element).then(|| "takes the focus, and nobody is told of it".to_string()));
        return wrong;
    }
    let role = role(element);
    let needs_name = role.is_some_and(|role| INTERACTIVE.contains(&role) || NAMED.contains(&role));
    // a table's own name may stand above it
    if needs_name && role != Some("table") && name(element, above, page).is_empty() {
        wrong.push("has no name".into());
    }
    // lines of a menu may stand in groups
    let groups = |found: &&str| role == Some("menuitem") && *found == "group";
    let around = above.iter().rev().filter_map(|one| super::outline::role(one)).find(|found| !groups(found));
    if let Some((_, list)) = WITHIN.iter().find(|(item, list)| role == Some(item) && around != Some(list)) {
        wrong.push(format!("stands in no {list}"));
    }
    let acts = |one: &&Element| {
        super::outline::role(one).is_some_and(|role| INTERACTIVE.contains(&role) && role != "treeitem")
    };
    if acts(&element) && above.iter().any(acts) {
        wrong.push("stands in something else that can be pressed".into());
    }
    if role == Some("dialog") && element.find(&|one| one.tag == "h2").is_none() {
        wrong.push("has no title to be seen".into());
    }
    if element.tag == "svg" && role != Some("img") && role != Some("group") && !holds_something(element) {
        wrong.push("is a picture that is neither named nor hidden".into());
    }
    if element.tag == "th" && element.attribute("scope").is_none() {
        wrong.push("heads neither a row nor a column".into());
    }
    if let Some(index) = element.attribute("tabindex").filter(|index| !["0", "-1"].contains(index)) {
        wrong.push(format!("has its own place in the order of the Tab key: {index}"));
    }
    for name in TRUE_OR_FALSE {
        if let Some(value) = element.attribute(name).filter(|value| !["true", "false"].contains(value)) {
            wrong.push(format!("{name} is {value:?}"));
        }
    }
    wrong
}

/// A picture may hold what has names of its own.
fn holds_something(svg: &Element) -> bool {
    svg.find(&|one| one.attribute("role").is_some()).is_some()
}

/// What is wrong with a page; empty where all is well.
pub(super) fn check(page: &Element) -> Vec<String> {
    let all = ids(page);
    let known: BTreeSet<&str> = all.iter().copied().collect();
    let mut found: Vec<String> = Vec::new();
    if all.len() != known.len() {
        found.push(format!("an id is there twice: {all:?}"));
    }
    page.walk(&mut |element, above| {
        let mut wrong = wrong(element, above, page);
        for name in REFERRING {
            let missing =
                element.attribute(name).into_iter().flat_map(str::split_whitespace).filter(|id| !known.contains(id));
            wrong.extend(missing.map(|id| format!("{name} names {id:?}, which is not there")));
        }
        let tag = |one: &&Element| format!("{} {:?}", one.tag, one.attribute("class").unwrap_or_default());
        let path: Vec<String> = above.iter().chain([&element]).rev().take(3).map(tag).collect();
        found.extend(wrong.into_iter().map(|wrong| format!("{}: {wrong}", path.join(" in "))));
    });
    found
}

/// Each rule refuses what it is for: a rule that nothing breaks would hold nothing.
#[test]
fn each_rule_is_broken_by_something() {
    let broken = [
        ("<button></button>", "no name"),
        ("<button><svg aria-hidden=\"true\"></svg></button>", "no name"),
        ("<input type=\"text\" placeholder=\"A path\">", "no name"),
        ("<label><span>At</span></label><select><option>S1</option></select>", "no name"),
        ("<section role=\"dialog\"><h2>Share</h2></section>", "no name"),
        ("<section role=\"dialog\" aria-label=\"Share\"></section>", "no title"),
        ("<div role=\"log\"></div>", "no name"),
        ("<h2></h2>", "no name"),
        ("<canvas role=\"img\"></canvas>", "no name"),
        ("<svg><path></path></svg>", "neither named nor hidden"),
        ("<p id=\"a\"></p><p id=\"a\"></p>", "twice"),
        ("<button aria-controls=\"panel\">Logs</button>", "which is not there"),
        ("<label for=\"x\">At</label>", "which is not there"),
        ("<canvas role=\"img\" aria-label=\"Rate\" aria-describedby=\"said\"></canvas>", "which is not there"),
        ("<button role=\"tab\">Logs</button>", "in no tablist"),
        (
            "<div role=\"menu\" aria-label=\"S1\"><ul><li><button role=\"menuitem\">Crash</button></li></ul></div>",
            "in no menu",
        ),
        ("<div><li>S1</li></div>", "in no list"),
        ("<button>One<a href=\"./\">Two</a></button>", "something else"),
        ("<table><tr><th>S1</th></tr></table>", "neither a row nor a column"),
        ("<p tabindex=\"3\">S1</p>", "Tab key"),
        ("<button aria-pressed=\"yes\">Slow</button>", "aria-pressed"),
        ("<div aria-hidden=\"true\"><button>S1</button></div>", "takes the focus"),
    ];
    for (html, why) in broken {
        let found = check(&parse(html));
        assert!(found.iter().any(|one| one.contains(why)), "{html}: {found:?}");
    }
    let fine = "<section role=\"dialog\" aria-label=\"Share\"><h2>Share</h2><label><span>At</span><select><option>S1</option></select>\
        </label><ul role=\"menu\" aria-label=\"S1\"><li role=\"none\"><button role=\"menuitem\">Crash</button></li></ul></section>";
    assert_eq!(check(&parse(fine)), [""; 0]);
}
