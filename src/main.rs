//! The page's entry. Trunk builds it for the browser, where `zabscope::ui::start` is what scripts call; natively it only says how to open
//! the page.

// without a name of it here the linker would leave the page out
#[cfg(target_arch = "wasm32")]
pub use zabscope::ui::start;

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("This is the page's code: scripts/serve opens it in a browser.");
}
