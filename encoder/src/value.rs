//! What a value can be: a sound guess that tells which cells a pointer may reach and how many bits a
//! shared variable needs.
//!
//! An abstract value is a set of numbers (listed, or a range) and a set of objects with offsets.
//! Addresses are recognised by their range: every object has one of its own. Arithmetic on a
//! pointer stays in its object, as the IR promises for `PtrAdd`; what the domain cannot follow is
//! `any`, which names no object. Losing an object is no error: an access checks its address against
//! the objects it knows, and what is left over counts as invalid, never as impossible.
//!
//! Invariant: every value that a term can have (in an execution in which it matters) is a number of
//! `numbers` or an address `base + offset` of `objects`; offsets that are not bounded promise nothing.
//! Only what is as wide as a pointer names objects: narrower arithmetic wraps where addresses do not.

use crate::object::{ObjectId, Space};
use crate::term::{BitOp, Op, Pool, Sort, Term, mask, signed};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;

/// Numbers that are listed one by one.
const LISTED: usize = 24;
/// Pairs that an operation on two lists looks at.
const PAIRS: usize = 64;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AbstractValue {
    pub numbers: Numbers,
    /// By ascending object.
    pub objects: Vec<(ObjectId, Offsets)>,
}

/// Unsigned bit patterns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Numbers {
    /// Ascending; at most `LISTED`.
    List(Vec<u64>),
    Range(u64, u64),
    /// Anything, also addresses of objects that are not named.
    Any,
}

impl Default for Numbers {
    fn default() -> Numbers {
        Numbers::List(vec![])
    }
}

/// `low, low + stride, ...` up to `high`; one offset if the stride is 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Offsets {
    pub low: i64,
    pub high: i64,
    pub stride: u64,
}

impl Offsets {
    pub fn one(at: i64) -> Offsets {
        Offsets { low: at, high: at, stride: 0 }
    }

    fn unbounded(at: i64, stride: u64) -> Offsets {
        let stride = stride.max(1);
        Offsets { low: at.rem_euclid(stride as i64) - BIG, high: BIG, stride }.aligned(at)
    }

    /// Keeps `low` on the grid of `at`.
    fn aligned(mut self, at: i64) -> Offsets {
        let off = (at - self.low).rem_euclid(self.stride.max(1) as i64);
        self.low += off;
        self
    }

    pub(crate) fn is_bounded(self) -> bool {
        self.low > -BIG / 2 && self.high < BIG / 2
    }

    fn join(self, other: Offsets) -> Offsets {
        if self == other {
            return self;
        }
        let distance = (self.low - other.low).unsigned_abs();
        let stride = gcd(gcd(self.stride, other.stride), distance);
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        Offsets { low, high, stride }
    }

    fn shifted(self, by: i64) -> Offsets {
        Offsets { low: self.low + by, high: self.high + by, ..self }
    }

    /// Those in `0..=size`; `None` if there are none.
    pub(crate) fn clamped(self, size: u64) -> Option<Offsets> {
        let stride = self.stride.max(1) as i64;
        let low = if self.low >= 0 { self.low } else { self.low.rem_euclid(stride) };
        let high = self.high.min(size as i64);
        (low <= high && (self.stride > 0 || self.low >= 0)).then_some(Offsets { low, high, ..self })
    }

    /// The offsets in `0..=last`, if they are not too many.
    pub fn within(self, last: i64, limit: usize) -> Option<SmallVec<[i64; 4]>> {
        if self.stride == 0 {
            let one = Some(self.low).filter(|low| (0..=last).contains(low));
            return Some(one.into_iter().collect());
        }
        let stride = self.stride as i64;
        let first = if self.low >= 0 { self.low } else { self.low.rem_euclid(stride) };
        let end = last.min(self.high);
        if end < first {
            return Some(SmallVec::new());
        }
        let count = (end - first) / stride + 1;
        (count as usize <= limit).then(|| (0..count).map(|i| first + i * stride).collect())
    }
}

/// Far outside of every object.
const BIG: i64 = 1 << 50;

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Numbers {
    fn one(k: u64) -> Numbers {
        Numbers::List(vec![k])
    }

    fn is_empty(&self) -> bool {
        matches!(self, Numbers::List(l) if l.is_empty())
    }

    fn bounds(&self) -> Option<(u64, u64)> {
        match self {
            Numbers::List(l) => Some((*l.first()?, *l.last()?)),
            Numbers::Range(lo, hi) => Some((*lo, *hi)),
            Numbers::Any => None,
        }
    }

    fn from_list(mut list: Vec<u64>) -> Numbers {
        list.sort_unstable();
        list.dedup();
        match (list.first(), list.last()) {
            (Some(&lo), Some(&hi)) if list.len() > LISTED => Numbers::Range(lo, hi),
            _ => Numbers::List(list),
        }
    }

    fn join(&self, other: &Numbers) -> Numbers {
        match (self, other) {
            (Numbers::Any, _) | (_, Numbers::Any) => Numbers::Any,
            (Numbers::List(a), Numbers::List(b)) => {
                Numbers::from_list(a.iter().chain(b).copied().collect())
            }
            _ => match (self.bounds(), other.bounds()) {
                (Some((a, b)), Some((c, d))) => Numbers::Range(a.min(c), b.max(d)),
                (Some((a, b)), None) | (None, Some((a, b))) => Numbers::Range(a, b),
                (None, None) => Numbers::Any,
            },
        }
    }
}

impl AbstractValue {
    pub fn any() -> AbstractValue {
        AbstractValue { numbers: Numbers::Any, objects: vec![] }
    }

    /// No value was seen yet.
    fn is_nothing(&self) -> bool {
        self.numbers.is_empty() && self.objects.is_empty()
    }

    pub fn number(k: u64) -> AbstractValue {
        AbstractValue { numbers: Numbers::one(k), objects: vec![] }
    }

    pub fn range(low: u64, high: u64) -> AbstractValue {
        AbstractValue { numbers: Numbers::Range(low, high), objects: vec![] }
    }

    pub fn join(&self, other: &AbstractValue) -> AbstractValue {
        let mut objects = self.objects.clone();
        for &(o, offsets) in &other.objects {
            match objects.binary_search_by_key(&o, |e| e.0) {
                Ok(i) => objects[i].1 = objects[i].1.join(offsets),
                Err(i) => objects.insert(i, (o, offsets)),
            }
        }
        AbstractValue { numbers: self.numbers.join(&other.numbers), objects }
    }

    /// Grows generously, so that repeated joins come to an end. `old` is what it was before.
    pub fn widened(&self, old: &AbstractValue, hard: bool) -> AbstractValue {
        let mut wide = self.clone();
        if wide.numbers != old.numbers {
            wide.numbers = match (&wide.numbers, hard) {
                (Numbers::Any, _) | (_, true) => Numbers::Any,
                (n, false) => match n.bounds() {
                    Some((_, high)) => Numbers::Range(0, mask(64 - high.leading_zeros() as u8)),
                    None => Numbers::Any,
                },
            };
        }
        for (o, offsets) in &mut wide.objects {
            let before =
                old.objects.binary_search_by_key(o, |e| e.0).ok().map(|i| old.objects[i].1);
            if before != Some(*offsets) && offsets.stride > 0 {
                *offsets = Offsets::unbounded(offsets.low, offsets.stride);
            }
        }
        wide
    }

    /// The only value, if there is just one.
    pub fn single(&self, space: &Space) -> Option<u64> {
        match (&self.numbers, &self.objects[..]) {
            (Numbers::List(l), []) if l.len() == 1 => Some(l[0]),
            (n, [(o, offsets)]) if n.is_empty() && offsets.stride == 0 => {
                Some(space.address(*o, offsets.low))
            }
            _ => None,
        }
    }

    /// How a variable for it may be stored: (bits, sign-extended?). `None`: in full.
    pub fn narrow(&self, space: &Space, width: u8) -> Option<(u8, bool)> {
        let mut values: Vec<u64> = Vec::new();
        match &self.numbers {
            Numbers::Any => return None,
            Numbers::List(l) => values.extend(l),
            Numbers::Range(lo, hi) => values.extend([*lo, *hi]),
        }
        let mut listed = matches!(self.numbers, Numbers::List(_));
        for &(o, offsets) in &self.objects {
            let (low, high) = addresses(space, o, offsets, width).bounds()?;
            values.extend([low, high]);
            listed &= low == high;
        }
        let unsigned = values.iter().map(|v| 64 - v.leading_zeros() as u8).max().unwrap_or(0);
        let need = |v: &u64| {
            let s = signed(*v, width);
            65 - (if s < 0 { !s } else { s }).leading_zeros() as u8
        };
        // A range of bit patterns is no range of signed numbers.
        let with_sign = if listed { values.iter().map(need).max().unwrap_or(1) } else { width };
        let (bits, sign) =
            if with_sign < unsigned { (with_sign, true) } else { (unsigned.max(1), false) };
        (bits < width).then_some((bits, sign))
    }
}

/// Abstract values of terms, remembered. What a variable (or an extended variable) can be is put in.
#[derive(Default)]
pub struct AbstractValues {
    known: FxHashMap<Term, Rc<AbstractValue>>,
}

impl AbstractValues {
    /// States what a term can be.
    pub fn set(&mut self, t: Term, value: AbstractValue) {
        self.known.insert(t, Rc::new(value));
    }

    pub fn clear(&mut self) {
        self.known.clear();
    }

    pub fn of(&mut self, pool: &Pool, space: &Space, t: Term) -> Rc<AbstractValue> {
        if let Some(value) = self.known.get(&t) {
            return value.clone();
        }
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.known.contains_key(&top) {
                stack.pop();
                continue;
            }
            let open = stack.len();
            pool.operands(top, |o| {
                if pool.sort(o) != Sort::Bool && !self.known.contains_key(&o) {
                    stack.push(o);
                }
            });
            if stack.len() == open {
                let value = self.apply(pool, space, top);
                self.known.insert(top, Rc::new(value));
                stack.pop();
            }
        }
        self.known[&t].clone()
    }

    fn apply(&self, pool: &Pool, space: &Space, t: Term) -> AbstractValue {
        let width = pool.width(t);
        let get = |o: Term| &*self.known[&o];
        let computed = match pool.op(t) {
            Op::Bits(k) if width == space.pointer_bits => space.classify(k),
            Op::Bits(k) => AbstractValue::number(k),
            Op::Ite(_, a, b) if pool.sort(t) != Sort::Bool => get(a).join(get(b)),
            Op::ZeroExt(a) => zero_ext(&self.plain(pool, space, a), pool.width(a)),
            Op::SignExt(a) => sign_ext(&self.plain(pool, space, a), pool.width(a), width),
            Op::Extract { of, low: 0 } => truncated(&self.plain(pool, space, of), width),
            Op::Binary(op, a, b) => self.binary(pool, op, a, b),
            _ => full(width),
        };
        clamp(computed, width)
    }
}

fn full(width: u8) -> AbstractValue {
    if width < 64 { AbstractValue::range(0, mask(width)) } else { AbstractValue::any() }
}

/// A range that is everything says nothing.
fn clamp(value: AbstractValue, width: u8) -> AbstractValue {
    match value.numbers {
        Numbers::Range(0, hi) if hi >= mask(width) => {
            AbstractValue { numbers: Numbers::Any, ..value }
        }
        _ => value,
    }
}

fn zero_ext(a: &Numbers, from: u8) -> AbstractValue {
    let numbers = match a {
        Numbers::Any => Numbers::Range(0, mask(from)),
        _ => a.clone(),
    };
    AbstractValue { numbers, objects: vec![] }
}

fn sign_ext(a: &Numbers, from: u8, to: u8) -> AbstractValue {
    let numbers = match a {
        Numbers::List(l) => {
            Numbers::from_list(l.iter().map(|&k| signed(k, from) as u64 & mask(to)).collect())
        }
        Numbers::Range(lo, hi) if *hi <= mask(from - 1) => Numbers::Range(*lo, *hi),
        _ => Numbers::Any,
    };
    AbstractValue { numbers, objects: vec![] }
}

fn truncated(a: &Numbers, width: u8) -> AbstractValue {
    let numbers = match a {
        Numbers::List(l) => Numbers::from_list(l.iter().map(|&k| k & mask(width)).collect()),
        Numbers::Range(lo, hi) if *hi <= mask(width) => Numbers::Range(*lo, *hi),
        _ => Numbers::Any,
    };
    AbstractValue { numbers, objects: vec![] }
}

/// The addresses of some offsets as numbers of a width.
fn addresses(space: &Space, object: ObjectId, offsets: Offsets, width: u8) -> Numbers {
    let [low, high] = [offsets.low, offsets.high].map(|o| space.address(object, o));
    if offsets.stride == 0 {
        Numbers::one(low & mask(width))
    } else if offsets.is_bounded() && low <= high && high <= mask(width) {
        Numbers::Range(low, high)
    } else {
        Numbers::Any
    }
}

/// What needs the values of several terms.
impl AbstractValues {
    /// A value without its objects: what is not as wide as a pointer is none.
    fn plain(&self, pool: &Pool, space: &Space, t: Term) -> Numbers {
        let value = &self.known[&t];
        let start = value.numbers.clone();
        let width = pool.width(t);
        value.objects.iter().fold(start, |all, &(object, offsets)| {
            all.join(&addresses(space, object, offsets, width))
        })
    }

    fn binary(&self, pool: &Pool, op: BitOp, x: Term, y: Term) -> AbstractValue {
        let (a, b) = (&self.known[&x], &self.known[&y]);
        let width = pool.width(x);
        // The first walk has not seen what is written to a cell: wait, and learn nothing wrong.
        if a.is_nothing() || b.is_nothing() {
            return AbstractValue::default();
        }
        match (a.objects.is_empty(), b.objects.is_empty(), op) {
            (true, true, _) => AbstractValue {
                numbers: numbers(op, width, &a.numbers, &b.numbers),
                objects: vec![],
            },
            (false, true, BitOp::Add | BitOp::Sub) => {
                moved(a, &b.numbers, self.stride(pool, y, width), width, op == BitOp::Sub)
            }
            (true, false, BitOp::Add) => {
                moved(b, &a.numbers, self.stride(pool, x, width), width, false)
            }
            (false, true, BitOp::And | BitOp::Or | BitOp::Xor) => flags(op, width, a, &b.numbers),
            (true, false, BitOp::And | BitOp::Or | BitOp::Xor) => flags(op, width, b, &a.numbers),
            _ => AbstractValue::any(),
        }
    }

    /// A number that divides the term's value (0 if it is always 0), as long as nothing wraps at
    /// the width of pointers.
    fn stride(&self, pool: &Pool, t: Term, pointer: u8) -> u64 {
        const DEPTH: u32 = 12;
        self.divisor(pool, t, pointer, DEPTH)
    }

    fn divisor(&self, pool: &Pool, t: Term, pointer: u8, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let width = pool.width(t);
        let of_constant = |k: u64| {
            let distance = signed(k, width).unsigned_abs();
            // It may be extended with zeros or with its sign.
            if width < pointer { gcd(k, distance) } else { distance }
        };
        let deeper = |t| self.divisor(pool, t, pointer, depth - 1);
        let known = self.known.get(&t).map(|v| &v.numbers);
        let found = match (pool.op(t), known) {
            (_, Some(Numbers::List(l))) if !l.is_empty() => {
                l.iter().fold(0, |all, &k| gcd(all, of_constant(k)))
            }
            (Op::Bits(k), _) => of_constant(k),
            (Op::Ite(_, a, b) | Op::Binary(BitOp::Add | BitOp::Sub, a, b), _) => {
                gcd(deeper(a), deeper(b))
            }
            (Op::ZeroExt(a) | Op::SignExt(a) | Op::Neg(a), _) => deeper(a),
            (Op::Binary(BitOp::Mul, a, b), _) => {
                pool.constant(b).and_then(|k| deeper(a).checked_mul(k)).unwrap_or(1)
            }
            (Op::Binary(BitOp::Shl, a, b), _) => match pool.constant(b) {
                Some(k) if k < 20 => deeper(a).checked_mul(1 << k).unwrap_or(1),
                _ => 1,
            },
            _ => 1,
        };
        // What wraps keeps its powers of two only; a range says that it does not wrap.
        let exact = width >= pointer || matches!(known, Some(Numbers::Range(..)));
        if exact && found <= LARGEST_STRIDE { found } else { power_of_two_in(found) }
    }
}

/// Larger ones are cut down to a power of two.
const LARGEST_STRIDE: u64 = 1 << 30;

fn power_of_two_in(k: u64) -> u64 {
    (k & k.wrapping_neg()).min(LARGEST_STRIDE)
}

/// A pointer plus (or minus) a number stays in its object. `stride` divides the number.
fn moved(
    pointer: &AbstractValue,
    by: &Numbers,
    stride: u64,
    width: u8,
    minus: bool,
) -> AbstractValue {
    let sign = |k: u64| {
        let k = signed(k, width);
        if minus { k.wrapping_neg() } else { k }
    };
    let near = |k: i64| k.unsigned_abs() < BIG as u64 / 4;
    let step = |offsets: Offsets| match by {
        Numbers::List(l) if offsets.is_bounded() && l.iter().all(|&k| near(sign(k))) => {
            let all = l.iter().map(|&k| offsets.shifted(sign(k))).reduce(Offsets::join);
            all.unwrap_or(Offsets::unbounded(0, 1))
        }
        Numbers::Range(lo, hi) if *hi < BIG as u64 / 4 && offsets.is_bounded() => {
            let stride = stride.max(1) as i64;
            let (lo, hi) = ((*lo as i64 + stride - 1) / stride * stride, *hi as i64);
            let (lo, hi) = if minus { (-(hi / stride * stride), -lo) } else { (lo, hi) };
            let stride = gcd(offsets.stride, stride as u64);
            Offsets { low: offsets.low + lo, high: offsets.high + hi, stride }
        }
        _ => Offsets::unbounded(offsets.low, gcd(offsets.stride, stride)),
    };
    let objects = pointer.objects.iter().map(|&(o, off)| (o, step(off))).collect();
    let numbers = match &pointer.numbers {
        n if n.is_empty() => Numbers::default(),
        n => numbers(if minus { BitOp::Sub } else { BitOp::Add }, width, n, by),
    };
    AbstractValue { numbers, objects }
}

/// Flag bits in a pointer. Objects are aligned to 16, so a small number meets the offset only.
fn flags(op: BitOp, width: u8, pointer: &AbstractValue, by: &Numbers) -> AbstractValue {
    let step = |offsets: Offsets| match (op, by) {
        (BitOp::And, Numbers::List(l)) if l.len() == 1 && l[0] | 0xffff == mask(width) => {
            let grid = 1 << l[0].trailing_zeros().min(16);
            let low = offsets.low & signed(l[0], width);
            if offsets.stride == 0 {
                Offsets::one(low)
            } else {
                Offsets { low, high: offsets.high, stride: grid.max(gcd(offsets.stride, grid)) }
            }
        }
        (BitOp::Or | BitOp::Xor, Numbers::List(l))
            if offsets.stride == 0 && l.iter().all(|&k| k < 16) =>
        {
            let flip = |k: u64| match op {
                BitOp::Or => offsets.low | k as i64,
                _ => offsets.low ^ k as i64,
            };
            let all = l.iter().map(|&k| Offsets::one(flip(k))).reduce(Offsets::join);
            all.unwrap_or(offsets)
        }
        _ => Offsets::unbounded(0, 1),
    };
    AbstractValue {
        numbers: Numbers::Any,
        objects: pointer.objects.iter().map(|&(o, off)| (o, step(off))).collect(),
    }
}

fn numbers(op: BitOp, width: u8, a: &Numbers, b: &Numbers) -> Numbers {
    if let (Numbers::List(x), Numbers::List(y)) = (a, b) {
        if x.len() * y.len() <= PAIRS {
            let all = x.iter().flat_map(|&x| y.iter().map(move |&y| (x, y)));
            let list = all.map(|(x, y)| crate::eval::binary(op, width, x, y)).collect();
            return Numbers::from_list(list);
        }
    }
    let range = range(op, width, a.bounds(), b.bounds());
    range.map_or(Numbers::Any, |(lo, hi)| Numbers::Range(lo, hi))
}

/// Lowest and highest result for operands between theirs; `None` is anything.
pub fn range(
    op: BitOp,
    width: u8,
    a: Option<(u64, u64)>,
    b: Option<(u64, u64)>,
) -> Option<(u64, u64)> {
    match (a, b, op) {
        (Some((lo, hi)), Some((c, d)), BitOp::Add) => {
            lo.checked_add(c).zip(hi.checked_add(d)).filter(|r| r.1 <= mask(width))
        }
        (Some((lo, hi)), Some((c, d)), BitOp::Sub) => lo.checked_sub(d).zip(hi.checked_sub(c)),
        (Some((lo, hi)), Some((c, d)), BitOp::Mul) => {
            lo.checked_mul(c).zip(hi.checked_mul(d)).filter(|r| r.1 <= mask(width))
        }
        (Some((lo, hi)), Some((c, d)), BitOp::Shl) if c == d && d < 32 => {
            (hi <= mask(width) >> d).then(|| (lo << d, hi << d))
        }
        (Some((lo, hi)), Some((c, d)), BitOp::Lshr) if d < 64 => Some((lo >> d, hi >> c)),
        (x, y, BitOp::And) => {
            let high = x.map_or(u64::MAX, |r| r.1).min(y.map_or(u64::MAX, |r| r.1));
            (high != u64::MAX).then_some((0, high))
        }
        (Some((_, hi)), Some((_, d)), BitOp::Or | BitOp::Xor) => {
            Some((0, mask(64 - (hi | d).leading_zeros() as u8)))
        }
        (x, Some((c, d)), BitOp::URem) if c > 0 => {
            Some((0, (d - 1).min(x.map_or(u64::MAX, |r| r.1))))
        }
        (Some((lo, hi)), Some((c, d)), BitOp::UDiv) if c > 0 => Some((lo / d, hi / c)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
