//! Where `#include` looks: beside the file that says it (in quotes), in the folders of `-iquote`
//! (in quotes), `-I` and `-isystem`, among the headers that we bring along, and where the host's
//! compiler looks.

use super::{OUR_FOLDER, host};
use crate::request::Flags;
use frontend::preprocess::{Body, FoundFile, IncludeName};
use frontend::shipped;
use std::path::{Path, PathBuf};

pub fn find(wanted: IncludeName, flags: &Flags) -> Option<FoundFile> {
    let (name, first) = match wanted {
        IncludeName::Angle(name) => (name, Vec::new()),
        IncludeName::Quoted(name, from) => (name, beside(from, flags)),
    };
    let named = flags.include.iter().chain(&flags.system).map(PathBuf::as_path);
    let named = named.filter(|folder| !host::is_usual(folder));
    let on_disk = first.into_iter().chain(named).map(|folder| folder.join(name)).find_map(read);
    on_disk.or_else(|| ours(name)).or_else(|| the_hosts(name, flags))
}

fn beside<'a>(from: &'a str, flags: &'a Flags) -> Vec<&'a Path> {
    let quote = flags.quote.iter().map(PathBuf::as_path);
    Path::new(from).parent().into_iter().chain(quote).collect()
}

fn read(path: PathBuf) -> Option<FoundFile> {
    let text = std::fs::read(&path).ok()?;
    let body = if host::has(&path) { Body::Host(text) } else { Body::User(text) };
    Some(FoundFile { name: path.display().to_string(), body })
}

fn ours(name: &str) -> Option<FoundFile> {
    let header = shipped::header(name)?;
    Some(FoundFile { name: format!("{OUR_FOLDER}/{name}"), body: Body::Ours(header) })
}

fn the_hosts(name: &str, flags: &Flags) -> Option<FoundFile> {
    if flags.no_host_headers {
        return None;
    }
    host::folders().iter().map(|folder| folder.join(name)).find_map(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_the_file_then_folders_then_ours() {
        let folder = tempfile::tempdir().unwrap();
        let below = folder.path().join("below");
        std::fs::create_dir(&below).unwrap();
        std::fs::write(folder.path().join("assert.h"), "outer").unwrap();
        std::fs::write(below.join("assert.h"), "inner").unwrap();
        let from = folder.path().join("a.c").display().to_string();
        let text = |wanted: IncludeName, folders: &[PathBuf]| {
            let flags = Flags { include: folders.into(), ..Flags::default() };
            find(wanted, &flags).map(|found| match found.body {
                Body::User(text) | Body::Host(text) => String::from_utf8_lossy(&text).into_owned(),
                Body::Ours(header) => header.text.to_string(),
            })
        };
        let below = [below];
        assert_eq!(text(IncludeName::Quoted("assert.h", &from), &below).as_deref(), Some("outer"));
        assert_eq!(text(IncludeName::Angle("assert.h"), &below).as_deref(), Some("inner"));
        assert!(text(IncludeName::Quoted("assert.h", "a.c"), &[]).unwrap().contains("assert"));
        assert_eq!(text(IncludeName::Angle("none.h"), &below), None);
        let ours = find(IncludeName::Angle("sys/types.h"), &Flags::default()).unwrap();
        assert_eq!(ours.name, "<obmc>/sys/types.h");
        assert!(matches!(ours.body, Body::Ours(header) if header.name == "sys/types.h"));
    }
}
