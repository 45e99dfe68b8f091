//! `zabscope link` and `zabscope open`, and the files that `zabscope run` writes.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::Args;

use crate::base::SimTime;
use crate::base::limits::MAX_RUN_BYTES;
use crate::i18n::Lang;
use crate::i18n::page::older_words;
use crate::scenarios::scenario;
use crate::share::{Export, Look, Moment, OpenError, Place, Telling, decode, encode};
use crate::sim::{FORMAT_VERSION, OLDEST_FORMAT, Player, Run};

use super::options::ms;
use super::run::Which;
use super::{Failure, of_file, print};

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
        OpenError::HasDisks => "the run begins with disks, which no link can hold".into(),
        OpenError::NoQr { chars } => format!("the link has {chars} characters, too many for a QR code"),
        OpenError::TooManyRows => "too many rows: choose a longer interval with --every".into(),
        OpenError::TextTooLong => "too much text: choose an earlier end with --until".into(),
    }
}

fn wrong(trouble: OpenError) -> Failure {
    Failure::usage(sentence(&trouble))
}

/// Writes what is told of a run up to a moment.
pub(super) fn write(run: &Run, until: SimTime, telling: Telling, path: &Path) -> Result<(), Failure> {
    let cannot = of_file(path);
    let mut export = Export::new(run, until, telling).map_err(wrong)?;
    let mut file = BufWriter::new(File::create(path).map_err(&cannot)?);
    let (mut more, mut text) = (true, String::new());
    while more {
        text.clear();
        more = export.advance(PIECE_STEPS, &mut text).map_err(wrong)?;
        file.write_all(text.as_bytes()).map_err(&cannot)?;
    }
    file.flush().map_err(cannot)
}

/// Prints a run as a link to the page: the part after '#', or the whole address.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope link cold-start-3
  zabscope link run.json --at 2500 --page https://example.org/zabscope/")]
pub(super) struct Link {
    #[command(flatten)]
    which: Which,
    /// The moment at which it opens
    #[arg(long, value_name = "MS", default_value_t = 0, value_parser = ms)]
    at: u64,
    /// Where the page is
    #[arg(long, value_name = "URL")]
    page: Option<String>,
}

pub(super) fn link(asked: Link) -> Result<ExitCode, Failure> {
    let from = scenario(&asked.which.what).map(|scenario| scenario.id.to_string());
    let (run, until) = asked.which.find()?;
    let mut player = Player::new(run.clone())?;
    let at = SimTime::from_ms(asked.at);
    if at > SimTime::ZERO {
        player.run_until(at, |_, _| {});
    }
    let place = Place { events: player.world().events, cursor_us: at.0 };
    let look = Look { scenario: from, until_ms: Some(until), ..Look::default() };
    let link = encode(&Moment { run, place, look, beside: None }).map_err(wrong)?;
    match asked.page {
        Some(page) => print(format_args!("{}#{link}", page.trim_end_matches('#')))?,
        None => print(link)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the run in a link, or in a text that contains one, as JSON
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope open 'https://example.org/zabscope/#b4.behe…' > run.json
  zabscope open mail.txt")]
pub(super) struct Open {
    /// A link to the page, or a file with a run or a link
    link: String,
}

pub(super) fn open(asked: &Open) -> Result<ExitCode, Failure> {
    let run = opened(&asked.link)?.run;
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
            let text = fs::read_to_string(what).map_err(of_file(Path::new(what)))?;
            crate::share::open(&text)
        }
        Err(_) => decode(what),
    };
    moment.map_err(wrong)
}
