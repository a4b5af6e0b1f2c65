//! Builds the program with the system's compiler and lets it run into the error that was found.
//!
//! The way: `walk` finds the same execution in the program as it was written, `record` makes a
//! script of it, `folder` writes the program, our models of the library and the scheduler
//! (`runtime`) into one folder, `unset` gives values to variables that have none, `assembly` makes
//! inline assembly wait for its turn, `place` says which statement has to go wrong, `build` compiles and
//! runs it. Whatever stops this on the way is the reason that is reported; the verdict stays what it was.

mod assembly;
mod build;
mod folder;
mod place;
mod record;
mod script;
mod unset;
mod walk;

use self::build::{Compiler, Sanitizer};
use self::folder::Contents;
use self::script::{Ending, Script, Statement};
use crate::contract::{
    Answer, Engine, Form, Limits, Property, Query, Recorder, Run, Settings, Violation,
};
use crate::engine::explore::Explorer;
use crate::load::Loader;
use crate::preprocess::{self, Unit};
use crate::report::Replayed;
use crate::request::Input;
use crate::supervise::Limit;
use frontend::models::MODELS;
use interp::{Config, Interp};
use ir::types::Machine;
use ir::{InstKind, Operand, Program, Span, Terminator};
use std::path::Path;
use std::time::Duration;

/// How often a run with AddressSanitizer is repeated.
const CHANCES: u32 = 5;
/// For a second search, where the first one left no usable schedule.
const SEARCH_TIME: Duration = Duration::from_secs(20);

const NO_SCHEDULE: &str = "an execution of --mm wsc has no schedule that a program could follow";

/// Replays a violation, whose places are in `files`, in `keep` or in a folder that lives as long as the call.
pub fn replay(
    violation: &Violation,
    files: &[String],
    property: Property,
    input: &Input,
    keep: Option<&Path>,
) -> Replayed {
    let result = match keep {
        Some(folder) => replay_in(violation, files, property, input, folder),
        None => match tempfile::Builder::new().prefix("obmc-replay-").tempdir() {
            Ok(folder) => replay_in(violation, files, property, input, folder.path()),
            Err(e) => Err(format!("cannot make a folder: {e}")),
        },
    };
    Replayed { result, folder: keep.map(Path::to_path_buf) }
}

fn replay_in(
    violation: &Violation,
    files: &[String],
    property: Property,
    input: &Input,
    folder: &Path,
) -> Result<String, String> {
    let run = violation.run.as_ref().ok_or(NO_SCHEDULE)?;
    let again = match run.form {
        Form::Given => None,
        Form::Unrolled => Some(find_again(property, input)?),
    };
    let (violation, files) = match &again {
        Some((violation, files)) => (&**violation, &files[..]),
        None => (violation, files),
    };
    let run = violation.run.as_ref().ok_or(NO_SCHEDULE)?;
    std::fs::create_dir_all(folder).map_err(|e| format!("cannot make a folder: {e}"))?;
    let ilp32 = input.machine == Machine::Ilp32;
    let compiler = Compiler::find(input.cc.as_deref(), folder, ilp32)?;
    let m32 = ilp32 && compiler.can_build_32;
    let target =
        Input { machine: if m32 { Machine::Ilp32 } else { Machine::Lp64 }, ..input.clone() };
    let story = ReplayStory::find(run, property, input, &target)?;
    let ending = Ending {
        goal: goal_name(violation.kind),
        text: asserted(&violation.message),
        line: violation.span.line,
        places: places(violation, files, &story.units),
        kind: property.kind(),
        linked: linked(&story.program),
        words: input.words(),
    };
    let contents = Contents {
        units: &story.units,
        originals: &input.files,
        program: &story.program,
        entry: &input.entry,
        script: &story.script,
        ending: &ending,
    };
    let plan = contents.write(folder).map_err(|e| format!("cannot write the folder: {e}"))?;
    let sanitizer = match ending.goal {
        "OVERFLOWS" => Sanitizer::Overflow,
        "BAD_ACCESS" => Sanitizer::Access,
        _ => Sanitizer::None,
    };
    let try_with = |sanitizer: Sanitizer| {
        let commands = compiler.commands(&plan, sanitizer, m32);
        let makefile = |commands: &[_]| {
            write(folder, "Makefile", &folder::makefile(commands, &compiler.command))
        };
        makefile(&commands)?;
        makefile(&compiler.build(folder, commands)?)?;
        build::execute(folder)
    };
    write(folder, "README", &folder::readme(&violation.message))?;
    let bounds = ending.goal == "BAD_ACCESS" && compiler.checks_addresses();
    let result = match try_with(sanitizer) {
        // Compilers do not tell when a local ends, so the order around that is left to chance.
        Err(why) if bounds => {
            let mut tries = (0..CHANCES).map(|_| try_with(Sanitizer::Address));
            tries.find_map(Result::ok).ok_or(why)
        }
        result => result,
    };
    result.map_err(|why| explained(why, &story.script, &ending, bounds, ilp32 && !m32))
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), String> {
    std::fs::write(folder.join(name), text).map_err(|e| format!("cannot write {name}: {e}"))
}

/// The symbolic engine could not tell its execution in terms of the program as it was given. Then
/// the explorer may find one.
fn find_again(property: Property, input: &Input) -> Result<(Box<Violation>, Vec<String>), String> {
    let limits = Limits::default().shortened(SEARCH_TIME);
    let given = given(property, input)?;
    let settings = Settings::default();
    let query = Query { program: &given, property, settings: &settings, limits: &limits };
    let verdict = Explorer::default().check(query);
    match verdict.answer {
        Answer::Unsafe(violation) => Ok((violation, given.files.clone())),
        _ => Err("the schedule is known for the unrolled program only".into()),
    }
}

/// Where the violation is, and the other side of a race. Deadlocks, livelocks and leaks have no place.
fn places(violation: &Violation, files: &[String], units: &[Unit]) -> Vec<Statement> {
    if matches!(violation.kind, "no-deadlock" | "no-livelock" | "valid-memtrack") {
        return Vec::new();
    }
    let spans = std::iter::once(violation.span).chain(violation.other.map(|(_, span)| span));
    let known = spans.filter(|span| span.line > 0);
    let file = |span: Span| files.get(span.file.index());
    known.filter_map(|span| Some(place::statement(units, file(span)?, span.line))).collect()
}

/// The reason together with what may be behind it.
fn explained(
    why: String,
    script: &Script,
    ending: &Ending,
    sanitized: bool,
    other_machine: bool,
) -> String {
    let mut parts = vec![why];
    parts.extend(script.notes.first().cloned());
    let hidden = match ending.goal {
        "OVERFLOWS" => Some("the compiler may compute this without the operation that overflows"),
        "RACE" => Some("compilers do not tell of the end of a local variable"),
        "BAD_ACCESS" if !sanitized => Some("there is no AddressSanitizer here to see it"),
        "BAD_ACCESS" => Some("AddressSanitizer sees nothing either"),
        _ => None,
    };
    parts.extend(hidden.map(str::to_owned));
    if other_machine {
        parts.push("it was built for 64 bits, since this compiler cannot build for 32".into());
    }
    parts.join("; ")
}

/// A violation as the program shows it that is going to be compiled.
struct ReplayStory {
    units: Vec<Unit>,
    program: Program,
    script: Script,
}

impl ReplayStory {
    fn find(
        run: &Run,
        property: Property,
        input: &Input,
        target: &Input,
    ) -> Result<ReplayStory, String> {
        let units = units(target)?;
        let program = load(&units, target, property)?;
        let given = given(property, input)?;
        let mut script = script_of(run, property, &given, &program)
            .or_else(|why| {
                log::info!("the program as written: {why}");
                script_of(run, property, &given, &given)
            })
            .map_err(|why| format!("the execution was not found in the program: {why}"))?;
        for (of, bits) in script.unset.settle(&units) {
            script.not_zero(bits, of.line);
        }
        Ok(ReplayStory { units, program, script })
    }
}

fn script_of(
    run: &Run,
    property: Property,
    given: &Program,
    written: &Program,
) -> Result<Script, String> {
    let mut problem = String::new();
    for malloc_may_fail in [false, true] {
        let settings = Settings { malloc_may_fail, ..Settings::default() };
        let limits = Limits::default();
        let query = Query { program: given, property, settings: &settings, limits: &limits };
        let config = query.interp_config();
        let eager = Config { eager_inputs: true, ..config.clone() };
        let there = Interp::new(given, config).map_err(|e| e.what)?;
        let here = Interp::new(written, eager).map_err(|e| e.what)?;
        let steps = walk::walk(&there, &run.schedule, &here, &run.goal);
        match steps.and_then(|steps| record::record(&here, &steps)) {
            Ok(script) => return Ok(script),
            Err(why) if problem.is_empty() => problem = why,
            Err(_) => {}
        }
    }
    Err(problem)
}

fn units(input: &Input) -> Result<Vec<Unit>, String> {
    preprocess::units(input, None).map_err(|failure| match failure {
        preprocess::Failure::Input(problem) => problem.message,
        preprocess::Failure::Limit(Limit::Interrupt) => "interrupted".into(),
        preprocess::Failure::Limit(_) => "the preprocessor takes too long".into(),
    })
}

/// The program that the engine was given.
fn given(property: Property, input: &Input) -> Result<Program, String> {
    let (units, recorder) = (units(input)?, Recorder::default());
    Loader::new(&units, input, &recorder).load_for(property).map_err(|e| e.message)
}

/// The program as it is written, and functions that say what the models may ask.
fn load(units: &[Unit], input: &Input, property: Property) -> Result<Program, String> {
    let probes = probes();
    let probe = frontend::Source { name: PROBE, text: probes.as_bytes(), moved: &[] };
    let recorder = Recorder::default();
    let loader = Loader::new(units, input, &recorder);
    loader.written(property.kind(), Some(probe)).map_err(|e| e.message)
}

const PROBE: &str = "obmc_probe_";
/// Does the program look at how many threads a futex has woken?
const COUNTED: &str = "__obmc_wakes_counted";

/// Names that models ask `__obmc_linked` about.
fn asked() -> Vec<&'static str> {
    let calls = MODELS.iter().flat_map(|m| m.text.split("__obmc_linked(\"").skip(1));
    let mut names: Vec<&str> = calls.filter_map(|rest| rest.split('"').next()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A table of the probes keeps them in the program.
fn probes() -> String {
    let probe =
        |name: &&str| format!("int {PROBE}{name}(void) {{ return __obmc_linked(\"{name}\"); }}\n");
    let entry = |name: &&str| format!("{PROBE}{name}, ");
    let probes: String = asked().iter().map(probe).collect();
    let table: String = asked().iter().map(entry).collect();
    format!(
        "int __obmc_linked(const char *name);\n{probes}\
         int {COUNTED}(void);\nint {PROBE}{COUNTED}(void) {{ return {COUNTED}(); }}\n\
         static int (*{PROBE}table[])(void) = {{ {table}{PROBE}{COUNTED} }};\n"
    )
}

fn linked(program: &Program) -> Vec<String> {
    let yes = |end: &Terminator| matches!(end, Terminator::Return(Some(Operand::Const { bits, .. })) if *bits != 0);
    let functions = program.functions.iter();
    functions
        .filter_map(|f| {
            let name = f.name.strip_prefix(PROBE)?;
            let last = f.blocks.iter().any(|b| yes(&b.end) && !calls(&b.insts));
            last.then(|| name.to_owned())
        })
        .collect()
}

fn calls(insts: &[ir::Inst]) -> bool {
    insts.iter().any(|i| matches!(i.kind, InstKind::Call { .. }))
}

/// The name of a goal in replay.h.
fn goal_name(kind: &str) -> &'static str {
    match kind {
        "no-deadlock" => "DEADLOCK",
        "no-livelock" => "LIVELOCK",
        "no-data-race" => "RACE",
        "valid-deref" => "BAD_ACCESS",
        "valid-free" => "BAD_FREE",
        "valid-memtrack" => "LEAK",
        "no-overflow" => "OVERFLOWS",
        _ => "ASSERTION",
    }
}

/// The text of the assertion in "assertion `x == 2` fails"; of what is no access, what it is about.
fn asserted(message: &str) -> String {
    let text = message.strip_prefix("assertion `").and_then(|rest| rest.strip_suffix("` fails"));
    let id = (message == ir::JOINED_BEFORE).then_some(ID_OF_A_THREAD);
    text.or(id).unwrap_or_default().to_owned()
}

/// As in scheduler.c.
const ID_OF_A_THREAD: &str = "a thread's id";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assertions_are_read_from_messages() {
        assert_eq!(asserted("assertion `x == 2` fails"), "x == 2");
        assert_eq!(asserted("reach_error() is called"), "");
        assert_eq!(asserted(ir::JOINED_BEFORE), ID_OF_A_THREAD);
    }

    #[test]
    fn models_learn_what_the_program_calls() {
        let text =
            b"int pthread_cancel(unsigned long t); int main(void) { return pthread_cancel(1); }";
        let unit = Unit { name: "a.i".into(), text: text.to_vec(), moved: Vec::new() };
        let sources = [
            frontend::Source { name: &unit.name, text: &unit.text, moved: &[] },
            frontend::Source { name: PROBE, text: probes().leak().as_bytes(), moved: &[] },
        ];
        let options = frontend::LoadOptions::default();
        let program = frontend::load(&sources, Machine::Lp64, &options).expect("a program");
        assert_eq!(linked(&program), ["pthread_cancel"]);
    }
}
