//! `zabscope conform`: what real ensembles, clients and recipes did, played by simulated ones.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use crate::conform::{Ending, MAX_TRANSCRIPT_BYTES, Recording};

use super::options::whole;
use super::{Failure, of_file, print, say};

/// Plays recordings of real ensembles, clients and recipes against simulated ones, and compares.
///
/// Transcripts: everything clients received (results, errors, Stats, zxids, events). Traces of recipes: calls, callbacks, transactions,
/// requests, notifications, watches. Recordings of ensembles: elections, synchronisations, zxids. Prints a line for each file, with
/// the first difference. Exit code 1 if a file fails, 2 if one cannot be read (the others are still played).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope conform tests/conformance tests/recipes_recorded
  zabscope conform stat-setdata.json --seed 5 --json")]
pub(super) struct Conform {
    /// Recordings, or folders of them (*.json)
    #[arg(required = true, value_name = "FILE|FOLDER")]
    files: Vec<PathBuf>,
    /// The seed with which they are played
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole)]
    seed: u64,
    /// Prints the answer as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn conform(asked: &Conform) -> Result<ExitCode, Failure> {
    let mut files = Vec::new();
    for path in &asked.files {
        files.extend(transcripts_at(path)?);
    }
    report(&files, asked)
}

/// A file, or all JSON files of a folder and of the folders in it, in the order of their names.
fn transcripts_at(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    gather(path, &mut files)?;
    files.sort();
    if files.is_empty() {
        return Err(Failure::usage(format!("{}: there is no transcript (*.json) in this folder", path.display())));
    }
    Ok(files)
}

/// Links to folders are not followed: they may lead back.
fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let cannot = of_file(folder);
    for entry in fs::read_dir(folder).map_err(&cannot)? {
        let entry = entry.map_err(&cannot)?;
        let path = entry.path();
        if entry.file_type().map_err(&cannot)?.is_dir() {
            gather(&path, files)?;
        } else if path.is_file() && path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    Ok(())
}

/// The recording in a file, or why it is none.
fn read(file: &Path) -> Result<Recording, String> {
    let wrong = |why: String| format!("{} is not a transcript: {why}", file.display());
    let cannot = |error: io::Error| format!("{}: {error}", file.display());
    let mut text = Vec::new();
    let most = MAX_TRANSCRIPT_BYTES as u64;
    // one byte more than there may be: a file's size is not known of every file
    File::open(file).and_then(|file| file.take(most + 1).read_to_end(&mut text)).map_err(cannot)?;
    if text.len() > MAX_TRANSCRIPT_BYTES {
        return Err(wrong(format!("a transcript has at most {MAX_TRANSCRIPT_BYTES} bytes")));
    }
    let text = String::from_utf8(text).map_err(|_| wrong("it is no text in UTF-8".into()))?;
    Recording::from_json(&text).map_err(|error| wrong(error.to_string()))
}

/// Plays them all; a file that is none of ours keeps nobody from judging the others.
fn report(files: &[PathBuf], asked: &Conform) -> Result<ExitCode, Failure> {
    let (mut all, mut failed, mut unreadable) = (Vec::new(), 0, 0);
    for file in files {
        let recording = match read(file) {
            Ok(recording) => recording,
            Err(why) => {
                unreadable += 1;
                say(format_args!("zabscope: {why}\n"));
                all.push(json!({ "file": file.display().to_string(), "unreadable": why }));
                continue;
            }
        };
        let (name, ending) = (recording.name(), recording.play(asked.seed));
        let difference = match &ending {
            Ending::Passed => None,
            Ending::Failed(why) => Some(why),
        };
        failed += u64::from(difference.is_some());
        match asked.json {
            true => all.push(json!({ "file": file.display().to_string(), "name": name, "difference": difference })),
            false => print(format_args!("{name}: {}", difference.map_or("pass", |why| why.as_str())))?,
        }
    }
    match asked.json {
        true => print(json!({ "files": all, "failed": failed, "unreadable": unreadable }))?,
        false => print(format_args!("{} files, {failed} failed", files.len()))?,
    }
    Ok(match (unreadable, failed) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(1),
        _ => ExitCode::from(2),
    })
}
