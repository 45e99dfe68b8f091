//! The form for a film, and the film in the making.

use std::rc::Rc;

use web_sys::{HtmlCanvasElement, HtmlInputElement};
use yew::prelude::*;

use crate::base::SimTime;
use crate::base::limits::MAX_TIME_MS;
use crate::draw::film::{Plan, RATES, WIDTHS, happened};
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::i18n::wording::film_words;
use crate::timeline::pace::SPEEDS;

use super::job::{Job, Kind, News, Order};
use super::recorder::{Offer, ask};
use super::save::blob;
use super::shot::Shot;
use super::still::saved;
use super::{PartProps, show};
use crate::ui::kit::choice::choice;
use crate::ui::time::transport::speed_words;

/// How long the stretch is that is offered, s.
const STRETCH_S: f64 = 2.0;

/// The form as it is filled in.
#[derive(Clone, PartialEq)]
struct Form {
    from: String,
    to: String,
    speed: usize,
    rate: u32,
    width: u32,
    skip_idle: bool,
}

impl Form {
    /// What is offered: from the kept moment on, as the page plays it.
    fn of(shot: &Shot) -> Form {
        let (speed, skip_idle) = (shot.pair.left().speed, shot.pair.left().skip_idle);
        let width = if shot.pair.right().is_some() { WIDTHS[3] } else { WIDTHS[2] };
        Form { from: String::new(), to: String::new(), speed, rate: RATES[1], width, skip_idle }.next(shot)
    }

    fn next(self, shot: &Shot) -> Form {
        let from = shot.pair.left().cursor_us() / 1e6;
        self.between(from, from + STRETCH_S)
    }

    fn last(self, shot: &Shot) -> Form {
        match happened(shot.pair.left()) {
            Some((from, to)) => self.between(from.0 as f64 / 1e6, to.0 as f64 / 1e6),
            None => self.next(shot),
        }
    }

    fn between(self, from: f64, to: f64) -> Form {
        Form { from: format!("{from:.3}"), to: format!("{to:.3}"), ..self }
    }

    /// What is to be made, and of what; a sentence where the form says nothing that can be.
    fn order(&self, part: &PartProps) -> Result<Order, String> {
        let most = MAX_TIME_MS / 1_000;
        let moment = |text: &str| {
            let seconds =
                text.trim().replace(',', ".").parse::<f64>().ok().filter(|s| (0.0..=most as f64).contains(s));
            seconds.map(|seconds| SimTime((seconds * 1e6).round() as u64))
        };
        let (Some(from), Some(to)) = (moment(&self.from), moment(&self.to)) else {
            return Err(fill(page(part.lang).film_times, &[&most]));
        };
        let (shot, size) = part.kept.0.resized(self.width);
        let plan = Plan { from, to, speed: self.speed, skip_idle: self.skip_idle, rate: self.rate, size };
        plan.check().map_err(|refusal| film_words(&refusal, part.lang))?;
        Ok(Order { shot, plan, kind: Kind::Gif, palette: None, lang: part.lang, seen: None })
    }
}

/// Where the work is.
#[derive(Clone, PartialEq)]
enum Stand {
    /// Nothing is asked for, and there is something to say.
    Ready(String),
    /// So many frames are made, of so many.
    Making(usize, usize),
}

/// Begins to count, or to make what is asked for; what is said at once.
fn begin(part: &PartProps, form: &Form, make: Option<Kind>, told: impl Fn(News) + 'static) -> Result<Job, String> {
    let mut order = form.order(part)?;
    if let Some(kind) = make {
        order.kind = kind;
        order.palette = Some(part.palette());
        order.seen = part.preview.cast::<HtmlCanvasElement>();
    }
    Job::begin(order, told).map_err(|refusal| film_words(&refusal, part.lang))
}

/// Counts the frames that the form asks for, whenever it changes.
#[hook]
fn use_count(part: &PartProps, form: &Form, making: bool) -> UseStateHandle<String> {
    let counted = use_state(String::new);
    let said = counted.setter();
    use_effect_with((part.kept.clone(), part.lang, form.clone(), making), {
        let part = part.clone();
        move |(_, lang, form, making)| {
            let (lang, rate, say) = (*lang, form.rate, said.clone());
            let heard = move |news| match news {
                News::Counted(frames) => {
                    let long = format!("{:.1}", frames as f64 / f64::from(rate));
                    say.set(fill(page(lang).film_count, &[&frames, &long]));
                }
                News::Failed(refusal) => say.set(film_words(&refusal, lang)),
                News::Made(..) | News::Done(_) => {}
            };
            let job = if *making { None } else { Some(begin(&part, form, None, heard)) };
            match &job {
                Some(Err(wrong)) => said.set(wrong.clone()),
                Some(Ok(_)) => said.set(page(lang).film_counting.to_string()),
                None => {}
            }
            move || drop(job)
        }
    });
    counted
}

/// What the work tells, as what is shown.
fn hear(part: &PartProps, stand: &UseStateSetter<Stand>, kind: Kind, news: News) {
    match news {
        News::Counted(frames) => stand.set(Stand::Making(0, frames)),
        News::Made(made, of) => stand.set(Stand::Making(made, of)),
        News::Done(bytes) => {
            let (ending, mime) = kind.file();
            let name = format!("{}.{ending}", part.kept.0.name());
            stand.set(Stand::Ready(saved(blob(&bytes, mime), &name, part.lang)));
            show(part);
        }
        News::Failed(refusal) => {
            stand.set(Stand::Ready(film_words(&refusal, part.lang)));
            show(part);
        }
    }
}

/// Whether the browser makes videos; it is asked once.
#[hook]
fn use_offer() -> Offer {
    let offer = use_state(|| Offer::Asked);
    use_effect_with((), {
        let set = offer.setter();
        move |()| ask(move |offer| set.set(offer))
    });
    *offer
}

/// Why there are no videos; nothing where there are, or may be.
fn no_video(offer: Offer, lang: Lang) -> Option<&'static str> {
    match offer {
        Offer::Asked | Offer::Here(_) => None,
        Offer::Nowhere => Some(page(lang).film_no_encoder),
        Offer::Insecure => Some(page(lang).film_insecure),
    }
}

/// The form, or the work.
#[component]
pub(super) fn Moving(props: &PartProps) -> Html {
    let words = page(props.lang);
    let form = use_state(|| Form::of(&props.kept.0));
    let stand = use_state(|| Stand::Ready(String::new()));
    let job = use_mut_ref(|| None::<Job>);
    let making = matches!(*stand, Stand::Making(..));
    let counted = use_count(props, &form, making);
    let offer = use_offer();
    let make = {
        let (part, form, stand, job) = (props.clone(), form.clone(), stand.setter(), job.clone());
        Callback::from(move |kind: Kind| {
            let (heard, whose) = (stand.clone(), part.clone());
            match begin(&part, &form, Some(kind), move |news| hear(&whose, &heard, kind, news)) {
                Ok(begun) => {
                    stand.set(Stand::Making(0, 0));
                    *job.borrow_mut() = Some(begun);
                }
                Err(wrong) => stand.set(Stand::Ready(wrong)),
            }
        })
    };
    let cancel = {
        let (part, stand, job) = (props.clone(), stand.setter(), job.clone());
        Callback::from(move |_: MouseEvent| {
            job.borrow_mut().take();
            stand.set(Stand::Ready(page(part.lang).film_cancelled.to_string()));
            show(&part);
        })
    };
    let gif = make.reform(|event: SubmitEvent| {
        event.prevent_default();
        Kind::Gif
    });
    let video = |codec| make.reform(move |_: MouseEvent| Kind::Video(codec));
    html! {
        <section aria-label={words.picture_film}>
            <h3>{ words.picture_film }</h3>
            <form onsubmit={gif}>
                { fields(props, &form, making) }
                <div class="fields">
                    // with keys: one button that turns into the other would begin what it has just ended
                    if let Stand::Making(made, of) = *stand {
                        { progress(made, of, props.lang) }
                        <button key="cancel" type="button" class="main" onclick={cancel}>{ words.cancel }</button>
                    } else {
                        <p class="hint">{ (*counted).clone() }</p>
                        <button key="make" class="main">{ words.film_make }</button>
                        if let Offer::Here(codec) = offer {
                            <button key="video" type="button" class="main" onclick={video(codec)}>
                                { fill(words.film_make_video, &[&codec.container()]) }
                            </button>
                        }
                    }
                </div>
            </form>
            if let Some(why) = no_video(offer, props.lang) {
                <p class="hint">{ why }</p>
            }
            <p class="hint" role="status">{ if let Stand::Ready(said) = &*stand { said.clone() } else { String::new() } }</p>
        </section>
    }
}

fn progress(made: usize, of: usize, lang: Lang) -> Html {
    let words = page(lang);
    let said = if of == 0 { words.film_counting.to_string() } else { fill(words.film_progress, &[&made, &of]) };
    let value = (of > 0).then(|| made.to_string());
    html! {
        <>
            <progress max={of.max(1).to_string()} {value} aria-label={words.film_under_way} />
            <span class="hint">{ said }</span>
        </>
    }
}

fn fields(part: &PartProps, form: &UseStateHandle<Form>, making: bool) -> Html {
    let words = page(part.lang);
    let set = |change: fn(Form, String) -> Form| {
        let form = form.clone();
        Callback::from(move |value: String| form.set(change((*form).clone(), value)))
    };
    let preset = |change: fn(Form, &Shot) -> Form| {
        let (form, shot): (_, Rc<Shot>) = (form.clone(), part.kept.0.clone());
        Callback::from(move |_: MouseEvent| form.set(change((*form).clone(), &shot)))
    };
    let speeds = SPEEDS.iter().enumerate().map(|(index, speed)| (index.to_string(), speed_words(*speed, part.lang)));
    let numbers = |all: &[u32]| all.iter().map(|n| (n.to_string(), n.to_string())).collect::<Vec<_>>();
    let idle = {
        let form = form.clone();
        Callback::from(move |_: MouseEvent| form.set(Form { skip_idle: !form.skip_idle, ..(*form).clone() }))
    };
    html! {
        <fieldset disabled={making}>
            <div class="fields">
                { moment(words.film_from, &form.from, set(|form, from| Form { from, ..form })) }
                { moment(words.film_to, &form.to, set(|form, to| Form { to, ..form })) }
                <button type="button" class="chip" onclick={preset(Form::next)}>{ words.film_next }</button>
                <button type="button" class="chip" onclick={preset(Form::last)}>{ words.film_happened }</button>
            </div>
            <div class="fields">
                { choice(words.speed, &speeds.collect::<Vec<_>>(), &form.speed.to_string(),
                    set(|form, value| Form { speed: value.parse().unwrap_or(form.speed), ..form })) }
                <button type="button" class="chip" aria-pressed={form.skip_idle.to_string()} onclick={idle}>
                    { words.skip_idle }
                </button>
                { choice(words.film_rate, &numbers(&RATES), &form.rate.to_string(),
                    set(|form, value| Form { rate: value.parse().unwrap_or(form.rate), ..form })) }
                { choice(words.film_width, &numbers(&WIDTHS), &form.width.to_string(),
                    set(|form, value| Form { width: value.parse().unwrap_or(form.width), ..form })) }
            </div>
        </fieldset>
    }
}

/// A moment to be typed in, in seconds.
fn moment(label: &'static str, value: &str, changed: Callback<String>) -> Html {
    let change = Callback::from(move |event: Event| {
        if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
            changed.emit(input.value());
        }
    });
    html! {
        <label>
            <span>{ label }</span>
            <input inputmode="decimal" maxlength="12" value={value.to_string()} onchange={change} />
        </label>
    }
}
