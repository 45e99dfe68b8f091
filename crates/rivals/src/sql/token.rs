//! The parts of which a line of SQL is made.

use super::parse::NoStatement;

/// A part of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A name or a word of the language.
    Word(String),
    /// A number.
    Number(i64),
    /// A text in quotes.
    Text(String),
    /// Anything else: one or two characters.
    Sign(String),
}

/// Cuts a line into its parts.
pub(super) fn tokens(line: &str) -> Result<Vec<Token>, NoStatement> {
    let mut rest = line.trim_start();
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            '\'' => text(rest)?,
            digit if digit.is_ascii_digit() => {
                let length = rest.bytes().take_while(u8::is_ascii_digit).count();
                let number = rest[..length].parse().map_err(|_| NoStatement(rest[..length].into()))?;
                (Token::Number(number), length)
            }
            letter if letter.is_ascii_alphabetic() || letter == '_' => {
                let in_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                let length = rest.bytes().take_while(in_word).count();
                (Token::Word(rest[..length].into()), length)
            }
            _ => {
                let double = ["<>", "<=", ">=", "!="].into_iter().find(|sign| rest.starts_with(sign));
                let length = double.map_or(first.len_utf8(), str::len);
                (Token::Sign(rest[..length].into()), length)
            }
        };
        tokens.push(token);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// A text in quotes, in which a quote is doubled; and how long that is.
fn text(from: &str) -> Result<(Token, usize), NoStatement> {
    let (mut value, mut at) = (String::new(), 1);
    while let Some(end) = from[at..].find('\'') {
        value += &from[at..at + end];
        at += end + 1;
        if !from[at..].starts_with('\'') {
            return Ok((Token::Text(value), at));
        }
        value.push('\'');
        at += 1;
    }
    Err(NoStatement(from.into()))
}
