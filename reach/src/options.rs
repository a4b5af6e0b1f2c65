//! How a proof is looked for, as plain data with the words of the command line.

use crate::coi::Coi;
use crate::graph::Search;
use crate::por::Por;
use std::str::FromStr;

/// How states are abstracted.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Abstraction {
    /// By values of tracked cells.
    Explicit,
    /// By values and predicates.
    #[default]
    Predicates,
}

/// Which states need not be expanded.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Cover {
    /// Those that equal an older one.
    Off,
    /// Those that an older one covers.
    #[default]
    Subsume,
}

#[derive(Clone, Debug, Default)]
pub struct Options {
    pub domain: Abstraction,
    pub por: Por,
    pub coi: Coi,
    pub cover: Cover,
    pub search: Search,
}

macro_rules! words {
    ($name:ident: $($word:literal => $value:ident),*) => {
        impl FromStr for $name {
            type Err = String;

            fn from_str(word: &str) -> Result<$name, String> {
                match word {
                    $($word => Ok($name::$value),)*
                    _ => Err(format!("one of {}", [$($word),*].join(", "))),
                }
            }
        }
    };
}

words!(Abstraction: "explicit" => Explicit, "predicates" => Predicates);
words!(Por: "off" => Off, "local" => Local, "static" => Static, "aware" => Aware, "quasi" => Quasi);
words!(Coi: "off" => Off, "static" => Static, "dynamic" => Dynamic);
words!(Cover: "off" => Off, "subsume" => Subsume);
words!(Search: "bfs" => Breadth, "dfs" => Depth);
