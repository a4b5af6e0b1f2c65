"""One run of a verifier on a task, and what it is worth.

`verdict` is true, false, bounded, unknown, timeout, memory, crash or skipped; `grade` holds it
against the expectation: correct, wrong, solved (an answer where none is expected) or unsolved.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from . import peers

LAUNCH = Path(__file__).with_name("launch.py")
GRACE = 1.0  # seconds that a verifier which knows its limit has to say so
TAIL = 64 * 1024  # bytes of output that are read
OUT_OF_MEMORY = re.compile(r"out of memory|bad_alloc|memory allocation of|MemoryError", re.I)


@dataclass(frozen=True)
class Limits:
    seconds: float  # on the clock
    memory: int
    cpu: int = 0  # seconds of CPU time per process, 0: no limit


@dataclass(frozen=True)
class Result:
    verdict: str
    grade: str
    cpu: float
    wall: float
    memory: int  # bytes at the peak

    @property
    def solved(self):
        return self.grade in ("correct", "solved")


SKIPPED = Result("skipped", "unsolved", 0.0, 0.0, 0)


def run(peer, task, limits):
    command = peer.command(task, f"{limits.seconds:g}")
    if command is None:
        return SKIPPED
    code, cpu, wall, memory, timed_out, output = launched(command, limits)
    verdict = peers.verdict(output, task.property)
    if timed_out:
        verdict = "timeout"
    elif verdict == "none":
        short = OUT_OF_MEMORY.search(output) or memory > 0.8 * limits.memory
        verdict = "memory" if short else "crash"
    return Result(verdict, grade(verdict, task), cpu, wall, memory)


def launched(command, limits):
    read, write = os.pipe()
    with tempfile.TemporaryFile() as out, os.fdopen(read) as report:
        words = [sys.executable, "-I", "-S", str(LAUNCH), str(limits.seconds + GRACE),
                 str(limits.cpu), str(limits.memory), str(write), *command]
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=subprocess.STDOUT, pass_fds=[write])
        os.close(write)
        try:
            told = report.read().split()
            process.wait()
        except BaseException:  # Ctrl-C: nothing is left running
            process.terminate()
            process.wait()
            raise
        if len(told) != 5:
            raise RuntimeError(f"{LAUNCH} did not report on {command}")
        out.seek(max(0, out.seek(0, os.SEEK_END) - TAIL))
        output = out.read().decode(errors="replace")
    code, cpu, wall, kilobytes, timed_out = told
    return int(code), float(cpu), float(wall), int(kilobytes) * 1024, timed_out == "1", output


def grade(verdict, task):
    answer = {"true": True, "false": False}.get(verdict)
    if verdict == "bounded" and task.unwind:
        answer = True
    if answer is None:
        return "unsolved"
    if task.expected is None:
        return "solved"
    return "correct" if answer == task.expected else "wrong"


def held_against(task_list, first, others, limits, enough, progress=lambda done, all: None):
    """Every task with the first; with the others where its time is not good whatever theirs is."""
    rows = []
    for done, task in enumerate(task_list, 1):
        own = run(first, task, limits)
        alone = own.solved and enough(own)
        theirs = [SKIPPED if alone else run(peer, task, limits) for peer in others]
        rows.append([[own], *([result] for result in theirs)])
        progress(done, len(task_list))
    return rows


def alternating(task_list, peer_list, limits, repeat, progress=lambda done, all: None):
    """Every task with every peer, `repeat` times, as rows of lists of results.

    The peers of a task run one after the other and meet the same machine; who begins changes from
    round to round, so that none always finds the file in memory.
    """
    rows = []
    runs = len(task_list) * len(peer_list) * repeat
    turn = done = 0
    for task in task_list:
        row = [[] for _ in peer_list]
        for _ in range(repeat):
            order = [(turn + i) % len(peer_list) for i in range(len(peer_list))]
            turn += 1
            for i in order:
                row[i].append(run(peer_list[i], task, limits))
                done += 1
                progress(done, runs)
        rows.append(row)
    return rows


def chosen(results, how, by="cpu"):
    """One result for all repetitions. Who is wrong or fails once is wrong or fails."""
    for bad in ("wrong", "unsolved"):
        for result in results:
            if result.grade == bad:
                return result
    times = sorted(results, key=lambda r: getattr(r, by))
    if how == "best":
        return times[0]
    middle = statistics.median_low(getattr(r, by) for r in times)
    return next(r for r in times if getattr(r, by) == middle)
