//! Terms as text over integers: words as numbers with sign that never wrap around.
//!
//! What has no such text (bits of words, products of variables) is a number of its own, of which nothing
//! is known. Nothing here needs to be exact: solutions are checked on words.

use crate::system::{CellId, System};
use encoder::term::{BitOp, signed};
use encoder::{Op, Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Longer texts of one term are left out.
const MAX_LENGTH: usize = 20_000;

/// One clause while it is written.
pub struct Clause<'a> {
    system: &'a System,
    /// With their sorts.
    vars: BTreeMap<String, &'static str>,
    body: Vec<String>,
    made: FxHashMap<Term, String>,
}

impl<'a> Clause<'a> {
    pub fn new(system: &'a System) -> Clause<'a> {
        Clause { system, vars: BTreeMap::new(), body: Vec::new(), made: FxHashMap::default() }
    }

    pub fn given(&mut self, fact: String) {
        self.body.push(fact);
    }

    pub fn when(&mut self, condition: Term) {
        let text = self.truth(condition);
        self.body.push(text);
    }

    pub fn cell(&mut self, cell: CellId) -> String {
        self.var(format!("c{}", cell.0), "Int")
    }

    /// A cell holds what it holds at first.
    pub fn starts_with(&mut self, cell: CellId) {
        let info = self.system.cell(cell);
        let name = self.cell(cell);
        if let Some(value) = info.initial {
            let value = constant(value, self.system.pool.width(info.var));
            self.body.push(format!("(= {name} {value})"));
        }
    }

    pub fn text(self, head: &str) -> String {
        let body = format!("(=> (and true {}) {head})", self.body.join(" "));
        if self.vars.is_empty() {
            return format!("(assert {body})\n");
        }
        let vars: Vec<String> = self.vars.iter().map(|(v, sort)| format!("({v} {sort})")).collect();
        format!("(assert (forall ({}) {body}))\n", vars.join(" "))
    }

    fn var(&mut self, name: String, sort: &'static str) -> String {
        self.vars.insert(name.clone(), sort);
        name
    }

    fn anything(&mut self, term: Term, sort: &'static str) -> String {
        self.var(format!("u{}", term.index()), sort)
    }

    /// Operands before what is made of them: terms are deep.
    fn make(&mut self, term: Term) -> String {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            let open = stack.len();
            if !self.made.contains_key(&top) {
                self.system.pool.operands(top, |o| {
                    if !self.made.contains_key(&o) {
                        stack.push(o);
                    }
                });
            }
            if stack.len() > open {
                continue;
            }
            stack.pop();
            if !self.made.contains_key(&top) {
                let text = self.one(top);
                self.made.insert(top, text);
            }
        }
        self.made[&term].clone()
    }

    pub fn number(&mut self, term: Term) -> String {
        self.make(term)
    }

    pub fn truth(&mut self, term: Term) -> String {
        self.make(term)
    }

    fn one(&mut self, t: Term) -> String {
        let sort = match self.system.pool.sort(t) {
            Sort::Bool => "Bool",
            Sort::Bits(_) => "Int",
        };
        let text = self.written(t).filter(|text| text.len() <= MAX_LENGTH);
        text.unwrap_or_else(|| self.anything(t, sort))
    }

    /// If there is a text for it; operands have theirs.
    fn written(&mut self, t: Term) -> Option<String> {
        let pool = &self.system.pool;
        let of = |term: &Term| &self.made[term];
        Some(match pool.op(t) {
            Op::Bool(value) => value.to_string(),
            Op::Bits(value) => constant(value, pool.width(t)),
            Op::Var(_) => {
                let cell = *self.system.by_var.get(&t)?;
                return Some(self.cell(cell));
            }
            Op::Not(a) => format!("(not {})", of(&a)),
            Op::And(a, b) => format!("(and {} {})", of(&a), of(&b)),
            Op::Ite(c, a, b) => format!("(ite {} {} {})", of(&c), of(&a), of(&b)),
            Op::Eq(a, b) => format!("(= {} {})", of(&a), of(&b)),
            Op::Slt(a, b) => format!("(< {} {})", of(&a), of(&b)),
            Op::Ult(a, b) => below(of(&a), of(&b), pool.constant(b).is_some()),
            Op::Neg(a) => format!("(- {})", of(&a)),
            Op::BitNot(a) => format!("(- (- {}) 1)", of(&a)),
            Op::ZeroExt(a) | Op::SignExt(a) => of(&a).clone(),
            Op::Extract { of: a, low: 0 } if pool.width(t) >= 32 => of(&a).clone(),
            Op::Extract { of: a, low } if low < 63 && pool.width(t) < 32 => {
                let shifted = format!("(div {} {})", of(&a), 1u64 << low);
                format!("(mod {shifted} {})", 1u64 << pool.width(t))
            }
            Op::Binary(op, a, b) => {
                return binary(op, of(&a), of(&b), pool.constant(a), pool.constant(b));
            }
            _ => return None,
        })
    }
}

fn constant(value: u64, width: u8) -> String {
    match width {
        1 => value.to_string(),
        _ => match signed(value, width) {
            n if n < 0 => format!("(- {})", n.unsigned_abs()),
            n => n.to_string(),
        },
    }
}

/// Unsigned: a negative number is larger than all others.
fn below(a: &str, b: &str, is_known: bool) -> String {
    let natural = format!("(and (<= 0 {a}) (< {a} {b}))");
    match is_known && !b.starts_with("(-") {
        true => natural,
        false => format!("(ite (< {b} 0) (or (<= 0 {a}) (< {a} {b})) {natural})"),
    }
}

fn binary(op: BitOp, a: &str, b: &str, x: Option<u64>, y: Option<u64>) -> Option<String> {
    let power = y.filter(|n| *n < 32).map(|n| 1u64 << n);
    let positive = y.filter(|n| (1..=i32::MAX as u64).contains(n));
    Some(match op {
        BitOp::Add => format!("(+ {a} {b})"),
        BitOp::Sub => format!("(- {a} {b})"),
        BitOp::Mul if x.or(y).is_some() => format!("(* {a} {b})"),
        BitOp::URem | BitOp::SRem => format!("(mod {a} {})", positive?),
        BitOp::UDiv | BitOp::SDiv => format!("(div {a} {})", positive?),
        BitOp::Shl => format!("(* {} {a})", power?),
        BitOp::Lshr | BitOp::Ashr => format!("(div {a} {})", power?),
        BitOp::And => {
            let mask = positive.filter(|n| (n + 1).is_power_of_two())?;
            format!("(mod {a} {})", mask + 1)
        }
        _ => return None,
    })
}
