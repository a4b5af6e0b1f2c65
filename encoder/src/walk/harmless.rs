//! A wrong `free` after which no error can come is no doubt.
//!
//! A free of what is no block mostly crashes. If not, it is not known what memory holds from there
//! on, so any branch may go either way. But it changes nothing that happened before, and it makes no
//! error where there is none in the program. So if neither the thread that does it comes to an
//! error any more, whatever its branches do, nor any other thread has one at all, the property is
//! kept. (A program that frees an array of variable length at the very end.)
//!
//! Only for reachability: other properties have errors everywhere. "Comes to" is meant by the graph:
//! all that can be entered from there counts, and so does the end of an unrolled loop, a call that
//! is left, a thread that is started, and what is not modelled.

use super::Walk;
use super::lifetime::WRONG_FREE;
use crate::event::{Goal, GoalKind};
use ir::Property;
use ir::{self, Callee, Function, InstKind, Stop, Terminator};

impl Walk<'_> {
    /// Forgets wrong frees that no error can follow.
    pub(super) fn drop_harmless(&mut self) {
        if self.config.property != Property::UnreachCall {
            return;
        }
        let goals = std::mem::take(&mut self.goals);
        let free =
            |g: &Goal| matches!(&g.kind, GoalKind::InvalidAccess(what) if what == WRONG_FREE);
        let doubtful = |g: &Goal| !free(g) || !self.is_last(g);
        self.goals = goals.into_iter().filter(doubtful).collect();
    }

    fn is_last(&self, goal: &Goal) -> bool {
        let functions = &self.program.functions;
        let mut others = self.running.iter().enumerate();
        let all = |f: &Function| f.blocks.iter().all(|b| self.is_calm(&b.insts));
        others.all(|(i, r)| i == goal.thread.index() || all(&functions[r.function.index()]))
            && self.nothing_follows(goal)
    }

    /// No error stands in what can be entered after the goal.
    fn nothing_follows(&self, goal: &Goal) -> bool {
        let running = &self.running[goal.thread.index()];
        let function = &self.program.functions[running.function.index()];
        let first = &function.blocks[goal.at.block.index()];
        let rest = first.insts.get(goal.at.index as usize + 1..).unwrap_or(&[]);
        let mut seen = vec![false; function.blocks.len()];
        let mut todo = vec![(rest, &first.end)];
        while let Some((insts, end)) = todo.pop() {
            if !self.is_calm(insts) || matches!(end, Terminator::Stop(Stop::Bound(_))) {
                return false;
            }
            for next in end.successors() {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    let block = &function.blocks[next.index()];
                    todo.push((&block.insts, &block.end));
                }
            }
        }
        true
    }

    fn is_calm(&self, insts: &[ir::Inst]) -> bool {
        insts.iter().all(|inst| match &inst.kind {
            InstKind::Error { .. } | InstKind::Unsupported { .. } => false,
            InstKind::Undefined { .. } | InstKind::Spawn { .. } => false,
            InstKind::Call { callee: Callee::Direct(f), .. } => {
                !self.program.functions[f.index()].has_body()
            }
            InstKind::Call { callee: Callee::Indirect(_), .. } => false,
            _ => true,
        })
    }
}
