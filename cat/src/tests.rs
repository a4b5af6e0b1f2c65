//! The language: what is read, what is refused and how, and that evaluation is the definition.

use crate::*;

fn parse(text: &str) -> Result<Model, Error> {
    Model::parse("m.cat", text, &mut |_| Err("no files here".into()))
}

/// The pairs of `r` in a small fixed graph.
fn value(text: &str) -> Vec<(usize, usize)> {
    let model = parse(&format!("{text}\nempty r as r")).unwrap();
    let mut graph = Graph::new(4);
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        graph.relate("po", a, b);
    }
    graph.relate("rf", 2, 3);
    graph.relate("co", 0, 2);
    [0, 2].iter().for_each(|&w| graph.mark(w, "W"));
    [1, 3].iter().for_each(|&r| graph.mark(r, "R"));
    let mut evaluation = Evaluation::new(&model, graph);
    evaluation.rel(model.axioms[0].node).pairs().collect()
}

#[test]
fn every_builtin_model_is_read() {
    for name in BUILTIN {
        let model = Model::builtin(name).unwrap();
        assert!(model.title().is_some(), "{name}");
        assert!(model.axioms().iter().any(|a| !a.flag), "{name}");
    }
}

#[test]
fn precedence() {
    assert_eq!(value("let r = po; [R]; po | rf"), [(0, 2), (2, 3)]);
    assert_eq!(value("let r = po \\ po; po"), []);
    assert_eq!(value("let r = po \\ (po; po)"), [(0, 1), (1, 2)]);
}

#[test]
fn stars() {
    assert_eq!(value("let r = W*R"), [(0, 1), (0, 3), (2, 1), (2, 3)]);
    assert_eq!(value("let r = po & W*R"), [(0, 1)]);
    assert_eq!(value("let r = (po | rf)* & po"), [(0, 1), (0, 2), (1, 2)]);
    assert_eq!(value("let r = [W]; rf*"), [(0, 0), (2, 2), (2, 3)]);
    assert_eq!(value("let r = po & _ * ~W"), [(0, 1)]);
}

#[test]
fn recursion_is_a_least_fixpoint() {
    let direct = value("let r = (po | rf)+");
    assert_eq!(value("let rec r = po | rf | r; r"), direct);
    assert_eq!(value("let rec a = po | b and b = rf | a; b | a; a | b; a let r = a | b"), direct);
    assert_eq!(value("let rec S = R | domain(po; [S]) let r = [S]"), [(0, 0), (1, 1), (3, 3)]);
}

#[test]
fn names_are_rebound_not_changed() {
    assert_eq!(value("let f(x) = x; rf let rf = 0 let r = f(po)"), [(0, 3), (1, 3)]);
    assert_eq!(value("let po = po & W*R let r = po"), [(0, 1)]);
    assert_eq!(value("let r = let po = rf in po; po"), []);
    assert_eq!(value("let r = try nowhere with rf"), [(2, 3)]);
    assert_eq!(value("let r = if \"mixed\" then po else rf"), [(2, 3)]);
    assert_eq!(
        value("let r = if not \"mixed\" && not \"x\" then po; rf else rf"),
        [(0, 3), (1, 3)]
    );
}

#[test]
fn procedures_are_axioms_of_their_arguments() {
    let text = "procedure order(r) = acyclic r as order irreflexive r; r end call order(po | rf)";
    let model = parse(text).unwrap();
    assert_eq!(model.axioms().len(), 2);
    assert_eq!(model.axioms()[0].name, "order");
}

#[test]
fn flags_restrict_nothing() {
    let model = parse("flag ~empty rf as reads undefined_unless empty po as undefined").unwrap();
    let mut graph = Graph::new(2);
    graph.relate("rf", 0, 1);
    let mut evaluation = Evaluation::new(&model, graph);
    assert!(evaluation.is_consistent());
    assert_eq!(evaluation.flags(), ["reads"]);
}

#[test]
fn errors_say_where_and_what_to_do() {
    let shown = |text: &str| parse(text).unwrap_err().to_string();
    insta(&shown("let a = po | roof"), "m.cat:1:14: `roof` is not defined");
    insta(&shown("\nacyclic W"), "m.cat:2:9: this is a set, a relation is needed here");
    insta(&shown("let r = [po]"), "this is a relation, a set is needed here");
    insta(&shown("let r = po ; W"), "hint: [S] is the identity on a set S");
    insta(&shown("let r = fri2"), "did you mean `fri`?");
    insta(&shown("let f(a, b) = a; b let r = f(po)"), "`f` takes 2 arguments, not 1");
    insta(&shown("let r = fencerel"), "call it: fencerel(S)");
    insta(&shown("include \"x.cat\""), "cannot read \"x.cat\": no files here");
    insta(&shown("let r = (po"), "expected `)`, found the end of the file");
    insta(&shown("(* never"), "this comment does not end");
    insta(&shown("let r = match po with"), "`match` is not supported");
    insta(&shown("catdep let r = po"), "`catdep` is not supported");
    insta(&shown("with rf from x(po)"), "`with rf from` is not supported");
    insta(&shown("let r = po $ po"), "cat has no character `$`");
    insta(&shown(&format!("let r = {}po", "(".repeat(100_000))), "nested too deeply");
    insta(&shown(&format!("let r = {}W", "~".repeat(100_000))), "nested too deeply");
}

fn insta(shown: &str, wanted: &str) {
    assert!(shown.contains(wanted), "wanted {wanted:?} in\n{shown}");
}

#[test]
fn carets_point_at_the_word() {
    let shown = parse("let a =\n\tpo | roof").unwrap_err().to_string();
    assert!(shown.contains("2 | \tpo | roof\n  | \t     ^^^^"), "{shown}");
}

#[test]
fn coherence_is_read_off_the_axioms() {
    assert!(parse("acyclic po-loc | rf | co | fr").unwrap().is_coherent());
    assert!(parse("acyclic po | (rf | fr | co)+").unwrap().is_coherent());
    assert!(
        parse("let eco = (rf|co|fr)+ let hb = (po|rf)+ irreflexive hb; eco?")
            .unwrap()
            .is_coherent()
    );
    assert!(!parse("acyclic po-loc | rf | co").unwrap().is_coherent());
    assert!(!parse("flag acyclic po-loc | rf | co | fr").unwrap().is_coherent());
    assert!(!parse("irreflexive po; (rf|co|fr)").unwrap().is_coherent());
    for name in BUILTIN {
        assert_eq!(Model::builtin(name).unwrap().is_coherent(), *name != "c11", "{name}");
    }
}

#[test]
fn flags_that_no_execution_raises_are_known() {
    let mut graph = Graph::new(3);
    graph.relate("po", 0, 1);
    let rf = Relation::from_pairs(3, [(0, 2)]);
    let co = Relation::from_pairs(3, [(0, 1), (1, 0)]);
    let may = |text: &str| parse(text).unwrap().may_raise_a_flag(&graph, &rf, &co);
    assert!(may("flag ~empty rf"));
    assert!(!may("flag ~empty rf & po"));
    assert!(may("flag ~empty co & po"));
    assert!(may("flag ~empty po \\ co")); // co need not be there
    assert!(!may("flag ~empty po \\ (po | co)"));
    assert!(!may("let rec r = (rf & po) | r; po flag ~empty r"));
    assert!(may("flag empty rf"));
    assert!(!may("acyclic po | rf"));
}
