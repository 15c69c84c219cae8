//! What helps to write templates.
//!
//! | module | what it holds |
//! |---|---|
//! | [`scaffold`] | a small template to start from |
//! | [`explain`] | what a finding of the validation means, and what to do about it |
//! | [`variety`] | how much the instances of a template differ |
//! | [`advice`] | what makes a sound template a better one |
//! | [`index`] | the table of all templates |

pub mod advice;
pub mod explain;
pub mod index;
pub mod scaffold;
pub mod variety;
