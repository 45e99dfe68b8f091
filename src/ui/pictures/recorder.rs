//! Frames for the browser's encoder of videos (WebCodecs): each says when it is seen, and they are taken as fast as they can be encoded.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

use crate::draw::film::{Codec, LARGEST, RATES, Refusal, Tint, Video};

use crate::ui::kit::browser::window;
use crate::ui::kit::promise::then;

// web-sys has these only with a flag for the compiler, as they may still change
#[wasm_bindgen]
extern "C" {
    type VideoEncoder;
    #[wasm_bindgen(constructor, catch)]
    fn new(init: &JsValue) -> Result<VideoEncoder, JsValue>;
    #[wasm_bindgen(static_method_of = VideoEncoder, catch, js_name = isConfigSupported)]
    fn is_config_supported(config: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn configure(this: &VideoEncoder, config: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn encode(this: &VideoEncoder, frame: &VideoFrame, options: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn flush(this: &VideoEncoder) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn close(this: &VideoEncoder) -> Result<(), JsValue>;
    #[wasm_bindgen(method, getter, js_name = encodeQueueSize)]
    fn waiting(this: &VideoEncoder) -> u32;

    type VideoFrame;
    #[wasm_bindgen(constructor, catch)]
    fn new(image: &JsValue, init: &JsValue) -> Result<VideoFrame, JsValue>;
    #[wasm_bindgen(method)]
    fn close(this: &VideoFrame);

    type EncodedVideoChunk;
    #[wasm_bindgen(method, getter, js_name = "type")]
    fn kind(this: &EncodedVideoChunk) -> String;
    #[wasm_bindgen(method, getter)]
    fn timestamp(this: &EncodedVideoChunk) -> f64;
    #[wasm_bindgen(method, getter, js_name = byteLength)]
    fn byte_length(this: &EncodedVideoChunk) -> u32;
    #[wasm_bindgen(method, catch, js_name = copyTo)]
    fn copy_to(this: &EncodedVideoChunk, to: &JsValue) -> Result<(), JsValue>;
}

/// Bits for a pixel of a frame: letters stay sharp, and a minute of the usual size is some 13 MB at most.
const BITS: f64 = 0.4;

/// So many frames may wait for the encoder; each is some MB.
const WAITING: u32 = 4;

/// Whether the browser makes videos.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Offer {
    /// It has not answered yet.
    Asked,
    /// It encodes them so.
    Here(Codec),
    /// It has no encoder that fits.
    Nowhere,
    /// It has none for a page that came without encryption.
    Insecure,
}

/// Asks the browser for an encoder, those first that more programs play; it answers once, perhaps later.
pub(super) fn ask(say: impl Fn(Offer) + 'static) {
    if !window().is_secure_context() {
        say(Offer::Insecure);
    } else if dies_when_asked(&window().navigator().user_agent().unwrap_or_default()) {
        say(Offer::Nowhere);
    } else {
        ask_for(&Codec::ALL, Rc::new(say));
    }
}

/// Whether a browser is WebKit on Linux, by what it calls itself: WebKitGTK 2.50 has the class, and its process for pages dies with the
/// run in it as soon as that is asked for anything. Chromium calls itself both, Safari is not on Linux.
fn dies_when_asked(user_agent: &str) -> bool {
    user_agent.contains("Linux") && user_agent.contains("AppleWebKit") && !user_agent.contains("Chrome")
}

fn ask_for(codecs: &'static [Codec], say: Rc<dyn Fn(Offer)>) {
    let Some((codec, others)) = codecs.split_first() else { return say(Offer::Nowhere) };
    let config = config(*codec, LARGEST, RATES[RATES.len() - 1]);
    // without an encoder there is no such class
    let Ok(answer) = VideoEncoder::is_config_supported(&config) else { return say(Offer::Nowhere) };
    let instead = say.clone();
    let kept = move |answer: JsValue| {
        if get(&answer, "supported").is_truthy() { say(Offer::Here(*codec)) } else { ask_for(others, say) }
    };
    then(&answer, kept, move || ask_for(others, instead));
}

fn object(fields: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object
}

/// A field of whatever it is; undefined where there is none.
fn get(from: &JsValue, name: &str) -> JsValue {
    Reflect::get(from, &name.into()).unwrap_or_default()
}

fn config(codec: Codec, (width, height): (u32, u32), rate: u32) -> Object {
    let bits = f64::from(width) * f64::from(height) * f64::from(rate) * BITS;
    object(&[
        ("codec", codec.webcodecs().into()),
        ("width", width.into()),
        ("height", height.into()),
        ("framerate", rate.into()),
        ("bitrate", bits.round().into()),
        // the other one may leave frames out to keep up
        ("latencyMode", "quality".into()),
    ])
}

/// Why the encoder did not do it, in its own words.
fn refused(error: &JsValue) -> Refusal {
    let message = get(error, "message").as_string().filter(|message| !message.is_empty());
    let message = message.unwrap_or_else(|| format!("{error:?}"));
    Refusal::Encoder(message.trim_end_matches('.').to_string())
}

/// What has come out of the encoder.
struct Reel {
    video: Video,
    rate: u32,
    /// What went wrong first.
    wrong: Option<Refusal>,
    /// Whether all frames have come out.
    over: bool,
}

impl Reel {
    fn take(&mut self, chunk: &EncodedVideoChunk, about: &JsValue) {
        let config = get(about, "decoderConfig");
        if config.is_truthy() {
            let space = get(&config, "colorSpace");
            let names =
                ["primaries", "transfer", "matrix"].map(|name| get(&space, name).as_string().unwrap_or_default());
            let full = get(&space, "fullRange").is_truthy();
            let tint = space.is_truthy().then(|| Tint::named(names.each_ref().map(String::as_str), full));
            self.video.describe(Uint8Array::new(&get(&config, "description")).to_vec(), tint);
        }
        let bytes = Uint8Array::new_with_length(chunk.byte_length());
        let number = (chunk.timestamp() * f64::from(self.rate) / 1e6).round() as u32;
        let copied = chunk.copy_to(&bytes).map_err(|error| refused(&error));
        let added = copied.and_then(|()| self.video.add(number, chunk.kind() == "key", bytes.to_vec()));
        if let Err(refusal) = added {
            self.fail(refusal);
        }
    }

    fn fail(&mut self, refusal: Refusal) {
        self.wrong.get_or_insert(refusal);
    }
}

/// An encoder at work. It ends when this is dropped.
pub(super) struct Recorder {
    encoder: VideoEncoder,
    reel: Rc<RefCell<Reel>>,
    rate: u32,
    /// How many frames it was given.
    given: u32,
    /// Whether it knows that there are no more.
    ends: bool,
    /// What it calls.
    _output: Closure<dyn FnMut(EncodedVideoChunk, JsValue)>,
    _error: Closure<dyn FnMut(JsValue)>,
}

impl Recorder {
    /// An encoder for frames of that size (pixels, both even), `rate` of them in a second.
    ///
    /// # Errors
    /// The browser refuses that.
    pub(super) fn new(codec: Codec, size: (u32, u32), rate: u32) -> Result<Recorder, Refusal> {
        let reel = Reel { video: Video::new(codec, size, rate), rate, wrong: None, over: false };
        let reel = Rc::new(RefCell::new(reel));
        let (came, failed) = (reel.clone(), reel.clone());
        let output =
            Closure::<dyn FnMut(EncodedVideoChunk, JsValue)>::new(move |chunk: EncodedVideoChunk, about: JsValue| {
                came.borrow_mut().take(&chunk, &about)
            });
        let error =
            Closure::<dyn FnMut(JsValue)>::new(move |error: JsValue| failed.borrow_mut().fail(refused(&error)));
        let calls = object(&[("output", output.as_ref().clone()), ("error", error.as_ref().clone())]);
        let encoder = VideoEncoder::new(&calls).map_err(|error| refused(&error))?;
        encoder.configure(&config(codec, size, rate)).map_err(|error| refused(&error))?;
        Ok(Recorder { encoder, reel, rate, given: 0, ends: false, _output: output, _error: error })
    }

    /// Whether it has enough to do.
    pub(super) fn is_busy(&self) -> bool {
        self.encoder.waiting() >= WAITING
    }

    /// The next frame. Once in a second there is one that can be shown without those before it.
    ///
    /// # Errors
    /// The encoder has failed, at this frame or before.
    pub(super) fn add(&mut self, canvas: &HtmlCanvasElement) -> Result<(), Refusal> {
        self.check()?;
        let us = |frame: u32| (f64::from(frame) * 1e6 / f64::from(self.rate)).round();
        let (from, until) = (us(self.given), us(self.given + 1));
        let times = object(&[("timestamp", from.into()), ("duration", (until - from).into())]);
        let frame = VideoFrame::new(canvas, &times).map_err(|error| refused(&error))?;
        let options = object(&[("keyFrame", self.given.is_multiple_of(self.rate).into())]);
        let taken = self.encoder.encode(&frame, &options);
        // its pixels are the encoder's now
        frame.close();
        self.given += 1;
        taken.map_err(|error| refused(&error))
    }

    /// The file, once the encoder is through with all frames; until then it is asked again.
    ///
    /// # Errors
    /// The encoder has failed, or the file has become too large.
    pub(super) fn finish(&mut self) -> Result<Option<Vec<u8>>, Refusal> {
        if !self.ends {
            self.ends = true;
            let (kept, broken) = (self.reel.clone(), self.reel.clone());
            let flushed = self.encoder.flush().map_err(|error| refused(&error))?;
            // what it says of a failure comes before
            let failed = move || broken.borrow_mut().fail(Refusal::Encoder("flush".into()));
            then(&flushed, move |_| kept.borrow_mut().over = true, failed);
        }
        self.check()?;
        let reel = self.reel.borrow();
        if reel.over { reel.video.finish(self.given).map(Some) } else { Ok(None) }
    }

    fn check(&self) -> Result<(), Refusal> {
        let wrong = self.reel.borrow().wrong.clone();
        wrong.map_or(Ok(()), Err)
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // one that has failed is closed already
        let _ = self.encoder.close();
    }
}

#[cfg(test)]
mod tests {
    use super::dies_when_asked;

    #[test]
    fn only_webkit_on_linux_is_not_asked() {
        let webkit = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/60.5 Safari/605.1.15";
        assert!(dies_when_asked(&format!("Mozilla/5.0 (X11; Linux x86_64) {webkit}")));
        assert!(!dies_when_asked(&format!("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) {webkit}")));
        let chromium = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
        assert!(!dies_when_asked(&format!("Mozilla/5.0 (X11; Linux x86_64) {chromium}")));
        assert!(!dies_when_asked("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"));
    }
}
