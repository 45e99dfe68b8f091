//! Runs and actions from JSON, as they are written: what is left out has its default, and nothing else may be there.

use crate::base::json::{Fields, Json, Read, ReadError, ValueError, deserialize_as_read};

use crate::recipes::ThreadId;

use super::action::{Action, LatencyRange, MoveTo, PacketRef, TimedAction, Which};
use super::run::{Run, Setup};

deserialize_as_read!(Action, Setup);

impl Read for Run {
    fn read(json: Json) -> Result<Run, ReadError> {
        let mut fields = json.fields()?;
        let run = Run {
            version: fields.need("version")?,
            seed: fields.or("seed", 0)?,
            setup: fields.or("setup", Setup::default())?,
            actions: fields.or("actions", Vec::new())?,
        };
        fields.end().map(|()| run)
    }
}

impl Read for Setup {
    fn read(json: Json) -> Result<Setup, ReadError> {
        let mut setup = Setup::default();
        setup.change(json.fields()?).map(|()| setup)
    }
}

impl Setup {
    /// Changes what the fields name.
    pub(super) fn change(&mut self, mut to: Fields) -> Result<(), ReadError> {
        to.set("voters", &mut self.voters)?;
        to.set("observers", &mut self.observers)?;
        to.set("tick_time_ms", &mut self.tick_time_ms)?;
        to.set("init_limit", &mut self.init_limit)?;
        to.set("sync_limit", &mut self.sync_limit)?;
        to.set("snap_count", &mut self.snap_count)?;
        to.set("commit_log_count", &mut self.commit_log_count)?;
        to.set("snapshot_size_factor", &mut self.snapshot_size_factor)?;
        to.set("counter_limit", &mut self.counter_limit)?;
        to.set("latency", &mut self.latency)?;
        to.set("transmit_us", &mut self.transmit_us)?;
        to.set("disk_sync", &mut self.disk_sync)?;
        to.set("start_us", &mut self.start_us)?;
        to.set("crash_keeps_prefix", &mut self.crash_keeps_prefix)?;
        to.set("container_check_ms", &mut self.container_check_ms)?;
        to.set("max_never_used_ms", &mut self.max_never_used_ms)?;
        to.set("extended_types", &mut self.extended_types)?;
        to.set("rules", &mut self.rules)?;
        to.end()
    }
}

impl Read for LatencyRange {
    fn read(json: Json) -> Result<LatencyRange, ReadError> {
        let mut fields = json.fields()?;
        let range = LatencyRange { min_us: fields.need("min_us")?, max_us: fields.need("max_us")? };
        fields.end().map(|()| range)
    }
}

impl Read for TimedAction {
    fn read(json: Json) -> Result<TimedAction, ReadError> {
        let mut fields = json.fields()?;
        Ok(TimedAction { at_us: fields.need("at_us")?, action: action(fields)? })
    }
}

impl Read for Action {
    fn read(json: Json) -> Result<Action, ReadError> {
        action(json.fields()?)
    }
}

fn action(mut from: Fields) -> Result<Action, ReadError> {
    let name: String = from.need("do")?;
    let action = match to_servers(&name, &mut from)? {
        Some(action) => action,
        None => to_client(&name, &mut from)?.ok_or_else(|| ReadError::unknown("do", &name))?,
    };
    from.end().map(|()| action)
}

fn to_servers(name: &str, from: &mut Fields) -> Result<Option<Action>, ReadError> {
    Ok(Some(match name {
        "crash" => Action::Crash { server: from.need("server")? },
        "restart" => Action::Restart { server: from.need("server")? },
        "pause" => Action::Pause { server: from.need("server")? },
        "resume" => Action::Resume { server: from.need("server")? },
        "cut" => Action::Cut { from: from.need("from")?, to: from.need("to")?, one_way: from.or("one_way", false)? },
        "heal" => {
            Action::Heal { from: from.need("from")?, to: from.need("to")?, one_way: from.or("one_way", false)? }
        }
        "heal_all" => Action::HealAll,
        "cut_links" => Action::CutLinks { links: from.need("links")? },
        "heal_links" => Action::HealLinks { links: from.need("links")? },
        "hold_packet" => Action::HoldPacket { packet: packet(from)? },
        "release_packet" => Action::ReleasePacket { packet: packet(from)? },
        "drop_packet" => Action::DropPacket { packet: packet(from)? },
        "delay_packet" => Action::DelayPacket { packet: packet(from)?, us: from.need("us")? },
        "delay_disk" => {
            Action::DelayDisk { server: from.need("server")?, what: from.need("what")?, us: from.need("us")? }
        }
        "clock_jump" => Action::ClockJump { server: from.need("server")?, ms: from.need("ms")? },
        "latency" => Action::Latency { from: from.need("from")?, to: from.need("to")?, range: from.need("range")? },
        "disk" => Action::Disk { server: from.need("server")?, sync: from.need("sync")? },
        "wipe_disk" => Action::WipeDisk { server: from.need("server")? },
        "write" => Action::Write {
            server: from.need("server")?,
            data: from.need("data")?,
            count: from.or("count", 1)?,
            every_us: from.or("every_us", 0)?,
        },
        "add" => Action::Add { server: from.need("server")?, observer: from.or("observer", false)? },
        _ => return Ok(None),
    }))
}

fn packet(from: &mut Fields) -> Result<PacketRef, ReadError> {
    let which = match (from.or("nth", None)?, from.or("what", None)?) {
        (Some(nth), None) => Which::Nth(nth),
        (None, Some(name)) => Which::Name(name),
        _ => return Err(ReadError::new(ValueError::OneOf { fields: &["nth", "what"] })),
    };
    Ok(PacketRef { from: from.need("from")?, to: from.need("to")?, which })
}

fn to_client(name: &str, from: &mut Fields) -> Result<Option<Action>, ReadError> {
    Ok(Some(match name {
        "open_client" => Action::OpenClient {
            client: from.need("client")?,
            servers: from.or("servers", Vec::new())?,
            timeout_ms: from.or("timeout_ms", 4_000)?,
            chroot: from.or("chroot", None)?,
            raw: from.or("raw", false)?,
        },
        "ask" => Action::Ask {
            client: from.need("client")?,
            request: from.need("request")?,
            watcher: from.or("watcher", None)?,
            local: from.or("local", false)?,
            on_old_connection: from.or("on_old_connection", false)?,
        },
        "add_auth" => {
            Action::AddAuth { client: from.need("client")?, scheme: from.need("scheme")?, auth: from.need("auth")? }
        }
        "close_client" => Action::CloseClient { client: from.need("client")? },
        "kill_client" => Action::KillClient { client: from.need("client")? },
        "pause_client" => Action::PauseClient { client: from.need("client")? },
        "resume_client" => Action::ResumeClient { client: from.need("client")? },
        "disconnect_client" => Action::DisconnectClient { client: from.need("client")? },
        "move_client" => Action::MoveClient {
            client: from.need("client")?,
            to: MoveTo {
                server: from.need("server")?,
                wrong_password: from.or("wrong_password", false)?,
                claim_ahead: from.or("claim_ahead", false)?,
                keep_old: from.or("keep_old", false)?,
            },
        },
        "expire_client" => Action::ExpireClient { client: from.need("client")? },
        _ => return to_program(name, from),
    }))
}

fn to_program(name: &str, from: &mut Fields) -> Result<Option<Action>, ReadError> {
    Ok(Some(match name {
        "set_up_curator" => Action::SetUpCurator { client: from.need("client")?, config: from.need("config")? },
        "make_recipe" => Action::MakeRecipe {
            client: from.need("client")?,
            object: from.need("object")?,
            recipe: from.need("recipe")?,
        },
        "run_thread" => Action::RunThread {
            client: from.need("client")?,
            thread: from.or("thread", ThreadId::MAIN)?,
            script: from.need("script")?,
        },
        "interrupt_thread" => {
            Action::InterruptThread { client: from.need("client")?, thread: from.or("thread", ThreadId::MAIN)? }
        }
        _ => return Ok(None),
    }))
}
