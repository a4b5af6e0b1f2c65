//! Results added up: a table for people, a document for machines.

use super::Plan;
use super::row::{ResultClass, ResultRow};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

#[derive(Serialize)]
pub struct Summary {
    tool: &'static str,
    version: &'static str,
    /// For each check.
    options: Vec<String>,
    timeout_seconds: f64,
    memlimit_bytes: Option<u64>,
    jobs: usize,
    /// How many there were to do.
    tasks: usize,
    /// How many of them were known from an earlier run.
    #[serde(skip)]
    earlier: usize,
    pub totals: BTreeMap<String, Totals>,
    pub results: Vec<ResultRow>,
}

/// For one property, or for all.
#[derive(Serialize, Default)]
pub struct Totals {
    tasks: usize,
    solved: usize,
    classes: BTreeMap<&'static str, usize>,
    /// Of all tasks, solved or not.
    cpu_seconds: f64,
    solved_cpu_seconds: f64,
}

impl Totals {
    fn add(&mut self, row: &ResultRow) {
        self.tasks += 1;
        *self.classes.entry(row.class.name()).or_default() += 1;
        self.cpu_seconds += row.cpu_seconds;
        if row.solved() {
            self.solved += 1;
            self.solved_cpu_seconds += row.cpu_seconds;
        }
    }
}

impl Summary {
    /// Tasks without a result.
    pub fn open(&self) -> usize {
        self.tasks - self.results.len()
    }

    pub fn new(plan: &Plan, tasks: usize, earlier: usize, results: Vec<ResultRow>) -> Summary {
        let mut totals: BTreeMap<String, Totals> = BTreeMap::new();
        for row in &results {
            totals.entry(row.property.clone()).or_default().add(row);
            totals.entry("total".into()).or_default().add(row);
        }
        Summary {
            tool: "obmc bench",
            version: env!("CARGO_PKG_VERSION"),
            options: plan.words.clone(),
            timeout_seconds: plan.timeout.0.as_secs_f64(),
            memlimit_bytes: plan.memlimit.map(|b| b.0),
            jobs: plan.jobs.get(),
            tasks,
            earlier,
            totals,
            results,
        }
    }

    /// Ends with a newline.
    pub fn json(&self) -> String {
        // Maps with string keys and finite numbers cannot fail to be written.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// 10 if a verdict is wrong, 6 if a check broke, else 0.
    pub fn exit_code(&self) -> u8 {
        match &self.results {
            rows if rows.iter().any(|r| r.class == ResultClass::Wrong) => 10,
            rows if rows.iter().any(ResultRow::broken) => 6,
            _ => 0,
        }
    }

    pub fn text(&self, out: &Path) -> String {
        let mut text = String::new();
        let heads = ["tasks", "solved"].into_iter().chain(ResultClass::ALL.map(ResultClass::name));
        line(&mut text, "property", heads.chain(["CPU s"]).map(String::from));
        let rows = self.totals.iter().filter(|(name, _)| *name != "total");
        for (name, totals) in rows.chain(self.totals.get_key_value("total")) {
            let classes =
                ResultClass::ALL.map(|c| totals.classes.get(c.name()).copied().unwrap_or(0));
            let numbers = [totals.tasks, totals.solved].into_iter().chain(classes);
            let cpu = format!("{:.1}", totals.cpu_seconds);
            line(&mut text, name, numbers.map(|n| n.to_string()).chain([cpu]));
        }
        for row in self.results.iter().filter(|r| r.class == ResultClass::Wrong || r.broken()) {
            let what = if row.class == ResultClass::Wrong { "WRONG" } else { "BROKEN" };
            let ResultRow { name, property, verdict, .. } = row;
            let wanted = row.wanted.join(" or ");
            let _ = writeln!(text, "{what}: {name} ({property}): {verdict}, wanted {wanted}");
        }
        if self.earlier > 0 {
            let _ = writeln!(text, "known from an earlier run: {}", self.earlier);
        }
        let left = self.open();
        if left > 0 {
            let _ = writeln!(text, "{left} tasks have no result yet; the same command goes on");
        }
        let _ = writeln!(text, "report: {}", out.join("report.html").display());
        text
    }
}

fn line(text: &mut String, head: &str, cells: impl Iterator<Item = String>) {
    let _ = write!(text, "{head:<16}");
    for cell in cells {
        let _ = write!(text, " {cell:>9}");
    }
    text.push('\n');
}

#[cfg(test)]
pub mod testing {
    use super::super::row::testing::row;
    use super::*;

    pub fn plan() -> Plan {
        Plan {
            lists: Vec::new(),
            property: None,
            filter: String::new(),
            jobs: std::num::NonZeroUsize::MIN,
            timeout: "60s".parse().expect("a time"),
            memlimit: None,
            out: "out".into(),
            fresh: false,
            words: vec!["--engine".into(), "bmc".into()],
            jobs_given: None,
            queue: None,
            submit: Vec::new(),
            part: None,
        }
    }

    pub fn summary() -> Summary {
        let rows = vec![
            row("a</script>", "true", "true", 0.25),
            row("b", "unknown (time limit 60 s)", "false", 60.0),
            row("c", "false(unreach-call)", "false", 2.5),
        ];
        Summary::new(&plan(), 4, 1, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::super::row::testing::row;
    use super::*;

    #[test]
    fn results_are_added_up() {
        let text = testing::summary().text(Path::new("out"));
        let last = text.lines().find(|l| l.starts_with("total")).expect("a total");
        let cells: Vec<&str> = last.split_whitespace().collect();
        assert_eq!(cells, ["total", "3", "2", "2", "0", "0", "1", "0", "62.8"], "{text}");
        assert!(text.contains("1 tasks have no result yet"), "{text}");
        assert!(text.lines().take(3).all(|l| l.len() <= 96), "{text}");
    }

    #[test]
    fn wrong_verdicts_are_named() {
        let wrong = row("w", "true", "false", 1.0);
        let broken =
            ResultRow { exit_code: None, ..row("k", "no verdict (signal: 9)", "true", 1.0) };
        let code = |rows| Summary::new(&testing::plan(), 1, 0, rows).exit_code();
        assert_eq!(code(vec![row("a", "true", "", 1.0)]), 0);
        assert_eq!(code(vec![broken.clone()]), 6);
        assert_eq!(code(vec![broken, wrong.clone()]), 10);
        let text = Summary::new(&testing::plan(), 1, 0, vec![wrong]).text(Path::new("out"));
        assert!(text.contains("WRONG: w (unreach-call): true, wanted false"), "{text}");
    }

    #[test]
    fn the_document_can_be_read() {
        let json: serde_json::Value =
            serde_json::from_str(&testing::summary().json()).expect("good JSON");
        assert_eq!(json["totals"]["unreach-call"]["classes"]["correct"], 2);
        assert_eq!(json["results"][1]["class"], "unknown");
    }
}
