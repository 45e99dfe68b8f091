//! One thing on a page: what can be done with it, and what it says of itself.

use std::time::Instant;

use serde_json::{Value, json};

use super::{PATIENCE, PAUSE, Page, text_of};

/// Something on a page.
pub struct Element<'page> {
    pub(super) page: &'page Page,
    pub(super) reference: Value,
}

#[allow(dead_code, reason = "a vocabulary: not every test file uses every word")]
impl<'page> Element<'page> {
    /// Clicks as a mouse does: scrolls there, and fails if something else lies above and stays there, or it stays out of reach (it may
    /// just be on its way to its place).
    pub fn click(&self) {
        let end = Instant::now() + PATIENCE;
        while let Err(error) = self.page.driver.try_post(&self.command("click"), &json!({})) {
            let moves =
                ["element click intercepted", "element not interactable"].iter().any(|one| error.starts_with(one));
            let may_go = moves && Instant::now() < end;
            assert!(
                may_go,
                "clicking {} {:?}: {error}",
                self.page.call("roleOf", std::slice::from_ref(&self.reference)),
                self.name()
            );
            std::thread::sleep(PAUSE);
        }
    }

    /// Focuses it and types; see [`Page::keys`].
    pub fn keys(&self, keys: &(impl ToString + ?Sized)) {
        self.post("value", &json!({ "text": keys.to_string() }));
    }

    /// Empties a field.
    pub fn clear(&self) {
        self.post("clear", &json!({}));
    }

    /// The one visible thing with this role and name inside this one.
    pub fn find(&self, role: &str, name: &str) -> Element<'page> {
        self.page.one(role, name, self.reference.clone())
    }

    /// All visible things with this role and name inside this one.
    pub fn find_all(&self, role: &str, name: &str) -> Vec<Element<'page>> {
        self.page.all(role, name, &self.reference)
    }

    /// Its accessible name.
    pub fn name(&self) -> String {
        text_of(&self.page.call("nameOf", std::slice::from_ref(&self.reference)))
    }

    /// Its visible text.
    pub fn text(&self) -> String {
        text_of(&self.js("return it.innerText ?? it.textContent"))
    }

    /// A property of the DOM, as in `value`, `checked`, `disabled`, `id`.
    pub fn property(&self, name: &str) -> Value {
        self.js(&format!("return it[{}]", json!(name)))
    }

    /// An attribute, `None` where it is absent.
    pub fn attribute(&self, name: &str) -> Option<String> {
        self.js(&format!("return it.getAttribute({})", json!(name))).as_str().map(str::to_string)
    }

    /// Runs the body of a JavaScript function in which `it` is this element.
    pub fn js(&self, body: &str) -> Value {
        self.page.js(&format!("const it = arguments[0]; {body}"), std::slice::from_ref(&self.reference))
    }

    fn post(&self, command: &str, body: &Value) {
        self.page.driver.post(&self.command(command), body);
    }

    /// The path of a command for this element.
    fn command(&self, name: &str) -> String {
        let id = self.reference.as_object().and_then(|it| it.values().next()).and_then(Value::as_str);
        format!("element/{}/{name}", id.expect("an element's reference"))
    }
}
