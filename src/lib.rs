//! NetConfArena: an executable network-configuration benchmark for LLM agents.
//!
//! | module | what it holds |
//! |---|---|
//! | [`agent`] | who acts, and the actions |
//! | [`template`] | task templates: sampling and rendering |
//! | [`instance`] | tasks as agents get them |
//! | [`grading`] | hidden tests and scoring groups |
//! | [`scores`] | the columns of the paper's Table II |
//! | [`fidelity`] | comparison with real routing daemons |

pub mod agent;
pub mod fidelity;
pub mod grading;
pub mod instance;
pub mod scores;
pub mod template;
