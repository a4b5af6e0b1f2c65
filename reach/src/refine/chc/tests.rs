//! What is written and what is read back.

use super::read::{definitions, terms};
use crate::system::{Cell, CellId, CellKind, System, ThreadId};
use encoder::Sort;
use encoder::eval::Evaluator;

fn system(cells: usize) -> System {
    let mut system = System::default();
    for i in 0..cells {
        let var = system.pool.fresh(Sort::Bits(32));
        let kind = CellKind::Own(ThreadId(0));
        system.cells.push(Cell { name: format!("c{i}"), var, kind, initial: Some(0) });
        system.by_var.insert(var, CellId(i as u32));
    }
    system
}

/// Does the first conjunct that is read hold for these numbers?
fn holds(body: &str, numbers: [u64; 2]) -> Vec<bool> {
    let model = format!("(\n(define-fun p0 ((x!0 Int) (x!1 Int)) Bool {body})\n)");
    let mut system = system(2);
    let found = definitions(&model);
    let cells: Vec<CellId> = system.cell_ids().collect();
    let all = terms(&mut system, &cells, &found[0].1);
    let value = |v: encoder::Var| {
        let at = system.cells.iter().position(|c| system.pool.op(c.var) == encoder::Op::Var(v));
        numbers[at.expect("a cell")]
    };
    all.iter().map(|t| Evaluator::new(&system.pool, value).holds(*t)).collect()
}

#[test]
fn differences_wrap_around() {
    let body = "(let ((a!1 (not (<= (+ x!0 (* (- 1) x!1)) 0)))) (and a!1 (<= x!1 5)))";
    let all = holds(body, [0, 0xffff_ffff]);
    // The difference (0 - (-1) is 1), two orders, and the bound; of each its negation, too.
    assert_eq!(all.len(), 8);
    assert_eq!(all.iter().filter(|h| **h).count(), 4, "{all:?}");
}

#[test]
fn parity_and_choices() {
    assert_eq!(holds("(or (= (mod x!0 2) 0) (> x!1 3))", [7, 4]).len(), 5);
    assert!(holds("(exists ((y Int)) (= x!0 y))", [0, 0]).is_empty());
    assert!(holds("(= (* x!0 x!1) 2)", [1, 2]).is_empty());
}

#[test]
fn unfinished_text_is_no_panic() {
    for text in ["", ")", "((", "(define-fun p0", "((define-fun p0 ((x!0 Int)) Bool (and)))"] {
        let _ = definitions(text);
    }
    assert!(holds("(let ((a)) a)", [0, 0]).is_empty());
}
