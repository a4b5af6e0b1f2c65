//! `obmc litmus`: litmus tests under a memory model, thousands of them in one process.
//!
//! Each test is read, run and reported by itself: one that cannot be read, or that is cut short by its
//! limit, is an answer of its own and stops no other. Reports come in the order of the files, whatever
//! the number of jobs.

use crate::contract::Progress;
use crate::output::execution;
use crate::report::Failure;
use crate::report::diagnostic::Diagnostic;
use crate::request::{Litmus, ModelChoice};
use crate::workers::all;
use ::cat::Model;
use ::litmus::{Arch, Counted, Limits, Outcome, Picture, Test};
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// What there is to say.
#[derive(Debug)]
pub struct LitmusReport {
    pub text: String,
    pub messages: String,
    pub exit_code: u8,
}

#[derive(Serialize)]
struct LitmusDocument {
    schema: &'static str,
    tests: Vec<JsonRow>,
}

/// One test in JSON.
#[derive(Serialize)]
struct JsonRow {
    file: String,
    name: Option<String>,
    model: Option<String>,
    verdict: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// `null` if not all executions were visited.
    states: Option<Vec<String>>,
    executions: Option<u64>,
    positive: Option<u64>,
    negative: Option<u64>,
    flags: Option<Vec<String>>,
    /// Executions with more iterations of a loop were left out.
    loops_cut: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    forbidden_by: Option<Because>,
    seconds: f64,
}

#[derive(Serialize)]
struct Because {
    axiom: String,
    cycle: Vec<String>,
}

/// A test and what became of it.
struct FinishedTest {
    file: PathBuf,
    seconds: f64,
    model: Option<String>,
    test: Option<Test>,
    outcome: Result<Outcome, String>,
    because: Option<::litmus::Explanation>,
    pictures: Vec<Picture>,
    /// It was read, but not finished.
    limited: bool,
}

pub fn run(plan: &Litmus, progress: &Progress) -> Result<LitmusReport, Failure> {
    let files = expand(&plan.files)?;
    if files.is_empty() {
        let message = "there is no litmus test here: no file ends in .litmus";
        return Err(Failure::Input(Diagnostic::new(message)));
    }
    let models = match Models::new(&plan.model)? {
        Ok(models) => models,
        // With the line and the caret as they are.
        Err(error) => {
            let messages = format!("error: {error}\n");
            return Ok(LitmusReport { text: String::new(), messages, exit_code: 2 });
        }
    };
    progress.begin("litmus");
    let done: Mutex<Vec<Option<FinishedTest>>> = Mutex::new(files.iter().map(|_| None).collect());
    let begun = AtomicU64::new(0);
    all(&(0..files.len()).collect::<Vec<_>>(), plan.jobs, |i| {
        progress.states(begun.fetch_add(1, Ordering::Relaxed));
        let one = one(&files[i], &models, plan);
        done.lock().unwrap_or_else(PoisonError::into_inner)[i] = Some(one);
        Ok(())
    })?;
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut done: Vec<FinishedTest> = done.into_iter().flatten().collect();
    if let Some(path) = &plan.graph {
        draw(path, &mut done)?;
    }
    Ok(report(plan, done))
}

/// Folders stand for the tests in them.
fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        let found = if path.is_dir() { litmus_files(path) } else { Ok(vec![path.clone()]) };
        files.extend(found.map_err(|e| {
            Failure::Input(Diagnostic::new(format!("cannot read {}: {e}", path.display())))
        })?);
    }
    Ok(files)
}

fn litmus_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    entries.sort();
    let mut files = Vec::new();
    for entry in entries {
        if entry.is_dir() {
            files.extend(litmus_files(&entry)?);
        } else if entry.extension().is_some_and(|e| e == "litmus") {
            files.push(entry);
        }
    }
    Ok(files)
}

/// The models that tests may need, read once.
struct Models {
    one: Option<(String, Model)>,
    builtin: Vec<(&'static str, Model)>,
}

impl Models {
    fn new(choice: &ModelChoice) -> Result<Result<Self, ::cat::Error>, Failure> {
        let none = Vec::new();
        Ok(Ok(match choice {
            ModelChoice::ByArchitecture => {
                let all = ::cat::BUILTIN.iter().filter_map(|n| Some((*n, Model::builtin(n)?)));
                Self { one: None, builtin: all.collect() }
            }
            ModelChoice::Builtin(name) => {
                let model = Model::builtin(name).ok_or_else(|| {
                    let known = ::cat::BUILTIN.join(", ");
                    Failure::Usage(format!("--mm {name} is not known (there is: {known})"))
                })?;
                Self { one: Some((name.clone(), model)), builtin: none }
            }
            ModelChoice::File(path) => match Model::read(path) {
                Ok(model) => Self { one: Some((path.display().to_string(), model)), builtin: none },
                Err(error) => return Ok(Err(error)),
            },
        }))
    }

    fn of(&self, arch: Arch) -> Result<(&str, &Model), String> {
        if let Some((name, model)) = &self.one {
            if model.is_builtin(name) && !speaks(name, arch) {
                return Err(format!(
                    "--mm {name} is about another language than this test's, and nothing is \
                     compiled here"
                ));
            }
            return Ok((name, model));
        }
        let name = match arch {
            Arch::X86 | Arch::X86_64 => "tso",
            Arch::C => "rc11",
            Arch::Lkmm => "lkmm",
            Arch::AArch64 => "armv8",
            Arch::Arm => "arm",
            Arch::Ppc => "power",
            Arch::RiscV => "riscv",
            Arch::Msg => "udp",
            Arch::Mips | Arch::Bpf => {
                return Err("there is no model for this architecture: --cat FILE".into());
            }
        };
        let found = self.builtin.iter().find(|(n, _)| *n == name);
        found.map(|(n, m)| (*n, m)).ok_or_else(|| format!("there is no model {name}"))
    }
}

/// Is the model about annotations and fences that tests of this language have?
fn speaks(model: &str, arch: Arch) -> bool {
    match model {
        "sc" => arch != Arch::Msg,
        "tso" | "pso" => matches!(arch, Arch::X86 | Arch::X86_64),
        "rc11" | "c11" | "imm" | "vmm" => arch == Arch::C,
        "armv8" => arch == Arch::AArch64,
        "arm" => arch == Arch::Arm,
        "power" => arch == Arch::Ppc,
        "riscv" => arch == Arch::RiscV,
        "lkmm" => arch == Arch::Lkmm,
        _ => arch == Arch::Msg,
    }
}

fn one(file: &Path, models: &Models, plan: &Litmus) -> FinishedTest {
    let begun = Instant::now();
    let mut done = FinishedTest {
        file: file.to_path_buf(),
        seconds: 0.0,
        model: None,
        test: None,
        outcome: Err(String::new()),
        because: None,
        pictures: Vec::new(),
        limited: false,
    };
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        done.outcome = answer(file, models, plan, &mut done);
    }));
    if panicked.is_err() {
        done.outcome = Err("internal error".into());
    }
    done.seconds = begun.elapsed().as_secs_f64();
    done
}

fn answer(
    file: &Path,
    models: &Models,
    plan: &Litmus,
    done: &mut FinishedTest,
) -> Result<Outcome, String> {
    let bytes = std::fs::read(file).map_err(|e| e.to_string())?;
    let test = ::litmus::parse(&String::from_utf8_lossy(&bytes)).map_err(|e| e.to_string())?;
    let test = done.test.insert(test);
    let (name, model) = models.of(test.arch)?;
    if name == "imm" && model.is_builtin(name) {
        test.for_imm();
    }
    done.model = Some(name.to_string());
    let deadline = plan.timeout.and_then(|t| Instant::now().checked_add(t.0));
    let count = if plan.only_rf { Counted::Rf } else { Counted::RfCo };
    let limits = Limits { deadline, count, ..Limits::default() };
    let outcome = ::litmus::run(test, model, limits).map_err(|e| {
        done.limited = e.is_limit();
        e.to_string()
    })?;
    if plan.explain && outcome.positive == 0 {
        done.because = ::litmus::explain(test, model, limits).ok().flatten();
    }
    if plan.graph.is_some() {
        done.pictures = ::litmus::pictures(test, model, limits).map_err(|e| e.to_string())?;
    }
    Ok(outcome)
}

/// The page with all executions.
fn draw(path: &Path, done: &mut [FinishedTest]) -> Result<(), Failure> {
    let drawn = |done: &mut FinishedTest| {
        let model = done.model.clone().unwrap_or_default();
        let pictures = std::mem::take(&mut done.pictures).into_iter();
        let executions = pictures.map(|p| execution::of_litmus(p, &model)).collect();
        let name = done.test.as_ref().map(|test| test.name.clone()).unwrap_or_default();
        execution::Test { name, model, executions }
    };
    let tests: Vec<execution::Test> =
        done.iter_mut().map(drawn).filter(|test| !test.executions.is_empty()).collect();
    std::fs::write(path, execution::page(&tests)).map_err(|e| {
        Failure::Input(Diagnostic::new(format!("cannot write {}: {e}", path.display())))
    })
}

fn report(plan: &Litmus, done: Vec<FinishedTest>) -> LitmusReport {
    let failed = |d: &&FinishedTest| d.outcome.is_err() && !d.limited;
    let exit_code = match (done.iter().find(failed), done.iter().any(|d| d.limited)) {
        (Some(_), _) => 2,
        (None, true) => 7,
        (None, false) => 0,
    };
    let mut messages = String::new();
    for d in &done {
        if let Err(why) = &d.outcome {
            let _ = writeln!(messages, "error: {}: {why}", d.file.display());
        }
    }
    if plan.json {
        let tests = done.iter().map(row).collect();
        let document = LitmusDocument { schema: "obmc-litmus-1", tests };
        let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
        text.push('\n');
        return LitmusReport { text, messages, exit_code };
    }
    let mut text = String::new();
    for d in &done {
        if let (Ok(outcome), Some(test)) = (&d.outcome, &d.test) {
            text += &::litmus::text(test, outcome, d.seconds);
            if let Some(because) = &d.because {
                let _ = writeln!(text, "Forbidden by {}: {}", because.axiom, because.line());
            }
            text.push('\n');
        }
    }
    if done.len() > 1 {
        let answered = done.iter().filter(|d| d.outcome.is_ok()).count();
        let _ = writeln!(text, "{answered} of {} tests have an answer", done.len());
    }
    LitmusReport { text, messages, exit_code }
}

fn row(done: &FinishedTest) -> JsonRow {
    let mut row = JsonRow {
        file: done.file.display().to_string(),
        name: done.test.as_ref().map(|t| t.name.clone()),
        model: done.model.clone(),
        verdict: "Unknown".into(),
        reason: None,
        states: None,
        executions: None,
        positive: None,
        negative: None,
        flags: None,
        loops_cut: false,
        forbidden_by: None,
        seconds: done.seconds,
    };
    match (&done.outcome, &done.test) {
        (Ok(outcome), Some(test)) => {
            row.loops_cut = outcome.cut;
            row.verdict = format!("{:?}", outcome.verdict(test.quantifier));
            if outcome.complete {
                let states = outcome.states.keys();
                row.states = Some(states.map(|s| ::litmus::state_line(test, outcome, s)).collect());
                row.executions = Some(outcome.executions());
                row.positive = Some(outcome.positive);
                row.negative = Some(outcome.negative);
            }
            row.flags = (!outcome.flags_open).then(|| outcome.flags.iter().cloned().collect());
            row.forbidden_by = done.because.as_ref().map(|because| Because {
                axiom: because.axiom.clone(),
                cycle: because.steps.clone(),
            });
        }
        (Err(why), _) => row.reason = Some(why.clone()),
        (Ok(_), None) => {}
    }
    row
}
