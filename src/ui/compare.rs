//! Two runs beside each other with one clock: above each stage its name and its number, below it its sentence; how the costs of releases
//! grow, or who led when; where the two part, and on demand all numbers.

pub(super) mod form;
pub(super) mod growth;
pub(super) mod heads;
pub(super) mod names;
pub(super) mod numbers;
pub(super) mod reigns;
pub(super) mod rules;
pub(super) mod strip;

use yew::prelude::*;

use crate::i18n::Lang;
use crate::timeline::Side;

use super::spacetime::SpaceTime;
use super::stage::Stage;
use crate::i18n::wording::LETTERS;
use crate::ui::compare::growth::Growth;
use crate::ui::compare::heads::Heads;
use crate::ui::compare::reigns::WhoLed;
use crate::ui::compare::strip::Strip;
use crate::ui::kit::wear::Wear;
use crate::ui::page::state::{Choices, PageContext, View, use_page_context};
use crate::ui::stage::narration::Told;

/// What the page tells all parts.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub wear: Wear,
    pub view: View,
}

/// What stands above the stages.
pub(super) fn above(lang: Lang) -> Html {
    html! { <Heads {lang} /> }
}

/// The stage of the run on the right, and what stands below and beside both; on a page that is only a part of another one no more than the
/// sentences.
pub(super) fn below(lang: Lang, wear: Wear, view: View, thin: bool) -> Html {
    html! {
        <>
            <div class="telling a"><b class="letter">{ LETTERS[0] }</b><Told {lang} letter={LETTERS[0]} /></div>
            <RightStage {lang} {wear} {view} />
            if view == View::Stage { <WhoLed {lang} /> }
            if !thin {
                <Growth {lang} {wear} />
                <Strip {lang} {wear} {view} />
            }
        </>
    }
}

/// The stage of the run on the right, with its sentence. What is picked there is its own.
#[component]
fn RightStage(props: &Props) -> Html {
    let page = use_page_context();
    let choices = use_reducer(Choices::default);
    let context = PageContext { engine: page.engine.on(Side::Right), choose: choices.dispatcher() };
    html! {
        <ContextProvider<PageContext> context={context}>
            <div class="right-stage">
                if props.view == View::SpaceTime {
                    <SpaceTime lang={props.lang} wear={props.wear} picked={choices.picked} letter={LETTERS[1]} />
                } else {
                    <Stage lang={props.lang} wear={props.wear} picked={choices.picked} over={choices.over} letter={LETTERS[1]} />
                }
            </div>
            <div class="telling b"><b class="letter">{ LETTERS[1] }</b><Told lang={props.lang} letter={LETTERS[1]} /></div>
        </ContextProvider<PageContext>>
    }
}
