//! `obmc bench --on slurm` with programs that stand for Slurm's: what is handed over, what is taken back,
//! and what a lost worker costs. `scripts/cluster-trial` does the same with the real ones.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the elements of the array one after the other, here and now; element 1 is lost if a file says so.
const SBATCH: &str = r#"#!/bin/sh
for word in "$@"; do
    case $word in
        --array=0-*) last=${word#--array=0-}; last=${last%%%*} ;;
        --wrap=*) command=${word#--wrap=} ;;
    esac
done
echo "$@" > sbatch.words
i=0
while [ $i -le $last ]; do
    if [ $i != 1 ] || [ ! -e lose ]; then
        SLURM_ARRAY_TASK_ID=$i sh -c "$command"
    fi
    i=$((i + 1))
done
echo "7;trial"
"#;

fn program(path: &Path, text: &str) {
    std::fs::write(path, text).expect("written");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("executable");
}

fn bench(place: &Path, words: &str) -> Output {
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(env!("CARGO_BIN_EXE_obmc"));
    command.args(words.split_whitespace()).current_dir(place);
    command.env("PATH", format!("{}:{path}", place.join("bin").display()));
    command.output().expect("obmc starts")
}

/// Four tasks, of which one is wrong by its expectation.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a folder");
    let at = place.path();
    std::fs::create_dir(at.join("bin")).expect("made");
    std::fs::create_dir(at.join("it's a suite")).expect("made");
    program(&at.join("bin/sbatch"), SBATCH);
    program(&at.join("bin/squeue"), "#!/bin/sh\n");
    program(&at.join("bin/scancel"), "#!/bin/sh\n");
    for (i, body) in
        ["return 0;", "reach_error();", "return 1;", "reach_error();"].iter().enumerate()
    {
        let text = format!("void reach_error(void); int main(void) {{ {body} }}\n");
        std::fs::write(at.join(format!("it's a suite/{i}.i")), text).expect("written");
    }
    std::fs::write(at.join("all.set"), "it's a suite/*.i\n").expect("written");
    place
}

fn verdicts(place: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(place.join("out/results.jsonl")).unwrap_or_default();
    let rows = text.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let word = |name: &str| row[name].as_str().unwrap_or_default().to_string();
        (word("name"), word("verdict"))
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort();
    rows
}

#[test]
fn the_book_is_that_of_a_local_run() {
    let (here, there) = (place(), place());
    let words = "bench all.set --jobs 2 --memlimit 4G --out out -- --engine explore";
    assert!(bench(here.path(), words).status.success());
    let queued = words.replace("--jobs", "--on slurm --submit=--partition=long --jobs");
    let output = bench(there.path(), &queued);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(verdicts(here.path()).len(), 4);
    assert_eq!(verdicts(here.path()), verdicts(there.path()));
    let handed = std::fs::read_to_string(there.path().join("sbatch.words")).expect("handed over");
    for word in ["--array=0-3%2", "--partition=long", "--mem=", "--requeue"] {
        assert!(handed.contains(word), "{word}: {handed}");
    }
}

#[test]
fn a_lost_worker_costs_its_tasks_and_the_same_command_goes_on() {
    let place = place();
    std::fs::write(place.path().join("lose"), "").expect("written");
    let words = "bench all.set --on slurm --out out";
    let output = bench(place.path(), words);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("1 tasks have no result yet"), "{text}");
    assert_eq!((output.status.code(), verdicts(place.path()).len()), (Some(6), 3));
    std::fs::remove_file(place.path().join("lose")).expect("removed");
    let output = bench(place.path(), words);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("known from an earlier run: 3"), "{text}");
    assert_eq!(verdicts(place.path()).len(), 4);
}

#[test]
fn a_queue_that_is_not_there_is_said_so() {
    let place = place();
    std::fs::remove_file(place.path().join("bin/sbatch")).expect("removed");
    program(&place.path().join("bin/sbatch"), "#!/bin/sh\necho no such partition >&2\nexit 1\n");
    let output = bench(place.path(), "bench all.set --on slurm --out out");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && text.contains("no such partition"), "{text}");
    let output = bench(place.path(), "bench all.set --part 3/3 --out out");
    assert_eq!(output.status.code(), Some(1));
}
