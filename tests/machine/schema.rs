//! A small validator for the part of JSON Schema that our schemas use.
//!
//! Stricter than the standard in two ways, so that nothing goes unchecked: a keyword that is not
//! known here is an error, and so is a member that the schema does not name.

use serde_json::{Map, Value};

/// Words that say nothing about a value.
const SILENT: [&str; 4] = ["$schema", "$defs", "title", "description"];

pub fn check(schema: &Value, value: &Value) -> Result<(), String> {
    Validator { root: schema }.visit(schema, value, "$")
}

struct Validator<'s> {
    root: &'s Value,
}

impl Validator<'_> {
    fn visit(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let rules = schema.as_object().ok_or("a schema is an object")?;
        for (word, rule) in rules {
            self.rule(word, rule, rules, value, at)?;
        }
        Ok(())
    }

    fn rule(
        &self,
        word: &str,
        rule: &Value,
        rules: &Map<String, Value>,
        value: &Value,
        at: &str,
    ) -> Result<(), String> {
        let bad = |what: &str| Err(format!("{at}: {what} {rule}, but it is {value}"));
        let list = |rule: &Value| rule.as_array().cloned().unwrap_or_default();
        match word {
            "$ref" => {
                let path = rule.as_str().and_then(|r| r.strip_prefix('#')).ok_or("a local $ref")?;
                let target = self.root.pointer(path).ok_or(format!("no {path}"))?;
                self.visit(target, value, at)
            }
            "type" => {
                let names = if rule.is_array() { list(rule) } else { vec![rule.clone()] };
                let fits = names.iter().any(|n| is(value, n.as_str().unwrap_or("")));
                if fits { Ok(()) } else { bad("should be of type") }
            }
            "enum" if !list(rule).contains(value) => bad("should be one of"),
            "const" if rule != value => bad("should be"),
            "minimum" if value.as_f64().is_some_and(|v| v < rule.as_f64().unwrap_or(0.0)) => {
                bad("should be at least")
            }
            "minItems"
                if value
                    .as_array()
                    .is_some_and(|v| (v.len() as u64) < rule.as_u64().unwrap_or(0)) =>
            {
                bad("should have at least")
            }
            "pattern"
                if !value.as_str().is_some_and(|v| matches(rule.as_str().unwrap_or(""), v)) =>
            {
                bad("should match")
            }
            "anyOf" => {
                let ways = list(rule);
                let tries: Vec<_> = ways.iter().map(|way| self.visit(way, value, at)).collect();
                if tries.iter().any(|t| t.is_ok()) {
                    Ok(())
                } else {
                    Err(format!("{at}: {tries:?}"))
                }
            }
            "required" => {
                let Some(members) = value.as_object() else { return Ok(()) };
                let missing = list(rule)
                    .into_iter()
                    .find(|n| !members.contains_key(n.as_str().unwrap_or("")));
                missing.map_or(Ok(()), |name| Err(format!("{at}: {name} is missing")))
            }
            "properties" => self.members(rule, value, at),
            "additionalProperties" if !rules.contains_key("properties") => {
                let members = value.as_object().into_iter().flatten();
                members.into_iter().try_for_each(|(n, v)| self.visit(rule, v, &format!("{at}.{n}")))
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                items.into_iter().try_for_each(|(i, v)| self.visit(rule, v, &format!("{at}[{i}]")))
            }
            "enum" | "const" | "minimum" | "minItems" | "pattern" => Ok(()),
            _ if SILENT.contains(&word) => Ok(()),
            _ => Err(format!("{at}: the keyword {word} is not known to this validator")),
        }
    }

    fn members(&self, named: &Value, value: &Value, at: &str) -> Result<(), String> {
        let Some(members) = value.as_object() else { return Ok(()) };
        for (name, member) in members {
            let schema = named.get(name).ok_or(format!("{at}: {name} is not in the schema"))?;
            self.visit(schema, member, &format!("{at}.{name}"))?;
        }
        Ok(())
    }
}

fn is(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_u64() || value.is_i64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

/// The two patterns in use: a fixed beginning, and a version.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern {
        r"^1\.[0-9]+$" => text.strip_prefix("1.").is_some_and(|minor| minor.parse::<u32>().is_ok()),
        _ => pattern.strip_prefix('^').is_some_and(|start| text.starts_with(start)),
    }
}
