//! Invariants for correctness witnesses: what global variables can hold at any time.
//!
//! A variable whose address is used for nothing but loads and stores of all of it changes only by
//! those stores. If each of them stores a number that can be read off the program, then the smallest
//! and the largest (the first value is one of them) bound it in every execution, at every place,
//! whatever the threads do: so it can be told wherever the variable can be named. We tell it at the
//! loops. What a proof says of other variables (`engine/prove/bounds.rs`) is told there, too.
//!
//! Cost: one pass over the instructions, a few steps back from each store.

use analysis::loops::{LoopKind, loops};
use ir::arith::{number, wrap};
use ir::names::decode;
use ir::types::{Machine, Scalar};
use ir::walk;
use ir::{Function, InstKind, ObjectId, ObjectKind, Operand, Origin, Program, Rvalue, Span};

/// A condition that holds whenever a thread is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    pub function: String,
    pub span: Span,
    /// The variable and its bounds.
    pub bounds: Vec<(String, i128, i128)>,
}

/// How many registers are followed back to what they were computed from.
const DEPTH: u32 = 4;

type Range = (i128, i128);

/// One for each loop of the user's, if there is something to say. `globals` are the variables that
/// every function sees under this name, `proven` what an engine knows of them at any time.
pub fn invariants(
    program: &Program,
    globals: &[String],
    proven: &[(ObjectId, i128, i128)],
) -> Vec<Invariant> {
    let mut ranges = ranges(program);
    for (object, low, high) in proven {
        let known = &mut ranges[object.index()];
        *known = Some(known.map_or((*low, *high), |(a, b)| (a.max(*low), b.min(*high))));
    }
    let at = |span: Span| {
        let known = program.objects.iter().zip(&ranges);
        let seen = known.filter(move |(o, _)| o.span.file == span.file && o.span.line < span.line);
        let named = seen.map(|(o, range)| (decode(&o.name).into_owned(), range));
        let named = named.filter(|(name, _)| globals.contains(name));
        named.filter_map(|(name, range)| range.map(|(low, high)| (name, low, high)))
    };
    let natural = loops(program).into_iter().filter(|l| l.kind == LoopKind::Natural);
    let of_user = natural.filter_map(|l| {
        let function = &program.functions[l.function.index()];
        (function.origin == Origin::User && l.span.line > 0).then_some((function, l.span))
    });
    let told = of_user.map(|(function, span)| Invariant {
        function: decode(&function.name).into_owned(),
        span,
        bounds: at(span).collect(),
    });
    told.filter(|invariant| !invariant.bounds.is_empty()).collect()
}

/// What each object can hold, if that is known.
fn ranges(program: &Program) -> Vec<Option<Range>> {
    let mut ranges: Vec<Option<Range>> =
        (0..program.objects.len()).map(|i| first(program, i)).collect();
    for address in program.objects.iter().flat_map(|o| &o.relocations).map(|(_, a)| a) {
        forget(&mut ranges, address);
    }
    for function in &program.functions {
        let registers = Registers::new(program, function);
        for block in &function.blocks {
            for inst in &block.insts {
                note(program, &registers, &inst.kind, &mut ranges);
            }
            if let Some(operand) = walk::end_operand(&block.end) {
                forget(&mut ranges, operand);
            }
        }
    }
    ranges
}

/// The value of a global number at the start.
fn first(program: &Program, object: usize) -> Option<Range> {
    let object = &program.objects[object];
    let ty = program.types.scalar(object.ty).filter(|ty| matches!(ty, Scalar::Int { .. }))?;
    let plain = object.kind == ObjectKind::Global && object.relocations.is_empty();
    if !plain || object.size != ty.bytes(program.machine) {
        return None;
    }
    let mut bytes = [0; 8];
    let given = object.bytes.len().min(8);
    bytes[..given].copy_from_slice(&object.bytes[..given]);
    let value = number(u64::from_le_bytes(bytes), ty, program.machine);
    Some((value, value))
}

/// What an instruction does to the objects that it names.
fn note(
    program: &Program,
    registers: &Registers<'_>,
    kind: &InstKind,
    ranges: &mut [Option<Range>],
) {
    let whole = |object: usize, offset: i64, ty: Scalar| {
        offset == 0 && program.types.scalar(program.objects[object].ty) == Some(ty)
    };
    match kind {
        InstKind::Load { addr: Operand::Object { object, offset }, ty, .. }
            if whole(object.index(), *offset, *ty) => {}
        InstKind::Store { addr: Operand::Object { object, offset }, value, ty, .. }
            if whole(object.index(), *offset, *ty) =>
        {
            forget(ranges, value);
            let stored = registers.range(value, *ty, DEPTH);
            let old = ranges[object.index()];
            ranges[object.index()] = old.zip(stored).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
        }
        _ => {
            for operand in walk::operands(kind) {
                forget(ranges, operand);
            }
        }
    }
}

/// The address is used for something else.
fn forget(ranges: &mut [Option<Range>], operand: &Operand) {
    if let Operand::Object { object, .. } = operand {
        ranges[object.index()] = None;
    }
}

/// The registers of a function.
struct Registers<'p> {
    function: &'p Function,
    machine: Machine,
    /// All values that each gets; `None` if one of them is not computed from others.
    values: Vec<Option<Vec<&'p Rvalue>>>,
}

impl<'p> Registers<'p> {
    fn new(program: &'p Program, function: &'p Function) -> Registers<'p> {
        let mut values = vec![Some(Vec::new()); function.regs.len()];
        for param in &function.params {
            values[param.index()] = None;
        }
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            let Some(reg) = walk::defined(&inst.kind) else { continue };
            match (&inst.kind, &mut values[reg.index()]) {
                (InstKind::Assign { value, .. }, Some(list)) => list.push(value),
                (_, unknown) => *unknown = None,
            }
        }
        Registers { function, machine: program.machine, values }
    }

    /// What an operand of an integer type can be, at any time.
    fn range(&self, operand: &Operand, ty: Scalar, depth: u32) -> Option<Range> {
        let Scalar::Int { bits, signed } = ty else { return None };
        let reg = match *operand {
            Operand::Const { bits, .. } => {
                let value = number(bits, ty, self.machine);
                return Some((value, value));
            }
            Operand::Reg(reg) if depth > 0 && self.function.regs[reg.index()].ty == ty => reg,
            _ => return None,
        };
        let mut all: Option<Range> = None;
        for value in self.values[reg.index()].as_ref()? {
            let one = match value {
                Rvalue::Use(a) => self.range(a, ty, depth - 1)?,
                Rvalue::Binary { op, .. } if op.is_comparison() => (0, 1),
                Rvalue::Cast { from, a, .. } => {
                    let (low, high) = self.range(a, *from, depth - 1)?;
                    let fits = |n: i128| wrap(n, bits, signed) == n;
                    (fits(low) && fits(high)).then_some((low, high))?
                }
                _ => return None,
            };
            all = Some(all.map_or(one, |all| (all.0.min(one.0), all.1.max(one.1))));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frontend::LoadOptions;

    fn told(text: &str) -> Vec<Invariant> {
        let unit = frontend::Source { name: "t.c", text: text.as_bytes(), moved: &[] };
        let program = frontend::load(&[unit], Machine::Lp64, &LoadOptions::default());
        let program = analysis::prepare(program.expect("a program"));
        let globals: Vec<String> = program.objects.iter().map(|o| o.name.clone()).collect();
        invariants(&program, &globals, &[])
    }

    #[test]
    fn bounds_of_flags() {
        let text = "extern int f(void);\nint a = 3, b, c, d, e;\nint *p = &d;\nint g(int *q) { return *q; }\n\
            int main(void) {\nwhile (f()) {\na = 5;\na = -1;\nb = f() > 2;\nc = f();\ng(&e);\n}\n\
            return 0;\n}\n";
        let found = told(text);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].span.line, 6);
        let (a, b) = (("a".to_string(), -1, 5), ("b".to_string(), 0, 1));
        assert_eq!(found[0].bounds, [a, b]);
    }

    #[test]
    fn only_what_is_declared_before() {
        let text = "extern int f(void);\nint main(void) {\nextern int a;\nwhile (f())\na = 1;\n\
            return 0;\n}\nint a;\n";
        assert_eq!(told(text), []);
    }
}
