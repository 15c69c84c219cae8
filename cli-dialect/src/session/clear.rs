//! `clear`.

use super::exec::{Handler, act};
use super::question::Question;
use crate::grammar::{Spec, interface, kw, ospf_process};

pub(super) fn table() -> Vec<Spec<Handler>> {
    let arp = |keyword, help| {
        act(keyword, help, |exec, _| {
            let node = exec.session.node();
            exec.network.router_mut(node).clear_arp();
            Ok(())
        })
    };
    let counters = Handler::Act(|exec, args| {
        exec.ask(Question::ClearCounters(args.interface()));
        Ok(())
    });
    let process = || {
        act("process", "Reset OSPF process", |exec, args| {
            exec.ask(Question::ResetOspf(args.int("process-id")));
            Ok(())
        })
    };
    vec![
        kw("clear", "Reset functions").then([
            arp("arp-cache", "Clear the entire ARP cache"),
            kw("counters", "Clear counters on one or all interfaces")
                .run(counters)
                .then([interface("Interface").run(counters)]),
            kw("ip", "IP").then([
                arp("arp", "Clear the entire ARP cache"),
                kw("ospf", "OSPF clear commands").then([process(), ospf_process().then([process()])]),
            ]),
            act("logging", "Clear logging buffer", |exec, _| {
                exec.ask(Question::ClearLogging);
                Ok(())
            }),
        ]),
    ]
}
