//! `af-interface` in named mode.

use netconfarena_emu::eigrp::{AuthenticationMode, EigrpInterfaceConfig, InterfaceSummary};

use super::routes::prefix;
use super::{EigrpMode, leave};
use crate::config::interface::setting;
use crate::config::{Complaint, ConfigMode, Editor, Handler, need};
use crate::grammar::{Args, Form, Spec, int, interface, ip, kw, plain, word};

/// How `af-interface` is entered.
pub(super) fn entry_table() -> Vec<Spec<Handler>> {
    vec![kw("af-interface", "Enter Address Family interface configuration").then([
        plain("default", "Default interface configuration", enter as Handler),
        interface("Interface").run(enter as Handler),
    ])]
}

/// What stands under it.
pub(in crate::config) fn table() -> Vec<Spec<Handler>> {
    vec![
        kw("hello-interval", "Configures hello interval").negatable(hello_interval as Handler).then([int(
            "seconds",
            1,
            65535,
            "Seconds between hello transmissions",
        )
        .run(hello_interval as Handler)]),
        kw("hold-time", "Configures hold time").negatable(hold_time as Handler).then([int(
            "seconds",
            1,
            65535,
            "Seconds before neighbor is considered down",
        )
        .run(hold_time as Handler)]),
        plain("split-horizon", "Perform split horizon", split_horizon as Handler),
        plain("next-hop-self", "Configures EIGRP next-hop-self", next_hop_self as Handler),
        kw("bandwidth-percent", "Set percentage of bandwidth percentage limit")
            .negatable(bandwidth_percent as Handler)
            .then([
                int("percent", 1, 999_999, "Maximum bandwidth percentage").run(bandwidth_percent as Handler)
            ]),
        authentication_spec(),
        plain("passive-interface", "Suppress address updates on an interface", passive as Handler),
        plain("shutdown", "Disable Address-Family on interface", shutdown as Handler),
        kw("summary-address", "Perform address summarization").then([ip("address", "Summary <network>")
            .then([ip("mask", "Summary mask").run(summary_address as Handler).then([kw(
                "leak-map",
                "Allow dynamic prefixes based on the leak-map",
            )
            .then([word("map", "Name of leak-map").run(summary_address as Handler)])])])]),
        plain("exit-af-interface", "Exit from Address Family Interface configuration mode", leave as Handler),
    ]
}

fn authentication_spec() -> Spec<Handler> {
    let password = || word("password", "password").run(mode as Handler);
    kw("authentication", "authentication subcommands").then([
        kw("mode", "mode").negatable(mode as Handler).then([
            plain("md5", "Keyed message digest", mode as Handler),
            kw("hmac-sha-256", "HMAC-SHA-256 Authentication").then([
                int("encryption", 0, 0, "Encryption type (0 for unencrypted)").then([password()]),
                password(),
            ]),
        ]),
        kw("key-chain", "key-chain").negatable(key_chain as Handler).then([word(
            "chain",
            "name of key-chain",
        )
        .run(key_chain as Handler)]),
    ])
}

fn enter(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let ConfigMode::Eigrp(EigrpMode::Family(family)) = &*editor.mode else { return need(None) };
    let (family, name) = (family.clone(), args.interface());
    let router = need(editor.config.eigrp.named.get_mut(&family.router))?;
    let instance = need(router.families.get_mut(&(family.vrf.clone(), family.autonomous_system)))?;
    if args.negated() {
        match name {
            Some(name) => {
                instance.interfaces.remove(&name);
            }
            None => instance.interface_default = EigrpInterfaceConfig::default(),
        }
        return Ok(());
    }
    if let Some(name) = name {
        instance.interfaces.entry(name).or_default();
    }
    *editor.mode = ConfigMode::Eigrp(EigrpMode::AfInterface(family, name));
    Ok(())
}

/// Changes the settings of the mode. They are kept as written, also where they say what holds without them: `af-interface default`
/// may say otherwise later.
fn change(editor: &mut Editor<'_>, change: impl FnOnce(&mut EigrpInterfaceConfig)) -> Result<(), Complaint> {
    let ConfigMode::Eigrp(EigrpMode::AfInterface(family, name)) = &*editor.mode else { return need(None) };
    let router = need(editor.config.eigrp.named.get_mut(&family.router))?;
    let instance = need(router.families.get_mut(&(family.vrf.clone(), family.autonomous_system)))?;
    change(match name {
        None => &mut instance.interface_default,
        Some(name) => need(instance.interfaces.get_mut(name))?,
    });
    Ok(())
}

fn switch(args: &Args) -> Option<bool> {
    match args.form {
        Form::Set => Some(true),
        Form::No => Some(false),
        Form::Default => None,
    }
}

fn hello_interval(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.int("seconds"));
    change(editor, |own| own.hello_interval = value)
}

fn hold_time(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.int("seconds"));
    change(editor, |own| own.hold_time = value)
}

fn bandwidth_percent(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.int("percent"));
    change(editor, |own| own.bandwidth_percent = value)
}

fn split_horizon(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    change(editor, |own| own.split_horizon = switch(args))
}

fn next_hop_self(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    change(editor, |own| own.next_hop_self = switch(args))
}

fn passive(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    change(editor, |own| own.passive = switch(args))
}

fn shutdown(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    change(editor, |own| own.shutdown = !args.negated())
}

fn mode(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let password = args.text("password").map(|password| AuthenticationMode::HmacSha256(password.to_owned()));
    let value = setting(args, Some(password.unwrap_or(AuthenticationMode::Md5)));
    change(editor, |own| own.authentication = value)
}

fn key_chain(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let chain = setting(args, args.text("chain")).map(str::to_owned);
    change(editor, |own| own.key_chain = chain)
}

fn summary_address(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let prefix = prefix(args)?;
    let leak_map = args.text("map").map(str::to_owned);
    change(editor, |own| {
        if args.negated() {
            own.summaries.remove(&prefix);
        } else {
            own.summaries.insert(prefix, InterfaceSummary { distance: None, leak_map });
        }
    })
}
