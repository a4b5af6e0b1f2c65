//! Conditions over final states: `exists (0:r1=1 /\ x=2)`.

use crate::value::{Location, Value};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    Exists,
    NotExists,
    ForAll,
    /// Only `locations`: the states are the answer.
    None,
}

/// Something that has a value in the end.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Item {
    /// Thread and register.
    Register(usize, String),
    Memory(Location),
}

#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    Item(Item),
    Value(Value),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Condition {
    True,
    False,
    Compare(Compare, Operand, Operand),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    /// Needs: `value` gives the final value of an item.
    pub fn holds(&self, value: &impl Fn(&Item) -> Value) -> bool {
        match self {
            Condition::True => true,
            Condition::False => false,
            Condition::Not(c) => !c.holds(value),
            Condition::And(a, b) => a.holds(value) && b.holds(value),
            Condition::Or(a, b) => a.holds(value) || b.holds(value),
            Condition::Compare(op, a, b) => {
                let of = |operand: &Operand| match operand {
                    Operand::Item(item) => value(item),
                    Operand::Value(value) => *value,
                };
                compare(*op, of(a), of(b))
            }
        }
    }

    /// The equations that hold wherever the condition does.
    pub fn equations(&self, found: &mut Vec<(Item, Value)>) {
        match self {
            Condition::And(a, b) => {
                a.equations(found);
                b.equations(found);
            }
            Condition::Compare(Compare::Eq, Operand::Item(item), Operand::Value(value)) => {
                found.push((item.clone(), *value));
            }
            _ => {}
        }
    }

    /// The items that it mentions, in order, each once.
    pub fn items(&self, found: &mut Vec<Item>) {
        match self {
            Condition::True | Condition::False => {}
            Condition::Not(c) => c.items(found),
            Condition::And(a, b) | Condition::Or(a, b) => {
                a.items(found);
                b.items(found);
            }
            Condition::Compare(_, a, b) => {
                for operand in [a, b] {
                    if let Operand::Item(item) = operand {
                        if !found.contains(item) {
                            found.push(item.clone());
                        }
                    }
                }
            }
        }
    }
}

/// Equal as numbers, or as the 32 bits that both fit into: `-1` is `0xffffffff`.
pub fn same(a: Value, b: Value) -> bool {
    let fits = |v: i64| (i64::from(i32::MIN)..=i64::from(u32::MAX)).contains(&v);
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => x == y || (fits(x) && fits(y) && x as u32 == y as u32),
        (a, b) => a == b,
    }
}

fn compare(op: Compare, a: Value, b: Value) -> bool {
    let order = match (a, b) {
        (a, b) if same(a, b) => std::cmp::Ordering::Equal,
        (a, b) => a.cmp(&b),
    };
    match op {
        Compare::Eq => order.is_eq(),
        Compare::Ne => order.is_ne(),
        Compare::Lt => order.is_lt(),
        Compare::Le => order.is_le(),
        Compare::Gt => order.is_gt(),
        Compare::Ge => order.is_ge(),
    }
}
