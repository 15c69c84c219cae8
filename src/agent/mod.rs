//! Agents: who acts in an episode, and how what they say becomes an action.
//!
//! | module | what it holds |
//! |---|---|
//! | [`action`] | the five actions |

pub mod action;
