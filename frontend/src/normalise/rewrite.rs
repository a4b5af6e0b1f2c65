//! The rewrites: which tokens lang-c does not know, and what it reads instead.
//!
//! One walk over the tokens. Each rewrite looks at a few neighbours or at the group that a bracket
//! opens, and only writes edits down, so rewrites do not see each other.

use super::Edit;
use super::implicit::ImplicitInt;
use super::lex::{Lexeme, LexemeKind};
use super::local_labels::LocalLabels;
use super::new_words::NewWords;
use super::pack::{self, Pack, Pragma};
use super::view::{Brace, TokenView};
use super::words::{is_asm, is_attribute};

pub fn rewrite(input: &[u8], tokens: &[Lexeme], packs: &[Pragma], edits: &mut Vec<Edit>) {
    let view = TokenView { input, tokens, edits };
    let mut rewriter = Rewriter {
        view,
        implicit: ImplicitInt::default(),
        labels: LocalLabels::default(),
        new_words: NewWords::default(),
        braces: Vec::new(),
        pack: Pack::default(),
    };
    for (i, token) in tokens.iter().enumerate() {
        rewriter.pack.go_to(token.start as usize, packs);
        match token.kind {
            LexemeKind::Word => rewriter.word(i),
            LexemeKind::Punct => rewriter.punct(i),
            LexemeKind::Number | LexemeKind::Text | LexemeKind::Char => {}
        }
    }
}

struct Rewriter<'a> {
    view: TokenView<'a>,
    implicit: ImplicitInt<'a>,
    labels: LocalLabels<'a>,
    new_words: NewWords<'a>,
    /// The braces that are open.
    braces: Vec<Brace>,
    pack: Pack,
}

impl Rewriter<'_> {
    fn word(&mut self, i: usize) {
        let in_record = self.braces.last() == Some(&Brace::Record);
        let view = &mut self.view;
        if in_record && matches!(view.text(i), b"_Alignas" | b"alignas") {
            return member_alignment(view, &self.implicit, i);
        }
        match view.text(i) {
            b"__auto_type" => view.replace(i, "__obmc_auto"),
            b"__thread" => view.replace(i, "_Thread_local"),
            b"__const__" => view.replace(i, "const"),
            // The other spellings are names to lang-c: inside of `typeof`, a call.
            b"typeof" | b"__typeof__" => view.replace(i, "__typeof"),
            // A no-op, and before a cast lang-c does not take it.
            b"__extension__" => view.delete(i, i),
            b"__int128" | b"__int128_t" => int128(view, i),
            b"__uint128_t" => view.replace(i, "__obmc_uint128"),
            b"__float128" | b"__float80" => view.replace(i, "__obmc_float128"),
            b"__alignof__" | b"__alignof" | b"_Alignof" | b"alignof" => alignof(view, i),
            b"_BitInt" => bit_int(view, i),
            b"__real__" | b"__real" => complex_part(view, i, "__obmc_real"),
            b"__imag__" | b"__imag" => complex_part(view, i, "__obmc_imag"),
            b"__builtin_types_compatible_p" => types_compatible(view, i),
            b"_Static_assert" | b"static_assert" => static_assert(view, i),
            b"sizeof" => sizeof_literal(view, i),
            b"goto" => computed_goto(view, i),
            b"case" => case_label(view, &self.implicit, i),
            b"__label__" => self.labels.declare(view, i, self.braces.len()),
            b"_Pragma" if view.text(i + 1) == b"(" => {
                let text = String::from_utf8_lossy(view.text(i + 2));
                if let Some(arguments) = pack::arguments(text.trim_matches('"')) {
                    self.pack.obey(&arguments);
                }
                view.delete(i, view.partner(i + 1));
            }
            b"enum" | b"struct" | b"union" if is_attribute(view.text(i + 1)) => {
                tag_attribute(view, i);
            }
            b"enum" => underlying_type(view, i, self.braces.last() == Some(&Brace::Record)),
            b"typedef" => self.implicit.note_typedef(view, i),
            word if is_asm(word) => asm(view, i),
            word if is_attribute(word) => {
                statement_attribute(view, i);
                double_brackets(view, i);
            }
            _ => {}
        }
        self.labels.rename(&mut self.view, i);
        self.new_words.look(&mut self.view, i, self.braces.last().copied());
        self.implicit.look(&mut self.view, i, self.braces.is_empty());
    }

    fn punct(&mut self, i: usize) {
        let in_record = self.braces.last() == Some(&Brace::Record);
        let view = &mut self.view;
        match view.text(i) {
            b"{" => {
                let brace = view.brace(i);
                self.braces.push(brace);
            }
            b"}" => {
                if in_record && !matches!(view.before(i), b";" | b"{") {
                    view.insert_before(i, ";");
                }
                if let (true, Some(attribute)) = (in_record, self.pack.attribute()) {
                    view.insert_after(i, attribute);
                }
                self.braces.pop();
                self.labels.leave(self.braces.len());
            }
            b";" if in_record && matches!(view.before(i), b";" | b"{") => view.delete(i, i),
            b":" if i > 0 && (view.is_name(i - 1) || view.before(i) == b"default") => {
                label_colon(view, &self.implicit, i);
            }
            b"?" if view.text(i + 1) == b":" => view.insert_after(i, " __obmc_same "),
            b"[" if view.text(i + 1) == b"[" => standard_attribute(view, i),
            b"&" if view.text(i + 1) == b"&" => label_address(view, i),
            b"(" if view.text(i + 1) == b"." => only_ellipsis(view, i),
            _ => {}
        }
    }
}

/// `unsigned __int128` in either order; lang-c allows no `unsigned` beside a type name.
fn int128(view: &mut TokenView, i: usize) {
    let mut name = "__obmc_int128";
    for neighbour in [i.wrapping_sub(1), i + 1] {
        match view.text(neighbour) {
            b"unsigned" => name = "__obmc_uint128",
            b"signed" | b"__signed__" | b"__signed" => {}
            _ => continue,
        }
        view.delete(neighbour, neighbour);
    }
    view.replace(i, name);
}

/// `_BitInt(N)`: a type name, and an attribute that says how wide it is.
fn bit_int(view: &mut TokenView, i: usize) {
    if view.text(i + 1) != b"(" {
        return;
    }
    let close = view.partner(i + 1);
    for neighbour in [i.wrapping_sub(1), close + 1] {
        if matches!(view.text(neighbour), b"unsigned" | b"signed" | b"__signed__" | b"__signed") {
            view.delete(neighbour, neighbour);
        }
    }
    view.replace(i, "__obmc_bitint __attribute__((obmc_bits");
    view.insert_after(close, "))");
}

/// C23's `enum e : T { ... }` and `enum e : T;`: the type goes to an attribute behind.
fn underlying_type(view: &mut TokenView, i: usize, in_record: bool) {
    let colon = if view.is_name(i + 1) { i + 2 } else { i + 1 };
    if view.text(colon) != b":" {
        return;
    }
    let mut end = colon + 1;
    while view.kind(end) == Some(LexemeKind::Word) {
        end += 1;
    }
    let defines = view.text(end) == b"{";
    // In a record, `enum e : WIDTH;` is a bit-field.
    if end == colon + 1 || !(defines || view.text(end) == b";" && !in_record) {
        return;
    }
    let words = (colon + 1..end).map(|at| match view.text(at) {
        b"bool" => "_Bool".into(),
        word => String::from_utf8_lossy(word),
    });
    let ty = words.collect::<Vec<_>>().join(" ");
    let attribute = format!(" __attribute__((obmc_underlying(({ty})0)))");
    if defines {
        view.delete(colon, end - 1);
        view.insert_after(view.partner(end), attribute);
    } else {
        view.replace_range(colon, end - 1, attribute);
    }
}

/// GNU takes expressions too.
fn alignof(view: &mut TokenView, i: usize) {
    if view.text(i + 1) == b"(" {
        view.replace(i, "_Alignof(__typeof");
        view.insert_after(view.partner(i + 1), ")");
    } else if view.is_name(i + 1) {
        view.replace(i, "_Alignof(__typeof(");
        view.insert_after(i + 1, "))");
    }
}

/// lang-c knows `_Alignas` outside of records only.
fn member_alignment(view: &mut TokenView, implicit: &ImplicitInt, i: usize) {
    if view.text(i + 1) != b"(" {
        return;
    }
    let close = view.partner(i + 1);
    if implicit.is_type(view, i + 2) {
        view.replace(i, "__attribute__((aligned(_Alignof");
        view.insert_after(close, ")))");
    } else {
        view.replace(i, "__attribute__((aligned");
        view.insert_after(close, "))");
    }
}

/// Becomes a call, if its operand is a name or in parentheses.
fn complex_part(view: &mut TokenView, i: usize, name: &'static str) {
    view.replace(i, name);
    if view.is_name(i + 1) {
        view.insert_before(i + 1, "(");
        view.insert_after(i + 1, ")");
    }
}

/// Types are no arguments of a call; null pointers to them, followed, are.
fn types_compatible(view: &mut TokenView, i: usize) {
    if view.text(i + 1) != b"(" {
        return;
    }
    let close = view.partner(i + 1);
    let Some(comma) = view.find(i + 2, b",", |_| false) else { return };
    for (first, last) in [(i + 2, comma - 1), (comma + 1, close - 1)] {
        view.insert_before(first, "*(__typeof(");
        view.insert_after(last, ") *)0");
    }
}

/// C23's spelling, and its form without a message.
fn static_assert(view: &mut TokenView, i: usize) {
    if view.text(i + 1) != b"(" {
        return;
    }
    if view.text(i) == b"static_assert" {
        if !matches!(view.before(i), b"" | b";" | b"{" | b"}") {
            return;
        }
        view.replace(i, "_Static_assert");
    }
    if view.find(i + 2, b",", |_| false).is_none() {
        view.insert_before(view.partner(i + 1), ", \"\"");
    }
}

/// `sizeof (T){...}`
fn sizeof_literal(view: &mut TokenView, i: usize) {
    let brace = view.skip(i + 1);
    if view.text(i + 1) == b"(" && view.text(brace) == b"{" {
        view.insert_before(i + 1, "(");
        view.insert_after(view.partner(brace), ")");
    }
}

fn computed_goto(view: &mut TokenView, i: usize) {
    if view.text(i + 1) != b"*" {
        return;
    }
    if let Some(end) = view.find(i + 2, b";", |t| t == b"goto") {
        view.replace_range(i, i + 1, "__obmc_goto(");
        view.insert_before(end, ")");
    }
}

fn label_address(view: &mut TokenView, i: usize) {
    let adjacent = view.tokens[i].end == view.tokens[i + 1].start;
    if !adjacent || !view.is_name(i + 2) || (i > 0 && ends_operand(view, i - 1)) {
        return;
    }
    view.replace_range(i, i + 1, "__obmc_label(");
    view.insert_after(i + 2, ")");
}

/// So that `&&` behind it is the operator. A cast to a pointer does not end one.
fn ends_operand(view: &TokenView, i: usize) -> bool {
    match view.kind(i) {
        Some(LexemeKind::Punct) => match view.text(i) {
            b")" => view.before(i) != b"*",
            // `n++ &&m`: no label has a sign.
            b"+" | b"-" => view.before(i) == view.text(i),
            text => matches!(text, b"]" | b"}"),
        },
        Some(LexemeKind::Word) => view.is_name(i),
        _ => true,
    }
}

fn case_label(view: &mut TokenView, implicit: &ImplicitInt, i: usize) {
    let mut conditions = 0;
    let mut at = i + 1;
    loop {
        match view.text(at) {
            b"?" => conditions += 1,
            b":" if conditions == 0 => break,
            b":" => conditions -= 1,
            b"" | b";" | b"{" | b"}" | b"case" => return,
            _ if view.partner(at) < at => return,
            _ => {}
        }
        at = view.skip(at);
    }
    // With a name before its colon, the walk takes it for a plain label.
    if !view.is_name(at - 1) {
        label_colon(view, implicit, at);
    }
}

/// A label wants a statement behind it: no attribute, declaration or closing brace.
fn label_colon(view: &mut TokenView, implicit: &ImplicitInt, colon: usize) {
    let mut next = colon + 1;
    if is_attribute(view.text(next)) {
        next = view.skip_attributes(next);
        view.delete(colon + 1, next - 1);
    }
    if view.text(next) == b"}" || implicit.starts_declaration(view, next) {
        view.insert_after(colon, ";");
    }
}

/// `__attribute__((fallthrough));`
fn statement_attribute(view: &mut TokenView, i: usize) {
    let end = view.skip_attributes(i);
    let starts = match view.before(i) {
        b"" | b";" | b"{" => true,
        // Behind a record it belongs to the type.
        b"}" => matches!(view.brace(view.partner(i - 1)), Brace::Other),
        _ => false,
    };
    if starts && view.text(end) == b";" && end > i {
        view.delete(i, end - 1);
    }
}

/// `struct __attribute__((packed)) s { ... }`: they are as good behind the brace.
fn tag_attribute(view: &mut TokenView, i: usize) {
    let end = view.skip_attributes(i + 1);
    let brace = if view.is_name(end) { end + 1 } else { end };
    if end == i + 1 {
        return;
    }
    if view.text(brace) == b"{" {
        let text = attributes_text(view, i + 1, end);
        view.insert_after(view.partner(brace), text);
    }
    view.delete(i + 1, end - 1);
}

/// The attributes from `i` to before `end`, each with a blank before it.
fn attributes_text(view: &TokenView, mut i: usize, end: usize) -> String {
    let mut text = String::new();
    while i < end {
        let (open, next) = (i + 1, view.skip(i + 1));
        let (a, b) = match inner_brackets(view, i) {
            Some(inner) => {
                text.push_str(" __attribute__((");
                (view.tokens[inner].end, view.tokens[view.partner(inner)].start)
            }
            None => {
                text.push(' ');
                (view.tokens[i].start, view.tokens[view.partner(open)].end)
            }
        };
        text.push_str(&String::from_utf8_lossy(&view.input[a as usize..b as usize]));
        if inner_brackets(view, i).is_some() {
            text.push_str("))");
        }
        i = next;
    }
    text
}

/// The inner `(` of the attribute at `i`, if its brackets are double as they should be.
fn inner_brackets(view: &TokenView, i: usize) -> Option<usize> {
    let doubled = is_attribute(view.text(i))
        && view.text(i + 1) == b"("
        && view.text(i + 2) == b"("
        && view.partner(i + 2) + 1 == view.partner(i + 1);
    doubled.then_some(i + 2)
}

/// `__attribute__ ( ( x ) )`, as it comes from a macro: lang-c wants `((` and `))` in one piece.
fn double_brackets(view: &mut TokenView, i: usize) {
    let Some(inner) = inner_brackets(view, i) else { return };
    let close = view.partner(inner);
    if view.tokens[inner - 1].end != view.tokens[inner].start {
        view.replace_range(inner - 1, inner, "((");
    }
    if view.tokens[close].end != view.tokens[close + 1].start {
        view.replace_range(close, close + 1, "))");
    }
}

/// C23's `[[...]]`; nothing else in C starts like this. Those of GNU are written as GNU does.
fn standard_attribute(view: &mut TokenView, i: usize) {
    let end = view.partner(i);
    if view.partner(i + 1) + 1 != end {
        return;
    }
    let text = gnu_spelling(view, i + 2, end - 1);
    let tag = matches!(view.before(i), b"struct" | b"union" | b"enum");
    let name = end + 1;
    let brace = if view.is_name(name) { name + 1 } else { name };
    match (tag, view.text(brace) == b"{") {
        (true, true) => {
            view.insert_after(view.partner(brace), text);
            view.delete(i, end);
        }
        (true, false) => view.delete(i, end),
        // A statement has none that matter.
        _ if text.is_empty() || view.text(end + 1) == b";" && ends_statement(view, i) => {
            view.delete(i, end);
        }
        _ => view.replace_range(i, end, text + " "),
    }
}

fn ends_statement(view: &TokenView, i: usize) -> bool {
    matches!(view.before(i), b"" | b";" | b"{" | b"}" | b":")
}

/// The attributes between `[[` and `]]` that may say something.
fn gnu_spelling(view: &TokenView, mut i: usize, end: usize) -> String {
    let mut text = String::new();
    while i < end {
        let prefixed = view.text(i + 1) == b":" && view.text(i + 2) == b":";
        let gnu = prefixed && matches!(view.text(i), b"gnu" | b"__gnu__");
        let name = if prefixed { i + 3 } else { i };
        let next = if view.text(name + 1) == b"(" { view.skip(name + 1) } else { name + 1 };
        if gnu || !prefixed && matches!(view.text(i), b"noreturn" | b"_Noreturn") {
            let (a, b) = (view.tokens[name].start, view.tokens[next - 1].end);
            let inner = String::from_utf8_lossy(&view.input[a as usize..b as usize]);
            text.push_str(&format!(" __attribute__(({inner}))"));
        }
        i = next + 1;
    }
    text
}

/// C23's `f(...)`
fn only_ellipsis(view: &mut TokenView, i: usize) {
    if view.partner(i) == i + 4 && (i + 1..i + 4).all(|dot| view.text(dot) == b".") {
        view.delete(i + 1, i + 3);
    }
}

/// `asm inline` and `asm goto`. The latter is never modelled, so any template will do.
fn asm(view: &mut TokenView, i: usize) {
    let mut open = i + 1;
    let mut jumps = false;
    while view.kind(open) == Some(LexemeKind::Word) {
        match view.text(open) {
            b"goto" => jumps = true,
            b"inline" | b"__inline" | b"__inline__" => view.delete(open, open),
            _ => {}
        }
        open += 1;
        if open > i + 4 {
            return;
        }
    }
    if jumps && view.text(open) == b"(" {
        view.replace_range(i, view.partner(open), "__asm__(\"asm goto\")");
    }
}
