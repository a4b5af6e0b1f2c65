//! Which slots and heap blocks other threads may reach.
//!
//! A place is shared if its address may be stored in a global object, given to a new thread or
//! returned by one, or stored in another shared place. Locals whose address stays within their
//! thread are private, even if they are passed to functions by address. Thread-local objects count
//! as private until their address is shared. Conservative up to what `points_to` assumes.

use super::points_to::{Context, Pointee, PointsTo};
use ir::*;
use rustc_hash::FxHashSet;

pub struct Shared {
    places: FxHashSet<Pointee>,
}

impl Shared {
    pub fn new(program: &Program, points_to: &PointsTo) -> Shared {
        let mut shared = Shared { places: FxHashSet::default() };
        let mut work = points_to.stored_in(Pointee::Unknown);
        work.extend(points_to.joined());
        for (i, o) in program.objects.iter().enumerate() {
            if o.kind != ObjectKind::ThreadLocal {
                work.push(Pointee::Object(ObjectId(i as u32)));
            }
        }
        for (i, f) in program.functions.iter().enumerate() {
            for inst in f.blocks.iter().flat_map(|b| &b.insts) {
                if let InstKind::Spawn { arg, .. } = &inst.kind {
                    work.extend(points_to.targets(FuncId(i as u32), arg));
                }
            }
        }
        while let Some(place) = work.pop() {
            if shared.places.insert(place) {
                work.extend(points_to.stored_in(place));
            }
        }
        shared
    }

    pub fn place(&self, place: Pointee) -> bool {
        self.places.contains(&place)
    }

    pub fn slot(&self, function: FuncId, slot: SlotId) -> bool {
        self.place(Pointee::Slot(function, slot))
    }

    /// May an access through this address meet another thread's?
    pub fn address(&self, points_to: &PointsTo, function: FuncId, addr: &Operand) -> bool {
        let targets = points_to.targets(function, addr);
        // An address from nowhere (a made-up number) belongs to no object, so no proof may rely on it.
        targets.is_empty() || targets.iter().any(|t| *t == Pointee::Unknown || self.place(*t))
    }
}

/// For each function and slot: is it shared?
pub fn shared_slots(program: &Program) -> Vec<Vec<bool>> {
    let shared = Shared::new(program, &PointsTo::new(program, Context::Insensitive));
    let slots = |(i, f): (usize, &Function)| {
        let all = 0..f.slots.len() as u32;
        all.map(|s| shared.slot(FuncId(i as u32), SlotId(s))).collect()
    };
    program.functions.iter().enumerate().map(slots).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::testing::parse;

    fn shared(text: &str) -> Vec<String> {
        let p = parse(text);
        let mut names = Vec::new();
        for (f, slots) in p.functions.iter().zip(shared_slots(&p)) {
            let shared = f.slots.iter().zip(slots).filter(|(_, shared)| *shared);
            names.extend(shared.filter_map(|(slot, _)| slot.name.clone()));
        }
        names
    }

    #[test]
    fn what_is_only_passed_by_address_stays_private() {
        let text = "fn fill(pa) {
             a: store pa 1
             ret
             }
             fn main() {
             a: live $x
             t = call fill($x)
             t = load $x
             ret t
             }";
        assert!(shared(text).is_empty());
    }

    #[test]
    fn globals_threads_and_what_they_lead_to() {
        let text = "global px
             fn worker(pa) {
             a: live $mine
             store $mine 1
             ret 0
             }
             fn publish(pa) {
             a: store @px pa
             ret
             }
             fn main() {
             a: live $given
             live $inner
             live $published
             live $private
             store $given $inner
             t = spawn &worker $given
             t = call publish($published)
             store $private $inner
             ret t
             }";
        assert_eq!(shared(text), ["given", "inner", "published"]);
    }

    #[test]
    fn thread_local_pointers_are_private_until_shared() {
        let text = "thread_local pt
             fn main() {
             a: live $x
             store @pt $x
             ret
             }";
        assert!(shared(text).is_empty());
        let text = "thread_local pt
             global pg
             fn main() {
             a: live $x
             store @pt $x
             store @pg @pt
             ret
             }";
        assert_eq!(shared(text), ["x"]);
    }
}
