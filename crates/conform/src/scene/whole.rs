//! All that is done in a scene. Traces that count what each release costs list only the first and last stages: the others
//! are done all the same, in the order of the clients and of the summary's rows.

use super::command::Command;
use super::file::{Row, Scene, Stage};

/// One thing done.
#[derive(Clone, Debug)]
pub(super) struct Done<'a> {
    pub name: &'a str,
    pub commands: Vec<Command>,
    /// What was recorded, where it was.
    pub recorded: Option<&'a Stage>,
    /// What it cost.
    pub row: Option<(usize, &'a Row)>,
}

impl<'a> Done<'a> {
    fn of(index: usize, stage: &'a Stage) -> Result<Done<'a>, String> {
        let parse = |line: &String| Command::parse(line).map_err(|why| format!("stages[{index}].commands: {why}"));
        let commands = stage.commands.iter().map(parse).collect::<Result<_, _>>()?;
        Ok(Done { name: &stage.stage, commands, recorded: Some(stage), row: None })
    }

    /// The same, done by another and not recorded.
    fn by(&self, client: &str, name: &'a str) -> Done<'a> {
        let commands = self.commands.iter().map(|command| command.by(client)).collect();
        Done { name, commands, recorded: None, row: None }
    }

    fn client(&self) -> Option<&str> {
        self.commands.iter().find_map(Command::client)
    }
}

/// All stages, in order.
pub(super) fn stages(scene: &Scene) -> Result<Vec<Done<'_>>, String> {
    let listed = scene.stages.iter().enumerate();
    let mut listed = listed.map(|(index, stage)| Done::of(index, stage)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = scene.summary.first() else { return Ok(listed) };
    let start = listed.iter().position(|done| done.name == first.stage);
    let start = start.ok_or_else(|| format!("summary: there is no stage '{}'", first.stage))?;
    let releases = listed.split_off(start);
    let mut all = arrivals(scene, listed)?;
    all.extend(departures(scene, releases)?);
    Ok(all)
}

/// Everybody comes, in the order of the clients; those that are not listed do what the one before did.
fn arrivals<'a>(scene: &'a Scene, listed: Vec<Done<'a>>) -> Result<Vec<Done<'a>>, String> {
    let mut all: Vec<Done<'a>> = Vec::new();
    let mut listed = listed.into_iter().peekable();
    for client in &scene.clients {
        if let Some(done) = listed.next_if(|done| done.client() == Some(client)) {
            all.push(done);
        } else if let Some(last) = all.last().filter(|_| listed.peek().is_some()) {
            let done = last.by(client, client);
            all.push(done);
        }
    }
    match listed.next() {
        Some(done) => Err(format!("stages: '{}' does not stand in the order of the clients", done.name)),
        None => Ok(all),
    }
}

/// Everybody goes, in the order of the rows; one that is not listed is named by its row, or is whoever holds.
fn departures<'a>(scene: &'a Scene, listed: Vec<Done<'a>>) -> Result<Vec<Done<'a>>, String> {
    let mut all: Vec<Done<'a>> = Vec::new();
    let mut listed = listed.into_iter().peekable();
    for (index, row) in scene.summary.iter().enumerate() {
        let mut done = match listed.next_if(|done| done.name == row.stage) {
            Some(done) => done,
            None => {
                let client = row.stage.split(' ').next().unwrap_or_default();
                let last = all.last().ok_or_else(|| format!("summary[{index}]: its stage is not listed"))?;
                if last.client().is_some() && !scene.clients.iter().any(|known| known == client) {
                    return Err(format!("summary[{index}].stage: '{client}' is no client"));
                }
                last.by(client, &row.stage)
            }
        };
        done.row = Some((index, row));
        all.push(done);
    }
    match listed.next() {
        Some(done) => Err(format!("summary: there is no row for the stage '{}'", done.name)),
        None => Ok(all),
    }
}
