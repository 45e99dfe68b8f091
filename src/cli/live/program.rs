//! What the program at the other end of a connection is called: ZooKeeper's protocol has no word for it, the operating system knows.

use std::net::SocketAddr;
use std::path::Path;

/// The longest name, characters.
const LONGEST: usize = 40;
/// Programs that run another one, which is named behind them.
const INTERPRETERS: [&str; 10] = ["python", "pypy", "java", "node", "deno", "bun", "ruby", "perl", "bash", "sh"];
/// Java's options whose value stands behind them.
const WITH_VALUE: [&str; 4] = ["-cp", "-classpath", "--class-path", "--module-path"];

/// The name of the program whose connection goes from `peer` to `own`, both on this machine; its port where the system does not say.
pub(super) fn name_of(peer: SocketAddr, own: SocketAddr) -> String {
    let command = command_of(peer, own).unwrap_or_default();
    named(&command).unwrap_or_else(|| format!("port {}", peer.port()))
}

/// The command line of the process that has the socket.
#[cfg(target_os = "linux")]
fn command_of(peer: SocketAddr, own: SocketAddr) -> Option<Vec<String>> {
    use procfs::process::{FDTarget, all_processes};
    let plain = |at: SocketAddr| (at.ip().to_canonical(), at.port());
    let sockets = [procfs::net::tcp(), procfs::net::tcp6()].into_iter().flatten().flatten();
    let ends = |local, remote| (plain(local), plain(remote)) == (plain(peer), plain(own));
    let inode = sockets.into_iter().find(|socket| ends(socket.local_address, socket.remote_address))?.inode;
    let has = |process: &procfs::process::Process| {
        process.fd().is_ok_and(|fds| fds.flatten().any(|fd| fd.target == FDTarget::Socket(inode)))
    };
    all_processes().ok()?.flatten().find(has)?.cmdline().ok()
}

#[cfg(not(target_os = "linux"))]
fn command_of(_: SocketAddr, _: SocketAddr) -> Option<Vec<String>> {
    None
}

fn file_name(path: &str) -> &str {
    Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
}

/// How somebody would call what was started so: `python3 -u my_lock.py` is `my_lock.py`.
fn named(command: &[String]) -> Option<String> {
    let program = file_name(command.first()?);
    let runs = INTERPRETERS.iter().any(|name| {
        let version = program.strip_prefix(name);
        version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
    });
    let name = if runs { script(&command[1..], program == "java").unwrap_or(program) } else { program };
    let name: String = name.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
    (!name.is_empty()).then_some(name)
}

/// What an interpreter runs, by its arguments.
fn script(arguments: &[String], java: bool) -> Option<&str> {
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        match argument {
            "-m" | "-jar" => return arguments.next().map(file_name),
            "-c" | "-e" => return None, // a program without a name
            value if WITH_VALUE.contains(&value) => drop(arguments.next()),
            option if option.starts_with('-') => {}
            class if java => return class.rsplit(['.', '/']).next(),
            file => return Some(file_name(file)),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_called_as_somebody_would_call_it() {
        for (command, name) in [
            ("python3 -u /home/a/my_lock.py 5", Some("my_lock.py")),
            ("/usr/bin/python3.11 -m pytest tests", Some("pytest")),
            ("python3 -c pass", Some("python3")),
            ("java -Xmx1g -cp a.jar:b.jar org.apache.zookeeper.ZooKeeperMain -server x", Some("ZooKeeperMain")),
            ("java -jar /opt/app.jar", Some("app.jar")),
            ("node", Some("node")),
            ("/opt/shop/orders --fast", Some("orders")),
            ("", None),
        ] {
            let command: Vec<String> = command.split(' ').map(String::from).collect();
            assert_eq!(named(&command).as_deref(), name, "{command:?}");
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_other_end_of_a_connection_is_found() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let own = listener.local_addr().unwrap();
        let guest = std::net::TcpStream::connect(own).unwrap();
        let me = std::env::args().next().unwrap();
        assert_eq!(
            name_of(guest.local_addr().unwrap(), own),
            file_name(&me).chars().take(LONGEST).collect::<String>()
        );
        let nobody = SocketAddr::from(([127, 0, 0, 1], 1));
        assert_eq!(name_of(nobody, own), "port 1");
    }
}
