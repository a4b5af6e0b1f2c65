//! What a reader of an execution is told about a step, as data.
//!
//! Reports, pictures and witnesses take what they need from it; `Display` is the plain sentence.

use crate::observe::Access;
use crate::value::Tid;
use ir::names::decode;
use std::borrow::Cow;
use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraceEvent {
    Read {
        place: String,
        value: String,
        /// None in an execution that the interpreter has not seen (`--mm wsc`).
        access: Option<Access>,
        /// The step of the trace that wrote it; none for first values and for what a library
        /// function wrote.
        from: Option<usize>,
    },
    Write {
        place: String,
        value: String,
        access: Option<Access>,
    },
    /// A variable that no other thread can see.
    Assign {
        name: String,
        value: String,
    },
    Call {
        name: String,
        args: Vec<String>,
        library: bool,
    },
    /// Of a library function: the call has taken effect (a lock is held, say).
    Return {
        name: String,
        value: Option<String>,
        library: bool,
    },
    Start {
        child: Tid,
        name: String,
    },
    Join {
        child: Tid,
    },
    End {
        thread: Tid,
        value: String,
    },
    Input {
        name: String,
        value: String,
    },
    /// A block of the heap.
    Free {
        name: String,
    },
    /// The last steps: what is wrong ("assertion `x` fails"), or where a thread waits for ever.
    Wrong(String),
}

impl TraceEvent {
    /// With names as the user has written them, not as the parser wants them.
    pub fn as_written(mut self) -> TraceEvent {
        let texts: Vec<&mut String> = match &mut self {
            TraceEvent::Read { place, value, .. } | TraceEvent::Write { place, value, .. } => {
                vec![place, value]
            }
            TraceEvent::Assign { name, value } | TraceEvent::Input { name, value } => {
                vec![name, value]
            }
            TraceEvent::Call { name, args, .. } => args.iter_mut().chain([name]).collect(),
            TraceEvent::Return { name, value, .. } => value.iter_mut().chain([name]).collect(),
            TraceEvent::Start { name, .. } | TraceEvent::Free { name } => vec![name],
            TraceEvent::End { value, .. } => vec![value],
            TraceEvent::Wrong(what) => vec![what],
            TraceEvent::Join { .. } => Vec::new(),
        };
        for text in texts {
            if let Cow::Owned(decoded) = decode(text) {
                *text = decoded;
            }
        }
        self
    }

    /// Is it worth a line of its own? That a library function returns is not: its call was told.
    pub fn is_told(&self) -> bool {
        !matches!(self, TraceEvent::Return { library: true, .. })
    }

    pub fn access(&self) -> Option<&Access> {
        match self {
            TraceEvent::Read { access, .. } | TraceEvent::Write { access, .. } => access.as_ref(),
            _ => None,
        }
    }
}

impl fmt::Display for TraceEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TraceEvent::Read { place, value, .. } => write!(f, "reads {place} == {value}"),
            TraceEvent::Write { place, value, .. } => write!(f, "{place} = {value}"),
            TraceEvent::Assign { name, value } => write!(f, "{name} = {value}"),
            TraceEvent::Call { name, args, .. } => write!(f, "calls {name}({})", args.join(", ")),
            TraceEvent::Return { name, value: Some(value), .. } => {
                write!(f, "{name} returns {value}")
            }
            TraceEvent::Return { name, value: None, .. } => write!(f, "{name} returns"),
            TraceEvent::Start { child, name } if name.is_empty() => {
                write!(f, "starts thread {}", child.0)
            }
            TraceEvent::Start { child, name } => write!(f, "starts thread {} in {name}", child.0),
            TraceEvent::Join { child } => write!(f, "joins thread {}", child.0),
            TraceEvent::End { thread, value } => write!(f, "thread {} ends with {value}", thread.0),
            TraceEvent::Input { name, value } => write!(f, "{name}() gives {value}"),
            TraceEvent::Free { name } => write!(f, "frees {name}"),
            TraceEvent::Wrong(what) => f.write_str(what),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::names::encode;

    #[test]
    fn names_are_shown_as_they_were_written() {
        let name = |text: &str| encode(text).into_owned();
        let args = vec![format!("&{}", name("g$.f$")), "1".into()];
        let event = TraceEvent::Call { name: name("th$read"), args, library: false }.as_written();
        assert_eq!(event.to_string(), "calls th$read(&g$.f$, 1)");
        let plain = TraceEvent::Assign { name: "x".into(), value: "2".into() };
        assert_eq!(plain.clone().as_written(), plain);
    }
}
