//! Transcripts that are none, and plays that cannot go on: a sentence, never a panic.

use super::{Deed, Problem, Transcript, play};

/// A transcript with these steps, behind the connection of a client `a`.
fn with_steps(name: &str, steps: &str) -> String {
    let connect = r#"{"do":"connect","client":"a","server":"leader"}"#;
    format!(r#"{{"name":"{name}","servers":3,"steps":[{connect},{steps}]}}"#)
}

fn complaint(text: &str) -> String {
    Transcript::from_json(text).err().unwrap_or_else(|| panic!("no complaint: {text}")).to_string()
}

/// How a play with these steps ends; nothing is recorded in them.
fn stuck(name: &str, steps: &str) -> String {
    let transcript = Transcript::from_json(&with_steps(name, steps)).unwrap();
    let failure = play(&transcript, 0).unwrap_err();
    assert!(matches!(failure.problem, Problem::Stuck(_)), "{failure}");
    failure.to_string()
}

#[test]
fn errors_name_the_place() {
    for (steps, place) in [
        (r#"{"do":"fly"}"#, "steps[1]: unknown variant `fly`"),
        (r#"{}"#, "steps[1]: there is neither `do` nor `events`"),
        (r#"{"do":7}"#, "steps[1]: `do` is not a text"),
        (r#"{"do":"delete","path":"/x","version":-1}"#, "steps[1]: `client` is not a name"),
        (r#"{"do":"delete","client":"b","path":"/x"}"#, "steps[1]: client 'b' was never connected"),
        (r#"{"do":"delete","client":"a","path":"/x","colour":1}"#, "steps[1]: delete: unknown field `colour`"),
        (r#"{"do":"multi","client":"a","ops":[],"colour":1}"#, "steps[1]: unknown field `colour`"),
        (r#"{"do":"closeSession","client":"a"}"#, "steps[1]: unknown variant `closeSession`"),
        (r#"{"do":"create","client":"a","path":"/x","dataBytes":99999999}"#, "dataBytes is no number up to"),
        (r#"{"do":"create","client":"a","path":"/x","mode":"LASTING"}"#, "unknown name `LASTING`"),
        (r#"{"do":"setACL","client":"a","path":"/x","acl":[["x","world","anyone"]]}"#, "'x' are not permissions"),
        (r#"{"do":"setACL","client":"a","path":"/x","acl":[["r"]]}"#, "[perms, scheme, id]"),
        (r#"{"do":"multi","client":"a","ops":["setData /x"]}"#, "'setData /x' is no part of a multi"),
        (r#"{"do":"multi","client":"a","ops":[{"do":"multi","ops":[]}]}"#, "a part of `ops` is no request"),
        (r#"{"do":"setData","client":"a","path":"/x","via":"smoke"}"#, "is no connection"),
        (r#"{"do":"crash","server":"follower9"}"#, "'follower9' is no server"),
        (r#"{"do":"pause","ms":18446744073709551615}"#, "steps[1]: ms: 18446744073709551615 is above"),
        (r#"{"do":"connect","client":"b","server":"leader","timeoutMs":4000000000}"#, "steps[1]: timeoutMs"),
    ] {
        let why = complaint(&with_steps("x", steps));
        assert!(why.contains(place), "{steps}: {why}");
    }
}

#[test]
fn the_whole_is_bounded() {
    let create = r#"{"do":"create","client":"a","path":"/x","dataBytes":2000000}"#;
    assert!(complaint(&with_steps("x", &vec![create; 20].join(","))).contains("dataBytes: 40000000 in all"));
    assert!(
        complaint(&with_steps("x", &vec![r#"{"do":"awaitLeader"}"#; 600].join(","))).contains("601 are too many")
    );
    assert!(complaint(r#"{"name":"x","servers":5,"steps":[]}"#).contains("servers: 5"));
    assert!(complaint(r#"{"name":"a\nb","servers":3,"steps":[]}"#).contains("name: "));
    for (value, place) in
        [("x", "'x' is no number"), ("0", "container_check_ms"), ("99999999999", "container_check_ms")]
    {
        let properties = format!(r#"{{"znode.container.checkIntervalMs":"{value}"}}"#);
        let why = complaint(&format!(r#"{{"name":"x","servers":3,"properties":{properties},"steps":[]}}"#));
        assert!(why.contains(place), "{value}: {why}");
    }
    let unknown = complaint(r#"{"name":"x","servers":3,"properties":{"jute.maxbuffer":"1"},"steps":[]}"#);
    assert!(unknown.contains("no such property"), "{unknown}");
    let spoken = complaint(&format!(r#"{{"name":"x","servers":3,"{}":1,"steps":[]}}"#, "\\u001b[2J".repeat(500)));
    assert!(spoken.chars().count() <= 300 && !spoken.contains('\u{1b}'), "{spoken}");
}

#[test]
fn a_play_that_cannot_go_on_says_why() {
    let refused = stuck("x", r#"{"do":"restart","server":"leader"}"#);
    assert!(refused.starts_with("step 2 (restart leader): the simulation refused: WrongStatus"), "{refused}");
    let vain = stuck("x", r#"{"do":"awaitNoQuorum"}"#);
    assert!(vain.ends_with("in vain for no server to serve"), "{vain}");
    let twice = stuck("x", r#"{"do":"crash","server":"leader"},{"do":"crash","server":"leader"}"#);
    assert!(twice.starts_with("step 3 (crash leader)"), "{twice}");
    let lost = [r#"{"do":"crash","server":"follower1"}"#, r#"{"do":"crash","server":"follower2"}"#];
    let nobody = stuck("x", &format!(r#"{},{{"do":"expire","client":"a"}}"#, lost.join(",")));
    assert!(nobody.starts_with("step 4 (expire a): waited"), "{nobody}");
}

#[test]
fn a_transcript_of_the_library_is_known_by_its_name() {
    let text = with_steps("java-client-x", r#"{"client":"a","do":"exists","path":"/no","watcher":"w","ok":null}"#);
    let transcript = Transcript::from_json(&text).unwrap();
    assert!(transcript.is_of_library());
    let Deed::Ask { ask, .. } = &transcript.steps[1].deed else { panic!("a request") };
    assert_eq!((ask.request.to_string().as_str(), ask.watcher.as_deref()), ("stat /no -w", Some("w")));
    assert_eq!(play(&transcript, 0), Ok(()));
}

/// Plays steps with what the real servers answer to them, with several seeds.
fn plays(steps: &[&str]) {
    let connect = r#"{"do":"connect","client":"a","server":"leader"}"#;
    let properties = r#"{"znode.container.checkIntervalMs":"500"}"#;
    let text =
        format!(r#"{{"name":"x","servers":3,"properties":{properties},"steps":[{connect},{}]}}"#, steps.join(","));
    let transcript = Transcript::from_json(&text).unwrap_or_else(|why| panic!("{why}: {text}"));
    for seed in 0..3 {
        assert_eq!(play(&transcript, seed), Ok(()), "{text}");
    }
}

#[test]
fn parts_of_the_wrong_kind_are_refused_as_a_whole() {
    plays(&[
        r#"{"do":"create","client":"a","path":"/a","data":"","zxid":"0:2"}"#,
        r#"{"do":"multi","client":"a","ops":[{"do":"setData","path":"/a","data":"x","version":-1},
            {"do":"setACL","path":"/a","acl":[["r","world","anyone"]],"version":-1}],
            "error":"MarshallingError","zxid":"0:3"}"#,
        r#"{"do":"multi","client":"a","ops":[{"do":"delete","path":"/no","version":-1},
            {"do":"getData","path":"/a"}],"error":"MarshallingError","zxid":"0:4"}"#,
        r#"{"do":"multi","client":"a","ops":[{"do":"delete","path":"/no","version":-1},
            {"do":"create","path":"/b","data":"","flags":9}],"error":"MarshallingError","zxid":"0:5"}"#,
        r#"{"do":"multiRead","client":"a","ops":[{"do":"getData","path":"/a"},
            {"do":"exists","path":"/a"}],"error":"MarshallingError","zxid":"0:5"}"#,
        r#"{"do":"getData","client":"a","path":"/a","ok":{"data":"","stat":{"version":0,"aversion":0}},"zxid":"0:5"}"#,
        r#"{"do":"exists","client":"a","path":"/a\u0000b","error":"BadArguments"}"#,
        r#"{"do":"create","client":"a","path":"/c","data":"","acl":null,"error":"InvalidACL","zxid":"0:6"}"#,
    ]);
}

#[test]
fn flags_of_a_container_make_one_in_a_multi_only() {
    plays(&[
        r#"{"do":"create","client":"a","path":"/a","data":"","flags":4,"ok":{"path":"/a"}}"#,
        r#"{"do":"multi","client":"a","ops":[{"do":"create","path":"/m","data":"","flags":4}],
            "ok":{"results":[{"path":"/m","stat":{"version":0}}]}}"#,
        r#"{"do":"create","client":"a","path":"/a/b","data":""}"#,
        r#"{"do":"create","client":"a","path":"/m/b","data":""}"#,
        r#"{"do":"delete","client":"a","path":"/a/b","version":-1}"#,
        r#"{"do":"delete","client":"a","path":"/m/b","version":-1,"zxid":"0:7"}"#,
        r#"{"do":"checkContainers"}"#,
        r#"{"do":"exists","client":"a","path":"/a","ok":{"stat":{"numChildren":0}},"zxid":"0:8"}"#,
        r#"{"do":"exists","client":"a","path":"/m","error":"NoNode","zxid":"0:8"}"#,
    ]);
}

#[test]
fn whoever_says_who_he_is_is_believed_as_by_the_real_one() {
    let entry = |user: &str, hash: &str| format!(r#"["rwcda","digest","{user}:{hash}"]"#);
    let listed = [
        entry("u2", "o9NxcCGDPOlcV7JVhmKHOf5ctVE="),
        entry("u1", "fpT/y03U+EjItKZOSLGvjnJlyng="),
        entry("u4", "DL/FRkjIGLtaObcPnw0P2fm9cRE="),
        entry("u3", "Im5xY/YYc2xRYjWcy4eAeBEG1fk="),
    ]
    .join(",");
    plays(&[
        r#"{"do":"addAuth","client":"a","scheme":"ip","auth":"no address","ok":{}}"#,
        r#"{"do":"addAuth","client":"a","scheme":"digest","auth":"u1:p1","ok":{}}"#,
        r#"{"do":"addAuth","client":"a","scheme":"digest","auth":"u2:p2","ok":{}}"#,
        r#"{"do":"addAuth","client":"a","scheme":"digest","auth":"u3:p3","ok":{}}"#,
        r#"{"do":"addAuth","client":"a","scheme":"digest","auth":"u4:p4","ok":{}}"#,
        r#"{"do":"create","client":"a","path":"/a","data":"","acl":[["rwcda","auth",""]],"ok":{"path":"/a"}}"#,
        &format!(r#"{{"do":"getACL","client":"a","path":"/a","ok":{{"acl":[{listed}]}}}}"#),
        r#"{"do":"create","client":"a","path":"/b","data":"","acl":[["rwcda","ip","+127.0.0.01"]],"ok":{"path":"/b"}}"#,
        r#"{"do":"setData","client":"a","path":"/b","data":"x","version":-1,"ok":{"stat":{"version":1}}}"#,
        r#"{"do":"create","client":"a","path":"/c","data":"","acl":[["r","digest","u:"]],"error":"InvalidACL"}"#,
        r#"{"do":"create","client":"a","path":"/c","data":"","acl":[["r","digest","u:h:"]],"ok":{"path":"/c"}}"#,
        r#"{"do":"addAuth","client":"a","scheme":"nobody","auth":"x","error":"AuthFailed"}"#,
        r#"{"do":"getData","client":"a","path":"/b","error":"ConnectionLoss"}"#,
        r#"{"do":"reconnect","client":"a","server":"follower1","ok":{"negotiatedTimeoutMs":4000}}"#,
        r#"{"do":"getData","client":"a","path":"/b","ok":{"data":"x"}}"#,
    ]);
}

#[test]
fn a_timeout_of_nothing_is_granted_as_the_shortest() {
    plays(&[
        r#"{"do":"connect","client":"b","server":"leader","timeoutMs":0,"ok":{"negotiatedTimeoutMs":400}}"#,
        r#"{"do":"connect","client":"c","server":"follower1","timeoutMs":1,"ok":{"negotiatedTimeoutMs":400}}"#,
        r#"{"do":"getAllChildrenNumber","client":"c","path":"","ok":{"number":4}}"#,
    ]);
}

#[test]
fn a_session_that_is_over_may_be_offered_again_and_is_refused() {
    plays(&[
        r#"{"do":"create","client":"a","path":"/e","data":"","mode":"EPHEMERAL"}"#,
        r#"{"do":"close","client":"a","ok":{},"zxid":"0:3"}"#,
        r#"{"do":"getData","client":"a","path":"/","error":"ConnectionLoss"}"#,
        r#"{"do":"reconnect","client":"a","server":"follower1","error":"SessionExpired","zxid":"0:3"}"#,
        r#"{"do":"reconnect","client":"a","server":"leader","error":"SessionExpired","zxid":"0:3"}"#,
        r#"{"do":"connect","client":"b","server":"leader","zxid":"0:4"}"#,
        r#"{"do":"cutAndExpire","client":"b","zxid":"0:5"}"#,
        r#"{"do":"reconnect","client":"b","server":"follower2","error":"SessionExpired","zxid":"0:5"}"#,
        r#"{"do":"disconnect","client":"b","zxid":"0:5"}"#,
    ]);
}

#[test]
fn several_requests_of_the_library_go_without_waiting() {
    let steps = [
        r#"{"do":"async","client":"a","ops":[{"do":"create","path":"/x","data":"1","mode":"PERSISTENT"},
            {"do":"getData","path":"/x","watcher":"w"},{"do":"setData","path":"/x","data":"2","version":7},
            {"do":"setData","path":"/x","data":"2","version":-1}],
            "replies":[{"ok":{"path":"/x"}},{"ok":{"data":"1"}},{"error":"BadVersion"},{"ok":{"stat":{"version":1}}}],
            "stream":[{"reply":0},{"reply":1},{"reply":2},
            {"event":{"watcher":"w","type":"NodeDataChanged","path":"/x"}},{"reply":3}]}"#,
        r#"{"client":"a","events":[{"watcher":"default","type":"None","state":"SyncConnected"},
            {"watcher":"w","type":"NodeDataChanged","path":"/x"}]}"#,
        r#"{"do":"cutAndExpire","client":"a"}"#,
        r#"{"client":"a","events":[{"watcher":"default","type":"None","state":"Disconnected"},
            {"watcher":"default","type":"None","state":"Expired"}]}"#,
    ];
    let transcript = Transcript::from_json(&with_steps("java-client-x", &steps.join(","))).unwrap();
    assert_eq!(play(&transcript, 0), Ok(()));
}

#[test]
fn the_state_of_a_client_is_compared() {
    plays(&[
        r#"{"client":"a","state":"CONNECTED"}"#,
        r#"{"client":"a","state":"SyncConnected","events":[]}"#,
        r#"{"do":"create","client":"a","path":"/x","data":"","ok":{"path":"/x"},"state":"CONNECTED"}"#,
        r#"{"do":"disconnect","client":"a","state":"CONNECTING"}"#,
        r#"{"client":"a","state":"Disconnected"}"#,
        r#"{"do":"reconnect","client":"a","server":"follower1","state":"CONNECTED"}"#,
        r#"{"do":"close","client":"a","state":"CLOSED"}"#,
        r#"{"client":"a","state":"Closed"}"#,
    ]);
    let expired =
        r#"{"do":"cutAndExpire","client":"a"},{"client":"a","state":"Expired"},{"client":"a","state":"CLOSED"}"#;
    let transcript = Transcript::from_json(&with_steps("java-client-x", expired)).unwrap();
    assert_eq!(play(&transcript, 0), Ok(()));
    let other = Transcript::from_json(&with_steps("x", r#"{"client":"a","state":"CLOSED"}"#)).unwrap();
    let failure = play(&other, 0).unwrap_err().to_string();
    assert_eq!(failure, r#"step 2 (state of a): state: expected "CLOSED", got "CONNECTED""#);
}

#[test]
fn a_step_may_name_the_node_that_it_is_about() {
    plays(&[
        r#"{"do":"create","client":"a","path":"/c","data":"","mode":"CONTAINER","ok":{"path":"/c"}}"#,
        r#"{"do":"exists","client":"a","path":"/c","watch":true}"#,
        r#"{"do":"getData","client":"a","path":"/c","watch":true}"#,
        r#"{"do":"getChildren","client":"a","path":"/","watch":true}"#,
        r#"{"do":"create","client":"a","path":"/c/d","data":""}"#,
        r#"{"do":"delete","client":"a","path":"/c/d","version":-1}"#,
        r#"{"do":"checkContainers","path":"/c"}"#,
        r#"{"do":"exists","client":"a","path":"/c","error":"NoNode"}"#,
        r#"{"client":"a","path":"/","events":[{"type":"NodeChildrenChanged","path":"/"}]}"#,
        r#"{"client":"a","events":[]}"#,
    ]);
    let why = complaint(&with_steps("x", r#"{"do":"checkContainers","path":7}"#));
    assert!(why.contains("`path` is not a text"), "{why}");
}
