//! What every bench needs: a figure as a line that `scripts/bench` reads, and time.

use std::time::Instant;

/// Prints a figure: its name, its unit, and so many digits behind the point.
pub fn figure(name: &str, unit: &str, value: f64, digits: usize) {
    println!("figure\t{name}\t{unit}\t{value:.digits$}");
}

/// How long some work took, s, and what came of it.
pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}
