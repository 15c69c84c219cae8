//! Loading, sampling and rendering of templates written to a temporary folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use super::Template;
use super::error::{Problem, TemplateError};

const BODY: &str = r#"
title = "A test"
subcategory = "basic"
scenario = "{{ hub }} and {{ spoke }} share {{ wire }}."
goals = ["Reach {{ lan }} over {{ hub.wire.interface }}."]

[nodes]
hub = { name = "{{ names[0] }}" }
spoke = { name = "{{ names[1] }}" }

[[links]]
subnet = "wire"
nodes = ["hub", "spoke"]
media = ["GigabitEthernet", "FastEthernet", "Serial"]

[[links]]
subnet = "lan"
nodes = ["spoke"]
media = ["GigabitEthernet"]
label = "branch"

[[tests]]
intent = "reach"
device = "hub"
command = "ping {{ spoke.lan.ip }}"
expect = { contains = { target = "{{ spoke.lan.ip }}", received = { greater = 3 } } }

[parameters]
names = { shuffle = ["Ash", "Beech", "Cedar", "Elm", "Fir", "Oak"] }
wire = { random_subnet = { within = "10.0.0.0/8", length = [29, 30] } }
lan = { random_subnet = { within = "10.0.0.0/8", length = 24 }, no_overlap = ["*"] }
"#;

/// A template `test/case` with more parameters behind the usual ones.
fn write(body: &str, parameters: &str) -> (TempDir, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("test/case");
    fs::create_dir_all(folder.join("startup")).unwrap();
    fs::create_dir_all(folder.join("reference")).unwrap();
    fs::write(folder.join("template.toml"), format!("{body}{parameters}")).unwrap();
    fs::write(folder.join("startup/hub.cfg"), "hostname {{ hub }}\n").unwrap();
    let reference = "interface {{ hub.wire.interface }}\n ip address {{ hub.wire.ip }} {{ hub.wire.mask }}\n";
    fs::write(folder.join("reference/hub.cfg"), reference).unwrap();
    (root, folder)
}

fn failure(body: &str, parameters: &str) -> TemplateError {
    let (_root, folder) = write(body, parameters);
    match Template::load(&folder).and_then(|t| t.instantiate(0)) {
        Ok(_) => panic!("no error"),
        Err(error) => error,
    }
}

/// The line of BODY, or of what follows it, that starts with `start`.
fn line(body: &str, parameters: &str, start: &str) -> usize {
    format!("{body}{parameters}").lines().position(|l| l.starts_with(start)).unwrap() + 1
}

#[test]
fn the_same_seed_gives_the_same_instance_and_others_differ() {
    let (_root, folder) = write(BODY, "");
    let template = Template::load(&folder).unwrap();
    let once = template.instantiate(3).unwrap();
    assert_eq!(once, template.instantiate(3).unwrap());
    assert_eq!(once.name.to_string(), "test/case@3");
    let prompts: BTreeSet<String> =
        (0..200).map(|seed| template.instantiate(seed).unwrap().prompt()).collect();
    assert!(prompts.len() >= 199, "{} distinct prompts", prompts.len());
}

#[test]
fn an_instance_is_consistent_in_itself() {
    let (_root, folder) = write(BODY, "");
    let template = Template::load(&folder).unwrap();
    for seed in 0..100 {
        let instance = template.instantiate(seed).unwrap();
        let [wire, lan] = instance.links.as_slice() else { panic!("two links") };
        assert!(!wire.subnet.contains(&lan.subnet) && !lan.subnet.contains(&wire.subnet));
        let [a, b] = wire.ends.as_slice() else { panic!("two ends") };
        assert_ne!(a.address, b.address);
        assert!(wire.ends.iter().all(|e| e.interface.kind() == wire.medium));
        assert!(wire.ends.iter().all(|e| wire.subnet.contains(&e.address.addr())));
        for node in &instance.nodes {
            let ports: BTreeSet<_> = node.ports.iter().collect();
            assert_eq!(ports.len(), node.ports.len(), "a port is used twice");
        }
        let hub = instance.nodes.iter().find(|n| n.role == "hub").unwrap();
        let reference = &instance.reference[&hub.name];
        assert!(reference.contains(&format!("interface {}\n ip address {}", a.interface, a.address.addr())));
    }
}

#[test]
fn a_circle_is_named_with_its_line() {
    let extra = "a = { format = \"{{ b }}\" }\nb = { format = \"{{ c }}\" }\nc = { format = \"{{ b }}\" }\n";
    let error = failure(BODY, extra);
    let Problem::Cycle(circle) = error.problem() else { panic!("{error}") };
    assert_eq!(circle.first(), circle.last());
    assert_eq!(circle.iter().map(String::as_str).collect::<BTreeSet<_>>(), BTreeSet::from(["b", "c"]));
    assert_eq!(error.line(), line(BODY, extra, "b = "));
}

#[test]
fn a_missing_name_is_named_with_parameter_and_line() {
    for extra in [
        "x = { format = \"{{ nobody }}\" }\n",
        "x = { choice = \"nobody\" }\n",
        "x = { int_range = [1, 9], different_from = [\"nobody\"] }\n",
        "x = { subnet_attr = { of = \"nobody\", attribute = \"mask\" } }\n",
    ] {
        let error = failure(BODY, extra);
        let wanted = Problem::UnknownName { parameter: "x".to_owned(), name: "nobody".to_owned() };
        assert_eq!(error.problem(), &wanted);
        assert_eq!(error.line(), line(BODY, extra, "x = "));
        assert!(error.to_string().contains("template.toml:"), "{error}");
    }
}

#[test]
fn an_unsatisfiable_constraint_is_named() {
    let extra = "x = { choice = [1] }\ny = { choice = [1], different_from = [\"x\"] }\n";
    let error = failure(BODY, extra);
    let Problem::Unsatisfiable { parameter, constraint } = error.problem() else { panic!("{error}") };
    assert_eq!((parameter.as_str(), constraint.as_str()), ("y", "different_from `x`"));
}

#[test]
fn different_from_holds_whichever_parameter_declares_it() {
    // `a` resolves first by name, and only `a` declares the constraint.
    let extra = "a = { choice = [1, 2], different_from = [\"b\"] }\nb = { choice = [1, 2] }\n";
    let (_root, folder) = write(&BODY.replace("A test", "Two numbers"), extra);
    let with_goal = fs::read_to_string(folder.join("template.toml")).unwrap();
    let with_goal = with_goal.replace("goals = [", "goals = [\"{{ a }}-{{ b }}\", ");
    fs::write(folder.join("template.toml"), with_goal).unwrap();
    let template = Template::load(&folder).unwrap();
    for seed in 0..50 {
        let instance = template.instantiate(seed).unwrap();
        assert!(["1-2", "2-1"].contains(&instance.goals[0].as_str()), "{}", instance.goals[0]);
    }
}

#[test]
fn generators_refuse_what_they_cannot_do() {
    for (extra, reason) in [
        ("x = { int_range = [9, 1] }\n", "empty"),
        ("x = { int_range = [1, 9], choice = [1] }\n", "exactly one"),
        ("x = { different_from = [\"wire\"] }\n", "exactly one"),
        ("x = { choice = [1, 2], count = 3 }\n", "only 2 different"),
        ("x = { random_subnet = { within = \"10.0.0.0/24\", length = 20 } }\n", "do not fit"),
        ("x = { random_subnet = { within = \"here\", length = 20 } }\n", "not a network"),
        ("x = { subnet_attr = { of = \"wire\", attribute = \"masks\" } }\n", "no attribute `masks`"),
        ("x = { int_range = [-9223372036854775807, 9223372036854775807] }\n", "too wide"),
    ] {
        let error = failure(BODY, extra);
        let Problem::BadParameter { parameter, reason: said } = error.problem() else { panic!("{error}") };
        assert_eq!(parameter, "x");
        assert!(said.contains(reason), "{said}");
    }
}

#[test]
fn an_undefined_name_in_a_text_is_an_error_not_a_blank() {
    let error = failure(&BODY.replace("{{ hub.wire.interface }}", "{{ hub.wire.interfase }}"), "");
    assert!(matches!(error.problem(), Problem::Render { text, .. } if text == "goals[0]"), "{error}");
    assert_eq!(error.line(), line(BODY, "", "goals"));
}

#[test]
fn entries_that_name_no_node_or_medium_are_named() {
    for (from, to, said) in [
        ("intent = \"reach\"", "down = \"wir\"\nintent = \"reach\"", "test 1: there is no link `wir`"),
        ("device = \"hub\"", "device = \"hubb\"", "test 1: there is no node `hubb`"),
        ("[\"spoke\"]", "[\"spooke\"]", "link `lan`: there is no node `spooke`"),
        ("\"Serial\"]", "\"Cereal\"]", "link `wire`: `Cereal` is not a medium"),
        ("{ greater = 3 }", "{ grater = 3 }", "test 1: `grater` is no matcher"),
        ("subnet = \"lan\"", "subnet = \"lann\"", "link `lann`: there is no parameter `lann`"),
        ("title = ", "titel = ", "unknown field `titel`"),
    ] {
        let error = failure(&BODY.replace(from, to), "");
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn wrong_solutions_are_the_reference_with_edits() {
    let wrong = r#"
[[wrong]]
mistake = "the mask of the wire is wrong"
caught_by = "reach"
edit.hub = [["{{ hub.wire.mask }}", "255.255.255.255"]]
instead.spoke = "hostname {{ spoke }}"
"#;
    let (_root, folder) = write(BODY, wrong);
    let instance = Template::load(&folder).unwrap().instantiate(0).unwrap();
    let [solution] = &instance.wrong[..] else { panic!("{:?}", instance.wrong) };
    let name = |role: &str| instance.nodes.iter().find(|node| node.role == role).unwrap().name.clone();
    assert!(solution.configs[&name("hub")].ends_with(" 255.255.255.255\n"), "{solution:?}");
    assert_eq!(solution.configs[&name("spoke")], format!("hostname {}", name("spoke")));
    for (from, to, reason) in [
        ("hub.wire.mask", "hub.no.mask", "the reference of `hub` has no"),
        ("\"reach\"", "\"arrive\"", "no test has the intent `arrive`"),
        ("edit.hub", "edit.lost", "the reference enters nothing on `lost`"),
        ("instead.spoke", "instead.lost", "there is no node `lost`"),
    ] {
        assert!(failure(BODY, &wrong.replace(from, to)).to_string().contains(reason), "{reason}");
    }
}
