//! Lines as typed into redis-cli (`sds.c` `sdssplitargs`): words, double quotes with escapes, single quotes.

/// The words of a line; `None` where a quote is not closed, or something follows one directly.
pub fn split(line: &str) -> Option<Vec<String>> {
    let mut chars = line.chars().peekable();
    let mut words = Vec::new();
    loop {
        while chars.next_if(|c| c.is_whitespace()).is_some() {}
        if chars.peek().is_none() {
            return Some(words);
        }
        words.push(word(&mut chars)?);
    }
}

fn word(chars: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<String> {
    let mut word = String::new();
    while let Some(next) = chars.next_if(|c| !c.is_whitespace()) {
        match next {
            '"' => {
                double_quoted(chars, &mut word)?;
                return chars.peek().is_none_or(|c| c.is_whitespace()).then_some(word);
            }
            '\'' => {
                single_quoted(chars, &mut word)?;
                return chars.peek().is_none_or(|c| c.is_whitespace()).then_some(word);
            }
            other => word.push(other),
        }
    }
    Some(word)
}

fn double_quoted(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, word: &mut String) -> Option<()> {
    loop {
        match chars.next()? {
            '"' => return Some(()),
            '\\' => word.push(match chars.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                other => other,
            }),
            other => word.push(other),
        }
    }
}

fn single_quoted(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, word: &mut String) -> Option<()> {
    loop {
        match chars.next()? {
            '\'' => return Some(()),
            '\\' if chars.next_if_eq(&'\'').is_some() => word.push('\''),
            other => word.push(other),
        }
    }
}

/// A word in double quotes, with escapes.
pub fn quoted(word: &str) -> String {
    let mut text = String::from("\"");
    for c in word.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            other => text.push(other),
        }
    }
    text.push('"');
    text
}

/// A command as one would type it.
pub(super) fn typed(words: &[String]) -> String {
    let plain = |word: &str| !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || "\"'\\".contains(c));
    let words = words.iter().map(|word| if plain(word) { word.clone() } else { quoted(word) });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_as_redis_cli_does_it() {
        let words = |line| split(line).map(|words| words.join("|"));
        assert_eq!(words("SET k  v").as_deref(), Some("SET|k|v"));
        assert_eq!(words(r#"set "a b" 'c"d' "x\n\"""#).as_deref(), Some("set|a b|c\"d|x\n\""));
        assert_eq!(words(""), Some(String::new()));
        assert_eq!((words("get \"a"), words("get 'a'b")), (None, None));
        let odd = ["EVAL", "return 'x' \\ \"y\"\n", "", "a b"].map(String::from);
        assert_eq!(split(&typed(&odd)), Some(odd.to_vec()));
    }
}
