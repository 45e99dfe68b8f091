//! What programs do: lock recipes around a number that is read and written.

use std::rc::Rc;

use crate::base::SimTime;
use crate::base::rows::Rows;
use crate::daemon::Cx;
use crate::rivals::sql::op::Op;
use crate::rivals::sql::reply::Reply;

use super::Client;

/// A program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {}

/// A program that runs.
#[derive(Clone, Debug)]
pub struct Running {
    /// When it goes on.
    pub wakes_at: Option<SimTime>,
}

impl Running {
    /// At its beginning.
    pub fn new(_program: Rc<Program>, _starts: u64) -> Running {
        Running { wakes_at: None }
    }

    /// For a reader.
    pub fn rows(&self, _rows: &mut Rows) {}
}

impl Client {
    pub(super) fn go_on(&mut self, _cx: &mut Cx<Self>) {}
    pub(super) fn unreachable(&mut self, _cx: &mut Cx<Self>) {}
    pub(super) fn came(&mut self, _op: &Op, _reply: &Reply, _cx: &mut Cx<Self>) {}
    pub(super) fn wakes(&mut self, _cx: &mut Cx<Self>) {}
}

impl crate::base::json::Read for Program {
    fn read(json: crate::base::json::Json) -> Result<Program, crate::base::json::ReadError> {
        json.fields()?.end().map(|()| Program {})
    }
}

impl serde::Serialize for Program {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_map(std::iter::empty::<(u8, u8)>())
    }
}
