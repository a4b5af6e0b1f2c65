"""`scripts/compare` as its users call it, with small shell scripts in the place of verifiers."""
import csv
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SCRIPTS))
from measuring import run  # noqa: E402

ANSWERS = {  # what stands in the program's file, and what our obmc says to it
    "safe.c": "obmc verdict: true",
    "unsafe.c": "obmc verdict: false(unreach-call)",
    "loop.c": "obmc verdict: unknown (bounded: unwind 2)",
}
FAKES = {
    # Reads its answer in the program.
    "obmc": 'echo noise; cat "$2"',
    "optimist": "echo VERIFICATION FAILED; echo VERIFICATION SUCCESSFUL",
    "pessimist": "echo VERIFICATION FAILED",
    "slow": "sleep 30 & sleep 30; echo VERIFICATION SUCCESSFUL",
    "broken": "echo VERIFICATION; kill -SEGV $$",
    "hungry": f"exec {sys.executable} -c 'x = bytearray(1 << 34); print(\"VERIFICATION FAILED\")'",
    "busy": "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo VERIFICATION SUCCESSFUL",
    "words": 'echo "$@" > "$0.words"; echo VERIFICATION SUCCESSFUL',
}


class Compare(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = Path(self.folder.name)
        (self.root / "tasks").mkdir()
        for name, text in FAKES.items():
            path = self.root / name
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)
        for name, answer in ANSWERS.items():
            (self.root / "tasks" / name).write_text(answer + "\n")
        self.expect("safe", "unreach-call: true")
        self.expect("unsafe", "no-data-race: true\nunreach-call: false")
        self.expect("loop", "unreach-call --unwind 2: bounded")

    def expect(self, name, text):
        (self.root / "tasks" / f"{name}.expected").write_text(text + "\n")

    def compare(self, *words, tasks="tasks", code=0):
        command = [sys.executable, str(SCRIPTS / "compare"), str(self.root / tasks),
                   "--obmc", str(self.root / "obmc"), "--out", str(self.root / "out"), *words]
        ended = subprocess.run(command, capture_output=True, text=True, cwd=self.root)
        self.assertEqual(ended.returncode, code, ended.stdout + ended.stderr)
        return ended.stdout + ended.stderr

    def rows(self, peer):
        with open(self.root / "out" / "results.csv", newline="") as file:
            return {r["task"].split()[0]: r for r in csv.DictReader(file) if r["peer"] == peer}

    def one(self, peer, *words):
        """The result of a fake on the one safe program."""
        self.compare(f"deagle-{peer}={self.root / peer}", "--filter", "loop", *words)
        return self.rows(f"deagle-{peer}")["loop.c"]

    def test_obmc_alone(self):
        text = self.compare()
        self.assertEqual({r["grade"] for r in self.rows("obmc").values()}, {"correct"})
        self.assertNotIn("pair", text)
        self.assertTrue((self.root / "out" / "cactus.svg").is_file())
        self.assertEqual(list((self.root / "out").glob("scatter*")), [])

    def test_a_wrong_peer_is_told_and_is_not_our_failure(self):
        text = self.compare(f"cbmc={self.root / 'optimist'}", f"esbmc={self.root / 'pessimist'}")
        self.assertEqual(self.rows("cbmc")["unsafe.c"]["grade"], "wrong")
        self.assertEqual(self.rows("cbmc")["safe.c"]["grade"], "correct")
        self.assertEqual(self.rows("esbmc")["safe.c"]["grade"], "wrong")
        self.assertIn("cbmc is wrong: unsafe.c is true", text)

    def test_a_wrong_obmc_fails(self):
        self.expect("safe", "unreach-call: false")
        self.assertIn("obmc is wrong: safe.c", self.compare(code=1))

    def test_bounded_is_no_answer_where_no_bound_was_asked_for(self):
        self.expect("loop", "unreach-call: true")
        self.compare()
        self.assertEqual(self.rows("obmc")["loop.c"]["grade"], "unsolved")

    def test_answers_that_differ_are_told_where_none_is_expected(self):
        (self.root / "tasks" / "safe.expected").unlink()
        text = self.compare(f"cbmc={self.root / 'pessimist'}", "--filter", "safe.c")
        self.assertIn("answers differ: safe.c", text)
        self.assertEqual(self.rows("obmc")["safe.c"]["grade"], "solved")

    def test_timeout(self):
        row = self.one("slow", "--timeout", "0.2")
        self.assertEqual((row["verdict"], row["grade"]), ("timeout", "unsolved"))
        self.assertLess(float(row["wall_seconds"]), 20)

    def test_limit_of_cpu_time(self):
        command = ["/bin/sh", "-c", "while :; do :; done"]
        _, cpu, _, _, timed_out, _ = run.launched(command, run.Limits(300, 1 << 30, 1))
        self.assertTrue(timed_out)
        self.assertGreater(cpu, 0)

    def test_crash(self):
        self.assertEqual(self.one("broken")["verdict"], "crash")

    def test_memory(self):
        self.assertEqual(self.one("hungry", "--memory", "1g")["verdict"], "memory")

    def test_time_and_memory_are_measured(self):
        row = self.one("busy")
        self.assertGreater(float(row["cpu_seconds"]), 0)
        self.assertGreaterEqual(float(row["wall_seconds"]), float(row["cpu_seconds"]) * 0.5)
        self.assertGreater(int(row["peak_bytes"]), 1 << 20)

    def test_repetitions_are_kept_and_one_counts(self):
        text = self.compare("--repeat", "3", "--pick", "best", "--filter", "unsafe.c")
        with open(self.root / "out" / "results.csv", newline="") as file:
            self.assertEqual([r["run"] for r in csv.DictReader(file)], ["1", "2", "3"])
        self.assertRegex(text, r"obmc +1 +1 +1 +0")

    def test_words_of_known_and_unknown_peers(self):
        words = self.root / "words"
        self.compare(f"deagle={words} --more", "--filter", "loop")
        got = (self.root / "words.words").read_text().split()
        self.assertEqual(got[1:], ["--64", "--allow-pointer-unsoundness", "--unwind", "2", "--more"])
        self.compare(f"other={words} -m{{bits}} {{file}} {{unwind}}", "--filter", "loop")
        got = (self.root / "words.words").read_text().split()
        self.assertEqual(got, ["-m64", str(self.root / "tasks/loop.c"), "2"])
        self.compare(f"obmc-new={words} --engine bmc", "--filter", "safe.c")
        got = (self.root / "words.words").read_text().split()
        self.assertEqual((got[0], got[-2:]), ("check", ["--engine", "bmc"]))

    def test_a_property_that_a_peer_does_not_know_is_skipped(self):
        self.compare(f"cbmc={self.root / 'optimist'}", "--property", "no-data-race", code=1)
        self.assertEqual(self.rows("cbmc")["unsafe.c"]["verdict"], "skipped")

    def test_table_and_plots(self):
        self.compare(f"cbmc={self.root / 'optimist'}", f"b<&c-deagle={self.root / 'pessimist'}")
        table = (self.root / "out" / "table.md").read_text()
        self.assertIn("| obmc / cbmc | 2 |", table)
        plots = sorted((self.root / "out").glob("*.svg"))
        self.assertEqual(len(plots), 4)
        for plot in plots:
            xml.parse(plot)
            self.assertIn("prefers-color-scheme:dark", plot.read_text())

    def test_bad_input_is_told(self):
        words = self.root / "words"
        for peer, what in [("missing", "missing does not exist"),
                           (f"x={words}", "which verifier is it?"),
                           (f"x={words} {{file}} {{fil}}", "{fil} means nothing"),
                           (f"obmc={words}", "two are called obmc"),
                           ("x=", "NAME=COMMAND or a path is wanted"),
                           (f"x={words} 'a", "No closing quotation")]:
            self.assertIn(what, self.compare(peer, code=1))
        self.assertIn("No such file", self.compare(tasks="nothing", code=1))
        self.assertIn("no task for termination", self.compare("--property", "termination", code=1))
        self.assertIn("is no size", self.compare("--memory", "much", code=2))
        self.assertIn("1 or more", self.compare("--repeat", "0", code=2))


if __name__ == "__main__":
    unittest.main()
