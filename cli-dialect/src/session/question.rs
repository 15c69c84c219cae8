//! Questions that a command asks; the next line answers them.

use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::rib::RouteOwner;
use serde::{Deserialize, Serialize};

use super::dialog::Dialog;
use super::exec::Exec;
use super::level::Level;
use super::storage::{Copy, Delayed, FileName};
use crate::config::Complaint;

/// What was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Question {
    /// `enable`: the password of a level.
    EnablePassword {
        /// To which level.
        level: Level,
        /// How often it may be wrong.
        tries: u8,
    },
    /// `configure`: from where.
    ConfigureFrom,
    /// `copy`: to which file.
    CopyTo(Copy),
    /// `copy` to a file that exists.
    OverWrite(Copy),
    /// `delete`: which file of the flash.
    DeleteName(String),
    /// `delete` of a file of the flash.
    Delete(String),
    /// `configure replace`.
    Replace {
        /// With what.
        file: FileName,
        /// Not at all, if a line of it is not taken.
        revert: bool,
    },
    /// `erase startup-config`.
    Erase,
    /// `reload`, with changes that are not saved.
    SaveBeforeReload(Option<Delayed>),
    /// `reload`, at once or later.
    Reload(Option<Delayed>),
    /// `clear ip ospf [N] process`.
    ResetOspf(Option<u16>),
    /// `clear counters [INTERFACE]`.
    ClearCounters(Option<InterfaceName>),
    /// `clear logging`.
    ClearLogging,
    /// `clear line vty N`.
    ClearLine(u16),
    /// `disconnect`.
    Disconnect {
        /// Which connection.
        number: u8,
        /// To whom.
        name: String,
    },
    /// `ping` or `traceroute` without a destination.
    Dialog(Dialog),
}

impl Question {
    /// The question, without a newline behind it.
    pub fn text(&self) -> String {
        match self {
            Self::EnablePassword { .. } => "Password: ".to_owned(),
            Self::ConfigureFrom => "Configuring from terminal, memory, or network [terminal]? ".to_owned(),
            Self::CopyTo(copy) => format!("Destination filename [{}]? ", copy.to.short()),
            Self::Replace { .. } => {
                "This will replace the current running configuration with that of the file,\n\
                 which must be complete and not a part. Enter Y to proceed: [no]: "
                    .to_owned()
            }
            Self::OverWrite(_) => "Do you want to over write? [confirm]".to_owned(),
            Self::DeleteName(name) => format!("Delete filename [{name}]? "),
            Self::Delete(name) => format!("Delete flash:/{name}? [confirm]"),
            Self::Erase => {
                "Erasing the nvram filesystem will remove all configuration files! Continue? [confirm]"
                    .to_owned()
            }
            Self::SaveBeforeReload(_) => {
                "\nSystem configuration has been modified. Save? [yes/no]: ".to_owned()
            }
            Self::Reload(_) => "Proceed with reload? [confirm]".to_owned(),
            Self::ResetOspf(None) => "Reset ALL OSPF processes? [no]: ".to_owned(),
            Self::ResetOspf(Some(process)) => format!("Reset OSPF process {process}? [no]: "),
            Self::ClearCounters(None) => {
                "Clear \"show interface\" counters on all interfaces [confirm]".to_owned()
            }
            Self::ClearCounters(Some(_)) => {
                "Clear \"show interface\" counters on this interface [confirm]".to_owned()
            }
            Self::Dialog(dialog) => dialog.text(),
            Self::ClearLogging => "Clear logging buffer [confirm]".to_owned(),
            Self::ClearLine(_) => "[confirm]".to_owned(),
            Self::Disconnect { name, .. } => format!("Closing connection to {name} [confirm]"),
        }
    }

    /// Does what was asked about, if the answer says so.
    pub fn answer(self, exec: &mut Exec<'_>, answer: &str) -> Result<(), Complaint> {
        let yes = begins("yes", answer);
        let confirmed = answer.is_empty() || yes;
        let node = exec.session.node;
        match self {
            Self::EnablePassword { level, tries } => return exec.enable_with(level, tries, answer),
            Self::ConfigureFrom if answer.is_empty() || begins("terminal", answer) => {
                return exec.configure_terminal();
            }
            Self::ConfigureFrom if begins("memory", answer) => exec.load_startup(),
            Self::ConfigureFrom if begins("network", answer) => {
                return Err(Complaint::Unsupported("configure network".to_owned()));
            }
            Self::ConfigureFrom => {
                return Err(Complaint::Refused(
                    "?Must be \"terminal\", \"memory\" or \"network\"".to_owned(),
                ));
            }
            Self::Dialog(dialog) => return exec.go_on(dialog, answer),
            Self::CopyTo(copy) => return exec.copy_to(copy, answer),
            Self::OverWrite(copy) if confirmed => return exec.copy(&copy),
            Self::DeleteName(name) if answer.is_empty() => exec.ask(Self::Delete(name)),
            Self::DeleteName(_) => match FileName::parse(answer)? {
                FileName::Flash(name) => exec.ask(Self::Delete(name)),
                other => {
                    return Err(Complaint::Refused(format!("%Error deleting {other} (Permission denied)")));
                }
            },
            Self::Delete(name) if confirmed => return exec.delete(&name),
            Self::Replace { file, revert } if yes => return exec.replace(&file, revert),
            Self::Erase if confirmed => exec.erase_startup(),
            Self::SaveBeforeReload(delayed) if yes => {
                exec.save();
                exec.confirm_reload(delayed);
            }
            Self::SaveBeforeReload(delayed) if begins("no", answer) => exec.confirm_reload(delayed),
            Self::SaveBeforeReload(delayed) => {
                exec.out.push_str("% Please answer 'yes' or 'no'.\n");
                exec.ask(Self::SaveBeforeReload(delayed));
            }
            Self::Reload(delayed) if confirmed => exec.reload(delayed),
            Self::ResetOspf(wanted) if yes => {
                let all = exec.network.router(node).config().ospf.keys().copied();
                let reset: Vec<u16> = all.filter(|id| wanted.is_none_or(|wanted| wanted == *id)).collect();
                for process in reset {
                    exec.network.restart_process(node, RouteOwner::Ospf(process));
                }
            }
            Self::ClearCounters(only) if confirmed => {
                let now = exec.network.now();
                exec.network.router_mut(node).clear_counters(now, only);
            }
            Self::ClearLine(line) if confirmed => {
                exec.network.clear_visit(node, line);
                exec.say(" [OK]");
            }
            Self::Disconnect { number, .. } if confirmed => exec.disconnect(number),
            Self::ClearLogging if confirmed => exec.network.router_mut(node).log_mut().clear(),
            Self::Replace { .. }
            | Self::OverWrite(_)
            | Self::Delete(_)
            | Self::Erase
            | Self::Reload(_)
            | Self::ResetOspf(_)
            | Self::ClearCounters(_)
            | Self::ClearLine(_)
            | Self::Disconnect { .. }
            | Self::ClearLogging => {}
        }
        Ok(())
    }
}

/// Whether an answer is the beginning of a word.
fn begins(word: &str, answer: &str) -> bool {
    !answer.is_empty() && crate::grammar::abbreviates(answer, word)
}
