//! The `netconfarena` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    netconfarena::cli::main()
}
