//! The page's entry. Trunk builds it for the browser; natively it only says how to open the page.

#[cfg(target_arch = "wasm32")]
fn main() {
    zabscope::ui::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("This is the page's code: scripts/serve opens it in a browser.");
}
