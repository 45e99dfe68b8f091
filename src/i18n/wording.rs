//! The words of cards, chips and meters: the stage and its pictures say the same.

use crate::base::rows::names;
use crate::draw::Layout;
use crate::draw::film::{MOST_BYTES, MOST_FRAMES, Refusal};
use crate::draw::gallery::Still;
use crate::draw::stage::{FigureWord, Wording};
use crate::recipes::Share;
use crate::sim::{Death, DiskFault, Status};
use crate::view::{Card, ClientFace, ClientView, Counted, Face, LinkView, Meter, Part, Said, Verdict};

use crate::zab::ServerState;

use super::page::{fill, page};
use super::{Lang, badge_name, callout_words, role_name, status_name};

/// What the two sides are called in sentences.
pub const LETTERS: [&str; 2] = ["A", "B"];

/// What decides about a server's vote, before its phase: what its oracle says, or its group.
fn beside(card: &Card, lang: Lang) -> Option<String> {
    let words = page(lang);
    let group = card.group.map(|(group, weight)| match weight {
        1 => fill(words.group, &[&group]),
        _ => fill(words.group_weight, &[&group, &weight]),
    });
    card.oracle.map(|grants| fill(words.oracle, &[&u8::from(grants)])).or(group)
}

impl Wording for Lang {
    fn role(&self, card: &Card) -> String {
        match card.face {
            _ if card.status == Status::Paused => page(*self).server_paused.to_string(),
            Face::Off => page(*self).not_started.to_string(),
            Face::Other(_) if !card.badge.role.is_empty() => badge_name(*self, card.badge.role).to_string(),
            face => {
                let died = death_word(card, *self).filter(|_| face == Face::Crashed);
                died.map_or_else(|| face_name(face, *self), String::from)
            }
        }
    }

    /// The vote while it looks, the phase otherwise. Before it, where the role is said in another language, its real name: ZooKeeper's
    /// own logs and books have that one.
    fn second(&self, card: &Card) -> String {
        let said = match (&card.tally, disk_word(card, *self)) {
            (Some(tally), _) => fill(page(*self).votes_for, &[&tally.leader]),
            (None, Some(disk)) => disk.to_string(),
            _ if card.overtaken => fill(page(*self).overtaken, &[&card.current]),
            _ if card.has_no_say() => page(*self).outside.to_string(),
            _ => card.phase_words(),
        };
        let said = match (said.is_empty(), beside(card, *self)) {
            (_, None) => said,
            (true, Some(beside)) => beside,
            (false, Some(beside)) => format!("{beside} · {said}"),
        };
        if *self == Lang::En || card.status == Status::Paused { said } else { with_real_name(card.face, said) }
    }

    fn epochs(&self, card: &Card) -> String {
        match card.accepted == card.current {
            _ if card.alone => String::new(),
            true => fill(page(*self).epoch, &[&card.current]),
            false => fill(page(*self).epochs_moving, &[&card.current, &card.accepted]),
        }
    }

    fn last(&self, card: &Card) -> String {
        match card.counter_ends {
            Some(end) => fill(page(*self).last_of, &[&card.last, &end]),
            None => fill(page(*self).last, &[&card.last]),
        }
    }

    /// Its part in a recipe, unless its own state matters more.
    fn client(&self, client: &ClientView) -> String {
        match &client.part {
            Some(part) if client.face == ClientFace::Connected || part.class() == "stale" => part_words(part, *self),
            _ if client.ended => page(*self).client_ended.to_string(),
            _ => face_word(client.face, *self).to_string(),
        }
    }

    fn meter(&self, meter: &Meter) -> String {
        let words = page(*self);
        let counted = match meter.counted {
            Counted::Connected => words.meter_connect.to_string(),
            Counted::Promises(epoch) => fill(words.meter_promise, &[&epoch]),
            Counted::Histories(epoch) => fill(words.meter_history, &[&format!("{epoch}:0")]),
            Counted::Acks(zxid) => fill(words.meter_ack, &[&zxid]),
        };
        if meter.next { fill(words.meter_next, &[&counted]) } else { counted }
    }

    fn slow(&self) -> &'static str {
        page(*self).link_slow
    }

    fn callout(&self, said: &Said) -> String {
        callout_words(*self, said)
    }

    fn figure(&self, word: FigureWord<'_>) -> String {
        let words = page(*self);
        match word {
            FigureWord::More => words.figure_more.into(),
            FigureWord::Idle => words.figure_idle.into(),
            FigureWord::Clients => words.figure_clients.into(),
            FigureWord::Gone => words.figure_gone.into(),
            FigureWord::Dead(client) => fill(words.figure_dead, &[&client]),
            FigureWord::Newest => words.figure_newest.into(),
            FigureWord::NoToken => words.figure_no_token.into(),
            FigureWord::Over => words.figure_over.into(),
            FigureWord::Copy(copy) => fill(words.figure_copy, &[&copy]),
            FigureWord::Puts => words.figure_puts.into(),
            FigureWord::Takes => words.figure_takes.into(),
            FigureWord::Stat(path) => fill(words.figure_stat, &[&path]),
            FigureWord::Moved(0, _) => words.figure_made.into(),
            FigureWord::Moved(moved, of) => fill(words.figure_moved, &[&moved, &of]),
            FigureWord::Of(have, of) => fill(words.meter_of, &[&have, &of]),
            FigureWord::Queue(waiting) => fill(words.meter_queue, &[&waiting]),
            FigureWord::Logs => words.logs.into(),
            FigureWord::Empty => words.logs_empty.into(),
            FigureWord::Epoch(number, leader) | FigureWord::Term(number, leader) => {
                let leader = leader.map_or(String::new(), |leader| format!(" · {leader}"));
                let of = if matches!(word, FigureWord::Term(..)) { words.logs_term } else { words.logs_epoch };
                fill(of, &[&number]) + &leader
            }
            FigureWord::Lost(zxid) => fill(words.logs_lost, &[&zxid]),
            FigureWord::Gap(Some(key)) => fill(words.table_gap, &[&key]),
            FigureWord::Gap(None) => words.table_end.into(),
            FigureWord::Waits => words.table_waits.into(),
            FigureWord::NotCommitted => words.table_open.into(),
            FigureWord::LastCommit => words.table_fresh.into(),
            FigureWord::Fate(verdict) => fate(verdict, *self),
            FigureWord::Sign(sign) => sign_word(sign, *self).into(),
            FigureWord::Used(used) => match used.token {
                Some(token) if used.refused => fill(words.figure_refused, &[&used.client, &token]),
                Some(token) => fill(words.figure_written_with, &[&used.client, &token]),
                None => fill(words.figure_written, &[&used.client]),
            },
        }
    }
}

fn with_real_name(face: Face, said: String) -> String {
    match face {
        Face::Off | Face::Other(_) => said,
        face if said.is_empty() => face.word().to_string(),
        face => format!("{} · {said}", face.word()),
    }
}

/// What a transaction's square means, in few words.
pub fn sign_word(sign: &str, lang: Lang) -> &'static str {
    let words = page(lang);
    match sign {
        "queued" => words.short_queued,
        "logged" => words.short_logged,
        "applied" => words.short_applied,
        "open" => words.short_open,
        "knew" => words.short_knew,
        _ => words.short_lost,
    }
}

/// What became of a transaction.
pub fn fate(verdict: &Verdict, lang: Lang) -> String {
    let words = page(lang);
    match verdict {
        Verdict::Open(servers) => fill(words.fate_open, &[&names(*servers)]),
        Verdict::Safe(servers) => fill(words.fate_safe, &[&names(*servers)]),
        Verdict::Lost(server, at) => fill(words.fate_lost, &[server, &at.seconds()]),
        Verdict::Kept(epoch) => fill(words.fate_kept, &[epoch]),
    }
}

/// What a server that is down died of, where it did not crash.
fn death_word(card: &Card, lang: Lang) -> Option<&'static str> {
    let words = page(lang);
    match card.death {
        Some(Death::Crash) => None,
        Some(Death::Kill) => Some(words.server_killed),
        Some(Death::PowerOff) => Some(words.server_no_power),
        None => Some(words.server_exited),
    }
}

/// A server's role as it is spoken, and that it is paused.
pub fn role_words(card: &Card, lang: Lang) -> String {
    let died = death_word(card, lang).filter(|_| card.face == Face::Crashed);
    let role = match card.face {
        Face::Other(kind) if !card.badge.role.is_empty() => format!("{kind}, {}", badge_name(lang, card.badge.role)),
        face => died.map_or_else(|| face_words(face, lang, face.word().to_ascii_lowercase()), String::from),
    };
    let also = [(card.has_no_say(), page(lang).outside), (card.status == Status::Paused, page(lang).server_paused)];
    let role = also.into_iter().filter(|(so, _)| *so).fold(role, |role, (_, word)| format!("{role}, {word}"));
    let role = disk_word(card, lang).map_or(role.clone(), |word| format!("{role}, {word}"));
    let overtaken = card.overtaken.then(|| match card.is_of_other_system() {
        true => page(lang).deposed.to_string(),
        false => fill(page(lang).overtaken, &[&card.current]),
    });
    overtaken.map_or(role.clone(), |word| format!("{role}, {word}"))
}

/// What is wrong with a server's disk, in two words.
fn disk_word(card: &Card, lang: Lang) -> Option<&'static str> {
    match card.disk {
        DiskFault::None => None,
        DiskFault::Full => Some(page(lang).disk_full),
        DiskFault::Error => Some(page(lang).disk_broken),
    }
}

/// A server's role as it stands on its card.
pub fn face_name(face: Face, lang: Lang) -> String {
    face_words(face, lang, face.word().to_string())
}

/// A server's role: the protocol's own word in English, as it is given here; the language's in others.
fn face_words(face: Face, lang: Lang, english: String) -> String {
    let state = match face {
        Face::Off => return page(lang).not_started.to_string(),
        Face::Other(kind) => return badge_name(lang, kind).to_string(),
        _ if lang == Lang::En => return english,
        Face::Crashed => return status_name(lang, Status::Crashed).spoken.to_string(),
        Face::Looking | Face::Leaving => ServerState::Looking,
        Face::Leading => ServerState::Leading,
        Face::Following => ServerState::Following,
        Face::Observing => ServerState::Observing,
        Face::Standalone => ServerState::Standalone,
    };
    role_name(lang, state).spoken.to_string()
}

/// What a client is in its recipes, in a few words.
pub fn part_words(part: &Part, lang: Lang) -> String {
    let words = page(lang);
    match part {
        Part::Busy => words.part_busy.into(),
        Part::Works => words.part_works.into(),
        Part::Waits { woken: true, .. } => words.part_woken.into(),
        Part::Waits { behind: Some(other), .. } => fill(words.part_waits_behind, &[other]),
        Part::Waits { behind: None, .. } => words.part_waits.into(),
        Part::Holds { stale: true, .. } => words.part_stale.into(),
        Part::Holds { share: Share::Exclusive, .. } => words.part_holds.into(),
        Part::Holds { share: Share::Read, .. } => words.part_reads.into(),
        Part::Holds { share: Share::Lease { .. }, .. } => words.part_lease.into(),
        Part::Holds { share: Share::Leader, .. } => words.part_leads.into(),
    }
}

/// What is said of a link.
pub fn link_words(link: &LinkView, lang: Lang) -> String {
    let words = page(lang);
    let state = match (link.cut_ab, link.cut_ba) {
        (false, false) if link.slow => words.link_slow.to_string(),
        (false, false) => words.link_open.to_string(),
        (true, true) => words.link_cut.to_string(),
        (true, false) => fill(words.link_one_way, &[&link.a, &link.b]),
        (false, true) => fill(words.link_one_way, &[&link.b, &link.a]),
    };
    fill(words.link_label, &[&link.a, &link.b, &state])
}

/// A client's state in a word.
pub fn face_word(face: ClientFace, lang: Lang) -> &'static str {
    let words = page(lang);
    match face {
        ClientFace::Connecting => words.client_connecting,
        ClientFace::Connected => words.client_connected,
        ClientFace::Disconnected => words.client_disconnected,
        ClientFace::Expired => words.client_expired,
        ClientFace::Closed => words.client_closed,
        ClientFace::AuthFailed => words.client_refused,
        ClientFace::Paused => words.client_paused,
    }
}

/// How many clients there are, in words; nothing where each says it for itself and has a place.
pub fn count_words(clients: &[ClientView], layout: &Layout, lang: Lang) -> String {
    let unseen = clients.iter().filter(|client| layout.seat_of(client.id).is_none()).count();
    if clients.is_empty() || (!layout.chip.is_dot() && unseen == 0) {
        return String::new();
    }
    let connected = clients.iter().filter(|client| client.face == ClientFace::Connected).count();
    let all = fill(page(lang).client_count, &[&clients.len(), &connected]);
    if unseen == 0 { all } else { format!("{all}, {}", fill(page(lang).client_unseen, &[&unseen])) }
}

/// What is written below a picture, as its drawing does not say it: how many a crowd of dots are.
pub fn note_words(still: &Still, lang: Lang) -> String {
    let (clients, layout) = still.seated();
    count_words(clients, layout, lang)
}

/// Why there is no film, in words.
pub fn film_words(refusal: &Refusal, lang: Lang) -> String {
    let words = page(lang);
    match refusal {
        Refusal::Backwards => words.film_backwards.to_string(),
        Refusal::Long => fill(words.film_long, &[&MOST_FRAMES]),
        Refusal::Large => words.film_large.to_string(),
        Refusal::Heavy => fill(words.film_heavy, &[&(MOST_BYTES >> 20)]),
        Refusal::Far(error) => fill(words.film_far, &[error]),
        Refusal::Broken(error) => fill(words.film_broken, &[error]),
        Refusal::Encoder(error) => fill(words.film_encoder, &[error]),
    }
}
