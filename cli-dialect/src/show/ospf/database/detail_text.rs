//! One LSA as text, and back.

use std::net::Ipv4Addr;

use super::LsaKind;
use super::detail::{Body, Link, LinkKind, Lsa, Router};
use crate::show::ParseError;
use crate::show::text::Line;

/// `Link connected to: ...`, and what Link ID and Link Data are called.
const fn link_words(kind: LinkKind) -> (&'static str, &'static str, &'static str) {
    match kind {
        LinkKind::PointToPoint => {
            ("another Router (point-to-point)", "Neighboring Router ID", "Router Interface address")
        }
        LinkKind::Transit => ("a Transit Network", "Designated Router address", "Router Interface address"),
        LinkKind::Stub => ("a Stub Network", "Network/subnet number", "Network Mask"),
        LinkKind::Virtual => ("a Virtual Link", "Neighboring Router ID", "Router Interface address"),
    }
}

/// `LS Type:`, and what stands behind the link state id.
const fn type_words(kind: LsaKind) -> (&'static str, &'static str) {
    match kind {
        LsaKind::Router => ("Router Links", ""),
        LsaKind::Network => ("Network Links", " (address of Designated Router)"),
        LsaKind::Summary => ("Summary Links(Network)", " (summary Network Number)"),
        LsaKind::AsbrSummary => ("Summary Links(AS Boundary Router)", " (AS Boundary Router address)"),
        LsaKind::External => ("AS External Link", " (External Network Number )"),
        LsaKind::NssaExternal => ("AS External Link", " (External Network Number )"),
        LsaKind::OpaqueLink => ("Opaque Link-Local Link", ""),
        LsaKind::OpaqueArea => ("Opaque Area Link", ""),
        LsaKind::OpaqueAs => ("Opaque AS Link", ""),
    }
}

pub(super) fn render(kind: LsaKind, lsa: &Lsa, out: &mut String) {
    if lsa.routing_bit {
        out.push_str("  Routing Bit Set on this LSA in topology Base with MTID 0\n");
    }
    let age = match (lsa.age, lsa.do_not_age) {
        (3600, false) => "MAXAGE(3600)".to_owned(),
        (age, true) => format!("{age} (DoNotAge)"),
        (age, false) => age.to_string(),
    };
    let (name, behind) = type_words(kind);
    out.push_str(&format!(
        "  LS age: {age}\n  Options: {}\n  LS Type: {name}\n  Link State ID: {}{behind}\n  Advertising Router: {}\n  \
         LS Seq Number: {:08X}\n  Checksum: 0x{:X}\n  Length: {}\n",
        lsa.options, lsa.link_id, lsa.advertising_router, lsa.sequence, lsa.checksum, lsa.length
    ));
    match &lsa.body {
        Body::Router(router) => render_router(router, out),
        Body::Network { mask, attached } => {
            out.push_str(&format!("  Network Mask: /{mask}\n"));
            attached.iter().for_each(|router| out.push_str(&format!("\tAttached Router: {router}\n")));
        }
        Body::Summary { mask, metric } => {
            out.push_str(&format!("  Network Mask: /{mask}\n\tMTID: 0 \tMetric: {metric} \n"));
        }
        Body::External { mask, metric_type, metric, forward_address, tag } => {
            let meaning = match metric_type {
                1 => "Comparable directly to link state metric",
                _ => "Larger than any link state path",
            };
            out.push_str(&format!(
                "  Network Mask: /{mask}\n\tMetric Type: {metric_type} ({meaning})\n\tMTID: 0 \n\tMetric: {metric} \n\t\
                 Forward Address: {forward_address}\n\tExternal Route Tag: {tag}\n"
            ));
        }
    }
}

fn render_router(router: &Router, out: &mut String) {
    for (flag, line) in [
        (router.virtual_endpoint, "  Virtual Link Endpoint\n"),
        (router.area_border, "  Area Border Router\n"),
        (router.as_boundary, "  AS Boundary Router\n"),
    ] {
        out.push_str(if flag { line } else { "" });
    }
    out.push_str(&format!("  Number of Links: {}\n", router.links.len()));
    for link in &router.links {
        let (kind, id, data) = link_words(link.kind);
        out.push_str(&format!(
            "\n    Link connected to: {kind}\n     (Link ID) {id}: {}\n     (Link Data) {data}: {}\n      \
             Number of MTID metrics: 0\n       TOS 0 Metrics: {}\n",
            link.id, link.data, link.metric
        ));
    }
    out.push('\n');
}

/// Reads the lines of one LSA.
pub(super) fn parse(kind: LsaKind, block: &[Line<'_>]) -> Result<Lsa, ParseError> {
    let mut lsa = Lsa {
        age: 0,
        do_not_age: false,
        routing_bit: false,
        options: String::new(),
        link_id: Ipv4Addr::UNSPECIFIED,
        advertising_router: Ipv4Addr::UNSPECIFIED,
        sequence: 0,
        checksum: 0,
        length: 0,
        body: empty_body(kind),
    };
    for &line in block {
        let text = line.text.trim();
        if let Some((name, value)) = text.split_once(": ") {
            field(&mut lsa, line, name, value.trim())?;
        } else {
            flag(&mut lsa, text);
        }
    }
    Ok(lsa)
}

const fn empty_body(kind: LsaKind) -> Body {
    match kind {
        LsaKind::Router => Body::Router(Router {
            area_border: false,
            as_boundary: false,
            virtual_endpoint: false,
            links: Vec::new(),
        }),
        LsaKind::Network => Body::Network { mask: 0, attached: Vec::new() },
        LsaKind::Summary | LsaKind::AsbrSummary => Body::Summary { mask: 0, metric: 0 },
        _ => Body::External {
            mask: 0,
            metric_type: 2,
            metric: 0,
            forward_address: Ipv4Addr::UNSPECIFIED,
            tag: 0,
        },
    }
}

/// A line without a colon.
fn flag(lsa: &mut Lsa, text: &str) {
    if text.starts_with("Routing Bit Set") {
        lsa.routing_bit = true;
    } else if let Body::Router(router) = &mut lsa.body {
        match text {
            "Area Border Router" => router.area_border = true,
            "AS Boundary Router" => router.as_boundary = true,
            "Virtual Link Endpoint" => router.virtual_endpoint = true,
            _ => {}
        }
    }
}

/// `NAME: VALUE`; an unknown name is passed over.
fn field(lsa: &mut Lsa, line: Line<'_>, name: &str, value: &str) -> Result<(), ParseError> {
    let first = value.split_whitespace().next().unwrap_or_default();
    match name {
        "LS age" => {
            let digits = first.trim_start_matches("MAXAGE(").trim_end_matches(')');
            lsa.age = line.value(digits, "an age")?;
            lsa.do_not_age = value.contains("(DoNotAge)");
        }
        "Options" => lsa.options = value.to_owned(),
        "Link State ID" => lsa.link_id = line.value(first, "a link state id")?,
        "Advertising Router" => lsa.advertising_router = line.value(first, "a router id")?,
        "LS Seq Number" => lsa.sequence = hex(line, value)?,
        "Checksum" => {
            let sum = hex(line, value.trim_start_matches("0x"))?;
            lsa.checksum = u16::try_from(sum).map_err(|_| line.error("a checksum"))?;
        }
        "Length" => lsa.length = line.value(value, "a length")?,
        _ => body_field(&mut lsa.body, line, name, value)?,
    }
    Ok(())
}

fn hex(line: Line<'_>, digits: &str) -> Result<u32, ParseError> {
    u32::from_str_radix(digits, 16).map_err(|_| line.error("a number in hexadecimal"))
}

fn body_field(body: &mut Body, line: Line<'_>, name: &str, value: &str) -> Result<(), ParseError> {
    let length = |text: &str| line.value(text.trim_start_matches('/'), "the length of a mask");
    match (body, name) {
        (Body::Router(router), _) => link_field(router, line, name, value)?,
        (
            Body::Network { mask, .. } | Body::Summary { mask, .. } | Body::External { mask, .. },
            "Network Mask",
        ) => {
            *mask = length(value)?;
        }
        (Body::Network { attached, .. }, "Attached Router") => {
            attached.push(line.value(value, "a router id")?)
        }
        (Body::Summary { metric, .. }, "MTID" | "TOS") => {
            let number = value.split_once("Metric:").map_or(value, |(_, metric)| metric);
            *metric = line.value(number, "a metric")?;
        }
        (Body::External { metric_type, .. }, "Metric Type") => {
            let number = value.split_whitespace().next().unwrap_or_default();
            *metric_type = line.value(number, "a metric type")?;
        }
        (Body::External { metric, .. }, "Metric") => *metric = line.value(value, "a metric")?,
        (Body::External { forward_address, .. }, "Forward Address") => {
            *forward_address = line.value(value, "an address")?;
        }
        (Body::External { tag, .. }, "External Route Tag") => *tag = line.value(value, "a tag")?,
        _ => {}
    }
    Ok(())
}

fn link_field(router: &mut Router, line: Line<'_>, name: &str, value: &str) -> Result<(), ParseError> {
    use LinkKind::{PointToPoint, Stub, Transit, Virtual};
    if name == "Link connected to" {
        let kind = [PointToPoint, Transit, Stub, Virtual]
            .into_iter()
            .find(|&kind| link_words(kind).0 == value)
            .ok_or_else(|| line.error("what the link is connected to"))?;
        let none = Ipv4Addr::UNSPECIFIED;
        router.links.push(Link { kind, id: none, data: none, metric: 0 });
    } else if let Some(link) = router.links.last_mut() {
        if name.starts_with("(Link ID)") {
            link.id = line.value(value, "a link id")?;
        } else if name.starts_with("(Link Data)") {
            link.data = line.value(value, "link data")?;
        } else if name == "TOS 0 Metrics" {
            link.metric = line.value(value, "a metric")?;
        }
    }
    Ok(())
}
