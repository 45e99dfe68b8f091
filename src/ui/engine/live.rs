//! Programs outside, where `zabscope live` has opened the page: what they say becomes actions of the left run while time runs at its front,
//! and waits while it does not.

use std::collections::{BTreeMap, VecDeque};

use zabscope_live::{Ear, Event, GuestId, Guests, Hello, Host, Order, servers, written};

use crate::base::{ClientId, ServerId, SimTime};
use crate::i18n::page::page;
use crate::sim::{Action, ClientProcess, Run, World};
use crate::timeline::pace::{Speed, speed_named};
use crate::timeline::{Session, Side};
use crate::ui::kit::browser::{lang_of_page, now_ms, wrong_words};

use super::Engine;

/// Where time stands, those who say how long a program goes on waiting are heard so often, ms.
const COUNT_DOWN_MS: u64 = 1_000;

/// Sends a message to whoever has opened the page.
type Sender = Box<dyn Fn(&[u8])>;

/// What the page has of `zabscope live`.
pub(super) struct Live {
    send: Sender,
    guests: Guests,
    ear: Ear,
    /// The next fact to hear, and of which run: another one has other clients.
    heard: u64,
    of: (u64, u64),
    /// What has come while time stood.
    waiting: VecDeque<Event>,
    ports: BTreeMap<ServerId, u16>,
    doors: Vec<(ServerId, bool)>,
    /// When each was last written to, by the page's clock, ms.
    written: BTreeMap<GuestId, u64>,
    ticked: u64,
    counted: u64,
}

/// How it is about programs outside.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::ui) struct LiveView {
    /// Where each server is reached.
    pub ports: Vec<(ServerId, u16)>,
    /// Who is connected, by client and program (`C1 my_lock.py`), with the session's timeout, ms.
    pub clients: Vec<(String, u32)>,
    /// How fast time runs.
    pub speed: Speed,
    /// Who gives up first and when, s of real time, where time stands.
    pub gives_up: Option<(String, u64)>,
    /// Whether the viewer looks at the past.
    pub past: bool,
}

/// The left run, as programs outside are concerned with it.
struct Outside<'a> {
    session: &'a mut Session,
    ear: &'a mut Ear,
    heard: &'a mut u64,
}

impl Outside<'_> {
    /// Hears what has happened since the last time; whether nothing was missed.
    fn listen(&mut self) -> bool {
        let next = self.session.next_seq();
        let mut facts = self.session.facts().shared_from(*self.heard).peekable();
        let whole = *self.heard == next || facts.peek().is_some_and(|first| first.seq == *self.heard);
        for record in facts {
            self.ear.hear(self.session.world(), record);
        }
        *self.heard = next;
        whole
    }
}

impl Host for Outside<'_> {
    fn world(&self) -> &World {
        self.session.world()
    }

    fn act(&mut self, action: Action) -> Result<(), String> {
        let done = self.session.receive(action).map_err(|error| error.to_string());
        self.listen();
        done
    }

    fn ear(&mut self) -> &mut Ear {
        self.ear
    }
}

fn in_real_time(session: &mut Session) {
    session.speed = speed_named("1").unwrap_or(session.speed);
    (session.skip_idle, session.is_live, session.playing) = (false, true, true);
}

fn run_of(session: &Session) -> (u64, u64) {
    (session.beginnings().0, session.forks())
}

impl Live {
    fn new(send: Sender) -> Live {
        Live {
            send,
            guests: Guests::default(),
            ear: Ear::default(),
            heard: 0,
            of: (0, 0),
            waiting: VecDeque::new(),
            ports: BTreeMap::new(),
            doors: Vec::new(),
            written: BTreeMap::new(),
            ticked: 0,
            counted: 0,
        }
    }

    /// Whether something is new for either: what is asked in each frame.
    fn is_owed(&self, session: &Session) -> bool {
        let comes = self.heard != session.next_seq() || (session.playing && !self.waiting.is_empty());
        !session.is_live
            || run_of(session) != self.of
            || (session.is_at_front() && comes)
            || servers(session.world()) != self.doors
    }

    /// The run and its guests tell each other what is new; whether guests were sent away because it is another run.
    fn attend(&mut self, session: &mut Session, now: u64) -> bool {
        session.is_live = true;
        let mut cut = false;
        if run_of(session) != self.of {
            cut = self.send_away(session);
        }
        if session.is_at_front() {
            let Live { guests, ear, heard, .. } = self;
            let mut host = Outside { session: &mut *session, ear, heard };
            if host.listen() {
                guests.hear(&mut host);
            } else {
                cut |= self.send_away(session);
            }
            while session.playing
                && let Some(event) = self.waiting.pop_front()
            {
                let Live { guests, ear, heard, .. } = self;
                guests.take(event, &mut Outside { session: &mut *session, ear, heard });
            }
        }
        self.look_at_doors(session);
        for order in self.guests.take_orders() {
            if let Order::Write(guest, _) = &order {
                self.written.insert(*guest, now);
            }
            if let Order::Close(guest) = &order {
                self.written.remove(guest);
            }
            (self.send)(&written(&order));
        }
        cut
    }

    /// Nobody is a client here: it is another run, or too much of it was missed. Whether somebody had been.
    fn send_away(&mut self, session: &Session) -> bool {
        let somebody = self.guests.clients().len() > 0;
        self.guests.dismiss();
        self.ear = Ear::default();
        (self.heard, self.of) = (session.next_seq(), run_of(session));
        somebody
    }

    fn look_at_doors(&mut self, session: &Session) {
        let doors = servers(session.world());
        if doors != self.doors {
            (self.send)(&written(&Order::Doors(doors.clone())));
            self.doors = doors;
        }
    }

    fn view(&self, session: &Session, now: u64) -> LiveView {
        let timeout = |client: ClientId| session.world().clients.get(&client).map_or(0, |it| it.client.timeout_ms);
        let stands = !session.playing || !session.is_at_front();
        let patience = |(guest, client): (GuestId, ClientId)| {
            // whoever hears nothing for two thirds of its timeout looks for another server (`ClientCnxn.java` `readTimeout`)
            let since = now.saturating_sub(*self.written.get(&guest)?);
            Some(((u64::from(timeout(client)) * 2 / 3).saturating_sub(since).div_ceil(1_000), client))
        };
        let first = self.guests.connections().filter_map(patience).min().filter(|_| stands);
        let name =
            |client: ClientId| session.world().clients.get(&client).map_or(client.to_string(), ClientProcess::title);
        LiveView {
            ports: self.ports.iter().map(|(server, port)| (*server, *port)).collect(),
            clients: self.guests.clients().map(|client| (name(client), timeout(client))).collect(),
            speed: session.chosen_speed(),
            gives_up: first.map(|(seconds, client)| (name(client), seconds)),
            past: !session.is_at_front(),
        }
    }
}

impl Engine {
    /// `zabscope live` is there; what is for it is given to `send`.
    pub(in crate::ui) fn begin_live(&self, send: impl Fn(&[u8]) + 'static) {
        *self.shared.live.borrow_mut() = Some(Live::new(Box::new(send)));
        self.on(Side::Left).notify();
    }

    /// It is not there any more.
    pub(in crate::ui) fn end_live(&self) {
        if self.shared.live.take().is_some() {
            self.on(Side::Left).change(|session| session.is_live = false);
        }
        self.note(Some(page(lang_of_page()).live_ended.into()));
    }

    /// It says something.
    pub(in crate::ui) fn hear_live(&self, event: Event) {
        match event {
            Event::Hello(hello) => self.greet_live(&hello),
            Event::Tick => self.tick_live(),
            Event::Ports(ports) => {
                if let Some(live) = self.shared.live.borrow_mut().as_mut() {
                    live.ports = ports.into_iter().collect();
                }
                self.on(Side::Left).notify();
            }
            event => {
                if let Some(live) = self.shared.live.borrow_mut().as_mut() {
                    live.waiting.push_back(event);
                }
                self.attend_live();
            }
        }
    }

    /// Its run comes on the stage, at the moment at which its doors open.
    fn greet_live(&self, hello: &Hello) {
        let run = Run::from_json(&hello.run);
        let loaded = run.and_then(|run| self.load(run, None));
        if let Err(error) = loaded {
            return self.note(Some(wrong_words(&error)));
        }
        let _ = self.on(Side::Left).change(|session| {
            in_real_time(session);
            session.seek(SimTime::from_ms(hello.at_ms))
        });
        self.attend_live();
    }

    /// Real time passes: no frame comes where nobody sees the page, and programs wait all the same.
    fn tick_live(&self) {
        let now = now_ms();
        let (elapsed, counts) = {
            let mut live = self.shared.live.borrow_mut();
            let Some(live) = live.as_mut() else { return };
            let elapsed = now - std::mem::replace(&mut live.ticked, now).min(now);
            let counts = now - live.counted.min(now) >= COUNT_DOWN_MS && live.guests.clients().len() > 0;
            if counts {
                live.counted = now;
            }
            (elapsed, counts)
        };
        let playing = self.session().playing;
        if self.is_hidden() && playing {
            self.pass(elapsed as f64, now as f64);
            self.attend_live();
        } else if counts && !playing {
            self.on(Side::Left).notify();
        }
    }

    /// The run and the programs outside tell each other what is new.
    pub(super) fn attend_live(&self) {
        let left = self.on(Side::Left);
        let events = left.session().events();
        let cut = {
            let mut live = self.shared.live.borrow_mut();
            let Some(live) = live.as_mut().filter(|live| live.is_owed(&left.session())) else { return };
            self.shared.pair.borrow_mut().change(Side::Left, |session| live.attend(session, now_ms()))
        };
        if left.session().events() != events {
            left.overhear();
            self.wake();
        }
        if cut {
            self.note(Some(page(lang_of_page()).live_cut.into()));
        }
    }

    /// How it is about programs outside; none where the page is not that of `zabscope live`.
    pub(in crate::ui) fn live(&self) -> Option<LiveView> {
        let live = self.shared.live.borrow();
        live.as_ref().map(|live| live.view(&self.on(Side::Left).session(), now_ms()))
    }

    /// Goes where the programs outside are, and on in real time.
    pub(in crate::ui) fn go_on_live(&self) {
        let gone = self.on(Side::Left).change(|session| {
            in_real_time(session);
            if session.is_at_front() { Ok(()) } else { session.seek_event(session.known_events()) }
        });
        if let Err(error) = gone {
            self.note(Some(wrong_words(&error)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;
    use zabscope_ground::wire::{Password, Request, ToClient, ToServer};
    use zabscope_live::jute::{Frames, Incoming, greeted, sent, told};

    use crate::base::{SessionId, Zxid};

    /// An engine with an ensemble that serves, and what it says to the doors.
    fn engine() -> (Engine, Rc<RefCell<Vec<Order>>>) {
        let (engine, orders) = (Engine::new(), Rc::<RefCell<Vec<Order>>>::default());
        let sink = orders.clone();
        engine.begin_live(move |bytes| sink.borrow_mut().push(zabscope_live::read(bytes).unwrap()));
        let run = crate::scenarios::scenario("cold-start-3").unwrap().run();
        engine.hear_live(Event::Hello(Hello { run: run.to_json(), at_ms: 4_000 }));
        (engine, orders)
    }

    fn frame(packet: &ToServer) -> Incoming {
        let mut frames = Frames::of_a_session(1 << 20);
        frames.push(&sent(packet));
        frames.next().unwrap().unwrap()
    }

    fn connect(engine: &Engine, guest: GuestId) {
        let (session, password) = (SessionId::NONE, Password(0));
        let packet =
            ToServer::Connect { last_zxid_seen: Zxid::ZERO, timeout_ms: 6_000, session, password, read_only: false };
        engine.hear_live(Event::Opened(guest, ServerId(2)));
        engine.hear_live(Event::Says(guest, frame(&packet)));
    }

    /// Frames of 20 ms.
    fn pass(engine: &Engine, ms: u64) {
        for frame in 1..=ms / 20 {
            engine.pass(20.0, 20.0 * frame as f64);
            engine.attend_live();
        }
    }

    /// What somebody was written, frame by frame.
    fn written_to(orders: &Rc<RefCell<Vec<Order>>>, guest: GuestId) -> Vec<Vec<u8>> {
        let mut frames = Frames::of_a_session(1 << 20);
        for order in orders.borrow().iter() {
            match order {
                Order::Write(to, bytes) if *to == guest => frames.push(bytes),
                _ => {}
            }
        }
        let next = || match frames.next() {
            Ok(Some(Incoming::Frame(frame))) => Some(frame),
            _ => None,
        };
        std::iter::from_fn(next).collect()
    }

    #[test]
    fn a_program_outside_is_a_client_and_is_answered() {
        let (engine, orders) = engine();
        assert!(orders.borrow().contains(&Order::Doors((1..=3).map(|id| (ServerId(id), true)).collect())));
        connect(&engine, 7);
        pass(&engine, 1_000);
        let greeting = greeted(&written_to(&orders, 7)[0]).unwrap();
        assert!(
            matches!(greeting, ToClient::Connected { session, .. } if session != SessionId::NONE),
            "{greeting:?}"
        );
        let asked = Request::Exists { path: "/".into(), watch: false };
        engine.hear_live(Event::Says(7, frame(&ToServer::Request { xid: 5, request: asked.clone() })));
        pass(&engine, 1_000);
        let answer = told(&written_to(&orders, 7)[1], Some(&asked)).unwrap();
        assert!(matches!(answer, ToClient::Reply { xid: 5, outcome: Ok(_), .. }), "{answer:?}");
        assert_eq!(orders.borrow().iter().filter(|order| **order == Order::Read(7)).count(), 2);
        let view = engine.live().unwrap();
        assert_eq!((view.clients.len(), view.gives_up, view.past), (1, None, false));
        // its server dies: it has no door any more, and whoever was there is gone from it
        engine.change_pair(|pair| pair.act(Action::Crash { server: ServerId(2) })).unwrap();
        pass(&engine, 200);
        assert!(
            orders
                .borrow()
                .iter()
                .any(|order| matches!(order, Order::Doors(doors) if doors[1] == (ServerId(2), false)))
        );
        assert!(orders.borrow().contains(&Order::Close(7)) && engine.live().unwrap().clients.is_empty());
    }

    #[test]
    fn while_time_stands_programs_wait_and_in_another_future_nobody_is_connected() {
        let (engine, orders) = engine();
        connect(&engine, 7);
        pass(&engine, 1_000);
        engine.change(|session| session.playing = false);
        engine.hear_live(Event::Says(7, frame(&ToServer::Ping)));
        let actions = engine.session().actions().len();
        let view = engine.live().unwrap();
        let patience = (u64::from(view.clients[0].1) * 2 / 3).div_ceil(1_000);
        assert!(patience > 0 && view.gives_up == Some(("C1".into(), patience)), "{view:?}");
        engine.change(|session| session.playing = true);
        pass(&engine, 100);
        assert_eq!(engine.session().actions().len(), actions + 1);
        // a look at the past ends nothing
        let at = engine.session().world().now.as_ms();
        engine.change(|session| session.seek(SimTime::from_ms(at - 800))).unwrap();
        engine.attend_live();
        assert!(engine.live().unwrap().past && !orders.borrow().contains(&Order::Close(7)));
        engine.go_on_live();
        engine.attend_live();
        assert!(!engine.live().unwrap().past && !orders.borrow().contains(&Order::Close(7)));
        // a deed there does
        engine.change(|session| session.seek(SimTime::from_ms(at - 800))).unwrap();
        engine.change_pair(|pair| pair.act(Action::Crash { server: ServerId(1) })).unwrap();
        engine.attend_live();
        assert!(orders.borrow().contains(&Order::Close(7)));
        assert!(engine.notice().is_some() && engine.live().unwrap().clients.is_empty());
    }
}
