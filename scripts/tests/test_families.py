"""`scripts/families` with a shell script in the place of obmc."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent
# Says that N * N events were needed, and gives up at 8.
FAKE = """#!/bin/sh
n=${4#N=}
verdict=true
[ $n -lt 8 ] || verdict="unknown (time limit 1 s)"
echo '{"verdict": "'$verdict'", "properties": [{"stats": {"events": '$((n * n))'}}]}'
"""


class Families(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.obmc = Path(folder.name) / "obmc"

    def families(self, *words, fake=FAKE):
        self.obmc.write_text(fake)
        self.obmc.chmod(0o755)
        command = [sys.executable, str(SCRIPTS / "families"), "--obmc", str(self.obmc), *words]
        return subprocess.run(command, capture_output=True, text=True)

    def test_a_table_with_exponents_until_the_limit(self):
        ended = self.families("fibonacci", "--sizes", "2,4,8,16")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("## fibonacci", ended.stdout)
        self.assertNotIn("## cas_threads", ended.stdout)
        self.assertRegex(ended.stdout, r"\| 8 \| 64 \|.*unknown \(time limit 1 s\)")
        self.assertNotIn("\n| 16 |", ended.stdout)
        self.assertRegex(ended.stdout, r"\| exponent \| 2.0 \|")

    def test_a_wrong_verdict_fails(self):
        ended = self.families("fibonacci", "--sizes", "2", fake=FAKE.replace("=true", "='false(x)'"))
        self.assertEqual(ended.returncode, 1)
        self.assertIn("a verdict is wrong", ended.stderr)

    def test_an_unknown_family_is_told(self):
        self.assertIn("there is no pascal", self.families("pascal").stderr)


if __name__ == "__main__":
    unittest.main()
