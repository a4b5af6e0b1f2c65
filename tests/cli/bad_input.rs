//! Files that are no C programs.

use super::place::*;
use std::time::{Duration, Instant};

#[test]
fn a_missing_file() {
    Place::new().run("check nothing.c").is_golden("missing_file");
    Place::new().run("show nothing.c --ir").is_golden("missing_file_show");
}

#[test]
fn a_folder_instead_of_a_file() {
    Place::new().run("check .").is_input_error("Is a directory");
}

#[test]
fn a_missing_header() {
    let place = Place::with("a.c", "#include <assert.h>\n#include \"colours.h\"\nint main() {}\n");
    place.run("check a.c").is_golden("missing_header");
}

#[test]
fn an_error_directive() {
    let place = Place::with("a.c", "#ifndef N\n#error N is missing\n#endif\nint main() {}\n");
    place.run("check a.c").is_input_error("N is missing");
}

#[test]
fn no_preprocessor() {
    let place = Place::with("a.c", "int main(void) { return 0; }\n");
    place.run("check a.c --cc no-such-compiler").is_golden("no_preprocessor");
}

#[test]
fn a_preprocessed_file_needs_no_preprocessor() {
    let place = Place::with("a.i", "int main(void) { return 0; }\n");
    let run = place.run("show a.i --cc no-such-compiler");
    assert_eq!(run.code, 0, "{run}");
}

#[test]
fn an_empty_file() {
    for name in ["a.c", "a.i"] {
        let place = Place::with(name, "");
        place.run(&format!("check {name}")).is_input_error("main");
    }
}

#[test]
fn other_encodings() {
    let text: Vec<u8> =
        "int main(void) { return 0; }".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let with_mark = [&[0xFF, 0xFE], text.as_slice()].concat();
    Place::with("a.c", with_mark).run("check a.c").is_input_error("UTF-16");
    Place::with("a.i", text).run("check a.i").is_input_error("binary");
}

#[test]
fn binary_garbage() {
    // With zero bytes, and once without.
    let mut dice = obmc_testing::Dice::new(1);
    let mut bytes: Vec<u8> = (0..1000).flat_map(|_| dice.word().to_le_bytes()).collect();
    for name in ["a.c", "a.i"] {
        Place::with(name, &bytes).run(&format!("check {name}")).is_input_error("binary");
    }
    bytes.retain(|&b| b != 0);
    for name in ["a.c", "a.i"] {
        Place::with(name, &bytes).run(&format!("check {name}")).is_input_error("error: ");
    }
}

#[test]
fn ten_megabytes_of_parentheses() {
    for text in ["(".repeat(10 << 20), format!("int main(void) {{ return {}", "(".repeat(10 << 20))]
    {
        let place = Place::with("a.i", text);
        let start = Instant::now();
        place.run("check a.i").is_input_error("error: ");
        assert!(start.elapsed() < Duration::from_secs(60), "a hang");
    }
}

#[test]
fn every_truncation_of_a_program() {
    let text = example("lost_update.c");
    let place = Place::new();
    for cut in (0..text.len()).step_by(37) {
        place.add("a.c", &text[..cut]);
        let run = place.run("check a.c --timeout 20s");
        assert_eq!((run.code, run.verdict()), (2, "unknown (input error)"), "cut at {cut}: {run}");
    }
}

#[test]
fn syntax_errors_point_at_the_spot() {
    let place = Place::with("a.c", "int main(void)\n{\n    int x = 1 +;\n    return x;\n}\n");
    place.run("check a.c").is_golden("syntax_error");
    let place = Place::with("a.c", "int main(void)\n{\n    return y;\n}\n");
    place.run("check a.c").is_golden("undeclared");
    let place = Place::with("a.c", "#define USE-FAST 1\nint main(void) { return 0; }\n");
    place.run("check a.c").is_golden("macro_name");
}
