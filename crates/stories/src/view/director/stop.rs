//! What is told where a run stands: at a stop, and where the viewer has gone by hand.

use std::rc::Rc;

use crate::base::SimTime;
use crate::sim::{Interest, Record, interest};
use crate::timeline::{RunSummary, Session};

use super::hand::Hand;
use super::{ASKED, DECIDES, RECENT_US, STEP, Told, What, rank, script};

/// What is told where a run stands: what the last step did, or the newest of what was told before; at the beginning, what is promised.
pub fn at_stop(session: &Session) -> Option<Told> {
    stop_of(session, &Hand::at(session))
}

/// The same, for who knows already what a hand has asked for.
pub(super) fn stop_of(session: &Session, hand: &Hand) -> Option<Told> {
    let (world, summary, scenario) = (session.world(), session.run_summary(), session.scenario());
    if session.is_untouched()
        && let Some(scenario) = scenario
    {
        return Some(Told { what: What::Promise(scenario.id), rank: STEP, owner: None, begins: None });
    }
    let here = world.last_facts();
    let first = here.first().map_or(u64::MAX, |record| record.seq);
    if let Some(violation) = session.violations().last().filter(|violation| violation.seq >= first) {
        let what = What::Violation(Box::new(violation.clone()));
        return Some(Told { what, rank: DECIDES, owner: None, begins: None });
    }
    let weight = |record: &Record| match hand.asked(record) {
        Some(_) => ASKED,
        None if script::is_decisive(scenario, record) => DECIDES,
        None => rank(record, scenario),
    };
    let tell = |record: Rc<Record>| {
        let asked = hand.asked(&record).cloned();
        Told::fact(record.clone(), weight(&record), summary).of_request(asked)
    };
    // between two steps nothing has just happened: what counts is what led there
    let landed = here.first().is_none_or(|record| (record.at_us.0 as f64) < session.cursor_us());
    let mut heaviest =
        weightiest(summary, world.now, &weight).filter(|_| landed).map(|record| tell(Rc::new(record.clone())));
    for record in here.iter().filter(|record| !landed && interest(record) != Interest::Noise) {
        let own = weight(record);
        match &mut heaviest {
            Some(told) if told.rank >= own => {
                told.take_in(record);
            }
            _ => heaviest = Some(tell(record.clone())),
        }
    }
    heaviest.or_else(|| {
        let newest = summary.told().find(|record| weight(record) >= STEP)?;
        Some(tell(Rc::new(newest.clone())))
    })
}

/// What matters most of what was told a moment ago; of the same weight, the newest. None where only small steps were told.
fn weightiest<'a>(summary: &'a RunSummary, now: SimTime, weight: &dyn Fn(&Record) -> u8) -> Option<&'a Record> {
    let recent = summary.told().take_while(|record| now.since(record.at_us) <= RECENT_US);
    let heavier = |best: Option<&'a Record>, record: &'a Record| match best {
        Some(best) if weight(best) >= weight(record) => Some(best),
        _ => Some(record),
    };
    recent.fold(None, heavier).filter(|record| weight(record) >= STEP)
}
