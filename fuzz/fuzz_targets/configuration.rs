//! Any text loaded as a configuration; what is taken must read back from its own rendering.
#![no_main]

use libfuzzer_sys::fuzz_target;
use netconfarena_cli_dialect::config::load;
use netconfarena_cli_dialect::running_config::render;
use netconfarena_emu::config::RouterConfig;

fuzz_target!(|input: &[u8]| {
    let mut config = RouterConfig::default();
    load(&mut config, &String::from_utf8_lossy(input));
    let text = render(&config);
    let mut again = RouterConfig::default();
    let report = load(&mut again, &text);
    assert!(report.refused.is_empty(), "{:?}", report.refused);
    assert_eq!(render(&again), text);
});
