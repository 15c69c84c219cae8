//! The compiled command tree.

use std::collections::BTreeMap;

use super::spec::{Fragment, Spec};
use super::token::Token;

/// Index of a node in its tree.
pub(super) type NodeId = usize;

/// A place of a command.
#[derive(Clone, Debug)]
pub(super) struct Node<H> {
    pub token: Token,
    /// The name under which the value is found; of a keyword, itself.
    pub name: &'static str,
    pub help: &'static str,
    pub run: Option<H>,
    pub negative: Option<H>,
    pub children: Vec<NodeId>,
    /// Heads a group of options: not a candidate if already given.
    pub once: bool,
}

/// The commands of one mode.
#[derive(Clone, Debug)]
pub struct Tree<H> {
    pub(super) nodes: Vec<Node<H>>,
    pub(super) roots: Vec<NodeId>,
    /// Where the shared parts are.
    fragments: BTreeMap<&'static str, Vec<NodeId>>,
}

impl<H: Copy> Tree<H> {
    /// Compiles a table.
    #[must_use]
    pub fn new(table: impl IntoIterator<Item = Spec<H>>) -> Self {
        let mut tree = Self { nodes: Vec::new(), roots: Vec::new(), fragments: BTreeMap::new() };
        let mut roots = Vec::new();
        tree.add_all(table, &mut roots);
        tree.roots = roots;
        tree
    }

    /// Adds siblings; two tables may share the beginning of a command, whose branches then join.
    fn add_all(&mut self, specs: impl IntoIterator<Item = Spec<H>>, siblings: &mut Vec<NodeId>) {
        for spec in specs {
            self.add(spec, siblings);
        }
    }

    fn add(&mut self, spec: Spec<H>, siblings: &mut Vec<NodeId>) -> NodeId {
        let known = siblings.iter().copied().find(|&id| {
            let node = &self.nodes[id];
            node.token == spec.token && node.name == spec.name && !node.once
        });
        let id = known.unwrap_or_else(|| {
            self.nodes.push(Node {
                token: spec.token,
                name: spec.name,
                help: spec.help,
                run: None,
                negative: None,
                children: Vec::new(),
                once: false,
            });
            siblings.push(self.nodes.len() - 1);
            self.nodes.len() - 1
        });
        self.nodes[id].run = spec.run.or(self.nodes[id].run);
        self.nodes[id].negative = spec.negative.or(self.nodes[id].negative);
        let mut children = std::mem::take(&mut self.nodes[id].children);
        self.add_all(spec.children, &mut children);
        if !spec.options.is_empty() {
            self.add_options(spec.options, spec.run, &mut children);
        }
        for fragment in spec.fragments {
            let heads = self.fragment(fragment);
            children.extend(heads.into_iter().filter(|head| !children.contains(head)).collect::<Vec<_>>());
        }
        self.nodes[id].children = children;
        id
    }

    /// The heads of a shared part, which is compiled where it is met first.
    fn fragment(&mut self, fragment: Fragment<H>) -> Vec<NodeId> {
        if let Some(heads) = self.fragments.get(fragment.name) {
            return heads.clone();
        }
        let mut heads = Vec::new();
        if fragment.are_options {
            self.add_options((fragment.make)(), None, &mut heads);
        } else {
            self.add_all((fragment.make)(), &mut heads);
        }
        self.fragments.insert(fragment.name, heads.clone());
        heads
    }

    /// Behind each option any other one may follow.
    fn add_options(&mut self, options: Vec<Spec<H>>, run: Option<H>, children: &mut Vec<NodeId>) {
        let first = self.nodes.len();
        let mut heads = Vec::new();
        self.add_all(options, &mut heads);
        for id in first..self.nodes.len() {
            let ends_here = self.nodes[id].children.is_empty() || self.nodes[id].run.is_some();
            // What takes the rest of the line leaves none for other options.
            let takes_rest = |&child: &NodeId| self.nodes[child].token == Token::Line;
            if ends_here && !self.nodes[id].children.iter().any(takes_rest) {
                self.nodes[id].run = self.nodes[id].run.or(run);
                self.nodes[id].children.extend(heads.iter().copied());
            }
        }
        for &head in &heads {
            self.nodes[head].once = true;
        }
        children.extend(heads);
    }
}
