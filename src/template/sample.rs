//! Sampling: parameters resolve in order of their dependencies until nothing is left.

use std::collections::{BTreeMap, BTreeSet};

use ipnet::Ipv4Net;
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};
use rand_chacha::ChaCha8Rng;

use super::error::Problem;
use super::schema::{ParameterSpec, SubnetAttrSpec, SubnetSpec};
use super::subnet::{ATTRIBUTES, Subnet};

/// Candidates drawn for one parameter before its constraints count as unsatisfiable with the values around it.
const DRAWS: usize = 100;
/// Fresh starts of the whole resolution before the constraints count as unsatisfiable.
const RESTARTS: usize = 20;

/// Resolved parameters by name.
pub type Values = BTreeMap<String, Value>;

/// The names that each parameter needs.
pub type Needs = BTreeMap<String, BTreeSet<String>>;

/// A problem and the parameter at which it shows.
pub type Failure = (String, Problem);

/// The engine that renders every text: an undefined name is an error.
#[must_use]
pub fn engine<'a>() -> Environment<'a> {
    let mut engine = Environment::new();
    engine.set_undefined_behavior(UndefinedBehavior::Strict);
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    // Only delimiters can make a syntax invalid, and these are the default ones.
    if let Ok(syntax) = syntax.build() {
        engine.set_syntax(syntax);
    }
    engine
}

/// The message of an engine's error, with its line if the text has several.
#[must_use]
pub fn engine_message(error: &minijinja::Error) -> String {
    let detail =
        error.detail().map_or_else(|| error.kind().to_string(), |d| format!("{}: {d}", error.kind()));
    match error.line() {
        Some(line) if line > 1 => format!("line {line}: {detail}"),
        _ => detail,
    }
}

/// Renders a text. The engine knows most texts already, each by itself as its name, and need not parse them again.
///
/// # Errors
/// The engine's message.
pub fn render(engine: &Environment<'_>, text: &str, values: impl Into<Value>) -> Result<String, String> {
    if !text.contains('{') {
        return Ok(text.to_owned());
    }
    let rendered = match engine.get_template(text) {
        Ok(known) => known.render(values),
        Err(_) => engine.render_str(text, values),
    };
    rendered.map_err(|error| engine_message(&error))
}

/// Which other parameters each parameter needs. Checks that each has one generator and that all names exist and form no circle.
///
/// # Errors
/// The parameter and what is wrong with it.
pub fn needs(engine: &Environment<'_>, specs: &BTreeMap<&str, &ParameterSpec>) -> Result<Needs, Failure> {
    let mut needs = Needs::new();
    for (&name, &spec) in specs {
        let fail = |reason: String| bad(name, reason);
        check_generator(spec).map_err(fail)?;
        let own = dependencies(engine, spec).map_err(fail)?;
        let constraints = spec.different_from.iter().chain(spec.no_overlap.iter().filter(|o| *o != "*"));
        if let Some(unknown) = own.iter().chain(constraints).find(|n| !specs.contains_key(n.as_str())) {
            let problem = Problem::UnknownName { parameter: name.to_owned(), name: unknown.clone() };
            return Err((name.to_owned(), problem));
        }
        needs.insert(name.to_owned(), own);
    }
    match circle(&needs) {
        Some(circle) => Err((circle.first().cloned().unwrap_or_default(), Problem::Cycle(circle))),
        None => Ok(needs),
    }
}

/// The order-independent facts about all parameters, and their resolution.
pub struct Sampler<'a> {
    specs: BTreeMap<&'a str, &'a ParameterSpec>,
    needs: &'a Needs,
    engine: &'a Environment<'static>,
}

impl<'a> Sampler<'a> {
    /// A sampler of these parameters, whose needs are known.
    #[must_use]
    pub const fn new(
        engine: &'a Environment<'static>,
        specs: BTreeMap<&'a str, &'a ParameterSpec>,
        needs: &'a Needs,
    ) -> Self {
        Self { specs, needs, engine }
    }

    /// A value for every parameter.
    ///
    /// # Errors
    /// The parameter that has no value, and the constraint or the reason.
    pub fn resolve(&self, rng: &mut ChaCha8Rng) -> Result<Values, Failure> {
        let mut last = None;
        for _ in 0..RESTARTS {
            match self.resolve_once(rng) {
                Err(failure @ (_, Problem::Unsatisfiable { .. })) => last = Some(failure),
                done => return done,
            }
        }
        Err(last.unwrap_or_else(|| bad("", "no value".to_owned())))
    }

    fn resolve_once(&self, rng: &mut ChaCha8Rng) -> Result<Values, Failure> {
        let mut values = Values::new();
        while values.len() < self.specs.len() {
            let ready: Vec<&str> = self
                .specs
                .keys()
                .copied()
                .filter(|n| !values.contains_key(*n))
                .filter(|n| self.needs[*n].iter().all(|d| values.contains_key(d)))
                .collect();
            for name in ready {
                let value = self.draw(name, &values, rng)?;
                values.insert(name.to_owned(), value);
            }
        }
        Ok(values)
    }

    /// Draws until the constraints between this parameter and those that have a value hold.
    fn draw(&self, name: &str, values: &Values, rng: &mut ChaCha8Rng) -> Result<Value, Failure> {
        let spec = self.specs[name];
        let mut refused = String::new();
        for _ in 0..DRAWS {
            let value = match self.generate(spec, values, rng) {
                Ok(value) => value,
                Err(reason) => return Err(bad(name, reason)),
            };
            match self.violated(name, &value, values) {
                None => return Ok(value),
                Some(constraint) => refused = constraint,
            }
        }
        let problem = Problem::Unsatisfiable { parameter: name.to_owned(), constraint: refused };
        Err((name.to_owned(), problem))
    }

    fn generate(&self, spec: &ParameterSpec, values: &Values, rng: &mut ChaCha8Rng) -> Result<Value, String> {
        if let Some(items) = &spec.shuffle {
            let mut list = self.values_of(items, values)?;
            list.shuffle(rng);
            return Ok(Value::from(list));
        }
        if let Some(format) = &spec.format {
            return Ok(Value::from(self.text(format, values)?));
        }
        if let Some(attr) = &spec.subnet_attr {
            return subnet_attribute(attr, values);
        }
        match spec.count {
            None => self.generate_one(spec, values, rng),
            Some(count) => self.generate_many(spec, count, values, rng),
        }
    }

    fn generate_one(
        &self,
        spec: &ParameterSpec,
        values: &Values,
        rng: &mut ChaCha8Rng,
    ) -> Result<Value, String> {
        if let Some(choice) = &spec.choice {
            let list = self.list(choice, values)?;
            return list.choose(rng).cloned().ok_or_else(|| "an empty choice".to_owned());
        }
        if let Some(range) = &spec.int_range {
            return self.integer(range, values, rng);
        }
        match &spec.random_subnet {
            Some(subnet) => self.subnet(subnet, values, rng),
            None => Err("no generator".to_owned()),
        }
    }

    fn generate_many(
        &self,
        spec: &ParameterSpec,
        count: usize,
        values: &Values,
        rng: &mut ChaCha8Rng,
    ) -> Result<Value, String> {
        let mut list: Vec<Value> = Vec::new();
        for _ in 0..count.saturating_mul(DRAWS) {
            if list.len() == count {
                break;
            }
            let value = self.generate_one(spec, values, rng)?;
            if !list.iter().any(|v| *v == value || overlap(v, &value)) {
                list.push(value);
            }
        }
        if list.len() < count {
            return Err(format!("only {} different values, {count} wanted", list.len()));
        }
        Ok(Value::from(list))
    }

    /// The constraint that `value` violates, in either direction.
    fn violated(&self, name: &str, value: &Value, values: &Values) -> Option<String> {
        let other_parameters = values.iter().map(|(n, v)| (n.as_str(), v));
        for (other, known) in other_parameters {
            let applies = |list: fn(&ParameterSpec) -> &Vec<String>| {
                let named = |of: &str, to: &str| list(self.specs[of]).iter().any(|n| n == to || n == "*");
                named(name, other) || named(other, name)
            };
            if applies(|s| &s.different_from) && known == value {
                return Some(format!("different_from `{other}`"));
            }
            if applies(|s| &s.no_overlap) && overlap(known, value) {
                return Some(format!("no_overlap with `{other}`"));
            }
        }
        None
    }

    fn integer(&self, range: &[toml::Value], values: &Values, rng: &mut ChaCha8Rng) -> Result<Value, String> {
        let numbers = range.iter().map(|v| self.number(v, values)).collect::<Result<Vec<_>, _>>()?;
        let (low, high, step) = match *numbers.as_slice() {
            [low, high] => (low, high, 1),
            [low, high, step] if step > 0 => (low, high, step),
            _ => return Err("int_range takes [low, high] or [low, high, step]".to_owned()),
        };
        if low > high {
            return Err(format!("int_range is empty: {low} > {high}"));
        }
        let width = high.checked_sub(low).ok_or("int_range is too wide")?;
        Ok(Value::from(low + step * rng.random_range(0..=width / step)))
    }

    fn subnet(&self, spec: &SubnetSpec, values: &Values, rng: &mut ChaCha8Rng) -> Result<Value, String> {
        let within = spec.within.as_slice().choose(rng).ok_or("`within` is empty")?;
        let text = self.text(within, values)?;
        let within: Ipv4Net = text.parse().map_err(|_| format!("`{text}` is not a network"))?;
        let bounds = match &spec.length {
            toml::Value::Array(bounds) => bounds.as_slice(),
            one => std::slice::from_ref(one),
        };
        let bounds = bounds.iter().map(|v| self.number(v, values)).collect::<Result<Vec<_>, _>>()?;
        let (low, high) = match *bounds.as_slice() {
            [length] => (length, length),
            [low, high] => (low, high),
            _ => return Err("`length` takes a number or [least, greatest]".to_owned()),
        };
        let outer = within.prefix_len();
        if low > high || low < i64::from(outer) || high > 32 {
            return Err(format!("lengths {low} to {high} do not fit in {within}"));
        }
        let length = u8::try_from(rng.random_range(low..=high)).map_err(|e| e.to_string())?;
        let number = rng.random_range(0..1_u64 << (length - outer));
        let base = u64::from(u32::from(within.network())) + (number << (32 - length));
        let base = u32::try_from(base).map_err(|e| e.to_string())?;
        let net = Ipv4Net::new(base.into(), length).map_err(|e| e.to_string())?;
        Ok(Value::from_object(Subnet(net)))
    }

    fn number(&self, value: &toml::Value, values: &Values) -> Result<i64, String> {
        match value {
            toml::Value::Integer(number) => Ok(*number),
            toml::Value::String(text) => {
                let text = self.text(text, values)?;
                text.trim().parse().map_err(|_| format!("`{text}` is not a whole number"))
            }
            other => Err(format!("`{other}` is not a whole number")),
        }
    }

    fn list(&self, choice: &toml::Value, values: &Values) -> Result<Vec<Value>, String> {
        match choice {
            toml::Value::Array(list) => self.values_of(list, values),
            toml::Value::String(name) => {
                let value = values.get(name).ok_or_else(|| format!("there is no `{name}`"))?;
                Ok(value.try_iter().map_err(|_| format!("`{name}` is not a list"))?.collect())
            }
            _ => Err("choice takes a list, or the name of a list parameter".to_owned()),
        }
    }

    fn values_of(&self, list: &[toml::Value], values: &Values) -> Result<Vec<Value>, String> {
        list.iter().map(|v| self.value(v, values)).collect()
    }

    fn value(&self, value: &toml::Value, values: &Values) -> Result<Value, String> {
        Ok(match value {
            toml::Value::String(text) => Value::from(self.text(text, values)?),
            toml::Value::Integer(number) => Value::from(*number),
            toml::Value::Float(number) => Value::from(*number),
            toml::Value::Boolean(flag) => Value::from(*flag),
            toml::Value::Datetime(time) => Value::from(time.to_string()),
            toml::Value::Array(list) => Value::from(self.values_of(list, values)?),
            toml::Value::Table(table) => table
                .iter()
                .map(|(k, v)| Ok((k.clone(), self.value(v, values)?)))
                .collect::<Result<BTreeMap<_, _>, String>>()?
                .into(),
        })
    }

    fn text(&self, text: &str, values: &Values) -> Result<String, String> {
        render(self.engine, text, values)
    }
}

/// The parameters of a circle, the first repeated at the end.
fn circle(needs: &Needs) -> Option<Vec<String>> {
    let mut settled: BTreeSet<&str> = BTreeSet::new();
    loop {
        let fresh: Vec<&str> = needs
            .iter()
            .filter(|(n, d)| !settled.contains(n.as_str()) && d.iter().all(|d| settled.contains(d.as_str())))
            .map(|(n, _)| n.as_str())
            .collect();
        if fresh.is_empty() {
            break;
        }
        settled.extend(fresh);
    }
    let mut path = vec![needs.keys().find(|n| !settled.contains(n.as_str()))?.clone()];
    loop {
        let next = needs.get(path.last()?.as_str())?.iter().find(|d| !settled.contains(d.as_str()))?;
        if let Some(start) = path.iter().position(|n| n == next) {
            let mut circle = path.split_off(start);
            circle.push(next.clone());
            return Some(circle);
        }
        path.push(next.clone());
    }
}

fn bad(parameter: &str, reason: String) -> Failure {
    (parameter.to_owned(), Problem::BadParameter { parameter: parameter.to_owned(), reason })
}

fn check_generator(spec: &ParameterSpec) -> Result<(), String> {
    let generators = [
        spec.choice.is_some(),
        spec.int_range.is_some(),
        spec.random_subnet.is_some(),
        spec.subnet_attr.is_some(),
        spec.format.is_some(),
        spec.shuffle.is_some(),
    ];
    if generators.iter().filter(|&&g| g).count() != 1 {
        return Err(
            "exactly one of choice, int_range, random_subnet, subnet_attr, format, shuffle".to_owned()
        );
    }
    let repeatable = generators.iter().take(3).any(|&g| g);
    if spec.count.is_some_and(|c| c == 0 || c > 256 || !repeatable) {
        return Err("count takes 1 to 256, and goes with choice, int_range or random_subnet".to_owned());
    }
    Ok(())
}

/// The parameters that a parameter's generator names.
pub(super) fn dependencies(
    engine: &Environment<'_>,
    spec: &ParameterSpec,
) -> Result<BTreeSet<String>, String> {
    let mut names: BTreeSet<String> = spec.subnet_attr.iter().map(|a| a.of.clone()).collect();
    if let Some(toml::Value::String(list)) = &spec.choice {
        names.insert(list.clone());
    }
    for text in parameter_texts(spec).into_iter().filter(|t| t.contains('{')) {
        let parsed = parsed(engine, text).map_err(|e| engine_message(&e))?;
        names.extend(parsed.undeclared_variables(false));
    }
    Ok(names)
}

/// The texts of a parameter's generator.
pub(super) fn parameter_texts(spec: &ParameterSpec) -> Vec<&str> {
    let mut texts: Vec<&str> = spec.format.iter().map(String::as_str).collect();
    // A choice that is a text names a list.
    let choice = spec.choice.iter().filter(|choice| !choice.is_str());
    let lists = choice.chain(spec.int_range.iter().flatten()).chain(spec.shuffle.iter().flatten());
    lists.for_each(|value| collect_texts(value, &mut texts));
    if let Some(subnet) = &spec.random_subnet {
        texts.extend(subnet.within.as_slice().iter().map(String::as_str));
        collect_texts(&subnet.length, &mut texts);
    }
    texts
}

/// A text as the engine understands it.
pub(super) fn parsed<'e>(
    engine: &'e Environment<'_>,
    text: &'e str,
) -> Result<minijinja::Template<'e, 'e>, minijinja::Error> {
    engine.get_template(text).or_else(|_| engine.template_from_str(text))
}

/// Every text in a value.
pub(super) fn collect_texts<'v>(value: &'v toml::Value, texts: &mut Vec<&'v str>) {
    match value {
        toml::Value::String(text) => texts.push(text),
        toml::Value::Array(list) => list.iter().for_each(|v| collect_texts(v, texts)),
        toml::Value::Table(table) => table.values().for_each(|v| collect_texts(v, texts)),
        _ => {}
    }
}

fn subnet_attribute(spec: &SubnetAttrSpec, values: &Values) -> Result<Value, String> {
    let subnet = values
        .get(&spec.of)
        .and_then(Subnet::of)
        .ok_or_else(|| format!("`{}` is not a network parameter", spec.of))?;
    if spec.attribute == "host" {
        let index = spec.index.ok_or("`host` needs an `index`")?;
        let host = subnet.host(index).ok_or_else(|| format!("{} has no host {index}", subnet.0))?;
        return Ok(Value::from(host.to_string()));
    }
    subnet.attribute(&spec.attribute).ok_or_else(|| {
        format!("no attribute `{}`; there are {}, host", spec.attribute, ATTRIBUTES.join(", "))
    })
}

/// Whether two values hold networks (alone or in lists) that have addresses in common.
fn overlap(a: &Value, b: &Value) -> bool {
    let (a, b) = (networks(a), networks(b));
    a.iter().any(|x| b.iter().any(|y| x.contains(y) || y.contains(x)))
}

fn networks(value: &Value) -> Vec<Ipv4Net> {
    match Subnet::of(value) {
        Some(subnet) => vec![subnet.0],
        None if value.kind() == minijinja::value::ValueKind::Seq => {
            value.try_iter().into_iter().flatten().flat_map(|v| networks(&v)).collect()
        }
        None => Vec::new(),
    }
}
