//! Links: everything survives, they are short, and what is hostile gets a sentence.

mod share_support;

use share_support::clicks::{clicks, lesson_setup};
use zabscope::check::soak::soak_run;
use zabscope::share::{Look, Moment, Place, decode, encode};
use zabscope::sim::Run;
use zabscope::zab::Rules;

fn moment(mut run: Run, actions: usize) -> Moment {
    run.actions.truncate(actions);
    let cursor_us = run.actions.last().map_or(0, |timed| timed.at_us.0 + 123_457);
    let look = Look {
        panel: Some("sessions".into()),
        picked: Some("S2".into()),
        lang: Some("en".into()),
        ..Look::default()
    };
    Moment { run, place: Place { events: 31_415, cursor_us }, look, beside: None }
}

#[test]
fn lengths() {
    for (name, make) in [
        ("clicks on servers", (|seed| clicks(seed, 300, 10, lesson_setup())) as fn(u64) -> Run),
        ("clicks, servers and clients", |seed| clicks(seed, 300, 5, lesson_setup())),
        ("clicks on clients", |seed| clicks(seed, 300, 0, lesson_setup())),
        ("soak", |seed| soak_run(5, seed, 3, Rules::default())),
    ] {
        for count in [0, 100, 200, 300] {
            let mut lengths: Vec<usize> = (0..20)
                .map(|seed| {
                    let moment = moment(make(seed), count);
                    let link = encode(&moment).unwrap();
                    assert_eq!(decode(&link).as_ref(), Ok(&moment));
                    link.len()
                })
                .collect();
            lengths.sort();
            println!("{name}, {count}: {} {} {}", lengths[0], lengths[10], lengths[19]);
        }
    }
}
