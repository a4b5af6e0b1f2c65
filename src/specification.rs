//! Properties by name, by list, or by SV-COMP property file.
//!
//! A `.prp` file is read for what it says, never for what it is called: each `CHECK` names an entry
//! function and one formula, and the formulas that we can check are the rows of `FORMULAS`.

use crate::contract::Property;
use std::path::Path;

/// Without repetition, in the order in which they were asked for; never empty.
pub type Properties = Vec<Property>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub properties: Properties,
    /// The entry function, where a property file says one.
    pub entry: Option<String>,
}

/// Formulas of property files, without blanks.
const FORMULAS: &[(&str, Property)] = &[
    ("G!call(reach_error())", Property::UnreachCall),
    ("G!call(__VERIFIER_error())", Property::UnreachCall),
    ("G!data-race", Property::NoDataRace),
    ("G!overflow", Property::NoOverflow),
    ("G!deadlock", Property::NoDeadlock),
    ("G!livelock", Property::NoLivelock),
    ("Gvalid-free", Property::ValidMemsafety),
    ("Gvalid-deref", Property::ValidMemsafety),
    ("Gvalid-memtrack", Property::ValidMemsafety),
];

/// A property as a property file says it.
pub fn specification(property: Property, entry: &str) -> String {
    let formulas: &[&str] = match property {
        Property::UnreachCall => &["G ! call(reach_error())"],
        Property::NoDataRace => &["G ! data-race"],
        Property::NoOverflow => &["G ! overflow"],
        Property::NoDeadlock => &["G ! deadlock"],
        Property::NoLivelock => &["G ! livelock"],
        Property::Robust => &["G robust"],
        Property::ValidMemsafety => &["G valid-free", "G valid-deref", "G valid-memtrack"],
    };
    let checks = formulas.iter().map(|f| format!("CHECK( init({entry}()), LTL({f}) )"));
    checks.collect::<Vec<_>>().join("\n")
}

/// Reads the specification of a witness: a property file's text, or a formula alone.
pub fn specified(text: &str) -> Result<Named, String> {
    if text.contains("CHECK") {
        file(text)
    } else {
        file(&format!("CHECK(init(main()),LTL({text}))"))
    }
}

/// Reads the value of `--property`.
pub fn parse(text: &str) -> Result<Named, String> {
    if Path::new(text).extension().is_some_and(|e| e == "prp") {
        let content = std::fs::read(text).map_err(|e| format!("property file {text}: {e}"))?;
        let content = String::from_utf8_lossy(&content);
        let named = file(&content).and_then(|named| all_parts(&content).map(|()| named));
        return named.map_err(|e| format!("{text}: {e}"));
    }
    let mut properties = Vec::new();
    for name in text.split(',').map(str::trim) {
        match name {
            "all" => Property::ALL.iter().for_each(|&p| add(&mut properties, p)),
            _ => add(&mut properties, by_name(name)?),
        }
    }
    Ok(Named { properties, entry: None })
}

fn add(properties: &mut Properties, property: Property) {
    if !properties.contains(&property) {
        properties.push(property);
    }
}

fn by_name(name: &str) -> Result<Property, String> {
    let all = Property::ALL.iter().chain(&[Property::Robust]);
    if let Some(&property) = all.into_iter().find(|p| p.name() == name) {
        return Ok(property);
    }
    if ["valid-free", "valid-deref", "valid-memtrack"].contains(&name) {
        return Err(format!("property {name} is checked as a part of valid-memsafety"));
    }
    let names: Vec<&str> = Property::ALL.iter().map(|p| p.name()).collect();
    Err(format!("property {name:?} is not known (there are: {}, all, robust)", names.join(", ")))
}

fn file(content: &str) -> Result<Named, String> {
    let mut named = Named { properties: Vec::new(), entry: None };
    for line in content.lines() {
        let line: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        if line.is_empty() {
            continue;
        }
        let (entry, formula) = parts(&line)
            .ok_or_else(|| format!("not of the form CHECK( init(F()), LTL(..) ): {line}"))?;
        let row = FORMULAS.iter().find(|(text, _)| *text == formula);
        let (_, property) = row.ok_or_else(|| format!("cannot check {formula}"))?;
        add(&mut named.properties, *property);
        named.entry = Some(entry.to_string());
    }
    if named.properties.is_empty() {
        return Err("no CHECK in it".into());
    }
    Ok(named)
}

/// A violation of one part of memory safety says nothing about another one, so who asks for one asks for all.
fn all_parts(content: &str) -> Result<(), String> {
    let parts = ["valid-free", "valid-deref", "valid-memtrack"];
    let (asked, missing): (Vec<&str>, Vec<&str>) =
        parts.into_iter().partition(|part| content.contains(part));
    match (asked.first(), missing.first()) {
        (Some(part), Some(other)) => Err(format!(
            "{part} is checked as a part of valid-memsafety, and {other} is not asked for"
        )),
        _ => Ok(()),
    }
}

/// Entry function and formula of one `CHECK` without blanks.
fn parts(line: &str) -> Option<(&str, &str)> {
    let inside = line.strip_prefix("CHECK(init(")?.strip_suffix("))")?;
    let (entry, formula) = inside.split_once("()),LTL(")?;
    Some((entry, formula))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_lists() {
        let named = parse("no-overflow,unreach-call,no-overflow").expect("known names");
        assert_eq!(named.properties, [Property::NoOverflow, Property::UnreachCall]);
        assert_eq!(parse("all").expect("all").properties, Property::ALL);
        assert!(parse("").is_err());
        assert!(parse("valid-deref").expect_err("a part").contains("valid-memsafety"));
        let cleanup = parse("valid-memcleanup").expect_err("not checked");
        assert!(cleanup.contains("not known"), "{cleanup}");
    }

    #[test]
    fn parts_of_memory_safety_are_asked_for_together() {
        let check = |part: &str| format!("CHECK( init(main()), LTL(G {part}) )\n");
        let free = check("valid-free");
        assert!(all_parts(&free).expect_err("a part").contains("valid-deref"));
        let all = free + &check("valid-deref") + &check("valid-memtrack");
        assert_eq!(all_parts(&all), Ok(()));
        assert_eq!(all_parts(&check("! overflow")), Ok(()));
        assert!(specified("G valid-deref").is_ok());
    }

    #[test]
    fn property_files_by_content() {
        let check = |text: &str| file(text).map(|n| n.properties);
        let reach = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        assert_eq!(check(reach), Ok(vec![Property::UnreachCall]));
        let race = "\nCHECK( init(main()), LTL(G ! data-race) )\n\n";
        assert_eq!(check(race), Ok(vec![Property::NoDataRace]));
        let memory = "CHECK( init(main()), LTL(G valid-free) )\n\
                      CHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )\n";
        assert_eq!(check(memory), Ok(vec![Property::ValidMemsafety]));
        assert_eq!(check("CHECK(init(f()),LTL(G ! overflow))"), Ok(vec![Property::NoOverflow]));
    }

    #[test]
    fn specifications_are_read_as_they_are_written() {
        for property in Property::ALL {
            let named = specified(&specification(property, "start")).expect("our own words");
            assert_eq!((named.properties, named.entry.as_deref()), (vec![property], Some("start")));
        }
        let formula = specified("G ! call(reach_error())").expect("a formula alone");
        assert_eq!(formula.properties, [Property::UnreachCall]);
    }

    #[test]
    fn the_file_names_the_entry() {
        let named = file("CHECK( init(start()), LTL(G ! overflow) )").expect("a good file");
        assert_eq!(named.entry.as_deref(), Some("start"));
    }

    #[test]
    fn files_that_say_something_else() {
        for text in ["", "hello", "CHECK( init(main()), LTL(F end) )", "CHECK( init(main()"] {
            assert!(file(text).is_err(), "{text}");
        }
        assert!(parse("/no/such/file.prp").is_err());
    }
}
