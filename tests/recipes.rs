//! Recipes over a simulated ensemble, scenario by scenario.

mod recipes {
    pub mod broken;
    pub mod mutex;
    pub mod properties;
    pub mod support;
}
