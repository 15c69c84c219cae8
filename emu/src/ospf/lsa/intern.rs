//! Sharing of equal LSA instances.
//!
//! Every router of a network holds the same LSAs, but each receives its own packets. Each thread therefore remembers the
//! instances that are alive, by the hash of their headers. This is a cache of a pure function: whether two databases share
//! an allocation can be seen in the memory they take and nowhere else, so it is no part of a network's state.

use std::cell::RefCell;
use std::hash::Hasher;
use std::sync::{Arc, Weak};

use rustc_hash::{FxHashMap, FxHasher};

use super::{Instance, LsaHeader};

/// Instances alive on this thread. One slot a hash: on a collision, which a hostile packet may cause, the newer takes it and the older is shared
/// no more.
#[derive(Default)]
struct Pool {
    slots: FxHashMap<u64, Weak<Instance>>,
    /// Dead slots are swept when there are this many.
    sweep_at: usize,
}

thread_local! {
    static POOL: RefCell<Pool> = RefCell::default();
}

/// The least number of slots worth sweeping.
const SWEEP_MIN: usize = 1024;

impl Pool {
    fn get(&self, hash: u64, octets: &[u8]) -> Option<Arc<Instance>> {
        let instance = self.slots.get(&hash)?.upgrade()?;
        (instance.wire.get(2..) == octets.get(2..)).then_some(instance)
    }

    fn insert(&mut self, hash: u64, instance: &Arc<Instance>) {
        if self.slots.len() >= self.sweep_at.max(SWEEP_MIN) {
            self.slots.retain(|_, slot| slot.strong_count() > 0);
            self.sweep_at = self.slots.len() * 2;
        }
        self.slots.insert(hash, Arc::downgrade(instance));
    }
}

/// Hash of an LSA's header without its age. Instances with equal headers have equal bodies but for a forged checksum.
fn hash(octets: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(octets.get(2..LsaHeader::LEN).unwrap_or_default());
    hasher.finish()
}

/// The instance with these octets (the age apart): the one alive, or else a new one from `make`.
pub(super) fn shared<E>(
    octets: &[u8],
    make: impl FnOnce() -> Result<Instance, E>,
) -> Result<Arc<Instance>, E> {
    let hash = hash(octets);
    if let Some(instance) = POOL.with_borrow(|pool| pool.get(hash, octets)) {
        return Ok(instance);
    }
    let instance = Arc::new(make()?);
    POOL.with_borrow_mut(|pool| pool.insert(hash, &instance));
    Ok(instance)
}

/// Like [`shared`], where making an instance cannot fail.
pub(super) fn shared_infallible(octets: &[u8], make: impl FnOnce() -> Instance) -> Arc<Instance> {
    match shared(octets, || Ok::<_, std::convert::Infallible>(make())) {
        Ok(instance) => instance,
        Err(never) => match never {},
    }
}
