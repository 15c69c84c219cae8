//! `show version`.
//!
//! One row: `hostname`, `version`, `software`, `image`, `release`, `rom`, `uptime` (s), `returned_by`, `image_file`,
//! `last_reload_reason`, `hardware`, `memory`, `processor_board_id`, `interfaces`, `config_register`.
//!
//! Clients recognise a router by these lines; the release imitated is IOSv 15.9(3)M6. Copyright and licence notices of the real
//! software are not printed: none of it is here.

use std::collections::BTreeMap;

use netconfarena_emu::interface::InterfaceKind;
use serde::{Deserialize, Serialize};

use super::age::Uptime;
use super::text::lines;
use super::{ParseError, Record, Row, ShowContext, ShowHandler, context, row};
use crate::grammar::{Spec, plain};

/// The record of `show version`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Version {
    /// `IOSv Software`.
    pub software: String,
    /// `VIOS-ADVENTERPRISEK9-M`.
    pub image: String,
    /// `15.9(3)M6`.
    pub version: String,
    /// `fc1`; empty if not printed.
    pub release: String,
    /// The boot program.
    pub rom: String,
    /// The router's name.
    pub hostname: String,
    /// Since the router started.
    pub uptime: Uptime,
    /// `reload`.
    pub returned_by: String,
    /// `flash0:/vios-adventerprisek9-m`.
    pub image_file: String,
    /// Why the router started; `None` if not printed.
    pub last_reload_reason: Option<String>,
    /// `IOSv`.
    pub hardware: String,
    /// `460033K/62464K`.
    pub memory: String,
    /// Serial number.
    pub processor_board_id: String,
    /// Lines such as `4 Gigabit Ethernet interfaces`.
    pub interfaces: Vec<String>,
    /// `0x2102`; empty if not printed.
    pub config_register: String,
}

impl Version {
    /// From a router.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>) -> Self {
        let router = context.router();
        let mut counts: BTreeMap<InterfaceKind, usize> = BTreeMap::new();
        router.ports().iter().for_each(|port| *counts.entry(port.kind()).or_default() += 1);
        Self {
            software: "IOSv Software".to_owned(),
            image: "VIOS-ADVENTERPRISEK9-M".to_owned(),
            version: "15.9(3)M6".to_owned(),
            release: "fc1".to_owned(),
            rom: "Bootstrap program is IOSv".to_owned(),
            hostname: router.config().hostname.clone(),
            uptime: Uptime::from_secs(context.now().since(router.booted()).as_secs()),
            returned_by: "reload".to_owned(),
            image_file: "flash0:/vios-adventerprisek9-m".to_owned(),
            last_reload_reason: Some("Unknown reason".to_owned()),
            hardware: "IOSv".to_owned(),
            memory: "460033K/62464K".to_owned(),
            processor_board_id: format!("9NCA{:07}", router.node().0),
            interfaces: counts.into_iter().map(|(kind, count)| counted(kind, count)).collect(),
            config_register: "0x0".to_owned(),
        }
    }
}

/// `4 Gigabit Ethernet interfaces`.
fn counted(kind: InterfaceKind, count: usize) -> String {
    let name = match kind {
        InterfaceKind::GigabitEthernet => "Gigabit Ethernet",
        InterfaceKind::TenGigabitEthernet => "Ten Gigabit Ethernet",
        other => other.name(),
    };
    format!("{count} {name} interface{}", if count == 1 { "" } else { "s" })
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    let run: ShowHandler = |context, _| context::text(&Version::collect(context));
    vec![plain("version", "System hardware and software status", run)]
}

impl Record for Version {
    fn render(&self) -> String {
        let Self { software, image, version, release, rom, hostname, uptime, .. } = self;
        let Self { returned_by, image_file, hardware, memory, processor_board_id, config_register, .. } =
            self;
        let release =
            if release.is_empty() { String::new() } else { format!(", RELEASE SOFTWARE ({release})") };
        let mut out = format!(
            "Cisco IOS Software, {software} ({image}), Version {version}{release}\n\
             Technical Support: http://www.cisco.com/techsupport\n\
             \n\nROM: {rom}\n\n\
             {hostname} uptime is {uptime}\n\
             System returned to ROM by {returned_by}\n\
             System image file is \"{image_file}\"\n"
        );
        if let Some(reason) = &self.last_reload_reason {
            out.push_str(&format!("Last reload reason: {reason}\n"));
        }
        out.push_str(&format!(
            "\n\n\nCisco {hardware} (revision 1.0) with {memory} bytes of memory.\n\
             Processor board ID {processor_board_id}\n"
        ));
        for line in &self.interfaces {
            out.push_str(&format!("{line}\n"));
        }
        out.push_str("256K bytes of non-volatile configuration memory.\n\n");
        if !config_register.is_empty() {
            out.push_str(&format!("\nConfiguration register is {config_register}\n\n"));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            let text = line.text.trim();
            if let Some([software, image, version]) = line.holes("Cisco IOS Software, {} ({}), Version {}") {
                record.software = software.to_owned();
                record.image = image.to_owned();
                let (version, release) = version.split_once(" RELEASE SOFTWARE (").unwrap_or((version, ""));
                record.version = version.trim_end_matches(',').to_owned();
                record.release = release.trim_end_matches(')').to_owned();
            } else if let Some(rom) = text.strip_prefix("ROM: ") {
                record.rom = rom.to_owned();
            } else if let Some([hostname, uptime]) = line.holes("{} uptime is {}") {
                record.hostname = hostname.to_owned();
                record.uptime = line.value(uptime, "years, weeks, days, hours, minutes")?;
            } else if let Some(by) = text.strip_prefix("System returned to ROM by ") {
                record.returned_by = by.to_owned();
            } else if let Some([file]) = line.holes("System image file is \"{}\"") {
                record.image_file = file.to_owned();
            } else if let Some(reason) = text.strip_prefix("Last reload reason: ") {
                record.last_reload_reason = Some(reason.to_owned());
            } else if let Some([_, hardware, _, memory, _]) = line
                .holes("{}isco {} ({}) with {} bytes of {}")
                .or_else(|| line.holes("{}isco {} ({}) processor with {} bytes of {}"))
            {
                record.hardware = hardware.to_owned();
                record.memory = memory.to_owned();
            } else if let Some(id) = text.strip_prefix("Processor board ID ") {
                record.processor_board_id = id.to_owned();
            } else if text.ends_with(" interfaces") || text.ends_with(" interface") {
                record.interfaces.push(text.to_owned());
            } else if let Some(register) = text.strip_prefix("Configuration register is ") {
                record.config_register = register.to_owned();
            }
        }
        if record.version.is_empty() {
            return Err(ParseError::missing("`Cisco IOS Software, ..., Version ...`"));
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        vec![row(self)]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn round_trip(hostname in "[A-Za-z][A-Za-z0-9_-]{0,10}", seconds in 0u64..10_000_000_000, reason in prop::option::of("[A-Z][a-z]{1,8}"),
            count in 1u32..9, id in "[0-9A-Z]{11}")
        {
            let text = |text: &str| text.to_owned();
            let record = Version {
                software: text("IOSv Software"), image: text("VIOS-ADVENTERPRISEK9-M"), version: text("15.9(3)M6"), release: text("fc1"),
                rom: text("Bootstrap program is IOSv"), hostname, uptime: Uptime::from_secs(seconds), returned_by: text("reload"),
                image_file: text("flash0:/vios-adventerprisek9-m"), last_reload_reason: reason, hardware: text("IOSv"),
                memory: text("460033K/62464K"), processor_board_id: id, interfaces: vec![format!("{count} Gigabit Ethernet interfaces")],
                config_register: text("0x2102"),
            };
            prop_assert_eq!(Version::parse(&record.render()), Ok(record));
        }
    }
}
