//! Chinese: what happens between clients and servers.

use crate::base::{ClientId, ServerId, SessionId, Zxid};
use crate::client::{self, DisconnectReason, Failure};
use crate::i18n::text;
use crate::recipes::without_guids;
use crate::server::{self, TurnedAway};
use crate::wire::{Answer, Code, EventType, KeeperState, Quantity, ToClient, ToServer, WatchedEvent};

use super::{quoted, shown};

/// A client's fact as a sentence.
pub(super) fn client(client: ClientId, fact: &client::Fact) -> String {
    use client::Fact as F;
    match fact {
        F::ClientSeeks { server } => format!("{client} 连着只读服务器，询问 {server} 能否写入。"),
        F::ClientConnecting { server } => format!("{client} 尝试连接 {server}。"),
        F::ClientConnected { server, session, timeout_ms, again } => {
            let how = if *again { "恢复了会话" } else { "建立了新会话" };
            format!("{client} 在 {server} 上{how} {session}，超时为 {timeout_ms} 毫秒。")
        }
        F::ClientDisconnected { server, reason } => {
            format!("{client} 与 {server} 断开：{}。", disconnected(*reason))
        }
        F::ClientEnded { state: KeeperState::Closed, session, by_itself: true } => {
            format!("{client} 停止并切断连接，却没有关闭会话 {session}：它要到过期才结束。")
        }
        F::ClientEnded { session: SessionId::NONE, by_itself: true, .. } => {
            format!("{client} 在超时时间的 4/3 内没有连上任何服务器，于是放弃：还没有会话，会话就“过期”了。")
        }
        F::ClientEnded { session, by_itself: true, .. } => {
            format!("{client} 在超时时间的 4/3 内没有听到任何服务器的消息，于是放弃会话 {session}。")
        }
        F::ClientEnded { state, session, .. } => match state {
            KeeperState::Expired => format!("{client} 得知它的会话 {session} 已过期。"),
            KeeperState::Closed => format!("{client} 关闭了它的会话 {session}。"),
            _ => format!("{client} 的身份验证被拒绝。"),
        },
        F::Called { request, .. } => format!("{client} 请求：{}。", quoted(&text::asked(request))),
        F::Answered { outcome: Ok(answer), zxid, .. } => format!("{client} {}{}。", answered(answer), at(*zxid)),
        F::Answered { in_doubt: true, .. } => {
            format!("{client} 在得到答复前断开了连接：这次写入可能已经生效，也可能稍后生效。")
        }
        F::Answered { outcome: Err(Failure::Code(code)), zxid, .. } => {
            format!("{client} 收到错误 {}{}。", code.name(), at(*zxid))
        }
        F::Answered { outcome: Err(Failure::IllegalArgument(_)), .. } => {
            format!("{client} 的客户端库在发送前就拒绝了这个路径。")
        }
        F::Notified { event, zxid } => format!("{client} 收到通知：{}{}。", event_words(event), at(*zxid)),
        F::WatcherCalled { watcher, event } => {
            format!("{client} 的监听器“{}”被调用：{}。", text::raw(watcher), event_words(event))
        }
    }
}

fn at(zxid: Option<Zxid>) -> String {
    zxid.map_or(String::new(), |zxid| format!("，zxid 为 {zxid}"))
}

/// What an answer tells.
fn answered(answer: &Answer) -> String {
    match answer {
        Answer::Path(path) => format!("得到答复：{}", quoted(path)),
        Answer::Created { path, .. } => format!("得到答复：已创建{}", quoted(path)),
        Answer::Stat(stat) => format!("得到答复：版本 {}，子节点 {} 个", stat.version, stat.num_children),
        Answer::Data { data, stat } => {
            let data = data.as_ref().map_or("空数据".to_string(), shown);
            format!("读到{data}，版本 {}", stat.version)
        }
        Answer::Children { names, .. } if names.is_empty() => "得知没有子节点".into(),
        Answer::Children { names, .. } => format!("读到子节点{}", quoted(&names.join(" "))),
        Answer::Multi(parts) => match answer.thrown() {
            Some(code) => format!("收到错误 {}，multi 中的操作一项也没有执行", code.name()),
            None => format!("得到 {} 项答复", parts.len()),
        },
        Answer::Number(number) => format!("得到答复：{number}"),
        Answer::Identities(who) => format!("的身份是{}", quoted(&text::identities(who))),
        Answer::Done | Answer::Acl { .. } | Answer::Paths(_) => "得到答复".into(),
    }
}

fn disconnected(reason: DisconnectReason) -> &'static str {
    match reason {
        DisconnectReason::Refused => "那里没有进程在监听",
        DisconnectReason::ServerClosed => "服务器关闭了连接",
        DisconnectReason::ReadTimeout => "超过会话超时的三分之二没有收到任何消息",
        DisconnectReason::ConnectTimeout => "建立连接的时间过长",
        DisconnectReason::Asked => "连接被人为切断",
        DisconnectReason::Found => "找到了可以写入的服务器",
        DisconnectReason::OutOfOrder => "答复的顺序不对",
    }
}

fn event_words(event: &WatchedEvent) -> String {
    let path = text::raw(&without_guids(event.path.as_deref().unwrap_or("/")));
    match event.kind {
        EventType::None => match event.state {
            KeeperState::ConnectedReadOnly => "已连接到只读服务器".into(),
            KeeperState::SyncConnected => "已连接".into(),
            KeeperState::Disconnected => "连接已断开".into(),
            KeeperState::AuthFailed => "身份验证被拒绝".into(),
            KeeperState::Expired => "会话已过期".into(),
            KeeperState::Closed => "客户端已关闭".into(),
        },
        EventType::NodeCreated => format!("{path} 已创建"),
        EventType::NodeDeleted => format!("{path} 已删除"),
        EventType::NodeDataChanged => format!("{path} 的数据已更新"),
        EventType::NodeChildrenChanged => format!("{path} 的子节点有变化"),
        EventType::DataWatchRemoved => format!("{path} 上的数据监听已移除"),
        EventType::ChildWatchRemoved => format!("{path} 上的子节点监听已移除"),
        EventType::PersistentWatchRemoved => format!("{path} 上的持久监听已移除"),
    }
}

/// A fact of a server's service for clients as a sentence.
pub(super) fn service(server: ServerId, fact: &server::Fact) -> String {
    use server::Fact as F;
    match fact {
        F::SessionOpened { session, timeout_ms, client, local: true } => {
            format!("{server} 为 {client} 建立本地会话 {session}（超时 {timeout_ms} 毫秒）。")
        }
        F::SessionUpgraded { session, client } => {
            format!("{server} 请求领导者把 {client} 的本地会话 {session} 升级为全局会话。")
        }
        F::LocalSessionEnded { session, expired: true } => {
            format!("{server} 在整个超时时间内没有收到本地会话 {session} 的消息，将其结束。")
        }
        F::LocalSessionEnded { session, expired: false } => {
            format!("{server} 结束本地会话 {session}：客户端关闭了它。")
        }
        F::ReadOnly { on: true } => format!("{server} 没有找到领导者，开始用已有的状态提供读服务。"),
        F::ReadOnly { on: false } => format!("{server} 不再以只读模式提供服务，并关闭所有连接。"),
        F::SessionOpened { session, timeout_ms, client, local: false } => {
            format!("{server} 为 {client} 开启会话 {session}，超时 {timeout_ms} 毫秒。")
        }
        F::SessionResumed { session, client } => format!("{server} 接管 {client} 的会话 {session}。"),
        F::SessionExpired { session, asked: true } => format!("领导者 {server} 按要求使会话 {session} 过期。"),
        F::SessionExpired { session, asked: false } => {
            format!("领导者 {server} 在整个超时时间内没有收到会话 {session} 的消息。")
        }
        F::SessionClosed { session, ephemerals, zxid } => match ephemerals.len() {
            0 => format!("会话 {session} 结束，zxid 为 {zxid}。"),
            1 => format!(
                "会话 {session} 结束，{} 随之删除，zxid 为 {zxid}。",
                text::raw(&without_guids(&ephemerals[0]))
            ),
            n => format!("会话 {session} 结束，它的 {n} 个临时节点随之删除，zxid 为 {zxid}。"),
        },
        F::SessionMoved { session, from, to } => format!("会话 {session} 从 {from} 转移到 {to}。"),
        F::ClientTurnedAway { client, reason } => {
            format!("{server} 关闭了 {client} 的连接：{}。", turned_away(*reason))
        }
        F::Throttled { client, on: true, in_process } => {
            format!("{server} 暂停读取 {client} 的请求：正在处理的请求有 {in_process} 个。")
        }
        F::Throttled { client, on: false, .. } => format!("{server} 恢复读取 {client} 的请求。"),
        F::OverQuota { path, of, would_be, limit, hard } => {
            let of = match of {
                Quantity::Count => "个节点",
                Quantity::Bytes => "字节",
            };
            let (quota, end) = match hard {
                true => ("硬配额", "，因此被拒绝"),
                false => ("软配额", ""),
            };
            format!("一次写入会使 {} 达到 {would_be} {of}，超过{quota} {limit}{end}。", text::raw(path))
        }
        F::WatchFired { client, event, zxid, .. } => {
            format!("{server} 通知 {client}：{}{}。", event_words(event), at(*zxid))
        }
    }
}

pub(super) fn turned_away(reason: TurnedAway) -> &'static str {
    match reason {
        TurnedAway::NotServing => "它此时不提供服务",
        TurnedAway::LeaderOnly => "它是领导者，不为客户端服务",
        TurnedAway::NotReadOnlyClient => "它只提供读服务，而客户端不接受",
        TurnedAway::NoLocalSessions => "没有领导者时只能建立本地会话",
        TurnedAway::GlobalSession => "没有领导者时无法接管集群的会话",
        TurnedAway::TooManyConnections => "这个地址的连接数已达到 maxClientCnxns",
        TurnedAway::ServerBehind => "客户端见过的状态比这台服务器的新",
        TurnedAway::WrongPassword => "会话的密码不对",
        TurnedAway::SessionGone => "这个会话已经不存在",
        TurnedAway::TooLong => "请求超过了 jute.maxbuffer",
        TurnedAway::Moved => "会话已转移到别的服务器",
        TurnedAway::Unimplemented => "服务器不支持这个操作",
        TurnedAway::Replaced => "同一会话在这里重新连接",
    }
}

/// The rule behind a client's or a session's fact.
pub(super) fn client_rule(fact: &client::Fact) -> Option<&'static str> {
    use client::Fact as F;
    Some(match fact {
        F::ClientDisconnected { .. } => "会话不随连接断开而结束；客户端库会尝试列表中的下一台服务器。",
        F::ClientEnded { state: KeeperState::Closed, by_itself: true, .. } => {
            "kazoo 2.10 停止时只再发出一个请求，排在后面的都丢弃；2.11 会全部发出。"
        }
        F::ClientEnded { session: SessionId::NONE, by_itself: true, .. } => {
            "只有 3.9.3 如此：在得到第一个会话之前，其他版本的客户端库会一直尝试（ZOOKEEPER-4921）。"
        }
        F::ClientEnded { by_itself: true, .. } => {
            "这是客户端库自己的判断（自 3.9.3 起）：集群可能仍然保留着这个会话。"
        }
        F::ClientEnded { state: KeeperState::Expired, .. } => {
            "会话只能由集群宣布过期；客户端要等重新连上某台服务器时才知道。"
        }
        F::Answered { in_doubt: true, .. } => "客户端库从不自动重发请求：结果如何要由应用自己去查明。",
        F::Notified { .. } => "通知不携带数据，一次性的监听触发后即失效：需要重新读取并重新注册监听。",
        _ => return None,
    })
}

/// The rule behind a fact of a server's service.
pub(super) fn service_rule(fact: &server::Fact) -> Option<&'static str> {
    use server::Fact as F;
    Some(match fact {
        F::SessionOpened { local: true, .. } => "本地会话不需要事务：其他服务器都不知道它，它也不能转移。",
        F::SessionUpgraded { .. } => "临时节点的所有者必须是每台服务器都知道的会话。",
        F::ReadOnly { on: true } => "读到的可能是旧状态，甚至是从未被过半服务器接受的状态；写入会得到 NotReadOnly。",
        F::SessionOpened { .. } => "会话以一个事务开始，因此每台服务器都知道它。",
        F::SessionExpired { asked: true, .. } => "会话并没有超时：它按要求结束，领导者关闭它的方式与超时后相同。",
        F::SessionExpired { asked: false, .. } => {
            "只有领导者能做出判断，以一个 tick 为一档，依据是学习者在 PING 中上报的活动。"
        }
        F::SessionClosed { .. } => "它的临时节点在同一个事务中、在所有服务器上一起删除。",
        F::SessionMoved { .. } => "领导者记得会话属于哪台服务器，来自别处的写请求会被拒绝。",
        F::ClientTurnedAway { reason: TurnedAway::LeaderOnly, .. } => {
            "设为 leaderServes=no 时，领导者只为写入排序；客户端会去连接下一台服务器。"
        }
        F::Throttled { on: true, .. } => {
            "超过 globalOutstandingLimit 时，服务器把后续请求留在套接字中不读，心跳也在其中。"
        }
        F::OverQuota { hard: true, .. } => "领导者按已经执行的事务计数：已提议但尚未执行的写入会越过限制。",
        F::OverQuota { hard: false, .. } => "软配额只在领导者的日志中留下警告，写入照常进行。",
        F::ClientTurnedAway { reason: TurnedAway::ServerBehind, .. } => {
            "因此无论连到哪台服务器，客户端都不会看到比以前更旧的状态。"
        }
        F::WatchFired { .. } => "通知总是先于任何能看到这一变化的读答复发出。",
        _ => return None,
    })
}

/// What a packet between a client and a server says.
pub(super) fn says_to_server(packet: &ToServer) -> String {
    match packet {
        ToServer::Connect { last_zxid_seen, session, .. } if session.0 != 0 => {
            format!("恢复会话 {session}，客户端已见到 {last_zxid_seen}")
        }
        ToServer::Connect { timeout_ms, .. } => format!("请求建立超时为 {timeout_ms} 毫秒的新会话"),
        ToServer::Word { text } if &**text == "isro" => "询问服务器能否写入".into(),
        ToServer::Word { text } => format!("不开会话，只发送 {}", quoted(text)),
        ToServer::Ping => "客户端的心跳".into(),
        ToServer::Auth { scheme, .. } => format!("以 {} 方式进行身份验证", text::raw(scheme)),
        ToServer::Request { request, .. } => format!("请求{}", quoted(&text::asked(request))),
    }
}

/// What a packet from a server to a client says.
pub(super) fn says_to_client(packet: &ToClient) -> String {
    match packet {
        ToClient::Connected { timeout_ms: 0, .. } => "告知会话已经结束".into(),
        ToClient::Connected { session, timeout_ms, .. } => format!("授予会话 {session}，超时 {timeout_ms} 毫秒"),
        ToClient::Text { text } => format!("答复四字命令：{}", quoted(text::first_line(text))),
        ToClient::Pong => "答复客户端的心跳".into(),
        ToClient::Auth { code: Code::Ok } => "接受该身份".into(),
        ToClient::Auth { .. } => "拒绝该身份".into(),
        ToClient::Reply { zxid, outcome: Ok(_), .. } => format!("答复请求，zxid 为 {zxid}"),
        ToClient::Reply { zxid, outcome: Err(code), .. } => format!("答复错误 {}，zxid 为 {zxid}", code.name()),
        ToClient::Event { event, zxid } => format!("通知：{}{}", event_words(event), at(*zxid)),
    }
}

/// A packet of a client as a sentence: its name, then what it does.
pub(super) fn to_server(packet: &ToServer) -> String {
    let (name, about) = (packet.name(), says_to_server(packet));
    format!("{name}：{about}。")
}

/// A packet to a client as a sentence: its name, then what it does.
pub(super) fn to_client(packet: &ToClient) -> String {
    let (name, about) = (packet.name(), says_to_client(packet));
    format!("{name}：{about}。")
}
