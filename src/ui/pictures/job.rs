//! A film in the making: a frame at a time, so that the page goes on. It ends when it is dropped.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use gloo_timers::callback::Timeout;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

use crate::draw::Palette;
use crate::draw::film::{Codec, Colours, Count, Film, Plan, Refusal, Take};
use crate::i18n::Lang;

use super::canvas;
use super::recorder::Recorder;
use super::shot::Shot;

/// Frames that are counted at a time: no more than one that is drawn costs.
const COUNTED: usize = 4;

/// What a film is saved as.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A GIF, which every browser can make.
    Gif,
    /// A video, encoded so.
    Video(Codec),
}

impl Kind {
    /// How names of such files end, and their media type.
    pub(super) fn file(self) -> (&'static str, &'static str) {
        match self {
            Kind::Gif => ("gif", "image/gif"),
            Kind::Video(codec) => (codec.ending(), codec.mime()),
        }
    }
}

/// What becomes of a film.
pub(super) enum News {
    /// So many frames it will have.
    Counted(usize),
    /// So many of them are made.
    Made(usize, usize),
    /// It is there.
    Done(Vec<u8>),
    /// There is none.
    Failed(Refusal),
}

/// What a film is made of.
pub(super) struct Order {
    /// What is shown, with room in the film.
    pub shot: Shot,
    /// Which stretch, how fast, how large.
    pub plan: Plan,
    /// As what.
    pub kind: Kind,
    /// In which colours; none where frames are only to be counted.
    pub palette: Option<Palette>,
    /// In which language.
    pub lang: Lang,
    /// Where what is made is seen.
    pub seen: Option<HtmlCanvasElement>,
}

struct Studio {
    canvas: HtmlCanvasElement,
    ctx: CanvasRenderingContext2d,
    tape: Tape,
}

/// What takes the frames.
enum Tape {
    Gif(Box<Film>),
    Video(Recorder),
}

impl Drop for Studio {
    fn drop(&mut self) {
        self.canvas.set_width(0);
    }
}

struct Work {
    order: Order,
    take: Take,
    count: Option<Count>,
    frames: usize,
    made: usize,
    /// Whether the last frame is made.
    over: bool,
    studio: Option<Studio>,
    tell: Box<dyn Fn(News)>,
    timer: Option<Timeout>,
}

/// Work under way.
pub(super) struct Job {
    /// The timer has only a weak hand on it.
    _work: Rc<RefCell<Work>>,
}

impl Job {
    /// Begins. Only counting ends with the number; a film with its bytes.
    ///
    /// # Errors
    /// What is asked for is too much.
    pub(super) fn begin(order: Order, tell: impl Fn(News) + 'static) -> Result<Job, Refusal> {
        let take = Take::new(&order.shot.pair, order.plan)?;
        let count = Some(Count::new(&take));
        let tell = Box::new(tell);
        let work = Work { order, take, count, frames: 0, made: 0, over: false, studio: None, tell, timer: None };
        let work = Rc::new(RefCell::new(work));
        later(&work);
        Ok(Job { _work: work })
    }
}

/// The next piece of work, after the browser has had its turn.
fn later(work: &Rc<RefCell<Work>>) {
    let weak: Weak<RefCell<Work>> = Rc::downgrade(work);
    let timer = Timeout::new(0, move || {
        let Some(work) = weak.upgrade() else { return };
        let news = work.borrow_mut().go_on();
        let over = matches!(&news, Some(News::Done(_) | News::Failed(_)));
        let ends = over || work.borrow().order.palette.is_none() && news.is_some();
        if !ends {
            later(&work);
        }
        if let Some(news) = news {
            // the listener may end this work
            let told = work.borrow();
            (told.tell)(news);
        }
    });
    work.borrow_mut().timer = Some(timer);
}

impl Work {
    fn go_on(&mut self) -> Option<News> {
        let result = match &mut self.count {
            Some(count) => count.go_on(COUNTED).map(|counted| {
                self.frames = counted?;
                self.count = None;
                Some(News::Counted(self.frames))
            }),
            None => self.make(),
        };
        result.unwrap_or_else(|refusal| Some(News::Failed(refusal)))
    }

    /// Makes the next frame, or the file after the last; nothing where an encoder has enough to do.
    fn make(&mut self) -> Result<Option<News>, Refusal> {
        let studio = match &mut self.studio {
            Some(studio) => studio,
            none => none.insert(open(&self.order)?),
        };
        if studio.is_busy() {
            return Ok(None);
        }
        self.over = self.over || self.made > 0 && !self.take.forward();
        if self.over {
            let file = studio.finish(&self.order)?;
            if file.is_some() {
                self.studio = None;
            }
            return Ok(file.map(News::Done));
        }
        studio.shoot(&self.order, &self.take)?;
        self.made += 1;
        Ok(Some(News::Made(self.made, self.frames)))
    }
}

fn empty(order: &Order) -> Result<Film, Refusal> {
    let palette = order.palette.as_ref().ok_or(Refusal::Broken(String::new()))?;
    Film::new(order.plan.size, order.plan.rate, Colours::of(palette))
}

fn open(order: &Order) -> Result<Studio, Refusal> {
    let (canvas, ctx) = canvas::canvas(order.plan.size, true).ok_or(Refusal::Large)?;
    let tape = match order.kind {
        Kind::Gif => Tape::Gif(Box::new(empty(order)?)),
        Kind::Video(codec) => Tape::Video(Recorder::new(codec, order.plan.size, order.plan.rate)?),
    };
    Ok(Studio { canvas, ctx, tape })
}

impl Studio {
    fn is_busy(&self) -> bool {
        matches!(&self.tape, Tape::Video(recorder) if recorder.is_busy())
    }

    /// The file, when it is there.
    fn finish(&mut self, order: &Order) -> Result<Option<Vec<u8>>, Refusal> {
        match &mut self.tape {
            Tape::Gif(film) => std::mem::replace(&mut **film, empty(order)?).finish().map(Some),
            Tape::Video(recorder) => recorder.finish(),
        }
    }

    /// Draws the frame at which the take stands, and puts it into the film.
    fn shoot(&mut self, order: &Order, take: &Take) -> Result<(), Refusal> {
        let palette = order.palette.as_ref().ok_or(Refusal::Broken(String::new()))?;
        order.shot.show(take.pair(), (palette, order.lang), |sheet| canvas::draw(sheet, &self.ctx, 1.0));
        match &mut self.tape {
            Tape::Gif(film) => {
                let (width, height) = order.plan.size;
                let image = self.ctx.get_image_data(0.0, 0.0, width.into(), height.into());
                let image = image.map_err(|error| Refusal::Broken(format!("{error:?}")))?;
                film.add(&image.data().0)?;
            }
            Tape::Video(recorder) => recorder.add(&self.canvas)?,
        }
        if let Some(seen) = &order.seen {
            show(seen, &self.canvas);
        }
        Ok(())
    }
}

/// Shows a canvas on another.
fn show(on: &HtmlCanvasElement, from: &HtmlCanvasElement) {
    if (on.width(), on.height()) != (from.width(), from.height()) {
        on.set_width(from.width());
        on.set_height(from.height());
    }
    if let Some(ctx) = canvas::context(on, false) {
        let _ = ctx.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0);
        let _ = ctx.draw_image_with_html_canvas_element(from, 0.0, 0.0);
    }
}
