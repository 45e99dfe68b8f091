//! What reads answer where the real system is odd.

use super::*;
use crate::store::read;
use crate::wire::{Answer, Outcome};

fn asked(bench: &Bench, request: Request) -> Outcome {
    read(&bench.tree, ME, &[], &request)
}

#[test]
fn only_exists_refuses_a_null_character() {
    let bench = Bench::new();
    let path: Rc<str> = "/a\0b".into();
    let reads = [
        (Request::Exists { path: path.clone(), watch: true }, Code::BadArguments),
        (Request::GetData { path: path.clone(), watch: true }, Code::NoNode),
        (Request::GetChildren { path, watch: true, stat: false }, Code::NoNode),
    ];
    for (request, code) in reads {
        assert_eq!(asked(&bench, request), Err(code));
    }
}

#[test]
fn a_multi_read_holds_nothing_but_data_and_children() {
    let bench = Bench::new();
    let path: Rc<str> = "/zookeeper".into();
    let data = Request::GetData { path: path.clone(), watch: false };
    let children = |stat| Request::GetChildren { path: path.clone(), watch: false, stat };
    let exists = Request::Exists { path: path.clone(), watch: false };
    let Ok(Answer::Multi(parts)) = asked(&bench, Request::MultiRead { ops: vec![data.clone(), children(false)] })
    else {
        panic!("it reads");
    };
    assert!(parts.iter().all(Result::is_ok) && parts.len() == 2, "{parts:?}");
    for wrong in [exists, children(true), set("/zookeeper", "x", -1), Request::GetAcl { path: path.clone() }] {
        let ops = vec![data.clone(), wrong];
        assert_eq!(asked(&bench, Request::MultiRead { ops }), Err(Code::MarshallingError));
    }
}

#[test]
fn the_empty_path_counts_the_root_too() {
    let bench = Bench::new();
    let number = |path: &str| asked(&bench, Request::GetAllChildrenNumber { path: path.into() });
    assert_eq!(["", "/", "/zookeeper"].map(number), [4, 3, 2].map(|number| Ok(Answer::Number(number))));
}

#[test]
fn a_blank_prefix_means_all_ephemerals() {
    let mut bench = Bench::new();
    bench.ask(create("/e", CreateMode::Ephemeral)).unwrap();
    let found = |prefix: &str| match asked(&bench, Request::GetEphemerals { prefix: prefix.into() }) {
        Ok(Answer::Paths(paths)) => paths.len(),
        other => panic!("{other:?}"),
    };
    assert_eq!(["", "/", " ", " /\t", "/e", " /e"].map(found), [1, 1, 1, 1, 1, 0]);
}

#[test]
fn ephemerals_come_in_the_order_of_a_java_set() {
    let mut bench = Bench::new();
    for path in ["/e", "/se0000000004", "/se0000000005", "/se0000000006"] {
        bench.ask(create(path, CreateMode::Ephemeral)).unwrap();
    }
    // as zkCli 3.8.0 prints them
    let told = ["/se0000000006", "/se0000000005", "/se0000000004", "/e"].map(Rc::from).to_vec();
    assert_eq!(asked(&bench, Request::GetEphemerals { prefix: "/".into() }), Ok(Answer::Paths(told)));
}

#[test]
fn children_come_in_the_order_of_a_java_set() {
    let mut bench = Bench::new();
    bench.ask(persistent("/p")).unwrap();
    let mut listed = |more: &[&str]| {
        more.iter().for_each(|name| drop(bench.ask(persistent(&format!("/p/{name}"))).unwrap()));
        match asked(&bench, Request::GetChildren { path: "/p".into(), watch: false, stat: false }) {
            Ok(Answer::Children { names, .. }) => names.join(" "),
            other => panic!("{other:?}"),
        }
    };
    // as Java 17 prints them
    let six = ["aa", "lock-0000000000", "lock-0000000001", "one", "three", "two"];
    assert_eq!(listed(&six), "aa lock-0000000001 lock-0000000000 three two one");
    let seven = "aa zz one lock-0000000001 lock-0000000000 three two";
    assert_eq!(listed(&["zz"]), seven, "the seventh makes the table grow");
}
