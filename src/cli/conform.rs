//! `zabscope conform`: transcripts of real ensembles, played by a simulated one.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::conform::{MAX_TRANSCRIPT_BYTES, Transcript, play};

use super::Failure;

pub(super) fn conform(mut args: lexopt::Parser) -> Result<ExitCode, Failure> {
    use lexopt::Arg::Value;
    let mut files = Vec::new();
    while let Some(arg) = args.next()? {
        match arg {
            Value(path) => files.extend(transcripts_at(Path::new(&path))?),
            other => return Err(other.unexpected().into()),
        }
    }
    if files.is_empty() {
        return Err(Failure::usage("conform what? Name transcripts or a folder of them"));
    }
    let transcripts = files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    report(transcripts).map_err(|error| Failure::usage(format!("cannot print: {error}")))
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

fn read(file: &Path) -> Result<Transcript, Failure> {
    let wrong = |why: String| Failure::usage(format!("{} is not a transcript: {why}", file.display()));
    let cannot = |error: io::Error| Failure::usage(format!("{}: {error}", file.display()));
    let size = fs::metadata(file).map_err(cannot)?.len();
    if size > MAX_TRANSCRIPT_BYTES as u64 {
        return Err(wrong(format!("it has {size} bytes, and a transcript at most {MAX_TRANSCRIPT_BYTES}")));
    }
    let text = fs::read(file).map_err(cannot)?;
    let text = String::from_utf8(text).map_err(|_| wrong("it is no text in UTF-8".into()))?;
    Transcript::from_json(&text).map_err(|error| wrong(error.to_string()))
}

fn report(transcripts: Vec<Transcript>) -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let (mut passed, mut failed) = (0, 0);
    for transcript in &transcripts {
        let name = &transcript.name;
        match play(transcript) {
            Ok(()) => {
                passed += 1;
                writeln!(out, "{name}: pass")?;
            }
            Err(failure) => {
                failed += 1;
                writeln!(out, "{name}: {failure}")?;
            }
        }
    }
    writeln!(out, "{passed} passed, {failed} failed")?;
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
