//! What is in the gallery: runs that were left, courses, lessons, scenarios by topic, pairs, rules to break, real bugs; what each is
//! called, what it promises, and what a search finds it by.

use std::rc::Rc;

use crate::draw::gallery::finds;
use crate::explore::{Goal, prepared};
use crate::i18n::page::{Page, fill, goal_words, page, rules_of, scenario_words};
use crate::i18n::{Lang, rule_about, rule_title};
use crate::lessons::{Course, Form, Lesson, Part};
use crate::museum::{BUGS, Bug, Shows, Wing, bugs};
use crate::scenarios::{Group, SCENARIOS, Scenario};
use crate::sim::Rule;
use crate::story_files::are_there;
use crate::view::comparison::pairs;

use super::super::engine::{Engine, ShelvedRun};
use super::stills::Subject;
use crate::ui::compare::strip::{bug_title, first_sentence, mended};
use crate::ui::lesson::cards;

/// What a card opens.
#[derive(Clone, PartialEq)]
pub(super) enum What {
    Left(u64),
    Course(Rc<Course>),
    Lesson(Rc<Lesson>),
    Scenario(&'static str),
    Pair(&'static str, &'static str),
    Rule(Rule),
    Bug(Rc<Bug>),
}

/// A card.
#[derive(Clone, PartialEq)]
pub(super) struct Entry {
    pub what: What,
    pub title: String,
    pub promise: String,
    /// What stands small behind it.
    pub small: Option<String>,
    /// Its place among the scenarios, from 1.
    pub place: Option<usize>,
    pub pictures: Vec<Subject>,
    /// The parts of a course: what each is, and its minutes.
    pub parts: Vec<(String, u32)>,
}

impl Entry {
    /// Its own name among all cards.
    pub(super) fn key(&self) -> String {
        match &self.what {
            What::Left(number) => format!("left-{number}"),
            What::Course(course) => format!("course-{}", course.id),
            What::Lesson(lesson) => format!("lesson-{}", lesson.id),
            What::Scenario(id) => id.to_string(),
            What::Pair(left, right) => format!("{left}+{right}"),
            What::Rule(rule) => format!("rule-{}", rule.name()),
            What::Bug(bug) => format!("bug-{}", bug.id),
        }
    }
}

/// Cards below a heading.
#[derive(Clone, PartialEq)]
pub(super) struct Section {
    pub title: String,
    pub entries: Vec<Entry>,
}

impl Section {
    /// Whether a card of some kind stands in it.
    pub(super) fn has(&self, is: impl Fn(&What) -> bool) -> bool {
        self.entries.iter().any(|entry| is(&entry.what))
    }
}

fn words(lang: Lang, id: &'static str) -> (&'static str, &'static str) {
    scenario_words(lang, id).unwrap_or((id, ""))
}

/// What a search finds a scenario by: its id, its topics, its title and its promise in every language.
fn known_by(scenario: &Scenario) -> String {
    let mut text = format!("{} {}", scenario.id, scenario.topics.join(" "));
    for lang in Lang::ALL {
        let (title, about) = words(lang, scenario.id);
        text.push_str(&format!(" {title} {about} {}", group_title(page(lang), scenario.group())));
    }
    text
}

fn group_title(words: &Page, group: Group) -> &'static str {
    match group {
        Group::Ensemble => words.group_ensemble,
        Group::Store => words.group_store,
        Group::Locks => words.group_locks,
        Group::Recipes => words.group_recipes,
    }
}

/// What one will see in a pair.
fn promise_of_pair(left: &str, lang: Lang) -> &'static str {
    let words = page(lang);
    match left {
        "lock-mutex" => words.pair_mutex,
        "lock-herd" => words.pair_lock,
        "elect-latch" => words.pair_leader,
        "commit-blocked" => words.pair_commit,
        "generation-election" => words.pair_election,
        "generation-cut-off" => words.pair_pre_vote,
        "generation-log-check" => words.pair_log_check,
        "quorum-stale-read" => words.pair_write_back,
        "quorum-leader" => words.pair_leader_reads,
        "redis-pause" => words.pair_fencing,
        "sql-lost-update" => words.pair_version,
        _ => words.pair_naive,
    }
}

fn left_entry(run: &ShelvedRun, lang: Lang) -> Entry {
    let own = page(lang);
    let name = run.scenario.map_or(own.own_run, |id| words(lang, id).0);
    let promise = match run.changes {
        0 => own.left_plain.to_string(),
        changes => fill(own.left_changed, &[&changes]),
    };
    Entry {
        what: What::Left(run.number),
        title: fill(own.left_at, &[&name, &run.at.seconds()]),
        promise,
        small: None,
        place: None,
        pictures: vec![Subject::Left(run.number)],
        parts: Vec::new(),
    }
}

/// What a search finds a lesson by: its id, its topics, its title and its idea in every language.
fn lesson_known_by(lesson: &Lesson) -> String {
    let mut text = format!("{} {}", lesson.id, lesson.topics.join(" "));
    for lang in Lang::ALL {
        let [title, idea] = [&lesson.title, &lesson.idea].map(|text| cards::words(text, lang));
        let group = fill(page(lang).lesson_section, &[&group_title(page(lang), lesson.group())]);
        text.push_str(&format!(" {title} {idea} {group}"));
    }
    text
}

/// What a search finds a course by: its id, its title and for whom it is, in every language.
fn course_known_by(course: &Course) -> String {
    let mut text = course.id.to_string();
    for lang in Lang::ALL {
        let [title, whom] = [&course.title, &course.whom].map(|text| cards::words(text, lang));
        text.push_str(&format!(" {title} {whom} {}", page(lang).course_section));
    }
    text
}

fn course_entry(course: &Rc<Course>, lang: Lang) -> Entry {
    let whom = cards::words(&course.whom, lang);
    let part = |(at, part): (usize, &Part)| (part_words(at + 1, part, lang), u32::from(part.minutes));
    Entry {
        what: What::Course(course.clone()),
        title: cards::words(&course.title, lang),
        promise: fill(page(lang).course_about, &[&whom, &course.parts.len()]),
        small: None,
        place: None,
        pictures: Vec::new(),
        parts: course.parts.iter().enumerate().map(part).collect(),
    }
}

/// A part of a course: its number, its lesson, how long it takes and how it is done.
fn part_words(number: usize, part: &Part, lang: Lang) -> String {
    let words = page(lang);
    let title = cards::title(&part.lesson, lang);
    let form = match part.form {
        Form::Peers => words.course_peers,
        Form::Hands => words.course_hands,
        Form::Demonstration => words.course_demonstration,
        Form::Selves => words.course_selves,
    };
    fill(words.course_part, &[&number, &title, &part.minutes, &form])
}

fn lesson_entry(lesson: &Rc<Lesson>, lang: Lang) -> Entry {
    let idea = cards::words(&lesson.idea, lang);
    Entry {
        what: What::Lesson(lesson.clone()),
        title: cards::words(&lesson.title, lang),
        promise: fill(page(lang).lesson_minutes, &[&idea, &lesson.minutes]),
        small: None,
        place: None,
        // what a lesson shows is not to be seen before it asks
        pictures: Vec::new(),
        parts: Vec::new(),
    }
}

fn scenario_entry(scenario: &'static Scenario, lang: Lang) -> Entry {
    let (title, promise) = words(lang, scenario.id);
    let chapters = scenario.scene().map_or(0, |scene| scene.chapters.len());
    Entry {
        what: What::Scenario(scenario.id),
        title: title.to_string(),
        promise: promise.to_string(),
        small: Some(fill(page(lang).gallery_chapters, &[&chapters])),
        place: SCENARIOS.iter().position(|one| one.id == scenario.id).map(|at| at + 1),
        pictures: vec![Subject::Scenario(scenario.id)],
        parts: Vec::new(),
    }
}

fn pair_entry(left: &'static Scenario, right: &'static Scenario, lang: Lang) -> Entry {
    Entry {
        what: What::Pair(left.id, right.id),
        title: fill(page(lang).gallery_both, &[&words(lang, left.id).0, &words(lang, right.id).0]),
        promise: promise_of_pair(left.id, lang).to_string(),
        small: None,
        place: None,
        pictures: vec![Subject::Scenario(left.id), Subject::Scenario(right.id)],
        parts: Vec::new(),
    }
}

/// What a search finds a rule by: its name, and its words in every language.
fn rule_known_by(rule: Rule) -> String {
    let mut text = rule.name().to_string();
    for lang in Lang::ALL {
        let [title, about] = [rule_title(lang, rule), rule_about(lang, rule)];
        text.push_str(&format!(" {title} {about} {}", rules_title(rule, lang)));
    }
    text
}

/// What the section of a rule is called.
fn rules_title(rule: Rule, lang: Lang) -> String {
    fill(page(lang).gallery_rules, &[&rules_of(lang, rule)])
}

fn rule_entry(rule: Rule, lang: Lang) -> Entry {
    let comes_to = |goal: &Goal| {
        let words = page(lang);
        let template = match goal {
            Goal::Violated(_) => words.rule_falls,
            // a pattern of facts tells nobody what it means
            Goal::Facts { .. } => return None,
            _ => words.rule_leads_to,
        };
        Some(fill(template, &[&goal_words(lang, goal)]))
    };
    let falls = prepared(rule).and_then(|one| comes_to(&one.goal));
    Entry {
        what: What::Rule(rule),
        title: rule_title(lang, rule).to_string(),
        promise: rule_about(lang, rule).to_string(),
        small: falls,
        place: None,
        pictures: vec![Subject::Rule(rule)],
        parts: Vec::new(),
    }
}

fn wing_title(words: &Page, wing: Wing) -> &'static str {
    match wing {
        Wing::NewLeader => words.wing_newleader,
        Wing::Logs => words.wing_logs,
        Wing::Elections => words.wing_elections,
        Wing::Service => words.wing_service,
        Wing::Recipes => words.wing_recipes,
    }
}

/// What a search finds a bug by: its id, its releases, its words in every language.
fn bug_known_by(bug: &Bug) -> String {
    let mut text = format!("{} {} {} {}", bug.id, bug.year, bug.since, bug.fixed);
    for lang in Lang::ALL {
        let [title, story] = [&bug.title, &bug.story].map(|text| cards::words(text, lang));
        let section = fill(page(lang).gallery_bugs, &[&wing_title(page(lang), bug.wing)]);
        text.push_str(&format!(" {title} {story} {section}"));
    }
    text
}

fn bug_entry(bug: &Rc<Bug>, lang: Lang) -> Entry {
    let story = cards::words(&bug.story, lang);
    Entry {
        what: What::Bug(bug.clone()),
        title: bug_title(bug, lang),
        // the whole of it stands beside the run
        promise: first_sentence(&story).to_string(),
        small: Some(format!("{} · {}", bug.year, mended(bug, lang))),
        place: None,
        pictures: vec![match bug.shows {
            Shows::Rule(rule) => Subject::Rule(rule),
            Shows::Runs { .. } => {
                Subject::Bug(BUGS.iter().map(|(id, _)| *id).find(|id| **id == *bug.id).unwrap_or(""))
            }
        }],
        parts: Vec::new(),
    }
}

/// The sections of the gallery with what a question finds; sections without a card are left out. Runs that were left are few, and
/// always there.
pub(super) fn sections(engine: &Engine, question: &str, lang: Lang) -> Vec<Section> {
    let own = page(lang);
    let left = engine.left().iter().map(|run| left_entry(run, lang)).collect();
    let mut sections = vec![Section { title: own.gallery_left.to_string(), entries: left }];
    let found = cards::courses();
    let found = found.iter().filter(|one| finds(question, &course_known_by(one)));
    let entries = found.map(|one| course_entry(one, lang)).collect();
    sections.push(Section { title: own.course_section.to_string(), entries });
    let lessons = cards::lessons();
    for group in Group::ALL {
        let found = lessons.iter().filter(|one| one.group() == group && finds(question, &lesson_known_by(one)));
        let entries = found.map(|one| lesson_entry(one, lang)).collect();
        sections.push(Section { title: fill(own.lesson_section, &[&group_title(own, group)]), entries });
    }
    for group in Group::ALL {
        let found = SCENARIOS.iter().filter(|one| one.group() == group && finds(question, &known_by(one)));
        let entries = found.map(|one| scenario_entry(one, lang)).collect();
        sections.push(Section { title: group_title(own, group).to_string(), entries });
    }
    let pair_known = |left, right| {
        let promises: Vec<&str> = Lang::ALL.iter().map(|&lang| promise_of_pair(scenario_id(left), lang)).collect();
        format!("{} {} {}", known_by(left), known_by(right), promises.join(" "))
    };
    let found = pairs().filter(|(left, right)| finds(question, &pair_known(left, right)));
    let entries = found.map(|(left, right)| pair_entry(left, right, lang)).collect();
    sections.push(Section { title: own.gallery_pairs.to_string(), entries });
    // without its own run a rule cannot be shown
    let shown = |rule: &Rule| are_there() && finds(question, &rule_known_by(*rule));
    let found: Vec<Rule> = Rule::all().filter(shown).collect();
    for of_one in found.chunk_by(|one, other| rules_of(lang, *one) == rules_of(lang, *other)) {
        let entries = of_one.iter().map(|rule| rule_entry(*rule, lang)).collect();
        sections.push(Section { title: rules_title(of_one[0], lang), entries });
    }
    for wing in Wing::all() {
        let known = bugs();
        let found = known.iter().filter(|bug| bug.wing == wing && finds(question, &bug_known_by(bug)));
        let entries = found.map(|bug| bug_entry(bug, lang)).collect();
        sections.push(Section { title: fill(own.gallery_bugs, &[&wing_title(own, wing)]), entries });
    }
    sections.retain(|section| !section.entries.is_empty());
    sections
}

fn scenario_id(scenario: &Scenario) -> &'static str {
    scenario.id
}

/// How many scenarios a question finds.
pub(super) fn count(question: &str) -> usize {
    SCENARIOS.iter().filter(|one| finds(question, &known_by(one))).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a question finds.
    fn found(question: &str) -> Vec<String> {
        let sections = sections(&Engine::new(), question, Lang::En);
        sections.iter().flat_map(|section| &section.entries).map(Entry::key).collect()
    }

    #[test]
    fn a_search_finds_words_in_every_language() {
        let herd = found("WAKES herd");
        assert!(herd.contains(&"lock-herd".into()) && herd.len() < 8, "{herd:?}");
        for lang in Lang::ALL {
            let observer = found(words(lang, "observer").0);
            assert!(observer.contains(&"observer".into()), "{observer:?}");
        }
        assert_eq!(found("TRUNC").first().map(String::as_str), Some("rejoin-trunc"));
        assert_eq!(found("no such thing at all"), [""; 0]);
        assert!(found("").len() > SCENARIOS.len());
    }
}
