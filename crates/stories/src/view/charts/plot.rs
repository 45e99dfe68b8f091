//! Points, areas and bars: what a chart is drawn of.

use crate::base::Epoch;

/// A colour by what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// That of an epoch.
    Epoch(Epoch),
    /// Of what stands back.
    Soft,
    /// Of what is looked at.
    Focus,
    /// Of what is wrong.
    Bad,
}

/// Gives a colour as CSS writes it (`#rrggbb`).
pub type Paint<'p> = &'p dyn Fn(Tint) -> String;

/// How a chart is drawn.
pub enum Drawing {
    /// Over time.
    Plot(Plot<'static>),
    /// Without time.
    Bars(Bars<'static>),
}

/// A point.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// Its place on the x axis.
    pub x: f64,
    /// Its place on the y axis.
    pub y: f64,
    /// As CSS writes it (`#rrggbb`).
    pub colour: String,
    /// Only its edge is drawn.
    pub hollow: bool,
}

/// An area above the x axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Its left edge.
    pub from: f64,
    /// Its right edge.
    pub to: f64,
    /// How high it is; as high as the chart where there is nothing.
    pub top: Option<f64>,
    /// It rises from 0 on the left to its height on the right.
    pub rises: bool,
    /// As CSS writes it (`#rrggbb`).
    pub colour: String,
    /// From 0, not to be seen, to 1.
    pub alpha: f64,
}

/// A chart over an axis: what its axes mean, how far they reach at least, its areas, and its points above them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plot<'a> {
    /// What the x axis means.
    pub x_title: &'a str,
    /// What the y axis means.
    pub y_title: &'a str,
    /// From, and at least up to.
    pub x: (f64, f64),
    /// At least up to; from 0.
    pub y: f64,
    /// Digits behind the point on the x axis.
    pub digits: usize,
    /// Digits behind the point on the y axis.
    pub y_digits: usize,
    /// Its areas.
    pub areas: Vec<Area>,
    /// Its points.
    pub dots: Vec<Dot>,
}

/// Bars with a name each, from the left.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars<'a> {
    /// What is counted.
    pub title: &'a str,
    /// Names and numbers.
    pub rows: Vec<(String, u64)>,
    /// How many rows there is room for: bars stay as thick as they are when more come.
    pub room: usize,
    /// As CSS writes it (`#rrggbb`).
    pub colour: String,
}
