//! One task's result, and whether it is right.

use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A line of `results.jsonl`.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct ResultRow {
    pub name: String,
    pub files: Vec<PathBuf>,
    pub property: String,
    /// The words after `obmc`: who asks the same again has the answer.
    pub command: Vec<String>,
    pub wanted: Vec<String>,
    /// The text after `obmc verdict: `, or what happened instead.
    pub verdict: String,
    pub class: ResultClass,
    /// None after a signal.
    pub exit_code: Option<i32>,
    /// Of the check and its preprocessor, user and system.
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    pub peak_memory_bytes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum ResultClass {
    /// As wanted.
    Correct,
    /// The opposite of what was wanted.
    Wrong,
    /// An answer, but the right one is not given.
    Unchecked,
    /// No answer: a limit, a bound, C that is not modelled.
    Unknown,
    /// The program was not read, or obmc broke.
    Error,
}

impl ResultClass {
    pub const ALL: [ResultClass; 5] = [
        ResultClass::Correct,
        ResultClass::Wrong,
        ResultClass::Unchecked,
        ResultClass::Unknown,
        ResultClass::Error,
    ];

    pub fn name(self) -> &'static str {
        match self {
            ResultClass::Correct => "correct",
            ResultClass::Wrong => "wrong",
            ResultClass::Unchecked => "unchecked",
            ResultClass::Unknown => "unknown",
            ResultClass::Error => "error",
        }
    }
}

impl ResultRow {
    /// The same result under the expectation of today.
    pub fn judged(self, name: &str, wanted: &[String]) -> ResultRow {
        let bounded = self.command.iter().any(|w| w.starts_with("--unwind"));
        let class = class(&self.verdict, wanted, bounded);
        ResultRow { name: name.into(), wanted: wanted.into(), class, ..self }
    }

    pub fn solved(&self) -> bool {
        matches!(self.class, ResultClass::Correct | ResultClass::Unchecked)
    }

    /// The child ended otherwise than a check may end.
    pub fn broken(&self) -> bool {
        !matches!(self.exit_code, Some(0 | 1 | 2 | 5 | 7 | 10))
    }
}

/// `bounded`: a bound was asked for, so that safety up to it is an answer.
pub fn class(verdict: &str, wanted: &[String], bounded: bool) -> ResultClass {
    let any = |test: &dyn Fn(&str) -> bool| wanted.iter().any(|w| test(w));
    let holds = |w: &str| w == "true" || w == "bounded";
    let violated = |w: &str| w.starts_with("false");
    let settles = any(&holds) || any(&violated);
    if verdict == "true" {
        return judge(settles, any(&holds));
    }
    if violated(verdict) {
        return judge(settles, any(&|w| w == verdict || w == "false"));
    }
    match verdict.strip_prefix("unknown (") {
        Some(why) if why.starts_with("bounded") => {
            let enough = any(&|w| w == "bounded") || bounded;
            match enough {
                // A violation may be beyond the bound.
                true if settles && !any(&holds) => ResultClass::Unknown,
                true => judge(settles, true),
                false => ResultClass::Unknown,
            }
        }
        Some(why) if ["input", "usage", "internal"].iter().any(|e| why.starts_with(e)) => {
            ResultClass::Error
        }
        Some(_) => ResultClass::Unknown,
        None => ResultClass::Error,
    }
}

fn judge(settled: bool, right: bool) -> ResultClass {
    match (settled, right) {
        (false, _) => ResultClass::Unchecked,
        (true, true) => ResultClass::Correct,
        (true, false) => ResultClass::Wrong,
    }
}

#[cfg(test)]
pub mod testing {
    use super::*;

    pub fn row(name: &str, verdict: &str, wanted: &str, cpu: f64) -> ResultRow {
        let row = ResultRow {
            name: name.into(),
            files: vec![format!("{name}.c").into()],
            property: "unreach-call".into(),
            command: vec!["check".into(), format!("{name}.c")],
            wanted: Vec::new(),
            verdict: verdict.into(),
            class: ResultClass::Unknown,
            exit_code: Some(0),
            cpu_seconds: cpu,
            wall_seconds: cpu,
            peak_memory_bytes: 20 << 20,
        };
        let wanted: Vec<String> = wanted.split_whitespace().map(String::from).collect();
        row.judged(name, &wanted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_judged() {
        let cases = [
            ("true", "true", ResultClass::Correct),
            ("true", "false", ResultClass::Wrong),
            ("true", "", ResultClass::Unchecked),
            ("true", "unknown", ResultClass::Unchecked),
            ("true", "bounded", ResultClass::Correct),
            ("true", "true unknown", ResultClass::Correct),
            ("false(unreach-call)", "false", ResultClass::Correct),
            ("false(unreach-call)", "true unknown", ResultClass::Wrong),
            ("false(valid-deref)", "false(valid-deref)", ResultClass::Correct),
            ("false(valid-deref)", "false(valid-free)", ResultClass::Wrong),
            ("false(valid-deref)", "", ResultClass::Unchecked),
            ("unknown (time limit 1 s)", "true", ResultClass::Unknown),
            ("unknown (bounded: unwind 2)", "bounded", ResultClass::Correct),
            ("unknown (bounded: unwind 2)", "true", ResultClass::Unknown),
            ("unknown (input error)", "true", ResultClass::Error),
            ("unknown (internal error: x)", "true", ResultClass::Error),
            ("killed", "true", ResultClass::Error),
        ];
        for (verdict, wanted, class) in cases {
            assert_eq!(testing::row("a", verdict, wanted, 1.0).class, class, "{verdict}: {wanted}");
        }
    }

    #[test]
    fn up_to_a_bound_that_was_asked_for() {
        let got = |wanted: &str| {
            let wanted: Vec<String> = wanted.split_whitespace().map(String::from).collect();
            class("unknown (bounded: unwind 2)", &wanted, true)
        };
        assert_eq!(got("true"), ResultClass::Correct);
        assert_eq!(got(""), ResultClass::Unchecked);
        assert_eq!(got("false"), ResultClass::Unknown);
    }
}
