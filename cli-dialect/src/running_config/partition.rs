//! `show running-config partition`: the sections of one kind.

use netconfarena_emu::config::RouterConfig;

use super::{render, with_header};

/// The partitions: name, help, and what the heads of their sections begin with.
pub const PARTITIONS: [(&str, &str, &[&str]); 9] = [
    ("access-list", "All access-list configurations", &["access-list ", "ip access-list "]),
    ("interface", "All interface specific configurations", &["interface "]),
    ("ip-as-path", "All IP as-path configurations", &["ip as-path "]),
    ("ip-community", "All IP community list configurations", &["ip community-list "]),
    ("ip-prefix-list", "All IP prefix-list configurations", &["ip prefix-list "]),
    ("ip-static-routes", "All IP static configurations", &["ip route "]),
    ("line", "All line mode configurations", &["line "]),
    ("route-map", "All route-map configurations", &["route-map "]),
    ("router", "All routing configurations", &["router "]),
];

/// The text of `show running-config partition NAME`; `None` if there is no such partition.
#[must_use]
pub fn show_partition(config: &RouterConfig, name: &str) -> Option<String> {
    let (_, _, heads) = PARTITIONS.iter().find(|(of, ..)| *of == name)?;
    let mut text = format!("!\nConfiguration of Partition - {name}\n!\n");
    let mut within = false;
    for line in render(config).lines() {
        if !line.starts_with(' ') {
            if within && line == "!" {
                text.push_str("!\n");
            }
            within = heads.iter().any(|head| line.starts_with(head));
        }
        if within {
            text.push_str(line);
            text.push('\n');
        }
    }
    text.push_str("!\nend\n");
    Some(with_header(&text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::load;

    #[test]
    fn a_partition_holds_the_sections_of_its_kind() {
        let mut config = RouterConfig::default();
        let text = "route-map ONE permit 10\n set metric 5\nip access-list standard A\n permit any\naccess-list 7 deny any\nip route 0.0.0.0 0.0.0.0 Null0\n";
        assert_eq!(load(&mut config, text).refused, []);
        let shown = |name| show_partition(&config, name).unwrap();
        assert!(shown("route-map").ends_with(
            "!\nConfiguration of Partition - route-map\n!\nroute-map ONE permit 10\n set metric 5\n!\n!\nend\n"
        ), "{}", shown("route-map"));
        let lists = shown("access-list");
        assert!(
            lists.contains("ip access-list standard A\n permit any\n")
                && lists.contains("access-list 7 deny   any"),
            "{lists}"
        );
        assert!(shown("ip-static-routes").contains("\nip route 0.0.0.0 0.0.0.0 Null0\n"));
        assert_eq!(show_partition(&config, "none"), None);
    }
}
