//! Chinese: why a run, an action or a setting was refused.

use crate::base::json::{Found, ReadError, ValueError, Wanted};
use crate::base::limits::{MAX_ACTIONS, MAX_RUN_BYTES};
use crate::base::{Place, ProgramError, ProgramFault, Wish};
use crate::i18n::text::raw;
use crate::sim::RunError;

pub(super) fn error(error: &RunError) -> String {
    match error {
        RunError::Value(read_error) => value(read_error),
        RunError::TooLarge { bytes } => format!("一个运行最多 {MAX_RUN_BYTES} 字节，而这里有 {bytes} 字节"),
        RunError::Setting { setting, why } => format!("“{}”：{}", raw(setting), value(why)),
        RunError::NotASetting { setting } => format!("“{}”：请写成 key=value", raw(setting)),
        RunError::NoParameter { scenario, name } => format!("{} 没有参数 {}", raw(scenario), raw(name)),
        RunError::OtherBeginning => "这里无法接着播放另一个运行：它的开头不同".into(),
        RunError::Full => format!("该运行中的操作数已达上限（{MAX_ACTIONS}）"),
        RunError::NoAction => "没有这个操作".into(),
        RunError::NoTurn { number, there } => format!("没有第 {number} 个里程碑：共有 {there} 个"),
        RunError::TooFar { steps, stopped } => {
            format!("途中超过 {steps} 步：停在 {} 毫秒", stopped.as_ms())
        }
    }
}

fn value(read_error: &ReadError) -> String {
    let why = why(&read_error.why);
    if read_error.place.is_empty() { why } else { format!("{}：{why}", raw(&read_error.place)) }
}

fn why(error: &ValueError) -> String {
    use ValueError::*;
    match error {
        Syntax { why, line, column } => format!("第 {line} 行第 {column} 列有误（{}）", raw(why)),
        Kind { found, wanted } => format!("{}{}", it(found), not(*wanted)),
        Missing { field } => format!("缺少字段 {}", raw(field)),
        UnknownField { field, known } => format!("没有字段 {}；可用的有 {}", raw(field), names(known)),
        UnknownName { name, known } if known.is_empty() => format!("无法识别“{}”", raw(name)),
        UnknownName { name, known } => format!("无法识别“{}”；可用的有 {}", raw(name), names(known)),
        OneOf { fields } => format!("{} 中应恰好有一个", names(fields)),
        OnlyWith { fields, field } => format!("{} 只能与 {} 一起使用", names(fields), raw(field)),
        TooLong { bytes, most } => format!("有 {bytes} 字节，最多为 {most} 字节"),
        TooMany { count, most } => format!("{count} 个太多：最多允许 {most} 个"),
        Path { java } => format!("路径无效（{}）", raw(java)),
        EmptyRange { min, max } => format!("min_us {min} 大于 max_us {max}"),
        OutOfOrder { at, before } => format!("{at} 早于前一个操作（{before}）"),
        NoLink { a, b } => format!("{a} 与 {b} 之间没有链路"),
        LinkEnds { count } => format!("一条链路有两端，而不是 {count} 端"),
        NoNode { text } => format!("“{}”既不是服务器的编号，也不是客户端的名称", raw(text)),
        NoPerms { letters } => format!("“{}”不是权限：应由 cdrwa 中的字母组成", raw(letters)),
        NoBase64 => "这不是 base64".into(),
        NoLinkText => "这不是链接中 # 之后的部分".into(),
        GoalOfOrders => "逐一尝试所有顺序时，目标只能是违反某条性质：请选择一条，或“任何性质被违反”".into(),
        NestedMulti => "multi 中不能再有 multi".into(),
        RetryWithoutPause => "无限重试时，间隔必须大于 0".into(),
        Program(error) => program(error),
        Twice { name } => format!("会有两台机器都叫 {name}：请去掉其中一个系统的客户端"),
        Format { version, ours } => format!("格式版本为 {version}，而当前 ZabScope 只播放格式版本 {ours}"),
    }
}

/// What is wrong with a recipe that somebody writes.
pub(super) fn program(error: &ProgramError) -> String {
    let why = match &error.why {
        ProgramFault::Expected { wanted, found } => {
            let wanted = wanted.iter().map(wish).collect::<Vec<_>>().join("、");
            match found.is_empty() {
                true => format!("这里应为{wanted}，而此行到此为止"),
                false => format!("这里应为{wanted}，而不是“{}”", raw(found)),
            }
        }
        ProgramFault::NoWord { word, near } => {
            format!("语言中没有“{}”这个词，相近的是 {}", raw(word), raw(near))
        }
        ProgramFault::Unknown { name } => format!("没有哪一行记下过“{}”", raw(name)),
        ProgramFault::Misplaced { line, place } => format!("“{}”只能放在{}", raw(line), of_place(*place)),
        ProgramFault::Unreached { behind } => format!("执行不到这一行：它在“{}”之后", raw(behind)),
        ProgramFault::Empty { line } => format!("“{}”之下应有缩进更深的行", raw(line)),
        ProgramFault::Twice { name } => format!("已经有一个“{}”", raw(name)),
        ProgramFault::TooLong { most } => format!("超过 {most} 个字符"),
        ProgramFault::TooMany { most } => format!("一个配方最多 {most} 行"),
        ProgramFault::TooDeep { most } => format!("块最多嵌套 {most} 层"),
        ProgramFault::NoSection => "请以一个小节开头，例如顶格写 acquire".into(),
    };
    format!("第 {} 行第 {} 列：{why}", error.line, error.column)
}

fn wish(wish: &Wish) -> String {
    match wish {
        Wish::Word(word) => format!("“{}”", raw(word)),
        Wish::Name => "名称".into(),
        Wish::Value => "值（名称、路径或引号中的文本）".into(),
        Wish::Path => "路径，例如 /lock".into(),
        Wish::Number { most } => format!("1 到 {most} 的整数"),
        Wish::Statement => "语句，例如 me = create /lock/n- ephemeral sequential".into(),
        Wish::Section => "小节（例如 acquire）或 on session lost".into(),
        Wish::End => "行尾".into(),
        Wish::Quote => "右引号".into(),
        Wish::Indent => "与上面某一行对齐的缩进".into(),
        Wish::Blanks => "空格，而不是制表符".into(),
    }
}

fn of_place(place: Place) -> &'static str {
    match place {
        Place::BehindIf => " if 的块之后",
        Place::InRepeat => " repeat 之内",
        Place::InLoss => " on connection loss 之内",
        Place::Getting => "用来取得的小节（acquire、read、write 或 start）之内",
        Place::BelowRequest => "行首，或紧接在一个请求之下",
        Place::Margin => "行首",
    }
}

fn it(found: &Found) -> String {
    match found {
        Found::Null => "null ".into(),
        Found::Bool(value) => format!("{value} "),
        Found::Number(number) => format!("{number} "),
        Found::Text => "文本".into(),
        Found::List => "列表".into(),
        Found::Object => "对象".into(),
    }
}

fn not(wanted: Wanted) -> String {
    match wanted {
        Wanted::Bool => "不是 true 或 false".into(),
        Wanted::Whole(least, most) => format!("不是 {least} 到 {most} 的整数"),
        Wanted::Text => "不是文本".into(),
        Wanted::List => "不是列表".into(),
        Wanted::Object => "不是对象".into(),
        Wanted::Data => "既不是文本，也不是带有 base64 字段的对象".into(),
    }
}

fn names(names: &[&str]) -> String {
    names.iter().map(|name| raw(name)).collect::<Vec<_>>().join("、")
}
