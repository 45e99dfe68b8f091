//! The doors: a TCP port for each server, and a connection for each guest. Bytes become frames here, and nothing else happens.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use zabscope_jute::{Frames, Incoming};

use crate::base::ServerId;
use crate::base::limits::JUTE_MAX_BUFFER;

use crate::cli::{Failure, say};

use super::stage::Stage;

/// The client port of the first server, as in every `zoo.cfg`; those of the others follow.
const FIRST_PORT: u16 = 2181;

/// Most events that wait; whoever has more to tell waits until there is room.
pub(super) const EVENTS: usize = 1_024;
/// Most frames of one guest that wait to be dealt with: then nothing more is read of him.
const FRAMES: usize = 64;
/// Most guests at a time.
const GUESTS: usize = 1_000;
/// Most bytes that wait for a guest who does not read.
const UNREAD: usize = 16 << 20;
/// How long a guest may take to say what he wants (`zookeeper.nio.sessionlessCnxnTimeout`), and how long he may be silent then: that
/// is the session's matter.
const SESSIONLESS: Duration = Duration::from_secs(10);
const FOR_EVER: Duration = Duration::from_secs(30 * 24 * 3_600);
/// Before the next attempt to let somebody in.
const PAUSE: Duration = Duration::from_millis(50);
/// What is read at once, bytes.
const CHUNK: usize = 16 << 10;

/// A connection from outside, counted from 1.
pub(super) type GuestId = u64;

/// What happens at the doors.
#[derive(Debug)]
pub(super) enum Event {
    /// Somebody has connected.
    Opened(GuestId, ServerId, Answers),
    /// He says something. As long as the permit is held, it counts among what waits.
    Says(GuestId, Incoming, OwnedSemaphorePermit),
    /// What he sends is none of the protocol; nothing more is read of him.
    Garbles(GuestId, String),
    /// He is gone.
    Gone(GuestId),
}

/// Where answers for a guest go. When it is dropped, his connection is closed behind them.
#[derive(Clone, Debug)]
pub(super) struct Answers {
    to: mpsc::UnboundedSender<Vec<u8>>,
    unread: Arc<AtomicUsize>,
}

impl Answers {
    /// Sends bytes; whether he has not left too much unread.
    pub(super) fn send(&self, bytes: Vec<u8>) -> bool {
        let unread = self.unread.fetch_add(bytes.len(), Ordering::Relaxed) + bytes.len();
        unread <= UNREAD && self.to.send(bytes).is_ok()
    }
}

/// One server's door.
#[derive(Debug)]
struct Door {
    port: u16,
    /// Who waits at it, while the server's process lives.
    keeper: Option<JoinHandle<()>>,
    complained: bool,
}

/// All doors.
#[derive(Debug)]
pub(super) struct Doors {
    doors: BTreeMap<ServerId, Door>,
    asked: Vec<u16>,
    events: mpsc::Sender<Event>,
    guests: Arc<Semaphore>,
    next: Arc<AtomicU64>,
}

impl Doors {
    /// The doors of these ports in the order of the servers; 0: any that is free. None is open yet.
    pub(super) fn new(stage: &Stage, asked: &[u16], events: mpsc::Sender<Event>) -> Result<Doors, Failure> {
        let servers = stage.servers().count();
        if !asked.is_empty() && asked.len() != servers {
            let many = asked.len();
            return Err(Failure::usage(format!("--ports names {many}, and there are {servers} servers")));
        }
        let guests = Arc::new(Semaphore::new(GUESTS));
        Ok(Doors { doors: BTreeMap::new(), asked: asked.to_vec(), events, guests, next: Arc::default() })
    }

    /// A server whose process is dead has no door; one that stands still has one at which nobody answers.
    pub(super) async fn look(&mut self, stage: &Stage) -> Result<(), Failure> {
        for (index, (server, lives)) in stage.servers().enumerate() {
            let after = if self.asked.is_empty() { FIRST_PORT + index as u16 } else { 0 };
            let asked = self.asked.get(index).copied().unwrap_or(after);
            let first = !self.doors.contains_key(&server);
            let door = self.doors.entry(server).or_insert(Door { port: asked, keeper: None, complained: false });
            match (lives, &door.keeper) {
                (false, Some(keeper)) => {
                    keeper.abort();
                    door.keeper = None;
                }
                (true, None) => match TcpListener::bind((Ipv4Addr::LOCALHOST, door.port)).await {
                    Ok(listener) => {
                        door.port = listener.local_addr().map_or(door.port, |at| at.port());
                        if first {
                            let at = SocketAddr::from((Ipv4Addr::LOCALHOST, door.port));
                            say(format_args!("zabscope: {server} is at {at}\n"));
                        }
                        let keeper = Keeper {
                            server,
                            listener,
                            events: self.events.clone(),
                            guests: self.guests.clone(),
                            next: self.next.clone(),
                        };
                        door.keeper = Some(tokio::spawn(keeper.keep()));
                    }
                    Err(error) if first => {
                        return Err(Failure::usage(format!(
                            "port {} of {server}: {error}; --ports names others",
                            door.port
                        )));
                    }
                    Err(error) if !door.complained => {
                        door.complained = true;
                        say(format_args!(
                            "zabscope: port {} of {server} cannot be opened again: {error}\n",
                            door.port
                        ));
                    }
                    Err(_) => {}
                },
                _ => {}
            }
        }
        Ok(())
    }

    /// Where each server is reached.
    pub(super) fn ports(&self) -> BTreeMap<ServerId, u16> {
        self.doors.iter().map(|(&server, door)| (server, door.port)).collect()
    }
}

/// Lets guests in.
struct Keeper {
    server: ServerId,
    listener: TcpListener,
    events: mpsc::Sender<Event>,
    guests: Arc<Semaphore>,
    next: Arc<AtomicU64>,
}

impl Keeper {
    async fn keep(self) {
        loop {
            let Ok((stream, _)) = self.listener.accept().await else {
                tokio::time::sleep(PAUSE).await; // too many files are open
                continue;
            };
            // one too many is closed at once, as by `maxClientCnxns`
            if let Ok(place) = self.guests.clone().try_acquire_owned() {
                let guest = self.next.fetch_add(1, Ordering::Relaxed) + 1;
                if self.let_in(guest, stream, place).await.is_err() {
                    return;
                }
            }
        }
    }

    async fn let_in(
        &self,
        guest: GuestId,
        stream: TcpStream,
        place: OwnedSemaphorePermit,
    ) -> Result<(), mpsc::error::SendError<Event>> {
        let _ = stream.set_nodelay(true);
        let (reads, writes) = stream.into_split();
        let (to, answers) = mpsc::unbounded_channel();
        let unread = Arc::new(AtomicUsize::new(0));
        self.events.send(Event::Opened(guest, self.server, Answers { to, unread: unread.clone() })).await?;
        let writer = tokio::spawn(write(writes, answers, unread));
        let events = self.events.clone();
        tokio::spawn(async move {
            let last = tokio::select! {
                last = hear(guest, reads, &events) => last,
                _ = writer => Event::Gone(guest), // closed from inside
            };
            drop(place);
            let _ = events.send(last).await;
        });
        Ok(())
    }
}

/// Tells what a guest says, until he has gone or makes no sense.
async fn hear(guest: GuestId, mut reads: OwnedReadHalf, events: &mpsc::Sender<Event>) -> Event {
    let mut frames = Frames::new(JUTE_MAX_BUFFER);
    let mut chunk = vec![0; CHUNK];
    let waiting = Arc::new(Semaphore::new(FRAMES));
    let (mut silent, patience) = (true, Instant::now() + SESSIONLESS);
    loop {
        match frames.next() {
            Ok(Some(incoming)) => {
                silent = false;
                let Ok(permit) = waiting.clone().acquire_owned().await else { return Event::Gone(guest) };
                if events.send(Event::Says(guest, incoming, permit)).await.is_err() {
                    return Event::Gone(guest);
                }
            }
            Ok(None) => {
                let patience = if silent { patience } else { Instant::now() + FOR_EVER };
                match timeout_at(patience, reads.read(&mut chunk)).await {
                    Ok(Ok(bytes)) if bytes > 0 => frames.push(&chunk[..bytes]),
                    Ok(_) => return Event::Gone(guest),
                    Err(_) => return Event::Garbles(guest, "it has said nothing".into()),
                }
            }
            Err(error) => return Event::Garbles(guest, error.to_string()),
        }
    }
}

async fn write(mut writes: OwnedWriteHalf, mut answers: mpsc::UnboundedReceiver<Vec<u8>>, unread: Arc<AtomicUsize>) {
    while let Some(bytes) = answers.recv().await {
        if writes.write_all(&bytes).await.is_err() {
            return;
        }
        unread.fetch_sub(bytes.len(), Ordering::Relaxed);
    }
    let _ = writes.shutdown().await;
}
