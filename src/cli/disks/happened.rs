//! What happened, by servers' own logs, in words.

use zabscope_disks::logs::entry::clock;
use zabscope_disks::logs::story::{Line, Reign, Story};

use super::super::{Failure, print};
use crate::i18n::Lang;
use crate::i18n::disks::{clock_of, server};

/// So many lines that explain a moment are named.
const NAMED: usize = 6;

pub(super) fn tell(story: &Story) -> Result<(), Failure> {
    print("What happened")?;
    for lane in &story.lanes {
        print(format_args!("  {}: {}", server(lane.server), lane.files.join(", ")))?;
    }
    for lane in story.lanes.iter().skip(1) {
        print(format_args!("  {}", clock_of(Lang::En, story, lane)))?;
    }
    story.reigns.iter().try_for_each(|reign| print(format_args!("  {}", led(reign))))?;
    for moment in &story.moments {
        print(format_args!("  {} {}", clock(moment.at), moment.text))?;
        if !moment.lines.is_empty() {
            print(format_args!("               {}", places(&moment.lines)))?;
        }
    }
    if story.left_out > 0 {
        print(format_args!("  {} more that the logs tell are left out", story.left_out))?;
    }
    print("")
}

fn led(reign: &Reign) -> String {
    let epoch = reign.epoch.map_or("no epoch".to_string(), |epoch| format!("epoch {epoch}"));
    format!("{} led {epoch} from {} to {}", server(reign.server), clock(reign.from), clock(reign.to))
}

/// `a/zookeeper.log:12,15; b/zookeeper.log:9`
fn places(lines: &[Line]) -> String {
    let mut text = String::new();
    let mut file = "";
    for line in lines.iter().take(NAMED) {
        if line.file == file {
            text += &format!(",{}", line.number);
        } else {
            let between = if file.is_empty() { "" } else { "; " };
            text += &format!("{between}{}:{}", line.file, line.number);
            file = &line.file;
        }
    }
    if lines.len() > NAMED { text + ", …" } else { text }
}
