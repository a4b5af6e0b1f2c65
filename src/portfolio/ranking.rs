//! Which of two answers is the better one, and when there is nothing more to ask.

use crate::contract::{Answer, Reason, Remark, Verdict};
use ir::Span;

/// It would say more with more time.
pub fn ran_out(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(Reason::Time))
}

/// No line of the program is the reason.
pub fn lacks_a_place(answer: &Answer) -> bool {
    match answer {
        Answer::Unknown(Reason::Time | Reason::Memory) => true,
        Answer::Unknown(Reason::Unsupported { span, .. }) => *span == Span::NONE,
        _ => false,
    }
}

/// An invalid access was met, and whatever follows is not defined.
pub fn is_undefined(answer: &Answer) -> bool {
    matches!(answer, Answer::Unknown(Reason::Undefined { .. }))
}

/// Nothing but bounds of loops leaves anything open.
pub fn is_cut_by_bounds(answer: &Answer) -> bool {
    match answer {
        Answer::Bounded { cut } => !cut.iter().any(Remark::is_recursion_limit),
        _ => false,
    }
}

/// No engine can say more.
pub fn conclusive(answer: &Answer) -> bool {
    match answer {
        Answer::Safe | Answer::Unsafe(_) | Answer::Unknown(Reason::Internal(_)) => true,
        Answer::Bounded { .. } | Answer::Unknown(_) => false,
    }
}

/// Is the newer answer the more useful one?
pub fn is_better(newer: &Answer, older: &Answer) -> bool {
    match (older, newer) {
        (old, new) if conclusive(old) || conclusive(new) => !conclusive(old),
        (Answer::Bounded { .. }, _) => false,
        (_, Answer::Bounded { .. }) => true,
        (old, new) => ran_out(old) && !ran_out(new),
    }
}

/// The more useful of two verdicts, with what was counted for both.
pub fn better(older: Option<Verdict>, mut newer: Verdict) -> Verdict {
    let Some(mut older) = older.filter(|_| !conclusive(&newer.answer)) else { return newer };
    if !is_better(&newer.answer, &older.answer) {
        std::mem::swap(&mut older, &mut newer);
    }
    newer.stats.append(&mut older.stats);
    newer.notes.append(&mut older.notes);
    newer
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Property;

    fn verdict(answer: Answer) -> Verdict {
        Verdict::new(Property::UnreachCall, answer)
    }

    #[test]
    fn a_proof_beats_everything_and_a_bound_beats_nothing_at_all() {
        let time = || verdict(Answer::Unknown(Reason::Time));
        let bounded = || verdict(Answer::Bounded { cut: Vec::new() });
        let safe = || verdict(Answer::Safe);
        let is = |v: Verdict| match v.answer {
            Answer::Safe => "safe",
            Answer::Bounded { .. } => "bounded",
            _ => "unknown",
        };
        assert_eq!(is(better(None, time())), "unknown");
        assert_eq!(is(better(Some(bounded()), time())), "bounded");
        assert_eq!(is(better(Some(time()), bounded())), "bounded");
        assert_eq!(is(better(Some(bounded()), safe())), "safe");
        assert_eq!(is(better(Some(safe()), time())), "safe");
    }
}
