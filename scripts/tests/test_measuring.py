"""The parts of `scripts/measuring` that can be looked at without running anything."""
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from measuring import growth, peers, plot, run, summary, tasks  # noqa: E402


def result(cpu, grade="correct", verdict="true"):
    return run.Result(verdict, grade, cpu, cpu, 10 << 20)


class Tasks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in ("a.c", "b.i"):
            (self.root / name).write_text("int main(void) { return 0; }\n")

    def read(self, name, text, property="unreach-call"):
        (self.root / name).write_text(text)
        return tasks.read(self.root / name, property)

    def test_folder(self):
        (self.root / "a.expected").write_text(
            "unreach-call --32: true\nunreach-call --engine bmc: true\nno-overflow: false\n")
        found = tasks.read(self.root, "unreach-call")
        self.assertEqual([(t.name, t.expected, t.data_model) for t in found],
                         [("a.c --32", True, "ILP32"), ("b.i", None, None)])

    def test_each_task_of_a_list_for_its_own_property(self):
        text = '[{"main": "a.c", "property": "no-overflow"}, {"main": "a.c", "property": "no-deadlock"}]'
        found = self.read("t.json", text, "any")
        self.assertEqual([task.property for task in found], ["no-overflow", "no-deadlock"])

    def test_json(self):
        text = """[{"id": "x", "main": "a.c", "expected": false, "unwind": 3},
                   {"file": "b.i", "property": "no-data-race"},
                   {"file": "b.i", "model": "tso"}]"""
        (task,) = self.read("t.json", text)
        self.assertEqual((task.name, task.expected, task.unwind), ("x", False, 3))

    def test_lines(self):
        self.assertEqual([t.name for t in self.read("t.txt", "# all\na.c\n\nb.i # last\n")],
                         ["a.c", "b.i"])

    def test_sv_comp(self):
        text = """format_version: '2.0'
# a comment
input_files: 'b.i'
properties:
  - property_file: ../properties/no-data-race.prp
    expected_verdict: false
  - property_file: ../properties/unreach-call.prp
    expected_verdict: true
options:
  language: C
  data_model: ILP32
"""
        (task,) = self.read("t.yml", text)
        self.assertEqual((task.file.name, task.expected, task.data_model), ("b.i", True, "ILP32"))
        (task,) = self.read("t.yml", text, "no-data-race")
        self.assertEqual(task.expected, False)
        self.assertEqual(len(self.read("t.set", "*.yml\n")), 1)
        self.assertEqual(len(self.read("t.yml", text.replace("'b.i'", "\n  - 'b.i'"))), 1)

    def test_bad_lists(self):
        for name, text, what in [("t.json", "{", "is not JSON"), ("t.json", "{}", "a list"),
                                 ("t.json", "[{}]", "neither"), ("t.txt", "c.c", "no file"),
                                 ("t.yml", "input_files: ['a.c', 'b.i']", "one input file")]:
            with self.assertRaisesRegex(tasks.BadTasks, what):
                self.read(name, text)


class Verdicts(unittest.TestCase):
    def test_last_line_counts(self):
        for text, verdict in [("obmc verdict: true\n", "true"),
                              ("obmc verdict: false(no-data-race)", "false"),
                              ("obmc verdict: unknown (bounded: unwind 2)", "bounded"),
                              ("obmc verdict: unknown (time limit 20 s)", "timeout"),
                              ("obmc verdict: unknown (an input)", "unknown"),
                              ("VERIFICATION FAILED\nVERIFICATION SUCCESSFUL\n", "true"),
                              ("VERIFICATION ERROR", "none")]:
            self.assertEqual(peers.verdict(text), verdict, text)


class Summary(unittest.TestCase):
    def setUp(self):
        self.a = summary.Column("a", [result(1), result(2), result(3, "wrong"), result(4)])
        self.b = summary.Column("b", [result(2), result(16), result(3), result(0, "unsolved")])

    def test_ratios_are_of_tasks_that_both_solve(self):
        self.assertEqual(summary.ratios(self.a, self.b, "cpu"), [(0.5, 0), (0.125, 1)])
        self.assertAlmostEqual(summary.geometric_mean([0.5, 0.125]), 0.25)
        header, rows = summary.pairs([self.a, self.b], "cpu")
        self.assertEqual(rows, [["a / b", "2", "0.25", "1", "2", "0", "0", "1", "1"]])

    def test_portfolio_is_held_against_the_best_engine(self):
        class Named:
            def __init__(self, name):
                self.name = name
        auto = summary.Column("obmc", [result(1.9), result(2.1), result(9, "unsolved", "timeout"), result(1)])
        one = summary.Column("one", [result(1), result(9), result(1), result(9, "unsolved", "timeout")])
        two = summary.Column("two", [result(9), result(1), result(9, "unsolved", "timeout"), result(9, "unsolved", "timeout")])
        lines = summary.portfolio([auto, one, two], [Named(n) for n in "abcd"], "cpu")
        self.assertEqual(lines[0], "obmc within 1.5 x best + 0.5 s: 2 of 4 (50.0 %)")
        self.assertEqual(len(lines), 3)

    def test_par2(self):
        self.assertEqual(summary.par2(self.a.results, 10, "cpu"), (1 + 2 + 20 + 4) / 4)

    def test_repetitions(self):
        times = [result(5), result(1), result(3)]
        self.assertEqual(run.chosen(times, "median").cpu, 3)
        self.assertEqual(run.chosen(times, "best").cpu, 1)
        self.assertEqual(run.chosen([*times, result(0, "wrong")], "best").grade, "wrong")

    def test_plots_of_nothing_and_of_extremes(self):
        none = summary.Column("none", [result(0, "unsolved", "timeout")] * 4)
        todo = [tasks.Task(f"t<{i}>", Path("t.c"), "unreach-call") for i in range(4)]
        tiny = summary.Column("tiny", [result(0.0)] * 4)
        for column in (none, tiny, self.a):
            xml.fromstring(plot.scatter(column, self.b, todo, 20, "cpu"))
            xml.fromstring(plot.cactus([column, self.b], 20, "cpu"))


class Growth(unittest.TestCase):
    def test_exponent_of_a_power(self):
        self.assertAlmostEqual(growth.exponent([(2, 12), (4, 48), (8, 192)]), 2)
        self.assertIsNone(growth.exponent([(2, 12)]))
        self.assertIsNone(growth.exponent([(2, 0), (4, 0)]))


if __name__ == "__main__":
    unittest.main()
