//! Recipes and scripts from JSON, as they are written: what is left out has its default, and nothing else may be there.

use crate::base::json::{Fields, Json, Read, ReadError, deserialize_as_read};

use super::curator::{CuratorConfig, ErrorPolicy, RetryPolicy};
use super::runtime::io::Method;
use super::runtime::recipe::Recipe;
use super::script::{Script, Step};

deserialize_as_read!(Recipe);

impl Read for ErrorPolicy {
    fn read(json: Json) -> Result<ErrorPolicy, ReadError> {
        json.name()
    }
}

impl Read for RetryPolicy {
    fn read(json: Json) -> Result<RetryPolicy, ReadError> {
        json.name()
    }
}

impl Read for CuratorConfig {
    fn read(json: Json) -> Result<CuratorConfig, ReadError> {
        let (mut from, mut config) = (json.fields()?, CuratorConfig::default());
        from.set("connection_timeout_ms", &mut config.connection_timeout_ms)?;
        from.set("retry", &mut config.retry)?;
        from.set("base_sleep_ms", &mut config.base_sleep_ms)?;
        from.set("max_sleep_ms", &mut config.max_sleep_ms)?;
        from.set("max_retries", &mut config.max_retries)?;
        from.set("expiration_percent", &mut config.expiration_percent)?;
        from.set("error_policy", &mut config.error_policy)?;
        from.set("circuit_pause_ms", &mut config.circuit_pause_ms)?;
        from.set("circuit_pauses", &mut config.circuit_pauses)?;
        from.set("command_tries", &mut config.command_tries)?;
        from.end().map(|()| config)
    }
}

impl Read for Recipe {
    fn read(json: Json) -> Result<Recipe, ReadError> {
        let mut from = json.fields()?;
        let recipe = Recipe {
            kind: from.need("kind")?,
            path: from.need("path")?,
            count: from.or("count", None)?,
            id: from.or("id", None)?,
            hold_ms: from.or("hold_ms", None)?,
            with: from.or("with", Vec::new())?,
        };
        from.end().map(|()| recipe)
    }
}

impl Read for Script {
    fn read(json: Json) -> Result<Script, ReadError> {
        let mut from = json.fields()?;
        let (steps, times) = (from.need("steps")?, from.or("times", 1)?);
        let script = Script { steps, times, in_callback: from.or("in_callback", false)? };
        from.end().map(|()| script)
    }
}

impl Read for Step {
    fn read(json: Json) -> Result<Step, ReadError> {
        let mut from = json.fields()?;
        let name: String = from.need("step")?;
        let step = step(&name, &mut from)?;
        from.end().map(|()| step)
    }
}

fn step(name: &str, from: &mut Fields) -> Result<Step, ReadError> {
    Ok(match name {
        "call" => Step::Call {
            object: from.need("object")?,
            method: Method {
                method: from.need("method")?,
                timeout_ms: from.or("timeout_ms", None)?,
                data: from.or("data", None)?,
            },
        },
        "work" => Step::Work { ms: from.need("ms")?, heedless: from.or("heedless", false)? },
        "use" => Step::Use {
            object: from.need("object")?,
            resource: from.need("resource")?,
            fenced: from.or("fenced", false)?,
        },
        _ => return Err(ReadError::unknown("step", name)),
    })
}
