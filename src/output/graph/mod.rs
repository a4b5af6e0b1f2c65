//! `--graph FILE`: the execution as a picture. The ending of the file says which.
//!
//! `model` makes lanes, events and edges of a trace, `picture` adds what a reader should be told and
//! the source text; `html` is the page to step through, `svg` and `dot` are for documents and for
//! Graphviz. For SAFE there is no execution to blame: `example` runs one of the many.
//!
//! - `locks.rs`: who holds which lock (`report/locks.rs` tells what a call does to one)
//! - `order.rs`: write serialization and from-read, from the order in which accesses happened
//! - `protect.rs`: what keeps the accesses of different threads to a variable apart
//! - `weak.rs`: an execution without a schedule, with the edges of its memory model

mod dot;
pub mod example;
pub(crate) mod html;
mod lanes;
mod locks;
pub mod model;
mod order;
mod picture;
mod protect;
mod source;
mod svg;
#[cfg(test)]
mod tests;
mod weak;

use crate::report::Report;
use crate::request::Input;
use picture::Picture;
use std::path::Path;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PictureFormat {
    Html,
    Svg,
    Dot,
}

impl PictureFormat {
    pub fn of(path: &Path) -> Option<PictureFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "html" | "htm" => Some(PictureFormat::Html),
            "svg" => Some(PictureFormat::Svg),
            "dot" | "gv" => Some(PictureFormat::Dot),
            _ => None,
        }
    }
}

/// The content of the file. The page has a picture for every property, the others one for the worst.
pub fn render(report: &Report, input: &Input, format: PictureFormat) -> String {
    let pictures = picture::of_report(report, input);
    match (format, pictures.first()) {
        (PictureFormat::Html, _) => html::render(&pictures),
        (PictureFormat::Svg, Some(picture)) => svg::render(picture),
        (PictureFormat::Dot, Some(picture)) => dot::render(picture),
        (PictureFormat::Svg, None) => svg::render(&Picture::default()),
        (PictureFormat::Dot, None) => dot::render(&Picture::default()),
    }
}
