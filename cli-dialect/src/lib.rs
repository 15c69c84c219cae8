//! An IOS-like command line for the routers of [`netconfarena_emu`].
//!
//! | room | what it holds |
//! |---|---|
//! | [`grammar`] | the command tree: parsing, abbreviation, carets, help |
//! | [`config`] | configuration lines as edits of the typed tree |
//! | [`running_config`] | the typed tree as canonical text |
//! | [`secret`] | passwords as configurations hold them |
//! | [`session`] | exec mode: a terminal at a router |
//! | [`show`] | show commands: records, and the IOS text they render to and parse from |
//! | [`syslog`] | log events as lines |

pub mod config;
pub mod grammar;
pub mod running_config;
pub mod secret;
pub mod session;
pub mod show;
pub mod syslog;
