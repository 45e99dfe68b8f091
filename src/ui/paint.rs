//! Draws one moment on the canvas: links, queues, packets. Called once a frame at most; reads no layout, asks the browser
//! for nothing.

use web_sys::CanvasRenderingContext2d;

use crate::base::MsgId;
use crate::view::{Chip, ClientFace, ClientView, Layout, LinkView, PacketView, Part, Point, Queue, Scene, Shape};

use super::canvas_ink::set_dashes;
use super::shapes::{outline, pill_width};
use crate::view::Palette;

/// A canvas with its colours.
pub(super) struct Painting<'a> {
    pub ctx: &'a CanvasRenderingContext2d,
    pub palette: &'a Palette,
    pub ratio: f64,
    pub slow: &'a str,
}

impl Painting<'_> {
    /// Draws everything.
    pub fn draw(&self, layout: &Layout, scene: &Scene, packets: &[PacketView], chosen: Option<MsgId>) {
        let _ = self.ctx.set_transform(self.ratio, 0.0, 0.0, self.ratio, 0.0, 0.0);
        self.ctx.clear_rect(0.0, 0.0, layout.width, layout.height);
        for link in scene.links.iter().filter(|link| !link.strong) {
            self.link(layout, link);
        }
        for link in scene.links.iter().filter(|link| link.strong) {
            self.link(layout, link);
        }
        for client in &scene.clients {
            self.client(layout, client);
        }
        for client in &scene.clients {
            self.waiting(layout, client);
        }
        for queue in &scene.queues {
            self.queue(layout, queue);
        }
        self.packets(layout, packets, chosen);
    }

    fn link(&self, layout: &Layout, link: &LinkView) {
        let (start, end) = layout.segment(link.a, link.b);
        let colour = if link.strong { &self.palette.strong } else { &self.palette.line };
        self.ctx.set_stroke_style_str(colour);
        self.ctx.set_line_width(if link.strong { 2.4 } else { 1.2 });
        let dash = if link.slow { [3.0, 6.0] } else { [8.0, 0.0] };
        self.dashes(&dash);
        self.ctx.set_global_alpha(if link.dead { 0.45 } else { 1.0 });
        self.line(start, end);
        self.dashes(&[]);
        self.ctx.set_global_alpha(1.0);
        if !link.is_open() {
            self.cut(layout, link, start, end);
        } else if link.slow {
            let at = layout.handle(link.a, link.b);
            self.text(self.slow, Point::new(at.x + 12.0, at.y - 12.0), 12.0, &self.palette.soft, "left");
        }
    }

    /// The line from a client to its server: dashed while it only tries, thin where there are many.
    fn client(&self, layout: &Layout, client: &ClientView) {
        let Some((server, holds)) = client.line().filter(|_| layout.seat_of(client.id).is_some()) else { return };
        let (start, end) = layout.segment(client.id, server);
        let many = layout.chip == Chip::Dot;
        self.ctx.set_stroke_style_str(&self.palette.strong);
        self.ctx.set_line_width(if many { 0.8 } else { 1.5 });
        self.ctx.set_global_alpha(if many || client.face == ClientFace::Paused { 0.55 } else { 1.0 });
        self.dashes(if holds { &[] } else { &[2.0, 5.0] });
        self.line(start, end);
        self.dashes(&[]);
        self.ctx.set_global_alpha(1.0);
    }

    /// An arrow from a client that waits to the one whose node it watches.
    fn waiting(&self, layout: &Layout, client: &ClientView) {
        let Some(Part::Waits { behind: Some(other), .. }) = client.part else { return };
        if layout.seat_of(client.id).is_none() || layout.seat_of(other).is_none() {
            return;
        }
        let (start, end) = layout.segment(client.id, other);
        let many = layout.chip == Chip::Dot;
        self.ctx.set_stroke_style_str(&self.palette.focus);
        self.ctx.set_fill_style_str(&self.palette.focus);
        self.ctx.set_line_width(if many { 1.0 } else { 1.8 });
        self.ctx.set_global_alpha(if many { 0.5 } else { 0.9 });
        self.line(start, end);
        self.arrow_head(start, end, if many { 5.0 } else { 9.0 });
        self.ctx.set_global_alpha(1.0);
    }

    /// The head of an arrow that ends there.
    fn arrow_head(&self, start: Point, end: Point, size: f64) {
        let (dx, dy) = (end.x - start.x, end.y - start.y);
        let length = dx.hypot(dy).max(1.0);
        let (ux, uy) = (dx / length * size, dy / length * size);
        self.ctx.begin_path();
        self.ctx.move_to(end.x, end.y);
        self.ctx.line_to(end.x - ux - uy * 0.5, end.y - uy + ux * 0.5);
        self.ctx.line_to(end.x - ux + uy * 0.5, end.y - uy - ux * 0.5);
        self.ctx.fill();
    }

    fn dashes(&self, lengths: &[f64]) {
        set_dashes(self.ctx, lengths);
    }

    fn line(&self, start: Point, end: Point) {
        self.ctx.begin_path();
        self.ctx.move_to(start.x, start.y);
        self.ctx.line_to(end.x, end.y);
        self.ctx.stroke();
    }

    /// A cross where a link is cut; an arrow beside it shows the direction when only one is.
    fn cut(&self, layout: &Layout, link: &LinkView, start: Point, end: Point) {
        let at = layout.handle(link.a, link.b);
        self.ctx.set_fill_style_str(&self.palette.paper);
        self.disc(at, 12.0);
        self.ctx.fill();
        self.ctx.set_stroke_style_str(&self.palette.bad);
        self.ctx.set_line_width(3.0);
        self.ctx.set_line_cap("round");
        self.line(Point::new(at.x - 6.0, at.y - 6.0), Point::new(at.x + 6.0, at.y + 6.0));
        self.line(Point::new(at.x + 6.0, at.y - 6.0), Point::new(at.x - 6.0, at.y + 6.0));
        if link.cut_ab != link.cut_ba {
            let (from, to) = if link.cut_ab { (start, end) } else { (end, start) };
            let length = from.distance(to).max(1.0);
            let (ux, uy) = ((to.x - from.x) / length, (to.y - from.y) / length);
            let (px, py) = (-uy * 17.0, ux * 17.0);
            let tail = Point::new(at.x + px - ux * 12.0, at.y + py - uy * 12.0);
            let tip = Point::new(at.x + px + ux * 12.0, at.y + py + uy * 12.0);
            self.ctx.set_line_width(2.0);
            self.line(tail, tip);
            self.line(Point::new(tip.x - ux * 6.0 - uy * 5.0, tip.y - uy * 6.0 + ux * 5.0), tip);
            self.line(Point::new(tip.x - ux * 6.0 + uy * 5.0, tip.y - uy * 6.0 - ux * 5.0), tip);
        }
        self.ctx.set_line_cap("butt");
    }

    fn disc(&self, at: Point, radius: f64) {
        self.ctx.begin_path();
        let _ = self.ctx.arc(at.x, at.y, radius, 0.0, std::f64::consts::TAU);
    }

    /// The leader's queue to one follower: small squares on the link, at the leader's end, between the lanes.
    fn queue(&self, layout: &Layout, queue: &Queue) {
        const SHOWN: usize = 8;
        let (start, end) = layout.segment(queue.leader, queue.to);
        let length = start.distance(end).max(1.0);
        let (ux, uy) = ((end.x - start.x) / length, (end.y - start.y) / length);
        let room = ((length * 0.4 / 11.0) as usize).clamp(1, layout.density.rows() * 2).min(SHOWN);
        for (index, zxid) in queue.zxids.iter().take(room).enumerate() {
            let along = 12.0 + index as f64 * 11.0;
            let at = Point::new(start.x + ux * along, start.y + uy * along);
            let (fill, _) = self.palette.epoch(Some(zxid.epoch()));
            self.ctx.set_fill_style_str(fill);
            self.ctx.fill_rect(at.x - 4.0, at.y - 4.0, 8.0, 8.0);
        }
        if queue.zxids.len() > room {
            let along = 16.0 + room as f64 * 11.0;
            let at = Point::new(start.x + ux * along, start.y + uy * along + 4.0);
            self.text(&format!("+{}", queue.zxids.len() - room), at, 12.0, &self.palette.soft, "center");
        }
    }

    /// Packets, then as many of their labels as find room.
    fn packets(&self, layout: &Layout, packets: &[PacketView], chosen: Option<MsgId>) {
        let radius = layout.density.packet();
        let mut taken: Vec<(Point, f64)> = packets.iter().map(|packet| (packet.at, radius)).collect();
        for packet in packets {
            self.packet(packet, radius, chosen == Some(packet.msg));
        }
        for packet in packets.iter().filter(|packet| !packet.label.is_empty()) {
            let look = packet.look;
            let half = if look.shape == Shape::Pill { pill_width(look.letter, radius) / 2.0 } else { radius };
            let width = packet.label.chars().count() as f64 * 7.4;
            let middle = beside(packet, half + 5.0 + width / 2.0, radius + 10.0);
            let free = |(other, reach): &(Point, f64)| {
                (other.x - middle.x).abs() > reach + width / 2.0 || (other.y - middle.y).abs() > reach + 4.0
            };
            let middle = inside(layout, packet, middle, width / 2.0);
            if taken.iter().all(free) {
                self.halo(&packet.label, Point::new(middle.x, middle.y + 4.5));
                taken.push((middle, width / 2.0));
            }
        }
    }

    fn packet(&self, packet: &PacketView, radius: f64, chosen: bool) {
        let look = packet.look;
        let (fill, on) = self.palette.epoch(packet.epoch);
        let hollow = look.shape == Shape::Circle || look.shape == Shape::Hexagon;
        if chosen {
            self.ctx.set_stroke_style_str(&self.palette.focus);
            self.ctx.set_line_width(3.0);
            self.disc(packet.at, radius + 7.0);
            self.ctx.stroke();
        }
        outline(self.ctx, look, packet.at, radius);
        self.ctx.set_fill_style_str(if hollow { &self.palette.paper } else { fill });
        self.ctx.fill();
        self.ctx.set_stroke_style_str(if hollow { fill } else { &self.palette.paper });
        self.ctx.set_line_width(if hollow { 2.4 } else { 1.5 });
        self.ctx.stroke();
        if packet.held {
            outline(self.ctx, look, packet.at, radius + 3.0);
            self.ctx.set_stroke_style_str(&self.palette.bad);
            self.ctx.set_line_width(1.5);
            self.dashes(&[3.0, 3.0]);
            self.ctx.stroke();
            self.dashes(&[]);
        }
        let size = if look.shape == Shape::Pill { radius * 0.92 } else { radius * 1.1 };
        let below = if matches!(look.shape, Shape::Triangle | Shape::Bell) { 2.0 } else { 0.0 };
        let at = Point::new(packet.at.x, packet.at.y + size * 0.36 + below);
        self.ctx.set_font(&format!("700 {size}px {}", self.palette.sans));
        self.ctx.set_text_align("center");
        self.ctx.set_fill_style_str(if hollow { &self.palette.ink } else { on });
        let _ = self.ctx.fill_text(look.letter, at.x, at.y);
    }

    /// A label that stays readable over a line.
    fn halo(&self, text: &str, at: Point) {
        self.ctx.set_font(&format!("600 12.5px {}", self.palette.mono));
        self.ctx.set_text_align("center");
        self.ctx.set_stroke_style_str(&self.palette.paper);
        self.ctx.set_line_width(4.0);
        self.ctx.set_line_join("round");
        let _ = self.ctx.stroke_text(text, at.x, at.y);
        self.ctx.set_fill_style_str(&self.palette.ink);
        let _ = self.ctx.fill_text(text, at.x, at.y);
        self.ctx.set_line_join("miter");
    }

    fn text(&self, text: &str, at: Point, size: f64, colour: &str, align: &str) {
        self.ctx.set_font(&format!("600 {size}px {}", self.palette.sans));
        self.ctx.set_text_align(align);
        self.ctx.set_fill_style_str(colour);
        let _ = self.ctx.fill_text(text, at.x, at.y);
    }
}

/// Where a packet's words have their middle: on its side of the link, so that the line does not run through them.
fn beside(packet: &PacketView, across: f64, along: f64) -> Point {
    let (at, aside) = (packet.at, packet.aside);
    match aside.x.abs() > aside.y.abs() {
        true => Point::new(at.x + across.copysign(aside.x), at.y),
        false => Point::new(at.x, at.y + along.copysign(aside.y)),
    }
}

/// The same place, moved so that neither the stage's edge nor the cards at both ends hide the words.
fn inside(layout: &Layout, packet: &PacketView, mut at: Point, half: f64) -> Point {
    at.x = at.x.min(layout.width - half - 2.0).max(half + 2.0);
    for node in [packet.from, packet.to] {
        let (card, (width, height)) = (layout.place(node), layout.size(node));
        let clear = width / 2.0 + half + 4.0;
        if (at.y - card.y).abs() < height / 2.0 + 7.0 && (at.x - card.x).abs() < clear {
            at.x = card.x + clear.copysign(packet.at.x - card.x);
        }
    }
    at
}
