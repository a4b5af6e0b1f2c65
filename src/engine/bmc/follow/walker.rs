//! The interpreter, led along a model: each encoded thread is stepped to its nodes, in their order.

use super::answers::{Answers, FollowWatch, InitialMemory, ModelAnswers, Silence};
use super::threads::Feed;
use super::{ModelRun, ValueOf, is_about_waiting, violates};
use crate::contract::{Goal as Wanted, confirm};
use encoder::coenabled;
use encoder::{
    CoEnabled, Encoding, Fault, Goal, GoalKind, Node, NodeId, NodeKind, ProgramPoint, ThreadId,
};
use interp::{Cut, Interp, ScheduleStep, State, StepResult, Tid};
use ir::{At, Span, Stop, Terminator};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// Steps of one thread between two nodes: more than any unrolled program has.
pub const MAX_STEPS: usize = 50_000_000;

pub struct ModelWalker<'a> {
    pub interp: &'a Interp<'a>,
    pub encoding: &'a Encoding,
    pub state: State,
    /// By encoded thread, once it is started.
    pub tids: Vec<Option<Tid>>,
    /// Where the last node of each encoded thread began.
    pub done: Vec<Option<ProgramPoint>>,
    pub answers: RefCell<Answers>,
    pub steps: Vec<ScheduleStep>,
    /// The last that went another way.
    pub met: Option<WalkStop>,
    /// Under a memory model without schedules.
    pub feed: Option<Feed<'a>>,
}

/// What ends a walk before its goal.
pub enum WalkStop {
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

impl<'a> ModelWalker<'a> {
    pub fn new(
        interp: &'a Interp<'a>,
        encoding: &'a Encoding,
        table: FxHashMap<(ThreadId, ProgramPoint), u64>,
        value: ValueOf<'_>,
    ) -> ModelWalker<'a> {
        let threads = encoding.threads.len();
        let mut tids = vec![None; threads];
        if let Some(first) = tids.first_mut() {
            *first = Some(Tid::FIRST);
        }
        // The arguments of the first thread are the first symbols.
        let entry = &interp.program.functions[interp.program.entry.index()];
        let argument =
            |i: usize| Some((i as u64, *table.get(&(ThreadId(0), ProgramPoint::of_parameter(i)))?));
        let symbols = (0..entry.params.len()).filter_map(argument).collect();
        let memory = InitialMemory::new(encoding, value);
        let (thread, given) = (ThreadId(0), Vec::new());
        let answers = Answers { table, thread, at: None, symbols, given, memory };
        ModelWalker {
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
    pub fn walk(&mut self, run: &ModelRun<'_>, value: ValueOf<'_>) -> Result<Wanted, String> {
        if let GoalKind::Error(Fault::Race, _) = run.goal.kind {
            let racing = coenabled::racing(&run.encoding.coenabled, |t| value(t) == 1);
            let racing = racing.ok_or("no thread races")?;
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
        Ok(Wanted::Violation { kind: violates(run.goal), at: self.instruction(run.goal) })
    }

    /// Visits what these threads need, and gives the rest of the schedule.
    fn visit_needed<'r>(
        &mut self,
        run: &ModelRun<'r>,
        threads: &[ThreadId],
        value: ValueOf<'_>,
    ) -> Result<&'r [NodeId], String> {
        let (needed, rest) = run.schedule.split_at(count_needed(run, threads, value));
        for &id in needed {
            self.visit(run, id, value)?;
        }
        Ok(rest)
    }

    /// A node of the schedule: one that does not happen, or is to fail, is left out.
    pub fn visit(
        &mut self,
        run: &ModelRun<'_>,
        id: NodeId,
        value: ValueOf<'_>,
    ) -> Result<(), String> {
        let node = &run.encoding.nodes[id.index()];
        match value(node.guard) == 1 && run.goal.node != Some(id) {
            true => self.node(id, node, value),
            false => Ok(()),
        }
    }

    fn node(&mut self, id: NodeId, node: &Node, value: ValueOf<'_>) -> Result<(), String> {
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

    /// Steps a thread until it stands at a place.
    pub fn walk_to(&mut self, thread: ThreadId, at: ProgramPoint) -> Result<(), String> {
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
    pub fn violate(
        &mut self,
        run: &ModelRun<'_>,
        rest: &[NodeId],
        value: ValueOf<'_>,
    ) -> Result<(), String> {
        let goal = run.goal;
        let mut rest = rest.iter();
        for _ in 0..MAX_STEPS {
            match (self.step(goal.thread)?, rest.as_slice()) {
                (StepResult::Ran, _) => {}
                (StepResult::Violation(v), _)
                    if v.id == self.instruction(goal).id && v.kind == violates(goal) =>
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

    /// The instruction that a goal is about.
    fn instruction(&self, goal: &Goal) -> At {
        let function = self.encoding.threads[goal.thread.index()].function;
        let blocks = &self.interp.program.functions[function.index()].blocks;
        blocks[goal.at.block.index()].at(goal.at.index as usize)
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

    pub fn running(&self) -> Vec<ThreadId> {
        let runs =
            |t: &ThreadId| self.tid(*t).is_ok_and(|tid| self.state.running().any(|r| r == tid));
        (0..self.tids.len()).map(ThreadId::new).filter(runs).collect()
    }

    /// Leads both threads to where they have halted. A block that coenabled runs after what the other
    /// one has done, so what is left of the schedule is needed only if somebody is blocked.
    fn race(
        &mut self,
        run: &ModelRun<'_>,
        racing: [&CoEnabled; 2],
        rest: &[NodeId],
        value: ValueOf<'_>,
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

    pub fn step(&mut self, thread: ThreadId) -> Result<StepResult, String> {
        let tid = self.tid(thread)?;
        if let Some(WalkStop::Violation(v)) = &self.met {
            return Err(format!("{} came first", v.what));
        }
        self.answers.borrow_mut().thread = thread;
        let mut inputs = ModelAnswers(&self.answers);
        let mut watch = FollowWatch { answers: &self.answers, interp: self.interp };
        let result = self.interp.step(&mut self.state, tid, &mut inputs, &mut watch);
        let answers = std::mem::take(&mut self.answers.borrow_mut().given);
        self.met = match &result {
            StepResult::Violation(v) => Some(WalkStop::Violation(v.clone())),
            StepResult::Unsupported { what, span } => {
                Some(WalkStop::Unmodelled { what: what.clone(), span: *span })
            }
            StepResult::Stopped { why: Cut::InvalidAccess(what), span } => {
                Some(WalkStop::InvalidAccess { what: what.clone(), span: *span })
            }
            _ => self.met.take(),
        };
        if result != StepResult::Blocked {
            self.steps.push(ScheduleStep { thread: tid, answers });
        }
        Ok(result)
    }

    pub fn tid(&self, thread: ThreadId) -> Result<Tid, String> {
        let tid = self.tids.get(thread.index()).copied().flatten();
        tid.ok_or_else(|| format!("thread {} is not started yet", thread.0))
    }

    /// Where a thread stands, unless in a callee.
    fn position(&self, thread: ThreadId) -> Result<Option<ProgramPoint>, String> {
        Ok(position(&self.state, self.tid(thread)?))
    }

    fn place(&self, thread: ThreadId, at: ProgramPoint) -> String {
        let function = &self.interp.program.functions;
        let name = self.encoding.threads.get(thread.index());
        let name = name.map_or("?", |t| function[t.function.index()].name.as_str());
        format!("{name} block {} instruction {}", at.block.0, at.index)
    }
}

pub fn position(state: &State, thread: Tid) -> Option<ProgramPoint> {
    let mut frames = state.frames(thread);
    match (frames.next(), frames.next()) {
        (Some((_, block, index)), None) => Some(ProgramPoint { block, index: index as u32 }),
        _ => None,
    }
}

/// How much of the schedule the erring threads need: up to their last node, or all. One of two may
/// have done nothing: then it must be started at least.
fn count_needed(run: &ModelRun<'_>, threads: &[ThreadId], value: ValueOf<'_>) -> usize {
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
