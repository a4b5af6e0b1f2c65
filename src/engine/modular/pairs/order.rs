//! Which counted stores a thread passes only after others, by what is known of it at each point.
//!
//! Flags of tallies are never taken back. So if one flag is set wherever a step sets another one, by an
//! invariant that a fixpoint has left, then no thread, ended ones included, has passed the second store
//! without the first. The graph alone (`ghosts.rs`) does not see this where the path to the second
//! store goes through a branch on what the first one has returned.

use super::ghosts::{BYTE, BYTE_BITS, Ghosts};
use super::point::Points;
use super::shape::Candidates;
use super::step::System;
use crate::engine::modular::relation::candidate::{Candidate, Expr};
use crate::engine::modular::relation::guards::CellId;
use encoder::Pool;
use ir::BinOp;

/// Needs: invariants of all points.
pub fn learn(
    ghosts: &mut Ghosts,
    pool: &mut Pool,
    points: &Points,
    system: &System,
    known: &Candidates,
) {
    for (i, first) in ghosts.tallies.iter().enumerate() {
        for (j, second) in ghosts.tallies.iter().enumerate() {
            let new = i != j && !ghosts.order.contains(&(i, j));
            let flags = (first.flag, second.flag);
            if new
                && first.template == second.template
                && is_before(pool, points, system, known, flags)
            {
                ghosts.order.push((i, j));
            }
        }
    }
}

/// Is the first flag set whenever a step sets the second one?
fn is_before(
    pool: &mut Pool,
    points: &Points,
    system: &System,
    known: &Candidates,
    (first, second): (CellId, CellId),
) -> bool {
    let one = Expr::Const { bits: 1, ty: BYTE };
    let is_set = Candidate::new(Expr::binary(BinOp::Eq, BYTE, Expr::cell(first), Box::new(one)));
    let set = pool.bits(1, BYTE_BITS);
    system.edges.iter().all(|edge| {
        let before = &points.get(edge.from).my_cells;
        edge.cells[second.0] == before[second.0]
            || edge.cells[first.0] == set
            || known.at[edge.from.0].iter().any(|guess| guess.candidate == is_set)
    })
}
