//! What makes a sound template a better one. None of it is an error.

use std::collections::BTreeSet;
use std::fmt;

use super::variety::Variety;
use crate::template::Template;

/// Scoring groups that a template should have.
const GROUPS: usize = 4;
/// Wrong solutions that a template should have.
const WRONG: usize = 3;

/// Something that is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// There are few scoring groups.
    FewGroups(usize),
    /// There are few wrong solutions.
    FewWrongSolutions(usize),
    /// There is no second solution.
    NoAlternative,
    /// No test sends a packet.
    NoEndToEnd,
    /// No group holds from the start.
    NoGuard,
    /// Prompts repeat.
    PromptsRepeat {
        /// Distinct prompts.
        distinct: usize,
        /// Seeds that were tried.
        seeds: usize,
    },
    /// All links have the same medium on every seed.
    OneMedium,
    /// Routers have the same names on every seed.
    SameNames,
    /// A parameter that no text depends on.
    UnusedParameter(String),
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewGroups(groups) => write!(
                f,
                "{groups} scoring groups: the score is the share of groups, so with fewer than {GROUPS} it says little; \
                 give the tests of separate goals separate intents"
            ),
            Self::FewWrongSolutions(count) => write!(
                f,
                "{count} wrong solutions: add [[wrong]] entries until there are {WRONG}, the mistakes that a careless \
                 engineer would make; they prove that the tests notice them"
            ),
            Self::NoAlternative => f.write_str(
                "no alternative: add alternative/NAME/ROLE.cfg, a correct solution done in another way; it proves that \
                 the tests judge what the network does and not how it was configured",
            ),
            Self::NoEndToEnd => f.write_str(
                "no end-to-end test: add a `ping` or `traceroute` with `source`; tables can look right while packets are lost",
            ),
            Self::NoGuard => f.write_str(
                "no guard: test something that works at the start and must go on working, with `guard = true`; else \
                 an agent may break what it was not asked to touch",
            ),
            Self::PromptsRepeat { distinct, seeds } => write!(
                f,
                "only {distinct} distinct prompts over {seeds} seeds: widen int_range and random_subnet, add names to \
                 choices, and mention in the scenario what is sampled"
            ),
            Self::OneMedium => f.write_str("all links have the same medium on every seed: give links several `media`"),
            Self::SameNames => {
                f.write_str("routers have the same names on every seed: sample them with `shuffle` or `choice`")
            }
            Self::UnusedParameter(name) => {
                write!(f, "parameter `{name}` is used in no text: remove it, or use it")
            }
        }
    }
}

/// What a template lacks.
#[must_use]
pub fn advise(template: &Template, variety: &Variety) -> Vec<Advice> {
    let tests = || template.file.tests.iter().map(toml::Spanned::get_ref);
    let mut advice = Vec::new();
    let groups = tests().map(|test| test.intent.as_str()).collect::<BTreeSet<_>>().len();
    if groups < GROUPS {
        advice.push(Advice::FewGroups(groups));
    }
    if template.file.wrong.len() < WRONG {
        advice.push(Advice::FewWrongSolutions(template.file.wrong.len()));
    }
    if template.alternatives().next().is_none() {
        advice.push(Advice::NoAlternative);
    }
    if !tests().any(|test| test.command.starts_with("ping") || test.command.starts_with("trace")) {
        advice.push(Advice::NoEndToEnd);
    }
    if !tests().any(|test| test.guard) {
        advice.push(Advice::NoGuard);
    }
    if variety.repeats() {
        advice.push(Advice::PromptsRepeat { distinct: variety.prompts, seeds: variety.seeds });
    }
    if variety.media.len() < 2 {
        advice.push(Advice::OneMedium);
    }
    if variety.names < 2 {
        advice.push(Advice::SameNames);
    }
    advice.extend(template.unused_parameters().into_iter().map(Advice::UnusedParameter));
    advice
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const POOR: &str = r#"
title = "Poor"
subcategory = "x"
scenario = "{{ a }} on {{ lan }}, {{ chosen }}."
goals = ["Do it."]
[nodes]
a = { name = "A" }
[[links]]
subnet = "lan"
nodes = ["a"]
media = ["Ethernet"]
[[tests]]
intent = "one"
device = "a"
command = "show clock"
expect = { contains = { x = 1 } }
[parameters]
lan = { random_subnet = { within = "10.0.0.0/24", length = 25 } }
list = { shuffle = [1, 2] }
chosen = { choice = "list", different_from = ["kept"] }
kept = { choice = [7] }
idle = { choice = ["{{ inner }}"] }
inner = { int_range = [1, 2] }
"#;

    #[test]
    fn what_a_poor_template_lacks_is_named() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("test/poor");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("template.toml"), POOR).unwrap();
        let template = Template::load(&folder).unwrap();
        let variety = Variety::of(&template, 0..50).unwrap();
        let wanted = [
            Advice::FewGroups(1),
            Advice::FewWrongSolutions(0),
            Advice::NoAlternative,
            Advice::NoEndToEnd,
            Advice::NoGuard,
            Advice::PromptsRepeat { distinct: variety.prompts, seeds: 50 },
            Advice::OneMedium,
            Advice::SameNames,
            Advice::UnusedParameter("idle".to_owned()),
            Advice::UnusedParameter("inner".to_owned()),
        ];
        assert_eq!(advise(&template, &variety), wanted);
    }
}
