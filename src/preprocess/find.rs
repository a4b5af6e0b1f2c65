//! Where `#include` looks: beside the file that says it (in quotes), in the folders of `-I`, among
//! the headers that we bring along.

use super::OUR_FOLDER;
use frontend::preprocess::{Body, Found, Wanted};
use frontend::shipped;
use std::path::{Path, PathBuf};

pub fn find(wanted: Wanted, folders: &[PathBuf]) -> Option<Found> {
    let (name, beside) = match wanted {
        Wanted::Angle(name) => (name, None),
        Wanted::Quoted(name, from) => (name, Path::new(from).parent()),
    };
    let folders = beside.into_iter().chain(folders.iter().map(PathBuf::as_path));
    let on_disk = folders.map(|folder| folder.join(name)).find_map(read);
    on_disk.or_else(|| ours(name))
}

fn read(path: PathBuf) -> Option<Found> {
    let text = std::fs::read(&path).ok()?;
    Some(Found { name: path.display().to_string(), body: Body::User(text) })
}

fn ours(name: &str) -> Option<Found> {
    let header = shipped::header(name)?;
    Some(Found { name: format!("{OUR_FOLDER}/{name}"), body: Body::Ours(header) })
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
        let text = |wanted: Wanted, folders: &[PathBuf]| {
            find(wanted, folders).map(|found| match found.body {
                Body::User(text) => String::from_utf8_lossy(&text).into_owned(),
                Body::Ours(header) => header.text.to_string(),
            })
        };
        let below = [below];
        assert_eq!(text(Wanted::Quoted("assert.h", &from), &below).as_deref(), Some("outer"));
        assert_eq!(text(Wanted::Angle("assert.h"), &below).as_deref(), Some("inner"));
        assert!(text(Wanted::Quoted("assert.h", "a.c"), &[]).unwrap().contains("assert"));
        assert_eq!(text(Wanted::Angle("none.h"), &below), None);
        let ours = find(Wanted::Angle("sys/types.h"), &[]).unwrap();
        assert_eq!(ours.name, "<obmc>/sys/types.h");
        assert!(matches!(ours.body, Body::Ours(header) if header.name == "sys/types.h"));
    }
}
