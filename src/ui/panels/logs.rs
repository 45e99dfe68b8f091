//! The logs of all servers beside each other as a table: whatever the stage shows, and to be read aloud.

use yew::prelude::*;

use crate::draw::stage::{FigureWord, Wording};
use crate::i18n::page::page;
use crate::view::Square;

use crate::i18n::wording::{fate, sign_word};
use crate::ui::engine::model::use_model;
use crate::ui::page::state::use_page_context;
use crate::ui::panels::empty_state::{EmptyState, Step};
use crate::ui::panels::lists::Props;
use crate::ui::stage::server_card::square_sign;

/// The panel: the oldest transaction above, as there may be more transactions than servers.
#[component]
pub(in crate::ui) fn Logs(props: &Props) -> Html {
    let context = use_page_context();
    let logs = use_model(&context.engine, (), |engine, ()| engine.scene().matrix.clone());
    let (lang, words) = (props.lang, page(props.lang));
    let cell = |(at, square): (usize, &Option<Square>)| {
        let sign = square.as_ref().map(|square| {
            html! { <>{ square_sign(square) }<span class="unseen">{ sign_word(square.sign(), lang) }</span></> }
        });
        html! { <td key={at}>{ for sign }</td> }
    };
    html! {
        <>
            <p class="hint">{ words.logs_hint }</p>
            if logs.columns.is_empty() {
                <EmptyState {lang} why={words.none_in_log} steps={vec![Step::Write]} />
            } else {
                <table class="logs" aria-label={lang.figure(FigureWord::Logs)}>
                    <thead><tr>
                        <th scope="col">{ "zxid" }</th>
                        { for logs.rows.iter().map(|row| html! { <th scope="col">{ row.server.to_string() }</th> }) }
                        <td />
                    </tr></thead>
                    <tbody>{ for logs.columns.iter().map(|column| html! {
                        <tr key={column.zxid.to_string()}>
                            <th scope="row" class="z">{ column.zxid.to_string() }</th>
                            { for column.cells.iter().enumerate().map(cell) }
                            <td><small>{ for column.verdict.iter().map(|verdict| fate(verdict, lang)) }</small></td>
                        </tr>
                    }) }</tbody>
                </table>
            }
        </>
    }
}
