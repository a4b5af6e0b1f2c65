//! Litmus tests: parallel programs of a few instructions, and which of their executions a model allows.
//!
//! ```
//! use litmus::{Limits, Verdict, parse, run};
//!
//! let sb = parse("X86 SB
//! { }
//!  P0          | P1          ;
//!  MOV [x],$1  | MOV [y],$1  ;
//!  MOV EAX,[y] | MOV EAX,[x] ;
//! exists (0:EAX=0 /\\ 1:EAX=0)").unwrap();
//!
//! let under = |name| run(&sb, &cat::Model::builtin(name).unwrap(), Limits::default()).unwrap();
//! assert_eq!(under("sc").verdict(sb.quantifier), Verdict::Forbidden);
//! assert_eq!(under("tso").verdict(sb.quantifier), Verdict::Allowed);
//! assert_eq!((under("sc").executions(), under("tso").executions()), (3, 4));
//! ```
//!
//! `format`, `state` and `asm` or `c` read a file into `ir`. `layout` divides memory into cells,
//! `trace` runs one thread for given values of its reads, `domain` finds out which values there
//! are, `execution` puts threads together, `coherence` chooses rf and co place by place, `run` asks
//! the model. `print` says it in herd7's words. The crate reads no file and knows no clock but the
//! deadline that it is given.
//!
//! - `condition.rs`: conditions over final states: `exists (0:r1=1 /\ x=2)`
//! - `error.rs`: why a test gets no answer
//! - `picture.rs`: executions with all relations that their model names, for pictures
//! - `search.rs`: the search behind `run`: rf and co place by place, pruned by the model
//! - `value.rs`: values of registers and memory: integers and addresses

mod asm;
mod c;
mod coherence;
mod condition;
mod domain;
mod error;
mod execution;
mod format;
mod ir;
mod layout;
mod picture;
mod print;
mod run;
mod search;
mod state;
mod trace;
mod value;
mod words;

pub use condition::{Item, Quantifier};
pub use error::Error;
use format::Code;
pub use ir::{Arch, Test};
pub use picture::{Forbidden, Picture, relations, sets, tags};
pub use print::{state_line, text};
pub use run::{Counted, Explanation, Limits, Outcome, Verdict, explain, pictures, run};
pub use value::Value;

/// Reads a test.
pub fn parse(text: &str) -> Result<Test, Error> {
    let raw = format::split(text)?;
    let arch = arch(&raw)?;
    let mut state = state::initial(&raw.init, arch)?;
    let threads = match &raw.code {
        Code::Table(columns) => asm::threads(&mut state, columns)?,
        Code::Functions(functions) => c::threads(&mut state, functions)?,
    };
    let register = |name: &str| match arch {
        Arch::C | Arch::Lkmm | Arch::Msg => Some(name.to_string()),
        _ => asm::register(arch, name),
    };
    let question = state::question(&raw.tail, &mut state, &register)?;
    let state::InitialState { symbols, memory, types, .. } = state;
    let named = |(t, name, kind): (usize, String, _)| Some((t, register(&name)?, kind));
    let types = types.into_iter().filter_map(named).collect();
    let state::FinalQuestion { shown, filter, quantifier, condition, text } = question;
    let name = raw.name;
    let condition_text = text;
    Ok(Test {
        arch,
        name,
        symbols,
        memory,
        threads,
        shown,
        types,
        filter,
        quantifier,
        condition,
        condition_text,
    })
}

fn arch(raw: &format::RawTest) -> Result<Arch, Error> {
    if let ("C", Code::Functions(functions)) = (raw.arch.as_str(), &raw.code) {
        return Ok(c::dialect(functions));
    }
    Ok(match raw.arch.as_str() {
        "X86" => Arch::X86,
        "X86_64" => Arch::X86_64,
        "BPF" => Arch::Bpf,
        "AArch64" => Arch::AArch64,
        "ARM" => Arch::Arm,
        "PPC" => Arch::Ppc,
        "RISCV" => Arch::RiscV,
        "MIPS" => Arch::Mips,
        "MSG" => Arch::Msg,
        other => return Err(Error::new(1, format!("the format `{other}` is not supported"))),
    })
}
