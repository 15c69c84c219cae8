//! How two configuration texts differ, section by section, as `show archive config differences` words it.

use std::collections::BTreeMap;

/// A line with the lines under it.
#[derive(Debug, PartialEq, Eq)]
struct Node<'a> {
    line: &'a str,
    children: Vec<Node<'a>>,
}

/// What `new` has and `old` lacks, behind a plus, then what `old` has and `new` lacks, behind a minus. Lines that both
/// have stand above lines of theirs that differ. Without differences the text is empty.
#[must_use]
pub fn differences(old: &str, new: &str) -> String {
    let (old, new) = (tree(old), tree(new));
    let mut out = String::new();
    surplus(&old, &new, "+", 0, &mut out);
    surplus(&new, &old, "-", 0, &mut out);
    out
}

/// The lines that a router with the configuration `old` lacks to have all of `new`, with their sections' heads.
#[must_use]
pub fn missing(old: &str, new: &str) -> String {
    let mut out = String::new();
    surplus(&tree(old), &tree(new), "", 0, &mut out);
    out
}

/// Writes what `these` have and `others` lack.
fn surplus(others: &[Node<'_>], these: &[Node<'_>], sign: &str, depth: usize, out: &mut String) {
    let others: BTreeMap<&str, &Node<'_>> = others.iter().map(|other| (other.line, other)).collect();
    for node in these {
        match others.get(node.line) {
            None => whole(node, sign, depth, out),
            Some(other) => {
                let mut inner = String::new();
                surplus(&other.children, &node.children, sign, depth + 1, &mut inner);
                if !inner.is_empty() {
                    out.push_str(&format!("{:depth$}{}\n{inner}", "", node.line));
                }
            }
        }
    }
}

/// Writes a line and all that is under it.
fn whole(node: &Node<'_>, sign: &str, depth: usize, out: &mut String) {
    out.push_str(&format!("{:depth$}{sign}{}\n", "", node.line));
    node.children.iter().for_each(|child| whole(child, sign, depth + 1, out));
}

/// The lines of a text by their indentation; separators, the release and `end` are left out.
fn tree(text: &str) -> Vec<Node<'_>> {
    let lines: Vec<(usize, &str)> = text
        .lines()
        .map(|line| (line.len() - line.trim_start().len(), line.trim()))
        .filter(|(_, line)| !line.is_empty() && *line != "end" && !line.starts_with('!'))
        .filter(|(indent, line)| *indent > 0 || !is_header(line))
        .collect();
    nodes(&lines, 0)
}

/// The deepest section that is looked into; real ones have three levels.
const DEEPEST: usize = 16;

fn nodes<'a>(mut lines: &[(usize, &'a str)], depth: usize) -> Vec<Node<'a>> {
    let mut nodes = Vec::new();
    while let [(indent, line), rest @ ..] = lines {
        let inner = if depth < DEEPEST { rest.iter().take_while(|(i, _)| i > indent).count() } else { 0 };
        let (inner, behind) = rest.split_at(inner);
        nodes.push(Node { line, children: self::nodes(inner, depth + 1) });
        lines = behind;
    }
    nodes
}

fn is_header(line: &str) -> bool {
    ["version ", "Building configuration", "Current configuration", "Using "]
        .iter()
        .any(|head| line.starts_with(head))
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str =
        "version 15.9\nhostname R1\n!\ninterface Lo0\n ip address 1.1.1.1 255.0.0.0\n shutdown\nend\n";
    const NEW: &str =
        "hostname R2\ninterface Lo0\n shutdown\n mtu 1400\nvrf definition A\n rd 1:1\n address-family ipv4\n";

    #[test]
    fn additions_come_before_removals_each_in_its_section() {
        assert_eq!(
            differences(OLD, NEW),
            "+hostname R2\ninterface Lo0\n +mtu 1400\n+vrf definition A\n +rd 1:1\n +address-family ipv4\n\
             -hostname R1\ninterface Lo0\n -ip address 1.1.1.1 255.0.0.0\n"
        );
        assert_eq!(differences(OLD, OLD), "");
        assert_eq!(missing(NEW, OLD), "hostname R1\ninterface Lo0\n ip address 1.1.1.1 255.0.0.0\n");
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(old in "[ a!\n]{0,200}", new in ".*") {
            let _ = differences(&old, &new);
            proptest::prop_assert_eq!(differences(&new, &new), "");
        }
    }
}
