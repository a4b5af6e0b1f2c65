//! The suite of all backends under several settings; and small programs as threads of steps, whose
//! questions all go to one solver and are answered by running all interleavings too.

mod measure;

use super::*;
use encoder::MemoryModel;
use encoder::{
    Cell, CellId, Encoding, Event, EventId, EventKind, Node, NodeId, NodeKind, ProgramPoint, Sort,
    ThreadId, ThreadSkeleton,
};
use ir::{BlockId, FileId, FuncId, Span};
use obmc_testing::Dice;
use std::collections::{BTreeSet, HashSet};

const WIDTH: u8 = 4;

/// What a thread does next. It remembers the last value that it read, 0 at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Write {
        cell: usize,
        value: u64,
    },
    Read {
        cell: usize,
    },
    /// Reads and writes in one go.
    Add {
        cell: usize,
        by: u64,
    },
    /// Writes what was read last, plus one.
    Store {
        cell: usize,
    },
    /// Does something if the last value is this one.
    WriteIf {
        last: u64,
        cell: usize,
        value: u64,
    },
    ReadIf {
        last: u64,
        cell: usize,
    },
    /// In one go: if the cell has the value, it gets another one.
    Swap {
        cell: usize,
        from: u64,
        to: u64,
    },
}
use Step::*;

type Program = Vec<Vec<Step>>;

/// The remembered value after each step of each thread, in order.
type Trace = Vec<u64>;

/// A program with a term for each entry of a trace.
struct Encoded {
    encoding: Encoding,
    trace: Vec<Term>,
    steps: Vec<Option<(usize, usize)>>, // of a node: thread and step
}

struct Builder {
    e: Encoding,
    steps: Vec<Option<(usize, usize)>>,
}

fn nowhere() -> (ProgramPoint, Span) {
    (ProgramPoint { block: BlockId(0), index: 0 }, Span { file: FileId(0), line: 0, column: 0 })
}

impl Builder {
    fn thread(&mut self) -> ThreadId {
        let id = ThreadId::new(self.e.threads.len());
        let always = self.e.pool.bool(true);
        self.e.threads.push(ThreadSkeleton {
            function: FuncId(0),
            spawned_at: None,
            guard: always,
            nodes: Vec::new(),
            ended: always,
        });
        id
    }

    fn node(&mut self, thread: ThreadId, step: Option<(usize, usize)>) -> NodeId {
        let id = NodeId::new(self.e.nodes.len());
        let (at, span) = nowhere();
        let guard = self.e.pool.bool(true);
        self.e.nodes.push(Node { thread, kind: NodeKind::Access, at, span, guard });
        self.e.threads[thread.index()].nodes.push(id);
        self.steps.push(step);
        id
    }

    fn event(&mut self, kind: EventKind, node: NodeId, cell: usize, guard: Term, value: Term) {
        let (cell, span) = (CellId::new(cell), nowhere().1);
        self.e.events.push(Event {
            kind,
            node,
            cell,
            guard,
            value,
            order: ir::MemoryOrder::Plain,
            span,
        });
    }

    fn read(&mut self, node: NodeId, cell: usize, guard: Term) -> Term {
        let value = self.e.pool.fresh(Sort::Bits(WIDTH));
        self.event(EventKind::Read, node, cell, guard, value);
        value
    }

    fn bits(&mut self, value: u64) -> Term {
        self.e.pool.bits(value, WIDTH)
    }

    /// The remembered value after a step.
    fn step(&mut self, node: NodeId, step: Step, last: Term) -> Term {
        let always = self.e.pool.bool(true);
        match step {
            Write { cell, value } => {
                let value = self.bits(value);
                self.event(EventKind::Write, node, cell, always, value);
                last
            }
            Read { cell } => self.read(node, cell, always),
            Add { cell, by } => {
                let old = self.read(node, cell, always);
                let by = self.bits(by);
                let new = self.e.pool.add(old, by);
                self.event(EventKind::Write, node, cell, always, new);
                old
            }
            Store { cell } => {
                let one = self.bits(1);
                let value = self.e.pool.add(last, one);
                self.event(EventKind::Write, node, cell, always, value);
                last
            }
            WriteIf { last: wanted, cell, value } => {
                let (wanted, value) = (self.bits(wanted), self.bits(value));
                let guard = self.e.pool.eq(last, wanted);
                self.event(EventKind::Write, node, cell, guard, value);
                last
            }
            ReadIf { last: wanted, cell } => {
                let wanted = self.bits(wanted);
                let guard = self.e.pool.eq(last, wanted);
                let value = self.read(node, cell, guard);
                self.e.pool.ite(guard, value, last)
            }
            Swap { cell, from, to } => {
                let old = self.read(node, cell, always);
                let (from, to) = (self.bits(from), self.bits(to));
                let guard = self.e.pool.eq(old, from);
                self.event(EventKind::Write, node, cell, guard, to);
                old
            }
        }
    }

    fn candidates(&mut self) {
        for (r, read) in self.e.events.iter().enumerate() {
            for (w, write) in self.e.events.iter().enumerate() {
                let meets = read.kind == EventKind::Read
                    && write.kind == EventKind::Write
                    && read.cell == write.cell
                    && read.node != write.node;
                if meets {
                    self.e.rf.push((EventId::new(w), EventId::new(r)));
                }
            }
        }
    }
}

fn encode(program: &Program, cells: usize) -> Encoded {
    let e = Encoding {
        pool: Pool::new(),
        threads: Vec::new(),
        nodes: Vec::new(),
        cells: (0..cells).map(|i| Cell { name: format!("x{i}"), width: WIDTH }).collect(),
        events: Vec::new(),
        edges: Vec::new(),
        waits: Vec::new(),
        rf: Vec::new(),
        facts: Vec::new(),
        goals: Vec::new(),
        inputs: Vec::new(),
        undefined: Vec::new(),
        fences: Vec::new(),
        coenabled: Vec::new(),
        weak: Default::default(),
    };
    let mut b = Builder { e, steps: Vec::new() };
    let main = b.thread();
    let init = b.node(main, None);
    let (zero, always) = (b.bits(0), b.e.pool.bool(true));
    for cell in 0..cells {
        b.event(EventKind::Write, init, cell, always, zero);
    }
    let mut trace = Vec::new();
    for (t, steps) in program.iter().enumerate() {
        let thread = b.thread();
        let mut last = zero;
        for (i, &step) in steps.iter().enumerate() {
            let node = b.node(thread, Some((t, i)));
            if i == 0 {
                b.e.edges.push((init, node));
            }
            last = b.step(node, step, last);
            trace.push(last);
        }
    }
    b.candidates();
    Encoded { encoding: b.e, trace, steps: b.steps }
}

/// A step in a state: memory, and what the thread remembers.
fn run(step: Step, memory: &mut [u64], last: &mut u64) {
    let limit = (1 << WIDTH) - 1;
    match step {
        Write { cell, value } => memory[cell] = value,
        Read { cell } => *last = memory[cell],
        Add { cell, by } => {
            *last = memory[cell];
            memory[cell] = (*last + by) & limit;
        }
        Store { cell } => memory[cell] = (*last + 1) & limit,
        WriteIf { last: wanted, cell, value } if *last == wanted => memory[cell] = value,
        ReadIf { last: wanted, cell } if *last == wanted => *last = memory[cell],
        Swap { cell, from, to } => {
            *last = memory[cell];
            if *last == from {
                memory[cell] = to;
            }
        }
        WriteIf { .. } | ReadIf { .. } => {}
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    memory: Vec<u64>,
    traces: Vec<Trace>,
}

/// All traces of all interleavings.
fn explore(program: &Program, cells: usize) -> BTreeSet<Trace> {
    let start = State { memory: vec![0; cells], traces: vec![Vec::new(); program.len()] };
    let (mut seen, mut stack) = (HashSet::from([start.clone()]), vec![start]);
    let mut found = BTreeSet::new();
    while let Some(state) = stack.pop() {
        let mut ended = true;
        for (t, steps) in program.iter().enumerate() {
            let Some(&step) = steps.get(state.traces[t].len()) else { continue };
            ended = false;
            let mut next = state.clone();
            let mut last = next.traces[t].last().copied().unwrap_or(0);
            run(step, &mut next.memory, &mut last);
            next.traces[t].push(last);
            if seen.insert(next.clone()) {
                stack.push(next);
            }
        }
        if ended {
            found.insert(state.traces.concat());
        }
    }
    found
}

fn backend(encoded: &mut Encoded, model: MemoryModel, settings: Settings) -> Cadical {
    let (bridge, facts) = Bridge::new(&mut encoded.encoding, model);
    let pool = &encoded.encoding.pool;
    let mut cadical = Cadical::with_settings(pool, bridge, settings).unwrap();
    for &fact in encoded.encoding.facts.iter().chain(&facts) {
        cadical.assert(pool, fact).unwrap();
    }
    cadical
}

/// The suite under a setting; the method is the suite's.
macro_rules! suite {
    ($name:ident, $settings:expr) => {
        mod $name {
            use super::*;

            fn make(
                pool: &Pool,
                bridge: Bridge,
                method: Method,
            ) -> Result<Box<dyn Backend>, SolverError> {
                let settings = Settings { method, ..$settings };
                Ok(Box::new(Cadical::with_settings(pool, bridge, settings)?))
            }

            crate::backend_suite!(make);
        }
    };
}

suite!(default, Settings::default());
suite!(inprocess, Settings { inprocess: true, ..Settings::default() });
suite!(reads_first, Settings { decide: Decide::ReadsFirst, phase: true, ..Settings::default() });

/// After a panic in a callback every answer is an error.
#[test]
fn a_panic_is_an_error() {
    let mut encoded = encode(&vec![vec![Read { cell: 0 }]], 1);
    let mut cadical = backend(&mut encoded, MemoryModel::Sc, Settings::default());
    let pool = &encoded.encoding.pool;
    assert_eq!(cadical.solve(pool, &[], None), Ok(Outcome::Sat));
    assert_eq!(cadical.watch.guard::<()>(|| panic!("oops")), None);
    assert_eq!(cadical.solve(pool, &[], None), Err(SolverError::Panic("oops".to_owned())));
}

/// The same, found inside of the search: the theory was told the opposite of what must be.
#[test]
fn a_contradiction_in_a_callback_is_an_error() {
    let mut encoded = encode(&vec![vec![Read { cell: 0 }]], 1);
    let mut cadical = backend(&mut encoded, MemoryModel::Sc, Settings::default());
    let only = cadical.bridge.rf()[0];
    cadical.bridge.theory.assign(!only);
    let answer = cadical.solve(&encoded.encoding.pool, &[], None);
    assert!(matches!(answer, Err(SolverError::Panic(_))), "{answer:?}");
}

fn all_settings() -> Vec<Settings> {
    let mut all = Vec::new();
    for (method, decide) in [
        (Method::Prop, Decide::Solver),
        (Method::Prop, Decide::ReadsFirst),
        (Method::Basic, Decide::Solver),
    ] {
        for phase in [false, true] {
            all.push(Settings { method, decide, phase, ..Settings::default() });
        }
    }
    all
}

/// After `Sat`: the schedule, run, gives the values that the solver chose.
fn replay(program: &Program, cells: usize, encoded: &Encoded, cadical: &mut Cadical) -> Trace {
    let pool = &encoded.encoding.pool;
    let mut memory = vec![0; cells];
    let mut traces: Vec<Trace> = vec![Vec::new(); program.len()];
    let schedule = cadical.bridge().schedule().to_vec();
    assert_eq!(schedule.len(), encoded.encoding.nodes.len());
    for node in schedule {
        let Some((t, i)) = encoded.steps[node.index()] else { continue };
        assert_eq!(traces[t].len(), i, "program order");
        let mut last = traces[t].last().copied().unwrap_or(0);
        run(program[t][i], &mut memory, &mut last);
        traces[t].push(last);
    }
    let trace = traces.concat();
    let mut values = std::collections::HashMap::new();
    for event in encoded.encoding.events.iter().filter(|e| e.kind == EventKind::Read) {
        values.insert(pool.op(event.value), cadical.value(pool, event.value).unwrap());
    }
    let mut eval = encoder::eval::Evaluator::new(pool, |v| {
        values.get(&encoder::Op::Var(v)).copied().unwrap_or(0)
    });
    let chosen: Trace = encoded.trace.iter().map(|&t| eval.value(t)).collect();
    assert_eq!(chosen, trace, "the schedule gives the solver's values");
    trace
}

/// The assumption that some entries of the trace have these values.
fn question(encoded: &mut Encoded, wanted: &[(usize, u64)]) -> Term {
    let pool = &mut encoded.encoding.pool;
    let mut all = pool.bool(true);
    for &(i, value) in wanted {
        let value = pool.bits(value, WIDTH);
        let same = pool.eq(encoded.trace[i], value);
        all = pool.and(all, same);
    }
    all
}

fn random_step(random: &mut Dice, cells: usize) -> Step {
    let cell = random.index(cells);
    let value = 1 + random.index(2) as u64;
    match random.index(9) {
        0 | 1 => Write { cell, value },
        2..=4 => Read { cell },
        5 => Add { cell, by: value },
        6 => Store { cell },
        7 if value == 1 => WriteIf { last: random.index(3) as u64, cell, value: 3 },
        7 => ReadIf { last: random.index(3) as u64, cell },
        _ => Swap { cell, from: random.index(3) as u64, to: value },
    }
}

/// Programs of 2 to 4 threads against all their interleavings: each question to one solver.
#[test]
fn random_programs() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..250 {
        let mut random = Dice::new(seed);
        let (threads, cells) = (2 + random.index(3), 1 + random.index(3));
        let longest = [5, 4, 3][threads - 2];
        let program: Program = (0..threads)
            .map(|_| {
                (0..1 + random.index(longest)).map(|_| random_step(&mut random, cells)).collect()
            })
            .collect();
        let traces: Vec<Trace> = explore(&program, cells).into_iter().collect();
        for settings in all_settings() {
            let mut encoded = encode(&program, cells);
            let questions: Vec<Vec<(usize, u64)>> = (0..8)
                .map(|_| {
                    let near = &traces[random.index(traces.len())];
                    let mut wanted: Vec<(usize, u64)> = near.iter().copied().enumerate().collect();
                    for _ in 0..random.index(3) {
                        let i = random.index(wanted.len());
                        wanted[i].1 = random.index(4) as u64;
                    }
                    let keep = 1 + random.index(wanted.len());
                    while wanted.len() > keep {
                        wanted.swap_remove(random.index(wanted.len()));
                    }
                    wanted
                })
                .collect();
            let goals: Vec<Term> =
                questions.iter().map(|wanted| question(&mut encoded, wanted)).collect();
            let mut cadical = backend(&mut encoded, MemoryModel::Sc, settings);
            for (wanted, goal) in questions.iter().zip(goals) {
                let fits = |trace: &&Trace| wanted.iter().all(|&(i, value)| trace[i] == value);
                let expected = traces.iter().find(fits).is_some();
                let outcome = cadical.solve(&encoded.encoding.pool, &[goal], None).unwrap();
                assert_eq!(
                    outcome == Outcome::Sat,
                    expected,
                    "seed {seed} {settings:?} {program:?} {wanted:?}"
                );
                if expected {
                    sat += 1;
                    let trace = replay(&program, cells, &encoded, &mut cadical);
                    assert!(fits(&&trace));
                } else {
                    unsat += 1;
                }
            }
        }
    }
    assert!(sat > 1000 && unsat > 1000, "{sat} {unsat}");
}
