//! English: what is done to a run, as short as a label.

use crate::base::{ServerId, ServerSet};
use crate::i18n::text;
use crate::sim::{Action, DiskFault, LatencyRange, PacketRef};

use super::list;

pub(super) fn action(action: &Action) -> String {
    match action {
        Action::Crash { server } => format!("crash {server}"),
        Action::Kill { server } => format!("kill {server}"),
        Action::PowerOff { server } => format!("power off {server}"),
        Action::Restart { server } => format!("restart {server}"),
        Action::Pause { server } => format!("pause {server}"),
        Action::Resume { server } => format!("resume {server}"),
        Action::Cut { from, to, one_way } => format!("cut {}", between(*from, *to, *one_way)),
        Action::Heal { from, to, one_way } => format!("heal {}", between(*from, *to, *one_way)),
        Action::HealAll => "heal all links".into(),
        Action::CutLinks { links } => format!("cut {}", text::links(links)),
        Action::HealLinks { links } => format!("heal {}", text::links(links)),
        Action::HoldPacket { packet } => format!("hold {}", numbered(packet)),
        Action::ReleasePacket { packet } => format!("release {}", numbered(packet)),
        Action::DropPacket { packet } => format!("drop {} and its connection", numbered(packet)),
        Action::DelayPacket { packet, us } => format!("delay {} by {}", numbered(packet), text::duration(*us)),
        Action::DelayDisk { server, what, us } => {
            format!("delay {what} on the disk of {server} by {}", text::duration(*us))
        }
        Action::ClockJump { server, ms } => format!("clock of {server} {ms:+} ms"),
        Action::FourLetter { server, word, client: None } => format!("{word} to {server}"),
        Action::FourLetter { server, word, client: Some(client) } => format!("{word} from {client} to {server}"),
        Action::Latency { from, to, range } => format!("{} take {}", between(*from, *to, false), span(range)),
        Action::Disk { server, sync } => format!("disk of {server} takes {}", span(sync)),
        Action::DiskFault { server, fault: DiskFault::None } => format!("mend the disk of {server}"),
        Action::DiskFault { server, fault: DiskFault::Full } => format!("fill the disk of {server}"),
        Action::DiskFault { server, fault: DiskFault::Error } => format!("break the disk of {server}"),
        Action::WipeDisk { server } => format!("wipe the disk of {server}"),
        Action::BackUpDisk { server } => format!("back up the disk of {server}"),
        Action::RestoreBackup { server } => format!("restore the backup of {server}"),
        Action::Write { server, data, count: 1, .. } => format!("write {} to {server}", text::quoted(data)),
        Action::Write { server, data, count, .. } => {
            format!("write {} to {server}, {count} times", text::quoted(data))
        }
        Action::Add { server, observer: false } => format!("add {server}"),
        Action::Add { server, observer: true } => format!("add observer {server}"),
        Action::EditConfig { servers, voters, .. } => {
            format!("edit the files of {}: {} vote", list(*servers), list(*voters))
        }
        Action::Oracle { server, grants } => format!("let the oracle of {server} say {}", u8::from(*grants)),
        Action::OpenClient { client, servers, .. } => match servers.as_slice() {
            [] => format!("new client {client}"),
            servers => format!("new client {client} at {}", names(servers)),
        },
        Action::Ask { client, request, .. } => format!("{client} asks: {}", text::quoted(&text::asked(request))),
        Action::AddAuth { client, scheme, .. } => format!("{client} adds an identity ({scheme})"),
        Action::CloseClient { client } => format!("close {client}"),
        Action::KillClient { client } => format!("kill {client}"),
        Action::PauseClient { client } => format!("pause {client}"),
        Action::ResumeClient { client } => format!("resume {client}"),
        Action::DisconnectClient { client } => format!("disconnect {client}"),
        Action::MoveClient { client, to } => format!("move {client} to {}", to.server),
        Action::ExpireClient { client } => format!("expire {client}"),
        Action::ConnectOutside { client, server, name, .. } => match name {
            Some(name) => format!("{client} ({name}) connects to {server} from outside"),
            None => format!("{client} connects to {server} from outside"),
        },
        Action::Ping { client } => format!("{client} pings"),
        Action::SetUpCurator { client, .. } => format!("set up Curator in {client}"),
        Action::MakeRecipe { client, object, recipe } => {
            format!(
                "{client} makes {} ({}) at {}",
                text::quoted(object),
                recipe.kind.name().replace('_', " "),
                text::quoted(&recipe.path)
            )
        }
        Action::RunThread { client, thread, .. } => format!("{client} runs thread {}", thread.0),
        Action::InterruptThread { client, thread } => format!("interrupt thread {} of {client}", thread.0),
    }
}

fn numbered(packet: &PacketRef) -> String {
    format!("packet {} of {} → {}", packet.which, packet.from, packet.to)
}

fn names(servers: &[ServerId]) -> String {
    list(servers.iter().copied().collect())
}

fn between(from: ServerSet, to: ServerSet, one_way: bool) -> String {
    let arrow = if one_way { "→" } else { "–" };
    format!("{} {arrow} {}", list(from), list(to))
}

fn span(range: &LatencyRange) -> String {
    text::range(range, " to ")
}
