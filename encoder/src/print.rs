//! Encodings as text, for people who debug them.

use crate::term::{BitOp, Convert, FloatCmp, FloatOp, Op, Pool, Term};
use crate::{Encoding, EventKind};
use std::fmt::Write;

/// How deep a term is written out.
const DEPTH: u32 = 6;

/// A term, down to some depth; what lies deeper is named by its number.
pub fn term(pool: &Pool, t: Term) -> String {
    let mut out = String::new();
    write_term(pool, t, DEPTH, &mut out);
    out
}

fn write_term(pool: &Pool, t: Term, depth: u32, out: &mut String) {
    let name = match pool.op(t) {
        Op::Bool(b) => return out.push_str(if b { "true" } else { "false" }),
        Op::Bits(k) => {
            let _ = write!(out, "{k}");
            return;
        }
        Op::Var(v) => {
            let _ = write!(out, "v{}", v.0);
            return;
        }
        _ if depth == 0 => {
            let _ = write!(out, "{t:?}");
            return;
        }
        op => operator(op),
    };
    let _ = write!(out, "({name}");
    pool.operands(t, |o| {
        out.push(' ');
        write_term(pool, o, depth - 1, out);
    });
    out.push(')');
}

fn operator(op: Op) -> &'static str {
    match op {
        Op::Bool(_) | Op::Bits(_) | Op::Var(_) => "leaf",
        Op::Not(_) => "not",
        Op::And(..) => "and",
        Op::Ite(..) => "ite",
        Op::Eq(..) => "=",
        Op::Ult(..) => "u<",
        Op::Slt(..) => "s<",
        Op::BitNot(_) => "~",
        Op::Neg(_) => "neg",
        Op::Binary(op, ..) => match op {
            BitOp::Add => "+",
            BitOp::Sub => "-",
            BitOp::Mul => "*",
            BitOp::UDiv => "u/",
            BitOp::URem => "u%",
            BitOp::SDiv => "s/",
            BitOp::SRem => "s%",
            BitOp::And => "&",
            BitOp::Or => "|",
            BitOp::Xor => "^",
            BitOp::Shl => "<<",
            BitOp::Lshr => "u>>",
            BitOp::Ashr => "s>>",
        },
        Op::Extract { .. } => "extract",
        Op::Concat(..) => "concat",
        Op::ZeroExt(_) => "zext",
        Op::SignExt(_) => "sext",
        Op::Float(op, ..) => match op {
            FloatOp::Add => "f+",
            FloatOp::Sub => "f-",
            FloatOp::Mul => "f*",
            FloatOp::Div => "f/",
        },
        Op::FloatCmp(op, ..) => match op {
            FloatCmp::Eq => "f=",
            FloatCmp::Lt => "f<",
            FloatCmp::Le => "f<=",
        },
        Op::Convert(op, _) => match op {
            Convert::FloatToFloat => "f->f",
            Convert::SignedToFloat => "s->f",
            Convert::UnsignedToFloat => "u->f",
            Convert::FloatToSigned => "f->s",
            Convert::FloatToUnsigned => "f->u",
        },
    }
}

/// Threads with their nodes and events, then orders, candidates and goals.
pub fn encoding(e: &Encoding) -> String {
    let mut out = String::new();
    for (i, thread) in e.threads.iter().enumerate() {
        let _ = writeln!(out, "thread {i} if {}", term(&e.pool, thread.guard));
        for &node in &thread.nodes {
            write_node(e, node.index(), &mut out);
        }
    }
    for (a, b) in &e.edges {
        let _ = writeln!(out, "n{} < n{}", a.0, b.0);
    }
    for (condition, a, b) in &e.waits {
        let _ = writeln!(out, "n{} < n{} if {}", a.0, b.0, term(&e.pool, *condition));
    }
    for (w, r) in &e.rf {
        let _ = writeln!(out, "e{} -> e{}", w.0, r.0);
    }
    for fact in &e.facts {
        let _ = writeln!(out, "fact {}", term(&e.pool, *fact));
    }
    for goal in &e.goals {
        let _ = writeln!(out, "{:?} if {}", goal.kind, term(&e.pool, goal.guard));
    }
    out
}

fn write_node(e: &Encoding, node: usize, out: &mut String) {
    let info = &e.nodes[node];
    let guard = term(&e.pool, info.guard);
    let _ = writeln!(out, "  n{node} {:?} line {} if {guard}", info.kind, info.span.line);
    for (i, event) in e.events.iter().enumerate().filter(|(_, ev)| ev.node.index() == node) {
        let verb = if event.kind == EventKind::Read { "reads" } else { "writes" };
        let name = &e.cells[event.cell.index()].name;
        let (guard, value) = (term(&e.pool, event.guard), term(&e.pool, event.value));
        let _ = writeln!(out, "    e{i} {verb} {name} = {value} if {guard}");
    }
}
