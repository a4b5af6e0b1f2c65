//! The control-flow graphs of all functions for Graphviz: a cluster per function, a box per block.

use crate::print;
use crate::{Function, Program, Terminator};

/// Text for `dot`.
pub fn program(program: &Program) -> String {
    let mut out = String::from(
        "digraph program {\n  node [shape=box, fontname=monospace, fontsize=10];\n  \
         edge [fontname=monospace, fontsize=9];\n",
    );
    for (i, f) in program.functions.iter().enumerate().filter(|(_, f)| f.has_body()) {
        function(&mut out, program, f, i);
    }
    out + "}\n"
}

fn function(out: &mut String, program: &Program, f: &Function, id: usize) {
    let label = escape(&f.name);
    *out += &format!("  subgraph cluster_{id} {{\n    label=\"{label}\";\n");
    for (b, block) in f.blocks.iter().enumerate() {
        let mut label = format!("b{b}\\l");
        for inst in &block.insts {
            let place = print::place(program, inst.span);
            let text = print::inst(program, f, &inst.kind);
            label += &format!("{}\\l", escape(&format!("{text}  {place}")));
        }
        label += &format!("{}\\l", escape(&print::end(program, f, &block.end)));
        *out += &format!("    f{id}b{b} [label=\"{label}\"];\n");
        for (label, to) in edges(&block.end) {
            *out += &format!("    f{id}b{b} -> f{id}b{to} [label=\"{label}\"];\n");
        }
    }
    *out += "  }\n";
}

fn edges(end: &Terminator) -> Vec<(String, u32)> {
    match end {
        Terminator::Branch { then, otherwise, .. } => {
            vec![("yes".into(), then.0), ("no".into(), otherwise.0)]
        }
        Terminator::Switch { cases, default, .. } => {
            let cases = cases.iter().map(|(bits, b)| (bits.to_string(), b.0));
            cases.chain([("else".into(), default.0)]).collect()
        }
        _ => end.successors().iter().map(|b| (String::new(), b.0)).collect(),
    }
}

/// Inside a quoted Graphviz string.
fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::parse;

    #[test]
    fn clusters_edges_and_escapes() {
        let mut p = parse("extern e()\nfn main(c) {\na: error\nif c a b\nb: ret\n}");
        let error = &mut p.functions[1].blocks[0].insts[0].kind;
        *error = crate::InstKind::Error { what: "a \"b\" \\ c".into() };
        let text = program(&p);
        assert!(text.contains("subgraph cluster_1 {\n    label=\"main\";"));
        assert!(!text.contains("cluster_0"), "no body, no graph");
        assert!(text.contains("f1b0 -> f1b1 [label=\"no\"];"));
        assert!(text.contains(r#"error \"a \\\"b\\\" \\\\ c\""#), "{text}");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}
