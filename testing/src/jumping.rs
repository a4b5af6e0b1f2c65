//! Random sequential programs with `setjmp` and `longjmp`, which print what happens (`out`).
//!
//! Functions call those behind them, directly and through pointers, and jump to one of a few contexts if
//! its function is still there: `live` and `depth_of` say so. Locals are volatile or not changed behind
//! a `setjmp`, so everything is defined. `fuel` makes programs end.

use crate::Dice;

const FUNCTIONS: u32 = 4;
const CONTEXTS: u32 = 3;

const HEAD: &str = "\
#include <setjmp.h>
void out(long long);
static jmp_buf contexts[3];
static int live[3], depth_of[3], depth, fuel = 12;
static int enter(int k) { live[k] = 1; depth_of[k] = depth; return 0; }
static void leave(void)
{
    for (int k = 0; k < 3; k++)
        if (depth_of[k] >= depth)
            live[k] = 0;
    depth--;
}
static void landed(int k)
{
    depth = depth_of[k];
    for (int j = 0; j < 3; j++)
        if (depth_of[j] > depth)
            live[j] = 0;
    out(1000 + k);
}
static void jump(int k, int value)
{
    if (!live[k] || fuel-- <= 0)
        return;
    out(k * 10 + value);
    longjmp(contexts[k], value);
}
static int (*later[4])(int);
";

/// The program for a seed.
pub fn program(seed: u64) -> String {
    let mut writer = Writer { dice: Dice::new(seed), names: 0 };
    let mut text = HEAD.to_owned();
    for f in (0..FUNCTIONS).rev() {
        let body: String = (0..3).map(|_| writer.statement(f, 2)).collect();
        text += &format!(
            "static int f{f}(int a)\n{{\nvolatile int v = a;\nint u = a * 3 + {f};\ndepth++;\n{body}\
             leave();\nout(u);\nreturn v + u;\n}}\n"
        );
    }
    text += "int main(void)\n{\n";
    text += &(0..FUNCTIONS).map(|f| format!("later[{f}] = f{f};\n")).collect::<String>();
    text += "out(f0(1));\nout(f1(2));\nreturn fuel & 15;\n}\n";
    text
}

struct Writer {
    dice: Dice,
    names: u32,
}

impl Writer {
    /// A statement of function `f`; `depth` limits what is inside.
    fn statement(&mut self, f: u32, depth: u32) -> String {
        let (k, n) = (self.dice.below(CONTEXTS), self.dice.below(4));
        let kinds = if depth == 0 { 4 } else { 8 };
        match self.dice.below(kinds) {
            0 => format!("v += {n};\nout(v);\n"),
            1 => format!("jump({k}, {n});\n"),
            2 => self.call(f, n),
            3 => format!("if (v & 1)\njump({k}, v);\n"),
            4 => {
                self.names += 1;
                let (i, inner) = (self.names, self.statement(f, depth - 1));
                format!("for (volatile int i{i} = 0; i{i} < 2; i{i}++) {{\n{inner}}}\n")
            }
            5 => {
                let (first, then) = (self.statements(f, depth), self.statement(f, depth - 1));
                format!(
                    "if (setjmp(contexts[{k}]) == 0) {{\nenter({k});\n{first}}} else {{\n\
                     landed({k});\nout(u);\n{then}}}\n"
                )
            }
            6 => {
                let (first, then) = (self.statements(f, depth), self.statement(f, depth - 1));
                format!(
                    "switch (setjmp(contexts[{k}])) {{\ncase 0:\nenter({k});\n{first}break;\ncase 1:\n\
                     landed({k});\nout(v);\nbreak;\ndefault:\nlanded({k});\n{then}}}\n"
                )
            }
            _ => {
                let first = self.statements(f, depth);
                format!(
                    "if (!setjmp(contexts[{k}])) {{\nenter({k});\n{first}}} else\nlanded({k});\n"
                )
            }
        }
    }

    fn statements(&mut self, f: u32, depth: u32) -> String {
        (0..2).map(|_| self.statement(f, depth - 1)).collect()
    }

    /// Of a function behind this one.
    fn call(&mut self, f: u32, n: u32) -> String {
        if f + 1 >= FUNCTIONS {
            return format!("out({n});\n");
        }
        let to = f + 1 + self.dice.below(FUNCTIONS - f - 1);
        self.names += 1;
        let i = self.names;
        let callee = if self.dice.rarely(3) { format!("later[{to}]") } else { format!("f{to}") };
        format!("{{\nint r{i} = {callee}({n});\nv += r{i};\n}}\n")
    }
}
