//! Recipes over a simulated ensemble, scenario by scenario.

mod recipes {
    pub mod mutex;
    pub mod support;
}
