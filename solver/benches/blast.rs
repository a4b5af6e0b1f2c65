//! Terms to clauses: `cargo bench -p obmc-solver --bench blast`.
//!
//! `operator` states `r == a op b` for variables of 8, 32 and 64 bits. `program` states all facts of
//! an encoded program of two threads that compute, the work of the phase `translate`. Clauses go to
//! a sink that only counts, so the solver is not part of it; the throughput is in clauses. Before
//! the clock runs, CaDiCaL computes each operator on known inputs with the same clauses.

use analysis::unroll::Bounds;
use cadical_sys::{CaDiCal, Status};
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use encoder::MemoryModel;
use encoder::eval::Evaluator;
use encoder::term::BitOp;
use encoder::{Config, Encoding, Op, Pool, Sort, Term, encode, prune, reads_from};
use frontend::{LoadOptions, Source, load};
use ir::types::Machine;
use solver::Bridge;
use solver::blast::{Blaster, Literal, Sink};
use std::time::Duration;

const OPERATORS: [BitOp; 6] =
    [BitOp::Add, BitOp::Mul, BitOp::UDiv, BitOp::SRem, BitOp::Shl, BitOp::And];

/// Counts literals and forgets them.
#[derive(Default)]
struct Count(usize);

impl Sink for Count {
    fn clause(&mut self, clause: &[Literal]) {
        self.0 += clause.len();
    }
}

fn blasted(pool: &Pool, facts: &[Term]) -> Blaster {
    let (mut blaster, mut sink) = (Blaster::default(), Count::default());
    for &fact in facts {
        blaster.assert(pool, fact, &mut sink).expect("no floats");
    }
    blaster
}

fn bench(group: &mut BenchmarkGroup<WallTime>, name: String, pool: &Pool, facts: &[Term]) {
    let blaster = blasted(pool, facts);
    println!("{name}: {} gates, {} clauses", blaster.gates(), blaster.clauses());
    assert!(blaster.clauses() > 0, "{name} has nothing to do");
    group.throughput(Throughput::Elements(blaster.clauses()));
    group.bench_function(name, |b| b.iter(|| blasted(pool, facts)));
}

fn operators(c: &mut Criterion) {
    let mut group = c.benchmark_group("operator");
    group.sample_size(10).measurement_time(Duration::from_secs(1));
    group.warm_up_time(Duration::from_millis(200));
    for op in OPERATORS {
        for width in [8, 32, 64] {
            let mut pool = Pool::new();
            let [a, b, r] = [(); 3].map(|()| pool.fresh(Sort::Bits(width)));
            let value = pool.binary(op, a, b);
            let fact = pool.eq(r, value);
            check(&mut pool, fact, [a, b, r], value);
            bench(&mut group, format!("{op:?}/{width}"), &pool, &[fact]);
        }
    }
}

/// The clauses compute what the evaluator does.
fn check(pool: &mut Pool, fact: Term, [a, b, r]: [Term; 3], value: Term) {
    let width = pool.width(a);
    let inputs = [(a, 201), (b, 7)];
    let (mut blaster, mut solver) = (Blaster::default(), CaDiCal::new());
    blaster.assert(pool, fact, &mut solver).expect("no floats");
    for (var, number) in inputs {
        let number = pool.bits(number, width);
        let known = pool.eq(var, number);
        blaster.assert(pool, known, &mut solver).expect("no floats");
    }
    assert_eq!(solver.solve(), Status::SATISFIABLE);
    let mut values = Vec::new();
    for var in 0..=blaster.variables() as i32 {
        values.push(var > 0 && var <= solver.vars() && solver.val(var) > 0);
    }
    let have = blaster.value(pool, r, |lit| values[lit.var()] != lit.is_negative());
    let input = |v| inputs.iter().find(|(t, _)| pool.op(*t) == Op::Var(v)).map_or(0, |i| i.1);
    assert_eq!(have, Evaluator::new(pool, input).value(value), "{:?}", pool.op(value));
}

fn programs(c: &mut Criterion) {
    let mut group = c.benchmark_group("program");
    group.sample_size(10).measurement_time(Duration::from_secs(1));
    group.warm_up_time(Duration::from_millis(200));
    for rounds in [2, 4, 8] {
        let mut encoding = encoded(rounds);
        let (_, mut facts) = Bridge::new(&mut encoding, MemoryModel::Sc);
        facts.extend(&encoding.facts);
        facts.extend(encoding.goals.iter().map(|goal| goal.guard));
        bench(&mut group, format!("{rounds} rounds"), &encoding.pool, &facts);
    }
}

/// Two threads that multiply, divide, shift and compare what they share.
fn encoded(rounds: u32) -> Encoding {
    let text = format!(
        "typedef unsigned long pthread_t;
        extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
        extern int pthread_join(pthread_t, void **);
        extern void reach_error(void);
        unsigned x = 1, y = 1;
        void *mix(void *p) {{
            for (int i = 0; i < {rounds}; i++) {{ x = x * 31 + y; if (x > y) y = (y ^ x) >> 3; }}
            return 0;
        }}
        void *fold(void *p) {{
            for (int i = 0; i < {rounds}; i++) {{ y += x % 7; x = x / 3 - y; }}
            return 0;
        }}
        int main(void) {{
            pthread_t a, b;
            pthread_create(&a, 0, mix, 0); pthread_create(&b, 0, fold, 0);
            pthread_join(a, 0); pthread_join(b, 0);
            if (x == 77 && y < 5) reach_error();
        }}"
    );
    let source = Source { name: "generated.i", text: text.as_bytes(), moved: &[] };
    let program = load(&[source], Machine::Lp64, &LoadOptions::default()).expect("good C");
    let program = analysis::prepare(program);
    let unrolled = analysis::unrolled(program, &Bounds::all(rounds + 1), 1000, &Default::default());
    let mut encoding =
        encode(&unrolled.expect("not too large").0, &Config::default()).expect("nothing unusual");
    reads_from::candidates(&mut encoding);
    prune::prune(&mut encoding, &prune::Options::default());
    encoding
}

criterion_group!(benches, operators, programs);
criterion_main!(benches);
