//! The page's query parameters: what a link may ask for. Reading is total: what makes no sense is told, not followed.

/// What a link asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// A scenario's name.
    pub scenario: Option<String>,
    /// The name of a scenario beside it.
    pub beside: Option<String>,
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
    /// Parameters that were not understood: name and value.
    pub wrong: Vec<(String, String)>,
}

/// Longest part of a wrong value that is repeated to the reader.
const SHOWN: usize = 40;

/// Whether some scenario has such a parameter.
fn is_param(name: &str) -> bool {
    crate::sim::SCENARIOS.iter().flat_map(|scenario| scenario.params()).any(|param| param.name == name)
}

/// Reads the part of an address behind `?`.
pub fn read(query: &str) -> Wishes {
    let mut wishes = Wishes::default();
    for pair in query.trim_start_matches('?').split('&').filter(|pair| !pair.is_empty()).take(50) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let mut wrong = false;
        match name {
            "scenario" => match crate::sim::scenario(value) {
                Some(_) => wishes.scenario = Some(value.to_string()),
                None => wrong = true,
            },
            "beside" => match crate::sim::scenario(value) {
                Some(_) => wishes.beside = Some(value.to_string()),
                None => wrong = true,
            },
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
            "lang" => match value.split('-').next() {
                Some(lang @ ("en" | "zh")) => wishes.lang = Some(lang.to_string()),
                _ => wrong = true,
            },
            "theme" => match value {
                "light" | "dark" => wishes.theme = Some(value.to_string()),
                "auto" => {}
                _ => wrong = true,
            },
            _ => {} // what belongs to others (analytics, hosts) is none of our business
        }
        if wrong {
            wishes.wrong.push((name.to_string(), value.chars().take(SHOWN).collect()));
        }
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
        assert_eq!((wishes.lang.as_deref(), wishes.theme.as_deref()), (Some("zh"), Some("dark")));
        assert!(wishes.wrong.is_empty());
        let wrong = read("scenario=nope&seed=-1&t=abc&paused=maybe&lang=xx&theme=pink").wrong;
        assert_eq!(wrong.len(), 6);
        assert_eq!(read("???&&=&==").wrong, []);
    }
}
