//! Options among the words (`DefaultParser` of Apache Commons CLI): anywhere in the line, `-sw` for `-s -w`, `-v1` and `-v=1`
//! for `-v 1`, and everything behind `--` is no option.

/// What was found.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options<'a> {
    /// The words that are no options; the command's name is the first.
    pub args: Vec<&'a str>,
    given: Vec<(char, Option<&'a str>)>,
}

impl<'a> Options<'a> {
    /// All words, none of them an option.
    pub(super) fn none(words: &[&'a str]) -> Options<'a> {
        Options { args: words.to_vec(), given: Vec::new() }
    }

    /// Whether an option was given.
    pub(super) fn has(&self, option: char) -> bool {
        self.given.iter().any(|(name, _)| *name == option)
    }

    /// An option's value; the first counts.
    pub(super) fn value(&self, option: char) -> Option<&'a str> {
        self.given.iter().find(|(name, _)| *name == option)?.1
    }
}

/// The options that have names, and the letters by which they are known here: nobody can type these.
type Names = [(&'static str, char)];

/// Sorts words into options and others. `known` tells of each option whether it takes a value.
///
/// # Errors
/// What zkCli prints.
pub(super) fn read<'a>(words: &[&'a str], known: &[(char, bool)], names: &Names) -> Result<Options<'a>, String> {
    let mut reader = Reader { known, names, found: Options::default(), open: None, literal: false };
    words.iter().try_for_each(|word| reader.word(word))?;
    reader.close()?;
    Ok(reader.found)
}

struct Reader<'a, 'k> {
    known: &'k [(char, bool)],
    names: &'k Names,
    found: Options<'a>,
    /// The option that waits for its value.
    open: Option<char>,
    literal: bool,
}

impl<'a> Reader<'a, '_> {
    fn word(&mut self, word: &'a str) -> Result<(), String> {
        if self.literal {
            self.found.args.push(word);
        } else if word == "--" {
            self.literal = true;
        } else if self.open.is_some() && !self.is_option(word) {
            self.take(word);
        } else if word.len() > 1 && word.starts_with('-') {
            self.option(word)?;
        } else {
            self.found.args.push(word);
        }
        Ok(())
    }

    /// Of an option's letter, as it can be typed.
    fn takes_value(&self, option: char) -> Option<bool> {
        let typed = !self.names.iter().any(|(_, letter)| *letter == option);
        self.known.iter().find(|(letter, _)| typed && *letter == option).map(|(_, value)| *value)
    }

    fn named(&self, word: &str) -> Option<char> {
        let name = word.strip_prefix('-')?;
        self.names.iter().find(|(known, _)| *known == name).map(|(_, letter)| *letter)
    }

    fn is_option(&self, word: &str) -> bool {
        let name = word.strip_prefix('-').and_then(|rest| rest.chars().next());
        self.named(word).is_some() || name.is_some_and(|name| self.takes_value(name).is_some())
    }

    fn option(&mut self, word: &'a str) -> Result<(), String> {
        let unknown = || format!("org.apache.commons.cli.UnrecognizedOptionException: Unrecognized option: {word}");
        if let Some(letter) = self.named(word) {
            return self.begin(letter);
        }
        let letters = word.get(1..).unwrap_or("");
        if let Some((name, value)) = letters.split_once('=') {
            let mut chars = name.chars();
            return match (chars.next(), chars.next()) {
                (Some(name), None) if self.takes_value(name) == Some(true) => {
                    self.begin(name)?;
                    self.take(value);
                    Ok(())
                }
                _ => Err(unknown()),
            };
        }
        for (at, letter) in letters.char_indices() {
            let takes_value = self.takes_value(letter).ok_or_else(unknown)?;
            self.begin(letter)?;
            let rest = &letters[at + letter.len_utf8()..];
            if takes_value && !rest.is_empty() {
                self.take(rest);
                break;
            }
        }
        Ok(())
    }

    fn begin(&mut self, option: char) -> Result<(), String> {
        self.close()?;
        self.found.given.push((option, None));
        self.open = self.known.contains(&(option, true)).then_some(option);
        Ok(())
    }

    fn take(&mut self, value: &'a str) {
        if let Some(last) = self.found.given.last_mut() {
            last.1 = Some(value);
        }
        self.open = None;
    }

    fn close(&self) -> Result<(), String> {
        match self.open {
            Some(option) => {
                let named = self.names.iter().find(|(_, letter)| *letter == option);
                let name = named.map_or_else(|| option.to_string(), |(name, _)| (*name).to_string());
                Err(format!("org.apache.commons.cli.MissingArgumentException: Missing argument for option: {name}"))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[(char, bool)] = &[('s', false), ('w', false), ('v', true)];

    type Found<'a> = (Vec<&'a str>, Vec<(char, Option<&'a str>)>);

    fn read_line(line: &str) -> Result<Found<'_>, String> {
        let words: Vec<&str> = line.split(' ').collect();
        read(&words, KNOWN, &[]).map(|found| (found.args, found.given))
    }

    #[test]
    fn options_stand_anywhere_and_together() {
        assert_eq!(read_line("x -s /a -w"), Ok((vec!["x", "/a"], vec![('s', None), ('w', None)])));
        assert_eq!(read_line("x /a -sw"), Ok((vec!["x", "/a"], vec![('s', None), ('w', None)])));
        for line in ["x -v 5 /a", "x -v5 /a", "x -v=5 /a", "x /a -v 5"] {
            assert_eq!(read_line(line), Ok((vec!["x", "/a"], vec![('v', Some("5"))])), "{line}");
        }
        assert_eq!(read_line("x -sv5 /a").unwrap().1, [('s', None), ('v', Some("5"))]);
        assert_eq!(read_line("x -v -1 /a").unwrap().1, [('v', Some("-1"))]);
        assert_eq!(read_line("x - -- -s"), Ok((vec!["x", "-", "-s"], vec![])));
    }

    #[test]
    fn options_with_names_are_typed_whole() {
        let read_line = |line: &'static str| {
            let words: Vec<&str> = line.split(' ').collect();
            read(&words, &[('s', false), ('A', true)], &[("add", 'A')]).map(|found| (found.args, found.given))
        };
        assert_eq!(read_line("x -add -Ab -s"), Ok((vec!["x"], vec![('A', Some("-Ab")), ('s', None)])));
        let missing = "org.apache.commons.cli.MissingArgumentException: Missing argument for option: add";
        for line in ["x -add", "x -add -add 3", "x -add -s"] {
            assert_eq!(read_line(line), Err(missing.to_string()), "{line}");
        }
        for word in ["-A", "--add", "-added", "-add=3"] {
            let unknown = format!("org.apache.commons.cli.UnrecognizedOptionException: Unrecognized option: {word}");
            assert_eq!(read_line(format!("x {word}").leak()), Err(unknown));
        }
    }

    #[test]
    fn complaints_are_those_of_commons_cli() {
        let unknown = "org.apache.commons.cli.UnrecognizedOptionException: Unrecognized option: ";
        for word in ["-q", "-sq", "--stat", "-s=1", "-é", "-=", "-1"] {
            assert_eq!(read_line(&format!("x {word}")), Err(format!("{unknown}{word}")));
        }
        let missing = "org.apache.commons.cli.MissingArgumentException: Missing argument for option: v";
        for line in ["x /a -v", "x -v -s", "x -v --"] {
            assert_eq!(read_line(line), Err(missing.to_string()), "{line}");
        }
    }
}
