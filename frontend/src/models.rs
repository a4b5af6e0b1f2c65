//! The library models: which C file of `models` defines which function.
//!
//! A model is C text that our own front-end compiles when the program refers to a function without
//! a body that a model defines. Models may call each other, and they speak to the IR through the
//! `__obmc_` intrinsics that lowering knows. They are already preprocessed: no directives.
//!
//! Invariant: `defines` is what the text defines with external linkage, and no two models define
//! the same function (both tested).

pub struct Model {
    /// The file's name in `models`.
    pub file: &'static str,
    pub text: &'static str,
    pub defines: &'static [&'static str],
}

/// The model that defines `function`, if there is one.
pub fn model_of(function: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.defines.contains(&function))
}

macro_rules! model {
    ($file:literal, $($function:literal),+ $(,)?) => {
        Model {
            file: $file,
            text: include_str!(concat!("../models/", $file)),
            defines: &[$($function),+],
        }
    };
}

pub const MODELS: &[Model] = &[
    model!(
        "mutex.c",
        "pthread_mutex_lock",
        "pthread_mutex_trylock",
        "pthread_mutex_timedlock",
        "pthread_mutex_clocklock",
        "pthread_mutex_unlock",
        "pthread_mutex_init",
        "pthread_mutex_destroy",
        "pthread_mutex_consistent",
    ),
    model!(
        "thread.c",
        "__obmc_start_thread",
        "pthread_create",
        "pthread_exit",
        "pthread_join",
        "pthread_tryjoin_np",
        "pthread_timedjoin_np",
        "pthread_clockjoin_np",
        "pthread_detach",
        "pthread_self",
        "pthread_equal",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The functions that `text` defines with external linkage. Our models put a definition's brace
    /// alone on a line and indent what continues a line, so no parser is needed.
    fn defined_functions(text: &str) -> Vec<&str> {
        let lines: Vec<&str> = text.lines().collect();
        let head_of = |brace: usize| {
            lines[..brace].iter().rev().find(|line| line.starts_with(|c: char| !c.is_whitespace()))
        };
        (0..lines.len())
            .filter(|&i| lines[i] == "{")
            .filter_map(head_of)
            .filter(|head| !head.starts_with("static "))
            .filter_map(|head| head.split_once('('))
            .filter_map(|(before, _)| before.rsplit([' ', '*']).next())
            .collect()
    }

    #[test]
    fn lists_are_what_the_files_define() {
        for model in MODELS {
            assert_eq!(defined_functions(model.text), model.defines, "{}", model.file);
        }
    }

    #[test]
    fn no_function_has_two_models() {
        let mut seen = BTreeSet::new();
        for name in MODELS.iter().flat_map(|model| model.defines) {
            assert!(seen.insert(name), "{name} is defined twice");
        }
    }

    #[test]
    fn every_file_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/models");
        let on_disk: BTreeSet<String> = std::fs::read_dir(folder)
            .expect("models is a folder of this crate")
            .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
            .collect();
        let listed: BTreeSet<String> = MODELS.iter().map(|model| model.file.to_string()).collect();
        assert_eq!(on_disk, listed);
    }

    #[test]
    fn models_need_no_preprocessor() {
        for model in MODELS {
            let directive = model.text.lines().find(|line| line.trim_start().starts_with('#'));
            assert_eq!(directive, None, "{}", model.file);
        }
    }

    #[test]
    fn finds_a_model_by_function() {
        assert_eq!(model_of("pthread_mutex_lock").map(|model| model.file), Some("mutex.c"));
        assert!(model_of("no_such_function").is_none());
    }
}
