//! NetConfArena: an executable network-configuration benchmark for LLM agents.
//!
//! | module | what it holds |
//! |---|---|
//! | [`agent`] | who acts, and the actions |
//! | [`template`] | task templates: sampling and rendering |
//! | [`instance`] | tasks as agents get them |
//! | [`backend`] | where the network of an instance runs |
//! | [`environment`] | actions in, observations out |
//! | [`episode`] | one agent, one instance, from deployment to score |
//! | [`grading`] | hidden tests and scoring groups |
//! | [`scores`] | the columns of the paper's Table II |
//! | [`cli`] | the command line |
//! | [`console`] | terminals at routers |
//! | [`lab`] | a network from a folder of configurations |
//! | [`runs`] | many episodes, into a directory |
//! | [`report`] | runs as one HTML file |
//! | [`authoring`] | what helps to write templates |
//! | [`validation`] | whether a template is sound |
//! | [`host`] | TAP devices, and networks that keep pace with the wall clock |
//! | [`fidelity`] | comparison with real routing daemons |

pub mod agent;
pub mod authoring;
pub mod backend;
pub mod cli;
pub mod console;
pub mod environment;
pub mod episode;
pub mod fidelity;
pub mod grading;
#[cfg(target_os = "linux")]
pub mod host;
pub mod instance;
pub mod lab;
pub mod report;
pub mod runs;
pub mod scores;
pub mod template;
pub mod validation;
