//! Tells the linker where programs look for Z3's shared library when they start. It serves two
//! packages: this one (its tests) and the root (`obmc` and its tests).
//!
//! First relative to the program, so that a clone, or an unpacked `bin` and `lib`, can move; then the
//! folder it was linked with, for builds outside of the clone and `cargo install`.

use std::env;
use std::path::Path;

const RELATIVE: [&str; 4] = [
    "$ORIGIN/../../third-party/z3/lib",    // target/release/obmc
    "$ORIGIN/../../../third-party/z3/lib", // target/release/deps/obmc-...
    "$ORIGIN/../lib",                      // bin/obmc beside lib/
    "$ORIGIN",                             // all in one folder
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=Z3_LIBRARY_PATH_OVERRIDE");
    let has = |feature| env::var_os(feature).is_some();
    if !has("CARGO_FEATURE_Z3") || has("CARGO_FEATURE_VENDORED_Z3") {
        return;
    }
    let Ok(folder) = env::var("Z3_LIBRARY_PATH_OVERRIDE") else { return };
    println!("cargo::rerun-if-changed={folder}/libz3.so");
    if !Path::new(&folder).join("libz3.so").exists() {
        // Else the linker would take whatever Z3 the system has.
        println!(
            "cargo::error=no Z3 in {folder}: run scripts/fetch-z3, or build without Z3 by --no-default-features"
        );
        return;
    }
    for path in RELATIVE {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{path}");
    }
    println!("cargo::rustc-link-arg=-Wl,-rpath,{folder}");
}
