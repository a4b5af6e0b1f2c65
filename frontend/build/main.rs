//! Cuts our headers into chunks and writes tables of them, for `src/headers`.
//!
//! A header is fixed text, so what each of its lines gives and mentions can be known before the
//! program is built. The lexer is the preprocessor's own file.

mod cut;
#[allow(dead_code)]
#[path = "../src/headers/hash.rs"]
mod hash;
#[allow(dead_code)]
#[path = "../src/preprocess/lex.rs"]
mod lex;
mod tables;
#[allow(dead_code)]
#[path = "../src/preprocess/token.rs"]
mod token;
#[allow(dead_code)]
#[path = "../src/normalise/words.rs"]
mod words;

use std::path::{Path, PathBuf};

/// A header, and what its chunks are.
struct Header {
    name: String,
    path: PathBuf,
    text: String,
    chunks: Vec<cut::Chunk>,
}

const COMPILER: &str = "src/preprocess/compiler.h";

/// What the tables depend on.
const USED: [&str; 7] = [
    COMPILER,
    "build",
    "include",
    "src/headers/hash.rs",
    "src/normalise/words.rs",
    "src/preprocess/lex.rs",
    "src/preprocess/token.rs",
];

fn main() {
    USED.iter().for_each(|path| println!("cargo::rerun-if-changed={path}"));
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut names = Vec::new();
    collect(&root.join("include"), "", &mut names);
    names.sort();
    let path = |name: &String| root.join("include").join(name);
    let mut headers: Vec<Header> = names.iter().map(|n| read(n, path(n))).collect();
    // Last, so that all others are in the order of their names.
    headers.push(read("compiler.h", root.join(COMPILER)));
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("headers.rs"), tables::write(&headers)).expect("OUT_DIR is writable");
}

fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) {
    for entry in folder.read_dir().expect("include is a folder of this crate") {
        let entry = entry.expect("readable");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => collect(&entry.path(), &format!("{name}/"), names),
            false => names.push(name),
        }
    }
}

fn read(name: &str, path: PathBuf) -> Header {
    let text = std::fs::read_to_string(&path).expect("a header is UTF-8 text");
    let chunks = cut::cut(&text).unwrap_or_else(|why| panic!("{name}: {why}"));
    Header { name: name.to_string(), path, text, chunks }
}
