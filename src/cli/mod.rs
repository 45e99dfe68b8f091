//! The command line: `zabscope --help` lists the commands, each of which has a file here. Native only.

mod check;
#[cfg(feature = "conform")]
mod conform;
mod console;
mod disks;
#[cfg(feature = "picture")]
mod film;
mod find;
mod grade;
mod lesson;
#[cfg(all(feature = "live", unix))]
mod live;
mod options;
mod picture;
mod prove;
mod recipes;
mod run;
mod seeds;
mod share;
mod soak;

use std::error::Error;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use crate::sim::{Run, RunError};

/// A simulated ZooKeeper ensemble.
#[derive(Debug, Parser)]
#[command(name = "zabscope", bin_name = "zabscope", version, args_override_self = true, max_term_width = 100)]
#[command(after_help = "'zabscope COMMAND --help' tells more of each, with examples.
Exit codes: 0, or 1 where something is violated, wrong or found, or 2 where a command cannot do what it is told.")]
struct Program {
    #[command(subcommand)]
    command: Option<Command>,
}

/// What it can do, as each command's struct tells.
#[derive(Debug, Subcommand)]
enum Command {
    Scenarios(run::Scenarios),
    Run(run::Play),
    Check(check::Check),
    Cli(console::Console),
    #[cfg(all(feature = "live", unix))]
    Live(live::Live),
    Link(share::Link),
    Open(share::Open),
    Picture(picture::Picture),
    #[cfg(feature = "picture")]
    Film(film::Film),
    Soak(soak::Soak),
    Find(find::Find),
    Prove(prove::Prove),
    Lesson(lesson::Lessons),
    Grade(grade::Grades),
    Disks(disks::Disks),
    #[cfg(feature = "conform")]
    Conform(conform::Conform),
    Completions(Completions),
}

impl Command {
    fn run(self) -> Result<ExitCode, Failure> {
        match self {
            Command::Scenarios(asked) => run::scenarios(&asked),
            Command::Run(asked) => run::run(asked),
            Command::Check(asked) => check::check(&asked),
            Command::Cli(asked) => console::cli(asked),
            #[cfg(all(feature = "live", unix))]
            Command::Live(asked) => live::live(asked),
            Command::Link(asked) => share::link(asked),
            Command::Open(asked) => share::open(&asked),
            Command::Picture(asked) => picture::picture(asked),
            #[cfg(feature = "picture")]
            Command::Film(asked) => film::film(asked),
            Command::Soak(asked) => soak::soak(&asked),
            Command::Find(asked) => find::find(asked),
            Command::Prove(asked) => prove::prove(&asked),
            Command::Lesson(asked) => lesson::lesson(asked),
            Command::Grade(asked) => grade::grade(&asked),
            Command::Disks(asked) => disks::disks(asked),
            #[cfg(feature = "conform")]
            Command::Conform(asked) => conform::conform(&asked),
            Command::Completions(asked) => completions(&asked),
        }
    }
}

/// Prints what a shell needs to complete commands, options and words.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope completions bash > ~/.local/share/bash-completion/completions/zabscope
  zabscope completions zsh > ~/.zfunc/_zabscope
  zabscope completions fish > ~/.config/fish/completions/zabscope.fish")]
struct Completions {
    /// The shell
    shell: Shell,
}

fn completions(asked: &Completions) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(asked.shell, &mut Program::command(), "zabscope", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Why a command ends early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Exit code 2, and a sentence.
    Usage(String),
    /// Whoever read the output has had enough (`zabscope … | head`): nothing is wrong.
    NobodyReads,
}

impl Failure {
    /// The call's words are off, or a file cannot be used.
    pub(crate) fn usage(sentence: impl Into<String>) -> Failure {
        Failure::Usage(sentence.into())
    }
}

/// Of writing to stdout; errors of files are said with their names.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::NobodyReads,
            _ => Failure::usage(format!("cannot print: {error}")),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        Failure::usage(error.to_string())
    }
}

/// What is said of a file that cannot be used.
fn of_file(file: &Path) -> impl Fn(io::Error) -> Failure {
    move |error| Failure::usage(format!("{}: {error}", file.display()))
}

/// A file that is read line by line, or stdin for `-`.
fn lines_of(file: &Path) -> Result<Box<dyn BufRead>, Failure> {
    match file.as_os_str() == "-" {
        true => Ok(Box::new(io::stdin().lock())),
        false => Ok(Box::new(BufReader::new(File::open(file).map_err(of_file(file))?))),
    }
}

/// Writes a run into a folder, which is made where it is missing; says where it stands.
fn write_run(folder: &Path, name: &str, run: &Run) -> Result<PathBuf, Failure> {
    let path = folder.join(name);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, run.to_json()));
    written.map_err(|error| Failure::usage(format!("cannot write to {}: {error}", path.display()))).map(|()| path)
}

/// Prints a line to stdout. `println!` would panic where nobody reads any more.
fn print(line: impl Display) -> Result<(), Failure> {
    Ok(writeln!(io::stdout(), "{line}")?)
}

/// Says something on stderr, where nobody may listen.
fn say(text: impl Display) {
    let _ = io::stderr().write_all(text.to_string().as_bytes());
}

/// Does what the command line says.
pub fn main() -> ExitCode {
    let ended = match Program::try_parse() {
        Ok(Program { command: Some(command) }) => command.run(),
        Ok(Program { command: None }) => print(Program::command().render_help()).map(|()| ExitCode::SUCCESS),
        Err(error) => unread(&error),
    };
    match ended {
        Ok(code) => code,
        Err(Failure::NobodyReads) => ExitCode::SUCCESS,
        Err(Failure::Usage(sentence)) => {
            say(format_args!("zabscope: {sentence}\n"));
            ExitCode::from(2)
        }
    }
}

/// Prints the help that was asked for, or says what is wrong with the words.
fn unread(error: &clap::Error) -> Result<ExitCode, Failure> {
    let text = error.render().to_string();
    if !error.use_stderr() {
        return print(text.trim_end()).map(|()| ExitCode::SUCCESS);
    }
    Err(Failure::usage(in_a_line(error).unwrap_or_else(|| text.trim_start_matches("error: ").trim_end().into())))
}

/// What is said otherwise than clap would: of a value that is off (`--servers 99: a number from 1 to 9`), and of what was left out.
fn in_a_line(error: &clap::Error) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let left_out = [("live", "live"), ("conform", "conform"), ("film", "picture")];
    let named = text(ContextKind::InvalidSubcommand);
    if let Some((_, feature)) = left_out.into_iter().find(|(name, _)| named == Some(*name)) {
        return Some(format!("this zabscope was built without '{feature}': cargo build --features {feature}"));
    }
    let why = error.source().filter(|_| error.kind() == ErrorKind::ValueValidation)?;
    let option = text(ContextKind::InvalidArg)?.split(' ').next()?;
    Some(format!("{option} {}: {why}", text(ContextKind::InvalidValue)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What scripts say today must go on working.
    #[test]
    fn old_words_are_understood() {
        let film = ["zabscope", "film", "lock-herd", "--from", "0", "--to", "9", "--out", "a.gif"];
        assert_eq!(Program::try_parse_from(film).is_ok(), cfg!(feature = "picture"));
        #[cfg(all(feature = "live", unix))]
        for words in [&["live", "--page", "0"][..], &["live", "--headless", "--write", "run.json"]] {
            assert!(Program::try_parse_from([&["zabscope"][..], words].concat()).is_ok(), "{words:?}");
        }
        // the last one holds
        let twice = ["zabscope", "link", "lock-herd", "--at", "1", "--at", "2", "--set", "a=1", "--set", "b=2"];
        assert!(Program::try_parse_from(twice).is_ok());
    }

    /// All commands, and those within them.
    fn commands(of: &clap::Command) -> Vec<clap::Command> {
        let below = of.get_subcommands().filter(|one| one.get_name() != "help").flat_map(commands);
        std::iter::once(of.clone()).chain(below).collect()
    }

    #[test]
    fn every_command_is_told_of_and_its_examples_are_understood() {
        let mut program = Program::command();
        program.build();
        program.clone().debug_assert();
        for command in commands(&program).iter().filter(|one| one.get_subcommands().next().is_none()) {
            let name = command.get_bin_name().unwrap_or_default();
            assert!(command.get_about().is_some_and(|about| about.to_string().len() > 10), "{name}");
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{name} {arg}");
            }
            let told = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(told.starts_with("Examples:\n  ") && told.contains(name), "{name}: {told}");
            for example in told.lines().filter_map(|line| line.split("zabscope ").nth(1)) {
                let words = example.split(['|', '>']).next().unwrap_or_default().replace('\'', "");
                let words = std::iter::once("zabscope").chain(words.split_whitespace());
                assert!(Program::try_parse_from(words).is_ok(), "{name}: {example}");
            }
        }
    }
}
