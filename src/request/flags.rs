//! How a file is to be read, as compilers are told: folders, macros, the standard.

use std::path::PathBuf;

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Flags {
    /// For names in quotes: `-iquote`.
    pub quote: Vec<PathBuf>,
    /// `-I`
    pub include: Vec<PathBuf>,
    /// `-isystem` and `-idirafter`
    pub system: Vec<PathBuf>,
    /// Read before the file: `-include`.
    pub first: Vec<PathBuf>,
    /// In the order of the command line: the last word about a name counts.
    pub macros: Vec<MacroFlag>,
    pub standard: Option<Standard>,
    /// `-nostdinc`: the host's headers are not wanted.
    pub no_host_headers: bool,
    /// Options that change what a program means and that are not modelled: assumptions.
    pub unmodelled: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MacroFlag {
    /// `NAME` or `NAME=VALUE`
    Define(String),
    Undefine(String),
}

/// What `-std=` names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standard {
    /// As it was written: `gnu11`.
    pub name: String,
    /// `__STDC_VERSION__`; C90 has none.
    pub version: Option<&'static str>,
    /// Without GNU's extensions of the name space.
    pub strict: bool,
}

impl std::str::FromStr for Standard {
    type Err = ();

    fn from_str(name: &str) -> Result<Standard, ()> {
        let (strict, year) = match name.strip_prefix("gnu") {
            Some(year) => (false, year),
            None => (true, name.strip_prefix("iso9899:").or(name.strip_prefix('c')).ok_or(())?),
        };
        let version = match year {
            "89" | "90" | "1990" | "199409" => None,
            "99" | "9x" | "1999" | "199x" => Some("199901L"),
            "11" | "1x" | "2011" => Some("201112L"),
            "17" | "18" | "2017" | "2018" => Some("201710L"),
            "2x" => Some("202000L"),
            "23" | "2023" | "2024" => Some("202311L"),
            _ => return Err(()),
        };
        Ok(Standard { name: name.into(), version, strict })
    }
}

impl Flags {
    /// What macros are to be set and unset, the standard's first.
    pub fn all_macros(&self) -> Vec<MacroFlag> {
        let mut all = Vec::new();
        if let Some(standard) = &self.standard {
            let define = |text: String| MacroFlag::Define(text);
            all.push(MacroFlag::Undefine("__STDC_VERSION__".into()));
            all.extend(standard.version.map(|v| define(format!("__STDC_VERSION__={v}"))));
            if standard.strict {
                all.push(define("__STRICT_ANSI__=1".into()));
                let short = ["linux", "unix", "i386"];
                all.extend(short.map(|name| MacroFlag::Undefine(name.into())));
            }
        }
        all.extend(self.macros.iter().cloned());
        all
    }
}
