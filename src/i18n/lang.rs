//! The languages.

use super::words::Words;
use super::{en, zh};

/// A language of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Chinese in simplified characters.
    Zh,
}

impl Lang {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Lang; 2] = [Lang::En, Lang::Zh];

    /// The tag for `lang` attributes and links.
    pub fn code(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh-Hans",
        }
    }

    /// Its name in itself.
    pub fn name(self) -> &'static str {
        match self {
            Lang::En => "English",
            Lang::Zh => "简体中文",
        }
    }

    /// The language for a tag as browsers and links give it (`zh-CN`, `en_GB`); until there are traditional
    /// characters, every Chinese tag gets the simplified ones.
    pub fn from_tag(tag: &str) -> Option<Lang> {
        let primary = tag.split(['-', '_']).next().unwrap_or("");
        match primary.to_ascii_lowercase().as_str() {
            "en" => Some(Lang::En),
            "zh" => Some(Lang::Zh),
            _ => None,
        }
    }

    pub(in crate::i18n) fn words(self) -> &'static Words {
        match self {
            Lang::En => &en::WORDS,
            Lang::Zh => chinese(),
        }
    }
}

/// By itself, and not to be seen through, so that a page in another language need not have loaded these words.
#[inline(never)]
fn chinese() -> &'static Words {
    std::hint::black_box(&zh::WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_browsers_find_their_language() {
        for (tag, lang) in [("zh-CN", Lang::Zh), ("zh", Lang::Zh), ("ZH_Hant_TW", Lang::Zh), ("en-GB", Lang::En)] {
            assert_eq!(Lang::from_tag(tag), Some(lang), "{tag}");
        }
        assert_eq!([Lang::from_tag("de"), Lang::from_tag(""), Lang::from_tag("zho")], [None; 3]);
        assert!(Lang::ALL.iter().all(|&lang| Lang::from_tag(lang.code()) == Some(lang)));
    }
}
