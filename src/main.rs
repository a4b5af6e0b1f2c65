//! The program `obmc`: words become options, options an outcome, the outcome text and an exit code.
//!
//! Three voices: the verdict on stdout, messages for the user on stderr, and the log (`-v`) for us.
//! A closed pipe is no error, and no panic reaches the user as one.

use obmc::options;
use obmc::request::Options;
use std::io::{IsTerminal, Write};
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut options = match options::parse(std::env::args_os()) {
        Ok(options) => options,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(options::exit_code(&error));
        }
    };
    if options.work_by_turns() {
        heap::serve_one_thread();
    }
    start_log(options.verbose);
    obmc::interrupt::listen();
    std::panic::set_hook(Box::new(|info| {
        log::error!("{info}");
        log::debug!("{}", std::backtrace::Backtrace::force_capture());
    }));
    let code =
        std::panic::catch_unwind(AssertUnwindSafe(|| run(&mut options))).unwrap_or_else(|_| {
            let _ = writeln!(std::io::stderr(), "error: internal error while writing the report");
            let _ = writeln!(std::io::stdout(), "obmc verdict: unknown (internal error)");
            6
        });
    // Not a return: work that has overrun its limit is still running and must not be waited for.
    std::process::exit(code.into())
}

fn run(options: &mut Options) -> u8 {
    let outcome = obmc::complete(options).unwrap_or_else(|| obmc::run(options));
    let options = &*options;
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    let messages = outcome.messages(wanted && std::io::stderr().is_terminal());
    let text = outcome.text(options, wanted && std::io::stdout().is_terminal());
    let _ = std::io::stderr().write_all(messages.as_bytes());
    let _ = std::io::stdout().write_all(text.as_bytes());
    let _ = std::io::stdout().flush();
    outcome.exit_code()
}

fn start_log(verbose: u8) {
    let level = match verbose {
        0 => log::LevelFilter::Off,
        1 => log::LevelFilter::Info,
        2 => log::LevelFilter::Debug,
        _ => log::LevelFilter::Trace,
    };
    env_logger::Builder::new().filter_level(level).format_target(false).init();
}
