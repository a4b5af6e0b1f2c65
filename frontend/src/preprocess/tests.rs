//! Small texts, and what is left of them.

use super::*;

/// Beside the program are `files`; ours come behind them.
pub fn run_as(
    text: &str,
    define: &[&str],
    files: &[(&str, &str)],
    (machine, extent): (Machine, Extent),
) -> Result<String, PreprocessStop> {
    let line = |d: &&str| {
        let (name, value) = d.split_once('=').unwrap_or((d, "1"));
        format!("#define {name} {value}\n")
    };
    let definitions: String = define.iter().map(line).collect();
    let options = Options { machine, definitions: &definitions, first: "", extent };
    let mut find = |wanted: IncludeName| {
        let (IncludeName::Angle(name) | IncludeName::Quoted(name, _)) = wanted;
        let user = files.iter().find(|(known, _)| *known == name);
        let body = match user {
            Some((_, text)) => Body::User(text.as_bytes().to_vec()),
            None => Body::Ours(shipped::header(name)?),
        };
        Some(FoundFile { name: name.into(), body })
    };
    let out = preprocess("a.c", text.as_bytes(), &options, &mut find)?.text;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

fn run_with(text: &str, define: &[&str], files: &[(&str, &str)]) -> Result<String, PreprocessStop> {
    run_as(text, define, files, (Machine::Lp64, Extent::Needed))
}

fn run(text: &str) -> Result<String, PreprocessStop> {
    run_with(text, &[], &[])
}

/// The words of the output without markers, one blank between each two.
pub fn words(text: &str) -> String {
    let out = run(text).unwrap_or_else(|stop| panic!("{text}: {stop:?}"));
    let lines = out.lines().filter(|line| !line.starts_with("# "));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[test]
fn plain_text_keeps_its_places() {
    let text = "int  a ;\n\n   /* x */ b\n";
    assert!(run(text).unwrap().ends_with("\n# 1 \"a.c\"\nint  a ;\n\n           b"));
}

#[test]
fn a_longer_word_does_not_swallow_the_blank_behind_it() {
    let out = run("#define bool _Bool\nbool f(struct s *s)").unwrap();
    assert!(out.ends_with("_Bool f(struct s *s)"), "{out}");
}

#[test]
fn objects_and_functions() {
    assert_eq!(words("#define A 1 + B\n#define B 2\nA;"), "1 + 2 ;");
    assert_eq!(words("#define f(x, y) [y x]\nf((1,2), f(3,4)) f"), "[ [ 4 3 ] ( 1 , 2 ) ] f");
    assert_eq!(words("#define e() x\ne() e ( ) e"), "x x e");
    assert_eq!(words("#define f(x) <x>\nf()f(\n1\n)2"), "< > < 1 > 2");
    assert_eq!(words("#define A 1\n#undef A\nA"), "A");
    assert_eq!(words("#define A (1)\n#define B() A\nB()"), "( 1 )");
}

#[test]
fn a_macro_is_not_expanded_in_itself() {
    assert_eq!(words("#define x x + 1\nx"), "x + 1");
    assert_eq!(words("#define a b\n#define b a\na b"), "a b");
    assert_eq!(words("#define f(x) x f\nf(1)(2)"), "1 f (2)");
    assert_eq!(words("#define f(x) f(x + 1)\nf(f(0))"), "f ( f ( 0 + 1 ) + 1 )");
}

/// The example of the standard (6.10.3.5).
#[test]
fn rescanning_as_the_standard_has_it() {
    let defines = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n\
        #define z z[0]\n#define h g(~\n#define m(a) a(w)\n#define w 0,1\n#define t(a) a\n\
        #define p() int\n#define q(x) x\n#define r(x,y) x ## y\n#define str(x) # x\n";
    let got = words(&format!("{defines}f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);"));
    let want = "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);";
    assert_eq!(got.replace(' ', ""), want.replace(' ', ""));
    let got = words(&format!("{defines}p() i[q()] = {{ q(1), r(2,3), r(4,), r(,5), r(,) }};"));
    assert_eq!(got.replace(' ', ""), "inti[]={1,23,4,5,};");
    let got = words(&format!("{defines}char c[2][6] = {{ str(hello), str() }};"));
    assert_eq!(got.replace(' ', ""), "charc[2][6]={\"hello\",\"\"};");
}

#[test]
fn strings_and_pasting() {
    assert_eq!(
        words(
            r#"#define s(x) #x
s( a  "b\n" '"' )"#
        ),
        r#""a \"b\\n\" '\"'""#
    );
    assert_eq!(words("#define c(a, b) a ## b\n#define xy 7\nc(x, y) c(<, <=) c(,z)"), "7 <<= z");
    assert_eq!(words("#define c(a) a ## 1 ## 2\nc(x) c()"), "x12 12");
    assert!(run("#define c(a, b) a ## b\nc(+, 1)").is_err());
}

#[test]
fn any_number_of_arguments() {
    let log = "#define log(f, ...) p(f, ## __VA_ARGS__)\n";
    assert_eq!(words(&format!("{log}log(1) log(1,2,3)")), "p ( 1 ) p ( 1 , 2 , 3 )");
    assert_eq!(words("#define v(...) [__VA_ARGS__]\nv() v(1, (2,3))"), "[ ] [ 1 , ( 2 , 3 ) ]");
    assert_eq!(words("#define n(a, r...) a r\nn(1,2,3)"), "1 2 , 3");
}

#[test]
fn conditions_choose() {
    assert_eq!(words("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif"), "b");
    assert_eq!(words("#define X\n#if 0\na\n#elifdef X\nb\n#elifndef Y\nc\n#endif"), "b");
    assert_eq!(words("#define X\n#if 0\na\n#elifndef X\nb\n#elifdef Y\nc\n#else\nd\n#endif"), "d");
    assert_eq!(words("#if 0\n#if 1\na\n#else\nb\n#endif\nc\n#else\nd\n#endif"), "d");
    assert_eq!(words("#ifdef X\na\n#else\n#ifndef X\nb\n#endif\n#endif"), "b");
    assert_eq!(words("#define X 2\n#if defined(X) && X > 1 && !defined Y\na\n#endif"), "a");
    assert_eq!(words("#if 1\na\n#elif 1 / 0\nb\n#endif"), "a");
    assert_eq!(words("#if 0\ndon't\n#error no\n#include <none.h>\n#endif\nx"), "x");
    assert_eq!(words("#if __GNUC__ && __LP64__ && !defined(_WIN32)\nx\n#endif"), "x");
}

#[test]
fn lines_and_files() {
    assert_eq!(words("\n__LINE__ __FILE__"), "2 \"a.c\"");
    assert_eq!(words("#define L(x) __LINE__ x\n\nL(\n1\n)\n__LINE__"), "3 1 6");
    assert_eq!(words("#line 70 \"b.c\"\n__LINE__ __FILE__\n# 5\n__LINE__"), "70 \"b.c\" 5");
    assert_eq!(words("__COUNTER__ __COUNTER__"), "0 1");
    let files = [("b.h", "#pragma once\nB\n"), ("c.h", "#ifndef C\n#define C\nC\n#endif")];
    let text =
        "#include \"b.h\"\n#include \"b.h\" // again\n#define H <c.h>\n#include H\n#include H\nx";
    let out = run_with(text, &["D=3"], &files).unwrap();
    assert!(out.contains("# 1 \"b.h\" 1\n\nB\n# 2 \"a.c\" 2\n"), "{out}");
    assert_eq!(out.matches('B').count(), 1, "{out}");
    assert!(out.ends_with("# 6 \"a.c\" 2\nx"), "{out}");
}

#[test]
fn definitions_of_the_command_line() {
    let got = run_with("A B f(1)", &["A", "B=b c", "f(x)=<x>"], &[]).unwrap();
    assert!(got.ends_with("\n1 b c < 1 >"), "{got}");
}

#[test]
fn pragmas_stay() {
    let out = run("int a;\n#pragma pack(1)\nint b;").unwrap();
    assert!(out.ends_with("int a;\n#pragma pack(1)\nint b;"), "{out}");
}

#[test]
fn what_is_left_to_others() {
    for text in [
        "#include <none.h>",
        "#error no",
        "#if 1",
        "#endif",
        "#else",
        "#if\n#endif",
        "#ifdef\n#endif",
        "#define f(x) x\nf(1",
        "#define f(x) x\nf(1,2)",
        "#define f(x) x\nf(\n#define y\n)",
        "#define f(x",
        "#define 1",
        "#define a ##",
        "__DATE__",
        "#ifdef __has_include_next\n#endif",
        "_Pragma(\"x\")",
        "#include_next <x.h>",
        "#unknown",
        "/* never",
        "#include <assert.h> /* and\n on */",
        "\"open",
        "%:define x",
        "#include \"a.c\"",
    ] {
        let files = [("a.c", "#include \"a.c\"")];
        assert!(run_with(text, &[], &files).is_err(), "{text}");
    }
    let stop = run("int x;\n\n#error no\n").unwrap_err();
    assert_eq!((stop.file.as_str(), stop.line), ("a.c", 3));
}

#[test]
fn expansion_is_bounded() {
    let mut text = String::from("#define a0 x x\n");
    for i in 1..60 {
        text.push_str(&format!("#define a{i} a{} a{}\n", i - 1, i - 1));
    }
    assert!(run(&format!("{text}a59")).unwrap_err().message.contains("too much"));
    let nested = format!("#define f(x) x\n{}1{}", "f(".repeat(10_000), ")".repeat(10_000));
    assert!(run(&nested).is_err());
}

#[test]
fn our_headers_need_no_others() {
    let all: String =
        shipped::headers().iter().map(|h| format!("#include <{}>\n", h.name)).collect();
    for machine in [Machine::Lp64, Machine::Ilp32] {
        run_as(&all, &[], &[], (machine, Extent::Whole)).unwrap();
    }
}

#[test]
fn tokens_that_macros_move_are_told() {
    let text = "#define TWICE(a) ((a) + (a))\nint x = TWICE(1) + 2; int y;\nint z;\n";
    let extent = Extent::Whole;
    let options = Options { machine: Machine::Lp64, definitions: "", first: "", extent };
    let mut find = |wanted: IncludeName| {
        let (IncludeName::Angle(name) | IncludeName::Quoted(name, _)) = wanted;
        Some(FoundFile { name: name.into(), body: Body::Ours(shipped::header(name)?) })
    };
    let out = preprocess("a.c", text.as_bytes(), &options, &mut find).unwrap();
    let told = |what: &[u8]| {
        let at = out.text.windows(what.len()).rposition(|w| w == what).expect("it is there");
        let moved = out.moved.iter().find(|moved| moved.at as usize == at);
        moved.map(|moved| (moved.line, moved.column))
    };
    assert_eq!([told(b"int z"), told(b"int x"), told(b"( ( 1")], [None; 3]);
    assert_eq!(told(b") ) +"), Some((2, 9)));
    assert_eq!(told(b"2;"), Some((2, 20)));
    assert_eq!(told(b"int y"), Some((2, 23)));
}

/// `#define USE-FAST 1` is no macro `USE-FAST`, and compilers only warn.
#[test]
fn white_space_ends_the_name_of_a_macro() {
    let stop = run("int x;\n#define USE-FAST 1\n").unwrap_err();
    assert_eq!((stop.line, stop.hint.is_some()), (2, true), "{stop:?}");
    for allowed in ["#define A/**/-1", "#define A\t-1", "#define A(x)-x", "#define A\\\n -1"] {
        run(allowed).unwrap_or_else(|stop| panic!("{allowed}: {stop:?}"));
    }
}
