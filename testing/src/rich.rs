//! Random C programs with all that C has for sharing memory: each has a few *features* (tables of
//! declarations, statements, values and lvalues), and its threads are filled in from their templates.
//!
//! In a template, `#v` stands for a value (an `int` expression), `#c` for a condition, `#t` for
//! something to assign to, `#k` for a number from 0 to 3, `#s` for a statement, `#a` for one that fits
//! into an atomic block, `#i` for a number that makes a name new, `#d` for how deep it is nested.

mod features;

use crate::Dice;
use features::{BASE, FEATURES, Feature, HEAD, IDS, JUMPS, LIFETIMES, LIMITS};

/// What a program is to have in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Topic {
    Anything,
    /// Signed numbers close to their limits.
    Limits,
    /// Memory that begins and ends.
    Lifetimes,
    /// Threads that look for ids, their own and others', and join or detach.
    Ids,
    /// Jumps out of functions.
    Jumps,
}

/// The program for a seed.
pub fn program(topic: Topic, seed: u64) -> String {
    let mut dice = Dice::new(seed.wrapping_add(1 << 40));
    let mut features = match topic {
        Topic::Anything => vec![&BASE],
        Topic::Limits => vec![&BASE, &LIMITS],
        Topic::Lifetimes => vec![&BASE, &LIFETIMES],
        Topic::Ids => vec![&BASE, &IDS],
        Topic::Jumps => vec![&BASE, &JUMPS],
    };
    let first = dice.index(FEATURES.len());
    for (i, feature) in FEATURES.iter().enumerate() {
        if i == first || dice.rarely(6) {
            features.push(feature);
        }
    }
    Writer { dice, features, text: HEAD.into(), names: 0 }.program()
}

struct Writer {
    dice: Dice,
    features: Vec<&'static Feature>,
    text: String,
    /// Handed out so far.
    names: u32,
}

/// What a thread gets as its argument: the expression, and what it makes of it.
const ARGUMENTS: [(&str, &str); 5] = [
    ("&l", "int *own = arg;"),
    ("&x", "int *own = arg;"),
    ("&box[1]", "int *own = arg;"),
    ("(void *)2L", "int number = (int)(long)arg, *own = &number;"),
    ("&pack", "struct pack *in = arg;\nint *own = in->cell;\nl = in->n;"),
];

const RESULTS: [&str; 3] =
    ["return arg;", "return (void *)(long)(l & 7);", "pthread_exit((void *)1L);"];

impl Writer {
    fn program(mut self) -> String {
        let (x, y) = (self.dice.below(3), self.dice.below(2));
        self.line(format!("int x = {x}, y = {y}, box[2] = {{ 1, {y} }};"));
        self.line("struct pack { int *cell; int n; } pack = { &box[0], 1 };");
        for feature in self.features.clone() {
            self.line(feature.globals);
        }
        let workers = 1 + self.dice.below(3).max(1);
        // The first thread may be started and joined by the second.
        let nested = self.dice.rarely(5);
        let mut arguments: Vec<_> = (0..workers).map(|_| self.dice.of(&ARGUMENTS)).collect();
        // All threads may be the same: symmetric, or almost.
        let symmetric = !nested && self.dice.rarely(4);
        if symmetric {
            arguments = vec![arguments[0]; arguments.len()];
        }
        for (i, (_, start)) in arguments.iter().enumerate() {
            self.line(format!("void *w{i}(void *arg) {{\nint l = 0;\n{start}"));
            let child = nested && i == 1;
            if child {
                self.child();
            } else {
                self.statements(if workers == 2 { 3 } else { 2 });
            }
            let result = self.dice.of(&RESULTS);
            self.line(format!("{result}\n}}"));
        }
        self.line("int main(void) {\nint l = 0, *own = &l;\nvoid *arg = 0;");
        for feature in self.features.clone() {
            let setup = self.fill(feature.setup, 0);
            self.line(setup);
        }
        for (i, (argument, _)) in arguments.iter().enumerate().skip(usize::from(nested)) {
            let worker = if symmetric { 0 } else { i };
            self.line(format!("pthread_create(&ids[{i}], 0, w{worker}, {argument});"));
            if self.dice.rarely(5) {
                self.statements(1);
            }
        }
        self.joins(usize::from(nested)..workers as usize, &arguments);
        self.line("return 0;\n}");
        self.text.lines().filter(|l| !l.is_empty()).map(|l| format!("{l}\n")).collect()
    }

    /// A thread starts the first one, and perhaps waits for it.
    fn child(&mut self) {
        let conditional = self.dice.rarely(4);
        let condition = self.value("#c", 0);
        if conditional {
            self.line(format!("if ({condition}) {{"));
        }
        self.line("pthread_create(&ids[0], 0, w0, &l);");
        self.statements(1);
        match self.dice.below(3) {
            0 => self.line("pthread_join(ids[0], 0);"),
            1 => self.line("void *got;\npthread_join(ids[0], &got);\nif (got) l = 3;"),
            _ => self.line("if (l < 2) pthread_join(ids[0], 0);"),
        }
        if conditional {
            self.line("}");
        }
        self.statements(1);
    }

    fn joins(&mut self, workers: std::ops::Range<usize>, arguments: &[(&str, &str)]) {
        let mut all = true;
        for i in workers {
            let pointer = arguments[i].0.starts_with('&') && arguments[i].0 != "&pack";
            match self.dice.below(8) {
                0 => all = false,
                1 => {
                    all = false;
                    let condition = self.value("#c", 0);
                    self.line(format!("if ({condition}) pthread_join(ids[{i}], 0);"));
                }
                2 | 3 => {
                    self.line(format!("void *r{i};\npthread_join(ids[{i}], &r{i});"));
                    let use_it = match pointer {
                        true => "if (rI == (void *)own) y = *(int *)rI;",
                        false => "l += rI != 0;",
                    };
                    self.line(use_it.replace('I', &i.to_string()));
                }
                _ => self.line(format!("pthread_join(ids[{i}], 0);")),
            }
        }
        for feature in self.features.clone() {
            let finish = self.fill(feature.finish, 0);
            if all {
                self.line(finish);
            }
        }
        self.statement("if (#v == #k && #v == #k) reach_error();", 1);
        self.statement("if (#v == #k) reach_error();", 1);
    }

    fn statements(&mut self, most: u32) {
        for _ in 0..1 + self.dice.below(most) {
            self.statement("#s", 2);
        }
    }

    fn statement(&mut self, template: &str, depth: u32) {
        let text = self.fill(template, depth);
        self.line(text);
    }

    fn line(&mut self, line: impl AsRef<str>) {
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// A template with all its gaps filled.
    fn fill(&mut self, template: &str, depth: u32) -> String {
        self.names += 1;
        let name = self.names.to_string();
        let mut parts = template.split('#');
        let mut text = parts.next().unwrap_or("").to_string();
        for part in parts {
            let (gap, rest) = part.split_at(1);
            let filled = match gap {
                "i" => name.clone(),
                "d" => (2 - depth.min(2)).to_string(),
                "s" | "a" => self.choose(gap == "s", depth),
                _ => self.value(&format!("#{gap}"), depth.min(1)),
            };
            text.push_str(&filled);
            text.push_str(rest);
        }
        text
    }

    /// A statement. Atomic blocks and what does not nest deeply take plain ones only.
    fn choose(&mut self, may_block: bool, depth: u32) -> String {
        let simple = |t: &&&str| depth > 0 || !(t.contains("#s") || t.contains("#a"));
        let pick = |f: fn(&Feature) -> &'static [&'static str], w: &Writer| -> Vec<&'static str> {
            w.features.iter().flat_map(|x| f(x)).filter(simple).copied().collect()
        };
        let blocking = may_block && depth > 0 && self.dice.rarely(3);
        let templates = if blocking { pick(|f| f.blocking, self) } else { pick(|f| f.plain, self) };
        let template = self.dice.of(&templates);
        self.fill(template, depth.saturating_sub(1))
    }

    /// What a gap of an expression stands for.
    fn value(&mut self, gap: &str, depth: u32) -> String {
        let all = |f: fn(&Feature) -> &'static [&'static str], w: &Writer| -> Vec<&'static str> {
            w.features.iter().flat_map(|x| f(x)).copied().collect()
        };
        match gap {
            "#k" => self.dice.below(4).to_string(),
            "#t" => {
                let target = self.dice.of(&all(|f| f.targets, self));
                self.fill(target, 0)
            }
            "#v" if depth == 0 => {
                let flat: Vec<&str> =
                    all(|f| f.values, self).into_iter().filter(|v| !v.contains("#v")).collect();
                let value = self.dice.of(&flat).replace("#c", "l");
                self.fill(&value, 0)
            }
            "#v" => {
                let value = self.dice.of(&all(|f| f.values, self));
                self.fill(value, 0)
            }
            _ => match self.dice.below(3) {
                0 => "__VERIFIER_nondet_bool()".into(),
                1 => self.value("#v", 0),
                _ => format!("{} == {}", self.value("#v", 0), self.dice.below(3)),
            },
        }
    }
}
