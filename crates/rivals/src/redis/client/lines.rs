//! A program's connections: each step waits for its answer, for so long, on the connection of its server.

use std::collections::VecDeque;

use crate::base::{ConnId, ServerId};
use crate::daemon::Cx;
use crate::redis::message::Message;

use super::Client;
use super::program::{Step, Timer};

/// A connection to a server, opened when it is needed.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub server: ServerId,
    pub conn: Option<ConnId>,
    open: bool,
    /// Steps without an answer, with their commands.
    pub asked: VecDeque<(Step, Vec<String>)>,
}

impl Line {
    pub(super) fn new(server: ServerId) -> Line {
        Line { server, conn: None, open: false, asked: VecDeque::new() }
    }

    /// Sends a command now, or when the connection is open.
    pub(super) fn ask(&mut self, number: u8, step: Step, args: &[&str], timeout_ms: u64, cx: &mut Cx<Client>) {
        let args: Vec<String> = args.iter().map(|arg| (*arg).into()).collect();
        match self.conn {
            None => self.conn = Some(cx.dial(self.server)),
            Some(conn) if self.open => cx.send(conn, Message::Command { args: args.clone() }),
            Some(_) => {}
        }
        self.asked.push_back((step, args));
        cx.set_timer(Timer::Answer(number), cx.env.now.plus(timeout_ms * 1000));
    }

    /// The connection is open: what was asked is sent.
    pub(super) fn connected(&mut self, cx: &mut Cx<Client>) {
        self.open = true;
        for (_, args) in &self.asked {
            if let Some(conn) = self.conn {
                cx.send(conn, Message::Command { args: args.clone() });
            }
        }
    }

    /// The earliest step is answered.
    pub(super) fn answered(&mut self, number: u8, cx: &mut Cx<Client>) -> Option<(Step, Vec<String>)> {
        let step = self.asked.pop_front();
        if self.asked.is_empty() {
            cx.cancel_timer(Timer::Answer(number));
        }
        step
    }

    /// The connection is over; the steps that will have no answer.
    pub(super) fn over(&mut self, number: u8, hang_up: bool, cx: &mut Cx<Client>) -> Vec<(Step, Vec<String>)> {
        if let Some(conn) = self.conn.take().filter(|_| hang_up) {
            cx.close(conn);
        }
        self.open = false;
        cx.cancel_timer(Timer::Answer(number));
        std::mem::take(&mut self.asked).into()
    }
}
