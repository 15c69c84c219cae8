//! EIGRP (RFC 7868), with IOS's behaviour.
//!
//! | file | RFC 7868 | what |
//! |---|---|---|
//! | `packet/` | 6 | packet codec and authentication |

pub mod packet;
