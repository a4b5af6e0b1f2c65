//! The files that a program may include: each is looked for and read once.
//!
//! Before the first line is preprocessed, the words of all files of the program tell what of our
//! headers is needed. Which files these are is guessed from the lines that look like `#include`, be
//! they read later or not. `Shelf::was_seen` tells of a file whether the guess was right.

use super::{Body, FileFinder, FoundFile, IncludeName, named_header};
use crate::shipped::Shipped;
use crate::shipped::needs::Needs;
use crate::tokens::lex::Text;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

pub struct Shelf<'a, 'f> {
    find: &'a mut FileFinder<'f>,
    /// By the file that asks, if it matters, and the name that it says.
    known: FxHashMap<(Option<Rc<str>>, String), Option<Book>>,
    /// Names of files of the program whose words were looked at.
    seen: FxHashSet<Rc<str>>,
}

#[derive(Clone)]
pub struct Book {
    pub name: Rc<str>,
    pub page: Page,
    pub whose: Whose,
}

/// Who has written a file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    User,
    /// The host's system.
    Host,
    Ours,
}

#[derive(Clone)]
pub enum Page {
    User(Rc<Text>),
    Ours(&'static Shipped),
}

impl<'a, 'f> Shelf<'a, 'f> {
    pub fn new(find: &'a mut FileFinder<'f>) -> Shelf<'a, 'f> {
        Shelf { find, known: FxHashMap::default(), seen: FxHashSet::default() }
    }

    /// The file that `from` calls `name`, in quotes or not.
    pub fn find(&mut self, from: &Rc<str>, name: &str, quoted: bool) -> Option<Book> {
        let key = (quoted.then(|| from.clone()), name.to_string());
        let find = &mut self.find;
        let look = || {
            let found = find(if quoted {
                IncludeName::Quoted(name, from)
            } else {
                IncludeName::Angle(name)
            });
            found.map(Book::from)
        };
        self.known.entry(key).or_insert_with(look).clone()
    }

    pub(crate) fn was_seen(&self, name: &str) -> bool {
        self.seen.contains(name)
    }

    /// What the texts and all that they include need of our headers.
    pub fn needs(&mut self, texts: Vec<(Rc<str>, Rc<Text>)>) -> Needs {
        let mut needs = Needs::least();
        let mut todo = texts;
        while let Some((from, text)) = todo.pop() {
            for at in needs.add(&text.bytes) {
                let line = text.bytes[at..].split(|&b| b == b'\n').next().unwrap_or_default();
                let Some((name, quoted)) = named_header(line.trim_ascii()) else { continue };
                let Some(book) = self.find(&from, &name, quoted) else { continue };
                if let (Page::User(text), true) = (book.page, self.seen.insert(book.name.clone())) {
                    todo.push((book.name, text));
                }
            }
            if needs.is_everything() {
                break;
            }
        }
        needs
    }
}

impl From<FoundFile> for Book {
    fn from(found: FoundFile) -> Book {
        let whose = match found.body {
            Body::User(_) => Whose::User,
            Body::Host(_) => Whose::Host,
            Body::Ours(_) => Whose::Ours,
        };
        let page = match found.body {
            Body::User(text) | Body::Host(text) => Page::User(Text::new(&text).into()),
            Body::Ours(header) => Page::Ours(header),
        };
        Book { name: found.name.into(), page, whose }
    }
}
