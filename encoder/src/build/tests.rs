//! Whatever a constructor simplifies, the value stays.

use crate::eval::Evaluator;
use crate::guards::Guards;
use crate::term::{Op, Pool, Sort, Term};
use crate::testing::terms::{Machine, WORLDS, steps};
use proptest::prelude::*;

const WIDTHS: [u8; 12] = [1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 63, 64];

fn variables(values: &[[u64; WORLDS]]) -> Machine {
    let mut machine = Machine::new(&WIDTHS);
    for (i, &v) in values.iter().enumerate() {
        let sort = match i % 4 {
            0 => Sort::Bits(8),
            1 => Sort::Bool,
            2 => Sort::Bits(WIDTHS[(v[0] % 12) as usize]),
            _ => Sort::Bits(64),
        };
        machine.variable(sort, v);
    }
    machine
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Every term that the constructors build is worth what school arithmetic says.
    #[test]
    fn values_stay(
        values in prop::collection::vec(any::<[u64; WORLDS]>(), 4..8),
        steps in steps(24),
    ) {
        let mut machine = variables(&values);
        machine.run(&steps);
        for i in 0..WORLDS {
            let mut eval = Evaluator::new(&machine.pool, machine.world(i));
            for item in &machine.items {
                let text = crate::print::term(&machine.pool, item.term);
                prop_assert_eq!(eval.value(item.term), item.values[i], "{}", text);
            }
        }
    }

    /// Small values, so that comparisons and `ite`s over constants often meet.
    #[test]
    fn values_stay_in_three_bits(
        values in prop::collection::vec(any::<[u64; WORLDS]>(), 3),
        steps in steps(24),
    ) {
        let mut machine = Machine::new(&[1, 2, 3]);
        machine.variable(Sort::Bits(3), values[0]);
        machine.variable(Sort::Bool, values[1]);
        machine.variable(Sort::Bits(2), values[2]);
        machine.run(&steps);
        for i in 0..WORLDS {
            let mut eval = Evaluator::new(&machine.pool, machine.world(i));
            for item in &machine.items {
                let text = crate::print::term(&machine.pool, item.term);
                prop_assert_eq!(eval.value(item.term), item.values[i], "{}", text);
            }
        }
    }

    /// What is said about two Booleans holds for all values of their variables.
    #[test]
    fn judgements_are_sound(choices in prop::collection::vec(any::<(u8, u8, u8)>(), 1..24)) {
        let mut pool = Pool::new();
        let mut terms: Vec<Term> = (0..4).map(|_| pool.fresh(Sort::Bool)).collect();
        for (what, a, b) in choices {
            let [a, b] = [a, b].map(|n| terms[usize::from(n) % terms.len()]);
            terms.push(match what % 4 {
                0 => pool.not(a),
                1 | 2 => pool.and(a, b),
                _ => pool.or(a, b),
            });
        }
        let truth = |t: Term| -> Vec<bool> {
            (0..16u64).map(|w| Evaluator::new(&pool, |v| w >> v.0).holds(t)).collect()
        };
        let mut guards = Guards::default();
        let tables: Vec<Vec<bool>> = terms.iter().map(|&t| truth(t)).collect();
        for (&a, x) in terms.iter().zip(&tables) {
            for (&b, y) in terms.iter().zip(&tables) {
                let all = |f: fn(bool, bool) -> bool| x.iter().zip(y).all(|(&x, &y)| f(x, y));
                prop_assert!(!pool.implies(a, b) || all(|x, y| !x || y));
                prop_assert!(!guards.excludes(&pool, a, b) || all(|x, y| !x || !y));
                prop_assert!(!pool.opposite(a, b) || all(|x, y| x != y));
            }
        }
    }
}

/// Longer conjunctions than the rules look at are still judged soundly.
#[test]
fn a_long_conjunction_implies_only_what_it_has() {
    let mut pool = Pool::new();
    let vars: Vec<Term> = (0..200).map(|_| pool.fresh(Sort::Bool)).collect();
    let most = pool.and_all(vars[1..].iter().copied());
    let all = pool.and(most, vars[0]);
    assert!(!pool.implies(most, all));
    assert!(!pool.implies(most, vars[0]));
    assert!(pool.implies(all, vars[0]));
    let not_first = pool.not(vars[0]);
    let mut guards = Guards::default();
    assert!(!guards.excludes(&pool, most, not_first) && guards.excludes(&pool, all, not_first));
}

/// Ways that part and meet again leave no trace in the guard.
#[test]
fn ways_that_meet_again_are_one() {
    let mut pool = Pool::new();
    let [path, c] = [(); 2].map(|()| pool.fresh(Sort::Bool));
    let n = pool.not(c);
    let (then, otherwise) = (pool.and(path, c), pool.and(path, n));
    assert_eq!(pool.or(then, otherwise), path);
    assert_eq!(pool.or(otherwise, then), path);
}

/// A C condition goes through `int` and comes back as the Boolean it was.
#[test]
fn an_int_that_was_a_boolean_is_one_again() {
    let mut pool = Pool::new();
    let c = pool.fresh(Sort::Bool);
    let int = pool.bool_to_bits(c, 32);
    let wide = pool.sign_ext(int, 64);
    assert_eq!(pool.truth(wide), c);
    let one = pool.bits(1, 64);
    assert_eq!(pool.eq(wide, one), c);
    let two = pool.bits(2, 64);
    let never = pool.eq(wide, two);
    assert_eq!(pool.op(never), Op::Bool(false));
}
