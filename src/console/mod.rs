//! Terminals at the routers of a laboratory, for people and programs.
//!
//! | module | what it holds |
//! |---|---|
//! | [`editor`] | a line, key by key |
//! | [`terminal`] | login, prompt, pages: bytes in, bytes out |

pub mod editor;
pub mod terminal;
