//! EVAL, EVALSHA, SCRIPT (`eval.c`, `script.c`). A script that keeps the thread is executed when its loops are over, with the
//! moment of its beginning: nobody can tell the difference, since nobody sees keys meanwhile.

use crate::base::ConnId;
use crate::daemon::Cx;
use crate::redis::fact::Fact;
use crate::redis::message::Message;
use crate::redis::reply::Reply;
use crate::redis::script::{Block, Outcome, parse, run, sha1, source_of};
use crate::redis::store::{Command, Keyspace, TableEntry, find, integer};

use super::state::{Busy, Server, Timer};

/// A script that takes longer is told of, µs.
const SHORT_US: u64 = 1_000;

const KILLED: &str = "ERR Script killed by user with SCRIPT KILL...";
const UNKILLABLE: &str = "UNKILLABLE Sorry the script already executed write commands against the dataset. You can either wait the \
                          script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command.";

/// A script with what it is called with.
struct Call {
    block: Block,
    sha1: String,
    keys: Vec<String>,
    args: Vec<String>,
}

impl Server {
    pub(super) fn eval(&mut self, conn: ConnId, args: &[String], cx: &mut Cx<Server>) -> Option<Reply> {
        let call = match self.prepare(args) {
            Ok(call) => call,
            Err(error) => return Some(error),
        };
        // how long would it keep the thread? A copy of the keys tells
        let trial = self.run_on(&mut self.keys.clone(), &call);
        if self.in_exec || trial.lasts_us.is_some_and(|us| us < SHORT_US) {
            return Some(self.run_script(&call));
        }
        let now = cx.env.now;
        cx.fact(Fact::ScriptRuns { ms: trial.lasts_us.map(|us| us / 1000) });
        let writes_at = trial.writes_after_us.map(|us| now.plus(us));
        self.busy = Some(Busy { conn, args: args.to_vec(), since: now, clock: self.keys.now, writes_at });
        if let Some(us) = trial.lasts_us {
            cx.set_timer(Timer::ScriptEnds, now.plus(us));
        }
        cx.set_timer(Timer::Busy, now.plus(self.keys.conf.busy_ms.unsigned_abs().saturating_mul(1000)));
        None
    }

    /// Finds the script and sorts its arguments.
    fn prepare(&mut self, args: &[String]) -> Result<Call, Reply> {
        let [name, given, count, rest @ ..] = args else { return Err(Reply::error("ERR syntax error")) };
        let count = integer(count).ok_or_else(|| Reply::error("ERR value is not an integer or out of range"))?;
        let count = usize::try_from(count).map_err(|_| Reply::error("ERR Number of keys can't be negative"))?;
        if count > rest.len() {
            return Err(Reply::error("ERR Number of keys can't be greater than number of args"));
        }
        let (source, sha) = if name.eq_ignore_ascii_case("eval") {
            (source_of(given).to_string(), sha1(given))
        } else {
            let sha = given.strip_prefix("sha1:").map_or_else(|| given.to_ascii_lowercase(), sha1);
            let known = self.scripts.get(&sha).cloned();
            (known.ok_or_else(|| Reply::error("NOSCRIPT No matching script. Please use EVAL."))?, sha)
        };
        let block = compile(&source)?;
        self.scripts.get_or(sha.clone(), source);
        let (keys, args) = rest.split_at(count);
        Ok(Call { block, sha1: sha, keys: keys.to_vec(), args: args.to_vec() })
    }

    fn run_script(&mut self, call: &Call) -> Reply {
        let mut keys = std::mem::take(&mut self.keys);
        // what decides whether it may write is asked of the server while the keys are away
        self.keys.conf = keys.conf.clone();
        let outcome = self.run_on(&mut keys, call);
        self.keys = keys;
        outcome.reply
    }

    fn run_on(&self, keys: &mut Keyspace, call: &Call) -> Outcome {
        let mut redis_call = |args: &[String]| {
            let reply = match self.callable(args) {
                Ok(TableEntry { run: Command::Keys(run), .. }) => run(keys, args),
                Ok(entry) if entry.name == "ping" => Reply::Status("PONG".into()),
                Ok(_) => Reply::error("ERR This Redis command is not allowed from script"),
                Err(error) => error,
            };
            (reply, !keys.effects.is_empty())
        };
        run(&call.block, &call.keys, &call.args, &call.sha1, &mut redis_call)
    }

    /// The command that a script calls.
    fn callable(&self, args: &[String]) -> Result<&'static TableEntry, Reply> {
        let entry = args.first().and_then(|name| find(name));
        let entry = entry.ok_or_else(|| Reply::error("ERR Unknown Redis command called from script"))?;
        if !entry.takes(args.len()) {
            return Err(Reply::error("ERR Wrong number of args calling Redis command from script"));
        }
        if entry.flags.no_script {
            return Err(Reply::error("ERR This Redis command is not allowed from script"));
        }
        self.script_refusal(entry).map_or(Ok(entry), |error| Err(Reply::error(error)))
    }

    /// A script's loops are over: it takes effect and is answered.
    pub(super) fn script_ends(&mut self, cx: &mut Cx<Server>) {
        let Some(busy) = self.busy.take() else { return };
        cx.cancel_timer(Timer::Busy);
        self.keys.now = busy.clock;
        let reply = match self.prepare(&busy.args) {
            Ok(call) => self.run_script(&call),
            Err(error) => error,
        };
        self.settle(busy.conn, cx);
        self.answer(busy.conn, Message::Reply { reply });
        self.serve_lists(cx);
        self.take_held(cx);
    }

    /// SCRIPT LOAD, EXISTS, FLUSH, KILL.
    pub(super) fn script_command(&mut self, args: &[String], cx: &mut Cx<Server>) -> Reply {
        let word = args.get(1).map(|word| word.to_ascii_uppercase()).unwrap_or_default();
        if self.busy.is_some() && word != "KILL" {
            return Reply::error(super::process::BUSY);
        }
        match (&*word, args.get(2..).unwrap_or_default()) {
            ("LOAD", [given]) => {
                let source = source_of(given).to_string();
                if let Err(error) = compile(&source) {
                    return error;
                }
                let sha = sha1(given);
                self.scripts.insert(sha.clone(), source);
                Reply::Bulk(sha)
            }
            ("EXISTS", shas) => {
                let known = |sha: &String| {
                    let sha = sha.strip_prefix("sha1:").map_or_else(|| sha.to_ascii_lowercase(), sha1);
                    Reply::Int(i64::from(self.scripts.contains_key(&sha)))
                };
                Reply::Array(shas.iter().map(known).collect())
            }
            ("FLUSH", _) => {
                self.scripts.clear();
                Reply::ok()
            }
            ("KILL", []) => self.kill_script(cx),
            _ => Reply::error(format!(
                "ERR unknown subcommand or wrong number of arguments for '{}'. Try SCRIPT HELP.",
                args.get(1).map_or("", String::as_str)
            )),
        }
    }

    fn kill_script(&mut self, cx: &mut Cx<Server>) -> Reply {
        let Some(busy) = &self.busy else { return Reply::error("NOTBUSY No scripts in execution right now.") };
        if busy.writes_at.is_some_and(|at| at <= cx.env.now) {
            return Reply::error(UNKILLABLE);
        }
        let (conn, sha) = (busy.conn, busy.args.get(1).map_or(String::new(), |given| sha1(given)));
        self.busy = None;
        cx.cancel_timer(Timer::Busy);
        cx.cancel_timer(Timer::ScriptEnds);
        self.answer(
            conn,
            Message::Reply { reply: Reply::error(format!("{KILLED} script: {sha}, on @user_script:1.")) },
        );
        Reply::ok()
    }
}

fn compile(source: &str) -> Result<Block, Reply> {
    parse(source)
        .map_err(|why| Reply::error(format!("ERR Error compiling script (new function): user_script:1: {why} ")))
}
