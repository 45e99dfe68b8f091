//! Groups of rows, open or closed, with marks of what changed.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use yew::prelude::*;

use crate::base::rows::{NONE, Refers};
use crate::i18n::page::{fill, page};
use crate::i18n::{Lang, heading_words, leader_stage, learner_stage};
use crate::recipes::without_guids;
use crate::view::state::{Diff, Mark, Shown, ShownGroup, Stage};

use crate::ui::page::state::{PageContext, Selection, UiAction, use_page_context};
use crate::ui::panels::inspect::Folds;

/// Most empty lines that keep the place of rows that were there.
const MOST_KEPT: usize = 6;
/// Most rows of one list.
const MOST_ROWS: usize = 60;

/// What the inspector tells the groups.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub picked: Selection,
    pub state: Diff,
    pub folds: UseStateHandle<Folds>,
}

/// How many lines each list has had at most since something was picked: what comes and goes moves nothing below it.
type Heights = Rc<RefCell<HashMap<String, usize>>>;

/// All groups.
#[component]
pub(super) fn Groups(props: &Props) -> Html {
    let context = use_page_context();
    let heights: Heights = (*use_memo((props.picked, props.folds.only), |_| Heights::default())).clone();
    let only = props.folds.only;
    let shown = props.state.groups.iter().filter(|group| !only || group.changes > 0);
    let table = Table { context, lang: props.lang, only, heights };
    html! { <div class="groups">{ for shown.map(|group| table.group(group, &props.folds)) }</div> }
}

struct Table {
    context: PageContext,
    lang: Lang,
    only: bool,
    heights: Heights,
}

impl Table {
    fn group(&self, group: &ShownGroup, folds: &UseStateHandle<Folds>) -> Html {
        let (title, about) = heading_words(self.lang, group.heading);
        let heading = group.heading;
        let empty = group.rows.is_empty();
        let open = self.only || !folds.is_closed(heading) && !empty;
        let toggle = {
            let (folds, fixed) = (folds.clone(), self.only || empty);
            Callback::from(move |event: MouseEvent| {
                event.prevent_default(); // what is open is said in one place
                if !fixed {
                    folds.set(folds.with(heading, !folds.is_closed(heading)));
                }
            })
        };
        let text = if empty { NONE } else { group.text.as_str() };
        let changed = (group.changes > 0).then(|| fill(page(self.lang).inspect_count, &[&group.changes]));
        let mut lines = Vec::new();
        self.lines(&group.rows, &format!("{heading:?}"), 0, &mut lines);
        html! {
            <details key={format!("{heading:?}")} class={classes!(empty.then_some("empty"), group.gone.then_some("gone"))}
                open={open}>
                <summary onclick={toggle} title={about}>
                    <b>{ title }</b>
                    <span class="z">{ text.to_string() }</span>
                    if let Some(changed) = changed {
                        <em title={changed.clone()} aria-label={changed}>{ group.changes.to_string() }</em>
                    }
                </summary>
                <p class="hint">{ about }</p>
                <p class="waits">{ self.stage(group.stage) }</p>
                <dl>{ for lines }</dl>
            </details>
        }
    }

    fn stage(&self, stage: Option<Stage>) -> &'static str {
        match stage {
            Some(Stage::Leader(stage)) => leader_stage(self.lang, stage),
            Some(Stage::Learner(stage)) => learner_stage(self.lang, stage),
            None => "",
        }
    }

    /// Rows and what is below them, each a line; behind a list, lines that keep the place of those that were there.
    fn lines(&self, rows: &[Shown], path: &str, depth: usize, lines: &mut Vec<Html>) {
        let before = lines.len();
        let seen = rows.iter().filter(|one| one.mark != Mark::Out && (!self.only || one.changes > 0));
        for one in seen.take(MOST_ROWS) {
            let path = format!("{path}/{}", one.row.key);
            lines.push(self.line(one, &path, depth));
            self.lines(&one.rows, &path, depth + 1, lines);
        }
        if rows.len() > MOST_ROWS {
            let more = fill(page(self.lang).more_rows, &[&(rows.len() - MOST_ROWS)]);
            lines.push(html! { <div key={format!("{path}/…")} class="row"><dt /><dd>{ more }</dd></div> });
        }
        if self.only {
            return;
        }
        let mut heights = self.heights.borrow_mut();
        let most = heights.entry(path.to_string()).or_default();
        let now = lines.len() - before;
        *most = (*most).max(now);
        for blank in now..(*most).min(now + MOST_KEPT) {
            lines.push(html! { <div key={format!("{path}/ {blank}")} class="row" aria-hidden="true"><dt>{ "\u{a0}" }</dt></div> });
        }
    }

    fn line(&self, one: &Shown, path: &str, depth: usize) -> Html {
        let words = page(self.lang);
        let row = &one.row;
        let (class, sign, spoken, was) = match &one.mark {
            Mark::Same | Mark::Out | Mark::In => ("", "", String::new(), None),
            Mark::Changed { was } => {
                ("changed", "≠", fill(words.inspect_changed, &[was]), Some(fill(words.inspect_was, &[was])))
            }
            Mark::Added => ("added", "+", words.inspect_new.to_string(), Some(words.inspect_new_short.to_string())),
            Mark::Removed => {
                ("removed", "−", words.inspect_removed.to_string(), Some(words.inspect_removed_short.to_string()))
            }
        };
        let named = row.refers.filter(|refers| row.name == name_of(*refers));
        let told = row.refers.filter(|_| named.is_none());
        html! {
            <div key={path.to_string()} class={classes!("row", class, format!("in{}", depth.min(3)))}>
                <dt title={row.name.clone()}><i aria-hidden="true">{ sign }</i>{ self.text(&row.name, named) }</dt>
                <dd title={row.text.clone()}>
                    <span class="unseen">{ spoken }</span>
                    { self.text(&row.text, told) }
                    if let Some(was) = was {
                        <small class={classes!((class == "changed").then_some("z"))} aria-hidden="true">{ was }</small>
                    }
                </dd>
            </div>
        }
    }

    /// A text, which can be clicked where it names something.
    fn text(&self, text: &str, refers: Option<Refers>) -> Html {
        let Some(refers) = refers else { return html! { <span class="v">{ text.to_string() }</span> } };
        let context = self.context.clone();
        let go = Callback::from(move |_: MouseEvent| {
            let picked = match refers {
                Refers::Server(id) => Selection::Server(id),
                Refers::Client(id) => Selection::Client(id),
                Refers::Zxid(zxid) => Selection::Transaction(zxid),
                Refers::Packet(msg) => {
                    context.engine.change(|session| session.packet = Some(msg));
                    Selection::Packet(msg)
                }
            };
            context.choose.dispatch(UiAction::Pick(picked));
        });
        html! { <button class="v" onclick={go}>{ without_guids(text) }</button> }
    }
}

/// What it is called that is referred to.
fn name_of(refers: Refers) -> String {
    match refers {
        Refers::Server(id) => id.to_string(),
        Refers::Client(id) => id.to_string(),
        Refers::Zxid(zxid) => zxid.to_string(),
        Refers::Packet(msg) => format!("#{}", msg.0),
    }
}
