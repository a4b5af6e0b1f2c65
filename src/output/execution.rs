//! Executions of memory models as one page: events by thread, and every set and relation of the model
//! to switch on. For litmus tests, and for violations of C programs without a schedule.

use super::graph::html::{fill, island};
use crate::contract::WeakExecution;
use cat::{Evaluation, Model};
use litmus::Picture;
use serde::Serialize;

const PAGE: &str = include_str!("execution.html");

/// What is drawn together.
#[derive(Serialize, Default, Debug)]
pub struct Test {
    pub name: String,
    pub model: String,
    pub executions: Vec<Execution>,
}

#[derive(Serialize, Default, Debug)]
pub struct Execution {
    /// By event: its thread (initial writes have none) and what it does.
    events: Vec<(Option<usize>, String)>,
    sets: Vec<(String, Vec<usize>)>,
    relations: Vec<(String, Vec<(usize, usize)>)>,
    /// How it is listed.
    state: String,
    flags: Vec<String>,
    /// What is remarkable about it, and steps to draw bold.
    why: Option<String>,
    steps: Vec<(usize, usize, String)>,
}

pub fn page(tests: &[Test]) -> String {
    let data = serde_json::to_string(tests).unwrap_or_default();
    fill(PAGE, &[("DATA", &island(&data))])
}

/// A litmus test's execution.
pub fn of_litmus(picture: Picture, model: &str) -> Execution {
    let head = match (&picture.forbidden, picture.positive) {
        (Some(_), _) => "forbidden: ",
        (None, true) => "* ",
        (None, false) => "",
    };
    let why = picture
        .forbidden
        .as_ref()
        .map(|forbidden| format!("Not an execution of {model}: {} forbids it.", forbidden.axiom));
    Execution {
        events: picture.events,
        sets: picture.sets,
        relations: picture.relations,
        state: format!("{head}{}", picture.state),
        flags: picture.flags,
        why,
        steps: picture.forbidden.map(|forbidden| forbidden.steps).unwrap_or_default(),
    }
}

/// One of a C program.
pub fn of_program(execution: &WeakExecution, message: &str) -> Test {
    let mut evaluation = Evaluation::new(&execution.model.cat, execution.graph.clone());
    let name = |(i, event): (usize, &crate::contract::WeakEvent)| {
        let text = match &event.access {
            Some(access) => {
                let letter = if access.write { "W" } else { "R" };
                let line =
                    event.thread.map_or(String::new(), |_| format!("{}: ", access.span.line));
                format!("{line}{letter} {}={}", access.name, access.value)
            }
            None => litmus::tags(&execution.graph, i),
        };
        (thread(execution, i), text)
    };
    let sc = Model::builtin("sc");
    let cycle = sc.and_then(|sc| Evaluation::new(&sc, execution.graph.clone()).violation());
    let why = cycle.as_ref().map(|_| {
        format!(
            "{} allows it. It is no interleaving: the bold steps are a cycle.",
            execution.model.name
        )
    });
    let steps = cycle.map(|cycle| cycle.steps).unwrap_or_default();
    let drawn = Execution {
        events: execution.events.iter().enumerate().map(name).collect(),
        sets: litmus::sets(&execution.graph),
        relations: litmus::relations(&mut evaluation, &execution.model.cat),
        state: message.to_string(),
        flags: evaluation.flags().into_iter().map(str::to_string).collect(),
        why,
        steps: steps.into_iter().map(|s| (s.from, s.to, s.relation)).collect(),
    };
    Test { name: message.into(), model: execution.model.name.clone(), executions: vec![drawn] }
}

/// Fences and hand-overs are in the thread of what is before or behind them.
fn thread(execution: &WeakExecution, event: usize) -> Option<usize> {
    let own = |e: usize| execution.events[e].thread.map(|t| t as usize);
    let po = execution.graph.relations.get("po")?;
    let neighbour = || {
        let near = |e: &usize| po.contains(event, *e) || po.contains(*e, event);
        (0..execution.events.len()).filter(near).find_map(own)
    };
    own(event).or_else(neighbour)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SB: &str = "X86 SB\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n\
        exists (0:EAX=0 /\\ 1:EAX=0)";

    fn drawn(model: &str) -> Vec<Execution> {
        let test = litmus::parse(SB).expect("a test");
        let text = Model::builtin(model).expect("a model");
        let pictures =
            litmus::pictures(&test, &text, litmus::Limits::default()).expect("executions");
        pictures.into_iter().map(|picture| of_litmus(picture, model)).collect()
    }

    #[test]
    fn the_outcome_comes_first() {
        let allowed = drawn("tso");
        assert_eq!((allowed.len(), allowed[0].why.as_ref()), (4, None));
        assert!(allowed[0].state.starts_with("* 0:EAX=0"), "{}", allowed[0].state);
        let names: Vec<&str> = allowed[0].relations.iter().map(|(name, _)| name.as_str()).collect();
        assert!(["po", "rf", "co", "fr"].iter().all(|name| names.contains(name)), "{names:?}");
    }

    /// With the cycle that forbids it.
    #[test]
    fn what_is_forbidden_says_why() {
        let executions = drawn("sc");
        assert_eq!(executions.len(), 4, "three executions and the candidate");
        let steps: Vec<&str> =
            executions[0].steps.iter().map(|(_, _, name)| name.as_str()).collect();
        assert_eq!(steps, ["po", "fr", "po", "fr"]);
        assert!(executions[0].why.as_ref().is_some_and(|why| why.contains("sc forbids it")));
        assert!(executions[1..].iter().all(|e| e.why.is_none()));
    }

    #[test]
    fn the_page_needs_no_network() {
        let test = Test { name: "</script>".into(), model: "sc".into(), executions: drawn("sc") };
        let page = page(&[test]).replace("http://www.w3.org/2000/svg", "");
        assert_eq!(page.matches("</script>").count(), 2, "one for the data, one for the script");
        for word in ["http:", "https:", " src=", "@import", "fetch(", "XMLHttp"] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
