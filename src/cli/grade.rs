//! `zabscope grade`: judges the runs that students hand in.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use clap::Args;

use crate::base::SimTime;
use crate::base::limits::{MAX_LINK_CHARS, MAX_RUN_BYTES};
use crate::base::texts::fill;
use crate::i18n::{Grading, Lang, error_words, grading, taught};
use crate::lessons::{Asked, Assignment, Grade, Remark, grade as judge};
use crate::share::{Moment, OpenError, decode, open};
use crate::sim::{FORMAT_VERSION, OLDEST_FORMAT};

use super::options::{language, whole};
use super::recipes::{self, Judging, USUAL};
use super::{Failure, of_file, print};

/// Longest list of what was handed in, bytes.
const MAX_BYTES: u64 = 64 << 20;
/// Most of its lines.
const MAX_LINES: usize = 5_000;
/// Longest line, bytes: a link and what stands around it.
const MAX_LINE: usize = 2 * MAX_LINK_CHARS;
/// Longest name, characters; of a longer one the beginning is written.
const MAX_NAME: usize = 100;

const HEADINGS: &str = "name,task,reached,deeds,at_ms,digest,remark\r\n";

/// Plays the runs that students hand in, and judges each by an assignment's goals.
///
/// Writes CSV, a row for each task: name, task, reached, deeds, at_ms, digest, remark. Exit code 1 if something that was handed in
/// could not be read, 2 if the assignment could not.
///
/// With --recipes it judges recipes, as find --recipe does, and writes a row for each: name, kept, law, steps, schedules, remark. Exit code 1
/// if one is no recipe.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  zabscope grade assignment.json links.txt
  zabscope grade assignment.json links.txt --out table.csv
  zabscope grade --recipes ann.txt bob.txt --out marks.csv")]
pub(super) struct Grades {
    /// The assignment
    #[arg(required_unless_present = "recipes")]
    assignment: Option<PathBuf>,
    /// Lines of a name and a link, or a file with a run
    #[arg(required_unless_present = "recipes")]
    links: Option<PathBuf>,
    /// Judges these recipes
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["assignment", "links"])]
    recipes: Vec<PathBuf>,
    /// Most schedules that are tried of each
    #[arg(long, value_name = "SCHEDULES", default_value_t = USUAL.schedules, value_parser = whole, requires = "recipes")]
    budget: u64,
    /// A herd breaks no recipe
    #[arg(long, requires = "recipes")]
    may_herd: bool,
    /// Writes this file and prints how many have reached what
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The language of remarks, as browsers write it
    #[arg(long, value_name = "TAG", default_value = "en", value_parser = language())]
    lang: Lang,
}

pub(super) fn grade(asked: &Grades) -> Result<ExitCode, Failure> {
    let (Some(assignment), Some(links)) = (&asked.assignment, &asked.links) else {
        let judging = Judging { schedules: asked.budget, may_herd: asked.may_herd, ..USUAL };
        let all_read = recipes::grade(&asked.recipes, judging, asked.out.as_deref(), asked.lang)?;
        return Ok(ExitCode::from(u8::from(!all_read)));
    };
    let assignment = assigned(assignment)?;
    let list = read(links)?;
    let folder = links.parent().unwrap_or(Path::new("."));
    let mut rows = Rows { assignment: &assignment, folder, lang: asked.lang, count: 0, reached: 0, unread: 0 };
    match &asked.out {
        None => rows.write(&list, &mut BufWriter::new(io::stdout().lock()))?,
        Some(file) => {
            let cannot = of_file(file);
            rows.write(&list, &mut BufWriter::new(File::create(file).map_err(&cannot)?)).map_err(&cannot)?;
            let Rows { count, reached, unread, .. } = &rows;
            print(format_args!("{}: {count} rows, {reached} reached, {unread} unreadable", assignment.title))?;
        }
    }
    Ok(ExitCode::from(u8::from(rows.unread > 0)))
}

fn assigned(file: &Path) -> Result<Assignment, Failure> {
    let wrong = |why: String| Failure::usage(format!("{}: {why}", file.display()));
    let assignment = Assignment::from_json(&super::lesson::read(file)?).map_err(|error| wrong(error.to_string()))?;
    match assignment.tasks.iter().find(|asked| asked.is_done_by_nobody()) {
        Some(asked) => Err(wrong(format!("{}: its goal is met without anybody", asked.id))),
        None => Ok(assignment),
    }
}

/// What was handed in, as a text.
fn read(file: &Path) -> Result<String, Failure> {
    let bytes = bounded(file, MAX_BYTES).map_err(of_file(file))?;
    let file = file.display();
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::usage(format!("{file}: more than {} MiB", MAX_BYTES >> 20)));
    }
    let list = String::from_utf8_lossy(&bytes).into_owned();
    match list.lines().count() {
        lines if lines > MAX_LINES => Err(Failure::usage(format!("{file}: {lines} lines, at most {MAX_LINES}"))),
        _ => Ok(list),
    }
}

/// The bytes of a file; of a longer one only as much as says that it is too long.
pub(super) fn bounded(file: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The table, row by row.
struct Rows<'a> {
    assignment: &'a Assignment,
    /// Where files stand that lines name.
    folder: &'a Path,
    lang: Lang,
    count: u64,
    reached: u64,
    unread: u64,
}

/// What a line hands in: for which task, if there is one, and the link or file, if there is one.
type HandedIn<'a> = (Option<&'a Asked>, Option<&'a str>);

/// The name of a line and what it hands in. Nothing of a comment or an empty line.
fn line<'a>(text: &'a str, tasks: &'a [Asked]) -> Option<(&'a str, Vec<HandedIn<'a>>)> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() || text.starts_with('#') {
        return None;
    }
    let (name, rest) = text.split_once('\t').or_else(|| text.split_once(char::is_whitespace)).unwrap_or((text, ""));
    // one word more than there are tasks is enough to say that there are too many
    let mut words: Vec<&str> = rest.split_whitespace().take(tasks.len() + 1).collect();
    let named = words.first().and_then(|word| tasks.iter().find(|asked| *asked.id == **word));
    let link = |word: Option<&&'a str>| word.copied().filter(|word| *word != "-");
    if let Some(asked) = named {
        words.remove(0);
        return Some((name, vec![(Some(asked), link(words.first()))]));
    }
    let count = tasks.len().max(words.len());
    Some((name, (0..count).map(|at| (tasks.get(at), link(words.get(at)))).collect()))
}

impl Rows<'_> {
    fn write(&mut self, list: &str, out: &mut impl Write) -> io::Result<()> {
        let assignment = self.assignment;
        out.write_all(HEADINGS.as_bytes())?;
        for text in list.lines() {
            if text.len() > MAX_LINE {
                let name = text.split(char::is_whitespace).next().unwrap_or_default();
                let row = self.unread(grading(self.lang).too_long.into());
                self.row(name, "", row, out)?;
                continue;
            }
            let Some((name, all)) = line(text, &assignment.tasks) else { continue };
            for (asked, link) in all {
                let row = self.handed_in(asked, link);
                self.row(name, asked.map_or("", |asked| &asked.id), row, out)?;
            }
        }
        out.flush()
    }

    fn row(&mut self, name: &str, task: &str, row: Row, out: &mut impl Write) -> io::Result<()> {
        self.count += 1;
        self.reached += u64::from(row.reached);
        let name: String = name.chars().take(MAX_NAME).collect();
        let reached = if row.reached { "yes" } else { "no" };
        let deeds = row.deeds.map_or(String::new(), |deeds| deeds.to_string());
        let at = row.at.map_or(String::new(), |at| at.as_ms().to_string());
        let remark = taught(self.lang, row.remark);
        let cells = [&name, task, reached, &deeds, &at, &row.digest, &remark].map(cell);
        write!(out, "{}\r\n", cells.join(","))
    }

    /// What is said of one link.
    fn handed_in(&mut self, asked: Option<&Asked>, link: Option<&str>) -> Row {
        let words = grading(self.lang);
        match (asked, link) {
            (_, None) => Row { remark: words.nothing.into(), ..Row::default() },
            (None, Some(_)) => self.unread(fill(words.no_task, &[&self.assignment.tasks.len()])),
            (Some(asked), Some(link)) => match moment(link, self.folder) {
                Ok(moment) => {
                    let run = Rc::new(moment.run);
                    let mut row = Row::of(judge(asked, &run, SimTime(moment.place.cursor_us)), asked, self.lang);
                    if run.is_older() && row.remark.is_empty() {
                        row.remark = fill(words.older_played, &[&run.version, &FORMAT_VERSION]);
                    }
                    row
                }
                Err(trouble) => self.unread(trouble_words(words, self.lang, &trouble)),
            },
        }
    }

    fn unread(&mut self, remark: String) -> Row {
        self.unread += 1;
        Row { remark, ..Row::default() }
    }
}

/// The moment that somebody handed in: a link, or a file in the folder of the list.
fn moment(link: &str, folder: &Path) -> Result<Moment, OpenError> {
    let decoded = decode(link);
    if decoded != Err(OpenError::NoLink) {
        return decoded;
    }
    let path = folder.join(link);
    let file = fs::metadata(&path).map_err(|_| OpenError::NoLink)?;
    if !file.is_file() {
        return Err(OpenError::NoLink);
    }
    let bytes = bounded(&path, MAX_RUN_BYTES as u64).map_err(|_| OpenError::NoFile)?;
    open(&String::from_utf8_lossy(&bytes))
}

/// A row without its name and task.
#[derive(Default)]
struct Row {
    reached: bool,
    deeds: Option<usize>,
    at: Option<SimTime>,
    digest: String,
    remark: String,
}

impl Row {
    fn of(grade: Grade, asked: &Asked, lang: Lang) -> Row {
        let Grade { reached, deeds, at, digest, remark } = grade;
        let words = grading(lang);
        let remark = remark.map_or(String::new(), |remark| remark_words(words, lang, &remark, deeds, asked.most));
        Row { reached, deeds, at, digest, remark }
    }
}

fn remark_words(words: &Grading, lang: Lang, remark: &Remark, deeds: Option<usize>, most: u8) -> String {
    match remark {
        Remark::OtherSeed(own, asked) => fill(words.other_seed, &[own, asked]),
        Remark::OtherSettings => words.other_settings.into(),
        Remark::OtherRun => words.other_run.into(),
        Remark::TooManyDeeds => fill(words.too_many_deeds, &[&deeds.unwrap_or_default(), &most]),
        Remark::Stopped(at) => fill(words.stopped, &[&at.as_ms()]),
        Remark::Wrong(error) => fill(words.wrong, &[&error_words(lang, error)]),
    }
}

/// Why something that was handed in is not read: the page's words for it say what becomes of the run on its stage.
fn trouble_words(words: &Grading, lang: Lang, trouble: &OpenError) -> String {
    match trouble {
        OpenError::Damaged => words.damaged.into(),
        OpenError::Newer => words.newer.into(),
        OpenError::Older { format } => fill(words.older, &[format, &OLDEST_FORMAT, &FORMAT_VERSION]),
        OpenError::TooLong => words.beyond.into(),
        OpenError::Run(error) => fill(words.wrong, &[&error_words(lang, error)]),
        // the others are about what is shared, not about what is opened
        _ => words.no_link.into(),
    }
}

/// A cell of CSV (RFC 4180). What a spreadsheet would take for a formula begins with an apostrophe.
pub(super) fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
    let text = if formula { format!("'{text}") } else { text.into() };
    match text.contains([',', '"', '\n', '\r', ';', '\t', '\'']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}
