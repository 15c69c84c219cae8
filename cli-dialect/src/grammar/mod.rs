//! The command tree: one declarative table a mode, from which parsing, abbreviation, help and error carets all follow.
//!
//! | file | what |
//! |---|---|
//! | `token.rs` | typed tokens, and the values they yield |
//! | `spec.rs` | the builder in which tables are written |
//! | `tree.rs` | the compiled tree |
//! | `parse.rs` | a line against a tree: match, or an error with its caret |
//! | `help.rs` | what `?` and the tabulator answer |

mod help;
mod parse;
mod spec;
mod token;
mod tree;

pub use help::{complete, help};
pub use parse::{Args, Form, Match, ParseError, parse};
pub use spec::{Spec, area, choice, int, interface, ip, kw, line, ospf_process, plain, prefix, word};
pub(crate) use token::abbreviates;
pub use token::{Choice, Token, Value};
pub use tree::Tree;

#[cfg(test)]
mod tests;
