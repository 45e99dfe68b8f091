//! The languages.

use super::words::{Entry, Words};
use super::{en, hant, text, zh};

/// A language of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Chinese in simplified characters.
    Zh,
    /// Chinese in traditional characters, with the words of Taiwan; made of the simplified.
    ZhHant,
}

impl Lang {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Lang; 3] = [Lang::En, Lang::Zh, Lang::ZhHant];

    /// The tag for `lang` attributes and links.
    pub fn code(self) -> &'static str {
        match self {
            Lang::En => "en",
            Lang::Zh => "zh-Hans",
            Lang::ZhHant => "zh-Hant",
        }
    }

    /// Its name in itself.
    pub fn name(self) -> &'static str {
        match self {
            Lang::En => "English",
            Lang::Zh => "简体中文",
            Lang::ZhHant => "繁體中文",
        }
    }

    /// The language for a tag as browsers and links give it: `zh-CN`, `en_GB`, `zh-Hant-HK`. Of Chinese tags those that
    /// name the traditional characters, or a place that writes them and not the simplified ones, get those.
    pub fn from_tag(tag: &str) -> Option<Lang> {
        let tag = tag.to_ascii_lowercase();
        let mut parts = tag.split(['-', '_']);
        match parts.next() {
            Some("en") => Some(Lang::En),
            Some("zh") => {
                let traditional = |part: &str| matches!(part, "hant" | "tw" | "hk" | "mo");
                let says = parts.find(|part| *part == "hans" || traditional(part));
                Some(if says.is_some_and(traditional) { Lang::ZhHant } else { Lang::Zh })
            }
            _ => None,
        }
    }

    pub(in crate::i18n) fn words(self) -> &'static Words {
        match self {
            Lang::En => &en::WORDS,
            Lang::Zh | Lang::ZhHant => chinese(),
        }
    }

    /// A sentence of [`Lang::words`] as it is said.
    pub(in crate::i18n) fn say(self, sentence: String) -> String {
        match self {
            Lang::En => sentence,
            Lang::Zh => text::around_raw(&sentence, str::to_string),
            Lang::ZhHant => hant::convert(&sentence),
        }
    }

    /// A text of [`Lang::words`] that never changes, as it is said.
    pub(in crate::i18n) fn fixed(self, said: &'static str) -> &'static str {
        match self {
            Lang::En | Lang::Zh => said,
            Lang::ZhHant => hant::fixed(said),
        }
    }

    /// A title and a sentence that never change, as they are said.
    pub(in crate::i18n) fn entry(self, (title, about): Entry) -> Entry {
        (self.fixed(title), self.fixed(about))
    }
}

/// By itself, and not to be seen through, so that a page in another language need not have loaded these words.
fn chinese() -> &'static Words {
    std::hint::black_box(&zh::WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_browsers_find_their_language() {
        let tags = [
            (Lang::En, "en en-GB en_US EN"),
            (Lang::Zh, "zh zh-CN zh-SG zh-Hans zh_Hans_HK zh-Hans-TW zh-cmn"),
            (Lang::ZhHant, "zh-Hant ZH_Hant_TW zh-TW zh-HK zh-MO zh-Hant-CN zh-hant-SG zh-yue-HK"),
        ];
        for (lang, tags) in tags {
            tags.split(' ').for_each(|tag| assert_eq!(Lang::from_tag(tag), Some(lang), "{tag}"));
        }
        assert_eq!([Lang::from_tag("de"), Lang::from_tag(""), Lang::from_tag("zho")], [None; 3]);
        assert!(Lang::ALL.iter().all(|&lang| Lang::from_tag(lang.code()) == Some(lang)));
    }
}
