//! Preprocessed C text of any length, for measuring how time grows with it.
//!
//! The text is a row of small modules, each with a type, globals and three functions, as files of
//! that size have them; every function calls the one before it, so nothing is dead. The numbers in
//! the names and constants differ, the shape does not: twice the lines is twice of everything.

use std::fmt::Write;

/// At least `lines` lines of C, and at most a module more.
pub fn program(lines: usize) -> String {
    let mut text = String::from(
        "# 1 \"generated.c\"\ntypedef unsigned long size_t;\nint start(int x) { return x; }\n",
    );
    let mut count = text.lines().count();
    let mut calls = String::from("start");
    for i in 0.. {
        if count >= lines {
            break;
        }
        let (module, last) = module(i, &calls);
        count += module.lines().count();
        text.push_str(&module);
        calls = last;
    }
    // Writing to a string cannot fail.
    let _ = writeln!(text, "int main(void) {{ return {calls}(1); }}");
    text
}

/// The text of a module and the name of its last function, which the next module calls.
fn module(i: usize, before: &str) -> (String, String) {
    let text = MODULE.replace("@BEFORE", before).replace("@N", &i.to_string());
    (text, format!("main_{i}"))
}

const MODULE: &str = r#"
# 10 "module@N.h"
enum colour_@N { RED_@N = 1, GREEN_@N = RED_@N << 2, BLUE_@N };
typedef struct item_@N {
    int key;
    enum colour_@N colour;
    unsigned char name[16];
    struct item_@N *next;
    union { long whole; short half[2]; } value;
} item_@N_t;
extern int shared_@N;
# 100 "module@N.c"
int shared_@N = @N;
static item_@N_t table_@N[4] = { { .key = 3, .colour = BLUE_@N }, { 5, RED_@N, "five" } };
static const char *const words_@N[] = { "none", "one", "many @N" };

static int lookup_@N(const item_@N_t *list, int key)
{
    while (list != (const item_@N_t *)0) {
        if (list->key == key && list->colour != GREEN_@N)
            return (int)list->value.whole;
        list = list->next;
    }
    return -1;
}

static void fill_@N(item_@N_t *items, size_t count)
{
    unsigned seed = 12345u + @N;
    for (size_t i = 0; i < count; i++) {
        seed = seed * 1103515245u + 12345u;
        items[i].key = (int)(seed >> 16) % 100;
        items[i].name[i % sizeof(items[i].name)] = "xyz"[i % 3];
        items[i].next = i + 1 < count ? &items[i + 1] : (item_@N_t *)0;
        switch (items[i].key & 3) {
        case 0:
            items[i].colour = RED_@N;
            break;
        case 1:
        case 2:
            items[i].value.half[0] = (short)(i * 3);
            break;
        default:
            items[i].value.whole += seed ^ 0x5aL;
        }
    }
}

int main_@N(int x)
{
    int sum = 0, (*step)(int) = @BEFORE;
    double mean = 0.5;
    fill_@N(table_@N, sizeof table_@N / sizeof *table_@N);
    do {
        int found = lookup_@N(table_@N, x--);
        if (found < 0)
            continue;
        sum += found * 2 - (shared_@N & ~7);
        mean = (mean + sum) / 2.0;
    } while (x > 0 || sum > 1000);
    shared_@N = sum ? words_@N[sum % 3][0] : (int)mean;
    return @BEFORE(sum) + step(shared_@N);
}
"#;
