//! Recipes that somebody might write, each with what is wrong with it and the law by which it falls.

use super::Law;

/// A recipe that is wrong.
pub struct Wrong {
    pub name: &'static str,
    /// Why.
    pub why: &'static str,
    /// Any of these shows it.
    pub falls: &'static [Law],
    pub text: String,
}

/// How a queue's node is made and found again.
pub const ME: &str = "  me = create /lock/n-{session}- ephemeral sequential
    on connection loss
      all = children of /lock
      me = the one with session in all
      if me is nothing
        again
";

pub const RELEASE: &str = "release
  delete me
";

pub const CLAUSES: &str = "on connection loss
  again
on session lost
  release
";

/// A lock whose acquire goes on so, and whose node is found again.
pub fn lock(acquire: &str) -> String {
    format!("acquire\n{ME}{acquire}{RELEASE}{CLAUSES}")
}

pub fn wrong() -> Vec<Wrong> {
    let of = |name, why, falls, text: String| Wrong { name, why, falls, text };
    vec![
        of(
            "watch-after-read",
            "the list decides, and the watch is set by another list: who goes in between is missed",
            &[Law::Woken],
            lock(
                "  repeat
    all = children of /lock
    if me is not in all
      give up
    if me is first in all
      hold
    children of /lock with watch
    wait
",
            ),
        ),
        of(
            "sorts-by-whole-name",
            "names begin with the session, and the queue stands in their order (ZOOKEEPER-2931)",
            &[Law::OneHolder],
            lock(
                "  repeat
    all = children of /lock
    sort all by name
    if me is not in all
      give up
    if me is first in all
      hold
    before = the one before me in all
    wait until before is gone
",
            ),
        ),
        of(
            "no-look-after-waking",
            "to be woken is not to own: the one before may have died while an older one holds",
            &[Law::OneHolder],
            lock(
                "  all = children of /lock
  if me is first in all
    hold
  before = the one before me in all
  wait until before is gone
  hold
",
            ),
        ),
        of(
            "forgets-ephemeral",
            "the node outlives its owner, and everybody waits behind it",
            &[Law::Woken, Law::NothingLeft],
            format!(
                "acquire
  id = a guid
  me = create /lock/{{id}}-n- sequential
    on connection loss
      all = children of /lock
      me = the one with id in all
      if me is nothing
        again
  repeat
    all = children of /lock
    if me is first in all
      hold
    before = the one before me in all
    wait until before is gone
{RELEASE}{CLAUSES}"
            ),
        ),
        of(
            "watches-the-first",
            "who waits watches the holder's node: each release wakes all",
            &[Law::NoHerd],
            lock(
                "  repeat
    all = children of /lock
    if me is not in all
      give up
    if me is first in all
      hold
    oldest = the first in all
    wait until oldest is gone
",
            ),
        ),
        of(
            "deletes-by-name",
            "all nodes have one name: whoever deletes without looking deletes its successor's",
            &[Law::OneHolder, Law::Believed],
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
"
            .into(),
        ),
        of(
            "releases-anothers-node",
            "the last of the queue is not the own node, once somebody waits",
            &[Law::Woken, Law::NothingLeft],
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
release
  all = children of /lock
  newest = the last in all
  delete newest
{CLAUSES}"
            ),
        ),
        of(
            "no-retry-of-a-lost-create",
            "the node may be there though the answer was lost: giving up leaves it in the queue",
            &[Law::Woken, Law::NothingLeft],
            format!(
                "acquire
  me = create /lock/n- ephemeral sequential
    on connection loss
      give up
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
            "retry-without-protection",
            "a create that is sent again makes a second node, which waits behind the first, its own",
            &[Law::Woken],
            format!(
                "acquire
  me = create /lock/n- ephemeral sequential
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
            "old-list",
            "it is woken by the children, and decides by the list that it read before",
            &[Law::Woken, Law::Progress],
            lock(
                "  all = children of /lock
  repeat
    if me is first in all
      hold
    children of /lock with watch
    wait
",
            ),
        ),
        of(
            "heedless",
            "nobody tells it that its session is over: it goes on holding",
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
"
            ),
        ),
        of(
            "waits-for-what-is-gone",
            "the node before may go between the list and exists: nothing fires that watch",
            &[Law::Woken],
            lock(
                "  repeat
    all = children of /lock
    if me is not in all
      give up
    if me is first in all
      hold
    before = the one before me in all
    exists before with watch
    wait
",
            ),
        ),
        of(
            "no-watch",
            "it waits, and has asked nobody to wake it",
            &[Law::Woken],
            lock(
                "  repeat
    all = children of /lock
    if me is not in all
      give up
    if me is first in all
      hold
    wait
",
            ),
        ),
        of(
            "never-deletes",
            "to let go is to delete the node; only the session's end does that here",
            &[Law::Woken, Law::NothingLeft],
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
release
  me = nothing
{CLAUSES}"
            ),
        ),
        of(
            "looks-then-creates",
            "between the look and the create somebody else creates: whether it was made must decide",
            &[Law::OneHolder],
            "acquire
  repeat
    found = exists /lock with watch
    if found is nothing
      me = create /lock ephemeral
      hold
    wait
release
  delete /lock
on connection loss
  again
on session lost
  release
"
            .into(),
        ),
        of(
            "set-without-version",
            "two read that it is free, and both set it",
            &[Law::OneHolder],
            "acquire
  me = create /lock with \"free\"
  repeat
    state = get /lock with watch
    if state is \"free\"
      set /lock to \"taken\"
      hold
    wait
release
  set /lock to \"free\"
on connection loss
  again
"
            .into(),
        ),
        of(
            "the-last-leads",
            "the newest node is the largest: whoever comes leads beside who leads",
            &[Law::OneHolder],
            "start
  me = create /election/c-{session}- ephemeral sequential
    on connection loss
      all = children of /election
      me = the one with session in all
      if me is nothing
        again
  repeat
    all = children of /election with watch
    if me is not in all
      give up
    if me is last in all
      lead
    wait
close
  delete me
on connection loss
  again
on session lost
  release
"
            .into(),
        ),
        of(
            "reads-behind-the-first",
            "a reader asks whether a reader is first, and not whether a writer is before it",
            &[Law::OneHolder],
            "read
  me = create /rw/read-{session}- ephemeral sequential
    on connection loss
      all = children of /rw
      me = the one with session in all
      if me is nothing
        again
  repeat
    all = children of /rw with watch
    if me is not in all
      give up
    oldest = the first in all
    readers = all with \"read-\"
    if oldest is in readers
      hold shared
    wait
write
  me = create /rw/write-{session}- ephemeral sequential
    on connection loss
      all = children of /rw
      me = the one with session in all
      if me is nothing
        again
  repeat
    all = children of /rw
    if me is not in all
      give up
    writers = all with \"write-\"
    if me is first in writers
      hold
    before = the one before me in writers
    wait until before is gone
release
  delete me
on connection loss
  again
on session lost
  release
"
            .into(),
        ),
        of(
            "takes-without-deleting",
            "two read the same item: only whose delete goes well has it",
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
      data = get oldest
      delete oldest
      if data is not nothing
        return data
on connection loss
  again
"
            .into(),
        ),
        of(
            "gives-up-and-stays",
            "who gives up after a while leaves its node in the queue, and the next one waits for it",
            &[Law::Woken, Law::NothingLeft],
            lock(
                "  repeat
    all = children of /lock
    if me is not in all
      give up
    if me is first in all
      hold
    before = the one before me in all
    seen = exists before with watch
    if seen is not nothing
      wait at most 50 ms
      still = exists before
      if still is not nothing
        give up
",
            ),
        ),
        of(
            "lists-before-it-queues",
            "the list is older than its own node: whoever comes in between is not in it",
            &[Law::OneHolder],
            format!(
                "acquire
  all = children of /lock
{ME}  if all is empty
    hold
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
            "barrier-unheard",
            "the barrier may be opened between the two looks: the second sets a watch that nothing fires",
            &[Law::Woken],
            "set
  create /barrier
wait
  there = exists /barrier
  if there is not nothing
    exists /barrier with watch
    wait
remove
  delete /barrier
on connection loss
  again
"
            .into(),
        ),
    ]
}
