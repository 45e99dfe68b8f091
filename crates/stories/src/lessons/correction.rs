//! What is often read otherwise: a sentence of a course text, what is so, and where that can be looked up.

use std::rc::Rc;

use crate::base::json::{Json, Read, ReadError, at_most, short};

use super::text::Text;

/// Longest source, bytes.
const MAX_SOURCE_BYTES: usize = 160;
/// Most sentences of the course texts that one correction is about.
const MAX_CLAIMS: usize = 8;

/// A correction, shown at the lesson's end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// The sentences of the course texts, by their numbers there.
    pub claims: Vec<Rc<str>>,
    /// What is often read.
    pub often: Text,
    /// What is so.
    pub so: Text,
    /// A Java class and method, a paper, a page; none where the run itself shows it.
    pub source: Option<Rc<str>>,
    /// The beat that shows it.
    pub beat: Rc<str>,
}

impl Read for Correction {
    fn read(json: Json) -> Result<Correction, ReadError> {
        let mut fields = json.fields()?;
        let correction = Correction {
            claims: fields.or("claims", Vec::new())?,
            often: fields.need("often")?,
            so: fields.need("so")?,
            source: fields.or("source", None)?,
            beat: fields.need("beat")?,
        };
        at_most("claims", correction.claims.len(), MAX_CLAIMS)?;
        short("source", correction.source.as_deref().unwrap_or_default(), MAX_SOURCE_BYTES)?;
        fields.end().map(|()| correction)
    }
}
