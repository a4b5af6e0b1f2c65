//! `obmc show`: what was understood of a program.

use crate::options::{LoopBound, Show};
use crate::report::Failure;
use crate::report::diagnostic::{Diagnostic, Place};
use frontend::ir::Program;
use std::fmt::Write;

pub fn render(program: &Program, show: &Show) -> Result<String, Failure> {
    let mut text = String::new();
    if show.ir {
        text.push_str(&crate::seam::print(program));
    }
    if show.loops {
        loops(&mut text, program);
    }
    if show.threads {
        threads(&mut text, program);
    }
    if let Some(path) = &show.cfg {
        std::fs::write(path, crate::seam::dot(program)).map_err(|e| {
            Failure::Input(Diagnostic::new(format!("cannot write {}: {e}", path.display())))
        })?;
    }
    Ok(text)
}

/// Every name in `--unwindset` must be a loop's.
pub fn know_loops(program: &Program, bounds: &[LoopBound]) -> Result<(), Failure> {
    let loops = crate::seam::loops(program);
    match bounds.iter().find(|b| loops.iter().all(|l| l.name != b.name)) {
        None => Ok(()),
        Some(b) => Err(Failure::Usage(format!(
            "--unwindset: there is no loop {} (--show-loops lists them)",
            b.name
        ))),
    }
}

fn loops(text: &mut String, program: &Program) {
    for info in crate::seam::loops(program) {
        let place = Place::of(info.span, &program.files);
        let place = place.map_or(String::new(), |p| p.to_string());
        let _ = writeln!(text, "{:24}  {place}", info.name);
    }
}

fn threads(_text: &mut String, _program: &Program) {}
