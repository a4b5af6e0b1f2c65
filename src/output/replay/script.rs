//! The script for the scheduler: plain data, and the same as C.

use super::unset::Unset;
use ir::PropertyKind;
use std::collections::BTreeSet;
use std::fmt::Write;

#[derive(Clone, Default, Debug)]
pub struct Script {
    pub events: Vec<ScriptEvent>,
    pub objects: Vec<ObjectLocator>,
    pub inputs: Vec<ScriptInput>,
    /// What was never written and read as something: (object, offset, size), value.
    pub contents: Vec<((usize, u64, u64), u64)>,
    /// Local variables without an initial value.
    pub unset: Unset,
    /// (thread, number of the allocation)
    pub failed_allocations: Vec<(u32, u32)>,
    /// What the running program may do differently.
    pub notes: Vec<String>,
    /// Functions without a body.
    pub called: BTreeSet<String>,
    /// The thread that the execution ends in.
    pub last: u32,
    /// How many words the program was called with, if that matters.
    pub argc: Option<u64>,
}

/// One thing that others can notice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptEvent {
    pub thread: u32,
    pub what: ScriptAction,
    /// Where the value that is read or written points to.
    pub pointer: Option<Pointer>,
    pub line: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScriptAction {
    /// `inside` of an atomic block it needs no turn of its own.
    Access {
        object: usize,
        offset: u64,
        size: u64,
        mode: Mode,
        inside: bool,
    },
    Block,
    Spawn {
        child: u32,
    },
    Join {
        child: u32,
    },
    Asked {
        child: u32,
        ended: bool,
    },
    End,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Read = 1,
    Write = 2,
    Both = 3,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    pub object: usize,
    pub offset: i64,
}

/// How an object is found in the running program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectLocator {
    /// By its symbol; `which` of those with this name.
    Static { name: String, which: u32, size: u64 },
    /// By its number among the thread's allocations.
    Heap { thread: u32, number: u32, size: u64 },
    /// By a pointer to it.
    Unnamed { size: u64 },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScriptInput {
    pub thread: u32,
    /// Empty for a function without a body.
    pub name: String,
    pub bits: u64,
}

/// Lines of the program's text that belong together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    pub file: String,
    /// Of the operation that is meant.
    pub line: u32,
    pub first: u32,
    pub last: u32,
}

/// What the program should come to, and the facts about it that the models ask for.
#[derive(Clone, Debug)]
pub struct Ending {
    /// A name of `enum goal` in replay.h.
    pub goal: &'static str,
    /// The assertion; empty if any will do.
    pub text: String,
    /// Where it goes wrong.
    pub line: u32,
    /// The same as statements; of a race the other side is the second one. None for what is no place.
    pub places: Vec<Statement>,
    pub kind: PropertyKind,
    pub linked: Vec<String>,
    /// What `main` is called with, if that was said.
    pub words: Option<Vec<String>>,
}

impl Script {
    /// Something read uninitialised memory. Variables start as zero in the running program.
    pub fn unwritten(&mut self, place: (usize, u64, u64), bits: u64, frame: bool, line: u32) {
        if bits == 0 {
            return;
        }
        match &self.objects[place.0] {
            ObjectLocator::Unnamed { .. } => self.not_zero(bits, line),
            _ if frame && !matches!(self.objects[place.0], ObjectLocator::Static { .. }) => {
                self.not_zero(bits, line)
            }
            _ => self.contents.push((place, bits)),
        }
    }

    /// A local variable has no name over there. No other thread can touch it before a pointer to it is
    /// seen, so nothing is lost.
    pub fn drop_accesses_before_their_object_is_known(&mut self) {
        let mut known: Vec<bool> =
            self.objects.iter().map(|o| !matches!(o, ObjectLocator::Unnamed { .. })).collect();
        self.events.retain(|event| {
            let keep = match event.what {
                ScriptAction::Access { object, .. } => known[object],
                _ => true,
            };
            if let (true, Some(pointer)) = (keep, event.pointer) {
                known[pointer.object] = true;
            }
            keep
        });
    }

    pub fn not_zero(&mut self, bits: u64, line: u32) {
        if bits != 0 {
            self.notes.push(format!(
                "the trace needs the value {bits} in a variable without an initial value \
                 (line {line}), which a compiler's program need not have"
            ));
        }
    }

    /// The file `script.c`.
    pub fn to_c(&self, ending: &Ending) -> String {
        let mut text = String::from(
            "/* What each thread does, in order: made by obmc from a counterexample. */\n\
             #include \"replay.h\"\n\n",
        );
        let events: Vec<String> = self.events.iter().map(event).collect();
        let objects: Vec<String> = self.objects.iter().map(object).collect();
        let inputs = self.inputs.iter();
        let inputs: Vec<String> = inputs
            .map(|i| format!("{{ {}, {}, {}ull }}", i.thread, quoted(&i.name), i.bits))
            .collect();
        let contents = self.contents.iter();
        let contents: Vec<String> = contents
            .map(|((object, offset, size), bits)| {
                format!("{{ {object}, {offset}, {size}, {bits}ull }}")
            })
            .collect();
        let failures = self.failed_allocations.iter();
        let failures: Vec<String> = failures.map(|(t, n)| format!("{{ {t}, {n} }}")).collect();
        table(&mut text, "event", "event", &events, "{ 0 }");
        table(&mut text, "object", "object", &objects, "{ 0 }");
        table(&mut text, "input", "input", &inputs, "{ 0 }");
        table(&mut text, "content", "content", &contents, "{ 0 }");
        table(&mut text, "failure", "failure", &failures, "{ 0 }");
        table(&mut text, "unset", "unset", &self.unset.rows(), "{ 0 }");
        let places = ending.places.iter();
        let places: Vec<String> = places
            .map(|p| format!("{{ {}, {}, {}, {} }}", quoted(&p.file), p.line, p.first, p.last))
            .collect();
        table(&mut text, "place", "place", &places, "{ 0 }");
        let names: Vec<String> = ending.linked.iter().map(|n| quoted(n) + ", ").collect();
        let _ =
            writeln!(text, "const char *const obmc_linked_names[] = {{ {}0 }};", names.concat());
        let _ = writeln!(text, "const enum goal obmc_goal = {};", ending.goal);
        let _ = writeln!(text, "const int obmc_last_thread = {};", self.last);
        let words = ending.words.iter().flatten().map(|word| quoted_bytes(word) + ", ");
        let words: String = words.collect();
        let _ = writeln!(text, "const char *const obmc_words[] = {{ {words}0 }};");
        let known = ending.words.as_ref().map(|words| words.len() as u64);
        let argc = known.or(self.argc).map_or(-1, |bits| i64::from(bits as i32).max(0));
        let _ = writeln!(text, "const int obmc_argc = {argc};");
        let _ = writeln!(text, "const int obmc_goal_line = {};", ending.line);
        let wanted = quoted(&ending.text);
        let _ = writeln!(text, "const char *const obmc_goal_text = {wanted};");
        let kind = ending.kind.name();
        let _ = writeln!(text, "const char *const obmc_property_kind = \"{kind}\";");
        text
    }
}

fn table(text: &mut String, kind: &str, name: &str, rows: &[String], empty: &str) {
    let _ = writeln!(text, "const struct {kind} obmc_{name}s[] = {{");
    for row in rows {
        let _ = writeln!(text, "    {row},");
    }
    let _ = writeln!(text, "    {empty}\n}};\nconst int obmc_{name}_count = {};\n", rows.len());
}

fn event(event: &ScriptEvent) -> String {
    let pointer = event.pointer.map_or((-1, 0), |p| (p.object as i64, p.offset));
    let (kind, mut object, mut offset, mut size) = match event.what {
        ScriptAction::Access { object, offset, size, .. } => ("ACCESS", object, offset, size),
        ScriptAction::Block => ("BLOCK", 0, 0, 0),
        ScriptAction::Spawn { .. } => ("SPAWN", 0, 0, 0),
        ScriptAction::Join { .. } => ("JOIN", 0, 0, 0),
        ScriptAction::Asked { .. } => ("ASKED", 0, 0, 0),
        ScriptAction::End => ("END", 0, 0, 0),
    };
    let (mut mode, mut inner, mut other, mut answer) = ("READ", 0, 0, 0);
    match event.what {
        ScriptAction::Access { mode: m, inside, .. } => {
            mode = ["READ", "WRITE", "BOTH"][m as usize - 1];
            inner = u8::from(inside);
        }
        ScriptAction::Spawn { child } | ScriptAction::Join { child } => other = child,
        ScriptAction::Asked { child, ended } => (other, answer) = (child, u8::from(ended)),
        ScriptAction::Block | ScriptAction::End => (object, offset, size) = (0, 0, 0),
    }
    format!(
        "{{ {}, {kind}, {object}, {offset}, {size}, {mode}, {inner}, {}, {}, {other}, {answer}, {} }}",
        event.thread, pointer.0, pointer.1, event.line
    )
}

fn object(object: &ObjectLocator) -> String {
    match object {
        ObjectLocator::Static { name, which, size } => {
            format!("{{ STATIC, {}, {which}, 0, {size} }}", quoted(name))
        }
        ObjectLocator::Heap { thread, number, size } => {
            format!("{{ HEAP, \"\", {number}, {thread}, {size} }}")
        }
        ObjectLocator::Unnamed { size } => format!("{{ UNNAMED, \"\", 0, 0, {size} }}"),
    }
}

/// All bytes of a text as a literal of C.
fn quoted_bytes(text: &str) -> String {
    let digits: String = text.bytes().map(|byte| format!("\\{byte:03o}")).collect();
    format!("\"{digits}\"")
}

pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            ' '..='~' => quoted.push(c),
            _ => quoted.push('?'),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_as_c() {
        let what = ScriptAction::Access {
            object: 0,
            offset: 4,
            size: 4,
            mode: Mode::Write,
            inside: false,
        };
        let pointer = Some(Pointer { object: 1, offset: 8 });
        let mut script = Script { last: 2, ..Script::default() };
        script.events.push(ScriptEvent { thread: 2, what, pointer, line: 7 });
        script.events.push(ScriptEvent {
            thread: 1,
            what: ScriptAction::Join { child: 2 },
            pointer: None,
            line: 9,
        });
        script.objects.push(ObjectLocator::Static { name: "f::x".into(), which: 0, size: 8 });
        script.objects.push(ObjectLocator::Heap { thread: 1, number: 3, size: 16 });
        script.inputs.push(ScriptInput { thread: 1, name: "in\"put".into(), bits: 5 });
        let ending = Ending {
            goal: "ASSERTION",
            text: "x".into(),
            line: 12,
            places: vec![Statement { file: "a.c".into(), line: 12, first: 11, last: 13 }],
            kind: PropertyKind::Values,
            linked: vec!["f".into()],
            words: Some(vec!["prog".into(), "a\"".into()]),
        };
        let text = script.to_c(&ending);
        for part in [
            "{ 2, ACCESS, 0, 4, 4, WRITE, 0, 1, 8, 0, 0, 7 },",
            "{ 1, JOIN, 0, 0, 0, READ, 0, -1, 0, 2, 0, 9 },",
            "const int obmc_event_count = 2;",
            "{ STATIC, \"f::x\", 0, 0, 8 },",
            "{ HEAP, \"\", 3, 1, 16 },",
            "{ 1, \"in\\\"put\", 5ull },",
            "obmc_linked_names[] = { \"f\", 0 };",
            "obmc_goal_text = \"x\";",
            "{ \"a.c\", 12, 11, 13 },",
            "obmc_words[] = { \"\\160\\162\\157\\147\", \"\\141\\042\", 0 };",
            "obmc_argc = 2;",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }

    #[test]
    fn values_from_nowhere_are_put_where_we_can_put_them() {
        let mut script = Script::default();
        script.objects.push(ObjectLocator::Heap { thread: 1, number: 0, size: 8 });
        script.objects.push(ObjectLocator::Unnamed { size: 8 });
        script.unwritten((0, 0, 4), 3, false, 1);
        script.unwritten((1, 0, 4), 3, true, 2);
        script.unwritten((1, 0, 4), 0, true, 3);
        assert_eq!(script.contents, [((0, 0, 4), 3)]);
        assert_eq!(script.notes.len(), 1);
        assert!(script.notes[0].contains("line 2"));
    }
}
