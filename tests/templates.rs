//! Every template of the project is sound, on a few seeds, and varied over many; `netconfarena validate` and `template check` try more.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use netconfarena::authoring::index;
use netconfarena::authoring::variety::{SEEDS, Variety};
use netconfarena::backend::emulator::Emulator;
use netconfarena::template::{Template, catalog};
use netconfarena::validation::validate_all;

/// Instances allocate in small pieces; this allocator is the faster one for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Seeds of each template that are played.
const PLAYED: u64 = 2;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("templates")
}

fn templates() -> Vec<Template> {
    let folders = catalog::find(&root());
    assert!(!folders.is_empty());
    folders.iter().map(|folder| Template::load(folder).unwrap()).collect()
}

fn workers() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[test]
fn templates_are_sound() {
    let instances: Vec<_> = templates()
        .iter()
        .flat_map(|template| (0..PLAYED).map(|seed| template.instantiate(seed).unwrap()).collect::<Vec<_>>())
        .collect();
    let findings = validate_all(&instances, &Emulator::default(), workers(), &|| ());
    let found = instances.iter().zip(&findings);
    let found = found.flat_map(|(instance, all)| all.iter().map(|f| format!("{}: {f}", instance.name)));
    let found: Vec<String> = found.collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// What cannot be learned by heart: of a thousand seeds each has an instance, nine of ten prompts differ, and so do media and names.
#[test]
fn a_thousand_seeds_of_a_template_differ() {
    let templates = templates();
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..workers() {
            scope.spawn(|| {
                while let Some(template) = templates.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let complaint = match Variety::of(template, SEEDS) {
                        Err(error) => error.to_string(),
                        Ok(v) if v.repeats() || v.media.len() < 2 || v.names < 2 => format!("{v:?}"),
                        Ok(_) => continue,
                    };
                    wrong.lock().unwrap().push(format!("{}: {complaint}", template.name));
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_of_all_templates_is_up_to_date() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let (_, table, _) = index::around(&text).expect("markers");
    assert_eq!(
        table.trim(),
        index::markdown(&templates()).trim(),
        "run `netconfarena template index --update templates/README.md`"
    );
}
