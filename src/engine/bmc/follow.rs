//! From a model to an execution: the interpreter walks along.
//!
//! The model says in which order the nodes happen, which of them do, and what each input is. Here
//! every thread of the unrolled program is stepped to the place of its next node and over it, in
//! that order, with the model's values as answers. What a node does not touch is nobody's business,
//! so steps between nodes may happen at any time; they happen as late as possible.
//!
//! The way ends with the last node that the erring thread needs: one that happens, or the atomic
//! block in which it fails. From there that thread runs into the violation. Threads
//! are never stepped beyond their last node, and the process never ends.
//!
//! What comes out is a schedule with recorded answers, and `explore::confirm` has the last word
//! on it. Whatever does not fit is an error of ours and is told with all that is known.

use super::unwinding::Unrolled;
use crate::contract::lift;
use crate::contract::{Form, Violation};
use crate::contract::{Goal as Wanted, confirm};
use analysis::address_bits;
use encoder::{CellId, EventId, Kind, ThreadId, coenabled};
use encoder::{
    CoEnabled, Encoding, Fault, Goal, GoalKind, Maker, Node, NodeId, NodeKind, Place, Term,
};
use interp::{
    About, Choice, ChoiceKind, Cut, Domain, Inputs, Interp, ObjKey, Observer, ScheduleStep, State,
    StepResult, Tid, ViolationKind,
};
use ir::{BlockId, FuncId, Span, Stop, Terminator};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Steps of one thread between two nodes: more than any unrolled program has.
const MAX_STEPS: usize = 50_000_000;

/// What the model says.
pub struct Run<'a> {
    pub encoding: &'a Encoding,
    pub schedule: &'a [NodeId],
    pub goal: &'a Goal,
}

pub type Value<'a> = &'a mut dyn FnMut(Term) -> u64;

/// The violation that the model shows, replayed; or what does not fit.
pub fn confirm(
    unrolled: Unrolled<'_>,
    config: interp::Config,
    run: &Run<'_>,
    value: Value<'_>,
) -> Result<Violation, Misfit> {
    let interp = Interp::new(unrolled.program, config).map_err(|e| Misfit::Wrong(e.what))?;
    let (schedule, wanted) = follow(&interp, run, value).inspect_err(|_| dump(run, value))?;
    // Readers know the program as it was before; what happens inside of models is none of theirs.
    match lift::lift(unrolled.original, &interp, &schedule, &wanted) {
        Ok(violation) => Ok(violation),
        // A caller's registers lead to memory; inlined calls have none.
        Err(why) if matches!(run.goal.kind, GoalKind::Error(Fault::Leak, _)) => {
            Err(unclear(run.goal).unwrap_or(Misfit::Wrong(why)))
        }
        // What an input of a block that waits will be is not for us to say.
        Err(why) if is_about_waiting(run.goal) => {
            log::info!("the program as it was does not show it, since {why}");
            Err(unclear(run.goal).unwrap_or(Misfit::Wrong(why)))
        }
        Err(why) => {
            log::info!("told in the unrolled program, since {why}");
            let violation = confirm::tell(&interp, &schedule, &wanted);
            let mut violation = violation.map_err(Misfit::Wrong)?;
            violation.run.iter_mut().for_each(|run| run.form = Form::Unrolled);
            Ok(violation)
        }
    }
}

/// Is it a state in which threads wait for ever?
fn is_about_waiting(goal: &Goal) -> bool {
    matches!(goal.kind, GoalKind::Error(Fault::Deadlock | Fault::Livelock, _))
}

/// Atomic blocks that look at memory and do not come to their end.
pub fn waiting_blocks(encoding: &Encoding, value: Value<'_>) -> Vec<NodeId> {
    let mut out = Vec::new();
    for event in encoding.events.iter().filter(|e| e.kind == Kind::Read) {
        let node = &encoding.nodes[event.node.index()];
        let block = node.kind == NodeKind::Atomic && !out.contains(&event.node);
        if block && value(event.guard) == 1 && value(node.guard) == 0 {
            out.push(event.node);
        }
    }
    out
}

/// The same under a memory model without schedules: each thread runs by itself, in an order of its own,
/// and is fed what the model's sources wrote; each store must write what the model says.
pub fn confirm_threads(
    unrolled: Unrolled<'_>,
    config: interp::Config,
    run: &Run<'_>,
    sources: &FxHashMap<EventId, EventId>,
    value: Value<'_>,
) -> Result<(), Misfit> {
    let interp = Interp::new(unrolled.program, config).map_err(|e| Misfit::Wrong(e.what))?;
    let table = run.encoding.inputs.iter().map(|i| ((i.thread, i.at), value(i.value))).collect();
    let mut walker = Walker::new(&interp, run.encoding, table, value);
    walker.feed = Some(Feed::new(run.encoding, sources));
    walker.keep_initial();
    let graph = [Fault::Race, Fault::Unordered, Fault::NotRobust];
    let race = matches!(&run.goal.kind, GoalKind::Error(fault, _) if graph.contains(fault));
    let visited = run.schedule.iter().try_for_each(|&id| walker.visit(run, id, value));
    let shown = match race {
        true => visited,
        false if is_about_waiting(run.goal) => visited.and_then(|()| walker.wait_alone(run, value)),
        false => visited.and_then(|()| walker.violate(run, &[], value)),
    };
    let Err(why) = shown else { return Ok(()) };
    let wrong = || Misfit::Wrong(format!("an execution does not replay thread by thread: {why}"));
    Err(match walker.met {
        Some(Met::Unmodelled { what, span }) => Misfit::Open { what, span },
        Some(Met::InvalidAccess { what, span }) => Misfit::InvalidAccess { what, span },
        // What an input of a block that waits will be is not for us to say.
        _ if is_about_waiting(run.goal) => unclear(run.goal).unwrap_or_else(wrong),
        // Ends of lives in an order in which no thread can be run by itself.
        Some(Met::Violation(v)) if interp.config.memsafety => {
            let what = "a use of memory that no replay shows".into();
            Misfit::Open { what, span: v.span }
        }
        _ => wrong(),
    })
    .inspect_err(|_| dump(run, value))
}

/// Why a model shows nothing.
#[derive(Debug)]
pub enum Misfit {
    /// The interpreter cannot say whether it is right: a pointer from nowhere, say.
    Open { what: String, span: Span },
    /// It uses memory as C does not define, which the encoding did not see.
    InvalidAccess { what: String, span: Span },
    /// It is wrong, and that is an error of ours.
    Wrong(String),
}

/// Errors on which the interpreter has the last word, since it knows more: what it then does not
/// find is not known.
pub fn unclear(goal: &Goal) -> Option<Misfit> {
    let what = match goal.kind {
        GoalKind::Error(Fault::ArbitraryAddress, _) => {
            "use of a pointer that is an arbitrary number"
        }
        GoalKind::Error(Fault::Leak, _) => "whether memory is lost at the end of the process",
        // Two atomic blocks that are both next, say, of which only one can run.
        GoalKind::Error(Fault::Race, _) => "a race that no replay shows",
        // A block that asks for an input may get another one.
        GoalKind::Error(Fault::Deadlock, _) => "a deadlock that no replay shows",
        GoalKind::Error(Fault::Livelock, _) => "a livelock that no replay shows",
        _ => return None,
    };
    Some(Misfit::Open { what: what.into(), span: goal.span })
}

/// An execution that looks at bits of an address has others where the interpreter puts objects.
fn other_layout(run: &Run<'_>, value: Value<'_>) -> Option<Misfit> {
    let peeks =
        |kind: &GoalKind| matches!(kind, GoalKind::Unsupported(w) if w == address_bits::WHAT);
    let mut goals = run.encoding.goals.iter().filter(|goal| peeks(&goal.kind));
    let goal = goals.find(|goal| value(goal.guard) == 1)?;
    Some(Misfit::Open { what: address_bits::WHAT.into(), span: goal.span })
}

/// What the interpreter calls the violation.
pub fn violates(goal: &Goal) -> ViolationKind {
    match goal.kind {
        GoalKind::Error(Fault::Overflow, _) => ViolationKind::NoOverflow,
        GoalKind::Error(Fault::Deref | Fault::ArbitraryAddress, _) => ViolationKind::ValidDeref,
        GoalKind::Error(Fault::Free, _) => ViolationKind::ValidFree,
        GoalKind::Error(Fault::Leak, _) => ViolationKind::ValidMemtrack,
        _ => ViolationKind::UnreachCall,
    }
}

/// Walks along. Gives the steps with their answers, the last of which violates, and what it shows.
fn follow(
    interp: &Interp<'_>,
    run: &Run<'_>,
    value: Value<'_>,
) -> Result<(Vec<ScheduleStep>, Wanted), Misfit> {
    let table = run.encoding.inputs.iter().map(|i| ((i.thread, i.at), value(i.value))).collect();
    let mut walker = Walker::new(interp, run.encoding, table, value);
    match walker.walk(run, value) {
        Ok(wanted) => Ok((walker.steps, wanted)),
        Err(why) => Err(match walker.met {
            // Another one than was looked for, but a violation.
            Some(Met::Violation(v)) => {
                log::info!("another violation came first: {why}");
                return Ok((walker.steps, Wanted::Violation { kind: v.kind, span: v.span }));
            }
            Some(Met::Unmodelled { what, span }) => Misfit::Open { what, span },
            Some(Met::InvalidAccess { what, span }) => Misfit::InvalidAccess { what, span },
            None => unclear(run.goal)
                .or_else(|| other_layout(run, value))
                .unwrap_or_else(|| Misfit::Wrong(format!("a model does not replay: {why}"))),
        }),
    }
}

/// How much of the schedule the erring threads need: up to their last node, or all. One of two may
/// have done nothing: then it must be started at least.
fn count_needed(run: &Run<'_>, threads: &[ThreadId], value: Value<'_>) -> usize {
    let starts = |id| {
        threads.len() > 1
            && threads.iter().any(|t| run.encoding.threads[t.index()].spawned_at == Some(id))
    };
    let last = run.schedule.iter().rposition(|id| match run.goal.node {
        Some(block) => block == *id,
        None => {
            let node = &run.encoding.nodes[id.index()];
            (threads.contains(&node.thread) || starts(*id)) && value(node.guard) == 1
        }
    });
    last.map_or(run.schedule.len(), |last| last + 1)
}

struct Walker<'a> {
    interp: &'a Interp<'a>,
    encoding: &'a Encoding,
    state: State,
    /// By encoded thread, once it is started.
    tids: Vec<Option<Tid>>,
    /// Where the last node of each encoded thread began.
    done: Vec<Option<Place>>,
    answers: RefCell<Answers>,
    steps: Vec<ScheduleStep>,
    /// The last that went another way.
    met: Option<Met>,
    /// Under a memory model without schedules.
    feed: Option<Feed<'a>>,
}

/// What each read is to find.
struct Feed<'a> {
    /// Of reads.
    sources: &'a FxHashMap<EventId, EventId>,
    by_node: FxHashMap<NodeId, Vec<EventId>>,
    /// What writes have written here.
    stored: FxHashMap<EventId, u64>,
}

impl<'a> Feed<'a> {
    fn new(encoding: &Encoding, sources: &'a FxHashMap<EventId, EventId>) -> Feed<'a> {
        let mut by_node: FxHashMap<NodeId, Vec<EventId>> = FxHashMap::default();
        for (i, event) in encoding.events.iter().enumerate() {
            let id = EventId::new(i);
            if !encoding.weak.initial.contains(&id) {
                by_node.entry(event.node).or_default().push(id);
            }
        }
        Feed { sources, by_node, stored: FxHashMap::default() }
    }
}

/// What ends a walk before its goal.
enum Met {
    Violation(interp::Violation),
    /// The interpreter cannot do it.
    Unmodelled {
        what: String,
        span: Span,
    },
    /// A thread has used memory as C does not define.
    InvalidAccess {
        what: String,
        span: Span,
    },
}

/// The model's values, shared by who sees where a thread is and who is asked.
struct Answers {
    table: FxHashMap<(ThreadId, Place), u64>,
    thread: ThreadId,
    /// The running instruction, unless it stands in a callee.
    at: Option<Place>,
    /// By serial.
    symbols: FxHashMap<u64, u64>,
    given: Vec<u64>,
    memory: Memory,
}

/// What memory holds at first, where nobody says. A load that finds it need not be part of the
/// formula, so its own value means nothing.
struct Memory {
    /// By who makes the object: offset, number of bytes, bits.
    first: FxHashMap<Maker, Vec<(u64, u8, u64)>>,
    made: FxHashMap<ObjKey, Maker>,
    /// For the symbol that is born next.
    next: Option<u64>,
}

impl Memory {
    fn new(encoding: &Encoding, value: Value<'_>) -> Memory {
        let mut first: FxHashMap<Maker, Vec<(u64, u8, u64)>> = FxHashMap::default();
        for u in &encoding.undefined {
            first.entry(u.of).or_default().push((u.offset, u.bytes, value(u.value)));
        }
        Memory { first, made: FxHashMap::default(), next: None }
    }

    /// The bytes of a range; `None` if the model knows none of them.
    fn bytes(&self, maker: &Maker, offset: u64, size: u64) -> Option<u64> {
        let end = offset + size;
        let known = self.first.get(maker)?.iter();
        let mut known =
            known.filter(|(at, bytes, _)| *at < end && offset < at + u64::from(*bytes)).peekable();
        known.peek()?;
        let mut bits = 0;
        for &(at, bytes, value) in known {
            for i in 0..u64::from(bytes) {
                let byte = value >> (8 * i) & 0xff;
                if let Some(place) = (at + i).checked_sub(offset).filter(|p| *p < size.min(8)) {
                    bits |= byte << (8 * place);
                }
            }
        }
        Some(bits)
    }
}

impl<'a> Walker<'a> {
    fn new(
        interp: &'a Interp<'a>,
        encoding: &'a Encoding,
        table: FxHashMap<(ThreadId, Place), u64>,
        value: Value<'_>,
    ) -> Walker<'a> {
        let threads = encoding.threads.len();
        let mut tids = vec![None; threads];
        if let Some(first) = tids.first_mut() {
            *first = Some(Tid::FIRST);
        }
        // The arguments of the first thread are the first symbols.
        let entry = &interp.program.functions[interp.program.entry.index()];
        let argument =
            |i: usize| Some((i as u64, *table.get(&(ThreadId(0), Place::of_parameter(i)))?));
        let symbols = (0..entry.params.len()).filter_map(argument).collect();
        let memory = Memory::new(encoding, value);
        let (thread, given) = (ThreadId(0), Vec::new());
        let answers = Answers { table, thread, at: None, symbols, given, memory };
        Walker {
            interp,
            encoding,
            state: interp.initial(),
            tids,
            done: vec![None; threads],
            answers: RefCell::new(answers),
            steps: Vec::new(),
            met: None,
            feed: None,
        }
    }

    /// To the violation, or to where two threads race.
    fn walk(&mut self, run: &Run<'_>, value: Value<'_>) -> Result<Wanted, String> {
        if let GoalKind::Error(Fault::Race, _) = run.goal.kind {
            let racing = coenabled::racing(&run.encoding.coenabled, |t| value(t) == 1);
            let racing = racing.ok_or("nobody races")?;
            let threads = racing.map(|halt| halt.thread);
            let rest = self.visit_needed(run, &threads, value)?;
            return self.race(run, racing, rest, value);
        }
        if is_about_waiting(run.goal) {
            run.schedule.iter().try_for_each(|&id| self.visit(run, id, value))?;
            self.wait()?;
            let spins = matches!(run.goal.kind, GoalKind::Error(Fault::Livelock, _));
            return Ok(if spins { Wanted::Livelock } else { Wanted::Deadlock });
        }
        let rest = self.visit_needed(run, &[run.goal.thread], value)?;
        self.violate(run, rest, value)?;
        Ok(Wanted::Violation { kind: violates(run.goal), span: run.goal.span })
    }

    /// Visits what these threads need, and gives the rest of the schedule.
    fn visit_needed<'r>(
        &mut self,
        run: &Run<'r>,
        threads: &[ThreadId],
        value: Value<'_>,
    ) -> Result<&'r [NodeId], String> {
        let (needed, rest) = run.schedule.split_at(count_needed(run, threads, value));
        for &id in needed {
            self.visit(run, id, value)?;
        }
        Ok(rest)
    }

    /// A node of the schedule: one that does not happen, or is to fail, is left out.
    fn visit(&mut self, run: &Run<'_>, id: NodeId, value: Value<'_>) -> Result<(), String> {
        let node = &run.encoding.nodes[id.index()];
        match value(node.guard) == 1 && run.goal.node != Some(id) {
            true => self.node(id, node, value),
            false => Ok(()),
        }
    }

    fn node(&mut self, id: NodeId, node: &Node, value: Value<'_>) -> Result<(), String> {
        match node.kind {
            NodeKind::Init => return Ok(()),
            NodeKind::End => return self.end(node.thread),
            // Two nodes may share an instruction.
            _ if self.done[node.thread.index()] == Some(node.at) => return Ok(()),
            _ => {}
        }
        let before = self.state.threads().count();
        self.walk_to(node.thread, node.at)?;
        self.feed_reads(id, value);
        self.over(node.thread)?;
        self.check_writes(id, value)?;
        self.done[node.thread.index()] = Some(node.at);
        let started = self.state.threads().skip(before);
        let mut started: Vec<Tid> = started.collect();
        started.reverse();
        for (i, thread) in self.encoding.threads.iter().enumerate() {
            if thread.spawned_at == Some(id) && value(thread.guard) == 1 {
                self.tids[i] = started.pop();
            }
        }
        if started.is_empty() {
            return Ok(());
        }
        Err(format!("{} starts a thread that is not encoded", self.place(node.thread, node.at)))
    }

    /// Where a cell is in the interpreter's memory, with its size.
    fn home(&self, cell: CellId) -> Option<(ObjKey, u64, u64)> {
        let (maker, offset) = self.encoding.weak.places[cell.index()]?;
        let bytes = u64::from(self.encoding.cells[cell.index()].width / 8);
        let key = match maker {
            Maker::Program(id) => self.interp.static_key(id),
            Maker::Instruction(..) => {
                let answers = self.answers.borrow();
                let made = answers.memory.made.iter().find(|(_, of)| **of == maker);
                *made?.0
            }
        };
        Some((key, offset, bytes))
    }

    /// Remembers what memory holds at first.
    fn keep_initial(&mut self) {
        let encoding = self.encoding;
        for &id in &encoding.weak.initial {
            let event = &encoding.events[id.index()];
            let home = self.home(event.cell);
            let bits =
                home.and_then(|(key, at, size)| self.interp.peek(&self.state, key, at, size));
            if let (Some(feed), Some(bits)) = (&mut self.feed, bits) {
                feed.stored.insert(id, bits);
            }
        }
    }

    /// Puts into memory what the reads of a node find, and something else where it only writes.
    fn feed_reads(&mut self, node: NodeId, value: Value<'_>) {
        let Some(feed) = &self.feed else { return };
        let events = feed.by_node.get(&node).cloned().unwrap_or_default();
        let mut pokes = Vec::new();
        for id in events {
            let event = &self.encoding.events[id.index()];
            if value(event.guard) == 0 {
                continue;
            }
            match event.kind {
                Kind::Write => pokes.push((event.cell, Kind::Write, !value(event.value))),
                Kind::Read => {
                    let source = feed.sources.get(&id);
                    let stored = source.and_then(|write| feed.stored.get(write)).copied();
                    let bits = stored.unwrap_or_else(|| value(event.value));
                    pokes.push((event.cell, Kind::Read, bits));
                }
            }
        }
        pokes.sort_by_key(|(_, kind, _)| *kind == Kind::Read);
        for (cell, _, bits) in pokes {
            if let Some((key, at, size)) = self.home(cell) {
                self.interp.poke(&mut self.state, key, at, size, bits);
            }
        }
    }

    /// Has a node written what the model says? An address has another number here.
    fn check_writes(&mut self, node: NodeId, value: Value<'_>) -> Result<(), String> {
        let Some(feed) = &self.feed else { return Ok(()) };
        for id in feed.by_node.get(&node).cloned().unwrap_or_default() {
            let event = &self.encoding.events[id.index()];
            if event.kind == Kind::Read || value(event.guard) == 0 {
                continue;
            }
            let Some((key, at, size)) = self.home(event.cell) else { continue };
            let Some(bits) = self.interp.peek(&self.state, key, at, size) else { continue };
            let wanted = value(event.value);
            if bits != wanted && !(is_address(wanted) && is_address(bits)) {
                let name = &self.encoding.cells[event.cell.index()].name;
                let line = event.span.line;
                return Err(format!("{name} at line {line} is {bits}, wanted {wanted}"));
            }
            if let Some(feed) = &mut self.feed {
                feed.stored.insert(id, bits);
            }
        }
        Ok(())
    }

    /// Steps a thread until it stands at a place.
    fn walk_to(&mut self, thread: ThreadId, at: Place) -> Result<(), String> {
        for _ in 0..MAX_STEPS {
            if self.position(thread)? == Some(at) {
                return Ok(());
            }
            self.go_on(thread)
                .map_err(|why| format!("on the way to {}: {why}", self.place(thread, at)))?;
        }
        Err(format!("{} is not reached", self.place(thread, at)))
    }

    /// Lets a thread come to its end. The first one's is the end of the process, which is not wanted.
    fn end(&mut self, thread: ThreadId) -> Result<(), String> {
        for _ in 0..MAX_STEPS {
            if self.ends_the_process(thread)? {
                return Ok(());
            }
            match self.step(thread)? {
                StepResult::Ran => {}
                StepResult::Ended => return Ok(()),
                other => return Err(format!("thread {} does not end: {other:?}", thread.0)),
            }
        }
        Err(format!("thread {} does not end", thread.0))
    }

    fn ends_the_process(&self, thread: ThreadId) -> Result<bool, String> {
        let tid = self.tid(thread)?;
        let mut frames = self.state.frames(tid);
        let (Some((func, block, index)), None) = (frames.next(), frames.next()) else {
            return Ok(false);
        };
        let block = &self.interp.program.functions[func.index()].blocks[block.index()];
        Ok(index == block.insts.len()
            && match block.end {
                Terminator::Return(_) => tid == Tid::FIRST,
                Terminator::Stop(Stop::Exit) => true,
                _ => false,
            })
    }

    /// Steps the erring thread into the violation. On the way there may be joins that pruning has
    /// lost track of, since they change nothing: others come to their ends as scheduled then, or as
    /// their inputs lead them if pruning has lost those ends as well.
    fn violate(&mut self, run: &Run<'_>, rest: &[NodeId], value: Value<'_>) -> Result<(), String> {
        let goal = run.goal;
        let mut rest = rest.iter();
        for _ in 0..MAX_STEPS {
            match (self.step(goal.thread)?, rest.as_slice()) {
                (StepResult::Ran, _) => {}
                (StepResult::Violation(v), _)
                    if v.span == goal.span && v.kind == violates(goal) =>
                {
                    return Ok(());
                }
                (StepResult::Blocked, [id, ..]) => {
                    self.visit(run, *id, value)?;
                    rest.next();
                }
                (StepResult::Blocked, []) if self.another_ends(goal.thread)? => {}
                (other, _) => {
                    let place = self.place(goal.thread, goal.at);
                    return Err(format!("wanted the violation at {place}, got {other:?}"));
                }
            }
        }
        Err(format!("{} is not reached", self.place(goal.thread, goal.at)))
    }

    /// Lets one of the others come to its end, if one can.
    fn another_ends(&mut self, waits: ThreadId) -> Result<bool, String> {
        for thread in self.running().into_iter().filter(|t| *t != waits) {
            for _ in 0..MAX_STEPS {
                if self.ends_the_process(thread)? {
                    break;
                }
                match self.step(thread)? {
                    StepResult::Ran => {}
                    StepResult::Ended => return Ok(true),
                    _ => break,
                }
            }
        }
        Ok(false)
    }

    fn running(&self) -> Vec<ThreadId> {
        let runs =
            |t: &ThreadId| self.tid(*t).is_ok_and(|tid| self.state.running().any(|r| r == tid));
        (0..self.tids.len()).map(ThreadId::new).filter(runs).collect()
    }

    /// Leads both threads to where they have halted. A block that coenabled runs after what the other
    /// one has done, so what is left of the schedule is needed only if somebody is blocked.
    fn race(
        &mut self,
        run: &Run<'_>,
        racing: [&CoEnabled; 2],
        rest: &[NodeId],
        value: Value<'_>,
    ) -> Result<Wanted, String> {
        let mut rest = rest.iter();
        for halt in racing {
            let mut steps = 0;
            while self.position(halt.thread)? != Some(halt.at) {
                match (self.step(halt.thread)?, rest.as_slice()) {
                    (StepResult::Ran, _) => {}
                    (StepResult::Blocked, [id, ..]) => {
                        self.visit(run, *id, value)?;
                        rest.next();
                    }
                    (StepResult::Blocked, []) if self.another_ends(halt.thread)? => {}
                    (other, _) => {
                        let place = self.place(halt.thread, halt.at);
                        return Err(format!("on the way to the race at {place}: {other:?}"));
                    }
                }
                steps += 1;
                if steps > MAX_STEPS {
                    return Err(format!("{} is not reached", self.place(halt.thread, halt.at)));
                }
            }
        }
        let [a, b] = racing;
        let threads = [self.tid(a.thread)?, self.tid(b.thread)?];
        let steps = std::mem::take(&mut self.steps);
        let found = confirm::racing(self.interp, steps, threads);
        let (steps, wanted) = found.map_err(|why| {
            let [a, b] = racing.map(|halt| halt.span.line);
            format!("the race between lines {a} and {b}: {why}")
        })?;
        self.steps = steps;
        Ok(wanted)
    }

    /// Lets all threads run to where they wait, which must be the same for any input.
    fn wait(&mut self) -> Result<(), String> {
        let mut moved = true;
        while std::mem::take(&mut moved) {
            for thread in self.running() {
                for steps in 0.. {
                    match self.step(thread)? {
                        StepResult::Ran if steps < MAX_STEPS => moved = true,
                        StepResult::Ended => {
                            moved = true;
                            break;
                        }
                        StepResult::Blocked => break,
                        other => {
                            return Err(format!("thread {} does not wait: {other:?}", thread.0));
                        }
                    }
                }
            }
        }
        for thread in self.running() {
            let mut copy = self.state.clone();
            let again = self.interp.step(&mut copy, self.tid(thread)?, &mut Silence, &mut ());
            if again != StepResult::Blocked {
                return Err(format!("thread {} may go on: {again:?}", thread.0));
            }
        }
        Ok(())
    }

    /// Each thread by itself: all that are left wait, those in blocks with what they have read.
    fn wait_alone(&mut self, run: &Run<'_>, value: Value<'_>) -> Result<(), String> {
        let blocks = waiting_blocks(run.encoding, value);
        let mut somebody = false;
        for thread in self.running() {
            let node = |id: &&NodeId| run.encoding.nodes[id.index()].thread == thread;
            if let Some(&id) = blocks.iter().find(node) {
                self.walk_to(thread, run.encoding.nodes[id.index()].at)?;
                self.feed_reads(id, value);
            }
            for steps in 0.. {
                match self.step(thread)? {
                    StepResult::Ran if steps < MAX_STEPS => {}
                    StepResult::Ended => break,
                    StepResult::Blocked => {
                        somebody = true;
                        break;
                    }
                    other => return Err(format!("thread {} does not wait: {other:?}", thread.0)),
                }
            }
        }
        if somebody { Ok(()) } else { Err("no thread waits".into()) }
    }

    /// Steps a thread, which goes on.
    fn go_on(&mut self, thread: ThreadId) -> Result<(), String> {
        let before = self.position(thread)?;
        match self.step(thread)? {
            StepResult::Ran => Ok(()),
            other => {
                let place = before.map_or("a callee".into(), |at| self.place(thread, at));
                Err(format!("thread {} at {place}: {other:?}", thread.0))
            }
        }
    }

    /// Steps a thread over a node, at which it may end: by a null pointer, say.
    fn over(&mut self, thread: ThreadId) -> Result<(), String> {
        match self.step(thread)? {
            StepResult::Ran | StepResult::Stopped { .. } => Ok(()),
            other => Err(format!("thread {} at a node: {other:?}", thread.0)),
        }
    }

    fn step(&mut self, thread: ThreadId) -> Result<StepResult, String> {
        let tid = self.tid(thread)?;
        if let Some(Met::Violation(v)) = &self.met {
            return Err(format!("{} came first", v.what));
        }
        self.answers.borrow_mut().thread = thread;
        let mut inputs = Given(&self.answers);
        let mut watch = Watch { answers: &self.answers, interp: self.interp };
        let result = self.interp.step(&mut self.state, tid, &mut inputs, &mut watch);
        let answers = std::mem::take(&mut self.answers.borrow_mut().given);
        self.met = match &result {
            StepResult::Violation(v) => Some(Met::Violation(v.clone())),
            StepResult::Unsupported { what, span } => {
                Some(Met::Unmodelled { what: what.clone(), span: *span })
            }
            StepResult::Stopped { why: Cut::InvalidAccess(what), span } => {
                Some(Met::InvalidAccess { what: what.clone(), span: *span })
            }
            _ => self.met.take(),
        };
        if result != StepResult::Blocked {
            self.steps.push(ScheduleStep { thread: tid, answers });
        }
        Ok(result)
    }

    fn tid(&self, thread: ThreadId) -> Result<Tid, String> {
        let tid = self.tids.get(thread.index()).copied().flatten();
        tid.ok_or_else(|| format!("thread {} is not started yet", thread.0))
    }

    /// Where a thread stands, unless in a callee.
    fn position(&self, thread: ThreadId) -> Result<Option<Place>, String> {
        Ok(position(&self.state, self.tid(thread)?))
    }

    fn place(&self, thread: ThreadId, at: Place) -> String {
        let function = &self.interp.program.functions;
        let name = self.encoding.threads.get(thread.index());
        let name = name.map_or("?", |t| function[t.function.index()].name.as_str());
        format!("{name} block {} instruction {}", at.block.0, at.index)
    }
}

/// No object is below, in either address space.
fn is_address(bits: u64) -> bool {
    bits >= 0x1000
}

fn position(state: &State, thread: Tid) -> Option<Place> {
    let mut frames = state.frames(thread);
    match (frames.next(), frames.next()) {
        (Some((_, block, index)), None) => Some(Place { block, index: index as u32 }),
        _ => None,
    }
}

/// Sees where the thread is, and which symbols are born there.
struct Watch<'a> {
    answers: &'a RefCell<Answers>,
    interp: &'a Interp<'a>,
}

impl Observer for Watch<'_> {
    fn instruction(&mut self, state: &State, thread: Tid, _: FuncId, _: Span) {
        // The program counter has moved on already. (Terminators need no answers.)
        let at = position(state, thread);
        let here = |p: Place| Place { block: BlockId(p.block.0), index: p.index.saturating_sub(1) };
        self.answers.borrow_mut().at = at.map(here);
    }

    fn born(&mut self, _: &State, _: Tid, object: ObjKey, _: u64, _: Span) {
        let mut answers = self.answers.borrow_mut();
        if let Some(at) = answers.at {
            let maker = Maker::Instruction(answers.thread, at);
            answers.memory.made.insert(object, maker);
        }
    }

    fn undefined(&mut self, _: Tid, object: ObjKey, offset: u64, size: u64) {
        let memory = &mut self.answers.borrow_mut().memory;
        let program = || self.interp.static_of(object).map(Maker::Program);
        let maker = memory.made.get(&object).copied().or_else(program);
        memory.next = maker.and_then(|maker| memory.bytes(&maker, offset, size));
    }

    fn symbol(&mut self, _: Tid, about: &About, domain: &Domain) {
        let mut answers = self.answers.borrow_mut();
        let bits = answers.memory.next.take().unwrap_or_else(|| answers.here());
        let bits = bits & ir::arith::mask(domain.bits());
        answers.symbols.insert(about.serial, bits);
    }
}

/// Answers from the model.
struct Given<'a>(&'a RefCell<Answers>);

impl Inputs for Given<'_> {
    fn choose(&mut self, choice: &Choice<'_>) -> Option<u64> {
        let mut answers = self.0.borrow_mut();
        let bits = |about: &About| answers.symbols.get(&about.serial).copied().unwrap_or(0);
        let answer = match &choice.kind {
            ChoiceKind::AllocFails => answers.here() & 1,
            ChoiceKind::Value { symbol, domain } => {
                Some(bits(symbol)).filter(|b| domain.contains_bits(*b))?
            }
            ChoiceKind::Split { symbol, parts } => {
                let bits = bits(symbol);
                parts.iter().position(|part| part.contains_bits(bits))? as u64
            }
        };
        answers.given.push(answer);
        Some(answer)
    }
}

/// Answers nothing.
struct Silence;

impl Inputs for Silence {
    fn choose(&mut self, _: &Choice<'_>) -> Option<u64> {
        None
    }
}

impl Answers {
    /// The model's value for the running instruction; 0 if it has none.
    fn here(&self) -> u64 {
        let at = self.at.and_then(|at| self.table.get(&(self.thread, at)));
        at.copied().unwrap_or(0)
    }
}

/// All that the model says, for who has to find out what went wrong.
fn dump(run: &Run<'_>, value: Value<'_>) {
    if !log::log_enabled!(log::Level::Debug) {
        return;
    }
    let Run { encoding, schedule, goal } = run;
    log::debug!("goal {:?} in thread {} at {:?}", goal.kind, goal.thread.0, goal.at);
    for id in *schedule {
        let node = &encoding.nodes[id.index()];
        let happens = if value(node.guard) == 1 { "" } else { " (does not happen)" };
        let Node { thread, kind, at, span, .. } = node;
        log::debug!("thread {} {kind:?} at {at:?} line {}{happens}", thread.0, span.line);
        for event in encoding.events.iter().filter(|e| e.node == *id) {
            if value(event.guard) == 1 {
                let cell = &encoding.cells[event.cell.index()].name;
                log::debug!("    {:?} {cell} == {:#x}", event.kind, value(event.value));
            }
        }
    }
    for input in &encoding.inputs {
        let bits = value(input.value);
        log::debug!("input of thread {} at {:?}: {bits:#x}", input.thread.0, input.at);
    }
}

#[cfg(test)]
mod tests;
