//! Code for slides and other pages: a frame, the element, and what the usual tools want written. A scenario's run is named; what is
//! somebody's own goes along as a link.

use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{fill, page, scenario_words};
use crate::share::{Look, encode};
use crate::timeline::{Against, Pair};

use crate::ui::dialogs::home::is_nowhere;
use crate::ui::dialogs::recipes::{Parts, Tool};
use crate::ui::engine::Engine;
use crate::ui::kit::choice::choice;
use crate::ui::kit::promise::copy;
use crate::ui::kit::wear::Theme;
use crate::ui::page::controls::Controls;
use crate::ui::page::state::{Overlay, UiAction, use_page_context};
use crate::ui::time::chapters;

/// The size of a frame, CSS pixels: that of a slide.
const SIZE: (u32, u32) = (960, 540);

/// Where it opens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Opens {
    /// At a moment, ms.
    At(u64),
    /// At the milestone with this number.
    Milestone(u64),
    /// Where the scene does.
    #[default]
    Scene,
}

impl Opens {
    /// Its value in a list, and back.
    fn value(self) -> String {
        match self {
            Opens::At(ms) => format!("t{ms}"),
            Opens::Milestone(number) => format!("m{number}"),
            Opens::Scene => String::new(),
        }
    }

    fn of(value: &str) -> Opens {
        let number = |word: &str| value.strip_prefix(word).and_then(|number| number.parse().ok());
        number("t").map(Opens::At).or(number("m").map(Opens::Milestone)).unwrap_or_default()
    }
}

/// What is wished for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wish {
    opens: Opens,
    controls: Controls,
    plays: bool,
    /// None for the reader's own.
    lang: Option<Lang>,
    theme: Option<Theme>,
}

/// What is on the stage, in the words of addresses.
#[derive(Clone, Debug, Default, PartialEq)]
struct Stage {
    /// What it is called.
    title: String,
    /// Names and values: scenario, the one beside it, seed.
    run: Vec<(&'static str, String)>,
    /// Parameters of the scenario.
    given: Vec<(String, String)>,
    /// For a run of one's own: its link, which says all of this.
    link: Option<String>,
}

impl Stage {
    /// What the engine has on its stage: a lesson at its beat, or a run.
    fn now(engine: &Engine, lang: Lang, plays: bool) -> Stage {
        let Some((lesson, beat)) = engine.lesson_in_address() else { return Stage::of(&engine.pair(), lang, plays) };
        let run = vec![("lesson", lesson.to_string()), ("beat", beat)];
        Stage { title: engine.lesson_title(lang).unwrap_or_default(), run, ..Stage::default() }
    }

    fn of(pair: &Pair, lang: Lang, plays: bool) -> Stage {
        let left = pair.left();
        let beside = match (pair.right(), pair.against()) {
            (None, _) => Some(None),
            (Some(_), Some(Against::Scenario(beside))) => Some(Some(beside.id)),
            _ => None,
        };
        let known = left.scenario().filter(|_| !left.is_changed()).zip(beside);
        let id = left.scenario().map_or("", |scenario| scenario.id);
        let title = scenario_words(lang, id).map_or("ZabScope", |(title, _)| title).to_string();
        let Some((scenario, beside)) = known else {
            let mut moment = pair.moment(Look::default());
            moment.look.playing = plays;
            return Stage { title, link: encode(&moment).ok(), ..Stage::default() };
        };
        let seed = left.player().run().seed;
        let seed = (seed != scenario.run().seed).then_some(("seed", seed.to_string()));
        let beside = beside.map(|id| ("beside", id.to_string()));
        let run = [Some(("scenario", scenario.id.to_string())), beside, seed].into_iter().flatten().collect();
        Stage { title, run, given: pair.given().to_vec(), link: None }
    }

    /// What the address and the element have in common: names and values.
    fn look(&self, wish: &Wish) -> Vec<(&'static str, String)> {
        let controls = Controls::ALL.iter().zip(Controls::NAMES).find(|(one, _)| **one == wish.controls);
        let controls = controls.filter(|(one, _)| **one != Controls::Minimal).map(|(_, name)| name.to_string());
        let lang = wish.lang.map(|lang| lang.code().to_string());
        let theme = wish.theme.map(|theme| theme.name().to_string());
        let named = [("controls", controls), ("lang", lang), ("theme", theme)];
        named.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// The address for a frame.
    fn address(&self, home: &str, wish: &Wish) -> String {
        let mut all = vec![("embed", "1".to_string())];
        all.extend(self.run.iter().cloned());
        all.extend(self.given.iter().map(|(name, value)| (name.as_str(), value.clone())));
        all.extend(self.look(wish));
        match wish.opens {
            _ if self.link.is_some() => {}
            Opens::At(ms) => all.push(("t", ms.to_string())),
            Opens::Milestone(number) => all.push(("step", number.to_string())),
            Opens::Scene => {}
        }
        if !wish.plays {
            all.push(("paused", "1".to_string()));
        }
        let query: Vec<String> = all.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let link = self.link.as_ref().map_or(String::new(), |link| format!("#{link}"));
        format!("{home}?{}{link}", query.join("&"))
    }

    /// A frame.
    fn frame(&self, home: &str, wish: &Wish) -> String {
        let (address, title) = (safe(&self.address(home, wish)), safe(&self.title));
        let (width, height) = SIZE;
        format!(
            "<iframe src=\"{address}\" title=\"{title}\" width=\"{width}\" height=\"{height}\" frameborder=\"0\" allow=\"fullscreen\"></iframe>"
        )
    }

    /// The whole page at the same moment.
    fn whole(&self, home: &str, wish: &Wish) -> String {
        self.address(home, &Wish { controls: Controls::Full, ..*wish })
    }

    /// All that the recipes are made of.
    fn parts(&self, home: &str, wish: &Wish) -> Parts {
        let script = home[..home.rfind('/').map_or(home.len(), |end| end + 1)].to_string() + "zabscope-embed.js";
        let whole = self.whole(home, wish);
        Parts {
            title: self.title.clone(),
            address: self.address(home, wish),
            frame: self.frame(home, wish),
            element: self.element(home, wish),
            script,
            whole,
            widget: self.widget(wish),
            nowhere: is_nowhere(home),
        }
    }

    /// What the element and the widget have in common: names and values, and whether it plays.
    fn attributes(&self, wish: &Wish) -> (Vec<(&'static str, String)>, Option<&'static str>) {
        let mut all = self.run.clone();
        if !self.given.is_empty() {
            let given: Vec<String> = self.given.iter().map(|(name, value)| format!("{name}={value}")).collect();
            all.push(("params", given.join("&")));
        }
        all.extend(self.link.clone().map(|link| ("run", link)));
        all.extend(self.look(wish));
        let at = match wish.opens {
            _ if self.link.is_some() => None,
            Opens::At(ms) => Some(("at", ms.to_string())),
            Opens::Milestone(number) => Some(("step", number.to_string())),
            Opens::Scene => None,
        };
        // at a moment it stands by itself, elsewhere it plays
        let play = match (at.is_some(), wish.plays) {
            (true, true) => Some("autoplay"),
            (false, false) => Some("paused"),
            _ => None,
        };
        all.extend(at);
        (all, play)
    }

    /// The widget of the package for notebooks, in Python, which writes texts as Rust does.
    fn widget(&self, wish: &Wish) -> String {
        let (all, play) = self.attributes(wish);
        let argument = |(name, value): (&'static str, String)| match name {
            "at" | "step" => format!("{name}={value}"),
            _ => format!("{name}={value:?}"),
        };
        let all = all.into_iter().map(argument).chain(play.map(|play| format!("{play}=True")));
        format!("from zabscope import ZabScope\nZabScope({})", all.collect::<Vec<_>>().join(", "))
    }

    /// The element. A presenter's keys go to the deck around it, and what is inside it is for places that have no scripts.
    fn element(&self, home: &str, wish: &Wish) -> String {
        let (mut all, play) = self.attributes(wish);
        let play = play.map_or(String::new(), |play| format!(" {play}"));
        all.push(("keys", "deck".to_string()));
        // beside its script it finds a page of the usual name by itself
        let page = home.rsplit('/').next().filter(|page| !matches!(*page, "" | "index.html"));
        all.extend(page.map(|_| ("src", home.to_string())));
        all.push(("title", self.title.clone()));
        let all: String = all.iter().map(|(name, value)| format!(" {name}=\"{}\"", safe(value))).collect();
        let (whole, title) = (safe(&self.whole(home, wish)), safe(&self.title));
        format!("<zab-scope{all}{play}><a href=\"{whole}\">{title}</a></zab-scope>")
    }
}

/// A text as an attribute's value.
pub(super) fn safe(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// What the dialog tells it.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub theme: Theme,
    /// The page's address.
    pub home: String,
}

/// Where it may open: values and words, first what is wished for by itself.
fn places(pair: &Pair, lang: Lang) -> Vec<(String, String)> {
    let words = page(lang);
    let session = pair.left();
    // what has just happened is not left out
    let at = |us: u64| Opens::At(us.div_ceil(1_000)).value();
    let mut all = vec![(at(session.cursor_us().max(0.0) as u64), words.slide_moment.to_string())];
    let Some(scenario) = session.scenario() else { return all };
    all.push((Opens::Scene.value(), words.slide_scene.to_string()));
    all.extend(
        session.chapters().iter().skip(1).map(|mark| (at(mark.at.0), chapters::in_words(lang, scenario.id, *mark).0)),
    );
    let milestone = Some(session.turn()).filter(|number| *number > 0);
    all.extend(milestone.map(|number| (Opens::Milestone(number).value(), fill(words.slide_milestone, &[&number]))));
    all
}

/// The choices, and the code.
#[component]
pub(super) fn Slide(props: &Props) -> Html {
    let context = use_page_context();
    let (lang, words) = (props.lang, page(props.lang));
    // the moment at which it was opened
    let places = use_memo(lang, |lang| match context.engine.lesson_in_address() {
        Some(_) => vec![(Opens::Scene.value(), words.slide_moment.to_string())],
        None => places(&context.engine.pair(), *lang),
    });
    let wish = use_state_eq(|| Wish {
        opens: places.first().map(|(value, _)| Opens::of(value)).unwrap_or_default(),
        controls: Controls::Minimal,
        plays: false,
        lang: Some(lang),
        theme: Some(props.theme),
    });
    let stage = use_memo((lang, wish.plays), |(lang, plays)| Stage::now(&context.engine, *lang, *plays));
    let poster = {
        let choose = context.choose.clone();
        move |_: MouseEvent| choose.dispatch(UiAction::Overlay(Overlay::Pictures))
    };
    // in a notebook, where the page has no address, the code for one
    let tool = use_state_eq(|| if is_nowhere(&props.home) { Tool::Jupyter } else { Tool::default() });
    let tools: Vec<_> =
        Tool::ALL.iter().map(|tool| (tool.name().to_string(), tool.title(words).to_string())).collect();
    let choose = Callback::from({
        let tool = tool.setter();
        move |name: String| tool.set(Tool::named(&name))
    });
    html! {
        <>
            <p>{ words.slide_hint }</p>
            { fields(&wish, if stage.link.is_some() { &places[..1] } else { &places }, lang) }
            <div class="fields">{ choice(words.slide_for, &tools, tool.name(), choose) }</div>
            { for tool.codes(&stage.parts(&props.home, &wish), words).into_iter().map(|(name, code)| html! {
                <Snippet key={name} {lang} {name} {code} />
            }) }
            if let Some(note) = tool.note(words) {
                <p class="small">{ note }</p>
            }
            <p><button onclick={poster}>{ words.slide_poster }</button></p>
        </>
    }
}

fn fields(wish: &UseStateHandle<Wish>, places: &[(String, String)], lang: Lang) -> Html {
    let words = page(lang);
    let set = |change: fn(Wish, &str) -> Wish| {
        let wish = wish.clone();
        Callback::from(move |value: String| wish.set(change(*wish, &value)))
    };
    let named = |all: &[(&str, &str)]| {
        all.iter().map(|(value, word)| (value.to_string(), word.to_string())).collect::<Vec<_>>()
    };
    let controls = [("minimal", words.slide_minimal), ("none", words.slide_none), ("full", words.slide_full)];
    let own = [("", words.slide_own)];
    let langs: Vec<(&str, &str)> =
        own.into_iter().chain(Lang::ALL.iter().map(|one| (one.code(), one.name()))).collect();
    let themes = [own[0], ("light", words.theme_light), ("dark", words.theme_dark)];
    let at = Controls::ALL.iter().position(|one| *one == wish.controls).unwrap_or_default();
    let time = [("", words.slide_stands), ("plays", words.slide_plays)];
    html! {
        <div class="fields">
            { choice(words.slide_opens, places, &wish.opens.value(), set(|wish, value| Wish { opens: Opens::of(value), ..wish })) }
            { choice(words.slide_time, &named(&time), if wish.plays { "plays" } else { "" },
                set(|wish, value| Wish { plays: !value.is_empty(), ..wish })) }
            { choice(words.slide_controls, &named(&controls), Controls::NAMES[at],
                set(|wish, value| Wish { controls: Controls::named(value).unwrap_or_default(), ..wish })) }
            { choice(words.language, &named(&langs), wish.lang.map_or("", Lang::code),
                set(|wish, value| Wish { lang: Lang::from_tag(value), ..wish })) }
            { choice(words.slide_theme, &named(&themes), wish.theme.map_or("", Theme::name), set(|wish, value| {
                let theme = [Theme::Light, Theme::Dark].into_iter().find(|theme| theme.name() == value);
                Wish { theme, ..wish }
            })) }
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct SnippetProps {
    lang: Lang,
    name: &'static str,
    code: String,
}

/// Code to be copied.
#[component]
fn Snippet(props: &SnippetProps) -> Html {
    let words = page(props.lang);
    let field = use_node_ref();
    let said = use_state_eq(|| "");
    let press = {
        let (field, said, code) = (field.clone(), said.setter(), props.code.clone());
        move |_: MouseEvent| {
            let said = said.clone();
            copy(&code, field.cast(), move |copied| {
                said.set(if copied { words.share_copied } else { words.share_by_hand });
            });
        }
    };
    html! {
        <section class="snippet" aria-label={props.name}>
            <h3>{ props.name }</h3>
            <div class="link-line">
                <textarea ref={field} readonly=true rows="3" spellcheck="false" aria-label={props.name} value={props.code.clone()} />
                <button class="main" onclick={press} aria-label={format!("{}: {}", words.slide_copy, props.name)}>{ words.slide_copy }</button>
            </div>
            <p class="small said" role="status">{ *said }</p>
        </section>
    }
}

#[cfg(test)]
mod tests;
