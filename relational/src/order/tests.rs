//! No execution of a model has a cycle: random universes, all their guesses, the model as the reference.

use super::*;
use crate::coherence::When;
use crate::universe::{KnownEdge, RelationalEvent};
use cat::Evaluation;
use obmc_testing::Dice;
use std::collections::{HashMap, HashSet};

/// Variables of a universe that is still enumerated.
const MAX_VARIABLES: u32 = 15;

/// Conjunctions that were asked for, numbered on from the universe's variables.
struct Conjunctions {
    first: u32,
    of: Vec<(Lit, Lit)>,
}

impl Host for Conjunctions {
    fn both(&mut self, a: Lit, b: Lit) -> Lit {
        self.of.push((a, b));
        Lit::positive(self.first + self.of.len() as u32 - 1)
    }

    fn implies(&self, a: usize, b: usize) -> bool {
        a == b
    }
}

/// What accesses and fences are marked with.
fn marks(model: &str) -> (Vec<&'static [&'static str]>, Vec<&'static [&'static str]>) {
    match model {
        "tso" | "pso" => (vec![&[], &[], &["A", "X"]], vec![&["mfence"], &["sfence"]]),
        "armv8" => (vec![&[], &["A"], &["L"]], vec![&["DMB.ISH"], &["DMB.ISHLD"], &["DMB.ISHST"]]),
        "power" => (vec![&[]], vec![&["sync"], &["lwsync"], &["isync"]]),
        "riscv" => (
            vec![&[], &["X", "Acq"], &["X", "Rel"]],
            vec![&["Fence.rw.rw"], &["Fence.r.rw"], &["Fence.rw.w"], &["Fence.tso"]],
        ),
        _ => (
            vec![&["A", "RLX"], &["A", "ACQ"], &["A", "REL"], &["A", "SC"], &["NA"]],
            vec![&["A", "ACQ"], &["A", "REL"], &["A", "SC"]],
        ),
    }
}

/// A random universe, and the number of its variables.
fn universe(dice: &mut Dice, model: &cat::Model, name: &str) -> (Universe, u32) {
    let (accesses, fences) = marks(name);
    let mut universe = Universe::default();
    let mut variables = 0;
    let mut fresh = || {
        variables += 1;
        Lit::positive(variables - 1)
    };
    let locations = if dice.rarely(6) { 1 } else { 2 };
    for x in 0..locations {
        universe.coherence.add_write(x, x as usize);
        let sets = vec!["M", "W", "IW", "NA"];
        let (place, location) = (EventOwner::Initial, Some(x));
        universe.events.push(RelationalEvent { guard: None, place, location, sets, access: x });
    }
    for t in 0..dice.below(2) + 2 {
        let first = universe.events.len();
        for _ in 0..dice.below(2) + 2 {
            let guard = dice.rarely(8).then(&mut fresh);
            let location = (!dice.rarely(5)).then(|| dice.below(locations));
            let kinds = match location {
                Some(_) => dice.of(&[&["W"][..], &["R"], &["R", "W"]]),
                None => &["F"],
            };
            for (i, kind) in kinds.iter().enumerate() {
                let e = universe.events.len();
                let marks = if *kind == "F" { &fences } else { &accesses };
                let mut sets = dice.of(marks).to_vec();
                sets.push(kind);
                sets.extend(location.map(|_| "M"));
                if let (Some(x), "W") = (location, *kind) {
                    universe.coherence.add_write(x, e);
                }
                let (place, access) = (EventOwner::Thread(t), e as u32);
                universe.events.push(RelationalEvent { guard, place, location, sets, access });
                if i > 0 {
                    let relation = if name == "armv8" { "lxsx" } else { "amo" };
                    universe.edges.push(KnownEdge { relation, from: e - 1, to: e, when: None });
                } else if e > first && dice.rarely(4) {
                    let when = dice.rarely(3).then(&mut fresh);
                    let relation = dice.of(&["addr", "data", "ctrl"]);
                    universe.edges.push(KnownEdge { relation, from: e - 1, to: e, when });
                }
            }
        }
    }
    choices(&mut universe, model.is_coherent(), &mut fresh);
    race(&mut universe, &mut fresh);
    plain_locations(&mut universe);
    (universe, variables)
}

/// Who may read from whom, and the order of writes.
fn choices(universe: &mut Universe, coherent: bool, fresh: &mut impl FnMut() -> Lit) {
    let is = |u: &Universe, e: usize, set| u.events[e].sets.contains(&set);
    for r in 0..universe.events.len() {
        for w in 0..universe.events.len() {
            let same = universe.events[r].location == universe.events[w].location;
            let later = coherent && universe.same_thread(w, r) && r < w;
            if is(universe, r, "R") && is(universe, w, "W") && same && !later {
                universe.rf.push((w, r, Some(fresh())));
            }
        }
    }
    for x in 0..2 {
        let writes = universe.coherence.writes(x).to_vec();
        for (i, &a) in writes.iter().enumerate() {
            for &b in &writes[i + 1..] {
                if is(universe, a, "IW") || (coherent && universe.same_thread(a, b)) {
                    universe.coherence.know(a, b);
                } else {
                    universe.coherence.guess(a, b, fresh());
                }
            }
        }
    }
}

/// A pair that is asked to raise a flag.
fn race(universe: &mut Universe, fresh: &mut impl FnMut() -> Lit) {
    let events = &universe.events;
    let conflict = |&(a, b): &(usize, usize)| {
        let (x, y) = (&events[a], &events[b]);
        let plain = [x, y].iter().any(|e| !e.sets.contains(&"A"));
        let writes = [x, y].iter().any(|e| e.sets.contains(&"W"));
        let threads = [x, y].iter().all(|e| e.place != EventOwner::Initial) && x.place != y.place;
        x.location.is_some() && x.location == y.location && plain && writes && threads
    };
    let all = (0..events.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
    if let Some((a, b)) = all.into_iter().find(conflict) {
        universe.flagged.push((a, b, fresh()));
    }
}

/// Locations without atomic accesses are marked at their initial writes.
fn plain_locations(universe: &mut Universe) {
    for x in 0..2 {
        let here = |e: &&RelationalEvent| e.location == Some(x);
        let atomic = universe.events.iter().filter(here).any(|e| e.sets.contains(&"A"));
        let initial = universe.events.iter_mut().find(|e| e.location == Some(x));
        initial.into_iter().filter(|_| !atomic).for_each(|e| e.sets.push("NAL"));
    }
}

/// Exactly one source for every executed read, between executed events.
fn is_guess(universe: &Universe, holds: &dyn Fn(Lit) -> bool) -> bool {
    let executed = |e: usize| universe.events[e].guard.is_none_or(holds);
    let chosen: Vec<_> = universe.rf.iter().filter(|(.., lit)| lit.is_none_or(holds)).collect();
    let selected = universe.flagged.iter().filter(|(.., lit)| holds(*lit));
    selected.into_iter().all(|&(a, b, _)| executed(a) && executed(b))
        && chosen.iter().all(|&&(w, r, _)| executed(w) && executed(r))
        && (0..universe.events.len()).all(|e| {
            let sources = chosen.iter().filter(|&&&(_, r, _)| r == e).count();
            let reads = universe.events[e].sets.contains(&"R");
            sources == usize::from(reads && executed(e))
        })
}

/// Does the theory accept this complete guess?
fn accepts(theory: &mut Theory, host: &Conjunctions, holds: &dyn Fn(Lit) -> bool) -> bool {
    let mut values: Vec<bool> = (0..host.first).map(|v| holds(Lit::positive(v))).collect();
    for &(a, b) in &host.of {
        let value = |lit: Lit| values[lit.var() as usize] != lit.is_negative();
        values.push(value(a) && value(b));
    }
    theory.push();
    for (v, &value) in values.iter().enumerate() {
        let lit = Lit::positive(v as u32);
        theory.assign(if value { lit } else { !lit });
    }
    let accepted = theory.propagate().is_ok();
    theory.backtrack(0);
    accepted
}

/// What tells executions apart: all that holds but the order of writes that are not executed.
fn essence(universe: &Universe, variables: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<Option<bool>> {
    let executed = |e: usize| universe.events[e].guard.is_none_or(holds);
    let mut idle: HashSet<u32> = HashSet::new();
    for x in 0..2 {
        let writes = universe.coherence.writes(x);
        for (&a, &b) in writes.iter().flat_map(|a| writes.iter().map(move |b| (a, b))) {
            if let (When::If(lit), false) =
                (universe.coherence.before(a, b), executed(a) && executed(b))
            {
                idle.insert(lit.var());
            }
        }
    }
    let value = |v: u32| (!idle.contains(&v)).then(|| holds(Lit::positive(v)));
    (0..variables).map(value).collect()
}

/// How many executions the model allows and forbids, and how many of the latter the theory refutes.
fn compare(name: &str, seed: u64) -> (usize, usize, usize) {
    let model = Model::builtin(name).expect("ours");
    let (universe, variables) = universe(&mut Dice::new(seed), &model, name);
    if variables > MAX_VARIABLES {
        return (0, 0, 0);
    }
    let mut host = Conjunctions { first: variables, of: Vec::new() };
    let mut theory = theory(&model, &universe, &mut host);
    let mut found: HashMap<Vec<Option<bool>>, (bool, bool)> = HashMap::new();
    for assignment in 0..1u32 << variables {
        let holds = |lit: Lit| (assignment >> lit.var() & 1 == 1) != lit.is_negative();
        let executed = universe.executed(&holds);
        let line = universe.coherence.cycles(&universe.events, &executed, &holds);
        if !is_guess(&universe, &holds) || !line.is_empty() {
            continue;
        }
        let key = essence(&universe, variables, &holds);
        let entry = found.entry(key).or_insert_with(|| {
            let graph = universe.graph(&executed, &holds);
            let mut evaluation = Evaluation::new(&model, graph);
            let place = |e: usize| executed.iter().position(|&x| x == e).unwrap_or(usize::MAX);
            let mut raised = universe.flagged.iter().filter(|(.., lit)| holds(*lit));
            let raised = raised.all(|&(a, b, _)| evaluation.flagged(place(a), place(b)));
            (raised && evaluation.is_consistent(), false)
        });
        entry.1 |= accepts(&mut theory, &host, &holds);
    }
    let lost = found.values().filter(|&&(allowed, accepted)| allowed && !accepted).count();
    assert_eq!(lost, 0, "{name}, seed {seed}: executions are lost");
    let allowed = found.values().filter(|found| found.0).count();
    let refuted = found.values().filter(|found| !found.1).count();
    (allowed, found.len() - allowed, refuted)
}

#[test]
fn no_execution_is_lost() {
    for name in ["sc", "tso", "pso", "rc11", "c11", "imm", "armv8", "power", "riscv", "lkmm"] {
        let mut sum = (0, 0, 0);
        for seed in 0..40 {
            let (allowed, forbidden, refuted) = compare(name, seed);
            sum = (sum.0 + allowed, sum.1 + forbidden, sum.2 + refuted);
        }
        println!("{name}: {} allowed, {} forbidden, {} refuted early", sum.0, sum.1, sum.2);
        let most = if matches!(name, "c11" | "lkmm") { 0 } else { sum.1 * 6 / 10 };
        assert!(sum.0 > 100 && sum.2 >= most, "{name}: {sum:?}");
    }
}
