//! The `netconfarena` command.

use std::process::ExitCode;

/// Networks allocate in small pieces; this allocator is the faster one for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    netconfarena::cli::main()
}
