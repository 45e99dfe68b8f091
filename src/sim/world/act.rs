//! What actions do to a world.

use crate::base::limits::{MAX_SERVERS, MAX_VOTERS};
use crate::base::{Node, ServerId, ServerSet};
use crate::server::{self, RefusalReason};
use crate::sim::action::{Action, LatencyRange};
use crate::sim::agenda::Choice;
use crate::sim::fact::WorldFact;
use crate::sim::host::Input;
use crate::sim::hosts::Machine;
use crate::sim::process::{Process, Status};
use crate::sim::reasons::ActionRefusal;

use super::World;

impl World {
    pub(super) fn act(&mut self, action: Action) {
        if let Err(reason) = self.try_act(action) {
            self.fact(WorldFact::ActionRefused { reason });
        }
    }

    fn try_act(&mut self, action: Action) -> Result<(), ActionRefusal> {
        match action {
            Action::Crash { server } => {
                self.expect(server, &[Status::Running, Status::Paused])?;
                self.fact(WorldFact::Crashed { server });
                self.kill(server);
            }
            Action::Restart { server } => {
                self.expect(server, &[Status::Crashed])?;
                self.start(server);
            }
            Action::Pause { server } => {
                self.expect(server, &[Status::Running])?;
                self.pause(server);
            }
            Action::Resume { server } => {
                self.expect(server, &[Status::Paused])?;
                self.resume(server);
            }
            Action::Cut { from, to, one_way } => self.each_link(from, to, one_way, |world, from, to| {
                world.cut(from.into(), to.into(), true);
            })?,
            Action::Heal { from, to, one_way } => self.each_link(from, to, one_way, |world, from, to| {
                world.cut(from.into(), to.into(), false);
            })?,
            Action::HealAll => {
                let all: ServerSet = self.processes.keys().copied().collect();
                self.each_link(all, all, true, |world, from, to| world.cut(from.into(), to.into(), false))?;
                self.heal_clients();
            }
            Action::CutLinks { links } => self.set_links(&links, true)?,
            Action::HealLinks { links } => self.set_links(&links, false)?,
            Action::HoldPacket { packet } => self.hold_packet(packet)?,
            Action::ReleasePacket { packet } => self.release_packet(packet)?,
            Action::DropPacket { packet } => self.drop_packet(packet)?,
            Action::Latency { from, to, range } => self.each_link(from, to, false, |world, from, to| {
                let (from, to) = (Node::Server(from), Node::Server(to));
                world.network.link_mut(from, to).latency = range;
                world.fact(WorldFact::LatencySet { from, to, range });
            })?,
            Action::Disk { server, sync } => self.set_disk_speed(server, sync)?,
            Action::WipeDisk { server } => {
                self.expect(server, &[Status::Crashed])?;
                if let Some(process) = self.processes.get_mut(&server) {
                    process.machine.host_mut().wipe();
                }
                self.fact(WorldFact::DiskWiped { server });
            }
            Action::Write { server, data, count, every_us } => {
                self.process(server)?;
                self.write(server, &data);
                if count > 1 {
                    let again = self.keep(Action::Write { server, data, count: count - 1, every_us });
                    self.agenda.set(Choice::Repeat(again), self.now.plus(every_us));
                }
            }
            Action::Add { server, observer } => self.add(server, observer)?,
            action => return self.act_on_client(action),
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
        match self.processes.get(&server).is_some_and(Process::is_running) {
            true => self.input(server, Input::Write(number, data.to_string())),
            false => {
                self.fact(WorldFact::WriteFailed { server, write: number, reason: RefusalReason::ServerDown });
            }
        }
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
        self.add_machine(server, self.zookeeper());
        self.fact(WorldFact::Added { server, observer });
        let members = self.members;
        let others: Vec<ServerId> = self.processes.keys().copied().collect();
        for other in others {
            if let Some(Machine::ZooKeeper(server)) = self.processes.get_mut(&other).map(|it| &mut it.machine) {
                server.members = members;
            }
            self.input(other, Input::Server(server::Input::Members(members)));
        }
        self.start(server);
        Ok(())
    }
}
