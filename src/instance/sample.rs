//! An instance for tests.

use std::collections::BTreeMap;

use serde_json::json;

use super::{Configs, Difficulty, Instance, InstanceName, Node};
use crate::grading::Test;

/// Two routers, `R1` and `R2`, without links, for the scripted backend: `solved` has to be entered on `R1`, and `hostname R2` has
/// to stay on `R2`.
pub fn two_routers() -> Instance {
    let node = |name: &str| Node { role: name.to_lowercase(), name: name.to_owned(), ports: Vec::new() };
    let config = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let test = |intent: &str, device: &str, regex: &str, guard| Test {
        intent: intent.to_owned(),
        device: device.to_owned(),
        command: "show lines".to_owned(),
        down: None,
        expect: serde_json::from_value(json!({"contains": {"text": {"regex": regex}}})).unwrap_or_default(),
        guard,
    };
    Instance {
        name: InstanceName { template: "test/lines".to_owned(), seed: 0 },
        title: "Lines".to_owned(),
        category: "test".to_owned(),
        subcategory: "lines".to_owned(),
        difficulty: Difficulty::Easy,
        scenario: "Two routers.".to_owned(),
        goals: vec!["Solve it.".to_owned()],
        nodes: vec![node("R1"), node("R2")],
        links: Vec::new(),
        startup: Configs::from([config("R1", "hostname R1"), config("R2", "hostname R2\nip cef")]),
        tests: vec![test("solve", "R1", "solved", false), test("keep", "R2", "hostname R2", true)],
        reference: Configs::from([config("R1", "solved\nalso")]),
        alternatives: BTreeMap::new(),
        optional: Vec::new(),
        wrong: Vec::new(),
    }
}
