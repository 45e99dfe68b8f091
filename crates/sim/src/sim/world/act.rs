//! What actions do to a world.

use crate::base::limits::{MAX_PACKETS, MAX_SERVERS, MAX_VOTERS};
use crate::base::{Micros, Node, ServerId, ServerSet, Zxid};
use crate::client::{Call, Client};
use crate::recipes;
use crate::server::RefusalReason;
use crate::sim::action::Action;
use crate::sim::agenda::Choice;
use crate::sim::disk::DiskFault;
use crate::sim::disk_op::DiskOpName;
use crate::sim::fact::WorldFact;
use crate::sim::host::Input;
use crate::sim::hosts::Machine;
use crate::sim::latency::LatencyRange;
use crate::sim::packet_ref::PacketRef;
use crate::sim::process::Process;
use crate::sim::reasons::{ActionRefusal, Death, Status};
use crate::zab::Members;

use super::World;

/// Writes between two looks at how many packets are in flight.
const WRITES_A_LOOK: u64 = 256;

impl World {
    pub(super) fn act(&mut self, action: Action) {
        let done = self.try_act(action);
        self.refuse(done);
    }

    /// A machine starts for the first time, unless somebody was faster.
    pub(super) fn start_first(&mut self, server: ServerId) {
        let done = self.restart(server);
        self.refuse(done);
    }

    fn refuse(&mut self, done: Result<(), ActionRefusal>) {
        if let Err(reason) = done {
            self.fact(WorldFact::ActionRefused { reason });
        }
    }

    /// Every action has its arm here and nowhere else: one that is forgotten does not compile.
    fn try_act(&mut self, action: Action) -> Result<(), ActionRefusal> {
        match action {
            Action::Crash { server } => self.crash(server, Death::Crash),
            Action::Kill { server } => self.crash(server, Death::Kill),
            Action::PowerOff { server } => self.crash(server, Death::PowerOff),
            Action::Restart { server } => self.restart(server),
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
            Action::DelayPacket { packet, us } => self.delay_packet(packet, us),
            Action::DelayDisk { server, what, us } => self.delay_disk(server, what, us),
            Action::ClockJump { server, ms } => self.jump_clock(server, ms),
            Action::FourLetter { server, word, client } => self.say_word(server, word, client),
            Action::Latency { from, to, range } => self.set_latency(from, to, range),
            Action::Disk { server, sync } => self.set_disk_speed(server, sync),
            Action::DiskFault { server, fault } => self.set_disk_fault(server, fault),
            Action::WipeDisk { server } => self.wipe_disk(server),
            Action::BackUpDisk { server } => self.back_up_disk(server),
            Action::RestoreBackup { server } => self.restore_backup(server),
            Action::Write { server, data, count, every_us } => self.write_often(server, data, count, every_us),
            Action::Add { server, observer } => self.add(server, observer),
            Action::EditConfig { servers, voters, observers } => self.edit_config(servers, voters, observers),
            Action::Oracle { server, grants } => self.set_oracle(server, grants),
            Action::OpenClient { client, servers, timeout_ms, chroot, raw } => {
                self.open_by_action(client, servers, timeout_ms, chroot, raw)
            }
            outside @ Action::ConnectOutside { .. } => self.connect_outside(outside),
            Action::Ping { client } => {
                self.fit(client, Client::has_connection, ActionRefusal::NoConnection { client })?;
                self.with_client(client, Client::ping)
            }
            Action::Ask { client, request, watcher, local, on_old_connection } => {
                let call = Call { request, watcher, local, on_old_connection };
                self.with_client(client, |library, now, out| {
                    library.call(now, call, out);
                })
            }
            Action::AddAuth { client, scheme, auth } => {
                self.fit(client, |library| !library.is_over(), ActionRefusal::ClientOver { client })?;
                self.with_client(client, |library, now, out| library.add_auth(now, &scheme, auth.as_deref(), out))
            }
            Action::CloseClient { client } => {
                self.fit(client, Client::may_close, ActionRefusal::ClientOver { client })?;
                self.with_client(client, Client::close)
            }
            Action::DisconnectClient { client } => {
                self.fit(client, Client::has_connection, ActionRefusal::NoConnection { client })?;
                self.with_client(client, Client::disconnect)
            }
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

    fn crash(&mut self, server: ServerId, how: Death) -> Result<(), ActionRefusal> {
        self.expect(server, &[Status::Running, Status::Paused])?;
        self.fact(WorldFact::Crashed { server, how });
        self.kill(server, Some(how));
        Ok(())
    }

    fn cut_between(&mut self, from: ServerSet, to: ServerSet, one_way: bool, cut: bool) -> Result<(), ActionRefusal> {
        let before = self.network.cut_links().len();
        self.each_link(from, to, one_way, |world, from, to| world.cut(from.into(), to.into(), cut))?;
        self.links_changed(before, cut)
    }

    fn heal_all(&mut self) -> Result<(), ActionRefusal> {
        let before = self.network.cut_links().len();
        let all: ServerSet = self.processes.keys().copied().collect();
        self.each_link(all, all, true, |world, from, to| world.cut(from.into(), to.into(), false))?;
        self.heal_clients();
        self.links_changed(before, false)
    }

    /// Refuses what has changed no link: as many are cut as before.
    pub(super) fn links_changed(&self, before: usize, cut: bool) -> Result<(), ActionRefusal> {
        match self.network.cut_links().len() == before {
            true => Err(ActionRefusal::LinksAreSo { cut }),
            false => Ok(()),
        }
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
            process.machine.host_mut().wipe();
            process.disk.fault = DiskFault::None;
        }
        self.fact(WorldFact::DiskWiped { server });
        Ok(())
    }

    fn back_up_disk(&mut self, server: ServerId) -> Result<(), ActionRefusal> {
        self.expect(server, &[Status::Running, Status::Paused, Status::Crashed])?;
        if let Some(process) = self.processes.get_mut(&server) {
            process.machine.host_mut().back_up();
        }
        self.fact(WorldFact::DiskBackedUp { server });
        Ok(())
    }

    fn restore_backup(&mut self, server: ServerId) -> Result<(), ActionRefusal> {
        self.expect(server, &[Status::Crashed])?;
        let process = self.processes.get_mut(&server);
        if !process.is_some_and(|process| process.machine.host_mut().restore_backup()) {
            return Err(ActionRefusal::NoBackup { server });
        }
        self.fact(WorldFact::BackupRestored { server });
        Ok(())
    }

    fn restart(&mut self, server: ServerId) -> Result<(), ActionRefusal> {
        self.expect(server, &[Status::Crashed]).map(|()| self.start(server))
    }

    fn delay_packet(&mut self, packet: PacketRef, us: Micros) -> Result<(), ActionRefusal> {
        match self.network.delay(packet, us) {
            true => Ok(()),
            false => Err(ActionRefusal::PacketSent { packet }),
        }
    }

    fn delay_disk(&mut self, server: ServerId, what: DiskOpName, us: Micros) -> Result<(), ActionRefusal> {
        match self.processes.get_mut(&server).map(|process| process.disk.delay(what, us)) {
            Some(true) => Ok(()),
            Some(false) => Err(ActionRefusal::DiskOpBegun { server, what }),
            None => Err(ActionRefusal::NoSuchServer { server }),
        }
    }

    fn jump_clock(&mut self, server: ServerId, ms: i64) -> Result<(), ActionRefusal> {
        let Some(process) = self.processes.get_mut(&server) else {
            return Err(ActionRefusal::NoSuchServer { server });
        };
        process.clock_ahead_ms = process.clock_ahead_ms.saturating_add(ms);
        self.fact(WorldFact::ClockJumped { server, ms });
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
        // looked at now and then: counting takes longer than writing
        if self.next_write.is_multiple_of(WRITES_A_LOOK) && self.network.packets() > MAX_PACKETS {
            return Err(ActionRefusal::TooManyPackets { most: MAX_PACKETS });
        }
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

    pub(super) fn expect(&self, server: ServerId, allowed: &[Status]) -> Result<(), ActionRefusal> {
        let status = self.process(server)?.status;
        match allowed.contains(&status) {
            true => Ok(()),
            false => Err(ActionRefusal::WrongStatus { server, status }),
        }
    }

    /// Does something to each link between two groups, in one direction or both; a server has no link to itself.
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

    fn set_disk_speed(&mut self, server: ServerId, sync: LatencyRange) -> Result<(), ActionRefusal> {
        self.process(server)?;
        if let Some(process) = self.processes.get_mut(&server) {
            process.disk.sync = sync;
        }
        self.fact(WorldFact::DiskSpeedSet { server, sync });
        Ok(())
    }

    fn set_disk_fault(&mut self, server: ServerId, fault: DiskFault) -> Result<(), ActionRefusal> {
        let process = self.processes.get_mut(&server).ok_or(ActionRefusal::NoSuchServer { server })?;
        if process.disk.fault == fault {
            return Err(ActionRefusal::DiskIsSo { server, fault });
        }
        process.disk.fault = fault;
        self.fact(WorldFact::DiskFaultSet { server, fault });
        Ok(())
    }

    fn write(&mut self, server: ServerId, data: &str) {
        let number = self.next_write;
        self.next_write += 1;
        self.fact(WorldFact::WriteAsked { server, write: number, data: data.to_string() });
        let status = self.processes.get(&server).map(|process| process.status);
        match status {
            Some(Status::Running) => self.input(server, Input::Write(number, data.to_string())),
            // an operator reaches the files of a machine whose process is dead
            Some(Status::Crashed)
                if self.processes.get_mut(&server).is_some_and(|it| it.machine.host_mut().edit(data)) => {}
            _ => {
                self.fact(WorldFact::WriteFailed { server, write: number, reason: RefusalReason::ServerDown });
            }
        }
    }

    /// A new server with an empty disk. Its own file names the ensemble as it is, and itself; nobody else's names it. So it follows,
    /// and has no vote until the ensemble is reconfigured.
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
        let mut file = Members { version: Zxid::ZERO, ..self.members };
        match observer {
            true => file.observers.insert(server) && self.members.observers.insert(server),
            false => file.voters.insert(server),
        };
        self.add_machine(server, self.zookeeper(server, file));
        self.fact(WorldFact::Added { server, observer });
        self.start(server);
        Ok(())
    }

    /// Changes what an oracle says. A server reads its file when it needs the oracle.
    fn set_oracle(&mut self, server: ServerId, grants: bool) -> Result<(), ActionRefusal> {
        let process = self.processes.get_mut(&server).ok_or(ActionRefusal::NoSuchServer { server })?;
        let files = process.files_mut().filter(|files| files.oracle.is_some());
        files.ok_or(ActionRefusal::NoOracle { server })?.oracle = Some(grants);
        self.fact(WorldFact::OracleSet { server, grants });
        Ok(())
    }

    /// Changes the files of servers by hand. A running server reads its file when it starts again.
    fn edit_config(
        &mut self,
        servers: ServerSet,
        voters: ServerSet,
        observers: ServerSet,
    ) -> Result<(), ActionRefusal> {
        for server in servers.iter() {
            self.process(server)?;
        }
        for server in servers.iter() {
            if let Some(Machine::ZooKeeper(machine)) = self.processes.get_mut(&server).map(|it| &mut it.machine) {
                machine.edit_config(voters, observers);
                self.fact(WorldFact::ConfigEdited { server, voters, observers });
            }
        }
        Ok(())
    }
}
