//! Which rules are in force: `on`, `off`, or a list of names.

use ir::memory_model::{Guarantee, MemoryModel};
use std::fmt;
use std::str::FromStr;

/// A rule that can be switched off. See `prune` for what each one does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    Order,
    Overwrite,
    Exclusive,
    Value,
    Forward,
    Sum,
    Cone,
}

impl Rule {
    pub const ALL: [Rule; 7] = [
        Rule::Order,
        Rule::Overwrite,
        Rule::Exclusive,
        Rule::Value,
        Rule::Forward,
        Rule::Sum,
        Rule::Cone,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Rule::Order => "order",
            Rule::Overwrite => "overwrite",
            Rule::Exclusive => "exclusive",
            Rule::Value => "value",
            Rule::Forward => "forward",
            Rule::Sum => "sum",
            Rule::Cone => "cone",
        }
    }

    /// `settle` is what `forward` was called before.
    fn is_called(self, name: &str) -> bool {
        self.name() == name || (self == Rule::Forward && name == "settle")
    }

    /// What its argument rests on.
    pub fn assumes(self) -> &'static [Guarantee] {
        match self {
            Rule::Exclusive | Rule::Value | Rule::Cone => &[],
            Rule::Order | Rule::Overwrite | Rule::Forward => {
                &[Guarantee::ProgramOrder, Guarantee::Coherence]
            }
            Rule::Sum => &[Guarantee::Linearization],
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A set of rules.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Options(u8);

impl Default for Options {
    fn default() -> Options {
        Options::only(&Rule::ALL)
    }
}

impl Options {
    /// All pairs stay.
    pub fn none() -> Options {
        Options(0)
    }

    pub fn only(rules: &[Rule]) -> Options {
        Options(rules.iter().fold(0, |set, rule| set | rule.bit()))
    }

    pub fn without(self, rule: Rule) -> Options {
        Options(self.0 & !rule.bit())
    }

    /// Those of them that hold under a memory model.
    pub fn under(self, model: MemoryModel) -> Options {
        let wrong = Rule::ALL.into_iter().filter(|rule| !model.allows(rule.assumes()));
        wrong.fold(self, Options::without)
    }

    pub fn has(self, rule: Rule) -> bool {
        self.0 & rule.bit() != 0
    }

    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(Rule::ALL.iter().filter(|&&rule| self.has(rule))).finish()
    }
}

impl FromStr for Options {
    type Err = String;

    fn from_str(text: &str) -> Result<Options, String> {
        match text {
            "on" => return Ok(Options::default()),
            "off" => return Ok(Options::none()),
            _ => {}
        }
        let rule = |name: &str| {
            Rule::ALL.into_iter().find(|rule| rule.is_called(name)).ok_or_else(|| {
                let names = Rule::ALL.map(Rule::name).join(", ");
                format!("'{name}' is no pruning rule: on, off, or a list of {names}")
            })
        };
        Ok(Options::only(&text.split(',').map(rule).collect::<Result<Vec<_>, _>>()?))
    }
}
