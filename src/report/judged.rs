//! What became of a witness, in words.
//!
//! Confirmed is a verdict about the program: the last line is that of UNSAFE. Refuted is not, since
//! another execution may violate the property: the last line is `obmc verdict: refuted`.

use super::diagnostic::{Diagnostic, Place, Severity};
use super::trace;
use crate::contract::{Property, Violation};
use crate::request::Style;
use std::fmt::Write;
use std::sync::Arc;

/// What became of a witness.
#[derive(Clone, Debug)]
pub enum Judgement {
    Confirmed(Box<Violation>),
    Refuted(String),
    Unclear(String),
}

#[derive(Clone, Debug)]
pub struct Judged {
    pub property: Property,
    pub judgement: Judgement,
    /// Conditions that were not understood.
    pub ignored: usize,
    pub files: Arc<[String]>,
}

impl Judged {
    pub fn exit_code(&self) -> u8 {
        match &self.judgement {
            Judgement::Confirmed(_) => 10,
            Judgement::Refuted(_) => 0,
            Judgement::Unclear(_) => 5,
        }
    }

    /// The text after `obmc verdict: `.
    fn line(&self) -> String {
        match &self.judgement {
            Judgement::Confirmed(violation) => format!("false({})", violation.kind),
            Judgement::Refuted(_) => "refuted".into(),
            Judgement::Unclear(why) => format!("unknown ({why})"),
        }
    }

    pub fn render(&self, colour: bool) -> String {
        let name = self.property.name();
        let mut text = match &self.judgement {
            Judgement::Confirmed(violation) => {
                let message = format!("{} ({})", violation.message, violation.kind);
                let place = Place::of(violation.span, &self.files);
                let head = Diagnostic::new(message).kind(Severity::Unsafe).place(place);
                let look = trace::PageLook { style: Style::default(), width: 80, colour };
                let told = trace::render(violation, &self.files, look);
                format!(
                    "CONFIRMED: the witness leads to a violation\n{}{told}",
                    head.render(colour)
                )
            }
            Judgement::Refuted(why) => format!("REFUTED ({name}): {why}\n"),
            Judgement::Unclear(why) => format!("UNCLEAR ({name}): {why}\n"),
        };
        if self.ignored > 0 {
            let _ =
                writeln!(text, "Notes\n  - {} parts of the witness were not used", self.ignored);
        }
        let _ = writeln!(text, "obmc verdict: {}", self.line());
        text
    }
}
