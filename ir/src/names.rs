//! Names that C accepts and lang-c does not: with `$` or letters beyond ASCII.
//!
//! A character `c` outside of `[A-Za-z0-9_]` is written `__obmc_xHEX_`. So that the renaming stays
//! injective, a name that already holds `__obmc_x` gets that `_` written in hex as well.

use std::borrow::Cow;
use std::fmt::Write;

const MARK: &str = "__obmc_x";

/// The name as the parser sees it.
pub fn encode(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') && !name.contains(MARK) {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len() + 16);
    for (at, c) in name.char_indices() {
        let plain = c.is_ascii_alphanumeric() || c == '_';
        if plain && !name[at..].starts_with(MARK) {
            out.push(c);
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "{MARK}{:x}_", c as u32);
        }
    }
    Cow::Owned(out)
}

/// The name as the user wrote it.
pub fn decode(name: &str) -> Cow<'_, str> {
    if !name.contains(MARK) {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(at) = rest.find(MARK) {
        out.push_str(&rest[..at]);
        rest = &rest[at + MARK.len()..];
        match rest.split_once('_').and_then(|(hex, tail)| Some((from_hex(hex)?, tail))) {
            Some((c, tail)) => {
                out.push(c);
                rest = tail;
            }
            None => out.push_str(MARK),
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

fn from_hex(hex: &str) -> Option<char> {
    char::from_u32(u32::from_str_radix(hex, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let names = ["x", "a$b", "$", "$$", "_$_", "é", "__obmc_x24_", "___obmc_x24_", "$_obmc_x"];
        for name in names {
            let code = encode(name);
            assert!(code.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'), "{code}");
            assert_eq!(decode(&code), name);
        }
        let codes: std::collections::HashSet<_> = names.iter().map(|n| encode(n)).collect();
        assert_eq!(codes.len(), names.len());
    }

    #[test]
    fn plain_names_are_untouched() {
        assert_eq!(encode("pthread_mutex_t"), "pthread_mutex_t");
        assert_eq!(decode("__obmc_spawn"), "__obmc_spawn");
        assert_eq!(encode("a$b"), "a__obmc_x24_b");
    }
}
