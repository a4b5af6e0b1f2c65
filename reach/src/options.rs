//! How a proof is looked for, as plain data with the words of the command line.

use crate::coi::Coi;
use crate::graph::SearchOrder;
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
    /// By values, and by intervals of cells that have too many.
    Intervals,
    /// By nothing but threads and lifetimes: the rest is left to labels.
    None,
}

/// When states are refined.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Labels {
    /// All of them, by a precision for the whole program.
    #[default]
    Eager,
    /// Those on paths to errors (Impact).
    Lazy,
}

/// How a path that is none is refuted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refiner {
    /// By shapes that hold on it, over unsat cores.
    Newton,
    /// By weakest preconditions.
    Wp,
    /// First of all the strongest invariant made of shapes; by shapes on paths, if that is no proof.
    Houdini,
    /// As `Houdini`, with what solves the program's Horn clauses over integers for shapes.
    Chc,
}

/// Which states need not be expanded.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Cover {
    /// Those that equal an older one.
    Off,
    /// Those that an older one covers.
    #[default]
    Subsume,
    /// Those, too, that an older one covers once labels are strengthened.
    Force,
}

#[derive(Clone, Debug)]
pub struct Options {
    pub domain: Abstraction,
    pub labels: Labels,
    pub refine: Refiner,
    pub por: Por,
    pub coi: Coi,
    pub cover: Cover,
    pub search: SearchOrder,
}

impl Default for Options {
    fn default() -> Options {
        Options::eager()
    }
}

impl Options {
    pub fn eager() -> Options {
        Options {
            domain: Abstraction::Predicates,
            labels: Labels::Eager,
            refine: Refiner::Newton,
            por: Por::Aware,
            coi: Coi::Dynamic,
            cover: Cover::Subsume,
            search: SearchOrder::Breadth,
        }
    }

    pub fn lazy() -> Options {
        Options {
            domain: Abstraction::Explicit,
            labels: Labels::Lazy,
            refine: Refiner::Newton,
            por: Por::Monotonic,
            coi: Coi::Static,
            cover: Cover::Force,
            search: SearchOrder::Breadth,
        }
    }
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

words!(Abstraction: "explicit" => Explicit, "predicates" => Predicates,
       "intervals" => Intervals, "none" => None);
words!(Labels: "eager" => Eager, "lazy" => Lazy);
words!(Refiner: "newton" => Newton, "wp" => Wp, "houdini" => Houdini, "chc" => Chc);
words!(Por: "off" => Off, "local" => Local, "static" => Static, "aware" => Aware,
       "monotonic" => Monotonic, "conditional" => Conditional,
       "quasi" => Quasi);
words!(Coi: "off" => Off, "static" => Static, "dynamic" => Dynamic);
words!(Cover: "off" => Off, "subsume" => Subsume, "force" => Force);
words!(SearchOrder: "bfs" => Breadth, "dfs" => Depth);
