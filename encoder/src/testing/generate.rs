//! Random small encodings that look as if a program stood behind them.
//!
//! Threads of statements over two-bit cells: stores of constants and of what was read before, loads,
//! atomic updates, locks, branches (whose values meet again behind them), assumptions, joins that
//! are certain, conditional or missing. Whatever a read gave matters only where it was enabled.

use super::Builder;
use crate::*;
use obmc_testing::Dice;

/// How large.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Besides main.
    pub threads: u32,
    /// Per thread, counting main's part before and after its children.
    pub statements: u32,
    pub cells: u32,
    /// At most so many reads in all: the judge tries all of their values.
    pub reads: u32,
    /// Branch on inputs rather than on what was read: keeps the judge of conflicts fast.
    pub inputs_only: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Shape { threads: 2, statements: 3, cells: 2, reads: 4, inputs_only: false }
    }
}

const WIDTH: u8 = 2;

/// The encoding of a seed, with all candidates.
pub fn generate(shape: Shape, seed: u64) -> Encoding {
    let mut builder = Builder::new();
    let cells = (0..shape.cells).map(|i| builder.cell(&format!("x{i}"), WIDTH, 0)).collect();
    let zero = builder.pool().bits(0, WIDTH);
    let inputs = (0..2).map(|_| builder.pool().fresh(Sort::Bool)).collect();
    let random = Dice::new(seed);
    let mut maker =
        Maker { shape, random, builder, cells, inputs, locals: vec![vec![zero; 2]], reads: 0 };
    maker.run();
    maker.builder.finish()
}

struct Maker {
    shape: Shape,
    random: Dice,
    builder: Builder,
    cells: Vec<CellId>,
    inputs: Vec<Term>,
    locals: Vec<Vec<Term>>, // of each thread
    reads: u32,
}

impl Maker {
    fn run(&mut self) {
        let main = self.builder.main();
        self.some_statements(main);
        let mut children = Vec::new();
        for _ in 0..self.shape.threads {
            let child = self.builder.thread();
            let zero = self.builder.pool().bits(0, WIDTH);
            self.locals.push(vec![zero; 2]);
            children.push(child);
            self.some_statements(main);
        }
        for &child in &children {
            self.statements(child, self.shape.statements);
        }
        for child in children {
            match self.random.below(5) {
                0 => {}
                1 => self.builder.join(main, child),
                2 | 3 => self.builder.wait_for(main, child),
                _ => {
                    let condition = self.condition(main);
                    let path = self.builder.path(main);
                    let condition = self.builder.pool().and(path, condition);
                    self.builder.join_if(main, child, condition);
                }
            }
        }
        self.some_statements(main);
        for thread in 0..self.locals.len() {
            let thread = ThreadId::new(thread);
            let condition = self.condition(thread);
            self.builder.goal(thread, condition);
        }
    }

    fn some_statements(&mut self, thread: ThreadId) {
        let count = self.random.below(2);
        self.statements(thread, count);
    }

    fn statements(&mut self, thread: ThreadId, count: u32) {
        (0..count).for_each(|_| self.statement(thread));
    }

    fn statement(&mut self, thread: ThreadId) {
        let cell = self.cells[self.random.index(self.cells.len())];
        let may_read = self.reads < self.shape.reads;
        if self.random.chance(15) && self.builder.encoding.goals.len() < 3 {
            let condition = self.condition(thread);
            self.builder.goal(thread, condition);
        }
        match self.random.below(10) {
            0..3 if may_read => self.load(thread, cell),
            3 if may_read => self.update(thread, cell),
            4 if may_read && !self.shape.inputs_only => self.lock(thread, cell),
            5 | 6 => self.branch(thread),
            7 => {
                let condition = self.condition(thread);
                self.builder.assume(thread, condition);
            }
            _ => {
                let value = self.value(thread);
                self.builder.write(thread, cell, value);
            }
        }
    }

    fn load(&mut self, thread: ThreadId, cell: CellId) {
        self.reads += 1;
        let var = self.builder.load(thread, cell);
        let local = self.random.below(2) as usize;
        self.locals[thread.index()][local] = var;
    }

    fn update(&mut self, thread: ThreadId, cell: CellId) {
        self.reads += 1;
        let one = self.builder.pool().bits(1, WIDTH);
        let (read, write) = self.builder.update(thread, cell, |p, v| p.add(v, one));
        let var = self.builder.encoding.events[read.index()].value;
        self.locals[thread.index()][0] = var;
        if self.random.chance(50) {
            // A compare-and-swap: it writes only under a condition.
            let condition = self.condition(thread);
            let guard = &mut self.builder.encoding.events[write.index()].guard;
            *guard = self.builder.encoding.pool.and(*guard, condition);
        }
    }

    fn lock(&mut self, thread: ThreadId, cell: CellId) {
        self.reads += 1;
        self.builder.lock(thread, cell);
        if self.random.chance(70) {
            self.statement(thread);
            self.builder.store(thread, cell, 0);
        }
    }

    fn branch(&mut self, thread: ThreadId) {
        let (path, before) = (self.builder.path(thread), self.locals[thread.index()].clone());
        let condition = self.condition(thread);
        self.builder.assume(thread, condition);
        self.statement(thread);
        let (then_path, then) = (self.builder.path(thread), self.locals[thread.index()].clone());
        let opposite = self.builder.pool().not(condition);
        let else_path = self.builder.pool().and(path, opposite);
        self.builder.set_path(thread, else_path);
        self.locals[thread.index()] = before;
        if self.random.chance(50) {
            self.statement(thread);
        }
        let else_path = self.builder.path(thread);
        let pool = self.builder.pool();
        let meet = pool.or(then_path, else_path);
        let locals = &mut self.locals[thread.index()];
        for (local, then) in locals.iter_mut().zip(then) {
            *local = pool.ite(condition, then, *local);
        }
        self.builder.set_path(thread, meet);
    }

    fn condition(&mut self, thread: ThreadId) -> Term {
        if self.shape.inputs_only || self.random.chance(25) {
            let input = self.inputs[self.random.below(2) as usize];
            return if self.random.chance(50) { input } else { self.builder.pool().not(input) };
        }
        let local = self.locals[thread.index()][self.random.below(2) as usize];
        let k = u64::from(self.random.below(4));
        let pool = self.builder.pool();
        let k = pool.bits(k, WIDTH);
        let equal = pool.eq(local, k);
        if self.random.chance(50) { equal } else { self.builder.pool().not(equal) }
    }

    fn value(&mut self, thread: ThreadId) -> Term {
        let k = u64::from(self.random.below(4));
        let constant = self.builder.pool().bits(k, WIDTH);
        if self.random.chance(50) {
            return constant;
        }
        let local = self.locals[thread.index()][self.random.below(2) as usize];
        self.builder.pool().add(local, constant)
    }
}
