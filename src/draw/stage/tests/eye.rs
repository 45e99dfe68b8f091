//! What recedes, and what moves.

use std::rc::Rc;

use super::*;
use crate::base::{Node, Zxid};
use crate::scenarios::Cast;
use crate::view::{Eye, Face, Focus, Motion};
use crate::zab::Phase;

fn server(id: u8) -> ServerId {
    ServerId(id)
}

/// The ground and what lies above the cards, for an eye.
fn layers(session: &Session, eye: &Eye) -> (String, String) {
    let (mut layout, scene) = stage(session, (1_000.0, 700.0));
    let run = (session.player(), session.run_summary());
    figure::lay_out(&mut layout, run, Cast::Ensemble, (1_000.0, 700.0), false);
    let palette = palette(false);
    let picture = Picture {
        palette: &palette,
        words: &Plain,
        layout: &layout,
        scene: &scene,
        packets: &[],
        chosen: None,
        marked: None,
        eye: Some(eye),
    };
    let drawn = |draw: &dyn Fn(&mut dyn Surface)| {
        let mut svg = Svg::new(layout.width, layout.height);
        draw(&mut svg);
        svg.elements()
    };
    (drawn(&|surface| picture.ground(surface)), drawn(&|surface| picture.above(surface)))
}

fn moving(motion: Motion, h: f64) -> Eye {
    Eye { motion: Some((Rc::new(motion), h)), ..Eye::default() }
}

#[test]
fn what_a_sentence_is_not_about_is_drawn_in_pale_inks_and_letters_stay_soft() {
    let session = at("leader-crash-under-load", 1_081);
    let palette = palette(false);
    let stroke = |colour: &str| format!("stroke=\"{colour}\" stroke-width=\"2.4\"");
    let (full, _) = layers(&session, &Eye::default());
    assert!(full.contains(&stroke(&palette.strong)) && !full.contains(&stroke(&palette.dim().strong)));
    let focus = Focus { servers: [server(1), server(3)].into_iter().collect(), ..Focus::default() };
    let (half, _) = layers(&session, &Eye { focus: Some(Rc::new(focus)), ..Eye::default() });
    assert!(half.contains(&stroke(&palette.strong)), "the link between both");
    assert!(half.contains(&stroke(&palette.dim().strong)), "the link to the third");
    let clear = |ground: &str| ground.matches("opacity").count();
    assert!(clear(&half) <= clear(&full), "mixed with the ground, not seen through");
    // one transaction is named: only its column is in full ink
    let zxid = Zxid::new(1, 11);
    let one = Focus {
        servers: [server(1), server(2), server(3)].into_iter().collect(),
        zxids: vec![zxid],
        ..Focus::default()
    };
    let (column, _) = layers(&session, &Eye { focus: Some(Rc::new(one)), ..Eye::default() });
    let head = |text: &str, colour: &str| format!("fill=\"{colour}\">{text}</text>");
    assert!(column.contains(&head("1:11", &palette.ink)) && column.contains(&head("1:10", &palette.soft)));
    assert!(full.contains(&head("1:10", &palette.ink)));
    // what is committed stays as committed as it is: a paler square means something else
    let committed = |ground: &str| ground.matches(&format!("fill=\"{}\"/>", palette.epochs[0].0)).count();
    assert_eq!(committed(&column), committed(&full));
    assert!(committed(&full) > 10);
}

#[test]
fn links_that_nobody_needs_are_not_drawn_until_somebody_votes() {
    let lines = |ms| {
        let session = at("cold-start-5", ms);
        let (layout, scene) = stage(&session, (900.0, 500.0));
        let quiet = scene.links.iter().filter(|link| link.is_quiet()).count();
        let rings = rings_of(&layout, &scene);
        assert_eq!(rings + quiet, scene.links.len());
        let following = scene
            .cards
            .iter()
            .filter(|card| card.face == Face::Following && card.phase == Some(Phase::Broadcast))
            .count();
        (quiet, following)
    };
    assert_eq!(lines(300).0, 0, "they vote");
    let (quiet, following) = lines(3_000);
    assert!(following > 2 && quiet == following * (following - 1) / 2, "{quiet} between {following}");
}

#[test]
fn every_motion_is_drawn_so_far_as_it_is_and_leaves_nothing_behind() {
    let truncated = at("rejoin-trunc", 3_776);
    let partition = {
        let mut session = at("cold-start-5", 2_000);
        let side = |ids: &[u8]| ids.iter().copied().map(ServerId).collect::<ServerSet>();
        session.act(Action::Cut { from: side(&[1]), to: side(&[5]), one_way: false }).unwrap();
        session
    };
    let loaded = at("leader-crash-under-load", 1_081);
    let lost = truncated.run_summary().losses().last().cloned().expect("it was cut");
    let known = |session: &Session| {
        let columns = stage(session, (1_000.0, 700.0)).1.matrix.columns;
        let whole = |cell: &Option<crate::view::Square>| cell.is_some_and(|cell| cell.sign() == "applied");
        columns.iter().rev().find(|column| column.cells.iter().all(whole)).expect("one is committed").zxid
    };
    let cases = [
        (&truncated, Motion::Forgotten(lost.1, lost.2)),
        (&partition, Motion::Torn(vec![(server(1), server(5))])),
        (&loaded, Motion::Committed(vec![known(&loaded)], vec![server(3), server(1), server(2)])),
        (&loaded, Motion::Elected(server(3), Some(server(1)))),
        (&loaded, Motion::Established(server(3))),
        (&loaded, Motion::Deposed(server(3))),
    ];
    for (session, motion) in cases {
        let seen = [0.1, 0.45, 0.8].map(|h| layers(session, &moving(motion.clone(), h)));
        let again = layers(session, &moving(motion.clone(), 0.45));
        assert_eq!(seen[1], again, "{motion:?}: of how far it is alone");
        assert!(seen.iter().all(|(_, above)| !above.is_empty() && !above.contains("NaN")), "{motion:?}");
        assert!(seen[0].1 != seen[1].1 && seen[1].1 != seen[2].1, "{motion:?} stands still");
        assert_eq!(seen[0].0, seen[2].0, "{motion:?}: the ground is drawn once");
        let (ground, above) = layers(session, &moving(motion.clone(), 1.0));
        assert!(above.is_empty(), "{motion:?} is over");
        assert_eq!(ground, layers(session, &Eye::default()).0, "{motion:?}");
        assert!(ground != seen[0].0, "{motion:?}: what moves is not drawn twice");
    }
}

#[test]
fn the_ground_is_drawn_anew_when_a_motion_begins_and_ends_and_not_in_between() {
    let (layout, scene) = stage(&at("leader-crash-under-load", 1_081), (900.0, 500.0));
    let of = |h| moving(Motion::Established(server(3)), h);
    let ground = Ground::of(&layout, &scene, Some(&of(0.1)));
    assert!(ground.is_of(&layout, &scene, Some(&of(0.7))));
    assert!(!ground.is_of(&layout, &scene, Some(&of(1.0))));
    assert!(Ground::of(&layout, &scene, Some(&of(1.0))).is_of(&layout, &scene, Some(&Eye::default())));
    let pointed = Eye { pointed: Some((Node::Server(server(1)), Node::Server(server(2)))), ..Eye::default() };
    assert!(Ground::of(&layout, &scene, Some(&Eye::default())).is_of(&layout, &scene, Some(&pointed)));
}
