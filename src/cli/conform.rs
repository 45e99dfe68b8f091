//! `zabscope conform`: transcripts of real ensembles and traces of real recipes, played by simulated ones.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::conform::{Ending, MAX_TRANSCRIPT_BYTES, Recording};

use super::Failure;

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
    let transcripts = files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    report(&transcripts, seed).map_err(|error| Failure::usage(format!("cannot print: {error}")))
}

/// A file, or all JSON files of a folder in the order of their names.
fn transcripts_at(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let cannot = |error: io::Error| Failure::usage(format!("{}: {error}", path.display()));
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(cannot)? {
        let file = entry.map_err(cannot)?.path();
        if file.is_file() && file.extension().is_some_and(|extension| extension == "json") {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(Failure::usage(format!("{}: there is no transcript (*.json) in this folder", path.display())));
    }
    Ok(files)
}

fn read(file: &Path) -> Result<Recording, Failure> {
    let wrong = |why: String| Failure::usage(format!("{} is not a transcript: {why}", file.display()));
    let cannot = |error: io::Error| Failure::usage(format!("{}: {error}", file.display()));
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

fn report(recordings: &[Recording], seed: u64) -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for recording in recordings {
        let name = recording.name();
        match recording.play(seed) {
            Ending::Passed => {
                passed += 1;
                writeln!(out, "{name}: pass")?;
            }
            Ending::Failed(why) => {
                failed += 1;
                writeln!(out, "{name}: {why}")?;
            }
            Ending::Skipped(why) => {
                skipped += 1;
                writeln!(out, "{name}: {why}")?;
            }
        }
    }
    write!(out, "{passed} passed, {failed} failed")?;
    if skipped > 0 {
        write!(out, ", {skipped} skipped")?;
    }
    writeln!(out)?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
