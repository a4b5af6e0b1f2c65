//! Invariants of one thread at one point, and points where two threads are never at the same time.
//!
//! A flag that threads take in an atomic block or by a compare-and-swap is a lock by another name;
//! a value that only grows is known to no thread for longer than a step, but `value > seen` stays true.
//! Both are invariants of a single thread, given what any other one may do next: so for each *point* of
//! each template (before a step that others can notice) candidates over the shared cells and the
//! thread's own registers are guessed (`shape.rs`), and those that fail are thrown out (`fixpoint.rs`).
//! Beside them is kept which points two threads can be at *together*. That is what a ghost owner would
//! say: a thread past the acquisition excludes all others from there.
//!
//! A *step* (`step.rs`) is the instruction at a point, a whole atomic block, and all that follows up to
//! the next points and touches registers only. Nothing that follows can be noticed, so it may as well
//! be done at once; where it does not come to an end (a false assumption, a division by zero) what the
//! step has written stays.
//!
//! Why that is right: take an execution, step by step. Claim: the candidates that are left at the point
//! of each thread hold of the cells and its registers, those of all points hold, and each pair of
//! threads is at points that are together. At the beginning there is the first thread alone. A step of
//! a thread from a point where the claim holds leads to a point where it does (`Task::Edge`); for any
//! other thread the points were together, so its candidates still hold and the new points are together
//! (`Task::Pair`); between two other threads nothing changes but cells, and what is said of pairs is
//! not about cells. A thread that is started is at its first point together with its starter, and with
//! all that were together with its starter. So every error that an execution reaches would have a model
//! for the thread that reaches it. Any number of threads of a template is meant throughout; of those
//! that are started once there are no two.
//!
//! Races: two threads that are about to access the same bytes are at points, too, so where the points are not
//! together, or what is known at both contradicts itself, the accesses do not race (`System::conflicts`).
//!
//! Programs in which each thread is started once are left to other engines, unless they use locks.
//!
//! What the interval analysis has found is trusted, as in `relation`: which bytes an instruction touches,
//! what it reads, when no other thread was started yet, which templates have one thread. Whatever can
//! wait is a point: others go on meanwhile. Locks of the library, and numbers of threads, are cells that no
//! program has (`ghosts.rs`).
//! Numbers in slots that only their thread uses are like registers.
//! Everything else that is not a cell of a global may hold anything.
//!
//! Cost: a solver question for each step and each point that is together with it, again when a candidate
//! falls. (Thread-modular proofs: Flanagan and Qadeer, 2003; the level at which pairs of threads are
//! looked at: Hoenicke, Majumdar, Podelski, Thread modularity at many levels, POPL 2017.)
//!
//! - `ghosts.rs`: locks and numbers of threads as cells; `order.rs`: which stores come after others
//! - `point.rs`: points and what is known of them
//! - `step.rs`: from a point to the next ones
//! - `shape.rs`: candidates
//! - `rules.rs`: candidates with their terms
//! - `simulate.rs`: a few executions, which leave fewer of them
//! - `fixpoint.rs`: what is left
//! - `views.rs`: where that is not enough, all that two threads can be in, if that is little

mod fixpoint;
mod ghosts;
mod order;
mod point;
mod rules;
mod shape;
mod simulate;
mod step;
mod views;

use super::interference::Interference;
use super::log::{Access, Log};
use super::question::Unclear;
use super::relation::guards::Guards;
use crate::contract::Limits;
use encoder::Pool;
use fixpoint::{Fixpoint, FixpointEnd};
use ghosts::Ghosts;
use ir::Span;
use point::Points;
use shape::{Candidates, Shapes};
use std::time::Duration;
use step::System;
use views::{PairViews, Wide, exclude_errors};

/// Work stops after this much time, or a part of what is left, if not before.
const TIME_LIMIT: Duration = Duration::from_secs(20);
const PART: u32 = 2;
/// For programs with few states.
const A_WHILE: Duration = Duration::from_secs(4);

/// The search for a proof that errors are unreachable, which the interval analysis cannot exclude.
pub struct Pairs<'a> {
    interference: &'a Interference<'a>,
    log: &'a Log,
    guards: Guards,
    ghosts: Ghosts,
    pool: Pool,
    points: Points,
    system: System,
    /// What the last fixpoint has left.
    known: Candidates,
}

impl<'a> Pairs<'a> {
    /// Needs: the last iteration of the interval analysis. `conflicts`: accesses before which no two threads
    /// may be at the same time, if races are asked for.
    pub fn new(
        interference: &'a Interference<'a>,
        log: &'a Log,
        conflicts: &[(&Access, &Access)],
    ) -> Result<Pairs<'a>, Unclear> {
        let once = interference.templates.iter().all(|template| template.single);
        if once && (log.syncs.is_empty() || interference.templates.len() < 2) {
            return Err(Unclear::new("threads that are started once", Span::NONE));
        }
        let (mut guards, shared) = Guards::without_locks(interference, log);
        let (ghosts, shared) = Ghosts::new(interference, log, &mut guards, shared);
        let mut pool = Pool::new();
        let site = |a: &Access| (a.template, a.at.0, a.at.1);
        let sites = conflicts.iter().flat_map(|(a, b)| [site(a), site(b)]).collect();
        let points = Points::new(interference, log, (&guards, shared), &sites, &mut pool)?;
        let mut system = step::steps(interference, log, (&guards, &ghosts), &points, &mut pool)?;
        for (a, b) in conflicts {
            let point = |a: &Access| points.at(a.template, a.at).filter(|_| a.by_lock.is_none());
            let pair = point(a).zip(point(b));
            let (x, y) = pair.ok_or_else(|| Unclear::new("an access in a step", a.span))?;
            system.conflicts.insert((x.min(y), x.max(y)));
        }
        log::info!("pairs: {} points, {} steps", points.all.len(), system.edges.len());
        let known = Candidates::default();
        Ok(Pairs { interference, log, guards, ghosts, pool, points, system, known })
    }

    /// With the program's own conditions: a moment, mostly.
    pub fn first(&mut self) -> Result<(), Unclear> {
        self.prove(&[Shapes::Atoms])
    }

    /// With all other candidates, behind what `first` has left.
    pub fn further(&mut self) -> Result<(), Unclear> {
        if self.known.at.is_empty() {
            return Err(Unclear::new("no time for invariants of threads", Span::NONE));
        }
        self.prove(&[Shapes::Counts, Shapes::Flags, Shapes::Implications])
    }

    fn prove(&mut self, all: &[Shapes]) -> Result<(), Unclear> {
        let limits = self.interference.question.limits;
        let part = limits.left().map_or(TIME_LIMIT, |left| left / PART);
        let limits = limits.shortened(part.min(TIME_LIMIT));
        for shapes in all {
            let nothing_new = *shapes == Shapes::Counts && self.ghosts.starts.is_empty();
            if !nothing_new && self.attempt(*shapes, &limits)? {
                return Ok(());
            }
        }
        Err(Unclear::new("no invariant of one thread excludes an error", Span::NONE))
    }

    fn attempt(&mut self, shapes: Shapes, limits: &Limits) -> Result<bool, Unclear> {
        let Pairs { interference, log, guards, ghosts, pool, points, system, known } = self;
        let beside = (&*guards, &*ghosts);
        let candidates = shape::candidates(interference, log, beside, points, shapes, known);
        let error = |error| Unclear::new(format!("{error:?}"), Span::NONE);
        let mut fixpoint =
            Fixpoint::new(interference, pool, points, system, beside, candidates, limits)
                .map_err(error)?;
        match fixpoint.run().map_err(error)? {
            FixpointEnd::Proven => return Ok(true),
            FixpointEnd::Late => {
                return Err(Unclear::new("no time for invariants of threads", Span::NONE));
            }
            FixpointEnd::Open(span) => log::info!("pairs: open at line {}", span.line),
        }
        *known = fixpoint.settled();
        order::learn(ghosts, pool, points, system, known);
        let program = &interference.flat.program;
        let limits = &limits.shortened(A_WHILE);
        let views = PairViews { pool, points, system, guards, log, program, limits };
        let wide = match shapes {
            Shapes::Atoms => Wide::GiveUp,
            Shapes::Flags => Wide::Forget,
            Shapes::Counts | Shapes::Implications => return Ok(false),
        };
        if !system.conflicts.is_empty() {
            return Ok(false);
        }
        Ok(exclude_errors(views, wide))
    }
}
