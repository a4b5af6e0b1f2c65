"""Plots as SVG files that need nothing else: scatter (two verifiers, a dot per task) and cactus
(how many tasks each verifier solves within a time).

Both axes of times are logarithmic. Colours are classes of a style sheet inside of the file, which
follows the reader's light or dark setting; who hovers over a dot reads its task.
"""
import math
from html import escape

WIDTH, HEIGHT = 640, 520
LEFT, RIGHT, TOP, BOTTOM = 76, 24, 56, 64
LIGHT = ["#2a78d6", "#d95926", "#158a60", "#4a3aa7", "#c2457f", "#8a6a00"]
DARK = ["#5b9df0", "#f0834f", "#3fc390", "#a79bf5", "#ef87b5", "#e0b53a"]
LABELS = {"cpu": "CPU", "wall": "wall"}
SHAPES = ["", "7 3", "2 3", "9 3 2 3", "12 4", "4 2"]  # of lines: colour is never the only sign


def style():
    light = "".join(f".c{i}{{--c:{c}}}" for i, c in enumerate(LIGHT))
    dark = "".join(f".c{i}{{--c:{c}}}" for i, c in enumerate(DARK))
    return f"""<style>
svg{{--paper:#ffffff;--ink:#1f2328;--dim:#59636e;--grid:#e4e7eb;--axis:#aab2bb;background:var(--paper)}}
{light}
@media (prefers-color-scheme:dark){{
svg{{--paper:#15181c;--ink:#e8eaed;--dim:#9aa4af;--grid:#2a2f36;--axis:#59636e}}
{dark}}}
text{{font:12px system-ui,sans-serif;fill:var(--dim)}}
.title{{font-size:15px;font-weight:600;fill:var(--ink)}}
.name{{fill:var(--ink)}}
.grid{{stroke:var(--grid);stroke-width:1}}
.minor{{stroke:var(--grid);stroke-width:1;opacity:.45}}
.axis{{stroke:var(--axis);stroke-width:1;fill:none}}
.guide{{stroke:var(--axis);stroke-width:1;stroke-dasharray:4 4}}
.dot{{fill:var(--c);fill-opacity:.55;stroke:var(--c);stroke-width:1}}
.line{{stroke:var(--c);stroke-width:2;fill:none;stroke-linejoin:round}}
</style>"""


class Log:
    """A logarithmic axis from `low` to `high`, on pixels from `start` to `end`."""

    def __init__(self, low, high, start, end):
        self.low = 10.0 ** math.floor(math.log10(low))
        self.high = max(high, 10 * self.low)
        self.start, self.end = start, end

    def at(self, value):
        value = min(max(value, self.low), self.high)
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self):
        """(value, is it a power of ten)"""
        power = self.low
        while power <= self.high * 1.0001:
            for digit in range(1, 10):
                if digit * power <= self.high * 1.0001:
                    yield digit * power, digit == 1
            power *= 10


def seconds(value):
    if value < 0.9999:
        return f"{round(value * 1000, 3):g} ms"
    return f"{value:g} s"


def document(title, parts):
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{escape(title)}">',
        style(), f'<text class="title" x="{LEFT}" y="24">{escape(title)}</text>', *parts,
        "</svg>", ""])


def frame():
    return (f'<rect class="axis" x="{LEFT}" y="{TOP}" width="{WIDTH - LEFT - RIGHT}" '
            f'height="{HEIGHT - TOP - BOTTOM}"/>')


def label_x(text):
    return (f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 16}" '
            f'text-anchor="middle">{escape(text)}</text>')


def label_y(text):
    middle = (TOP + HEIGHT - BOTTOM) / 2
    return (f'<text transform="translate(18 {middle:.0f}) rotate(-90)" '
            f'text-anchor="middle">{escape(text)}</text>')


def grid_x(axis):
    for value, major in axis.ticks():
        x = axis.at(value)
        yield (f'<line class="{"grid" if major else "minor"}" x1="{x:.1f}" y1="{TOP}" '
               f'x2="{x:.1f}" y2="{HEIGHT - BOTTOM}"/>')
        if major:
            yield (f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" '
                   f'text-anchor="middle">{seconds(value)}</text>')


def grid_y(axis):
    for value, major in axis.ticks():
        y = axis.at(value)
        yield (f'<line class="{"grid" if major else "minor"}" x1="{LEFT}" y1="{y:.1f}" '
               f'x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
        if major:
            yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{seconds(value)}</text>'


def legend(entries):
    """In one line above the frame: (mark as SVG around 0 0, text)."""
    x = LEFT
    for mark, text in entries:
        yield f'<g transform="translate({x + 8} 42)">{mark}</g>'
        yield f'<text class="name" x="{x + 22}" y="46">{escape(text)}</text>'
        x += 36 + 7 * len(text)


def scatter(first, second, tasks, limit, by):
    """`first` and `second` are columns. Unsolved tasks stand at the limit."""
    def time(result):
        return min(getattr(result, by), limit) if result.solved else limit
    points = [(time(a), time(b), a, b, task)
              for a, b, task in zip(first.results, second.results, tasks) if a.solved or b.solved]
    low = min([min(x, y) for x, y, *_ in points], default=0.01)
    x_axis = Log(max(low, 0.001), limit, LEFT, WIDTH - RIGHT)
    y_axis = Log(max(low, 0.001), limit, HEIGHT - BOTTOM, TOP)
    parts = [*grid_x(x_axis), *grid_y(y_axis)]
    for factor in (1, 10, 0.1):
        # y = factor * x, cut to the frame.
        a = max(x_axis.low, x_axis.low / factor)
        b = min(limit, limit / factor)
        parts.append(f'<line class="guide" x1="{x_axis.at(a):.1f}" y1="{y_axis.at(a * factor):.1f}" '
                     f'x2="{x_axis.at(b):.1f}" y2="{y_axis.at(b * factor):.1f}"/>')
    parts.append(frame())
    for x, y, a, b, task in points:
        verdict = a.verdict if a.solved else b.verdict
        parts.append(mark(verdict, x_axis.at(x), y_axis.at(y),
                          f"{task.name} ({verdict}): {told(a, by)}, {told(b, by)}"))
    parts += legend([(mark("true", 0, 0), "holds"), (mark("false", 0, 0), "violated")])
    parts += [label_x(f"{first.name}, {LABELS[by]} time"), label_y(f"{second.name}, {LABELS[by]} time")]
    return document(f"{first.name} and {second.name}: {len(points)} tasks that one has solved", parts)


def told(result, by):
    return f"{getattr(result, by):.3f} s" if result.solved else result.verdict


def mark(verdict, x, y, title=""):
    title = f"<title>{escape(title)}</title>" if title else ""
    if verdict == "false":
        return (f'<path class="dot c1" d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z">{title}</path>')
    return f'<circle class="dot c0" cx="{x:.1f}" cy="{y:.1f}" r="4">{title}</circle>'


def cactus(columns, limit, by):
    curves = [sorted(getattr(r, by) for r in c.results if r.solved) for c in columns]
    most = max(map(len, curves), default=0) or 1
    low = min([t for curve in curves for t in curve[:1]], default=0.01)
    y_axis = Log(max(low, 0.001), limit, HEIGHT - BOTTOM, TOP)

    def x_at(count):
        return LEFT + count / most * (WIDTH - LEFT - RIGHT)
    parts = []
    step = max(1, 10 ** max(0, len(str(most)) - 1) // 2)
    while most / step > 10:
        step *= 2
    for count in range(0, most + 1, step):
        x = x_at(count)
        parts.append(f'<line class="grid" x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" '
                     f'y2="{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" '
                     f'text-anchor="middle">{count}</text>')
    parts += [*grid_y(y_axis), frame()]
    entries = []
    for i, (column, curve) in enumerate(zip(columns, curves)):
        look = f'class="line c{i % len(LIGHT)}" stroke-dasharray="{SHAPES[i % len(SHAPES)]}"'
        points = " ".join(f"{x_at(n):.1f},{y_axis.at(t):.1f}" for n, t in enumerate(curve, 1))
        if curve:
            parts.append(f'<polyline {look} points="{points}">'
                         f"<title>{escape(column.name)}: {len(curve)} solved</title></polyline>")
        entries.append((f'<path {look} d="M-8 0h18"/>', f"{column.name}: {len(curve)}"))
    parts += legend(entries)
    parts += [label_x("tasks solved, the quickest first"), label_y(f"{LABELS[by]} time of the task")]
    return document("Tasks solved within a time", parts)
