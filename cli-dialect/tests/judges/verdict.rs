//! Runs a judge, and compares what it understood with what the emulator meant.

use std::collections::BTreeSet;
use std::io::Write;
use std::net::Ipv4Addr;
use std::path::Path;
use std::process::{Command, Stdio};

use netconfarena_emu::interface::InterfaceName;
use serde_json::{Value, json};

/// What a field of a judge must hold.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// The row's field.
    Is(&'static str),
    /// The row's field, which the judge gives in hexadecimal.
    Hex(&'static str),
    /// The length of the mask in the row's field, which the judge gives as a mask or as `/24`.
    Mask(&'static str),
    /// The address of a prefix in the row's field.
    Address(&'static str),
    /// The length of a prefix in the row's field.
    Length(&'static str),
    /// The row's field, which the judge gives with a unit behind it.
    Number(&'static str),
    /// A word of the row's field, counted from 0, without the asterisk of an unset clock and without a comma.
    Word(&'static str, usize),
    /// The first word of the row's field.
    Head(&'static str),
    /// What stands behind the colon in the row's field.
    PartAfter(&'static str),
    /// The minutes of the hour in the row's field, a time in seconds.
    Minutes(&'static str),
    /// Two fields of the row with a slash between.
    Both(&'static str, &'static str),
    /// Two fields of the row with a blank between.
    Pair(&'static str, &'static str),
    /// The row's field, a number, which is not printed if it is 0.
    Count(&'static str),
    /// One of two fields of the row: the judge tells them apart by how many words there are.
    Either(&'static str, &'static str),
    /// The first words of the items of the row's field, a list.
    Items(&'static str),
    /// As [`Rule::Is`], but the judge may leave rows out: it keeps one of several that share a key, or does not know a form.
    Some(&'static str),
    /// As [`Rule::Some`], in hexadecimal.
    SomeHex(&'static str),
    /// Always the same.
    Const(&'static str),
    /// What the judge makes up itself.
    Any,
}

/// The fields of a judge for one command, with their rules.
pub struct Case {
    /// The command.
    pub command: &'static str,
    /// Texts of which the judge understands only one.
    pub limits: &'static [&'static str],
    /// Field of the judge, and what it must hold. A field that is not named here fails the test. With a slash in front, the keys below
    /// a field of a tree.
    pub fields: &'static [(&'static str, Rule)],
}

/// A command with arguments, whose verdict has the fields of another one's.
pub struct Form {
    /// As the judge knows it: `show ip route {route}`.
    pub pattern: &'static str,
    /// With real arguments.
    pub command: &'static str,
    /// The command of the [`Case`] whose fields hold.
    pub like: &'static str,
}

/// A command of which no record is made here: the whole verdict, from what the lab was configured with.
pub struct Given {
    /// As the judge knows it.
    pub pattern: &'static str,
    /// With real arguments.
    pub command: &'static str,
    /// The router, from 1.
    pub router: usize,
    /// JSON, without the fields that are empty.
    pub verdict: &'static str,
}

/// What one router printed: command and text.
pub type Outputs = Vec<(String, String)>;

/// Asks a judge about the outputs of commands, router by router; `None` if the environment variable names no interpreter.
pub fn ask(variable: &str, script: &str, routers: &[Outputs]) -> Option<Vec<Vec<Value>>> {
    let interpreter = std::env::var_os(variable)?;
    let of_router = |outputs: &Outputs| -> Vec<Value> {
        let others: Value = outputs.iter().map(|(command, text)| (command.clone(), json!(text))).collect();
        let case = |(command, text): &(String, String)| json!({ "command": command, "text": text, "others": others });
        outputs.iter().map(case).collect()
    };
    let cases = Value::Array(routers.iter().flat_map(of_router).collect());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/judges").join(script);
    let mut child = Command::new(interpreter)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{variable}: {error}"));
    child.stdin.take().expect("a pipe").write_all(cases.to_string().as_bytes()).expect("a reader");
    let output = child.wait_with_output().expect("an end");
    assert!(output.status.success(), "the judge of {variable} failed");
    let mut verdicts: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON from the judge");
    Some(routers.iter().map(|outputs| verdicts.drain(..outputs.len()).collect()).collect())
}

/// A value in a form that the two can be compared in: small letters, times in seconds, short interface names, a list of one as
/// that one; nothing for `never` and the empty list.
fn normal(value: &Value) -> String {
    let text = match value {
        Value::Null => return String::new(),
        Value::String(text) => text.trim().to_owned(),
        Value::Array(items) if items.is_empty() => return String::new(),
        Value::Array(items) if items.len() == 1 => return normal(&items[0]),
        Value::Number(number) => match number.as_f64() {
            Some(whole) if whole.fract() == 0.0 && whole.abs() < 1e15 => format!("{whole:.0}"),
            _ => number.to_string(),
        },
        other => other.to_string(),
    };
    if text == "never" {
        return String::new();
    }
    let parts: Vec<&str> = text.split(':').collect();
    if let [hours, minutes, seconds] = parts.as_slice()
        && let (Ok(h), Ok(m), Ok(s)) = (hours.parse::<u64>(), minutes.parse::<u64>(), seconds.parse::<f64>())
    {
        return format!("{}", (h * 3600 + m * 60) as f64 + s);
    }
    match text.parse::<InterfaceName>() {
        Ok(name) => name.short().to_lowercase(),
        Err(_) => text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase(),
    }
}

/// What the judge should have said, from a row; `None` if the rule does not look at rows.
fn expected(rule: Rule, row: &Value) -> Option<String> {
    let field = |name: &str| normal(row.get(name).unwrap_or(&Value::Null));
    let part = |name: &str, at: usize| field(name).split('/').nth(at).unwrap_or_default().to_owned();
    let word = |name: &str, at: usize| {
        let text = field(name);
        normal(&json!(
            text.split(' ').nth(at).unwrap_or_default().trim_start_matches('*').trim_end_matches(',')
        ))
    };
    match rule {
        Rule::Is(name) | Rule::Hex(name) | Rule::Mask(name) | Rule::Some(name) | Rule::SomeHex(name) => {
            Some(field(name))
        }
        Rule::Number(name) => Some(field(name)),
        Rule::Count(name) => Some(field(name)).map(|text| if text == "0" { String::new() } else { text }),
        Rule::Head(name) => Some(word(name, 0)),
        Rule::Word(name, at) => Some(word(name, at)),
        Rule::PartAfter(name) => Some(field(name).rsplit(':').next().unwrap_or_default().to_owned()),
        Rule::Minutes(name) => Some((field(name).parse::<u64>().unwrap_or_default() / 60 % 60).to_string()),
        Rule::Address(name) => Some(part(name, 0)),
        Rule::Length(name) => Some(part(name, 1)),
        Rule::Both(first, second) => Some(format!("{}/{}", field(first), field(second))),
        Rule::Pair(first, second) => Some(format!("{} {}", field(first), field(second)).trim().to_owned()),
        Rule::Either(first, _) => Some(field(first)),
        Rule::Items(name) => Some(normal(&json!(items(row, name)))),
        Rule::Const(_) | Rule::Any => None,
    }
}

/// The first words of the items of a list.
fn items(row: &Value, name: &str) -> Vec<String> {
    let all = row.get(name).and_then(Value::as_array);
    let word = |item: &Value| {
        normal(&json!(item.as_str().unwrap_or_default().split(' ').next().unwrap_or_default()))
    };
    all.into_iter().flatten().map(word).collect()
}

/// What the judge said, in the form of the row.
fn said(rule: Rule, value: &Value) -> String {
    let text = normal(value);
    let translated = match rule {
        Rule::Hex(_) | Rule::SomeHex(_) => {
            u64::from_str_radix(text.trim_start_matches("0x"), 16).ok().map(|n| n.to_string())
        }
        Rule::Mask(_) => match text.strip_prefix('/') {
            Some(length) => Some(length.to_owned()),
            None => text.parse::<Ipv4Addr>().ok().map(|mask| u32::from(mask).count_ones().to_string()),
        },
        Rule::Both(..) => Some(text.replace("/ ", "/")),
        Rule::Number(_) => text.split(' ').next().map(str::to_owned),
        _ => None,
    };
    translated.unwrap_or(text)
}

fn rule_of(case: &Case, name: &str) -> Result<Rule, String> {
    let rule = case.fields.iter().find(|(field, _)| *field == name).map(|&(_, rule)| rule);
    rule.ok_or_else(|| format!("{}: the judge has a field {name} that is not compared", case.command))
}

/// A verdict without its empty texts and lists.
fn without_empty(verdict: &Value) -> Value {
    let is_full =
        |value: &&Value| value.as_str() != Some("") && value.as_array().is_none_or(|list| !list.is_empty());
    match verdict {
        Value::Object(fields) => fields
            .iter()
            .filter(|(_, value)| is_full(value))
            .map(|(name, value)| (name.clone(), without_empty(value)))
            .collect(),
        Value::Array(items) => items.iter().map(without_empty).collect(),
        leaf => leaf.clone(),
    }
}

/// Compares a whole verdict.
pub fn compare_whole(given: &Given, verdict: &Value) -> Vec<String> {
    let wanted: Value = serde_json::from_str(given.verdict).expect("JSON in the test");
    let found = without_empty(verdict);
    if found == wanted { Vec::new() } else { vec![format!("{found}, which should be {wanted}")] }
}

/// Compares records with rows, one by one.
pub fn compare_records(case: &Case, records: &Value, rows: &[Value]) -> Vec<String> {
    let Some(records) = records.as_array() else { return vec![format!("{}: {records}", case.command)] };
    if records.len() != rows.len() {
        return vec![format!("{}: {} records for {} rows", case.command, records.len(), rows.len())];
    }
    let mut faults = Vec::new();
    for (record, row) in records.iter().zip(rows) {
        for (name, value) in record.as_object().into_iter().flatten() {
            match rule_of(case, name) {
                Err(fault) => faults.push(fault),
                Ok(rule) => {
                    let wanted = match rule {
                        Rule::Const(text) => Some(text.to_owned()),
                        Rule::Either(_, second) if said(rule, value) == normal(&row[second]) => None,
                        rule => expected(rule, row),
                    };
                    let found = said(rule, value);
                    if wanted.is_some_and(|wanted| wanted != found) {
                        faults.push(format!(
                            "{}: {name} is {value}, which should be {rule:?} of {row}",
                            case.command
                        ));
                    }
                }
            }
        }
    }
    faults
}

/// The leaves of a tree, the name of each with its value, and with a slash in front of the name the keys below a field.
fn leaves(name: &str, tree: &Value, found: &mut Vec<(String, Value)>) {
    match tree {
        Value::Object(fields) => {
            found.extend(fields.keys().map(|key| (format!("/{name}"), json!(key))));
            fields.iter().for_each(|(name, value)| leaves(name, value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| leaves(name, item, found)),
        leaf => found.push((name.to_owned(), leaf.clone())),
    }
}

/// Compares the leaves of a tree with rows: those of one name, taken together, hold what the rows hold.
pub fn compare_tree(case: &Case, tree: &Value, rows: &[Value]) -> Vec<String> {
    if let Some(error) = tree.get("error") {
        return vec![format!("{}: {error}", case.command)];
    }
    let mut all = Vec::new();
    leaves("", tree, &mut all);
    let names: BTreeSet<&str> = all.iter().map(|(name, _)| name.as_str()).collect();
    let mut faults = Vec::new();
    for name in names {
        let rule = match rule_of(case, name) {
            Ok(Rule::Any) => continue,
            Ok(rule) => rule,
            // Keys are compared where a case asks for it.
            Err(_) if name.starts_with('/') => continue,
            Err(fault) => {
                faults.push(fault);
                continue;
            }
        };
        let of_name = all.iter().filter(|(leaf, _)| leaf == name);
        let found: BTreeSet<String> = of_name.map(|(_, value)| said(rule, value)).collect();
        let wanted: BTreeSet<String> = match rule {
            Rule::Const(text) => [text.to_owned()].into(),
            Rule::Either(first, second) => {
                rows.iter().flat_map(|row| [first, second].map(|name| normal(&row[name]))).collect()
            }
            Rule::Items(list) => rows.iter().flat_map(|row| items(row, list)).collect(),
            rule => {
                rows.iter().filter_map(|row| expected(rule, row)).filter(|text| !text.is_empty()).collect()
            }
        };
        let is_right = match rule {
            Rule::Some(_) | Rule::SomeHex(_) | Rule::Either(..) => {
                !found.is_empty() && found.is_subset(&wanted)
            }
            _ => found == wanted,
        };
        if !is_right {
            faults
                .push(format!("{}: {name} is {found:?}, which should be {rule:?}: {wanted:?}", case.command));
        }
    }
    faults
}
