//! Configurations of real networks load with every refused line explained, and what was taken reads back as it was shown.
//!
//! `CONFIG_CORPUS` names a folder with one folder a network that holds `*.cfg` files; without it nothing is tested here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use netconfarena_cli_dialect::config::load;
use netconfarena_cli_dialect::running_config::render;
use netconfarena_emu::config::{InterfaceConfig, RouterConfig};
use netconfarena_emu::interface::InterfaceName;

/// A router with the hardware that a text mentions.
fn router(text: &str) -> RouterConfig {
    let mut config = RouterConfig::default();
    for line in text.lines() {
        let name = line.trim().strip_prefix("interface ").map(|name| name.replace(' ', ""));
        if let Some(name) = name.and_then(|name| name.parse::<InterfaceName>().ok()) {
            let port = name.parent().unwrap_or(name);
            if port.kind().is_physical() {
                config.interfaces.insert(port, InterfaceConfig::default());
            }
        }
    }
    config
}

#[test]
fn real_configurations_load_and_read_back() {
    let Some(folder) = std::env::var_os("CONFIG_CORPUS") else {
        eprintln!("skipped: CONFIG_CORPUS is not set");
        return;
    };
    let mut files = 0;
    let mut taken = 0;
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    for file in configurations(Path::new(&folder)) {
        let text = String::from_utf8_lossy(&std::fs::read(&file).unwrap()).into_owned();
        let mut config = router(&text);
        let report = load(&mut config, &text);
        taken += report.taken;
        for line in &report.refused {
            eprintln!("{}: {line}", file.display());
            let command: Vec<&str> = line.line.split_ascii_whitespace().take(2).collect();
            *refused.entry(command.join(" ")).or_default() += 1;
        }
        let shown = render(&config);
        let mut again = router(&text);
        let report = load(&mut again, &shown);
        assert_eq!(report.refused, [], "{}\n{shown}", file.display());
        assert_eq!(again, config, "{}\n{shown}", file.display());
        assert_eq!(render(&again), shown);
        files += 1;
    }
    eprintln!("{files} files, {taken} lines taken; refused by command: {refused:#?}");
    assert!(files > 0, "CONFIG_CORPUS holds no configuration");
}

fn configurations(folder: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| {
        let read = std::fs::read_dir(folder).expect("a readable folder");
        let mut paths: Vec<PathBuf> = read.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        paths
    };
    let networks = entries(folder).into_iter().filter(|path| path.is_dir());
    networks
        .flat_map(|network| entries(&network))
        .filter(|path| path.extension().is_some_and(|e| e == "cfg"))
        .collect()
}
