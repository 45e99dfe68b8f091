//! The ensemble in which transcripts are played.

use std::collections::BTreeMap;

use crate::base::Micros;
use crate::base::limits::MAX_DURATION_US;
use crate::sim::{LatencyRange, Run, Setup};

/// The first of several servers that are started together starts this much earlier, µs.
pub(super) const HEAD_START: Micros = 50_000;

/// The run with which a transcript begins: servers of one machine. Server 3 starts first and has the highest id: it leads. They force
/// nothing to disk (`forceSync=no`), so what two clients ask for at one moment is committed before a third, who is woken by the
/// first of it, has asked again: between the two lie a notification and a request.
pub(super) fn run(properties: &BTreeMap<String, String>, seed: u64) -> Result<Run, String> {
    let mut setup = Setup {
        voters: 3,
        tick_time_ms: 200,
        init_limit: 10,
        sync_limit: 5,
        latency: LatencyRange { min_us: 400, max_us: 600 },
        transmit_us: 5,
        disk_sync: LatencyRange { min_us: 100, max_us: 200 },
        start_us: vec![HEAD_START, HEAD_START, 0],
        extended_types: true,
        ..Setup::default()
    };
    for (property, value) in properties {
        let number = value.parse().map_err(|_| format!("properties.{property}: '{value}' is no number"))?;
        match property.as_str() {
            "znode.container.checkIntervalMs" => setup.container_check_ms = number,
            // there 0 is never, here what the version does by itself
            "znode.container.maxNeverUsedIntervalMs" => {
                setup.max_never_used_ms = if number == 0 { MAX_DURATION_US / 1000 } else { number };
            }
            _ => return Err(format!("properties.{property}: the simulation has no such property")),
        }
    }
    let run = Run::new(seed, setup);
    run.check().map_err(|error| error.to_string())?;
    Ok(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_containers_stay_where_their_time_is_0() {
        for (value, ms) in [("0", 600_000), ("5000", 5_000)] {
            let properties = [("znode.container.maxNeverUsedIntervalMs".to_string(), value.to_string())].into();
            assert_eq!(run(&properties, 1).expect("a run").setup.max_never_used_ms, ms);
        }
    }
}
