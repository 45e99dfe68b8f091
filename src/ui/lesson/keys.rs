//! The keys that mean something else while a lesson is open.

use crate::ui::engine::Engine;

/// Whether a page key leads on or back in the lesson: a deck around the page gets it only behind the last beat and before the first one.
pub(in crate::ui) fn turns(engine: &Engine, key: &str) -> bool {
    match key {
        "PageDown" => engine.lesson_has_pages(true),
        "PageUp" => engine.lesson_has_pages(false),
        _ => false,
    }
}

/// One key; whether it meant something for the lesson. `focus` is the kind of element that has the focus, and `clicks` whether page keys
/// turn no panel over.
pub(in crate::ui) fn press(engine: &Engine, key: &str, focus: &str, clicks: bool) -> bool {
    let nothing_focused = matches!(focus, "" | "body" | "html");
    match key {
        " " => return engine.stop_lesson() || engine.plays_lesson_on(),
        // in a hall: what decides stands until the clicker
        "PageDown" if clicks => {
            if !engine.carry_on() {
                engine.lesson_on();
            }
        }
        "Enter" if nothing_focused && engine.counts_votes() => {}
        "Enter" if nothing_focused => engine.lesson_on(),
        "PageUp" if clicks => engine.lesson_back(),
        "Backspace" if engine.is_beside_lesson() => engine.return_to_lesson(),
        "t" | "T" => return engine.turn_tally(),
        "v" | "V" => return engine.show_would(),
        digit => {
            let digit = digit.parse::<i64>().ok().filter(|digit| (1..=9).contains(digit));
            return digit.is_some_and(|digit| engine.lesson_digit(digit));
        }
    }
    true
}
