"""How a cost grows with a parameter: the exponent of the power of it that fits best."""
import math


def exponent(points):
    """The slope of log(cost) over log(parameter), least squares over the larger half of the points
    (at least two), where a power shows best. None if there are too few, or costs that are zero."""
    points = points[min(len(points) // 2, max(len(points) - 2, 0)):]
    if len(points) < 2 or any(y <= 0 for _, y in points):
        return None
    xs, ys = ([math.log(p[i]) for p in points] for i in (0, 1))
    x_mean, y_mean = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - x_mean) ** 2 for x in xs)
    return sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys)) / spread
