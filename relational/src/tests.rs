//! Guesses by brute force: what is told must be true of every execution, and what is left must be one.

use super::*;
use std::collections::HashSet;

/// Locations from here on are plain, whatever the program's sets are.
const PLAIN: u32 = 7;

/// Threads of accesses (`true`: a write) to locations, all executed unless a guard is asked for. A read and a write
/// of a location right behind it may be one read-modify-write.
struct Program {
    threads: Vec<Vec<(bool, u32)>>,
    sets: Vec<&'static str>,
    guarded: bool,
    updates: bool,
}

/// The universe of a program, and the number of its variables.
fn universe(program: &Program) -> (Universe, u32) {
    let mut universe = Universe::default();
    let mut variables = 0;
    let mut fresh = || {
        variables += 1;
        Lit::positive(variables - 1)
    };
    let locations: HashSet<u32> = program.threads.iter().flatten().map(|&(_, x)| x).collect();
    let mut locations: Vec<u32> = locations.into_iter().collect();
    locations.sort_unstable();
    let mut writes = Vec::new();
    let mut reads = Vec::new();
    let initial = locations.iter().map(|&x| (EventOwner::Initial, true, x));
    let accesses = program.threads.iter().enumerate().flat_map(|(t, thread)| {
        thread.iter().map(move |&(write, x)| (EventOwner::Thread(t as u32), write, x))
    });
    let mut last = None;
    for (i, (place, write, x)) in initial.chain(accesses).enumerate() {
        let mut sets = vec!["M", if write { "W" } else { "R" }];
        sets.extend(match (place, x < PLAIN) {
            (EventOwner::Initial, true) => &["IW"],
            (EventOwner::Initial, false) => &["IW", "NAL"][..],
            (_, true) => &program.sets[..],
            (_, false) => &["NA"],
        });
        let read = reads.last() == Some(&(i.wrapping_sub(1), place, x));
        if program.updates && write && read {
            universe.edges.push(KnownEdge { relation: "amo", from: i - 1, to: i, when: None });
        }
        if write { &mut writes } else { &mut reads }.push((i, place, x));
        if write {
            universe.coherence.add_write(x, i);
        }
        let second = matches!(place, EventOwner::Thread(_)) && last == Some(place);
        // The two halves of a read-modify-write are executed together.
        let half = program.updates && write && read;
        let guard = match half {
            true => universe.events[i - 1].guard,
            false => (program.guarded && second).then(&mut fresh),
        };
        last = Some(place);
        universe.events.push(RelationalEvent {
            guard,
            place,
            location: Some(x),
            sets,
            access: i as u32,
        });
    }
    for &(r, _, x) in &reads {
        for &(w, _, _) in writes.iter().filter(|&&(.., y)| y == x) {
            let lit = fresh();
            universe.rf.push((w, r, Some(lit)));
        }
    }
    for (i, &(a, place, x)) in writes.iter().enumerate() {
        for &(b, _, _) in writes[i + 1..].iter().filter(|&&(.., y)| y == x) {
            match place {
                EventOwner::Initial => universe.coherence.know(a, b),
                EventOwner::Thread(_) => universe.coherence.guess(a, b, fresh()),
            }
        }
    }
    let plain =
        |&&(_, place, x): &&(usize, EventOwner, u32)| x >= PLAIN && place != EventOwner::Initial;
    if let (Some(write), Some(read)) = (writes.iter().find(plain), reads.iter().find(plain)) {
        universe.flagged.push((write.0, read.0, fresh()));
    }
    (universe, variables)
}

/// Do all pairs raise a flag that are asked to?
fn is_flagged(checker: &ModelChecker, holds: &dyn Fn(Lit) -> bool) -> bool {
    let (graph, executed) = checker.execution(holds);
    let mut evaluation = Evaluation::new(checker.model(), graph);
    let place = |e: usize| executed.iter().position(|&x| x == e);
    let asked = checker.universe().flagged.iter().filter(|(.., lit)| holds(*lit));
    let mut places = asked.into_iter().filter_map(|&(a, b, _)| Some((place(a)?, place(b)?)));
    places.all(|(a, b)| evaluation.flagged(a, b))
}

/// Is the assignment a guess: exactly one source for every executed read, between executed events?
fn is_guess(universe: &Universe, holds: &dyn Fn(Lit) -> bool) -> bool {
    let executed = |e: usize| universe.events[e].guard.is_none_or(holds);
    let chosen: Vec<_> = universe.rf.iter().filter(|(.., lit)| lit.is_none_or(holds)).collect();
    let mut selected = universe.flagged.iter().filter(|(.., lit)| holds(*lit));
    selected.all(|&(a, b, _)| executed(a) && executed(b))
        && chosen.iter().all(|&&(w, r, _)| executed(w) && executed(r))
        && (0..universe.events.len()).all(|e| {
            let sources = chosen.iter().filter(|&&&(_, r, _)| r == e).count();
            let reads = universe.events[e].sets.contains(&"R");
            sources == usize::from(reads && executed(e))
        })
}

/// How many guesses the model allows, by the reference evaluator alone; and every conflict that any
/// guess is told must be false in each of these.
fn allowed(model: &str, program: &Program) -> usize {
    let (universe, variables) = universe(program);
    assert!(variables < 20, "too many");
    let model = Arc::new(Model::builtin(model).expect("ours"));
    let mut checker = ModelChecker::new(model.clone(), universe);
    let mut told: Vec<Vec<Lit>> = Vec::new();
    let mut fine: Vec<u32> = Vec::new();
    for assignment in 0..1u32 << variables {
        let holds = |lit: Lit| (assignment >> lit.var() & 1 == 1) != lit.is_negative();
        if !is_guess(checker.universe(), &holds) {
            continue;
        }
        let executed = checker.universe().executed(&holds);
        let line =
            checker.universe().coherence.cycles(&checker.universe().events, &executed, &holds);
        let (graph, _) = checker.execution(&holds);
        let consistent = line.is_empty()
            && Evaluation::new(&model, graph).is_consistent()
            && is_flagged(&checker, &holds);
        let conflicts = checker.conflicts(&holds);
        assert_eq!(conflicts.is_empty(), consistent, "{assignment:b}");
        for conflict in &conflicts {
            assert!(conflict.iter().all(|&lit| holds(lit)), "{conflict:?} is no conflict");
        }
        told.extend(conflicts);
        if consistent {
            fine.push(assignment);
        }
    }
    for assignment in &fine {
        let holds = |lit: &Lit| (assignment >> lit.var() & 1 == 1) != lit.is_negative();
        let wrong = told.iter().find(|conflict| conflict.iter().all(holds));
        assert_eq!(wrong, None, "an execution is excluded");
    }
    fine.len()
}

fn program(threads: &[&[(bool, u32)]]) -> Program {
    let threads = threads.iter().map(|t| t.to_vec()).collect();
    Program { threads, sets: vec!["A", "RLX"], guarded: false, updates: false }
}

const W: bool = true;
const R: bool = false;

#[test]
fn store_buffering_has_one_more_execution_under_tso() {
    let sb = program(&[&[(W, 0), (R, 1)], &[(W, 1), (R, 0)]]);
    assert_eq!(allowed("sc", &sb), 3);
    // The accesses are marked as atomic, which is a locked instruction on x86.
    assert_eq!(allowed("rc11", &sb), 4);
    let plain = Program { sets: vec![], ..sb };
    assert_eq!(allowed("tso", &plain), 4);
    assert_eq!(allowed("pso", &plain), 4);
}

#[test]
fn load_buffering_is_for_machines() {
    let lb = program(&[&[(R, 0), (W, 1)], &[(R, 1), (W, 0)]]);
    assert_eq!(allowed("rc11", &lb), 3);
    let plain = Program { sets: vec![], ..lb };
    for (model, executions) in [("tso", 3), ("armv8", 4), ("power", 4), ("riscv", 4)] {
        assert_eq!(allowed(model, &plain), executions, "{model}");
    }
}

#[test]
fn conflicts_hold_in_every_execution() {
    for threads in [
        &[&[(W, 0), (W, 1)][..], &[(R, 1), (R, 0)]][..],
        &[&[(W, 0), (W, 1)], &[(W, 1), (W, 0)]],
        &[&[(W, 0), (R, 0)], &[(W, 0), (R, 0)]],
        &[&[(R, 0), (W, 0)], &[(R, 0), (W, 0)]],
        &[&[(W, 0)], &[(R, 0), (W, 1)], &[(R, 1), (R, 0)]],
    ] {
        for guarded in [false, true] {
            for sets in [vec![], vec!["A", "RLX"], vec!["A", "SC"]] {
                let program = Program { sets, guarded, ..program(threads) };
                for model in cat::BUILTIN {
                    allowed(model, &program);
                }
            }
        }
    }
}

#[test]
fn conflicts_about_release_sequences_hold_in_every_execution() {
    const D: u32 = PLAIN;
    for threads in [
        // A message; the same through an update of another thread; with a second write of the first thread.
        &[&[(W, D), (W, 0)][..], &[(R, 0), (R, D)]][..],
        &[&[(W, D), (W, 0)], &[(R, 0), (W, 0)], &[(R, 0), (R, D)]],
        &[&[(W, D), (W, 0), (W, 0)], &[(W, 0)], &[(R, 0), (R, D)]],
        &[&[(W, 0), (R, D)], &[(R, 0), (W, D)]],
    ] {
        for (guarded, updates) in [(false, false), (true, false), (false, true), (true, true)] {
            for sets in [vec!["A", "RLX"], vec!["A", "ACQ_REL"]] {
                let program = Program { sets, guarded, updates, ..program(threads) };
                for model in ["c11", "rc11", "imm", "lkmm", "vmm"] {
                    allowed(model, &program);
                }
            }
        }
    }
}
