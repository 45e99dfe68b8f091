//! From a script's text to words.

/// A word of Lua.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name or a keyword.
    Name(String),
    /// A whole number.
    Number(i64),
    /// A text.
    Text(String),
    /// An operator or a bracket.
    Sign(&'static str),
}

/// Longer ones first.
const SIGNS: &[&str] = &[
    "..", "==", "~=", "<=", ">=", "(", ")", "{", "}", "[", "]", ",", ";", ".", "=", "<", ">", "+", "-", "*", "%",
    "#", "/",
];

/// The words of a text.
///
/// # Errors
/// What is no word.
pub(super) fn words(text: &str) -> Result<Vec<Token>, String> {
    let (mut rest, mut words) = (text, Vec::new());
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("--") {
            rest = comment.split_once('\n').map_or("", |(_, after)| after);
            continue;
        }
        let Some(first) = rest.chars().next() else { return Ok(words) };
        let (word, after) = if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            (Token::Name(rest[..end].into()), &rest[end..])
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let number = rest[..end].parse().map_err(|_| format!("malformed number near '{}'", &rest[..end]))?;
            (Token::Number(number), &rest[end..])
        } else if first == '\'' || first == '"' {
            text_token(&rest[1..], first)?
        } else {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.ok_or_else(|| format!("unexpected symbol near '{first}'"))?;
            (Token::Sign(sign), &rest[sign.len()..])
        };
        words.push(word);
        rest = after;
    }
}

fn text_token(rest: &str, quote: char) -> Result<(Token, &str), String> {
    let (mut text, mut chars) = (String::new(), rest.char_indices());
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, 't')) => text.push('\t'),
                Some((_, other)) => text.push(other),
                None => break,
            },
            c if c == quote => return Ok((Token::Text(text), &rest[at + 1..])),
            other => text.push(other),
        }
    }
    Err("unfinished string".into())
}
