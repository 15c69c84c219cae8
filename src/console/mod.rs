//! Terminals at the routers of a laboratory, for people and programs.
//!
//! | module | what it holds |
//! |---|---|
//! | [`editor`] | a line, key by key |
//! | [`terminal`] | login, prompt, pages: bytes in, bytes out |
//! | [`telnet`] | the telnet protocol: bytes in, bytes out |
//! | [`scp`] | files into the flash and out of it: bytes in, bytes out |
//! | [`server`] | listeners, sessions, and the network that they share, in real time |

pub mod editor;
pub mod scp;
pub mod server;
pub mod telnet;
pub mod terminal;
