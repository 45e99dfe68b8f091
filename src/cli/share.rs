//! `zabscope link` and `zabscope open`, and the files that `zabscope run` writes.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::process::ExitCode;

use crate::base::SimTime;
use crate::base::limits::MAX_RUN_BYTES;
use crate::i18n::Lang;
use crate::i18n::page::older_words;
use crate::scenarios::scenario;
use crate::share::{Export, Look, Moment, OpenError, Place, Telling, decode, encode};
use crate::sim::{FORMAT_VERSION, OLDEST_FORMAT, Player, Run};

use super::run::Which;
use super::{Failure, moment, print};

/// Steps between two writes to a file.
const PIECE_STEPS: u64 = 10_000;

/// Why something was not opened or shared, in one sentence.
fn sentence(trouble: &OpenError) -> String {
    match trouble {
        OpenError::NoLink => "this is not a ZabScope link".into(),
        OpenError::Damaged => "this link is damaged (truncated or altered)".into(),
        OpenError::Newer => "this was made by a newer ZabScope and cannot be read here".into(),
        OpenError::Older { format } => format!(
            "this run uses format {format}, which is no longer read: formats {OLDEST_FORMAT} to {FORMAT_VERSION} are"
        ),
        OpenError::TooLong => "this exceeds the limits of a run".into(),
        OpenError::NoFile => "this is neither a run nor text with a link".into(),
        OpenError::Run(error) => error.to_string(),
        OpenError::NoQr { chars } => format!("the link has {chars} characters, too many for a QR code"),
        OpenError::TooManyRows => "too many rows: choose a longer interval with --every".into(),
        OpenError::TextTooLong => "too much text: choose an earlier end with --until".into(),
    }
}

fn wrong(trouble: OpenError) -> Failure {
    Failure::usage(sentence(&trouble))
}

/// Writes what is told of a run up to a moment.
pub(super) fn write(run: &Run, until: SimTime, telling: Telling, path: &str) -> Result<(), Failure> {
    let cannot = |error: std::io::Error| Failure::usage(format!("{path}: {error}"));
    let mut export = Export::new(run, until, telling).map_err(wrong)?;
    let mut file = BufWriter::new(File::create(path).map_err(cannot)?);
    let (mut more, mut text) = (true, String::new());
    while more {
        text.clear();
        more = export.advance(PIECE_STEPS, &mut text).map_err(wrong)?;
        file.write_all(text.as_bytes()).map_err(cannot)?;
    }
    file.flush().map_err(cannot)
}

pub(super) fn link(mut args: lexopt::Parser) -> Result<ExitCode, Failure> {
    use lexopt::Arg::{Long, Value};
    use lexopt::ValueExt;
    let (mut which, mut at, mut page) = (Which::default(), 0, None);
    while let Some(arg) = args.next()? {
        match arg {
            Long("at") => at = args.value()?.parse::<u64>()?,
            Long("page") => page = Some(args.value()?.string()?),
            Long("seed") => which.seed = Some(args.value()?.parse::<u64>()?),
            Long("set") => which.settings.push(args.value()?.string()?),
            Value(value) if which.what.is_none() => which.what = Some(value.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let at = moment("--at", at)?;
    let from = which.what.as_deref().and_then(scenario).map(|scenario| scenario.id.to_string());
    let (run, until) = which.find()?;
    let mut player = Player::new(run.clone()).map_err(|error| Failure::usage(error.to_string()))?;
    let at = SimTime::from_ms(at);
    if at > SimTime::ZERO {
        player.run_until(at, |_, _| {});
    }
    let place = Place { events: player.world().events, cursor_us: at.0 };
    let look = Look { scenario: from, until_ms: Some(until), ..Look::default() };
    let link = encode(&Moment { run, place, look, beside: None }).map_err(wrong)?;
    match page {
        Some(page) => print(format_args!("{}#{link}", page.trim_end_matches('#')))?,
        None => print(link)?,
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn open(mut args: lexopt::Parser) -> Result<ExitCode, Failure> {
    use lexopt::Arg::Value;
    use lexopt::ValueExt;
    let Some(Value(what)) = args.next()? else {
        return Err(Failure::usage("open what? Name a link, or a file"));
    };
    if let Some(arg) = args.next()? {
        return Err(arg.unexpected().into());
    }
    let run = opened(&what.string()?)?.run;
    warn_if_older(&run);
    print(run.to_json())?;
    Ok(ExitCode::SUCCESS)
}

/// Says so where an older ZabScope made a run.
pub(super) fn warn_if_older(run: &Run) {
    if let Some(sentence) = older_words(Lang::En, run) {
        eprintln!("{sentence}");
    }
}

/// The moment in a link, or in a file.
pub(super) fn opened(what: &str) -> Result<Moment, Failure> {
    let moment = match fs::metadata(what) {
        Ok(file) if file.len() > MAX_RUN_BYTES as u64 => Err(OpenError::TooLong),
        Ok(_) => {
            let text = fs::read_to_string(what).map_err(|error| Failure::usage(format!("{what}: {error}")))?;
            crate::share::open(&text)
        }
        Err(_) => decode(what),
    };
    moment.map_err(wrong)
}
