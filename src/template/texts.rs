//! All texts of a template, and which parameters they depend on.

use std::collections::BTreeSet;

use super::sample::{collect_texts, dependencies, parameter_texts, parsed};
use super::{RoleConfigs, Template};

impl Template {
    /// The names of the alternative solutions.
    pub fn alternatives(&self) -> impl Iterator<Item = &str> {
        self.alternatives.keys().map(String::as_str)
    }

    /// Parameters on which no text, no link and no other parameter that is used depends.
    #[must_use]
    pub fn unused_parameters(&self) -> Vec<String> {
        let mut used: BTreeSet<String> =
            self.file.links.iter().map(|link| link.get_ref().subnet.clone()).collect();
        for text in self.texts() {
            if let Ok(parsed) = parsed(&self.engine, &text) {
                used.extend(parsed.undeclared_variables(false));
            }
        }
        let mut reached: Vec<String> = used.iter().cloned().collect();
        while let Some(name) = reached.pop() {
            let Some(spec) = self.file.parameters.get(&name).map(toml::Spanned::get_ref) else { continue };
            let needs = dependencies(&self.engine, spec).unwrap_or_default();
            for other in needs.iter().chain(&spec.different_from).chain(&spec.no_overlap) {
                if used.insert(other.clone()) {
                    reached.push(other.clone());
                }
            }
        }
        self.file.parameters.keys().filter(|name| !used.contains(*name)).cloned().collect()
    }

    /// Has the engine parse every text once. One that cannot be parsed is reported where it is rendered.
    pub(super) fn learn_texts(&mut self) {
        let specs = self.file.parameters.values().map(toml::Spanned::get_ref);
        let of_parameters: Vec<String> = specs.flat_map(parameter_texts).map(str::to_owned).collect();
        for text in self.texts().into_iter().chain(of_parameters).filter(|text| text.contains('{')) {
            let _ = self.engine.add_template_owned(text.clone(), text);
        }
    }

    /// Everything that is rendered, besides parameters.
    fn texts(&self) -> Vec<String> {
        let file = &self.file;
        let mut texts = vec![file.scenario.get_ref().clone()];
        texts.extend(file.goals.iter().map(|goal| goal.get_ref().clone()));
        texts.extend(file.nodes.values().map(|node| node.get_ref().name.clone()));
        texts.extend(file.optional.iter().map(|line| line.get_ref().line.clone()));
        for test in file.tests.iter().map(toml::Spanned::get_ref) {
            texts.push(test.command.clone());
            if let Ok(expect) = toml::Value::try_from(&test.expect) {
                let mut found = Vec::new();
                collect_texts(&expect, &mut found);
                texts.extend(found.into_iter().map(str::to_owned));
            }
        }
        let wrong = file.wrong.iter().filter_map(|wrong| wrong.get_ref().configs(&self.reference).ok());
        let configs = [&self.startup, &self.reference].into_iter().chain(self.alternatives.values());
        texts.extend(configs.cloned().chain(wrong).flat_map(RoleConfigs::into_values));
        texts
    }
}
