//! The page's query parameters: what a link may ask for. Reading is total: what makes no sense is told, not followed.

use crate::i18n::Lang;
use crate::scenarios::{Cast, is_param};
use crate::sim::Rule;
use crate::timeline::pace::speed_named;
use crate::ui::page::controls::Controls;
use crate::ui::page::panel::Panel;

/// What a link asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UrlParams {
    /// A scenario's name.
    pub scenario: Option<String>,
    /// A lesson's name, or what takes it for another word for `scenario`: whether there is such a lesson is known later.
    pub lesson: Option<String>,
    /// The beat of the lesson to begin at: its name, or its number from 1.
    pub beat: Option<String>,
    /// A course's name, in place of a lesson's, and the number of its part from 1.
    pub course: Option<String>,
    /// That number; the first part where nothing is said.
    pub part: Option<usize>,
    /// The name of a scenario beside it.
    pub beside: Option<String>,
    /// A rule whose own run is shown, kept and broken.
    pub rule: Option<Rule>,
    /// Parameters of scenarios: names and values.
    pub given: Vec<(String, String)>,
    /// A seed.
    pub seed: Option<u64>,
    /// Not to play at once.
    pub paused: bool,
    /// The moment to begin at, ms.
    pub at_ms: Option<u64>,
    /// A language.
    pub lang: Option<String>,
    /// A theme.
    pub theme: Option<String>,
    /// The turning point to begin at.
    pub turn: Option<u64>,
    /// A speed: an index into [`crate::timeline::pace::SPEEDS`].
    pub speed: Option<usize>,
    /// A panel's name.
    pub panel: Option<String>,
    /// How much there is around the stage.
    pub controls: Option<Controls>,
    /// Keys that turn slides are handed to the page around this one.
    pub deck_keys: bool,
    /// Keys of one character mean nothing.
    pub no_letters: bool,
    /// Large type and high contrast, for a hall.
    pub lecture: bool,
    /// How the stage is cast.
    pub cast: Option<Cast>,
    /// What `zabscope live` takes its page by.
    pub live: Option<String>,
    /// Parameters that were not understood: name and value.
    pub wrong: Vec<(String, String)>,
}

impl UrlParams {
    /// Whether a lesson is asked for, or a course of them.
    pub fn teaches(&self) -> bool {
        self.lesson.is_some() || self.course.is_some()
    }

    /// Whether it takes a file of stories to open it.
    pub fn needs_stories(&self) -> bool {
        self.teaches() || self.rule.is_some()
    }

    /// Whether nothing is asked for but how the page looks.
    pub fn asks_nothing(&self) -> bool {
        let looks = UrlParams {
            lang: self.lang.clone(),
            theme: self.theme.clone(),
            paused: self.paused,
            speed: self.speed,
            controls: self.controls,
            ..UrlParams::default()
        };
        *self == looks
    }
}

/// Longest tag of a language, bytes.
const LONGEST_TAG: usize = 35;

/// Whether the page speaks the language of a tag: `en-GB`, `zh-Hant`.
pub(super) fn is_spoken(tag: &str) -> bool {
    tag.len() <= LONGEST_TAG && Lang::from_tag(tag).is_some()
}

/// Names and values of a text such as `clients=50&hold_ms=50`; of very many the first ones.
pub fn pairs(text: &str) -> Vec<(String, String)> {
    let pairs = text.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty()).take(50);
    pairs
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .map(|(a, b)| (a.to_string(), b.to_string()))
        .collect()
}

/// Longest name of a lesson or a beat, bytes.
const LONGEST_NAME: usize = 40;

/// Whether this may be the name of a lesson or a beat.
fn is_name(text: &str) -> bool {
    (1..=LONGEST_NAME).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// Length of what `zabscope live` draws for its page.
const TOKEN: usize = 32;

fn is_token(text: &str) -> bool {
    text.len() == TOKEN && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Longest part of a wrong value that is repeated to the reader.
const SHOWN: usize = 40;

/// Reads the part of an address behind `?`.
pub fn read(query: &str) -> UrlParams {
    let mut wishes = UrlParams::default();
    let mut embedded = false;
    for (name, value) in &pairs(query) {
        let (name, value) = (name.as_str(), value.as_str());
        let mut wrong = false;
        match name {
            "scenario" => match crate::scenarios::scenario(value) {
                Some(_) => wishes.scenario = Some(value.to_string()),
                None => wrong = true,
            },
            "beside" => match crate::scenarios::scenario(value) {
                Some(_) => wishes.beside = Some(value.to_string()),
                None => wrong = true,
            },
            "rule" => {
                wishes.rule = Rule::named(value);
                wrong = wishes.rule.is_none();
            }
            "lesson" if is_name(value) => {
                let alike = crate::scenarios::scenario(value).map(|_| value.to_string());
                wishes.scenario = wishes.scenario.take().or(alike);
                wishes.lesson = Some(value.to_string());
            }
            "beat" if is_name(value) => wishes.beat = Some(value.to_string()),
            "course" if is_name(value) => wishes.course = Some(value.to_string()),
            "part" => {
                wishes.part = value.parse().ok();
                wrong = wishes.part.is_none();
            }
            "lesson" | "beat" | "course" => wrong = true,
            name if is_param(name) => wishes.given.push((name.to_string(), value.to_string())),
            "seed" => {
                wishes.seed = value.parse().ok();
                wrong = wishes.seed.is_none();
            }
            "t" => {
                wishes.at_ms = value.parse().ok().filter(|&ms| ms <= 3_600_000);
                wrong = wishes.at_ms.is_none();
            }
            "paused" => match value {
                "1" | "true" => wishes.paused = true,
                "0" | "false" => {}
                _ => wrong = true,
            },
            "lecture" => match value {
                "1" => wishes.lecture = true,
                "0" => {}
                _ => wrong = true,
            },
            "cast" => {
                wishes.cast = Cast::named(value);
                wrong = wishes.cast.is_none();
            }
            "lang" => {
                wishes.lang = Some(value.to_string()).filter(|tag| is_spoken(tag));
                wrong = wishes.lang.is_none();
            }
            "theme" => match value {
                "light" | "dark" => wishes.theme = Some(value.to_string()),
                "auto" => {}
                _ => wrong = true,
            },
            "step" => {
                wishes.turn = value.parse().ok().filter(|&turn| turn <= 10_000);
                wrong = wishes.turn.is_none();
            }
            "speed" => {
                wishes.speed = speed_named(value);
                wrong = wishes.speed.is_none();
            }
            "panel" if value == "none" || Panel::named(value).is_some() => wishes.panel = Some(value.to_string()),
            "controls" => {
                wishes.controls = Controls::named(value);
                wrong = wishes.controls.is_none();
            }
            "embed" => {
                embedded = value == "1";
                wrong = !matches!(value, "0" | "1");
            }
            "keys" if matches!(value, "page" | "deck" | "few") => {
                (wishes.deck_keys, wishes.no_letters) = (value == "deck", value == "few");
            }
            "live" if is_token(value) => wishes.live = Some(value.to_string()),
            "panel" | "keys" | "live" => wrong = true,
            _ => {} // what belongs to others (analytics, hosts) is none of our business
        }
        if wrong {
            wishes.wrong.push((name.to_string(), value.chars().take(SHOWN).collect()));
        }
    }
    if embedded {
        wishes.controls.get_or_insert(Controls::Minimal);
    }
    wishes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_values_are_followed_and_bad_ones_named() {
        let wishes = read("?scenario=rejoin-diff&seed=7&paused=1&t=900&lang=zh-CN&theme=dark&utm=x");
        assert_eq!(wishes.scenario.as_deref(), Some("rejoin-diff"));
        assert_eq!((wishes.seed, wishes.paused, wishes.at_ms), (Some(7), true, Some(900)));
        assert_eq!((wishes.lang.as_deref(), wishes.theme.as_deref()), (Some("zh-CN"), Some("dark")));
        assert!(wishes.wrong.is_empty());
        let wrong = read("scenario=nope&seed=-1&t=abc&paused=maybe&lang=xx&theme=pink").wrong;
        assert_eq!(wrong.len(), 6);
        assert_eq!(read("???&&=&==").wrong, []);
        let token = "0123456789abcdef0123456789abcdef";
        assert_eq!(read(&format!("live={token}")).live.as_deref(), Some(token));
        assert!(!read(&format!("live={token}")).asks_nothing());
        assert_eq!([read("live=").wrong.len(), read("live=x/y").wrong.len()], [1, 1]);
        assert_eq!(read("rule=commit-at-minority").rule, Rule::named("commit-at-minority"));
        assert_eq!(read("rule=be-nice").wrong.len(), 1);
    }

    #[test]
    fn a_lesson_is_asked_for_by_name_and_may_be_a_scenario() {
        let wishes = read("lesson=zab-broadcast&beat=who");
        assert_eq!((wishes.lesson.as_deref(), wishes.beat.as_deref()), (Some("zab-broadcast"), Some("who")));
        assert_eq!((wishes.scenario, wishes.wrong), (None, vec![]));
        assert_eq!(read("lesson=lock-herd").scenario.as_deref(), Some("lock-herd"));
        assert_eq!(read("scenario=rejoin-diff&lesson=lock-herd").scenario.as_deref(), Some("rejoin-diff"));
        assert_eq!(read("lesson=&beat=a/b").wrong.len(), 2);
        let wishes = read("course=zab-lecture&part=3");
        assert_eq!((wishes.course.as_deref(), wishes.part), (Some("zab-lecture"), Some(3)));
        assert!(wishes.teaches() && !read("scenario=lock-herd").teaches());
        assert_eq!(read("course=a/b&part=-1").wrong.len(), 2);
    }

    #[test]
    fn a_page_around_asks_for_its_part_of_the_page() {
        let wishes = read("?embed=1&panel=znodes&speed=1/10&step=3&keys=deck");
        assert_eq!((wishes.controls, wishes.deck_keys), (Some(Controls::Minimal), true));
        assert_eq!((wishes.panel.as_deref(), wishes.speed, wishes.turn), (Some("znodes"), Some(4), Some(3)));
        assert!(read("keys=few").no_letters && !read("keys=deck").no_letters);
        assert_eq!(read("controls=none&embed=1").controls, Some(Controls::None));
        assert_eq!(read("embed=0").controls, None);
        assert!(read("lecture=1").lecture && !read("lecture=0").lecture);
        assert_eq!(read("cast=ensemble").cast, Some(Cast::Ensemble));
        assert_eq!(
            read("embed=x&panel=kitchen&speed=9&step=-1&keys=all&controls=some&lecture=2&cast=x").wrong.len(),
            8
        );
    }
}
