//! What a stage shows of locks: requests and notifications, what calls came to, who believed to hold what.

use zabscope::base::ClientId;
use zabscope::client::Fact as InClient;
use zabscope::recipes::{Fact as Told, Share, Step, ThreadId, Value};
use zabscope::sim::{Action, Fact};
use zabscope::wire::{CreateMode, Request};

use super::support::Stage;

/// A path without the random part of its name.
fn short(path: &str) -> String {
    match path.find("_c_") {
        Some(at) if path.len() > at + 40 => format!("{}{}", &path[..at], &path[at + 40..]),
        _ => path.into(),
    }
}

fn name(request: &Request) -> &'static str {
    match request {
        Request::Create { mode: CreateMode::Container, .. } => "createContainer",
        Request::Create { stat: true, .. } => "create2",
        Request::Create { .. } => "create",
        Request::Delete { .. } => "delete",
        Request::Exists { watch: true, .. } => "exists+W",
        Request::Exists { .. } => "exists",
        Request::GetData { .. } => "getData",
        Request::SetData { .. } => "setData",
        Request::GetChildren { watch: true, .. } => "getChildren+W",
        Request::GetChildren { stat: true, .. } => "getChildren2",
        Request::GetChildren { .. } => "getChildren",
        Request::RemoveWatches { .. } => "removeWatches",
        _ => "another",
    }
}

impl Stage {
    /// A place in the records.
    pub fn mark(&self) -> usize {
        self.records.len()
    }

    /// The requests since a place, as the programs made them: client, name, path.
    pub fn requests(&self, from: usize) -> Vec<String> {
        let request = |fact: &Fact| match fact {
            Fact::Client { client, fact: InClient::Called { request, .. } } => {
                Some(format!("{} {} {}", client.0, name(request), short(request.path())))
            }
            _ => None,
        };
        self.records[from..].iter().filter_map(|record| request(&record.fact)).collect()
    }

    /// How many notifications arrived since a place.
    pub fn notifications(&self, from: usize) -> usize {
        let is = |fact: &Fact| matches!(fact, Fact::Client { fact: InClient::Notified { .. }, .. });
        self.records[from..].iter().filter(|record| is(&record.fact)).count()
    }

    /// What a thread's calls came to, in order: `acquire ok`.
    pub fn outcomes_of(&self, client: u16, of: u32) -> Vec<String> {
        let told = self.told(client).into_iter();
        told.filter_map(|fact| match fact {
            Told::MethodReturned { thread, method, outcome, .. } if thread == ThreadId(of) => Some(match outcome {
                Ok(value) => format!("{method} {value}"),
                Err(exception) => format!("{method} {}", exception.class()),
            }),
            _ => None,
        })
        .collect()
    }

    pub fn outcomes(&self, client: u16) -> Vec<String> {
        self.outcomes_of(client, 1)
    }

    /// The names that a thread's last call gave back.
    pub fn last_names(&self, client: u16, of: u32) -> Vec<String> {
        let last = self.told(client).into_iter().rev().find_map(|fact| match fact {
            Told::MethodReturned { thread, outcome: Ok(Value::Names(names)), .. } if thread == ThreadId(of) => {
                Some(names)
            }
            _ => None,
        });
        last.unwrap_or_default().iter().map(|name| name.to_string()).collect()
    }

    /// The last thing that a thread's call came to.
    pub fn last(&self, client: u16) -> String {
        self.outcomes(client).pop().unwrap_or_default()
    }

    /// Every moment's number of holders: of those who hold it alone or by lease, and of readers.
    fn crowd(&self, path: &str) -> Vec<(usize, usize)> {
        let (mut others, mut readers, mut crowd) = (Vec::new(), Vec::new(), Vec::new());
        for record in &self.records {
            let Fact::Program { client, fact } = &record.fact else { continue };
            match fact {
                Told::Acquired { thread, path: held, share, .. } if **held == *path => {
                    if *share == Share::Read { &mut readers } else { &mut others }.push((client.0, *thread));
                }
                Told::Released { thread, object, path: held, .. } if **held == *path => {
                    let holders = if object.ends_with("/read") { &mut readers } else { &mut others };
                    if let Some(at) = holders.iter().position(|holder| *holder == (client.0, *thread)) {
                        holders.remove(at);
                    }
                }
                _ => continue,
            }
            crowd.push((others.len(), readers.len()));
        }
        crowd
    }

    /// The most that held the path at one time, other than to read.
    pub fn most_at_once(&self, path: &str) -> usize {
        self.crowd(path).into_iter().map(|(others, _)| others).max().unwrap_or(0)
    }

    /// The most readers at one time.
    pub fn most_readers(&self, path: &str) -> usize {
        self.crowd(path).into_iter().map(|(_, readers)| readers).max().unwrap_or(0)
    }

    /// Whether somebody read while another wrote.
    pub fn reads_beside_write(&self, path: &str) -> bool {
        self.crowd(path).into_iter().any(|(writers, readers)| writers > 0 && readers > 0)
    }

    /// How many hold it at the end.
    pub fn held(&self, path: &str) -> usize {
        self.crowd(path).last().map_or(0, |(others, readers)| others + readers)
    }

    /// Starts steps on a thread without letting time pass.
    pub fn start(&mut self, client: u16, thread: u32, steps: &[Step], times: u32) {
        let script = zabscope::recipes::Script { steps: steps.to_vec(), times, in_callback: false };
        self.act(Action::RunThread { client: ClientId(client), thread: ThreadId(thread), script });
    }

    /// Runs steps on a thread, with time enough for a first acquire on a missing path.
    pub fn go(&mut self, client: u16, thread: u32, steps: &[Step]) {
        self.start(client, thread, steps, 1);
        self.pass(2_500);
    }
}
