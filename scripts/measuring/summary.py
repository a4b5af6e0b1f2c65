"""Tables: what each verifier solved, and how two of them compare.

PAR-2 is the average time, an unsolved or wrong task counted as twice the limit. A ratio is taken
over the tasks that both have solved; times below a millisecond are counted as one.
"""
import csv
import math
from dataclasses import dataclass

FLOOR = 0.001
TIE = 1.25  # ratios up to this are noise


@dataclass
class Column:
    """A verifier with its results, one per task."""
    name: str
    results: list


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def par2(results, seconds, by):
    times = [getattr(r, by) if r.solved else 2 * seconds for r in results]
    return sum(times) / len(times) if times else 0.0


def overview(columns, seconds, by):
    """Header and rows, as text."""
    header = ["", "tasks", "solved", "correct", "wrong", "unknown", "timeout", "memory", "crash",
              f"{by} [s]", f"{by} of solved [s]", "PAR-2 [s]", "largest peak [MB]"]
    rows = []
    for column in columns:
        all = [r for r in column.results if r.verdict != "skipped"]
        verdicts = [r.verdict for r in all if r.grade == "unsolved"]
        counts = [verdicts.count(v) for v in ("timeout", "memory", "crash")]
        rows.append([column.name, len(all), sum(r.solved for r in all),
                     *(sum(r.grade == g for r in all) for g in ("correct", "wrong")),
                     len(verdicts) - sum(counts), *counts,
                     f"{sum(getattr(r, by) for r in all):.3f}",
                     f"{sum(getattr(r, by) for r in all if r.solved):.3f}",
                     f"{par2(all, seconds, by):.3f}",
                     f"{max((r.memory for r in all), default=0) / 1e6:.0f}"])
    return header, [[str(cell) for cell in row] for row in rows]


def ratios(first, second, by):
    """(ratio, number of the task) of the tasks that both have solved."""
    def value(result):
        return max(getattr(result, by), FLOOR)
    return [(value(a) / value(b), i)
            for i, (a, b) in enumerate(zip(first.results, second.results)) if a.solved and b.solved]


def pairs(columns, by):
    header = ["pair", "solved by both", f"{by} ratio", "memory ratio", "first faster", "tie",
              "second faster", "only first solves", "only second solves"]
    rows = []
    for i, first in enumerate(columns):
        for second in columns[i + 1:]:
            times = [r for r, _ in ratios(first, second, by)]
            memory = geometric_mean(r for r, _ in ratios(first, second, "memory"))
            faster, slower = sum(r < 1 / TIE for r in times), sum(r > TIE for r in times)
            both = list(zip(first.results, second.results))
            rows.append([f"{first.name} / {second.name}", len(times), number(geometric_mean(times)),
                         number(memory), faster, len(times) - faster - slower, slower,
                         sum(a.solved and not b.solved for a, b in both),
                         sum(b.solved and not a.solved for a, b in both)])
    return header, [[str(cell) for cell in row] for row in rows]


def portfolio(columns, tasks, by, factor=1.5, seconds=0.5):
    """On how many tasks the first takes at most `factor` times as long as the best of the others plus
    `seconds`, of those that any of them solves; and where not."""
    first, *others = columns
    good, late = 0, []
    for i, task in enumerate(tasks):
        own = first.results[i]
        best = min((getattr(o.results[i], by) for o in others if o.results[i].solved), default=None)
        if best is None:
            good += own.solved
        elif own.solved and getattr(own, by) <= factor * best + seconds:
            good += 1
        else:
            took = f"{getattr(own, by):.2f} s" if own.solved else own.verdict
            late.append(f"{first.name} is late: {task.name} ({took}, best {best:.2f} s)")
    all = good + len(late)
    share = 100 * good / all if all else 100.0
    return [f"{first.name} within {factor:g} x best + {seconds:g} s: {good} of {all} ({share:.1f} %)", *late]


def number(value):
    return "" if value is None else f"{value:.3g}"


def remarks(columns, tasks, by, most=10):
    """What a reader should look at: wrong answers, disagreements, where the first is slow."""
    lines = []
    for column in columns:
        lines += [f"{column.name} is wrong: {task.name} is {r.verdict}"
                  for task, r in zip(tasks, column.results) if r.grade == "wrong"]
    for i, task in enumerate(tasks):
        answers = {c.results[i].verdict for c in columns if c.results[i].solved}
        if {"true", "false"} <= answers:
            lines.append(f"answers differ: {task.name}")
    for other in columns[1:]:
        worst = sorted(ratios(columns[0], other, by), reverse=True)[:most]
        for ratio, i in worst:
            if ratio > TIE:
                a, b = columns[0].results[i], other.results[i]
                lines.append(f"{columns[0].name} takes {ratio:.1f} times as long as {other.name}: "
                             f"{tasks[i].name} ({getattr(a, by):.3f} s, {getattr(b, by):.3f} s)")
        lines += [f"only {other.name} solves {tasks[i].name} ({columns[0].name}: {a.verdict})"
                  for i, (a, b) in enumerate(zip(columns[0].results, other.results))
                  if b.solved and not a.solved]
    return lines


def text_table(header, rows):
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]

    def line(row):
        first, *rest = (cell.ljust(w) if i == 0 else cell.rjust(w)
                        for i, (cell, w) in enumerate(zip(row, widths)))
        return "  ".join([first, *rest]).rstrip()
    return "\n".join(map(line, [header, *rows]))


def markdown_table(header, rows):
    lines = ["| " + " | ".join(header) + " |",
             "|" + "|".join("---" if i == 0 else "---:" for i in range(len(header))) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def write_csv(file, tasks, columns, runs):
    """A line per run; `runs[task][peer]` are the repetitions."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["task", "property", "expected", "peer", "run", "verdict", "grade",
                     "cpu_seconds", "wall_seconds", "peak_bytes"])
    for task, row in zip(tasks, runs):
        expected = {True: "true", False: "false"}.get(task.expected, "")
        for column, results in zip(columns, row):
            for i, r in enumerate(results, 1):
                writer.writerow([task.name, task.property, expected, column.name, i, r.verdict,
                                 r.grade, f"{r.cpu:.6f}", f"{r.wall:.6f}", r.memory])
