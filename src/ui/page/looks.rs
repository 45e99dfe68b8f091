//! The page's choices in the words of links, and back. What a link says that this page does not know is left out.

use serde::Serialize;

use crate::base::json::Json;
use crate::base::{ClientId, MsgId, ServerId};
use crate::i18n::Lang;
use crate::scenarios::Cast;
use crate::share::Look;

use crate::ui::kit::wear::Theme;
use crate::ui::page::panel::Panel;
use crate::ui::page::state::{Choices, Overlay, Selection, View};

/// What a link says of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::ui) struct Seen {
    pub lang: Option<Lang>,
    pub theme: Option<Theme>,
    pub view: Option<View>,
    pub cast: Option<Cast>,
    pub panel: Option<Panel>,
    pub picked: Selection,
    pub client: Option<ClientId>,
    pub log_open: bool,
    pub lecture: bool,
}

/// The choices in words. The theme is left to whoever reads.
pub(in crate::ui) fn of(choices: &Choices) -> Look {
    let picked = match choices.picked {
        Selection::Nothing => None,
        Selection::Server(id) => Some(id.to_string()),
        Selection::Link(a, b) => Some(format!("{a}-{b}")),
        Selection::Packet(msg) => Some(format!("m{}", msg.0)),
        Selection::Client(id) => Some(id.to_string()),
        Selection::Transaction(zxid) => Some(format!("z{zxid}")),
    };
    Look {
        view: Some(choices.view).filter(|view| *view != View::default()).and_then(word),
        cast: choices.cast.map(|cast| cast.name().to_string()),
        panel: choices.side.then(|| choices.panel.name().to_string()),
        picked,
        console: choices.client.map(|id| id.to_string()),
        lang: Some(choices.lang.code().to_string()),
        log: choices.log_open,
        lecture: choices.lecture,
        ..Look::default()
    }
}

/// What serde calls something.
fn word(what: impl Serialize) -> Option<String> {
    serde_json::to_value(what).ok()?.as_str().map(String::from)
}

/// What words mean to this page.
pub(in crate::ui) fn seen(look: &Look) -> Seen {
    Seen {
        lang: look.lang.as_deref().and_then(Lang::from_tag),
        theme: look.theme.clone().and_then(|name| Json::Text(name).name().ok()),
        view: look.view.clone().and_then(|name| Json::Text(name).name().ok()),
        cast: look.cast.as_deref().and_then(Cast::named),
        panel: look.panel.as_deref().and_then(Panel::named),
        picked: look.picked.as_deref().and_then(picked).unwrap_or_default(),
        client: look.console.as_deref().and_then(client),
        log_open: look.log,
        lecture: look.lecture,
    }
}

impl Choices {
    /// Shows what a link says.
    pub(crate) fn show(&mut self, seen: Seen) {
        self.lang = seen.lang.unwrap_or(self.lang);
        self.theme = seen.theme.unwrap_or(self.theme);
        self.view = seen.view.unwrap_or_default();
        self.cast = seen.cast;
        (self.side, self.panel) = (seen.panel.is_some(), seen.panel.unwrap_or_default());
        (self.picked, self.client, self.log_open) = (seen.picked, seen.client, seen.log_open);
        self.lecture = seen.lecture;
        self.over = Overlay::Nothing;
    }
}

fn picked(word: &str) -> Option<Selection> {
    if let Some((a, b)) = word.split_once('-') {
        return Some(Selection::Link(server(a)?, server(b)?));
    }
    let packet = || word.strip_prefix('m')?.parse().ok().map(|msg| Selection::Packet(MsgId(msg)));
    let transaction = || word.strip_prefix('z')?.parse().ok().map(Selection::Transaction);
    let node = server(word).map(Selection::Server).or_else(|| client(word).map(Selection::Client));
    node.or_else(packet).or_else(transaction)
}

fn server(word: &str) -> Option<ServerId> {
    // a client of that name is more likely than a machine
    ServerId::named(word).filter(|id| id.letters() != "C")
}

fn client(word: &str) -> Option<ClientId> {
    word.strip_prefix('C')?.parse().ok().map(ClientId).filter(|id| id.is_valid())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_come_back_from_words() {
        let (a, b) = (ServerId(1), ServerId(12));
        let things = [
            Selection::Nothing,
            Selection::Server(b),
            Selection::Link(a, b),
            Selection::Packet(MsgId(57)),
            Selection::Client(ClientId(3)),
        ];
        for (picked, panel) in
            things.into_iter().zip([Panel::Znodes, Panel::Console, Panel::Chart, Panel::Inspect, Panel::Logs])
        {
            let client = Some(ClientId(7));
            let choices = Choices {
                picked,
                panel,
                side: true,
                client,
                cast: Some(Cast::Recipe),
                log_open: true,
                lecture: true,
                lang: Lang::Zh,
                ..Choices::default()
            };
            let mut other = Choices { over: Overlay::Help, ..Choices::default() };
            other.show(seen(&of(&choices)));
            assert_eq!(other, choices);
        }
        let unknown = ["S0", "S99", "C0", "m-1", "S1-S2-S3", "S1-", "x", "", "漢-S1"];
        for word in unknown {
            let look = Look {
                picked: Some(word.into()),
                panel: Some(word.into()),
                lang: Some(word.into()),
                ..Look::default()
            };
            assert_eq!(seen(&look), Seen::default(), "{word}");
        }
    }
}
