//! A whole configuration text, as at startup.

use std::collections::BTreeSet;
use std::fmt;

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::interface::InterfaceName;

use super::{Complaint, ConfigMode, Editor, Request};

/// A line that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedLine {
    /// Line number, from 1.
    pub number: usize,
    /// The line, without the blanks around it.
    pub line: String,
    /// Why.
    pub reason: Reason,
}

/// Why a line was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The device complained.
    Complaint(Complaint),
    /// It stands within a section whose first line was refused, by line number.
    WithinRefusedSection(usize),
    /// It stands behind `end`, where the device stops reading.
    BehindEnd,
}

impl fmt::Display for RefusedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: `{}`: ", self.number, self.line)?;
        match &self.reason {
            Reason::WithinRefusedSection(head) => write!(f, "within the section refused in line {head}"),
            Reason::BehindEnd => f.write_str("behind `end`, where a router stops reading"),
            Reason::Complaint(complaint) => complaint.fmt(f),
        }
    }
}

/// What became of a configuration text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoadReport {
    /// How many lines were taken; comments and blank lines do not count.
    pub taken: usize,
    /// The lines that were not.
    pub refused: Vec<RefusedLine>,
}

/// Applies a text to a tree, as a router does with its startup configuration: refused lines are reported, the rest counts.
///
/// A port that the text mentions is open unless the text shuts it; others stay as they are.
pub fn load(config: &mut RouterConfig, text: &str) -> LoadReport {
    declare(config, text);
    let mut report = LoadReport::default();
    let mut mode = ConfigMode::Global;
    let mut opened: BTreeSet<InterfaceName> = BTreeSet::new();
    // The line number and indentation of a refused line that may head a section.
    let mut refused_head: Option<(usize, usize)> = None;
    let mut ended = false;
    for (index, line) in text.lines().enumerate() {
        let in_banner = matches!(mode, ConfigMode::Banner { .. });
        let trimmed = line.trim();
        if !in_banner && (trimmed.is_empty() || trimmed.starts_with('!')) {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        refused_head = refused_head.filter(|&(_, head)| !in_banner && indent > head);
        let refuse = |reason| RefusedLine { number: index + 1, line: trimmed.to_owned(), reason };
        if ended {
            report.refused.push(refuse(Reason::BehindEnd));
            continue;
        }
        if let Some((head, _)) = refused_head {
            report.refused.push(refuse(Reason::WithinRefusedSection(head)));
            continue;
        }
        let before = mode.clone();
        let mut editor = Editor::new(config, &mut mode);
        let applied = editor.apply(line);
        let request = editor.request;
        match applied {
            Ok(()) if request == Some(Request::Leave) => {
                ended = is_end(trimmed);
                report.taken += usize::from(!ended);
            }
            Ok(()) if request.is_some() => {
                report
                    .refused
                    .push(refuse(Reason::Complaint(Complaint::Refused("an exec command".to_owned()))));
            }
            Ok(()) => report.taken += 1,
            Err(complaint) => {
                report.refused.push(refuse(Reason::Complaint(complaint)));
                refused_head = Some((index + 1, indent));
            }
        }
        if let (true, ConfigMode::Interface(names)) = (mode != before, &mode) {
            for name in names.iter().filter(|name| opened.insert(**name)) {
                if let Some(interface) = config.interfaces.get_mut(name) {
                    interface.shutdown = false;
                }
            }
        }
    }
    report
}

/// Whether a line, without the blanks around it, ends a configuration.
fn is_end(line: &str) -> bool {
    line.eq_ignore_ascii_case("end")
}

/// Lines may refer to interfaces and VRFs that only a later line makes: those are made first.
fn declare(config: &mut RouterConfig, text: &str) {
    let heads = ["interface ", "vrf definition ", "ip vrf "];
    let is_head = |line: &str| {
        let begins =
            |head: &str| line.get(..head.len()).is_some_and(|start| start.eq_ignore_ascii_case(head));
        heads.into_iter().any(begins)
    };
    let lines = text.lines().take_while(|line| !is_end(line.trim()));
    for line in lines.filter(|line| is_head(line.trim())) {
        let mut mode = ConfigMode::Global;
        // What is wrong with the line is told when its turn comes.
        let _ = Editor::new(config, &mut mode).apply(line);
    }
}

#[cfg(test)]
mod tests {
    use netconfarena_emu::config::InterfaceConfig;

    use super::*;

    fn router() -> RouterConfig {
        let mut config = RouterConfig::default();
        for port in ["GigabitEthernet0/0", "GigabitEthernet0/1"] {
            let shut = InterfaceConfig { shutdown: true, ..InterfaceConfig::default() };
            config.interfaces.insert(port.parse().unwrap(), shut);
        }
        config
    }

    fn numbers(report: &LoadReport) -> Vec<usize> {
        report.refused.iter().map(|refused| refused.number).collect()
    }

    #[test]
    fn a_mentioned_port_is_open_and_others_stay_shut() {
        let mut config = router();
        let report =
            load(&mut config, "INTERFACE gi0/0\n ip address 10.0.0.1 255.255.255.0\n!\nend\ninterface lo9\n");
        assert_eq!((report.taken, numbers(&report)), (2, vec![5]));
        assert_eq!(report.refused[0].reason, Reason::BehindEnd);
        assert!(!config.interfaces[&"GigabitEthernet0/0".parse().unwrap()].shutdown);
        assert!(config.interfaces[&"GigabitEthernet0/1".parse().unwrap()].shutdown);
        assert!(!config.interfaces.contains_key(&"Loopback9".parse().unwrap()));
    }

    #[test]
    fn control_characters_are_no_part_of_a_line() {
        let mut config = router();
        let report = load(&mut config, "vrf definition A\u{b}\nhostname X\u{7f}\nhostname\tY\n");
        assert_eq!(numbers(&report), [1, 2]);
        assert_eq!((config.vrfs.len(), config.hostname.as_str()), (0, "Y"));
    }

    #[test]
    fn lines_of_a_refused_section_do_not_reach_the_section_before() {
        let mut config = router();
        let text =
            "interface Gi0/0\n no shutdown\ninterface Vlan7\n shutdown\n description wrong\nhostname X\n";
        let report = load(&mut config, text);
        assert_eq!(numbers(&report), [3, 4, 5]);
        assert_eq!(report.refused[1].reason, Reason::WithinRefusedSection(3));
        let port = &config.interfaces[&"GigabitEthernet0/0".parse().unwrap()];
        assert!(!port.shutdown && port.description.is_none());
        assert_eq!(config.hostname, "X");
    }

    #[test]
    fn a_text_indented_as_a_whole_loads_as_one_that_is_not() {
        let mut config = router();
        let text = "    router ospf 1\n      network 10.0.0.0 0.0.0.255 area 0\n    exit\n    hostname Y\n";
        assert_eq!(load(&mut config, text), LoadReport { taken: 4, refused: vec![] });
    }

    #[test]
    fn stanzas_come_in_any_order() {
        let mut config = router();
        let text = "interface Gi0/1\n vrf forwarding LATER\ninterface Serial9\ninterface Loopback1\n ip unnumbered Loopback2\n\
                    interface Loopback2\n ip address 2.2.2.2 255.255.255.255\nvrf definition LATER\n";
        assert_eq!(numbers(&load(&mut config, text)), [3]);
        assert_eq!(
            config.interfaces[&InterfaceName::loopback(1)].unnumbered,
            Some(InterfaceName::loopback(2))
        );
    }

    #[test]
    fn an_unsupported_command_is_named() {
        let report = load(&mut router(), "ip nat inside source list 1 interface Gi0/0\n");
        assert_eq!(
            report.refused[0].to_string(),
            "line 1: `ip nat inside source list 1 interface Gi0/0`: `ip nat` is not supported by this emulator"
        );
    }

    #[test]
    fn a_banner_goes_on_to_its_delimiter() {
        let mut config = router();
        let report = load(&mut config, "banner motd #Keep out\n! no comment\nexit#\nhostname Z\n");
        assert_eq!(report, LoadReport { taken: 4, refused: vec![] });
        assert_eq!(config.inert.global, ["banner motd ^CKeep out\n! no comment\nexit^C"]);
        assert_eq!(config.hostname, "Z");
        let text = crate::running_config::render(&config);
        let mut again = router();
        load(&mut again, &text);
        assert_eq!(crate::running_config::render(&again), text);
    }
}
