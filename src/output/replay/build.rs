//! Compiles and runs what `folder` has written, within limits.

use super::folder::BuildPlan;
use crate::interrupt::Interrupt;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// For one run of the compiler, and for the program.
const COMPILE_TIME: Duration = Duration::from_secs(120);
const RUN_TIME: Duration = Duration::from_secs(10);
const POLL: Duration = Duration::from_millis(2);

/// The compiler, and what it can do.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// As the user would type it; may carry arguments.
    pub command: String,
    pub flags: Vec<String>,
    /// Programs for 32-bit machines are built as such.
    pub can_build_32: bool,
    /// What makes calls of AddressSanitizer's checks.
    address: Vec<&'static str>,
}

/// What the checks in the program are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sanitizer {
    None,
    /// Traps at arithmetic that overflows.
    Overflow,
    /// Traps at null pointers and indices that are out of bounds.
    Access,
    /// The bounds and lives of locals and globals.
    Address,
}

/// Checks of addresses are calls, in the words of gcc and of clang. Common symbols have no bounds.
const ADDRESS: [&[&str]; 2] = [
    &["-fsanitize=address", "-fno-common", "--param", "asan-instrumentation-with-call-threshold=0"],
    &["-fsanitize=address", "-fno-common", "-mllvm", "-asan-instrumentation-with-call-threshold=0"],
];
/// Functions of a program that counts on the rules of C99 for `inline`, or on no rules.
const PLAIN_FUNCTIONS: [&str; 3] = ["-Dinline=", "-D__inline=", "-D__inline__="];
/// For a program that is no C17.
const NEXT_STANDARD: &str = "-std=gnu2x";
const TRAP: &str = "-fsanitize-undefined-trap-on-error";
const RUNTIME: [&str; 6] = ["scheduler.c", "memory.c", "hooks.c", "place.c", "script.c", "stubs.c"];

const FLAGS: &[&str] = &[
    "-std=gnu17",
    "-w",
    // Of version 5, addr2line (binutils 2.40) mistakes the files.
    "-gdwarf-4",
    "-O0",
    "-fno-builtin",
    "-fcommon",
    "-fgnu89-inline",
    "-fno-strict-aliasing",
    "-fno-stack-protector",
    "-fno-omit-frame-pointer",
];
/// Used where the compiler knows them.
const OPTIONAL_FLAGS: &[&str] = &["-ftrivial-auto-var-init=zero", "-fpermissive"];

impl Compiler {
    /// The first one that is there.
    pub fn find(wanted: Option<&str>, folder: &Path, ilp32: bool) -> Result<Compiler, String> {
        let candidates = match wanted {
            Some(cc) => vec![cc],
            None => vec!["gcc", "cc", "clang"],
        };
        let probe = folder.join("probe.c");
        let text = "int main(void) { return 0; }\n";
        std::fs::write(&probe, text).map_err(|e| format!("cannot write a file: {e}"))?;
        let found = candidates.iter().find(|cc| works(cc, &["-c"], folder));
        let Some(command) = found.map(|cc| (*cc).to_owned()) else {
            let list = candidates.join(", ");
            return Err(format!("no C compiler works here (tried {list}): install gcc or clang"));
        };
        let mut flags: Vec<String> = FLAGS.iter().map(|f| (*f).to_owned()).collect();
        let known =
            OPTIONAL_FLAGS.iter().filter(|f| works(&command, &["-c", "-Werror", f], folder));
        flags.extend(known.map(|f| (*f).to_owned()));
        let can_build_32 = ilp32 && works(&command, &["-m32"], folder);
        let address = ADDRESS.iter().find(|words| works(&command, words, folder));
        let address = address.map(|words| words.to_vec()).unwrap_or_default();
        let _ = std::fs::remove_file(probe);
        let _ = std::fs::remove_file(folder.join("probe.out"));
        Ok(Compiler { command, flags, can_build_32, address })
    }

    /// Is there AddressSanitizer?
    pub fn checks_addresses(&self) -> bool {
        !self.address.is_empty()
    }

    /// The arguments of each call, in order.
    pub fn commands(&self, plan: &BuildPlan, sanitizer: Sanitizer, m32: bool) -> Vec<Vec<String>> {
        let own = |words: &[&str]| words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        let mut common = self.flags.clone();
        common.extend(m32.then(|| "-m32".to_owned()));
        let hooks = match sanitizer {
            Sanitizer::Address => own(&self.address),
            _ => own(&["-fsanitize=thread"]),
        };
        let undefined = match sanitizer {
            Sanitizer::Overflow => own(&["-fsanitize=signed-integer-overflow,shift", TRAP]),
            Sanitizer::Access => own(&["-fwrapv", "-fsanitize=null,bounds", TRAP]),
            _ => own(&["-fwrapv"]),
        };
        let ours = own(&["-finstrument-functions", "-undef", "-include", "rename.h"]);
        let as_c = own(&["-c", "-x", "c"]);
        let program =
            [&common, &hooks, &ours, &undefined, &as_c, &plan.program].map(|w| &w[..]).concat();
        let renamed = own(&["-fwrapv", "-include", "rename.h", "-c"]);
        let models = [&common, &hooks, &renamed, &plan.models].map(|w| &w[..]).concat();
        let mut runtime = own(&RUNTIME);
        runtime.extend((sanitizer == Sanitizer::Address).then(|| "asan.c".to_owned()));
        let scheduler = [&common, &own(&["-c"]), &runtime].map(|w| &w[..]).concat();
        let files = runtime.iter().chain(&plan.program).chain(&plan.models);
        let objects: Vec<String> = files.map(|file| object(file)).collect();
        let mut link = [&common, &own(&["-o", "replay"]), &objects].map(|w| &w[..]).concat();
        link.extend(own(&["-pthread", "-Wl,--allow-multiple-definition", "-lm"]));
        if sanitizer == Sanitizer::Address {
            link.push("-fsanitize=address".into());
            link.extend(wrapped());
        }
        let mut commands = vec![program];
        if !plan.models.is_empty() {
            commands.push(models);
        }
        commands.extend([scheduler, link]);
        commands
    }

    /// Builds, if need be with all functions of the program as plain ones or as C23; gives what was
    /// done.
    pub fn build(
        &self,
        folder: &Path,
        mut commands: Vec<Vec<String>>,
    ) -> Result<Vec<Vec<String>>, String> {
        match self.try_build(folder, &commands) {
            Err(why) if why.contains("undefined reference") => {
                commands[0].splice(0..0, PLAIN_FUNCTIONS.map(str::to_owned));
                self.try_build(folder, &commands).map_err(|_| why)?;
            }
            Err(why) if why.contains("error: ") => {
                // Of two options the last one counts.
                let before_last = commands[0].len() - 1;
                commands[0].insert(before_last, NEXT_STANDARD.to_owned());
                self.try_build(folder, &commands).map_err(|_| why)?;
            }
            result => result?,
        }
        Ok(commands)
    }

    fn try_build(&self, folder: &Path, commands: &[Vec<String>]) -> Result<(), String> {
        for arguments in commands {
            let (status, said) = run(&self.command, arguments, folder, COMPILE_TIME)?;
            if !status.success() {
                let error = said.lines().find(|l| l.contains("error") || l.contains("undefined"));
                let error = error.or(said.lines().next()).unwrap_or("no reason given");
                return Err(format!("the compiler refuses the program: {error}"));
            }
        }
        Ok(())
    }
}

fn object(file: &str) -> String {
    format!("{}.o", file.trim_end_matches(".i").trim_end_matches(".c"))
}

/// Checks that asan.c stands before.
fn wrapped() -> impl Iterator<Item = String> {
    let sizes = ["1", "2", "4", "8", "16", "N"];
    ["load", "store"].into_iter().flat_map(move |name| {
        sizes.into_iter().map(move |size| format!("-Wl,--wrap=__asan_{name}{size}"))
    })
}

/// What the scheduler said at the end: `Ok` if the error came up.
pub fn execute(folder: &Path) -> Result<String, String> {
    let program = folder.join("replay");
    let program = std::path::absolute(&program).unwrap_or(program);
    let said = match run(&program.to_string_lossy(), &[], folder, RUN_TIME) {
        Ok((_, said)) => said,
        Err(why) if why == TOO_LONG => {
            return Err(format!(
                "the program ran for {} seconds and did not fail",
                RUN_TIME.as_secs()
            ));
        }
        Err(why) => return Err(why),
    };
    verdict(&said)
}

fn verdict(said: &str) -> Result<String, String> {
    let lines: Vec<&str> = said.lines().filter_map(|l| l.strip_prefix("obmc-replay: ")).collect();
    for (i, line) in lines.iter().enumerate() {
        if let Some(what) = line.strip_prefix("reproduced: ") {
            return Ok(what.to_owned());
        }
        if let Some(why) = line.strip_prefix("not reproduced: ") {
            let more: Vec<&str> = lines[i + 1..].to_vec();
            let more =
                if more.is_empty() { String::new() } else { format!(" ({})", more.join("; ")) };
            return Err(format!("{why}{more}"));
        }
    }
    Err("the program ended without a word of the scheduler".into())
}

const TOO_LONG: &str = "the compiler takes too long";

fn works(cc: &str, arguments: &[&str], folder: &Path) -> bool {
    let mut words: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
    words.extend(["-o", "probe.out", "probe.c"].map(str::to_owned));
    run(cc, &words, folder, COMPILE_TIME).is_ok_and(|(status, _)| status.success())
}

/// Runs a command in a folder; gives what it said on stderr.
fn run(
    command: &str,
    arguments: &[String],
    folder: &Path,
    limit: Duration,
) -> Result<(ExitStatus, String), String> {
    let messages = folder.join("messages.txt");
    let stderr = File::create(&messages).map_err(|e| format!("cannot write a file: {e}"))?;
    // A compiler may come with arguments, a path with blanks.
    let whole = Path::new(command).is_file();
    let mut words =
        if whole { vec![command] } else { command.split_whitespace().collect() }.into_iter();
    let program = words.next().unwrap_or("cc");
    let mut command = Command::new(program);
    command.args(words).args(arguments).current_dir(folder).env("LC_ALL", "C");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
    log::debug!("{command:?}");
    let mut child = command.spawn().map_err(|e| match e.kind() {
        ErrorKind::NotFound => format!("{program} is not there"),
        _ => format!("cannot run {program}: {e}"),
    })?;
    let end = Instant::now() + limit;
    let interrupt = Interrupt::by_signal();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if interrupt.requested() || Instant::now() > end => {
                let _ = child.kill();
                let _ = child.wait();
                let why = if interrupt.requested() { "interrupted" } else { TOO_LONG };
                return Err(why.into());
            }
            Ok(None) => std::thread::sleep(POLL),
            Err(e) => return Err(format!("cannot wait for {program}: {e}")),
        }
    };
    let said = String::from_utf8_lossy(&std::fs::read(&messages).unwrap_or_default()).into_owned();
    let _ = std::fs::remove_file(messages);
    Ok((status, said))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_is_the_schedulers() {
        let said = "hello\nobmc-replay: reproduced: assertion `x` failed at a.c:3\n";
        assert_eq!(verdict(said), Ok("assertion `x` failed at a.c:3".into()));
        let said = "obmc-replay: not reproduced: it hangs\nobmc-replay: before that: oops\n";
        assert_eq!(verdict(said), Err("it hangs (before that: oops)".into()));
        assert!(verdict("Segmentation fault").is_err());
    }

    #[test]
    fn every_file_is_compiled_once_and_linked() {
        let compiler = Compiler {
            command: "cc".into(),
            flags: vec!["-g".into()],
            can_build_32: false,
            address: vec!["-fsanitize=address"],
        };
        let plan =
            BuildPlan { program: vec!["program.i".into()], models: vec!["model_mutex.c".into()] };
        let commands = compiler.commands(&plan, Sanitizer::None, true);
        assert_eq!(commands.len(), 4);
        assert!(commands.iter().all(|c| c.contains(&"-m32".to_owned())));
        assert!(commands[2].contains(&"script.c".to_owned()));
        for word in ["program.o", "model_mutex.o", "script.o"] {
            assert!(commands[3].contains(&word.to_owned()), "{word}");
        }
        // The scheduler itself is not checked.
        let checked = compiler.commands(&plan, Sanitizer::Address, false);
        let has = |i: usize, word: &str| checked[i].contains(&word.to_owned());
        assert_eq!([0, 1, 2, 3].map(|i| has(i, "-fsanitize=address")), [true, true, false, true]);
        assert!(has(2, "asan.c") && has(3, "-Wl,--wrap=__asan_load4"));
    }
}
