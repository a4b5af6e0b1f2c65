//! Suites of tasks.

use super::place::*;

#[test]
fn a_suite_is_run_once_and_reported() {
    let place = Place::with("good.i", "int main(void) { return 0; }\n");
    place.add("good.expected", "unreach-call: true\nno-overflow: true\n");
    place.add("bad.i", "void reach_error(void); int main(void) { reach_error(); }\n");
    place.add("bad.expected", "unreach-call: false\n");
    let run = place.run("bench . --jobs 2 --out out");
    let total: Vec<&str> = run.stdout.lines().filter(|l| l.starts_with("total")).collect();
    let cells: Vec<&str> = total[0].split_whitespace().take(5).collect();
    assert_eq!((run.code, cells), (0, vec!["total", "3", "3", "3", "0"]), "{run}");
    let read = |name: &str| {
        std::fs::read_to_string(place.0.path().join("out").join(name)).expect("a file")
    };
    let json: serde_json::Value = serde_json::from_str(&read("results.json")).expect("good JSON");
    assert_eq!(json["results"][0]["verdict"], "false(unreach-call)");
    assert!(read("report.html").contains("<svg"));
    let lines = read("results.jsonl").lines().count();
    place.add("more.i", "int main(void) { return 1; }\n");
    let run = place.run("bench . --jobs 2 --out out");
    assert!(run.stdout.contains("known from an earlier run: 3"), "{run}");
    assert_eq!((run.code, read("results.jsonl").lines().count()), (0, lines + 1), "{run}");
}

#[test]
fn a_suite_with_a_wrong_verdict() {
    let place = Place::with("a.i", "int main(void) { return 0; }\n");
    place.add("t.json", r#"[{"file": "a.i", "expected": false, "unwind": 2}]"#);
    let run = place.run("bench t.json --out out -- --engine explore");
    assert!(run.code == 10 && run.stdout.contains("WRONG: a.i"), "{run}");
    let run = place.run("bench nothing.json --out out");
    assert!(run.code == 2 && run.stderr.contains("nothing.json"), "{run}");
}
