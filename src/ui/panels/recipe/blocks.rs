//! The same lines as blocks: each coloured by what it is about, between the bars of those it stands in, with a field for what stands there;
//! for the block at hand what can be done with it, by hand and by key.

use std::cell::RefCell;
use std::rc::Rc;

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlTextAreaElement};
use yew::prelude::*;

use crate::base::ClientId;
use crate::i18n::page::{fill, page};
use crate::i18n::{Lang, program_words};
use crate::recipes::own::{At, Block, BlockKind, Blocks, Edited, MAX_PROGRAM_BYTES, Offer};
use crate::ui::engine::Engine;
use crate::ui::page::state::use_page_context;

use super::editor::marks;

/// So many deeds can be taken back.
const KEPT: usize = 100;

/// What the panel tells the blocks.
#[derive(Clone, PartialEq, Properties)]
pub(super) struct Props {
    pub lang: Lang,
    pub text: Rc<str>,
    /// Where clients stand in this text.
    pub places: Vec<(ClientId, At)>,
}

/// A text, and the block at hand in it.
type Moment = (Rc<str>, usize);

/// What was done to the blocks, and taken back.
#[derive(Default)]
struct Past {
    done: Vec<Moment>,
    undone: Vec<Moment>,
    /// The line in which somebody types: all that is one deed.
    typed: Option<usize>,
}

impl Past {
    /// Something is about to be done to a text.
    fn keep(&mut self, now: Moment, typed: Option<usize>) {
        if typed.is_none() || typed != self.typed {
            self.done.push(now);
            self.done.drain(..self.done.len().saturating_sub(KEPT));
        }
        (self.typed, self.undone) = (typed, Vec::new());
    }

    /// The text before what was done last; or what was taken back last.
    fn turn(&mut self, now: Moment, back: bool) -> Option<Moment> {
        self.typed = None;
        let (from, to) = if back { (&mut self.done, &mut self.undone) } else { (&mut self.undone, &mut self.done) };
        let then = from.pop()?;
        to.push(now);
        Some(then)
    }
}

/// A deed with the block at hand.
#[derive(Clone, Copy, PartialEq)]
enum Deed {
    Below,
    Remove,
    Shift(bool),
    Nest(bool),
    Turn(bool),
}

impl Deed {
    /// The one of a key in a field; `empty` says whether nothing stands there.
    fn of_key(event: &KeyboardEvent, empty: bool) -> Option<Deed> {
        let (shift, alt) = (event.shift_key(), event.alt_key());
        let command = event.ctrl_key() || event.meta_key();
        match event.key().as_str() {
            "z" | "Z" if command && !alt => Some(Deed::Turn(!shift)),
            "y" if command && !alt => Some(Deed::Turn(false)),
            _ if command || event.is_composing() => None,
            "ArrowUp" if alt => Some(Deed::Shift(true)),
            "ArrowDown" if alt => Some(Deed::Shift(false)),
            _ if alt => None,
            "Enter" if !shift => Some(Deed::Below),
            "Tab" => Some(Deed::Nest(!shift)),
            "Delete" | "Backspace" if empty => Some(Deed::Remove),
            _ => None,
        }
    }
}

fn kind_class(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Section => "section",
        BlockKind::Clause => "clause",
        BlockKind::Request => "request",
        BlockKind::Value => "value",
        BlockKind::Control => "control",
        BlockKind::Hold => "hold",
        BlockKind::Note => "note",
        BlockKind::Unread => "unread",
    }
}

fn kind_word(kind: BlockKind, lang: Lang) -> &'static str {
    let at = BlockKind::ALL.iter().position(|known| *known == kind);
    at.and_then(|at| page(lang).recipe_kinds.get(at)).copied().unwrap_or_default()
}

/// Puts the cursor into the field of a block.
fn focus(list: &NodeRef, at: usize) {
    let field = list.cast::<Element>().and_then(|list| list.query_selector_all("textarea").ok()?.get(at as u32));
    if let Some(field) = field.and_then(|field| field.dyn_into::<HtmlElement>().ok()) {
        let _ = field.focus();
    }
}

/// How a text changes: somebody types in a line, does something, or takes it back.
#[derive(Clone, Copy, PartialEq)]
enum How {
    Typed(usize),
    Done,
    Turned,
}

/// All that the fields and buttons reach.
struct Hands {
    engine: Engine,
    blocks: Rc<Blocks>,
    /// The text and the block at hand.
    now: Moment,
    chosen: UseStateSetter<usize>,
    update: UseForceUpdateHandle,
    past: Rc<RefCell<Past>>,
    list: NodeRef,
    /// The block whose field gets the cursor.
    wanted: Rc<RefCell<Option<usize>>>,
    /// The Tab key leaves the field.
    leaves: Rc<RefCell<bool>>,
}

impl Hands {
    /// Another text, and the block at hand in it; its field gets the cursor, or not.
    fn put(&self, (text, at): Moment, how: How, focus: bool) {
        if text != self.now.0 && how != How::Turned {
            let typed = if let How::Typed(line) = how { Some(line) } else { None };
            self.past.borrow_mut().keep(self.now.clone(), typed);
        }
        self.engine.write_recipe(&text);
        self.wanted.replace(focus.then_some(at));
        self.chosen.set(at);
        self.update.force_update();
    }

    fn put_edited(&self, edited: Edited, how: How, focus: bool) -> bool {
        let possible = edited.is_some();
        edited.into_iter().for_each(|(text, at)| self.put((text.into(), at), how, focus));
        possible
    }

    /// Whether that is possible, and then it is done.
    fn does(&self, deed: Deed, at: usize, focus: bool) -> bool {
        let Deed::Turn(back) = deed else {
            return self.put_edited(edited(&self.blocks, deed, at), How::Done, focus);
        };
        let then = self.past.borrow_mut().turn((self.now.0.clone(), at), back);
        then.into_iter().for_each(|then| self.put(then, How::Turned, focus));
        true
    }

    fn typed(&self, index: usize, event: &InputEvent) {
        let value = event.target_dyn_into::<HtmlTextAreaElement>().map(|field| field.value());
        if let Some((text, at)) = value.and_then(|value| self.blocks.write(index, &value)) {
            let (how, moved) = if at == index { (How::Typed(index), false) } else { (How::Done, true) };
            self.put((text.into(), at), how, moved);
        }
    }

    fn pressed(&self, index: usize, event: &KeyboardEvent) {
        let (key, leaves) = (event.key(), *self.leaves.borrow());
        // whoever goes back by Shift and Tab has pressed Shift before
        self.leaves.replace(key == "Escape" || leaves && key == "Shift");
        let plain = !(event.alt_key() || event.ctrl_key() || event.meta_key() || event.is_composing());
        let next = match key.as_str() {
            "Tab" if leaves => return,
            "ArrowUp" if plain => index.checked_sub(1),
            "ArrowDown" if plain => Some(index + 1).filter(|next| *next < self.blocks.all.len()),
            _ => None,
        };
        let deed = Deed::of_key(event, self.blocks.all[index].is_blank());
        next.into_iter().for_each(|next| focus(&self.list, next));
        if next.is_some() || deed.is_some_and(|deed| self.does(deed, index, true)) {
            event.prevent_default();
        }
    }
}

/// The blocks.
#[component]
pub(super) fn BlockEditor(props: &Props) -> Html {
    let (context, lang) = (use_page_context(), props.lang);
    let update = use_force_update();
    let (chosen, adding, list) = (use_state_eq(|| 0_usize), use_state_eq(|| false), use_node_ref());
    let past = use_memo((), |()| RefCell::new(Past::default()));
    let (wanted, leaves) = (use_mut_ref(|| None::<usize>), use_mut_ref(|| false));
    use_effect({
        let (list, wanted) = (list.clone(), wanted.clone());
        move || wanted.take().into_iter().for_each(|at| focus(&list, at))
    });
    // what was typed is there at once, whenever the panel hears of it
    let text = context.engine.recipe_text();
    let blocks = use_memo(text.clone(), |text| Blocks::of(text));
    let at = (*chosen).min(blocks.all.len() - 1);
    // to find what fits takes some milliseconds
    let offered = use_memo(
        (blocks.clone(), at, *adding),
        |(blocks, at, adding)| {
            if *adding { blocks.offers(*at) } else { Vec::new() }
        },
    );
    let hands = Rc::new(Hands {
        engine: context.engine.clone(),
        blocks: blocks.clone(),
        now: (text, at),
        chosen: chosen.setter(),
        update,
        past,
        list: list.clone(),
        wanted,
        leaves,
    });
    let row = |(index, block): (usize, &Block)| block_row(props, &hands, (index, block), index == at);
    html! {
        <div class="recipe-blocks">
            <p class="hint">{ page(lang).recipe_keys }</p>
            { tools(&hands, &adding, lang) }
            if *adding { { offers(&hands, &offered, &adding, lang) } }
            <ol ref={list} aria-label={page(lang).recipe_program}>{ for blocks.all.iter().enumerate().map(row) }</ol>
        </div>
    }
}

/// What a deed makes of the blocks; nothing where it is not possible.
fn edited(blocks: &Blocks, deed: Deed, at: usize) -> Edited {
    match deed {
        Deed::Below => blocks.add_below(at),
        Deed::Remove => blocks.remove(at),
        Deed::Shift(up) => blocks.shift(at, up),
        Deed::Nest(deeper) => blocks.nest(at, deeper),
        Deed::Turn(_) => None,
    }
}

/// A block.
fn block_row(props: &Props, hands: &Rc<Hands>, (index, block): (usize, &Block), chosen: bool) -> Html {
    let Props { lang, ref places, .. } = *props;
    let (typing, pressing, setter) = (hands.clone(), hands.clone(), hands.chosen.clone());
    let oninput = move |event: InputEvent| typing.typed(index, &event);
    let onkeydown = move |event: KeyboardEvent| pressing.pressed(index, &event);
    let onfocus = move |_: FocusEvent| setter.set(index);
    let number = index + 1;
    let (at, chips) = marks(places, number);
    let wrong = block.wrong.as_ref().map(|wrong| program_words(lang, wrong));
    let class = classes!(kind_class(block.kind), at, wrong.is_some().then_some("off"), chosen.then_some("chosen"));
    let label = format!("{}, {}", fill(page(lang).recipe_at, &[&number]), kind_word(block.kind, lang));
    let id = format!("wrong-{number}");
    html! {
        <li key={index} {class} aria-level={(block.within.len() + 1).to_string()}>
            <i aria-hidden="true">{ number }</i>
            { for block.within.iter().map(|kind| html! { <s class={kind_class(*kind)} aria-hidden="true" /> }) }
            <div class="tile">
                <span aria-hidden="true">{ format!("{} ", block.text) }</span>
                <textarea rows="1" aria-label={label} aria-invalid={wrong.is_some().to_string()}
                    aria-describedby={wrong.as_ref().map(|_| id.clone())} spellcheck="false" autocapitalize="off" autocomplete="off"
                    maxlength={MAX_PROGRAM_BYTES.to_string()} value={block.text.to_string()} {oninput} {onkeydown} {onfocus} />
                if let Some(wrong) = wrong { <small {id} class="wrong">{ wrong }</small> }
            </div>
            { chips }
        </li>
    }
}

/// What can be done with the block at hand.
fn tools(hands: &Rc<Hands>, adding: &UseStateHandle<bool>, lang: Lang) -> Html {
    let (words, at) = (page(lang), hands.now.1);
    let tool = |(sign, word, what): (&'static str, &'static str, Deed)| {
        let off = !matches!(what, Deed::Turn(_)) && edited(&hands.blocks, what, at).is_none();
        let hands = hands.clone();
        let press = move |_: MouseEvent| {
            hands.does(what, at, false);
        };
        html! { <button key={word} class="chip" aria-label={word} title={word} disabled={off} onclick={press}>{ sign }</button> }
    };
    let turn = {
        let adding = adding.clone();
        move |_: MouseEvent| adding.set(!*adding)
    };
    let all = [
        ("↑", words.recipe_up, Deed::Shift(true)),
        ("↓", words.recipe_down, Deed::Shift(false)),
        ("←", words.recipe_out, Deed::Nest(false)),
        ("→", words.recipe_in, Deed::Nest(true)),
        ("×", words.recipe_remove, Deed::Remove),
        ("↶", words.recipe_undo, Deed::Turn(true)),
        ("↷", words.recipe_redo, Deed::Turn(false)),
    ];
    let line = fill(words.recipe_at, &[&(at + 1)]);
    html! {
        <div class="block-tools" role="group" aria-label={line.clone()}>
            <b aria-hidden="true">{ line }</b>
            { for all.into_iter().map(tool) }
            <button class="chip" aria-expanded={adding.to_string()} onclick={turn}>{ words.recipe_add }</button>
        </div>
    }
}

/// What can be added below the block at hand, by what it is about.
fn offers(hands: &Rc<Hands>, offered: &[Offer], adding: &UseStateHandle<bool>, lang: Lang) -> Html {
    let button = |offer: &Offer| {
        let (hands, adding, chosen) = (hands.clone(), adding.setter(), offer.clone());
        let add = move |_: MouseEvent| {
            adding.set(false);
            hands.put_edited(hands.blocks.add(&chosen), How::Done, true);
        };
        html! { <button class={kind_class(offer.kind)} onclick={add}>{ offer.lines.join("\n") }</button> }
    };
    let group = |kind: &BlockKind| {
        let mut of = offered.iter().filter(|offer| offer.kind == *kind).peekable();
        if of.peek().is_none() {
            return Html::default();
        }
        let word = kind_word(*kind, lang);
        html! { <div role="group" aria-label={word}><b aria-hidden="true">{ word }</b>{ for of.map(button) }</div> }
    };
    let groups: Html = BlockKind::ALL.iter().map(group).collect();
    let leave = {
        let adding = adding.setter();
        move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.stop_propagation();
                adding.set(false);
            }
        }
    };
    html! { <div class="offers" onkeydown={leave}>{ groups }</div> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_is_taken_back_and_done_again_and_typing_in_a_line_is_one_deed() {
        let text = |number: u32| (Rc::from(number.to_string()), 0);
        let mut past = Past::default();
        past.keep(text(0), Some(3));
        past.keep(text(1), Some(3));
        past.keep(text(2), None);
        assert_eq!(past.turn(text(3), true), Some(text(2)));
        assert_eq!(past.turn(text(2), true), Some(text(0)), "what was typed is one deed");
        assert_eq!(past.turn(text(0), true), None);
        assert_eq!(past.turn(text(0), false), Some(text(2)));
        past.keep(text(2), Some(1));
        assert_eq!(past.turn(text(4), false), None, "something else was done meanwhile");
        (0..200).for_each(|number| past.keep(text(number), None));
        assert_eq!(past.done.len(), KEPT);
    }

    #[test]
    fn every_kind_of_block_has_its_word() {
        for lang in Lang::ALL {
            assert_eq!(page(lang).recipe_kinds.len(), BlockKind::ALL.len());
            assert!(BlockKind::ALL.iter().all(|kind| !kind_word(*kind, lang).is_empty()));
        }
    }
}
