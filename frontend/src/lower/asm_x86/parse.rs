//! Templates of x86 assembly as instructions, in the syntax of AT&T.

use lang_c::ast::GnuAsmOperand;
use lang_c::span::Node;

/// One instruction of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Line {
    pub locked: bool,
    /// Without its suffix.
    pub op: &'static str,
    /// By the suffix.
    pub bytes: Option<u64>,
    pub args: Vec<Arg>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Arg {
    /// `%1`
    Operand(usize),
    /// `8(%1)`
    At { base: usize, offset: u64 },
    /// `%%rax`, as its constraint calls it.
    Register(char),
    /// `$1`
    Number(u64),
}

pub(super) const UPDATES: &[&str] = &["add", "sub", "and", "or", "xor"];
/// A longer name before one that it begins with.
const OTHERS: &[&str] = &[
    "inc",
    "dec",
    "not",
    "mov",
    "xadd",
    "xchg",
    "cmpxchg16b",
    "cmpxchg",
    "sete",
    "setz",
    "setne",
    "setnz",
];
/// Whole registers, with the letters of their constraints.
const REGISTERS: &[(&str, char)] = &[("rax", 'a'), ("rbx", 'b'), ("rcx", 'c'), ("rdx", 'd')];

/// The instructions of a template; `None` if there is one that we do not know.
pub(super) fn parse(template: &[String], operands: &[&Node<GnuAsmOperand>]) -> Option<Vec<Line>> {
    let text: String = template.iter().map(|s| s.trim_matches('"')).collect();
    let text = text.replace("\\n", ";").replace("\\t", " ");
    let names: Vec<Option<&str>> = operands
        .iter()
        .map(|o| o.node.symbolic_name.as_ref().map(|n| n.node.name.as_str()))
        .collect();
    let mut lines = Vec::new();
    let mut locked = false;
    for piece in text.split(';').map(str::trim).filter(|piece| !piece.is_empty()) {
        let rest = match piece.strip_prefix("lock") {
            Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => {
                locked = true;
                rest.trim()
            }
            _ => piece,
        };
        if !rest.is_empty() {
            lines.push(parse_line(rest, std::mem::take(&mut locked), &names)?);
        }
    }
    (!locked).then_some(lines)
}

fn parse_line(text: &str, locked: bool, names: &[Option<&str>]) -> Option<Line> {
    let (word, args) = text.split_once(char::is_whitespace)?;
    let mut known = UPDATES.iter().chain(OTHERS).copied();
    let (op, suffix) = known.find_map(|op| {
        let suffix = word.strip_prefix(op)?;
        let bare = op.starts_with("set") || op == "cmpxchg16b";
        (suffix.is_empty() || !bare && "bwlq".contains(suffix)).then_some((op, suffix))
    })?;
    let bytes = match suffix {
        "b" => Some(1),
        "w" => Some(2),
        "l" => Some(4),
        "q" => Some(8),
        _ => None,
    };
    let args: Option<Vec<Arg>> = args.split(',').map(|arg| parse_arg(arg.trim(), names)).collect();
    Some(Line { locked, op, bytes, args: args? })
}

fn parse_arg(text: &str, names: &[Option<&str>]) -> Option<Arg> {
    if let Some(number) = text.strip_prefix('$') {
        return number.parse().ok().map(Arg::Number);
    }
    if let Some((offset, inner)) = text.strip_suffix(')').and_then(|t| t.split_once('(')) {
        let offset = if offset.is_empty() { 0 } else { offset.parse().ok()? };
        return match parse_arg(inner, names)? {
            Arg::Operand(base) => Some(Arg::At { base, offset }),
            _ => None,
        };
    }
    if let Some(register) = text.strip_prefix("%%") {
        let known = REGISTERS.iter().find(|(name, _)| *name == register);
        return known.map(|(_, letter)| Arg::Register(*letter));
    }
    let rest = text.strip_prefix('%')?;
    let i = match rest.strip_prefix('[').and_then(|t| t.strip_suffix(']')) {
        Some(name) => names.iter().position(|n| *n == Some(name))?,
        None => rest.parse().ok()?,
    };
    (i < names.len()).then_some(Arg::Operand(i))
}
