//! The report as one page that needs no network: totals, curves, and a table to search.
//!
//! What comes from tasks (names, verdicts) is data inside of a JSON island and set as text by the
//! script.

use super::plot::curve;
use super::row::ResultRow;
use super::summary::Summary;
use crate::output::graph::html::{fill, island};

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

pub fn render(summary: &Summary) -> String {
    // Maps with string keys and finite numbers cannot fail to be written.
    let data = serde_json::to_string(summary).unwrap_or_default();
    let costs = |cost: fn(&ResultRow) -> f64| {
        summary.results.iter().filter(|r| r.solved()).map(cost).collect::<Vec<f64>>()
    };
    let all = summary.results.len();
    let time = curve("CPU time", "s", costs(|r| r.cpu_seconds), all);
    let memory = curve("peak memory", "MB", costs(|r| r.peak_memory_bytes as f64 / 1e6), all);
    let parts = [
        ("STYLE", STYLE),
        ("TIME", &time),
        ("MEMORY", &memory),
        ("DATA", &island(&data)),
        ("SCRIPT", SCRIPT),
    ];
    fill(PAGE, &parts)
}

#[cfg(test)]
mod tests {
    use super::super::summary::testing;
    use super::*;

    #[test]
    fn everything_is_in_one_file() {
        let page = render(&testing::summary());
        assert!(!page.contains("http"), "no network");
        assert_eq!(page.matches("<svg").count(), 2);
        assert!(!page.contains("/*DATA*/") && !page.contains("/*SCRIPT*/"));
        assert!(!page.contains("a</script>"), "names are no markup");
        let (_, island) = page.split_once("type=\"application/json\">").expect("an island");
        let (island, _) = island.split_once("</script>").expect("its end");
        let data: serde_json::Value = serde_json::from_str(island).expect("good JSON");
        assert_eq!(data["results"][0]["name"], "a</script>");
    }
}
