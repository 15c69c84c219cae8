//! Expectations: `contains`, `absent`, `count`, `all` over rows, with matchers for fields.

use std::collections::BTreeMap;
use std::fmt;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use regex::Regex;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What one field must be: a plain value, or one of the operators.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Matcher {
    /// An operator.
    Operator(Operator),
    /// Exactly this value.
    Equals(Value),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Operator {
    /// Exactly this value.
    Equals(Value),
    /// Not this value.
    Not(Value),
    /// One of these values.
    OneOf(Vec<Value>),
    /// The text matches this regular expression somewhere.
    Regex(String),
    /// An address or network inside this network.
    Within(String),
    /// A number below this.
    Less(Value),
    /// A number above this.
    Greater(Value),
}

type Fields = BTreeMap<String, Matcher>;

/// How many rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Count {
    /// Rows to count; all if empty.
    #[serde(default, rename = "where")]
    fields: Fields,
    /// The number.
    is: Matcher,
}

/// What the records of a command must say. All parts that are present must hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// Path to the rows in the record; by default the record itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rows: Option<String>,
    /// Some row has all these fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contains: Option<Fields>,
    /// No row has all these fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    absent: Option<Fields>,
    /// There is a row, and every row has all these fields.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    all: Option<Fields>,
    /// This many rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<Count>,
}

/// Whether an expectation holds, and if not, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// It holds.
    pub passed: bool,
    /// Why not.
    pub reason: String,
}

impl Expectation {
    /// Checks what can be wrong in a template: no operator at all, a bad regular expression or network.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        let lists = [&self.contains, &self.absent, &self.all];
        let counted = self.count.as_ref();
        if lists.iter().all(|l| l.is_none()) && counted.is_none() {
            return Err("`expect` needs contains, absent, all or count".to_owned());
        }
        let fields = lists.into_iter().flatten().chain(counted.map(|c| &c.fields));
        fields.flat_map(BTreeMap::values).chain(counted.map(|c| &c.is)).try_for_each(Matcher::check)
    }

    /// The same with every text passed through `render`.
    ///
    /// # Errors
    /// What `render` says, or a text that makes the expectation invalid.
    pub fn render(&self, mut render: impl FnMut(&str) -> Result<String, String>) -> Result<Self, String> {
        let mut rendered = self.clone();
        let counted = rendered.count.as_mut();
        let (counted, is) = counted.map(|count| (&mut count.fields, &mut count.is)).unzip();
        let fields = [rendered.contains.as_mut(), rendered.absent.as_mut(), rendered.all.as_mut(), counted];
        let matchers = fields.into_iter().flatten().flat_map(BTreeMap::values_mut).chain(is);
        for matcher in matchers {
            matcher.render(&mut render)?;
        }
        if let Some(rows) = &mut rendered.rows {
            *rows = render(rows)?;
        }
        rendered.check()?;
        Ok(rendered)
    }

    /// Judges a record.
    #[must_use]
    pub fn judge(&self, record: &Value) -> Verdict {
        match self.complaint(record) {
            None => Verdict { passed: true, reason: String::new() },
            Some(reason) => Verdict { passed: false, reason },
        }
    }

    fn complaint(&self, record: &Value) -> Option<String> {
        let rows = match self.select(record) {
            Ok(rows) => rows,
            Err(reason) => return Some(reason),
        };
        let found = |fields: &Fields| rows.iter().filter(|r| matches(fields, r)).count();
        if let Some(fields) = self.contains.as_ref().filter(|f| found(f) == 0) {
            return Some(format!("no row of {} has {}", rows.len(), words(fields)));
        }
        if let Some(fields) = self.absent.as_ref().filter(|f| found(f) > 0) {
            return Some(format!("{} rows have {}", found(fields), words(fields)));
        }
        if let Some(fields) = self.all.as_ref().filter(|f| rows.is_empty() || found(f) < rows.len()) {
            return Some(format!("{} of {} rows have {}", found(fields), rows.len(), words(fields)));
        }
        let count = self.count.as_ref()?;
        let number = found(&count.fields);
        let holds = count.is.accepts(&Value::from(number));
        (!holds).then(|| format!("{number} rows have {}", words(&count.fields)))
    }

    /// The rows of a record: itself if it is a list, the list at `rows`, or itself.
    fn select<'r>(&self, record: &'r Value) -> Result<Vec<&'r Value>, String> {
        let target = match &self.rows {
            Some(path) => {
                let pointer = format!("/{}", path.replace('.', "/"));
                record.pointer(&pointer).ok_or_else(|| format!("the record has no `{path}`"))?
            }
            None => record,
        };
        if let Value::Array(list) = target {
            return Ok(list.iter().collect());
        }
        if target.is_null() {
            return Ok(Vec::new());
        }
        Ok(vec![target])
    }
}

fn render_texts(
    value: &mut Value,
    render: &mut impl FnMut(&str) -> Result<String, String>,
) -> Result<(), String> {
    match value {
        Value::String(text) => *text = render(text)?,
        Value::Array(list) => list.iter_mut().try_for_each(|v| render_texts(v, render))?,
        Value::Object(map) => map.values_mut().try_for_each(|v| render_texts(v, render))?,
        _ => {}
    }
    Ok(())
}

fn matches(fields: &Fields, row: &Value) -> bool {
    fields.iter().all(|(path, matcher)| {
        let mut parts: Vec<&str> = path.split('.').collect();
        parts.reverse();
        reach(matcher, row, &mut parts)
    })
}

/// Follows a path; at a list, any element may match.
fn reach(matcher: &Matcher, value: &Value, parts: &mut Vec<&str>) -> bool {
    if let Value::Array(list) = value {
        // An index addresses one element, a plain value compares with the whole list.
        let index = parts.last().and_then(|p| p.parse::<usize>().ok());
        if let Some(element) = index.and_then(|i| list.get(i)) {
            parts.pop();
            return reach(matcher, element, parts);
        }
        return (parts.is_empty() && matcher.accepts(value))
            || list.iter().any(|v| reach(matcher, v, &mut parts.clone()));
    }
    match parts.pop() {
        None => matcher.accepts(value),
        Some(part) => reach(matcher, value.get(part).unwrap_or(&Value::Null), parts),
    }
}

/// Numbers, flags and texts compare by what they look like, since rendered texts are always strings.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}

fn same(a: &Value, b: &Value) -> bool {
    a == b || plain(a).eq_ignore_ascii_case(&plain(b))
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
}

fn network(text: &str) -> Option<Ipv4Net> {
    text.parse().ok().or_else(|| text.parse::<Ipv4Addr>().ok().map(Ipv4Net::from))
}

impl Matcher {
    fn render(&mut self, render: &mut impl FnMut(&str) -> Result<String, String>) -> Result<(), String> {
        match self {
            Self::Equals(value)
            | Self::Operator(
                Operator::Equals(value)
                | Operator::Not(value)
                | Operator::Less(value)
                | Operator::Greater(value),
            ) => render_texts(value, render),
            Self::Operator(Operator::OneOf(list)) => {
                list.iter_mut().try_for_each(|v| render_texts(v, render))
            }
            Self::Operator(Operator::Regex(text) | Operator::Within(text)) => {
                *text = render(text)?;
                Ok(())
            }
        }
    }

    fn operator(&self) -> Operator {
        match self {
            Self::Operator(operator) => operator.clone(),
            Self::Equals(value) => Operator::Equals(value.clone()),
        }
    }

    fn accepts(&self, value: &Value) -> bool {
        match self {
            Self::Equals(wanted) => same(wanted, value),
            Self::Operator(operator) => operator.accepts(value),
        }
    }

    fn check(&self) -> Result<(), String> {
        match self {
            Self::Operator(operator) => operator.check(),
            Self::Equals(Value::Object(map)) => {
                let names = map.keys().cloned().collect::<Vec<_>>().join(", ");
                Err(format!(
                    "`{names}` is no matcher; there are equals, not, one_of, regex, within, less, greater"
                ))
            }
            Self::Equals(_) => Ok(()),
        }
    }
}

impl Operator {
    fn accepts(&self, value: &Value) -> bool {
        match self {
            Self::Equals(wanted) => same(wanted, value),
            Self::Not(unwanted) => !same(unwanted, value),
            Self::OneOf(list) => list.iter().any(|v| same(v, value)),
            Self::Regex(pattern) => Regex::new(pattern).is_ok_and(|r| r.is_match(&plain(value))),
            Self::Within(outer) => {
                network(outer).zip(network(&plain(value))).is_some_and(|(outer, net)| outer.contains(&net))
            }
            Self::Less(limit) => number(value).zip(number(limit)).is_some_and(|(v, l)| v < l),
            Self::Greater(limit) => number(value).zip(number(limit)).is_some_and(|(v, l)| v > l),
        }
    }

    /// Texts that still hold template expressions are checked once they are rendered.
    fn check(&self) -> Result<(), String> {
        let open = |text: &str| text.contains("{{");
        match self {
            Self::Regex(pattern) if !open(pattern) => {
                Regex::new(pattern).map(drop).map_err(|e| format!("regex: {e}"))
            }
            Self::Within(outer) if !open(outer) && network(outer).is_none() => {
                Err(format!("`{outer}` is not a network"))
            }
            Self::Less(limit) | Self::Greater(limit) if !open(&plain(limit)) && number(limit).is_none() => {
                Err(format!("`{}` is not a number", plain(limit)))
            }
            _ => Ok(()),
        }
    }
}

fn words(fields: &Fields) -> String {
    if fields.is_empty() {
        return "anything".to_owned();
    }
    fields.iter().map(|(name, matcher)| format!("{name} {matcher}")).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Matcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.operator() {
            Operator::Equals(v) => write!(f, "= {}", plain(&v)),
            Operator::Not(v) => write!(f, "other than {}", plain(&v)),
            Operator::OneOf(list) => {
                write!(f, "one of {}", list.iter().map(plain).collect::<Vec<_>>().join("|"))
            }
            Operator::Regex(pattern) => write!(f, "like /{pattern}/"),
            Operator::Within(outer) => write!(f, "within {outer}"),
            Operator::Less(limit) => write!(f, "< {}", plain(&limit)),
            Operator::Greater(limit) => write!(f, "> {}", plain(&limit)),
        }
    }
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.contains.as_ref().map(|m| format!("a row with {}", words(m))));
        parts.extend(self.absent.as_ref().map(|m| format!("no row with {}", words(m))));
        parts.extend(self.all.as_ref().map(|m| format!("every row with {}", words(m))));
        parts.extend(self.count.as_ref().map(|c| format!("rows with {}: {}", words(&c.fields), c.is)));
        f.write_str(&parts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn judge(expect: Value, record: Value) -> bool {
        serde_json::from_value::<Expectation>(expect).unwrap().judge(&record).passed
    }

    #[test]
    fn operators_over_rows() {
        let rows = json!([{"p": "10.1.0.0/16", "m": 20}, {"p": "10.2.0.0/16", "m": 30}]);
        assert!(judge(json!({"contains": {"p": "10.1.0.0/16", "m": "20"}}), rows.clone()));
        assert!(!judge(json!({"contains": {"p": "10.1.0.0/16", "m": 30}}), rows.clone()));
        assert!(judge(json!({"absent": {"p": {"within": "192.168.0.0/16"}}}), rows.clone()));
        assert!(judge(json!({"all": {"p": {"within": "10.0.0.0/8"}, "m": {"greater": 10}}}), rows.clone()));
        assert!(!judge(json!({"all": {"m": {"less": 30}}}), rows.clone()));
        assert!(judge(json!({"count": {"where": {"m": {"one_of": [20, 30]}}, "is": 2}}), rows.clone()));
        assert!(judge(json!({"contains": {"p": {"regex": "^10\\.2"}}}), rows));
    }

    #[test]
    fn all_over_nothing_fails() {
        assert!(!judge(json!({"all": {"m": 1}}), json!([])));
    }

    #[test]
    fn paths_reach_into_lists() {
        let record = json!({"routes": [{"hops": [{"a": 1}, {"a": 2}]}]});
        assert!(judge(json!({"rows": "routes", "contains": {"hops.a": 2}}), record.clone()));
        assert!(judge(json!({"rows": "routes", "contains": {"hops.1.a": 2}}), record.clone()));
        assert!(!judge(json!({"rows": "routes", "contains": {"hops.0.a": 2}}), record));
    }

    #[test]
    fn every_text_is_rendered_but_field_names() {
        let expect = |word: &str| {
            json!({
                "rows": format!("r{word}"),
                "contains": {"x": word, "y": {"one_of": [word, 1]}, "z": {"within": "10.0.0.0/8"}},
                "absent": {"x": {"not": word}, "y": {"regex": format!("^{word}")}},
                "all": {"x": {"equals": word}, "y": [word, {"x": word}], "z": {"less": "7"}},
                "count": {"where": {"x": word}, "is": word},
            })
        };
        let parse = |value: Value| serde_json::from_value::<Expectation>(value).unwrap();
        let rendered = parse(expect("x")).render(|text| Ok(text.replace('x', "5"))).unwrap();
        assert_eq!(rendered, parse(expect("5")), "field names stay");
        let failing = parse(expect("x"))
            .render(|text| if text == "^x" { Err("no".to_owned()) } else { Ok(text.to_owned()) });
        assert_eq!(failing, Err("no".to_owned()));
        let number = parse(json!({"all": {"a": {"less": "x"}}}));
        assert!(number.render(|_| Ok("many".to_owned())).unwrap_err().contains("not a number"));
    }

    #[test]
    fn an_unknown_matcher_and_an_empty_expectation_are_refused() {
        let expect: Expectation =
            serde_json::from_value(json!({"contains": {"p": {"witin": "10.0.0.0/8"}}})).unwrap();
        assert!(expect.check().unwrap_err().contains("witin"));
        assert!(Expectation::default().check().is_err());
    }
}
