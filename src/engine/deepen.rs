//! Loops without a bound given: try without any, then with growing ones, then without again.
//!
//! An engine that walks states needs no bound where the state space is finite, and there is no
//! conclusive answer like that one. But in an endless loop it may walk past a shallow violation for
//! ever. So the time is divided: a quarter for an honest try, a sixteenth for each of four small
//! bounds (a violation within a bound is a violation), and all that is left for the honest try
//! again. The price is at most half of the time on programs that need it all.
//!
//! Invariant: SAFE is said only for a run in which no loop was cut off.

use super::{Answer, Engine, Limits, Property, Reason, Remark, Settings, Verdict};
use frontend::ir::{Origin, Program, Span};
use frontend::pass::loops::{LoopInfo, loops};
use frontend::pass::unroll::{Bounds, TooLarge, unroll};
use std::time::{Duration, Instant};

const BOUNDS: [u32; 4] = [2, 4, 8, 16];
/// How time is divided when there is no limit.
const UNLIMITED: Duration = Duration::from_secs(60);

/// Asks another engine several times.
pub struct Deepen<E>(pub E);

impl<E: Engine> Engine for Deepen<E> {
    fn check(
        &mut self,
        program: &Program,
        property: Property,
        settings: &Settings,
        limits: &Limits,
    ) -> Verdict {
        let found = user_loops(program);
        if found.is_empty() {
            return self.0.check(program, property, settings, limits);
        }
        let time = limits.deadline.map_or(UNLIMITED, |d| d - Instant::now());
        let mut try_for = |program: &Program, time: Duration| {
            let end = Instant::now() + time;
            let deadline = Some(limits.deadline.map_or(end, |d| d.min(end)));
            self.0.check(program, property, settings, &Limits { deadline, ..limits.clone() })
        };
        let first = try_for(program, time / 4);
        if !ran_out(&first) {
            return first;
        }
        let mut safe_within = None;
        for bound in BOUNDS {
            let Ok(copy) = bounded(program, &|_| Some(bound)) else { break };
            let verdict = try_for(&copy, time / 16);
            match verdict.answer {
                Answer::Safe | Answer::Unsafe(_) => return verdict,
                Answer::Bounded { .. } => safe_within = Some(bound),
                Answer::Unknown(_) => break,
            }
        }
        let mut last = self.0.check(program, property, settings, limits);
        if let (true, Some(bound)) = (ran_out(&last), safe_within) {
            let text = format!("no violation within unwind {bound}");
            last.notes.push(Remark { text, span: Span::NONE });
        }
        last
    }
}

/// Would more time or a smaller program help?
fn ran_out(verdict: &Verdict) -> bool {
    matches!(verdict.answer, Answer::Unknown(Reason::Time | Reason::Memory))
}

/// The loops that a bound is about. Those of our models end by themselves or wait.
pub fn user_loops(program: &Program) -> Vec<LoopInfo> {
    let of_user = |l: &LoopInfo| program.functions[l.function.index()].origin == Origin::User;
    loops(program).into_iter().filter(of_user).collect()
}

/// A copy of the program with its user's loops cut off.
pub fn bounded(
    program: &Program,
    bound: &dyn Fn(&LoopInfo) -> Option<u32>,
) -> Result<Program, TooLarge> {
    let found = loops(program);
    let of_user = |l: &&LoopInfo| program.functions[l.function.index()].origin == Origin::User;
    let named = found.iter().filter(of_user).filter_map(|l| Some((l.name.clone(), bound(l)?)));
    let bounds = Bounds { per_loop: named.collect(), ..Bounds::default() };
    let mut copy = program.clone();
    unroll(&mut copy, &found, &bounds)?;
    Ok(copy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::ir::{Block, BlockId, FuncId, Function, Terminator};
    use frontend::types::{Machine, Types};

    /// Answers from a list and remembers how many blocks it was asked about.
    struct Scripted {
        answers: Vec<Answer>,
        asked: Vec<usize>,
    }

    impl Engine for Scripted {
        fn check(&mut self, p: &Program, property: Property, _: &Settings, _: &Limits) -> Verdict {
            self.asked.push(p.functions[0].blocks.len());
            let answer = self.answers.remove(0);
            Verdict::new(property, answer)
        }
    }

    /// `main` is one block that jumps to itself, or to its end.
    fn program(endless: bool) -> Program {
        let end = if endless { Terminator::Goto(BlockId(0)) } else { Terminator::Return(None) };
        let main = Function {
            name: "main".into(),
            span: Span::NONE,
            origin: Origin::User,
            ret: None,
            params: vec![],
            regs: vec![],
            slots: vec![],
            atomic: false,
            blocks: vec![Block { insts: vec![], end, end_span: Span::NONE }],
        };
        Program {
            machine: Machine::Lp64,
            types: Types::new(Machine::Lp64),
            files: vec![],
            objects: vec![],
            functions: vec![main],
            entry: FuncId(0),
            ignored: vec![],
        }
    }

    fn check(endless: bool, answers: Vec<Answer>) -> (Verdict, Vec<usize>) {
        let mut engine = Deepen(Scripted { answers, asked: vec![] });
        let (settings, limits) = (Settings::default(), Limits::default());
        let verdict = engine.check(&program(endless), Property::UnreachCall, &settings, &limits);
        (verdict, engine.0.asked)
    }

    fn time() -> Answer {
        Answer::Unknown(Reason::Time)
    }

    fn cut() -> Answer {
        Answer::Bounded { cut: vec![] }
    }

    #[test]
    fn without_loops_there_is_one_question() {
        assert_eq!(check(false, vec![time()]).1, [1]);
    }

    #[test]
    fn an_answer_ends_the_questions() {
        assert_eq!(check(true, vec![Answer::Safe]).1, [1]);
        let other = Answer::Unknown(Reason::Other("why".into()));
        assert_eq!(check(true, vec![other]).1, [1]);
    }

    #[test]
    fn bounds_grow_and_the_last_question_has_none() {
        let answers = vec![time(), cut(), cut(), cut(), cut(), time()];
        let (verdict, asked) = check(true, answers);
        assert_eq!(asked, [1, 3, 5, 9, 17, 1]);
        assert!(ran_out(&verdict));
        assert_eq!(verdict.notes[0].text, "no violation within unwind 16");
    }

    #[test]
    fn too_hard_a_bound_ends_the_growing() {
        let (verdict, asked) = check(true, vec![time(), cut(), time(), Answer::Safe]);
        assert_eq!(asked, [1, 3, 5, 1]);
        assert!(matches!(verdict.answer, Answer::Safe));
    }
}
