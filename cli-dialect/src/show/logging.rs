//! `show logging`.
//!
//! Row fields, one row for each message of the buffer: `time` (`Jan  1 00:00:12.345`), `facility` (`OSPF`), `severity`, `mnemonic`
//! (`ADJCHG`), `message`; a line that is no message of IOS has only `message`.

use netconfarena_emu::log::LogEntry;
use serde::{Deserialize, Serialize};

use super::text::lines;
use super::{ParseError, Record, Row, ShowContext, ShowHandler, row};
use crate::grammar::{Spec, plain};
use crate::syslog;
use crate::syslog::level::{Destination, NAMES, level};

/// The record of `show logging`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Logging {
    /// Messages that were written to the buffer since the router started.
    pub written: u64,
    /// `logging console`, `logging monitor`, `logging buffered`: the least severe messages that go there; `None` if none do.
    pub levels: [Option<u8>; 3],
    /// The messages that the buffer holds, oldest first.
    pub messages: Vec<Message>,
}

/// A message.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// `*Jan  1 00:00:12.345`; an asterisk says that the clock was not set.
    pub time: Option<String>,
    /// `LINEPROTO`.
    pub facility: Option<String>,
    /// 0 (emergencies) to 7 (debugging).
    pub severity: Option<u8>,
    /// `UPDOWN`.
    pub mnemonic: Option<String>,
    /// The text.
    pub message: String,
}

impl Logging {
    /// From a router.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>) -> Self {
        let log = context.router().log();
        let [console, monitor, buffer] = [Destination::Console, Destination::Monitor, Destination::Buffer]
            .map(|destination| level(context.router().config(), destination));
        let is_kept = |entry: &&LogEntry| buffer.is_some_and(|least| syslog::severity(&entry.event) <= least);
        let messages = log.iter().filter(is_kept).map(|entry| Message::parse(&syslog::line(entry))).collect();
        Self { written: log.written(), levels: [console, monitor, buffer], messages }
    }
}

/// As they stand in the text, in the order of [`Logging::levels`].
const DESTINATIONS: [&str; 3] = ["Console", "Monitor", "Buffer"];

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    vec![plain("logging", "Show the contents of logging buffers", |context, _| {
        Ok(Logging::collect(context).render())
    })]
}

impl Message {
    fn render(&self) -> String {
        let Self { time, facility, severity, mnemonic, message } = self;
        let time = time.as_ref().map_or_else(String::new, |time| format!("{time}: "));
        match (facility, severity, mnemonic) {
            (Some(facility), Some(severity), Some(mnemonic)) => {
                format!("{time}%{facility}-{severity}-{mnemonic}: {message}")
            }
            _ => format!("{time}{message}"),
        }
    }

    fn parse(line: &str) -> Self {
        let plain = || Self { message: line.to_owned(), ..Self::default() };
        let Some((head, rest)) = line.split_once('%') else { return plain() };
        let Some((code, message)) = rest.split_once(": ") else { return plain() };
        let mut parts = code.rsplitn(3, '-');
        let (Some(mnemonic), Some(severity), Some(facility)) = (parts.next(), parts.next(), parts.next())
        else {
            return plain();
        };
        let Ok(severity) = severity.parse() else { return plain() };
        let time = head.trim().trim_end_matches(':');
        Self {
            time: (!time.is_empty()).then(|| time.to_owned()),
            facility: Some(facility.to_owned()),
            severity: Some(severity),
            mnemonic: Some(mnemonic.to_owned()),
            message: message.to_owned(),
        }
    }
}

impl Record for Logging {
    fn render(&self) -> String {
        let written = self.written;
        let logged = |at: usize, count: u64, indent: &str| match self.levels[at] {
            Some(level) => {
                let name = NAMES.get(usize::from(level)).copied().unwrap_or("debugging");
                format!("level {name}, {count} messages logged, xml disabled,\n{indent}filtering disabled")
            }
            None => "disabled".to_owned(),
        };
        let (far, near) = (" ".repeat(21), " ".repeat(20));
        let [console, monitor, buffer] =
            [logged(0, written, &far), logged(1, 0, &far), logged(2, written, &near)];
        let mut out = format!(
            "Syslog logging: enabled (0 messages dropped, 0 messages rate-limited, 0 flushes, 0 overruns, xml disabled, filtering disabled)\n\n\
             No Active Message Discriminator.\n\n\n\nNo Inactive Message Discriminator.\n\n\n    \
             Console logging: {console}\n    Monitor logging: {monitor}\n    Buffer logging:  {buffer}\n    \
             Exception Logging: size (4096 bytes)\n    Count and timestamp logging messages: disabled\n    \
             Persistent logging: disabled\n\nNo active filter modules.\n\n    \
             Trap logging: level informational, {written} message lines logged\n        \
             Logging Source-Interface:       VRF Name:\n\nLog Buffer (8192 bytes):\n\n"
        );
        self.messages.iter().for_each(|message| out.push_str(&format!("{}\n", message.render())));
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        let (mut in_buffer, mut written) = (false, None);
        for line in lines(text) {
            if let Some([destination, level, count, _]) =
                line.holes("{} logging: level {}, {} messages logged, {}")
            {
                let at = DESTINATIONS.iter().position(|name| *name == destination);
                if let Some(place) = at.and_then(|at| record.levels.get_mut(at)) {
                    let named = NAMES.iter().position(|name| *name == level);
                    *place = named.and_then(|level| u8::try_from(level).ok());
                }
                if destination != "Monitor" {
                    written = Some(line.value(count, "a count")?);
                }
            } else if let Some([_, count]) = line.holes("Trap logging: level {}, {} message lines logged") {
                written = written.or(Some(line.value(count, "a count")?));
            } else if line.text.trim_start().starts_with("Log Buffer (") {
                in_buffer = true;
            } else if in_buffer {
                record.messages.push(Message::parse(line.text));
            }
        }
        record.written = written.unwrap_or_default();
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.messages.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    prop_compose! {
        fn message()(facility in "[A-Z]{2,8}(-[A-Z]{2})?", severity in 0u8..8, mnemonic in "[A-Z_]{3,9}", message in "[A-Za-z][ -~]{0,30}[a-z]") -> Message {
            Message { time: Some("*Jan  1 00:00:12.345".to_owned()), facility: Some(facility), severity: Some(severity), mnemonic: Some(mnemonic), message }
        }
    }

    proptest! {
        #[test]
        fn round_trip(written in any::<u64>(), levels in any::<[Option<u8>; 3]>(), messages in prop::collection::vec(message(), 0..6)) {
            let levels = levels.map(|level| level.map(|level| level % 8));
            let record = Logging { written, levels, messages };
            prop_assert_eq!(Logging::parse(&record.render()), Ok(record));
        }
    }
}
