//! Sentences of a lesson, in the languages that it is written in.

use std::rc::Rc;

use crate::base::json::{Json, Read, ReadError, ValueError};
use crate::daemon::Tongue;

/// Longest sentence, bytes.
const MAX_TEXT_BYTES: usize = 600;
/// Longest text that stands for all languages, bytes; it has no blanks.
const MAX_WORD_BYTES: usize = 40;

/// A text in each language. Names in braces (`{L}`) stand for what the run makes of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// In English.
    pub en: Rc<str>,
    /// In Chinese, simplified characters; the traditional ones are made of it.
    pub zh: Rc<str>,
}

impl Text {
    /// It in all languages, each with its name in a file: English, then Chinese.
    pub fn each(&self) -> [(&'static str, &str); 2] {
        [("en", &self.en), ("zh", &self.zh)]
    }

    /// It in a language.
    pub fn of(&self, tongue: Tongue) -> &str {
        match tongue {
            Tongue::English => &self.en,
            Tongue::Chinese => &self.zh,
        }
    }
}

impl Read for Text {
    fn read(json: Json) -> Result<Text, ReadError> {
        // a name or a number is the same in all languages
        if let Json::Text(word) = &json
            && word.len() <= MAX_WORD_BYTES
            && !word.contains(char::is_whitespace)
        {
            let word: Rc<str> = word.as_str().into();
            return Ok(Text { en: word.clone(), zh: word });
        }
        let mut fields = json.fields()?;
        let text = Text { en: fields.need("en")?, zh: fields.need("zh")? };
        for (name, text) in text.each() {
            if text.len() > MAX_TEXT_BYTES {
                let long = ValueError::TooLong { bytes: text.len(), most: MAX_TEXT_BYTES };
                return Err(ReadError::new(long).within(name));
            }
        }
        fields.end().map(|()| text)
    }
}

/// The parts of a text: what stands there, and the names in braces, in turn. A brace that is not closed is a part of the text.
pub fn places(text: &str) -> Vec<(&str, Option<&str>)> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some((before, name, after)) = next_place(rest) {
        parts.push((before, Some(name)));
        rest = after;
    }
    parts.push((rest, None));
    parts
}

fn next_place(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

/// A text as JSON.
pub(super) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// A text in both languages as a lesson writes it.
pub(super) fn text_json(english: &str, chinese: &str) -> String {
    let [english, chinese] = [english, chinese].map(quoted);
    format!(r#"{{"en": {english}, "zh": {chinese}}}"#)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_where_braces_close() {
        assert_eq!(places("{L} leads {F}."), [("", Some("L")), (" leads ", Some("F")), (".", None)]);
        assert_eq!(places("plain"), [("plain", None)]);
        assert_eq!(places("open {L"), [("open {L", None)]);
    }
}
