//! The design language (docs/design-language.md) holds in the style sheet: sizes, spaces, corners and colours come from its
//! tokens alone, letters and signs stand out from their grounds in each theme, and colours that mean different things stay apart
//! for eyes that see fewer of them.

#[path = "design_support/mod.rs"]
mod design_support;

use design_support::colour::{Eyes, Rgb, apart, contrast};
use design_support::sheet::{Rule, Theme, rules, tokens};

/// Colours that have letters on them: ground, letters.
const LETTERS: [(&str, &str); 24] = [
    ("--paper", "--ink"),
    ("--panel", "--ink"),
    ("--faint", "--ink"),
    ("--stripe", "--ink"),
    ("--paper", "--soft"),
    ("--panel", "--soft"),
    ("--faint", "--soft"),
    ("--stripe", "--soft"),
    ("--soft", "--panel"),
    ("--ink", "--panel"),
    ("--ink", "--paper"),
    ("--bad", "--panel"),
    ("--panel", "--bad"),
    ("--paper", "--bad"),
    ("--panel", "--good"),
    ("--paper", "--good"),
    ("--focus", "--panel"),
    ("--panel", "--focus"),
    ("--lead-fill", "--on-lead"),
    ("--e1", "--on-e1"),
    ("--e2", "--on-e2"),
    ("--e3", "--on-e3"),
    ("--e4", "--on-e4"),
    ("--e5", "--on-e5"),
];

/// Colours of signs and of borders that mean something; each must show on paper and on a panel.
const SIGNS: [&str; 12] = [
    "--lead",
    "--bad",
    "--good",
    "--focus",
    "--still",
    "--soft",
    "--link-strong",
    "--e1",
    "--e2",
    "--e3",
    "--e4",
    "--e5",
];

/// Colours that mean states; any two must be told apart.
const STATES: [&str; 5] = ["--lead", "--bad", "--good", "--focus", "--soft"];

const EPOCHS: [&str; 5] = ["--e1", "--e2", "--e3", "--e4", "--e5"];

/// The least distance in CIE Lab (2.3 is the least that can be seen at all, side by side).
const EPOCHS_APART: f64 = 16.0;
const STATES_APART: f64 = 12.0;

fn colour(theme: Theme, name: &str) -> Rgb {
    let value = tokens(theme).get(name).cloned().unwrap_or_else(|| panic!("no token {name}"));
    Rgb::parse(&value).unwrap_or_else(|| panic!("{name}: {value} is no colour"))
}

#[test]
fn letters_and_signs_stand_out_in_every_theme() {
    let mut wrong = Vec::new();
    for theme in Theme::ALL {
        let (least, least_sign) = if theme.high { (7.0, 3.0) } else { (4.5, 3.0) };
        let signs = SIGNS.iter().flat_map(|sign| [("--paper", *sign), ("--panel", *sign)]);
        let quiet = ["--edge", "--link"].into_iter().filter(|_| theme.high).map(|line| ("--paper", line));
        let pairs =
            LETTERS.iter().map(|pair| (*pair, least)).chain(signs.chain(quiet).map(|pair| (pair, least_sign)));
        for ((ground, on), least) in pairs {
            let found = contrast(colour(theme, ground), colour(theme, on));
            if found < least {
                wrong.push(format!("{theme:?}: {on} on {ground} has {found:.2}, wanted {least}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn colours_that_mean_something_are_told_apart_by_all_eyes() {
    let mut wrong = Vec::new();
    for theme in Theme::ALL {
        for eyes in Eyes::ALL {
            for (names, least) in [(&EPOCHS, EPOCHS_APART), (&STATES, STATES_APART)] {
                for (index, a) in names.iter().enumerate() {
                    for b in &names[index + 1..] {
                        let found = apart(eyes.see(colour(theme, a)), eyes.see(colour(theme, b)));
                        if found < least {
                            wrong.push(format!(
                                "{theme:?}, {eyes:?}: {a} and {b} are {found:.1} apart, wanted {least}"
                            ));
                        }
                    }
                }
            }
            // what belongs to no epoch
            for epoch in EPOCHS {
                let found = apart(eyes.see(colour(theme, epoch)), eyes.see(colour(theme, "--soft")));
                if found < STATES_APART {
                    wrong.push(format!("{theme:?}, {eyes:?}: {epoch} and --soft are {found:.1} apart"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn everything_comes_from_tokens() {
    let wrong: Vec<String> = rules().iter().filter(|rule| !rule.is_tokens()).flat_map(own_values).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What a rule decides for itself though tokens should.
fn own_values(rule: &Rule) -> Vec<String> {
    let refuse =
        |why: &str, property: &str, value: &str| format!("{} {{ {property}: {value} }}: {why}", rule.selector);
    let mut wrong = Vec::new();
    for (property, value) in &rule.declarations {
        let family = |name: &str| property == name || property.starts_with(&format!("{name}-"));
        if has_colour(value) {
            wrong.push(refuse("a colour of its own", property, value));
        }
        if (property == "font-size" || property == "font") && value != "inherit" && !value.contains("var(--t") {
            wrong.push(refuse("a size of type of its own", property, value));
        }
        if (family("padding") || family("margin") || property.ends_with("gap")) && has_length(value) {
            wrong.push(refuse("a space of its own", property, value));
        }
        if property.ends_with("radius") && has_length(value) {
            wrong.push(refuse("a corner of its own", property, value));
        }
    }
    wrong
}

/// A length in pixels or letters, outside of a sum with a token and of clamps.
fn has_length(value: &str) -> bool {
    value.split_whitespace().any(|word| {
        let word = word.trim_matches(['(', ')', ',']);
        let number: String = word.chars().take_while(|c| c.is_ascii_digit() || *c == '.' || *c == '-').collect();
        let unit = &word[number.len()..];
        let length = matches!(unit, "px" | "em" | "rem") && number.parse::<f64>().is_ok_and(|n| n != 0.0);
        length && !(value.contains("calc(var(--") && number.parse::<f64>().is_ok_and(|n| n.abs() <= 3.0))
    })
}

fn has_colour(value: &str) -> bool {
    const NAMES: [&str; 9] = ["white", "black", "red", "green", "blue", "gray", "grey", "orange", "yellow"];
    let functions = ["rgb(", "rgba(", "hsl(", "hsla(", "oklch(", "lab(", "lch(", "color("];
    let words: Vec<&str> = value.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '#').collect();
    functions.iter().any(|function| value.contains(function))
        || words.iter().any(|word| word.starts_with('#') || NAMES.contains(word))
}

#[test]
fn the_smallest_letters_can_be_read() {
    let all = tokens(Theme::ALL[0]);
    let mut before = 0.0;
    for step in 1..=7 {
        let value = all.get(&format!("--t{step}")).cloned().unwrap_or_default();
        let size: f64 = value.trim_end_matches("px").parse().unwrap_or_else(|_| panic!("--t{step}: {value}"));
        assert!(size >= 12.0 && size > before, "--t{step} is {size}");
        before = size;
    }
}

#[test]
fn every_token_is_used_and_every_used_one_is_there() {
    let all = tokens(Theme::ALL[0]);
    let text = design_support::sheet::STYLE;
    let set_by_classes = ["--c", "--on", "--state", "--row", "--high", "--wide", "--fits"];
    for used in text.split("var(").skip(1) {
        let name: String = used.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        let itself = format!("{name}: var({name})");
        assert!(!text.contains(&itself), "{itself}");
        assert!(all.contains_key(&name) || set_by_classes.contains(&name.as_str()), "{name} is nowhere");
    }
    for name in all.keys() {
        // some are read by the canvas only
        let read = ["--link", "--t7"].contains(&name.as_str());
        assert!(read || text.contains(&format!("var({name})")), "{name} is never used");
    }
}

/// Packets are told apart without any colour: no two kinds share shape and letter.
#[test]
fn packets_have_a_shape_and_a_letter_each() {
    use zabscope::draw::look;
    let kinds = "NOTIFICATION PROPOSAL ACK COMMIT INFORM REQUEST PING FOLLOWERINFO OBSERVERINFO LEADERINFO ACKEPOCH NEWLEADER \
        UPTODATE DIFF TRUNC SNAP SYNC REVALIDATE CONNECT CONNECTED AUTH AUTH_REPLY REPLY WATCH_EVENT sync getData";
    let mut seen: Vec<(String, &str)> = Vec::new();
    for kind in kinds.split_whitespace() {
        let sign = format!("{:?}", look(kind));
        let same = seen.iter().find(|(other, _)| *other == sign);
        assert!(same.is_none(), "{kind} looks like {same:?}: {sign}");
        seen.push((sign, kind));
    }
}
