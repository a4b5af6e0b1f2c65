//! Places in SARIF: files relative to the current folder, and fingerprints that outlive edits.

use crate::report::diagnostic::Place;
use serde_json::{Value, json};
use std::path::{Component, Path, PathBuf};

/// The name of the folder that relative files are in.
pub const BASE: &str = "SRCROOT";

pub struct SarifPlaces {
    folder: PathBuf,
}

impl SarifPlaces {
    pub fn new(folder: &Path) -> SarifPlaces {
        SarifPlaces { folder: folder.to_path_buf() }
    }

    pub fn base(&self) -> String {
        let uri = file_uri(&self.folder);
        if uri.ends_with('/') { uri } else { uri + "/" }
    }

    /// A `physicalLocation`.
    pub fn physical(&self, place: &Place) -> Value {
        let artifact = match self.relative(&place.file) {
            Some(uri) => json!({ "uri": uri, "uriBaseId": BASE }),
            None => json!({ "uri": file_uri(Path::new(&place.file)) }),
        };
        let mut region = json!({ "startLine": place.line.max(1) });
        if place.column > 0 {
            region["startColumn"] = json!(place.column);
        }
        json!({ "artifactLocation": artifact, "region": region })
    }

    /// None if the file is not below the folder.
    fn relative(&self, file: &str) -> Option<String> {
        let path = Path::new(file);
        let inside = match path.strip_prefix(&self.folder) {
            Ok(inside) => inside,
            Err(_) if path.is_absolute() => return None,
            Err(_) => path,
        };
        let parts = inside.components().filter(|c| !matches!(c, Component::CurDir));
        let names: Vec<String> = parts.map(|c| escape(&c.as_os_str().to_string_lossy())).collect();
        Some(names.join("/"))
    }

    /// The same for the same problem after lines were added above it: made of names and of the text
    /// of the line, not of its number.
    pub fn fingerprint(&self, names: &[&str], place: Option<&Place>) -> String {
        let file = place.map(|p| self.relative(&p.file).unwrap_or_else(|| p.file.clone()));
        let line = place.and_then(line_of).unwrap_or_default();
        let parts = names.iter().copied().chain([file.as_deref().unwrap_or(""), line.trim()]);
        // FNV-1a: it must be the same in every release, which a hasher of the library need not be.
        let bytes = parts.flat_map(|part| part.bytes().chain([0]));
        let hash = bytes.fold(0xcbf29ce484222325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100000001b3)
        });
        format!("{hash:016x}")
    }
}

fn line_of(place: &Place) -> Option<String> {
    let content = std::fs::read(&place.file).ok()?;
    let text = String::from_utf8_lossy(&content);
    text.lines().nth((place.line as usize).checked_sub(1)?).map(str::to_string)
}

fn file_uri(path: &Path) -> String {
    let names = path.components().filter(|c| matches!(c, Component::Normal(_)));
    let names: Vec<String> = names.map(|c| escape(&c.as_os_str().to_string_lossy())).collect();
    format!("file:///{}", names.join("/"))
}

/// A name as a segment of a URI.
fn escape(name: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
    name.bytes().map(|b| if plain(b) { (b as char).into() } else { format!("%{b:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_inside_and_outside_of_the_folder() {
        let places = SarifPlaces::new(Path::new("/home/me/my project"));
        assert_eq!(places.base(), "file:///home/me/my%20project/");
        assert_eq!(places.relative("./src/a.c").as_deref(), Some("src/a.c"));
        assert_eq!(places.relative("/home/me/my project/b.c").as_deref(), Some("b.c"));
        assert_eq!(places.relative("ä:1.c").as_deref(), Some("%C3%A4%3A1.c"));
        assert_eq!(places.relative("/usr/include/x.h"), None);
        let place = Place { file: "/usr/x.h".into(), line: 3, column: 0 };
        let want = json!({ "artifactLocation": { "uri": "file:///usr/x.h" }, "region": { "startLine": 3 } });
        assert_eq!(places.physical(&place), want);
    }
}
