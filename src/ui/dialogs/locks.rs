//! Kinds of lock under the same faults: a table that fills while its runs are played; each cell opens its run.

use crate::base::SortedMap;
use std::cell::RefCell;

use gloo_timers::callback::Timeout;
use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{fault_words, fill, lock_words, page};
use crate::scenarios::locks_compared::{Fault, Lock, Outcome, Price, Trial, price};
use crate::scenarios::scenario;

use super::help::Props;
use crate::ui::kit::browser::wrong_words;
use crate::ui::page::dialog::Dialog;
use crate::ui::page::state::{PageContext, UiAction, use_page_context};

/// The name of the scenario whose parameters choose a cell.
pub(in crate::ui) const SCENARIO: &str = "lock-compare";
/// Steps between two looks at the clock, and how long the table may keep the page busy without a break, ms.
const STEPS: usize = 400;
const BUSY_MS: f64 = 8.0;
const BREAK_MS: u32 = 5;

/// What is known so far. It depends on nothing that anybody can change, so it is kept as long as the page.
#[derive(Default)]
struct Known {
    outcomes: SortedMap<(Lock, Fault), Outcome>,
    prices: SortedMap<Lock, Option<Price>>,
    under_way: Option<(Lock, Fault, Trial)>,
}

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

impl Known {
    /// Plays on for a few milliseconds; whether there is more.
    fn work(&mut self) -> bool {
        let until = js_sys::Date::now() + BUSY_MS;
        while js_sys::Date::now() < until {
            if let Some((lock, fault, trial)) = &mut self.under_way {
                if let Some(outcome) = trial.step(STEPS) {
                    self.outcomes.insert((*lock, *fault), outcome);
                    self.under_way = None;
                }
                continue;
            }
            // row by row, as it is read
            let all = Fault::ALL.into_iter().flat_map(|fault| Lock::ALL.map(|lock| (lock, fault)));
            let next = all.into_iter().find(|cell| !self.outcomes.contains_key(cell));
            match (next, Lock::ALL.into_iter().find(|lock| !self.prices.contains_key(lock))) {
                (Some((lock, fault)), _) => self.under_way = Some((lock, fault, Trial::new(lock, fault))),
                (None, Some(lock)) => _ = self.prices.insert(lock, price(lock)),
                (None, None) => return false,
            }
        }
        true
    }
}

/// Lets the table fill; counts what was done, so that it is rendered anew.
#[hook]
fn use_filling() {
    let turn = use_state(|| 0u32);
    use_effect_with(*turn, move |now| {
        let next = now.wrapping_add(1);
        let more = KNOWN.with_borrow_mut(Known::work);
        let timer = more.then(|| Timeout::new(BREAK_MS, move || turn.set(next)));
        move || drop(timer)
    });
}

/// The scenario's parameters for a cell.
fn params(lock: Lock, fault: Fault) -> Vec<(String, String)> {
    let place = |at: Option<usize>| at.unwrap_or(0);
    let lock = place(Lock::ALL.iter().position(|one| *one == lock)) + 1;
    let fault = place(Fault::ALL.iter().position(|one| *one == fault));
    vec![("lock".into(), lock.to_string()), ("fault".into(), fault.to_string())]
}

/// Puts a cell's run on the stage.
fn open(context: &PageContext, lock: Lock, fault: Fault) {
    let Some(chosen) = scenario(SCENARIO) else { return };
    let result = context.engine.leaving(|pair| {
        pair.choose(chosen, None, params(lock, fault), None)?;
        pair.open_scene()
    });
    context.engine.change(|session| session.playing = true);
    context.engine.note(result.err().map(|error| wrong_words(&error)));
    context.choose.dispatch(UiAction::Close);
}

/// What came of it, and how it looks.
fn outcome_words(outcome: Outcome, lang: Lang) -> (&'static str, String) {
    let words = page(lang);
    let seconds = |us: u64| format!("{}.{}", us / 1_000_000, us % 1_000_000 / 100_000);
    match outcome {
        Outcome::Safe(after) => ("held", fill(words.locks_safe, &[&seconds(after)])),
        Outcome::Two(after) => ("bad", fill(words.locks_two, &[&seconds(after)])),
        Outcome::Nobody => ("waiting", words.locks_nobody.to_string()),
    }
}

fn price_words(price: Price, lang: Lang) -> String {
    let ms = format!("{}.{}", price.us / 1_000, price.us % 1_000 / 100);
    fill(page(lang).locks_price, &[&price.messages, &price.forced, &ms])
}

/// The table.
#[component]
pub(in crate::ui) fn Locks(props: &Props) -> Html {
    let context = use_page_context();
    use_filling();
    let (lang, words) = (props.lang, page(props.lang));
    let cell = |lock: Lock, fault: Fault| {
        let known = KNOWN.with_borrow(|known| known.outcomes.get(&(lock, fault)).copied());
        let name = format!("{} · {}", lock_words(lang, lock), fault_words(lang, fault));
        let Some((class, said)) = known.map(|outcome| outcome_words(outcome, lang)) else {
            return html! { <td><span class="note" aria-label={name}>{ "…" }</span></td> };
        };
        let context = context.clone();
        let onclick = Callback::from(move |_: MouseEvent| open(&context, lock, fault));
        html! { <td><button class={classes!("text", class)} {onclick} aria-label={format!("{name}: {said}")}>{ said }</button></td> }
    };
    let row = |fault: Fault| {
        html! {
            <tr>
                <th scope="row">{ fault_words(lang, fault) }</th>
                { for Lock::ALL.into_iter().map(|lock| cell(lock, fault)) }
            </tr>
        }
    };
    let price = |lock: Lock| {
        let known = KNOWN.with_borrow(|known| known.prices.get(&lock).copied());
        html! { <td>{ known.flatten().map_or_else(|| "…".to_string(), |price| price_words(price, lang)) }</td> }
    };
    html! {
        <Dialog title={words.locks_title} {lang} wide=true>
            <p>{ words.locks_about }</p>
            <div class="locks" tabindex="0" role="region" aria-label={words.locks_title}>
                <table>
                    <thead>
                        <tr><td />{ for Lock::ALL.into_iter().map(|lock| html! { <th scope="col">{ lock_words(lang, lock) }</th> }) }</tr>
                    </thead>
                    <tbody>
                        { for Fault::ALL.into_iter().map(row) }
                        <tr><th scope="row">{ words.locks_cost }</th>{ for Lock::ALL.into_iter().map(price) }</tr>
                    </tbody>
                </table>
            </div>
            <p class="note">{ words.locks_note }</p>
        </Dialog>
    }
}
