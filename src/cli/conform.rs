//! `zabscope conform`: what real ensembles, clients and recipes did, played by simulated ones.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::conform::{Ending, MAX_TRANSCRIPT_BYTES, Recording};

use super::{Failure, say};

pub(super) fn conform(mut args: lexopt::Parser) -> Result<ExitCode, Failure> {
    use lexopt::Arg::{Long, Value};
    use lexopt::ValueExt;
    let (mut files, mut seed) = (Vec::new(), 0);
    while let Some(arg) = args.next()? {
        match arg {
            Long("seed") => seed = args.value()?.parse::<u64>()?,
            Value(path) => files.extend(transcripts_at(Path::new(&path))?),
            other => return Err(other.unexpected().into()),
        }
    }
    if files.is_empty() {
        return Err(Failure::usage("conform what? Name transcripts or a folder of them"));
    }
    report(&files, seed)
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
    let cannot = |error: io::Error| Failure::usage(format!("{}: {error}", folder.display()));
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let path = entry.path();
        if entry.file_type().map_err(cannot)?.is_dir() {
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
fn report(files: &[PathBuf], seed: u64) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    let (mut failed, mut unreadable) = (0, 0);
    for file in files {
        let recording = match read(file) {
            Ok(recording) => recording,
            Err(why) => {
                unreadable += 1;
                say(format_args!("zabscope: {why}\n"));
                continue;
            }
        };
        let name = recording.name();
        match recording.play(seed) {
            Ending::Passed => writeln!(out, "{name}: pass")?,
            Ending::Failed(why) => {
                failed += 1;
                writeln!(out, "{name}: {why}")?;
            }
        }
    }
    writeln!(out, "{} files, {failed} failed", files.len())?;
    Ok(match (unreadable, failed) {
        (0, 0) => ExitCode::SUCCESS,
        (0, _) => ExitCode::from(1),
        _ => ExitCode::from(2),
    })
}
