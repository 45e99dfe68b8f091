//! What the page renders, as a tree of elements.

use html5gum::{Token, Tokenizer};

/// Elements that have no end tag. The renderer ends a `textarea`, but not each of these.
const VOID: [&str; 4] = ["br", "hr", "img", "input"];

/// An element, or a text between elements.
#[derive(Debug)]
pub(super) enum Node {
    Element(Element),
    Text(String),
}

/// An element with its attributes and what is in it.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub tag: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Node>,
}

impl Element {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub(super) fn has_class(&self, class: &str) -> bool {
        self.attribute("class").is_some_and(|classes| classes.split_whitespace().any(|one| one == class))
    }

    /// Nobody is told of it: it is hidden from screen readers, or the style sheet does not show it.
    pub(super) fn is_hidden(&self) -> bool {
        self.attribute("aria-hidden") == Some("true") || self.has_class("none") || self.has_class("hidden")
    }

    /// The elements right in it.
    pub(super) fn elements(&self) -> impl DoubleEndedIterator<Item = &Element> {
        self.children.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) => None,
        })
    }

    /// Everything in it, itself first, each with what it stands in, the outermost first.
    pub(super) fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Element, &[&'a Element])) {
        self.walk_below(&mut Vec::new(), visit);
    }

    fn walk_below<'a>(&'a self, above: &mut Vec<&'a Element>, visit: &mut dyn FnMut(&'a Element, &[&'a Element])) {
        visit(self, above);
        above.push(self);
        for child in self.elements() {
            child.walk_below(above, visit);
        }
        above.pop();
    }

    /// The first one in it, itself first, for which this holds.
    pub(super) fn find(&self, holds: &dyn Fn(&Element) -> bool) -> Option<&Element> {
        if holds(self) { Some(self) } else { self.elements().find_map(|child| child.find(holds)) }
    }
}

/// Reads what the renderer wrote.
pub(super) fn parse(html: &str) -> Element {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the renderer writes UTF-8");
    let mut open = vec![Element::default()];
    let close = |open: &mut Vec<Element>| {
        let done = open.pop().expect("an open element");
        open.last_mut().expect("a start tag for each end tag").children.push(Node::Element(done));
    };
    for Ok(token) in Tokenizer::new(html) {
        match token {
            Token::StartTag(start) => {
                let attributes = start.attributes.iter().map(|(name, value)| (text(name), text(value)));
                let (tag, attributes) = (text(&start.name), attributes.collect());
                let is_void = VOID.contains(&tag.as_str());
                open.push(Element { tag, attributes, children: Vec::new() });
                if is_void {
                    close(&mut open);
                }
            }
            Token::EndTag(end) => {
                assert_eq!(open.last().map(|open| open.tag.as_str()), Some(text(&end.name).as_str()), "{html}");
                close(&mut open);
            }
            Token::String(string) => {
                open.last_mut().expect("a root").children.push(Node::Text(text(&string)));
            }
            other => panic!("{other:?} in {html}"),
        }
    }
    assert_eq!(open.len(), 1, "every element is closed");
    open.remove(0)
}
