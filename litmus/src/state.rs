//! Initial states and final conditions: names become symbols and registers.

use crate::condition::{Compare, Condition, Item, Operand, Quantifier};
use crate::error::Error;
use crate::format::Piece;
use crate::ir::{self, Arch, NamedCell};
use crate::value::{Location, Value};
use crate::words::{Word, Words};

/// Elements of an array.
const MAX_LENGTH: i64 = 1024;
/// Nesting of conditions.
const MAX_DEPTH: usize = 200;

/// A symbolic register (`%x`) belongs to the threads that use it.
pub(crate) const EVERY_THREAD: usize = usize::MAX;

/// Shared variables and initial values, as they are found.
#[derive(Clone, Debug)]
pub struct InitialState {
    pub arch: Arch,
    pub symbols: Vec<NamedCell>,
    pub memory: Vec<(Location, Value)>,
    /// Thread, register, value and the type it was declared with.
    pub registers: Vec<(usize, String, Option<Value>)>,
    /// Registers that were declared with a type.
    pub types: Vec<(usize, String, ir::Type)>,
}

/// The initial state of a test.
pub fn initial(piece: &Piece, arch: Arch) -> Result<InitialState, Error> {
    let mut state = InitialState {
        arch,
        symbols: Vec::new(),
        memory: Vec::new(),
        registers: Vec::new(),
        types: Vec::new(),
    };
    let mut words = Words::new(&piece.text, piece.line)?;
    while !words.is_done() {
        if words.eat(";") || words.eat(",") {
            continue;
        }
        state.declaration(&mut words)?;
        if !words.is_done() && !words.eat(",") {
            words.want(";")?;
        }
    }
    Ok(state)
}

#[derive(Clone, Copy, Default)]
struct DeclaredType {
    bytes: Option<u8>,
    unsigned: bool,
    atomic: Option<bool>,
}

impl InitialState {
    /// The location of a variable; a new one if it has no name yet.
    pub fn symbol(&mut self, name: &str) -> Location {
        let known = self.symbols.iter().position(|s| s.name == name);
        let symbol = known.unwrap_or_else(|| {
            let name = name.to_string();
            let (bytes, signed, array, atomic) = (0, true, false, None);
            self.symbols.push(NamedCell { name, bytes, signed, array, atomic });
            self.symbols.len() - 1
        });
        let location = Location { symbol: symbol as u32, offset: 0 };
        if !self.memory.iter().any(|(l, _)| *l == location) {
            self.memory.push((location, Value::ZERO));
        }
        location
    }

    fn element(&self, location: Location, index: i64) -> Location {
        let bytes = match self.symbols[location.symbol as usize].bytes {
            0 => 4,
            bytes => i64::from(bytes),
        };
        Location { offset: location.offset.wrapping_add(index.wrapping_mul(bytes)), ..location }
    }

    fn store(&mut self, location: Location, value: Value) {
        match self.memory.iter_mut().find(|(l, _)| *l == location) {
            Some(entry) => entry.1 = value,
            None => self.memory.push((location, value)),
        }
    }

    fn declaration(&mut self, words: &mut Words) -> Result<(), Error> {
        let mut declared = type_of(words);
        if words.eat("*") {
            declared.bytes = Some(8);
            while words.eat("*") {}
        }
        if let Some(thread) = thread_prefix(words)? {
            return self.register(words, thread, declared);
        }
        let bracketed = words.eat("[");
        let name = match words.peek() {
            // x86 and others name symbolic registers so.
            Some(Word::Name(name)) if name.starts_with('%') => {
                return self.register(words, EVERY_THREAD, declared);
            }
            _ => words.name()?,
        };
        if bracketed {
            words.want("]")?;
        }
        let location = self.symbol(&name);
        self.declare(location, declared);
        if words.eat("[") {
            let length = words.number()?;
            words.want("]")?;
            if !(0..=MAX_LENGTH).contains(&length) {
                return Err(Error::new(words.line(), "an array of this length is not supported"));
            }
            if words.is_sign("=") && !matches!(words.peek_at(1), Some(Word::Sign("{"))) {
                // x[1]=2: an element, not an array.
                words.want("=")?;
                let value = self.value(words)?;
                let element = self.element(location, length);
                self.store(element, value);
                return Ok(());
            }
            self.symbols[location.symbol as usize].array = true;
            for i in 0..length {
                let element = self.element(location, i);
                self.store(element, Value::ZERO);
            }
        }
        if words.eat("=") {
            if words.eat("{") {
                return self.elements(words, location);
            }
            let value = self.value(words)?;
            let value = declared.bytes.map_or(value, |bytes| value.truncate(bytes));
            self.store(location, value);
        }
        Ok(())
    }

    fn elements(&mut self, words: &mut Words, location: Location) -> Result<(), Error> {
        let mut index = 0;
        while !words.eat("}") {
            let value = self.value(words)?;
            let element = self.element(location, index);
            self.store(element, value);
            index += 1;
            if !words.is_sign("}") {
                words.want(",")?;
            }
        }
        Ok(())
    }

    fn declare(&mut self, location: Location, declared: DeclaredType) {
        let symbol = &mut self.symbols[location.symbol as usize];
        if let Some(bytes) = declared.bytes {
            symbol.bytes = bytes;
            symbol.signed = !declared.unsigned;
        }
        if declared.atomic.is_some() {
            symbol.atomic = declared.atomic;
        }
    }

    fn register(
        &mut self,
        words: &mut Words,
        thread: usize,
        declared: DeclaredType,
    ) -> Result<(), Error> {
        let name = words.name()?;
        if words.is_sign("[") {
            return Err(Error::new(words.line(), "arrays of registers are not supported"));
        }
        let value = if words.eat("=") { Some(self.value(words)?) } else { None };
        if let Some(bytes) = declared.bytes {
            let signed = !declared.unsigned;
            self.types.push((thread, name.clone(), ir::Type { bytes, signed }));
        }
        self.registers.push((thread, name, value));
        Ok(())
    }

    /// A number or an address.
    fn value(&mut self, words: &mut Words) -> Result<Value, Error> {
        if words.eat("(") {
            // A cast, or brackets.
            let declared = type_of(words);
            while words.eat("*") {}
            if declared.bytes.is_none() {
                let value = self.value(words)?;
                words.want(")")?;
                return Ok(value);
            }
            words.want(")")?;
            return self.value(words);
        }
        if words.eat_name("ATOMIC_INIT") {
            return self.value(words);
        }
        words.eat("&");
        match words.peek() {
            Some(Word::Name(_)) => {
                let name = words.name()?;
                let location = self.symbol(&name);
                let mut offset = 0;
                if words.eat("[") {
                    offset = self.element(location, words.number()?).offset;
                    words.want("]")?;
                }
                if words.eat("+") {
                    offset = offset.wrapping_add(words.number()?);
                }
                Ok(Value::Address(Location { offset, ..location }))
            }
            _ => Ok(Value::Int(words.number()?)),
        }
    }
}

/// The words of a type, `int` or `atomic_int` or `volatile unsigned long`.
fn type_of(words: &mut Words) -> DeclaredType {
    let mut found = DeclaredType::default();
    loop {
        // A name of a type is followed by another name, by `*`, or by a thread.
        let follows = matches!(
            words.peek_at(1),
            Some(Word::Name(_) | Word::Number(_) | Word::Sign("*" | ")" | "["))
        );
        let Some(Word::Name(name)) = words.peek() else { return found };
        let (bytes, unsigned, atomic) = match name.as_str() {
            "volatile" | "const" | "struct" | "__rcu" => (None, false, None),
            "unsigned" => (Some(found.bytes.unwrap_or(4)), true, None),
            "signed" | "int" | "int32_t" => (Some(found.bytes.unwrap_or(4)), false, Some(false)),
            "char" | "int8_t" => (Some(1), false, Some(false)),
            "uint8_t" => (Some(1), true, Some(false)),
            "short" | "int16_t" => (Some(2), false, Some(false)),
            "uint16_t" => (Some(2), true, Some(false)),
            "uint32_t" | "u32" => (Some(4), true, Some(false)),
            "long" | "int64_t" | "intptr_t" | "__int128" => (Some(8), false, Some(false)),
            "uint64_t" | "u64" | "uintptr_t" => (Some(8), true, Some(false)),
            "atomic_int" => (Some(4), false, Some(true)),
            "atomic_long" | "atomic_llong" => (Some(8), false, Some(true)),
            "atomic_t" | "spinlock_t" | "_Atomic" => (Some(4), false, Some(true)),
            "srcu_struct" => (Some(4), false, None),
            "pteval_t" | "instr_t" | "uint128_t" | "int128_t" => return found,
            _ => return found,
        };
        if !follows {
            return found;
        }
        found.bytes = bytes.or(found.bytes);
        found.unsigned |= unsigned;
        found.atomic = match (found.atomic, atomic) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (a, b) => b.or(a),
        };
        words.next();
    }
}

/// `0:` or `P0:`.
fn thread_prefix(words: &mut Words) -> Result<Option<usize>, Error> {
    let thread = match (words.peek(), words.peek_at(1)) {
        (Some(Word::Number(n)), Some(Word::Sign(":"))) => usize::try_from(*n).ok(),
        (Some(Word::Name(name)), Some(Word::Sign(":"))) => {
            name.strip_prefix('P').and_then(|n| n.parse().ok())
        }
        _ => return Ok(None),
    };
    match thread {
        Some(thread) => {
            words.next();
            words.next();
            Ok(Some(thread))
        }
        None => Err(words.unexpected("a thread's number")),
    }
}

/// What a test asks.
#[derive(Debug)]
pub struct FinalQuestion {
    pub shown: Vec<Item>,
    pub filter: Option<Condition>,
    pub quantifier: Quantifier,
    pub condition: Condition,
    pub text: String,
}

/// Needs: `register` gives the canonical name of a register of the architecture, if there is one.
pub fn question(
    piece: &Piece,
    state: &mut InitialState,
    register: &dyn Fn(&str) -> Option<String>,
) -> Result<FinalQuestion, Error> {
    let mut words = Words::new(&strip_strings(&piece.text), piece.line)?;
    let mut reader = StateReader { state, register, depth: 0 };
    let mut question = FinalQuestion {
        shown: Vec::new(),
        filter: None,
        quantifier: Quantifier::None,
        condition: Condition::True,
        text: String::new(),
    };
    while !words.is_done() {
        if words.eat_name("locations") {
            words.want("[")?;
            while !words.eat("]") {
                if words.eat(";") || words.eat(",") {
                    continue;
                }
                type_of(&mut words);
                let item = reader.item(&mut words)?;
                question.shown.push(item);
            }
        } else if words.eat_name("filter") {
            question.filter = Some(reader.condition(&mut words)?);
        } else if words.eat_name("regions") {
            let ends = |w: &Word| matches!(w, Word::Name(n) if ["exists", "forall", "locations"].contains(&n.as_str()));
            while words.peek().is_some_and(|w| !ends(w) && *w != Word::Sign("~")) {
                words.next();
            }
        } else if words.eat_name("final") {
            // Old files: `final (cond); with default: exists;`
            question.quantifier = Quantifier::Exists;
            question.condition = reader.condition(&mut words)?;
            question.text = text_after(&piece.text, "final");
            break;
        } else {
            let negated = words.eat("~") || words.eat_name("not");
            question.quantifier = match words.next() {
                Some(Word::Name(name)) if name == "exists" && negated => Quantifier::NotExists,
                Some(Word::Name(name)) if name == "exists" => Quantifier::Exists,
                Some(Word::Name(name)) if name == "forall" && !negated => Quantifier::ForAll,
                _ => return Err(words.unexpected("`exists`, `~exists` or `forall`")),
            };
            question.condition = reader.condition(&mut words)?;
            let word = if question.quantifier == Quantifier::ForAll { "forall" } else { "exists" };
            question.text = text_after(&piece.text, word);
            break;
        }
    }
    Ok(question)
}

fn strip_strings(text: &str) -> String {
    text.replace('"', " ")
}

fn text_after(text: &str, word: &str) -> String {
    let rest = text.find(word).map_or("", |i| &text[i + word.len()..]);
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

struct StateReader<'a> {
    state: &'a mut InitialState,
    register: &'a dyn Fn(&str) -> Option<String>,
    depth: usize,
}

impl StateReader<'_> {
    fn condition(&mut self, words: &mut Words) -> Result<Condition, Error> {
        let mut left = self.conjunction(words)?;
        while words.eat("\\/") || words.eat("||") {
            left = Condition::Or(Box::new(left), Box::new(self.conjunction(words)?));
        }
        Ok(left)
    }

    fn conjunction(&mut self, words: &mut Words) -> Result<Condition, Error> {
        let mut left = self.atom(words)?;
        while words.eat("/\\") || words.eat("&&") {
            left = Condition::And(Box::new(left), Box::new(self.atom(words)?));
        }
        Ok(left)
    }

    fn atom(&mut self, words: &mut Words) -> Result<Condition, Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::new(words.line(), "this condition is nested too deeply"));
        }
        let atom = self.atom_here(words);
        self.depth -= 1;
        atom
    }

    fn atom_here(&mut self, words: &mut Words) -> Result<Condition, Error> {
        if words.eat("~") || words.eat("!") || words.eat_name("not") {
            return Ok(Condition::Not(Box::new(self.atom(words)?)));
        }
        if words.eat_name("true") {
            return Ok(Condition::True);
        }
        if words.eat_name("false") {
            return Ok(Condition::False);
        }
        if words.eat("(") {
            let inner = self.condition(words)?;
            words.want(")")?;
            return Ok(inner);
        }
        let left = self.operand(words, true)?;
        let op = match words.next() {
            Some(Word::Sign("=" | "==")) => Compare::Eq,
            Some(Word::Sign("!=")) => Compare::Ne,
            Some(Word::Sign("<")) => Compare::Lt,
            Some(Word::Sign("<=")) => Compare::Le,
            Some(Word::Sign(">")) => Compare::Gt,
            Some(Word::Sign(">=")) => Compare::Ge,
            _ => return Err(words.unexpected("a comparison")),
        };
        let right = self.operand(words, false)?;
        Ok(Condition::Compare(op, left, right))
    }

    /// On the left of a comparison a name is a variable, on the right its address.
    fn operand(&mut self, words: &mut Words, left: bool) -> Result<Operand, Error> {
        let is_item = match (words.peek(), words.peek_at(1)) {
            (Some(Word::Number(_) | Word::Name(_)), Some(Word::Sign(":"))) => true,
            (Some(Word::Sign("[" | "*")), _) => true,
            (Some(Word::Name(_)), _) => left,
            _ => false,
        };
        if is_item {
            return self.item(words).map(Operand::Item);
        }
        self.state.value(words).map(Operand::Value)
    }

    fn item(&mut self, words: &mut Words) -> Result<Item, Error> {
        if let Some(thread) = thread_prefix(words)? {
            let line = words.line();
            let name = words.name()?;
            let Some(name) = (self.register)(&name) else {
                return Err(Error::new(line, format!("`{name}` is not a register")));
            };
            return Ok(Item::Register(thread, name));
        }
        let bracketed = words.eat("[");
        let starred = !bracketed && words.eat("*");
        let name = words.name()?;
        let mut location = self.state.symbol(&name);
        let indexed = words.eat("[");
        if indexed {
            location = self.state.element(location, words.number()?);
            words.want("]")?;
        } else if self.state.symbols[location.symbol as usize].array {
            return Err(Error::new(
                words.line(),
                format!("the array {name} as a whole is not supported"),
            ));
        }
        if bracketed {
            words.want("]")?;
        }
        let _ = starred;
        Ok(Item::Memory(location))
    }
}
