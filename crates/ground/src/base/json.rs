//! JSON that somebody else wrote, read by hand: parsed once into values, then taken field by field. What serde derives for
//! enums with a tag inside does the same, at several times the size in the page, where every byte is downloaded.
//!
//! Nothing is let through that is not asked for: no field twice, none left over, no fraction, no number out of range.
//! Complaints name the place, as in `actions[3].request.acl[0]: missing field `perms``.

use serde::de::{Deserialize, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

pub use super::read_error::{Found, ReadError, ValueError, Wanted, at_most, few, out_of_range, short, within};

use super::read_error::start_of;

/// No object of ours has as many fields: more are refused while they are read, so that looking for a name stays cheap.
const MAX_FIELDS: usize = 64;

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number, 0 or above.
    Natural(u64),
    /// A whole number below 0.
    Negative(i64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object.
    Object(Fields),
}

/// The fields of an object, in the order written; reading takes them out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    left: Vec<(String, Json)>,
    asked: Vec<&'static str>,
}

/// What can be read from JSON.
pub trait Read: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// What does not fit, and where.
    fn read(json: Json) -> Result<Self, ReadError>;
}

/// What is read from some fields of an object, side by side with others.
pub trait Parts: Sized {
    /// Takes its fields out.
    ///
    /// # Errors
    /// What does not fit, and where.
    fn take(from: &mut Fields) -> Result<Self, ReadError>;
}

impl Json {
    /// Parses a text that holds one value. Depth is bounded by the parser.
    ///
    /// # Errors
    /// What is wrong, with line and column.
    pub fn parse(text: &str) -> Result<Json, ReadError> {
        serde_json::from_str(text).map_err(|error: serde_json::Error| {
            let (line, column, why) = (error.line(), error.column(), error.to_string());
            let why = why.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&why).into();
            ReadError::new(ValueError::Syntax { why, line, column })
        })
    }

    /// The fields, if it is an object.
    ///
    /// # Errors
    /// It is none.
    pub fn fields(self) -> Result<Fields, ReadError> {
        match self {
            Json::Object(fields) => Ok(fields),
            other => Err(other.read_error(Wanted::Object)),
        }
    }

    fn natural(self, least: u64, most: u64) -> Result<u64, ReadError> {
        match self {
            Json::Natural(number) if (least..=most).contains(&number) => Ok(number),
            other => Err(other.read_error(Wanted::Whole(least as i64, most))),
        }
    }

    fn integer(self, least: i64, most: i64) -> Result<i64, ReadError> {
        let number = match self {
            Json::Natural(number) => i64::try_from(number).ok(),
            Json::Negative(number) => Some(number),
            _ => None,
        };
        let fits = number.filter(|number| (least..=most).contains(number));
        fits.ok_or_else(|| self.read_error(Wanted::Whole(least, most as u64)))
    }

    fn string(self) -> Result<String, ReadError> {
        match self {
            Json::Text(text) => Ok(text),
            other => Err(other.read_error(Wanted::Text)),
        }
    }

    /// Reads one of the names of an enum without data.
    ///
    /// # Errors
    /// It is no text, or none of the names, which the complaint lists.
    pub fn name<T: for<'a> Deserialize<'a>>(self) -> Result<T, ReadError> {
        let text = self.string()?;
        let name: Result<T, NoName> = T::deserialize(text.as_str().into_deserializer());
        name.map_err(|NoName(known)| ReadError::unknown_name(&text, known.to_vec()))
    }

    /// That it is not what is wanted.
    pub fn read_error(&self, wanted: Wanted) -> ReadError {
        let found = match self {
            Json::Null => Found::Null,
            Json::Bool(value) => Found::Bool(*value),
            Json::Natural(number) => Found::Number(number.to_string()),
            Json::Negative(number) => Found::Number(number.to_string()),
            Json::Text(_) => Found::Text,
            Json::List(_) => Found::List,
            Json::Object(_) => Found::Object,
        };
        ReadError::new(ValueError::Kind { found, wanted })
    }
}

/// A name is none of these.
#[derive(Debug)]
struct NoName(&'static [&'static str]);

impl fmt::Display for NoName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an unknown name")
    }
}

impl std::error::Error for NoName {}

impl Error for NoName {
    fn custom<T: fmt::Display>(_: T) -> NoName {
        NoName(&[])
    }

    fn unknown_variant(_: &str, known: &'static [&'static str]) -> NoName {
        NoName(known)
    }
}

impl Fields {
    /// An object with one field.
    pub fn one(name: &str, value: Json) -> Fields {
        Fields { left: vec![(name.into(), value)], asked: Vec::new() }
    }

    /// An object with these fields.
    pub fn of(fields: Vec<(String, Json)>) -> Fields {
        Fields { left: fields, asked: Vec::new() }
    }

    /// Names and values, as far as they have not been taken out.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        self.left.iter().map(|(name, value)| (name.as_str(), value))
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.left.iter().position(|(field, _)| field == name)
    }

    fn take(&mut self, name: &'static str) -> Option<Json> {
        self.asked.push(name);
        self.find(name).map(|at| self.left.remove(at).1)
    }

    /// A field that must be there.
    ///
    /// # Errors
    /// It is missing or does not fit.
    pub fn need<T: Read>(&mut self, name: &'static str) -> Result<T, ReadError> {
        let value = self.take(name).ok_or_else(|| ReadError::new(ValueError::Missing { field: name }))?;
        T::read(value).map_err(|read_error| read_error.within(name))
    }

    /// A field that may be left out.
    ///
    /// # Errors
    /// It does not fit.
    pub fn or<T: Read>(&mut self, name: &'static str, default: T) -> Result<T, ReadError> {
        match self.take(name) {
            None => Ok(default),
            Some(value) => T::read(value).map_err(|read_error| read_error.within(name)),
        }
    }

    /// Replaces a value where there is such a field.
    ///
    /// # Errors
    /// It does not fit.
    pub fn set<T: Read>(&mut self, name: &'static str, place: &mut T) -> Result<(), ReadError> {
        if let Some(value) = self.take(name) {
            *place = T::read(value).map_err(|read_error| read_error.within(name))?;
        }
        Ok(())
    }

    /// Says that there are no other fields.
    ///
    /// # Errors
    /// There are.
    pub fn end(self) -> Result<(), ReadError> {
        let Some((name, _)) = self.left.first() else { return Ok(()) };
        Err(ReadError::new(ValueError::UnknownField { field: start_of(name).into(), known: self.asked }))
    }
}

/// Numbers: each reads as the widest of its kind, with its own bounds.
macro_rules! numbers {
    ($widest:ident $wide:ty: $($number:ty)*) => { $(
        impl Read for $number {
            fn read(json: Json) -> Result<$number, ReadError> {
                let number = json.$widest(<$number>::MIN as $wide, <$number>::MAX as $wide)?;
                Ok(number as $number)
            }
        }
    )* };
}
numbers!(natural u64: u8 u16 u32 u64 usize);
numbers!(integer i64: i32 i64);

/// As it is.
impl Read for Json {
    fn read(json: Json) -> Result<Json, ReadError> {
        Ok(json)
    }
}

impl Read for bool {
    fn read(json: Json) -> Result<bool, ReadError> {
        match json {
            Json::Bool(value) => Ok(value),
            other => Err(other.read_error(Wanted::Bool)),
        }
    }
}

impl Read for String {
    fn read(json: Json) -> Result<String, ReadError> {
        json.string()
    }
}

impl Read for Rc<str> {
    fn read(json: Json) -> Result<Rc<str>, ReadError> {
        json.string().map(Rc::from)
    }
}

impl<T: Read> Read for Option<T> {
    fn read(json: Json) -> Result<Option<T>, ReadError> {
        if matches!(json, Json::Null) { Ok(None) } else { T::read(json).map(Some) }
    }
}

impl<T: Read> Read for BTreeMap<Rc<str>, T> {
    fn read(json: Json) -> Result<BTreeMap<Rc<str>, T>, ReadError> {
        let read = |(name, value): (&str, &Json)| {
            T::read(value.clone()).map(|value| (name.into(), value)).map_err(|read_error| read_error.within(name))
        };
        json.fields()?.iter().map(read).collect()
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(json: Json) -> Result<Vec<T>, ReadError> {
        let Json::List(items) = json else { return Err(json.read_error(Wanted::List)) };
        let read = |(at, item)| T::read(item).map_err(|read_error| read_error.within(&format!("[{at}]")));
        items.into_iter().enumerate().map(read).collect()
    }
}

/// Lets serde read what is [`Read`]: for the native program's files.
#[macro_export]
macro_rules! deserialize_as_read {
    ($($what:ty),*) => { $(
        impl<'de> serde::Deserialize<'de> for $what {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<$what, D::Error> {
                let json = $crate::base::json::Json::deserialize(d)?;
                <$what as $crate::base::json::Read>::read(json).map_err(serde::de::Error::custom)
            }
        }
    )* };
}
pub use deserialize_as_read;

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Json, D::Error> {
        d.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("whole numbers only, up to 18446744073709551615")
    }

    fn visit_unit<E: Error>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Natural(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Json, E> {
        Ok(u64::try_from(number).map_or(Json::Negative(number), Json::Natural))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Json, A::Error> {
        let mut fields = Fields::default();
        while let Some((name, value)) = entries.next_entry::<String, Json>()? {
            if fields.find(&name).is_some() {
                return Err(Error::custom(format_args!("duplicate field `{}`", start_of(&name))));
            }
            if fields.left.len() == MAX_FIELDS {
                return Err(Error::custom("an object with too many fields"));
            }
            fields.left.push((name, value));
        }
        Ok(Json::Object(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number, or a field with more of them.
    #[derive(Debug)]
    struct Tree(u8, Vec<Tree>);

    impl Read for Tree {
        fn read(json: Json) -> Result<Tree, ReadError> {
            let mut fields = json.fields()?;
            let tree = Tree(fields.need("n")?, fields.or("below", Vec::new())?);
            fields.end().map(|()| tree)
        }
    }

    fn complaint(text: &str) -> String {
        Json::parse(text).and_then(Tree::read).expect_err(text).to_string()
    }

    #[test]
    fn what_fits_is_read() {
        let tree = Json::parse(r#"{"below":[{"n":255}],"n":0}"#).and_then(Tree::read).unwrap();
        assert_eq!((tree.0, tree.1[0].0), (0, 255));
        let read = |text| Json::parse(text).and_then(Option::<i64>::read);
        assert_eq!(read("null"), Ok(None));
        assert_eq!(read("-9223372036854775808"), Ok(Some(i64::MIN)));
    }

    #[test]
    fn complaints_name_the_place() {
        for (text, complaint_of_it) in [
            ("7", "7 is not an object"),
            (r#"{}"#, "missing field `n`"),
            (r#"{"n":1,"m":2}"#, "unknown field `m`; expected `n`, `below`"),
            (r#"{"n":256}"#, "n: 256 is not a whole number from 0 to 255"),
            (r#"{"n":-1}"#, "n: -1 is not a whole number from 0 to 255"),
            (r#"{"n":null}"#, "n: null is not a whole number from 0 to 255"),
            (r#"{"n":1,"below":{}}"#, "below: an object is not a list"),
            (r#"{"n":1,"below":[{"n":1,"below":[{"n":1},{"n":"1"}]}]}"#, "below[0].below[1].n: a text is not"),
        ] {
            assert!(complaint(text).starts_with(complaint_of_it), "{text}: {}", complaint(text));
        }
    }

    #[test]
    fn what_json_leaves_open_is_refused() {
        for (text, why) in [
            (r#"{"n":1,"n":1}"#, "duplicate field `n` at line 1 column 13"),
            (r#"{"n":1.5}"#, "line 1 column 8"),
            (r#"{"n":18446744073709551616}"#, "whole numbers only"),
            (&"[".repeat(1000), "recursion limit"),
            (
                &format!("{{{}}}", (0..99).map(|n| format!(r#""{n}":0"#)).collect::<Vec<_>>().join(",")),
                "too many fields",
            ),
        ] {
            assert!(complaint(text).contains(why), "{text}: {}", complaint(text));
        }
    }
}
