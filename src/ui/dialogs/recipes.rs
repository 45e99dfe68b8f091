//! What each tool that lecturers use wants written. docs/embedding.md says what works in them.

use crate::i18n::page::{Page, fill};

use super::slide::safe;

/// The pieces that a recipe is made of.
pub(super) struct Parts {
    /// What is on the stage.
    pub title: String,
    /// The address for a frame, and that of the whole page.
    pub address: String,
    pub whole: String,
    /// A frame and the element, in HTML.
    pub frame: String,
    pub element: String,
    /// The address of the element's script.
    pub script: String,
    /// The widget of the package for notebooks, in Python.
    pub widget: String,
    /// The page has no address: what asks for one is of no use.
    pub nowhere: bool,
}

/// Where the code goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tool {
    #[default]
    Any,
    Reveal,
    Marp,
    Slidev,
    Docusaurus,
    Myst,
    Markdown,
    Sphinx,
    Jupyter,
    Lms,
    Office,
}

impl Tool {
    pub(super) const ALL: [Tool; 11] = [
        Tool::Any,
        Tool::Reveal,
        Tool::Marp,
        Tool::Slidev,
        Tool::Docusaurus,
        Tool::Myst,
        Tool::Markdown,
        Tool::Sphinx,
        Tool::Jupyter,
        Tool::Lms,
        Tool::Office,
    ];

    /// Its proper name, which is its value in a list too; empty for what has none.
    pub(super) fn name(self) -> &'static str {
        match self {
            Tool::Any => "",
            Tool::Reveal => "reveal.js",
            Tool::Marp => "Marp",
            Tool::Slidev => "Slidev",
            Tool::Docusaurus => "Docusaurus",
            Tool::Myst => "MyST",
            Tool::Markdown => "MkDocs, mdBook",
            Tool::Sphinx => "Sphinx",
            Tool::Jupyter => "Jupyter",
            Tool::Lms => "LMS",
            Tool::Office => "PowerPoint, Keynote",
        }
    }

    pub(super) fn named(name: &str) -> Tool {
        Tool::ALL.into_iter().find(|tool| tool.name() == name).unwrap_or_default()
    }

    /// What it is called in a list.
    pub(super) fn title(self, words: &Page) -> &'static str {
        match self {
            Tool::Any => words.slide_any,
            Tool::Lms => words.slide_lms,
            tool => tool.name(),
        }
    }

    /// What else has to be done there.
    pub(super) fn note(self, words: &Page) -> Option<&'static str> {
        match self {
            Tool::Any => None,
            Tool::Reveal => Some(words.slide_note_reveal),
            Tool::Marp => Some(words.slide_note_marp),
            Tool::Slidev => Some(words.slide_note_slidev),
            Tool::Docusaurus => Some(words.slide_note_docusaurus),
            Tool::Myst => Some(words.slide_note_myst),
            Tool::Jupyter => Some(words.slide_note_notebook),
            Tool::Markdown | Tool::Sphinx => Some(words.slide_note_script),
            Tool::Lms => Some(words.slide_note_lms),
            Tool::Office => Some(words.slide_note_office),
        }
    }

    /// Names of pieces of code, and the code.
    pub(super) fn codes(self, parts: &Parts, words: &Page) -> Vec<(&'static str, String)> {
        let Parts { title, address, whole, frame, element, script, widget, nowhere } = parts;
        let script = format!("<script async src=\"{}\"></script>", safe(script));
        let both = format!("{script}\n{element}");
        let code = match self {
            Tool::Any => return vec![(words.slide_frame, frame.clone()), (words.slide_element, both)],
            Tool::Office => return Vec::new(),
            Tool::Reveal => format!("{script}\n<section>\n  {element}\n</section>"),
            Tool::Slidev => format!("{element}\n\n<!-- index.html -->\n<head>{script}</head>"),
            Tool::Docusaurus => format!(
                "{element}\n\n// docusaurus.config.js\nscripts: [{{ src: \"{}\", async: true }}],",
                parts.script
            ),
            Tool::Marp | Tool::Markdown => both,
            Tool::Sphinx => format!(".. raw:: html\n\n   {}", both.replace('\n', "\n   ")),
            Tool::Myst => format!(":::{{iframe}} {address}\n:width: 100%\n:::"),
            Tool::Jupyter => {
                let frame =
                    format!("from IPython.display import IFrame\nIFrame(\"{address}\", width=\"100%\", height=540)");
                let all = [(self.title(words), frame), (words.slide_widget, widget.clone())];
                return all.into_iter().skip(usize::from(*nowhere)).collect();
            }
            Tool::Lms => {
                let (whole, said) = (safe(whole), safe(&fill(words.slide_link, &[title])));
                format!(
                    "<p><a href=\"{whole}\"><img src=\"zabscope.png\" width=\"960\" alt=\"{}\"><br>{said}</a></p>",
                    safe(title)
                )
            }
        };
        vec![(self.title(words), code)]
    }
}
