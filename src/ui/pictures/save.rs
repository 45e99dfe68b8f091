//! Files that the browser keeps: as a download that begins here and leaves nothing behind.

use gloo_timers::callback::Timeout;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsCast;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

use crate::ui::kit::browser::document;

/// How long a file can be fetched after it was handed over, ms.
const KEPT_MS: u32 = 20_000;

/// Bytes as a file of some type.
pub(super) fn blob(bytes: &[u8], mime: &str) -> Option<Blob> {
    let options = BlobPropertyBag::new();
    options.set_type(mime);
    Blob::new_with_u8_array_sequence_and_options(&Array::of1(&Uint8Array::from(bytes)), &options).ok()
}

/// Hands a file to the reader; whether that went well.
pub(super) fn save(file: &Blob, name: &str) -> bool {
    let Ok(url) = Url::create_object_url_with_blob(file) else { return false };
    let link = document().create_element("a").ok().and_then(|link| link.dyn_into::<HtmlAnchorElement>().ok());
    if let Some(link) = &link {
        link.set_href(&url);
        link.set_download(name);
        link.click();
    }
    Timeout::new(KEPT_MS, move || {
        let _ = Url::revoke_object_url(&url);
    })
    .forget();
    link.is_some()
}
