//! Chinese: what was seen when a property was violated.

use crate::base::{ServerSet, seconds};
use crate::check::{Breach, Evidence, Missing, Misuse, Unfit};
use crate::i18n::text;
use crate::recipes::Share;

use super::programs::who;
use super::{list, quoted};

/// What was seen, as a sentence.
pub(super) fn sentence(evidence: &Evidence) -> String {
    use Evidence as E;
    match evidence {
        E::System([_, chinese]) => chinese.clone(),
        E::Client(breach) => to_clients(breach),
        E::Recipe(misuse) => of_recipes(misuse),
        E::NotRecovered { servers, what } => missing(*servers, *what),
        E::Panicked { message } => format!("程序停止：{}。", text::raw(message)),
        E::TwoReigns { epoch, first, second } if first == second => {
            format!("{first} 在 epoch {epoch} 中第二次成为领导者。")
        }
        E::TwoReigns { epoch, first, second } => format!("{first} 和 {second} 都在 epoch {epoch} 中成为领导者。"),
        E::OlderEpoch { server, epoch, promised } => {
            format!("{server} 先接受了 epoch {promised}，后来又接受了 epoch {epoch}。")
        }
        E::StatesDiffer { server, zxid } => format!("{server} 在 {zxid} 之后的状态与另一台服务器不同。"),
        E::UnknownState { server, zxid } => format!("{server} 接管了 {zxid} 处的状态，而任何服务器都没有它。"),
        E::VoteNotOnDisk { server, vote, memory, on_disk } => {
            format!("{server} 以 {vote} 投票，内存中为 {memory}，磁盘上只到 {on_disk}。")
        }
        E::AckNotOnDisk { leader, from, zxid, on_disk } => {
            format!("{leader} 计入 {from} 对 {zxid} 的 ACK，而 {from} 的磁盘上只到 {on_disk}。")
        }
        E::NewLeaderNotOnDisk { leader, from, epoch, history, on_disk } => format!(
            "{leader} 计入 {from} 对 epoch {epoch} 的 NEWLEADER 的 ACK：历史到 {history} 为止，而 {from} 的磁盘上只到 {on_disk}。"
        ),
        E::EpochNotOnDisk { leader, from, epoch, on_disk } => format!(
            "{leader} 计入 {from} 对 epoch {epoch} 的 NEWLEADER 的 ACK，而 {from} 磁盘上的 currentEpoch 为 {on_disk}。"
        ),
        E::Gap { server, zxid, after } => {
            format!("{server} 的磁盘上 {zxid} 紧跟在 {after} 之后，中间有缺口。")
        }
        E::EpochsOutOfOrder { server, accepted, current, last } => format!(
            "{server} 的磁盘上 acceptedEpoch 为 {accepted}，currentEpoch 为 {current}，最后一个事务为 {last}。"
        ),
        E::EpochBeforeHistory { server, epoch, history, on_disk } => {
            format!("{server} 已写入 currentEpoch {epoch}，它所担保的历史到 {history} 为止，而磁盘上只到 {on_disk}。")
        }
        E::NeverProposed { server, zxid } => format!("{server} 有 {zxid}，而没有任何领导者提出过它。"),
        E::NotThePrimary { server, zxid } => format!("{server} 提出 {zxid}，但它不是该 epoch 的领导者。"),
        E::NotCommitted { server, zxid, committed } => {
            format!("{server} 以尚未提交的 {zxid} 为客户端服务；已提交的历史到 {committed} 为止。")
        }
        E::PredecessorMissing { server, zxid, after } => {
            format!("{server} 执行 {after} 之后直接执行 {zxid}：两者之间提出的事务缺失。")
        }
        E::Backwards { server, zxid, after } => format!("{server} 在 {after} 之后才执行 {zxid}。"),
        E::ProposedWithout { primary, zxid, missing } => {
            format!("{primary} 提出 {zxid} 时没有 {missing}，而它已在较早的 epoch 中提交。")
        }
        E::CommittedBehind { leader, zxid, later } => {
            format!("{leader} 提交 {zxid}，而 epoch {later} 的领导者提出提案时还没有执行它。")
        }
        E::CommittedLost { leader, epoch, lost, has } => {
            format!("{leader} 成为 epoch {epoch} 的领导者，历史到 {has} 为止，却没有已提交的 {lost}。")
        }
        E::AnswerNotCommitted { server, write, zxid } => {
            format!("{server} 答复写请求 {write} 已由 {zxid} 完成，而 {zxid} 并未提交。")
        }
        E::Fork { leader, zxid, committed } => {
            format!("{leader} 提交了 {zxid}，它不在已提交的历史之中；该历史到 {committed} 为止。")
        }
        E::CommittedOnFew { leader, zxid, on } => {
            format!("{leader} 提交了 {zxid}，而磁盘上有它的{}，没有过半。", holders(*on))
        }
        E::EstablishedOnFew { leader, epoch, history, on } => format!(
            "{leader} 成为 epoch {epoch} 的领导者，而磁盘上有该 epoch 和到 {history} 为止的历史的{}，没有过半。",
            holders(*on)
        ),
        E::Unfit { server, what: Unfit::OutOfOrder } => format!("{server} 收到的提案或提交不是下一个。"),
        E::Unfit { server, what: Unfit::CannotTruncate } => format!("{server} 被要求在日志无法截断的位置截断。"),
        E::Unfit { server, what: Unfit::BadPacket } => format!("{server} 收到学习者此时不该发送的数据包。"),
    }
}

fn holders(servers: ServerSet) -> String {
    if servers.is_empty() { "服务器一台也没有".into() } else { format!("服务器只有 {}", list(servers)) }
}

fn missing(servers: ServerSet, what: Missing) -> String {
    let who = list(servers);
    match what {
        Missing::Leader => "一切都已恢复，却没有产生领导者。".into(),
        Missing::Serving => format!("一切都已恢复，而 {who} 没有在领导者的 epoch 中服务。"),
        Missing::Answers => format!("一切都已恢复，而 {who} 的客户端有写请求没有得到答复。"),
        Missing::SameState => format!("一切都已恢复，而 {who} 的状态与领导者不同。"),
    }
}

fn to_clients(breach: &Breach) -> String {
    use Breach as B;
    match breach {
        B::AnsweredFirst { client, call, older } => {
            format!("{client} 的第 {} 次调用先于第 {} 次得到答复。", call.0, older.0)
        }
        B::ReplyBehind { client, server, xid, last } => {
            format!("{server} 先答复了 {client} 的请求 {last}，后答复请求 {xid}。")
        }
        B::BackInTime { client, server, zxid, seen } => {
            format!("{server} 以 {zxid} 处的状态答复 {client}，而该会话已见到 {seen}。")
        }
        B::OwnWriteMissing { client, server, state, wrote } => {
            format!("{server} 以 {state} 处的状态答复 {client} 的读请求，而 {client} 自己的写操作已由 {wrote} 完成。")
        }
        B::WrongRead { client, server, xid, state } => {
            format!("{server} 对 {client} 的读请求 {xid} 的答复与 {state} 处的状态不符。")
        }
        B::Overtaken { client, zxid, done } => {
            format!("{client} 的写请求成为 {zxid}，而 {done} 在它提出请求之前就已得到答复。")
        }
        B::WrongResult { client, zxid } => format!("{client} 的请求对之前的状态应有的结果不是 {zxid}。"),
        B::WrongAnswer { client, server, zxid } => format!("{server} 告知 {client} 的结果与 {zxid} 的结果不同。"),
        B::EarlyExpiry { leader, session, silence_us, timeout_us } => format!(
            "{leader} 在会话 {session} 沉默 {} 秒之后就将其结束，而它的超时为 {} 秒。",
            seconds(*silence_us),
            seconds(*timeout_us)
        ),
        B::RequestBehind { session, zxid, cxid, last } => {
            format!("{zxid} 是会话 {session} 的请求 {cxid}，却排在它的请求 {last} 之后。")
        }
        B::OwnWritePending { client, server, xid, write } => {
            format!("{server} 答复了 {client} 的读请求 {xid}，而同一会话更早的写请求 {write} 还在那里等待。")
        }
        B::SyncBehind { client, server, state, committed } => {
            format!("{server} 以 {state} 处的状态答复 {client} 的 sync，而它被受理时 {committed} 已经提交。")
        }
        B::StillAlive { server, session } => format!("{server} 以过期为由拒绝会话 {session}，而它还存在。"),
        B::NeverMoved { server, session } => {
            format!("{server} 以已迁移为由拒绝会话 {session}，而没有其他服务器接管过它。")
        }
        B::LateExpiry { leader, session, silence_us, timeout_us } => format!(
            "{leader} 在会话 {session} 沉默 {} 秒之后还没有将其结束，而它的超时为 {} 秒。",
            seconds(*silence_us),
            seconds(*timeout_us)
        ),
        B::LateRemoval { leader, path, late_us } => {
            format!("{} 到期已有 {} 秒，{leader} 还没有将其删除。", text::raw(path), seconds(*late_us))
        }
        B::AfterClose { session, zxid } => format!("会话 {session} 已经结束，{zxid} 仍为它执行。"),
        B::EphemeralLeft { session, zxid, path } => {
            format!("会话 {session} 由 {zxid} 结束，它的临时节点 {} 仍然存在。", text::raw(path))
        }
        B::EventWithoutWatch { server, client, path } => {
            format!("{server} 触发了 {client} 在 {} 上的监听，而它并不存在。", text::raw(path))
        }
        B::EventMissing { server, client, path, zxid } => {
            format!("{server} 执行 {zxid} 之后继续前进，没有把 {} 的变化通知 {client}。", text::raw(path))
        }
        B::WrongReconnection { server, client } => {
            format!("{server} 在 {client} 重新连接后补告的变化，不是它错过的那些。")
        }
        B::NumberNotAbove { zxid, parent, number, last } => {
            format!("{zxid} 在 {} 之下给出编号 {number}，而之前已有 {last}。", text::raw(parent))
        }
    }
}

fn of_recipes(misuse: &Misuse) -> String {
    match misuse {
        Misuse::Together { path, first: ((client, thread), share), second: (other, other_share) } => {
            let mixed = share != other_share;
            let role = |share: Share| if mixed && share == Share::Exclusive { "持有写锁" } else { role(share) };
            let (first, second) = (role(*share), role(*other_share));
            let (one, other) = (who(*client, *thread), who(other.0, other.1));
            format!("{one} {first} {}，{other} 也{second}，而双方的节点都还存在。", text::raw(path))
        }
        Misuse::TooManyLeases { path, held, of } => {
            format!("{} 的租约有 {held} 份被持有，节点都还存在，而总数只有 {of} 份。", text::raw(path))
        }
        Misuse::PassedBy { who: (client, thread), node, older } => {
            format!("{} 凭 {} 持有，而 {} 排在它之前。", who(*client, *thread), text::raw(node), text::raw(older))
        }
        Misuse::NotWoken { who: (client, thread), object, watched, late_us } => format!(
            "{} 在{}中等待 {}，它已消失 {} 秒，却没有结果。",
            who(*client, *thread),
            quoted(object),
            text::raw(watched),
            seconds(*late_us)
        ),
        Misuse::ActsAfterLoss { who: (client, thread), resource, late_us } => format!(
            "{} 得知会话丢失 {} 秒之后，仍凭之前所持有的使用{}。",
            who(*client, *thread),
            seconds(*late_us),
            quoted(resource)
        ),
        Misuse::Believes { path, who: (client, thread), other: (other, its) } => {
            let (one, other, path) = (who(*client, *thread), who(*other, *its), text::raw(path));
            format!("{one} 的节点已消失，却仍持有 {path}，而 {other} 也持有它。")
        }
        Misuse::LeftBehind { node } => format!("所有调用都已结束，{} 却遗留了下来。", text::raw(node)),
        Misuse::Herd { path, woken, for_nothing } => {
            format!("释放一次 {} 唤醒了 {woken} 个客户端，其中 {for_nothing} 个白白醒来。", text::raw(path))
        }
        Misuse::TakenTwice { item, who: one, other } => {
            format!("{} 和 {} 都取走了{}。", who(one.0, one.1), who(other.0, other.1), quoted(item))
        }
        Misuse::ItemsLost { put, taken, left } => {
            format!("放入了 {put} 项，取走了 {taken} 项，还剩 {left} 项：其余的丢失了。")
        }
        Misuse::Passed { path, who: one } => {
            format!("屏障 {} 尚未打开，{} 却通过了它。", text::raw(path), who(one.0, one.1))
        }
        Misuse::NobodyGets { path, calls } => {
            format!("没有发生任何故障，{calls} 次调用都已结束，却没有人得到 {}。", text::raw(path))
        }
        Misuse::StillWaits { who: (client, thread), object, method, for_us } => format!(
            "一切都已恢复，也无人持有，而 {} 停在{}的 {method} 中已有 {} 秒。",
            who(*client, *thread),
            quoted(object),
            seconds(*for_us)
        ),
    }
}

fn role(share: Share) -> &'static str {
    match share {
        Share::Exclusive => "持有",
        Share::Read => "持有读锁",
        Share::Lease { .. } => "持有租约",
        Share::Leader => "担任领导者",
    }
}
