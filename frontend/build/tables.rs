//! The chunks of all headers and models as static tables of Rust.

use super::Shipped;
use super::cut::Chunk;
use super::hash::{hash, slot};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// No word.
const FREE: u16 = u16::MAX;

pub fn write(headers: &[Shipped], models: &[Shipped]) -> String {
    let all = || headers.iter().chain(models);
    let chunks: Vec<&Chunk> = all().flat_map(|h| &h.chunks).collect();
    let given: BTreeSet<&String> = chunks.iter().flat_map(|c| c.gives.iter().flatten()).collect();
    let number: BTreeMap<&str, u16> = given.iter().map(|w| w.as_str()).zip(0..).collect();
    assert!(chunks.len() < usize::from(FREE) && given.len() < usize::from(FREE));
    let mut givers: Vec<Vec<u16>> = vec![Vec::new(); given.len()];
    for (chunk, id) in chunks.iter().zip(0..) {
        for word in chunk.gives.iter().flatten() {
            givers[usize::from(number[word.as_str()])].push(id);
        }
    }
    let numbers = |words: &BTreeSet<String>| -> Vec<u16> {
        words.iter().filter_map(|w| number.get(w.as_str()).copied()).collect()
    };
    let mentions: Vec<Vec<u16>> = chunks.iter().map(|c| numbers(&c.mentions)).collect();
    let pick = |which: &dyn Fn(&Chunk) -> bool| -> Vec<u16> {
        chunks.iter().zip(0..).filter(|(c, _)| which(c)).map(|(_, id)| id).collect()
    };
    let always = closure(pick(&|c| c.gives.is_none()), &givers, &mentions);
    let mut out = String::new();
    let shipped = shipped(all());
    let (headers, models) = shipped.split_at(headers.len());
    list(&mut out, "HEADERS", "Shipped", headers);
    list(&mut out, "MODELS", "Shipped", models);
    list(&mut out, "CHUNKS", "Chunk", &all().flat_map(places).collect::<Vec<_>>());
    list(&mut out, "WORDS", "&str", &given.iter().map(|w| format!("{w:?}")).collect::<Vec<_>>());
    list(&mut out, "SLOTS", "u16", &texts(&slots(&given)));
    list(&mut out, "GIVERS", "&[u16]", &slices(&givers));
    list(&mut out, "MENTIONS", "&[u16]", &slices(&mentions));
    list(&mut out, "ALWAYS", "u16", &texts(&always));
    list(&mut out, "PASTES", "u16", &texts(&pick(&|c| c.pastes)));
    out
}

/// With these chunks, all that they ask for.
fn closure(mut todo: Vec<u16>, givers: &[Vec<u16>], mentions: &[Vec<u16>]) -> Vec<u16> {
    let mut found: BTreeSet<u16> = todo.iter().copied().collect();
    while let Some(chunk) = todo.pop() {
        let words = mentions[usize::from(chunk)].iter();
        let asked = words.flat_map(|&word| &givers[usize::from(word)]);
        todo.extend(asked.filter(|&&chunk| found.insert(chunk)));
    }
    found.into_iter().collect()
}

/// Where each word is found by its hash: there, or in the next slots before a free one.
fn slots(words: &BTreeSet<&String>) -> Vec<u16> {
    let mut slots = vec![FREE; (words.len() * 4).next_power_of_two()];
    for (word, id) in words.iter().zip(0..) {
        let mut at = slot(hash(word.as_bytes()), slots.len());
        while slots[at] != FREE {
            at = (at + 1) % slots.len();
        }
        slots[at] = id;
    }
    slots
}

fn shipped<'a>(all: impl Iterator<Item = &'a Shipped>) -> Vec<String> {
    let mut first = 0;
    let mut texts = Vec::new();
    for header in all {
        let end = first + header.chunks.len();
        let (name, file) = (&header.name, format!("/{}", header.file));
        // The compiler knows where this crate is today; the folder of the build may have been
        // filled from another checkout.
        let text = format!("include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {file:?}))");
        texts.push(format!(
            "Shipped {{ name: {name:?}, text: {text}, first: {first}, end: {end} }}"
        ));
        first = end;
    }
    texts
}

fn places(header: &Shipped) -> impl Iterator<Item = String> {
    let ends = header.text.match_indices('\n').map(|(at, _)| at + 1);
    let starts: Vec<usize> = [0].into_iter().chain(ends).collect();
    let start_of = move |line: u32| starts[line as usize - 1];
    header.chunks.iter().map(move |chunk| {
        let (start, end) = (start_of(chunk.line), start_of(chunk.end));
        let (line, next) = (chunk.line, chunk.end);
        format!("Chunk {{ start: {start}, end: {end}, line: {line}, next: {next} }}")
    })
}

fn texts(numbers: &[u16]) -> Vec<String> {
    numbers.iter().map(u16::to_string).collect()
}

fn slices(lists: &[Vec<u16>]) -> Vec<String> {
    lists.iter().map(|list| format!("&{list:?}")).collect()
}

fn list(out: &mut String, name: &str, of: &str, items: &[String]) {
    let _ =
        writeln!(out, "pub static {name}: [{of}; {}] = [\n{},\n];", items.len(), items.join(",\n"));
}
