//! What happened, by servers' own logs: lanes over time, and the moments as sentences, each of which opens its lines.

use web_sys::HtmlElement;
use yew::prelude::*;

use crate::disks::logs::entry::clock;
use crate::disks::logs::say::Say;
use crate::disks::logs::story::{Lane, Line, Moment, Span, Story};
use crate::draw::epoch_colour;
use crate::i18n::Lang;
use crate::i18n::disks::{clock_of, moment as said, server};
use crate::i18n::page::{fill, page};

/// Names of times along the axis.
const TIMES: i64 = 4;
/// A span that is narrower than so many hundredths of a percent has no room for words, one of more has room for all.
const NARROW: i64 = 500;
const WIDE: i64 = 1_600;

/// Lanes, clocks and moments.
pub(super) fn happened(story: &Story, lang: Lang) -> Html {
    let words = page(lang);
    let clocks =
        story.lanes.iter().skip(1).map(|lane| html! { <p class="small">{ clock_of(lang, story, lane) }</p> });
    html! {
        <section class="story">
            <h3>{ words.happened }</h3>
            <div class="story-lanes">
                { times(story) }
                { for story.lanes.iter().map(|lane| row(story, lane, lang)) }
            </div>
            { for clocks }
            <p class="small">{ words.happened_told }</p>
            <ol class="story-moments">{ for story.moments.iter().map(|one| moment(one, lang)) }</ol>
            if story.left_out > 0 { <p class="small">{ fill(words.happened_left_out, &[&story.left_out]) }</p> }
        </section>
    }
}

/// A place on the axis, hundredths of a percent.
fn place(story: &Story, at: i64) -> i64 {
    let whole = (story.to - story.from).max(1);
    (at.clamp(story.from, story.to) - story.from).saturating_mul(10_000) / whole
}

#[derive(Clone, PartialEq, Properties)]
struct AtProps {
    tag: &'static str,
    /// Hundredths of a percent of the axis.
    left: i64,
    #[prop_or_default]
    wide: Option<i64>,
    #[prop_or_default]
    class: Classes,
    #[prop_or_default]
    title: Option<String>,
    #[prop_or_default]
    words: String,
}

/// Something at its place on the axis, by the style object: the page's policy forbids style attributes.
#[component]
fn At(props: &AtProps) -> Html {
    let node = use_node_ref();
    use_effect_with((props.left, props.wide), {
        let node = node.clone();
        move |(left, wide)| {
            let Some(element) = node.cast::<HtmlElement>() else { return };
            for (name, share) in [("left", Some(*left)), ("width", *wide)] {
                if let Some(share) = share {
                    let _ = element.style().set_property(name, &format!("{}.{:02}%", share / 100, share % 100));
                }
            }
        }
    });
    let AtProps { tag, class, title, words, .. } = props.clone();
    html! { <@{tag.to_string()} ref={node} {class} {title}>{ words }</@> }
}

fn times(story: &Story) -> Html {
    let step = (story.to - story.from) / TIMES;
    let name = |nth: i64| {
        let at = story.from + nth * step;
        let text: String = clock(at).chars().take(if step < 10_000 { 12 } else { 8 }).collect();
        html! { <At tag="time" left={place(story, at)} words={text} /> }
    };
    html! { <div class="story-times" aria-hidden="true">{ for (0..TIMES).map(name) }</div> }
}

fn row(story: &Story, lane: &Lane, lang: Lang) -> Html {
    let marks = story.moments.iter().filter(|moment| moment.servers.contains(&lane.server));
    let ticks = lane.transactions.iter().map(|(at, count)| {
        let title = format!("{} {}", clock(*at), fill(page(lang).happened_transactions, &[count]));
        html! { <At tag="u" left={place(story, *at)} {title} /> }
    });
    html! {
        <div class="story-lane">
            <b>{ server(lane.server) }</b>
            <div>
                { for lane.spans.iter().map(|of| span(story, of)) }
                { for ticks }
                { for marks.filter_map(|moment| mark(story, moment, lang)) }
            </div>
        </div>
    }
}

fn span(story: &Story, span: &Span) -> Html {
    let (from, to) = (place(story, span.from), place(story, span.to));
    let wide = to - from;
    let leads = span.role == "LEADING";
    let class = classes!(
        format!("e{}", epoch_colour(span.epoch)),
        leads.then_some("leads"),
        (span.role == "LOOKING").then_some("looks"),
        (span.phase != "broadcast").then_some("early"),
    );
    let epoch = if span.epoch > 0 { format!(" · epoch {}", span.epoch) } else { String::new() };
    let phase = if span.phase.is_empty() { String::new() } else { format!(" · {}", span.phase) };
    let crown = if leads { "♛ " } else { "" };
    let words = match wide {
        wide if wide < NARROW => String::new(),
        wide if wide < WIDE => crown.trim_end().to_string(),
        _ => format!("{crown}{}{epoch}", span.role),
    };
    let title = format!("{}–{} {}{phase}{epoch}", clock(span.from), clock(span.to), span.role);
    html! { <At tag="i" left={from} {wide} {class} {title} {words} /> }
}

/// The sign of a moment on a lane, where it has one.
fn mark(story: &Story, moment: &Moment, lang: Lang) -> Option<Html> {
    let (sign, class) = match moment.say {
        Say::Diff => ("D", "sync"),
        Say::Trunc => ("T", "sync"),
        Say::Snap => ("S", "sync"),
        Say::SessionBorn => ("○", ""),
        Say::SessionExpired => ("●", "bad"),
        Say::Ends => ("✕", "bad"),
        Say::LostQuorum | Say::StopsLeading | Say::Closed | Say::Silent | Say::LosesLeader => ("!", "bad"),
        _ => return None,
    };
    let title = format!("{} {}", clock(moment.at), said(lang, moment));
    Some(html! { <At tag="em" left={place(story, moment.at)} {class} {title} words={sign} /> })
}

fn moment(moment: &Moment, lang: Lang) -> Html {
    let bad =
        matches!(moment.say, Say::TwoLeaders | Say::LostQuorum | Say::SessionExpired | Say::Ends).then_some("bad");
    let sentence = html! { <><time>{ clock(moment.at) }</time>{ " " }<span class={classes!(bad)}>{ said(lang, moment) }</span></> };
    if moment.lines.is_empty() {
        return html! { <li>{ sentence }</li> };
    }
    html! { <li><details><summary>{ sentence }</summary>{ for moment.lines.iter().map(line) }</details></li> }
}

fn line(line: &Line) -> Html {
    html! { <><p class="small">{ format!("{}:{}", line.file, line.number) }</p><pre>{ line.text.clone() }</pre></> }
}
