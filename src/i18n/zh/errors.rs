//! Chinese: why a run, an action or a setting was refused. The core says it in English, in a sentence that logs and the
//! command line have too; here each sentence is known by its pattern.

use crate::i18n::page::fill;
use crate::i18n::text;

/// A sentence's pattern, where `{}` is anything, and what it becomes; places are filled in the same order. The first
/// pattern that fits counts.
const KNOWN: &[(&str, &str)] = &[
    ("another run cannot go on here: it has another beginning", "这里无法接着播放另一个运行：它的开头不同"),
    ("the run holds as many actions as it can", "该运行中的操作数已达上限"),
    ("there is no such action", "没有这个操作"),
    ("{} has no parameter {}", "{} 没有参数 {}"),
    ("a whole number from {} to {} is wanted", "应为 {} 到 {} 的整数"),
    ("no turning point {}: there are {}", "没有第 {} 个转折点：共有 {} 个"),
    ("more than {} steps on the way: stopped at {} ms", "途中超过 {} 步：停在 {} 毫秒"),
    ("a run has at most {} bytes; this has {}", "一个运行最多 {} 字节，而这里有 {} 字节"),
    ("this is format {}, and this ZabScope plays format {}", "格式版本为 {}，而当前 ZabScope 只播放格式版本 {}"),
    ("{} are too many: {} are allowed", "{} 个太多：最多允许 {} 个"),
    ("{} is not between {} and {}", "{} 不在 {} 到 {} 之间"),
    ("{} is not a whole number from {} to {}", "{} 不是 {} 到 {} 的整数"),
    ("{} is not a text", "{} 不是文本"),
    ("{} is not a list", "{} 不是列表"),
    ("{} is not an object", "{} 不是对象"),
    ("{} is not true or false", "{} 不是 true 或 false"),
    ("{} is not a client's number: 1 to {} are", "{} 不是客户端的编号：编号为 1 到 {}"),
    ("{} is not a thread's number: 1 to {} are", "{} 不是线程的编号：编号为 1 到 {}"),
    ("{} is not known", "{} 无法识别"),
    ("min_us {} is above max_us {}", "min_us {} 大于 max_us {}"),
    ("at_us {} is before the action above it ({})", "at_us {} 早于前一个操作（{}）"),
    ("{} ms are above {}", "{} 毫秒超过上限 {}"),
    ("{} is above {}", "{} 超过上限 {}"),
    ("{} has {} bytes; at most {} can be {}", "{} 有 {} 字节，最多为 {} 字节"),
    ("missing field `{}`", "缺少字段 `{}`"),
    ("unknown field `{}`; there may be `{}`", "没有字段 `{}`；可用的有 `{}`"),
    ("unknown field `{}`", "没有字段 `{}`"),
    ("duplicate field `{}`", "字段 `{}` 重复"),
    ("unknown variant `{}`, expected one of {}", "无法识别 `{}`；可用的有 {}"),
    ("{} at line {} column {}", "第 {} 行第 {} 列有误（{}）"),
    ("a multi cannot hold a multi", "multi 中不能再有 multi"),
    ("there are {}; {} to {} are allowed", "共有 {} 个，允许 {} 到 {} 个"),
    ("'{}' means nothing here; known are: {}", "此处不认识“{}”；可用的有：{}"),
];

/// An error of the core: the place that it names, and what is wrong there. What is not known stays as it is, told as such.
pub(super) fn sentence(error: &str) -> String {
    if let Some(known) = translated(error) {
        return known;
    }
    // `actions[3].do: …`, `'key=value': …`
    let mut parts = error.match_indices(": ").filter_map(|(at, colon)| {
        let (place, rest) = (&error[..at], &error[at + colon.len()..]);
        Some(format!("{}：{}", text::raw(place), translated(rest)?))
    });
    parts.next().unwrap_or_else(|| format!("无法执行（{}）", text::raw(error)))
}

fn translated(error: &str) -> Option<String> {
    KNOWN.iter().find_map(|(pattern, said)| {
        let mut found = places(pattern, error)?;
        if pattern.starts_with("{} at line") {
            found.rotate_left(1);
        }
        let found: Vec<String> = found.into_iter().map(text::raw).collect();
        let values: Vec<&dyn std::fmt::Display> = found.iter().map(|one| one as &dyn std::fmt::Display).collect();
        Some(fill(said, &values))
    })
}

/// What stands in a pattern's places, each as short as it can be; none where the pattern does not fit.
fn places<'a>(pattern: &str, error: &'a str) -> Option<Vec<&'a str>> {
    let mut parts = pattern.split("{}");
    let mut rest = error.strip_prefix(parts.next()?)?;
    let mut found = Vec::new();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let end = match parts.peek() {
            None => rest.len().checked_sub(part.len()).filter(|_| rest.ends_with(part))?,
            Some(_) => rest.find(part)?,
        };
        found.push(&rest[..end]);
        rest = &rest[end + part.len()..];
    }
    rest.is_empty().then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_or_the_pattern_does_not_fit() {
        assert_eq!(places("{} is above {}", "at 5 is above 9"), Some(vec!["at 5", "9"]));
        assert_eq!(places("no such thing", "no such thing"), Some(vec![]));
        for (pattern, error) in
            [("{} is above {}", "5 is below 9"), ("no", "no more"), ("a {} b", "a b"), ("x{}", "")]
        {
            assert_eq!(places(pattern, error), None, "{pattern}");
        }
    }

    #[test]
    fn every_sentence_has_as_many_places_as_its_pattern_fills() {
        for (pattern, said) in KNOWN {
            let (wanted, there) = (pattern.matches("{}").count(), said.matches("{}").count());
            // how something is carried need not be said
            assert!(wanted == there || pattern.ends_with("can be {}") && wanted == there + 1, "{pattern}");
        }
    }
}
