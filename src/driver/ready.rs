//! A program as an engine gets it: loaded, its loops bounded, those that only wait collapsed.

use super::stop::Stop;
use crate::consistency::{self, Weaker};
use crate::contract::{Bounds, MemoryModel, Property};
use crate::kernel;
use crate::load::Loader;
use crate::request::{Check, ModelChoice, Spin, Unwind};
use crate::show;
use analysis::idle;
use analysis::loops::{LoopInfo, user_loops};
use analysis::spin::{self, Goal};
use analysis::wait_loop;
use ir::{Program, PropertyKind};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Forms of the program that may be asked for again, under the same model or another one.
#[derive(Default)]
pub struct Shelf {
    loaded: Vec<Program>,
    ready: Vec<Arc<Ready>>,
}

impl Shelf {
    /// Loads the program, finds bounds for its loops, and collapses those that only wait. What was
    /// done for a property before is not done again.
    pub fn prepared(
        &mut self,
        loader: Loader<'_>,
        check: &Check,
        property: Property,
    ) -> Result<Arc<Ready>, Stop> {
        let (goal, kind) = (spin::Goal::of(property), property.kind());
        let form = Form::of(check);
        let asked =
            |ready: &&Arc<Ready>| (ready.goal, ready.kind, ready.form) == (goal, kind, form);
        if let Some(ready) = self.ready.iter().find(asked) {
            return Ok(ready.clone());
        }
        let loaded = match self.loaded.iter().find(|program| program.kinds.contains(&kind)) {
            Some(program) => program.clone(),
            None => {
                let program = loader.prepared(kind)?;
                self.loaded.push(program.clone());
                program
            }
        };
        let ready = Arc::new(prepare(loader, loaded, check, property)?);
        self.ready.push(ready.clone());
        Ok(ready)
    }
}

/// What `prepare` takes from the memory model: models that agree on it have the same program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Form {
    model: MemoryModel,
    forgets_reads: bool,
    knows_kernel: bool,
}

impl Form {
    fn of(check: &Check) -> Form {
        let (forgets_reads, knows_kernel) = (forgets_reads(check), kernel::known(check));
        Form { model: check.model(), forgets_reads, knows_kernel }
    }
}

/// A program as an engine gets it.
pub struct Ready {
    /// What it was prepared for.
    goal: Option<Goal>,
    kind: PropertyKind,
    form: Form,
    pub program: Program,
    /// Bounds by the names of loops in `program`.
    pub bounds: Bounds,
    /// Where it asks for less than the interleavings that engines look at.
    pub weaker: Option<Weaker>,
}

impl Ready {
    /// The same with another form of the program, which has the same loops; none of them only waits.
    pub fn with(&self, program: Program) -> Ready {
        let bounds = Bounds { waits: FxHashSet::default(), ..self.bounds.clone() };
        Ready { program, bounds, ..*self }
    }
}

/// Bounds loops where the options say so, and collapses those that only wait.
fn prepare(
    loader: Loader<'_>,
    mut program: Program,
    check: &Check,
    property: Property,
) -> Result<Ready, Stop> {
    show::know_loops(&user_loops(&program), &check.unwindset)?;
    let everywhere = everywhere(check);
    let bound = |info: &LoopInfo| {
        let single = check.unwindset.iter().find(|b| info.name == b.name);
        single.map(|b| b.bound).or(everywhere)
    };
    let weaker = consistency::weaker(&program);
    kernel::take_out(&mut program, check, property);
    let mut waits = FxHashSet::default();
    let allowed = check.model().allows(spin::ASSUMES) || forgets_reads(check);
    let goal = Loader::goal(&program, property, check.model());
    if let Some(goal) = goal.filter(|_| check.spin == Spin::On && allowed) {
        loader.collapse(&mut program, goal);
        if forgets_reads(check) && idle::is_sound_for(property) {
            loader.cut_idle(&mut program);
        }
        if matches!(goal, Goal::Reachability | Goal::AnySafety) {
            waits = wait_loop::find(&program);
        }
    }
    let named = user_loops(&program).into_iter();
    let per_loop = named.filter_map(|l| Some((l.name.clone(), bound(&l)?))).collect();
    let bounds = Bounds { per_loop, everywhere, waits };
    let (goal, kind, form) = (spin::Goal::of(property), property.kind(), Form::of(check));
    Ok(Ready { goal, kind, form, program, bounds, weaker })
}

/// Is an execution without some reads of an iteration that changes nothing an execution, too? So it is where
/// the absence of a read forbids nothing: in our models, no difference takes reads away.
fn forgets_reads(check: &Check) -> bool {
    check.weak().is_some_and(|weak| matches!(weak.model, ModelChoice::Builtin(_)))
}
/// The bound for all loops, if there is one.
fn everywhere(check: &Check) -> Option<u32> {
    match check.unwind {
        Unwind::Auto => None,
        Unwind::Bound(n) => Some(n),
    }
}
