//! An ensemble whose leader dies: three servers elect, one write is committed, the leader crashes, and the two others go on.
//! Prints what happens as `zabscope run --facts` does, one fact a line: `cargo run -p zabscope-sim --example play_a_run`.

use std::rc::Rc;

use zabscope_ground::base::SimTime;
use zabscope_sim::check::Checker;
use zabscope_sim::sim::{Action, Player, Record, Run, Setup, World};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // a seed and a setup decide everything: the same facts come out on every machine
    let run = Run::new(7, Setup { voters: 3, ..Setup::default() });
    let mut checker = Checker::new(&run.setup);
    let mut player = Player::new(run)?;
    let mut tell = |_: &World, records: &[Rc<Record>]| {
        for record in records {
            checker.read(record);
            println!("{}", serde_json::to_string(record).unwrap_or_default());
        }
    };

    player.run_until(SimTime::from_ms(1_500), &mut tell);
    let leader = player.leader().ok_or("nobody leads yet")?;
    player.act(Action::Write { server: leader, data: "x=1".into(), count: 1, every_us: 0 }, &mut tell)?;
    player.run_until(SimTime::from_ms(2_000), &mut tell);
    player.act(Action::Crash { server: leader }, &mut tell)?;
    player.run_until(SimTime::from_ms(6_000), &mut tell);

    let next = player.leader().ok_or("nobody leads any more")?;
    println!("{leader} died, {next} leads; {} violations; digest {}", checker.violations().len(), player.digest());
    Ok(())
}
