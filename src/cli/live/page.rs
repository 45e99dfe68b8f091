//! The page's side: its files over HTTP, and one WebSocket over which the page and the doors hear of each other. Loopback only; whoever asks
//! for the WebSocket is this page, by its origin and by the token in the address that is printed.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Read;
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderMap, HeaderName};
use hyper::service::service_fn;
use hyper::upgrade::Upgraded;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use zabscope_live::{Event, Order, read, written};

use crate::cli::{Failure, say};

/// Where the page is, unless another port is asked for.
pub(super) const PORT: u16 = 8080;
/// Where its files may be: from the folder in which it is called, and from that of the binary.
const FOLDERS: [&str; 2] = ["dist", "../../dist"];
/// The longest message, bytes: a frame of `jute.maxbuffer` and a little, or the answer to it.
const MESSAGE: usize = 8 << 20;
/// Most messages that wait for the page, and most that it may say before it is heard.
const WAITING: usize = 256;
/// How often the page is told that time passes.
const TICK: Duration = Duration::from_millis(50);

type Socket = WebSocketStream<TokioIo<Upgraded>>;
type Reply = Response<Full<Bytes>>;

/// What is served, and to whom.
#[derive(Debug)]
struct Site {
    hosts: [String; 2],
    token: String,
    files: BTreeMap<String, PathBuf>,
    sockets: mpsc::Sender<Socket>,
}

/// Pages that come to be connected.
#[derive(Debug)]
pub(super) struct Pages {
    comes: mpsc::Receiver<Socket>,
    address: String,
}

/// A page that is connected.
#[derive(Debug)]
pub(super) struct Page {
    /// What it is to hear of.
    pub events: mpsc::Sender<Event>,
    /// What it wants done. Its end is the page's.
    pub orders: mpsc::Receiver<Order>,
}

impl Pages {
    /// Serves the files of a folder, or of the first where a page lies.
    pub(super) async fn serve(port: u16, folder: Option<&str>) -> Result<Pages, Failure> {
        let files = files(folder)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let listener =
            listener.map_err(|error| Failure::usage(format!("port {port}: {error}; --page-port names another")))?;
        let port = listener.local_addr().map_or(port, |at| at.port());
        let (sockets, comes) = mpsc::channel(1);
        let token = token()?;
        let hosts = ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}"));
        let address = format!("http://{}/?live={token}", hosts[0]);
        let site = Arc::new(Site { hosts, token, files, sockets });
        tokio::spawn(let_in(listener, site));
        Ok(Pages { comes, address })
    }

    /// What is to be opened in a browser.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// The next page.
    pub(super) async fn next(&mut self) -> Page {
        match self.comes.recv().await {
            Some(socket) => Page::new(socket),
            None => std::future::pending().await,
        }
    }
}

/// The files of the page, by their names.
fn files(folder: Option<&str>) -> Result<BTreeMap<String, PathBuf>, Failure> {
    let beside = std::env::current_exe().ok().and_then(|file| file.parent().map(Path::to_path_buf));
    let known = [Some(PathBuf::new()), beside].into_iter().flatten();
    let known = known.flat_map(|place| FOLDERS.map(|folder| place.join(folder)));
    let all: Vec<PathBuf> = folder.map_or_else(|| known.collect(), |folder| vec![folder.into()]);
    let Some(folder) = all.iter().find(|folder| folder.join("index.html").is_file()) else {
        return Err(Failure::usage(
            "there is no page to show: build it with 'trunk build --release', or say where its files are with --dist FOLDER",
        ));
    };
    let wrong = |error| Failure::usage(format!("{}: {error}", folder.display()));
    let entries = std::fs::read_dir(folder).map_err(wrong)?.collect::<Result<Vec<_>, _>>().map_err(wrong)?;
    let paths = entries.iter().map(std::fs::DirEntry::path).filter(|path| path.is_file());
    let named = paths.filter_map(|path| Some((path.file_name()?.to_str()?.to_string(), path)));
    Ok(named.collect())
}

/// Nobody guesses it.
fn token() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    let drawn = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes));
    drawn.map_err(|error| Failure::usage(format!("/dev/urandom: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

async fn let_in(listener: TcpListener, site: Arc<Site>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(TICK).await; // too many files are open
            continue;
        };
        let site = site.clone();
        let service = service_fn(move |request| {
            let site = site.clone();
            async move { Ok::<_, Infallible>(site.answer(request)) }
        });
        let served = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        tokio::spawn(served.with_upgrades());
    }
}

fn refused(status: StatusCode, why: &'static str) -> Reply {
    let mut reply = Response::new(Full::from(why));
    *reply.status_mut() = status;
    reply
}

fn said(headers: &HeaderMap, name: HeaderName) -> &str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

impl Site {
    fn answer(&self, request: Request<Incoming>) -> Reply {
        // a name that somebody else has pointed here is none of ours
        if !self.hosts.iter().any(|host| host == said(request.headers(), header::HOST)) {
            return refused(StatusCode::MISDIRECTED_REQUEST, "this is for 127.0.0.1 alone\n");
        }
        if request.method() != Method::GET {
            return refused(StatusCode::METHOD_NOT_ALLOWED, "here one only looks\n");
        }
        match request.uri().path() {
            "/live" => self.connect(request),
            path => self.file(path.trim_start_matches('/')),
        }
    }

    fn file(&self, name: &str) -> Reply {
        let name = if name.is_empty() { "index.html" } else { name };
        let Some(bytes) = self.files.get(name).and_then(|path| std::fs::read(path).ok()) else {
            return refused(StatusCode::NOT_FOUND, "there is no such file\n");
        };
        let kind = match name.rsplit_once('.').map_or("", |(_, end)| end) {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript",
            "css" => "text/css",
            "wasm" => "application/wasm",
            "svg" => "image/svg+xml",
            "json" => "application/json",
            _ => "text/plain; charset=utf-8",
        };
        let mut reply = Response::new(Full::from(bytes));
        reply.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(kind));
        reply
    }

    /// The page asks for the WebSocket.
    fn connect(&self, mut request: Request<Incoming>) -> Reply {
        let headers = request.headers();
        let ours = self.hosts.iter().any(|host| said(headers, header::ORIGIN) == format!("http://{host}"));
        let knows = request.uri().query().is_some_and(|query| query == format!("token={}", self.token));
        if !ours || !knows {
            return refused(StatusCode::FORBIDDEN, "only the page at the address that was printed may do that\n");
        }
        let key = said(headers, header::SEC_WEBSOCKET_KEY);
        if !said(headers, header::UPGRADE).eq_ignore_ascii_case("websocket") || key.is_empty() {
            return refused(StatusCode::BAD_REQUEST, "this is a WebSocket\n");
        }
        let accept = derive_accept_key(key.as_bytes());
        let sockets = self.sockets.clone();
        tokio::spawn(async move {
            if let Ok(upgraded) = hyper::upgrade::on(&mut request).await {
                let limits = WebSocketConfig::default().max_message_size(Some(MESSAGE)).max_frame_size(Some(MESSAGE));
                let io = TokioIo::new(upgraded);
                let _ = sockets.send(WebSocketStream::from_raw_socket(io, Role::Server, Some(limits)).await).await;
            }
        });
        let mut reply = refused(StatusCode::SWITCHING_PROTOCOLS, "");
        let fields = [
            (header::UPGRADE, "websocket"),
            (header::CONNECTION, "Upgrade"),
            (header::SEC_WEBSOCKET_ACCEPT, accept.as_str()),
        ];
        for (name, value) in fields {
            if let Ok(value) = value.parse() {
                reply.headers_mut().insert(name, value);
            }
        }
        reply
    }
}

impl Page {
    fn new(socket: Socket) -> Page {
        let (events, comes) = mpsc::channel(WAITING);
        let (says, orders) = mpsc::channel(WAITING);
        tokio::spawn(carry(socket, comes, says));
        Page { events, orders }
    }
}

/// Carries messages, until the page is gone, says what makes no sense, or is not wanted any more.
async fn carry(socket: Socket, mut events: mpsc::Receiver<Event>, orders: mpsc::Sender<Order>) {
    let (mut sink, mut stream) = socket.split();
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        let event = tokio::select! {
            event = events.recv() => match event {
                Some(event) => event,
                None => break,
            },
            message = stream.next() => match message {
                Some(Ok(Message::Binary(bytes))) => {
                    let Some(order) = read(&bytes) else {
                        say("zabscope: the page says what makes no sense, and is sent away\n");
                        break;
                    };
                    if orders.send(order).await.is_err() {
                        break;
                    }
                    continue;
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                _ => break,
            },
            _ = ticks.tick() => Event::Tick,
        };
        if sink.send(Message::Binary(written(&event).into())).await.is_err() {
            break;
        }
    }
    let _ = sink.close().await;
}
