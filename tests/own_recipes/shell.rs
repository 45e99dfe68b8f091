//! `zabscope find --recipe` and `zabscope grade --recipes`, as a shell sees them.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use zabscope::recipes::own::READY;
use zabscope::sim::Run;

use super::wrong;

/// A folder of its own for a test, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("zabscope-recipes-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn with(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let file = self.0.join(name);
        fs::write(&file, text).expect("a file");
        file.to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What is said on stdout, on stderr; and the exit code.
fn zabscope(args: &[&str]) -> (String, String, Option<i32>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zabscope"));
    let output = command.args(args).stdin(Stdio::null()).output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

fn ready(name: &str) -> &'static str {
    READY.iter().find(|ready| ready.name == name).expect("a ready program").text
}

#[test]
fn find_tells_the_smallest_run_line_by_line_and_writes_it() {
    let folder = Folder::new("find");
    let all = wrong::wrong();
    let wrong = all.iter().find(|wrong| wrong.name == "looks-then-creates").expect("it is there");
    let file = folder.with("lock.txt", &wrong.text);
    let (out, err, code) = zabscope(&["find", "--recipe", &file, "--write", &folder.0.to_string_lossy()]);
    assert_eq!((err.as_str(), code), ("", Some(1)), "{out}");
    assert!(out.starts_with("'Mutual exclusion' is broken in "), "{out}");
    for said in ["line 5: me = create /lock ephemeral", "C1 calls acquire", "both nodes exist"] {
        assert!(out.contains(said), "{said}: {out}");
    }
    let run = fs::read_to_string(folder.0.join("recipe.json")).expect("a run");
    assert_eq!(Run::from_json(&run).expect("a run").check(), Ok(()));
}

#[test]
fn find_says_that_nothing_broke_and_is_no_proof() {
    let folder = Folder::new("stands");
    let file = folder.with("lock.txt", ready("naive-lock"));
    let (out, err, code) = zabscope(&["find", "--recipe", &file, "--budget", "40", "--may-herd"]);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    assert!(out.starts_with("nothing broke in 40 schedules") && out.contains("no proof"), "{out}");
    let (out, _, code) = zabscope(&["find", "--recipe", &file, "--budget", "40"]);
    assert!(code == Some(1) && out.starts_with("'A release wakes one' is broken"), "{out}");
}

#[test]
fn what_is_no_recipe_is_a_sentence() {
    let folder = Folder::new("odd");
    let cases: [(&str, &[u8], &str); 4] = [
        (
            "line.txt",
            b"acquire\n  hold it\n",
            "line 2, column 8: expected `shared` or the end of the line, found `it`",
        ),
        ("empty.txt", b"", "begin with a section"),
        ("bytes.txt", &[0xff, 0xfe], "this is no text"),
        ("long.txt", &[b'#'; 9_000], "longer than 8192"),
    ];
    for (name, text, why) in cases {
        let file = folder.with(name, text);
        let (out, err, code) = zabscope(&["find", "--recipe", &file]);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{err}");
        assert!(err.starts_with("zabscope: ") && err.contains(why), "{err}");
    }
    let file = folder.with("lock.txt", ready("queue"));
    for args in [
        &["find", "--recipe"][..],
        &["find", "--recipe", "no-such-file"],
        &["find", "--recipe", &file, "--servers", "0"],
        &["find", "--recipe", &file, "--sneeze"],
        &["grade", "--recipes"],
        &["grade", "--recipes", "no-such-file", "--sneeze"],
    ] {
        let (out, err, code) = zabscope(args);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{args:?}: {err}");
        assert!(err.starts_with("zabscope: "), "{args:?}: {err}");
    }
}

#[test]
fn grade_writes_a_row_for_each_in_the_language_of_the_reader() {
    let folder = Folder::new("grade");
    let all = wrong::wrong();
    let wrong = all.iter().find(|wrong| wrong.name == "no-watch").expect("it is there");
    let right = folder.with("a-right.txt", ready("predecessor-lock"));
    let wrong = folder.with("b-wrong.txt", &wrong.text);
    let none = folder.with("c-none.txt", "lock\n");
    let marks = folder.0.with_extension("csv");
    let of = |lang: &str| {
        let out = marks.to_string_lossy();
        let args = ["grade", "--recipes", &right, &wrong, &none, "--budget", "60", "--out", &out, "--lang", lang];
        let (out, err, code) = zabscope(&args);
        assert_eq!((out.as_str(), err.as_str(), code), ("", "", Some(1)));
        fs::read_to_string(&marks).expect("a table")
    };
    let (english, chinese) = (of("en"), of("zh-Hans"));
    let rows: Vec<&str> = english.lines().collect();
    assert_eq!(rows[..2], ["name,kept,law,steps,schedules,remark", "a-right,yes,,,60,"], "{english}");
    assert!(rows[2].starts_with("b-wrong,no,own-woken,"), "{english}");
    assert!(rows[3].starts_with("c-none,no,,,0,") && rows[3].contains("line 1, column 1"), "{english}");
    assert!(chinese.contains("第 1 行第 1 列"), "{chinese}");
    let _ = fs::remove_file(&marks);
}
