//! A model of a memory model without schedules: each thread runs by itself, in an order of its own, and is
//! fed what the model's sources wrote.
//!
//! Each store must write what the model says. So every thread is an execution of the program's text, and
//! how reads and writes fit together is for the memory model to say.

use super::walker::{MAX_STEPS, ModelWalker, WalkStop};
use super::{Misfit, ModelRun, Unrolled, ValueOf, dump, is_about_waiting, unclear};
use encoder::{
    CellId, Encoding, EventId, EventKind, Fault, GoalKind, Maker, NodeId, NodeKind, ThreadId,
};
use interp::{Interp, ObjKey, StepResult};
use ir::{FuncId, Origin};
use rustc_hash::FxHashMap;

/// What is read and written where, in the program's own words.
#[derive(Default)]
pub struct ProgramWords {
    values: FxHashMap<EventId, String>,
    places: FxHashMap<CellId, String>,
    /// Of each thread, the function that it was started with.
    functions: Vec<String>,
}

impl ProgramWords {
    pub fn value(&self, event: EventId) -> Option<&str> {
        self.values.get(&event).map(String::as_str)
    }

    pub fn function(&self, thread: ThreadId) -> Option<&str> {
        self.functions.get(thread.0 as usize).map(String::as_str)
    }

    pub fn place(&self, cell: CellId) -> Option<&str> {
        self.places.get(&cell).map(String::as_str)
    }
}

/// Do the threads of a model do what it says?
pub fn confirm_threads(
    unrolled: Unrolled<'_>,
    config: interp::Config,
    run: &ModelRun<'_>,
    sources: &FxHashMap<EventId, EventId>,
    value: ValueOf<'_>,
) -> Result<ProgramWords, Misfit> {
    let interp = Interp::new(unrolled.program, config).map_err(|e| Misfit::Wrong(e.what))?;
    let table = run.encoding.inputs.iter().map(|i| ((i.thread, i.at), value(i.value))).collect();
    let mut walker = ModelWalker::new(&interp, run.encoding, table, value);
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
    let Err(why) = shown else { return Ok(walker.words()) };
    let wrong = || Misfit::Wrong(format!("an execution does not replay thread by thread: {why}"));
    Err(match walker.met {
        Some(WalkStop::Unmodelled { what, span }) => Misfit::Open { what, span },
        Some(WalkStop::InvalidAccess { what, span }) => Misfit::InvalidAccess { what, span },
        // What an input of a block that waits will be is not for us to say.
        _ if is_about_waiting(run.goal) => unclear(run.goal).unwrap_or_else(wrong),
        // Ends of lives in an order in which no thread can be run by itself.
        Some(WalkStop::Violation(v)) if interp.config.memsafety => {
            let what = "a use of memory that no replay shows".into();
            Misfit::Open { what, span: v.span }
        }
        _ if finds_address(run.encoding, value) => {
            let what = "use of memory that was never written as an address".into();
            Misfit::Open { what, span: run.goal.span }
        }
        _ => wrong(),
    })
    .inspect_err(|_| dump(run, value))
}

/// Does memory hold an address at first, where the program does not say? There is another object here.
fn finds_address(encoding: &Encoding, value: ValueOf<'_>) -> bool {
    encoding.undefined.iter().any(|found| is_address(value(found.value)))
}

/// Atomic blocks that look at memory and do not come to their end.
pub fn waiting_blocks(encoding: &Encoding, value: ValueOf<'_>) -> Vec<NodeId> {
    let mut out = Vec::new();
    for event in encoding.events.iter().filter(|e| e.kind == EventKind::Read) {
        let node = &encoding.nodes[event.node.index()];
        let block = node.kind == NodeKind::Atomic && !out.contains(&event.node);
        if block && value(event.guard) == 1 && value(node.guard) == 0 {
            out.push(event.node);
        }
    }
    out
}

/// What each read is to find.
pub struct Feed<'a> {
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

impl ModelWalker<'_> {
    /// Where a cell is in the interpreter's memory, with its size.
    fn home(&self, cell: CellId) -> Option<(ObjKey, u64, u64)> {
        let (maker, offset) = self.encoding.weak.places[cell.index()]?;
        let bytes = u64::from(self.encoding.cells[cell.index()].width / 8);
        let key = match maker {
            Maker::Program(id) => self.interp.static_key(id),
            Maker::ThreadLocal(thread, id) => {
                self.interp.thread_local_key(self.tid(thread).ok()?, id)
            }
            Maker::Instruction(..) => {
                let answers = self.answers.borrow();
                let made = answers.memory.made.iter().find(|(_, of)| **of == maker);
                *made?.0
            }
        };
        Some((key, offset, bytes))
    }

    /// Its name, if it is the user's.
    fn function(&self, id: FuncId) -> String {
        let function = &self.interp.program.functions[id.index()];
        let user = function.origin == Origin::User;
        if user { function.name.clone() } else { String::new() }
    }

    /// Needs: all nodes were visited.
    fn words(&self) -> ProgramWords {
        let (mut words, types) = (ProgramWords::default(), &self.interp.program.types);
        let Some(feed) = &self.feed else { return words };
        words.functions = self.encoding.threads.iter().map(|t| self.function(t.function)).collect();
        for (i, event) in self.encoding.events.iter().enumerate() {
            let Some((key, at, size)) = self.home(event.cell) else { continue };
            let place = || self.interp.location(&self.state, key, at);
            words.places.entry(event.cell).or_insert_with(place);
            let id = EventId::new(i);
            let found = feed.stored.get(feed.sources.get(&id).unwrap_or(&id));
            let ty = self.interp.type_at(&self.state, key, at);
            let whole = ty.filter(|&ty| types.size(ty) == Some(size));
            if let (Some(&bits), Some(scalar)) = (found, whole.and_then(|ty| types.scalar(ty))) {
                let value = interp::Value::Int(bits);
                words.values.insert(id, self.interp.value_text(&self.state, value, scalar, ty));
            }
        }
        words
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
    pub fn feed_reads(&mut self, node: NodeId, value: ValueOf<'_>) {
        let Some(feed) = &self.feed else { return };
        let events = feed.by_node.get(&node).cloned().unwrap_or_default();
        let mut pokes = Vec::new();
        for id in events {
            let event = &self.encoding.events[id.index()];
            if value(event.guard) == 0 {
                continue;
            }
            match event.kind {
                EventKind::Write => pokes.push((event.cell, EventKind::Write, !value(event.value))),
                EventKind::Read => {
                    let source = feed.sources.get(&id);
                    let stored = source.and_then(|write| feed.stored.get(write)).copied();
                    let bits = stored.unwrap_or_else(|| value(event.value));
                    pokes.push((event.cell, EventKind::Read, bits));
                }
            }
        }
        pokes.sort_by_key(|(_, kind, _)| *kind == EventKind::Read);
        for (cell, _, bits) in pokes {
            if let Some((key, at, size)) = self.home(cell) {
                self.interp.poke(&mut self.state, key, at, size, bits);
            }
        }
    }

    /// Has a node written what the model says? An address has another number here.
    pub fn check_writes(&mut self, node: NodeId, value: ValueOf<'_>) -> Result<(), String> {
        let Some(feed) = &self.feed else { return Ok(()) };
        for id in feed.by_node.get(&node).cloned().unwrap_or_default() {
            let event = &self.encoding.events[id.index()];
            if event.kind == EventKind::Read || value(event.guard) == 0 {
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

    /// Each thread by itself: all that are left wait, those in blocks with what they have read.
    fn wait_alone(&mut self, run: &ModelRun<'_>, value: ValueOf<'_>) -> Result<(), String> {
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
}

/// No object is below, in either address space.
fn is_address(bits: u64) -> bool {
    bits >= 0x1000
}
