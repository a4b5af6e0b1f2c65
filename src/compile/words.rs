//! The words of a compiler's command line, as gcc and clang read them.
//!
//! One table: what is used (`Flags`), what takes a value, what is of no concern here. Options about
//! warnings, optimisation, code and linking change nothing of what the C standard says about a
//! program, so they are left out and logged. A few change what a program means (`-funsigned-char`):
//! these become assumptions of the verdict.
//!
//! Words that are no compiler's stay in `rest`, in their order.

use crate::request::{Flags, MacroFlag, Standard};
use ir::types::Machine;
use std::ffi::OsString;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct CommandWords {
    pub flags: Flags,
    /// What `-m32` and `-m64` say.
    pub machine: Option<Machine>,
    /// Without effect here.
    pub ignored: Vec<String>,
    /// Everything else.
    pub rest: Vec<OsString>,
}

/// What an option does with its value.
#[derive(Clone, Copy)]
enum Takes {
    Quote,
    Include,
    System,
    First,
    Define,
    Undefine,
    Standard,
    Nothing,
}

/// The value stands in the same word or is the next one. Longer names first.
const WITH_VALUE: &[(&str, Takes)] = &[
    ("-isystem", Takes::System),
    ("-idirafter", Takes::System),
    ("-iquote", Takes::Quote),
    ("-include", Takes::First),
    ("-imacros", Takes::First),
    ("-I", Takes::Include),
    ("-D", Takes::Define),
    ("-U", Takes::Undefine),
    ("-L", Takes::Nothing),
    ("-l", Takes::Nothing),
    ("-o", Takes::Nothing),
    ("-x", Takes::Nothing),
    ("-T", Takes::Nothing),
    ("-u", Takes::Nothing),
    ("-z", Takes::Nothing),
];

/// The value is the next word.
const BEFORE_VALUE: &[&str] = &[
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xassembler",
    "-Xclang",
    "-isysroot",
    "-imultilib",
    "-iprefix",
    "-arch",
    "-target",
    "--param",
];

const IGNORED: &[&str] = &[
    "-c",
    "-S",
    "-E",
    "-s",
    "-w",
    "-p",
    "-pg",
    "-P",
    "-H",
    "-pthread",
    "-pthreads",
    "-pipe",
    "-pedantic",
    "-pedantic-errors",
    "-static",
    "-static-libgcc",
    "-shared",
    "-shared-libgcc",
    "-rdynamic",
    "-no-pie",
    "-pie",
    "-static-pie",
    "-nostartfiles",
    "-nostdlib",
    "-nodefaultlibs",
    "-nolibc",
    "-undef",
    "-traditional-cpp",
    "-save-temps",
    "-Qunused-arguments",
    "-MD",
    "-MMD",
    "-MP",
    "-MG",
    "-M",
    "-MM",
];

const IGNORED_PREFIXES: &[&str] =
    &["-O", "-W", "-f", "-m", "-g", "--param=", "--sysroot=", "-save-temps=", "--target="];

/// Options that change what programs mean, by how they begin.
const UNMODELLED: &[&str] = &[
    "-funsigned-char",
    "-funsigned-bitfields",
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-ffast-math",
    "-funsafe-math-optimizations",
    "-Ofast",
    "-fsingle-precision-constant",
    "-fms-extensions",
    "-fplan9-extensions",
    "-fopenmp",
    "-fopenacc",
    "-mx32",
    "-m16",
    "-mlong-double-64",
    "-mno-sse",
    "-msoft-float",
];

/// Whatever follows is a word that the program is called with.
const OF_THE_PROGRAM: &str = "--arg";

impl CommandWords {
    /// Needs: words without the program's name. Behind `--` there are only files.
    pub fn of(words: impl IntoIterator<Item = OsString>) -> CommandWords {
        let mut taken = CommandWords::default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let Some(text) = word.to_str().filter(|t| t.starts_with('-') && t.len() > 1) else {
                taken.rest.push(word);
                continue;
            };
            if text == "--" {
                taken.rest.push(word);
                taken.rest.extend(words.by_ref());
            } else if text == OF_THE_PROGRAM {
                taken.rest.push(word);
                taken.rest.extend(words.next());
            } else if !taken.take(text, &mut words) {
                taken.rest.push(word);
            }
        }
        taken
    }

    /// Is it a compiler's word?
    fn take(&mut self, word: &str, words: &mut dyn Iterator<Item = OsString>) -> bool {
        if self.take_plain(word) {
            return true;
        }
        if BEFORE_VALUE.contains(&word) {
            let value = words.next().unwrap_or_default();
            self.ignored.push(format!("{word} {}", value.display()));
            return true;
        }
        let Some((name, takes)) = WITH_VALUE.iter().find(|(name, _)| word.starts_with(name)) else {
            return false;
        };
        match &word[name.len()..] {
            "" => {
                let value = words.next().unwrap_or_default();
                self.use_value(*takes, name, &value.to_string_lossy());
            }
            value => self.use_value(*takes, name, value),
        }
        true
    }

    fn take_plain(&mut self, word: &str) -> bool {
        match word {
            "-m32" => self.machine = Some(Machine::Ilp32),
            "-m64" => self.machine = Some(Machine::Lp64),
            "-nostdinc" => self.flags.no_host_headers = true,
            "-ansi" => self.flags.standard = "c90".parse().ok(),
            "-ffreestanding" => {
                let hosted = MacroFlag::Define("__STDC_HOSTED__=0".into());
                self.flags.macros.push(hosted);
            }
            _ if UNMODELLED.iter().any(|name| word.starts_with(name)) => {
                self.flags.unmodelled.push(word.into());
            }
            _ if word.starts_with("-std=") || word.starts_with("--std=") => {
                let (_, name) = word.split_once('=').unwrap_or_default();
                self.use_value(Takes::Standard, "-std=", name);
            }
            _ if IGNORED.contains(&word) => self.ignored.push(word.into()),
            _ if IGNORED_PREFIXES.iter().any(|name| word.starts_with(name)) => {
                self.ignored.push(word.into());
            }
            _ => return false,
        }
        true
    }

    fn use_value(&mut self, takes: Takes, name: &str, value: &str) {
        let flags = &mut self.flags;
        match takes {
            Takes::Quote => flags.quote.push(value.into()),
            Takes::Include => flags.include.push(value.into()),
            Takes::System => flags.system.push(value.into()),
            Takes::First => flags.first.push(value.into()),
            Takes::Define => flags.macros.push(MacroFlag::Define(value.into())),
            Takes::Undefine => flags.macros.push(MacroFlag::Undefine(value.into())),
            Takes::Standard => match value.parse::<Standard>() {
                Ok(standard) => flags.standard = Some(standard),
                Err(()) => self.ignored.push(format!("{name}{value}")),
            },
            Takes::Nothing => self.ignored.push(format!("{name}{value}")),
        }
    }
}

/// Files of a compiler's command line that are no C text: objects, libraries, assembly.
pub fn is_for_the_linker(word: &OsString) -> bool {
    let Some(text) = word.to_str().filter(|text| !text.starts_with('-')) else { return false };
    let last = text.rsplit('/').next().unwrap_or(text);
    let ends = ["o", "a", "so", "lo", "la", "s", "S", "ld", "map", "def"];
    last.contains(".so.") || last.rsplit_once('.').is_some_and(|(_, end)| ends.contains(&end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn of(line: &str) -> CommandWords {
        CommandWords::of(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn what_a_makefile_says() {
        let words =
            of("-Wall -O2 -g3 -std=gnu99 -I a -Ib -isystem c -include d.h -DX=1 -U Y -D Z \
            -pthread -lm -L lib -c x.c -o x.o -MMD -MF x.d -fPIC -march=native --timeout 5");
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(words.flags.include, paths(&["a", "b"]));
        assert_eq!(words.flags.system, paths(&["c"]));
        assert_eq!(words.flags.first, paths(&["d.h"]));
        let define = |text: &str| MacroFlag::Define(text.into());
        let macros = [define("X=1"), MacroFlag::Undefine("Y".into()), define("Z")];
        assert_eq!(words.flags.macros, macros);
        assert_eq!(words.rest, ["x.c", "--timeout", "5"]);
        assert_eq!(
            words.flags.standard.map(|s| (s.version, s.strict)),
            Some((Some("199901L"), false))
        );
        assert!(words.ignored.contains(&"-ox.o".into()) && words.ignored.contains(&"-fPIC".into()));
    }

    #[test]
    fn what_changes_the_program_is_not_forgotten() {
        let words = of("-m32 -funsigned-char -fshort-enums=1 -ansi");
        assert_eq!(words.machine, Some(Machine::Ilp32));
        assert_eq!(words.flags.unmodelled, ["-funsigned-char", "-fshort-enums=1"]);
        assert!(words.flags.standard.is_some_and(|s| s.strict && s.version.is_none()));
    }

    #[test]
    fn our_own_words_stay() {
        for line in [
            "-v --quiet a.c",
            "--unwind 3 -j 2",
            "- -- -Wall.c",
            "--json -q",
            "--mm sc",
            "--arg -O2",
        ] {
            let words = of(line);
            assert_eq!(words.rest.join(&OsString::from(" ")), OsString::from(line));
        }
        assert!(is_for_the_linker(&"a/b.o".into()) && is_for_the_linker(&"l.so.1".into()));
        assert!(!is_for_the_linker(&"a.c".into()) && !is_for_the_linker(&"-x.o".into()));
    }
}
