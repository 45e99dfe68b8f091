//! The size of the window's inside, which every engine sets in its own way.

use std::time::Instant;

use serde_json::{Value, json};

use super::{Engine, PATIENCE, PAUSE, Page};

#[allow(dead_code, reason = "a vocabulary: not every test file uses every word")]
impl Page {
    /// Looks into a frame of the page, by its number in the document, as nobody around it may.
    pub fn in_frame<T>(&self, number: u16, look: impl FnOnce() -> T) -> T {
        self.ask("going into a frame", self.client.enter_frame(number));
        let seen = look();
        self.ask("leaving the frame", self.client.enter_parent_frame());
        seen
    }

    /// Gives the inside of the window exactly this size.
    pub fn resize(&self, width: u32, height: u32) {
        match self.engine {
            Engine::Chromium => {
                let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
                self.devtools("Emulation.setDeviceMetricsOverride", size);
            }
            Engine::Firefox => self.size_the_view(width, height),
            Engine::Webkit => self.size_the_window(width, height),
        }
        let script = "return [innerWidth, innerHeight]";
        let (end, wanted) = (Instant::now() + PATIENCE, json!([width, height]));
        loop {
            let actual = self.js(script, &[]);
            if actual == wanted {
                return;
            }
            assert!(Instant::now() < end, "the window's inside is {actual}, not {wanted}");
            std::thread::sleep(PAUSE);
        }
    }

    /// What has to be done once, before the first size.
    pub(super) fn prepare_window(&self) {
        if self.engine == Engine::Webkit {
            // the first window has so many buttons that it cannot be narrow; one opened by a script has few
            let first = self.ask("asking for the window", self.client.window());
            self.js("window.open('about:blank', '_blank', 'popup,width=400,height=400'); return true", &[]);
            let end = Instant::now() + PATIENCE;
            let second = loop {
                let all = self.ask("asking for the windows", self.client.windows());
                if let Some(second) = all.into_iter().find(|window| *window != first) {
                    break second;
                }
                assert!(Instant::now() < end, "no second window opens");
                std::thread::sleep(PAUSE);
            };
            self.ask("closing the first window", self.client.close_window());
            self.ask("going to the second window", self.client.switch_to_window(second));
        }
    }

    /// Firefox: its window cannot be narrow either, but the view in it has a style that its own pages may set.
    fn size_the_view(&self, width: u32, height: u32) {
        let script = "
            const style = gBrowser.selectedBrowser.style;
            for (const [name, value] of [['width', arguments[0]], ['height', arguments[1]]])
                for (const limit of ['', 'min-', 'max-']) style.setProperty(limit + name, value + 'px');";
        self.in_chrome(script, &[json!(width), json!(height)]);
    }

    /// Firefox: runs a function's body where the browser's own pages run.
    fn in_chrome(&self, body: &str, arguments: &[Value]) -> Value {
        self.driver.post("moz/context", &json!({ "context": "chrome" }));
        let answer = self.js(body, arguments);
        self.driver.post("moz/context", &json!({ "context": "content" }));
        answer
    }

    /// WebKit: the window is as much larger as its frame is.
    fn size_the_window(&self, width: u32, height: u32) {
        let frame = self.js("return [outerWidth - innerWidth, outerHeight - innerHeight]", &[]);
        let outer = |inner: u32, frame: &Value| u64::from(inner) + frame.as_u64().unwrap_or_default();
        let size = json!({ "x": 0, "y": 0, "width": outer(width, &frame[0]), "height": outer(height, &frame[1]) });
        self.driver.post("window/rect", &size);
    }
}
