//! Agents: who acts in an episode, and how what they say becomes an action.
//!
//! | module | what it holds |
//! |---|---|
//! | [`action`] | the five actions |
//! | [`protocol`] | how an agent is told and asked, and how its reply is read |

pub mod action;
pub mod protocol;
