//! A recipe as data, and what is known of its kind.

use serde::{Serialize, Serializer};
use std::fmt;
use std::rc::Rc;

use crate::base::json::{ReadError, ValueError, short, within};
use crate::base::limits::{MAX_DURATION_US, MAX_PATH_BYTES, MAX_PAYLOAD_BYTES};
use crate::wire::{check_path, not_a_path};

use super::context::{Cx, Object};
use crate::own::Program;

/// Makes an object of a recipe; the object's name is given too, for its parts.
type Maker = fn(&Recipe, &Rc<str>, &mut Cx<'_>) -> Box<dyn Object>;

/// What is known of a kind of recipe.
pub(crate) struct KindInfo {
    pub name: &'static str,
    pub words: &'static [&'static str],
    pub methods: &'static [&'static str],
    pub make: Maker,
}

/// A kind of recipe: one of [`Kind::all`].
#[derive(Clone, Copy)]
pub struct Kind(pub(crate) &'static KindInfo);

impl Kind {
    /// Its name in runs.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// The words that may be given in `with`.
    pub fn words(self) -> &'static [&'static str] {
        self.0.words
    }

    /// The methods that its objects have.
    pub fn methods(self) -> &'static [&'static str] {
        self.0.methods
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Kind {}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Declares the kinds of a folder: a constant of [`Kind`] for each, with its name in runs, its file and its maker, which is
/// given the recipe, the object's name and the context.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident $name:literal $file:ident: |$recipe:pat_param, $object:pat_param, $cx:pat_param| $make:expr;)*) => {
        impl crate::Kind {
            $($(#[doc = $doc])* pub const $kind: crate::Kind =
                crate::Kind(&crate::runtime::recipe::KindInfo {
                    name: $name,
                    words: $file::WORDS,
                    methods: $file::METHODS,
                    make: |$recipe, $object, $cx| Box::new($make),
                });)*
        }

        /// The kinds of this folder.
        pub(crate) const KINDS: &[crate::Kind] = &[$(crate::Kind::$kind),*];
    };
}

pub(crate) use kinds;

/// A recipe to be made: what a program's constructor is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recipe {
    /// Its kind.
    pub kind: Kind,
    /// Its path; of a multi-lock the paths, with a blank between two; of a queue or a counter its path and that of its lock.
    pub path: Rc<str>,
    /// How many may have it, or must come, or how many leases or items there may be; of a shared count what it begins with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// The participant's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Rc<str>>,
    /// How long `takeLeadership` takes, ms; without it until it is told to return. Of a node its time to live.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hold_ms: Option<u64>,
    /// Words that change it: `auto_requeue`, `notify_leader` …; and rules broken on purpose. Of a recipe of one's own its program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<Rc<str>>,
}

impl Recipe {
    /// Whether a word was given.
    pub fn has(&self, word: &str) -> bool {
        self.with.iter().any(|given| &**given == word)
    }

    /// Checks every bound, and that its words are those of its kind.
    ///
    /// # Errors
    /// The first field that does not fit.
    pub fn check(&self) -> Result<(), ReadError> {
        short("path", &self.path, MAX_PATH_BYTES)?;
        for path in self.path.split(' ') {
            check_path(path, false).map_err(|why| not_a_path("path", &why))?;
        }
        within("count", self.count.unwrap_or(1).into(), 1, 1_000)?;
        short("id", self.id.as_deref().unwrap_or_default(), MAX_PAYLOAD_BYTES)?;
        within("hold_ms", self.hold_ms.unwrap_or(0), 0, MAX_DURATION_US / 1000)?;
        if self.kind == Kind::OWN {
            within("with: texts", self.with.len() as u64, 1, 1)?;
            let wrong = |error| ReadError::new(ValueError::Program(error)).within("with[0]");
            return Program::parse(&self.with[0]).map(drop).map_err(wrong);
        }
        let known = self.kind.words();
        match self.with.iter().find(|word| !known.contains(&&***word)) {
            None => Ok(()),
            Some(word) => Err(ReadError::unknown_name(word, known.to_vec()).within("with")),
        }
    }

    /// Makes the object, and its parts.
    pub(crate) fn make(&self, name: &Rc<str>, cx: &mut Cx<'_>) {
        let object = (self.kind.0.make)(self, name, cx);
        cx.core.objects.0.insert(name.clone(), object);
    }
}
