//! The gallery: courses and lessons, all scenarios with pictures of their real runs, pairs to be compared, rules to break, real
//! bugs, runs that were left, and a way in for a run of one's own. It covers the page, whose time stands as long.

mod card;
mod entries;
mod own;
mod stills;

use std::collections::BTreeMap;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement};
use yew::prelude::*;

use crate::draw::Point;
use crate::draw::gallery::{Way, walk};
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::museum::Bug;
use crate::scenarios::{SCENARIOS, scenario};
use crate::sim::{Rule, RunError};
use crate::story_files::are_there;

use super::engine::{Engine, Followed, Hidden};
use crate::ui::compare::names::{bug_beside, rule_beside};
use crate::ui::dialogs::locks;
use crate::ui::engine::model::use_model;
use crate::ui::kit::browser::document;
use crate::ui::kit::focus::{focused, is_character, turn_round};
use crate::ui::kit::shapes::control_icon;
use crate::ui::kit::wear::Theme;
use crate::ui::lesson::cards::lessons;
use crate::ui::lesson::keep;
use crate::ui::page::state::{Overlay, PageContext, UiAction, use_page_context};

use card::Card;
use entries::{Entry, Section, What, count, sections};
use own::Own;
use stills::Studio;

/// What the page tells the gallery.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub theme: Theme,
}

/// Puts on the stage what a card stands for.
fn open(context: &PageContext, what: &What) {
    let engine = &context.engine;
    if let What::Lesson(lesson) = what {
        context.choose.dispatch(UiAction::Close);
        return keep::open(engine, lesson);
    }
    if let What::Course(course) = what {
        context.choose.dispatch(UiAction::Close);
        return engine.open_part(Followed { course: course.clone(), at: keep::part_of(course) });
    }
    engine.end_lesson();
    let result = match what {
        What::Lesson(_) | What::Course(_) => Ok(()),
        What::Left(number) => {
            engine.back_to(*number);
            Ok(())
        }
        What::Scenario(id) => play(context, id, None),
        What::Pair(left, right) => play(context, left, Some(right)),
        What::Rule(rule) => engine.show_rule(*rule),
        What::Bug(bug) => engine.show_bug(bug),
    };
    engine.note(result.err().map(|error| error.to_string()));
    // its runs are cells of a table
    let table = *what == What::Scenario(locks::SCENARIO);
    context.choose.dispatch(if table { UiAction::Overlay(Overlay::Locks) } else { UiAction::Close });
}

fn play(context: &PageContext, id: &str, beside: Option<&str>) -> Result<(), RunError> {
    let Some(chosen) = scenario(id) else { return Ok(()) };
    context.engine.play(chosen, beside.and_then(scenario))
}

fn cards(root: &Element) -> Vec<HtmlElement> {
    let Ok(found) = root.query_selector_all(".scene") else { return Vec::new() };
    (0..found.length()).filter_map(|at| found.get(at)?.dyn_into().ok()).collect()
}

/// Follows an arrow key from the card that has the focus; whether it was one.
fn walk_on(root: &Element, key: &str) -> bool {
    let Some(way) = Way::of_key(key) else { return false };
    let cards = cards(root);
    let focus = document().active_element();
    let is_focused = |card: &HtmlElement| focus.as_ref() == Some(card.as_ref());
    let Some(from) = cards.iter().position(is_focused) else {
        return false;
    };
    let place = |card: &HtmlElement| {
        let rect = card.get_bounding_client_rect();
        Point::new(rect.left(), rect.top())
    };
    let places: Vec<Point> = cards.iter().map(place).collect();
    if let Some(card) = walk(&places, from, way).and_then(|to| cards.get(to)) {
        let _ = card.focus();
    }
    true
}

/// Keys within the gallery; whoever is behind it hears of none but Escape.
fn keys(root: &NodeRef) -> Callback<KeyboardEvent> {
    let root = root.clone();
    Callback::from(move |event: KeyboardEvent| {
        let key = event.key();
        if key == "Escape" {
            return;
        }
        event.stop_propagation();
        let Some(root) = root.cast::<Element>() else { return };
        let field = event.target().is_some_and(|target| {
            target.dyn_ref::<HtmlInputElement>().is_some()
                || target.dyn_ref::<web_sys::HtmlTextAreaElement>().is_some()
        });
        let search = || root.query_selector("input[type='search']").ok().flatten()?.dyn_into::<HtmlElement>().ok();
        let done = match key.as_str() {
            "Tab" => turn_round(&root, event.shift_key()),
            // who types searches: what was pressed goes where the focus then is
            key if !field && is_character(&event) && key != "/" => {
                search().inspect(|search| _ = search.focus());
                false
            }
            "/" if !field => search().is_some_and(|search| search.focus().is_ok()),
            _ if !field => walk_on(&root, &key),
            _ => false,
        };
        if done {
            event.prevent_default();
        }
    })
}

/// Takes the focus when the gallery opens and gives it back; as long as it is open, the page behind it rests.
#[hook]
fn use_cover(context: &PageContext, node: &NodeRef) {
    use_effect_with((context.engine.clone(), node.clone()), |(engine, node)| {
        let before = focused();
        engine.hide(Hidden::Gallery, true);
        if let Some(root) = node.cast::<HtmlElement>() {
            let current = root.query_selector(".scene[aria-current]").ok().flatten();
            let first = current.and_then(|card| card.dyn_into::<HtmlElement>().ok());
            let _ = first.unwrap_or(root).focus();
        }
        let engine = engine.clone();
        move || {
            engine.hide(Hidden::Gallery, false);
            if let Some(before) = before {
                let _ = before.focus();
            }
        }
    });
}

/// What is on the stage.
#[derive(PartialEq)]
struct Now {
    lesson: Option<Rc<str>>,
    scenarios: [Option<&'static str>; 2],
    rule: Option<Rule>,
    bug: Option<Rc<Bug>>,
}

impl Now {
    fn of(engine: &Engine) -> Now {
        let pair = engine.pair();
        let scenarios = [Some(pair.left()), pair.right()].map(|session| session?.scenario().map(|one| one.id));
        Now {
            lesson: engine.lesson_news().map(|news| news.id),
            scenarios,
            rule: rule_beside(&pair),
            bug: bug_beside(&pair),
        }
    }

    /// Whether a card stands for it.
    fn is(&self, what: &What) -> bool {
        match (what, &self.lesson, self.scenarios) {
            (What::Lesson(lesson), Some(id), _) => lesson.id == *id,
            (What::Scenario(id), None, [Some(left), None]) => *id == left,
            (What::Pair(a, b), None, [Some(left), Some(right)]) => (*a, *b) == (left, right),
            (What::Rule(rule), None, [None, None]) => self.rule == Some(*rule),
            (What::Bug(bug), None, [None, None]) => self.bug.as_ref() == Some(bug),
            _ => false,
        }
    }
}

type Kept = BTreeMap<Rc<str>, keep::Marks>;

/// What the browser keeps of lessons, as soon as the gallery stands.
#[hook]
fn use_kept() -> UseStateHandle<Kept> {
    let kept = use_state(Kept::new);
    let set = kept.setter();
    use_effect_with((), move |()| set.set(keep::marks(&lessons())));
    kept
}

/// The ways to the first section with lessons, to that with scenarios, to the rules and to the bugs.
fn ways(sections: &[Section], lang: Lang) -> [(Option<usize>, &'static str); 4] {
    let first = |is: fn(&What) -> bool| sections.iter().position(|section| section.has(is));
    [
        (first(|what| matches!(what, What::Course(_) | What::Lesson(_))), page(lang).gallery_lessons),
        (first(|what| matches!(what, What::Scenario(_))), page(lang).gallery_scenarios),
        (first(|what| matches!(what, What::Rule(_))), page(lang).gallery_ways_rules),
        (first(|what| matches!(what, What::Bug(_))), page(lang).gallery_ways_bugs),
    ]
}

/// The gallery, as soon as lessons, rules and bugs have come; without them where they do not come.
#[component]
pub(super) fn Gallery(props: &Props) -> Html {
    let context = use_page_context();
    let settled = use_state(are_there);
    use_effect_with((), {
        let settled = settled.setter();
        move |()| context.engine.with_stories(move |_, _| settled.set(true))
    });
    if *settled {
        html! { <Halls ..props.clone() /> }
    } else {
        html! { <p class="coming late" role="status">{ page(props.lang).stories_coming }</p> }
    }
}

#[component]
fn Halls(props: &Props) -> Html {
    let context = use_page_context();
    let node = use_node_ref();
    let question = use_state(String::new);
    let focus = use_state(|| None::<String>);
    let studio = use_memo(context.engine.clone(), |engine| Studio::new(engine.clone()));
    use_cover(&context, &node);
    let lang = props.lang;
    let kept = use_kept();
    let sections = use_model(&context.engine, ((*question).clone(), lang), |engine, (question, lang)| {
        sections(engine, question, *lang)
    });
    let now = use_model(&context.engine, (), |engine, ()| Now::of(engine));
    let all: Vec<&Entry> = sections.iter().flat_map(|section| &section.entries).collect();
    // one card can be reached by Tab; the arrow keys lead to the others
    let stop = focus.as_ref().filter(|key| all.iter().any(|entry| entry.key() == **key)).cloned();
    let stop = stop.or_else(|| all.iter().find(|entry| now.is(&entry.what)).or(all.first()).map(|entry| entry.key()));
    let pick = {
        let context = context.clone();
        Callback::from(move |what: What| open(&context, &what))
    };
    let focused = {
        let focus = focus.clone();
        Callback::from(move |key: String| focus.set(Some(key)))
    };
    let enter = all.first().filter(|_| !question.is_empty()).map(|entry| entry.key());
    let card = |entry: &Entry| {
        let (key, now) = (entry.key(), now.is(&entry.what));
        let marks = match &entry.what {
            What::Lesson(lesson) => kept.get(&lesson.id).copied(),
            _ => None,
        };
        html! {
            <Card key={key.clone()} {lang} theme={props.theme} entry={entry.clone()} {marks} {now} stop={stop.as_ref() == Some(&key)} enter={enter.as_ref() == Some(&key)}
                studio={(*studio).clone()} pick={pick.clone()} focused={focused.clone()} />
        }
    };
    let last = sections.iter().rposition(|section| section.has(|what| matches!(what, What::Lesson(_))));
    let section = |(at, section): (usize, &Section)| {
        let forgets = (last == Some(at)).then(|| kept.clone());
        shelf(section, section.entries.iter().map(card).collect(), forgets, lang)
    };
    let words = page(lang);
    let seen = {
        let studio = studio.clone();
        Callback::from(move |_: Event| studio.wake())
    };
    let found = fill(words.gallery_found, &[&count(&question), &SCENARIOS.len()]);
    html! {
        <section class="gallery" role="dialog" aria-modal="true" aria-label={words.gallery_title} tabindex="-1" ref={node.clone()}
            onkeydown={keys(&node)}>
            { head(&context, &node, &question, ways(&sections, lang), lang) }
            <p class="unseen" role="status">{ found.clone() }</p>
            <div class="halls" onscroll={seen}>
                if !are_there() { <p class="hint">{ words.stories_missing }</p> }
                if all.iter().all(|entry| matches!(entry.what, What::Left(_))) {
                    { nothing(&question, lang) }
                }
                { for sections.iter().enumerate().map(section) }
                <Own {lang} />
            </div>
        </section>
    }
}

/// A section with its cards; below the last one of lessons, the browser can be made to forget what it keeps of them.
fn shelf(section: &Section, cards: Html, forgets: Option<UseStateHandle<Kept>>, lang: Lang) -> Html {
    let forget = |kept: UseStateHandle<Kept>| {
        Callback::from(move |_: MouseEvent| {
            keep::forget();
            kept.set(Kept::new());
        })
    };
    let paired = section.entries.iter().any(|entry| entry.pictures.len() > 1);
    html! {
        <section key={section.title.clone()}>
            <h3>{ section.title.clone() }</h3>
            <ul class={classes!("scenes", paired.then_some("paired"))} aria-label={section.title.clone()}>{ cards }</ul>
            if let Some(kept) = forgets {
                <button class="chip forget" onclick={forget(kept)}>{ page(lang).lesson_forget }</button>
            }
        </section>
    }
}

/// Leads to the section with this number, and to its first card.
fn lead_to(node: &NodeRef, section: usize) -> Option<()> {
    let halls = node.cast::<Element>()?.query_selector(".halls").ok()??;
    let section = halls.children().item(u32::try_from(section).ok()?)?;
    section.scroll_into_view();
    cards(&section).first()?.focus().ok()
}

/// A button that leads to a section.
fn way_to(node: &NodeRef, (section, words): (Option<usize>, &'static str)) -> Html {
    let node = node.clone();
    let lead = move |_: MouseEvent| _ = section.and_then(|section| lead_to(&node, section));
    html! { <button onclick={lead} disabled={section.is_none()}>{ words }</button> }
}

/// The ways to what there is, the search and the way out.
fn head(
    context: &PageContext,
    node: &NodeRef,
    question: &UseStateHandle<String>,
    ways: [(Option<usize>, &'static str); 4],
    lang: Lang,
) -> Html {
    let words = page(lang);
    let typed = {
        let (question, node) = (question.clone(), node.clone());
        Callback::from(move |event: InputEvent| {
            let input = event.target_dyn_into::<HtmlInputElement>();
            question.set(input.map(|input| input.value()).unwrap_or_default());
            // what was found begins at the top
            if let Some(halls) = node.cast::<Element>().and_then(|root| root.query_selector(".halls").ok()?) {
                halls.set_scroll_top(0);
            }
        })
    };
    // from the search down to the cards; Enter opens the first one that was found
    let leave = {
        let node = node.clone();
        Callback::from(move |event: KeyboardEvent| {
            let first = || node.cast::<Element>().and_then(|root| cards(&root).into_iter().next());
            match event.key().as_str() {
                "ArrowDown" => {
                    event.prevent_default();
                    let _ = first().map(|card| card.focus());
                }
                "Enter" => {
                    event.prevent_default();
                    first().inspect(|card| card.click());
                }
                _ => {}
            }
        })
    };
    let choose = context.choose.clone();
    let close = move |_: MouseEvent| choose.dispatch(UiAction::Close);
    html! {
        <header>
            <h2>{ for ways.map(|way| way_to(node, way)) }</h2>
            <label class="search">
                { control_icon("search") }
                <input type="search" aria-label={words.gallery_search} placeholder={words.gallery_hint} maxlength="80"
                    autocomplete="off" spellcheck="false" value={(**question).clone()} oninput={typed} onkeydown={leave} />
            </label>
            <button class="round" onclick={close} aria-label={words.close}>{ control_icon("close") }</button>
        </header>
    }
}

/// Where a search finds nothing.
fn nothing(question: &UseStateHandle<String>, lang: Lang) -> Html {
    let words = page(lang);
    let all = {
        let question = question.clone();
        move |_: MouseEvent| question.set(String::new())
    };
    html! {
        <div class="nothing">
            <p>{ fill(words.gallery_nothing, &[&**question]) }</p>
            <button class="chip" onclick={all}>{ words.gallery_all }</button>
        </div>
    }
}
