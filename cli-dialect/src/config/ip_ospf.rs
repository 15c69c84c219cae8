//! `ip ospf ...` on interfaces.

use netconfarena_emu::ospf::{
    AuthenticationMode, DeadInterval, DemandCircuit, InterfaceArea, InterfaceAuthentication, NetworkType,
    OspfInterfaceConfig,
};

use super::interface::setting;
use super::{Complaint, Editor, Handler, need};
use crate::grammar::{Args, Form, Spec, area, int, kw, ospf_process, plain, word};

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![
        kw("ip", "Interface Internet Protocol config commands")
            .then([kw("ospf", "OSPF interface commands").then(ospf())]),
    ]
}

fn seconds(handler: Handler, max: u64) -> Spec<Handler> {
    int("seconds", 1, max, "Seconds").run(handler)
}

fn ospf() -> Vec<Spec<Handler>> {
    vec![
        ospf_process().then([kw("area", "Set the OSPF area ID").negatable(process_area as Handler).then([
            area("OSPF area ID").run(process_area as Handler).then([kw(
                "secondaries",
                "Include or exclude secondary IP addresses",
            )
            .then([plain("none", "Exclude secondary IP addresses", process_area as Handler)])]),
        ])]),
        kw("cost", "Interface cost")
            .negatable(cost as Handler)
            .then([int("value", 1, 65535, "Cost").run(cost as Handler)]),
        kw("priority", "Router priority")
            .negatable(priority as Handler)
            .then([int("value", 0, 255, "Priority").run(priority as Handler)]),
        kw("network", "Network type").negatable(network as Handler).then([
            plain("broadcast", "Specify OSPF broadcast multi-access network", network as Handler),
            plain("non-broadcast", "Specify OSPF NBMA network", network as Handler),
            kw("point-to-multipoint", "Specify OSPF point-to-multipoint network")
                .run(network as Handler)
                .then([plain(
                    "non-broadcast",
                    "Specify non-broadcast point-to-mpoint network",
                    network as Handler,
                )]),
            plain("point-to-point", "Specify OSPF point-to-point network", network as Handler),
        ]),
        kw("hello-interval", "Time between HELLO packets")
            .negatable(hello as Handler)
            .then([seconds(hello, 65535)]),
        kw("dead-interval", "Interval after which a neighbor is declared dead")
            .negatable(dead as Handler)
            .then([
                seconds(dead, 65535),
                kw("minimal", "Set to 1 second").then([kw("hello-multiplier", "Set multiplier for Hellos")
                    .then([int("multiplier", 3, 20, "Number of Hellos sent within 1 second")
                        .run(dead as Handler)])]),
            ]),
        kw("retransmit-interval", "Time between retransmitting lost link state advertisements")
            .negatable(retransmit as Handler)
            .then([seconds(retransmit, 65535)]),
        kw("transmit-delay", "Link state transmit delay")
            .negatable(transmit as Handler)
            .then([seconds(transmit, 65535)]),
        plain("mtu-ignore", "Ignores the MTU in DBD packets", mtu_ignore as Handler),
        kw("demand-circuit", "OSPF Demand Circuit").run(demand_circuit as Handler).then([plain(
            "ignore",
            "Ignore demand circuit auto-negotiation requests",
            demand_circuit as Handler,
        )]),
        plain("flood-reduction", "OSPF Flood Reduction", flood_reduction as Handler),
        plain(
            "shutdown",
            "Set OSPF protocol's state to disable under current interface",
            shutdown as Handler,
        ),
        kw("database-filter", "Filter OSPF LSA during synchronization and flooding")
            .negatable(database_filter as Handler)
            .then([kw("all", "Filter all LSA").then([plain(
                "out",
                "Outgoing LSA",
                database_filter as Handler,
            )])]),
        kw("prefix-suppression", "OSPF prefix suppression").run(prefix_suppression as Handler).then([plain(
            "disable",
            "Disable prefix suppression",
            prefix_suppression as Handler,
        )]),
        kw("ttl-security", "TTL security check").run(ttl_security as Handler).then([
            plain("disable", "Disable TTL security check", ttl_security as Handler),
            kw("hops", "Maximum number of hops allowed")
                .then([int("count", 1, 254, "Number of hops").run(ttl_security as Handler)]),
        ]),
        kw("authentication", "Enable authentication").run(authentication as Handler).then([
            plain("message-digest", "Use message-digest authentication", authentication as Handler),
            plain("null", "Use no authentication", authentication as Handler),
            kw("key-chain", "Use a key-chain for cryptographic authentication keys").then([word(
                "chain",
                "Name of key-chain",
            )
            .run(authentication as Handler)]),
        ]),
        kw("authentication-key", "Authentication password (key)")
            .negatable(simple_key as Handler)
            .then(password(simple_key)),
        kw("message-digest-key", "Message digest authentication password (key)").then([int(
            "key-id", 1, 255, "Key ID",
        )
        .negatable(digest_key as Handler)
        .then([kw("md5", "Use MD5 algorithm").negatable(digest_key as Handler).then(password(digest_key))])]),
    ]
}

/// A password, perhaps behind `0`, which says that it is in clear text.
pub(super) fn password(handler: Handler) -> Vec<Spec<Handler>> {
    let text = || word("password", "The OSPF password (key)").run(handler);
    vec![int("encryption", 0, 0, "Specifies an UNENCRYPTED password will follow").then([text()]), text()]
}

fn each(editor: &mut Editor<'_>, change: impl Fn(&mut OspfInterfaceConfig)) -> Result<(), Complaint> {
    for name in editor.interfaces() {
        if let Some(interface) = editor.config.interfaces.get_mut(&name) {
            change(&mut interface.ospf);
        }
    }
    Ok(())
}

/// IOS starts the process if it does not exist yet.
fn process_area(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let process = need(args.int("process-id"))?;
    if args.negated() {
        return each(editor, |ospf| ospf.area = ospf.area.filter(|a| a.process != process));
    }
    let (area, dotted) = need(args.area())?;
    let no_secondaries = args.has("none");
    let config = editor.config.ospf.entry(process).or_default();
    super::ospf::note_notation(config, area, dotted);
    each(editor, |ospf| ospf.area = Some(InterfaceArea { process, area, no_secondaries }))
}

fn cost(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.int("value"));
    each(editor, |ospf| ospf.cost = value)
}

fn priority(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.int("value")).filter(|&p| p != 1);
    each(editor, |ospf| ospf.priority = value)
}

fn network(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let kind = if args.has("point-to-multipoint") && args.has("non-broadcast") {
        NetworkType::PointToMultipointNonBroadcast
    } else if args.has("point-to-multipoint") {
        NetworkType::PointToMultipoint
    } else if args.has("point-to-point") {
        NetworkType::PointToPoint
    } else if args.has("non-broadcast") {
        NetworkType::NonBroadcast
    } else {
        NetworkType::Broadcast
    };
    let kind = setting(args, Some(kind));
    each(editor, |ospf| ospf.network_type = kind)
}

fn hello(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.int("seconds"));
    each(editor, |ospf| ospf.hello_interval = value)
}

fn dead(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let minimal = args.int("multiplier").map(|hello_multiplier| DeadInterval::Minimal { hello_multiplier });
    let value = setting(args, minimal.or(args.int("seconds").map(DeadInterval::Seconds)));
    each(editor, |ospf| ospf.dead_interval = value)
}

fn retransmit(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.int("seconds")).filter(|&s| s != 5);
    each(editor, |ospf| ospf.retransmit_interval = value)
}

fn transmit(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.int("seconds")).filter(|&s| s != 1);
    each(editor, |ospf| ospf.transmit_delay = value)
}

fn mtu_ignore(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    each(editor, |ospf| ospf.mtu_ignore = !args.negated())
}

fn demand_circuit(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let circuit = if args.has("ignore") { DemandCircuit::Ignore } else { DemandCircuit::Run };
    let circuit = setting(args, Some(circuit));
    each(editor, |ospf| ospf.demand_circuit = circuit)
}

fn flood_reduction(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    each(editor, |ospf| ospf.flood_reduction = !args.negated())
}

fn shutdown(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    each(editor, |ospf| ospf.shutdown = !args.negated())
}

fn database_filter(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    each(editor, |ospf| ospf.database_filter = !args.negated())
}

fn prefix_suppression(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = (args.form == Form::Set).then_some(!args.has("disable"));
    each(editor, |ospf| ospf.prefix_suppression = value)
}

fn ttl_security(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let hops = (!args.has("disable")).then_some(args.int("count").unwrap_or(1));
    let value = setting(args, Some(hops));
    each(editor, |ospf| ospf.ttl_security = value)
}

fn authentication(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    each(editor, |ospf| set_authentication(&mut ospf.authentication, args))
}

fn simple_key(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    note_truncation(editor, args, SIMPLE_KEY);
    each(editor, |ospf| set_simple_key(&mut ospf.authentication, args))
}

fn digest_key(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    note_truncation(editor, args, DIGEST_KEY);
    each(editor, |ospf| set_digest_key(&mut ospf.authentication, args))
}

/// A simple password has at most eight octets (RFC 2328 appendix D.2), an MD5 key sixteen.
pub(super) const SIMPLE_KEY: usize = 8;
pub(super) const DIGEST_KEY: usize = 16;

/// Says that a key is too long, and will be cut.
pub(super) fn note_truncation(editor: &mut Editor<'_>, args: &Args, most: usize) {
    if !args.negated() && args.text("password").is_some_and(|key| key.chars().count() > most) {
        let said = format!("% OSPF: Warning: The password/key will be truncated to {most} characters\n");
        editor.said.push_str(&said);
    }
}

/// `authentication [message-digest | null | key-chain NAME]`, here and on virtual links.
pub(super) fn set_authentication(authentication: &mut InterfaceAuthentication, args: &Args) {
    if args.negated() {
        authentication.mode = None;
        authentication.key_chain = None;
    } else if let Some(chain) = args.text("chain") {
        authentication.mode = None;
        authentication.key_chain = Some(chain.to_owned());
    } else {
        authentication.key_chain = None;
        authentication.mode = Some(if args.has("message-digest") {
            AuthenticationMode::MessageDigest
        } else if args.has("null") {
            AuthenticationMode::Null
        } else {
            AuthenticationMode::Simple
        });
    }
}

/// A plain password has at most eight octets on the wire (RFC 2328 appendix D.3).
pub(super) fn set_simple_key(authentication: &mut InterfaceAuthentication, args: &Args) {
    let key = setting(args, args.text("password"));
    authentication.simple_key = key.map(|k| k.chars().take(SIMPLE_KEY).collect());
}

/// `message-digest-key N md5 KEY`.
pub(super) fn set_digest_key(authentication: &mut InterfaceAuthentication, args: &Args) {
    let Some(id) = args.int("key-id") else { return };
    match setting(args, args.text("password")) {
        Some(key) => {
            authentication.digest_keys.insert(id, key.chars().take(DIGEST_KEY).collect());
        }
        None => {
            authentication.digest_keys.remove(&id);
        }
    }
}
