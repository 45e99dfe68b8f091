//! More recipes that somebody might write: wrong ones of other kinds, and right ones that do it in an unusual way and must not be accused.

use super::Law;
use super::wrong::{CLAUSES, ME, RELEASE, Wrong, lock};

fn of(name: &'static str, why: &'static str, falls: &'static [Law], text: impl Into<String>) -> Wrong {
    Wrong { name, why, falls, text: text.into() }
}

pub fn wrong() -> Vec<Wrong> {
    vec![
        of(
            "no-node-at-all",
            "it takes what nobody has given",
            &[Law::OneHolder, Law::Believed],
            "acquire\n  hold\nrelease\n  sleep 1 ms\n",
        ),
        of(
            "looks-elsewhere",
            "the list is that of another node: it is never in it, and gives up",
            &[Law::Progress, Law::NothingLeft],
            lock(
                "  all = children of /locks
  if me is not in all
    give up
  hold
",
            ),
        ),
        of(
            "no-such-parent",
            "the node above is made by nobody: each create fails",
            &[Law::Progress],
            "acquire\n  me = create /lock/{client}/n- ephemeral sequential\n  hold\nrelease\n  delete me\n",
        ),
        of(
            "waits-for-itself",
            "it watches its own node, which only itself would delete",
            &[Law::Woken],
            lock(
                "  all = children of /lock
  if me is first in all
    hold
  wait until me is gone
  hold
",
            ),
        ),
        of(
            "patience-is-no-right",
            "who has waited long enough takes it",
            &[Law::OneHolder],
            lock(
                "  all = children of /lock
  if me is first in all
    hold
  before = the one before me in all
  seen = exists before with watch
  if seen is not nothing
    wait at most 30 ms
  hold
",
            ),
        ),
        of(
            "counts-heads",
            "two that come together both see two, and each waits for the other to go",
            &[Law::Woken],
            lock(
                "  repeat
    all = children of /lock with watch
    if all has at least 2
      wait
    else
      hold
",
            ),
        ),
        of(
            "lets-go-too-late",
            "it is told that its session is over, and first thinks about it",
            &[Law::Believed],
            format!(
                "acquire
{ME}  repeat
    all = children of /lock
    if me is not in all
      give up
    if me is first in all
      hold
    before = the one before me in all
    wait until before is gone
{RELEASE}on connection loss
  again
on session lost
  sleep 500 ms
  release
"
            ),
        ),
        of(
            "begins-anew",
            "a lost create may have been done: who begins anew waits behind its own node",
            &[Law::Woken, Law::NothingLeft],
            format!(
                "acquire
  me = create /lock/n- ephemeral sequential
    on connection loss
      start over
  repeat
    all = children of /lock
    if me is not in all
      give up
    if me is first in all
      hold
    before = the one before me in all
    wait until before is gone
{RELEASE}{CLAUSES}"
            ),
        ),
        of(
            "takes-anothers-for-its-own",
            "the answer was lost, the node is there, but whose is it?",
            &[Law::OneHolder, Law::Believed],
            format!(
                "acquire
  repeat
    me = create /lock ephemeral
      on connection loss
        found = exists /lock
        if found is not nothing
          hold
    if me is not nothing
      hold
    found = exists /lock with watch
    if found is not nothing
      wait
release
  delete /lock
{CLAUSES}"
            ),
        ),
        of(
            "deletes-once-more",
            "the delete was done though its answer was lost: sent again it deletes the next one's node",
            &[Law::Believed],
            "acquire
  repeat
    me = create /lock ephemeral
    if me is not nothing
      hold
    found = exists /lock with watch
    if found is mine
      hold
    if found is not nothing
      wait
release
  delete /lock
on connection loss
  again
on session lost
  release
",
        ),
        of(
            "version-unheeded",
            "it sets with the version, and does not look whether that went well",
            &[Law::OneHolder],
            "acquire
  me = create /lock with \"free\"
  repeat
    state = get /lock with watch
    if state is \"free\"
      set /lock to \"taken\" version of state
      hold
    wait
release
  set /lock to \"free\"
on connection loss
  again
",
        ),
        of(
            "readers-wait-for-all-writers",
            "a reader waits for a writer behind it, which waits for the reader",
            &[Law::Woken, Law::Progress],
            "read
  me = create /rw/read-{session}- ephemeral sequential
  repeat
    all = children of /rw with watch
    writers = all with \"write-\"
    if writers is empty
      hold shared
    wait
write
  me = create /rw/write-{session}- ephemeral sequential
  repeat
    all = children of /rw with watch
    if me is first in all
      hold
    wait
release
  delete me
on session lost
  release
",
        ),
        of(
            "barrier-of-glass",
            "it looks once, rests a while, and passes",
            &[Law::Closed],
            "set
  create /barrier
wait
  there = exists /barrier
  if there is not nothing
    sleep 20 ms
remove
  delete /barrier
on connection loss
  again
",
        ),
        of(
            "deletes-before-it-reads",
            "the item is gone before anybody has read it",
            &[Law::TakenOnce],
            "put
  create /queue/qn- with item sequential
    on connection loss
      give up
take
  repeat
    all = children of /queue with watch
    if all is empty
      wait
    else
      oldest = the first in all
      gone = delete oldest
      if gone is not nothing
        data = get oldest
        return data
on connection loss
  again
",
        ),
    ]
}

/// Right ones; what of them herds is said.
pub fn right() -> Vec<(&'static str, bool, String)> {
    let queue = |below: &str| {
        format!(
            "acquire
  me = create {below}/n-{{session}}- ephemeral sequential
    on connection loss
      all = children of {below}
      me = the one with session in all
      if me is nothing
        again
  repeat
    all = children of {below}
    if me is not in all
      give up
    if me is first in all
      hold
    before = the one before me in all
    wait until before is gone
{RELEASE}{CLAUSES}"
        )
    };
    let looks = |pause: &str| {
        lock(&format!(
            "  repeat
    all = children of /lock with watch
    if me is not in all
      give up
    if me is first in all
      hold
    {pause}
"
        ))
    };
    vec![
        ("deep", false, queue("/app/of/mine/locks")),
        ("polls", false, looks("sleep 70 ms")),
        ("polls-slowly", false, looks("sleep 9000 ms")),
        ("backs-off", false, looks("back off 200 ms")),
        ("waits-a-while", true, looks("wait at most 5000 ms")),
        (
            "tries-once",
            false,
            lock("  all = children of /lock\n  if me is first in all\n    hold\n  delete me\n  give up\n"),
        ),
        (
            "leads-by-one-node",
            true,
            "start
  repeat
    me = create /leader ephemeral
    if me is not nothing
      lead
    found = exists /leader with watch
    if found is mine
      lead
    if found is not nothing
      wait
close
  delete /leader
    on connection loss
      found = exists /leader
      if found is mine
        again
on connection loss
  again
on session lost
  release
"
            .into(),
        ),
        (
            "barrier-of-who-lives",
            false,
            "set
  create /app/barrier ephemeral
wait
  repeat
    there = exists /app/barrier with watch
    if there is nothing
      return
    wait
remove
  delete /app/barrier
on connection loss
  again
"
            .into(),
        ),
        (
            "takes-what-is-there",
            false,
            "put
  create /app/queue/qn- with item sequential
    on connection loss
      give up
take
  all = children of /app/queue
  if all is empty
    return
  oldest = the first in all
  data = get oldest
  gone = delete oldest
    on connection loss
      give up
  if gone is not nothing
    return data
on connection loss
  again
"
            .into(),
        ),
    ]
}
