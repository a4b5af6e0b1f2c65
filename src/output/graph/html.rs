//! The page: style, data and script in one file that needs no network.
//!
//! Whatever comes from the program (names, source text) is data inside of a JSON island, where `<`
//! is written as an escape: no text of the user's can end the island or become markup. The script
//! sets it as text only.

use super::picture::Picture;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

pub fn render(pictures: &[Picture]) -> String {
    // Maps with string keys and plain numbers cannot fail to be written.
    let data = serde_json::to_string(pictures).unwrap_or_default();
    fill(PAGE, &[("STYLE", STYLE), ("DATA", &island(&data)), ("SCRIPT", SCRIPT)])
}

/// Each mark stands once; what is filled in is not looked at again.
pub(crate) fn fill(page: &str, parts: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = page;
    for (mark, part) in parts {
        let mark = format!("/*{mark}*/");
        let Some((before, after)) = rest.split_once(&mark) else { continue };
        text.push_str(before);
        text.push_str(part);
        rest = after;
    }
    text + rest
}

/// JSON that may stand inside of a script element.
pub(crate) fn island(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_island() {
        let evil = "int x; // </script><script>alert(1)</script> <!-- /*SCRIPT*/";
        let picture = Picture { message: evil.into(), ..Picture::default() };
        let page = render(&[picture]);
        assert_eq!(page.matches("</script>").count(), 2, "one for the data, one for the script");
        assert!(!page.contains("<script>alert"));
        let start = page.find("type=\"application/json\"").expect("an island");
        let json = &page[start..];
        let json = &json[json.find('>').expect("open") + 1..json.find("</script>").expect("end")];
        let read: serde_json::Value = serde_json::from_str(json).expect("good JSON");
        assert_eq!(read[0]["message"], evil);
    }

    #[test]
    fn the_page_needs_no_network() {
        let page = render(&[Picture::default()]);
        let page = page.replace("http://www.w3.org/2000/svg", "");
        for word in ["http:", "https:", " src=", "@import", "fetch(", "XMLHttp"] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
