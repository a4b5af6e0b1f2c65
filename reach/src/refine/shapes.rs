//! Which predicates are tried first: shapes over cells that hold at a point of a path.
//!
//! Values for cells with few of them; then what relates cells whose values keep growing: equality,
//! difference, parity, order, sums. All on machine words: differences wrap as the program does.

use crate::linear::normal;
use crate::prec::Precision;
use crate::system::{CellId, System};
use encoder::eval::Evaluator;
use encoder::{Op, Term, Var};

/// Better ones first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Tier {
    /// What is tracked already.
    Known,
    /// Values of cells that have few, and conditions of the program.
    Values,
    /// Equalities and small differences between growing cells.
    Differences,
    /// Those that follow, together.
    Relations,
    /// Larger differences, and what is close.
    Close,
    Orders,
    Parities,
    Sums,
    /// Values of growing cells.
    Constants,
}

pub(crate) const TIERS: [Tier; 5] =
    [Tier::Known, Tier::Values, Tier::Differences, Tier::Relations, Tier::Constants];

#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub term: Term,
    /// It says that a cell has a value.
    pub value_of: Option<CellId>,
}

/// Pairs and triples of so many cells.
const MAX_PAIRED: usize = 14;
const MAX_SUMMED: usize = 9;

pub struct Shapes<'a> {
    pub system: &'a mut System,
    pub precision: &'a Precision,
    /// Conditions of the program, over cells.
    pub conditions: &'a [Term],
    pub cells: &'a [CellId],
}

impl Shapes<'_> {
    /// Shapes of a tier that hold where cells have these values.
    pub fn of(&mut self, tier: Tier, value: &dyn Fn(CellId) -> u64) -> Vec<Shape> {
        match tier {
            Tier::Known => self.known(value),
            Tier::Values => {
                let mut all = self.values(value, false);
                all.extend(self.conditions(value));
                all
            }
            Tier::Differences => self.differences(value),
            Tier::Relations => {
                let tiers = [Tier::Close, Tier::Orders, Tier::Parities, Tier::Sums];
                tiers.into_iter().flat_map(|tier| self.of(tier, value)).collect()
            }
            Tier::Close => self.close(value),
            Tier::Orders => self.orders(value),
            Tier::Parities => self.parities(value),
            Tier::Sums => self.sums(value),
            Tier::Constants => self.values(value, true),
        }
    }

    fn holds(&self, term: Term, value: &dyn Fn(CellId) -> u64) -> bool {
        let system = &*self.system;
        let pool = &system.pool;
        let mut by_var = rustc_hash::FxHashMap::default();
        for var in crate::system::vars(pool, term) {
            if let (Op::Var(v), Some(cell)) = (pool.op(var), system.by_var.get(&var)) {
                by_var.insert(v, value(*cell));
            }
        }
        let mut eval = Evaluator::new(pool, |v: Var| by_var.get(&v).copied().unwrap_or(0));
        eval.holds(term)
    }

    fn literal(&mut self, term: Term, value: &dyn Fn(CellId) -> u64) -> Shape {
        let holds = self.holds(term, value);
        let term = if holds { term } else { self.system.pool.not(term) };
        Shape { term, value_of: None }
    }

    fn value_shape(&mut self, cell: CellId, value: &dyn Fn(CellId) -> u64) -> Shape {
        let var = self.system.cell(cell).var;
        let width = self.system.pool.width(var);
        let number = self.system.pool.bits(value(cell), width);
        let term = self.system.pool.eq(var, number);
        Shape { term, value_of: Some(cell) }
    }

    fn known(&mut self, value: &dyn Fn(CellId) -> u64) -> Vec<Shape> {
        let precision = self.precision;
        let cells = precision.cells.iter().filter(|c| self.cells.contains(c));
        let cells: Vec<CellId> = cells.copied().collect();
        let mut all: Vec<Shape> = cells.iter().map(|c| self.value_shape(*c, value)).collect();
        for p in &precision.predicates {
            all.push(self.literal(p.term, value));
        }
        all
    }

    fn values(&mut self, value: &dyn Fn(CellId) -> u64, growing: bool) -> Vec<Shape> {
        let wanted = |c: &&CellId| self.precision.growing.contains(c.index()) == growing;
        let cells: Vec<CellId> = self.cells.iter().filter(wanted).copied().collect();
        cells.iter().map(|c| self.value_shape(*c, value)).collect()
    }

    fn conditions(&mut self, value: &dyn Fn(CellId) -> u64) -> Vec<Shape> {
        let about = |term: &&Term| {
            let cells = self.system.cells_in(**term);
            cells.ones().all(|c| self.cells.contains(&CellId(c as u32)))
        };
        let terms: Vec<Term> = self.conditions.iter().filter(about).copied().collect();
        terms.into_iter().map(|t| self.literal(t, value)).collect()
    }

    /// Pairs of cells of one width, growing ones first.
    fn pairs(&self) -> Vec<(CellId, CellId)> {
        let mut cells: Vec<CellId> = self.cells.to_vec();
        cells.sort_by_key(|c| (!self.precision.growing.contains(c.index()), *c));
        cells.truncate(MAX_PAIRED);
        let width = |c: CellId| self.system.pool.width(self.system.cell(c).var);
        let mut pairs = Vec::new();
        for (i, &a) in cells.iter().enumerate() {
            for &b in &cells[i + 1..] {
                if width(a) == width(b) && width(a) > 1 {
                    pairs.push((a.min(b), a.max(b)));
                }
            }
        }
        pairs
    }

    fn is_growing(&self, cell: CellId) -> bool {
        self.precision.growing.contains(cell.index())
    }

    fn differences(&mut self, value: &dyn Fn(CellId) -> u64) -> Vec<Shape> {
        let mut all = Vec::new();
        for (a, b) in self.pairs() {
            if self.is_growing(a) && self.is_growing(b) {
                all.extend(self.difference(a, b, value, 3));
            }
        }
        all
    }

    /// `a - b == c` for a small distance; `a != b` for a large one.
    fn difference(
        &mut self,
        a: CellId,
        b: CellId,
        value: &dyn Fn(CellId) -> u64,
        most: u64,
    ) -> Option<Shape> {
        let (x, y) = (self.system.cell(a).var, self.system.cell(b).var);
        let pool = &mut self.system.pool;
        let width = pool.width(x);
        let distance = encoder::term::signed(
            value(a).wrapping_sub(value(b)) & encoder::term::mask(width),
            width,
        );
        if distance.unsigned_abs() > most {
            return None;
        }
        let distance = pool.bits(distance as u64, width);
        let moved = pool.add(y, distance);
        let term = pool.eq(x, moved);
        let term = normal(pool, term);
        Some(Shape { term, value_of: None })
    }

    fn close(&mut self, value: &dyn Fn(CellId) -> u64) -> Vec<Shape> {
        let mut all = Vec::new();
        for (a, b) in self.pairs() {
            all.extend(self.difference(a, b, value, u64::MAX));
            let (x, y) = (self.system.cell(a).var, self.system.cell(b).var);
            let same = self.system.pool.eq(x, y);
            all.push(self.literal(same, value));
            // Unsigned differences: right under wrap-around.
            for most in [1, 2, 4] {
                for (p, q) in [(x, y), (y, x)] {
                    let pool = &mut self.system.pool;
                    let width = pool.width(p);
                    let difference = pool.sub(p, q);
                    let bound = pool.bits(most, width);
                    let close = pool.ule(difference, bound);
                    all.push(self.literal(close, value));
                }
            }
        }
        all
    }

    /// Of two cells, and signs.
    fn orders(&mut self, value: &dyn Fn(CellId) -> u64) -> Vec<Shape> {
        let mut all = Vec::new();
        for (a, b) in self.pairs() {
            let (x, y) = (self.system.cell(a).var, self.system.cell(b).var);
            let pool = &mut self.system.pool;
            let orders = [pool.ult(x, y), pool.slt(x, y), pool.ult(y, x), pool.slt(y, x)];
            all.extend(orders.map(|t| self.literal(t, value)));
        }
        for &cell in self.cells {
            let var = self.system.cell(cell).var;
            let pool = &mut self.system.pool;
            let width = pool.width(var);
            if width == 1 {
                continue;
            }
            let zero = pool.bits(0, width);
            let negative = pool.slt(var, zero);
            all.push(self.literal(negative, value));
        }
        all
    }

    fn parities(&mut self, value: &dyn Fn(CellId) -> u64) -> Vec<Shape> {
        let mut all = Vec::new();
        for cell in self.cells.iter().copied() {
            if !self.is_growing(cell) {
                continue;
            }
            let var = self.system.cell(cell).var;
            for bits in [1, 2] {
                let width = self.system.pool.width(var);
                if width > bits {
                    let pool = &mut self.system.pool;
                    let low = pool.extract(var, 0, bits);
                    let number = pool.bits(value(cell), bits);
                    let term = pool.eq(low, number);
                    all.push(Shape { term, value_of: None });
                }
            }
        }
        all
    }

    /// `a == b + c`, and one more or less.
    fn sums(&mut self, value: &dyn Fn(CellId) -> u64) -> Vec<Shape> {
        let mut cells: Vec<CellId> = self.cells.to_vec();
        cells.sort_by_key(|c| (!self.is_growing(*c), *c));
        cells.truncate(MAX_SUMMED);
        let mut all = Vec::new();
        for &a in &cells {
            for (i, &b) in cells.iter().enumerate() {
                for &c in &cells[i + 1..] {
                    if a != b && a != c {
                        all.extend(self.sum(a, b, c, value));
                    }
                }
            }
        }
        all
    }

    fn sum(
        &mut self,
        a: CellId,
        b: CellId,
        c: CellId,
        value: &dyn Fn(CellId) -> u64,
    ) -> Option<Shape> {
        let [x, y, z] = [a, b, c].map(|cell| self.system.cell(cell).var);
        let pool = &mut self.system.pool;
        let width = pool.width(x);
        if width != pool.width(y) || width != pool.width(z) || width == 1 {
            return None;
        }
        let rest = value(a).wrapping_sub(value(b)).wrapping_sub(value(c));
        let rest = encoder::term::signed(rest & encoder::term::mask(width), width);
        if rest.unsigned_abs() > 2 {
            return None;
        }
        let rest = pool.bits(rest as u64, width);
        let sum = pool.add(y, z);
        let sum = pool.add(sum, rest);
        let term = pool.eq(x, sum);
        let term = normal(pool, term);
        Some(Shape { term, value_of: None })
    }
}
