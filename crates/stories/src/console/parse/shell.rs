//! What one types in a shell rather than in zkCli.

use crate::base::ServerId;
use crate::console::command::{Action, Effect};
use crate::sim;

use super::{Parsed, Reading, server};

/// `echo srvr | nc S1 2181`: what one types in a shell, at the one client port that all servers have.
pub(super) fn four_letter(reading: &Reading<'_>) -> Parsed<Action> {
    let [_, word, "|", "nc", at, port @ ..] = &reading.options.args[..] else { return Err(reading.usage()) };
    if !matches!(port, [] | ["2181"]) {
        return Err(reading.usage());
    }
    Ok(Action::Effect(Effect::FourLetter(server(at)?, (*word).into())))
}

/// `kill -9 S2`, `poweroff S2`, `zkServer.sh start S2`: what one types in a shell on a server's machine.
pub(super) fn machine(reading: &Reading<'_>) -> Parsed<Action> {
    let (action, at): (fn(ServerId) -> sim::Action, &str) = match &reading.options.args[..] {
        ["kill", "-9", at] | ["kill", at] => (|server| sim::Action::Kill { server }, at),
        ["kill", "-STOP", at] => (|server| sim::Action::Pause { server }, at),
        ["kill", "-CONT", at] => (|server| sim::Action::Resume { server }, at),
        ["poweroff", at] => (|server| sim::Action::PowerOff { server }, at),
        ["zkServer.sh", "start", at] => (|server| sim::Action::Restart { server }, at),
        _ => return Err(reading.usage()),
    };
    Ok(Action::Effect(Effect::Machine(action(server(at)?))))
}
