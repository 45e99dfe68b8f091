//! Where a client is made to go.

use serde::Serialize;

use crate::base::ServerId;
use crate::base::json::{Fields, Parts, ReadError};

/// Where a client is made to go; the flags are for lessons about what a server refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MoveTo {
    /// The server.
    pub server: ServerId,
    /// It falsifies its password.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub wrong_password: bool,
    /// It claims to have seen a zxid that lies far ahead.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub claim_ahead: bool,
    /// It leaves its old connection open.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub keep_old: bool,
}

impl Parts for MoveTo {
    fn take(from: &mut Fields) -> Result<MoveTo, ReadError> {
        Ok(MoveTo {
            server: from.need("server")?,
            wrong_password: from.or("wrong_password", false)?,
            claim_ahead: from.or("claim_ahead", false)?,
            keep_old: from.or("keep_old", false)?,
        })
    }
}
