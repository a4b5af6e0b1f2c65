//! Strongly connected components of a graph of states while it is walked depth first, and which of
//! them are never left (Tarjan 1972).
//!
//! A state has a number from when it is entered until its component is complete. An edge to a state
//! without a number leads to a complete component, so it leaves this one, unless the caller has
//! dismissed that component: no execution goes on there. The walk itself is the caller's: it says what
//! it enters, meets and leaves, in the order of a depth-first search.
//!
//! Cost: an entry per state on the way, and per state whose component is not complete yet.

use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Default)]
pub struct Components {
    /// Numbers of the states of components that are not complete.
    open: FxHashMap<u128, u32>,
    /// The same states in the order of their numbers.
    order: Vec<u128>,
    /// The path of the walk.
    path: Vec<ComponentVisit>,
    dismissed: FxHashSet<u128>,
    /// Has a component with a cycle been left?
    pub left_a_cycle: bool,
}

struct ComponentVisit {
    number: u32,
    /// The least number that is reached from here.
    low: u32,
    /// Does an edge leave the component?
    leaves: bool,
    /// Does an edge stay in it?
    cycle: bool,
}

/// A complete component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    pub states: Vec<u128>,
    /// Does an edge lead out of it?
    pub is_left: bool,
}

/// Where an edge leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComponentEdge {
    /// To where executions go on.
    Counts,
    Dismissed,
}

impl Components {
    /// The walk goes on to a new state.
    pub fn enter(&mut self, state: u128) {
        let number = self.order.len() as u32;
        self.open.insert(state, number);
        self.order.push(state);
        self.path.push(ComponentVisit { number, low: number, leaves: false, cycle: false });
    }

    /// There is an edge to a state that was entered before.
    pub fn meet(&mut self, state: u128) -> ComponentEdge {
        let number = self.open.get(&state).copied();
        let Some(here) = self.path.last_mut() else { return ComponentEdge::Counts };
        match number {
            Some(number) => {
                here.low = here.low.min(number);
                here.cycle = true;
            }
            None if self.dismissed.contains(&state) => return ComponentEdge::Dismissed,
            None => here.leaves = true,
        }
        ComponentEdge::Counts
    }

    /// There is an edge out of the component: to where no thread spins, or to the one just completed.
    pub fn escape(&mut self) {
        if let Some(here) = self.path.last_mut() {
            here.leaves = true;
        }
    }

    /// No execution goes on in this component.
    pub fn dismiss(&mut self, component: Component) {
        self.dismissed.extend(component.states);
    }

    /// All edges of the last state of the path were walked. Gives the component that is complete
    /// with it, if one is; the caller then calls `escape`, since an edge has led there, or
    /// `dismiss`.
    pub fn leave(&mut self) -> Option<Component> {
        let done = self.path.pop()?;
        if done.low < done.number {
            if let Some(before) = self.path.last_mut() {
                before.low = before.low.min(done.low);
                before.leaves |= done.leaves;
                before.cycle = true;
            }
            return None;
        }
        let states = self.order.split_off(done.number as usize);
        for state in &states {
            self.open.remove(state);
        }
        self.left_a_cycle |= done.leaves && done.cycle;
        Some(Component { states, is_left: done.leaves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A state that is dismissed.
    const DEAD: u128 = 99;

    /// Walks a graph from state 0; gives its components that are never left.
    fn bottoms(edges: &[(u128, u128)]) -> (Vec<Vec<u128>>, bool) {
        fn walk(
            at: u128,
            edges: &[(u128, u128)],
            seen: &mut Vec<u128>,
            components: &mut Components,
            found: &mut Vec<Vec<u128>>,
        ) {
            seen.push(at);
            components.enter(at);
            for &(_, to) in edges.iter().filter(|(from, _)| *from == at) {
                match seen.contains(&to) {
                    true => _ = components.meet(to),
                    false => walk(to, edges, seen, components, found),
                }
            }
            match components.leave() {
                Some(c) if c.states == [DEAD] => return components.dismiss(c),
                Some(c) if !c.is_left => found.push(c.states),
                Some(_) => {}
                None => return,
            }
            components.escape();
        }
        let (mut components, mut found) = (Components::default(), Vec::new());
        walk(0, edges, &mut Vec::new(), &mut components, &mut found);
        found.iter_mut().for_each(|states| states.sort_unstable());
        found.sort();
        (found, components.left_a_cycle)
    }

    #[test]
    fn a_cycle_that_is_never_left() {
        assert_eq!(bottoms(&[(0, 1), (1, 2), (2, 1)]), (vec![vec![1, 2]], false));
        assert_eq!(bottoms(&[(0, 1), (1, 2), (2, 1), (2, 3)]), (vec![vec![3]], true));
        assert_eq!(bottoms(&[(0, 0)]), (vec![vec![0]], false));
    }

    #[test]
    fn what_is_dismissed_is_no_way_out() {
        let one = [(0, 1), (1, 0), (1, DEAD), (0, DEAD)];
        assert_eq!(bottoms(&one), (vec![vec![0, 1]], false));
    }

    #[test]
    fn edges_across() {
        let across = [(0, 1), (1, 3), (0, 2), (2, 3), (2, 0)];
        assert_eq!(bottoms(&across), (vec![vec![3]], true));
        let two = [(0, 1), (1, 1), (0, 2), (2, 4), (4, 2)];
        assert_eq!(bottoms(&two), (vec![vec![1], vec![2, 4]], false));
    }

    /// Against the definition: who is reached from a state, and nothing else, reaches it.
    #[test]
    fn as_defined_on_random_graphs() {
        for seed in 0..400 {
            let mut dice = obmc_testing::Dice::new(seed);
            let count = 2 + dice.below(6);
            let edges: Vec<(u128, u128)> = (0..dice.below(14))
                .map(|_| (dice.below(count).into(), dice.below(count).into()))
                .collect();
            let reach = |from: u128| {
                let mut seen = vec![from];
                let mut at = 0;
                while at < seen.len() {
                    let next = edges.iter().filter(|e| e.0 == seen[at]).map(|e| e.1);
                    let new: Vec<u128> = next.filter(|to| !seen.contains(to)).collect();
                    new.into_iter().for_each(|to| {
                        if !seen.contains(&to) {
                            seen.push(to)
                        }
                    });
                    at += 1;
                }
                seen.sort_unstable();
                seen
            };
            let mut expected: Vec<Vec<u128>> = reach(0)
                .into_iter()
                .map(reach)
                .filter(|all| all.iter().all(|other| reach(*other) == *all))
                .collect();
            expected.sort();
            expected.dedup();
            assert_eq!(bottoms(&edges).0, expected, "{edges:?}");
        }
    }
}
