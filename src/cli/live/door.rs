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
use zabscope_jute::Frames;
use zabscope_live::{Event, GuestId, Order};

use crate::base::ServerId;
use crate::base::limits::{JUTE_MAX_BUFFER, MAX_SERVERS};

use crate::cli::{Failure, say};

use super::program::name_of;

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

/// What the doors hear of.
#[derive(Debug)]
enum Noise {
    /// Somebody has come in.
    Comes(GuestId, ServerId, Line),
    /// What whoever plays the run must know.
    Event(Event),
}

/// A guest's connection as the doors have it. When it is dropped, the connection is closed behind what was written.
#[derive(Clone, Debug)]
struct Line {
    to: mpsc::UnboundedSender<Vec<u8>>,
    /// Bytes on their way to him.
    unread: Arc<AtomicUsize>,
    /// Room for what he says.
    room: Arc<Semaphore>,
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
    lines: BTreeMap<GuestId, Line>,
    noise: mpsc::Sender<Noise>,
    comes: mpsc::Receiver<Noise>,
    guests: Arc<Semaphore>,
    next: Arc<AtomicU64>,
}

impl Doors {
    /// The doors of so many servers at these ports; 0: any that is free. None is open yet.
    pub(super) fn new(servers: usize, asked: &[u16]) -> Result<Doors, Failure> {
        if !asked.is_empty() && asked.len() != servers {
            let many = asked.len();
            return Err(Failure::usage(format!("--ports names {many}, and there are {servers} servers")));
        }
        let (noise, comes) = mpsc::channel(EVENTS);
        Ok(Doors {
            doors: BTreeMap::new(),
            asked: asked.to_vec(),
            lines: BTreeMap::new(),
            noise,
            comes,
            guests: Arc::new(Semaphore::new(GUESTS)),
            next: Arc::default(),
        })
    }

    /// What happens next.
    pub(super) async fn next(&mut self) -> Event {
        loop {
            // it holds a sender itself, so that this has no end
            match self.comes.recv().await {
                Some(noise) => return self.heard(noise),
                None => std::future::pending().await,
            }
        }
    }

    /// What has happened already.
    pub(super) fn next_now(&mut self) -> Option<Event> {
        let noise = self.comes.try_recv().ok()?;
        Some(self.heard(noise))
    }

    fn heard(&mut self, noise: Noise) -> Event {
        match noise {
            Noise::Comes(guest, server, line) => {
                self.lines.insert(guest, line);
                Event::Opened(guest, server)
            }
            Noise::Event(event) => {
                if let Event::Gone(guest) | Event::Garbles(guest, _) = &event {
                    self.lines.remove(guest);
                }
                event
            }
        }
    }

    /// Does what it is told.
    pub(super) async fn obey(&mut self, order: Order) -> Result<(), Failure> {
        match order {
            Order::Doors(servers) => self.look(&servers).await?,
            Order::Write(guest, bytes) => {
                if self.lines.get(&guest).is_some_and(|line| !line.write(bytes)) {
                    self.lines.remove(&guest);
                    say(format_args!("zabscope: a connection is closed: it does not read what it is sent\n"));
                }
            }
            Order::Read(guest) => {
                if let Some(line) = self.lines.get(&guest).filter(|line| line.room.available_permits() < FRAMES) {
                    line.room.add_permits(1);
                }
            }
            Order::Close(guest) => self.forget(guest),
            Order::Say(what) => say(format_args!("zabscope: {what}\n")),
        }
        Ok(())
    }

    /// A guest's connection is closed behind what was written.
    pub(super) fn forget(&mut self, guest: GuestId) {
        self.lines.remove(&guest);
    }

    /// Everybody has to go, and nobody is let in.
    pub(super) fn close(&mut self) {
        self.lines.clear();
        self.doors.values_mut().filter_map(|door| door.keeper.take()).for_each(|keeper| keeper.abort());
    }

    /// A server whose process is dead has no door; one that stands still has one at which nobody answers.
    pub(super) async fn look(&mut self, servers: &[(ServerId, bool)]) -> Result<(), Failure> {
        let gone = self.doors.iter_mut().filter(|(server, _)| servers.iter().all(|(there, _)| there != *server));
        gone.filter_map(|(_, door)| door.keeper.take()).for_each(|keeper| keeper.abort());
        for (index, &(server, lives)) in servers.iter().take(MAX_SERVERS).enumerate() {
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
                            noise: self.noise.clone(),
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
    noise: mpsc::Sender<Noise>,
    guests: Arc<Semaphore>,
    next: Arc<AtomicU64>,
}

impl Keeper {
    async fn keep(self) {
        loop {
            let Ok((stream, peer)) = self.listener.accept().await else {
                tokio::time::sleep(PAUSE).await; // too many files are open
                continue;
            };
            // one too many is closed at once, as by `maxClientCnxns`
            if let Ok(place) = self.guests.clone().try_acquire_owned() {
                let guest = self.next.fetch_add(1, Ordering::Relaxed) + 1;
                if self.let_in(guest, (stream, peer), place).await.is_err() {
                    return;
                }
            }
        }
    }

    async fn let_in(
        &self,
        guest: GuestId,
        (stream, peer): (TcpStream, SocketAddr),
        place: OwnedSemaphorePermit,
    ) -> Result<(), mpsc::error::SendError<Noise>> {
        let _ = stream.set_nodelay(true);
        let own = stream.local_addr();
        let (reads, writes) = stream.into_split();
        let (to, answers) = mpsc::unbounded_channel();
        let (unread, room) = (Arc::new(AtomicUsize::new(0)), Arc::new(Semaphore::new(FRAMES)));
        let line = Line { to, unread: unread.clone(), room: room.clone() };
        self.noise.send(Noise::Comes(guest, self.server, line)).await?;
        let writer = tokio::spawn(write(writes, answers, unread));
        let noise = self.noise.clone();
        tokio::spawn(async move {
            // before he is heard, for his client is called so
            let name = own.map(|own| tokio::task::spawn_blocking(move || name_of(peer, own)));
            if let Ok(name) = name
                && let Ok(name) = name.await
            {
                let _ = noise.send(Noise::Event(Event::Named(guest, name))).await;
            }
            let last = tokio::select! {
                last = hear(guest, reads, &noise, &room) => last,
                _ = writer => Event::Gone(guest), // closed from inside
            };
            drop(place);
            let _ = noise.send(Noise::Event(last)).await;
        });
        Ok(())
    }
}

impl Line {
    /// Sends bytes; whether he has not left too much unread.
    fn write(&self, bytes: Vec<u8>) -> bool {
        let unread = self.unread.fetch_add(bytes.len(), Ordering::Relaxed) + bytes.len();
        // where the writer is gone, that he has gone is on its way
        unread <= UNREAD && (self.to.send(bytes).is_ok() || self.to.is_closed())
    }
}

/// Tells what a guest says, until he has gone or makes no sense.
async fn hear(guest: GuestId, mut reads: OwnedReadHalf, noise: &mpsc::Sender<Noise>, room: &Semaphore) -> Event {
    let mut frames = Frames::new(JUTE_MAX_BUFFER);
    let mut chunk = vec![0; CHUNK];
    let (mut silent, patience) = (true, Instant::now() + SESSIONLESS);
    loop {
        match frames.next() {
            Ok(Some(incoming)) => {
                silent = false;
                let Ok(place) = room.acquire().await else { return Event::Gone(guest) };
                place.forget(); // it comes back when this has been dealt with
                if noise.send(Noise::Event(Event::Says(guest, incoming))).await.is_err() {
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
