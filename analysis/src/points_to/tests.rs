use super::*;
use crate::from_c;
use ir::testing::{parse, random_program};
use obmc_testing::{Pattern, Topic};

/// What the register that `main` returns may point to.
fn returned(text: &str) -> Vec<String> {
    let p = parse(text);
    let all = PointsTo::new(&p, Context::Insensitive);
    let main = &p.functions[p.entry.index()];
    let value = main.blocks.iter().find_map(|b| match b.end {
        Terminator::Return(Some(v)) => Some(v),
        _ => None,
    });
    let name = |place: Pointee| match place {
        Pointee::Object(o) => p.objects[o.index()].name.clone(),
        Pointee::Slot(f, s) => {
            let f = &p.functions[f.index()];
            format!("{}.{}", f.name, f.slots[s.index()].name.as_deref().unwrap_or("?"))
        }
        Pointee::Heap(i, n) => format!("{}.heap{n}", p.functions[all.function(i).index()].name),
        Pointee::Function(f) => p.functions[f.index()].name.clone(),
        Pointee::Unknown => "unknown".into(),
    };
    let value = value.expect("main returns a value");
    all.targets(p.entry, &value).into_iter().map(name).collect()
}

#[test]
fn through_memory_and_initialisers() {
    let text = "global x
         global y
         global px = @x
         fn main() {
         a: live $s
         store $s @px
         p = load $s
         store p @y
         pr = load @px
         ret pr
         }";
    assert_eq!(returned(text), ["x", "y"]);
}

#[test]
fn through_calls_of_pointers_and_threads() {
    let text = "global x
         global table = &f
         fn f(pa) {
         a: ret pa
         }
         fn g(pa) {
         a: ret @x
         }
         fn main() {
         a: p = load @table
         ph = alloc 8
         pr = call p(ph)
         t = spawn &g 0
         pj = join t
         ps = pr + pj
         ret ps
         }";
    assert_eq!(returned(text), ["x", "main.heap0"]);
}

#[test]
fn unknown_addresses_reach_everything() {
    let text = "global x
         global y
         global px = @x
         extern lib()
         fn main() {
         a: p = call lib()
         pr = load p
         ret pr
         }";
    assert_eq!(returned(text), ["x", "unknown"]);
    let stored = "global x
         global y
         extern lib()
         fn main() {
         a: p = call lib()
         store p @x
         pr = load @y
         ret pr
         }";
    assert_eq!(returned(stored), ["x"]);
    let called = "global x
         global table = &f
         extern lib()
         fn f() {
         a: ret @x
         }
         fn main() {
         a: p = call lib()
         pr = call p()
         ret pr
         }";
    assert_eq!(returned(called), ["x"]);
}

#[test]
fn comparisons_pass_nothing_on() {
    assert!(returned("global x\nfn main(p) {\na: r = p == @x\nret r\n}").is_empty());
}

const DECLARED: &str = "void *malloc(unsigned long); int pthread_mutex_lock(unsigned long *); \
     int pthread_mutex_unlock(unsigned long *); ";

/// The number of a function.
fn named(program: &Program, name: &str) -> FuncId {
    FuncId(program.functions.iter().position(|f| f.name == name).expect("it is there") as u32)
}

/// What the stores of a function may write to.
fn stored(program: &Program, all: &PointsTo, function: FuncId) -> Vec<Vec<Pointee>> {
    let insts = program.functions[function.index()].blocks.iter().flat_map(|b| &b.insts);
    let stores = insts.filter_map(|inst| match &inst.kind {
        InstKind::Store { addr, .. } => Some(all.targets(function, addr)),
        _ => None,
    });
    stores.collect()
}

#[test]
fn blocks_of_two_calls_are_two() {
    let text = "int *p, *q; int main(void) { p = malloc(4); q = malloc(4); *p = 1; *q = 2; }";
    let program = crate::prepare(from_c::program(&format!("{DECLARED}{text}")));
    let blocks = |context| {
        let all = PointsTo::new(&program, context);
        let places = stored(&program, &all, named(&program, "main")).into_iter().flatten();
        let mut blocks: Vec<Pointee> =
            places.filter(|place| matches!(place, Pointee::Heap(..))).collect();
        blocks.sort();
        blocks.dedup();
        blocks.len()
    };
    assert_eq!(blocks(Context::Insensitive), 1);
    assert_eq!(blocks(Context::ModelCalls), 2);
}

#[test]
fn locks_of_two_calls_are_two() {
    let text = "unsigned long m[5], n[5]; int main(void) { pthread_mutex_lock(m); \
         pthread_mutex_lock(n); pthread_mutex_unlock(n); }";
    let program = from_c::program(&format!("{DECLARED}{text}"));
    let all = PointsTo::new(&program, Context::ModelCalls);
    let lock = named(&program, "pthread_mutex_lock");
    let instances: Vec<Instance> = all.instances().filter(|&i| all.function(i) == lock).collect();
    assert_eq!(instances.len(), 2);
    let param = Operand::Reg(program.functions[lock.index()].params[0]);
    for instance in instances {
        assert_eq!(all.targets_in(instance, &param).len(), 1);
    }
    let once = PointsTo::new(&program, Context::Insensitive);
    assert_eq!(once.targets(lock, &param).len(), 2);
}

#[test]
fn only_what_can_run_has_instances() {
    let p = parse("fn idle() {\na: ret 0\n}\nfn main() {\na: ret 0\n}");
    let all = PointsTo::new(&p, Context::ModelCalls);
    assert!(all.reaches(p.entry) && !all.reaches(named(&p, "idle")));
    assert!(PointsTo::new(&p, Context::Insensitive).reaches(named(&p, "idle")));
}

/// Whatever is found when models are told apart is found when they are not.
fn check_inclusion(program: &Program, text: &str) {
    let fine = PointsTo::new(program, Context::ModelCalls);
    let coarse = PointsTo::new(program, Context::Insensitive);
    let merged = |place: PlaceId| match fine.places[place.index()] {
        Pointee::Heap(i, n) => Pointee::Heap(Instance(fine.function(i).0), n),
        place => place,
    };
    for instance in fine.instances() {
        let function = fine.function(instance);
        for r in 0..program.functions[function.index()].regs.len() as u32 {
            let reg = Operand::Reg(Reg(r));
            let found = coarse.targets(function, &reg);
            for place in fine.targets_in(instance, &reg).into_iter().map(merged) {
                let covered = found.contains(&place) || found.contains(&Pointee::Unknown);
                assert!(covered, "{place:?} of {reg:?} in {function:?}\n{text}");
            }
        }
    }
}

#[test]
fn telling_models_apart_only_removes_places() {
    for seed in 0..100 {
        let text = random_program(seed);
        check_inclusion(&parse(&text), &text);
    }
    for seed in 0..12 {
        for pattern in [Pattern::Small, Pattern::Rich(Topic::Lifetimes), Pattern::Parameterised] {
            let text = obmc_testing::program(pattern, seed);
            check_inclusion(&from_c::program(&text), &text);
            check_inclusion(&crate::prepare(from_c::program(&text)), &text);
        }
    }
}
