//! Manual pages and shell completions, made from the option table.

use super::Cli;
use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;

/// What can be generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum GeneratedPage {
    Obmc,
    Check,
    Cc,
    Explore,
    Fences,
    Validate,
    Show,
    Bench,
    Litmus,
}

/// The names of all pages, a line each.
pub fn pages() -> String {
    GeneratedPage::value_variants().iter().map(|&page| name(page) + "\n").collect()
}

fn name(page: GeneratedPage) -> String {
    page.to_possible_value().map(|v| v.get_name().to_string()).unwrap_or_default()
}

/// A manual page in the language of `man`.
pub fn man(page: GeneratedPage) -> String {
    let mut command = Cli::command();
    command.build();
    let command = match command.find_subcommand(name(page)) {
        Some(sub) => sub.clone(),
        None => command,
    };
    let mut text = Vec::new();
    // Writing to memory does not fail.
    let _ = clap_mangen::Man::new(command).render(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

pub fn completions(shell: Shell) -> String {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "obmc", &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every option that help shows, of every command, with the command's name.
    fn options() -> Vec<(String, String)> {
        let mut table = Cli::command();
        table.build();
        let mut found = Vec::new();
        for command in table.get_subcommands().filter(|c| !c.is_hide_set()) {
            for option in command.get_arguments().filter(|a| !a.is_hide_set()) {
                let long = option.get_long().map(|long| (command.get_name().into(), long.into()));
                found.extend(long);
            }
        }
        assert!(found.len() > 40, "{found:?}");
        found
    }

    #[test]
    fn manual_pages_have_every_option() {
        for (command, option) in options() {
            let Ok(page) = GeneratedPage::from_str(&command, false) else { continue };
            let word = format!("\\-\\-{}", option.replace('-', "\\-"));
            assert!(man(page).contains(&word), "{command} {word}");
        }
        let first = man(GeneratedPage::Obmc);
        assert!(first.contains("EXIT") || first.contains("Exit codes"), "{first}");
    }

    #[test]
    fn every_command_has_a_page() {
        for command in Cli::command().get_subcommands().filter(|c| !c.is_hide_set()) {
            let name = command.get_name();
            let generates = ["man", "completions", "help"].contains(&name);
            assert!(
                generates || GeneratedPage::from_str(name, false).is_ok(),
                "no page for {name}"
            );
        }
    }

    #[test]
    fn completions_know_every_option() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let text = completions(shell);
            for (command, option) in options() {
                assert!(text.contains(&option), "{shell}: {command} --{option}");
            }
        }
    }

    #[test]
    fn help_has_every_option() {
        let mut table = Cli::command();
        table.build();
        for (command, option) in options() {
            let sub = table.find_subcommand_mut(&command).expect("the command");
            assert!(sub.render_long_help().to_string().contains(&option), "{command} --{option}");
        }
    }
}
