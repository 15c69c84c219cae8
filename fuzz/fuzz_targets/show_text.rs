//! Any text as the output of any show command: first line the command, then its output.
#![no_main]

use libfuzzer_sys::fuzz_target;
use netconfarena_cli_dialect::show::parse_command;

fuzz_target!(|input: &[u8]| {
    let text = String::from_utf8_lossy(input);
    let (command, output) = text.split_once('\n').unwrap_or((&text, ""));
    let _ = parse_command(command, output);
});
