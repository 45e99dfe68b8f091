//! Dates as Java writes them.

/// Milliseconds since 1970 as `Date.toString` writes them in UTC: `Thu Jan 01 00:00:00 UTC 1970`.
pub fn date(ms: i64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let seconds = ms.div_euclid(1000);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil(days);
    format!(
        "{} {} {day:02} {:02}:{:02}:{:02} UTC {year}",
        DAYS[days.rem_euclid(7) as usize],
        MONTHS[month],
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

/// Year, month (0 to 11) and day of the month of a day counted from 1970. Years are counted from March, so that the leap day
/// is the last of its year, and in eras of 400, which all have 146,097 days.
fn civil(days: i64) -> (i64, usize, i64) {
    let from_march_0 = days + 719_468;
    let (era, day) = (from_march_0.div_euclid(146_097), from_march_0.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let next_year = i64::from(month >= 10);
    (era * 400 + year + next_year, ((month + 2) % 12) as usize, day)
}
