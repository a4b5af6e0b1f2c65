"""The graph of modules: what counts as a cycle across folders, on crates of a few lines."""

import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "module-graph"
loader = importlib.machinery.SourceFileLoader("module_graph", str(SCRIPT))
graph = importlib.util.module_from_spec(importlib.util.spec_from_loader("module_graph", loader))
loader.exec_module(graph)


def cycles(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        graph.ROOT = root
        return [group for _, group, _ in graph.cycles(graph.Crate("toy", root))]


class Layers(unittest.TestCase):
    below = {
        "lib.rs": "mod high; mod low; use high::run;",
        "high/mod.rs": "mod part; use crate::low::Data; pub fn run() {}",
        "high/part.rs": "use super::run;",
        "low.rs": "pub struct Data;",
    }

    def test_a_layered_crate_has_no_cycle(self):
        self.assertEqual(cycles(self.below), [])

    def test_an_upward_import_is_one(self):
        upward = {**self.below, "low.rs": "use crate::high::run; pub struct Data;"}
        self.assertEqual(cycles(upward), [["high", "low"]])

    def test_a_path_in_an_expression_counts(self):
        upward = {**self.below, "low.rs": "pub struct Data; fn f() { crate::high::run() }"}
        self.assertEqual(cycles(upward), [["high", "low"]])

    def test_comments_strings_and_tests_do_not(self):
        text = '// crate::high::run\nconst A: &str = "crate::high::run"; pub struct Data;'
        tests = "#[cfg(test)]\nmod tests { use crate::high::run; }"
        self.assertEqual(cycles({**self.below, "low.rs": f"{text}\n{tests}"}), [])

    def test_a_name_is_followed_through_an_export(self):
        files = {
            "lib.rs": "mod high; mod low; pub use high::run;",
            "high/mod.rs": "mod part; use crate::low::Data; pub fn run() {}",
            "high/part.rs": "",
            "low.rs": "pub struct Data; fn f() { crate::run() }",
        }
        self.assertEqual(cycles(files), [["high", "low"]])

    def test_files_of_one_folder_may_need_each_other(self):
        files = {"lib.rs": "mod a; mod b;", "a.rs": "use crate::b::B; pub struct A;"}
        self.assertEqual(cycles({**files, "b.rs": "use crate::a::A; pub struct B;"}), [])


if __name__ == "__main__":
    unittest.main()
