//! Tells where programs look for Z3's shared library when they first need it. It serves two
//! packages: this one (its tests) and the root (`obmc` and its tests).
//!
//! First relative to the program, so that a clone, or an unpacked `bin` and `lib`, can move; then the
//! folder of the clone, for builds outside of it and `cargo install`.

use std::env;

const RELATIVE: [&str; 4] = [
    "$ORIGIN/../../third-party/z3/lib",    // target/release/obmc
    "$ORIGIN/../../../third-party/z3/lib", // target/release/deps/obmc-...
    "$ORIGIN/../lib",                      // bin/obmc beside lib/
    "$ORIGIN",                             // all in one folder
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=OBMC_Z3_FOLDER");
    let folder = env::var("OBMC_Z3_FOLDER").unwrap_or_default();
    for path in RELATIVE.into_iter().chain([folder.as_str()]).filter(|path| !path.is_empty()) {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{path}");
    }
}
