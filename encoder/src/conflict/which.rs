//! Which structures are looked for: `on`, `off`, or a list of names.

use ir::memory_model::{Guarantee, MemoryModel};
use std::fmt;
use std::str::FromStr;

/// The shape of a conflict. See `conflict` for what each one is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Structure {
    Overwrite,
    Rmw,
    RfRf,
    Ws,
    Fr,
}

impl Structure {
    pub const ALL: [Structure; 5] =
        [Structure::Overwrite, Structure::Rmw, Structure::RfRf, Structure::Ws, Structure::Fr];

    pub fn name(self) -> &'static str {
        match self {
            Structure::Overwrite => "overwrite",
            Structure::Rmw => "rmw",
            Structure::RfRf => "rf-rf",
            Structure::Ws => "ws",
            Structure::Fr => "fr",
        }
    }

    /// What its cycles are made of.
    pub fn assumes(self) -> &'static [Guarantee] {
        match self {
            Structure::Rmw => {
                &[Guarantee::ProgramOrder, Guarantee::Coherence, Guarantee::Atomicity]
            }
            Structure::Overwrite | Structure::RfRf | Structure::Ws | Structure::Fr => {
                &[Guarantee::ProgramOrder, Guarantee::Coherence]
            }
        }
    }
}

/// A set of structures.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Which(u8);

impl Default for Which {
    fn default() -> Which {
        Which::only(&Structure::ALL)
    }
}

impl Which {
    pub fn none() -> Which {
        Which(0)
    }

    pub fn only(structures: &[Structure]) -> Which {
        Which(structures.iter().fold(0, |set, &s| set | 1 << s as u8))
    }

    /// Those of them that hold under a memory model.
    pub fn under(self, model: MemoryModel) -> Which {
        let right = |s: &Structure| self.has(*s) && model.allows(s.assumes());
        Which::only(&Structure::ALL.into_iter().filter(right).collect::<Vec<_>>())
    }

    pub fn has(self, structure: Structure) -> bool {
        self.0 >> structure as u8 & 1 == 1
    }

    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Debug for Which {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(Structure::ALL.iter().filter(|&&s| self.has(s))).finish()
    }
}

impl FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Which, String> {
        match text {
            "on" => return Ok(Which::default()),
            "off" => return Ok(Which::none()),
            _ => {}
        }
        let structure = |name: &str| {
            Structure::ALL.into_iter().find(|s| s.name() == name).ok_or_else(|| {
                let names = Structure::ALL.map(Structure::name).join(", ");
                format!("'{name}' is no structure of conflicts: on, off, or a list of {names}")
            })
        };
        Ok(Which::only(&text.split(',').map(structure).collect::<Result<Vec<_>, _>>()?))
    }
}
