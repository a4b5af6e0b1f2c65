//! The compiled program runs into what obmc has found.
//!
//! Needs a C compiler; without one there is nothing to compare with, and the tests say so.

use std::path::Path;
use std::process::{Command, Stdio};

fn has_compiler() -> bool {
    let mut command = Command::new("gcc");
    let found = command.arg("--version").stdout(Stdio::null()).status().is_ok_and(|s| s.success());
    if !found {
        eprintln!("skipped: there is no gcc here");
    }
    found
}

/// The part of the JSON document about the first property.
fn replay(file: &str, options: &[&str]) -> serde_json::Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(["check", file, "--replay", "--json"]).args(options).env_remove("CC");
    let output = command.output().expect("obmc starts");
    assert_eq!(output.status.code(), Some(10), "{file}: {output:?}");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    document["properties"][0]["replay"].clone()
}

fn reproduces(file: &str, options: &[&str], what: &str) {
    let result = replay(file, options);
    assert_eq!(result["reproduced"], true, "{file}: {result}");
    let message = result["message"].as_str().unwrap_or_default();
    assert!(message.contains(what), "{file}: {message}");
}

#[test]
fn assertions_fail_in_the_compiled_program() {
    if !has_compiler() {
        return;
    }
    for (file, what) in [
        ("examples/lost_update.c", "failed at examples/lost_update.c:"),
        ("tests/cases/algorithms/peterson_unsafe.c", ""),
        ("tests/cases/algorithms/treiber_stack_unsafe.c", ""),
        ("tests/cases/algorithms/bounded_buffer_unsafe.c", ""),
        ("tests/cases/c11_atomics/cas_loop_unsafe.c", ""),
        ("tests/cases/barriers/phases_unsafe.c", ""),
    ] {
        reproduces(file, &["--property", "unreach-call"], what);
    }
}

#[test]
fn deadlocks_and_races_show_as_well() {
    if !has_compiler() {
        return;
    }
    let race = ["--property", "no-data-race"];
    reproduces("tests/cases/mutexes/normal_unsafe.c", &race, "nothing that orders them");
    let deadlock = ["--property", "no-deadlock"];
    reproduces("examples/two_locks.c", &deadlock, "deadlock: thread");
}

#[test]
fn memory_errors_show_on_heap_and_stack() {
    if !has_compiler() {
        return;
    }
    let memory = ["--property", "valid-memsafety"];
    for (file, what) in [
        ("tests/cases/memory/use_after_free_threads_unsafe.c", "a heap block that was freed"),
        ("tests/cases/races/double_free.c", "a block is freed twice in thread 2"),
        // By AddressSanitizer, in the order of the trace.
        ("tests/cases/memory/global_bounds_unsafe.c", "global-buffer-overflow"),
        ("tests/cases/memory/dangling_argument_unsafe.c", "stack-use-after-return in thread 2"),
        ("tests/cases/parameterised_threads/inside_unsafe.c", "global-buffer-overflow in thread 2"),
        // What AddressSanitizer does not know of: threads, frames and arrays that have ended.
        ("tests/cases/memory/thread_local_outlived_unsafe.c", "what has ended with thread 2"),
        ("tests/cases/memory/vla_block_unsafe.c", "a local that has ended"),
        ("tests/cases/memory/handler_uses_local_of_main.c", "a local of main, which has returned"),
        ("tests/cases/memory/local_of_main_unsafe.c", "a local of main, which has returned"),
    ] {
        reproduces(file, &memory, what);
    }
}

#[test]
fn both_sides_of_a_race_are_those_of_the_trace() {
    if !has_compiler() {
        return;
    }
    let race = ["--property", "no-data-race"];
    // Of a write to a bit-field the compiler does not tell that it reads.
    let lines = "accesses to s (lines 7 and 8)";
    reproduces("tests/cases/races/bitfield_bytes_unsafe.c", &race, lines);
    // The lines of a model are no lines of the program.
    let lines = "accesses to c (lines 10 and 4)";
    reproduces("tests/cases/condvars/destroy_races_unsafe.c", &race, lines);
    // The writer reads the same word again before the reader comes.
    reproduces("tests/replay/read_behind_the_write.c", &race, "accesses to x (lines 6 and 15)");
}

#[test]
fn programs_for_32_bits_are_built_as_such() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let file = place.path().join("empty.c");
    std::fs::write(&file, "int main(void) { return 0; }\n").expect("written");
    let mut command = Command::new("gcc");
    command.args(["-m32", "-o"]).arg(place.path().join("empty")).arg(&file).stderr(Stdio::null());
    if !command.status().is_ok_and(|s| s.success()) {
        eprintln!("skipped: this compiler has no libraries for 32 bits");
        return;
    }
    let options = ["--property", "unreach-call", "--32"];
    reproduces(
        "tests/cases/language/pointer_size_safe.c",
        &options,
        "`sizeof(void *) == 8` failed",
    );
}

#[test]
fn main_is_called_with_the_same_words() {
    if has_compiler() {
        let words = ["--property", "unreach-call", "--arg", "53"];
        reproduces("tests/cases/language/main_words_safe.c", &words, "atoi(argv[1]) == 72` failed");
    }
}

#[test]
fn blocks_are_aligned_as_the_program_asks() {
    if has_compiler() {
        reproduces("tests/replay/aligned.c", &["--property", "unreach-call"], "`x == 0` failed");
    }
}

#[test]
fn what_models_do_is_followed() {
    if !has_compiler() {
        return;
    }
    for (name, what) in [
        ("copied_argument", "`value == 0` failed"),
        ("asked_in_a_block", "`!cleaned` failed"),
        ("said_before", "`0` failed"),
        ("../cases/c11_atomics/weak_push_unsafe", "`first && first->next` failed"),
        ("../cases/futexes/gate_unsafe", "`data == 1` failed"),
        ("../cases/jumps/back_unsafe", "`0` failed"),
        ("../cases/library/exit_handler_unsafe", ""),
        ("../cases/keys/specific_unsafe", "== &two` failed"),
        ("../cases/library/file_read_unsafe", "`c == 'a'` failed"),
    ] {
        reproduces(&format!("tests/replay/{name}.c"), &["--property", "unreach-call"], what);
    }
    let memory = ["--property", "valid-memsafety"];
    let twice = "uses the id of thread 2 after it was joined";
    reproduces("tests/cases/c11_threads/join_twice_unsafe.c", &memory, twice);
}

#[test]
fn what_goes_wrong_elsewhere_is_not_the_violation() {
    if !has_compiler() {
        return;
    }
    let memory = ["--property", "valid-memsafety"];
    reproduces("tests/replay/crash_elsewhere.c", &memory, "thread 1 reads a heap block");
    let result = replay("tests/replay/trap_elsewhere.c", &["--property", "no-overflow"]);
    assert_eq!(result["reproduced"], false, "{result}");
    let message = result["message"].as_str().unwrap_or_default();
    assert!(message.contains("thread 2 goes wrong after its part"), "{message}");
    // The same thread, behind all that the trace has of it, at another line.
    let result = replay("tests/replay/const_then_null.c", &memory);
    assert_eq!(result["reproduced"], false, "{result}");
    let message = result["message"].as_str().unwrap_or_default();
    assert!(
        message.contains("const_then_null.c:7, and the trace goes wrong at line 6"),
        "{message}"
    );
}

#[test]
fn assembly_takes_its_turn() {
    if !has_compiler() || !cfg!(target_arch = "x86_64") {
        return;
    }
    let race = ["--property", "no-data-race"];
    reproduces("tests/cases/assembly/x86_spinlock_unsafe.c", &race, "accesses to x (lines 15 and");
    let assertion = ["--property", "unreach-call"];
    for name in ["compare_and_swap_ignored", "store_through_register", "two_words_unsafe"] {
        reproduces(&format!("tests/cases/assembly/{name}.c"), &assertion, "failed at");
    }
}

#[test]
fn what_runs_before_and_after_main_runs() {
    if !has_compiler() {
        return;
    }
    let assertion = ["--property", "unreach-call"];
    reproduces("tests/cases/language/constructor_unsafe.c", &assertion, "`order == 213` failed");
    reproduces("tests/cases/attributes/destructor_unsafe.c", &assertion, "`!busy` failed");
    reproduces("tests/cases/attributes/alias_unsafe.c", &assertion, "`counter == 0` failed");
}

#[test]
fn uninitialised_pointers_crash() {
    if !has_compiler() {
        return;
    }
    let memory = ["--property", "valid-memsafety"];
    for (name, what) in [
        ("heap_pointer_unsafe", "undefined behaviour in thread 1"),
        ("list_unsafe", "thread 2 crashes"),
        ("pool_unsafe", "thread 2 crashes"),
        ("free_unsafe", "free of what was not allocated"),
        ("call_of_null_unsafe", "thread 1 crashes"),
    ] {
        reproduces(&format!("tests/cases/indeterminate/{name}.c"), &memory, what);
    }
}

#[test]
fn arguments_of_main_and_what_scanf_reads_are_inputs() {
    if !has_compiler() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    let file = place.path().join("a.c");
    let text = "#include <assert.h>\n#include <stdio.h>\n\
        int n = 1; long long m; \n\
        int main(int argc, char **argv) {\n\
        if (argc != 1) { if (argc != 3) return 1; scanf(\"%d %lld\", &n, &m); }\n\
        assert(n != 5 || m != 7000000000); }\n";
    std::fs::write(&file, text).expect("written");
    reproduces(&file.to_string_lossy(), &[], "assertion `n != 5");
}

#[test]
fn variables_without_a_value_have_that_of_the_trace() {
    if !has_compiler() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    let file = place.path().join("a.c");
    let text = "#include <assert.h>\n#include <string.h>\n\
        int main(void) {\n\
        for (int i = 0; i < 2; i++) {\n\
        int n, *p = &i;\n\
        int r = memcmp(\"b\", \"a\", 1);\n\
        assert(n != 41 + *p || i == 0 || r < 5);\n\
        }\n\
        }\n";
    std::fs::write(&file, text).expect("written");
    let assertion = ["--property", "unreach-call"];
    reproduces(&file.to_string_lossy(), &assertion, "assertion `n != 41");
}

/// A file of the program may be called like one of the scheduler's, and so may a variable.
#[test]
fn names_do_not_collide() {
    if !has_compiler() {
        return;
    }
    let race = ["--property", "no-data-race"];
    reproduces("tests/cases/races/semaphore_value_unsafe.c", &race, "accesses to data");
    let place = tempfile::tempdir().expect("a temporary folder");
    let file = place.path().join("memory.c");
    std::fs::copy("examples/lost_update.c", &file).expect("copied");
    reproduces(&file.to_string_lossy(), &[], "memory.c:21");
}

#[test]
fn a_folder_is_enough_to_do_it_again() {
    if !has_compiler() || Command::new("make").arg("--version").output().is_err() {
        return;
    }
    let place = tempfile::tempdir().expect("a temporary folder");
    let folder = place.path().join("again");
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(["check", "examples/lost_update.c", "--replay-dir"]).arg(&folder);
    let output = command.env_remove("CC").output().expect("obmc starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("\nreplay: reproduced: assertion `"), "{text}");
    assert!(Path::new(&folder).join("README").exists());
    let make = Command::new("make").args(["-C"]).arg(&folder).args(["clean", "run"]).output();
    let said = String::from_utf8_lossy(&make.expect("make starts").stderr).into_owned();
    assert!(said.contains("obmc-replay: reproduced: assertion"), "{said}");
}

#[test]
fn without_a_compiler_there_is_a_reason_and_the_verdict_stays() {
    let place = tempfile::tempdir().expect("a temporary folder");
    let file = place.path().join("a.i");
    std::fs::write(&file, "void reach_error(void); int main(void) { reach_error(); return 0; }\n")
        .expect("written");
    let result = replay(&file.to_string_lossy(), &["--cc", "no-such-compiler"]);
    assert_eq!(result["reproduced"], false);
    assert!(result["message"].as_str().unwrap_or_default().contains("no-such-compiler"));
}
