//! Flooding (RFC 2328 section 13).

use super::lsa::Lsa;
use super::lsdb::Scope;
use super::process::{Env, OspfProcess};

impl OspfProcess {
    /// Sends an LSA that was made or flushed here, and stands in the database, to the neighbors of its scope (section 13.3). No
    /// neighbor is in exchange or above before the exchange of databases runs, so there is nobody to send it to.
    pub(super) fn flood(&mut self, _env: &mut Env<'_, '_>, _scope: Scope, _lsa: &Lsa) {}
}
