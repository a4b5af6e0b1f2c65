//! Each rewrite: what the parser sees, that it accepts it, and that places stay exact behind it.

use super::*;
use crate::parse::parse;
use crate::stack::with_big_stack;

fn run(input: &[u8]) -> Result<Normalised, Error> {
    normalise(input, "t.c", &mut Files::default())
}

fn error(input: &[u8]) -> String {
    run(input).expect_err("no error").to_string()
}

/// `input` becomes `output`, both with one more declaration behind, whose place must not move.
#[track_caller]
fn rewrites(input: &str, output: &str) {
    let whole = format!("{input} int here;");
    let Normalised { text, map } = run(whole.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(text[PRELUDE.len()..], format!("{output} int here;"));
    let before = &whole[..whole.len() - "here;".len()];
    let line = 1 + before.matches('\n').count() as u32;
    let column = 1 + before.len() - before.rfind('\n').map_or(0, |n| n + 1);
    let span = map.span(text.len() - "here;".len());
    assert_eq!((span.line, span.column), (line, column as u32), "place behind {input}");
    let parsed =
        with_big_stack(|| parse(whole.as_bytes(), "t.c", &mut Files::default()).map(|_| ()));
    parsed.unwrap_or_else(|e| panic!("{output}: {e}"));
}

/// The same inside of a function.
#[track_caller]
fn rewrites_in_block(input: &str, output: &str) {
    rewrites(&format!("int f(int x) {{ {input} }}"), &format!("int f(int x) {{ {output} }}"));
}

#[track_caller]
fn keeps(input: &str) {
    rewrites(input, input);
}

#[test]
fn comments_become_blanks() {
    rewrites("int /* a\n b */ x; // c\n", "int   x;  \n");
    rewrites("int x = 4 /**/ / 2; // y \\\n still\n", "int x = 4   / 2;  \n");
    keeps("char *s = \"/* no */ // no\"; char c = '\"';");
}

#[test]
fn splices_join() {
    rewrites("int lo\\\nng_name;", "int long_name;");
    rewrites("char *s = \"a\\\r\nb\";", "char *s = \"ab\";");
    rewrites("int \\\n x;", "int   x;");
}

#[test]
fn markers_and_pragmas_vanish_and_name_the_place() {
    let text =
        b"# 10 \"a \\\"b.c\" 2\nint x;\n#pragma once\n#line 5\nint y;\n# 1 \"c.h\" 1 3\nint z;";
    let mut files = Files::default();
    let n = normalise(text, "t.i", &mut files).unwrap();
    let at = |name: &str| {
        let span = n.map.span(n.text.rfind(name).unwrap());
        format!("{}:{}:{}", files.name(span.file), span.line, span.column)
    };
    assert_eq!(at("x"), "a \"b.c:10:5");
    assert_eq!(at("y"), "a \"b.c:5:5");
    assert_eq!(at("z"), "c.h:1:5");
    assert!(!n.text.contains('#') && !n.text.contains("pragma"));
}

#[test]
fn other_directives_are_errors() {
    let e = run(b"int x;\n  # include <stdio.h>\n").unwrap_err();
    assert_eq!((e.span.line, e.span.column), (2, 3));
    assert_eq!(e.message, "`#include` in a text that should be preprocessed already");
    assert!(e.hint.is_some());
    assert!(error(b"#define X 1\n").contains("#define"));
    assert!(error(b"#line x\n").contains("line number"));
}

#[test]
fn names_of_ours() {
    rewrites_in_block("__auto_type y = x;", "__obmc_auto y = x;");
    rewrites_in_block("auto y = x;", "__obmc_auto y = x;");
    rewrites("static __thread int t;", "static _Thread_local int t;");
    rewrites("__const__ int c;", "const int c;");
    rewrites("__float128 q;", "__obmc_float128 q;");
    rewrites("__int128 a; __int128_t b;", "__obmc_int128 a; __obmc_int128 b;");
    rewrites("unsigned __int128 a;", "  __obmc_uint128 a;");
    rewrites("__int128 unsigned a; __uint128_t b;", "__obmc_uint128   a; __obmc_uint128 b;");
}

#[test]
fn odd_names() {
    rewrites("int a$b;", "int a__obmc_x24_b;");
    rewrites("int é;", "int __obmc_xe9_;");
    rewrites("int \\u00e9;", "int __obmc_xe9_;");
    assert_eq!(ir::names::decode("__obmc_xe9_"), "é");
}

#[test]
fn implicit_int() {
    rewrites("main() { return 0; }", "int main() { return 0; }");
    rewrites("foo(a, b) int a; char *b; { }", "int foo(a, b) int a; char *b; { }");
    rewrites("static x; const y = 3;", "static int x; const int y = 3;");
    rewrites("extern foo(); static *p;", "extern int foo(); static int *p;");
    rewrites("int f(a) register a; { }", "int f(a) register int a; { }");
    rewrites("int g; main(void) { }", "int g; int main(void) { }");
    rewrites_in_block("static n = 1; register i, j;", "static int n = 1; register int i, j;");
}

#[test]
fn types_are_not_mistaken_for_implicit_int() {
    keeps("typedef int T; static T (*fp)(void); static T (g); const T *h; T k(void) { }");
    keeps("struct s { int a; } const c; enum e { A } static v; struct s static w;");
    keeps("typedef int (*F)(int), G(void), A[3]; static F f; extern G g; const A a;");
    keeps("static __typeof(1) x; static _Atomic(int) y; _Alignas(8) static int z;");
    rewrites("__typeof__(typeof(1)) x;", "__typeof(__typeof(1)) x;");
    keeps("int x __attribute__((unused)) = 1; static __attribute__((unused)) int y;");
    keeps("int a, b; int c = (1, 2); int *const p = 0; int const q;");
    rewrites_in_block("x = x; x * x; f(x);", "x = x; x * x; f(x);");
}

#[test]
fn labels() {
    rewrites_in_block("switch (x) { case 1: }", "switch (x) { case 1:; }");
    rewrites_in_block("switch (x) { default: }", "switch (x) { default:; }");
    rewrites_in_block("{ goto a; a: }", "{ goto a; a:; }");
    rewrites_in_block("a: int y = 1; goto a;", "a:; int y = 1; goto a;");
    rewrites_in_block(
        "switch (x) { case 1 ? 2 : 3: int y; }",
        "switch (x) { case 1 ? 2 : 3:; int y; }",
    );
    rewrites_in_block("a: __attribute__((unused)); goto a;", "a:  ; goto a;");
    rewrites_in_block("a: __attribute__((unused)) x = 1;", "a:   x = 1;");
    rewrites_in_block("if (x) a: x = 1;", "if (x) a: x = 1;");
    rewrites_in_block(
        "{ __label__ a; goto a; a: ; } { __label__ a; void *p = &&a; a: ; } goto a; a: ;",
        "{   goto a__obmc_block0; a__obmc_block0: ; } \
         {   void *p = __obmc_label(a__obmc_block1); a__obmc_block1: ; } goto a; a: ;",
    );
    rewrites_in_block(
        "void *p = &&a; goto *p; a: ;",
        "void *p = __obmc_label(a); __obmc_goto(p); a: ;",
    );
    rewrites_in_block("x = x &&x; x = (x) &&x;", "x = x &&x; x = (x) &&x;");
}

#[test]
fn attributes() {
    rewrites_in_block("__attribute__((fallthrough)); x = 1;", " ; x = 1;");
    rewrites("[[noreturn]] void g(void);", " __attribute__((noreturn))  void g(void);");
    rewrites("enum __attribute__((packed)) e { A };", "enum   e { A } __attribute__((packed));");
    // As they come from macros.
    rewrites(
        "static __attribute__ ( ( unused ) ) int y;",
        "static __attribute__ (( unused )) int y;",
    );
    rewrites(
        "struct __attribute__ ( ( packed ) ) __attribute__((x)) s { int a; };",
        "struct   s { int a; } __attribute__(( packed )) __attribute__((x));",
    );
    rewrites_in_block("__attribute__ ( ( fallthrough ) ); x = 1;", " ; x = 1;");
}

#[test]
fn words_of_c23() {
    rewrites(
        "bool f(bool b) { return b == true; }",
        "_Bool f(_Bool b) { return b == ((_Bool)1); }",
    );
    rewrites("int *p = nullptr;", "int *p = ((void *)0);");
    rewrites("static bool (*p)(const bool);", "static _Bool (*p)(const _Bool);");
    rewrites("thread_local int x; alignas(8) char c;", "_Thread_local int x; _Alignas(8) char c;");
    for own in [
        "typedef int bool; bool x;",
        "typedef enum { false, true } bool; bool x = true;",
        "enum { false = 0, true = !false }; int x = true;",
        "static const int true = 1; int f(void) { return true; }",
        "int f(int a, int true) { return true; }",
        "int false(void) { return 0; } int x = false();",
        "char true[2]; char *p = true;",
    ] {
        rewrites(own, own);
    }
}

#[test]
fn assembler() {
    rewrites_in_block("asm goto (\"\" : : : : a); a: ;", "__asm__(\"asm goto\"); a: ;");
    rewrites_in_block("__asm__ __volatile__ inline (\"\");", "__asm__ __volatile__   (\"\");");
    rewrites_in_block("asm volatile (\"\" ::: \"memory\");", "asm volatile (\"\" ::: \"memory\");");
}

#[test]
fn expressions() {
    rewrites_in_block("x = __extension__ (long)(int){1};", "x =   (long)(int){1};");
    rewrites_in_block("x = x ?: 2;", "x = x ? __obmc_same : 2;");
    rewrites_in_block("x = __alignof__(x);", "x = _Alignof(__typeof(x));");
    rewrites_in_block("x = __alignof__ x;", "x = _Alignof(__typeof( x));");
    rewrites_in_block("x = sizeof (int){1};", "x = sizeof ((int){1});");
    rewrites(
        "int y = __builtin_types_compatible_p(int, char *);",
        "int y = __builtin_types_compatible_p(*(__typeof(int) *)0, *(__typeof(char *) *)0);",
    );
    rewrites("int y = 1'000'000 + 0x1'f;", "int y = 1000000 + 0x1f;");
    rewrites_in_block(
        "double d = __real__ x + __imag__(x);",
        "double d = __obmc_real (x) + __obmc_imag(x);",
    );
}

#[test]
fn declarations() {
    rewrites("_Static_assert(1);", "_Static_assert(1, \"\");");
    rewrites("static_assert(1, \"a\");", "_Static_assert(1, \"a\");");
    rewrites("struct s { ; int a;; };", "struct s {   int a;  };");
    rewrites("struct s { int a };", "struct s { int a ;};");
    rewrites("; int x;", "; int x;");
    rewrites("_Pragma(\"x\") int y;", "  int y;");
    rewrites("void g(...);", "void g( );");
    keeps("struct e {}; union u {} z; struct s { int a; struct e b; };");
}

#[test]
fn literals() {
    rewrites(r#"char *s = "\e[0m\q\u00e9";"#, "char *s = \"\\033[0mqé\";");
    rewrites("char c = '\\e';", "char c = '\\033';");
    keeps(r#"char *s = "a\"b\\" "\x41\0\n"; int c = L'a' + '\''; int *w = L"x";"#);
    let n = run(b"char *s = \"\xe9t\xe9\";").unwrap();
    assert!(n.text.ends_with(r#""\351t\351";"#));
    keeps("char *s = \"é\";");
}

#[test]
fn what_lang_c_knows_is_kept() {
    keeps("int *__restrict p; __inline int g(void) { return 0b11 + 0x1p3; }");
    keeps(
        "_Float128 q; __signed__ char c; __builtin_va_list v; __typeof(int) t; _Noreturn void h(void);",
    );
    keeps("int y = ({ 1; }); int a[] = { [0 ... 3] = 1 }; int b = 1.5e+3 + 0x1e+3;");
}

#[test]
fn white_space_of_all_kinds() {
    rewrites("int\u{c}x;\r\n\u{b}int y;", "int x; \n int y;");
    let n = run(b"\xef\xbb\xbfint x;").unwrap();
    assert_eq!(n.map.span(n.text.rfind('x').unwrap()).column, 5);
}

#[test]
fn bad_bytes() {
    assert_eq!(error(b"int x;\nint \xff;"), "t.c:2:5: byte 0xff is not UTF-8 text");
    assert_eq!(error(b"\xff\xfei\0n\0"), "t.c:1:1: the file is UTF-16 text");
    assert_eq!(error(b"int\0x;"), "t.c:1:4: unexpected NUL byte");
    assert_eq!(error(b"\"a\0b\""), "t.c:1:3: unexpected NUL byte");
    assert_eq!(error(b"int x @ 1;"), "t.c:1:7: unexpected `@`");
    assert_eq!(error(b"int \x01;"), "t.c:1:5: unexpected byte 0x01");
    assert!(error("int x = “1”;".as_bytes()).contains("unexpected character"));
    assert_eq!(error(b"int \\x;"), "t.c:1:5: stray `\\`");
}

#[test]
fn what_is_never_closed() {
    assert_eq!(error(b"int x;\n  /* a\n\n"), "t.c:2:3: the comment is never closed");
    assert_eq!(error(b"char *s = \"a\n;"), "t.c:1:11: the string is never closed");
    assert_eq!(error(b"char c = L'a"), "t.c:1:10: the character constant is never closed");
    assert_eq!(error(b"int x = (1;"), "t.c:1:9: `(` is never closed");
    assert_eq!(error(b"int x; }"), "t.c:1:8: `}` closes nothing");
}

#[test]
fn depth_is_bounded() {
    let deep = |piece: &str, n: usize| error(piece.repeat(n).as_bytes());
    for (piece, n) in [
        ("(", 9002),
        ("sizeof(int[", 20),
        ("- ", 50001),
        ("for(;;)", 20_000),
        ("if(x,y) z; else ", 15_000),
    ] {
        assert!(deep(piece, n).contains("too deeply nested"), "{piece}");
    }
    assert!(run("\"a\" ".repeat(50_000).as_bytes()).is_ok());
    assert!(run("if (x) y; ".repeat(50_000).as_bytes()).is_ok());
    assert!(run("{ if (x) { y; } else { z; } }".repeat(20_000).as_bytes()).is_ok());
}

/// Mutated snippets: no panic, and offsets map monotonically into the input.
#[test]
fn mutants_do_no_harm() {
    const SEEDS: &[&str] = &[
        "# 3 \"a.c\"\nint f(int x) { switch (x) { case 1 ... 2: default: } return x ?: 1; }\n",
        "typedef struct { int a; } T; static T *g; main(a, b) char *b; { a: __attribute__((x)) T y; }",
        "int y = __builtin_types_compatible_p(int, char *) + __alignof__ y + sizeof(int){1};",
        "unsigned __int128 a$b; /* c */ char *s = \"\\e\\u00e9\\\n\"; // d\n__thread int z;",
        "void h(void) { __label__ l; asm goto (\"\" :::: l); goto *&&l; l: [[x]] ; _Static_assert(1); }",
        "enum __attribute__((packed)) e { A }; struct { ; int a } s; int z = 1'000; _Pragma(\"x\")",
    ];
    const BYTES: &[u8] = b"(){}[];:,?*&#\"'\\/\n$ =.a1_<\xe9\0";
    let mut dice = obmc_testing::Dice::new(7);
    let mut random = move |n: usize| dice.index(n);
    for round in 0..6000 {
        let mut text = SEEDS[round % SEEDS.len()].as_bytes().to_vec();
        for _ in 0..random(6) {
            let at = random(text.len());
            match random(4) {
                0 => drop(text.drain(at..(at + 1 + random(8)).min(text.len()))),
                1 => text.insert(at, BYTES[random(BYTES.len())]),
                2 => {
                    let from = random(text.len());
                    let piece = text[from..(from + random(30)).min(text.len())].to_vec();
                    text.splice(at..at, piece);
                }
                _ => text.truncate(at.max(1)),
            }
        }
        check_offsets(&text);
        let _ = parse(&text, "t.c", &mut Files::default()).map(drop);
    }
}

fn check_offsets(input: &[u8]) {
    let Ok(Normalised { text, map }) = run(input) else { return };
    let mut last = 0;
    for offset in 0..=text.len() {
        let from = map.input_offset(offset);
        assert!(last <= from && from <= input.len());
        assert!(map.span(offset).line > 0);
        last = from;
    }
}
