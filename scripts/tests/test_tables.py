"""`scripts/tables` with a shell script in the place of obmc."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent
# Says that there were N states or two paths.
FAKE = """#!/bin/sh
for word; do case $word in N=*) n=${word#N=};; esac; done
echo '{"verdict": "true", "properties": [{"stats": {"nodes": '${n:-1}', "paths": 2}}]}'
"""


class Tables(unittest.TestCase):
    def tables(self, *words):
        with tempfile.TemporaryDirectory() as folder:
            obmc = Path(folder) / "obmc"
            obmc.write_text(FAKE)
            obmc.chmod(0o755)
            command = [sys.executable, str(SCRIPTS / "tables"), "--obmc", str(obmc), *words]
            return subprocess.run(command, capture_output=True, text=True)

    def test_a_family_with_the_papers_figures(self):
        ended = self.tables("A-2", "--sizes", "2,4")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("| 4 | 4 |", ended.stdout)
        self.assertIn("all to 256", ended.stdout)
        self.assertRegex(ended.stdout, r"\| exponent \| 1.0 \|")

    def test_paths(self):
        ended = self.tables("S-3")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("| off | 128 | 2 |", ended.stdout)

    def test_means_beside_the_papers(self):
        ended = self.tables("5-1", "--tasks", str(SCRIPTS.parent / "benches/tables"))
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("| prop + conflict clauses | paper | 520 | 15.80 | 599.0 |", ended.stdout)

    def test_a_broken_classic_must_not_be_proven(self):
        self.assertIn("peterson: a wrong answer", self.tables("classics").stderr)

    def test_unknown_names_are_refused(self):
        self.assertIn("there is no X-1", self.tables("X-1").stderr)


if __name__ == "__main__":
    unittest.main()
