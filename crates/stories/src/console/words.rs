//! A line's words (`ZooKeeperMain.java` `parseCommand`): its pattern `\s*([^"']\S*|"[^"]*"|'[^']*')\s*`, searched again and
//! again. So quotes matter only where a word begins, a backslash means itself, a quote that nobody closes is
//! skipped, and where a blank stands before such a quote, the blank begins the word. Of blanks with nothing behind them the last
//! is a word.

/// Whether Java's `\s` matches.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r')
}

/// The words of a line, without their quotes.
pub(super) fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        rest = match first_word(rest) {
            Some((word, behind)) => {
                words.push(word);
                behind.trim_start_matches(is_space)
            }
            None => rest.trim_start_matches(is_space).get(1..).unwrap_or(""), // a quote, one byte
        };
    }
    words
}

/// The first word and what stands behind it, unless the text begins with a quote that nobody closes.
fn first_word(text: &str) -> Option<(&str, &str)> {
    let trimmed = text.trim_start_matches(is_space);
    let Some(first) = trimmed.chars().next() else {
        return text.len().checked_sub(1).map(|last| (&text[last..], "")); // one byte, as every blank
    };
    match first {
        quote @ ('"' | '\'') => trimmed[1..].split_once(quote).or_else(|| {
            let blank = (text.len() - trimmed.len()).checked_sub(1)?; // one byte, as every blank
            Some(text[blank..].split_at(1 + end_of_word(trimmed)))
        }),
        _ => Some(trimmed.split_at(end_of_word(trimmed))),
    }
}

fn end_of_word(text: &str) -> usize {
    text.find(is_space).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_zkcli() {
        for (line, expected) in [
            ("ls /", vec!["ls", "/"]),
            ("  ls \t /a  ", vec!["ls", "/a"]),
            ("create /a \"two words\"", vec!["create", "/a", "two words"]),
            ("create /a 'it is \"so\"'", vec!["create", "/a", "it is \"so\""]),
            ("create /a \"\"", vec!["create", "/a", ""]),
            ("create /a a\"b c\"", vec!["create", "/a", "a\"b", "c\""]),
            ("set /a back\\ slash", vec!["set", "/a", "back\\", "slash"]),
            ("set /a \"open", vec!["set", "/a", "open"]),
            ("set /a \"a\"b", vec!["set", "/a", "a", "b"]),
            (" \"open", vec![" \"open"]),
            ("\"", vec![]),
            ("", vec![]),
            (" \t", vec!["\t"]),
            ("\"  ", vec![" "]),
            ("ls \"", vec!["ls"]),
            ("'\"'", vec!["\""]),
            ("get /中文", vec!["get", "/中文"]),
        ] {
            assert_eq!(words(line), expected, "{line}");
        }
    }
}
