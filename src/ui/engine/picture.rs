//! What the page shows of the moment: where cards stand, what stands there, and who draws it.

use std::cell::{Cell, Ref};
use std::rc::Rc;

use crate::base::{MsgId, ServerId};
use crate::draw::layout::seats;
use crate::draw::surface::Surface;
use crate::draw::{Layout, PacketView, Palette};
use crate::timeline::Session;
use crate::view::Scene;

use super::Engine;

/// The entry of the legend whose objects are brought out, for all who ask.
pub(in crate::ui) type Mark = Rc<Cell<Option<&'static str>>>;

/// What a painter draws.
pub(in crate::ui) struct Moment<'a> {
    pub layout: &'a Layout,
    pub scene: &'a Scene,
    pub packets: &'a [PacketView],
    /// The packet that is looked at.
    pub chosen: Option<MsgId>,
    /// Pixels of the screen to a CSS pixel.
    pub ratio: f64,
    /// Layout and scene may be others than in the frame before.
    pub fresh: bool,
}

/// Draws one moment.
pub(in crate::ui) type Painter = Box<dyn Fn(&Moment<'_>)>;

/// Draws the run over time, in the stage's place.
pub(in crate::ui) type DiagramPainter = Box<dyn Fn(&Session)>;

/// Draws a run in the stage's place, in these colours, into an area of this size.
pub(in crate::ui) type Renderer = Rc<dyn Fn(&Session, &mut dyn Surface, &Palette, (f64, f64))>;

impl Engine {
    /// The stage has a new size. What that changes is laid out in the next frame: in this one the browser is still telling of sizes, and
    /// complains when they change meanwhile.
    pub fn resize(&self, width: f64, height: f64) {
        let before = self.0.size.replace((width, height));
        if before == (0.0, 0.0) {
            self.refresh();
            self.tell();
        } else if before != (width, height) {
            self.0.resized.set(true);
            self.wake();
        }
    }

    /// Lays the stage out for a hall, or as usual.
    pub fn set_hall(&self, hall: bool) {
        if self.0.hall.replace(hall) != hall {
            self.refresh();
            self.tell();
        }
    }

    /// Brings out the objects of an entry of the legend.
    pub fn set_mark(&self, name: Option<&'static str>) {
        if self.0.mark.replace(name) != name {
            self.tell();
        }
    }

    /// The entry of the legend whose objects are brought out; it changes with [`Engine::set_mark`].
    pub fn mark(&self) -> Mark {
        self.0.mark.clone()
    }

    /// Where cards stand now.
    pub fn layout(&self) -> Layout {
        self.0.layout.borrow().clone()
    }

    /// What stands on the stage now.
    pub fn scene(&self) -> Ref<'_, Scene> {
        self.0.scene.borrow()
    }

    /// Who draws the canvas.
    pub fn set_painter(&self, painter: Option<Painter>) {
        *self.0.painter.borrow_mut() = painter;
        self.repaint();
    }

    /// Who draws the run over time; as long as there is one, nobody else draws.
    pub fn set_diagram_painter(&self, diagram_painter: Option<DiagramPainter>) {
        *self.0.diagram_painter.borrow_mut() = diagram_painter;
        self.repaint();
    }

    /// Who draws pictures of what stands in the stage's place; none where the stage does.
    pub fn set_renderer(&self, renderer: Option<Renderer>) {
        *self.0.renderer.borrow_mut() = renderer;
    }

    /// Who draws pictures in the stage's place.
    pub fn renderer(&self) -> Option<Renderer> {
        self.0.renderer.borrow().clone()
    }

    /// The canvas must be drawn again although nothing has happened.
    pub fn repaint(&self) {
        self.0.repaint.set(self.0.repaint.get() + 1);
        self.wake();
    }

    /// Computes the scene and, where servers or sizes changed, the layout.
    pub(super) fn refresh(&self) {
        let session = self.0.session.borrow();
        let ids: Vec<ServerId> = session.world().processes.keys().copied().collect();
        let seats = seats(session.player().run(), session.world());
        let ((width, height), hall) = (self.0.size.get(), self.0.hall.get());
        let same = {
            let layout = self.0.layout.borrow();
            let sized = layout.width == width && layout.height == height && layout.hall == hall;
            sized && layout.seats == seats && layout.places.iter().map(|(id, _)| id).eq(&ids)
        };
        if !same {
            let made = if hall { Layout::in_hall } else { Layout::with_clients };
            *self.0.layout.borrow_mut() = made(&ids, &seats, width, height);
        }
        *self.0.scene.borrow_mut() = Scene::of(session.world(), session.run_summary());
        self.0.fresh.set(true);
    }
}
