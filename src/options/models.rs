//! Memory models that were asked for, and properties that they have answers for.

use super::{CheckArgs, usage};
use crate::beside;
use crate::contract::{MemoryModel, Property};
use crate::portfolio::table;
use crate::request::{MemoryModelChoice, ModelAsked, ModelChoice};
use crate::specification::Properties;
use solver::weak::target::Target;

/// Every property that an engine knows under these models.
pub fn all_known(models: &[ModelAsked]) -> Properties {
    let known = |property: Property, model: &ModelAsked| {
        table::knows(property, model.kind()) && is_answered(property, model)
    };
    let all = Property::ALL.into_iter();
    all.filter(|property| models.iter().all(|model| known(*property, model))).collect()
}

/// Not every model in cat says enough for every property (`bmc::weak::not_asked`): who names one is told
/// so, but it is not asked by default.
fn is_answered(property: Property, model: &ModelAsked) -> bool {
    let ModelAsked::InCat(MemoryModelChoice { model, target }) = model else { return true };
    let ModelChoice::Builtin(name) = model else {
        return !matches!(property, Property::ValidMemsafety | Property::NoDeadlock);
    };
    let Some(target) = target.or(Target::of_model(name)) else { return false };
    let settles = solver::weak::settles(name, target);
    match property {
        Property::NoDeadlock => settles,
        Property::ValidMemsafety => settles && target.has_undefined_races(),
        _ => true,
    }
}

/// Models that need functions of their own.
pub const NOT_YET: &[&str] = &["vmm"];

/// Is there a table for it?
pub fn is_for_c(model: &&str) -> bool {
    Target::of_model(model).is_some() && !NOT_YET.contains(model) && *model != "sc"
}

/// From the weakest that were asked for to the strongest.
const BY_STRENGTH: &[&str] =
    &["lkmm", "power", "riscv", "armv8", "imm", "c11", "rc11", "pso", "tso", "wsc", "sc"];

pub fn models(args: &CheckArgs) -> Result<Vec<ModelAsked>, clap::Error> {
    let target = args.target.as_deref().and_then(Target::named);
    if let Some(path) = &args.cat {
        let model = ModelChoice::File(path.clone());
        return Ok(vec![ModelAsked::InCat(MemoryModelChoice { model, target })]);
    }
    let mut names: Vec<&str> = args.mm.iter().map(String::as_str).collect();
    if names.is_empty() {
        names.push(MemoryModel::Sc.name());
    }
    names.sort_by_key(|name| BY_STRENGTH.iter().position(|known| known == name));
    names.dedup();
    let asked = |name: &str| match MemoryModel::named(name) {
        Some(_) if target.is_some() => Err(usage(format!("--target does not go with --mm {name}"))),
        Some(model) => Ok(ModelAsked::Ours(model)),
        None => {
            let model = ModelChoice::Builtin(name.to_string());
            Ok(ModelAsked::InCat(MemoryModelChoice { model, target }))
        }
    };
    names.into_iter().map(asked).collect()
}

/// C's own model, if no other one is named and an engine is asked that knows it.
pub fn beside(args: &CheckArgs) -> Option<ModelAsked> {
    let engine = args.engine.as_deref().and_then(table::named);
    let weak = engine.is_none_or(|row| row.name == table::BMC.name);
    let free = args.mm.is_empty() && args.cat.is_none() && args.target.is_none();
    (weak && free).then(beside::model)
}
