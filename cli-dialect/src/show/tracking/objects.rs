//! `show track [N]`.
//!
//! Row fields: `number`, `object` (`Interface GigabitEthernet0/0 line-protocol`), `subject` (`Line protocol`), `state` (`Up`, `Down`), `reason`, `changes`,
//! `last_change` (s), `delay_up`, `delay_down` (s), `first_hop`, `return_code`, `rtt` (ms), `members` and `tracked_by` (lists of lines).

use netconfarena_emu::rib::{FibEntry, RouteKind, TableId};
use netconfarena_emu::tracking::{TrackConfig, TrackObject, TrackState, TrackedBy};
use serde::{Deserialize, Serialize};

use super::brief::TrackBrief;
use super::return_code;
use crate::config::Complaint;
use crate::grammar::{Args, Spec, int, kw, plain};
use crate::running_config::tracked_object;
use crate::show::age::Age;
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, ShowContext, ShowHandler, row};

/// The record of `show track`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tracks {
    /// The objects by number.
    pub objects: Vec<Object>,
}

/// A tracked object.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Object {
    /// Its number.
    pub number: u16,
    /// What it is.
    pub object: String,
    /// What is up or down.
    pub subject: String,
    /// `Up` or `Down`.
    pub state: String,
    /// Why: `no ip route`, `hw down`.
    pub reason: Option<String>,
    /// How often it has changed.
    pub changes: u32,
    /// Since it changed last.
    pub last_change: Age,
    /// `delay up`, in s.
    pub delay_up: u8,
    /// `delay down`, in s.
    pub delay_down: u8,
    /// The interface that a tracked route leads out of; `unknown`.
    pub first_hop: Option<String>,
    /// Of an operation.
    pub return_code: Option<String>,
    /// Round trip of an operation in ms.
    pub rtt: Option<u32>,
    /// The members of a list: `object 1 Up`.
    pub members: Vec<String>,
    /// What uses it.
    pub tracked_by: Vec<String>,
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    fn show(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        let only = args.int("track-number");
        let record = Tracks::collect(context, only);
        if record.objects.is_empty() && only.is_some() {
            return Err(Complaint::Refused("% Object does not exist".to_owned()));
        }
        Ok(record.render())
    }
    let run: ShowHandler = show;
    let brief: ShowHandler = |context, _| Ok(TrackBrief::collect(context).render());
    vec![kw("track", "Tracking information").run(run).then([
        int("track-number", 1, 1000, "Track object number").run(run),
        plain("brief", "Brief tracking information", brief),
    ])]
}

impl Tracks {
    /// The objects of a router, or one of them.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, only: Option<u16>) -> Self {
        let router = context.router();
        let config = &router.config().tracks;
        let states =
            router.tracking().objects().filter(|(number, _)| only.is_none_or(|only| only == *number));
        let of =
            |(number, state): (u16, &TrackState)| Some(object(context, number, config.get(&number)?, *state));
        Self { objects: states.filter_map(of).collect() }
    }
}

fn object(context: &ShowContext<'_>, number: u16, track: &TrackConfig, state: TrackState) -> Object {
    let operation = match track.object {
        TrackObject::SlaState(number) | TrackObject::SlaReachability(number) => {
            context.router().tracking().operation(number)
        }
        _ => None,
    };
    let is_sla = matches!(track.object, TrackObject::SlaState(_) | TrackObject::SlaReachability(_));
    let by = |user: TrackedBy| match user {
        TrackedBy::StaticRoutes => "Static IP Routing 0".to_owned(),
        TrackedBy::RouteMap(name) => format!("Route Map {name}"),
        TrackedBy::List(number) => format!("Track List {number}"),
    };
    Object {
        number,
        object: title(&track.object),
        subject: subject(&track.object).to_owned(),
        state: word(state.up).to_owned(),
        reason: reason(context, &track.object, state.up),
        changes: state.changes,
        last_change: Age::from(context.now().since(state.since)),
        delay_up: track.delay_up.unwrap_or(0),
        delay_down: track.delay_down.unwrap_or(0),
        first_hop: first_hop(context, &track.object),
        return_code: is_sla.then(|| return_code(operation.and_then(|operation| operation.last)).to_owned()),
        rtt: operation
            .and_then(|operation| operation.rtt)
            .map(|rtt| u32::try_from(rtt.as_millis().max(1)).unwrap_or(u32::MAX)),
        members: members(context, &track.object),
        tracked_by: context.router().tracked_by(number).into_iter().map(by).collect(),
    }
}

const fn word(up: bool) -> &'static str {
    if up { "Up" } else { "Down" }
}

/// `Interface GigabitEthernet0/0 line-protocol`.
fn title(object: &TrackObject) -> String {
    let line = tracked_object(object);
    match line.split_once(' ') {
        Some(("interface", rest)) => format!("Interface {rest}"),
        Some(("ip", rest)) => match rest.strip_prefix("sla ") {
            Some(rest) => format!("IP SLA {rest}"),
            None => format!("IP {rest}"),
        },
        Some(("list", rest)) => format!("List {rest}"),
        _ => line,
    }
}

const fn subject(object: &TrackObject) -> &'static str {
    match object {
        TrackObject::LineProtocol(_) => "Line protocol",
        TrackObject::IpRouting(_) => "IP routing",
        TrackObject::Route(_) | TrackObject::SlaReachability(_) => "Reachability",
        TrackObject::SlaState(_) => "State",
        TrackObject::List { all: true, .. } => "Boolean AND",
        TrackObject::List { .. } => "Boolean OR",
    }
}

fn reason(context: &ShowContext<'_>, object: &TrackObject, up: bool) -> Option<String> {
    let router = context.router();
    match object {
        TrackObject::Route(prefix) => {
            match router.rib().best(TableId::default(), *prefix).map(|route| route.kind) {
                None => Some("no ip route".to_owned()),
                Some(RouteKind::Connected | RouteKind::Local) => Some("connected".to_owned()),
                Some(RouteKind::Static) => Some("static".to_owned()),
                Some(RouteKind::Rip) => Some("RIP".to_owned()),
                Some(RouteKind::EigrpInternal | RouteKind::EigrpExternal | RouteKind::EigrpSummary) => {
                    Some("EIGRP".to_owned())
                }
                Some(RouteKind::BgpExternal | RouteKind::BgpInternal | RouteKind::BgpLocal) => {
                    Some("BGP".to_owned())
                }
                Some(_) => Some("OSPF".to_owned()),
            }
        }
        TrackObject::LineProtocol(name) | TrackObject::IpRouting(name) if !up => {
            let interface = router.interfaces().by_name(*name);
            Some(match interface {
                Some(interface) if !interface.admin_up => "hw admin-down".to_owned(),
                _ => "hw down".to_owned(),
            })
        }
        _ => None,
    }
}

fn first_hop(context: &ShowContext<'_>, object: &TrackObject) -> Option<String> {
    let TrackObject::Route(prefix) = object else { return None };
    let router = context.router();
    let entry = router.fib().entry(TableId::default(), *prefix);
    let interface = entry.and_then(|entry| match entry {
        FibEntry::Receive(interface) | FibEntry::Connected(interface) => Some(interface),
        FibEntry::Paths(paths) => paths.first().map(|path| path.interface),
        FibEntry::Discard => None,
    });
    Some(interface.map_or_else(|| "unknown".to_owned(), |index| context.interface_name(index)))
}

fn members(context: &ShowContext<'_>, object: &TrackObject) -> Vec<String> {
    let TrackObject::List { objects, .. } = object else { return Vec::new() };
    let tracking = context.router().tracking();
    let line = |(number, not): (&u16, &bool)| {
        format!("object {number}{} {}", if *not { " not" } else { "" }, word(tracking.is_up(*number)))
    };
    objects.iter().map(line).collect()
}

impl Object {
    fn render(&self, out: &mut String) {
        let reason = self.reason.as_ref().map_or(String::new(), |reason| format!(" ({reason})"));
        out.push_str(&format!(
            "Track {}\n  {}\n  {} is {}{reason}\n",
            self.number, self.object, self.subject, self.state
        ));
        let plural = if self.changes == 1 { "" } else { "s" };
        out.push_str(&format!("    {} change{plural}, last change {}\n", self.changes, self.last_change));
        self.members.iter().for_each(|member| out.push_str(&format!("    {member}\n")));
        if (self.delay_up, self.delay_down) != (0, 0) {
            let seconds = |count: u32| format!("{count} sec{}", if count == 1 { "" } else { "s" });
            let (up, down) = (seconds(self.delay_up.into()), seconds(self.delay_down.into()));
            out.push_str(&format!("  Delay up {up}, down {down}\n"));
        }
        if let Some(interface) = &self.first_hop {
            out.push_str(&format!("  First-hop interface is {interface}\n"));
        }
        if let Some(code) = &self.return_code {
            out.push_str(&format!("  Latest operation return code: {code}\n"));
        }
        if let Some(rtt) = self.rtt {
            out.push_str(&format!("  Latest RTT (millisecs) {rtt}\n"));
        }
        if !self.tracked_by.is_empty() {
            out.push_str("  Tracked by:\n");
            self.tracked_by.iter().for_each(|user| out.push_str(&format!("    {user}\n")));
        }
    }

    /// Takes in a line about the object; what has no field here is passed over.
    fn read(&mut self, line: Line<'_>, users: &mut bool) -> Result<(), ParseError> {
        let text = line.text.trim();
        if *users {
            self.tracked_by.push(text.to_owned());
        } else if text == "Tracked by:" {
            *users = true;
        } else if self.object.is_empty() {
            self.object = text.to_owned();
        } else if self.subject.is_empty() {
            let [subject, state] = line.holes("{} is {}").ok_or_else(|| line.error("`SUBJECT is STATE`"))?;
            let (state, reason) = state.split_once(" (").map_or((state, None), |(s, r)| (s, Some(r)));
            self.subject = subject.to_owned();
            self.state = state.to_owned();
            self.reason = reason.map(|reason| reason.split(')').next().unwrap_or_default().to_owned());
        } else if let Some([count, _, age]) = line.holes("{} {}, last change {}") {
            self.changes = line.value(count, "a count")?;
            self.last_change = line.value(age, "an age")?;
        } else if let Some([up, _, down, _]) = line.holes("Delay up {} {}, down {} {}") {
            self.delay_up = line.value(up, "seconds")?;
            self.delay_down = line.value(down, "seconds")?;
        } else if let Some([interface]) = line.holes("First-hop interface is {}") {
            self.first_hop = Some(interface.to_owned());
        } else if let Some([code]) = line.holes("Latest operation return code: {}") {
            self.return_code = Some(code.to_owned());
        } else if let Some([rtt]) = line.holes("Latest RTT (millisecs) {}") {
            self.rtt = Some(line.value(rtt, "a time")?);
        } else if text.starts_with("object ") {
            self.members.push(text.to_owned());
        }
        Ok(())
    }
}

impl Record for Tracks {
    fn render(&self) -> String {
        let mut out = String::new();
        for (place, object) in self.objects.iter().enumerate() {
            out.push_str(if place > 0 { "\n" } else { "" });
            object.render(&mut out);
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        let mut users = false;
        for line in lines(text) {
            if let Some([number]) = line.holes("Track {}").filter(|_| !line.is_indented()) {
                record.objects.push(Object { number: line.value(number, "a number")?, ..Object::default() });
                users = false;
                continue;
            }
            let object = record.objects.last_mut().ok_or_else(|| line.error("`Track N`"))?;
            object.read(line, &mut users)?;
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.objects.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn object()(
            number in any::<u16>(), object in arbitrary::word(&["IP SLA 1 reachability", "Interface GigabitEthernet0/0 line-protocol"]),
            subject in arbitrary::word(&["Reachability", "Line protocol", "Boolean AND"]), state in arbitrary::word(&["Up", "Down"]),
            reason in prop::option::of(arbitrary::word(&["no ip route", "hw down"])), changes in any::<u32>(), last_change in arbitrary::age(),
            delays in any::<[u8; 2]>(), first_hop in prop::option::of(arbitrary::interface()),
            return_code in prop::option::of(arbitrary::word(&["OK", "Over threshold"])), rtt in prop::option::of(any::<u32>()),
            members in prop::collection::vec(arbitrary::word(&["object 1 Up", "object 2 not Down"]), 0..3),
            tracked_by in prop::collection::vec(arbitrary::word(&["Static IP Routing 0", "Route Map PBR"]), 0..3),
        ) -> Object {
            let [delay_up, delay_down] = delays;
            Object {
                number, object, subject, state, reason, changes, last_change, delay_up, delay_down, first_hop, return_code, rtt, members,
                tracked_by,
            }
        }
    }

    proptest! {
        #[test]
        fn round_trip(objects in prop::collection::vec(object(), 0..4)) {
            let record = Tracks { objects };
            prop_assert_eq!(Tracks::parse(&record.render()), Ok(record));
        }
    }
}
