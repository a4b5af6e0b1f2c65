//! A folder with all that a replay needs: sources, models of the library, the scheduler with its
//! script, a Makefile and a README. It compiles on any Linux with gcc or clang.

use super::assembly;
use super::script::{Ending, Script, quoted};
use crate::preprocess::Unit;
use frontend::models::{MODELS, Model};
use ir::types::Scalar;
use ir::{InstKind, ObjectKind, Origin, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

const RUNTIME: &[(&str, &str)] = &[
    ("replay.h", include_str!("runtime/replay.h")),
    ("scheduler.c", include_str!("runtime/scheduler.c")),
    ("memory.c", include_str!("runtime/memory.c")),
    ("hooks.c", include_str!("runtime/hooks.c")),
    ("place.c", include_str!("runtime/place.c")),
    ("asan.c", include_str!("runtime/asan.c")),
];
/// What our headers use and gcc does not know, and values of variables without one.
const BUILTINS: &str = "#define __c11_atomic_init(p, v) __atomic_store_n(p, v, 0)\n\
    #define sigsetjmp __sigsetjmp\n\
    #define __sigsetjmp_cancel __sigsetjmp\n\
    #define longjmp obmc_jump\n\
    #define _longjmp obmc_jump\n\
    #define siglongjmp obmc_jump\n\
    #define __longjmp_chk obmc_jump\n\
    unsigned long long obmc_unset(int place);\n\
    void obmc_touch(void *address, unsigned long size, int mode);\n";
/// Models that a compiled program has a better version of.
pub const LEFT_TO_THE_SYSTEM: &[&str] = &["bits.c", "int128.c", "jump.c"];
/// Functions of hooks.c that stand in for the library's.
const OURS: &[&str] = &[
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "__assert_fail",
    "__assert",
    "__assert_rtn",
    "main",
    "syscall",
    "scanf",
    "fscanf",
    "sscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "__isoc99_sscanf",
    "__isoc23_scanf",
    "__isoc23_fscanf",
    "__isoc23_sscanf",
];
const OBJECTS_OF_THE_SYSTEM: &[&str] =
    &["stdin", "stdout", "stderr", "environ", "optarg", "optind", "opterr", "optopt", "errno"];

/// What stands in a folder, besides the runtime.
pub struct Contents<'a> {
    pub units: &'a [Unit],
    /// What the user gave, for readers and debuggers.
    pub originals: &'a [PathBuf],
    pub program: &'a Program,
    pub entry: &'a str,
    pub script: &'a Script,
    pub ending: &'a Ending,
}

/// The files to compile and how to link them.
#[derive(Clone, Default, Debug)]
pub struct BuildPlan {
    pub program: Vec<String>,
    pub models: Vec<String>,
}

impl Contents<'_> {
    pub fn write(&self, folder: &Path) -> io::Result<BuildPlan> {
        std::fs::create_dir_all(folder)?;
        let mut plan = BuildPlan::default();
        for (name, text) in RUNTIME {
            std::fs::write(folder.join(name), text)?;
        }
        for (i, unit) in self.units.iter().enumerate() {
            let name = format!("program{}.i", if i == 0 { String::new() } else { i.to_string() });
            // What comes without line markers is still known by its name.
            let mut text = format!("# 1 {}\n", quoted(&unit.name)).into_bytes();
            text.extend(assembly::edit(&self.script.unset.edit(&unit.text, None)));
            std::fs::write(folder.join(&name), text)?;
            plan.program.push(name);
        }
        for file in self.originals {
            let name = file.file_name().filter(|n| !n.to_string_lossy().ends_with(".i"));
            let is_new = |name: &&OsStr| RUNTIME.iter().all(|(ours, _)| name != ours);
            if let Some(name) = name.filter(is_new) {
                let copied = std::fs::copy(file, folder.join(name));
                copied.map(|_| ())?;
            }
        }
        for model in self.models() {
            let name = format!("model_{}", model.file);
            let text = self.script.unset.edit(model.text.as_bytes(), Some(model.file));
            std::fs::write(folder.join(&name), text)?;
            plan.models.push(name);
        }
        let names = self.renamed();
        let renames = names.iter().map(|name| format!("#define {name} replayed_{name}\n"));
        let builtins = std::iter::once(BUILTINS.to_owned());
        let text = builtins.chain(renames).chain(self.implicit()).collect::<String>();
        std::fs::write(folder.join("rename.h"), text)?;
        std::fs::write(folder.join("stubs.c"), self.stubs())?;
        std::fs::write(folder.join("script.c"), self.script.to_c(self.ending))?;
        Ok(plan)
    }

    fn models(&self) -> impl Iterator<Item = &'static Model> {
        let mut used: BTreeSet<&str> = self
            .program
            .functions
            .iter()
            .filter(|f| f.origin == Origin::Model && f.has_body())
            .map(|f| self.program.files[f.span.file.index()].as_str())
            .collect();
        // Calls with a literal format read it in the lowering, and in the compiled program.
        if used.contains("print.c") {
            used.insert("format.c");
        }
        // Their functions are inlined, or do nothing and are left out, but the models' text calls them.
        if !used.is_empty() {
            used.extend(["cancel_points.c", "touch.c"]);
        }
        MODELS
            .iter()
            .filter(move |m| used.contains(m.file) && !LEFT_TO_THE_SYSTEM.contains(&m.file))
    }

    /// What the models define that a program may call.
    fn modelled(&self) -> impl Iterator<Item = &'static str> {
        self.models().flat_map(|m| m.defines.iter().copied()).filter(|n| !n.starts_with("__obmc_"))
    }

    fn unused(&self) -> impl Iterator<Item = &'static str> {
        let used: BTreeSet<&str> = self.models().map(|m| m.file).collect();
        let others = MODELS.iter().filter(move |m| !used.contains(m.file));
        others.flat_map(|m| m.defines.iter().copied()).filter(|n| n.starts_with("__obmc_"))
    }

    /// Functions that neither the program nor a model defines.
    fn missing(&self) -> impl Iterator<Item = (&str, Option<Scalar>)> {
        let known = |name: &str| {
            OURS.contains(&name)
                // What a parameter of `main` points to, and the like.
                || !is_identifier(name)
                || ["__VERIFIER_", "__obmc_", "__builtin_", "reach_error"]
                    .iter()
                    .any(|p| name.starts_with(p))
        };
        self.program
            .functions
            .iter()
            .filter(move |f| !f.has_body() && f.origin == Origin::User && !known(&f.name))
            .map(|f| (f.name.as_str(), f.ret))
    }

    /// Names that mean functions of ours in the program and in the models.
    fn renamed(&self) -> BTreeSet<String> {
        let own = self.modelled().chain(OURS.iter().copied()).map(str::to_owned);
        let mut names: BTreeSet<String> =
            own.chain(self.missing().map(|(name, _)| name.to_owned())).collect();
        for object in &self.program.objects {
            names.remove(&object.name);
        }
        names
    }

    /// Functions that give pointers and that a program may call without a declaration: a compiler
    /// would take the result for an `int`.
    fn implicit(&self) -> impl Iterator<Item = String> {
        let declared = |name: &str| {
            let wanted = format!("{name} (");
            let spaced =
                |text: &str| text.contains(&wanted) || text.contains(&wanted.replace(' ', ""));
            self.units.iter().any(|unit| {
                let text = String::from_utf8_lossy(&unit.text);
                text.lines().any(|line| line.starts_with("extern") && spaced(line))
                    || text.contains(&format!("void *{name}"))
                    || text.contains(&format!("char *{name}"))
            })
        };
        let names = ["malloc", "calloc", "realloc"].into_iter();
        let missing = names.filter(move |name| self.renamed().contains(*name) && !declared(name));
        missing.map(|name| format!("void *replayed_{name}();\n"))
    }

    fn stubs(&self) -> String {
        let mut text = String::from(
            "/* Inputs, functions that the program does not define, and where it starts. */\n\
             #include \"replay.h\"\n\n",
        );
        let weak = "__attribute__((weak)) ";
        for (name, ty) in self.inputs() {
            stub(&mut text, weak, &name, &name, Some(ty));
        }
        for (name, ty) in self.missing() {
            // An alias of another function has no body either.
            stub(&mut text, weak, &format!("replayed_{name}"), "", ty);
        }
        // Models call each other in branches that this program does not take.
        for name in self.unused() {
            let _ = writeln!(
                text,
                "__attribute__((weak)) void {name}(void) {{ obmc_park(\"uses {name}\"); }}"
            );
        }
        for object in &self.program.objects {
            let name = object.name.as_str();
            // One of a thread may be defined elsewhere, too; the program's own is stronger.
            let thread = match object.kind {
                ObjectKind::External => "",
                ObjectKind::ThreadLocal if is_identifier(name) => "__thread ",
                _ => continue,
            };
            if !OBJECTS_OF_THE_SYSTEM.contains(&name) {
                let size = object.size.max(1);
                let attributes = "__attribute__((weak, aligned(16)))";
                let _ = writeln!(text, "{attributes} {thread}char {name}[{size}];");
            }
        }
        let start = if self.entry == "main" { "replayed_main" } else { self.entry };
        let _ = write!(
            text,
            "\nint {start}();\n\
             int obmc_main(int (*)(), char **, char **);\n\
             int main(int count, char **words, char **environment)\n\
             {{\n    (void)count;\n    return obmc_main({start}, words, environment);\n}}\n"
        );
        text
    }

    fn inputs(&self) -> BTreeMap<String, Scalar> {
        let functions = self.program.functions.iter();
        let insts = functions.flat_map(|f| &f.blocks).flat_map(|b| &b.insts);
        let inputs = insts.filter_map(|inst| match &inst.kind {
            InstKind::Nondet { name, ty, .. } => Some((name.clone(), *ty)),
            _ => None,
        });
        let mut inputs: BTreeMap<String, Scalar> =
            inputs.filter(|(name, _)| is_identifier(name)).collect();
        // Functions of models that this program does not call are compiled all the same.
        for model in self.models() {
            for rest in model.text.split("__VERIFIER_nondet_").skip(1) {
                let kind: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
                inputs.entry(format!("__VERIFIER_nondet_{kind}")).or_insert(Scalar::I32);
            }
        }
        inputs
    }
}

fn is_identifier(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn stub(text: &mut String, attribute: &str, name: &str, input: &str, ty: Option<Scalar>) {
    let (ty, bits) = match ty {
        Some(Scalar::F32) => ("float", "unsigned int"),
        Some(Scalar::F64) => ("double", "unsigned long long"),
        _ => ("unsigned long long", "unsigned long long"),
    };
    let _ = writeln!(
        text,
        "{attribute}{ty} {name}()\n{{\n    union {{ {bits} bits; {ty} value; }} input = \
         {{ obmc_input(\"{input}\") }};\n    return input.value;\n}}\n"
    );
}

/// The Makefile does what the tool does.
pub fn makefile(commands: &[Vec<String>], cc: &str) -> String {
    let mut text = format!("CC = {cc}\n\nreplay: *.c *.i *.h\n");
    for command in commands {
        let words: Vec<String> = command.iter().map(|w| word(w)).collect();
        let _ = writeln!(text, "\t$(CC) {}", words.join(" "));
    }
    text.push_str("\nrun: replay\n\t./replay\n\nclean:\n\trm -f replay *.o\n\n.PHONY: run clean\n");
    text
}

fn word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,/+:".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}

pub fn readme(message: &str) -> String {
    format!(
        "A counterexample that runs\n\
         ==========================\n\n\
         obmc found: {message}\n\n\
         `make run` builds the program together with a scheduler that forces the threads into the\n\
         order of the counterexample and gives it the same inputs. The last lines tell whether the\n\
         error came up.\n\n\
         - program*.i: the program, preprocessed\n\
         - model_*.c: the library's functions for threads and memory, as obmc understands them\n\
         - script.c: who does what, in order, and the inputs\n\
         - scheduler.c, memory.c, hooks.c, place.c, asan.c: what makes the threads follow the script\n\
         - stubs.c: inputs and functions that the program does not define\n\n\
         With a debugger: `make`, then `gdb ./replay`, `break obmc_reproduced`, `run`,\n\
         `thread apply all backtrace`.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_makefile_has_the_same_commands() {
        let commands = vec![vec!["-c".to_owned(), "a b.i".to_owned()]];
        let text = makefile(&commands, "gcc");
        assert!(text.contains("\t$(CC) -c 'a b.i'\n"), "{text}");
        assert!(text.starts_with("CC = gcc\n"));
    }

    #[test]
    fn stubs_return_what_the_script_says() {
        let mut text = String::new();
        stub(&mut text, "", "f", "f", Some(Scalar::F64));
        assert!(text.contains("double f()") && text.contains("obmc_input(\"f\")"), "{text}");
    }
}
