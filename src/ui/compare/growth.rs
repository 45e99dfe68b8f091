//! How what a release costs grows with those who wait: a curve for each side, of real releases alone, and how many clients there are, to be
//! changed.

use std::fmt::Write;

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::names::{bug_beside, rule_beside, titles};
use crate::i18n::Lang;
use crate::i18n::page::{fill, page, param_words};
use crate::i18n::wording::LETTERS;
use crate::timeline::{Against, Pair, Side};
use crate::ui::dialogs::params::{change, value};
use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::kit::wear::Wear;
use crate::ui::page::state::use_page_context;
use crate::view::comparison::{Counter, Wakes, topic, wakes};

/// The parameter that says how many clients there are.
const CLIENTS: &str = "clients";
/// Most clients that the slider gives: more are hardly seen, and can be typed.
const MOST: u64 = 50;
/// The picture, and where its axes are in it, CSS pixels.
const SIZE: (f64, f64) = (364.0, 300.0);
const LEFT: f64 = 46.0;
const RIGHT: f64 = 352.0;
const TOP: f64 = 54.0;
/// How high and how wide a curve's name is at most.
const NAME: f64 = 22.0;
const NAMED: f64 = 180.0;
const FOOT: f64 = 256.0;

/// What the page tells it.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub wear: Wear,
}

/// Notifications by how many waited.
type Points = Vec<(usize, u64)>;

#[derive(Debug, PartialEq)]
struct Model {
    points: [Points; 2],
    names: [String; 2],
    /// Least, most and present clients, where both runs have that parameter.
    clients: Option<(u64, u64, u64)>,
}

fn model(engine: &Engine, lang: &Lang) -> Model {
    let pair = engine.pair();
    if topic(&pair) == Some(Counter::Handovers) {
        // who led when is the plot of that
        return Model { points: Default::default(), names: Default::default(), clients: None };
    }
    let mut points = [Side::Left, Side::Right].map(|side| pair.growth(side));
    // a bug's story is not about what releases cost, a rule's only where it shows
    let herd = points.iter().any(|side| wakes(side.iter().copied()) == Wakes::Everybody);
    if bug_beside(&pair).is_some() || (rule_beside(&pair).is_some() && !herd) {
        points = Default::default();
    }
    let words = page(*lang);
    let mut names = titles(&pair, *lang);
    for (name, points) in names.iter_mut().zip(&points) {
        match wakes(points.iter().copied()) {
            Wakes::Everybody => *name = words.compare_everybody.into(),
            Wakes::OnlyNext => *name = words.compare_next.into(),
            Wakes::Otherwise => {}
        }
    }
    Model { clients: clients(&pair), points, names }
}

/// The bounds that hold for both runs, and the present value.
fn clients(pair: &Pair) -> Option<(u64, u64, u64)> {
    matches!(pair.against(), Some(Against::Scenario(_) | Against::Varied(_))).then_some(())?;
    let param = |side| {
        let scenario = pair.session(side).scenario()?;
        scenario.params().iter().find(|param| param.name == CLIENTS)
    };
    let (left, right) = (param(Side::Left)?, param(Side::Right)?);
    let now = value(pair, left).parse().ok()?;
    let most = left.most.min(right.most);
    Some((left.least.max(right.least), most.min(MOST).max(now), now))
}

/// Round numbers along an axis up to this one, four at most besides 0.
pub(super) fn ticks(most: u64) -> impl Iterator<Item = u64> {
    let steps = (0..).flat_map(|power| [1, 2, 5].map(|round| round * 10_u64.pow(power)));
    let step = steps.into_iter().find(|step| step * 4 >= most).unwrap_or(most);
    (0..=most / step).map(move |number| number * step)
}

/// How far the axes reach: waiters and notifications.
fn reach(model: &Model) -> (u64, u64) {
    let all = || model.points.iter().flatten();
    let waiting = all().map(|(waiting, _)| *waiting as u64).max().unwrap_or(0);
    let now = model.clients.map_or(0, |(.., now)| now.saturating_sub(1));
    (waiting.max(now).max(4), all().map(|(_, woken)| *woken).max().unwrap_or(0).max(4))
}

fn picture(model: &Model, lang: Lang) -> Html {
    let (wide, high) = reach(model);
    let x = |waiting: u64| LEFT + (RIGHT - LEFT) * waiting as f64 / wide as f64;
    let y = |woken: u64| FOOT - (FOOT - TOP) * woken as f64 / high as f64;
    let words = page(lang);
    let curve = |side: usize| {
        let points = &model.points[side];
        let mut path = String::new();
        for (at, (waiting, woken)) in points.iter().enumerate() {
            let _ = write!(path, "{}{:.1} {:.1}", if at == 0 { "M" } else { "L" }, x(*waiting as u64), y(*woken));
        }
        let end =
            |side: usize| model.points[side].last().map(|&(waiting, woken)| (x(waiting as u64), y(woken) - 10.0));
        // a name of its own line where both end at the same place
        let close = |(.., a): &(f64, f64), (.., b): &(f64, f64)| (a - b).abs() < NAME;
        let beside = end(0).filter(|left| side == 1 && end(1).is_some_and(|right| close(left, &right)));
        let end = end(side).map(|(x, y)| (x.max(LEFT + NAMED) - 4.0, beside.map_or(y, |(_, left)| left - NAME)));
        html! {
            <g class={classes!("curve", LETTERS[side].to_lowercase())}>
                <path d={path} />
                { for points.iter().map(|&(waiting, woken)| html! {
                    <circle cx={format!("{:.1}", x(waiting as u64))} cy={format!("{:.1}", y(woken))} r="4" />
                }) }
                if let Some((x, y)) = end {
                    <text x={format!("{x:.1}")} y={format!("{y:.1}")}>{ format!("{} {}", LETTERS[side], model.names[side]) }</text>
                }
            </g>
        }
    };
    let across = ticks(high).map(|woken| {
        let at = format!("{:.1}", y(woken));
        html! {
            <g class="across">
                <line x1={LEFT.to_string()} x2={RIGHT.to_string()} y1={at.clone()} y2={at.clone()} />
                <text x={(LEFT - 8.0).to_string()} y={at}>{ woken }</text>
            </g>
        }
    });
    let along = ticks(wide).map(|waiting| {
        html! { <text class="along" x={format!("{:.1}", x(waiting))} y={(FOOT + 20.0).to_string()}>{ waiting }</text> }
    });
    let now = model.clients.map(|(.., now)| (format!("{:.1}", x(now.saturating_sub(1))), now));
    html! {
        <svg viewBox={format!("0 0 {} {}", SIZE.0, SIZE.1)} role="img" aria-label={in_words(model, lang)}>
            { for across }
            { for along }
            <text class="axis" x={RIGHT.to_string()} y={(FOOT + 38.0).to_string()}>{ words.compare_waiting }</text>
            if let Some((x, now)) = now {
                <line class="here" x1={x.clone()} x2={x.clone()} y1={(TOP - 30.0).to_string()} y2={FOOT.to_string()} />
                <text class="here" {x} y={(TOP - 36.0).to_string()}>{ format!("N = {now}") }</text>
            }
            { curve(0) }
            { curve(1) }
        </svg>
    }
}

/// The same for whoever does not see it: what the most waiters cost on each side.
fn in_words(model: &Model, lang: Lang) -> String {
    let last = |side: usize| {
        model.points[side]
            .last()
            .map_or(("–".into(), "–".into()), |(waiting, woken)| (waiting.to_string(), woken.to_string()))
    };
    let (left, right) = (last(0), last(1));
    fill(page(lang).compare_grows, &[&left.0, &left.1, &right.0, &right.1])
}

/// The picture with its slider; nothing where nobody waits for anything.
#[component]
pub(super) fn Growth(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_model(&context.engine, props.lang, model);
    if model.clients.is_none() && model.points.iter().all(Vec::is_empty) {
        return Html::default();
    }
    let slider = model.clients.map(|(least, most, now)| {
        let engine = context.engine.clone();
        let changed = Callback::from(move |event: Event| {
            if let Some(input) = event.target_dyn_into::<HtmlInputElement>() {
                change(&engine, CLIENTS, input.value());
            }
        });
        let name = param_words(props.lang, CLIENTS);
        html! {
            <label>
                <b aria-hidden="true">{ "N" }</b>
                <input type="range" aria-label={name} title={name} min={least.to_string()} max={most.to_string()}
                    value={now.to_string()} onchange={changed} />
                <output>{ now }</output>
            </label>
        }
    });
    html! {
        <figure class="growth">
            <figcaption>{ page(props.lang).charts.releases.title }</figcaption>
            { picture(&model, props.lang) }
            { slider }
        </figure>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_few_round_numbers_and_reach_as_far_as_there_are_points_or_clients() {
        assert_eq!(ticks(4).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert_eq!(ticks(19).collect::<Vec<_>>(), [0, 5, 10, 15]);
        assert_eq!(ticks(1_225).collect::<Vec<_>>(), [0, 500, 1_000]);
        let mut model = Model { points: Default::default(), names: Default::default(), clients: None };
        assert_eq!(reach(&model), (4, 4));
        model.clients = Some((2, 50, 20));
        assert_eq!(reach(&model), (19, 4), "nineteen wait for one");
        model.points = [vec![(0, 0), (30, 30)], vec![(30, 1)]];
        assert_eq!(reach(&model), (30, 30), "thirty were tried before");
    }
}
