//! Recipes over a simulated ensemble, scenario by scenario.

mod recipes {
    pub mod barriers;
    pub mod counters;
    pub mod mutex;
    pub mod queues;
    pub mod support;
    pub mod uses;
}
