//! With a page: it plays the run. What happens at the doors goes to it, and what it wants done there comes from it.

use std::collections::VecDeque;
use std::future::pending;

use tokio::sync::mpsc;
use zabscope_live::{Event, Hello, Order};

use crate::cli::{Failure, say};

use super::Signals;
use super::door::Doors;
use super::page::{Page, Pages};

/// Until somebody wants it to end.
pub(super) async fn show(hello: Hello, mut doors: Doors, mut pages: Pages, mut signals: Signals) {
    let (mut events, mut orders) = (None::<mpsc::Sender<Event>>, None::<mpsc::Receiver<Order>>);
    let mut ports = doors.ports();
    // what the page has not taken yet: nothing more is taken from the doors meanwhile
    let mut holds = VecDeque::new();
    loop {
        tokio::select! {
            biased;
            () = signals.next() => return,
            order = wish(&mut orders) => match order {
                Some(order) => {
                    if let Err(Failure::Usage(trouble)) = doors.obey(order).await {
                        say(format_args!("zabscope: {trouble}\n"));
                    }
                    if doors.ports() != ports {
                        ports = doors.ports();
                        holds.push_back(Event::Ports(ports.iter().map(|(server, port)| (*server, *port)).collect()));
                    }
                }
                None => {
                    say("zabscope: the page is gone, and its servers with it\n");
                    (events, orders) = (None, None);
                    holds.clear();
                    doors.close();
                }
            },
            page = pages.next() => match &orders {
                Some(_) => say("zabscope: another page asks for the servers, and is sent away: they are that of one\n"),
                None => {
                    let Page { events: to, orders: from } = page;
                    (events, orders) = (Some(to), Some(from));
                    ports.clear();
                    holds = [Event::Hello(hello.clone())].into();
                }
            },
            room = room(events.clone()), if !holds.is_empty() => {
                if let Some(event) = holds.pop_front() {
                    room.send(event);
                }
            }
            event = doors.next(), if holds.is_empty() => match event {
                event if events.is_some() => holds.push_back(event),
                Event::Opened(guest, _) => doors.forget(guest),
                _ => {}
            },
        }
    }
}

/// What the page wants next; none at its end.
async fn wish(orders: &mut Option<mpsc::Receiver<Order>>) -> Option<Order> {
    match orders {
        Some(orders) => orders.recv().await,
        None => pending().await,
    }
}

/// Room for one more event. Where there is no page any more, that is heard elsewhere.
async fn room(events: Option<mpsc::Sender<Event>>) -> mpsc::OwnedPermit<Event> {
    match events {
        Some(events) => match events.reserve_owned().await {
            Ok(room) => room,
            Err(_) => pending().await,
        },
        None => pending().await,
    }
}
