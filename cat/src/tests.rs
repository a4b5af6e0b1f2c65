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
    insta(&shown("with r from po"), "expected an expression");
    insta(&shown("with r from (f po)"), "`with r from f` is not supported");
    insta(&shown("let r = same-instance \\ id"), "`same-instance` is not defined");
    insta(&shown("with rf from x(po)"), "`with rf from x` is not supported");
    insta(&shown("let rec r = po \\ r"), "in its own recursion");
    insta(&shown("let rec a = po | b and b = ~a"), "in its own recursion");
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
fn comments_nest_unless_they_would_not_end() {
    assert!(parse("(* a (* b *) c *) empty 0").is_ok());
    assert!(parse("(* reads (*p) *) empty 0 (* more *)").is_ok());
    assert!(parse("empty 0 (* no end").is_err());
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
        let coherent = !["c11", "udp"].contains(name);
        assert_eq!(Model::builtin(name).unwrap().is_coherent(), coherent, "{name}");
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

/// Random expressions, evaluated as sets of pairs by the words of the definitions.
mod random {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    const EVENTS: usize = 5;
    type Pairs = BTreeSet<(usize, usize)>;

    #[derive(Clone, Debug)]
    enum Tree {
        Base(&'static str),
        Unary(&'static str, Box<Tree>),
        Binary(&'static str, Box<Tree>, Box<Tree>),
    }

    fn tree() -> impl Strategy<Value = Tree> {
        let base =
            prop_oneof![Just("po"), Just("rf"), Just("co"), Just("[W]"), Just("0"), Just("id")];
        base.prop_map(Tree::Base).prop_recursive(5, 24, 2, |inner| {
            let unary =
                prop_oneof![Just("+"), Just("*"), Just("?"), Just("^-1"), Just("~"), Just("dr")];
            let binary = prop_oneof![Just("|"), Just("&"), Just("\\"), Just(";")];
            prop_oneof![
                (unary, inner.clone()).prop_map(|(op, a)| Tree::Unary(op, Box::new(a))),
                (binary, inner.clone(), inner).prop_map(|(op, a, b)| Tree::Binary(
                    op,
                    Box::new(a),
                    Box::new(b)
                )),
            ]
        })
    }

    fn text(tree: &Tree) -> String {
        match tree {
            Tree::Base(name) => name.to_string(),
            Tree::Unary("~", a) => format!("(~({}))", text(a)),
            Tree::Unary("dr", a) => format!("(domain({0}) * range({0}))", text(a)),
            Tree::Unary(op, a) => format!("(({}){op})", text(a)),
            Tree::Binary(op, a, b) => format!("({} {op} {})", text(a), text(b)),
        }
    }

    fn seq(a: &Pairs, b: &Pairs) -> Pairs {
        a.iter().flat_map(|x| b.iter().filter(|y| x.1 == y.0).map(|y| (x.0, y.1))).collect()
    }

    fn closure(a: &Pairs) -> Pairs {
        let more: Pairs = a | &seq(a, a);
        if more == *a { more } else { closure(&more) }
    }

    fn naive(tree: &Tree, base: &[(&str, Pairs)]) -> Pairs {
        let identity: Pairs = (0..EVENTS).map(|e| (e, e)).collect();
        match tree {
            Tree::Base("id") => identity,
            Tree::Base(name) => base
                .iter()
                .find(|(n, _)| n == name)
                .map_or(Pairs::new(), |(_, pairs)| pairs.clone()),
            Tree::Unary(op, a) => {
                let a = naive(a, base);
                match *op {
                    "+" => closure(&a),
                    "*" => &closure(&a) | &identity,
                    "?" => &a | &identity,
                    "^-1" => a.iter().map(|p| (p.1, p.0)).collect(),
                    "~" => {
                        let all = (0..EVENTS).flat_map(|x| (0..EVENTS).map(move |y| (x, y)));
                        all.filter(|p| !a.contains(p)).collect()
                    }
                    _ => a.iter().flat_map(|x| a.iter().map(|y| (x.0, y.1))).collect(),
                }
            }
            Tree::Binary(op, a, b) => {
                let (a, b) = (naive(a, base), naive(b, base));
                match *op {
                    "|" => &a | &b,
                    "&" => &a & &b,
                    ";" => seq(&a, &b),
                    _ => &a - &b,
                }
            }
        }
    }

    fn pairs() -> impl Strategy<Value = Pairs> {
        proptest::collection::btree_set((0..EVENTS, 0..EVENTS), 0..8)
    }

    proptest! {
        #[test]
        fn evaluation_is_the_definition(
            tree in tree(),
            (po, rf, co) in (pairs(), pairs(), pairs()),
            writes in proptest::collection::btree_set(0..EVENTS, 0..EVENTS),
        ) {
            let model = parse(&format!("empty {} as r", text(&tree))).unwrap();
            let mut graph = Graph::new(EVENTS);
            for (name, pairs) in [("po", &po), ("rf", &rf), ("co", &co)] {
                pairs.iter().for_each(|&(a, b)| graph.relate(name, a, b));
            }
            writes.iter().for_each(|&w| graph.mark(w, "W"));
            let identity = writes.iter().map(|&w| (w, w)).collect();
            let base = [("po", po), ("rf", rf), ("co", co), ("[W]", identity), ("0", Pairs::new())];
            let want = naive(&tree, &base);
            let mut evaluation = Evaluation::new(&model, graph.clone());
            let got: Pairs = evaluation.rel(model.axioms[0].node).pairs().collect();
            prop_assert_eq!(&got, &want, "{}", text(&tree));
            // Chosen again, nothing old is left.
            let relation = |i: usize| Relation::from_pairs(EVENTS, base[i].1.iter().copied());
            evaluation.choose(Relation::empty(EVENTS), relation(0), EventSet::empty(EVENTS));
            evaluation.is_consistent();
            evaluation.choose(relation(1), relation(2), EventSet::empty(EVENTS));
            let again: Pairs = evaluation.rel(model.axioms[0].node).pairs().collect();
            prop_assert_eq!(&again, &want);
            // Bounds contain it.
            let mut empty = graph;
            empty.relations.remove("rf");
            empty.relations.remove("co");
            let flag = parse(&format!("flag ~empty {}", text(&tree))).unwrap();
            if !flag.may_raise_a_flag(&empty, &relation(1), &relation(2)) {
                prop_assert!(want.is_empty(), "{}", text(&tree));
            }
        }
    }
}
