//! What can be violated, as SARIF's rules: a sentence each, and what to do about it.

use serde_json::{Value, json};

/// Name of the violation, a name as services show it, what is wrong, help.
type RuleRow = (&'static str, &'static str, &'static str, &'static str);

const ROWS: &[RuleRow] = &[
    (
        "unreach-call",
        "AssertionCanFail",
        "An assertion can fail, or an error function can be reached.",
        "Follow the steps of the threads by their numbers. The last read of a shared variable before \
         the failure shows which write came at the wrong moment; a lock around the steps that belong \
         together, or an atomic operation, keeps it out.",
    ),
    (
        "no-data-race",
        "DataRace",
        "Two threads access the same memory at the same time, at least one of them writes, and the \
         accesses are not both atomic.",
        "Protect both accesses with the same lock, make both atomic, or order them by starting or \
         joining a thread. The behaviour of a program with a data race is undefined in C.",
    ),
    (
        "valid-deref",
        "InvalidMemoryAccess",
        "Memory is accessed through a pointer that is null, out of bounds, or points to an object \
         that is gone.",
        "See where the pointer comes from, and which thread has freed the object or let it go out of \
         scope.",
    ),
    (
        "valid-free",
        "InvalidFree",
        "Memory is freed twice, or was never allocated.",
        "Let one thread own the object and free it once.",
    ),
    (
        "valid-memtrack",
        "MemoryLeak",
        "Allocated memory is lost: nothing points to it any more.",
        "Free it before the last pointer to it goes away.",
    ),
    (
        "no-overflow",
        "SignedOverflow",
        "Signed arithmetic overflows, which is undefined in C.",
        "Check the operands before, use a wider type, or unsigned arithmetic.",
    ),
    (
        "no-deadlock",
        "Deadlock",
        "Threads wait for each other for ever.",
        "Take locks in the same order in all threads, and signal conditions while holding the lock.",
    ),
    (
        "no-livelock",
        "Livelock",
        "A thread is in a loop that it can never leave, whatever the other threads still do.",
        "See what the loop waits for, and which thread should have changed that: it has ended, waits \
         itself, or has done so before this thread looked.",
    ),
];

/// The rules of a run: those that are known, and whatever else is named.
pub struct SarifRules(Vec<RuleRow>);

impl SarifRules {
    pub fn new() -> SarifRules {
        SarifRules(ROWS.to_vec())
    }

    pub fn index(&mut self, kind: &'static str) -> usize {
        self.0.iter().position(|row| row.0 == kind).unwrap_or_else(|| {
            self.0.push((
                kind,
                kind,
                "The property is violated.",
                "Follow the steps of the threads.",
            ));
            self.0.len() - 1
        })
    }

    pub fn render(&self) -> Vec<Value> {
        let rule = |(id, name, text, help): &RuleRow| {
            json!({
                "id": id,
                "name": name,
                "shortDescription": { "text": text },
                "fullDescription": { "text": text },
                "help": { "text": help },
                "defaultConfiguration": { "level": "error" },
                "properties": { "tags": ["concurrency", "verification"], "precision": "very-high" },
            })
        };
        self.0.iter().map(rule).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_rule_of_its_own() {
        let mut rules = SarifRules::new();
        assert_eq!(rules.index("no-data-race"), 1);
        let new = rules.index("something-new");
        assert_eq!(new, ROWS.len());
        assert_eq!(rules.render()[new]["id"], "something-new");
    }
}
