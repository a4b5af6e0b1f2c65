//! How many tasks are solved within a given cost: a curve, as SVG that takes its colours from the
//! page. The cost has a logarithmic scale; (n, y) says that n tasks need at most y each.

use std::fmt::Write;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 64.0;
const BOTTOM: f64 = 40.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;

/// `costs` of what was solved, in any order, out of `all` tasks.
pub fn curve(title: &str, unit: &str, mut costs: Vec<f64>, all: usize) -> String {
    costs.retain(|c| c.is_finite());
    costs.sort_by(f64::total_cmp);
    let scale = Scale::new(&costs, all);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}: {} of {all} solved\">\n",
        costs.len()
    );
    scale.axes(&mut svg, unit);
    let mut path = String::new();
    for (i, &cost) in costs.iter().enumerate() {
        let word = if i == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{word}{:.1} {:.1}", scale.x((i + 1) as f64), scale.y(cost));
        let (x, y) = (scale.x((i + 1) as f64), scale.y(cost));
        let _ = writeln!(svg, "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\"/>");
    }
    let _ = writeln!(svg, "<path class=\"curve\" d=\"{path}\"/>\n</svg>");
    svg
}

/// From numbers to places.
struct Scale {
    all: f64,
    /// Powers of ten.
    low: i32,
    high: i32,
}

impl Scale {
    fn new(costs: &[f64], all: usize) -> Scale {
        let power = |cost: Option<&f64>| cost.map_or(0.0, |c| c.max(1e-3).log10());
        let low = power(costs.first()).floor() as i32;
        let high = (power(costs.last()).ceil() as i32).max(low + 1);
        Scale { all: all.max(1) as f64, low, high }
    }

    fn x(&self, n: f64) -> f64 {
        LEFT + n / self.all * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, cost: f64) -> f64 {
        let share =
            (cost.max(1e-3).log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)
    }

    fn axes(&self, svg: &mut String, unit: &str) {
        let (left, right, floor) = (LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM);
        for power in self.low..=self.high {
            let value = 10f64.powi(power);
            let y = self.y(value);
            let _ = writeln!(
                svg,
                "<path class=\"grid\" d=\"M{left} {y:.1}H{right}\"/>\
                 <text class=\"end\" x=\"{:.1}\" y=\"{:.1}\">{value} {unit}</text>",
                left - 6.0,
                y + 4.0
            );
        }
        for quarter in 0..=4 {
            let n = (self.all * f64::from(quarter) / 4.0).round();
            let (x, y) = (self.x(n), floor + 16.0);
            let _ = writeln!(svg, "<text class=\"mid\" x=\"{x:.1}\" y=\"{y:.1}\">{n}</text>");
        }
        let (x, y) = ((left + right) / 2.0, HEIGHT - 6.0);
        let _ = writeln!(svg, "<text class=\"mid\" x=\"{x:.1}\" y=\"{y:.1}\">tasks solved</text>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_rises_within_its_frame() {
        let svg = curve("CPU time", "s", vec![10.0, 0.01, 1.0], 4);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(svg.contains("3 of 4 solved"), "{svg}");
        let scale = Scale::new(&[0.01, 1.0, 10.0], 4);
        assert!(scale.y(0.01) > scale.y(1.0) && scale.y(1.0) > scale.y(10.0));
        assert!(scale.y(10.0) >= TOP && scale.y(0.01) <= HEIGHT - BOTTOM + 0.01);
        assert!(scale.x(4.0) <= WIDTH - RIGHT);
    }

    #[test]
    fn nothing_solved_is_a_frame() {
        for costs in [vec![], vec![0.0], vec![f64::NAN]] {
            let svg = curve("CPU time", "s", costs, 0);
            assert!(svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{svg}");
        }
    }
}
