//! Configurations with one line left out.

use crate::instance::Configs;

/// A configuration without one of its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortened {
    /// The router whose line is left out.
    pub host: String,
    /// The line, without indentation.
    pub line: String,
    /// What is left; routers for which nothing is left are not in it.
    pub configs: Configs,
}

/// The configurations that come of leaving out each line in turn. What is indented below a line goes with it.
#[must_use]
pub fn without_each_line(configs: &Configs) -> Vec<Shortened> {
    let mut all = Vec::new();
    for (host, text) in configs {
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate().filter(|(_, line)| matters(line)) {
            let below = lines.iter().skip(number + 1).take_while(|l| indent(l) > indent(line)).count();
            let rest = lines.iter().take(number).chain(lines.iter().skip(number + 1 + below));
            let rest: Vec<&str> = rest.copied().collect();
            let mut configs = configs.clone();
            if rest.iter().any(|line| matters(line)) {
                configs.insert(host.clone(), rest.join("\n"));
            } else {
                configs.remove(host);
            }
            all.push(Shortened { host: host.clone(), line: line.trim().to_owned(), configs });
        }
    }
    all
}

/// Whether a line says anything.
fn matters(line: &str) -> bool {
    let line = line.trim();
    !(line.is_empty()
        || line.starts_with('!')
        || line == "exit"
        || line == "end"
        || line == "exit-address-family")
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_left_out_with_what_hangs_on_it() {
        let text = "interface A\n no shutdown\n ip address x\n!\nip route y\n";
        let configs =
            Configs::from([("R1".to_owned(), text.to_owned()), ("R2".to_owned(), "z\n".to_owned())]);
        let all = without_each_line(&configs);
        let of = |n: usize| (all[n].line.as_str(), all[n].configs.get("R1").map(String::as_str));
        assert_eq!(of(0), ("interface A", Some("!\nip route y")));
        assert_eq!(of(1), ("no shutdown", Some("interface A\n ip address x\n!\nip route y")));
        assert_eq!(of(3), ("ip route y", Some("interface A\n no shutdown\n ip address x\n!")));
        assert_eq!((all.len(), all[4].host.as_str()), (5, "R2"));
        assert!(!all[4].configs.contains_key("R2"));
    }
}
