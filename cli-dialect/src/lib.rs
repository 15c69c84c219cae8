//! An IOS-like command line for the routers of [`netconfarena_emu`].

pub mod grammar;
pub mod show;
