//! Livelocks of random programs against the definition: the graph of all single steps of the program
//! as it was written, without any reduction, and in it a set of states that is never left and in
//! which a thread moves. (Every loop of these programs is meant to be left.)

use super::*;
use crate::contract::inputs::{Choices, Sampling};
use analysis::spin;
use frontend::{LoadOptions, Source};
use interp::{Cut, Interp, StepResult, Tid};
use ir::types::Machine;
use obmc_testing::Pattern;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

const MAX_STATES: usize = 1_500;
const TIME_LIMIT: Duration = Duration::from_secs(2);

/// Where a step leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum To {
    State(usize),
    /// An assumption fails.
    Nowhere,
    /// The process ends, or it is not known.
    End,
}

struct Graph {
    edges: Vec<Vec<(Tid, To)>>,
}

/// `None` if there are too many states.
fn graph(program: &Program) -> Option<Graph> {
    let (settings, limits) = (&Settings::default(), &Limits::default());
    let query = Query { program, property: Property::NoLivelock, settings, limits };
    let interp = Interp::new(program, query.interp_config()).ok()?;
    let sampling = Sampling::of(program, 256);
    let mut states = vec![interp.initial()];
    let mut known: FxHashMap<u128, usize> = FxHashMap::default();
    known.insert(interp.digest(&mut states[0]), 0);
    let mut edges = Vec::new();
    while edges.len() < states.len() {
        let from = states[edges.len()].clone();
        let mut out = Vec::new();
        for thread in from.running().collect::<Vec<_>>() {
            let mut choices = Choices::new(&sampling);
            loop {
                choices.rewind();
                let mut after = from.clone();
                match interp.step(&mut after, thread, &mut choices, &mut ()) {
                    StepResult::Blocked => {}
                    StepResult::Ran | StepResult::Ended => {
                        let number = states.len();
                        let to = *known.entry(interp.digest(&mut after)).or_insert(number);
                        if to == number {
                            states.push(after);
                        }
                        out.push((thread, To::State(to)));
                    }
                    StepResult::Stopped { why: Cut::Assume, .. } => out.push((thread, To::Nowhere)),
                    _ => out.push((thread, To::End)),
                }
                if !choices.advance() {
                    break;
                }
            }
        }
        edges.push(out);
        if states.len() > MAX_STATES {
            return None;
        }
    }
    Some(Graph { edges })
}

impl Graph {
    fn reach(&self, from: usize) -> Vec<bool> {
        let mut seen = vec![false; self.edges.len()];
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            todo.extend(self.edges[at].iter().filter_map(|(_, to)| match to {
                To::State(s) => Some(*s),
                _ => None,
            }));
        }
        seen
    }

    /// Every component, as a list of states.
    fn components(&self) -> Vec<Vec<usize>> {
        let reach: Vec<Vec<bool>> = (0..self.edges.len()).map(|s| self.reach(s)).collect();
        let mut done = vec![false; self.edges.len()];
        let mut found = Vec::new();
        for s in 0..self.edges.len() {
            if !done[s] {
                let all: Vec<usize> =
                    (s..self.edges.len()).filter(|&t| reach[s][t] && reach[t][s]).collect();
                all.iter().for_each(|&t| done[t] = true);
                found.push(all);
            }
        }
        found
    }

    fn has_livelock(&self) -> bool {
        let components = self.components();
        let mut dead = vec![false; self.edges.len()];
        let is_dead = |dead: &[bool], to: To| match to {
            To::State(s) => dead[s],
            To::Nowhere => true,
            To::End => false,
        };
        // Where a thread can do nothing but fail there is no execution.
        loop {
            let dies = |c: &&Vec<usize>| {
                let edges: Vec<(Tid, To)> = c.iter().flat_map(|&s| self.edges[s].clone()).collect();
                let only_fails = |thread: Tid| {
                    edges.iter().filter(|(t, _)| *t == thread).all(|(_, to)| is_dead(&dead, *to))
                };
                !dead[c[0]] && edges.iter().any(|(thread, _)| only_fails(*thread))
            };
            let Some(new) = components.iter().find(dies) else { break };
            new.iter().for_each(|&s| dead[s] = true);
        }
        components.iter().filter(|c| !dead[c[0]]).any(|c| {
            let inside = |to: To| matches!(to, To::State(s) if c.contains(&s));
            let edges = || c.iter().flat_map(|&s| &self.edges[s]);
            let stays = edges().all(|(_, to)| inside(*to) || is_dead(&dead, *to));
            stays && edges().any(|(_, to)| inside(*to))
        })
    }
}

/// How often there was which answer: safe, unsafe, too large.
fn compare(seeds: std::ops::Range<u64>) -> [u32; 3] {
    let mut tally = [0; 3];
    for seed in seeds {
        let text = obmc_testing::program(Pattern::Waiting, seed);
        let source = Source { name: "random.i", text: text.as_bytes(), moved: &[] };
        let property = Property::NoLivelock;
        let options = LoadOptions { property: property.kind(), ..LoadOptions::default() };
        let raw = frontend::load(&[source], Machine::Lp64, &options).expect("C");
        let Some(graph) = graph(&raw) else {
            tally[2] += 1;
            continue;
        };
        let expected = graph.has_livelock();
        let prepared = analysis::prepare(raw.clone());
        let mut collapsed = prepared.clone();
        spin::collapse(&mut collapsed, spin::Goal::Livelock);
        for (name, program) in [("raw", raw), ("prepared", prepared), ("collapsed", collapsed)] {
            for por in [Por::On, Por::Off] {
                let limits =
                    Limits { deadline: Some(Instant::now() + TIME_LIMIT), ..Limits::default() };
                let answer = super::ask(&program, property, por, &limits).answer;
                let wanted = if expected { "unsafe" } else { "safe" };
                let late = matches!(answer, Answer::Unknown(Reason::Time));
                assert!(
                    late || word(&answer) == wanted,
                    "seed {seed}, {name} {por:?}: {answer:?} instead of {wanted}\n{text}"
                );
            }
        }
        tally[usize::from(expected)] += 1;
    }
    tally
}

#[test]
fn random_programs_that_wait() {
    let [safe, hangs, _] = compare(0..56);
    assert!(safe > 5 && hangs > 5, "{safe} safe, {hangs} hang");
}

#[test]
#[ignore = "as long as you like"]
fn more_random_programs_that_wait() {
    let range = std::env::var("OBMC_SEEDS").unwrap_or("1000..1400".into());
    let (from, to) = range.split_once("..").expect("FROM..TO");
    let seed = |text: &str| text.parse().expect("a number");
    let tally = compare(seed(from)..seed(to));
    eprintln!("{range}: {tally:?}");
}
