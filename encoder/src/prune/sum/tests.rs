use super::super::{Options, Rule, prune};
use crate::testing::{Builder, goals_reached};
use crate::{CellId, Encoding, Sort, Term, ThreadId};
use obmc_testing::Dice;

/// What a thread does to `x`.
#[derive(Clone, Copy)]
enum Do {
    /// In one node.
    Add(u64),
    /// Read and write apart.
    Racy(u64),
    /// As `Racy`, under a lock.
    Locked(CellId, u64),
    /// A region that is left without an unlock.
    Kept(CellId, u64),
    /// As `Locked`, but something else is written.
    Overwritten(CellId, u64),
    /// Unlocks what it may not hold.
    Unlock(CellId),
    /// Under the lock and an input: only then is it unlocked, too.
    Maybe(CellId, u64, Term),
}

struct Maker {
    b: Builder,
    x: CellId,
}

impl Maker {
    fn new() -> (Maker, CellId, CellId, Term) {
        let mut b = Builder::new();
        let x = b.cell("x", 2, 0);
        let (m, n) = (b.cell("m", 1, 0), b.cell("n", 1, 0));
        let input = b.pool().fresh(Sort::Bool);
        (Maker { b, x }, m, n, input)
    }

    fn racy(&mut self, t: ThreadId, k: u64) {
        let v = self.b.load(t, self.x);
        let k = self.b.pool().bits(k, 2);
        let sum = self.b.pool().add(v, k);
        self.b.write(t, self.x, sum);
    }

    fn act(&mut self, t: ThreadId, what: Do) {
        match what {
            Do::Add(k) => {
                let add = |pool: &mut crate::Pool, v| {
                    let k = pool.bits(k, 2);
                    pool.add(v, k)
                };
                self.b.update(t, self.x, add);
            }
            Do::Racy(k) => self.racy(t, k),
            Do::Locked(m, k) => {
                self.b.lock(t, m);
                self.racy(t, k);
                self.b.store(t, m, 0);
            }
            Do::Kept(m, k) => {
                self.b.lock(t, m);
                self.racy(t, k);
            }
            Do::Overwritten(m, k) => {
                self.b.lock(t, m);
                self.b.store(t, self.x, k);
                self.b.store(t, m, 0);
            }
            Do::Unlock(m) => {
                self.b.store(t, m, 0);
            }
            Do::Maybe(m, k, input) => {
                self.b.lock(t, m);
                let path = self.b.path(t);
                let sometimes = self.b.pool().and(path, input);
                self.b.set_path(t, sometimes);
                self.racy(t, k);
                self.b.store(t, m, 0);
                let not = self.b.pool().not(input);
                let otherwise = self.b.pool().and(path, not);
                self.b.set_path(t, otherwise);
                self.b.store(t, m, 0);
                self.b.set_path(t, path);
            }
        }
    }

    /// Threads that do this, all joined; then `x` is read, and each value of it is a goal.
    fn build(mut self, threads: &[Vec<Do>], join: bool) -> Encoding {
        let main = self.b.main();
        let children: Vec<ThreadId> = threads.iter().map(|_| self.b.thread()).collect();
        for (&t, list) in children.iter().zip(threads) {
            list.iter().for_each(|&what| self.act(t, what));
        }
        for &t in &children {
            if join {
                self.b.join(main, t);
            }
        }
        let v = self.b.load(main, self.x);
        for k in 0..4 {
            let k = self.b.pool().bits(k, 2);
            let seen = self.b.pool().eq(v, k);
            self.b.goal(main, seen);
        }
        self.b.finish()
    }
}

/// Is the read forwarded by a sum? Asserts that goals stay what they are.
fn summed(original: &Encoding) -> bool {
    let expected = goals_reached(original);
    let mut events = Vec::new();
    for options in [Options::default(), Options::default().without(Rule::Sum)] {
        let mut pruned = original.clone();
        let stats = prune(&mut pruned, &options);
        assert_eq!(goals_reached(&pruned), expected, "{options:?}");
        events.push(stats.forwarded);
    }
    events[0] > events[1]
}

#[test]
fn what_is_added_adds_up() {
    type Case = fn(CellId, CellId, Term) -> [Vec<Do>; 2];
    let cases: [(&str, bool, Case); 9] = [
        ("in one node", true, |_, _, _| [vec![Do::Add(1)], vec![Do::Add(1), Do::Add(2)]]),
        ("under a lock", true, |m, _, _| [vec![Do::Locked(m, 1)], vec![Do::Locked(m, 2)]]),
        ("sometimes", true, |m, _, i| [vec![Do::Maybe(m, 1, i)], vec![Do::Locked(m, 2)]]),
        ("never unlocked", true, |m, _, _| [vec![Do::Kept(m, 1)], vec![Do::Locked(m, 1)]]),
        ("a race", false, |_, _, _| [vec![Do::Racy(1)], vec![Do::Racy(1)]]),
        ("half a race", false, |m, _, _| [vec![Do::Locked(m, 1)], vec![Do::Add(1)]]),
        ("two locks", false, |m, n, _| [vec![Do::Locked(m, 1)], vec![Do::Locked(n, 1)]]),
        ("no sum", false, |m, _, _| [vec![Do::Overwritten(m, 2)], vec![Do::Locked(m, 1)]]),
        ("unlocked by others", false, |m, _, _| {
            [vec![Do::Unlock(m), Do::Locked(m, 1)], vec![Do::Locked(m, 1)]]
        }),
    ];
    for (name, expected, case) in cases {
        let (maker, m, n, input) = Maker::new();
        let encoding = maker.build(&case(m, n, input), true);
        assert_eq!(summed(&encoding), expected, "{name}");
    }
}

#[test]
fn a_read_that_others_may_overtake_is_no_sum() {
    let (maker, m, _, _) = Maker::new();
    assert!(!summed(&maker.build(&[vec![Do::Locked(m, 1)], vec![Do::Locked(m, 2)]], false)));
}

#[test]
fn sums_keep_what_is_reachable() {
    let (mut hits, mut misses) = (0, 0);
    for seed in 0..60 {
        let mut random = Dice::new(seed);
        let (maker, m, n, input) = Maker::new();
        let mut some = || {
            let lock = if random.chance(85) { m } else { n };
            let k = u64::from(1 + random.below(3));
            match random.below(12) {
                0 => Do::Racy(k),
                1 => Do::Add(k),
                2 => Do::Kept(lock, k),
                3 => Do::Overwritten(lock, k),
                4 => Do::Unlock(lock),
                5 | 6 => Do::Maybe(lock, k, input),
                _ => Do::Locked(lock, k),
            }
        };
        let mut threads = vec![vec![some()], vec![some()]];
        if seed % 3 == 0 {
            threads[0].push(some());
        }
        let encoding = maker.build(&threads, seed % 10 != 7);
        if summed(&encoding) { hits += 1 } else { misses += 1 }
    }
    assert!(hits > 8 && misses > 8, "{hits} {misses}");
}
