//! The `netconfarena` command.

fn main() {}
