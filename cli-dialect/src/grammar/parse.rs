//! A line against a command tree.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::ids::AreaId;
use netconfarena_emu::interface::InterfaceName;

use super::token::{Chosen, Token, Value, abbreviates};
use super::tree::{Node, NodeId, Tree};

/// Whether a command is given plainly, negated, or set back to its default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// As it stands.
    #[default]
    Set,
    /// Behind `no`.
    No,
    /// Behind `default`.
    Default,
}

/// The values of a matched line, by the names of their places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Args {
    /// Plain, `no` or `default`.
    pub form: Form,
    values: Vec<(&'static str, Value, usize)>,
}

impl Args {
    /// Arguments without values.
    #[must_use]
    pub const fn new(form: Form) -> Self {
        Self { form, values: Vec::new() }
    }

    /// Whether the command is negated, by `no` or by `default`.
    #[must_use]
    pub const fn negated(&self) -> bool {
        !matches!(self.form, Form::Set)
    }

    /// Whether a keyword or value of this name was given.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.get(name).next().is_some()
    }

    /// All names in the order of the line.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.values.iter().map(|(name, ..)| *name)
    }

    /// Where in the line the value of this name stands; without one, where the last word stands.
    #[must_use]
    pub fn at(&self, name: &str) -> usize {
        let named = self.values.iter().find(|(n, ..)| *n == name);
        named.or(self.values.last()).map_or(0, |&(.., at)| at)
    }

    /// The command with its keywords in full and single blanks, without `no`.
    #[must_use]
    pub fn canonical(&self) -> String {
        let words: Vec<String> = self
            .values
            .iter()
            .map(|(name, value, _)| match value {
                Value::Keyword => (*name).to_owned(),
                Value::Int(number) => number.to_string(),
                Value::Ipv4(address) => address.to_string(),
                Value::Prefix(prefix) => prefix.to_string(),
                Value::Area(area, true) => area.as_ipv4().to_string(),
                Value::Area(area, false) => area.to_string(),
                Value::Interface(name) => name.to_string(),
                Value::Text(text) => text.clone(),
            })
            .collect();
        words.join(" ")
    }

    /// The values of a name: a keyword may have the same name as the value behind it.
    fn get<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Value> {
        self.values.iter().filter(move |(n, ..)| *n == name).map(|(_, value, _)| value)
    }

    /// A number, cut to the width asked for; the table's range keeps it from being cut.
    #[must_use]
    pub fn int<N: TryFrom<u64>>(&self, name: &str) -> Option<N> {
        self.get(name).find_map(|value| match value {
            Value::Int(number) => N::try_from(*number).ok(),
            _ => None,
        })
    }

    /// All numbers of a name, in the order of the line.
    pub fn ints<N: TryFrom<u64>>(&self, name: &str) -> impl Iterator<Item = N> {
        self.get(name).filter_map(|value| match value {
            Value::Int(number) => N::try_from(*number).ok(),
            _ => None,
        })
    }

    /// All words of a name, in the order of the line.
    pub fn texts<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.get(name).filter_map(|value| match value {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// All addresses of a name, in the order of the line.
    pub fn ips(&self, name: &str) -> impl Iterator<Item = Ipv4Addr> {
        self.get(name).filter_map(|value| match value {
            Value::Ipv4(address) => Some(*address),
            _ => None,
        })
    }

    /// All interfaces, in the order of the line.
    pub fn interfaces(&self) -> impl Iterator<Item = InterfaceName> {
        self.get("interface-name").filter_map(|value| match value {
            Value::Interface(name) => Some(*name),
            _ => None,
        })
    }

    /// An address.
    #[must_use]
    pub fn ip(&self, name: &str) -> Option<Ipv4Addr> {
        self.get(name).find_map(|value| match value {
            Value::Ipv4(address) => Some(*address),
            _ => None,
        })
    }

    /// A prefix.
    #[must_use]
    pub fn prefix(&self, name: &str) -> Option<Ipv4Net> {
        self.get(name).find_map(|value| match value {
            Value::Prefix(prefix) => Some(*prefix),
            _ => None,
        })
    }

    /// An area, and whether it was written in dotted notation.
    #[must_use]
    pub fn area(&self) -> Option<(AreaId, bool)> {
        self.get("area-id").find_map(|value| match value {
            Value::Area(area, dotted) => Some((*area, *dotted)),
            _ => None,
        })
    }

    /// An interface.
    #[must_use]
    pub fn interface(&self) -> Option<InterfaceName> {
        self.get("interface-name").find_map(|value| match value {
            Value::Interface(name) => Some(*name),
            _ => None,
        })
    }

    /// A word, or the rest of the line.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).find_map(|value| match value {
            Value::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }
}

/// A line that matched: what to run, with what.
#[derive(Clone, Debug)]
pub struct Match<H> {
    /// The handler.
    pub handler: H,
    /// The values.
    pub args: Args,
}

/// Why a line did not match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseError {
    /// Nothing was there.
    Empty,
    /// `% Invalid input detected at '^' marker.`: the offset of the first octet that no candidate accepts, and how many
    /// words were understood before.
    Invalid {
        /// Offset in the line.
        at: usize,
        /// Words understood.
        understood: usize,
    },
    /// `% Incomplete command.`
    Incomplete,
    /// `% Ambiguous command:`
    Ambiguous,
}

/// A word of a line with its offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct WordAt<'a> {
    pub text: &'a str,
    pub at: usize,
}

/// The words of a line.
pub(super) fn words(line: &str) -> impl Iterator<Item = WordAt<'_>> {
    line.split_ascii_whitespace()
        .map(move |text| WordAt { text, at: text.as_ptr() as usize - line.as_ptr() as usize })
}

/// How far a line was followed into a tree.
pub(super) struct Position {
    pub args: Args,
    /// The node reached; `None` at the root.
    pub node: Option<NodeId>,
}

/// The longest line that is looked at; a longer one is refused where it becomes too long.
pub const MAX_LINE: usize = 4096;

impl<H: Copy> Tree<H> {
    /// The candidates behind a position.
    pub(super) fn candidates<'t>(
        &'t self,
        position: &Position,
    ) -> impl Iterator<Item = (NodeId, &'t Node<H>)> + use<'t, H> {
        let list = position.node.map_or(&self.roots, |id| &self.nodes[id].children);
        let used: Vec<&'static str> = position.args.names().collect();
        list.iter()
            .map(|&id| (id, &self.nodes[id]))
            .filter(move |(_, node)| !node.once || !used.contains(&node.name))
    }

    /// Follows words into the tree as far as they go.
    pub(super) fn follow(&self, line: &str, from: usize, form: Form) -> Result<Position, ParseError> {
        let mut position = Position { args: Args::new(form), node: None };
        let mut rest = words(line).filter(|word| word.at >= from).peekable();
        let mut understood = 0;
        while let Some(word) = rest.next() {
            if word.at + word.text.len() > MAX_LINE {
                return Err(ParseError::Invalid { at: word.at, understood });
            }
            let (node, value) = match self.select(&position, word)? {
                Selected::Value(node, value) => (node, value),
                Selected::Line(node) => {
                    while rest.next().is_some() {}
                    (node, Value::Text(line[word.at..].trim_end().to_owned()))
                }
                Selected::InterfaceKind(node) => match rest.next() {
                    None => return Err(ParseError::Incomplete),
                    Some(unit) => {
                        let name = format!("{}{}", word.text, unit.text).parse();
                        let name = name
                            .map_err(|_| ParseError::Invalid { at: unit.at, understood: understood + 1 })?;
                        (node, Value::Interface(name))
                    }
                },
                Selected::Nothing { accepted } => {
                    return Err(ParseError::Invalid { at: word.at + accepted, understood });
                }
            };
            position.args.values.push((self.nodes[node].name, value, word.at));
            position.node = Some(node);
            understood += 1;
        }
        Ok(position)
    }

    /// Chooses the candidate that a word means. Keywords come before values, an exact keyword before abbreviations.
    fn select(&self, position: &Position, word: WordAt<'_>) -> Result<Selected, ParseError> {
        let mut abbreviated = None;
        let mut several = false;
        let mut other = None;
        let mut accepted = 0;
        for (id, node) in self.candidates(position) {
            accepted = accepted.max(node.token.accepted_prefix(word.text));
            match node.token {
                Token::Keyword(keyword) if keyword.eq_ignore_ascii_case(word.text) => {
                    return Ok(Selected::Value(id, Value::Keyword));
                }
                Token::Keyword(keyword) if abbreviates(word.text, keyword) => {
                    several |= abbreviated.is_some();
                    abbreviated = Some((id, Value::Keyword));
                }
                Token::Choice(choice) => match choice.find(word.text) {
                    Chosen::Exactly(number) => return Ok(Selected::Value(id, Value::Int(number))),
                    Chosen::Abbreviated(number) => {
                        several |= abbreviated.is_some();
                        abbreviated = Some((id, Value::Int(number)));
                    }
                    Chosen::Ambiguous => several = true,
                    Chosen::Nothing => {}
                },
                Token::Interface => other = other.or(select_interface(id, word.text)),
                Token::Line => other = other.or(Some(Selected::Line(id))),
                _ => other = other.or_else(|| node.token.value(word.text).map(|v| Selected::Value(id, v))),
            }
        }
        match (abbreviated, several, other) {
            (_, true, _) => Err(ParseError::Ambiguous),
            (Some((id, value)), _, _) => Ok(Selected::Value(id, value)),
            (None, _, Some(selected)) => Ok(selected),
            (None, _, None) => Ok(Selected::Nothing { accepted: accepted.min(word.text.len()) }),
        }
    }
}

/// What a word means at its place.
enum Selected {
    /// This node, with this value.
    Value(NodeId, Value),
    /// A node that takes the rest of the line.
    Line(NodeId),
    /// An interface's kind, whose numbers are the next word.
    InterfaceKind(NodeId),
    /// None of the candidates, which accept so many leading octets.
    Nothing {
        /// Octets.
        accepted: usize,
    },
}

fn select_interface(node: NodeId, word: &str) -> Option<Selected> {
    if let Ok(name) = word.parse::<InterfaceName>() {
        return Some(Selected::Value(node, Value::Interface(name)));
    }
    let kind_alone = !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphabetic());
    // With a number behind it, the word alone must be a kind.
    (kind_alone && format!("{word}0").parse::<InterfaceName>().is_ok())
        .then_some(Selected::InterfaceKind(node))
}

/// Matches the part of `line` from octet `from` on.
///
/// # Errors
/// As IOS distinguishes them; offsets count from the beginning of `line`.
pub fn parse<H: Copy>(tree: &Tree<H>, line: &str, from: usize, form: Form) -> Result<Match<H>, ParseError> {
    // No terminal lets them through, and no text could be read back that has them.
    if let Some((at, _)) = line.char_indices().find(|&(_, c)| c.is_control() && c != '\t') {
        return Err(ParseError::Invalid { at, understood: 0 });
    }
    let position = tree.follow(line, from, form)?;
    let node = position.node.map(|id| &tree.nodes[id]).ok_or(ParseError::Empty)?;
    let handler = match form {
        Form::Set => node.run,
        Form::No | Form::Default => node.negative.or(node.run),
    };
    Ok(Match { handler: handler.ok_or(ParseError::Incomplete)?, args: position.args })
}
