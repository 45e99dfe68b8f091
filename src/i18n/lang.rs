//! The languages: which there are, and which one a browser or a link asks for.

/// Makes [`Lang`] of a table. A language that is written has a folder with its sentences and the page's words; one that is converted is
/// made of another when something is said. Each has the tag for `lang` attributes and links, its name in itself, and the other parts of
/// tags (scripts, places) by which it is known from languages that begin alike.
macro_rules! languages {
    (
        written { $($(#[$about:meta])* $Lang:ident: $folder:ident, $code:literal, $name:literal, $marks:expr;)* }
        converted { $($(#[$made_about:meta])* $Made:ident: $From:ident by $by:ident, $made_code:literal, $made_name:literal, $made_marks:expr;)* }
    ) => {
        /// A language of the page.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum Lang {
            $($(#[$about])* $Lang,)*
            $($(#[$made_about])* $Made,)*
        }

        impl Lang {
            /// All of them, in the order in which they are shown.
            pub const ALL: [Lang; [$($code,)* $($made_code,)*].len()] = [$(Lang::$Lang,)* $(Lang::$Made,)*];

            /// Tags, names, and parts of tags that ask for a language.
            const TABLE: [(&str, &str, &[&str]); Lang::ALL.len()] =
                [$(($code, $name, &$marks),)* $(($made_code, $made_name, &$made_marks),)*];

            /// What is said of facts and states.
            fn words(self) -> &'static words::Words {
                match self {
                    $(Lang::$Lang => $folder::words(),)*
                    $(Lang::$Made => Lang::$From.words(),)*
                }
            }

            /// The words of the page.
            fn page(self) -> &'static page::Page {
                match self {
                    $(Lang::$Lang => $folder::page(),)*
                    $(Lang::$Made => {
                        // made once: it takes as long as there are texts
                        static MADE: std::sync::OnceLock<page::Page> = std::sync::OnceLock::new();
                        MADE.get_or_init(|| page::Texts::changed(*Lang::$From.page(), $by::fixed))
                    })*
                }
            }

            /// A sentence of [`Lang::words`] as it is said.
            fn say(self, sentence: String) -> String {
                match self {
                    // what somebody typed is not marked in English, which nothing converts
                    Lang::En => sentence,
                    $(Lang::$Made => $by::convert(&sentence),)*
                    _ => text::around_raw(&sentence, str::to_string),
                }
            }

            /// A text of [`Lang::words`] that never changes, as it is said.
            fn fixed(self, said: &'static str) -> &'static str {
                match self {
                    $(Lang::$Made => $by::fixed(said),)*
                    _ => said,
                }
            }
        }
    };
}

pub(super) use languages;

use super::Lang;

impl Lang {
    /// The tag for `lang` attributes and links.
    pub fn code(self) -> &'static str {
        Lang::TABLE[self as usize].0
    }

    /// Its name in itself.
    pub fn name(self) -> &'static str {
        Lang::TABLE[self as usize].1
    }

    /// The language for a tag as browsers and links give it: `zh-CN`, `en_GB`, `zh-Hant-HK`. Of languages that begin alike it is the
    /// one whose script or place the tag names first, and where it names none, the first of the table.
    pub fn from_tag(tag: &str) -> Option<Lang> {
        let tag = tag.to_ascii_lowercase();
        let mut parts = tag.split(['-', '_']);
        let first = parts.next();
        let alike = |lang: &Lang| lang.code().split('-').next() == first;
        for part in parts {
            for lang in Lang::ALL {
                if alike(&lang) && Lang::TABLE[lang as usize].2.contains(&part) {
                    return Some(lang);
                }
            }
        }
        Lang::ALL.into_iter().find(alike)
    }
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
        assert_eq!([Lang::from_tag("xx"), Lang::from_tag(""), Lang::from_tag("zho")], [None; 3]);
        assert!(Lang::ALL.iter().all(|&lang| Lang::from_tag(lang.code()) == Some(lang)));
    }
}
