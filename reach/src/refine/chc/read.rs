//! A solution over integers as terms on machine words.
//!
//! Comparisons of sums become comparisons of sums that wrap around; of two cells also their order as they
//! are. What is not understood (quantifiers, products) is left out: all of this is only guessed.

use crate::system::{CellId, System};
use encoder::term::mask;
use encoder::{Sort, Term};
use std::collections::BTreeMap;

/// Lists inside of lists.
const MAX_DEPTH: usize = 400;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Text {
    Word(String),
    List(Vec<Text>),
}

/// Parameters and body.
pub struct Definition {
    params: Vec<String>,
    body: Text,
}

/// The functions that a model defines, by name.
pub fn definitions(model: &str) -> Vec<(String, Definition)> {
    let mut found = Vec::new();
    let Text::List(all) = parsed(model) else { return found };
    let inner = all.iter().flat_map(|t| match t {
        Text::List(list) if !is(list.first(), "define-fun") => list.iter().collect(),
        other => vec![other],
    });
    for text in inner {
        let Text::List(list) = text else { continue };
        if let [Text::Word(word), Text::Word(name), Text::List(params), _, body] = &list[..] {
            if word == "define-fun" {
                let params = params.iter().filter_map(param).collect();
                found.push((name.clone(), Definition { params, body: body.clone() }));
            }
        }
    }
    found
}

fn param(text: &Text) -> Option<String> {
    match text {
        Text::List(list) => list.first().and_then(word).map(str::to_owned),
        Text::Word(_) => None,
    }
}

fn word(text: &Text) -> Option<&str> {
    match text {
        Text::Word(word) => Some(word),
        Text::List(_) => None,
    }
}

fn is(text: Option<&Text>, wanted: &str) -> bool {
    text.and_then(word) == Some(wanted)
}

/// All of it as one list; brackets that do not fit are passed over.
fn parsed(text: &str) -> Text {
    let mut open: Vec<Vec<Text>> = vec![Vec::new()];
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    for token in spaced.split_whitespace() {
        match token {
            "(" => open.push(Vec::new()),
            ")" if open.len() > 1 => {
                let list = open.pop().unwrap_or_default();
                if let Some(outer) = open.last_mut() {
                    outer.push(Text::List(list));
                }
            }
            ")" => {}
            word => {
                if let Some(list) = open.last_mut() {
                    list.push(Text::Word(word.into()));
                }
            }
        }
    }
    Text::List(open.into_iter().next().unwrap_or_default())
}

/// Conjuncts of a definition over these cells, and all comparisons in it, each of them also negated.
pub fn terms(system: &mut System, cells: &[CellId], definition: &Definition) -> Vec<Term> {
    let mut reader = CandidateReader { system, comparisons: Vec::new(), scope: BTreeMap::new() };
    for (name, cell) in definition.params.iter().zip(cells) {
        let var = reader.system.cell(*cell).var;
        reader.scope.insert(name.clone(), ReadTerm::Number(WordSum::of(var)));
    }
    let mut all = reader.conjuncts(&definition.body, 0);
    for comparison in std::mem::take(&mut reader.comparisons) {
        all.extend([comparison, reader.system.pool.not(comparison)]);
    }
    all.retain(|t| reader.system.pool.constant(*t).is_none());
    all.sort_unstable();
    all.dedup();
    all
}

/// Multiples of words, and a number.
#[derive(Clone, Debug)]
struct WordSum {
    parts: Vec<(i64, Term)>,
    number: i64,
}

impl WordSum {
    fn of(word: Term) -> WordSum {
        WordSum { parts: vec![(1, word)], number: 0 }
    }

    fn number(number: i64) -> WordSum {
        WordSum { parts: Vec::new(), number }
    }

    fn plus(mut self, other: WordSum) -> WordSum {
        for (factor, word) in other.parts {
            match self.parts.iter_mut().find(|(_, w)| *w == word) {
                Some(part) => part.0 = part.0.wrapping_add(factor),
                None => self.parts.push((factor, word)),
            }
        }
        self.parts.retain(|(factor, _)| *factor != 0);
        self.number = self.number.wrapping_add(other.number);
        self
    }

    fn times(mut self, factor: i64) -> WordSum {
        self.parts.iter_mut().for_each(|part| part.0 = part.0.wrapping_mul(factor));
        self.parts.retain(|(factor, _)| *factor != 0);
        self.number = self.number.wrapping_mul(factor);
        self
    }
}

#[derive(Clone, Debug)]
enum ReadTerm {
    Number(WordSum),
    Truth(Term),
    Nothing,
}

struct CandidateReader<'a> {
    system: &'a mut System,
    comparisons: Vec<Term>,
    scope: BTreeMap<String, ReadTerm>,
}

impl CandidateReader<'_> {
    fn conjuncts(&mut self, text: &Text, depth: usize) -> Vec<Term> {
        if let Text::List(list) = text {
            match &list[..] {
                [head, Text::List(bound), body] if is(Some(head), "let") && depth < MAX_DEPTH => {
                    let outer = self.bind(bound, depth);
                    let found = self.conjuncts(body, depth + 1);
                    self.scope = outer;
                    return found;
                }
                [head, rest @ ..] if is(Some(head), "and") && depth < MAX_DEPTH => {
                    return rest.iter().flat_map(|t| self.conjuncts(t, depth + 1)).collect();
                }
                _ => {}
            }
        }
        match self.value(text, depth) {
            ReadTerm::Truth(term) => vec![term],
            _ => Vec::new(),
        }
    }

    /// Names what a `let` names; the scope as it was.
    fn bind(&mut self, bound: &[Text], depth: usize) -> BTreeMap<String, ReadTerm> {
        let outer = self.scope.clone();
        let mut new = Vec::new();
        for pair in bound {
            if let Text::List(pair) = pair {
                if let [Text::Word(name), text] = &pair[..] {
                    new.push((name.clone(), self.value(text, depth + 1)));
                }
            }
        }
        self.scope.extend(new);
        outer
    }

    fn value(&mut self, text: &Text, depth: usize) -> ReadTerm {
        if depth > MAX_DEPTH {
            return ReadTerm::Nothing;
        }
        match text {
            Text::Word(word) => self.word(word),
            Text::List(list) => match &list[..] {
                [head, Text::List(bound), body] if is(Some(head), "let") => {
                    let outer = self.bind(bound, depth);
                    let value = self.value(body, depth + 1);
                    self.scope = outer;
                    value
                }
                [Text::Word(op), args @ ..] if op != "exists" && op != "forall" => {
                    let args = args.iter().map(|a| self.value(a, depth + 1)).collect();
                    self.applied(op, args).unwrap_or(ReadTerm::Nothing)
                }
                _ => ReadTerm::Nothing,
            },
        }
    }

    fn word(&mut self, word: &str) -> ReadTerm {
        match word {
            "true" => ReadTerm::Truth(self.system.pool.bool(true)),
            "false" => ReadTerm::Truth(self.system.pool.bool(false)),
            _ => match word.parse::<i64>() {
                Ok(number) => ReadTerm::Number(WordSum::number(number)),
                Err(_) => self.scope.get(word).cloned().unwrap_or(ReadTerm::Nothing),
            },
        }
    }

    fn applied(&mut self, op: &str, args: Vec<ReadTerm>) -> Option<ReadTerm> {
        match (op, &args[..]) {
            ("and" | "or", _) => {
                let known = args.iter().filter_map(truth);
                let terms: Vec<Term> = known.collect();
                if op == "or" && terms.len() < args.len() {
                    return None;
                }
                let pool = &mut self.system.pool;
                Some(ReadTerm::Truth(match op {
                    "and" => pool.and_all(terms),
                    _ => pool.or_all(terms),
                }))
            }
            ("not", [a]) => Some(ReadTerm::Truth(self.system.pool.not(truth(a)?))),
            ("=>", [a, b]) => {
                let not = self.system.pool.not(truth(a)?);
                Some(ReadTerm::Truth(self.system.pool.or(not, truth(b)?)))
            }
            ("+", _) => {
                let sums: Option<Vec<WordSum>> = args.iter().map(sum).collect();
                Some(ReadTerm::Number(sums?.into_iter().fold(WordSum::number(0), WordSum::plus)))
            }
            ("-", [a]) => Some(ReadTerm::Number(sum(a)?.times(-1))),
            ("-", [a, b]) => Some(ReadTerm::Number(sum(a)?.plus(sum(b)?.times(-1)))),
            ("*", [a, b]) => {
                let (a, b) = (sum(a)?, sum(b)?);
                let (number, other) = if a.parts.is_empty() { (a, b) } else { (b, a) };
                number.parts.is_empty().then(|| ReadTerm::Number(other.times(number.number)))
            }
            ("mod", [a, b]) => self.modulo(sum(a)?, sum(b)?),
            ("=", [ReadTerm::Truth(a), ReadTerm::Truth(b)]) => {
                Some(ReadTerm::Truth(self.system.pool.eq(*a, *b)))
            }
            ("=" | "<=" | ">=" | "<" | ">", [a, b]) => {
                let difference = sum(a)?.plus(sum(b)?.times(-1));
                self.compared(op, difference).map(ReadTerm::Truth)
            }
            _ => None,
        }
    }

    fn width(&self, sum: &WordSum) -> Option<u8> {
        sum.parts.iter().map(|(_, word)| self.system.pool.width(*word)).max()
    }

    /// As a word that wraps around, without the number.
    fn total(&mut self, sum: &WordSum, width: u8) -> Term {
        let pool = &mut self.system.pool;
        let mut total = pool.bits(0, width);
        for (factor, word) in &sum.parts {
            let word = match pool.sort(*word) {
                Sort::Bits(bits) if bits < width => pool.sign_ext(*word, width),
                _ => *word,
            };
            let factor = pool.bits(*factor as u64 & mask(width), width);
            let part = pool.binary(encoder::term::BitOp::Mul, factor, word);
            total = pool.add(total, part);
        }
        total
    }

    fn modulo(&mut self, of: WordSum, by: WordSum) -> Option<ReadTerm> {
        let by = u64::try_from(by.number).ok().filter(|n| n.is_power_of_two() && *n > 1)?;
        let width = self.width(&of)?;
        let number = self.system.pool.bits(of.number as u64 & mask(width), width);
        let total = self.total(&of, width);
        let total = self.system.pool.add(total, number);
        let bits = by.trailing_zeros() as u8;
        if bits >= width {
            return None;
        }
        let low = self.system.pool.extract(total, 0, bits);
        Some(ReadTerm::Number(WordSum::of(self.system.pool.zero_ext(low, width))))
    }

    /// A sum against zero.
    fn compared(&mut self, op: &str, sum: WordSum) -> Option<Term> {
        let width = self.width(&sum)?;
        if width == 1 {
            return None;
        }
        let total = self.total(&sum, width);
        let against = sum.number.wrapping_neg();
        if encoder::term::signed(against as u64 & mask(width), width) != against {
            return None;
        }
        let number = self.system.pool.bits(against as u64 & mask(width), width);
        let term = self.ordered(op, total, number, false);
        self.comparisons.push(term);
        if let ([(1, x), (-1, y)] | [(-1, y), (1, x)], 0) = (&sum.parts[..], sum.number) {
            if self.system.pool.width(*x) == self.system.pool.width(*y) {
                for unsigned in [false, true] {
                    let term = self.ordered(op, *x, *y, unsigned);
                    self.comparisons.push(term);
                }
            }
        }
        Some(term)
    }

    fn ordered(&mut self, op: &str, a: Term, b: Term, unsigned: bool) -> Term {
        let pool = &mut self.system.pool;
        match (op, unsigned) {
            ("<", false) => pool.slt(a, b),
            (">", false) => pool.slt(b, a),
            ("<=", false) => pool.sle(a, b),
            (">=", false) => pool.sle(b, a),
            ("<", true) => pool.ult(a, b),
            (">", true) => pool.ult(b, a),
            ("<=", true) => pool.ule(a, b),
            (">=", true) => pool.ule(b, a),
            _ => pool.eq(a, b),
        }
    }
}

fn truth(value: &ReadTerm) -> Option<Term> {
    match value {
        ReadTerm::Truth(term) => Some(*term),
        _ => None,
    }
}

fn sum(value: &ReadTerm) -> Option<WordSum> {
    match value {
        ReadTerm::Number(sum) => Some(sum.clone()),
        _ => None,
    }
}
