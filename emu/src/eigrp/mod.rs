//! EIGRP (RFC 7868), with IOS's behaviour.
//!
//! | file | RFC 7868 | what |
//! |---|---|---|
//! | `config.rs` | | the configuration tree |
//! | `packet/` | 6 | packet codec and authentication |

mod config;
pub mod packet;

pub use config::*;
