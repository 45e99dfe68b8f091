//! What is on the screen besides the run, in short words. Whoever reads it leaves out what it does not know: a link of a newer
//! page opens in an older one, and a panel that is gone does no harm.

use serde::Serialize;

use crate::base::json::{Fields, Json, Read, ReadError};

/// Longest word of a look, bytes.
const LONGEST_WORD: usize = 64;
/// Most parameters of a scenario.
const MOST_GIVEN: usize = 32;

/// What is on the screen besides the run. All words are optional: what is missing stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(default)]
pub struct Look {
    /// The built-in scenario that the run came from, and whose title is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
    /// The parameters that it was given: names and values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<(String, String)>,
    /// What stands in the middle: `stage`, `space-time` …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub view: Option<String>,
    /// How the stage is cast, where a hand chose it: `ensemble`, `recipe` …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cast: Option<String>,
    /// The open panel: `proposals`, `inspect` …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panel: Option<String>,
    /// What is picked: `S2`, `S1-S2` (a link), `C3`, `m57` (a packet), `z2:5` (a transaction).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picked: Option<String>,
    /// The packet that is looked at, where something else is picked: `m57`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub packet: Option<String>,
    /// The client whose console is shown: `C1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub console: Option<String>,
    /// The language: `en`, `zh`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// The theme: `light`, `dark`. The page leaves it to the reader's eyes and room, and writes none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// The speed, virtual over real time: `1/30`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<String>,
    /// Time runs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub playing: bool,
    /// Idle times pass no faster than others.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_skip: bool,
    /// The list of what happened is open.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub log: bool,
    /// Large type and high contrast, for a hall.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lecture: bool,
    /// The end of the timeline, ms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
}

impl Look {
    /// What of some JSON is a look.
    pub(super) fn of(json: Json) -> Look {
        let Json::Object(fields) = json else { return Look::default() };
        let mut look = Look::default();
        for (name, value) in fields.iter() {
            look.take(name, value);
        }
        look
    }

    fn take(&mut self, name: &str, value: &Json) {
        match (name, value) {
            ("given", Json::List(given)) => self.given = given.iter().take(MOST_GIVEN).filter_map(pair).collect(),
            ("playing", Json::Bool(on)) => self.playing = *on,
            ("no_skip", Json::Bool(on)) => self.no_skip = *on,
            ("log", Json::Bool(on)) => self.log = *on,
            ("lecture", Json::Bool(on)) => self.lecture = *on,
            ("until_ms", Json::Natural(ms)) => self.until_ms = Some(*ms),
            (name, value) => {
                if let Some(place) = self.word_of(name) {
                    *place = word(value);
                }
            }
        }
    }

    /// Where a word of this name stands.
    fn word_of(&mut self, name: &str) -> Option<&mut Option<String>> {
        Some(match name {
            "scenario" => &mut self.scenario,
            "view" => &mut self.view,
            "cast" => &mut self.cast,
            "panel" => &mut self.panel,
            "picked" => &mut self.picked,
            "packet" => &mut self.packet,
            "console" => &mut self.console,
            "lang" => &mut self.lang,
            "theme" => &mut self.theme,
            "speed" => &mut self.speed,
            _ => return None,
        })
    }
}

impl Read for Look {
    fn read(json: Json) -> Result<Look, ReadError> {
        json.fields().map(|fields: Fields| Look::of(Json::Object(fields)))
    }
}

/// A text that may be a word.
fn word(value: &Json) -> Option<String> {
    match value {
        Json::Text(text) if text.len() <= LONGEST_WORD => Some(text.clone()),
        _ => None,
    }
}

fn pair(value: &Json) -> Option<(String, String)> {
    match value {
        Json::List(pair) if pair.len() == 2 => Some((word(&pair[0])?, word(&pair[1])?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_survives_and_what_is_unknown_is_left_out() {
        let mut look =
            Look { playing: true, no_skip: true, log: true, lecture: true, until_ms: Some(7), ..Look::default() };
        look.given = vec![("clients".into(), "9".into())];
        let names = ["scenario", "view", "cast", "panel", "picked", "packet", "console", "lang", "theme", "speed"];
        for (at, name) in names.into_iter().enumerate() {
            *look.word_of(name).unwrap() = Some(format!("w{at}"));
        }
        // every field is there, and comes back
        let text = serde_json::to_string(&look).unwrap();
        assert_eq!(Look::of(Json::parse(&text).unwrap()), look, "{text}");
        let newer = text.replacen('{', r#"{"panel_of_the_future":{"a":[1]},"#, 1);
        assert_eq!(Look::of(Json::parse(&newer).unwrap()), look);
        let wrong =
            r#"{"panel":7,"picked":null,"playing":"yes","until_ms":-1,"given":[1,["a"],["a","b","c"]],"lang":[]}"#;
        assert_eq!(Look::of(Json::parse(wrong).unwrap()), Look::default());
        assert_eq!(Look::of(Json::Null), Look::default());
    }
}
