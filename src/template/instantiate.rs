//! From a template and a seed to an instance.

use std::collections::BTreeMap;
use std::sync::Arc;

use minijinja::State;
use minijinja::value::{Enumerator, Object, Value};
use netconfarena_emu::interface::InterfaceKind;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::error::{Problem, TemplateError};
use super::sample::{Sampler, Values, needs, render};
use super::schema::WrongSpec;
use super::subnet::Subnet;
use super::topology::{LaidLink, LinkPlan, PlannedEnd, lay_out};
use super::{RoleConfigs, Template};
use crate::grading::Test;
use crate::instance::{Configs, Instance, InstanceName, Link, LinkEnd, Node, OptionalLine, WrongSolution};

/// A router as texts see it: `{{ hub }}` is its name, `{{ hub.lan.ip }}` its address on the link `lan`.
#[derive(Debug)]
struct NodeValue {
    name: String,
    ports: BTreeMap<String, Value>,
}

impl Object for NodeValue {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        match key.as_str()? {
            "name" => Some(Value::from(self.name.clone())),
            link => self.ports.get(link).cloned(),
        }
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::NonEnumerable
    }

    fn call(self: &Arc<Self>, _: &mut State<'_, '_>, _: &[Value]) -> Result<Value, minijinja::Error> {
        Err(minijinja::Error::new(minijinja::ErrorKind::InvalidOperation, "a router cannot be called"))
    }

    fn render(self: &Arc<Self>, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)
    }
}

fn port_value(end: &PlannedEnd, kind: InterfaceKind) -> Value {
    let net = end.address;
    let fields = [
        ("interface", end.interface.to_string()),
        ("ip", net.addr().to_string()),
        ("mask", net.netmask().to_string()),
        ("medium", kind.name().to_owned()),
    ];
    Value::from(fields.into_iter().map(|(k, v)| (k, Value::from(v))).collect::<BTreeMap<_, _>>())
}

impl Template {
    /// The generator of an instance: ChaCha8 keyed by the instance's name.
    fn generator(&self, seed: u64) -> ChaCha8Rng {
        let key = blake3::hash(format!("{}@{seed}", self.name).as_bytes());
        ChaCha8Rng::from_seed(*key.as_bytes())
    }

    /// The instance of this template with `seed`.
    ///
    /// # Errors
    /// The file, the line, the parameter and what is wrong.
    pub fn instantiate(&self, seed: u64) -> Result<Instance, TemplateError> {
        let mut rng = self.generator(seed);
        let values = self.sample(&mut rng)?;
        let plans = self.plan(&values)?;
        let laid = lay_out(&plans, &mut rng).map_err(|(link, reason)| {
            let at = self.file.links.iter().find(|l| l.get_ref().subnet == link).map(toml::Spanned::span);
            self.error(Problem::BadEntry { entry: format!("link `{link}`"), reason }, at)
        })?;
        Renderer::new(self, values, &plans, laid)?.instance(seed)
    }

    fn sample(&self, rng: &mut ChaCha8Rng) -> Result<Values, TemplateError> {
        let specs: BTreeMap<_, _> =
            self.file.parameters.iter().map(|(n, s)| (n.as_str(), s.get_ref())).collect();
        let needs = match self.needs.get() {
            Some(known) => Ok(known),
            None => needs(&self.engine, &specs).map(|found| self.needs.get_or_init(|| found)),
        };
        needs.and_then(|needs| Sampler::new(&self.engine, specs, needs).resolve(rng)).map_err(
            |(parameter, problem)| {
                let span = self.file.parameters.get(&parameter).map(toml::Spanned::span);
                let names = self.file.parameters.keys().cloned().collect::<Vec<_>>().join(", ");
                let unknown = matches!(problem, Problem::UnknownName { .. });
                let error = self.error(problem, span);
                if unknown { error.with_help(format!("parameters are {names}")) } else { error }
            },
        )
    }

    fn plan(&self, values: &Values) -> Result<Vec<LinkPlan>, TemplateError> {
        let plan = |link: &toml::Spanned<super::schema::LinkSpec>| {
            let spec = link.get_ref();
            let fail = |reason: String| {
                let entry = format!("link `{}`", spec.subnet);
                self.error(Problem::BadEntry { entry, reason }, Some(link.span()))
            };
            let subnet = values
                .get(&spec.subnet)
                .and_then(Subnet::of)
                .ok_or_else(|| fail(format!("parameter `{}` is not a network", spec.subnet)))?;
            let media = spec.media.iter().map(|word| {
                let mut kinds = InterfaceKind::ALL.into_iter().filter(|k| k.is_physical());
                kinds
                    .find(|k| k.name() == word)
                    .ok_or_else(|| fail(format!("`{word}` is not a medium like GigabitEthernet or Serial")))
            });
            let media = media.collect::<Result<Vec<_>, _>>()?;
            if spec.nodes.len() != 2 && media.contains(&InterfaceKind::Serial) {
                return Err(fail("a serial link has two ends".to_owned()));
            }
            Ok(LinkPlan { name: spec.subnet.clone(), subnet, nodes: spec.nodes.clone(), media })
        };
        self.file.links.iter().map(plan).collect()
    }
}

/// Renders the texts of one instance.
struct Renderer<'t> {
    template: &'t Template,
    context: Value,
    names: BTreeMap<String, String>,
    nodes: Vec<Node>,
    links: Vec<Link>,
}

impl<'t> Renderer<'t> {
    fn new(
        template: &'t Template,
        values: Values,
        plans: &[LinkPlan],
        laid: Vec<LaidLink>,
    ) -> Result<Self, TemplateError> {
        let mut names = BTreeMap::new();
        for (role, spec) in &template.file.nodes {
            let name = render(&template.engine, &spec.get_ref().name, &values).map_err(|reason| {
                let problem = Problem::Render { text: format!("node `{role}`"), reason };
                template.error(problem, Some(spec.span()))
            })?;
            if names.values().any(|n| *n == name) {
                let reason = format!("a second router is called {name}");
                let problem = Problem::BadEntry { entry: format!("node `{role}`"), reason };
                return Err(template.error(problem, Some(spec.span())));
            }
            names.insert(role.clone(), name);
        }
        let mut renderer =
            Self { template, context: Value::UNDEFINED, names, nodes: Vec::new(), links: Vec::new() };
        renderer.context = Value::from(renderer.take_topology(plans, laid, values));
        Ok(renderer)
    }

    /// Notes routers and links, and adds the routers to the values that texts see.
    fn take_topology(&mut self, plans: &[LinkPlan], laid: Vec<LaidLink>, mut values: Values) -> Values {
        let mut ports: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        let mut port_values: BTreeMap<&str, BTreeMap<String, Value>> = BTreeMap::new();
        for ((plan, spec), (kind, ends)) in plans.iter().zip(&self.template.file.links).zip(&laid) {
            for end in ends {
                ports.entry(&end.node).or_default().push(end.interface);
                let ports = port_values.entry(&end.node).or_default();
                ports.insert(plan.name.clone(), port_value(end, *kind));
            }
            let named = ends.iter().filter_map(|e| {
                let node = self.names.get(&e.node)?.clone();
                Some(LinkEnd { node, interface: e.interface, address: e.address })
            });
            self.links.push(Link {
                name: plan.name.clone(),
                label: spec.get_ref().label.clone(),
                medium: *kind,
                subnet: plan.subnet.0,
                ends: named.collect(),
            });
        }
        for (role, name) in &self.names {
            let mut own = ports.remove(role.as_str()).unwrap_or_default();
            own.sort_unstable();
            self.nodes.push(Node { role: role.clone(), name: name.clone(), ports: own });
            let value = NodeValue {
                name: name.clone(),
                ports: port_values.remove(role.as_str()).unwrap_or_default(),
            };
            values.insert(role.clone(), Value::from_object(value));
        }
        values
    }

    fn text(&self, text: &str) -> Result<String, String> {
        render(&self.template.engine, text, self.context.clone())
    }

    fn spanned(&self, what: String, text: &toml::Spanned<String>) -> Result<String, TemplateError> {
        self.text(text.get_ref())
            .map_err(|reason| self.template.error(Problem::Render { text: what, reason }, Some(text.span())))
    }

    fn configs(&self, folder: &str, configs: &RoleConfigs) -> Result<Configs, TemplateError> {
        let mut rendered = Configs::new();
        for (role, text) in configs {
            let config = self.text(text).map_err(|reason| {
                let text = format!("{folder}/{role}.cfg");
                self.template.error(Problem::Render { text, reason }, None)
            })?;
            if let Some(name) = self.names.get(role) {
                rendered.insert(name.clone(), config);
            }
        }
        Ok(rendered)
    }

    fn tests(&self) -> Result<Vec<Test>, TemplateError> {
        let mut tests = Vec::new();
        for (number, spec) in self.template.file.tests.iter().enumerate() {
            let test = spec.get_ref();
            let fail = |reason: String| {
                let text = format!("test {}", number + 1);
                self.template.error(Problem::Render { text, reason }, Some(spec.span()))
            };
            tests.push(Test {
                intent: test.intent.clone(),
                device: self.names.get(&test.device).cloned().unwrap_or_default(),
                command: self.text(&test.command).map_err(fail)?,
                down: test.down.clone(),
                expect: test.expect.render(|text| self.text(text)).map_err(fail)?,
                guard: test.guard,
            });
        }
        Ok(tests)
    }

    fn optional(&self) -> Result<Vec<OptionalLine>, TemplateError> {
        let render = |spec: &toml::Spanned<super::schema::OptionalSpec>| {
            let fail = |reason| {
                let text = "optional line".to_owned();
                self.template.error(Problem::Render { text, reason }, Some(spec.span()))
            };
            let line = self.text(&spec.get_ref().line).map_err(fail)?;
            let node = self.names.get(&spec.get_ref().node);
            let node = node.cloned().ok_or_else(|| fail(format!("no node `{}`", spec.get_ref().node)))?;
            Ok(OptionalLine { node, line, reason: spec.get_ref().reason.clone() })
        };
        self.template.file.optional.iter().map(render).collect()
    }

    /// Wrong solutions, given the rendered reference: what they do not change is not rendered again.
    fn wrong(&self, reference: &Configs) -> Result<Vec<WrongSolution>, TemplateError> {
        let render = |spec: &toml::Spanned<WrongSpec>| {
            let wrong = spec.get_ref();
            let entry = || format!("wrong solution `{}`", wrong.mistake);
            let mut changed = wrong.configs(&self.template.reference).map_err(|reason| {
                self.template.error(Problem::BadEntry { entry: entry(), reason }, Some(spec.span()))
            })?;
            changed.retain(|role, text| self.template.reference.get(role) != Some(text));
            let mut configs = reference.clone();
            configs.extend(self.configs(&entry(), &changed)?);
            let (mistake, caught_by) = (wrong.mistake.clone(), wrong.caught_by.clone());
            Ok(WrongSolution { mistake, caught_by, configs })
        };
        self.template.file.wrong.iter().map(render).collect()
    }

    fn instance(self, seed: u64) -> Result<Instance, TemplateError> {
        let template = self.template;
        let goals = template.file.goals.iter().enumerate();
        let goals = goals.map(|(i, g)| self.spanned(format!("goals[{i}]"), g)).collect::<Result<_, _>>()?;
        let mut alternatives = BTreeMap::new();
        for (name, configs) in &template.alternatives {
            let configs = self.configs(&format!("alternative/{name}"), configs)?;
            alternatives.insert(name.clone(), configs);
        }
        let reference = self.configs("reference", &template.reference)?;
        Ok(Instance {
            name: InstanceName { template: template.name.clone(), seed },
            title: template.file.title.clone(),
            category: template.category().to_owned(),
            subcategory: template.file.subcategory.clone(),
            difficulty: template.file.difficulty,
            scenario: self.spanned("scenario".to_owned(), &template.file.scenario)?,
            goals,
            startup: self.configs("startup", &template.startup)?,
            tests: self.tests()?,
            wrong: self.wrong(&reference)?,
            reference,
            alternatives,
            optional: self.optional()?,
            nodes: self.nodes,
            links: self.links,
        })
    }
}
