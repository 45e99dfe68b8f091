//! The telling, measured as a viewer has it: frames of 16 ms at the default speed, what stands there in each, and for how long.

use std::rc::Rc;

use zabscope::base::SimTime;
use zabscope::i18n::Lang;
use zabscope::i18n::page::{chapter_says, chapter_words};
use zabscope::i18n::title::{TITLE_CHARACTERS, TITLE_WORDS, dwell_ms, size, title};
use zabscope::scenarios::{SCENARIOS, Scenario};
use zabscope::sim::{Interest, Record, interest};
use zabscope::timeline::Session;
use zabscope::view::director::{Director, LEAST_MS, Told, What};

const FRAME_MS: u64 = 16;
/// Nobody watches one scenario for longer, ms.
const PATIENCE_MS: u64 = 600_000;

/// A sentence, from when to when it stood, ms.
struct Shown {
    told: Told,
    from: u64,
    to: u64,
}

/// A scenario as it was watched to its end.
struct Watched {
    shown: Vec<Shown>,
    /// The decisive facts, in the order in which they happened.
    decisive: Vec<Rc<Record>>,
    /// How long each chapter stood, ms; the last one, as long as the viewer stays.
    chapters: Vec<u64>,
    /// How long it took until the idea, ms.
    idea: u64,
    /// And until the end.
    over: u64,
}

/// Which facts are decisive: those with which chapters begin, in their order, and the others where they first happen.
struct Decisive {
    scenario: &'static Scenario,
    /// When chapters begin.
    marks: Vec<SimTime>,
    chapter: usize,
    others: Vec<usize>,
    found: Vec<Rc<Record>>,
}

impl Decisive {
    fn of(scenario: &'static Scenario, session: &Session) -> Decisive {
        let others = (0..scenario.decisive().len()).collect();
        let marks = session.chapters().iter().map(|mark| mark.at).collect();
        Decisive { scenario, marks, chapter: 1, others, found: Vec::new() }
    }

    fn read(&mut self, record: &Record) {
        if interest(record) == Interest::Noise {
            return;
        }
        let chapters = self.scenario.scene().map_or(&[][..], |scene| scene.chapters);
        let begins = chapters.get(self.chapter).and_then(|chapter| chapter.begins);
        let early = |last: bool| last && self.marks.get(self.chapter).is_some_and(|mark| record.at_us < *mark);
        if begins.is_some_and(|pattern| pattern.fits(record) && !early(pattern.is_last())) {
            self.chapter += 1;
        } else {
            let all = self.scenario.decisive();
            let Some(at) = self.others.iter().position(|place| all[*place].fits(record)) else { return };
            self.others.remove(at);
        }
        self.found.push(Rc::new(record.clone()));
    }
}

fn watch(scenario: &'static Scenario) -> Watched {
    let mut session = Session::new(scenario.run(), Some(scenario)).expect("a built-in run is valid");
    session.open_scene().expect("it opens");
    while session.look_for_chapters(100_000) {}
    let idea_at = session.chapters()[scenario.scene().expect("a scene").idea].at;
    let (mut director, mut decisive) = (Director::default(), Decisive::of(scenario, &session));
    let mut chapters = vec![0; session.chapters().len()];
    let (mut shown, mut idea, mut now, mut seen): (Vec<Shown>, _, _, _) = (Vec::new(), None, 0, session.next_seq());
    while session.ending().is_none() && now < PATIENCE_MS {
        director.play(&mut session, FRAME_MS, now, &|told| dwell_ms(Lang::En, told));
        session.facts().from(seen).for_each(|record| decisive.read(record));
        seen = session.next_seq();
        idea = idea.or((session.cursor_us() as u64 >= idea_at.0).then_some(now));
        if let Some((_, chapter)) = session.told_chapter() {
            chapters[chapter] += FRAME_MS;
        }
        let told = director.told().cloned();
        match (shown.last_mut(), told) {
            // a sentence that takes in another name stays the same one
            (Some(last), Some(told)) if last.told.seq() == told.seq() => {
                (last.told, last.to) = (told, now + FRAME_MS)
            }
            (_, Some(told)) => shown.push(Shown { told, from: now, to: now + FRAME_MS }),
            _ => {}
        }
        now += FRAME_MS;
    }
    // at the end it stands as long as the viewer does
    if let Some(last) = shown.last_mut() {
        last.to = u64::MAX;
    }
    chapters.last_mut().into_iter().for_each(|last| *last = u64::MAX);
    Watched { shown, decisive: decisive.found, chapters, idea: idea.unwrap_or(now), over: now }
}

impl Watched {
    /// The decisive facts whose sentence did not stand long enough to be read.
    fn missed(&self) -> Vec<&Rc<Record>> {
        let read = |record: &Record| {
            self.shown.iter().any(|one| {
                let tells = one.told.records().iter().any(|told| told.seq == record.seq);
                tells && one.to - one.from >= dwell_ms(Lang::En, &one.told)
            })
        };
        self.decisive.iter().filter(|record| !read(record)).collect()
    }
}

/// What a chapter teaches stands until it can have been read, whatever comes next.
fn assert_read(scenario: &Scenario, chapters: &[u64]) {
    for (index, stood) in chapters.iter().enumerate() {
        let says = chapter_says(Lang::En, scenario.id, index).expect("a sentence");
        let least = (200 * size(says).0 as u64).max(1_500);
        let name = chapter_words(Lang::En, scenario.id, index).expect("a name");
        assert!(
            stood.saturating_add(FRAME_MS) >= least,
            "{}: chapter “{name}” stood {stood} ms: {says}",
            scenario.id
        );
    }
}

/// What decides, or causes, has a short title.
fn assert_short(scenario: &Scenario, told: &Told) {
    let [english, chinese] = [Lang::En, Lang::Zh].map(|lang| title(lang, told).title);
    let ((words, _), (foreign, characters)) = (size(&english), size(&chinese));
    // what is typed at other systems stands in their sentences, and what breaks a rule is told whole
    let long = scenario.run().setup.voters == 0 || matches!(told.what, What::Violation(_));
    let times = if long { 2 } else { 1 };
    assert!(words <= times * TITLE_WORDS, "{}: {english}", scenario.id);
    assert!(foreign + characters <= times * TITLE_CHARACTERS, "{}: {chinese}", scenario.id);
}

/// Prints what was told, so that it can be read as a viewer reads it.
fn print(scenario: &Scenario, watched: &Watched, missed: &[&Rc<Record>]) {
    println!(
        "{}: {} sentences, {} decisive, {} missed, idea after {} ms, over after {} ms",
        scenario.id,
        watched.shown.len(),
        watched.decisive.len(),
        missed.len(),
        watched.idea,
        watched.over,
    );
    println!("  chapters: {:?}", &watched.chapters[..watched.chapters.len() - 1]);
    for one in &watched.shown {
        println!("  {:6} [{}] {}", one.from, one.told.rank, title(Lang::En, &one.told).title);
    }
    for record in missed {
        println!("  missed: {record:?}");
    }
}

#[test]
fn what_decides_stands_long_enough_to_be_read_and_the_idea_comes_soon() {
    let (mut all, mut missed, mut ideas) = (0, 0, Vec::new());
    for scenario in SCENARIOS {
        let watched = watch(scenario);
        let not_read = watched.missed();
        print(scenario, &watched, &not_read);
        assert_read(scenario, &watched.chapters);
        assert!(watched.decisive.len() >= 5, "{}: {:?}", scenario.id, watched.decisive);
        watched.shown.iter().filter(|one| one.told.rank >= 4).for_each(|one| assert_short(scenario, &one.told));
        all += watched.decisive.len();
        missed += not_read.len();
        ideas.push(watched.idea);
        for two in watched.shown.windows(2) {
            let (stood, said) = (two[1].from - two[0].from, title(Lang::En, &two[0].told).title);
            assert!(stood + FRAME_MS >= LEAST_MS, "{}: {said} stood {stood} ms", scenario.id);
        }
    }
    ideas.sort_unstable();
    let (median, longest) = (ideas[ideas.len() / 2], ideas[ideas.len() - 1]);
    println!("{missed} of {all} missed; the idea comes after {median} ms (median), {longest} ms at most");
    // before the idea, time waits for the sentences of chapters first, and an idea that several facts show together is told once
    assert!(missed * 12 <= all, "{missed} of {all} decisive facts were not told long enough");
    assert!(median <= 6_000 && longest <= 15_000, "{ideas:?}");
}
