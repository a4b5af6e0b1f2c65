//! Inline assembly takes its turn, too.
//!
//! The compiler tells no tool what assembly touches. So in the text that is compiled, a statement with
//! operands in memory gets calls before it that wait as an access would:
//! `asm("incl %0" : "+m"(x));` becomes `({ obmc_touch(&(x), sizeof(x), 3); asm("incl %0" : "+m"(x)); });`.
//! An operand in a register counts as an address where the template has it in parentheses (`(%0)`).
//! Operands whose evaluation does something, and assembly that jumps, stay as they are. No line moves.

use std::fmt::Write;

/// The text with the calls.
pub fn edit(text: &[u8]) -> Vec<u8> {
    let Ok(source) = std::str::from_utf8(text) else { return text.to_vec() };
    let mut result = String::with_capacity(source.len());
    let mut copied = 0;
    let mut at = 0;
    while at < source.len() {
        let after = token_end(source, at);
        if is_asm(&source[at..after])
            && let Some((end, inside)) = statement(source, after)
        {
            let touches = touches(inside);
            if !touches.is_empty() {
                let _ = write!(result, "{}({{ {touches}", &source[copied..at]);
                let _ = write!(result, "{}; }})", &source[at..end]);
                copied = end;
            }
            at = end;
            continue;
        }
        at = after;
    }
    result.push_str(&source[copied..]);
    result.into_bytes()
}

fn is_asm(word: &str) -> bool {
    matches!(word, "asm" | "__asm" | "__asm__")
}

fn in_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The end of the word, literal or character that starts at `at`.
fn token_end(source: &str, at: usize) -> usize {
    let rest = &source[at..];
    match rest.chars().next() {
        Some(quote @ ('"' | '\'')) => {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|&(_, c)| {
                let ends = c == quote && !escaped || c == '\n';
                escaped = c == '\\' && !escaped;
                ends
            });
            end.map_or(source.len(), |(i, c)| at + i + c.len_utf8())
        }
        Some(c) if in_word(c) => at + rest.find(|c| !in_word(c)).unwrap_or(rest.len()),
        Some(c) => at + c.len_utf8(),
        None => source.len(),
    }
}

/// Behind the word `asm`: the end of the statement (without its semicolon) and what is in parentheses.
fn statement(source: &str, from: usize) -> Option<(usize, &str)> {
    let mut at = from;
    loop {
        at += source[at..].len() - source[at..].trim_start().len();
        let end = token_end(source, at);
        match &source[at..end] {
            "volatile" | "__volatile" | "__volatile__" | "inline" | "__inline__" => at = end,
            "(" => break,
            _ => return None,
        }
    }
    let end = closing(source, at)?;
    source[end..].trim_start().starts_with(';').then(|| (end, &source[at + 1..end - 1]))
}

/// The end of the parenthesis that opens at `at`.
fn closing(source: &str, mut at: usize) -> Option<usize> {
    let mut depth = 0;
    while at < source.len() {
        let end = token_end(source, at);
        match &source[at..end] {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(end);
        }
        at = end;
    }
    None
}

/// Parts at a separator outside of parentheses and literals.
fn split<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut parts, mut depth, mut begin, mut at) = (Vec::new(), 0, 0, 0);
    while at < text.len() {
        let end = token_end(text, at);
        match &text[at..end] {
            "(" | "[" => depth += 1,
            ")" | "]" => depth -= 1,
            word if depth == 0 && word == separator => {
                parts.push(&text[begin..at]);
                begin = end;
            }
            _ => {}
        }
        at = end;
    }
    parts.push(&text[begin..]);
    parts
}

struct AsmOperand<'a> {
    name: &'a str,
    constraint: String,
    value: &'a str,
}

impl<'a> AsmOperand<'a> {
    /// `[name] "constraint" (value)`
    fn read(text: &'a str) -> Option<AsmOperand<'a>> {
        let text = text.trim();
        let (name, text) = match text.strip_prefix('[') {
            Some(rest) => rest.split_once(']')?,
            None => ("", text),
        };
        let open = text.find('(')?;
        let constraint = text[..open].chars().filter(|c| !c.is_whitespace() && *c != '"').collect();
        let value = text[open..].trim().strip_prefix('(')?.strip_suffix(')')?;
        Some(AsmOperand { name: name.trim(), constraint, value: value.trim() })
    }

    fn in_memory(&self) -> bool {
        let may_be = |kinds: &[char]| self.constraint.contains(kinds);
        may_be(&['m', 'o', 'Q']) && !may_be(&['r', 'q', 'g', 'i', 'a', 'b', 'c', 'd', 'x', '@'])
    }

    /// May it be evaluated twice? Calls and assignments may not.
    fn is_plain(&self) -> bool {
        let words = self.value.match_indices('(').any(|(at, _)| {
            self.value[..at].trim_end().ends_with(in_word)
                && !self.value[..at].trim_end().ends_with("sizeof")
        });
        let compared = self.value.replace("==", "").replace("!=", "");
        !words && !["++", "--", "="].iter().any(|sign| compared.contains(sign))
    }
}

fn operands(part: &str) -> Vec<AsmOperand<'_>> {
    split(part, ",").into_iter().filter_map(AsmOperand::read).collect()
}

fn touches(inside: &str) -> String {
    let parts = split(inside, ":");
    let [template, outputs, rest @ ..] = &parts[..] else { return String::new() };
    let (read, written) = (1, 2);
    let outputs = operands(outputs).into_iter().map(|o| {
        let mode = if o.constraint.contains('+') { read | written } else { written };
        (o, mode)
    });
    let inputs = rest.first().map(|part| operands(part)).unwrap_or_default();
    let all: Vec<(AsmOperand<'_>, u32)> =
        outputs.chain(inputs.into_iter().map(|o| (o, read))).collect();
    let mut touched: Vec<(String, u32)> = Vec::new();
    for (number, (operand, mode)) in all.iter().enumerate() {
        if !operand.is_plain() {
            continue;
        }
        let value = operand.value;
        let named = [format!("(%{number})"), format!("(%[{}])", operand.name)];
        let (place, mode) = if operand.in_memory() && template.contains("cmpxchg16b") {
            (format!("(void *)&({value}), 16"), read | written)
        } else if operand.in_memory() {
            (format!("(void *)&({value}), sizeof({value})"), *mode)
        } else if named.iter().any(|n| template.contains(n.as_str())) {
            (format!("(void *)({value}), 1"), read | written)
        } else {
            continue;
        };
        match touched.iter_mut().find(|(known, _)| *known == place) {
            Some((_, known)) => *known |= mode,
            None => touched.push((place, mode)),
        }
    }
    touched.iter().map(|(place, mode)| format!("obmc_touch({place}, {mode}); ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(text: &str) -> String {
        String::from_utf8(edit(text.as_bytes())).expect("text")
    }

    #[test]
    fn operands_in_memory_are_touched() {
        let text =
            "if (a)\n  __asm__ volatile(\"xchgl %0, %1\"\n: \"=r\"(n), \"+m\"(*p) : \"0\"(n));";
        let touch = "({ obmc_touch((void *)&(*p), sizeof(*p), 3); __asm__ volatile(\"xchgl";
        assert!(edited(text).contains(touch), "{}", edited(text));
        assert!(edited(text).ends_with(": \"0\"(n)); });"), "{}", edited(text));
        assert_eq!(edited(text).lines().count(), text.lines().count());
        let both = "asm(\"incl %0; \\\":(\" : \"=m\"(x[1]) : \"m\"(x[1]), \"r\"(y) : \"memory\");";
        assert!(edited(both).starts_with("({ obmc_touch((void *)&(x[1]), sizeof(x[1]), 3); asm("));
        let input = "asm(\"\" :: [at] \"m\" (*(int *)q));";
        assert!(edited(input).contains("sizeof(*(int *)q), 1);"), "{}", edited(input));
    }

    #[test]
    fn addresses_in_registers_are_touched() {
        let text = "asm(\"movl $1, (%[p])\" : : [p] \"r\"(&x) : \"memory\");";
        assert!(edited(text).contains("obmc_touch((void *)(&x), 1, 3); asm("), "{}", edited(text));
    }

    #[test]
    fn all_else_stays() {
        for text in [
            "int f(void) __asm__(\"g\");",
            "asm(\"\" ::: \"memory\");",
            "asm(\"mov %1, %0\" : \"=r\"(x) : \"r\"(y));",
            "asm(\"inc %0\" : \"+m\"(*p++));",
            "asm(\"inc %0\" : \"+m\"(*f(x)));",
            "asm(\"inc %0\" : \"+rm\"(x));",
            "asm goto(\"jmp %l0\" : : \"m\"(x) : : out);",
            "char *s = \"asm(\\\"\\\" : \\\"+m\\\"(x));\"; char c = '\"'; int asmx;",
            "asm(",
        ] {
            assert_eq!(edited(text), text);
        }
    }
}
