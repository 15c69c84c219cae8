//! Scores: the columns of the paper's Table II, over one episode and over many.
//!
//! | module | what it holds |
//! |---|---|
//! | [`change`] | configuration changes as canonical (section, line) pairs, and their F1 |
//! | [`metrics`] | what one trajectory says about the agent's conduct, and how it ended |
//! | [`failure`] | why episodes fail |
//! | [`compare`] | two runs side by side |
//! | [`estimate`] | means and shares with intervals clustered by template; pass^k |
//! | [`table`] | the columns, and the rows that a run gives |
//! | [`paper`] | the rows that the paper reports |

pub mod change;
pub mod compare;
pub mod estimate;
pub mod failure;
pub mod metrics;
pub mod paper;
pub mod table;
