//! A run of the theory as text: one call per line.
//!
//! Things are named by numbers that the script chooses, so a line can be taken away without
//! renaming the others; a line about something that does not exist is skipped at replay.
//!
//! ```text
//! node 0 in 0          a new node at the end of a chain
//! node 5 after 0       a new node in the middle
//! write 0 at 0 cell 0  a write that always happens
//! write 1 at 5 cell 0 if -7
//! read 0 at 1 cell 0
//! alias 1 0 9          write, read, literal
//! edge 0 1             static order
//! rf 3 0 0             literal, write, read
//! before 4 0 5         literal, node, node
//! apart 6 0 5
//! push | assign -3 | forever 4 | propagate | echo | back 0
//! ```

use crate::types::Lit;
use std::fmt;
use std::str::FromStr;

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the grammar above names the fields")]
pub enum Step {
    Node {
        name: u32,
        chain: u32,
    },
    After {
        name: u32,
        node: u32,
    },
    Write {
        name: u32,
        node: u32,
        cell: u32,
        guard: Option<Lit>,
    },
    Read {
        name: u32,
        node: u32,
        cell: u32,
    },
    Alias {
        write: u32,
        read: u32,
        lit: Lit,
    },
    Edge {
        from: u32,
        to: u32,
    },
    Rf {
        lit: Lit,
        write: u32,
        read: u32,
    },
    Before {
        lit: Lit,
        from: u32,
        to: u32,
    },
    Apart {
        lit: Lit,
        from: u32,
        to: u32,
    },
    Push,
    Assign(Lit),
    ForEver(Lit),
    Propagate,
    /// Assigns all implied literals, as a solver does.
    Echo,
    Back(u32),
}

/// Calls in order.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Script(pub Vec<Step>);

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Node { name, chain } => write!(f, "node {name} in {chain}"),
            Step::After { name, node } => write!(f, "node {name} after {node}"),
            Step::Write { name, node, cell, guard } => {
                write!(f, "write {name} at {node} cell {cell}")?;
                guard.map_or(Ok(()), |guard| write!(f, " if {guard:?}"))
            }
            Step::Read { name, node, cell } => write!(f, "read {name} at {node} cell {cell}"),
            Step::Alias { write, read, lit } => write!(f, "alias {write} {read} {lit:?}"),
            Step::Edge { from, to } => write!(f, "edge {from} {to}"),
            Step::Rf { lit, write, read } => write!(f, "rf {lit:?} {write} {read}"),
            Step::Before { lit, from, to } => write!(f, "before {lit:?} {from} {to}"),
            Step::Apart { lit, from, to } => write!(f, "apart {lit:?} {from} {to}"),
            Step::Push => write!(f, "push"),
            Step::Assign(lit) => write!(f, "assign {lit:?}"),
            Step::ForEver(lit) => write!(f, "forever {lit:?}"),
            Step::Propagate => write!(f, "propagate"),
            Step::Echo => write!(f, "echo"),
            Step::Back(level) => write!(f, "back {level}"),
        }
    }
}

impl FromStr for Step {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        parse(&words).ok_or_else(|| format!("not a step: {line}"))
    }
}

fn parse(words: &[&str]) -> Option<Step> {
    let num = |word: &str| word.parse::<u32>().ok();
    let lit = |word: &str| word.parse().ok().filter(|&n: &i32| n != 0).map(Lit::from_dimacs);
    Some(match *words {
        ["node", name, "in", chain] => Step::Node { name: num(name)?, chain: num(chain)? },
        ["node", name, "after", node] => Step::After { name: num(name)?, node: num(node)? },
        ["write", name, "at", node, "cell", cell, ref rest @ ..] => {
            let guard = match *rest {
                [] => None,
                ["if", guard] => Some(lit(guard)?),
                _ => return None,
            };
            Step::Write { name: num(name)?, node: num(node)?, cell: num(cell)?, guard }
        }
        ["read", name, "at", node, "cell", cell] => {
            Step::Read { name: num(name)?, node: num(node)?, cell: num(cell)? }
        }
        ["alias", w, r, l] => Step::Alias { write: num(w)?, read: num(r)?, lit: lit(l)? },
        ["edge", from, to] => Step::Edge { from: num(from)?, to: num(to)? },
        ["rf", l, w, r] => Step::Rf { lit: lit(l)?, write: num(w)?, read: num(r)? },
        ["before", l, a, b] => Step::Before { lit: lit(l)?, from: num(a)?, to: num(b)? },
        ["apart", l, a, b] => Step::Apart { lit: lit(l)?, from: num(a)?, to: num(b)? },
        ["push"] => Step::Push,
        ["assign", l] => Step::Assign(lit(l)?),
        ["forever", l] => Step::ForEver(lit(l)?),
        ["propagate"] => Step::Propagate,
        ["echo"] => Step::Echo,
        ["back", level] => Step::Back(num(level)?),
        _ => return None,
    })
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}

impl FromStr for Script {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.map(str::parse).collect::<Result<_, _>>().map(Script)
    }
}
