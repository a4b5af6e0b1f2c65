//! Properties of a model that are read off its axioms, to justify shortcuts of those who enumerate.

use crate::ast::Check;
use crate::dag::{Id, Op};
use crate::reason::is_pair_flag;
use crate::{Axiom, Model};

/// The relations whose union is acyclic in a model that is SC per location.
const COHERENCE: [&str; 4] = ["po-loc", "rf", "co", "fr"];

impl Model {
    /// Does an axiom imply that `po-loc | rf | co | fr` is acyclic (SC per location)?
    ///
    /// Decided by the shape of the axioms, never assumed. Either an axiom `acyclic r` where `r` is a
    /// union that contains the four; or `irreflexive h; e` where `h` contains `po-loc` and `e` the
    /// transitive closure of the other three (with a total co and one source per read, a cycle in
    /// the union has the form po-loc;eco: Lahav et al., PLDI 2017, appendix).
    pub fn is_coherent(&self) -> bool {
        self.axioms.iter().filter(|a| !a.flag && !a.negated).any(|a| self.implies_coherence(a))
    }

    /// Does it say what a race is: has it flags, and only those that pairs of events raise (`reason.rs`)?
    pub fn defines_races(&self) -> bool {
        let mut flags = self.axioms.iter().filter(|a| a.flag).peekable();
        flags.peek().is_some() && flags.all(is_pair_flag)
    }

    /// Does an axiom say that nothing of another thread comes between the halves of a read-modify-write:
    /// `empty rmw & (fre; coe)`, or more? With a total co, two of different threads then never read from
    /// the same write: the second to write would have the first between its halves.
    pub fn is_atomic(&self) -> bool {
        let says = |axiom: &&Axiom| match (axiom.check, &self.dag.node(axiom.node).op) {
            (Check::Empty, Op::Inter(a, b)) => self.is_rmw(*a) && self.is_fr_co(*b),
            _ => false,
        };
        self.axioms.iter().filter(|a| !a.flag && !a.negated).any(|a| says(&a))
    }

    fn is_rmw(&self, id: Id) -> bool {
        let Op::Union(a, b) = self.dag.node(id).op else { return false };
        self.is_base(a, "amo") && self.is_base(b, "lxsx")
    }

    fn is_fr_co(&self, id: Id) -> bool {
        let Op::Seq(a, b) = self.dag.node(id).op else { return false };
        let between = |id: Id, name: &str| match self.dag.node(id).op {
            Op::Inter(x, ext) if self.is_base(ext, "ext") => self.contains(x, name),
            _ => self.contains(id, name),
        };
        between(a, "fr") && between(b, "co")
    }

    pub(crate) fn implies_coherence(&self, axiom: &Axiom) -> bool {
        match (axiom.check, &self.dag.node(axiom.node).op) {
            (Check::Acyclic, _) => COHERENCE.iter().all(|name| self.contains(axiom.node, name)),
            (Check::Irreflexive, Op::Seq(order, rest)) => {
                self.contains(*order, "po-loc") && self.contains_closure(*rest)
            }
            _ => false,
        }
    }

    fn contains_closure(&self, id: Id) -> bool {
        match self.dag.node(id).op {
            Op::Opt(a) => self.contains_closure(a),
            Op::Plus(a) | Op::Star(a) => COHERENCE[1..].iter().all(|name| self.contains(a, name)),
            Op::Union(a, b) => self.contains_closure(a) || self.contains_closure(b),
            _ => false,
        }
    }

    /// Is every pair of the relation in the node's value? `false` if that does not show.
    fn contains(&self, id: Id, name: &str) -> bool {
        let dag = &self.dag;
        match &dag.node(id).op {
            Op::Union(a, b) => self.contains(*a, name) || self.contains(*b, name),
            Op::Plus(a) | Op::Star(a) | Op::Opt(a) => self.contains(*a, name),
            Op::Base(base) => base == name || (base == "po" && name == "po-loc"),
            Op::Inter(a, b) => {
                name == "po-loc" && self.is_base(*a, "po") && self.is_base(*b, "loc")
            }
            Op::Seq(a, b) => {
                let reads = matches!(dag.node(*a).op, Op::Inverse(rf) if self.is_base(rf, "rf"));
                name == "fr" && reads && self.is_base(*b, "co")
            }
            // fr and co are irreflexive: reads and writes are different events.
            Op::Diff(a, b) => self.is_base(*b, "id") && self.contains(*a, name),
            _ => false,
        }
    }

    fn is_base(&self, id: Id, name: &str) -> bool {
        matches!(&self.dag.node(id).op, Op::Base(base) if base == name)
    }
}
