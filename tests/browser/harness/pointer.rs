//! A mouse, a finger, a pen, a keyboard, as the driver moves them.

use serde_json::{Value, json};

use super::Page;

/// One thing that a pointer does.
#[derive(Clone, Copy, Debug)]
pub enum Move {
    /// Goes there, CSS pixels from the window's top left corner, within so many ms.
    To(f64, f64, u64),
    Down,
    Up,
    /// Stays for so many ms.
    Wait(u64),
}

#[allow(dead_code, reason = "a vocabulary: not every test file uses every word")]
impl Page {
    /// Moves a pointer: "mouse", "touch" or "pen". A button that is down stays down until a later call lets it go.
    pub fn pointer(&self, kind: &str, moves: &[Move]) {
        self.try_pointer(kind, moves).unwrap_or_else(|error| panic!("moving a {kind}: {error}"));
    }

    /// The same; what the driver refuses is an error.
    pub fn try_pointer(&self, kind: &str, moves: &[Move]) -> Result<(), String> {
        let one = |step: &Move| match *step {
            Move::To(x, y, ms) => {
                json!({ "type": "pointerMove", "x": x.round(), "y": y.round(), "duration": ms, "origin": "viewport" })
            }
            Move::Down => json!({ "type": "pointerDown", "button": 0 }),
            Move::Up => json!({ "type": "pointerUp", "button": 0 }),
            Move::Wait(ms) => json!({ "type": "pause", "duration": ms }),
        };
        let steps: Vec<Value> = moves.iter().map(one).collect();
        let source = json!({
            "type": "pointer", "id": kind, "parameters": { "pointerType": kind }, "actions": steps,
        });
        self.driver.try_post("actions", &json!({ "actions": [source] })).map(|_| ())
    }

    /// Types into whatever hears it, also where nothing has the focus, with `held` (a modifier) down all the time. What the
    /// driver refuses is an error.
    pub fn try_type(&self, held: Option<char>, text: &str) -> Result<(), String> {
        let key = |kind: &str, value: char| json!({ "type": kind, "value": value.to_string() });
        let letters = text.chars().flat_map(|letter| [key("keyDown", letter), key("keyUp", letter)]);
        let steps: Vec<Value> = held
            .map(|held| key("keyDown", held))
            .into_iter()
            .chain(letters)
            .chain(held.map(|held| key("keyUp", held)))
            .collect();
        let source = json!({ "type": "key", "id": "keyboard", "actions": steps });
        self.driver.try_post("actions", &json!({ "actions": [source] })).map(|_| ())
    }
}
