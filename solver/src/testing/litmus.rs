//! Small programs whose answers are known.

use super::build::{Builder, MAIN};
use super::{Make, expect};
use crate::Outcome::{Sat, Unsat};
use encoder::Term;

/// x = 1; x = 2 beside two reads of x: they see the writes in order.
pub fn coherence(make: &impl Make) {
    let seen = |first, second| {
        move || {
            let mut b = Builder::new(4, 1);
            let [t, u] = [(); 2].map(|()| b.thread());
            b.write(t, 0, 1);
            b.write(t, 0, 2);
            let reads = [b.read(u, 0), b.read(u, 0)];
            let goal = b.are(&reads, &[first, second]);
            (b, goal)
        }
    };
    for first in 0..3 {
        for second in 0..3 {
            let expected = if first <= second { Sat } else { Unsat };
            expect(make, seen(first, second), expected, expected);
        }
    }
}

/// Data, then a flag: who sees the flag sees the data.
pub fn message_passing(make: &impl Make) {
    let seen = |flag, data| {
        move || {
            let mut b = Builder::new(4, 2);
            let [t, u] = [(); 2].map(|()| b.thread());
            b.write(t, 0, 1);
            b.write(t, 1, 1);
            let reads = [b.read(u, 1), b.read(u, 0)];
            let goal = b.are(&reads, &[flag, data]);
            (b, goal)
        }
    };
    expect(make, seen(1, 0), Unsat, Unsat);
    for (flag, data) in [(0, 0), (0, 1), (1, 1)] {
        expect(make, seen(flag, data), Sat, Sat);
    }
}

/// x = 1; a = y beside y = 1; b = x: one of the two sees the other.
pub fn store_buffering(make: &impl Make) {
    let seen = |one, two| {
        move || {
            let mut b = Builder::new(4, 2);
            let [t, u] = [(); 2].map(|()| b.thread());
            b.write(t, 0, 1);
            let first = b.read(t, 1);
            b.write(u, 1, 1);
            let reads = [first, b.read(u, 0)];
            let goal = b.are(&reads, &[one, two]);
            (b, goal)
        }
    };
    expect(make, seen(0, 0), Unsat, Unsat);
    for (one, two) in [(0, 1), (1, 0), (1, 1)] {
        expect(make, seen(one, two), Sat, Sat);
    }
}

/// Three increments: if they are indivisible, the last read sees all of them.
pub fn lost_update(make: &impl Make) {
    for value in 0..5 {
        let all = if value == 3 { Sat } else { Unsat };
        expect(make, || lost_update_program(true, value, 1), all, all);
        let some = if (1..=3).contains(&value) { Sat } else { Unsat };
        expect(make, || lost_update_program(false, value, 1), some, some);
    }
}

/// Three threads increment a cell `times` times; is it `value` in the end?
pub fn lost_update_program(atomic: bool, value: u64, times: u32) -> (Builder, Term) {
    let mut b = Builder::new(4, 1);
    let always = b.pool().bool(true);
    let threads = [(); 3].map(|()| b.thread());
    for t in threads {
        for _ in 0..times {
            if atomic {
                b.increment(t, 0);
                continue;
            }
            let (old, one) = (b.read(t, 0), b.number(1));
            let new = b.pool().add(old, one);
            b.write_if(always, t, 0, new);
        }
    }
    threads.into_iter().for_each(|t| b.join(t));
    let last = b.read(MAIN, 0);
    let goal = b.is(last, value);
    (b, goal)
}

/// Reads that weak consistency allows and strong consistency does not: no order between the two
/// writes of a cell follows from them, yet neither is possible.
pub fn four_writers(make: &impl Make) {
    expect(make, four_writers_program, Unsat, Sat);
}

pub fn four_writers_program() -> (Builder, Term) {
    let mut b = Builder::new(4, 2);
    let goal = four_writers_at(&mut b, 0, 1);
    (b, goal)
}

fn four_writers_at(b: &mut Builder, x: u32, y: u32) -> Term {
    let mut all = Vec::new();
    for (own, other, value, seen) in [(x, y, 1, 1), (x, y, 2, 2), (y, x, 1, 2), (y, x, 2, 1)] {
        let t = b.thread();
        b.write(t, own, value);
        let reads = [b.read(t, other), b.read(t, own)];
        all.push(b.are(&reads, &[seen, value]));
    }
    b.pool().and_all(all)
}

/// Two copies, of which an input chooses one: the second stage is not tied to the first model.
pub fn four_writers_twice(make: &impl Make) {
    let build = || {
        let mut b = Builder::new(4, 4);
        let (one, two) = (four_writers_at(&mut b, 0, 1), four_writers_at(&mut b, 2, 3));
        let which = b.input();
        let goal = b.pool().ite(which, one, two);
        (b, goal)
    };
    expect(make, build, Unsat, Sat);
}

/// The order of two writes of x follows from y, and only then contradicts what was read of x.
pub fn order_across_cells(make: &impl Make) {
    let build = |x, y| {
        move || {
            let mut b = Builder::new(4, 2);
            let [t, u, v] = [(); 3].map(|()| b.thread());
            b.write(t, y, 1);
            let first = [b.read(t, x), b.read(t, x)];
            b.write(u, x, 2);
            let last = b.read(u, y);
            b.write(v, x, 3);
            let goal = b.are(&[first[0], first[1], last], &[3, 2, 0]);
            (b, goal)
        }
    };
    expect(make, build(0, 1), Unsat, Unsat);
    expect(make, build(1, 0), Unsat, Unsat);
}

/// Who may skip a join may miss what the other thread did; who joins does not.
pub fn conditional_join(make: &impl Make) {
    let build = |joined: Option<bool>| {
        move || {
            let mut b = Builder::new(4, 1);
            let when = b.input();
            let t = b.thread();
            b.write(t, 0, 1);
            b.join_if(when, t);
            let seen = b.read(MAIN, 0);
            let missed = b.is(seen, 0);
            let condition = match joined {
                Some(true) => when,
                Some(false) => b.pool().not(when),
                None => b.pool().bool(true),
            };
            let goal = b.pool().and(missed, condition);
            (b, goal)
        }
    };
    expect(make, build(None), Sat, Sat);
    expect(make, build(Some(false)), Sat, Sat);
    expect(make, build(Some(true)), Unsat, Unsat);
}

/// A write that happens only if a flag was seen, and a read that happens only if that write was.
pub fn handshake(make: &impl Make) {
    let build = |value| {
        move || {
            let mut b = Builder::new(4, 3);
            let [t, u] = [(); 2].map(|()| b.thread());
            b.write(t, 2, 7);
            b.write(t, 0, 1);
            let flag = b.read(u, 0);
            let seen = b.is(flag, 1);
            let one = b.number(1);
            b.write_if(seen, u, 1, one);
            let answer = b.read(t, 1);
            let answered = b.is(answer, 1);
            let data = b.read_if(answered, t, 2);
            let right = b.is(data, value);
            let goal = b.pool().and(answered, right);
            (b, goal)
        }
    };
    expect(make, build(7), Sat, Sat);
    expect(make, build(0), Unsat, Unsat);
}
