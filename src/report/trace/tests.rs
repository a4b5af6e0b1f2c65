//! What traces look like.

use super::super::testing::*;
use super::*;
use crate::contract::{Answer, TraceEvent, TraceStep};
use interp::{Access, ObjKey};

fn told(violation: &Violation, style: Style) -> String {
    told_in(violation, &["/no/where/race.c".into()], style, 80)
}

fn told_in(violation: &Violation, files: &[String], style: Style, width: usize) -> String {
    render(violation, files, PageLook { style, width, colour: false })
}

fn sample() -> Violation {
    let Answer::Unsafe(violation) = violation() else { panic!("no violation") };
    *violation
}

fn of(steps: Vec<TraceStep>) -> Violation {
    Violation { trace: steps, ..sample() }
}

fn at(thread: u32, line: u32, event: TraceEvent) -> TraceStep {
    TraceStep { event, ..step(thread, line, "") }
}

fn access(write: bool) -> Option<Access> {
    Some(Access { write, ..Access::whole(ObjKey(7), 4, span(1, 1).into()) })
}

fn read(thread: u32, line: u32, value: &str, from: Option<usize>) -> TraceStep {
    let (place, value) = ("x".into(), value.into());
    at(thread, line, TraceEvent::Read { place, value, access: access(false), from })
}

fn write(thread: u32, line: u32, value: &str) -> TraceStep {
    at(
        thread,
        line,
        TraceEvent::Write { place: "x".into(), value: value.into(), access: access(true) },
    )
}

fn lock(thread: u32, line: u32) -> [TraceStep; 2] {
    let name = || "pthread_mutex_lock".to_string();
    let call = TraceEvent::Call { name: name(), args: vec!["&m".into()], library: true };
    let back = TraceEvent::Return { name: name(), value: Some("0".into()), library: true };
    [at(thread, line, call), at(thread, line, back)]
}

#[test]
fn a_lost_update_tells_what_was_buried_and_who_was_surprised() {
    let text = told(
        &of(vec![
            read(1, 9, "0", None),
            read(2, 9, "0", None),
            write(2, 10, "1"),
            write(1, 10, "1"),
            read(2, 11, "1", Some(3)),
            write(1, 12, "5"),
            read(2, 13, "5", Some(5)),
            step(2, 13, "assertion fails"),
        ]),
        Style::Compact,
    );
    assert!(text.contains("10  x = 1 (overwrites thread 2's 1)"), "{text}");
    assert!(text.contains("11  x == 1 (thread 1, line 10)"), "{text}");
    assert!(text.contains("13  x == 5 (thread 1, line 12; was 1 at line 11)"), "{text}");
    assert!(text.contains("switch 5: thread 2, worker"), "{text}");
}

#[test]
fn locks_are_shown_while_they_are_held() {
    let [call, back] = lock(1, 4);
    let steps = vec![call, back, read(1, 5, "0", None), write(2, 9, "3"), write(1, 6, "1")];
    let text = told(&of(steps), Style::Compact);
    assert!(text.contains("takes m"), "{text}");
    let heads: Vec<&str> = text.lines().filter(|l| l.starts_with("  --")).collect();
    assert!(!heads[0].contains("holds") && !heads[1].contains("holds"), "{text}");
    assert!(heads[2].ends_with(" holds m --"), "{text}");
}

#[test]
fn who_waits_for_a_condition_holds_no_lock() {
    let [call, back] = lock(1, 4);
    let name = || "pthread_cond_wait".to_string();
    let wait =
        TraceEvent::Call { name: name(), args: vec!["&c".into(), "&m".into()], library: true };
    let woken = TraceEvent::Return { name: name(), value: Some("0".into()), library: true };
    let steps = vec![call, back, at(1, 5, wait), write(2, 9, "3"), at(1, 5, woken)];
    let steps = steps.into_iter().chain([write(2, 10, "4"), write(1, 6, "1")]).collect();
    let text = told(&of(steps), Style::Compact);
    let heads: Vec<bool> =
        text.lines().filter(|l| l.starts_with("  --")).map(|l| l.contains("holds")).collect();
    assert_eq!(heads, [false, false, false, false, true], "{text}");
}

#[test]
fn compact_leaves_out_what_concerns_one_thread() {
    let local =
        |line| at(1, line, TraceEvent::Assign { name: "i".into(), value: line.to_string() });
    let mut steps: Vec<TraceStep> = (1..30).map(local).collect();
    steps.extend([write(1, 40, "1"), write(2, 50, "2")]);
    steps.extend([local(58), local(59), step(1, 60, "assertion fails")]);
    let compact = told(&of(steps.clone()), Style::Compact);
    assert!(!compact.contains("i = 20") && compact.contains("i = 58"), "{compact}");
    assert!(told(&of(steps), Style::Full).contains("i = 20"));
}

#[test]
fn the_middle_of_a_very_long_trace_gives_way() {
    let steps = (0..500).map(|i| write(1 + i % 2, 100 + i, &i.to_string())).collect();
    let text = told(&of(steps), Style::Compact);
    assert!(text.contains(" rows: --trace full shows them"), "{text}");
    assert!(text.contains("x = 3 (") && !text.contains("x = 250 ") && text.contains("x = 499"));
}

#[test]
fn off_says_nothing_and_neither_does_an_empty_trace() {
    assert_eq!(told(&sample(), Style::Off), "");
    assert_eq!(told(&of(vec![]), Style::Full), "");
}

#[test]
fn long_names_and_long_steps_stay_within_80_columns() {
    let file = format!("/a/{}.c", "b".repeat(50));
    let what = "reads the_quick_brown_fox == 12345 ".repeat(5);
    let mut other = step(1, 7, "fine");
    other.span.file = ir::FileId(1);
    let trace = of(vec![step(1, 1234, &what), other]);
    let text = told_in(&trace, &[file, "c.c".into()], Style::Compact, 80);
    assert!(text.lines().all(|l| l.chars().count() <= 80), "{text}");
    assert!(text.contains(".c:1234  reads"), "{text}");
    assert_eq!(text.matches("fox").count(), 5);
}

#[test]
fn an_execution_without_a_schedule_has_no_switches() {
    let mut violation = sample();
    violation.run = None;
    let text = told(&violation, Style::Full);
    assert!(!text.contains("switch"), "{text}");
    assert!(text.contains("-- thread 1, worker"), "{text}");
}

#[test]
fn colour_is_a_choice() {
    let files = ["/no/where/race.c".to_string()];
    assert!(
        render(&sample(), &files, PageLook { style: Style::Full, width: 80, colour: true })
            .contains("\x1b[")
    );
}

fn call(thread: u32, line: u32, name: &str, args: &[&str]) -> TraceStep {
    let args = args.iter().map(|a| a.to_string()).collect();
    at(thread, line, TraceEvent::Call { name: name.into(), args, library: true })
}

#[test]
fn who_waits_for_ever_is_told_for_what() {
    let [call2, back2] = lock(2, 4);
    let steps = vec![
        call2,
        back2,
        call(3, 7, "pthread_mutex_lock", &["&m"]),
        call(1, 9, "pthread_join", &["3"]),
        step(3, 7, "waits here for ever"),
        step(1, 9, "waits here for ever"),
    ];
    let text = told(&of(steps), Style::Compact);
    assert!(text.contains("waits for ever for m, which thread 2 holds"), "{text}");
    assert!(text.contains("waits for ever for the end of thread 3"), "{text}");
}

#[test]
fn a_signal_that_no_thread_waits_for_is_told_where_a_thread_waits() {
    let signal = || call(1, 3, "pthread_cond_signal", &["&c"]);
    let wait = || call(2, 5, "pthread_cond_wait", &["&c", "&m"]);
    let lost = vec![signal(), wait(), step(2, 5, "waits here for ever")];
    let text = told(&of(lost), Style::Compact);
    assert!(text.contains("signals c, for which no thread waits"), "{text}");
    assert!(text.contains("begins to wait for c"), "{text}");
    assert!(text.contains("waits for ever for a signal of c"), "{text}");
    let heard = vec![wait(), signal(), step(2, 5, "waits here for ever")];
    assert!(told(&of(heard), Style::Compact).contains("c, for which thread 2 waits"));
    let other = vec![signal(), wait(), step(2, 5, "assertion fails")];
    assert!(!told(&of(other), Style::Compact).contains("no thread waits"));
}

#[test]
fn the_free_that_is_to_blame_is_told() {
    let free = |name: &str| at(1, 3, TraceEvent::Free { name: name.into() });
    let end = || step(2, 9, "read of node#1 after thread 1 has freed it at line 3");
    let blamed = told(&of(vec![free("node#1"), end()]), Style::Compact);
    assert!(blamed.contains("frees node#1"), "{blamed}");
    assert!(!told(&of(vec![free("node#2"), end()]), Style::Compact).contains("frees"));
}

#[test]
fn a_long_trace_tells_what_the_violation_depends_on() {
    let mut steps = vec![write(1, 1, "1")];
    for line in 2..40 {
        let place = "y".into();
        let access = access(true).map(|a| Access { offset: 4, ..a });
        let thread = 1 + line % 2;
        let event = TraceEvent::Write { place, value: "0".into(), access };
        steps.push(at(thread, line, event));
    }
    steps.push(read(2, 50, "1", Some(0)));
    steps.push(step(2, 50, "assertion fails"));
    let text = told(&of(steps.clone()), Style::Compact);
    assert!(text.lines().count() < 16 && text.contains("  1  x = 1"), "{text}");
    assert!(text.contains("rows: --trace full shows them"), "{text}");
    assert!(told(&of(steps), Style::Full).lines().count() > 40);
}

#[test]
fn pages_are_as_wide_as_they_are() {
    let steps = vec![write(1, 1, "1"), step(2, 3, &"word ".repeat(60))];
    for width in [20, 48, 80, 120, 400] {
        let text = told_in(&of(steps.clone()), &["/no/where/race.c".into()], Style::Compact, width);
        let longest = text.lines().map(|l| l.chars().count()).max().unwrap_or(0);
        let page = width.clamp(NARROWEST, WIDEST);
        assert!(longest <= page && longest + 8 > page, "{width}: {longest}\n{text}");
    }
}

#[test]
fn what_has_no_name_is_not_told() {
    let write = |thread, object: u32, place: &str| {
        let access =
            Some(Access { write: true, ..Access::whole(ObjKey(object), 4, span(1, 1).into()) });
        at(thread, 3, TraceEvent::Write { place: place.into(), value: "1".into(), access })
    };
    let start = at(1, 2, TraceEvent::Start { child: interp::Tid(2), name: "f".into() });
    // Both threads have such an object in the same place, one after the other.
    let steps = vec![
        start,
        write(1, 8, "temporary@3.a"),
        write(1, 9, "node#1->a"),
        write(2, 8, "local.b"),
        write(2, 9, "node#1->a"),
    ];
    let rows = story::rows(&steps);
    let weights = |row: usize| rows[row].effects.iter().map(|e| e.weight).collect::<Vec<_>>();
    assert_eq!(weights(1), [Weight::Plain, Weight::Shared]);
    assert_eq!(weights(2), [Weight::Local, Weight::Shared]);
}
