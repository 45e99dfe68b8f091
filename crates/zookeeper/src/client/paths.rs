//! Paths of the application and paths of the server: checks before sending, and the chroot.

use std::rc::Rc;

use crate::wire::{Answer, Code, CreateMode, Request, check_path};

use super::io::Failure;

/// The longest time to live, ms: 40 bits (`EphemeralType.java` `TTL`).
const MAX_TTL: i64 = 0xff_ffff_ffff;

/// The path below which a client lives (`host:port/chroot`); none, or the root, changes nothing.
#[derive(Clone, Debug)]
pub(in crate::client) struct Chroot(Option<Rc<str>>);

impl Chroot {
    pub(super) fn new(path: Option<Rc<str>>) -> Chroot {
        Chroot(path.filter(|path| !matches!(path.as_ref(), "" | "/")))
    }

    /// The path itself.
    pub(super) fn path(&self) -> Option<&Rc<str>> {
        self.0.as_ref()
    }

    /// The server's path for one of the application.
    pub(super) fn to_server(&self, path: &Rc<str>) -> Rc<str> {
        match &self.0 {
            None => path.clone(),
            Some(root) if path.as_ref() == "/" => root.clone(),
            Some(root) => format!("{root}{path}").into(),
        }
    }

    /// The application's path for one of the server; a path outside stays as it is.
    pub(super) fn to_client(&self, path: &Rc<str>) -> Rc<str> {
        let Some(root) = &self.0 else { return path.clone() };
        match path.strip_prefix(root.as_ref()) {
            Some("") => "/".into(),
            Some(below) if below.starts_with('/') => below.into(),
            _ => path.clone(),
        }
    }

    /// The application's path of what was created: `/` with a number behind it has the chroot's name, and keeps the number alone.
    fn made(&self, path: &Rc<str>) -> Rc<str> {
        let numbered = self.0.as_ref().and_then(|root| path.strip_prefix(root.as_ref()));
        numbered.filter(|number| !number.is_empty()).map_or_else(|| self.to_client(path), Rc::from)
    }

    /// The request as it is sent. The root is nobody's to delete, that of a chroot neither (`ZooKeeper.delete`), but in a multi.
    pub(super) fn request(&self, mut request: Request) -> Request {
        let root = matches!(&request, Request::Delete { path, .. } if &**path == "/");
        if self.0.is_some() && !root {
            self.prepend(&mut request);
        }
        request
    }

    fn prepend(&self, request: &mut Request) {
        match request {
            Request::Create { path, .. }
            | Request::Delete { path, .. }
            | Request::Exists { path, .. }
            | Request::GetData { path, .. }
            | Request::SetData { path, .. }
            | Request::GetAcl { path }
            | Request::SetAcl { path, .. }
            | Request::GetChildren { path, .. }
            | Request::GetAllChildrenNumber { path }
            | Request::Sync { path }
            | Request::Check { path, .. }
            | Request::AddWatch { path, .. }
            | Request::RemoveWatches { path, .. }
            | Request::CheckWatches { path, .. } => *path = self.to_server(path),
            Request::Reconfig { .. } => {}
            Request::Multi { ops } | Request::MultiRead { ops } => ops.iter_mut().for_each(|op| self.prepend(op)),
            Request::SetWatches(watches) => {
                let lists = [&mut watches.data, &mut watches.exist, &mut watches.child];
                let staying = [&mut watches.persistent, &mut watches.recursive];
                for path in lists.into_iter().chain(staying).flatten() {
                    *path = self.to_server(path);
                }
            }
            // the library forgets the chroot in `getEphemerals`, both ways
            Request::GetEphemerals { .. } | Request::WhoAmI | Request::CloseSession => {}
        }
    }

    /// The answer as the application gets it.
    pub(super) fn answer(&self, answer: Answer) -> Answer {
        match answer {
            _ if self.0.is_none() => answer,
            Answer::Path(path) => Answer::Path(self.made(&path)),
            Answer::Created { path, stat } => Answer::Created { path: self.made(&path), stat },
            Answer::Multi(parts) => {
                Answer::Multi(parts.into_iter().map(|part| part.map(|answer| self.answer(answer))).collect())
            }
            _ => answer,
        }
    }
}

/// What the library refuses to send: bad paths, times to live, and empty lists of permissions.
pub(in crate::client) fn check(request: &Request) -> Result<(), Failure> {
    match request {
        Request::Create { acl, .. } if acl.is_empty() => {
            check_paths(request).and(Err(Failure::Code(Code::InvalidACL)))
        }
        Request::SetAcl { acl, .. } if acl.is_empty() => {
            check_paths(request).and(Err(Failure::Code(Code::InvalidACL)))
        }
        _ => check_paths(request),
    }
}

/// The checks that hold for parts of a multi too (`Op.java` `validate`).
fn check_paths(request: &Request) -> Result<(), Failure> {
    match request {
        Request::Create { path, mode, ttl, flags, .. } => {
            let mode = flags.and_then(CreateMode::of_flag).unwrap_or(*mode);
            check_path(path, mode.is_sequential()).map_err(|error| Failure::IllegalArgument(error.to_string()))?;
            if mode.is_ttl() && !(1..=MAX_TTL).contains(ttl) {
                let text = format!("ttl must be positive and cannot be larger than: {MAX_TTL}");
                return Err(Failure::IllegalArgument(text));
            }
            Ok(())
        }
        Request::Multi { ops } | Request::MultiRead { ops } => ops.iter().try_for_each(check_paths),
        Request::Reconfig { .. } | Request::SetWatches(_) | Request::WhoAmI | Request::CloseSession => Ok(()),
        _ => check_path(request.path(), false).map_err(|error| Failure::IllegalArgument(error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Acl;

    fn create(path: &str, mode: CreateMode, ttl: i64) -> Request {
        Request::Create { path: path.into(), data: None, acl: Acl::open(), mode, ttl, stat: false, flags: None }
    }

    fn refusal(request: &Request) -> String {
        match check(request) {
            Err(Failure::IllegalArgument(text)) => text,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_chroot_goes_on_and_comes_off() {
        let chroot = Chroot::new(Some("/app".into()));
        assert_eq!(chroot.to_server(&"/".into()).as_ref(), "/app");
        assert_eq!(chroot.to_server(&"/a".into()).as_ref(), "/app/a");
        for (server, client) in [("/app", "/"), ("/app/a", "/a"), ("/apple", "/apple"), ("/other", "/other")] {
            assert_eq!(chroot.to_client(&server.into()).as_ref(), client);
        }
        for (server, client) in [("/app", "/"), ("/app/a", "/a"), ("/app0000000000", "0000000000")] {
            assert_eq!(chroot.answer(Answer::Path(server.into())), Answer::Path(client.into()));
        }
        let delete = |path: &str| Request::Delete { path: path.into(), version: -1 };
        assert_eq!([delete("/"), delete("/a")].map(|it| chroot.request(it)), [delete("/"), delete("/app/a")]);
        let ephemerals = Request::GetEphemerals { prefix: "/".into() };
        assert_eq!(chroot.request(ephemerals.clone()), ephemerals);
        let told = Answer::Paths(vec!["/app/e".into()]);
        assert_eq!(chroot.answer(told.clone()), told);
        let none = Chroot::new(Some("/".into()));
        assert_eq!(none.to_server(&"/a".into()).as_ref(), "/a");
    }

    #[test]
    fn the_parts_of_a_multi_are_moved_too() {
        let chroot = Chroot::new(Some("/app".into()));
        let multi = Request::Multi { ops: vec![Request::Delete { path: "/a".into(), version: -1 }] };
        let sent = Request::Multi { ops: vec![Request::Delete { path: "/app/a".into(), version: -1 }] };
        assert_eq!(chroot.request(multi), sent);
        let answer = Answer::Multi(vec![Ok(Answer::Path("/app/a".into())), Err(Code::NoNode)]);
        assert_eq!(chroot.answer(answer), Answer::Multi(vec![Ok(Answer::Path("/a".into())), Err(Code::NoNode)]));
    }

    #[test]
    fn what_java_refuses_is_refused_in_its_words() {
        use CreateMode::*;
        assert_eq!(check(&create("/q/", PersistentSequential, 0)), Ok(()));
        assert_eq!(refusal(&create("/q/", Persistent, 0)), "Path must not end with / character");
        let multi = Request::Multi { ops: vec![create("/q", Persistent, 0), create("q", Persistent, 0)] };
        assert_eq!(refusal(&multi), "Path must start with / character");
        assert_eq!(
            refusal(&create("/t", PersistentWithTtl, 0)),
            "ttl must be positive and cannot be larger than: 1099511627775"
        );
        let acl = Request::SetAcl { path: "/q".into(), acl: vec![], version: -1 };
        assert_eq!(check(&acl), Err(Failure::Code(Code::InvalidACL)));
        assert_eq!(check(&Request::CloseSession), Ok(()));
    }
}
