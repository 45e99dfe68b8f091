//! Ways to change a text: letter by letter, piece by piece, and as the JSON that it is.

use serde_json::{Map, Number, Value, json};
use zabscope::base::Prng;

/// What a text is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Letters.
    Plain,
    /// A JSON value.
    Json,
}

const ALPHABET: &[char] = &[
    '0',
    '1',
    '9',
    '-',
    'e',
    'E',
    '.',
    ',',
    ':',
    '{',
    '}',
    '[',
    ']',
    '"',
    '\\',
    '/',
    'a',
    't',
    'z',
    '_',
    '=',
    '&',
    '#',
    '%',
    '+',
    '?',
    ' ',
    '\n',
    '\t',
    '\u{0}',
    '\u{7}',
    '\u{7f}',
    '\u{202e}',
    '\u{fffd}',
    'é',
    '漢',
    '\u{1f600}',
];

fn pick(prng: &mut Prng, below: usize) -> usize {
    prng.below(below.max(1) as u32) as usize
}

/// One of these texts, changed.
pub fn mutated(corpus: &[String], form: Form, prng: &mut Prng) -> String {
    let original = &corpus[pick(prng, corpus.len())];
    let structural = form == Form::Json && prng.chance(2, 3);
    let parsed = structural.then(|| serde_json::from_str::<Value>(original).ok()).flatten();
    let Some(mut value) = parsed else {
        let other = &corpus[pick(prng, corpus.len())];
        return letters(original, other, prng);
    };
    for _ in 0..=pick(prng, 3) {
        structure(&mut value, prng);
    }
    value.to_string()
}

fn letters(original: &str, other: &str, prng: &mut Prng) -> String {
    let mut text: Vec<char> = original.chars().collect();
    for _ in 0..=pick(prng, 4) {
        let at = pick(prng, text.len());
        let new = ALPHABET[pick(prng, ALPHABET.len())];
        let end = (at + pick(prng, 40)).min(text.len());
        match prng.below(8) {
            0 | 1 if !text.is_empty() => text[at] = new,
            2 => text.insert(at, new),
            3 if !text.is_empty() => drop(text.remove(at)),
            4 => drop(text.drain(at..end)),
            5 => {
                let piece = text[at..end].to_vec();
                text.splice(at..at, piece);
            }
            6 => {
                let piece = other.chars().skip(pick(prng, other.len())).take(pick(prng, 60));
                text.splice(at..at, piece);
            }
            _ if prng.chance(1, 4) => text.truncate(at),
            _ => text.splice(at..at, std::iter::repeat_n(new, 1 << prng.below(12))).for_each(drop),
        }
    }
    text.into_iter().collect()
}

/// Values that stand at an edge of something.
fn extreme(prng: &mut Prng) -> Value {
    let numbers = [
        0,
        1,
        -1,
        2,
        9,
        10,
        15,
        16,
        63,
        64,
        127,
        255,
        256,
        999,
        1_000,
        65_535,
        100_000,
        1 << 31,
        1 << 40,
        i64::MAX,
        i64::MIN,
    ];
    match prng.below(10) {
        0..=5 => json!(numbers[pick(prng, numbers.len())]),
        6 => json!(u64::MAX),
        7 => [json!(null), json!(true), json!([]), json!({}), json!("")][pick(prng, 5)].clone(),
        8 => Value::Number(Number::from_f64(0.1 + f64::from(prng.below(1_000_000))).unwrap_or(Number::from(7))),
        _ => json!("x".repeat(1 << prng.below(14))),
    }
}

/// Changes something somewhere in it.
fn structure(value: &mut Value, prng: &mut Prng) {
    match value {
        Value::Array(list) if !list.is_empty() && !prng.chance(1, 12) => {
            let at = pick(prng, list.len());
            match prng.below(8) {
                0 => drop(list.remove(at)),
                1 => list.insert(at, list[at].clone()),
                2 => list.rotate_left(at),
                3 if list.len() < 2_000 => {
                    let many = vec![list[at].clone(); 1 << prng.below(9)];
                    list.splice(at..at, many);
                }
                _ => structure(&mut list[at], prng),
            }
        }
        Value::Object(fields) if !fields.is_empty() && !prng.chance(1, 12) => change_field(fields, prng),
        _ => *value = extreme(prng),
    }
}

fn change_field(fields: &mut Map<String, Value>, prng: &mut Prng) {
    let names: Vec<String> = fields.keys().cloned().collect();
    let (name, other) = (&names[pick(prng, names.len())], &names[pick(prng, names.len())]);
    match prng.below(10) {
        0 => drop(fields.remove(name)),
        1 => drop(fields.insert(format!("{name}x"), extreme(prng))),
        2 => drop(fields.insert(name.clone(), fields[other].clone())),
        3 => {
            let mut deep = fields[name].clone();
            (0..1 << prng.below(8)).for_each(|_| deep = json!([deep.take()]));
            fields.insert(name.clone(), deep);
        }
        4 => drop(fields.insert(name.clone(), extreme(prng))),
        _ => fields.get_mut(name).into_iter().for_each(|field| structure(field, prng)),
    }
}
