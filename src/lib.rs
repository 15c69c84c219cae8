//! NetConfArena: an executable network-configuration benchmark for LLM agents.

pub mod fidelity;
