//! The logs beside each other at moments of shipped scenarios.

use super::*;
use crate::scenarios::scenario;
use crate::sim::Player;
use crate::view::Scene;

fn at(id: &str, ms: u64) -> Matrix {
    let mut player = Player::new(scenario(id).unwrap().run()).unwrap();
    let mut summary = RunSummary::default();
    player.run_until(SimTime::from_ms(ms), |_, records| records.iter().for_each(|record| summary.read(record)));
    Scene::of(player.world(), &summary).matrix
}

fn signs(matrix: &Matrix, column: usize) -> Vec<&'static str> {
    matrix.columns[column].cells.iter().map(|cell| cell.map_or("-", |cell| cell.sign())).collect()
}

#[test]
fn a_cut_transaction_keeps_its_column_and_says_that_it_is_lost() {
    let matrix = at("rejoin-trunc", 1_600);
    assert_eq!(signs(&matrix, 2), ["-", "-", "open"]);
    assert_eq!(matrix.columns[2].verdict, Some(Verdict::Open([ServerId(3)].into_iter().collect())));
    assert!(matrix.rows[2].down);
    let matrix = at("rejoin-trunc", 6_000);
    let zxids: Vec<String> = matrix.columns.iter().map(|column| column.zxid.to_string()).collect();
    assert_eq!(zxids, ["1:1", "1:2", "1:3", "2:1", "2:2"]);
    assert_eq!(signs(&matrix, 2), ["-", "-", "lost"]);
    assert!(matches!(matrix.columns[2].verdict, Some(Verdict::Lost(ServerId(3), _))));
    assert_eq!(signs(&matrix, 4), ["applied"; 3]);
}

#[test]
fn what_recovery_commits_is_seen_to_be_kept() {
    let matrix = at("uncommitted-kept", 6_000);
    let kept: Vec<&Column> =
        matrix.columns.iter().filter(|column| column.verdict == Some(Verdict::Kept(2))).collect();
    assert_eq!(kept.iter().map(|column| column.zxid).collect::<Vec<_>>(), [Zxid::new(1, 3)]);
}

#[test]
fn a_new_epoch_stands_behind_the_columns_until_it_has_one() {
    let matrix = at("rejoin-trunc", 3_000);
    let last = *matrix.epochs.last().unwrap();
    assert_eq!((last.epoch, last.leader, last.columns), (2, Some(ServerId(2)), 0));
    let (columns, epochs) = matrix.last(1);
    assert_eq!(
        (columns.len(), epochs.map(|one| (one.from, one.columns)).collect::<Vec<_>>()),
        (1, vec![(0, 1), (1, 0)])
    );
}

#[test]
fn logs_of_terms_stand_beside_each_other_and_what_a_later_leader_deletes_is_seen_to_be_lost() {
    let matrix = at("generation-old-leader", 2_150);
    assert!(matrix.terms && matrix.rows.len() == 3, "without its clients: {matrix:?}");
    let of = |matrix: &Matrix, zxid: Zxid| {
        let column = matrix.columns.iter().position(|column| column.zxid == zxid)?;
        Some((signs(matrix, column), matrix.columns[column].verdict.clone()))
    };
    let (alone, verdict) = of(&matrix, Zxid::new(1, 3)).expect("a write that only the old leader has");
    assert_eq!((alone, verdict), (vec!["logged", "-", "-"], None));
    let reigns: Vec<_> = matrix.epochs.iter().map(|one| (one.epoch, one.leader)).collect();
    assert_eq!(reigns, [(1, Some(ServerId::nth("G", 1))), (2, Some(ServerId::nth("G", 2)))], "{reigns:?}");
    assert_eq!(matrix.rows.iter().filter_map(|row| row.crown).collect::<Vec<_>>(), [Crown::Broken, Crown::Whole]);
    let matrix = at("generation-old-leader", 6_000);
    let (lost, verdict) = of(&matrix, Zxid::new(1, 3)).expect("it keeps its column");
    assert_eq!(lost, ["lost", "-", "-"]);
    assert!(matches!(verdict, Some(Verdict::Lost(server, _)) if server == ServerId::nth("G", 1)), "{verdict:?}");
    assert_eq!(of(&matrix, Zxid::new(2, 4)).map(|(signs, _)| signs), Some(vec!["applied"; 3]));
}

#[test]
fn machines_that_keep_no_common_log_have_no_rows() {
    for id in ["redis-failover", "sql-for-update", "commit-all-yes", "quorum-r1"] {
        assert!(at(id, 1_000).rows.is_empty(), "{id}");
    }
    assert!(!at("zab-beside-2pc", 1_000).terms);
}
