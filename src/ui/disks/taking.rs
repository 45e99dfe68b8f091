//! Files that are dropped or chosen, with the paths that tell whose they are.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Reflect};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{
    DataTransfer, File, FileSystemDirectoryEntry, FileSystemDirectoryReader, FileSystemEntry, FileSystemFileEntry,
    HtmlInputElement,
};

use crate::base::Arrange;

use super::reading::Named;

/// More files than that are in no data directory.
const MOST: usize = 100_000;

/// What was chosen in a field.
pub(in crate::ui) fn chosen(input: &HtmlInputElement) -> Named {
    let files = input.files();
    let all = files.iter().flat_map(|files| (0..files.length()).filter_map(|at| files.get(at)));
    let mut named: Named = all.take(MOST).map(|file| (path(&file), file)).collect();
    named.arrange_by(|(one, _), (other, _)| one.cmp(other));
    named
}

/// A file's path below the folder that was chosen, or its name.
fn path(file: &File) -> String {
    let below = Reflect::get(file, &"webkitRelativePath".into()).ok().and_then(|path| path.as_string());
    below.filter(|path| !path.is_empty()).unwrap_or_else(|| file.name())
}

/// Takes what was dropped, whole folders too; `done` hears when the last of them is read.
pub(in crate::ui) fn dropped(data: &DataTransfer, done: impl FnOnce(Named) + 'static) {
    let walk =
        Rc::new(Walk { found: RefCell::default(), open: Cell::new(1), done: RefCell::new(Some(Box::new(done))) });
    let items = data.items();
    let mut entries = Vec::new();
    for at in 0..items.length() {
        let Some(item) = items.get(at).filter(|item| item.kind() == "file") else { continue };
        match (item.webkit_get_as_entry(), item.get_as_file()) {
            (Ok(Some(entry)), _) => entries.push(entry),
            (_, Ok(Some(file))) => walk.found.borrow_mut().push((file.name(), file)),
            _ => {}
        }
    }
    entries.into_iter().for_each(|entry| walk.entry(entry));
    walk.end();
}

/// What hears of all files once the last of them is found.
type Done = Box<dyn FnOnce(Named)>;

/// A walk through folders.
struct Walk {
    found: RefCell<Named>,
    /// Files and folders that have not answered yet.
    open: Cell<usize>,
    done: RefCell<Option<Done>>,
}

impl Walk {
    fn entry(self: &Rc<Walk>, entry: FileSystemEntry) {
        if self.found.borrow().len() + self.open.get() > MOST {
            return;
        }
        self.open.set(self.open.get() + 1);
        if entry.is_directory() {
            return self.folder(entry.unchecked_into::<FileSystemDirectoryEntry>().create_reader());
        }
        let path = entry.full_path().trim_start_matches('/').to_string();
        let (found, lost) = (self.clone(), self.clone());
        let found = Closure::once_into_js(move |file: File| {
            found.found.borrow_mut().push((path, file));
            found.end();
        });
        let lost = Closure::once_into_js(move |_: JsValue| lost.end());
        let entry = entry.unchecked_into::<FileSystemFileEntry>();
        entry.file_with_callback_and_callback(found.unchecked_ref(), lost.unchecked_ref());
    }

    /// What a folder has comes a hundred entries at a time, and at its end none.
    fn folder(self: &Rc<Walk>, reader: FileSystemDirectoryReader) {
        let (more, lost, again) = (self.clone(), self.clone(), reader.clone());
        let more = Closure::once_into_js(move |entries: Array| {
            if entries.length() == 0 {
                return more.end();
            }
            entries.iter().for_each(|entry| more.entry(entry.unchecked_into()));
            more.folder(again);
        });
        let lost = Closure::once_into_js(move |_: JsValue| lost.end());
        let _ = reader.read_entries_with_callback_and_callback(more.unchecked_ref(), lost.unchecked_ref());
    }

    fn end(&self) {
        self.open.set(self.open.get() - 1);
        if self.open.get() > 0 {
            return;
        }
        let mut found = self.found.take();
        found.arrange_by(|(one, _), (other, _)| one.cmp(other));
        let done = self.done.take();
        if let Some(done) = done {
            done(found);
        }
    }
}

/// Files beside those that are there already: of one path there is one, so a second one is told from it.
pub(in crate::ui) fn beside(mut known: Named, more: Named) -> Named {
    for (path, file) in more {
        let taken = |path: &str| known.iter().any(|(other, _)| other == path);
        let free = (2..).map(|number| format!("{number}/{path}")).find(|path| !taken(path));
        let path = if taken(&path) { free.unwrap_or_default() } else { path };
        known.push((path, file));
    }
    known
}
