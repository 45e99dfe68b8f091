//! One simulated play of a recording: its deeds, done to a cluster, and what came of them in the recording's words.

use serde_json::{Map, Value};
use std::collections::BTreeMap;

use super::deeds::Deed;
use super::lines::{self, Names};
use super::recording::{Recording, Stage};
use super::scene::{Scene, Seen};
use crate::base::{Prng, ServerId, ServerSet, SimTime, Stream};
use crate::rivals::generation::{Answer, Fact};
use crate::sim::Action;

/// The key that is written.
const KEY: &str = "key";
const OLD: &str = "old";
const NEW: &str = "new";
/// What the leader that is cut off is asked to write.
const NEVER: &str = "never";

/// What came of a play.
pub(super) struct Play {
    /// Its numbers and words, by field.
    pub fields: Map<String, Value>,
    /// What each stage came to, line by line, with the names that servers have here.
    pub stages: Vec<BTreeMap<String, Vec<String>>>,
    pub names: Names,
}

/// A play under way.
struct Playing<'a> {
    recording: &'a Recording,
    scene: Scene,
    names: Names,
    /// Leader and term at the beginning.
    first: (ServerId, u64),
    /// Leader and term now, among those that can be reached.
    leader: (ServerId, u64),
    /// When the leader was taken away or a server cut off, and from which fact on that counts.
    since: Option<(SimTime, usize)>,
    /// Who is cut off.
    cut: Option<ServerId>,
    /// From which fact on logs have not been told.
    untold: usize,
    /// Who missed writes.
    behind: Option<ServerId>,
    fields: Map<String, Value>,
}

/// How an answer is called.
fn word(answer: Option<Answer>) -> String {
    match answer {
        Some(Answer::Done { .. }) => "ok".into(),
        Some(Answer::Value { value }) => value.as_deref().unwrap_or("none").into(),
        Some(Answer::NotLeader { .. }) | None => "no answer".into(),
    }
}

impl Play {
    /// Plays a recording.
    pub(super) fn of(recording: &Recording, seed: u64) -> Result<Play, String> {
        let mut scene = Scene::new(&recording.settings, seed)?;
        let first = scene.settle()?;
        let names = Names::new(recording, first);
        if scene.ask(first.0, &format!("put {KEY} {OLD}"))?.is_none() {
            return Err("the first write has no answer".into());
        }
        // nobody there knew where between two ticks they were
        let phase = Prng::new(seed, Stream::Faults).between(0, recording.settings.heartbeat_ms);
        scene.pass(recording.settings.election_ms + phase);
        let (since, cut, behind, fields) = (None, None, None, Map::new());
        let untold = scene.seen.len();
        let mut playing =
            Playing { recording, scene, names, first, leader: first, since, cut, untold, behind, fields };
        let mut stages = Vec::new();
        for stage in &recording.stages {
            stages.push(playing.stage(stage)?);
        }
        Ok(Play { fields: playing.fields, stages, names: playing.names })
    }
}

impl Playing<'_> {
    fn set(&mut self, field: &str, value: impl Into<Value>) {
        self.fields.insert(field.into(), value.into());
    }

    fn stage(&mut self, stage: &Stage) -> Result<BTreeMap<String, Vec<String>>, String> {
        let mut told = BTreeMap::new();
        let mut roles = stage.sentence.leader.map(|_| format!("leader {}", self.leader.0));
        let mut doing = Vec::new();
        let mut rests = true;
        for deed in &stage.sentence.deeds {
            rests = !matches!(deed, Deed::CutOff(_, Some(_)) | Deed::Writes(..));
            doing.extend(self.act(deed)?);
        }
        if rests {
            self.come_to_rest()?;
        }
        doing.extend(roles.take());
        told.insert("did".into(), doing);
        if stage.leader.is_some() {
            told.insert("leader".into(), vec![self.leader.0.to_string()]);
        }
        if stage.term.is_some() {
            told.insert("term".into(), vec![self.names.term(self.leader.1)]);
        }
        if stage.value_at_old_leader.is_some() {
            let value = self.fields.get("valueAfterHealing").and_then(Value::as_str).unwrap_or_default();
            told.insert("valueAtOldLeader".into(), vec![value.into()]);
        }
        for id in self.names.ids() {
            let seen = self.scene.seen.iter().skip(self.untold);
            told.insert(format!("log {id}"), lines::of(seen, id, &self.names));
        }
        if !stage.log.is_empty() {
            self.untold = self.scene.seen.len();
        }
        Ok(told)
    }

    /// Waits as long as a disturbance may take to come, then until all follow one leader; tells what has come of it.
    fn come_to_rest(&mut self) -> Result<(), String> {
        self.scene.pass(3 * self.recording.settings.election_ms);
        self.leader = self.scene.settle()?;
        let (old, term) = self.first;
        self.set("termAtTheEndRose", self.leader.1.saturating_sub(term));
        self.set("termRoseByHealing", self.leader.1.saturating_sub(term));
        self.set("leaderDeposed", self.leader.1 != term);
        let (leader, now) = self.scene.follows(old);
        self.set("oldLeaderFollows", leader == Some(self.leader.0) && leader != Some(old) && now == self.leader.1);
        if let Some((since, from)) = self.since.filter(|_| !self.fields.contains_key("termRose")) {
            self.count(since, from)?;
        }
        Ok(())
    }

    /// What the election cost that followed.
    fn count(&mut self, since: SimTime, from: usize) -> Result<(), String> {
        let (leader, term) = self.leader;
        let is_it =
            |seen: &&Seen| seen.by == leader && matches!(seen.fact, Fact::Leads { term: its, .. } if its == term);
        let led = self.scene.seen.iter().skip(from).find(is_it).map_or(since, |seen| seen.at);
        let mut numbers = [0u64; 5];
        for seen in self.scene.seen.iter().skip(from) {
            match &seen.fact {
                Fact::Candidate { pre: true, .. } => numbers[1] += 1,
                Fact::Candidate { asked, .. } => {
                    (numbers[0], numbers[4]) = (numbers[0] + 1, numbers[4] + asked.len() as u64);
                }
                Fact::Granted { pre: false, .. } => numbers[2] += 1,
                Fact::Refused { pre: false, .. } => numbers[3] += 1,
                _ => {}
            }
        }
        let counted = ["candidacies", "preCandidacies", "votesCast", "votesRejected", "voteRequestsSent"];
        for (field, number) in counted.into_iter().zip(numbers) {
            self.set(field, number);
        }
        self.set("termRose", term.saturating_sub(self.first.1));
        self.set("newLeaderAfterMs", led.since(since) / 1_000);
        let winner = if self.behind == Some(leader) { "the one behind" } else { "the one up to date" };
        self.set("winner", winner);
        let kept = word(self.scene.ask(leader, &format!("get {KEY}"))?);
        self.set("acknowledgedWriteKept", kept == OLD || kept == NEW);
        Ok(())
    }

    /// Does a deed; what it came to, where the sentence says that.
    fn act(&mut self, deed: &Deed) -> Result<Option<String>, String> {
        match deed {
            Deed::Kill(it) => self.kill(self.names.id(*it)),
            Deed::Start(it) => {
                let server = self.names.id(*it);
                self.scene.away(server, false);
                self.scene.act(Action::Restart { server });
            }
            Deed::Pause(it) => {
                let server = self.names.id(*it);
                self.take_away(server);
                self.scene.act(Action::Pause { server });
            }
            Deed::GoOn(it) => {
                let server = self.names.id(*it);
                self.scene.away(server, false);
                self.scene.act(Action::Resume { server });
            }
            Deed::CutOff(it, ms) => self.cut_off(self.names.id(*it), *ms),
            Deed::Heal => return self.heal().map(|()| None),
            Deed::Writes(count, it) => {
                let server = self.names.id(*it);
                for n in 1..=*count {
                    self.scene.ask(server, &format!("put other {n}"))?;
                }
                let out = self.recording.stages.iter().flat_map(|stage| &stage.sentence.deeds);
                let killed = out.filter_map(|deed| if let Deed::Kill(it) = deed { Some(*it) } else { None }).next();
                self.behind = killed.map(|it| self.names.id(it));
            }
            Deed::WriteAtIt(_) => {
                let answer = word(self.scene.ask(self.cut.unwrap_or(self.first.0), &format!("put {KEY} {NEVER}"))?);
                self.set("writeAtTheCutOffLeader", answer.as_str());
                return Ok(Some(format!("write at it: {answer}")));
            }
            Deed::Leads(..) => {
                self.leader = self.scene.settle()?;
                let (leader, term) = self.leader;
                return Ok(Some(format!("{leader} leads term {}", self.names.term(term))));
            }
            Deed::WriteThere(_) => {
                let answer = word(self.scene.ask(self.leader.0, &format!("put {KEY} {NEW}"))?);
                self.set("writeAtTheNewLeader", answer.as_str());
                self.read_at_the_old()?;
                return Ok(Some(format!("write there: {answer}")));
            }
        }
        Ok(None)
    }

    /// From now on it counts what becomes of the leadership.
    fn take_away(&mut self, server: ServerId) {
        if server == self.leader.0 {
            self.since = Some((self.scene.now(), self.scene.seen.len()));
        }
        self.scene.away(server, true);
    }

    fn kill(&mut self, server: ServerId) {
        self.take_away(server);
        self.scene.act(Action::Kill { server });
    }

    fn others(&self, than: ServerId) -> ServerSet {
        (1..=self.recording.settings.servers).map(|n| self.names.id(n)).filter(|id| *id != than).collect()
    }

    fn cut_off(&mut self, server: ServerId, ms: Option<u64>) {
        let from = self.scene.seen.len();
        self.take_away(server);
        self.cut = Some(server);
        let to = self.others(server);
        self.scene.act(Action::Cut { from: [server].into_iter().collect(), to, one_way: false });
        let Some(ms) = ms else { return };
        self.scene.pass(ms);
        let asks = |wanted: bool| {
            let seen = self.scene.seen.iter().skip(from).filter(|seen| seen.by == server);
            seen.filter(|seen| matches!(seen.fact, Fact::Candidate { pre, .. } if pre == wanted)).count()
        };
        let (plain, pre) = (asks(false), asks(true));
        self.set("candidaciesWhileCutOff", plain);
        self.set("preCandidaciesWhileCutOff", pre);
    }

    fn heal(&mut self) -> Result<(), String> {
        self.scene.act(Action::HealAll);
        let Some(server) = self.cut.take() else { return Ok(()) };
        self.scene.away(server, false);
        self.come_to_rest()?;
        let value = word(self.scene.ask(self.first.0, &format!("get {KEY} --consistency=s"))?);
        self.set("valueAfterHealing", value);
        Ok(())
    }

    fn read_at_the_old(&mut self) -> Result<(), String> {
        let Some(cut) = self.cut else { return Ok(()) };
        let local = word(self.scene.ask(cut, &format!("get {KEY} --consistency=s"))?);
        self.set("localReadAtTheCutOffLeader", local);
        let sure = word(self.scene.ask(cut, &format!("get {KEY}"))?);
        self.set("linearizableReadAtTheCutOffLeader", sure);
        Ok(())
    }
}
