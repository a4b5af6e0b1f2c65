//! Witnesses in YAML: violations in format 2.2, correctness in format 2.1.
//!
//! A waypoint stands before a statement or at a call, so the story is told more coarsely than in
//! GraphML: threads that start, inputs, and at which statements turns of threads begin and end, with
//! what was written to shared variables until then. Turns within a statement cannot be told.

use super::story::{Fact, Story, StoryEvent, StoryMove, StoryPlace};
use super::{LocatedInvariant, WitnessTask};
use crate::witness::format::{
    Constraint, Entry, InvariantEntry, Metadata, Producer, Waypoint, WaypointAction, WaypointKind,
    WitnessLocation, WitnessPart, WitnessStop,
};
use crate::witness::hash;
use crate::witness::places::Places;

pub fn violation(task: &WitnessTask, story: &Story, places: &Places) -> String {
    let mut way = WrittenWaypoints {
        places,
        parts: Vec::new(),
        last: Vec::new(),
        news: Vec::new(),
        at: None,
    };
    let mut told = vec![false; story.moves.len()];
    for (i, step) in story.moves.iter().enumerate() {
        let turn =
            i.checked_sub(1).is_none_or(|before| !is_same_thread(step, &story.moves[before]));
        way.tell(step, turn && !told[i]);
        if is_turn_over(&story.moves, i) {
            way.stop();
        }
        if let Some(next) = next_turn(&story.moves, i) {
            told[next] = way.leave(&story.moves[next].spot);
        }
    }
    let targets = story.rival.iter().chain([&story.target]);
    let targets = targets.filter_map(|spot| way.waypoint(WaypointKind::Target, spot, None));
    let segment = Some(targets.map(|waypoint| WitnessStop { waypoint }).collect());
    way.parts.push(WitnessPart { segment, invariant: None });
    render(task, "violation_sequence", "2.2", way.parts)
}

fn is_same_thread(a: &StoryMove, b: &StoryMove) -> bool {
    a.spot.thread == b.spot.thread
}

/// Is a move the last of its thread before another thread acts, or before the end?
fn is_turn_over(moves: &[StoryMove], i: usize) -> bool {
    moves.get(i + 1).is_none_or(|next| !is_same_thread(next, &moves[i]))
}

/// Where the thread of a move goes on, if others have a turn first.
fn next_turn(moves: &[StoryMove], i: usize) -> Option<usize> {
    let next = || (i + 1..moves.len()).find(|&j| is_same_thread(&moves[j], &moves[i]));
    is_turn_over(moves, i).then(next).flatten().filter(|&j| !moves[j].atomic)
}

/// Each holds whenever a thread is there.
pub fn correctness(task: &WitnessTask, told: &[LocatedInvariant], places: &Places) -> String {
    let parts = told.iter().map(|(line, function, value)| {
        let invariant = Some(InvariantEntry {
            kind: "location_invariant".into(),
            location: location(places.file_name(*line), line.number, function),
            value: value.clone(),
            format: "c_expression".into(),
        });
        WitnessPart { segment: None, invariant }
    });
    render(task, "invariant_set", "2.1", parts.collect())
}

fn render(task: &WitnessTask, kind: &str, version: &str, content: Vec<WitnessPart>) -> String {
    let files = task.files.iter();
    let mut entry = Entry {
        entry_type: kind.into(),
        metadata: Metadata {
            format_version: version.into(),
            uuid: String::new(),
            creation_time: task.created.clone(),
            producer: Producer { name: "obmc".into(), version: env!("CARGO_PKG_VERSION").into() },
            task: crate::witness::format::TaskEntry {
                input_files: files.clone().map(|(name, _)| name.clone()).collect(),
                input_file_hashes: files.cloned().collect(),
                specification: task.specification.clone(),
                data_model: Some(task.data_model().into()),
                language: Some("C".into()),
            },
        },
        content,
    };
    // The same content gives the same name.
    entry.metadata.uuid = uuid(&to_text(&entry));
    to_text(&entry)
}

fn to_text(entry: &Entry) -> String {
    let text = serde_yaml_ng::to_string(&[entry]).unwrap_or_default();
    // Without quotes, many would read a date where the format has a string.
    let time = &entry.metadata.creation_time;
    text.replacen(&format!("creation_time: {time}\n"), &format!("creation_time: '{time}'\n"), 1)
}

/// The shape of RFC 4122's version 5 (a name's hash), with SHA-256.
fn uuid(text: &str) -> String {
    let h = hash(text.as_bytes());
    format!("{}-{}-5{}-a{}-{}", &h[..8], &h[8..12], &h[13..16], &h[17..20], &h[20..32])
}

fn location(file: &str, line: u32, function: &str) -> WitnessLocation {
    let function = (!function.is_empty()).then(|| function.to_string());
    WitnessLocation { file_name: file.into(), line, column: None, function }
}

/// The waypoints so far.
struct WrittenWaypoints<'a> {
    places: &'a Places,
    parts: Vec<WitnessPart>,
    /// Where each thread was last: line and function.
    last: Vec<(u32, StoryPlace)>,
    /// What was written to shared variables since the last waypoint that says so.
    news: Vec<Fact>,
    /// The last statement that the running thread has begun without a waypoint, and what it found.
    at: Option<(StoryPlace, Vec<Fact>)>,
}

impl WrittenWaypoints<'_> {
    fn tell(&mut self, step: &StoryMove, turn: bool) {
        let new = self.is_new_statement(&step.spot);
        if new {
            self.at = None;
        }
        match &step.what {
            StoryEvent::Create { .. } => self.follow(WaypointKind::FunctionEnter, &step.spot, None),
            StoryEvent::Input { value, .. } => {
                let value = format!("\\result == {value}");
                let constraint = Constraint { value, format: Some("acsl_expression".into()) };
                self.follow(WaypointKind::FunctionReturn, &step.spot, Some(constraint));
            }
            _ if turn && new => self.stand(&step.spot),
            _ if new => self.at = Some((step.spot.clone(), self.news.clone())),
            _ => {}
        }
        self.note(step);
    }

    /// A thread's turn is over: how far it has come since its last waypoint.
    fn stop(&mut self) {
        let Some((spot, found)) = self.at.take() else { return };
        let after = std::mem::replace(&mut self.news, found.clone());
        self.stand(&spot);
        self.news.extend(after.into_iter().filter(|fact| !found.contains(fact)));
    }

    /// A thread's turn is over, between two statements: it waits at the next one.
    fn leave(&mut self, next: &StoryPlace) -> bool {
        let between = self.is_new_statement(next);
        if between {
            self.stand(next);
        }
        between
    }

    /// A thread is at a statement, and this is what it finds.
    fn stand(&mut self, spot: &StoryPlace) {
        let facts = self.news.drain(..).map(|f| format!("{} == {}", f.place, f.value));
        let facts: Vec<String> = facts.collect();
        let value = if facts.is_empty() { "1".into() } else { facts.join(" && ") };
        let constraint = Constraint { value, format: Some("c_expression".into()) };
        self.follow(WaypointKind::Assumption, spot, Some(constraint));
    }

    /// Within a statement that a thread has begun there is no place for a waypoint.
    fn is_new_statement(&self, spot: &StoryPlace) -> bool {
        let last = self.last.iter().find(|(thread, _)| *thread == spot.thread);
        last.is_none_or(|(_, s)| (s.line, &s.function) != (spot.line, &spot.function))
    }

    fn note(&mut self, step: &StoryMove) {
        self.last.retain(|(thread, _)| *thread != step.spot.thread);
        self.last.push((step.spot.thread, step.spot.clone()));
        step.renew(&mut self.news);
        self.news.retain(|fact| fact.global);
    }

    fn follow(&mut self, kind: WaypointKind, spot: &StoryPlace, constraint: Option<Constraint>) {
        if let Some(waypoint) = self.waypoint(kind, spot, constraint) {
            self.parts.push(WitnessPart {
                segment: Some(vec![WitnessStop { waypoint }]),
                invariant: None,
            });
        }
    }

    fn waypoint(
        &self,
        kind: WaypointKind,
        spot: &StoryPlace,
        constraint: Option<Constraint>,
    ) -> Option<Waypoint> {
        let line = spot.line?;
        let location = location(self.places.file_name(line), line.number, &spot.function);
        let thread_id = Some(spot.thread);
        Some(Waypoint { kind, action: WaypointAction::Follow, thread_id, constraint, location })
    }
}
