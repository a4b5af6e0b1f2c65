//! Greedy steps towards a counterexample that is easier to follow.
//!
//! Each of them: leave out what a thread did last, or glue two runs of one thread together by
//! moving one of them, as long as the schedule still shows the same violation with fewer context
//! switches, or with as many and fewer steps. Cost: one execution per attempt, at most `MAX_STEPS`
//! steps in all.

use crate::contract::{Goal, confirm::execute};
use interp::{Interp, ScheduleStep};

const MAX_STEPS: usize = 2_000_000;

pub fn shrink(interp: &Interp<'_>, schedule: Vec<ScheduleStep>, goal: &Goal) -> Vec<ScheduleStep> {
    let mut best = schedule;
    let mut budget = MAX_STEPS;
    while let Some(better) = improve(interp, &best, goal, &mut budget) {
        best = better;
    }
    best
}

/// The first candidate that is better and still shows the goal.
fn improve(
    interp: &Interp<'_>,
    schedule: &[ScheduleStep],
    goal: &Goal,
    budget: &mut usize,
) -> Option<Vec<ScheduleStep>> {
    let races = matches!(goal, Goal::Race(..));
    for candidate in candidates(&runs(schedule)) {
        if cost(&candidate) >= cost(schedule) {
            continue;
        }
        *budget = budget.checked_sub(candidate.len() + 1)?;
        let Some(executed) = execute(interp, &candidate, races) else { continue };
        if executed.shows(interp, goal) {
            return Some(candidate[..executed.steps].to_vec());
        }
    }
    None
}

type ThreadRun = Vec<ScheduleStep>;

/// The schedule as maximal runs of one thread.
fn runs(schedule: &[ScheduleStep]) -> Vec<ThreadRun> {
    schedule.chunk_by(|a, b| a.thread == b.thread).map(<[_]>::to_vec).collect()
}

fn candidates(runs: &[ThreadRun]) -> impl Iterator<Item = Vec<ScheduleStep>> + '_ {
    let drops = (0..runs.len()).rev().map(|i| without(runs, i));
    let earlier = (0..runs.len()).filter_map(|i| glued(runs, i, true));
    let later = (0..runs.len()).filter_map(|i| glued(runs, i, false));
    earlier.chain(later).chain(drops)
}

/// Without run `i` and all that its thread does later.
fn without(runs: &[ThreadRun], i: usize) -> Vec<ScheduleStep> {
    let thread = runs[i][0].thread;
    let kept = runs.iter().enumerate().filter(|(j, run)| *j < i || run[0].thread != thread);
    kept.flat_map(|(_, run)| run.iter().cloned()).collect()
}

/// Run `i` and the run of its thread before it glued together, at the earlier or the later place.
fn glued(runs: &[ThreadRun], i: usize, early: bool) -> Option<Vec<ScheduleStep>> {
    let before = (0..i).rev().find(|&j| runs[j][0].thread == runs[i][0].thread)?;
    let mut order: Vec<usize> = (0..runs.len()).collect();
    if early {
        let moved = order.remove(i);
        order.insert(before + 1, moved);
    } else {
        let moved = order.remove(before);
        order.insert(i - 1, moved);
    }
    Some(order.into_iter().flat_map(|j| runs[j].iter().cloned()).collect())
}

fn cost(schedule: &[ScheduleStep]) -> (usize, usize) {
    let switches = schedule.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count();
    (switches, schedule.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use interp::Tid;

    fn schedule(threads: &str) -> Vec<ScheduleStep> {
        let step = |c: char| ScheduleStep { thread: Tid(c as u32), answers: vec![] };
        threads.chars().map(step).collect()
    }

    #[test]
    fn runs_are_glued_early_or_late() {
        let runs = runs(&schedule("aabba"));
        assert_eq!(glued(&runs, 2, true), Some(schedule("aaabb")));
        assert_eq!(glued(&runs, 2, false), Some(schedule("bbaaa")));
        assert_eq!(glued(&runs, 1, true), None);
    }

    #[test]
    fn leaving_out_a_run_leaves_out_all_that_follows_from_it() {
        let runs = runs(&schedule("aabbacb"));
        assert_eq!(without(&runs, 1), schedule("aaac"));
        assert_eq!(without(&runs, 0), schedule("bbcb"));
    }

    #[test]
    fn switches_count_more_than_steps() {
        assert!(cost(&schedule("aaaaab")) < cost(&schedule("aba")));
        assert!(cost(&schedule("ab")) < cost(&schedule("aab")));
    }
}
