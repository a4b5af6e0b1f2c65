//! What was found, in words and as JSON.

use serde::Serialize;
use std::fmt::Write;

/// One change.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct ReportedChange {
    pub file: String,
    /// Of the text as it was.
    pub line: u32,
    /// As in `memory_order_seq_cst`.
    pub order: &'static str,
    /// A new fence before the line; else a stronger order in it.
    pub fence: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Result {
    /// The program is safe as it is.
    Already {
        bounded: bool,
    },
    Changes {
        /// What the program violates as it is.
        message: String,
        changes: Vec<ReportedChange>,
        diff: String,
        bounded: bool,
        /// Without any one of them it is unsafe again.
        irreducible: bool,
        checks: usize,
    },
    /// It is unsafe with all changes.
    Impossible {
        message: String,
    },
    Unknown(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FencesReport {
    model: String,
    result: Result,
}

#[derive(Serialize)]
struct FencesDocument<'a> {
    schema: &'static str,
    model: &'a str,
    /// `safe`, `changes`, `impossible` or `unknown`.
    answer: &'static str,
    /// Loops were cut off.
    bounded: bool,
    reason: Option<&'a str>,
    changes: &'a [ReportedChange],
    irreducible: bool,
    diff: Option<&'a str>,
    exit_code: u8,
}

impl FencesReport {
    pub fn new(model: &str, result: Result) -> FencesReport {
        FencesReport { model: model.into(), result }
    }

    /// No engine was asked.
    pub fn nothing() -> FencesReport {
        FencesReport::new("", Result::Unknown("no memory model".into()))
    }

    pub fn exit_code(&self) -> u8 {
        match &self.result {
            Result::Already { .. } | Result::Changes { .. } => 0,
            Result::Impossible { .. } => 10,
            Result::Unknown(why) if why.contains("limit") => 7,
            Result::Unknown(_) => 5,
        }
    }

    pub fn text(&self) -> String {
        let model = &self.model;
        let up_to = |bounded: bool| if bounded { " up to the bounds of its loops" } else { "" };
        let mut text = String::new();
        let _ = match &self.result {
            Result::Already { bounded } => {
                writeln!(
                    text,
                    "The program is safe under {model}{}; nothing to do.",
                    up_to(*bounded)
                )
            }
            Result::Changes { message, changes, diff, bounded, irreducible, .. } => {
                let count = match changes.len() {
                    1 => "1 change makes".to_string(),
                    n => format!("{n} changes make"),
                };
                let end = up_to(*bounded);
                let _ = writeln!(text, "UNSAFE: {message}");
                let _ = writeln!(
                    text,
                    "{count} the program safe under {model}{end} (checked):\n\n{diff}"
                );
                match irreducible {
                    true => writeln!(text, "Without any one of them it is UNSAFE (checked)."),
                    false => writeln!(text, "Fewer may be enough: not all of that was checked."),
                }
            }
            Result::Impossible { message } => writeln!(
                text,
                "UNSAFE: {message}\nNo stronger order in a call and no fence between statements makes the program\nsafe under {model}; orders in macros were left alone."
            ),
            Result::Unknown(why) => writeln!(text, "UNKNOWN: {why}"),
        };
        text
    }

    pub fn json(&self) -> String {
        let mut document = FencesDocument {
            schema: "obmc-fences-1",
            model: &self.model,
            answer: "safe",
            bounded: false,
            reason: None,
            changes: &[],
            irreducible: false,
            diff: None,
            exit_code: self.exit_code(),
        };
        match &self.result {
            Result::Already { bounded } => document.bounded = *bounded,
            Result::Changes { message, changes, diff, bounded, irreducible, .. } => {
                document.answer = "changes";
                document.reason = Some(message);
                (document.changes, document.diff) = (changes, Some(diff.as_str()));
                (document.bounded, document.irreducible) = (*bounded, *irreducible);
            }
            Result::Impossible { message } => {
                (document.answer, document.reason) = ("impossible", Some(message.as_str()));
            }
            Result::Unknown(why) => {
                (document.answer, document.reason) = ("unknown", Some(why.as_str()))
            }
        }
        serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
    }
}
