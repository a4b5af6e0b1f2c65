//! Random programs that search: loops with iterations that do nothing, over small arrays and over large
//! ones that are never written, and programs that miss this by a little: for proofs by acceleration.
//!
//! Counters and contents stay below 6, so the states are few. Lengths and indices are inputs, which
//! an assumption makes small, so that no number of iterations is known.

use crate::Dice;

const HEAD: &str = "\
typedef unsigned long pthread_t;
extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern void *malloc(unsigned long);
extern void free(void *);
extern void reach_error(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
int a[6], zeros[20000], needle, found, result, count, n, x;
unsigned char *big;
pthread_t ids[2];
";

/// The program for a seed.
pub fn program(seed: u64) -> String {
    let mut dice = Dice::new(seed ^ 0x5EA2C4);
    let mut text = HEAD.to_string();
    let workers = 1 + dice.below(2);
    for w in 0..workers {
        text +=
            &format!("void *search{w}(void *arg) {{\n{}  return 0;\n}}\n", search(&mut dice, w));
    }
    text += "int main(void) {\n  big = malloc(20000);\n";
    for i in 0..6 {
        if dice.rarely(2) {
            text += &format!("  a[{i}] = {};\n", dice.below(3));
        }
    }
    text += "  n = __VERIFIER_nondet_int();\n  __VERIFIER_assume(n >= 0 && n <= 4);\n";
    text += &format!("  needle = {};\n", dice.below(3));
    for w in 0..workers {
        text += &format!("  pthread_create(&ids[{w}], 0, search{w}, 0);\n");
    }
    if dice.rarely(3) {
        text += dice.of(&["  a[1] = 2;\n", "  needle = 1;\n", "  found = 0;\n", "  x = 1;\n"]);
    }
    if !dice.rarely(5) {
        for w in 0..workers {
            text += &format!("  pthread_join(ids[{w}], 0);\n");
        }
    }
    for _ in 0..1 + dice.below(2) {
        text += &format!("  if ({}) reach_error();\n", check(&mut dice));
    }
    text += if dice.rarely(3) { "  free(big);\n" } else { "" };
    text + "  return 0;\n}\n"
}

fn check(dice: &mut Dice) -> &'static str {
    dice.of(&[
        "found && a[result] != needle",
        "found && result >= n",
        "found && result < 0",
        "found && big[result] != needle",
        "found && zeros[result] != needle",
        "result > n",
        "count > 1",
        "count > 2",
        "count == 2 && result == 3",
        "!found && n > 3 && a[0] == needle",
        "x == 2",
        "x == 3 && n == 1",
    ])
}

/// A loop with some iterations that do nothing, most of the time.
fn search(dice: &mut Dice, worker: u32) -> String {
    let (start, test, step) = match dice.below(8) {
        0 => ("n", "i > 0", "i--"),
        1 => ("0", "i != n", "i++"),
        2 => ("0", "i <= n", "i++"),
        3 => ("0", "i < n", "i += 2"),
        4 => ("n - 1", "i >= 0", "i--"),
        5 if worker == 1 => ("n / 2", "i < n", "i++"),
        5 => ("0", "i < n / 2", "i++"),
        _ => ("0", "i < n", "i++"),
    };
    let stop = dice.of(&[" && !found", " && !found", "", " && !x", " && count < 2"]);
    let element = dice.of(&["a[i]", "a[i]", "big[i]", "zeros[i]", "a[i + 1]"]);
    let looks =
        dice.of(&["ELEMENT == needle", "ELEMENT == needle", "ELEMENT != needle", "x", "i == 3"]);
    let looks = looks.replace("ELEMENT", element);
    let does = dice.of(&[
        "found = 1; result = i;",
        "found = 1; result = i;",
        "found = 1; result = i; break;",
        "result = i; found = 1; return 0;",
        "count++; result = i;",
        "if (!found) { found = 1; result = i; }",
        "__VERIFIER_atomic_begin(); count++; found = count; result = i; __VERIFIER_atomic_end();",
        "x = last;",
        "a[i & 1] = 2; found = 1;",
        "a[i] = needle + 1; count++;",
    ]);
    let besides =
        dice.of(&["", "", "", "", "last = i;", "last++;", "if (a[0]) continue;", "x = 2;"]);
    let after = dice.of(&["", "", "", "x = last;", "result = i;", "if (i > n) x = 3;", "x = i;"]);
    let ty = match step {
        "i--" => "int",
        _ => dice.of(&["int", "int", "unsigned char", "short", "long"]),
    };
    let cut = if dice.rarely(6) { " __VERIFIER_assume(!x);" } else { "" };
    let loops = format!("if ({looks}) {{ {does} }} {besides}{cut}");
    format!(
        "  int last = 0;\n  {ty} i;\n  for (i = {start}; {test}{stop}; {step}) {{ {loops} }}\n  {after}\n"
    )
}
