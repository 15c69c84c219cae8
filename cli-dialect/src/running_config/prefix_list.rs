//! `ip prefix-list`.

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::policy::PrefixListEntry;

use super::Lines;

pub(super) fn render(config: &RouterConfig, lines: &mut Lines) {
    for (name, list) in &config.policy.prefix_lists {
        if let Some(text) = &list.description {
            lines.push(format!("ip prefix-list {name} description {text}"));
        }
        for (sequence, entry) in &list.entries {
            lines.push(format!("ip prefix-list {name} {}", prefix_list_entry(*sequence, entry)));
        }
        lines.separator();
    }
}

/// `seq 5 permit 10.0.0.0/8 le 24`.
pub(crate) fn prefix_list_entry(sequence: u32, entry: &PrefixListEntry) -> String {
    let action = super::permission(entry.action);
    let length = |keyword, value: Option<u8>| value.map_or(String::new(), |v| format!(" {keyword} {v}"));
    let (ge, le) = (length("ge", entry.ge()), length("le", entry.le()));
    format!("seq {sequence} {action} {}{ge}{le}", entry.prefix())
}
