//! `debug`, `undebug`, `no debug`: what the router logs beside its messages.

use netconfarena_emu::debugging::{DebugOption, DebugTopic};

use super::exec::{Command, Exec, Handler, act};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, kw, ospf_process};
use crate::show::debugging::Entry;

pub(super) fn table() -> Vec<Spec<Handler>> {
    let off = || [ip(stop), act("all", "Disable all debugging", stop_all)];
    vec![
        kw("debug", "Debugging functions (see also 'undebug')").then([ip(start)]),
        kw("no", "Disable debugging functions").then([kw(
            "debug",
            "Debugging functions (see also 'undebug')",
        )
        .then(off())]),
        kw("undebug", "Disable debugging functions (see also 'debug')").then(off()),
    ]
}

fn ip(run: Command) -> Spec<Handler> {
    let topics = move || [act("adj", "OSPF adjacency", run), act("hello", "OSPF hello", run)];
    kw("ip", "IP information")
        .then([kw("ospf", "OSPF information").then(topics()).then([ospf_process().then(topics())])])
}

fn option(args: &Args) -> DebugOption {
    let topic = if args.has("hello") { DebugTopic::OspfHello } else { DebugTopic::OspfAdjacency };
    DebugOption { topic, process: args.int("process-id") }
}

fn switch(exec: &mut Exec<'_>, args: &Args, on: bool) -> Result<(), Complaint> {
    let (node, option) = (exec.session.node(), option(args));
    exec.network.router_mut(node).debugging_mut().switch(option, on);
    exec.say(&Entry::of(option).line(on));
    Ok(())
}

fn start(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    switch(exec, args, true)
}

fn stop(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    switch(exec, args, false)
}

fn stop_all(exec: &mut Exec<'_>, _args: &Args) -> Result<(), Complaint> {
    let node = exec.session.node();
    exec.network.router_mut(node).debugging_mut().stop();
    exec.say("All possible debugging has been turned off");
    Ok(())
}
