//! What actions do to a world.

use std::rc::Rc;

use crate::base::limits::{MAX_SERVERS, MAX_VOTERS};
use crate::base::{Micros, Node, Prng, ServerId, ServerSet, SessionId, Stream};
use crate::client::{Call, Client, ClientConfig};
use crate::recipes;
use crate::server::{Server, Service};
use crate::sim::action::{Action, LatencyRange};
use crate::sim::agenda::Choice;
use crate::sim::disk::Disk;
use crate::sim::fact::WorldFact;
use crate::sim::process::{Process, Status};
use crate::sim::reasons::{ActionRefusal, RefusalReason};
use crate::store::{Body, Submitted};
use crate::wire::check_path;
use crate::zab::{DiskOp, Input, Peer};

use super::World;

impl World {
    pub(super) fn act(&mut self, action: Action) {
        if let Err(reason) = self.try_act(action) {
            self.fact(WorldFact::ActionRefused { reason });
        }
    }

    /// Every action has its arm here and nowhere else: one that is forgotten does not compile.
    fn try_act(&mut self, action: Action) -> Result<(), ActionRefusal> {
        match action {
            Action::Crash { server } => self.crash(server),
            Action::Restart { server } => self.expect(server, &[Status::Crashed]).map(|()| self.start(server)),
            Action::Pause { server } => self.expect(server, &[Status::Running]).map(|()| self.pause(server)),
            Action::Resume { server } => self.expect(server, &[Status::Paused]).map(|()| self.resume(server)),
            Action::Cut { from, to, one_way } => self.cut_between(from, to, one_way, true),
            Action::Heal { from, to, one_way } => self.cut_between(from, to, one_way, false),
            Action::HealAll => self.heal_all(),
            Action::CutLinks { links } => self.set_links(&links, true),
            Action::HealLinks { links } => self.set_links(&links, false),
            Action::HoldPacket { packet } => self.hold_packet(packet),
            Action::ReleasePacket { packet } => self.release_packet(packet),
            Action::DropPacket { packet } => self.drop_packet(packet),
            Action::Latency { from, to, range } => self.set_latency(from, to, range),
            Action::Disk { server, sync } => self.set_disk_speed(server, sync),
            Action::WipeDisk { server } => self.wipe_disk(server),
            Action::Write { server, data, count, every_us } => self.write_often(server, data, count, every_us),
            Action::Add { server, observer } => self.add(server, observer),
            Action::OpenClient { client, servers, timeout_ms, chroot, raw } => {
                let servers = if servers.is_empty() { self.processes.keys().copied().collect() } else { servers };
                self.open_client(ClientConfig { id: client, servers, timeout_ms, chroot, raw })
            }
            Action::Ask { client, request, watcher, local, on_old_connection } => {
                let call = Call { request, watcher, local, on_old_connection };
                self.with_client(client, |library, now, out| {
                    library.call(now, call, out);
                })
            }
            Action::AddAuth { client, scheme, auth } => {
                self.with_client(client, |library, now, out| library.add_auth(now, &scheme, &auth, out))
            }
            Action::CloseClient { client } => self.with_client(client, Client::close),
            Action::DisconnectClient { client } => self.with_client(client, Client::disconnect),
            Action::MoveClient { client, to } => self.move_client(client, to),
            Action::KillClient { client } => self.kill_client(client),
            Action::PauseClient { client } => self.pause_client(client),
            Action::ResumeClient { client } => self.resume_client(client),
            Action::ExpireClient { client } => self.expire_client(client),
            Action::SetUpCurator { client, config } => self.set_up_curator(client, config),
            Action::MakeRecipe { client, object, recipe } => {
                self.act_in(client, recipes::Input::Make(object, recipe))
            }
            Action::RunThread { client, thread, script } => self.act_in(client, recipes::Input::Run(thread, script)),
            Action::InterruptThread { client, thread } => self.act_in(client, recipes::Input::Interrupt(thread)),
        }
    }

    fn crash(&mut self, server: ServerId) -> Result<(), ActionRefusal> {
        self.expect(server, &[Status::Running, Status::Paused])?;
        self.fact(WorldFact::Crashed { server });
        self.kill(server);
        Ok(())
    }

    fn cut_between(&mut self, from: ServerSet, to: ServerSet, one_way: bool, cut: bool) -> Result<(), ActionRefusal> {
        self.each_link(from, to, one_way, |world, from, to| world.cut(from.into(), to.into(), cut))
    }

    fn heal_all(&mut self) -> Result<(), ActionRefusal> {
        let all: ServerSet = self.processes.keys().copied().collect();
        self.cut_between(all, all, true, false)?;
        self.heal_clients();
        Ok(())
    }

    fn set_latency(&mut self, from: ServerSet, to: ServerSet, range: LatencyRange) -> Result<(), ActionRefusal> {
        self.each_link(from, to, false, |world, from, to| {
            let (from, to) = (Node::Server(from), Node::Server(to));
            world.network.link_mut(from, to).latency = range;
            world.fact(WorldFact::LatencySet { from, to, range });
        })
    }

    fn wipe_disk(&mut self, server: ServerId) -> Result<(), ActionRefusal> {
        self.expect(server, &[Status::Crashed])?;
        if let Some(process) = self.processes.get_mut(&server) {
            process.disk = Disk::new(process.disk.sync);
        }
        self.fact(WorldFact::DiskWiped { server });
        Ok(())
    }

    fn write_often(
        &mut self,
        server: ServerId,
        data: String,
        count: u32,
        every_us: Micros,
    ) -> Result<(), ActionRefusal> {
        self.process(server)?;
        self.write(server, &data);
        if count > 1 {
            let again = self.keep(Action::Write { server, data, count: count - 1, every_us });
            self.agenda.set(Choice::Repeat(again), self.now.plus(every_us));
        }
        Ok(())
    }

    pub(super) fn process(&self, server: ServerId) -> Result<&Process, ActionRefusal> {
        self.processes.get(&server).ok_or(ActionRefusal::NoSuchServer { server })
    }

    fn expect(&self, server: ServerId, allowed: &[Status]) -> Result<(), ActionRefusal> {
        let status = self.process(server)?.status;
        match allowed.contains(&status) {
            true => Ok(()),
            false => Err(ActionRefusal::WrongStatus { server, status }),
        }
    }

    /// Takes a process's memory away.
    #[inline(never)]
    pub(super) fn kill(&mut self, server: ServerId) {
        self.stop_service(server);
        self.lose_unsynced(server);
        self.reset_connections(server.into());
        if let Some(process) = self.processes.get_mut(&server) {
            process.status = Status::Crashed;
            process.server = None;
            process.listening = false;
            process.held.clear();
            for timer in std::mem::take(&mut process.timers).into_keys() {
                self.agenda.remove(Choice::Timer(server, timer));
            }
        }
    }

    /// What was not synced is gone, but for a drawn part of the write under way where the setup says so.
    #[inline(never)]
    fn lose_unsynced(&mut self, server: ServerId) {
        for background in [false, true] {
            self.agenda.remove(Choice::Disk { server, background });
        }
        let Some(process) = self.processes.get_mut(&server) else { return };
        process.disk.background = None;
        let under_way = std::mem::take(&mut process.disk.jobs).into_iter().next();
        let mut survived = None;
        if let (true, Some(DiskOp::Append(mut batch))) =
            (self.run.setup.crash_keeps_prefix, under_way.map(|job| job.op))
        {
            batch.truncate(self.disk_prng.below(batch.len() as u32 + 1) as usize);
            survived = process.disk.append(server, batch);
        }
        let on_disk = process.disk.log.last().map_or(process.disk.log_start, |last| last.zxid);
        let in_memory =
            process.server.as_ref().map(|memory| memory.peer.storage.log_after(on_disk)).unwrap_or_default();
        if let Some(fact) = survived {
            self.fact(fact);
        }
        if let (Some(&first), Some(&last)) = (in_memory.first(), in_memory.last()) {
            self.fact(WorldFact::UnsyncedLost { server, first, last, count: in_memory.len() });
        }
    }

    fn start(&mut self, server: ServerId) {
        let (members, config, now) = (self.members, self.config.clone(), self.now);
        let Some(process) = self.processes.get_mut(&server) else { return };
        process.status = Status::Running;
        process.incarnation += 1;
        let incarnation = process.incarnation;
        let disk = process.disk.recovered();
        let image = process.disk.newest().map(|snapshot| snapshot.image.clone());
        self.fact(WorldFact::Started { server, incarnation, observer: !members.votes(server) });
        let mut out = self.outbox();
        let own_seed = self.run.seed ^ (u64::from(server.0) << 32) ^ u64::from(incarnation);
        let prng = Prng::new(own_seed, Stream::Server);
        let peer = Peer::boot(server, members, disk, prng, now, &config, &mut out);
        let tree = self.tree_of(image.as_ref());
        let memory = Server { peer, tree: tree.clone(), service: Service::new(server) };
        if let Some(process) = self.processes.get_mut(&server) {
            process.server = Some(Box::new(memory));
        }
        self.restore(server, tree);
        self.carry_out(server, out);
        // packets and requests to connect that wait at the machine's door
        self.enable_all(|_, to| to == Node::Server(server));
    }

    #[inline(never)]
    fn pause(&mut self, server: ServerId) {
        let Some(process) = self.processes.get_mut(&server) else { return };
        process.status = Status::Paused;
        for &timer in process.timers.keys() {
            self.agenda.remove(Choice::Timer(server, timer));
        }
        self.enable_all(|_, to| to == Node::Server(server));
        self.fact(WorldFact::Paused { server });
    }

    /// A paused process goes on: first it reads what waits, then its timers come, late.
    #[inline(never)]
    fn resume(&mut self, server: ServerId) {
        let Some(process) = self.processes.get_mut(&server) else { return };
        process.status = Status::Running;
        let held = std::mem::take(&mut process.held);
        self.fact(WorldFact::Resumed { server });
        for input in held {
            self.input(server, input);
        }
        self.enable_all(|_, to| to == Node::Server(server));
        let timers = self.processes.get(&server).map(|process| process.timers.clone()).unwrap_or_default();
        for (timer, at) in timers {
            self.agenda.set(Choice::Timer(server, timer), at.max(self.now));
        }
    }

    /// Does something to each link between two groups, in one direction or both; a server has no link to itself.
    #[inline(never)]
    fn each_link(
        &mut self,
        from: ServerSet,
        to: ServerSet,
        one_way: bool,
        act: impl Fn(&mut World, ServerId, ServerId),
    ) -> Result<(), ActionRefusal> {
        for server in from.union(to).iter() {
            self.process(server)?;
        }
        let mut links: Vec<(ServerId, ServerId)> = Vec::new();
        for (one, other) in from.iter().flat_map(|one| to.iter().map(move |other| (one, other))) {
            let back = (other, one);
            for link in std::iter::once((one, other)).chain((!one_way).then_some(back)) {
                if one != other && !links.contains(&link) {
                    links.push(link);
                }
            }
        }
        for (from, to) in links {
            act(self, from, to);
        }
        Ok(())
    }

    #[inline(never)]
    fn set_disk_speed(&mut self, server: ServerId, sync: LatencyRange) -> Result<(), ActionRefusal> {
        self.process(server)?;
        if let Some(process) = self.processes.get_mut(&server) {
            process.disk.sync = sync;
        }
        self.fact(WorldFact::DiskSpeedSet { server, sync });
        Ok(())
    }

    #[inline(never)]
    fn write(&mut self, server: ServerId, data: &str) {
        let number = self.next_write;
        self.next_write += 1;
        self.fact(WorldFact::WriteAsked { server, write: number, data: data.to_string() });
        let running = self.processes.get(&server).is_some_and(Process::is_running);
        let Some(memory) = self.memory(server).filter(|_| running) else {
            let reason = RefusalReason::ServerDown;
            self.fact(WorldFact::WriteFailed { server, write: number, reason });
            return;
        };
        memory.service.expect_write(number);
        let (path, data) = place_of(data);
        let body = Body::Put { path: path.into(), data: data.into() };
        let (session, cxid, who) = (SessionId::NONE, number as i32, Rc::from([]));
        self.submit(server, Submitted { session, cxid, who, from: server, body });
    }

    /// A new server with an empty disk. All servers learn of it in the same moment: a static configuration that is
    /// edited everywhere at once. Majorities before and after share a server, so that nothing committed is lost.
    #[inline(never)]
    fn add(&mut self, server: ServerId, observer: bool) -> Result<(), ActionRefusal> {
        if self.processes.contains_key(&server) {
            return Err(ActionRefusal::AlreadyThere { server });
        }
        if self.processes.len() >= MAX_SERVERS {
            return Err(ActionRefusal::NoRoom { most: MAX_SERVERS });
        }
        if !observer && self.members.voters.len() >= MAX_VOTERS {
            return Err(ActionRefusal::NoRoomForVoters { most: MAX_VOTERS });
        }
        match observer {
            true => self.members.observers.insert(server),
            false => self.members.voters.insert(server),
        };
        self.processes.insert(server, Process::new(server, Disk::new(self.run.setup.disk_sync)));
        self.fact(WorldFact::Added { server, observer });
        let members = self.members;
        let others: Vec<ServerId> = self.processes.keys().copied().collect();
        for other in others {
            self.input(other, Input::Members(members));
        }
        self.start(server);
        Ok(())
    }
}

/// Where a plain write goes: `x=1` sets `/x` to `1`; a text without a name goes to `/data`.
fn place_of(data: &str) -> (String, &str) {
    let named = data.split_once('=').map(|(name, value)| (format!("/{name}"), value));
    named
        .filter(|(path, _)| path.rfind('/') == Some(0) && check_path(path, false).is_ok() && path.len() > 1)
        .filter(|(path, _)| path != "/zookeeper")
        .unwrap_or(("/data".to_string(), data))
}
