//! One test suite for all backends: `backend_suite!(|pool, bridge, method| ...)` in a test module.
//!
//! Hand-made encodings with known answers, random ones against all interleavings (`execute.rs`), and
//! random terms of every operator against `encoder::eval`. Every model is checked: all facts hold,
//! and the schedule is an execution that reads what the model says.
//!
//! - `build.rs`: encodings by hand: threads that read and write a few cells
//! - `litmus.rs`: small programs whose answers are known

pub mod build;
pub mod execute;
pub mod litmus;
pub mod random;
pub mod terms;

use crate::{Backend, Bridge, Method, Outcome, SolverError};
use build::Builder;
use encoder::MemoryModel;
use encoder::{Encoding, Pool, Term};
use execute::{Values, check_schedule, evaluate};
use std::time::{Duration, Instant};

/// How a backend is made.
pub trait Make: Fn(&Pool, Bridge, Method) -> Result<Box<dyn Backend>, SolverError> {}
impl<F: Fn(&Pool, Bridge, Method) -> Result<Box<dyn Backend>, SolverError>> Make for F {}

pub const METHODS: [Method; 2] = [Method::Prop, Method::Basic];

/// Writes the tests of a backend: a closure that makes a boxed one from pool, bridge and method.
#[macro_export]
macro_rules! backend_suite {
    ($make:expr) => {
        $crate::backend_suite! { $make;
            litmus::coherence, litmus::message_passing, litmus::store_buffering,
            litmus::lost_update, litmus::four_writers, litmus::four_writers_twice,
            litmus::order_across_cells, litmus::conditional_join, litmus::handshake,
            random::against_all_interleavings, random::with_inputs_and_joins,
            terms::integers, terms::floats, terms::deep,
            assumptions_come_and_go, facts_come_later, work_is_counted,
            second_stage_survives, interrupted, no_time_left, unused_variables_are_zero,
            a_level_zero_conflict_stays, a_wrong_theory_is_caught
        }
    };
    ($make:expr; $($module:ident $(:: $test:ident)?),*) => {
        $($crate::backend_suite! { @one $make, $module $(:: $test)? })*
    };
    (@one $make:expr, $module:ident :: $test:ident) => {
        #[test]
        fn $test() {
            $crate::testing::$module::$test(&$make);
        }
    };
    (@one $make:expr, $test:ident) => {
        #[test]
        fn $test() {
            $crate::testing::$test(&$make);
        }
    };
}

/// A backend in use.
pub struct Session {
    pub encoding: Encoding,
    facts: Vec<Term>,
    model: MemoryModel,
    pub backend: Box<dyn Backend>,
}

impl Session {
    pub fn new(
        make: &impl Make,
        mut encoding: Encoding,
        model: MemoryModel,
        method: Method,
    ) -> Session {
        let (mut bridge, mut facts) = Bridge::new(&mut encoding, model);
        if encoding.events.len().is_multiple_of(2) {
            bridge.check_itself(&encoding);
        }
        facts.extend(encoding.facts.iter().copied());
        let mut backend = make(&encoding.pool, bridge, method).expect("a backend");
        for &fact in &facts {
            backend.assert(&encoding.pool, fact).expect("a fact");
        }
        Session { encoding, facts, model, backend }
    }

    pub fn assert(&mut self, fact: Term) {
        self.facts.push(fact);
        self.backend.assert(&self.encoding.pool, fact).expect("a fact");
    }

    /// Solves, and looks closely at a model.
    pub fn solve(&mut self, assumptions: &[Term]) -> Outcome {
        let outcome =
            self.backend.solve(&self.encoding.pool, assumptions, None).expect("an answer");
        if outcome == Outcome::Sat {
            self.check_model(assumptions);
        }
        outcome
    }

    pub fn values(&mut self) -> Values {
        let pool = &self.encoding.pool;
        let variables = all_variables(pool);
        let value = |&var: &Term| {
            let number = self.backend.value(pool, var).expect("a value");
            (execute::variable(pool, var).expect("a variable"), number)
        };
        variables.iter().map(value).collect()
    }

    fn check_model(&mut self, assumptions: &[Term]) {
        let values = self.values();
        for &fact in self.facts.iter().chain(assumptions) {
            assert_eq!(evaluate(&self.encoding.pool, &values, fact), 1, "{fact:?} is false");
        }
        if self.model == MemoryModel::Sc {
            check_schedule(&self.encoding, values, self.backend.bridge().schedule());
        }
    }
}

/// Every variable of the facts, by walking down from them.
fn all_variables(pool: &Pool) -> Vec<Term> {
    let mut all = Vec::new();
    for t in pool.terms() {
        if execute::variable(pool, t).is_some() {
            all.push(t);
        }
    }
    all
}

/// Both methods give the expected answers under both models.
pub fn expect(make: &impl Make, build: impl Fn() -> (Builder, Term), sc: Outcome, weak: Outcome) {
    for method in METHODS {
        for (model, expected) in [(MemoryModel::Sc, sc), (MemoryModel::Wsc, weak)] {
            let (builder, goal) = build();
            let mut session = Session::new(make, builder.finish(), model, method);
            assert_eq!(session.solve(&[goal]), expected, "{method:?} {model:?}");
        }
    }
}

/// x is 0, 1 or 2 when read beside two increments; each answer by assumption, in any order.
pub fn assumptions_come_and_go(make: &impl Make) {
    for method in METHODS {
        let mut builder = Builder::new(4, 1);
        let [t, u, v] = [(); 3].map(|()| builder.thread());
        builder.increment(t, 0);
        builder.increment(u, 0);
        let seen = builder.read(v, 0);
        let goals: Vec<Term> = (0..5).map(|value| builder.is(seen, value)).collect();
        let denials: Vec<Term> = goals.iter().map(|&g| builder.pool().not(g)).collect();
        let mut session = Session::new(make, builder.finish(), MemoryModel::Sc, method);
        for i in [4, 0, 2, 3, 1, 4, 2] {
            let expected = if i <= 2 { Outcome::Sat } else { Outcome::Unsat };
            assert_eq!(session.solve(&[goals[i]]), expected, "{method:?} {i}");
        }
        assert_eq!(session.solve(&[goals[0], goals[1]]), Outcome::Unsat);
        assert_eq!(session.solve(&denials[..3]), Outcome::Unsat);
        assert_eq!(session.solve(&denials[1..]), Outcome::Sat);
        assert_eq!(session.solve(&[]), Outcome::Sat);
    }
}

/// A theory that orders more than its reference does (here the reference knows no program order) is
/// caught.
pub fn a_wrong_theory_is_caught(make: &impl Make) {
    let build = || {
        let mut b = Builder::new(4, 2);
        let [t, u] = [(); 2].map(|()| b.thread());
        b.write(t, 0, 1);
        b.write(t, 1, 1);
        let reads = [b.read(u, 1), b.read(u, 0)];
        let goal = b.are(&reads, &[1, 0]);
        (b.finish(), goal)
    };
    for method in METHODS {
        let ((mut encoding, goal), (mut weaker, _)) = (build(), build());
        weaker.threads.iter_mut().for_each(|thread| thread.nodes.clear());
        let (mut bridge, facts) = Bridge::new(&mut encoding, MemoryModel::Sc);
        bridge.check_itself(&weaker);
        let mut backend = make(&encoding.pool, bridge, method).expect("a backend");
        for &fact in facts.iter().chain(&encoding.facts) {
            backend.assert(&encoding.pool, fact).expect("a fact");
        }
        let answer = backend.solve(&encoding.pool, &[goal], None);
        let caught =
            matches!(&answer, Err(SolverError::Panic(what)) if what.contains("self-check"));
        assert!(caught, "{method:?}: {answer:?}");
    }
}

/// Facts between questions narrow the answers.
pub fn facts_come_later(make: &impl Make) {
    for method in METHODS {
        let mut builder = Builder::new(4, 2);
        let [t, u] = [(); 2].map(|()| builder.thread());
        builder.write(t, 0, 1);
        builder.write(t, 1, 1);
        let flag = builder.read(u, 1);
        let data = builder.read(u, 0);
        let (set, old) = (builder.is(flag, 1), builder.is(data, 0));
        let mut session = Session::new(make, builder.finish(), MemoryModel::Sc, method);
        assert_eq!(session.solve(&[set]), Outcome::Sat, "{method:?}");
        assert_eq!(session.solve(&[old]), Outcome::Sat, "{method:?}");
        session.assert(old);
        assert_eq!(session.solve(&[]), Outcome::Sat, "{method:?}");
        assert_eq!(session.solve(&[set]), Outcome::Unsat, "{method:?}");
        session.assert(set);
        assert_eq!(session.solve(&[]), Outcome::Unsat, "{method:?}");
    }
}

pub fn no_time_left(make: &impl Make) {
    for method in METHODS {
        let (builder, goal) = litmus::four_writers_program();
        let mut session = Session::new(make, builder.finish(), MemoryModel::Sc, method);
        let (pool, now) = (&session.encoding.pool, Instant::now());
        assert_eq!(session.backend.solve(pool, &[goal], Some(now)), Ok(Outcome::TimeOut));
        assert_eq!(session.solve(&[goal]), Outcome::Unsat, "time again: {method:?}");
    }
}

/// Variables that were born in one question serve in the next.
pub fn second_stage_survives(make: &impl Make) {
    for method in METHODS {
        let (builder, goal) = litmus::four_writers_program();
        let mut session = Session::new(make, builder.finish(), MemoryModel::Sc, method);
        for _ in 0..3 {
            assert_eq!(session.solve(&[goal]), Outcome::Unsat, "{method:?}");
            assert_eq!(session.solve(&[]), Outcome::Sat, "{method:?}");
        }
        session.assert(goal);
        assert_eq!(session.solve(&[]), Outcome::Unsat, "{method:?}");
    }
}

/// A search that was cut short leaves nothing wrong behind.
pub fn interrupted(make: &impl Make) {
    for method in METHODS {
        let (builder, goal) = litmus::lost_update_program(false, 1, 2);
        let mut session = Session::new(make, builder.finish(), MemoryModel::Sc, method);
        for ms in [1, 2, 5, 10, 20] {
            let deadline = Instant::now() + Duration::from_millis(ms);
            let outcome = session.backend.solve(&session.encoding.pool, &[goal], Some(deadline));
            assert!(matches!(outcome, Ok(Outcome::TimeOut | Outcome::Unsat)), "{outcome:?}");
        }
        assert_eq!(session.solve(&[]), Outcome::Sat, "{method:?}");
        assert_eq!(session.solve(&[goal]), Outcome::Unsat, "{method:?}");
    }
}

pub fn unused_variables_are_zero(make: &impl Make) {
    for method in METHODS {
        let mut builder = Builder::new(4, 1);
        let (flag, number) = (builder.input(), builder.pool().fresh(encoder::Sort::Bits(7)));
        let mut session = Session::new(make, builder.finish(), MemoryModel::Sc, method);
        assert_eq!(session.solve(&[]), Outcome::Sat);
        let pool = &session.encoding.pool;
        assert_eq!(session.backend.value(pool, flag), Ok(0), "{method:?}");
        assert_eq!(session.backend.value(pool, number), Ok(0), "{method:?}");
    }
}

/// Counters of the theory that all backends have. One model is accepted, so one is looked at.
pub fn work_is_counted(make: &impl Make) {
    for method in METHODS {
        let (builder, goal) = litmus::four_writers_program();
        let mut session = Session::new(make, builder.finish(), MemoryModel::Sc, method);
        assert_eq!(session.solve(&[goal]), Outcome::Unsat);
        assert_eq!(session.solve(&[]), Outcome::Sat);
        let counters = session.backend.counters();
        let of = |name| counters.iter().find(|(n, _)| *n == name).map(|&(_, value)| value);
        assert!(of("models") >= Some(1), "{counters:?}");
        assert!(of("theory conflicts") >= Some(1), "{counters:?}");
        // A solver may be lucky and decide nothing.
        assert!(of("decisions").is_some(), "{counters:?}");
    }
}

/// A static cycle, or a fact that leads to one, is unsatisfiable whatever is assumed.
pub fn a_level_zero_conflict_stays(make: &impl Make) {
    for method in METHODS {
        let mut builder = Builder::new(4, 1);
        let [t, u] = [(); 2].map(|()| builder.thread());
        let (a, b) = (builder.read(t, 0), builder.read(u, 0));
        builder.write(t, 0, 1);
        builder.write(u, 0, 1);
        let (first, second) = (builder.is(a, 1), builder.is(b, 1));
        let mut session = Session::new(make, builder.finish(), MemoryModel::Sc, method);
        session.assert(first);
        session.assert(second);
        assert_eq!(session.solve(&[]), Outcome::Unsat, "{method:?}");
        assert_eq!(session.solve(&[first]), Outcome::Unsat, "{method:?}");
    }
}
