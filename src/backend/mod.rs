//! Backends: where the network of an instance runs.
//!
//! | module | what it holds |
//! |---|---|
//! | [`emulator`] | the emulator in this process |
//! | [`scripted`] | routers that only keep lines, for tests of what stands above |
//!
//! A backend deploys; what it deploys is used by one episode and goes away when it is dropped. The trait is synchronous: the
//! emulator computes in the caller's thread, and a backend that speaks with real devices waits within its own runtime.

pub mod emulator;
#[cfg(test)]
pub mod scripted;

use std::collections::BTreeSet;
use std::time::Duration;

use netconfarena_cli_dialect::show::parse_command;
use serde_json::Value;
use thiserror::Error;

use crate::instance::Instance;

/// Builds networks.
pub trait Backend: Sync {
    /// The word for it.
    fn name(&self) -> &'static str;

    /// Builds the network of an instance, starts it with its startup configurations, and lets it converge.
    ///
    /// # Errors
    /// The network cannot be built.
    fn deploy(&self, instance: &Instance) -> Result<Box<dyn Deployment>, BackendError>;
}

/// The running network of one episode; dropping it destroys it.
pub trait Deployment: Send {
    /// The running configuration of a router, as `show running-config` prints it.
    ///
    /// # Errors
    /// There is no such router, or it cannot be reached.
    fn running_config(&mut self, host: &str) -> Result<String, BackendError>;

    /// Enters configuration lines on a router.
    ///
    /// # Errors
    /// There is no such router, or it cannot be reached. Lines that the router rejects are no error.
    fn apply(&mut self, host: &str, lines: &str) -> Result<Applied, BackendError>;

    /// Runs a command that changes nothing.
    ///
    /// # Errors
    /// There is no such router, or it cannot be reached. A command that is refused is no error.
    fn execute(&mut self, host: &str, command: &str) -> Result<Executed, BackendError>;

    /// The rows of a command's output, as tests judge them; the inner error says why there are none.
    ///
    /// # Errors
    /// There is no such router, or it cannot be reached.
    fn query(&mut self, host: &str, command: &str) -> Result<Result<Value, String>, BackendError> {
        Ok(match self.execute(host, command)? {
            Executed::Output(text) => parse_command(command, &text).map_err(|error| error.to_string()),
            Executed::Refused(reason) => Err(reason),
        })
    }

    /// Lets network time pass.
    ///
    /// # Errors
    /// The network cannot be reached.
    fn wait(&mut self, span: Duration) -> Result<(), BackendError>;

    /// Waits until nothing changes any more, and tells whether that happened before the backend's cap.
    ///
    /// # Errors
    /// The network cannot be reached.
    fn settle(&mut self) -> Result<bool, BackendError>;

    /// Cuts a link, by the name that the template gives it.
    ///
    /// # Errors
    /// There is no such link, or it cannot be cut.
    fn cut(&mut self, link: &str) -> Result<(), BackendError>;

    /// What works: which addresses each router reaches, and its adjacencies and sessions, each as a sentence. Asking changes
    /// the network, so it is asked of a copy.
    ///
    /// # Errors
    /// The network cannot be reached.
    fn facts(&mut self) -> Result<BTreeSet<String>, BackendError>;

    /// Network time since the network was started.
    fn elapsed(&self) -> Duration;

    /// A copy that goes on by itself, if the backend can make one.
    fn fork(&self) -> Option<Box<dyn Deployment>>;
}

/// What came of configuration lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// The session: each line behind its prompt, with what the router said.
    pub transcript: String,
    /// How many lines the router rejected.
    pub rejected: usize,
    /// Those of them that a real router has and this backend does not implement: their keywords.
    pub unsupported: Vec<String>,
}

/// What came of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Executed {
    /// Its output.
    Output(String),
    /// It was not run, or it is no command: what the router or the environment said.
    Refused(String),
}

/// Why a network cannot be built or used. None of these says anything about the agent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BackendError {
    /// There is no such router.
    #[error("there is no router `{host}`; there are {}", known.join(", "))]
    UnknownHost {
        /// What was asked for.
        host: String,
        /// All names.
        known: Vec<String>,
    },
    /// A startup configuration has lines that the router refuses.
    #[error("startup configuration of {host}: {}", refused.join("; "))]
    Startup {
        /// The router.
        host: String,
        /// The lines, each with the reason.
        refused: Vec<String>,
    },
    /// The topology cannot be built.
    #[error("topology: {0}")]
    Topology(String),
    /// What is asked needs a copy of the network.
    #[error("this backend cannot copy a running network")]
    NoFork,
    /// A device or its connection failed; another attempt may succeed.
    #[error("{0}")]
    Connection(String),
}

impl BackendError {
    /// Whether another attempt may succeed.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(self, Self::Connection(_))
    }
}
