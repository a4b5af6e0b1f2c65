//! Witnesses in YAML, formats 2.0 to 2.2.
//!
//! Waypoints to avoid and branches are not used: the search then allows more than the witness does.

use super::{Witness, specified};
use crate::validate::guided::expression::conditions;
use crate::validate::guided::{Guide, GuideStep, GuideTarget, StepGoal};
use crate::witness::format::{Entry, Waypoint, WaypointAction, WaypointKind};
use crate::witness::places::Line;
use ir::types::Machine;

pub fn read(text: &str) -> Result<Witness, String> {
    let entries: Vec<Entry> = serde_yaml_ng::from_str(text).map_err(|e| e.to_string())?;
    let entry = entries.iter().find(|e| e.entry_type == "violation_sequence");
    let entry = entry.ok_or("it is no violation witness")?;
    let task = &entry.metadata.task;
    let (property, start) = specified(&task.specification)?;
    let mut guide = Guide::default();
    let mut ignored = 0;
    for part in &entry.content {
        for stop in part.segment.iter().flatten() {
            match (stop.waypoint.kind, stop.waypoint.action) {
                (WaypointKind::Target, WaypointAction::Follow) => {
                    guide.targets.push(target(&stop.waypoint, &task.input_files))
                }
                (WaypointKind::Branching, _) | (_, WaypointAction::Avoid) => ignored += 1,
                _ => guide.steps.push(step(&stop.waypoint, &task.input_files, &mut ignored)),
            }
        }
    }
    let machine = match task.data_model.as_deref() {
        Some("ILP32") => Some(Machine::Ilp32),
        Some("LP64") => Some(Machine::Lp64),
        _ => None,
    };
    let hashes = task.input_file_hashes.values().cloned().collect();
    let whole = true;
    Ok(Witness { property, entry: start, hashes, machine, guide, ignored, whole })
}

/// The file is one of the task's by its name, whatever the folder.
fn line(waypoint: &Waypoint, files: &[String]) -> Option<Line> {
    let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_string();
    let name = last(&waypoint.location.file_name);
    let file = files.iter().position(|f| last(f) == name);
    let file = if name.is_empty() || files.is_empty() { Some(0) } else { file };
    Some(Line { file: file?, number: waypoint.location.line })
}

fn target(waypoint: &Waypoint, files: &[String]) -> GuideTarget {
    GuideTarget { thread: waypoint.thread_id.map(|t| t as usize), line: line(waypoint, files) }
}

fn step(waypoint: &Waypoint, files: &[String], ignored: &mut usize) -> GuideStep {
    let what = match waypoint.kind {
        WaypointKind::FunctionEnter => StepGoal::Call,
        WaypointKind::FunctionReturn => StepGoal::Result(None),
        _ => StepGoal::Any,
    };
    let mut understood = Vec::new();
    for condition in waypoint.constraint.iter().flat_map(|c| conditions(&c.value)) {
        match condition {
            Some(condition) => understood.push(condition),
            None => *ignored += 1,
        }
    }
    GuideStep {
        thread: waypoint.thread_id.map(|t| t as usize),
        line: line(waypoint, files),
        what,
        conditions: understood,
        scope: waypoint.location.function.clone().unwrap_or_default(),
        count: None,
    }
}
