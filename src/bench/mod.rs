//! `obmc bench`: a whole suite, each task a child process of this program.
//!
//! `tasks` and `lists` say what there is to do, `child` does one task, `book` keeps what is known on
//! disk, so that a second run goes on where the first one ended. `cluster` has other machines do it.
//! `row` judges a verdict, `summary` adds up, `page` and `plot` make the report.
//!
//! A process per task: what one check does to memory or time touches no other one, and what is
//! measured is what a user sees.

mod book;
mod child;
mod cluster;
mod lists;
mod page;
mod plot;
mod row;
mod summary;
mod tasks;

use crate::interrupt::Interrupt;
use crate::report::Failure;
use crate::report::diagnostic::Diagnostic;
use crate::request::Plan;
use crate::workers::all;
use book::Book;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use std::sync::Mutex;
use summary::Summary;
use tasks::BenchTask;

/// How it went.
pub struct BenchReport {
    pub text: String,
    pub exit_code: u8,
}

pub fn run(plan: &Plan) -> Result<BenchReport, Failure> {
    let tasks = tasks(plan)?;
    let program = std::env::current_exe().map_err(|e| fail("obmc does not find itself", &e))?;
    let mut book = match plan.part {
        Some(part) => Book::open_part(&plan.out, part.index)?,
        None => Book::open(&plan.out, plan.fresh)?,
    };
    if plan.part.is_none() {
        book.take_over(&plan.out.join(book::PARTS))?;
    }
    let commands: Vec<Vec<String>> = tasks.iter().map(|task| child::words(task, plan)).collect();
    let mine = |i: &usize| plan.part.is_none_or(|part| part.has(*i));
    let open: Vec<usize> =
        (0..tasks.len()).filter(mine).filter(|&i| book.get(&commands[i]).is_none()).collect();
    let earlier = tasks.len() - open.len();
    let bar = bar(tasks.len(), earlier);
    let done = match plan.queue {
        Some(_) if open.is_empty() => Ok(()),
        Some(queue) => {
            let sizes = (tasks.len(), open.len() as u64);
            cluster::run(queue, plan, sizes, &mut book, |n| bar.inc(n))
        }
        None => {
            let shared = Mutex::new(&mut book);
            all(&open, plan.jobs, |i| {
                let row = child::run(&program, &tasks[i], &commands[i], plan)?;
                bar.set_message(tasks[i].name.clone());
                let kept = shared.lock().unwrap_or_else(|broken| broken.into_inner()).add(row);
                bar.inc(1);
                kept
            })
        }
    };
    bar.finish_and_clear();
    done?;
    if plan.part.is_some() {
        return Ok(BenchReport { text: String::new(), exit_code: 0 });
    }
    let rows = tasks.iter().zip(&commands).filter_map(|(task, command)| {
        let row = book.get(command)?.clone();
        Some(row.judged(&task.name, &task.wanted))
    });
    let summary = Summary::new(plan, tasks.len(), earlier, rows.collect());
    write(&plan.out.join("results.json"), &summary.json())?;
    write(&plan.out.join("report.html"), &page::render(&summary))?;
    let exit_code = match Interrupt::by_signal().requested() {
        true => 7,
        false if plan.queue.is_some() && summary.open() > 0 => 6,
        false => summary.exit_code(),
    };
    Ok(BenchReport { text: summary.text(&plan.out), exit_code })
}

/// What the lists have and the filters leave; never empty.
fn tasks(plan: &Plan) -> Result<Vec<BenchTask>, Failure> {
    let mut found = Vec::new();
    for list in &plan.lists {
        found.extend(tasks::read(list, plan.property.unwrap_or("unreach-call"))?);
    }
    found.retain(|task| plan.property.is_none_or(|p| p == task.property));
    found.retain(|task| task.name.contains(&plan.filter));
    match found.is_empty() {
        true => Err(Failure::Input(Diagnostic::new("there are no tasks"))),
        false => Ok(found),
    }
}

/// On stderr, if that is a terminal.
fn bar(all: usize, earlier: usize) -> ProgressBar {
    let bar = ProgressBar::new(all as u64).with_position(earlier as u64);
    let style = ProgressStyle::with_template("{elapsed_precise} [{bar:30}] {pos}/{len} {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
    bar.tick();
    bar
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|e| fail(format!("cannot write {}", path.display()), &e))
}

fn fail(what: impl std::fmt::Display, why: &dyn std::fmt::Display) -> Failure {
    Failure::Input(Diagnostic::new(format!("{what}: {why}")))
}
