//! Cuts our headers and library models into chunks and writes tables of them, for `src/shipped.rs`.
//!
//! They are fixed text, so what each of their lines gives and mentions can be known before the
//! program is built. The lexer is the preprocessor's own file.

mod cut;
#[allow(dead_code)]
#[path = "../src/shipped/hash.rs"]
mod hash;
#[allow(dead_code)]
#[path = "../src/tokens/lex.rs"]
mod lex;
mod tables;
#[allow(dead_code)]
#[path = "../src/tokens/token.rs"]
mod token;
#[allow(dead_code)]
#[path = "../src/normalise/words.rs"]
mod words;

use cut::Of;
use std::path::{Path, PathBuf};

/// A header or a model, and what its chunks are.
struct Shipped {
    name: String,
    /// Relative to this crate.
    file: String,
    text: String,
    chunks: Vec<cut::Chunk>,
}

const COMPILER: &str = "src/preprocess/compiler.h";

/// What the tables depend on.
const USED: [&str; 8] = [
    COMPILER,
    "build",
    "include",
    "models",
    "src/normalise/words.rs",
    "src/tokens/lex.rs",
    "src/tokens/token.rs",
    "src/shipped/hash.rs",
];

fn main() {
    USED.iter().for_each(|path| println!("cargo::rerun-if-changed={path}"));
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let mut headers: Vec<Shipped> = files(&root, "include", Of::Header);
    // Last, so that all others are in the order of their names.
    headers.push(read(&root, "compiler.h", COMPILER.to_string(), Of::Header));
    let mut models: Vec<Shipped> = files(&root, "models", Of::Model);
    models.retain(|model| model.chunks.iter().all(|chunk| chunk.gives.is_some()));
    models.iter_mut().for_each(set_apart);
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("shipped.rs"), tables::write(&headers, &models)).expect("writable");
}

/// The names of a model are its own.
fn set_apart(model: &mut Shipped) {
    let name = |word: &String| format!("{}:{word}", model.name);
    for chunk in &mut model.chunks {
        chunk.gives = chunk.gives.as_ref().map(|words| words.iter().map(name).collect());
        chunk.mentions = chunk.mentions.iter().map(name).collect();
    }
}

/// All files of the folder, by name.
fn files(root: &Path, folder: &str, of: Of) -> Vec<Shipped> {
    let mut names = Vec::new();
    collect(&root.join(folder), "", &mut names);
    names.sort();
    names.iter().map(|name| read(root, name, format!("{folder}/{name}"), of)).collect()
}

fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) {
    for entry in folder.read_dir().expect("a folder of this crate") {
        let entry = entry.expect("readable");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => collect(&entry.path(), &format!("{name}/"), names),
            false => names.push(name),
        }
    }
}

fn read(root: &Path, name: &str, file: String, of: Of) -> Shipped {
    let text = std::fs::read_to_string(root.join(&file)).expect("UTF-8 text");
    let chunks = cut::cut(&text, of).unwrap_or_else(|why| panic!("{name}: {why}"));
    Shipped { name: name.to_string(), file, text, chunks }
}
