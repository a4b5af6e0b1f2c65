//! Horn clauses over integers, as text: Z3's engine for them is Spacer.
//!
//! What it finds is text, too, which the caller reads and checks: nothing is believed here.
//! (Komuravelli, Gurfinkel, Chaki: SMT-based model checking for recursive programs, CAV 2014.)

use super::ffi::Context;
use crate::SolverError;
use std::time::Duration;

/// Relations as they are, so that the solution speaks of them only.
const SETTINGS: &str = "(set-option :fp.xform.inline_eager false)\n\
     (set-option :fp.xform.inline_linear false)\n\
     (set-option :fp.xform.slice false)\n\
     (set-logic HORN)\n";

/// Definitions of the relations that declarations and clauses speak of, as SMT-LIB has them; `None` if
/// there is no solution, or not in that time.
pub fn solution(clauses: &str, time: Duration) -> Result<Option<String>, SolverError> {
    let limit = format!("(set-option :timeout {})\n", time.as_millis());
    let context = Context::new()?;
    let said = context.script(&format!("{limit}{SETTINGS}{clauses}\n(check-sat)\n"))?;
    match said.trim() {
        "sat" => context.script("(get-model)\n").map(Some),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: &str = "(declare-fun p (Int Int) Bool)\n\
        (assert (forall ((x Int)) (p x x)))\n\
        (assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 1) (+ y 1)))))\n";

    fn asked(error: &str) -> Option<String> {
        let clauses =
            format!("{COUNT}(assert (forall ((x Int) (y Int)) (=> (and (p x y) {error}) false)))");
        solution(&clauses, Duration::from_secs(10)).expect("an answer")
    }

    #[test]
    fn a_solution_defines_the_relation() {
        assert!(asked("(not (= x y))").is_some_and(|text| text.contains("define-fun p")));
    }

    #[test]
    fn where_an_error_is_derived_there_is_none() {
        assert_eq!(asked("(= x 3)"), None);
    }
}
