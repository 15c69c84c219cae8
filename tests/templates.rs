//! Every template of the project is sound, on a few seeds; `netconfarena validate` tries more.

use std::path::Path;

use netconfarena::backend::emulator::Emulator;
use netconfarena::template::{Template, catalog};
use netconfarena::validation::validate;

/// Seeds of each template.
const SEEDS: u64 = 2;

#[test]
fn templates_are_sound() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let folders = catalog::find(&root);
    assert!(!folders.is_empty());
    let mut found = Vec::new();
    for folder in folders {
        let template = Template::load(&folder).unwrap();
        for seed in 0..SEEDS {
            let instance = template.instantiate(seed).unwrap();
            let findings = validate(&instance, &Emulator::default());
            found.extend(findings.iter().map(|finding| format!("{}: {finding}", instance.name)));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
