//! The cat language: memory models as text, and what they say about an execution.
//!
//! A model is a list of definitions of sets and relations over events, and of axioms over them. An
//! execution is a graph: events with program order, reads-from, coherence and so on. It is consistent
//! if every axiom holds. (Alglave, Maranget, Tautschnig: Herding cats, TOPLAS 2014; the language as in
//! Alglave, Cousot, Maranget: Syntax and semantics of the weak consistency model specification language
//! cat, 2016. `docs/cat.md` says which part of it is here.)
//!
//! ```
//! use cat::{Evaluation, Graph, Model};
//!
//! // Store buffering: 0 and 1 are initial writes; 2 -po-> 3 and 4 -po-> 5 are the two threads.
//! let mut sb = Graph::new(6);
//! for w in [0, 1, 2, 4] { sb.mark(w, "W"); }
//! for r in [3, 5] { sb.mark(r, "R"); }
//! for e in 0..6 { sb.mark(e, "M"); }
//! for (a, b) in [(2, 3), (4, 5)] { sb.relate("po", a, b); }
//! for (a, b) in [(1, 3), (0, 5)] { sb.relate("rf", a, b); sb.relate("ext", a, b); }
//! for (a, b) in [(0, 2), (1, 4)] { sb.relate("co", a, b); }
//! for (a, b) in [(3, 4), (5, 2)] { sb.relate("ext", a, b); }
//!
//! let tso = Model::builtin("tso").unwrap();
//! assert!(Evaluation::new(&tso, sb.clone()).is_consistent());
//!
//! let sc = Model::builtin("sc").unwrap();
//! let violation = Evaluation::new(&sc, sb).violation().unwrap();
//! let cycle: Vec<_> = violation.steps.iter().map(|s| (s.from, s.relation.as_str(), s.to)).collect();
//! assert_eq!(cycle, [(2, "po", 3), (3, "fr", 4), (4, "po", 5), (5, "fr", 2)]);
//! ```
//!
//! Inside: `lex`, `parse` and `ast` read the text, `resolve` looks names up and expands functions into
//! a DAG (`dag`) of operators, `eval` evaluates that DAG on a graph with the bit sets of `relation`,
//! `witness` explains, `bounds` says what a flag can be at most. The crate knows neither programs
//! nor litmus tests; code that has an execution makes a [`Graph`] of it.
//!
//! - `absence.rs`: why a pair is not in a relation, for `reason.rs`
//! - `error.rs`: what is wrong with a cat file, and where: file, line, caret, hint
//! - `part.rs`: what a model orders whatever else is in the execution
//! - `property.rs`: properties of a model that are read off its axioms, to justify shortcuts of
//!   those who enumerate
//! - `reason.rs`: why an axiom does not hold, as facts that a solver learns from

mod absence;
mod ast;
mod bounds;
mod dag;
mod error;
mod eval;
mod graph;
mod lex;
mod models;
mod names;
mod parse;
mod part;
mod property;
mod reason;
mod relation;
mod resolve;
#[cfg(test)]
mod tests;
mod witness;

pub use absence::Backdrop;
pub use ast::Check;
use dag::{Dag, Growth, Id};
pub use error::Error;
pub use eval::Evaluation;
pub use graph::Graph;
pub use models::NAMES as BUILTIN;
pub use names::predefined_set;
pub use part::{AxiomPart, Says};
pub use reason::{ConflictReason, Fact};
pub use relation::{EventSet, Relation};
pub use witness::{AxiomViolation, WitnessStep};

/// A memory model.
#[derive(Clone, Debug)]
pub struct Model {
    title: Option<String>,
    /// Its name, if it is one of ours.
    builtin: Option<&'static str>,
    dag: Dag,
    axioms: Vec<Axiom>,
    catdep: bool,
}

/// One line of a model that can fail.
#[derive(Clone, Debug)]
pub struct Axiom {
    pub name: String,
    pub check: Check,
    /// It asks for the contrary.
    pub negated: bool,
    /// It restricts nothing: executions in which the check (negated or not) succeeds are remarkable.
    pub flag: bool,
    /// File and line.
    pub place: (String, usize),
    node: Id,
}

impl Model {
    /// Reads a model. Needs: `load` gives the text of a file that the model includes, or says why not.
    pub fn parse(
        file: &str,
        text: &str,
        load: &mut dyn FnMut(&str) -> Result<String, String>,
    ) -> Result<Self, Error> {
        let resolved = resolve::resolve(file, text, load)?;
        let resolve::Resolved { title, dag, axioms, catdep } = resolved;
        Ok(Self { title, builtin: None, dag, axioms, catdep })
    }

    /// Reads a model and what it includes from files: an include is looked for beside the model.
    pub fn read(path: &std::path::Path) -> Result<Self, Error> {
        let shown = path.display().to_string();
        let read = |path: &std::path::Path| {
            std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        };
        let text = read(path).map_err(|e| Error::of_file(&shown, e.to_string()))?;
        let folder = path.parent().map(std::path::Path::to_path_buf).unwrap_or_default();
        Self::parse(&shown, &text, &mut |name| read(&folder.join(name)).map_err(|e| e.to_string()))
    }

    /// A model of ours by its name (see [`BUILTIN`]).
    pub fn builtin(name: &str) -> Option<Self> {
        let (name, text) = models::named(name)?;
        let missing = &mut |_: &str| Err("there is no such file among the models".to_string());
        match Self::parse(&format!("{name}.cat"), text, missing) {
            Ok(model) => Some(Self { builtin: Some(name), ..model }),
            Err(error) => unreachable!("a test reads every model: {error}"),
        }
    }

    /// Is it the one of ours that has this name?
    pub fn is_builtin(&self, name: &str) -> bool {
        self.builtin == Some(name)
    }

    /// What the model calls itself.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Does it compute dependencies itself (`catdep`), from events of registers? Executions have
    /// to say what their instructions do with them then.
    pub fn computes_dependencies(&self) -> bool {
        self.catdep
    }

    pub fn axioms(&self) -> &[Axiom] {
        &self.axioms
    }

    /// Names that the model defines, for pictures and messages.
    pub fn definitions(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.dag.names.values().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Does the model speak about a predefined set or relation?
    pub fn mentions(&self, name: &str) -> bool {
        let base = |node: &dag::DagNode| matches!(&node.op, dag::Op::Base(n) if n == name);
        self.dag.nodes.iter().any(base)
    }

    /// Once violated by a part of rf and co, it stays violated.
    fn only_gets_worse(&self, axiom: &Axiom) -> bool {
        let growth = self.dag.node(axiom.node).growth;
        !axiom.flag && !axiom.negated && matches!(growth, Growth::Grows | Growth::Fixed)
    }
}
