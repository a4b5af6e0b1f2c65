//! A cheapest choice that has something of each of some sets: a minimum hitting set.
//!
//! Branch and bound: a set without a chosen element, the smallest one, is hit by each of its elements in
//! turn, cheap ones first; a branch that costs as much as the best choice so far is left. The sets of a
//! program are few and small. After `MAX_STEPS` the best choice so far is taken, which may not be the cheapest.

const MAX_STEPS: usize = 200_000;

/// Elements are numbers below `costs.len()`. `None` if a set is empty.
pub fn cheapest(costs: &[u32], sets: &[Vec<usize>]) -> Option<Vec<usize>> {
    if sets.iter().any(Vec::is_empty) {
        return None;
    }
    let mut search = HittingSetSearch { costs, sets, best: None, steps: 0 };
    search.go(&mut Vec::new(), &mut vec![false; costs.len()], 0);
    let mut best = search.best?.1;
    best.sort_unstable();
    Some(best)
}

struct HittingSetSearch<'a> {
    costs: &'a [u32],
    sets: &'a [Vec<usize>],
    best: Option<(u32, Vec<usize>)>,
    steps: usize,
}

impl HittingSetSearch<'_> {
    /// `out`: those that earlier branches have tried here.
    fn go(&mut self, chosen: &mut Vec<usize>, out: &mut [bool], cost: u32) {
        self.steps += 1;
        let enough = self.best.as_ref().is_some_and(|(best, _)| cost >= *best);
        if enough || (self.steps > MAX_STEPS && self.best.is_some()) {
            return;
        }
        let open = |set: &&Vec<usize>| !set.iter().any(|e| chosen.contains(e));
        let left = |set: &&Vec<usize>| set.iter().filter(|&&e| !out[e]).count();
        let Some(set) = self.sets.iter().filter(open).min_by_key(left) else {
            self.best = Some((cost, chosen.clone()));
            return;
        };
        let mut elements: Vec<usize> = set.iter().copied().filter(|&e| !out[e]).collect();
        elements.sort_by_key(|&e| self.costs[e]);
        for &element in &elements {
            chosen.push(element);
            self.go(chosen, out, cost + self.costs[element]);
            chosen.pop();
            out[element] = true;
        }
        elements.iter().for_each(|&e| out[e] = false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_ones() {
        assert_eq!(cheapest(&[1, 1], &[]), Some(vec![]));
        assert_eq!(cheapest(&[1], &[vec![]]), None);
        assert_eq!(cheapest(&[3, 1, 1], &[vec![0, 1], vec![0, 2]]), Some(vec![1, 2]));
        assert_eq!(cheapest(&[1, 1, 1], &[vec![0, 1], vec![0, 2]]), Some(vec![0]));
    }

    /// Against all subsets.
    #[test]
    fn as_cheap_as_any() {
        let mut random = obmc_testing::Dice::new(7);
        for _ in 0..300 {
            let n = 2 + random.index(6);
            let costs: Vec<u32> = (0..n).map(|_| 1 + random.below(5)).collect();
            let sets: Vec<Vec<usize>> = (0..1 + random.below(6))
                .map(|_| (0..n).filter(|_| random.below(3) == 0).collect())
                .collect();
            let hits = |m: usize| sets.iter().all(|s| s.iter().any(|e| m >> e & 1 == 1));
            let cost = |m: usize| (0..n).filter(|e| m >> e & 1 == 1).map(|e| costs[e]).sum::<u32>();
            let best = (0..1usize << n).filter(|&m| hits(m)).map(cost).min();
            let got = cheapest(&costs, &sets);
            assert_eq!(got.map(|set| set.iter().map(|&e| costs[e]).sum()), best);
        }
    }
}
