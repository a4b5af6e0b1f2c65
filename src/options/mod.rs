//! The one table of options.
//!
//! CommandWords go through two stages. `Cli` is what was typed: clap checks the shape of each word and
//! writes the help from the doc comments here. `Options` is what was meant: every value is in range
//! and no two contradict. Below this file no code sees a word of the command line, and none reads
//! the environment (`CC` and `NO_COLOR` are looked at here and in `main.rs`).
//!
//! CommandWords that belong to engines which have not moved in yet are known and refused by name: a user
//! who asks for a solver should not believe that there was one.
//!
//! - `bench.rs`: the part of the option table about running a whole suite
//! - `deferred.rs`: options of a command are put into the table when it is asked for
//! - `generate.rs`: manual pages and shell completions, made from the option table
//! - `litmus.rs`: the part of the option table about litmus tests
//! - `models.rs`: memory models that were asked for, and properties that they have answers for
//! - `output.rs`: the part of the option table about what a check leaves behind besides its text
//! - `prove.rs`: the part of the option table about the engine for loops without a bound
//! - `symbolic.rs`: the part of the option table about how the symbolic engine works

mod bench;
mod deferred;
mod generate;
mod litmus;
mod models;
mod output;
mod prove;
mod symbolic;

use crate::beside;
use crate::compile::{CommandWords, is_for_the_linker};
use crate::contract::{MemoryModel, Minimize, Property, Undefined};
use crate::engine::explore::{EagerAccesses, Explorer, Merge};
use crate::portfolio::Choice;
use crate::portfolio::table::{self, ENGINES};
use crate::request::{
    Bytes, Check, ExternPointers, Input, LoopBound, ModelAsked, Options, Races, Seconds, Show,
    Spin, Style, Task, Unwind, Validate, Volatile,
};
use crate::specification;
use clap::{Args, Parser, Subcommand, ValueEnum};
use deferred::Deferred;
use generate::GeneratedPage;
use ir::types::Machine;
use models::{NOT_YET, all_known, beside, is_for_c, models};
use output::OutputArgs;
use solver::weak::target::Target;
use std::ffi::OsString;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use symbolic::SymbolicArgs;

/// Checks that a multi-threaded C program never fails, whatever the schedule.
#[derive(Parser, Debug)]
#[command(name = "obmc", version, max_term_width = 100, subcommand_required = true)]
#[command(after_help = "Exit codes: 0 SAFE, 10 UNSAFE, 5 UNKNOWN or SAFE UP TO BOUND, 1 usage, \
    2 bad input, 6 internal error, 7 time or memory limit, or Ctrl-C.")]
struct Cli {
    #[command(subcommand)]
    command: CommandArgs,
}

#[derive(Subcommand, Debug)]
enum CommandArgs {
    /// Verify a program and print a verdict
    Check(Deferred<CheckArgs>),
    /// Check what a compiler's command line names: put obmc in front of it
    #[command(aliases = ["gcc", "clang"])]
    Cc(Deferred<CheckArgs>),
    /// Verify by trying every schedule: check with --engine explore
    Explore(Deferred<CheckArgs>),
    /// Follow a violation witness, ours or another tool's, and judge it
    Validate(Deferred<ValidateArgs>),
    /// Print what was understood of a program
    Show(Deferred<ShowArgs>),
    /// Run a suite of tasks and write a report
    Bench(Deferred<bench::BenchArgs>),
    /// Find a smallest set of stronger orders and fences that makes a program safe (--mm rc11)
    Fences(Deferred<CheckArgs>),
    /// Run litmus tests under a memory model
    Litmus(Deferred<litmus::LitmusArgs>),
    /// Print a manual page
    Man {
        /// The page to print
        #[arg(value_enum, default_value = "obmc", hide_possible_values = true)]
        page: GeneratedPage,
        /// List the pages
        #[arg(long)]
        pages: bool,
    },
    /// Print completions for a shell
    Completions {
        /// The shell to print them for
        shell: clap_complete::Shell,
    },
    /// Run the program once in the interpreter
    #[command(hide = true)]
    Run(Deferred<InputArgs>),
}

#[derive(Args, Debug)]
struct InputArgs {
    /// C files: .i is read as it is, anything else is preprocessed first
    #[arg(required_unless_present = "main_file", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A compilation database: whatever the files need of it belongs to the program
    #[arg(long, value_name = "compile_commands.json")]
    compile_commands: Option<PathBuf>,
    /// A file of the program, with the threads: the harness of a --compile-commands
    #[arg(long = "main", value_name = "FILE")]
    main_file: Option<PathBuf>,
    /// What the compiler's words said, which never get here.
    #[arg(skip)]
    compiler: CommandWords,
    /// The machine has 32-bit pointers and longs [alias: --ILP32]
    #[arg(long = "32", alias = "ILP32", conflicts_with_all = ["lp64", "data_model"])]
    ilp32: bool,
    /// The machine has 64-bit pointers and longs (the default) [alias: --LP64]
    #[arg(long = "64", alias = "LP64", conflicts_with = "data_model")]
    lp64: bool,
    /// The same by name [alias: --architecture]
    #[arg(long, alias = "architecture", value_enum, ignore_case = true)]
    data_model: Option<DataModel>,
    /// Where the program starts (main, or what a .prp file says) [alias: --entry]
    #[arg(long, alias = "entry", value_name = "F")]
    function: Option<String>,
    /// Look for header files in DIR first
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// Define a macro for the preprocessor
    #[arg(short = 'D', value_name = "MACRO[=V]")]
    define: Vec<String>,
    /// Undefine a macro; so are -isystem, -iquote, -include, -std=, -m32; other options of compilers
    /// (-O -W -f -m -g -l -L -c -o ...) have no effect, -v lists them
    #[arg(short = 'U', value_name = "MACRO")]
    undefine: Vec<String>,
    /// Preprocess with this compiler instead of by obmc itself; also the compiler of --replay
    #[arg(long, env = "CC", hide_env_values = true, value_name = "PROGRAM")]
    cc: Option<String>,
    /// Volatile accesses may race, as C says, or are taken for atomic ones (an assumption)
    #[arg(long, value_enum, default_value = "race", value_name = "race|atomic|relaxed")]
    #[arg(hide_possible_values = true)]
    volatile: Volatile,
    /// Functions without a body return any address, or a new object of the pointee's size (an assumption;
    /// no violation behind it is told)
    #[arg(long, value_enum, default_value = "any", value_name = "any|fresh")]
    #[arg(hide_possible_values = true)]
    extern_pointers: ExternPointers,
    /// A word that main is called with, once for each (argv[0] is `prog`); without: any words
    #[arg(
        long = "arg",
        value_name = "WORD",
        allow_hyphen_values = true,
        conflicts_with = "function"
    )]
    arguments: Vec<String>,
    /// Give up after this time: 20s, 5m, 1h or plain seconds [alias: --timelimit]
    #[arg(long, alias = "timelimit", value_name = "TIME")]
    timeout: Option<Seconds>,
    /// Give up at this peak memory: 512m, 15g
    #[arg(long, value_name = "SIZE")]
    memlimit: Option<Bytes>,
    /// Tell on stderr what is going on; twice for more
    #[arg(short, long, action = clap::ArgAction::Count)]
    verbose: u8,
    /// Show no progress on the terminal
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Args, Debug)]
struct CheckArgs {
    #[command(flatten)]
    input: InputArgs,
    /// What to show: unreach-call, no-data-race, valid-memsafety, no-overflow, no-deadlock,
    /// no-livelock, a list of these, all, or an SV-COMP .prp file [default: all that the memory model allows];
    /// robust: the memory model (rc11) adds no execution to interleavings
    #[arg(long, alias = "spec", value_name = "P,..|FILE.prp")]
    property: Option<String>,
    #[arg(long, value_name = "ENGINE", help = engine_help())]
    engine: Option<String>,
    /// Engines of auto that may work at the same time [default: 1; on a terminal, the number of
    /// processors]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Memory models, one verdict each: sc, tso, pso, rc11, c11, imm, armv8, power, riscv, lkmm, or wsc, which allows a
    /// little more than sc [default: sc; rc11 besides, if the program has atomic accesses weaker than seq_cst]
    #[arg(long, value_name = "M,..", value_delimiter = ',')]
    mm: Vec<String>,
    /// A memory model of your own, in the cat language
    #[arg(long, value_name = "F.cat", conflicts_with = "mm")]
    cat: Option<PathBuf>,
    /// What atomic operations are compiled to: c11 (not at all), imm, x86, armv8, power, riscv, linux
    /// [default: what the model speaks about; c11 with --cat]
    #[arg(long, value_name = "T")]
    target: Option<String>,
    /// explore: accesses that nothing races with need no interleaving of their own
    #[arg(long, value_enum, value_name = "on|off", hide_possible_values = true)]
    eager: Option<EagerAccesses>,
    /// explore: states that differ only in what is never read again count as one
    #[arg(long, value_enum, value_name = "on|off", hide_possible_values = true)]
    merge: Option<Merge>,
    #[command(flatten)]
    symbolic: SymbolicArgs,
    #[command(flatten)]
    prove: prove::ProveArgs,
    /// Cut off the N-th jump back to the head of any loop, 1 or more; auto follows loops as far as
    /// they go [aliases: --unroll, --bound]
    #[arg(long, aliases = ["unroll", "bound"], value_name = "N|auto", default_value = "auto")]
    unwind: Unwind,
    /// Bounds of single loops, by the names that --show-loops prints
    #[arg(long, value_name = "LOOP:N,..", value_delimiter = ',')]
    unwindset: Vec<LoopBound>,
    /// Print the loops and their names instead of a verdict
    #[arg(long)]
    show_loops: bool,
    /// SAFE UP TO BOUND is good enough: exit with 0
    #[arg(long)]
    accept_bounded: bool,
    /// Make one look of loops that only wait, and one step of a compare-and-swap that is tried again
    #[arg(
        long,
        value_enum,
        value_name = "on|off",
        hide_possible_values = true,
        default_value = "on"
    )]
    spin: Spin,
    /// Whatever had to be assumed makes the answer UNKNOWN
    #[arg(long)]
    strict: bool,
    /// malloc, calloc and realloc may return a null pointer
    #[arg(long)]
    malloc_may_fail: bool,
    /// An execution that does what C does not define, if something else is asked: nothing is proven
    /// (unknown), it ends there and a proof says so (ends), or the same where pointers come from outside
    /// and in arithmetic (outside)
    #[arg(long, value_enum, default_value = "unknown", value_name = "unknown|ends|outside")]
    #[arg(hide_possible_values = true)]
    undefined: Undefined,
    /// Tell only the first data race that is found, not all that a moment more shows
    #[arg(long)]
    first: bool,
    /// Races that are let be: lines `FILE:LINE [FILE:LINE] REASON`; a comment `obmc: race-ok: REASON`
    /// in the line does the same
    #[arg(long, value_name = "FILE")]
    suppressions: Option<PathBuf>,
    /// The steps that lead to a violation: those that concern several threads, all, or none
    #[arg(long, value_enum, default_value = "compact", value_name = "compact|full|off")]
    #[arg(hide_possible_values = true)]
    trace: Style,
    /// The same as --trace off
    #[arg(long, conflicts_with = "trace")]
    no_trace: bool,
    /// Look for a counterexample with fewer context switches, steps and smaller inputs
    #[arg(long, value_enum, default_value = "on", value_name = "on|off")]
    #[arg(hide_possible_values = true)]
    minimize: Minimize,
    /// Print one JSON document instead of text [alias: --json-ui]
    #[arg(long, alias = "json-ui")]
    json: bool,
    /// Print counters and times as `name: value` lines
    #[arg(long)]
    stats: bool,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "Exit codes: 10 confirmed (the program violates the property along the \
    witness), 0 refuted (no execution along it does), 5 unclear; 1, 2, 6, 7 as for check.")]
struct ValidateArgs {
    #[command(flatten)]
    input: InputArgs,
    /// The witness: GraphML 1.0 or YAML 2.x
    #[arg(long, value_name = "FILE")]
    witness: PathBuf,
    /// The property that it must be about (what it says itself)
    #[arg(long, alias = "spec", value_name = "P|FILE.prp")]
    property: Option<String>,
    /// malloc, calloc and realloc may return a null pointer
    #[arg(long)]
    malloc_may_fail: bool,
}

#[derive(Args, Debug)]
struct ShowArgs {
    #[command(flatten)]
    input: InputArgs,
    /// The intermediate representation (the default)
    #[arg(long)]
    ir: bool,
    /// The loops with their names and lines
    #[arg(long)]
    loops: bool,
    /// The functions that run as threads
    #[arg(long)]
    threads: bool,
    /// The events that the symbolic engine makes of it, with loops unrolled N times (2)
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "2")]
    events: Option<u32>,
    /// Write the control-flow graphs as a Graphviz file
    #[arg(long, value_name = "F.dot")]
    cfg: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum, Debug)]
enum DataModel {
    #[value(name = "ILP32", alias = "32bit")]
    Ilp32,
    #[value(name = "LP64", alias = "64bit")]
    Lp64,
}

/// Needs: the program's arguments, its own name first. Gives: checked options, or clap's message
/// (also for `--help` and `--version`; `exit_code` tells them apart).
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Options, clap::Error> {
    let (words, compiler) = compiler_words(words.into_iter().collect());
    let mut cli = Cli::try_parse_from(words)?;
    if let Some(input) = cli.command.input() {
        input.compiler = compiler;
    }
    match cli.command {
        CommandArgs::Check(args) | CommandArgs::Cc(args) => check_options(args.0),
        CommandArgs::Explore(args) => check_options(explore_only(args.0)?),
        CommandArgs::Fences(args) => fences_options(args.0),
        CommandArgs::Validate(args) => validate_options(args.0),
        CommandArgs::Show(args) => show_options(args.0),
        CommandArgs::Bench(args) => {
            let (common, plan) = bench::plan(args.0)?;
            Ok(options(common, Task::Bench(plan)))
        }
        CommandArgs::Litmus(args) => {
            let (common, plan) = litmus::plan(args.0);
            Ok(options(common, Task::Litmus(plan)))
        }
        CommandArgs::Man { pages: true, .. } => Ok(print(generate::pages())),
        CommandArgs::Man { page, .. } => Ok(print(generate::man(page))),
        CommandArgs::Completions { shell } => Ok(print(generate::completions(shell))),
        CommandArgs::Run(args) => Ok(options(input(args.0, None), Task::Run)),
    }
}

/// Takes out what a compiler would read, where a program is to be read.
fn compiler_words(mut words: Vec<OsString>) -> (Vec<OsString>, CommandWords) {
    let command = words.get(1).and_then(|word| word.to_str()).unwrap_or_default();
    let is_cc = matches!(command, "cc" | "gcc" | "clang");
    if !is_cc && !matches!(command, "check" | "explore" | "fences" | "validate" | "show" | "run") {
        return (words, CommandWords::default());
    }
    let behind = words.split_off(2);
    let mut taken = CommandWords::of(behind);
    let rest = std::mem::take(&mut taken.rest);
    let (linked, rest): (Vec<_>, Vec<_>) =
        rest.into_iter().partition(|word| is_cc && is_for_the_linker(word));
    taken.ignored.extend(linked.iter().map(|word| word.display().to_string()));
    words.extend(rest);
    (words, taken)
}

impl CommandArgs {
    /// The part about the program to read, if there is one.
    fn input(&mut self) -> Option<&mut InputArgs> {
        match self {
            CommandArgs::Check(args)
            | CommandArgs::Cc(args)
            | CommandArgs::Explore(args)
            | CommandArgs::Fences(args) => Some(&mut args.0.input),
            CommandArgs::Validate(args) => Some(&mut args.0.input),
            CommandArgs::Show(args) => Some(&mut args.0.input),
            CommandArgs::Run(args) => Some(&mut args.0),
            CommandArgs::Bench(_)
            | CommandArgs::Litmus(_)
            | CommandArgs::Man { .. }
            | CommandArgs::Completions { .. } => None,
        }
    }
}

/// 0 for help and version, 1 for usage errors.
pub fn exit_code(error: &clap::Error) -> u8 {
    u8::from(error.use_stderr())
}

fn explore_only(mut args: CheckArgs) -> Result<CheckArgs, clap::Error> {
    match args.engine.replace("explore".into()) {
        Some(engine) if engine != "explore" => {
            Err(usage(format!("obmc explore does not go with --engine {engine}")))
        }
        _ => Ok(args),
    }
}

/// One model without schedules, and properties that it has answers for.
fn fences_options(mut args: CheckArgs) -> Result<Options, clap::Error> {
    if args.mm.is_empty() && args.cat.is_none() {
        args.mm = vec![beside::NAME.into()];
    }
    args.property.get_or_insert("unreach-call".into());
    let mut options = check_options(args)?;
    options.task = match options.task {
        Task::Check(check) => match &check.models[..] {
            [ModelAsked::InCat(_)] => Task::Fences(check),
            _ => return Err(usage("obmc fences goes with one memory model other than sc and wsc")),
        },
        task => task,
    };
    Ok(options)
}

fn check_options(mut args: CheckArgs) -> Result<Options, clap::Error> {
    refuse_later(&args)?;
    let named = args.property.as_deref().map(specification::parse).transpose().map_err(usage)?;
    let robust = named.as_ref().is_some_and(|n| n.properties.contains(&Property::Robust));
    if robust && args.mm.is_empty() && args.cat.is_none() {
        args.mm = vec![beside::NAME.into()]; // interleavings add nothing to themselves
    }
    args.prove.searches(args.symbolic.search);
    let engine = engine(&args)?;
    let (models, beside) = (models(&args)?, beside(&args));
    let named = named
        .unwrap_or_else(|| specification::Named { properties: all_known(&models), entry: None });
    let input = input(args.input, named.entry.as_deref());
    if args.show_loops {
        let show = Show { ir: false, loops: true, threads: false, events: None, cfg: None };
        return Ok(options(input, Task::Show(show)));
    }
    let check = Check {
        properties: named.properties,
        by_default: args.property.is_none(),
        engine,
        jobs: jobs(args.jobs),
        beside,
        models,
        explore: Explorer {
            eager: args.eager.unwrap_or_default(),
            merge: args.merge.unwrap_or_default(),
            ..Explorer::default()
        },
        symbolic: args.symbolic.config(),
        prove: args.prove.config(args.symbolic.self_check),
        symex: args.prove.symex(),
        unwind: args.unwind,
        unwindset: args.unwindset,
        accept_bounded: args.accept_bounded,
        spin: args.spin,
        strict: args.strict,
        malloc_may_fail: args.malloc_may_fail,
        undefined: args.undefined,
        races: if args.first { Races::First } else { Races::All },
        suppressions: args.suppressions,
        trace: if args.no_trace { Style::Off } else { args.trace },
        width: page_width(),
        minimize: args.minimize,
        json: args.json,
        stats: args.stats,
        output: output::output(args.output)?,
    };
    Ok(options(input, Task::Check(check)))
}

/// The table of engines as a sentence.
fn engine_help() -> String {
    let rows: Vec<String> =
        ENGINES.iter().map(|row| format!("{} {}", row.name, row.help)).collect();
    format!("Who answers: {}, auto lets them share the time [default: auto]", rows.join(", "))
}

/// One that the table knows, or all by the policy. Options for an engine go with no other.
fn engine(args: &CheckArgs) -> Result<Choice, clap::Error> {
    let Some(row) = args.engine.as_deref().and_then(table::named) else {
        return args.prove.clash().map_or(Ok(Choice::Auto), |clash| Err(usage(clash)));
    };
    let weak = || {
        (args.cat.is_some() || args.mm.iter().any(|model| model != "sc"))
            .then_some("a memory model other than sc")
    };
    let of_bmc = args.symbolic.given().or_else(weak);
    let of_bmc = of_bmc.filter(|word| *word != "--self-check" || row.name != table::PROVE.name);
    let of_explore = args.eager.map(|_| "--eager").or(args.merge.map(|_| "--merge"));
    let explored = |m: &String| {
        ["sc", "tso", "pso", "rc11", "imm", "armv8", "power", "riscv"].contains(&m.as_str())
    };
    let buffers = args.cat.is_none() && args.mm.iter().all(explored);
    let unbuffered =
        || weak().filter(|_| !buffers).map(|_| "a memory model such as wsc, c11 or lkmm");
    let wrong = match row.name {
        name if name == table::EXPLORE.name => {
            args.symbolic.given().or_else(unbuffered).or(args.prove.given())
        }
        name if name == table::BMC.name => args.prove.given().or(of_explore),
        name if name == table::PROVE.name => of_bmc.or(args.prove.for_symex()).or(of_explore),
        name if name == table::VALUES.name => {
            args.symbolic.given().or(args.prove.given()).or(of_explore)
        }
        name if name == table::SYMEX.name => of_bmc.or(args.prove.for_prove()).or(of_explore),
        _ => of_bmc.or(args.prove.given()).or(of_explore),
    };
    if let (true, Some(clash)) = (row.name == table::PROVE.name, args.prove.clash()) {
        return Err(usage(clash));
    }
    match wrong {
        Some(word) => Err(usage(format!("{word} does not go with --engine {}", row.name))),
        None => Ok(Choice::Only(row)),
    }
}

/// As many as there are engines and processors, for a user who looks on; else one, since competitions
/// and build machines count the time of all processors.
fn jobs(wanted: Option<NonZeroUsize>) -> NonZeroUsize {
    let processors = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let looks_on = std::io::stdout().is_terminal() && std::io::stderr().is_terminal();
    wanted.unwrap_or_else(|| if looks_on { processors() } else { NonZeroUsize::MIN })
}

/// The terminal's columns; what goes elsewhere is 80 columns wide.
fn page_width() -> usize {
    let stdout = std::io::stdout();
    let size = stdout.is_terminal().then(|| rustix::termios::tcgetwinsize(&stdout).ok()).flatten();
    size.map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0).unwrap_or(80)
}

fn validate_options(args: ValidateArgs) -> Result<Options, clap::Error> {
    let named = args.property.as_deref().map(specification::parse).transpose().map_err(usage)?;
    let property = match named.as_ref().map(|n| &n.properties[..]) {
        None => None,
        Some([property]) => Some(*property),
        Some(_) => return Err(usage("a witness is about one property")),
    };
    let words = &args.input;
    let entry = named.and_then(|n| n.entry);
    let validate = Validate {
        witness: args.witness,
        property,
        malloc_may_fail: args.malloc_may_fail,
        any_machine: !words.ilp32
            && !words.lp64
            && words.data_model.is_none()
            && words.compiler.machine.is_none(),
        any_entry: words.function.is_none() && entry.is_none(),
    };
    Ok(options(input(args.input, entry.as_deref()), Task::Validate(validate)))
}

fn show_options(args: ShowArgs) -> Result<Options, clap::Error> {
    let nothing_named = !args.loops && !args.threads && args.events.is_none() && args.cfg.is_none();
    let show = Show {
        ir: args.ir || nothing_named,
        loops: args.loops,
        threads: args.threads,
        events: args.events,
        cfg: args.cfg,
    };
    Ok(options(input(args.input, None), Task::Show(show)))
}

/// The part of the command line that every command has, before it is divided up.
struct Common {
    input: Input,
    timeout: Option<Seconds>,
    memlimit: Option<Bytes>,
    verbose: u8,
    quiet: bool,
}

fn input(args: InputArgs, entry: Option<&str>) -> Common {
    let said = args.lp64 || args.data_model.is_some();
    let by_compiler = !said && args.compiler.machine == Some(Machine::Ilp32);
    let ilp32 = args.ilp32 || by_compiler || matches!(args.data_model, Some(DataModel::Ilp32));
    let machine = if ilp32 { Machine::Ilp32 } else { Machine::Lp64 };
    let files = args.main_file.into_iter().chain(args.files).collect();
    let input = Input {
        entry: args.function.unwrap_or_else(|| entry.unwrap_or("main").to_string()),
        flags: args.compiler.flags,
        ignored: args.compiler.ignored,
        database: args.compile_commands,
        cc: args.cc.filter(|cc| !cc.trim().is_empty()),
        volatile: args.volatile,
        extern_pointers: args.extern_pointers,
        arguments: args.arguments,
        ..Input::of(files, machine)
    };
    let InputArgs { timeout, memlimit, verbose, quiet, .. } = args;
    Common { input, timeout, memlimit, verbose, quiet }
}

fn options(common: Common, task: Task) -> Options {
    let Common { input, timeout, memlimit, verbose, quiet } = common;
    Options { input, task, timeout, memlimit, verbose, quiet }
}

fn refuse_later(args: &CheckArgs) -> Result<(), clap::Error> {
    if let Some(engine) = &args.engine {
        let names: Vec<&str> = ENGINES.iter().map(|row| row.name).chain(["auto"]).collect();
        one_of("--engine", engine, &names, &[])?;
    }
    let models = MemoryModel::ALL.map(MemoryModel::name).into_iter();
    let models: Vec<&str> = models.chain(cat::BUILTIN.iter().copied().filter(is_for_c)).collect();
    args.mm.iter().try_for_each(|model| one_of("--mm", model, &models, NOT_YET))?;
    let targets = Target::ALL.map(Target::name);
    args.target.iter().try_for_each(|target| one_of("--target", target, &targets, &[]))
}

/// Tells what exists from what is planned from what is a typing error.
fn one_of(option: &str, value: &str, now: &[&str], later: &[&str]) -> Result<(), clap::Error> {
    if now.contains(&value) {
        return Ok(());
    }
    let problem = if later.contains(&value) { "is not available yet" } else { "is not known" };
    Err(usage(format!("{option} {value} {problem} (there is: {})", now.join(", "))))
}

/// Nothing but this text.
fn print(text: String) -> Options {
    let input = Input::of(Vec::new(), Machine::Lp64);
    let common = Common { input, timeout: None, memlimit: None, verbose: 0, quiet: false };
    options(common, Task::Print(text))
}

fn usage(message: impl std::fmt::Display) -> clap::Error {
    clap::Error::raw(clap::error::ErrorKind::ValueValidation, format!("{message}\n"))
}

#[cfg(test)]
mod tests;
