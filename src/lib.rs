//! NetConfArena: an executable network-configuration benchmark for LLM agents.
//!
//! | module | what it holds |
//! |---|---|
//! | [`template`] | task templates: sampling and rendering |
//! | [`instance`] | tasks as agents get them |
//! | [`grading`] | hidden tests and scoring groups |
//! | [`fidelity`] | comparison with real routing daemons |

pub mod fidelity;
pub mod grading;
pub mod instance;
pub mod template;
