//! Inline assembly.
//!
//! An empty template is a compiler barrier (and copies an input to the output that it shares a
//! register with), fences are fences, atomic operations of x86 are exact (`asm_x86`). Any other
//! template is taken at the word of its operands, as compilers do: outputs become anything, memory
//! operands are read and written where they stand, and nothing else changes. That is a call of a
//! function without a body whose origin is `Origin::Assembly`: an assumption of every proof, and no
//! violation is shown behind it, since the values are invented.
//!
//! Not modelled at all, so that reaching them is UNKNOWN: `asm goto`, templates without operand
//! lists, operands that are no scalars, and a clobber of memory beside an address in a register, for
//! that is how a template says that it writes where the address leads.

use super::place::Lvalue;
use super::{Linkage, Result, Unit, Value};
use ir::types::{Scalar, Type, TypeId};
use ir::{Callee, FuncId, Function, InstKind, Kernel, MemoryOrder, Origin, Span};
use lang_c::ast::{self, GnuAsmOperand, GnuExtendedAsmStatement};
use lang_c::span::Node;

/// Mnemonics whose only effect is to order memory accesses or to wait a moment.
const FENCES: &[&str] =
    &["mfence", "lfence", "sfence", "dmb", "dsb", "isb", "sync", "lwsync", "fence"];
const PAUSES: &[&str] = &["nop", "pause", "yield", "rep"];

/// What a template does, the worst last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Meaning {
    Nothing,
    /// Only takes time.
    Pause,
    Fence(MemoryOrder),
    /// A fence that no memory model of C has. For interleavings, and who watches races, it is one of C's.
    Instruction(MemoryOrder),
    Unknown,
}

/// An operand, its expression evaluated as far as that touches nothing that the template uses.
pub(super) enum Evaluated {
    Value(Value),
    Place(Lvalue),
}

type Operands<'a> = &'a [Node<GnuAsmOperand>];

impl Unit<'_> {
    pub fn asm(&mut self, node: &ast::AsmStatement) -> Result<()> {
        match node {
            ast::AsmStatement::GnuExtended(asm) => self.extended(asm),
            ast::AsmStatement::GnuBasic(text) => {
                self.asm_text(&text.node);
                Ok(())
            }
        }
    }

    /// Also what looks like a call: `asm("nop");`.
    pub(crate) fn asm_text(&mut self, template: &[String]) {
        match meaning(template) {
            Meaning::Nothing | Meaning::Pause => {}
            Meaning::Fence(order) => self.emit(InstKind::Fence { order, kernel: None }),
            Meaning::Instruction(order) => {
                self.emit(InstKind::Fence { order, kernel: Some(Kernel::Instruction) });
            }
            Meaning::Unknown => self.unknown_asm(),
        }
    }

    fn unknown_asm(&mut self) {
        self.emit(InstKind::Unsupported { what: "inline assembly".into() });
    }

    fn extended(&mut self, asm: &GnuExtendedAsmStatement) -> Result<()> {
        let at = self.at;
        let outputs = self.evaluated(&asm.outputs, true)?;
        let inputs = self.evaluated(&asm.inputs, false)?;
        self.at = at;
        let meaning = meaning(&asm.template.node);
        let written = |o: &Node<GnuAsmOperand>| constraint(o).contains('=');
        if meaning != Meaning::Unknown && !asm.outputs.iter().any(written) {
            self.asm_text(&asm.template.node);
            return Ok(());
        }
        if meaning == Meaning::Nothing && self.copies(asm, &outputs, &inputs)? {
            return Ok(());
        }
        if meaning == Meaning::Unknown && self.x86_atomic(asm, &outputs, &inputs)? {
            return Ok(());
        }
        if self.hides_memory(asm)? || !self.are_scalars(outputs.iter().chain(&inputs)) {
            self.unknown_asm();
            return Ok(());
        }
        self.assembly(asm, outputs, inputs)
    }

    fn evaluated(&mut self, operands: Operands<'_>, output: bool) -> Result<Vec<Evaluated>> {
        let one = |o: &Node<GnuAsmOperand>| {
            let expression = &o.node.variable_name;
            let place = match (output, is_memory(o)) {
                (true, _) => Some(self.place(expression)?),
                (false, true) => self.try_place(expression)?,
                (false, false) => None,
            };
            Ok(match place {
                Some(place) => Evaluated::Place(place),
                None => Evaluated::Value(self.expr(expression)?),
            })
        };
        operands.iter().map(one).collect()
    }

    /// The empty template: each output is the input that is in the same register. False if there is
    /// an output without one.
    fn copies(
        &mut self,
        asm: &GnuExtendedAsmStatement,
        outputs: &[Evaluated],
        inputs: &[Evaluated],
    ) -> Result<bool> {
        let mut pairs = Vec::new();
        for (i, output) in asm.outputs.iter().enumerate() {
            let shared = |o: &Node<GnuAsmOperand>| constraint(o) == i.to_string();
            match (asm.inputs.iter().position(shared), constraint(output).contains('=')) {
                (Some(from), true) => pairs.push((i, from)),
                (None, false) => {}
                _ => return Ok(false),
            }
        }
        for (to, from) in pairs {
            let (Evaluated::Place(to), Evaluated::Value(from)) = (&outputs[to], &inputs[from])
            else {
                return Ok(false);
            };
            let value = self.convert(*from, to.ty())?;
            self.write(*to, value)?;
        }
        Ok(true)
    }

    /// May it write to memory that no operand names?
    fn hides_memory(&mut self, asm: &GnuExtendedAsmStatement) -> Result<bool> {
        if !asm.clobbers.iter().any(|c| c.node.concat().contains("memory")) {
            return Ok(false);
        }
        for operand in asm.outputs.iter().chain(&asm.inputs) {
            let passed = !constraint(operand).contains('=') && !is_constant(operand);
            if passed && !is_memory(operand) && self.is_address(&operand.node.variable_name)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// A pointer, or a number that was one a moment ago.
    fn is_address(&mut self, node: &Node<ast::Expression>) -> Result<bool> {
        let mut node = node;
        loop {
            let ty = self.type_of(node)?;
            if matches!(self.link.types.get(ty), Type::Pointer { .. } | Type::Array { .. }) {
                return Ok(true);
            }
            match &node.node {
                ast::Expression::Cast(cast) => node = &cast.node.expression,
                _ => return Ok(false),
            }
        }
    }

    fn are_scalars<'a>(&mut self, mut all: impl Iterator<Item = &'a Evaluated>) -> bool {
        all.all(|operand| match operand {
            Evaluated::Value(value) => matches!(value, Value::Scalar { .. }),
            Evaluated::Place(place) => self.link.types.scalar(place.ty()).is_some(),
        })
    }

    /// Memory operands are read, then outputs become anything.
    fn assembly(
        &mut self,
        asm: &GnuExtendedAsmStatement,
        outputs: Vec<Evaluated>,
        inputs: Vec<Evaluated>,
    ) -> Result<()> {
        let function = self.assembly_function();
        self.emit(InstKind::Call { dst: None, callee: Callee::Direct(function), args: vec![] });
        let read = asm.outputs.iter().map(|o| !constraint(o).contains('='));
        for (operand, read) in outputs.iter().zip(read).chain(inputs.iter().map(|i| (i, true))) {
            if let (Evaluated::Place(place), true) = (operand, read) {
                self.read(*place)?;
            }
        }
        for output in outputs {
            let Evaluated::Place(place) = output else { continue };
            let ty = self.link.types.strip_atomic(place.ty());
            let value = self.invented(function, ty);
            let value = self.convert(value, ty)?;
            self.write(place, value)?;
        }
        Ok(())
    }

    /// Any value of a scalar type, or one that converts to it.
    fn invented(&mut self, function: FuncId, ty: TypeId) -> Value {
        let scalar = self.link.types.scalar(ty).unwrap_or(Scalar::I32);
        let ty = if *self.link.types.get(ty) == Type::Bool { self.int_type() } else { ty };
        let scalar = self.link.types.scalar(ty).unwrap_or(scalar);
        let dst = self.f.temp(scalar, self.at);
        let callee = Callee::Direct(function);
        self.emit(InstKind::Call { dst: Some(dst), callee, args: vec![] });
        Value::Scalar { op: ir::Operand::Reg(dst), ty }
    }

    /// The one function that stands for all assembly.
    fn assembly_function(&mut self) -> FuncId {
        self.link.assembly("inline assembly")
    }
}

impl Linkage {
    /// The function of this name that invents values: no violation behind a call is told. Models call
    /// one where they know a result only roughly.
    pub fn assembly(&mut self, name: &str) -> FuncId {
        let known = |f: &Function| f.origin == Origin::Assembly && f.name == name;
        if let Some(i) = self.functions.iter().position(known) {
            return FuncId(i as u32);
        }
        let id = self.add_function(name, Span::NONE);
        self.functions[id.index()].origin = Origin::Assembly;
        id
    }
}

pub(super) fn constraint(operand: &Node<GnuAsmOperand>) -> String {
    operand.node.constraints.node.concat().replace('"', "")
}

/// Can only be an operand in memory.
pub(super) fn is_memory(operand: &Node<GnuAsmOperand>) -> bool {
    let text = constraint(operand);
    let mut letters = text.chars().filter(char::is_ascii_alphanumeric).peekable();
    letters.peek().is_some() && letters.all(|c| matches!(c, 'm' | 'o' | 'V' | 'Q'))
}

/// Part of the template's text.
fn is_constant(operand: &Node<GnuAsmOperand>) -> bool {
    constraint(operand).chars().all(|c| matches!(c, 'i' | 'n' | 's' | 'e'))
}

fn meaning(template: &[String]) -> Meaning {
    let text: String = template.iter().map(|s| s.trim_matches('"')).collect();
    let text = text.replace("\\n", ";").replace("\\t", " ");
    let lines: Vec<Meaning> = text.split(';').map(meaning_of_line).collect();
    if is_locked_nothing(&text) {
        return Meaning::Fence(MemoryOrder::SeqCst);
    }
    lines.into_iter().max().unwrap_or(Meaning::Nothing)
}

/// A fence may have an operand; `rep` before anything but `nop` repeats it.
fn meaning_of_line(line: &str) -> Meaning {
    let word = |w: &str| w.trim_matches(|c: char| !c.is_ascii_alphanumeric()).to_owned();
    let words: Vec<String> = line.split_whitespace().map(word).collect();
    match words.first() {
        None => Meaning::Nothing,
        Some(first) if FENCES.contains(&first.as_str()) => {
            meaning_of_fence(first, &line.replace(first.as_str(), ""))
        }
        Some(first) if first == "fence.tso" && words.len() == 1 => {
            meaning_of_fence("fence", ".tso")
        }
        _ if words.iter().all(|w| PAUSES.contains(&w.as_str()) || w.is_empty()) => Meaning::Pause,
        _ => Meaning::Unknown,
    }
}

/// What a fence orders, in C11's words, if it orders just that.
fn meaning_of_fence(mnemonic: &str, operands: &str) -> Meaning {
    let operands: String = operands.split_whitespace().collect();
    let ends = |end: &str| operands.to_ascii_lowercase().ends_with(end);
    Meaning::Fence(match mnemonic {
        "lwsync" => MemoryOrder::AcqRel,
        "lfence" => MemoryOrder::Acquire,
        "sfence" => MemoryOrder::Release,
        "isb" => return Meaning::Instruction(MemoryOrder::Relaxed),
        "dmb" | "dsb" if ends("ld") => MemoryOrder::Acquire,
        "dmb" | "dsb" if ends("st") => return Meaning::Instruction(MemoryOrder::Release),
        "fence" => match operands.as_str() {
            "" | "rw,rw" | "iorw,iorw" => MemoryOrder::SeqCst,
            ".tso" => MemoryOrder::AcqRel,
            "r,rw" => MemoryOrder::Acquire,
            "rw,w" => MemoryOrder::Release,
            _ => return Meaning::Instruction(MemoryOrder::Relaxed),
        },
        _ => MemoryOrder::SeqCst,
    })
}

/// `lock; addl $0,0(%%esp)` and the like: a fence of old x86 code.
fn is_locked_nothing(text: &str) -> bool {
    let flat: String = text.split(|c: char| c.is_whitespace() || c == ';').collect();
    let Some(rest) = flat.strip_prefix("lock") else { return false };
    let adds_nothing = ["add", "or"].iter().any(|op| {
        rest.strip_prefix(op)
            .is_some_and(|r| r.trim_start_matches(['b', 'w', 'l', 'q']).starts_with("$0,"))
    });
    adds_nothing
        && (rest.ends_with("(%%esp)")
            || rest.ends_with("(%%rsp)")
            || rest.ends_with("(%esp)")
            || rest.ends_with("(%rsp)"))
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::{has, hasnt, ir};

    fn asm(statement: &str) -> String {
        ir(&format!("struct {{ int a[9]; }} s; void f(int x, long *p) {{ {statement}; }}"))
    }

    #[test]
    fn barriers_and_fences() {
        hasnt(&asm("__asm__ volatile(\"\" ::: \"memory\")"), &["fence", "unsupported"]);
        hasnt(&asm("__asm__ volatile(\"\" : \"+r\"(x))"), &["fence", "unsupported"]);
        hasnt(&asm("asm(\"pause\")"), &["fence", "unsupported"]);
        has(&asm("__asm__ __volatile__(\"mfence\" ::: \"memory\")"), &["fence seq_cst"]);
        has(&asm("asm(\"nop\\n\\tmfence\")"), &["fence seq_cst"]);
        has(&asm("asm volatile(\"lwsync\" ::: \"memory\")"), &["fence acq_rel"]);
        has(&asm("asm volatile(\"dmb ishld\" ::: \"memory\")"), &["fence acquire"]);
        has(&asm("asm volatile(\"dmb ish\" ::: \"memory\")"), &["fence seq_cst"]);
        has(&asm("asm volatile(\"dmb ishst\" ::: \"memory\")"), &["fence kernel Instruction"]);
        has(&asm("asm volatile(\"fence w, r\" ::: \"memory\")"), &["fence kernel Instruction"]);
        has(&asm("asm volatile(\"fence r, rw\" ::: \"memory\")"), &["fence acquire"]);
        has(&asm("asm volatile(\"fence.tso\" ::: \"memory\")"), &["fence acq_rel"]);
        has(&asm("asm volatile(\"lock; addl $0,0(%%rsp)\" ::: \"memory\")"), &["fence seq_cst"]);
    }

    #[test]
    fn an_empty_template_copies_what_shares_a_register() {
        let text = asm("__asm__(\"\" : \"=r\"(x) : \"0\"(1))");
        hasnt(&text, &["unsupported", "assembly"]);
        has(&text, &["x.0 = 1"]);
        has(&asm("__asm__(\"\" : \"=r\"(x))"), &["call inline assembly"]);
    }

    #[test]
    fn outputs_become_anything() {
        let text = asm("asm(\"bts %1, %0\" : \"+m\"(*p), \"=r\"(x) : \"r\"(x + 1) : \"memory\")");
        hasnt(&text, &["unsupported"]);
        let at = |word: &str| text.find(word).unwrap_or_else(|| panic!("no {word}: {text}"));
        let order = [at("add i32"), at("call inline"), at("load"), at("store"), at("x.0 = %")];
        assert!(order.is_sorted(), "operands, template, accesses: {text}");
    }

    #[test]
    fn the_rest_is_not_modelled() {
        for text in [
            "asm(\"lock; addl $1,0(%%rsp)\")",
            "asm(\"mfence; hlt\")",
            "asm(\"rep stosb\" : \"+D\"(p) : \"a\"(0) : \"memory\")",
            "asm(\"rep stosb\" : : \"D\"((long)p), \"a\"(0) : \"memory\")",
            "asm(\"fxsave %0\" : \"=m\"(s))",
        ] {
            has(&asm(text), &["unsupported \"inline assembly\""]);
        }
    }
}
