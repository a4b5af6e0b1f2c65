//! Which accesses may race.
//!
//! Two accesses conflict if they may touch the same byte of the same object, one writes, and not both
//! are atomic. They are harmless if their threads do not run at the same time, or both hold a lock
//! that excludes the other, or the objects or places differ from thread to thread.

use super::interval::Interval;
use super::log::{Access, Log};
use super::sync::LockMode;
use super::value::{ClassId, Region, Symbol, Whose};
use super::world::World;
use ir::Span;

/// Two accesses that may race, if there are any.
pub fn possible(world: &World<'_>, log: &Log) -> Option<(Span, Span)> {
    for (i, a) in log.accesses.iter().enumerate() {
        if let Some(b) = log.accesses[i..].iter().find(|b| may_race(world, a, b)) {
            return Some((a.span, b.span));
        }
    }
    None
}

fn may_race(world: &World<'_>, a: &Access, b: &Access) -> bool {
    a.base.region == b.base.region
        && (a.write || b.write)
        && !(a.atomic && b.atomic)
        && !(a.death && b.death)
        && at_the_same_time(world, a, b)
        && !exclude_each_other(world, a, b)
        && !different_objects(world, a, b)
        && !apart(world, a, b)
}

/// May a thread be at `a` while another one is at `b`?
fn at_the_same_time(world: &World<'_>, a: &Access, b: &Access) -> bool {
    if a.alone || b.alone {
        return false;
    }
    if a.class == b.class {
        return several(world, a.class);
    }
    if let Some(child) = child_towards(world, a.class, b.class) {
        return !world.class(a.class).single || runs_with_parent(a, child, b.class);
    }
    if let Some(child) = child_towards(world, b.class, a.class) {
        return !world.class(b.class).single || runs_with_parent(b, child, a.class);
    }
    let (x, y) = (world.class(a.class).parent, world.class(b.class).parent);
    let pair = (a.class.min(b.class), a.class.max(b.class));
    x != y || !world.class(x).single || world.together.contains(&pair)
}

/// May two threads of the class run at the same time?
fn several(world: &World<'_>, class: ClassId) -> bool {
    let of = world.class(class);
    !of.single && (!world.class(of.parent).single || world.together.contains(&(class, class)))
}

/// The child of `above` that is `below` or has started it.
fn child_towards(world: &World<'_>, above: ClassId, below: ClassId) -> Option<ClassId> {
    let mut at = below;
    while at != ClassId::MAIN {
        let parent = world.class(at).parent;
        if parent == above {
            return Some(at);
        }
        at = parent;
    }
    None
}

/// May threads of the class run while their starter is at this access? Grandchildren may outlive
/// the child that has been joined.
fn runs_with_parent(parent: &Access, child: ClassId, class: ClassId) -> bool {
    match child == class {
        true => parent.alive.contains(&child),
        false => parent.started.contains(&child),
    }
}

fn exclude_each_other(world: &World<'_>, a: &Access, b: &Access) -> bool {
    a.locks.iter().any(|(lock, mode)| match b.locks.get(lock) {
        Some(other) => *mode.max(other) == LockMode::Write && !world.is_broken(*lock),
        None => false,
    })
}

/// Two threads with objects of their own: made by themselves, or given to each of them.
fn different_objects(world: &World<'_>, a: &Access, b: &Access) -> bool {
    let region = a.base.region;
    let own = |x: &Access| matches!(x.base.whose, Whose::Mine | Whose::New);
    let given = |x: &Access| x.base.whose == Whose::Given;
    let made_apart = a.class == b.class && own(a) && own(b) && !matches!(region, Region::Object(_));
    made_apart && !world.class(a.class).single || given(a) && given(b)
}

/// Do the two touch different bytes?
fn apart(world: &World<'_>, a: &Access, b: &Access) -> bool {
    let (x, y) = (a.offset, b.offset);
    let outside = x.hi + i128::from(a.size) <= y.lo || y.hi + i128::from(b.size) <= x.lo;
    outside || apart_by_counter(world, a, b)
}

/// Both are at `scale * counter + rest`, for different values of one counter: of two threads that
/// were started in different rounds of a loop, or of the loop and a thread of an earlier round.
fn apart_by_counter(world: &World<'_>, a: &Access, b: &Access) -> bool {
    let (Some(x), Some(y)) = (a.sym, b.sym) else { return false };
    if x.scale != y.scale || !world.is_one_object(a.base.region) {
        return false;
    }
    let differ = match (x.symbol, y.symbol) {
        (Symbol::Start(r), Symbol::Start(s)) => {
            a.class == b.class && r == s && steady(world, a.class, r)
        }
        (Symbol::Counter(r), Symbol::Start(s)) => r == s && earlier_round(world, a, b.class, r),
        (Symbol::Start(r), Symbol::Counter(s)) => r == s && earlier_round(world, b, a.class, s),
        (Symbol::Counter(_), Symbol::Counter(_)) => false,
    };
    let fits = |one: Interval, size: u64, other: Interval| {
        one.hi + i128::from(size) - other.lo <= x.scale.abs()
    };
    differ && fits(x.rest, a.size, y.rest) && fits(y.rest, b.size, x.rest)
}

/// Is the counter in the loop that starts the class never the same in two rounds?
fn steady(world: &World<'_>, class: ClassId, counter: ir::Reg) -> bool {
    let of = world.class(class);
    of.counters.contains_key(&counter) && !world.unsteady.contains(&(of.parent, counter))
}

/// Was every thread of the class that runs during this access of its starter started in another
/// round?
fn earlier_round(world: &World<'_>, starter: &Access, class: ClassId, counter: ir::Reg) -> bool {
    world.class(class).parent == starter.class
        && starter.around.is_some()
        && starter.around == world.class(class).around
        && !starter.used.contains(&(class, counter))
        && steady(world, class, counter)
}
