//! Memory models by name or from a file, for C programs.

use crate::request::{MemoryModelChoice, ModelChoice};
use solver::weak::Model;
use solver::weak::target::Target;
use std::sync::Arc;

/// What a C program's atomics become under a model in a file.
const OF_FILES: Target = Target::C11;

/// Reads a model. Gives: why it cannot be read.
pub fn load(choice: &MemoryModelChoice) -> Result<Arc<Model>, String> {
    let (name, cat, target) = match &choice.model {
        ModelChoice::Builtin(name) => {
            let cat =
                cat::Model::builtin(name).ok_or_else(|| format!("no model is called {name}"))?;
            (name.clone(), cat, Target::of_model(name))
        }
        ModelChoice::File(path) => {
            let cat = cat::Model::read(path).map_err(|error| error.to_string())?;
            if cat.computes_dependencies() {
                return Err(format!(
                    "{}: a model that computes dependencies from registers (`catdep`) is one for \
                     litmus tests of AArch64, not for C",
                    path.display()
                ));
            }
            (path.display().to_string(), cat, None)
        }
        ModelChoice::ByArchitecture => return Err("C programs have no model of their own".into()),
    };
    let target = choice.target.or(target).unwrap_or(OF_FILES);
    Ok(Arc::new(Model { name, cat: Arc::new(cat), target }))
}
