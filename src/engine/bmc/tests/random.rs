//! Random C programs: whatever the options are, the symbolic engine says what the explorer says.
//!
//! Both get the same program with the same bounds, so that even "safe as far as the bounds go" is
//! the same answer for both. Only a doubt (undefined or unmodelled behaviour) may be seen by one and
//! not by the other, and loops before an assumption that fails in the end; those are counted, since each is a sound answer and most come from the order in
//! which things are looked for. Under weak sequential consistency there are more executions: what it
//! calls safe is safe, and what is unsafe it calls unsafe.

use super::super::bounds::{BoundsPlan, KNOWN_ITERATIONS};
use super::super::{Accelerate, Bmc, Config, Intervals, Solver, SolverSearch, Symmetry};
use crate::contract::{
    Answer, Bounds, Engine, Limits, MemoryModel, Property, Query, Reason, Settings,
};
use crate::engine::explore::Explorer;
use analysis::{loops, spin, wait_loop};
use encoder::conflict::{Structure, Which};
use encoder::prune::{Options, Rule};
use frontend::{LoadOptions, Source};
use ir::Program;
use ir::types::Machine;
use obmc_testing::{Dice, Pattern, Topic};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::Method;
use std::collections::BTreeMap;
use std::ops::Range;
use std::time::{Duration, Instant};

/// More unwindings than any `for` of a random program has.
const BOUND: u32 = 3;
/// For the explorer; a program that needs longer is too large.
const TIME_LIMIT: Duration = Duration::from_millis(300);
/// For one question to the symbolic engine, which is counted when it needs longer.
const LONG: Duration = Duration::from_secs(10);

/// What is given besides the program.
#[derive(Clone, Copy)]
struct Terms {
    property: Property,
    machine: Machine,
    malloc_may_fail: bool,
    /// Loops that only wait become waits.
    collapse: bool,
}

impl Terms {
    fn of(property: Property, seed: u64) -> Terms {
        let machine = if seed % 7 == 3 { Machine::Ilp32 } else { Machine::Lp64 };
        // A thread that spins for ever is not deadlocked.
        let collapse = seed % 2 == 0 && property != Property::NoDeadlock;
        let collapse = collapse || property == Property::NoLivelock;
        Terms { property, machine, malloc_may_fail: seed % 5 == 2, collapse }
    }
}

/// The symbolic engine's options and the memory model.
#[derive(Clone, Debug, Default)]
struct Setup {
    config: Config,
    model: MemoryModel,
}

impl From<Config> for Setup {
    fn from(config: Config) -> Setup {
        Setup { config, model: MemoryModel::Sc }
    }
}

/// A program as both engines get it.
struct Task {
    program: Program,
    /// Of all its loops.
    bounds: FxHashMap<String, u32>,
    /// Two iterations of these are enough.
    waits: FxHashSet<String>,
    flat: Program,
    property: Property,
    settings: Settings,
}

impl Task {
    fn new(text: &str, terms: Terms) -> Task {
        let source = Source { name: "random.i", text: text.as_bytes(), moved: &[] };
        let kind = terms.property.kind();
        let options = LoadOptions { property: kind, ..LoadOptions::default() };
        let loaded = frontend::load(&[source], terms.machine, &options);
        let loaded = loaded.unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let mut program = analysis::prepare(loaded);
        if terms.collapse {
            let goal = spin::Goal::of(terms.property);
            goal.into_iter().for_each(|goal| _ = spin::collapse(&mut program, goal));
        }
        let ignored = terms.collapse && kind.ignores_signals();
        let waits = if ignored { wait_loop::find(&program) } else { FxHashSet::default() };
        let named = loops::loops(&program).into_iter().map(|l| (l.name, BOUND));
        let bounds: FxHashMap<String, u32> = named.collect();
        let plan = BoundsPlan::new(Bounds {
            per_loop: bounds.clone(),
            everywhere: Some(BOUND),
            ..Bounds::default()
        });
        let unrolled =
            analysis::unrolled(program.clone(), &plan.bounds(), KNOWN_ITERATIONS, &plan.calls());
        let settings = Settings { malloc_may_fail: terms.malloc_may_fail, ..Settings::default() };
        let (flat, property) = (unrolled.expect("small").0, terms.property);
        Task { program, bounds, waits, flat, property, settings }
    }

    fn explore(&self) -> Answer {
        let limits = Limits { deadline: Some(Instant::now() + TIME_LIMIT), ..Limits::default() };
        Explorer::default().check(self.query(&self.flat, &limits)).answer
    }

    /// Without any bounds, as `solve_all`.
    fn explore_all(&self) -> Answer {
        let limits = Limits { deadline: Some(Instant::now() + TIME_LIMIT), ..Limits::default() };
        Explorer::default().check(self.query(&self.program, &limits)).answer
    }

    fn solve(&self, setup: Setup) -> Answer {
        let bounds =
            Bounds { per_loop: self.bounds.clone(), everywhere: Some(BOUND), ..Bounds::default() };
        self.ask(setup, LONG, bounds)
    }

    /// Without any bounds.
    fn deepen(&self) -> Answer {
        self.solve_all(Setup::default(), LONG)
    }

    fn solve_all(&self, setup: Setup, time: Duration) -> Answer {
        self.ask(setup, time, Bounds { waits: self.waits.clone(), ..Bounds::default() })
    }

    fn ask(&self, setup: Setup, time: Duration, bounds: Bounds) -> Answer {
        let limits = Limits { deadline: Some(Instant::now() + time), ..Limits::default() };
        let settings = Settings { bounds, model: setup.model, ..self.settings.clone() };
        let query = self.query(&self.program, &limits);
        Bmc(setup.config).check(Query { settings: &settings, ..query }).answer
    }

    fn query<'a>(&'a self, program: &'a Program, limits: &'a Limits) -> Query<'a> {
        Query { program, property: self.property, settings: &self.settings, limits }
    }
}

/// What an answer comes down to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Class {
    Safe,
    Bounded,
    Unsafe,
    /// Undefined or unmodelled behaviour was met.
    Doubt,
    /// Too large.
    Late,
    Broken,
}

fn class(answer: &Answer) -> Class {
    match answer {
        Answer::Safe => Class::Safe,
        Answer::Bounded { .. } => Class::Bounded,
        Answer::Unsafe(_) => Class::Unsafe,
        Answer::Unknown(reason) => match reason {
            Reason::Unsupported { .. } | Reason::Undefined { .. } => Class::Doubt,
            Reason::Time | Reason::Memory | Reason::Domain { .. } => Class::Late,
            Reason::Internal(_) | Reason::Interrupted | Reason::Other(_) => Class::Broken,
        },
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    Agree,
    /// One of them has no answer.
    OneSided,
    Wrong,
}

fn relation(property: Property, expected: Class, found: Class, model: MemoryModel) -> Relation {
    use Class::*;
    match (expected, found) {
        (_, Broken) => Relation::Wrong,
        (a, b) if a == b => Relation::Agree,
        (_, Late) | (Doubt, _) => Relation::OneSided,
        // More executions: a violation, a doubt or a cut-off that no schedule has.
        (Safe | Bounded, Unsafe | Doubt) | (Safe, Bounded) if model == MemoryModel::Wsc => {
            Relation::Agree
        }
        (_, Doubt) => Relation::OneSided,
        // The explorer sees that an assumption must fail in the end, so that nothing before counts.
        (Safe, Bounded) if property == Property::NoLivelock => Relation::OneSided,
        _ => Relation::Wrong,
    }
}

fn program(property: Property, seed: u64) -> String {
    let pattern = match (property, seed % 3) {
        (Property::NoLivelock, _) => Pattern::Waiting,
        _ if seed % 11 == 5 => Pattern::Rich(Topic::Ids),
        _ if seed % 13 == 7 => Pattern::Rich(Topic::Jumps),
        (Property::NoOverflow, _) => Pattern::Rich(Topic::Limits),
        (_, 0) | (Property::NoDeadlock, 1) => Pattern::Small,
        (Property::ValidMemsafety, _) => Pattern::Rich(Topic::Lifetimes),
        _ => Pattern::Rich(Topic::Anything),
    };
    obmc_testing::program(pattern, seed)
}

/// The plainest way, nothing helps it.
fn plain() -> Config {
    Config {
        solver: Solver::Sat,
        method: Method::Basic,
        conflicts: Some(Which::none()),
        prune: Options::none(),
        wide: true,
        symmetry: Symmetry::Off,
        intervals: Intervals::Off,
        accelerate: Accelerate::Off,
        ..Config::default()
    }
}

/// A configuration, the same for the same dice.
fn any_setup(dice: &mut Dice) -> Setup {
    let rule = dice.of(&Rule::ALL);
    let structure = dice.of(&Structure::ALL);
    let prune = [Options::default(), Options::none(), Options::only(&[rule])];
    let prune = [prune[0], prune[0], prune[1], prune[2], Options::default().without(rule)];
    let conflicts =
        [None, Some(Which::default()), Some(Which::none()), Some(Which::only(&[structure]))];
    let model = dice.of(&[MemoryModel::Sc, MemoryModel::Sc, MemoryModel::Sc, MemoryModel::Wsc]);
    let config = Config {
        solver: dice.of(&[Solver::Sat, Solver::Z3]),
        method: dice.of(&[Method::Prop, Method::Basic]),
        conflicts: dice.of(&conflicts),
        prune: dice.of(&prune),
        wide: dice.rarely(2),
        symmetry: dice.of(&[Symmetry::On, Symmetry::Off]),
        intervals: dice.of(&[Intervals::On, Intervals::Off]),
        accelerate: dice.of(&[Accelerate::On, Accelerate::Off]),
        search: dice.of(&[SolverSearch::Plain, SolverSearch::Inprocess, SolverSearch::RfFirst]),
        self_check: dice.rarely(4),
        proof_core: dice.rarely(8),
    };
    Setup { config, model }
}

/// The default with both solvers; unless that is all, also the plainest and some by chance.
fn setups(seed: u64, by_chance: u32) -> Vec<Setup> {
    let mut dice = Dice::new(seed ^ 0x5EED);
    let z3 = Config { solver: Solver::Z3, ..Config::default() };
    let mut all = vec![Setup::default(), Setup::from(z3)];
    if by_chance > 0 {
        all.push(Setup::from(plain()));
    }
    all.extend((0..by_chance).map(|_| any_setup(&mut dice)));
    all
}

/// What came out.
#[derive(Default)]
struct Tally {
    programs: BTreeMap<Class, u32>,
    runs: u32,
    /// What the explorer said, what the symbolic engine said, how often; and a seed.
    one_sided: BTreeMap<(Class, Class), (u32, u64)>,
    wrong: Vec<String>,
}

impl Tally {
    fn compare(&mut self, property: Property, seed: u64, text: &str, setups: &[Setup]) {
        let task = Task::new(text, Terms::of(property, seed));
        let answer = task.explore();
        let expected = class(&answer);
        *self.programs.entry(expected).or_default() += 1;
        if expected == Class::Late {
            return;
        }
        let mut note = |how: &str, found: &Answer, relation: Relation| match relation {
            Relation::Agree => {}
            Relation::OneSided => {
                let key = (expected, class(found));
                self.one_sided.entry(key).or_insert((0, seed)).0 += 1;
            }
            Relation::Wrong => self.wrong.push(format!(
                "seed {seed}: the explorer says {answer:?}\n{how}\nsays {found:?}\n{text}"
            )),
        };
        for setup in setups {
            let found = task.solve(setup.clone());
            let relation = relation(property, expected, class(&found), setup.model);
            note(&format!("{setup:?}"), &found, relation);
        }
        self.runs += setups.len() as u32;
        // Where the bounds were enough they are found.
        if matches!(expected, Class::Safe | Class::Unsafe) {
            let found = task.deepen();
            note(
                "without bounds",
                &found,
                relation(property, expected, class(&found), MemoryModel::Sc),
            );
            self.runs += 1;
        }
        // Assembly is an input behind which nothing is told.
        if let Some(text) = with_assembly(text) {
            let task = Task::new(&text, Terms::of(property, seed));
            let setup = setups.first().cloned().unwrap_or_default();
            // A loop that asks assembly is no spin loop: it may need more unwindings than there are.
            let class = |answer: &Answer| match class(answer) {
                Class::Bounded => Class::Doubt,
                class => class,
            };
            let found = task.explore();
            let fits = relation(property, expected, class(&found), MemoryModel::Sc);
            note("the explorer, with assembly", &found, fits);
            let found = task.solve(setup.clone());
            let fits = relation(property, expected, class(&found), setup.model);
            note(&format!("with assembly, {setup:?}"), &found, fits);
            self.runs += 2;
        }
    }

    /// Loops as they are: acceleration, and two iterations that stand for all, are for loops that no
    /// bound is known for.
    fn without_bounds(
        pattern: Pattern,
        property: Property,
        seeds: Range<u64>,
        by_chance: u32,
    ) -> Tally {
        let mut tally = Tally::default();
        for seed in seeds {
            let text = obmc_testing::program(pattern, seed);
            let terms = Terms { malloc_may_fail: false, ..Terms::of(property, seed) };
            // As they are, most of these have no bound.
            let (terms, time) = match pattern {
                Pattern::Conditions => (Terms { collapse: true, ..terms }, Duration::from_secs(1)),
                _ => (terms, LONG),
            };
            let task = Task::new(&text, terms);
            let answer = task.explore_all();
            let expected = class(&answer);
            *tally.programs.entry(expected).or_default() += 1;
            if expected == Class::Late {
                continue;
            }
            for setup in setups(seed, by_chance) {
                let found = task.solve_all(setup.clone(), time);
                let key = (expected, class(&found));
                tally.runs += 1;
                match relation(property, expected, class(&found), setup.model) {
                    // Some loops have no end.
                    _ if class(&found) == Class::Bounded => {}
                    Relation::Agree => {}
                    Relation::OneSided => tally.one_sided.entry(key).or_insert((0, seed)).0 += 1,
                    Relation::Wrong => tally.wrong.push(format!(
                        "seed {seed}: the explorer says {answer:?}\n{setup:?}\nsays {found:?}\n{text}"
                    )),
                }
            }
        }
        tally
    }

    fn seeds(property: Property, seeds: Range<u64>, by_chance: u32) -> Tally {
        let mut tally = Tally::default();
        for seed in seeds {
            let text = program(property, seed);
            tally.compare(property, seed, &text, &setups(seed, by_chance));
        }
        tally
    }
}

/// The same program with inputs that are read by assembly, if it has inputs.
fn with_assembly(text: &str) -> Option<String> {
    const INPUT: &str = "extern _Bool __VERIFIER_nondet_bool(void);";
    const READ: &str = "_Bool port(void) { int b; __asm__(\"in\" : \"=r\"(b)); return b; }";
    let (head, rest) = text.split_once(INPUT)?;
    let rest = rest.replace("__VERIFIER_nondet_bool", "port");
    rest.contains("port()").then(|| format!("{head}{READ}{rest}"))
}

/// Both engines give this answer, whatever the configuration.
pub fn agree(property: Property, text: &str, expected: &str) {
    for seed in 0..4 {
        let task = Task::new(text, Terms::of(property, seed));
        assert_eq!(format!("{:?}", class(&task.explore())), expected, "{text}");
        let weakly = |s: &Setup| s.model == MemoryModel::Wsc;
        for setup in setups(seed, 8).into_iter().filter(|s| !weakly(s)) {
            let found = task.solve(setup.clone());
            assert_eq!(format!("{:?}", class(&found)), expected, "{setup:?}: {found:?}\n{text}");
        }
    }
}

#[test]
fn random_c_programs() {
    // Seeds with safe and unsafe programs of each property.
    let seeds = [
        (Property::UnreachCall, 0..12),
        (Property::NoOverflow, 26..34),
        (Property::NoDataRace, 3..11),
        (Property::ValidMemsafety, 7..15),
        (Property::NoDeadlock, 14..22),
        (Property::NoLivelock, 0..16),
    ];
    for (property, seeds) in seeds {
        let tally = Tally::seeds(property, seeds, 3);
        assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
        for class in [Class::Safe, Class::Unsafe] {
            assert!(tally.programs.contains_key(&class), "{property:?}: {:?}", tally.programs);
        }
    }
}

#[test]
fn random_searches() {
    let properties = [Property::UnreachCall, Property::NoDataRace, Property::ValidMemsafety];
    for (property, seeds) in properties.into_iter().zip([0..40, 40..60, 60..80]) {
        let tally = Tally::without_bounds(Pattern::Search, property, seeds, 1);
        assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
        let both = [Class::Safe, Class::Unsafe].iter().all(|c| tally.programs.contains_key(c));
        assert!(both || property == Property::ValidMemsafety, "{:?}", tally.programs);
    }
}

#[test]
fn random_waits() {
    for (property, seeds) in [(Property::UnreachCall, 0..30), (Property::NoDataRace, 0..12)] {
        let tally = Tally::without_bounds(Pattern::Conditions, property, seeds, 1);
        assert!(tally.wrong.is_empty(), "{}", tally.wrong.join("\n"));
        let both = [Class::Safe, Class::Unsafe].iter().all(|c| tally.programs.contains_key(c));
        assert!(both, "{:?}", tally.programs);
    }
}

/// As `more_random_c_programs`.
#[test]
#[ignore = "as long as you like"]
fn more_random_searches() {
    let range = std::env::var("OBMC_SEEDS").unwrap_or("1000..1100".into());
    let (from, to) = range.split_once("..").expect("FROM..TO");
    let seed = |text: &str| text.parse().expect("a number");
    let by_chance = std::env::var("OBMC_BY_CHANCE").map_or(2, |n| seed(&n) as u32);
    let safety = |p: &Property| !matches!(p, Property::NoDeadlock | Property::NoLivelock);
    for property in properties().into_iter().filter(safety) {
        for pattern in [Pattern::Search, Pattern::Conditions] {
            let seeds = seed(from)..seed(to);
            let tally = Tally::without_bounds(pattern, property, seeds, by_chance);
            let Tally { programs, runs, one_sided, wrong } = tally;
            let (name, bad) = (property.name(), wrong.len());
            eprintln!(
                "{pattern:?}, {name} {range}: {programs:?}, {runs} runs, \
                 one-sided {one_sided:?}, {bad} wrong"
            );
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        }
    }
}

/// The property that `OBMC_PROPERTY` names, or all.
fn properties() -> Vec<Property> {
    let name = std::env::var("OBMC_PROPERTY").ok();
    let wanted = |p: &Property| name.as_ref().is_none_or(|name| p.name() == name);
    Property::ALL.into_iter().filter(wanted).collect()
}

/// `scripts/fuzz symbolic` runs this for ever, with `FROM..TO` and a property in the environment.
/// `OBMC_BY_CHANCE` is how many configurations are tried besides the usual ones; with 0 only the
/// default, with both solvers.
#[test]
#[ignore = "as long as you like"]
fn more_random_c_programs() {
    let range = std::env::var("OBMC_SEEDS").unwrap_or("1000..1100".into());
    let (from, to) = range.split_once("..").expect("FROM..TO");
    let seed = |text: &str| text.parse().expect("a number");
    let by_chance = std::env::var("OBMC_BY_CHANCE").map_or(5, |n| seed(&n) as u32);
    for property in properties() {
        let tally = Tally::seeds(property, seed(from)..seed(to), by_chance);
        let Tally { programs, runs, one_sided, wrong } = tally;
        let (name, bad) = (property.name(), wrong.len());
        eprintln!(
            "{name} {range}: {programs:?}, {runs} runs, one-sided {one_sided:?}, {bad} wrong"
        );
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

/// For shrinking: the program in the file that `OBMC_PROGRAM` names, or of the seed that it is, with
/// many configurations.
#[test]
#[ignore = "wants a file or a seed"]
fn a_program() {
    let name = std::env::var("OBMC_PROGRAM").expect("OBMC_PROGRAM");
    let property = properties()[0];
    let text = match name.parse() {
        Ok(seed) => program(property, seed),
        Err(_) => std::fs::read_to_string(&name).expect("a readable file"),
    };
    println!("{text}");
    for seed in name.parse().map_or(0..4, |seed: u64| seed..seed + 1) {
        let task = Task::new(&text, Terms::of(property, seed));
        let answer = task.explore();
        for setup in setups(seed, 40) {
            let found = task.solve(setup.clone());
            let relation = relation(property, class(&answer), class(&found), setup.model);
            if relation != Relation::Agree {
                println!("{relation:?}: {answer:?}\n{setup:?}\nsays {found:?}");
            }
        }
    }
}
