//! Arithmetic as circuits. Bit-vectors are slices of edges, the lowest bit first.
//!
//! Circuits are the textbook ones; constants vanish in the gate constructors, so "add a constant" or
//! "compare with a constant" need no code of their own. Adders and comparators ripple through
//! majority gates, which propagate well. A multiplication adds shifted rows, with the digits -1, 0, 1
//! of a constant factor to have few of them; a division subtracts and restores, on as many bits as
//! the partial remainder can have.

use super::aig::{Aig, Edge};

pub type Bits = Vec<Edge>;

/// The bits of a number.
pub fn constant(value: u64, width: usize) -> Bits {
    (0..width).map(|i| Edge::constant(value >> i & 1 == 1)).collect()
}

/// The number, if all bits are constant.
fn as_constant(a: &[Edge]) -> Option<u64> {
    a.iter()
        .enumerate()
        .try_fold(0, |sum, (i, &e)| e.is_constant().then(|| sum | u64::from(e == Edge::TRUE) << i))
}

pub fn complement(a: &[Edge]) -> Bits {
    a.iter().map(|&e| !e).collect()
}

impl Aig {
    /// The sum and the carry out of it.
    fn add_carry(&mut self, a: &[Edge], b: &[Edge], mut carry: Edge) -> (Bits, Edge) {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.maj(a, b, carry);
        }
        (sum, carry)
    }

    pub fn add(&mut self, a: &[Edge], b: &[Edge]) -> Bits {
        self.add_carry(a, b, Edge::FALSE).0
    }

    pub fn sub(&mut self, a: &[Edge], b: &[Edge]) -> Bits {
        self.add_carry(a, &complement(b), Edge::TRUE).0
    }

    pub fn neg(&mut self, a: &[Edge]) -> Bits {
        self.sub(&constant(0, a.len()), a)
    }

    pub fn equal(&mut self, a: &[Edge], b: &[Edge]) -> Edge {
        let same: Bits = a.iter().zip(b).map(|(&a, &b)| !self.xor(a, b)).collect();
        self.and_all(same)
    }

    /// Unsigned less-than: the borrow of `a - b`.
    pub fn less(&mut self, a: &[Edge], b: &[Edge]) -> Edge {
        a.iter().zip(b).fold(Edge::FALSE, |borrow, (&a, &b)| self.maj(!a, b, borrow))
    }

    /// Signed less-than: the sign counts the other way.
    pub(crate) fn signed_less(&mut self, a: &[Edge], b: &[Edge]) -> Edge {
        let flip_sign = |bits: &[Edge]| {
            let mut bits = bits.to_vec();
            if let Some(sign) = bits.last_mut() {
                *sign = !*sign;
            }
            bits
        };
        self.less(&flip_sign(a), &flip_sign(b))
    }

    /// If `c` then `a` else `b`, bit by bit.
    pub fn choose(&mut self, c: Edge, a: &[Edge], b: &[Edge]) -> Bits {
        a.iter().zip(b).map(|(&a, &b)| self.mux(c, a, b)).collect()
    }

    pub fn bitwise(&mut self, a: &[Edge], b: &[Edge], f: fn(&mut Aig, Edge, Edge) -> Edge) -> Bits {
        a.iter().zip(b).map(|(&a, &b)| f(self, a, b)).collect()
    }

    /// The low half of the product.
    pub fn mul(&mut self, a: &[Edge], b: &[Edge]) -> Bits {
        if let Some(k) = as_constant(a) {
            return self.mul_constant(b, k);
        }
        if let Some(k) = as_constant(b) {
            return self.mul_constant(a, k);
        }
        let fixed = |bits: &[Edge]| bits.iter().filter(|e| e.is_constant()).count();
        let (by, a) = if fixed(a) > fixed(b) { (a, b) } else { (b, a) };
        let mut sum = constant(0, a.len());
        for (i, &bit) in by.iter().enumerate() {
            let row: Bits = a[..a.len() - i].iter().map(|&e| self.and(e, bit)).collect();
            let high = self.add(&sum[i..], &row);
            sum.splice(i.., high);
        }
        sum
    }

    /// By digits of the non-adjacent form: no two neighbours are both other than zero.
    fn mul_constant(&mut self, a: &[Edge], k: u64) -> Bits {
        let mut sum = constant(0, a.len());
        let mut rest = u128::from(k);
        for i in 0..a.len() {
            let digit = rest >> i & 3;
            if digit & 1 == 0 {
                continue;
            }
            let high = if digit == 3 {
                rest += 1 << i;
                self.sub(&sum[i..], &a[..a.len() - i])
            } else {
                self.add(&sum[i..], &a[..a.len() - i])
            };
            sum.splice(i.., high);
        }
        sum
    }

    /// Quotient and remainder. By zero: all ones, and the dividend.
    pub fn divide(&mut self, a: &[Edge], b: &[Edge]) -> (Bits, Bits) {
        let width = a.len();
        // above[i]: some bit of `b` from `i` on is set.
        let mut above = vec![Edge::FALSE; width + 1];
        for i in (0..width).rev() {
            above[i] = self.or(b[i], above[i + 1]);
        }
        let mut quotient = constant(0, width);
        let mut rest: Bits = Vec::with_capacity(width);
        for i in (0..width).rev() {
            // The partial remainder has as many bits as the dividend gave so far.
            rest.insert(0, a[i]);
            let n = rest.len();
            let (difference, no_borrow) = self.add_carry(&rest, &complement(&b[..n]), Edge::TRUE);
            quotient[i] = self.and(no_borrow, !above[n]);
            rest = self.choose(quotient[i], &difference, &rest);
        }
        (quotient, rest)
    }

    /// Rounds towards zero; the remainder has the sign of the dividend.
    pub(crate) fn signed_divide(&mut self, a: &[Edge], b: &[Edge]) -> (Bits, Bits) {
        let (sa, sb) = (a[a.len() - 1], b[b.len() - 1]);
        let (a, b) = (self.negate_if(sa, a), self.negate_if(sb, b));
        let (q, r) = self.divide(&a, &b);
        let opposite = self.xor(sa, sb);
        (self.negate_if(opposite, &q), self.negate_if(sa, &r))
    }

    fn negate_if(&mut self, c: Edge, a: &[Edge]) -> Bits {
        // !a + 1 where c, else a: one adder, no choice.
        let flipped: Bits = a.iter().map(|&e| self.xor(e, c)).collect();
        self.add_carry(&flipped, &constant(0, a.len()), c).0
    }

    /// Towards higher bits.
    pub(crate) fn shift_up(&mut self, a: &[Edge], by: &[Edge]) -> Bits {
        self.shift(a, by, Edge::FALSE, true)
    }

    /// Towards lower bits; `fill` comes in.
    pub(crate) fn shift_down(&mut self, a: &[Edge], by: &[Edge], fill: Edge) -> Bits {
        self.shift(a, by, fill, false)
    }

    /// A barrel: one row of choices for each bit of the amount that matters, and one for the rest.
    fn shift(&mut self, a: &[Edge], by: &[Edge], fill: Edge, up: bool) -> Bits {
        let width = a.len();
        let stages = by.iter().enumerate().filter(|&(k, _)| k < 32 && 1 << k < width).count();
        let mut bits = a.to_vec();
        for (k, &bit) in by[..stages].iter().enumerate() {
            let distance = 1 << k;
            let moved: Bits = (0..width)
                .map(|i| {
                    let from = if up { i.checked_sub(distance) } else { i.checked_add(distance) };
                    from.and_then(|from| bits.get(from).copied()).unwrap_or(fill)
                })
                .collect();
            bits = self.choose(bit, &moved, &bits);
        }
        let far = self.or_all(by[stages..].iter().copied());
        self.choose(far, &vec![fill; width], &bits)
    }
}
