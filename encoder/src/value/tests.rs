//! An abstract value contains every concrete one.

use super::*;
use crate::event::{ProgramPoint, ThreadId};
use crate::object::{Birth, Contents, Object};
use crate::testing::terms::{Machine, WORLDS, steps};
use ir::BlockId;
use proptest::prelude::*;

fn space(pointer_bits: u8) -> Space {
    let mut space = Space::default();
    space.pointer_bits = pointer_bits;
    for (i, size) in [0x1_0000, 4, 48, 100].into_iter().enumerate() {
        let place = ProgramPoint { block: BlockId(0), index: i as u32 };
        let birth = Birth::Heap(ThreadId(0), place);
        space.add(Object::new(birth, format!("o{i}"), size, Contents::Zero));
    }
    space
}

impl Offsets {
    fn has(self, at: i64) -> bool {
        let distance = at.wrapping_sub(self.low) as u64;
        let on_grid = if self.stride == 0 { distance == 0 } else { distance % self.stride == 0 };
        (self.low..=self.high).contains(&at) && on_grid
    }
}

impl Numbers {
    fn has(&self, k: u64) -> bool {
        match self {
            Numbers::List(l) => l.contains(&k),
            Numbers::Range(lo, hi) => (*lo..=*hi).contains(&k),
            Numbers::Any => true,
        }
    }
}

impl AbstractValue {
    fn has(&self, space: &Space, k: u64, width: u8) -> bool {
        let in_object = |&(o, offsets): &(ObjectId, Offsets)| {
            let at = signed(k.wrapping_sub(space.address(o, 0)), width);
            let around = 1i64.checked_shl(width.into()).unwrap_or(0);
            let wrapped = [at, at.wrapping_add(around), at.wrapping_sub(around)];
            !offsets.is_bounded() || wrapped.iter().any(|&at| offsets.has(at))
        };
        self.numbers.has(k) || self.objects.iter().any(in_object)
    }
}

/// A variable that is read, with what is known about it and what it is in each world.
#[derive(Clone, Debug)]
enum Known {
    List(Vec<u64>),
    Range(u64, u64),
    Pointers { object: u32, offsets: Vec<i64>, null: bool },
    Nothing,
}

fn known() -> impl Strategy<Value = Known> {
    let small = prop_oneof![0u64..40, Just(0x1_0000), Just(0x1_0010), any::<u64>()];
    prop_oneof![
        prop::collection::vec(small, 1..5).prop_map(Known::List),
        (0u64..100, 0u64..300).prop_map(|(low, more)| Known::Range(low, low + more)),
        (1u32..4, prop::collection::vec(-4i64..50, 1..4), any::<bool>())
            .prop_map(|(object, offsets, null)| Known::Pointers { object, offsets, null }),
        Just(Known::Nothing),
    ]
}

type Variable = (Known, u8, [u64; WORLDS]);

/// Makes the variable; says what it can be.
fn declare(machine: &mut Machine, values: &mut AbstractValues, space: &Space, v: &Variable) {
    let (known, width, random) = v;
    let pick = |n: u64, len: usize| (n % len as u64) as usize;
    let width = [8, 16, 32, space.pointer_bits][usize::from(*width) % 4];
    let (width, concrete, value) = match known {
        Known::List(l) => {
            let l: Vec<u64> = l.iter().map(|k| k & mask(width)).collect();
            let concrete = random.map(|n| l[pick(n, l.len())]);
            (width, concrete, AbstractValue { numbers: Numbers::from_list(l), objects: vec![] })
        }
        Known::Range(lo, hi) => {
            let (lo, hi) = (lo & mask(width), hi & mask(width));
            let (lo, hi) = (lo.min(hi), lo.max(hi));
            (width, random.map(|n| lo + n % (hi - lo + 1)), AbstractValue::range(lo, hi))
        }
        Known::Pointers { object, offsets, null } => {
            let width = space.pointer_bits;
            let id = ObjectId(*object);
            let all = offsets.iter().map(|&o| Offsets::one(o)).reduce(Offsets::join);
            let value = AbstractValue {
                numbers: if *null { Numbers::one(0) } else { Numbers::default() },
                objects: vec![(id, all.expect("not empty"))],
            };
            let address = |n: u64| space.address(id, offsets[pick(n >> 8, offsets.len())]);
            (width, random.map(|n| if *null && n % 4 == 0 { 0 } else { address(n) }), value)
        }
        Known::Nothing => {
            machine.variable(Sort::Bits(width), *random);
            return;
        }
    };
    let item = machine.variable(Sort::Bits(width), concrete);
    values.set(item.term, value);
}

fn check(
    pointer: u8,
    variables: &[Variable],
    steps: &[crate::testing::terms::Step],
) -> Result<(), TestCaseError> {
    let space = space(pointer);
    let (mut machine, mut values) = (Machine::new(&[8, 16, 32, 64]), AbstractValues::default());
    for v in variables {
        declare(&mut machine, &mut values, &space, v);
    }
    machine.run(steps);
    for item in &machine.items {
        if machine.pool.sort(item.term) == Sort::Bool {
            continue;
        }
        let width = machine.pool.width(item.term);
        let value = values.of(&machine.pool, &space, item.term);
        let text = crate::print::term(&machine.pool, item.term);
        for &k in &item.values {
            prop_assert!(value.has(&space, k, width), "{k:#x} is missing in {value:x?} of {text}");
            if let Some(only) = value.single(&space) {
                prop_assert_eq!(only & mask(width), k);
            }
            if let Some((bits, sign)) = value.narrow(&space, width) {
                let back = if sign { signed(k, bits) as u64 } else { k & mask(bits) };
                prop_assert_eq!(back & mask(width), k, "{} bits for {:x?}", bits, &value);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn concrete_values_are_in_abstract_ones(
        variables in prop::collection::vec((known(), any::<u8>(), any::<[u64; WORLDS]>()), 1..5),
        steps in steps(12),
    ) {
        check(64, &variables, &steps)?;
    }

    #[test]
    fn also_with_pointers_of_32_bits(
        variables in prop::collection::vec((known(), any::<u8>(), any::<[u64; WORLDS]>()), 1..5),
        steps in steps(12),
    ) {
        check(32, &variables, &steps)?;
    }

    #[test]
    fn offsets_keep_their_members(
        a in offsets(), b in offsets(), by in -1000i64..1000, last in -2i64..200,
    ) {
        let ((a, in_a), (b, in_b)) = (a, b);
        let joined = a.join(b);
        prop_assert!(in_a.iter().chain(&in_b).all(|&o| joined.has(o)));
        prop_assert!(in_a.iter().all(|&o| a.shifted(by).has(o + by)));
        let unbounded = Offsets::unbounded(a.low, a.stride);
        prop_assert!(in_a.iter().all(|&o| unbounded.has(o)) && !unbounded.is_bounded());
        for offsets in [a, joined, unbounded] {
            let listed = offsets.within(last, 1000).expect("not too many");
            for o in 0..=last {
                prop_assert_eq!(listed.contains(&o), offsets.has(o), "{} in {:?}", o, offsets);
            }
            prop_assert!(listed.iter().all(|o| (0..=last).contains(o)));
        }
    }

    /// What is seen one after the other is in the end all there, and the end comes.
    #[test]
    fn growing_comes_to_an_end(seen in prop::collection::vec(any::<u64>(), 1..60), small in 1u64..70) {
        let mut value = AbstractValue::default();
        let mut growths = 0;
        for &k in &seen {
            let k = k >> (k % small.min(64));
            let grown = value.join(&AbstractValue::number(k));
            if grown != value {
                growths += 1;
                let old = value;
                value = if growths <= 6 { grown } else { grown.widened(&old, growths > 9) };
                prop_assert!(old.numbers.is_in(&value.numbers));
            }
            prop_assert!(value.numbers.has(k), "{k} in {value:?}");
        }
        prop_assert!(growths <= 11);
    }
}

impl Numbers {
    /// By their listed members and bounds.
    fn is_in(&self, other: &Numbers) -> bool {
        match self {
            Numbers::List(l) => l.iter().all(|&k| other.has(k)),
            Numbers::Range(lo, hi) => other.has(*lo) && other.has(*hi),
            Numbers::Any => *other == Numbers::Any,
        }
    }
}

/// Offsets with some of their members.
fn offsets() -> impl Strategy<Value = (Offsets, Vec<i64>)> {
    (-100i64..100, 0u64..20, 0i64..30).prop_map(|(low, stride, count)| {
        let members: Vec<i64> = (0..=count).map(|i| low + i * stride as i64).collect();
        let high = members[members.len() - 1];
        (Offsets { low, high, stride }, members)
    })
}

/// A widened bound covers the bound itself, powers of two included.
#[test]
fn widening_keeps_the_largest() {
    for high in [0, 1, 7, 8, 9, 1 << 20, u64::MAX] {
        let wide = AbstractValue::number(high).widened(&AbstractValue::default(), false);
        assert!(wide.numbers.has(high), "{high} in {wide:?}");
    }
}

/// Pointers that are moved on and on have a fixed point.
#[test]
fn a_pointer_that_walks_is_widened_once() {
    let pointer = |at| AbstractValue {
        numbers: Numbers::default(),
        objects: vec![(ObjectId(0), Offsets::one(at))],
    };
    let mut value = pointer(4);
    for at in [16, 28, 40, 52] {
        let grown = value.join(&pointer(at));
        value = grown.widened(&value, false);
    }
    let offsets = value.objects[0].1;
    assert!(offsets.stride == 12 && offsets.has(4) && offsets.has(1204) && offsets.has(-8));
    let again = value.join(&pointer(640));
    assert_eq!(again, value);
}

/// A product that wraps below the width of pointers is no multiple any more.
#[test]
fn a_wrapped_index_leaves_the_grid() {
    let (space, mut pool, mut values) = (space(64), Pool::new(), AbstractValues::default());
    let x = pool.fresh(Sort::Bits(8));
    let twelve = pool.bits(12, 8);
    let product = pool.binary(BitOp::Mul, x, twelve);
    let index = pool.zero_ext(product, 64);
    let base = pool.bits(space.address(ObjectId(3), 0), 64);
    let address = pool.add(base, index);
    let value = values.of(&pool, &space, address);
    // 22 * 12 is 8.
    assert!(value.objects[0].1.has(8), "{value:?}");
}
