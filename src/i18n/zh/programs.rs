//! Chinese: what happens in the programs on clients: recipes and their threads.

use crate::base::ClientId;
use crate::check::Double;
use crate::i18n::text;
use crate::recipes::{ConnectionState, Fact, ReleaseReason, Share, ThreadId};

use super::{quoted, shown};

/// Who went on believing, since when its node is gone, and who has it too.
pub(super) fn double(double: &Double) -> String {
    let Double { path, client, thread, gone, other, other_thread, .. } = double;
    let (believer, holder) = (who(*client, *thread), who(*other, *other_thread));
    format!("{believer} 仍自以为持有 {}；其节点已在 {gone} 被删除，而 {holder} 也持有它。", text::raw(path))
}

/// A fact as a sentence.
pub(super) fn sentence(client: ClientId, fact: &Fact) -> String {
    match fact {
        Fact::RecipeMade { object, recipe, path } => {
            let recipe = recipe.replace('_', " ");
            format!("{client} 创建对象{}：{recipe}，路径为{}。", quoted(object), quoted(path))
        }
        Fact::ConnectionState { state } => connection(client, *state),
        Fact::StateHeldBack { state } => {
            format!("{client} 的断路器处于打开状态：暂不把 {} 告知监听器。", state.name())
        }
        Fact::MethodCalled { thread, object, method } => {
            format!("{} 调用{}的 {method}。", who(client, *thread), quoted(object))
        }
        Fact::MethodReturned { thread, object, method, outcome } => {
            let came = match outcome {
                Ok(value) => quoted(&value.to_string()),
                Err(exception) => format!(" {}", exception.class()),
            };
            format!("{} 调用{}的 {method} 返回：{came}。", who(client, *thread), quoted(object))
        }
        Fact::Callback { object, callback } => {
            format!("{client} 上{}的监听器被调用：{callback}。", quoted(object))
        }
        Fact::WaitsBehind { thread, watched, ahead, .. } => {
            let place = if *ahead == 0 { String::new() } else { format!("，前面还有 {ahead} 个") };
            format!("{} 在等待{place}，监听{}。", who(client, *thread), quoted(watched))
        }
        Fact::WaitsFor { thread, watched, .. } => {
            format!("{} 等待{}出现。", who(client, *thread), quoted(watched))
        }
        Fact::Woken { thread, .. } => format!("{} 被唤醒，重新检查。", who(client, *thread)),
        Fact::Acquired { thread, path, share, token, .. } => {
            let token = token.map_or(String::new(), |token| format!("，其节点的 czxid 为 {token}"));
            format!("{} {}{}{token}。", who(client, *thread), has(*share), quoted(path))
        }
        Fact::Released { thread, path, reason, .. } => {
            format!("{} 不再持有{}：{}。", who(client, *thread), quoted(path), why(*reason))
        }
        Fact::GaveUp { thread, object } => format!("{} 放弃等待{}。", who(client, *thread), quoted(object)),
        Fact::Requeued { object } => format!("{client} 重新为{}排队。", quoted(object)),
        Fact::FoundProtected { node: path, own: true, .. } => {
            format!("{client} 找到了未收到答复的节点：{}。", quoted(path))
        }
        Fact::FoundProtected { node: path, own: false, .. } => {
            format!("{client} 发现{}属于已失效的会话，将其删除。", quoted(path))
        }
        Fact::Consumed { thread, object, data } => {
            format!("{} 从{}取出{}。", who(client, *thread), quoted(object), shown(data))
        }
        Fact::AtLine { thread, object, line } => {
            format!("{} 执行到{}的第 {line} 行。", who(client, *thread), quoted(object))
        }
        Fact::Keeps { thread, name, value, .. } => {
            format!("{} 记下 {name} = {}。", who(client, *thread), quoted(value))
        }
        Fact::Told { thread, object, what, about } => {
            format!("{}，{}：{}{}。", who(client, *thread), quoted(object), told(what), quoted(about))
        }
    }
}

/// The rule behind a fact.
pub(super) fn rule(fact: &Fact) -> Option<&'static str> {
    match fact {
        Fact::Woken { .. } => Some("收到通知不等于拥有锁：只有子节点列表说了算。"),
        Fact::ConnectionState { state: ConnectionState::Suspended } => {
            Some("此刻无法得知会话是否还在：持有者不能再依赖它。")
        }
        Fact::ConnectionState { state: ConnectionState::Lost } => {
            Some("它的临时节点已经消失，或在服务器察觉后消失。")
        }
        Fact::StateHeldBack { .. } => {
            Some("连接时断时续，若每次都告知，所有配方都会一次次重来：等连接可靠后再告知。")
        }
        Fact::FoundProtected { own: true, .. } => {
            Some("丢失的只是答复，节点已经创建：名字中的唯一部分标明它属于谁。")
        }
        _ => None,
    }
}

fn connection(client: ClientId, state: ConnectionState) -> String {
    match state {
        ConnectionState::Connected => format!("{client} 的程序进入 CONNECTED 状态。"),
        ConnectionState::Suspended => format!("{client} 的程序进入 SUSPENDED 状态：没有连接。"),
        ConnectionState::Reconnected => format!("{client} 的程序进入 RECONNECTED 状态。"),
        ConnectionState::Lost => format!("{client} 的程序认为会话已失效，进入 LOST 状态。"),
    }
}

/// A client, and its thread where it is not the first.
pub(super) fn who(client: ClientId, thread: ThreadId) -> String {
    if thread == ThreadId::MAIN || !thread.is_valid() { client.to_string() } else { format!("{client}/{thread}") }
}

fn has(share: Share) -> &'static str {
    match share {
        Share::Exclusive => "获得锁",
        Share::Read => "获得读锁",
        Share::Lease { .. } => "获得租约",
        Share::Leader => "成为领导者，路径为",
    }
}

fn why(reason: ReleaseReason) -> &'static str {
    match reason {
        ReleaseReason::Released => "主动释放",
        ReleaseReason::Suspended => "没有连接，无法确信",
        ReleaseReason::Lost => "会话已失效",
        ReleaseReason::Closed => "对象已关闭",
        ReleaseReason::Displaced => "它的节点已不再排在第一",
    }
}

/// What programs tell of their own kind, as the middle of a sentence.
pub(super) fn told(what: &str) -> &str {
    match what {
        "entered" => "等到全体到齐，进入",
        "left" => "等到全体完成，离开",
        "failed_at" => "消费者处理时抛出异常：",
        "count_changed" => "监听器得到的值为",
        "made_it" => "数值变为",
        "lost_race" => "别人抢先修改了",
        "configured" => "配置变为",
        "follows" => "地址列表变为",
        "leads" => "成为主节点：",
        "stands_by" => "待命，当前在运行的是",
        "buries" => "收回失效工作者的全部任务：",
        "assigns" => "给工作者分配任务：",
        "runs_from" => "开始运行，接着上次的进度",
        "collects" => "负责采集",
        "moves" => "把日志源改派给收集器：",
        "recognised" => "按节点名称看，使用的是",
        "waits_no_more" => "不再等待，已排到最前：",
        "returns_lease" => "释放租约",
        "adopts" => "发现同名节点已存在，直接接管：",
        "registers_again" => "连接恢复，重新注册：",
        "cache_created" => "缓存新增节点",
        "cache_changed" => "缓存更新数据：",
        "cache_deleted" => "缓存移除节点",
        "orphans_lease" => "留下了无人释放的租约",
        other => other,
    }
}
