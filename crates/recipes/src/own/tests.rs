//! Texts and programs: what is read, printed and refused.

use crate::base::{Place, Prng, ProgramError, ProgramFault, Stream, Wish};

use super::{MAX_PROGRAM_BYTES, MAX_PROGRAM_LINES, Program, READY, Section};

fn wrong(text: &str) -> ProgramError {
    Program::parse(text).err().unwrap_or_else(|| panic!("this was read:\n{text}"))
}

/// A line in a section of a program that keeps `me` and `all`.
fn in_acquire(line: &str) -> String {
    format!("acquire\n  me = create /lock/n- ephemeral sequential\n  all = children of /lock\n  {line}\n")
}

#[test]
fn every_ready_program_is_written_as_it_is_printed() {
    for ready in READY {
        let program = Program::parse(ready.text).unwrap_or_else(|error| panic!("{}: {error}", ready.name));
        assert_eq!(program.to_string(), ready.text, "{}", ready.name);
        assert_eq!(Program::of(program.lines()), Ok(program), "{}", ready.name);
    }
    let homes = READY.iter().map(|ready| Program::parse(ready.text).unwrap().home().to_string());
    let homes: Vec<String> = homes.collect();
    assert_eq!(homes, ["/lock", "/lock", "/lock", "/lock", "/rw", "/election", "/barrier", "/queue"]);
}

/// Every statement, expression and condition, each in another spacing than the printer's.
#[test]
fn every_form_is_printed_as_it_is_read() {
    let text = "
acquire   # gets it
     id   =  a guid
     me = create /l/{id}-x with \"a b\" sequential   ephemeral
           on connection loss
              all = children   of /l
              me = the one with id in all
              if me is nothing
                  again
     all = children of /l with watch
     some = all with \"-x\"
     f = the first in some
     g = the last in all
     h = the one before me in all
     n = get h with watch
     e = exists h
     s = set /l to item version of n
     o = me
     repeat 3 times
        if me is not first in all
           back off 10 ms
        else if me is last in all
           stop
        else if all has at least 2
           sort all by name
        else if all is not empty
           sort all by number
        else if e is mine
           wait at most 5 ms
        else if o is not \"q\"
           wait
        else if o is in all
           wait until h is there
        else
           sleep 3 ms
     delete h version of n
     create /l
     hold   shared
release
 delete me
on session lost
 release
 start over
on connection loss
 give up
put
 return item
take
 return
start
 lead
";
    let program = Program::parse(text).unwrap();
    let printed = program.to_string();
    let again = Program::parse(&printed).unwrap();
    assert_eq!(again.lines(), program.lines(), "{printed}");
    assert!(again.code.iter().map(|code| &code.what).eq(program.code.iter().map(|code| &code.what)));
    assert_eq!(printed.lines().count(), text.lines().count(), "line n stays line n");
    assert!(program.has(Section::Take) && !program.has(Section::Write));
}

#[test]
fn what_is_wrong_names_its_place_and_what_is_wanted() {
    use ProgramFault::{Empty, Expected, Misplaced, NoSection, TooDeep, Twice, Unknown};
    let expected = |wanted: &[Wish], found: &str| Expected { wanted: wanted.to_vec(), found: found.into() };
    let cases: Vec<(String, usize, usize, ProgramFault)> = vec![
        ("".into(), 1, 1, NoSection),
        ("on session lost\n  release\n".into(), 1, 1, NoSection),
        ("lock\n  hold\n".into(), 1, 1, expected(&[Wish::Section], "lock")),
        ("acquire\n".into(), 1, 1, Empty { line: "acquire".into() }),
        ("acquire\n  hold\nacquire\n  hold\n".into(), 3, 1, Twice { name: "acquire".into() }),
        (in_acquire("jump"), 4, 7, expected(&[Wish::Word("="), Wish::Word("with")], "")),
        (in_acquire("9 = me"), 4, 3, expected(&[Wish::Name], "9")),
        (in_acquire("first = me"), 4, 3, expected(&[Wish::Name], "first")),
        (in_acquire("hold it"), 4, 8, expected(&[Wish::Word("shared"), Wish::End], "it")),
        (in_acquire("delete"), 4, 9, expected(&[Wish::Value], "")),
        (in_acquire("children /lock"), 4, 12, expected(&[Wish::Word("of")], "/lock")),
        (in_acquire("if me is first all\n    hold"), 4, 18, expected(&[Wish::Word("in")], "all")),
        (in_acquire("if me\n    hold"), 4, 8, expected(&[Wish::Word("is"), Wish::Word("has")], "")),
        (in_acquire("sleep 0 ms"), 4, 9, expected(&[Wish::Number { most: 10_000 }], "0")),
        (in_acquire("x = create lock//"), 4, 14, expected(&[Wish::Value], "lock//")),
        (in_acquire("x = create /lock/"), 4, 14, expected(&[Wish::Path], "/lock/")),
        (in_acquire("x = create /lock/{"), 4, 14, expected(&[Wish::Path], "/lock/{")),
        (in_acquire("if = children of /lock"), 4, 6, expected(&[Wish::Value], "=")),
        (in_acquire("x = \"open"), 4, 7, expected(&[Wish::Quote], "")),
        (in_acquire("  hold"), 4, 5, Misplaced { line: "hold".into(), place: Place::InLoss }),
        (in_acquire("wait\n      hold"), 5, 7, expected(&[Wish::Indent], "hold")),
        ("acquire\n\thold\n".into(), 2, 1, expected(&[Wish::Blanks], "\\t")),
        (in_acquire("delete before"), 4, 3, Unknown { name: "before".into() }),
        (in_acquire("stop"), 4, 3, Misplaced { line: "stop".into(), place: Place::InRepeat }),
        (in_acquire("again"), 4, 3, Misplaced { line: "again".into(), place: Place::InLoss }),
        (in_acquire("else\n    hold"), 4, 3, Misplaced { line: "else".into(), place: Place::BehindIf }),
        (
            in_acquire("on session lost\n    hold"),
            4,
            3,
            Misplaced { line: "on session lost".into(), place: Place::Margin },
        ),
        ("release\n  hold\n".into(), 2, 3, Misplaced { line: "hold".into(), place: Place::Getting }),
        (
            (0..9)
                .map(|depth| format!("{:w$}repeat\n", "", w = 2 * depth))
                .collect::<String>()
                .replacen("repeat", "acquire", 1),
            9,
            17,
            TooDeep { most: 8 },
        ),
    ];
    for (text, line, column, why) in cases {
        assert_eq!(wrong(&text), ProgramError { line, column, why }, "{text}");
    }
    let unreached = |behind: &str| ProgramFault::Unreached { behind: behind.into() };
    for (text, line, column, behind) in [
        (in_acquire("hold\n\n  # gives it back\n  release"), 7, 3, "hold"),
        (in_acquire("hold shared\n  delete me\n  wait"), 5, 3, "hold shared"),
        (in_acquire("repeat\n    stop\n    wait"), 6, 5, "stop"),
        (in_acquire("if me is nothing\n    give up\n    wait\n  hold"), 6, 5, "give up"),
        (in_acquire("delete me\n    on connection loss\n      again\n      delete me"), 7, 7, "again"),
        ("take\n  return item\n  wait\n".into(), 3, 3, "return item"),
        ("start\n  lead\n  wait\n".into(), 3, 3, "lead"),
        ("put\n  return\n  wait\n".into(), 3, 3, "return"),
        ("put\n  start over\n  wait\n".into(), 3, 3, "start over"),
    ] {
        assert_eq!(wrong(&text), ProgramError { line, column, why: unreached(behind) }, "{text}");
    }
    assert!(Program::parse(&in_acquire("if me is nothing\n    give up\n  hold")).is_ok());
    let no_word = |word: &str, near| ProgramFault::NoWord { word: word.into(), near };
    for (text, column, why) in [
        (in_acquire("x = creat /lock"), 7, no_word("creat", "create")),
        (in_acquire("x = create /lock ephemral"), 20, no_word("ephemral", "ephemeral")),
        (in_acquire("deltee me"), 3, no_word("deltee", "delete")),
        (in_acquire("if me is frist in all\n    hold"), 12, no_word("frist", "first")),
        (in_acquire("x = cretae /lock"), 7, no_word("cretae", "create")),
    ] {
        assert_eq!(wrong(&text), ProgramError { line: 4, column, why }, "{text}");
    }
    assert_eq!(wrong("aquire\n  hold\n").why, no_word("aquire", "acquire"));
    assert_eq!(
        wrong(&in_acquire("x = creat /lock")).to_string(),
        "line 4, column 7: `creat` is no word of the language, `create` is near"
    );
    let said = wrong(&in_acquire("if me is first all\n    hold")).to_string();
    assert_eq!(said, "line 4, column 18: expected `in`, found `all`");
}

#[test]
fn sizes_are_bounded() {
    let line = "  delete /lock\n";
    let of = |lines: usize| format!("acquire\n{}", line.repeat(lines));
    assert!(Program::parse(&of(MAX_PROGRAM_LINES - 1)).is_ok());
    assert_eq!(wrong(&of(MAX_PROGRAM_LINES)).why, ProgramFault::TooMany { most: MAX_PROGRAM_LINES });
    let long = ProgramFault::TooLong { most: MAX_PROGRAM_BYTES };
    assert_eq!(wrong(&"#".repeat(MAX_PROGRAM_BYTES + 1)).why, long);
    assert_eq!(wrong(&in_acquire(&format!("delete /{}", "x".repeat(200)))).why, ProgramFault::TooLong { most: 200 });
}

/// Random texts made of the language's own words, of broken ones and of any characters.
#[test]
fn no_text_is_too_odd_and_what_is_read_is_printed_as_it_reads() {
    let words: Vec<&str> = READY.iter().flat_map(|ready| ready.text.split(' ')).collect();
    let odd = [
        "\"",
        "{",
        "}",
        "/",
        "//",
        "#",
        "=",
        "\t",
        "é",
        "锁",
        "\u{0}",
        "\n",
        "\r\n",
        " ",
        "  ",
        "9",
        "18446744073709551616",
    ];
    let mut prng = Prng::new(52, Stream::Faults);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..4_000 {
        let mut text: String = READY[prng.below(READY.len() as u32) as usize].text.into();
        for _ in 0..prng.below(4) {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let from = places[prng.below(places.len() as u32) as usize];
            match prng.below(3) {
                0 => text.insert_str(from, words[prng.below(words.len() as u32) as usize]),
                1 => text.insert_str(from, odd[prng.below(odd.len() as u32) as usize]),
                _ => drop(text.remove(from)),
            }
        }
        match Program::parse(&text) {
            Ok(program) => {
                read += 1;
                let printed = program.to_string();
                assert_eq!(Program::parse(&printed).map(|again| again.to_string()), Ok(printed), "{text}");
            }
            Err(error) => {
                refused += 1;
                assert!(error.line <= text.lines().count().max(1) && error.column <= 400, "{error}\n{text}");
                assert!(!error.to_string().is_empty());
            }
        }
    }
    assert!(read > 500 && refused > 500, "{read} read, {refused} refused");
}
