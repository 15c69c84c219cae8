//! `ping` and `traceroute`: virtual time goes on while their packets are under way.

use std::net::Ipv4Addr;
use std::time::Duration;

use netconfarena_emu::forwarding::{
    PingReport, PingRequest, ProbeResult, TraceHop, TraceProbe, TracerouteReport, TracerouteRequest,
};
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::wire::UnreachableCode;

use super::dialog::{Dialog, Probe};
use super::exec::{Exec, Handler};
use super::question::Question;
use crate::config::Complaint;
use crate::grammar::{Args, Spec, int, interface, ip, kw, plain, word};
use crate::show::Record;
use crate::show::ping::Ping;
use crate::show::system::host_address;
use crate::show::traceroute::{Answer, Traceroute};

/// The most echo requests of one `ping`; IOS has no such bound.
const MOST_REQUESTS: u32 = 10_000;

/// The longest virtual time that one command may take if nothing answers, in seconds.
const LONGEST: u64 = 20_000;

pub(super) fn table() -> Vec<Spec<Handler>> {
    let ask_ping = Handler::Look(|exec, _| {
        exec.ask(Question::Dialog(Dialog::new(Probe::Ping)));
        Ok(())
    });
    let ask_traceroute = Handler::Look(|exec, _| {
        exec.ask(Question::Dialog(Dialog::new(Probe::Traceroute)));
        Ok(())
    });
    let traceroutes = (Handler::Look(traceroute), ask_traceroute);
    vec![
        command("ping", "Send echo messages", (Handler::Look(ping), ask_ping), ping_options),
        command("traceroute", "Trace route to destination", traceroutes, traceroute_options),
    ]
}

/// `KEYWORD [vrf NAME] [ip] DESTINATION [options]`; the keyword alone begins a dialog.
fn command(
    keyword: &'static str,
    help: &'static str,
    (run, ask): (Handler, Handler),
    options: fn(Handler) -> Vec<Spec<Handler>>,
) -> Spec<Handler> {
    let destinations = || {
        [
            ip("destination", "Destination address").run(run).options(options(run)),
            word("host", "Destination hostname").run(run).options(options(run)),
        ]
    };
    let protocol = || kw("ip", "IP echo").then(destinations());
    kw(keyword, help).run(ask).then(destinations()).then([protocol()]).then([kw(
        "vrf",
        "Select VPN routing instance",
    )
    .then([word("vrf-name", "VPN Routing/Forwarding instance name")
        .then(destinations())
        .then([protocol()])])])
}

fn source() -> Spec<Handler> {
    kw("source", "specify source address or name")
        .then([ip("source-address", "Source address"), interface("Source interface")])
}

fn ping_options(_run: Handler) -> Vec<Spec<Handler>> {
    vec![
        kw("df-bit", "enable do not fragment bit in IP header"),
        kw("repeat", "specify repeat count").then([int("count", 1, 2_147_483_647, "repeat count")]),
        kw("size", "specify datagram size").then([int("octets", 36, 18_024, "size")]),
        source(),
        kw("timeout", "specify timeout interval").then([int("seconds", 0, 3600, "Timeout in seconds")]),
        kw("tos", "specify type of service value").then([int("tos-value", 0, 255, "tos value")]),
    ]
}

fn traceroute_options(run: Handler) -> Vec<Spec<Handler>> {
    vec![
        plain("numeric", "display numeric address", run),
        kw("port", "specify port number").then([int("first-port", 1, 65535, "port number")]),
        kw("probe", "specify number of probes per hop").then([int("probes", 1, 255, "Number of probes")]),
        source(),
        kw("timeout", "specify time out").then([int("seconds", 0, 3600, "Timeout in seconds")]),
        kw("ttl", "specify minimum and maximum ttl").then([
            int("least", 0, 255, "Minimum TTL value").then([int("greatest", 1, 255, "Maximum TTL value")])
        ]),
    ]
}

/// A range of sizes of packets, in octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sweep {
    pub least: u16,
    pub greatest: u16,
    pub interval: u16,
}

impl Sweep {
    fn sizes(self) -> Vec<u16> {
        (self.least..=self.greatest).step_by(usize::from(self.interval.max(1))).collect()
    }
}

impl Exec<'_> {
    /// The destination: an address, or a name, which `ip host` has to know.
    fn destination(&mut self, args: &Args) -> Result<Ipv4Addr, Complaint> {
        match args.ip("destination") {
            Some(address) => Ok(address),
            None => self.resolve(args.text("host").unwrap_or_default()),
        }
    }

    /// The address that a text is, or that `ip host` gives it; no name server answers.
    pub fn resolve(&mut self, text: &str) -> Result<Ipv4Addr, Complaint> {
        let known = text.parse().ok().or_else(|| host_address(self.router().config(), text));
        if let Some(address) = known {
            return Ok(address);
        }
        self.look_up(text);
        Err(Complaint::Refused("% Unrecognized host or address, or protocol not running.\n".to_owned()))
    }

    /// What is printed while a name server is asked in vain.
    pub fn look_up(&mut self, name: &str) {
        if self.router().config().domain_lookup {
            self.say(&format!("Translating \"{name}\"...domain server (255.255.255.255)"));
        }
    }

    /// The source address that the command names, if it names one.
    pub fn source(&self, args: &Args) -> Result<Option<Ipv4Addr>, Complaint> {
        match (args.interface(), args.ip("source-address")) {
            (Some(name), _) => self.source_interface(name).map(Some),
            (None, Some(address)) => self.own_address(address).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The source that an answer names: an address, an interface, or nothing.
    pub fn source_named(&self, answer: &str) -> Result<Option<Ipv4Addr>, Complaint> {
        if answer.is_empty() {
            return Ok(None);
        }
        match (answer.parse::<Ipv4Addr>(), answer.parse::<InterfaceName>()) {
            (Ok(address), _) => self.own_address(address).map(Some),
            (_, Ok(name)) => self.source_interface(name).map(Some),
            _ => Err(Complaint::Refused(
                "% Invalid source. Must use same-VRF interface name or IP address.".to_owned(),
            )),
        }
    }

    fn source_interface(&self, name: InterfaceName) -> Result<Ipv4Addr, Complaint> {
        let interfaces = self.router().interfaces();
        let interface = interfaces.by_name(name).filter(|interface| interface.is_up());
        let address = interface.and_then(|interface| interfaces.source_address(interface.index));
        let refused = "% Invalid source interface - IP not enabled or interface is down";
        address.ok_or_else(|| Complaint::Refused(refused.to_owned()))
    }

    fn own_address(&self, address: Ipv4Addr) -> Result<Ipv4Addr, Complaint> {
        let interfaces = self.router().interfaces();
        let own = interfaces.iter().any(|interface| interface.is_up() && interface.has_address(address));
        let refused = "% Invalid source address- IP address not on any of our up interfaces";
        if own { Ok(address) } else { Err(Complaint::Refused(refused.to_owned())) }
    }

    /// The VRF that the command names; without one, the global table.
    pub fn vrf(&self, args: &Args) -> Result<netconfarena_emu::ids::VrfId, Complaint> {
        let name = args.text("vrf-name");
        let id = self.router().interfaces().vrf_id(name);
        id.ok_or_else(|| Complaint::Refused(format!("% VRF {} does not exist", name.unwrap_or_default())))
    }
}

impl Exec<'_> {
    /// Sends echo requests of one size, or as often as they are to be repeated of each size of a range, and prints what came back.
    ///
    /// # Errors
    /// It would take too long.
    pub fn send_pings(&mut self, request: PingRequest, sweep: Option<Sweep>) -> Result<(), Complaint> {
        let sizes = sweep.map_or_else(|| vec![request.size], Sweep::sizes);
        let total = request.count.saturating_mul(u32::try_from(sizes.len()).unwrap_or(u32::MAX));
        if total > MOST_REQUESTS {
            let text = format!("% This emulator sends {MOST_REQUESTS} echo requests at most");
            return Err(Complaint::Refused(text));
        }
        bounded(u64::from(total), request.timeout.as_secs())?;
        let node = self.session.node();
        let report = match sweep {
            None => self.network.ping(node, &request),
            Some(_) => {
                let mut results = Vec::new();
                for _ in 0..request.count {
                    for &size in &sizes {
                        let one = PingRequest { size, count: 1, ..request };
                        results.extend(self.network.ping(node, &one).results);
                    }
                }
                PingReport { results }
            }
        };
        let record = Ping {
            sent: total,
            success_percent: (ping_record(&request, &report).received * 100)
                .checked_div(total)
                .unwrap_or_default(),
            size: sizes.first().copied().unwrap_or(request.size).into(),
            greatest_size: sweep.map(|sweep| sweep.greatest.into()),
            ..ping_record(&request, &report)
        };
        self.out.push_str(&record.render());
        Ok(())
    }

    /// Looks for the routers on the way, and prints who answered.
    ///
    /// # Errors
    /// It would take too long.
    pub fn trace(&mut self, request: TracerouteRequest) -> Result<(), Complaint> {
        let hops = u64::from(request.max_ttl.saturating_sub(request.min_ttl)) + 1;
        bounded(hops * u64::from(request.probes), request.timeout.as_secs())?;
        let report = self.network.traceroute(self.session.node(), &request);
        self.out.push_str(&traceroute_record(request.destination, &report).render());
        Ok(())
    }
}

/// Refuses what would take too long if nothing answers.
fn bounded(packets: u64, seconds: u64) -> Result<(), Complaint> {
    if packets.saturating_mul(seconds.max(1)) > LONGEST {
        return Err(Complaint::Refused(format!(
            "% This emulator allows {LONGEST} s of waiting for replies, {packets} packets of {seconds} s are more"
        )));
    }
    Ok(())
}

fn ping(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let destination = exec.destination(args)?;
    let default = PingRequest::new(destination);
    let seconds: u64 = args.int("seconds").unwrap_or(default.timeout.as_secs());
    let request = PingRequest {
        vrf: exec.vrf(args)?,
        source: exec.source(args)?,
        count: args.int("count").unwrap_or(default.count),
        size: args.int("octets").unwrap_or(default.size),
        timeout: Duration::from_secs(seconds),
        dont_fragment: args.has("df-bit"),
        tos: args.int("tos-value").unwrap_or(default.tos),
        ..default
    };
    exec.send_pings(request, None)
}

/// What came of requests of one size.
fn ping_record(request: &PingRequest, report: &PingReport) -> Ping {
    let replies = report.results.iter().map(|result| match result {
        ProbeResult::Reply { .. } => '!',
        ProbeResult::Timeout => '.',
        ProbeResult::TimeExceeded { .. } => '&',
        ProbeResult::Unreachable { code: UnreachableCode::FRAGMENTATION_NEEDED, .. } => 'M',
        ProbeResult::Unreachable { .. } => 'U',
    });
    let times: Vec<u64> = report
        .results
        .iter()
        .filter_map(|result| match result {
            ProbeResult::Reply { rtt } => Some(milliseconds(*rtt)),
            _ => None,
        })
        .collect();
    let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let received = narrow(times.len() as u64);
    let mean = times.iter().sum::<u64>().checked_div(times.len() as u64);
    Ping {
        destination: request.destination.to_string(),
        sent: request.count,
        size: u32::from(request.size),
        greatest_size: None,
        timeout: narrow(request.timeout.as_secs()),
        source: request.source.map(|address| address.to_string()),
        df_bit: request.dont_fragment,
        replies: replies.collect(),
        received,
        success_percent: (received * 100).checked_div(request.count).unwrap_or_default(),
        rtt_min: times.iter().min().copied().map(narrow),
        rtt_avg: mean.map(narrow),
        rtt_max: times.iter().max().copied().map(narrow),
    }
}

/// A router measures in milliseconds, and at least one.
fn milliseconds(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX).max(1)
}

fn traceroute(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let destination = exec.destination(args)?;
    let default = TracerouteRequest::new(destination);
    let seconds: u64 = args.int("seconds").unwrap_or(default.timeout.as_secs());
    let request = TracerouteRequest {
        vrf: exec.vrf(args)?,
        source: exec.source(args)?,
        probes: args.int("probes").unwrap_or(default.probes),
        timeout: Duration::from_secs(seconds),
        min_ttl: args.int("least").unwrap_or(default.min_ttl).max(1),
        max_ttl: args.int("greatest").unwrap_or(default.max_ttl),
        port: args.int("first-port").unwrap_or(default.port),
        ..default
    };
    exec.trace(request)
}

fn traceroute_record(destination: Ipv4Addr, report: &TracerouteReport) -> Traceroute {
    let answers = report.hops.iter().flat_map(answers).collect();
    Traceroute { destination: destination.to_string(), answers }
}

/// What was heard of one hop: a line for each router that answered, where silence belongs to the line before.
fn answers(hop: &TraceHop) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::new();
    for probe in &hop.probes {
        let (address, text) = match *probe {
            TraceProbe::Timeout => (None, "*".to_owned()),
            TraceProbe::Answer { address, rtt, unreachable } => {
                let refused = unreachable.and_then(refusal).map(str::to_owned);
                (Some(address), refused.unwrap_or_else(|| format!("{} msec", milliseconds(rtt))))
            }
        };
        match answers.last_mut() {
            Some(last) if address.is_none() || last.address == address => last.probes.push(text),
            _ => answers.push(Answer { hop: hop.ttl, address, name: None, probes: vec![text] }),
        }
    }
    answers
}

/// What stands in place of a time; a port that is unreachable is the destination's answer.
fn refusal(code: UnreachableCode) -> Option<&'static str> {
    match code {
        UnreachableCode::PORT => None,
        UnreachableCode::NET => Some("!N"),
        UnreachableCode::PROTOCOL => Some("!P"),
        UnreachableCode::PROHIBITED => Some("!A"),
        _ => Some("!H"),
    }
}
