//! A line of a server's log: what stands before its message (`conf/logback.xml`, `conf/log4j.properties`, Debian's).

/// What begins an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// When, ms since 1970 by the wall clock of the server: the line names no zone.
    pub time: i64,
    /// What `[myid:…]` says, where it says something.
    pub my_id: Option<u64>,
    /// `INFO`, `WARN` and so on.
    pub level: &'a str,
    /// The thread.
    pub thread: &'a str,
    /// The class without its packages.
    pub class: &'a str,
    /// The rest of the line.
    pub message: &'a str,
}

impl<'a> Entry<'a> {
    /// Reads a line; nothing where it does not begin an entry.
    pub fn read(line: &'a str) -> Option<Entry<'a>> {
        let time = time(line.as_bytes().first_chunk()?)?;
        let mut rest = line.get(23..)?.strip_prefix(' ')?;
        let mut my_id = None;
        if let Some(behind) = rest.strip_prefix("[myid:") {
            let (id, behind) = behind.split_once(']')?;
            my_id = id.parse().ok();
            rest = behind.strip_prefix(' ')?;
        }
        let (level, rest) = rest.strip_prefix("- ")?.split_once(' ')?;
        if level.is_empty() || !level.bytes().all(|byte| byte.is_ascii_uppercase()) {
            return None;
        }
        let rest = rest.trim_start().strip_prefix('[')?;
        // names of threads hold brackets and colons: the first end that a class and a line number stand before is theirs
        let (thread, class, message) = rest.match_indices("] - ").find_map(|(end, mark)| {
            let (thread, place) = rest[..end].rsplit_once(':')?;
            let (class, number) = place.rsplit_once('@')?;
            let is_class = class.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._$".contains(&byte));
            let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
            (is_class && is_number).then(|| (thread, class, &rest[end + mark.len()..]))
        })?;
        let class = class.rsplit('.').next().unwrap_or(class);
        Some(Entry { time, my_id, level, thread, class, message })
    }

    /// The server's id that the name of the thread holds.
    pub fn id_of_thread(&self) -> Option<u64> {
        if let Some((_, rest)) = self.thread.split_once("[myid=") {
            return rest.split(']').next()?.parse().ok();
        }
        let (name, id) = self.thread.rsplit_once(':')?;
        let own = ["SyncThread", "CommitProcessor", "FollowerRequestProcessor"];
        own.contains(&name).then(|| id.parse().ok())?
    }
}

/// `2026-11-29 01:09:44,343`
fn time(text: &[u8; 23]) -> Option<i64> {
    let number = |from: usize, to: usize| {
        let digits = &text[from..to];
        let all = digits.iter().all(u8::is_ascii_digit);
        all.then(|| digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0')))
    };
    let marks = [(4, &b"-"[..]), (7, b"-"), (10, b" T"), (13, b":"), (16, b":"), (19, b",.")];
    if !marks.iter().all(|(at, all)| all.contains(&text[*at])) {
        return None;
    }
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second, ms) = (number(11, 13)?, number(14, 16)?, number(17, 19)?, number(20, 23)?);
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    // days since 1970 in the Gregorian calendar, years beginning in March (Hinnant, "chrono-Compatible Low-Level Date Algorithms")
    let year = year - i64::from(month <= 2);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + of_year - 719_468;
    Some(((days * 24 + hour) * 60 + minute) * 60_000 + second * 1_000 + ms)
}

/// The time of day, `01:09:44.343`.
pub fn clock(time: i64) -> String {
    let ms = time.rem_euclid(86_400_000);
    format!("{:02}:{:02}:{:02}.{:03}", ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60, ms % 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_all_three_patterns_are_read() {
        let logback = "2026-11-29 01:09:44,343 [myid:] - INFO  [QuorumPeer[myid=3](plain=127.0.0.1:32003)(secure=disabled):o.a.z.s.q.QuorumPeer@1565] - LEADING";
        let entry = Entry::read(logback).unwrap();
        assert_eq!((entry.level, entry.class, entry.message), ("INFO", "QuorumPeer", "LEADING"));
        assert_eq!((entry.my_id, entry.id_of_thread(), clock(entry.time)), (None, Some(3), "01:09:44.343".into()));
        assert_eq!(entry.time, 1_795_914_584_343);
        let log4j = "2026-11-29 01:09:44,343 [myid:3] - WARN  [SyncThread:3:FileTxnLog@12] - a [b:C@1] - d";
        let entry = Entry::read(log4j).unwrap();
        assert_eq!((entry.my_id, entry.id_of_thread(), entry.message), (Some(3), Some(3), "a [b:C@1] - d"));
        let debian = "2026-11-29 01:09:44,343 - INFO  [main:QuorumPeerMain@152] - Starting quorum peer, myid=1";
        assert_eq!(Entry::read(debian).unwrap().thread, "main");
        assert!(
            ["", "\tat java.lang.Thread", "2026-13-29 01:09:44,343 - INFO  [a:B@1] - x"]
                .iter()
                .all(|line| Entry::read(line).is_none())
        );
    }
}
