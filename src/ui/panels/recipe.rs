//! The panel in which somebody writes a recipe: the text with its faults, a run of it, the search for the run that breaks it, and at which
//! line each client stands.

mod blocks;
mod editor;
mod told;

use std::rc::Rc;

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::base::ClientId;
use crate::explore::Question;
use crate::explore::own::text_of;
use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::i18n::{program_words, property_title};
use crate::recipes::own::{Activity, At, Program, READY, Section};
use crate::recipes::without_guids;
use crate::sim::RunError;
use crate::ui::engine::Engine;
use crate::ui::engine::model::use_model;
use crate::ui::engine::recipe::Attempt;
use crate::ui::kit::browser::wrong_words;
use crate::ui::kit::choice::choice;
use crate::ui::kit::shapes::control_icon;
use crate::ui::page::panel::Panel;
use crate::ui::page::state::{PageContext, UiAction, use_page_context};
use crate::ui::panels::lists::Props;
use crate::ui::panels::search::grouped;
use crate::ui::search::Standing;

use blocks::BlockEditor;

/// The language by example, in the order in which the page says what each line means.
const FORMS: [&str; 16] = [
    "acquire · release",
    "read · write · start · close · set · wait · remove · put · take",
    "me = create /lock/n- ephemeral sequential",
    "delete me · get me · exists me · set me to \"x\"",
    "all = children of /lock",
    "one = the first in all · the last in all · the one before me in all",
    "id = a guid · me = create /lock/{id}-n- ephemeral sequential",
    "me = the one with id in all",
    "if me is first in all · is nothing · is not in all",
    "if found is mine",
    "repeat · repeat 3 times · stop",
    "wait until before is gone",
    "seen = exists before with watch · wait",
    "hold · hold shared · lead · give up",
    "on connection loss · again",
    "on session lost · release",
];

/// What the panel shows of the run, the search and the desk.
#[derive(PartialEq)]
struct Model {
    text: Rc<str>,
    /// Whether it is shown as blocks.
    as_blocks: bool,
    on_stage: Option<Rc<str>>,
    /// Where clients stand in the program on the stage.
    places: Vec<(ClientId, At)>,
    attempts: Vec<Attempt>,
    /// The open lesson says what is searched.
    taught: bool,
    /// The search that is about this text, or about the one before it.
    search: Option<(Question, Standing)>,
}

impl Model {
    fn of(engine: &Engine) -> Model {
        let text = engine.recipe_text();
        let on_stage = engine.recipe_on_stage();
        let session = engine.session();
        let apps = session.world().clients.values().filter_map(|client| Some((client.id, client.app.as_ref()?)));
        let places =
            apps.flat_map(|(client, app)| app.own_recipes().flat_map(move |(.., at)| at).map(move |at| (client, at)));
        let search = engine.search().filter(|(question, _)| text_of(&question.run).is_some());
        let (as_blocks, attempts) = (engine.recipe_is_blocks(), engine.attempts());
        let taught = engine.written_here().is_some();
        Model { places: places.collect(), on_stage, attempts, taught, search, text, as_blocks }
    }

    /// Whether the program on the stage is the one in the editor.
    fn is_shown(&self) -> bool {
        self.on_stage.as_ref() == Some(&self.text)
    }

    /// Where clients stand in the text in the editor.
    fn shown_places(&self) -> &[(ClientId, At)] {
        if self.is_shown() { &self.places } else { &[] }
    }
}

/// Opens the panel, with a run of the text that stands in it; whatever lies over the page closes.
pub(in crate::ui) fn open(context: &PageContext) {
    let text = context.engine.recipe_text();
    if let Ok(program) = Program::parse(&text)
        && context.engine.recipe_on_stage().is_none()
    {
        tell(&context.engine, context.engine.run_recipe(&text, &program));
    }
    context.choose.dispatch(UiAction::Close);
    context.choose.dispatch(UiAction::Panel(Panel::Recipe));
}

fn tell(engine: &Engine, result: Result<(), RunError>) {
    engine.note(result.err().map(|error| wrong_words(&error)));
}

/// The panel.
#[component]
pub(in crate::ui) fn RecipePanel(props: &Props) -> Html {
    let context = use_page_context();
    let model = use_model(&context.engine, (), |engine, ()| Model::of(engine));
    let may_herd = use_state(|| false);
    let (lang, words, engine) = (props.lang, page(props.lang), &context.engine);
    let program = Program::parse(&model.text);
    let wrong = program.as_ref().err().map(|error| (error.line, program_words(lang, error)));
    html! {
        <div class="recipe">
            <p class="hint">{ words.recipe_about }</p>
            { ready(engine, &model, lang) }
            { deeds(engine, &model, program.as_ref().ok(), &may_herd, lang) }
            <p class="wrong" role="status">{ wrong.as_ref().map(|(_, why)| why.clone()).unwrap_or_default() }</p>
            if let Some(search) = &model.search { { told::told(engine, search, &model.text, lang) } }
            if let (false, Some(old), Ok(new)) = (model.is_shown(), &model.on_stage, &program) {
                { other(engine, (&model.text, new), old, lang) }
            }
            { forms(engine, model.as_blocks, lang) }
            if model.as_blocks {
                <BlockEditor {lang} text={model.text.clone()} places={model.shown_places().to_vec()} />
            } else {
                { editor::editor(engine, &model, wrong.map(|(line, _)| line), lang) }
            }
            if let Some(section) = program.as_ref().ok().and_then(lacking) {
                <p class="hint" role="status">{ fill(words.recipe_lacks, &[&section]) }</p>
            }
            if model.is_shown() { { stands(&model.places, lang) } }
            { attempts(engine, &model, lang) }
            { language(lang) }
        </div>
    }
}

/// The section without which nobody can give back what they got, if there is none.
fn lacking(program: &Program) -> Option<&'static str> {
    use Section::{Acquire, Close, Read, Release, Start, Write};
    let has = |section: Section| program.has(section);
    if has(Start) && !has(Close) {
        return Some(Close.name());
    }
    (!has(Release) && (has(Acquire) || has(Read) || has(Write))).then(|| Release.name())
}

/// The two forms of the text.
fn forms(engine: &Engine, as_blocks: bool, lang: Lang) -> Html {
    let words = page(lang);
    let form = |(word, blocks): (&'static str, bool)| {
        let engine = engine.clone();
        let choose = move |_: MouseEvent| engine.show_recipe_as(blocks);
        html! { <button class="chip" aria-pressed={(as_blocks == blocks).to_string()} onclick={choose}>{ word }</button> }
    };
    html! {
        <div class="forms-of" role="group" aria-label={words.recipe_form}>
            { form((words.recipe_text, false)) }{ form((words.recipe_blocks, true)) }
        </div>
    }
}

/// The programs to start from.
fn ready(engine: &Engine, model: &Model, lang: Lang) -> Html {
    let words = page(lang);
    let name =
        |name: &str| words.recipe_ready.iter().find(|(known, _)| *known == name).map_or("", |(_, title)| title);
    let mut values: Vec<(String, String)> =
        READY.iter().map(|ready| (ready.name.to_string(), name(ready.name).to_string())).collect();
    let now = READY.iter().find(|ready| *ready.text == *model.text).map_or("", |ready| ready.name);
    if now.is_empty() {
        values.insert(0, (String::new(), words.recipe_yours.into()));
    }
    let engine = engine.clone();
    let chosen = Callback::from(move |name: String| {
        if let Some(ready) = READY.iter().find(|ready| ready.name == name) {
            engine.put_recipe(&ready.text.into());
        }
    });
    html! { <div class="seek">{ choice(words.recipe_start, &values, now, chosen) }</div> }
}

/// What can be done with the text.
fn deeds(
    engine: &Engine,
    model: &Model,
    program: Option<&Program>,
    may_herd: &UseStateHandle<bool>,
    lang: Lang,
) -> Html {
    let words = page(lang);
    let with = |deed: fn(&Engine, &Rc<str>, &Program, bool)| {
        let (engine, text, program) = (engine.clone(), model.text.clone(), program.cloned());
        let may_herd = **may_herd;
        Callback::from(move |_: MouseEvent| {
            program.iter().for_each(|program| deed(&engine, &text, program, may_herd))
        })
    };
    let run = with(|engine, text, program, _| tell(engine, engine.run_recipe(text, program)));
    let find = with(|engine, text, program, may_herd| engine.break_recipe(text, program, may_herd));
    let line = {
        let engine = engine.clone();
        move |_: MouseEvent| engine.to_next_line()
    };
    let herd = {
        let set = may_herd.setter();
        Callback::from(move |event: Event| {
            set.set(event.target_dyn_into::<HtmlInputElement>().is_some_and(|field| field.checked()));
        })
    };
    let off = program.is_none();
    html! {
        <>
            <div class="deeds-of">
                <button class="main" onclick={find} disabled={off}>{ control_icon("search") }{ words.recipe_find }</button>
                <button class="chip" onclick={run} disabled={off}>{ control_icon("play") }{ words.recipe_run }</button>
                <button class="chip" onclick={line} disabled={!model.is_shown()}>{ control_icon("step") }{ words.recipe_line }</button>
            </div>
            if !model.taught {
                <label class="tick"><input type="checkbox" checked={**may_herd} onchange={herd} />{ words.recipe_may_herd }</label>
            }
        </>
    }
}

/// The program on the stage is another one than that in the editor.
fn other(engine: &Engine, (text, program): (&Rc<str>, &Program), old: &Rc<str>, lang: Lang) -> Html {
    let words = page(lang);
    let beside = {
        let (engine, text, program) = (engine.clone(), text.clone(), program.clone());
        move |_: MouseEvent| tell(&engine, engine.recipe_beside(&text, &program, words.recipe_new.into()))
    };
    let take = {
        let (engine, old) = (engine.clone(), old.clone());
        move |_: MouseEvent| engine.put_recipe(&old)
    };
    html! {
        <div class="nothing">
            <p>{ words.recipe_other }</p>
            <div>
                <button class="chip" onclick={beside}>{ words.recipe_beside }</button>
                <button class="chip" onclick={take}>{ words.recipe_take }</button>
            </div>
        </div>
    }
}

/// What a client does at its line.
fn doing_words(at: &At, lang: Lang) -> String {
    let words = page(lang);
    let doing = match &at.doing {
        Activity::Idle => String::new(),
        Activity::Asks => words.recipe_asks.into(),
        Activity::Connects => words.recipe_connects.into(),
        Activity::Waits(path) if path.is_empty() => words.recipe_waits_any.into(),
        Activity::Waits(path) => fill(words.recipe_waits, &[&without_guids(path)]),
        Activity::Sleeps => words.recipe_sleeps.into(),
    };
    let line = (at.line > 0).then(|| fill(words.recipe_at, &[&at.line]));
    let holds = at.holds.then(|| words.recipe_holds.to_string());
    let said: Vec<String> =
        line.into_iter().chain(holds).chain(Some(doing)).filter(|said| !said.is_empty()).collect();
    if said.is_empty() { words.recipe_outside.into() } else { said.join(" · ") }
}

/// Where each client stands, what it waits for, what it keeps.
fn stands(places: &[(ClientId, At)], lang: Lang) -> Html {
    if places.is_empty() {
        return Html::default();
    }
    let words = page(lang);
    let values = |at: &At| {
        let shown: Vec<String> =
            at.values.iter().map(|(name, value)| format!("{name} = {}", without_guids(value))).collect();
        shown.join(" · ")
    };
    html! {
        <>
            <h2>{ words.recipe_stands }</h2>
            <ul class="stands">
                { for places.iter().map(|(client, at)| html! {
                    <li key={format!("{client}/{}", at.thread)}>
                        <b class="z">{ client.to_string() }</b>{ " " }<span>{ doing_words(at, lang) }</span>
                        if !at.values.is_empty() { { " " }<small class="z">{ values(at) }</small> }
                    </li>
                }) }
            </ul>
        </>
    }
}

/// What was tried before, the newest first.
fn attempts(engine: &Engine, model: &Model, lang: Lang) -> Html {
    if model.attempts.is_empty() {
        return Html::default();
    }
    let words = page(lang);
    let came = |attempt: &Attempt| match (&attempt.law, attempt.schedules) {
        (Some(law), _) => fill(words.recipe_fell, &[&property_title(lang, law), &attempt.steps]),
        (None, 0) => words.recipe_untried.to_string(),
        (None, schedules) => fill(words.recipe_stood, &[&grouped(schedules)]),
    };
    let row = |(at, attempt): (usize, &Attempt)| {
        let (engine, text) = (engine.clone(), attempt.text.clone());
        let back = move |_: MouseEvent| engine.put_recipe(&text);
        let now = attempt.text == model.text;
        html! {
            <li key={at}>
                <button class="text" onclick={back} disabled={now}>
                    { format!("{}. {}", at + 1, came(attempt)) }
                </button>
            </li>
        }
    };
    let forget = {
        let engine = engine.clone();
        move |_: MouseEvent| engine.forget_attempts()
    };
    html! {
        <details class="what">
            <summary>{ fill(words.recipe_attempts, &[&model.attempts.len()]) }</summary>
            <ul class="tries">{ for model.attempts.iter().enumerate().rev().map(row) }</ul>
            <button class="chip" onclick={forget}>{ words.recipe_forget }</button>
        </details>
    }
}

/// The language by example.
fn language(lang: Lang) -> Html {
    let words = page(lang);
    html! {
        <details class="what">
            <summary>{ words.recipe_language }</summary>
            <dl class="forms">
                { for FORMS.iter().zip(words.recipe_forms).map(|(form, about)| html! {
                    <div key={*form}><dt class="z">{ *form }</dt><dd>{ *about }</dd></div>
                }) }
            </dl>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_can_give_back_lacks_a_section() {
        let lacks = |text: &str| lacking(&Program::parse(text).expect("a program"));
        assert_eq!(lacks("acquire\n  release\n  hold\n"), Some("release"));
        assert_eq!(lacks("read\n  hold shared\nclose\n  wait\n"), Some("release"));
        assert_eq!(lacks("start\n  lead\nrelease\n  wait\n"), Some("close"));
        assert!(READY.iter().all(|ready| lacks(ready.text).is_none()));
    }

    #[test]
    fn every_form_and_every_ready_program_has_its_words() {
        for lang in Lang::ALL {
            assert_eq!(page(lang).recipe_forms.len(), FORMS.len());
            let ready: Vec<&str> = page(lang).recipe_ready.iter().map(|(name, _)| *name).collect();
            assert_eq!(ready, READY.iter().map(|ready| ready.name).collect::<Vec<_>>());
        }
    }
}
