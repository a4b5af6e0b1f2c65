//! Preprocessed C as people write it, made into C that lang-c reads.
//!
//! Three linear steps. `lex` cuts the bytes into tokens: comments, line markers and `#pragma`s go,
//! what cannot be C is an error with a place. `rewrite` looks at the tokens and writes down edits:
//! each replaces a stretch of the input by other text. `apply` carries the edits out and notes which
//! byte of the output comes from where, so that every later message speaks of the original.
//! `dead_declarations` leaves out unused declarations of headers.
//!
//! What has no C11 spelling gets a name of ours that the lowering knows:
//!
//! | written | becomes |
//! |---|---|
//! | `__auto_type x = e;`, `auto x = e;` | `__obmc_auto x = e;` |
//! | `__int128`, `unsigned __int128`, `__float128` | the type names `__obmc_int128`, `__obmc_uint128`, `__obmc_float128` |
//! | `_BitInt(N)`, `enum e : T { ... }`, `constexpr` | `__obmc_bitint`, `enum e { ... }`, `const` with attributes of ours |
//! | `a ?: b` | `a ? __obmc_same : b` |
//! | `&&label`, `goto *p;` | `__obmc_label(label)`, `__obmc_goto(p);` |
//! | `__builtin_types_compatible_p(A, B)` | the same over `*(__typeof(A) *)0` and `*(__typeof(B) *)0` |
//! | `typeof`, `__typeof__` | `__typeof`, which lang-c never takes for a name |
//! | `__real__ z`, `__imag__ z` | `__obmc_real(z)`, `__obmc_imag(z)` |
//! | `asm goto (...)` | `__asm__("asm goto")` |
//! | `$`, letters beyond ASCII in names | `__obmc_x24_` and the like, see `names` |
//!
//! Cost: linear; a few milliseconds for 100,000 lines.
//!
//! - `digraphs.rs`: digraphs: `<:`, `:>`, `<%`, `%>` are other spellings of brackets and braces
//!   (C11 6.4.6p3)
//! - `implicit.rs`: declarations without a type: `main() { ... }`, `static x;`, `const y = 3;`
//! - `limits.rs`: how deep a program may nest, so that recursion over its syntax fits on
//!   `stack::with_big_stack`
//! - `local_labels.rs`: GNU's `__label__ a, b;`: labels that belong to a block
//! - `new_words.rs`: keywords since C23, in programs that do not use them as names of their own
//! - `pack.rs`: `#pragma pack`: the largest alignment of members, for records that end from here
//!   on
//! - `symbols.rs`: what a unit defines for others and what it needs of them
//! - `view.rs`: looking around in the tokens, and writing edits down
//! - `words.rs`: what the words of C and GNU C are, as far as the rewriting needs to know

mod dead_declarations;
mod digraphs;
mod implicit;
mod lex;
mod limits;
mod local_labels;
mod new_words;
mod pack;
mod rewrite;
mod symbols;
mod view;
mod words;

use crate::error::Error;
use crate::source::{Files, Lines, SourceMap};
use std::borrow::Cow;

pub use dead_declarations::DeclarationPart;
#[cfg(test)]
pub use dead_declarations::inspect;
pub use symbols::{Symbols, symbols};
pub use words::is_reserved;

/// Text for lang-c, and the way back.
#[derive(Clone, Debug)]
pub struct Normalised {
    pub text: String,
    pub map: SourceMap,
}

/// Declares our type names to the parser. It is the first declaration of every normalised text.
pub const PRELUDE: &str =
    "typedef int __obmc_auto, __obmc_int128, __obmc_uint128, __obmc_float128, __obmc_bitint; ";

/// `name` is the file that the text was read from, for places before the first line marker.
pub fn normalise(input: &[u8], name: &str, files: &mut Files) -> Result<Normalised, Error> {
    normalise_part(input, name, DeclarationPart::All, files)
}

/// The same with less of a library model.
pub(crate) fn normalise_part(
    input: &[u8],
    name: &str,
    part: DeclarationPart,
    files: &mut Files,
) -> Result<Normalised, Error> {
    let input = &*digraphs::replaced(input);
    let lexed = lex::lex(input, name, files)?;
    let mut edits = lexed.edits;
    rewrite::rewrite(input, &lexed.tokens, &lexed.packs, &mut edits);
    dead_declarations::eliminate(input, &lexed.tokens, part, &mut edits);
    apply(input, edits, lexed.lines, lexed.first)
}

/// Put `text` in the place of the bytes `start..end`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Edit {
    start: usize,
    end: usize,
    /// Among edits that start at the same byte the lower one comes first.
    rank: i64,
    text: Cow<'static, str>,
}

/// Edits inside of a stretch that an earlier edit replaced as a whole are dropped.
fn apply(
    input: &[u8],
    mut edits: Vec<Edit>,
    lines: Lines,
    first: usize,
) -> Result<Normalised, Error> {
    edits.sort_by_key(|e| (e.start, e.rank));
    let mut map = SourceMap::new(lines, input.len());
    map.piece(0, first, false);
    let mut out = Vec::with_capacity(PRELUDE.len() + input.len() + input.len() / 8);
    out.extend_from_slice(PRELUDE.as_bytes());
    let mut done = first;
    for edit in &edits {
        if edit.start < done {
            continue;
        }
        map.piece(out.len(), done, true);
        out.extend_from_slice(&input[done..edit.start]);
        map.piece(out.len(), edit.start, false);
        out.extend_from_slice(edit.text.as_bytes());
        done = edit.end;
    }
    map.piece(out.len(), done, true);
    out.extend_from_slice(&input[done..]);
    // The lexer replaced all that is not UTF-8 or refused it; lossy keeps a mistake there harmless.
    let text = String::from_utf8(out)
        .unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned());
    Ok(Normalised { text, map })
}

#[cfg(test)]
mod tests;
