//! How long each of several properties is worked on, so that a hard one does not starve the others.
//!
//! Properties are asked in rounds. In the first one each gets an equal share of the time that is
//! left, so what an easy one leaves over goes to those behind it. Who ran out of time is asked again
//! with what is left after the round. An engine begins afresh, so a second turn that is not clearly
//! longer than the first is wasted: it is at least twice as long, or all that is left. Without a
//! limit there are rounds for ever, each longer than the one before; but a property that no engine has
//! asked for by name has one turn, so that a check which says nothing else comes to an end.
//!
//! Cost: the turns before the last one, which are at most as long together as the last.

use std::time::Duration;

/// The first turn, where there is no limit and others wait.
const FIRST: Duration = Duration::from_secs(10);
/// By how much a turn is longer than the one before.
const GROWTH: u32 = 2;

/// The only turn of a property that was not asked for by name, where there is no limit.
pub const ONLY: Turn = Turn::For(FIRST);

/// A turn for a property that had `had` before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// As long as it takes.
    Unlimited,
    For(Duration),
    /// Too little is left to be of use.
    Over,
}

/// Needs: `waiting` counts this property and all who will be asked after it in this round.
/// `alone`: no other property has an open question.
pub fn turn(had: Duration, left: Option<Duration>, waiting: u32, alone: bool) -> Turn {
    match left {
        None if alone => Turn::Unlimited,
        None => Turn::For(FIRST.max(had * GROWTH)),
        Some(left) if left.is_zero() || left < had => Turn::Over,
        Some(left) => Turn::For((left / waiting.max(1)).max(left.min(had * GROWTH))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: Duration = Duration::from_secs(1);

    #[test]
    fn equal_shares_first() {
        assert_eq!(turn(Duration::ZERO, Some(S * 10), 5, false), Turn::For(S * 2));
        assert_eq!(turn(Duration::ZERO, Some(S * 9), 3, false), Turn::For(S * 3));
        assert_eq!(turn(Duration::ZERO, Some(S * 10), 1, true), Turn::For(S * 10));
    }

    #[test]
    fn a_second_turn_is_clearly_longer_or_not_at_all() {
        assert_eq!(turn(S * 2, Some(S * 6), 2, false), Turn::For(S * 4));
        assert_eq!(turn(S * 2, Some(S * 20), 2, false), Turn::For(S * 10));
        assert_eq!(turn(S * 2, Some(S * 3), 2, false), Turn::For(S * 3));
        assert_eq!(turn(S * 2, Some(S), 1, true), Turn::Over);
        assert_eq!(turn(Duration::ZERO, Some(Duration::ZERO), 1, true), Turn::Over);
    }

    #[test]
    fn without_a_limit_turns_grow() {
        assert_eq!(turn(Duration::ZERO, None, 1, true), Turn::Unlimited);
        assert_eq!(turn(Duration::ZERO, None, 5, false), Turn::For(FIRST));
        assert_eq!(turn(FIRST, None, 5, false), Turn::For(FIRST * 2));
        assert_eq!(turn(FIRST, None, 1, true), Turn::Unlimited);
    }
}
