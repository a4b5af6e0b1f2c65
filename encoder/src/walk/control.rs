//! Where control goes at the end of a block: guards for the ways, and the ends of ways.

use super::state::WalkState;
use super::{Plan, Walk};
use crate::event::{GoalKind, ThreadId};
use crate::term::Term;
use ir::{BlockId, Operand, Stop, Terminator};

impl Walk<'_> {
    /// Where control goes and with what.
    pub(super) fn terminator(
        &mut self,
        mut state: WalkState,
        end: &Terminator,
        plan: &Plan,
    ) -> Vec<(BlockId, WalkState)> {
        match end {
            Terminator::Goto(to) => vec![(*to, state.only(plan.live.at_start(*to)))],
            Terminator::Branch { cond, then, otherwise } => {
                self.controlled(&mut state, cond);
                self.inside_arms(&mut state, cond, plan);
                let value = self.operand(&state, cond);
                let yes = self.pool.truth(value);
                let no = self.pool.not(yes);
                let branches = [(yes, *then), (no, *otherwise)];
                self.branches(&state, &branches, plan)
            }
            Terminator::Switch { value, cases, default } => {
                self.switch(state, value, cases, *default, plan)
            }
            // The process ends with its first thread, which no one can join then.
            Terminator::Return(_) if self.thread == ThreadId(0) => {
                self.end_of_process(&mut state, true);
                vec![]
            }
            Terminator::Stop(Stop::Exit) => {
                self.end_of_process(&mut state, false);
                vec![]
            }
            Terminator::Return(value) => {
                let value = value.map(|v| self.operand(&state, &v));
                self.about_to_leave(&state);
                self.end_of_thread(state, value);
                vec![]
            }
            Terminator::ExitThread(value) => {
                let value = self.operand(&state, value);
                self.about_to_leave(&state);
                self.end_of_thread(state, Some(value));
                vec![]
            }
            Terminator::Stop(stop) => {
                if let Stop::Bound(i) = stop {
                    self.goal(&state, GoalKind::Bound(*i), state.guard);
                }
                vec![]
            }
        }
    }

    fn branches(
        &mut self,
        state: &WalkState,
        branches: &[(Term, BlockId)],
        plan: &Plan,
    ) -> Vec<(BlockId, WalkState)> {
        let mut out = Vec::with_capacity(branches.len());
        for &(condition, to) in branches {
            let guard = self.pool.and(state.guard, condition);
            if !self.pool.is_false(guard) {
                let live = plan.live.at_start(to);
                out.push((to, WalkState { guard, ..state.clone_for(live) }));
            }
        }
        out
    }

    fn switch(
        &mut self,
        mut state: WalkState,
        value: &Operand,
        cases: &[(u64, BlockId)],
        default: BlockId,
        plan: &Plan,
    ) -> Vec<(BlockId, WalkState)> {
        self.controlled(&mut state, value);
        self.inside_arms(&mut state, value, plan);
        let value = self.operand(&state, value);
        let mut rest = state.guard;
        let mut out = Vec::new();
        for &(k, to) in cases {
            let k = self.pool.bits(k, self.pool.width(value));
            let hit = self.pool.eq(value, k);
            let guard = self.pool.and(rest, hit);
            if !self.pool.is_false(guard) {
                out.push((to, WalkState { guard, ..state.clone_for(plan.live.at_start(to)) }));
            }
            let miss = self.pool.not(hit);
            rest = self.pool.and(rest, miss);
        }
        if !self.pool.is_false(rest) {
            out.push((
                default,
                WalkState { guard: rest, ..state.clone_for(plan.live.at_start(default)) },
            ));
        }
        out
    }
}
