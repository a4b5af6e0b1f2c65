"""BenchExec's view of obmc (https://github.com/sosy-lab/benchexec).

Use it as tool="tool_info.obmc" with this folder's parent on PYTHONPATH.
"""

import re

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task

VERDICT = re.compile(r"^obmc verdict: (.*)$")
LIMITS = {"time limit": "TIMEOUT", "memory limit": "OUT OF MEMORY", "out of memory": "OUT OF MEMORY"}


class Tool(benchexec.tools.template.BaseTool2):
    """Calls the wrapper of the competition and reads its last line."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("obmc-svcomp", subdir="sv-comp")

    def name(self):
        return "obmc"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="obmc")

    def cmdline(self, executable, options, task, rlimits):
        model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        words = [executable, *options]
        if task.property_file:
            words += ["--property", task.property_file]
        if model:
            words += ["--data-model", model]
        return words + [task.single_input_file]

    def determine_result(self, run):
        said = [m.group(1) for m in map(VERDICT.match, run.output) if m]
        if not said:
            return result.RESULT_ERROR
        verdict = said[-1]
        if verdict == "true":
            return result.RESULT_TRUE_PROP
        if verdict.startswith("false("):
            return verdict
        reason = verdict.removeprefix("unknown (").removesuffix(")")
        for words, status in LIMITS.items():
            if reason.startswith(words):
                return status
        if reason in ("input error", "usage error") or reason.startswith("internal error"):
            return f"{result.RESULT_ERROR} ({reason})"
        return result.RESULT_UNKNOWN

    def get_value_from_output(self, output, identifier):
        for line in output:
            name, _, value = line.strip().partition(": ")
            if name == identifier:
                return value
        return None
