//! Judging a network: hidden tests, and configuration changes against the reference's.

use std::collections::BTreeSet;

use crate::backend::{BackendError, Deployment};
use crate::grading::{Grade, Test, grade};
use crate::instance::{Configs, Instance};
use crate::scores::change::{Change, ChangeF1, changes};

/// Runs the hidden tests on a network as it is.
///
/// # Errors
/// The network cannot be reached.
pub fn judge(deployment: &mut dyn Deployment, tests: &[Test]) -> Result<Grade, BackendError> {
    let mut lost = None;
    let found = grade(tests, |device, command| {
        if lost.is_some() {
            return Err("the network is lost".to_owned());
        }
        deployment.query(device, command).unwrap_or_else(|error| {
            let reason = error.to_string();
            lost = Some(error);
            Err(reason)
        })
    });
    lost.map_or(Ok(found), Err)
}

/// The running configurations of all routers.
///
/// # Errors
/// The network cannot be reached.
pub fn configs(deployment: &mut dyn Deployment, instance: &Instance) -> Result<Configs, BackendError> {
    instance.nodes.iter().map(|n| Ok((n.name.clone(), deployment.running_config(&n.name)?))).collect()
}

/// The configuration changes that the reference makes.
#[derive(Clone, Debug)]
pub struct Baseline {
    startup: Configs,
    reference: BTreeSet<Change>,
}

impl Baseline {
    /// Takes the running configurations of a network that has just started, and of the same with the reference.
    ///
    /// # Errors
    /// The network cannot be reached, or cannot be forked.
    pub fn take(deployment: &mut dyn Deployment, instance: &Instance) -> Result<Self, BackendError> {
        let startup = configs(deployment, instance)?;
        let mut fork = deployment.fork().ok_or(BackendError::NoFork)?;
        for (host, lines) in &instance.reference {
            fork.apply(host, lines)?;
        }
        let reference = changes(&startup, &configs(fork.as_mut(), instance)?);
        Ok(Self { startup, reference })
    }

    /// Compares the configuration that an agent leaves.
    ///
    /// # Errors
    /// The network cannot be reached.
    pub fn compare(
        &self,
        deployment: &mut dyn Deployment,
        instance: &Instance,
    ) -> Result<ChangeF1, BackendError> {
        let agent = changes(&self.startup, &configs(deployment, instance)?);
        Ok(ChangeF1::of(&agent, &self.reference))
    }
}
