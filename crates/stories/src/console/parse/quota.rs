//! `setquota`, `listquota`, `delquota`: which limits they name, and of what.

use crate::console::command::{Action, ConsoleError, Operation, QuotaCommand};
use crate::wire::{QUOTA, StatsTrack, check_path, limits_path};

use super::{Parsed, Reading};

/// Which one of the limits is named: `OptionGroup` lets no two stand together.
fn limit_option(reading: &Reading<'_>) -> Parsed<Option<char>> {
    let mut given = ['n', 'b', 'N', 'B'].into_iter().filter(|option| reading.has(*option));
    match (given.next(), given.next()) {
        (Some(first), Some(second)) => Err(ConsoleError::Said(format!(
            "org.apache.commons.cli.AlreadySelectedException: The option '{second}' was specified but an option from \
             this group has already been selected: '{first}'"
        ))),
        (one, _) => Ok(one),
    }
}

pub(super) fn set_quota(reading: &Reading<'_>) -> Parsed<Action> {
    let said = |text: &str| Err(ConsoleError::Said(text.to_string()));
    let Some(option) = limit_option(reading)? else {
        return said(
            "org.apache.commons.cli.MissingOptionException: Missing required option: [-n num soft quota, -b bytes soft \
             quota, -N num hard quota, -B bytes hard quota]",
        );
    };
    reading.need(2)?;
    let path = reading.unchecked(1)?;
    if path.starts_with(QUOTA) {
        return said(&format!("cannot set a quota under the path: {QUOTA}"));
    }
    let value = reading.options.value(option).unwrap_or("");
    let counts = matches!(option, 'n' | 'N');
    let parsed = if counts { value.parse::<i32>().map(i64::from).ok() } else { value.parse::<i64>().ok() };
    let Some(limit) = parsed else { return said("NumberFormatException happens when parsing the option value") };
    if counts && limit <= 0 {
        return said("the num quota must be greater than zero");
    }
    if limit < 0 {
        return said("the bytes quota must be greater than or equal to zero");
    }
    Ok(Action::Ask(Operation::Quota { path: reading.path(1)?, what: QuotaCommand::Set(only(option, limit)) }))
}

/// The path itself is not looked at, only the one where its limits are.
pub(super) fn list_quota(reading: &mut Reading<'_>) -> Parsed<Action> {
    reading.need(2)?;
    let path = reading.unchecked(1)?;
    let limits = limits_path(path);
    if let Err(error) = check_path(&limits, false) {
        reading.hints.push(format!("absolute path is {limits}"));
        return Err(error.into());
    }
    Ok(Action::Ask(Operation::Quota { path: path.into(), what: QuotaCommand::List }))
}

pub(super) fn delete_quota(reading: &Reading<'_>) -> Parsed<Action> {
    let option = limit_option(reading)?;
    reading.need(2)?;
    let path = reading.unchecked(1)?;
    check_path(&limits_path(path), false)?;
    let what = QuotaCommand::Delete(option.map(|option| only(option, 1)));
    Ok(Action::Ask(Operation::Quota { path: path.into(), what }))
}

/// One limit, the others -1.
fn only(option: char, limit: i64) -> StatsTrack {
    let none = StatsTrack { count: -1, bytes: -1, count_hard: Some(-1), bytes_hard: Some(-1) };
    match option {
        'n' => StatsTrack { count: limit, ..none },
        'b' => StatsTrack { bytes: limit, ..none },
        'N' => StatsTrack { count_hard: Some(limit), ..none },
        _ => StatsTrack { bytes_hard: Some(limit), ..none },
    }
}
