//! What happens when servers are started on their disks, in words.

use zabscope_disks::report::Start;

use super::super::{Failure, print};
use crate::i18n::Lang;
use crate::i18n::disks::{advice, lost, other_trees, servers, what, when};

/// The command speaks English.
const LANG: Lang = Lang::En;

pub(super) fn tell(start: &Start) -> Result<(), Failure> {
    print(format_args!("\nWhat happens when they are started, by the rules of ZooKeeper {}", start.zookeeper))?;
    for (choice, judged) in start.choices.iter().enumerate() {
        print(format_args!("  {}", servers(&judged.start)))?;
        for (outcome, told) in judged.outcomes.iter().enumerate() {
            let worst = if start.worst == Some((choice, outcome)) { "  ** the worst **" } else { "" };
            print(format_args!("    {}: {}{worst}", when(LANG, told, judged, start.tried), what(LANG, told)))?;
            told.lost.iter().try_for_each(|one| print(format_args!("      LOST: {}", lost(LANG, one))))?;
            let mut others = told.reigns.iter().filter_map(|reign| other_trees(LANG, reign));
            others.try_for_each(|said| print(format_args!("      TWO TREES: {said}")))?;
        }
    }
    if !start.never.is_empty() {
        let never: Vec<String> = start.never.iter().map(|ids| servers(ids)).collect();
        print(format_args!("  nobody serves: {}", never.join("; ")))?;
    }
    if start.left_out > 0 {
        print(format_args!("  {} choices of fewer servers were not tried", start.left_out))?;
    }
    print(advice(LANG, start))
}
