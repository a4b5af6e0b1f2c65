//! Loops with the bounds that the user gave; those without any: try without, then with growing bounds,
//! then without again.
//!
//! An engine that walks states needs no bound where the state space is finite, and there is no
//! conclusive answer like that one. But in an endless loop it may walk past a shallow violation for
//! ever. So the time is divided: a quarter for an honest try, a sixteenth for each of four small
//! bounds (a violation within a bound is a violation), and all that is left for the honest try
//! again. The price is at most half of the time on programs that need it all.
//!
//! In the portfolio, the honest try and the growing bounds are members of their own and share the time
//! by the policy: `Given` and `Shallow`.
//!
//! Invariant: SAFE is said only for a run in which no loop was cut off.

use crate::contract::{Answer, Engine, Query, Reason, Remark, Verdict};
use analysis::loops::user_loops;
use analysis::unroll::bounded;
use ir::{Program, Span};
use std::time::Duration;

const BOUNDS: [u32; 4] = [2, 4, 8, 16];
/// How time is divided when there is no limit.
const UNLIMITED: Duration = Duration::from_secs(60);

/// Asks another engine with the bounds that were given for single loops.
pub struct Given<E>(pub E);

/// Asks another engine several times.
pub struct Deepen<E>(pub E);

/// Asks another engine with small bounds for all loops.
pub struct Shallow<E>(pub E);

impl<E: Engine> Engine for Given<E> {
    fn check(&self, query: Query<'_>) -> Verdict {
        let given = &query.settings.bounds;
        if given.per_loop.is_empty() {
            return self.0.check(query);
        }
        match bounded(query.program, &|info| given.per_loop.get(&info.name).copied()) {
            Ok(program) => self.0.check(Query { program: &program, ..query }),
            Err(large) => {
                let what = format!("unwinding loop {} that often", large.name);
                let why = format!("{what} makes the program too large");
                Verdict::new(query.property, Answer::Unknown(Reason::Other(why)))
            }
        }
    }
}

impl<E: Engine> Engine for Shallow<E> {
    fn check(&self, query: Query<'_>) -> Verdict {
        let mut last = Verdict::new(query.property, Answer::Unknown(Reason::Time));
        for bound in BOUNDS {
            let Ok(copy) = bounded(query.program, &|_| Some(bound)) else { break };
            last = self.0.check(Query { program: &copy, ..query });
            if !matches!(last.answer, Answer::Bounded { .. }) {
                break;
            }
        }
        last
    }
}

impl<E: Engine> Engine for Deepen<E> {
    fn check(&self, query: Query<'_>) -> Verdict {
        let Query { program, settings, limits, .. } = query;
        if settings.bounds.everywhere.is_some() || user_loops(program).is_empty() {
            return self.0.check(query);
        }
        let time = limits.left().unwrap_or(UNLIMITED);
        let try_for = |program: &Program, time: Duration| {
            self.0.check(Query { program, limits: &limits.shortened(time), ..query })
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
        let mut last = self.0.check(query);
        if let (true, Some(bound)) = (ran_out(&last), safe_within) {
            let text = format!("no violation within unwind {bound}");
            last.notes.push(Remark::new(text, Span::NONE));
        }
        last
    }
}

/// Would more time or a smaller program help?
fn ran_out(verdict: &Verdict) -> bool {
    matches!(verdict.answer, Answer::Unknown(Reason::Time | Reason::Memory))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Limits, Property, Settings};
    use ir::types::{Machine, Types};
    use ir::{Block, BlockId, FuncId, Function, Origin, Terminator};
    use std::cell::RefCell;

    /// Answers from a list and remembers how many blocks it was asked about.
    struct Scripted {
        answers: RefCell<Vec<Answer>>,
        asked: RefCell<Vec<usize>>,
    }

    impl Scripted {
        fn new(answers: Vec<Answer>) -> Scripted {
            Scripted { answers: answers.into(), asked: RefCell::default() }
        }
    }

    impl Engine for Scripted {
        fn check(&self, query: Query<'_>) -> Verdict {
            self.asked.borrow_mut().push(query.program.functions[0].blocks.len());
            Verdict::new(query.property, self.answers.borrow_mut().remove(0))
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
            blocks: vec![Block::new(vec![], end, Span::NONE)],
        };
        Program {
            machine: Machine::Lp64,
            types: Types::new(Machine::Lp64),
            files: vec![],
            objects: vec![],
            functions: vec![main],
            entry: FuncId(0),
            kinds: Vec::new(),
            ignored: vec![],
            tolerated: vec![],
            volatile: vec![],
            numbered: 0,
            loops: vec![],
        }
    }

    fn check(endless: bool, answers: Vec<Answer>) -> (Verdict, Vec<usize>) {
        let engine = Deepen(Scripted::new(answers));
        let (settings, limits) = (Settings::default(), Limits::default());
        let program = program(endless);
        let property = Property::UnreachCall;
        let query = Query { program: &program, property, settings: &settings, limits: &limits };
        (engine.check(query), engine.0.asked.into_inner())
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
