//! The WebSocket to `zabscope live`, which has opened this page with a token in its address. It carries what
//! [`zabscope_live`] says, and nothing else goes through it.

use js_sys::{ArrayBuffer, Uint8Array};
use wasm_bindgen::JsCast;
use web_sys::{BinaryType, MessageEvent, WebSocket};

use crate::ui::engine::Engine;
use crate::ui::kit::browser::{Listener, window};

/// Connects to whoever has served the page. What becomes of it, the engine hears.
pub(in crate::ui) fn connect(engine: &Engine, token: &str) {
    let host = window().location().host().unwrap_or_default();
    let Ok(socket) = WebSocket::new(&format!("ws://{host}/live?token={token}")) else { return engine.end_live() };
    socket.set_binary_type(BinaryType::Arraybuffer);
    let sender = socket.clone();
    engine.begin_live(move |bytes| drop(sender.send_with_u8_array(bytes)));
    let hears = engine.clone();
    let heard = Listener::new(&socket, "message", move |event| {
        let data =
            event.dyn_into::<MessageEvent>().ok().and_then(|event| event.data().dyn_into::<ArrayBuffer>().ok());
        let event = data.and_then(|data| zabscope_live::read(&Uint8Array::new(&data).to_vec()));
        if let Some(event) = event {
            hears.hear_live(event);
        }
    });
    let ends = engine.clone();
    let closed = Listener::new(&socket, "close", move |_| ends.end_live());
    // as long as the page
    std::mem::forget((heard, closed));
}
