//! Texts of a recorded lesson. What would be taken for something else in them (a brace, a number that only the run decides, a full stop
//! in what somebody typed) is a name that stands for it.

use crate::sim::Action;

use crate::lessons::lesson::MAX_NAMES;
use crate::lessons::text::{quoted, text_json};

/// Most characters of a sentence in English and in Chinese, its full stop left out: below what captions may have.
const MOST: (usize, usize) = (140, 68);

/// Names of a lesson, and what they stand for.
#[derive(Default)]
pub(super) struct Said(Vec<String>);

impl Said {
    /// The name, in braces, that stands for a text; an ellipsis where there are too many.
    fn name(&mut self, text: &str) -> String {
        let at = self.0.iter().position(|known| known == text);
        match at {
            Some(at) => format!("{{v{}}}", at + 1),
            None if self.0.len() < MAX_NAMES => {
                self.0.push(text.into());
                format!("{{v{}}}", self.0.len())
            }
            None => "…".into(),
        }
    }

    /// All names as a lesson lists them.
    pub(super) fn names(&self) -> String {
        let one = |(at, text): (usize, &String)| format!("\"v{}\": {{\"plain\": {}}}", at + 1, quoted(text));
        format!("{{{}}}", self.0.iter().enumerate().map(one).collect::<Vec<_>>().join(", "))
    }

    /// An action as JSON. Those of all deeds come before the sentences, so that there is a name left for a brace.
    pub(super) fn act(&mut self, action: &Action) -> String {
        let json = serde_json::to_string(action).unwrap_or_default();
        let (mut act, mut inside, mut escaped) = (String::with_capacity(json.len()), false, false);
        for letter in json.chars() {
            match letter {
                '{' if inside => act.push_str(&self.name("{")),
                _ => act.push(letter),
            }
            inside ^= letter == '"' && !escaped;
            escaped = inside && letter == '\\' && !escaped;
        }
        act
    }

    /// A sentence in both languages, from labels without a full stop; as JSON.
    pub(super) fn sentence(&mut self, english: &str, chinese: &str) -> String {
        let mut letters = english.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        let english: String = first.into_iter().chain(letters).collect();
        text_json(&(self.hidden(&english, MOST.0) + "."), &(self.hidden(chinese, MOST.1) + "。"))
    }

    /// A label of at most so many characters with names in it.
    fn hidden(&mut self, label: &str, most: usize) -> String {
        let long = label.chars().count() > most;
        let mut letters = label.chars().take(if long { most - 1 } else { most }).peekable();
        // `bare` is the text without its names, as captions are measured
        let (mut said, mut bare) = (String::new(), String::new());
        while let Some(letter) = letters.next() {
            let mut piece = String::from(letter);
            if letter.is_ascii_digit() && !bare.ends_with(char::is_alphanumeric) {
                while let Some(digit) = letters.next_if(char::is_ascii_digit) {
                    piece.push(digit);
                }
            } else if !"{}.?!。？！".contains(letter) {
                said.push(letter);
                bare.push(letter);
                continue;
            }
            said.push_str(&self.name(&piece));
        }
        if long {
            said.push('…');
        }
        said
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_mean_something_else_is_a_name() {
        let mut said = Said::default();
        let told = said.sentence("delay S2 by 15 ms", "S2 延迟 15 毫秒");
        assert_eq!(told, text_json("Delay S2 by {v1} ms.", "S2 延迟 {v1} 毫秒。"));
        assert_eq!(said.hidden("write “{a}. 15” to S1", 99), "write “{v2}a{v3}{v4} {v1}” to S1");
        assert_eq!(said.hidden("too long", 5), "too …");
        assert_eq!(
            said.names(),
            r#"{"v1": {"plain": "15"}, "v2": {"plain": "{"}, "v3": {"plain": "}"}, "v4": {"plain": "."}}"#
        );
    }
}
