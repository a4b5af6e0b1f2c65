//! The door of the program without the program: for measuring this room alone.
//!
//! `cargo run --release -p obmc-litmus --example litmus -- litmus FILE --cat MODEL --json`

use std::time::{Duration, Instant};

fn main() {
    let mut words = std::env::args().skip(1).filter(|word| word != "litmus");
    let (mut files, mut model, mut json, mut deadline) = (Vec::new(), None, false, None);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--json" => json = true,
            "--cat" => {
                let path = words.next().unwrap_or_default();
                model =
                    Some(cat::Model::read(std::path::Path::new(&path)).map_err(|e| e.to_string()));
            }
            "--mm" => {
                let name = words.next().unwrap_or_default();
                model = Some(cat::Model::builtin(&name).ok_or(format!("no model {name}")));
            }
            "--timeout" => {
                let text = words.next().unwrap_or_default();
                let seconds = text.trim_end_matches('s').parse().unwrap_or(10);
                deadline = Some(Instant::now() + Duration::from_secs(seconds));
            }
            _ => files.push(word),
        }
    }
    let model = match model.unwrap_or_else(|| Err("which model?".into())) {
        Ok(model) => model,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let limits = litmus::Limits { deadline, ..Default::default() };
    let mut rows = Vec::new();
    for file in files {
        let begun = Instant::now();
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap_or_default()).into_owned();
        let done = litmus::parse(&text)
            .and_then(|test| litmus::run(&test, &model, limits).map(|outcome| (test, outcome)));
        match done {
            Ok((test, outcome)) if json => {
                let states: Vec<_> =
                    outcome.states.keys().map(|s| litmus::state_line(&test, &outcome, s)).collect();
                let known = |known: bool, text: String| if known { text } else { "null".into() };
                rows.push(format!(
                    "{{\"verdict\": \"{:?}\", \"states\": {}, \"executions\": {}, \"flags\": {}}}",
                    outcome.verdict(test.quantifier),
                    known(outcome.complete, format!("{states:?}")),
                    known(outcome.complete, outcome.executions().to_string()),
                    known(
                        !outcome.flags_open,
                        format!("{:?}", outcome.flags.iter().collect::<Vec<_>>())
                    )
                ));
            }
            Ok((test, outcome)) => {
                print!("{}", litmus::text(&test, &outcome, begun.elapsed().as_secs_f64()));
            }
            Err(error) => rows
                .push(format!("{{\"verdict\": \"Unknown\", \"reason\": {:?}}}", error.to_string())),
        }
    }
    if json || !rows.is_empty() {
        println!("{{\"tests\": [{}]}}", rows.join(",\n"));
    }
}
