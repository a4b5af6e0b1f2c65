//! Why the work ends early, whatever says so.

use crate::preprocess;
use crate::report::Failure;
use crate::supervise::{Limit, Stopped};

pub enum Stop {
    Failure(Failure),
    Limit(Limit),
}

impl From<Stopped> for Stop {
    fn from(stopped: Stopped) -> Stop {
        match stopped {
            Stopped::Limit(limit) => Stop::Limit(limit),
            Stopped::Panic(message) => Stop::Failure(Failure::Internal(message)),
        }
    }
}

impl From<frontend::Error> for Stop {
    fn from(error: frontend::Error) -> Stop {
        Failure::Input(error.into()).into()
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::Failure(failure)
    }
}

impl From<preprocess::Failure> for Stop {
    fn from(failure: preprocess::Failure) -> Stop {
        match failure {
            preprocess::Failure::Input(diagnostic) => Failure::Input(diagnostic).into(),
            preprocess::Failure::Limit(limit) => Stop::Limit(limit),
        }
    }
}
