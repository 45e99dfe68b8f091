//! Traditional Chinese is made of the Simplified: nothing is left, nothing is spoilt.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::*;
use crate::i18n::{hant, text};
use crate::lessons::{COURSES, LESSONS};
use crate::museum::BUGS;

/// Pairs of all characters of GB 2312 that are written in Simplified only, and what OpenCC's table (Apache License 2.0) has for
/// them: to find what is missing.
const SIMPLIFIED_ONLY: &str = include_str!("simplified_only.txt");

fn simplified_only() -> &'static BTreeMap<char, char> {
    static PAIRS: LazyLock<BTreeMap<char, char>> = LazyLock::new(|| {
        let characters: Vec<char> = SIMPLIFIED_ONLY.chars().filter(|c| *c != '\n').collect();
        characters.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
    });
    &PAIRS
}

/// Every literal in the sources of the Chinese texts: more than any run can show.
fn literals() -> Vec<String> {
    let mut all = Vec::new();
    for (file, source) in super::english::chinese_sources() {
        let found = super::english::literals(&source);
        assert!(!found.is_empty(), "{file}");
        all.extend(found.into_iter().filter(|literal| has_chinese(literal)));
    }
    all.extend(LESSONS.iter().chain(COURSES).chain(BUGS).map(|(_, text)| text.replace(['“', '”'], "")));
    all
}

/// A character that only Simplified has.
pub(crate) fn simplified_in(said: &str) -> Option<char> {
    let known = simplified_only();
    said.chars().find(|c| known.contains_key(c))
}

pub(super) fn assert_traditional(said: &str) {
    if let Some(simplified) = simplified_in(said) {
        let traditional = simplified_only()[&simplified];
        panic!(
            "{simplified} is Simplified: add {simplified}{traditional} to src/i18n/hant/characters.txt, or the word to \
             phrases.txt beside it ({said})"
        );
    }
    assert!(!said.contains(['“', '”']), "{said}");
}

#[test]
fn nothing_that_can_be_said_is_left_in_simplified() {
    literals().iter().for_each(|literal| assert_traditional(&hant::convert(literal)));
    let page = page::page(Lang::ZhHant);
    page.texts().iter().for_each(|(_, text)| assert_traditional(text));
    for (title, about) in SCENARIOS.iter().filter_map(|one| page::scenario_words(Lang::ZhHant, one.id)) {
        assert_traditional(title);
        assert_traditional(about);
    }
    for record in all_records() {
        let told = describe(Lang::ZhHant, &record);
        assert_traditional(&told.what);
        told.why.iter().for_each(|why| assert_traditional(why));
    }
}

#[test]
fn sentences_come_out_as_they_are_written_in_taiwan() {
    for (simplified, traditional) in [
        ("领导者崩溃后，跟随者重新选举。", "領導者當機後，跟隨者重新選舉。"),
        ("客户端与服务器的连接已断开，会话暂时还在。", "用戶端與伺服器的連線已斷開，工作階段暫時還在。"),
        ("断开连接", "中斷連線"),
        ("提案已写入磁盘，过半的服务器确认之后才提交事务。", "提案已寫入磁碟，過半的伺服器確認之後才提交交易。"),
        ("DIFF 尚未落盘", "DIFF 尚未寫入磁碟"),
        ("在此页面中，只有一个领导者。", "在此頁面中，只有一個領導者。"),
        ("答复只发给发出请求的客户端。", "答覆只發給發出請求的用戶端。"),
        ("重复、复制、恢复、答复", "重複、複製、恢復、答覆"),
        ("关系、系统、联系", "關係、系統、聯繫"),
        ("三台服务器里的一台", "三台伺服器裡的一台"),
        ("内存、磁盘、进程、线程、程序、对象", "記憶體、磁碟、行程、執行緒、程式、物件"),
        ("默认设置、网络、信息、消息、队列、超时", "預設設定、網路、資訊、訊息、佇列、逾時"),
        ("服务器不支持这个操作", "伺服器不支援這個操作"),
        ("得不到过半的支持，支持者为 S1", "得不到過半的支持，支持者為 S1"),
        ("写日志，收集日志", "寫日誌，收集日誌"),
        ("“新客户端”", "「新用戶端」"),
        ("Curator、ZooKeeper、zxid 1:2", "Curator、ZooKeeper、zxid 1:2"),
        ("", ""),
    ] {
        assert_eq!(hant::convert(simplified), traditional);
    }
}

#[test]
fn sentences_of_the_page_come_out_as_they_are_written_in_taiwan() {
    let page = page::page(Lang::ZhHant);
    assert_eq!(page.new_client_here, "在此新增用戶端");
    assert_eq!(page.tab_sessions, "工作階段");
    assert_eq!(page.note_no_server, "「{}」不是伺服器。例如：connect S2");
    assert_eq!(property_title(Lang::ZhHant, "durability"), "持久性");
    assert_eq!(property_about(Lang::ZhHant, "agreement"), "所有伺服器以相同的順序執行相同的已提交交易。");
    assert_eq!(role_name(Lang::ZhHant, ServerState::Following).spoken, "跟隨者");
    assert_eq!(page::scenario_words(Lang::ZhHant, "lock-herd").map(|(title, _)| title), Some("驚群效應"));
}

/// What a client writes in Simplified stays what it wrote, wherever it is repeated.
#[test]
fn what_somebody_typed_is_not_converted() {
    let typed = "信息网络“默认”\u{fdd1}";
    let server = ServerId(1);
    let write = Action::Write { server, data: typed.into(), count: 1, every_us: 0 };
    assert_eq!(action_words(Lang::ZhHant, &write), format!("向 S1 寫入 「{typed}」"));
    assert_eq!(action_words(Lang::Zh, &write), format!("向 S1 写入 “{typed}”"));
    let mut run = Run::new(1, Setup::default());
    let data = "复制数据";
    run.push(SimTime::from_ms(1_500), Action::Write { server, data: data.into(), count: 1, every_us: 0 });
    let open = r#"{"do":"open_client","client":1,"servers":[]}"#;
    run.push(SimTime::from_ms(1_500), serde_json::from_str(open).expect("an action"));
    let ask = r#"{"do":"ask","client":1,"watcher":"监听","request":{"op":"exists","path":"/网络","watch":true}}"#;
    run.push(SimTime::from_ms(1_900), serde_json::from_str(ask).expect("an action"));
    let create = format!(
        r#"{{"do":"ask","client":1,"request":{{"op":"create","path":"/网络","data":"{data}","mode":"PERSISTENT"}}}}"#
    );
    run.push(SimTime::from_ms(2_000), serde_json::from_str(&create).expect("an action"));
    let records = play(run, 3_000);
    let told: Vec<String> = records.iter().map(|record| describe(Lang::ZhHant, record).what).collect();
    for expected in ["為「create /data \"复制数据\"」分配 zxid", "/网络 已建立", "監聽器「监听」被呼叫"]
    {
        assert!(told.iter().any(|what| what.contains(expected)), "{expected}: {told:#?}");
    }
    let mut spoilt = told.iter().filter(|what| ["複製資料", "/網路"].iter().any(|wrong| what.contains(wrong)));
    assert_eq!(spoilt.next(), None);
    for lang in Lang::ALL {
        let marked = records.iter().map(|record| describe(lang, record).what).find(|what| what.contains('\u{fdd0}'));
        assert_eq!(marked, None);
    }
}

#[test]
fn a_text_that_never_changes_is_converted_once() {
    let (one, other) = (hant::fixed("服务器"), hant::fixed("服务器"));
    assert!(std::ptr::eq(one, other));
    assert_eq!(text::around_raw("服务器", hant::convert), "伺服器");
}

#[test]
fn the_tables_say_each_thing_once() {
    let phrases = include_str!("../hant/phrases.txt");
    let mut seen = Vec::new();
    for line in phrases.lines() {
        let (from, to) = line.split_once(' ').unwrap_or_else(|| panic!("{line}: a phrase, a space, what it becomes"));
        assert!(!seen.contains(&from), "{from} is there twice");
        assert_traditional(to);
        seen.push(from);
    }
    let characters: Vec<char> = include_str!("../hant/characters.txt").chars().filter(|c| *c != '\n').collect();
    assert_eq!(characters.len() % 2, 0, "pairs");
    let mut known = BTreeMap::new();
    for pair in characters.chunks_exact(2) {
        assert_eq!(known.insert(pair[0], pair[1]), None, "{} is there twice", pair[0]);
    }
    assert!(
        seen.iter().all(|from| from.chars().count() > 1 || !known.contains_key(&from.chars().next().unwrap_or(' ')))
    );
    // other systems tell of themselves
    let used: String = literals().concat() + &super::english::sources_of("crates/rivals/src");
    for one in known.keys() {
        assert!(used.contains(*one), "no text has {one} any more: take it out of src/i18n/hant/characters.txt");
    }
}
