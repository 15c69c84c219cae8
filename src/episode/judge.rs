//! Judging a network: hidden tests, and configuration changes against the reference's.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::backend::{BackendError, Deployment};
use crate::grading::{Grade, Test, grade};
use crate::instance::{Configs, Instance};
use crate::scores::change::{Change, ChangeF1, changes};

/// Runs the hidden tests on a network as it is, and on copies in which a link is cut.
///
/// # Errors
/// The network cannot be reached, or a test needs a copy and there is none.
pub fn judge(deployment: &mut dyn Deployment, tests: &[Test]) -> Result<Grade, BackendError> {
    let mut without: BTreeMap<String, Box<dyn Deployment>> = BTreeMap::new();
    let mut lost = None;
    let found = grade(tests, |test| {
        if lost.is_some() {
            return Err("the network is lost".to_owned());
        }
        let answer = match &test.down {
            None => deployment.query(&test.device, &test.command),
            Some(link) => copy_without(link, deployment, &mut without)
                .and_then(|copy| copy.query(&test.device, &test.command)),
        };
        answer.unwrap_or_else(|error| {
            let reason = error.to_string();
            lost = Some(error);
            Err(reason)
        })
    });
    lost.map_or(Ok(found), Err)
}

/// A copy of the network that has come to rest after a link was cut.
fn copy_without<'a>(
    link: &str,
    deployment: &dyn Deployment,
    copies: &'a mut BTreeMap<String, Box<dyn Deployment>>,
) -> Result<&'a mut Box<dyn Deployment>, BackendError> {
    match copies.entry(link.to_owned()) {
        Entry::Occupied(known) => Ok(known.into_mut()),
        Entry::Vacant(place) => {
            let mut copy = deployment.fork().ok_or(BackendError::NoFork)?;
            copy.cut(link)?;
            copy.settle()?;
            Ok(place.insert(copy))
        }
    }
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
