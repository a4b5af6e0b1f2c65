//! Options of a command that are put into the table only when that command is asked for.
//!
//! Building the table of all commands costs more instructions than reading a small program.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

#[derive(Debug)]
pub(super) struct Deferred<A>(pub(super) A);

impl<A: Args> Args for Deferred<A> {
    fn augment_args(command: Command) -> Command {
        command.defer(A::augment_args)
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(A::augment_args_for_update)
    }
}

impl<A: FromArgMatches> FromArgMatches for Deferred<A> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Deferred<A>, Error> {
        A::from_arg_matches(matches).map(Deferred)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
