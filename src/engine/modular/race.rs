//! Which accesses may race.
//!
//! Two accesses conflict if they may touch the same byte of the same object, one writes, and not both
//! are atomic. They are harmless if their threads do not run at the same time, or both hold a lock
//! that excludes the other, or the objects or places differ from thread to thread.

use super::interference::Interference;
use super::interval::Interval;
use super::log::{Access, Log};
use super::sync::{ElementLock, LockMode};
use super::value::{Ownership, Region, Sym, Symbol, TemplateId};

/// Pairs of accesses that may race.
pub fn possible<'l>(
    interference: &'l Interference<'_>,
    log: &'l Log,
) -> impl Iterator<Item = (&'l Access, &'l Access)> {
    let with_later = move |(i, a): (usize, &'l Access)| {
        let later = log.accesses[i..].iter().map(move |b| (a, b));
        later.filter(move |(a, b)| may_race(interference, a, b))
    };
    log.accesses.iter().enumerate().flat_map(with_later)
}

fn may_race(interference: &Interference<'_>, a: &Access, b: &Access) -> bool {
    a.base.region == b.base.region
        && (a.write || b.write)
        && !(a.atomic && b.atomic)
        && !(a.death && b.death)
        && at_the_same_time(interference, a, b)
        && !exclude_each_other(interference, a, b)
        && !by_element(interference, a, b)
        && !different_objects(interference, a, b)
        && !apart(interference, a, b)
}

/// May a thread be at `a` while another one is at `b`?
fn at_the_same_time(interference: &Interference<'_>, a: &Access, b: &Access) -> bool {
    if a.alone || b.alone {
        return false;
    }
    if a.template == b.template {
        return several(interference, a.template);
    }
    if let Some(child) = child_towards(interference, a.template, b.template) {
        return !interference.template(a.template).single || runs_with_parent(a, child, b.template);
    }
    if let Some(child) = child_towards(interference, b.template, a.template) {
        return !interference.template(b.template).single || runs_with_parent(b, child, a.template);
    }
    let (x, y) =
        (interference.template(a.template).parent, interference.template(b.template).parent);
    let pair = (a.template.min(b.template), a.template.max(b.template));
    x != y || !interference.template(x).single || interference.together.contains(&pair)
}

/// May two threads of the template run at the same time?
fn several(interference: &Interference<'_>, template: TemplateId) -> bool {
    let of = interference.template(template);
    !of.single
        && (!interference.template(of.parent).single
            || interference.together.contains(&(template, template)))
}

/// The child of `above` that is `below` or has started it.
fn child_towards(
    interference: &Interference<'_>,
    above: TemplateId,
    below: TemplateId,
) -> Option<TemplateId> {
    let mut at = below;
    while at != TemplateId::MAIN {
        let parent = interference.template(at).parent;
        if parent == above {
            return Some(at);
        }
        at = parent;
    }
    None
}

/// May threads of the template run while their starter is at this access? Grandchildren may outlive
/// the child that has been joined.
fn runs_with_parent(parent: &Access, child: TemplateId, template: TemplateId) -> bool {
    match child == template {
        true => parent.alive.contains(&child),
        false => parent.started.contains(&child),
    }
}

fn exclude_each_other(interference: &Interference<'_>, a: &Access, b: &Access) -> bool {
    a.locks.iter().any(|(lock, mode)| match b.locks.get(lock) {
        Some(other) => *mode.max(other) == LockMode::Write && !interference.is_broken(*lock),
        None => false,
    })
}

/// Two threads with objects of their own: made by themselves, or given to each of them.
fn different_objects(interference: &Interference<'_>, a: &Access, b: &Access) -> bool {
    let region = a.base.region;
    let own = |x: &Access| matches!(x.base.owner, Ownership::Own | Ownership::New);
    let given = |x: &Access| x.base.owner == Ownership::Transferred;
    let made_apart =
        a.template == b.template && own(a) && own(b) && !matches!(region, Region::Object(_));
    made_apart && !interference.template(a.template).single || given(a) && given(b)
}

/// Do the two touch different bytes?
fn apart(interference: &Interference<'_>, a: &Access, b: &Access) -> bool {
    let (x, y) = (a.offset, b.offset);
    let outside = x.hi + i128::from(a.size) <= y.lo || y.hi + i128::from(b.size) <= x.lo;
    outside || apart_by_counter(interference, a, b) || apart_by_residue(interference, a, b)
}

/// Are the two at different places of elements, whichever elements they are?
fn apart_by_residue(interference: &Interference<'_>, a: &Access, b: &Access) -> bool {
    let Some(scale) = a.sym.or(b.sym).map(|sym| sym.scale.abs()).filter(|scale| *scale > 0) else {
        return false;
    };
    let rest = |access: &Access| match access.sym {
        Some(sym) if sym.scale.abs() == scale => sym.rest,
        _ => access.offset,
    };
    let (x, y) = (rest(a), rest(b));
    let from = (y.lo - x.lo).rem_euclid(scale);
    interference.is_one_object(a.base.region)
        && from >= x.hi - x.lo + i128::from(a.size)
        && from + (y.hi - y.lo) + i128::from(b.size) <= scale
}

/// Both are at `scale * counter + rest`, for different values of one counter: of two threads that
/// were started in different iterations of a loop, or of the loop and a thread of an earlier iteration.
fn apart_by_counter(interference: &Interference<'_>, a: &Access, b: &Access) -> bool {
    let (Some(x), Some(y)) = (a.sym, b.sym) else { return false };
    if x.scale != y.scale || !interference.is_one_object(a.base.region) {
        return false;
    }
    let differ = match (x.symbol, y.symbol) {
        (Symbol::Start(r), Symbol::Start(s)) => {
            a.template == b.template && r == s && steady(interference, a.template, r)
        }
        (Symbol::Counter(r), Symbol::Start(s)) => {
            r == s && earlier_round(interference, a, b.template, r)
        }
        (Symbol::Start(r), Symbol::Counter(s)) => {
            r == s && earlier_round(interference, b, a.template, s)
        }
        _ => false,
    };
    differ && apart_if_different((a, x), (b, y))
}

/// Both are at `scale * symbol + rest`: do they touch different bytes if the symbols differ?
fn apart_if_different((a, x): (&Access, Sym), (b, y): (&Access, Sym)) -> bool {
    let fits = |one: Interval, size: u64, other: Interval| {
        one.hi + i128::from(size) - other.lo <= x.scale.abs()
    };
    x.scale == y.scale && fits(x.rest, a.size, y.rest) && fits(y.rest, b.size, x.rest)
}

/// Each holds the lock of the element that it accesses: of one element the same one.
fn by_element(interference: &Interference<'_>, a: &Access, b: &Access) -> bool {
    let (Some(x), Some(y)) = (a.sym, b.sym) else { return false };
    let of_both = |(lock, mode): (&ElementLock, &LockMode)| {
        let other = ElementLock { symbol: y.symbol, ..*lock };
        let excludes = b.elements.get(&other).is_some_and(|m| *mode.max(m) == LockMode::Write);
        lock.symbol == x.symbol && excludes && !interference.has_broken(lock.at.region)
    };
    interference.is_unique(a.base.region)
        && apart_if_different((a, x), (b, y))
        && a.elements.iter().any(of_both)
}

/// Is the counter in the loop that starts the template never the same in two iterations?
fn steady(interference: &Interference<'_>, template: TemplateId, counter: ir::Reg) -> bool {
    let of = interference.template(template);
    of.counters.contains_key(&counter) && !interference.unsteady.contains(&(of.parent, counter))
}

/// Was every thread of the template that runs during this access of its starter started in another
/// iteration?
fn earlier_round(
    interference: &Interference<'_>,
    starter: &Access,
    template: TemplateId,
    counter: ir::Reg,
) -> bool {
    interference.template(template).parent == starter.template
        && starter.around.is_some()
        && starter.around == interference.template(template).around
        && !starter.used.contains(&(template, counter))
        && steady(interference, template, counter)
}
