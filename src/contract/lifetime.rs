//! Who ended an object that is used after its end, and where.
//!
//! A state only knows that an object is gone. So the schedule is run once more, and every end of an
//! object is noted with its name: blocks of the heap have names of their own (`node#2`), and of
//! variables of the same name the last one that ended is meant. Cost: one more replay.

use interp::{Death, Interp, ObjKey, Observer, Recorded, ScheduleStep, State, Tid};
use ir::{At, Span};

/// How the interpreter says it.
const AFTER: &str = " after its end";

struct EndedObject {
    name: String,
    thread: Tid,
    place: Span,
    function: String,
    why: Death,
}

/// What is wrong, with who ended the object if that is known. `at`: where it is wrong.
pub fn told(interp: &Interp<'_>, schedule: &[ScheduleStep], what: &str, at: Span) -> String {
    let Some(before) = what.strip_suffix(AFTER) else { return what.into() };
    let ends = ends(interp, schedule);
    let named =
        |end: &&EndedObject| before.strip_suffix(&end.name).is_some_and(|b| b.ends_with(' '));
    let Some(end) = ends.iter().rev().find(named) else { return what.into() };
    let EndedObject { thread: Tid(thread), place, function, .. } = end;
    let line = match place.file == at.file {
        true => format!("line {}", place.line),
        false => interp.program.files.get(place.file.index()).map_or(String::new(), |name| {
            format!("{}:{}", name.rsplit('/').next().unwrap_or(name), place.line)
        }),
    };
    match end.why {
        Death::Freed => format!("{before} after thread {thread} has freed it at {line}"),
        Death::ScopeEnd => {
            format!(
                "{before} after its end: thread {thread} has left its scope in {function} at {line}"
            )
        }
    }
}

/// All ends of objects along a schedule.
fn ends(interp: &Interp<'_>, schedule: &[ScheduleStep]) -> Vec<EndedObject> {
    let mut state = interp.initial();
    let mut watch = LifetimeWatch { interp, ended: Vec::new(), mark: 0 };
    for step in schedule {
        if state.status_of(step.thread).is_none() {
            break;
        }
        watch.mark = watch.ended.len();
        let mut tape = Recorded::new(step.answers.iter().copied());
        interp.step(&mut state, step.thread, &mut tape, &mut watch);
    }
    watch.ended
}

struct LifetimeWatch<'a> {
    interp: &'a Interp<'a>,
    ended: Vec<EndedObject>,
    /// Of the running step.
    mark: usize,
}

impl Observer for LifetimeWatch<'_> {
    fn died(
        &mut self,
        state: &State,
        thread: Tid,
        object: ObjKey,
        _: u64,
        _: bool,
        why: Death,
        at: At,
    ) {
        let (function, mut place) = self.interp.user_place(state, thread);
        if self.interp.caller_of_model(state, thread).is_none() {
            place = at.span;
        }
        let name = self.interp.object_name(state, object);
        self.ended.push(EndedObject { name, thread, place, function, why });
    }

    fn undone(&mut self, _: Tid) {
        self.ended.truncate(self.mark);
    }
}
