//! An ensemble whose leader dies: three servers elect, a write is committed, the leader dies, and the two others elect again.
//! Prints what happens: `cargo run -p zabscope-zookeeper --example leader_dies`.

mod host;

use zabscope_ground::base::{ServerId, SimTime};
use zabscope_zookeeper::server::Input;

use host::Host;

fn main() -> Result<(), &'static str> {
    let mut host = Host::new(3);
    host.run_until(SimTime::from_ms(3_000));
    let leader = host.leader().ok_or("nobody leads yet")?;

    host.tell(leader, Input::Write(1, "x=1".into()));
    host.run_until(SimTime::from_ms(4_000));

    println!("---- {leader} dies");
    host.kill(leader);
    host.run_until(SimTime::from_ms(20_000));

    let next: ServerId = host.leader().ok_or("nobody leads any more")?;
    println!("---- {next} leads");
    Ok(())
}
