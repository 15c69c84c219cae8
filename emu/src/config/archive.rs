//! The archive of configurations.

use serde::{Deserialize, Serialize};

/// What stands under `archive`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArchiveConfig {
    /// `path`: the beginning of the names of archived configurations.
    pub path: Option<String>,
    /// `maximum`, 1 to 14: how many are kept; IOS's default is 10.
    pub maximum: Option<u8>,
    /// `write-memory`: each save of the configuration is archived.
    pub write_memory: bool,
}
