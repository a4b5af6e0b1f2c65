//! Random terms with what they are worth, computed twice.
//!
//! A list of `Step`s is a program of a little machine: each step takes earlier terms, fits their
//! sorts and pushes a new one. Beside every term stand its values under `WORLDS` assignments of the
//! variables, computed here in `u128` and not by `eval`. Steps shrink well: any sublist is a program.

use crate::term::{BitOp, Pool, Sort, Term, mask};
use proptest::prelude::*;

/// Assignments that are followed at once.
pub const WORLDS: usize = 4;

#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub what: u8,
    pub operands: [u8; 3],
    pub number: u64,
}

pub fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    let number = prop_oneof![
        4 => 0u64..6,
        2 => (0u32..64).prop_map(|k| 1 << k),
        1 => (0u32..64).prop_map(|k| u64::MAX >> k),
        2 => any::<u64>(),
    ];
    let step = (any::<u8>(), any::<[u8; 3]>(), number).prop_map(|(what, operands, number)| Step {
        what,
        operands,
        number,
    });
    prop::collection::vec(step, 1..most)
}

/// A term and its value in each world.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    pub term: Term,
    pub values: [u64; WORLDS],
}

/// The machine.
pub struct Machine {
    pub pool: Pool,
    pub items: Vec<Item>,
    /// By number of the variable.
    pub worlds: Vec<[u64; WORLDS]>,
    widths: &'static [u8],
}

impl Machine {
    pub fn new(widths: &'static [u8]) -> Machine {
        Machine { pool: Pool::new(), items: Vec::new(), worlds: Vec::new(), widths }
    }

    pub fn variable(&mut self, sort: Sort, values: [u64; WORLDS]) -> Item {
        let term = self.pool.fresh(sort);
        let width = self.pool.width(term);
        let values = values.map(|v| v & mask(width));
        self.worlds.push(values);
        self.push(term, values)
    }

    pub fn push(&mut self, term: Term, values: [u64; WORLDS]) -> Item {
        let item = Item { term, values };
        self.items.push(item);
        item
    }

    pub fn run(&mut self, steps: &[Step]) {
        for step in steps {
            self.step(step);
        }
    }

    fn width(&self, number: u8) -> u8 {
        self.widths[usize::from(number) % self.widths.len()]
    }

    fn item(&self, number: u8) -> Item {
        // The latest ones more often: deep terms.
        let back = usize::from(number) % self.items.len().min(8);
        self.items[self.items.len() - 1 - back]
    }

    /// An operand as a Boolean.
    pub fn boolean(&mut self, number: u8) -> Item {
        let Item { term, values } = self.item(number);
        match self.pool.sort(term) {
            Sort::Bool => Item { term, values },
            Sort::Bits(_) => {
                Item { term: self.pool.truth(term), values: values.map(|v| u64::from(v != 0)) }
            }
        }
    }

    fn bits(&mut self, number: u8) -> Item {
        let Item { term, values } = self.item(number);
        match self.pool.sort(term) {
            Sort::Bits(_) => Item { term, values },
            Sort::Bool => Item { term: self.pool.bool_to_bits(term, 8), values },
        }
    }

    fn fitted(&mut self, number: u8, width: u8, sign: bool) -> Item {
        let item = self.bits(number);
        let from = self.pool.width(item.term);
        if from >= width {
            let term = self.pool.extract(item.term, 0, width);
            return Item { term, values: item.values.map(|v| v & mask(width)) };
        }
        let (term, values) = if sign {
            let values = item.values.map(|v| wide(v, from) as u64 & mask(width));
            (self.pool.sign_ext(item.term, width), values)
        } else {
            (self.pool.zero_ext(item.term, width), item.values)
        };
        Item { term, values }
    }

    fn pair(&mut self, step: &Step) -> (Item, Item, u8) {
        let a = self.bits(step.operands[0]);
        let width = self.pool.width(a.term);
        let b = if step.operands[1] % 3 == 0 {
            let k = step.number & mask(width);
            Item { term: self.pool.bits(k, width), values: [k; WORLDS] }
        } else {
            self.fitted(step.operands[1], width, step.number & 1 == 1)
        };
        if step.operands[2] % 4 == 0 { (b, a, width) } else { (a, b, width) }
    }

    fn step(&mut self, step: &Step) {
        let [x, y, z] = step.operands;
        match step.what % 32 {
            n @ 0..13 => {
                let (a, b, width) = self.pair(step);
                let op = BitOp::ALL[usize::from(n)];
                let term = self.pool.binary(op, a.term, b.term);
                self.push(term, both(a, b, |v, w| naive(op, width, v, w)));
            }
            n @ (13..=16 | 31) => self.compare(n, step),
            17 => {
                let a = self.bits(x);
                let width = self.pool.width(a.term);
                let term = self.pool.bit_not(a.term);
                self.push(term, a.values.map(|v| v ^ mask(width)));
            }
            18 => {
                let a = self.bits(x);
                let width = self.pool.width(a.term);
                let term = self.pool.neg(a.term);
                let values =
                    a.values.map(|v| ((1u128 << width) - u128::from(v)) as u64 & mask(width));
                self.push(term, values);
            }
            19 => self.extract(step),
            20 => self.concat(step),
            21 | 22 => {
                let width = self.width(y);
                let item = self.fitted(x, width, step.what % 32 == 21);
                self.push(item.term, item.values);
            }
            23 | 24 => {
                let (c, (a, b, _)) = (self.boolean(z), self.pair(step));
                let term = self.pool.ite(c.term, a.term, b.term);
                self.push(term, choose(c, a, b));
            }
            25 => {
                let [a, b, c] = [x, y, z].map(|n| self.boolean(n));
                let term = self.pool.ite(c.term, a.term, b.term);
                self.push(term, choose(c, a, b));
            }
            26 => {
                let a = self.boolean(x);
                let term = self.pool.not(a.term);
                self.push(term, a.values.map(|v| 1 - v));
            }
            n @ 27..=30 => self.connect(n, x, y),
            _ => unreachable!("a remainder"),
        }
    }

    fn compare(&mut self, n: u8, step: &Step) {
        let (a, b, width) = self.pair(step);
        let (x, y) = (a.term, b.term);
        let (term, values) = match n {
            13 => (self.pool.eq(x, y), both(a, b, |v, w| u64::from(v == w))),
            14 => (self.pool.ult(x, y), both(a, b, |v, w| u64::from(v < w))),
            15 => {
                let less = |v, w| u64::from(wide(v, width) < wide(w, width));
                (self.pool.slt(x, y), both(a, b, less))
            }
            16 => (self.pool.ule(x, y), both(a, b, |v, w| u64::from(v <= w))),
            _ => {
                let most = |v, w| u64::from(wide(v, width) <= wide(w, width));
                (self.pool.sle(x, y), both(a, b, most))
            }
        };
        self.push(term, values);
    }

    fn extract(&mut self, step: &Step) {
        let a = self.bits(step.operands[0]);
        let all = self.pool.width(a.term);
        let low = step.operands[1] % all;
        let width = 1 + step.operands[2] % (all - low);
        let term = self.pool.extract(a.term, low, width);
        self.push(term, a.values.map(|v| v >> low & mask(width)));
    }

    fn concat(&mut self, step: &Step) {
        let (a, b) = (self.bits(step.operands[0]), self.bits(step.operands[1]));
        let (high, low) = (self.pool.width(a.term), self.pool.width(b.term));
        if high + low <= 64 {
            let term = self.pool.concat(a.term, b.term);
            self.push(term, both(a, b, |v, w| (u128::from(v) << low) as u64 + w));
        }
    }

    fn connect(&mut self, n: u8, x: u8, y: u8) {
        let (a, b) = (self.boolean(x), self.boolean(y));
        let (s, t) = (a.term, b.term);
        let (term, values) = match n {
            27 => (self.pool.and(s, t), both(a, b, |v, w| v * w)),
            28 => (self.pool.or(s, t), both(a, b, |v, w| (v + w).min(1))),
            29 => (self.pool.eq(s, t), both(a, b, |v, w| u64::from(v == w))),
            _ => (self.pool.implies_term(s, t), both(a, b, |v, w| u64::from(v <= w))),
        };
        self.push(term, values);
    }

    /// The variables of one world, for `Evaluator`.
    pub fn world(&self, i: usize) -> impl Fn(crate::Var) -> u64 + '_ {
        move |v| self.worlds[v.0 as usize][i]
    }
}

fn both(a: Item, b: Item, f: impl Fn(u64, u64) -> u64) -> [u64; WORLDS] {
    std::array::from_fn(|i| f(a.values[i], b.values[i]))
}

fn choose(c: Item, a: Item, b: Item) -> [u64; WORLDS] {
    std::array::from_fn(|i| if c.values[i] == 1 { a.values[i] } else { b.values[i] })
}

/// A signed number.
fn wide(v: u64, width: u8) -> i128 {
    let v = i128::from(v);
    if v >= 1 << (width - 1) { v - (1 << width) } else { v }
}

/// SMT-LIB's operators, by school arithmetic.
fn naive(op: BitOp, width: u8, a: u64, b: u64) -> u64 {
    let modulus = 1i128 << width;
    let (ua, ub, sa, sb) = (i128::from(a), i128::from(b), wide(a, width), wide(b, width));
    let result = match op {
        BitOp::Add => ua + ub,
        BitOp::Sub => ua - ub,
        BitOp::Mul => (u128::from(a) * u128::from(b) % modulus as u128) as i128,
        BitOp::UDiv if b == 0 => -1,
        BitOp::UDiv => ua / ub,
        BitOp::URem if b == 0 => ua,
        BitOp::URem => ua % ub,
        BitOp::SDiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                -1
            }
        }
        BitOp::SDiv => sa / sb,
        BitOp::SRem if b == 0 => ua,
        BitOp::SRem => sa % sb,
        BitOp::And => ua & ub,
        BitOp::Or => ua | ub,
        BitOp::Xor => ua ^ ub,
        BitOp::Shl if ub >= i128::from(width) => 0,
        BitOp::Shl => ((u128::from(a) << b) % modulus as u128) as i128,
        BitOp::Lshr if ub >= i128::from(width) => 0,
        BitOp::Lshr => ua >> b,
        BitOp::Ashr if ub >= i128::from(width) => -i128::from(sa < 0),
        BitOp::Ashr => sa >> b,
    };
    result.rem_euclid(modulus) as u64
}
