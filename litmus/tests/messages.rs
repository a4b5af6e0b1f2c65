//! Protocols as models: rules about messages, and which executions they leave. The figures are those of
//! the thesis that the rules come from, chapter 6.

use cat::Model;
use litmus::{Counted, Limits, Outcome, Test, Verdict, explain, parse, run};

/// A datagram protocol: figure 6.2.
const UDP: &str = "MSG UDP
{ }
P0(topic x) { send(x, 1); send(x, 2); }
P1(topic x) { int i = receive(x); send(x, i); int j = receive(x); }
";

/// A connection: figure 6.5.
const TCP: &str = "MSG TCP
{ }
P0(topic x, topic y) { send(x, 1); int i = receive(y); send(x, 2); }
P1(topic x, topic y) { int i = receive(x); send(y, i); int j = receive(x); }
";

fn test(text: &str, question: &str) -> Test {
    parse(&format!("{text}{question}\n")).expect("a test")
}

fn solutions(test: &Test, model: &Model) -> Outcome {
    let limits = Limits { count: Counted::Rf, ..Limits::default() };
    run(test, model, limits).expect("an answer")
}

fn model(text: &str) -> Model {
    let mut no_files = |name: &str| Err(format!("{name} is not there"));
    Model::parse("test.cat", text, &mut no_files).expect("a model")
}

#[test]
fn datagrams_have_six_solutions() {
    let (all, udp) = (test(UDP, "exists (1:i=1 /\\ 1:j=1)"), Model::builtin("udp").expect("udp"));
    let outcome = solutions(&all, &udp);
    assert_eq!((outcome.executions(), outcome.verdict(all.quantifier)), (6, Verdict::Allowed));
    // Reordered; received from its own future; not received.
    let reached = |question: &str| solutions(&test(UDP, question), &udp).positive;
    assert_eq!(reached("exists (1:i=2 /\\ 1:j=1)"), 1);
    assert_eq!(reached("exists (1:i=0)") + reached("exists (1:j=0)"), 0);
}

#[test]
fn a_connection_has_one_solution() {
    let all = test(TCP, "exists (1:i=1 /\\ 1:j=2 /\\ 0:i=1)");
    let outcome = solutions(&all, &Model::builtin("tcp").expect("tcp"));
    assert_eq!((outcome.executions(), outcome.positive), (1, 1));
    let blocking = "include \"msg/blocking.cat\"\ncall blocking(R, _, rf)\n";
    assert_eq!(solutions(&all, &model(blocking)).executions(), 4);
    let kept = format!(
        "{blocking}include \"msg/global-no-dup.cat\"\ninclude \"msg/no-loss.cat\"\n\
         call global-no-dup(rf, id)\ncall no-loss(W, IW, _, rf)\n"
    );
    assert_eq!(solutions(&all, &model(&kept)).executions(), 2);
}

/// Figure 6.8: each rejected graph with the rule that rejects it. The rules are asked one by one, since
/// most of these graphs break several.
#[test]
fn rejected_graphs_name_their_rule() {
    let because = |question: &str, rules: &str| {
        let found = explain(&test(TCP, question), &model(rules), Limits::default());
        let found = found.expect("an answer").expect("forbidden");
        (found.axiom.clone(), found.line())
    };
    let (axiom, line) = because(
        "exists (1:i=1 /\\ 1:j=0)",
        "include \"msg/no-loss.cat\"\ncall no-loss(W, IW, _, rf)",
    );
    assert_eq!((axiom.as_str(), line.as_str()), ("no-loss", "P0: W x=2"));
    let (axiom, line) = because(
        "exists (1:i=1 /\\ 1:j=0 /\\ 0:i=1)",
        "include \"msg/blocking.cat\"\ncall blocking(R, _, rf)",
    );
    assert_eq!((axiom.as_str(), line.as_str()), ("blocking", "P1: R x=0"));
    let (axiom, line) = because(
        "exists (1:i=1 /\\ 1:j=1)",
        "include \"msg/global-no-dup.cat\"\ncall global-no-dup(rf, id)",
    );
    assert_eq!(axiom, "global-no-dup");
    assert_eq!(line, "P1: R x=1 -rf^-1-> P0: W x=1; P0: W x=1 -rf-> P1: R x=1");
    let (axiom, line) = because(
        "exists (1:i=2 /\\ 1:j=1)",
        "include \"msg/no-reordering.cat\"\ncall no-reordering(po, rf, co, id)",
    );
    assert_eq!(axiom, "no-reordering");
    assert!(line.contains("P0: W x=1 -po-> P0: W x=2"), "{line}");
}

/// The two rules that are printed wrongly, beside those that say what was meant.
#[test]
fn printed_rules_say_something_else() {
    let crossed = test(
        "MSG CROSSED
{ }
P0(topic x, topic y) { send(x, 1); send(y, 1); }
P1(topic x, topic y) { int i = receive(y); int j = receive(x); }
",
        "exists (1:i=1 /\\ 1:j=1)",
    );
    let synchronous = |name: &str| {
        model(&format!("include \"msg/synchronous.cat\"\ncall {name}(po, rf, co, id)"))
    };
    assert_eq!(solutions(&crossed, &synchronous("synchronous-printed")).positive, 1);
    assert_eq!(solutions(&crossed, &synchronous("synchronous")).positive, 0);

    let no_dup = |name: &str| {
        model(&format!("include \"msg/participant-no-dup.cat\"\ncall {name}(rf, int, id)"))
    };
    let twice = "MSG TWICE
{ }
P0(topic x) { send(x, 1); }
P1(topic x) { int i = receive(x); int j = receive(x); }
";
    let each = "MSG EACH
{ }
P0(topic x) { send(x, 1); }
P1(topic x) { int i = receive(x); }
P2(topic x) { int i = receive(x); }
";
    let twice = test(twice, "exists (1:i=1 /\\ 1:j=1)");
    let each = test(each, "exists (1:i=1 /\\ 2:i=1)");
    let reached = |test, name| solutions(test, &no_dup(name)).positive;
    assert_eq!(reached(&twice, "participant-no-dup"), 0);
    assert_eq!(reached(&each, "participant-no-dup"), 1);
    assert_eq!(reached(&twice, "participant-no-dup-printed"), 1);
    assert_eq!(reached(&each, "participant-no-dup-printed"), 0);
}

#[test]
fn broadcast_and_ignored_messages() {
    let three = test(
        "MSG THREE
{ }
P0(topic x) { send(x, 1); send(x, 2); }
P1(topic x) { int i = receive(x); int j = receive(x); }
",
        "exists (1:i=1 /\\ 1:j=1)",
    );
    let broadcast = "include \"msg/broadcast.cat\"\ncall broadcast(W, IW, R, _, rf, int, ext)";
    let outcome = solutions(&three, &model(broadcast));
    assert_eq!((outcome.positive, outcome.executions()), (0, 2));
    let nothing = test(
        "MSG NOTHING\n{ }\nP0(topic x) { send(x, 1); }\n\
         P1(topic x) { int i = receive(x); }\n",
        "exists (1:i=0)",
    );
    let ignored = "include \"msg/no-ignored-write.cat\"\n\
         call no-ignored-write(W, IW, R, rf, loc, 0)";
    assert_eq!(solutions(&nothing, &model("empty 0")).positive, 1);
    assert_eq!(solutions(&nothing, &model(ignored)).positive, 0);
}

#[test]
fn participants_do_nothing_else() {
    let text = "MSG BAD\n{ }\nP0(topic x) { publish(x, 1); }\nexists (x=0)\n";
    let error = parse(text).expect_err("refused");
    assert!(error.to_string().contains("send(topic, value)"), "{error}");
}

/// Without `blocking`, a receive may get nothing after another one has got a message: nothing is no old
/// message.
#[test]
fn nothing_is_not_the_oldest_message() {
    let later = test(
        "MSG LATER\n{ }\nP0(topic x) { send(x, 1); }\n\
         P1(topic x) { int i = receive(x); int j = receive(x); }\n",
        "exists (1:i=1 /\\ 1:j=0)",
    );
    let ordered = "include \"msg/no-reordering.cat\"\ncall no-reordering(po, rf, co, id)";
    assert_eq!(solutions(&later, &model(ordered)).positive, 1);
}
