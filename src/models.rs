//! Memory models by name or from a file, for C programs.

use crate::report::diagnostic::Diagnostic;
use crate::request::{MemoryModelChoice, ModelChoice};
use solver::weak::Model;
use solver::weak::target::Target;
use std::sync::Arc;

/// What a C program's atomics become under a model in a file.
const OF_FILES: Target = Target::C11;

/// Reads a model. Gives: why it cannot be read.
pub fn load(choice: &MemoryModelChoice) -> Result<Arc<Model>, Diagnostic> {
    let (name, cat, target) = match &choice.model {
        ModelChoice::Builtin(name) => {
            let cat = cat::Model::builtin(name).ok_or_else(|| unknown(name))?;
            (name.clone(), cat, Target::of_model(name))
        }
        ModelChoice::File(path) => {
            let cat = cat::Model::read(path).map_err(unreadable)?;
            if cat.computes_dependencies() {
                let path = path.display();
                let what =
                    format!("{path}: a model with `catdep` is one for litmus tests, not for C");
                let hint = "it computes dependencies from the registers of AArch64's instructions";
                return Err(Diagnostic::new(what).hint(hint));
            }
            (path.display().to_string(), cat, None)
        }
        ModelChoice::ByArchitecture => {
            return Err(Diagnostic::new("C programs have no model of their own"));
        }
    };
    let target = choice.target.or(target).unwrap_or(OF_FILES);
    Ok(Arc::new(Model { name, cat: Arc::new(cat), target }))
}

fn unknown(name: &str) -> Diagnostic {
    Diagnostic::new(format!("no model is called {name}"))
}

/// As the model's error says it, with the line that it is about.
fn unreadable(error: cat::Error) -> Diagnostic {
    let (line, column) = (error.line as u32, error.column as u32);
    let found = match error.line {
        0 => Diagnostic::new(format!("{}: {}", error.file, error.message)),
        _ => Diagnostic::new(error.message).at(&error.file, line, column),
    };
    match error.hint {
        Some(hint) => found.hint(hint),
        None => found,
    }
}
