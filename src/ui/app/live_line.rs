//! The line for programs outside, where `zabscope live` has opened the page: where the servers are reached, who is connected, and what
//! the page's time means for them.

use yew::prelude::*;

use crate::i18n::Lang;
use crate::i18n::page::{fill, page};
use crate::timeline::pace::Speed;

use crate::ui::engine::LiveView;
use crate::ui::engine::model::use_model;
use crate::ui::page::state::use_page_context;

/// What the page tells it.
#[derive(Clone, PartialEq, Properties)]
pub(in crate::ui) struct Props {
    pub lang: Lang,
}

/// Who is connected.
fn who(view: &LiveView, lang: Lang) -> String {
    let names: Vec<String> = view.clients.iter().map(|(name, _)| name.clone()).collect();
    match names.is_empty() {
        true => page(lang).live_nobody.into(),
        false => fill(page(lang).live_clients, &[&names.join(", ")]),
    }
}

/// What time means for them now.
fn time(view: &LiveView, lang: Lang) -> String {
    let words = page(lang);
    let Speed { times, of } = view.speed;
    let longest = view.clients.iter().map(|(_, timeout_ms)| u64::from(*timeout_ms)).max();
    match (view.past, &view.gives_up, longest) {
        (true, ..) => words.live_past.into(),
        (false, Some((client, seconds)), _) => fill(words.live_gives_up, &[client, seconds]),
        (false, None, Some(timeout_ms)) if times != of => {
            let here = timeout_ms * u64::from(of) / u64::from(times);
            fill(words.live_speed, &[&format!("{times}/{of}"), &(timeout_ms / 1_000), &(here / 1_000)])
        }
        _ => String::new(),
    }
}

/// The line; nothing where the page is any other.
#[component]
pub(in crate::ui) fn Live(props: &Props) -> Html {
    let context = use_page_context();
    let view = use_model(&context.engine, (), |engine, ()| engine.live());
    let Some(view) = &*view else { return html! {} };
    let words = page(props.lang);
    let doors: Vec<String> = view.ports.iter().map(|(server, port)| format!("{server} 127.0.0.1:{port}")).collect();
    let go_on = Callback::from(move |_: MouseEvent| context.engine.go_on_live());
    let lags = view.gives_up.is_some() || view.speed.times != view.speed.of;
    html! {
        <div class="notice way live">
            <p>
                <b>{ words.live_title }</b>{ " " }<span class="doors">{ doors.join(" · ") }</span>{ " " }
                <span role="status">{ who(view, props.lang) }</span>{ " " }<span class="time">{ time(view, props.lang) }</span>
            </p>
            if view.past || lags {
                <button class="chip" onclick={go_on}>{ if view.past { words.live_back } else { words.live_go_on } }</button>
            }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ServerId;

    #[test]
    fn the_line_says_what_time_means() {
        let mut view = LiveView {
            ports: vec![(ServerId(1), 2181)],
            clients: vec![("C1 my_lock.py".into(), 10_000), ("C4".into(), 4_000)],
            speed: Speed { times: 1, of: 1 },
            gives_up: None,
            past: false,
        };
        assert_eq!(
            (who(&view, Lang::En).as_str(), time(&view, Lang::En).as_str()),
            ("Connected from outside: C1 my_lock.py, C4.", "")
        );
        view.speed = Speed { times: 1, of: 30 };
        assert_eq!(time(&view, Lang::En), "At speed 1/30, a session timeout of 10 s takes 300 s.");
        view.gives_up = Some(("C4".into(), 2));
        assert_eq!(time(&view, Lang::En), "Time stands: C4 gives up in 2 s.");
        view.past = true;
        assert_eq!(time(&view, Lang::En), page(Lang::En).live_past);
    }
}
