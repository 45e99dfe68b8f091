//! Damaged and hostile runs: a sentence, or a run that plays; never a panic.

use zabscope::base::{Prng, SimTime, Stream};
use zabscope::sim::{Player, Run, SCENARIOS};

/// Plays what parses for a while; large runs only a little.
fn feed(text: &str) -> bool {
    match Run::from_json(text) {
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
        Ok(run) => {
            let mut player = Player::new(run).expect("a parsed run was checked");
            for _ in 0..500 {
                if player.step().is_none() {
                    break;
                }
            }
            player.run_until(SimTime::ZERO, |_, _| {});
            true
        }
    }
}

#[test]
fn mutated_runs_never_panic() {
    let mut prng = Prng::new(1, Stream::Faults);
    let alphabet: Vec<char> = "0123456789-eE.,:{}[]\"atrue nulcrswi\u{7}\u{1f600}".chars().collect();
    let mut played = 0;
    for scenario in SCENARIOS {
        let original: Vec<char> = scenario.run().to_json().chars().collect();
        for _ in 0..1_000 {
            let mut text = original.clone();
            for _ in 0..=prng.below(4) {
                let at = prng.below(text.len() as u32) as usize;
                let new = alphabet[prng.below(alphabet.len() as u32) as usize];
                match prng.below(3) {
                    0 => text[at] = new,
                    1 => text.insert(at, new),
                    _ => drop(text.remove(at)),
                }
            }
            played += u32::from(feed(&text.into_iter().collect::<String>()));
        }
    }
    assert!(played > 100, "some of them are still runs: {played}");
}

#[test]
fn extreme_values_are_refused_or_played() {
    for text in [
        r#"{"version":2,"seed":18446744073709551615,"setup":{"voters":9,"observers":3}}"#,
        r#"{"version":2,"setup":{"voters":0}}"#,
        r#"{"version":2,"setup":{"voters":255,"observers":255}}"#,
        r#"{"version":2,"setup":{"tick_time_ms":0}}"#,
        r#"{"version":2,"setup":{"tick_time_ms":18446744073709551615}}"#,
        r#"{"version":2,"setup":{"tick_time_ms":600000,"init_limit":1000,"sync_limit":1000}}"#,
        r#"{"version":2,"setup":{"latency":{"min_us":5,"max_us":4}}}"#,
        r#"{"version":2,"setup":{"latency":{"min_us":0,"max_us":0},"disk_sync":{"min_us":0,"max_us":0},"transmit_us":0}}"#,
        r#"{"version":2,"setup":{"snap_count":2,"commit_log_count":1,"counter_limit":2}}"#,
        r#"{"version":2,"setup":{"start_us":[1,2,3,4,5,6,7,8,9,10,11,12,13]}}"#,
        r#"{"version":2,"setup":{"rules":["no-such-rule"]}}"#,
        r#"{"version":2,"actions":[{"at_us":18446744073709551615,"do":"heal_all"}]}"#,
        r#"{"version":2,"actions":[{"at_us":0,"do":"write","server":1,"data":"x","count":4294967295}]}"#,
        r#"{"version":2,"actions":[{"at_us":0,"do":"cut","from":[0],"to":[200]}]}"#,
        r#"{"version":2,"actions":[{"at_us":0,"do":"add","server":0}]}"#,
        "",
        "null",
        "[[[[[[[[[[",
    ] {
        feed(text);
    }
    feed(&"[".repeat(1_000_000));
    feed(&" ".repeat(9 << 20));
}
