//! Witnesses in YAML: format 2.2 for violations, 2.1 for correctness, as plain data.
//!
//! A file is a list of entries. A violation is a list of segments; each ends with a waypoint that
//! an execution must follow. Format 2.2 adds the thread: 0 is the first one, k the k-th that a
//! followed `function_enter` of a thread-creating call has made. The two accesses of a data race are
//! two targets in the last segment.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Entry {
    pub entry_type: String,
    pub metadata: Metadata,
    #[serde(default)]
    pub content: Vec<WitnessPart>,
}

#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Metadata {
    pub format_version: String,
    #[serde(default)]
    pub uuid: String,
    #[serde(default)]
    pub creation_time: String,
    pub producer: Producer,
    pub task: TaskEntry,
}

#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Producer {
    pub name: String,
    #[serde(default)]
    pub version: String,
}

#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct TaskEntry {
    #[serde(default)]
    pub input_files: Vec<String>,
    #[serde(default)]
    pub input_file_hashes: BTreeMap<String, String>,
    pub specification: String,
    #[serde(default)]
    pub data_model: Option<String>,
    #[serde(default)]
    pub language: Option<String>,
}

/// A segment of a violation, or an invariant.
#[derive(Clone, Default, Serialize, Deserialize, Debug)]
pub struct WitnessPart {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment: Option<Vec<WitnessStop>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant: Option<InvariantEntry>,
}

#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct WitnessStop {
    pub waypoint: Waypoint,
}

#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Waypoint {
    #[serde(rename = "type")]
    pub kind: WaypointKind,
    pub action: WaypointAction,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<Constraint>,
    pub location: WitnessLocation,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum WaypointKind {
    Assumption,
    Target,
    FunctionEnter,
    FunctionReturn,
    Branching,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum WaypointAction {
    Follow,
    Avoid,
}

#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct Constraint {
    #[serde(deserialize_with = "word")]
    pub value: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct WitnessLocation {
    #[serde(default)]
    pub file_name: String,
    pub line: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct InvariantEntry {
    #[serde(rename = "type")]
    pub kind: String,
    pub location: WitnessLocation,
    #[serde(deserialize_with = "word")]
    pub value: String,
    #[serde(default)]
    pub format: String,
}

/// `value: 1` and `value: true` are written without quotes by some.
fn word<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum YamlScalar {
        Text(String),
        Number(i64),
        Truth(bool),
    }
    Ok(match YamlScalar::deserialize(from)? {
        YamlScalar::Text(text) => text,
        YamlScalar::Number(number) => number.to_string(),
        YamlScalar::Truth(truth) => truth.to_string(),
    })
}
