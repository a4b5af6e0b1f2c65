//! Digraphs: `<:`, `:>`, `<%`, `%>` are other spellings of brackets and braces (C11 6.4.6p3).
//!
//! Nearly no text has one, so the first look is a search for their bytes. A blank takes the place of
//! the second byte: offsets stay what they were.

use std::borrow::Cow;

pub fn replaced(input: &[u8]) -> Cow<'_, [u8]> {
    if !has_any(input) {
        return Cow::Borrowed(input);
    }
    let mut out = input.to_vec();
    let mut at = 0;
    while at < out.len() {
        at = match &out[at..] {
            [quote @ (b'"' | b'\''), ..] => behind_quoted(&out, at, *quote),
            [b'/', b'/', ..] => find(&out, at, b"\n"),
            [b'/', b'*', ..] => find(&out, at + 2, b"*/"),
            [a, b, ..] => match spelling(&[*a, *b]) {
                Some(other) => {
                    out[at] = other;
                    out[at + 1] = b' ';
                    at + 2
                }
                None => at + 1,
            },
            _ => at + 1,
        };
    }
    Cow::Owned(out)
}

/// Colons and percent signs are rare.
fn has_any(input: &[u8]) -> bool {
    let rare = memchr::memchr2_iter(b':', b'%', input);
    let mut pairs = rare.flat_map(|at| [input.get(at.wrapping_sub(1)..=at), input.get(at..at + 2)]);
    pairs.any(|pair| pair.is_some_and(|pair| spelling(pair).is_some()))
}

fn spelling(pair: &[u8]) -> Option<u8> {
    Some(match pair {
        b"<:" => b'[',
        b":>" => b']',
        b"<%" => b'{',
        b"%>" => b'}',
        _ => return None,
    })
}

fn behind_quoted(text: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = text.get(at) {
        at += match byte {
            b'\\' => 2,
            b'\n' => return at,
            b if b == quote => return at + 1,
            _ => 1,
        };
    }
    text.len()
}

fn find(text: &[u8], from: usize, what: &[u8]) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let found = rest.windows(what.len()).position(|window| window == what);
    found.map_or(text.len(), |n| from + n + what.len())
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn only_outside_of_literals_and_comments() {
        let text = b"int a<:2:> = <%1%>; '<:' \"<%\\\"%>\" /* <: */ x<::y // <%\n<%";
        let want = b"int a[ 2]  = { 1} ; '<:' \"<%\\\"%>\" /* <: */ x[ :y // <%\n{ ";
        assert_eq!(replaced(text).as_ref(), want);
        assert!(matches!(replaced(b"a < :b"), std::borrow::Cow::Borrowed(_)));
        assert!(matches!(replaced(b":<%\n"), std::borrow::Cow::Owned(_)));
        assert!(matches!(replaced(b":"), std::borrow::Cow::Borrowed(_)));
    }
}
