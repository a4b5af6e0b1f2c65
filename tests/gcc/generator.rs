//! Random straight-line C programs over all integer types, for comparison with a C compiler.
//!
//! Undefined behaviour is avoided by construction: shift counts are masked to 5 bits, divisors are
//! never 0 or -1, and the programs are compiled with wrapping arithmetic. A statement changes at
//! most one variable and reads it at most through its own operator, so order of evaluation never
//! matters. Each `out` prints one value, and `Batch::lines` remembers which statement that was.

use obmc_testing::Dice;

/// A program and the statements behind its output lines.
pub struct Batch {
    pub text: String,
    pub lines: Vec<String>,
}

/// `functions` small functions in one program.
pub fn batch(seed: u64, functions: usize) -> Batch {
    let mut g =
        Generator { dice: Dice::new(seed), batch: Batch { text: PROLOGUE.into(), lines: vec![] } };
    for n in 0..functions {
        g.function(n);
    }
    let calls: String = (0..functions).map(|n| format!("    f{n}();\n")).collect();
    g.batch.text += &format!("int main(void) {{\n{calls}    return 0;\n}}\n");
    g.batch
}

const PROLOGUE: &str = "\
void out(long long);
#define DIVISOR(b) (((b) | 1) == -1 ? 3 : ((b) | 1))
struct fields { signed a : 3; unsigned b : 5; signed c : 17; unsigned d : 31; _Bool e : 1; };
";

const TYPES: [&str; 12] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

/// The variables of every function; fields of `s` are bit-fields.
const VARIABLES: [&str; 19] = [
    "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "s.a", "s.b", "s.c",
    "s.d", "s.e", "a[1]", "(*p)",
];

const BINARY: [&str; 16] =
    ["+", "-", "*", "&", "|", "^", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "+", "-"];
const ASSIGN: [&str; 7] = ["=", "+=", "-=", "*=", "&=", "|=", "^="];
const DEPTH: u32 = 4;

struct Generator {
    dice: Dice,
    batch: Batch,
}

impl Generator {
    fn function(&mut self, n: usize) {
        self.batch.text += &format!("static void f{n}(void) {{\n");
        for (i, ty) in TYPES.iter().enumerate() {
            let storage = self.dice.of(&["", "static ", "volatile "]);
            let value = self.constant();
            self.line(&format!("{storage}{ty} v{i} = {value};"));
        }
        let [a, b, c, d] = std::array::from_fn(|_| self.constant());
        self.line(&format!("struct fields s = {{{a}, {b}, {c}, {d}}};"));
        self.line(&format!("short a[3] = {{{b}, {c}, {d}}}, *p = a + 2;"));
        for _ in 0..8 {
            self.statement();
        }
        self.batch.text += "}\n";
    }

    fn statement(&mut self) {
        let target = self.dice.of(&VARIABLES);
        let statement = match self.dice.below(4) {
            0 => self.step(target),
            1 => self.assignment(target),
            _ => self.expression(DEPTH),
        };
        self.line(&format!("out({statement});"));
        self.batch.lines.push(statement);
    }

    fn step(&mut self, target: &str) -> String {
        let op = self.dice.of(&["++", "--"]);
        if self.dice.below(2) == 0 { format!("{op}{target}") } else { format!("{target}{op}") }
    }

    fn assignment(&mut self, target: &str) -> String {
        let value = self.expression(DEPTH - 1);
        match self.dice.below(10) {
            0 => format!("{target} /= DIVISOR({value})"),
            1 => format!("{target} %= DIVISOR({value})"),
            2 => format!("{target} <<= ({value}) & 31"),
            3 => format!("{target} >>= ({value}) & 31"),
            _ => format!("{target} {} {value}", self.dice.of(&ASSIGN)),
        }
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.dice.below(8) == 0 {
            return self.leaf();
        }
        let a = self.expression(depth - 1);
        match self.dice.below(12) {
            0 => format!("({})({a})", self.dice.of(&TYPES)),
            1 => format!("{}({a})", self.dice.of(&["-", "~", "!", "+"])),
            kind => {
                let b = self.expression(depth - 1);
                self.combine(kind, &a, &b)
            }
        }
    }

    fn combine(&mut self, kind: u32, a: &str, b: &str) -> String {
        match kind {
            2 => format!("(({a}) << (({b}) & 31))"),
            3 => format!("(({a}) >> (({b}) & 31))"),
            4 => format!("(({a}) / DIVISOR({b}))"),
            5 => format!("(({a}) % DIVISOR({b}))"),
            6 => format!("({} ? ({a}) : ({b}))", self.leaf()),
            7 => format!("({}, ({b}))", self.dice.of(&VARIABLES)),
            _ => format!("(({a}) {} ({b}))", self.dice.of(&BINARY)),
        }
    }

    fn leaf(&mut self) -> String {
        match self.dice.below(3) {
            0 => self.constant(),
            1 => format!("sizeof({})", self.dice.of(&VARIABLES[..12])),
            _ => self.dice.of(&VARIABLES).into(),
        }
    }

    /// Values near the edges of the types, and some from anywhere.
    fn constant(&mut self) -> String {
        let edge = 1i128 << self.dice.of(&[0, 1, 7, 8, 15, 16, 31, 32, 40, 62]);
        let near = edge + i128::from(self.dice.below(3)) - 1;
        let value = match self.dice.below(4) {
            0 => i128::from(self.dice.below(10)),
            1 => i128::from(self.dice.word() as i32),
            2 => -near,
            _ => near,
        };
        let suffix = self.dice.of(&["", "", "", "u", "l", "ll", "ull"]);
        let wide = value.unsigned_abs() > 0xffff_ffff && !suffix.contains("ll");
        format!("({value}{})", if wide { "ll" } else { suffix })
    }

    fn line(&mut self, text: &str) {
        self.batch.text += &format!("    {text}\n");
    }
}
