use frontend::pass;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let bound = args.get(2).and_then(|a| a.parse().ok()).unwrap_or(2);
    let verbose = args.len() > 3;
    let machine = frontend::types::Machine::Lp64;
    let options = frontend::LoadOptions { entry: "main".into(), spurious_wakeups: true };
    let program = frontend::load(
        &[frontend::Source { name: &args[1], text: text.as_bytes() }],
        machine,
        &options,
    );
    let program = match program {
        Ok(p) => p,
        Err(e) => {
            println!("load: {e:?}");
            return;
        }
    };
    let mut program = pass::prepare(program);
    pass::spin::collapse(&mut program, pass::spin::Goal::Reachability);
    let t = std::time::Instant::now();
    let bounds = pass::unroll::Bounds::all(bound);
    let (program, _) = match pass::unrolled(program, &bounds, 1000, &Default::default()) {
        Ok(p) => p,
        Err(e) => {
            println!("too large {e:?}");
            return;
        }
    };
    if verbose {
        println!("{}", frontend::print::program(&program));
    }
    let t1 = t.elapsed();
    let t = std::time::Instant::now();
    match encoder::encode(&program, &Default::default()) {
        Ok(e) => {
            if verbose {
                println!("{}", encoder::print::encoding(&e));
            }
            let r = e.events.iter().filter(|e| e.kind == encoder::Kind::Read).count();
            println!(
                "unroll {t1:?} encode {:?} threads {} nodes {} cells {} reads {} writes {} goals {} waits {} terms {}",
                t.elapsed(),
                e.threads.len(),
                e.nodes.len(),
                e.cells.len(),
                r,
                e.events.len() - r,
                e.goals.len(),
                e.waits.len(),
                e.pool.len()
            );
            for g in &e.goals {
                println!("  {:?} {}", g.kind, encoder::print::term(&e.pool, g.guard));
            }
        }
        Err(e) => println!("unencodable {e:?}"),
    }
}
