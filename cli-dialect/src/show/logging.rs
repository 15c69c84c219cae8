//! `show logging`.
//!
//! Row fields, one row for each message of the buffer: `time` (`Jan  1 00:00:12.345`), `facility` (`OSPF`), `severity`, `mnemonic`
//! (`ADJCHG`), `message`; a line that is no message of IOS has only `message`.

use serde::{Deserialize, Serialize};

use super::text::lines;
use super::{ParseError, Record, Row, ShowContext, ShowHandler, row};
use crate::grammar::{Spec, plain};
use crate::syslog;

/// The record of `show logging`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Logging {
    /// Messages that were written to the buffer since the router started.
    pub written: u64,
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
        let messages = log.iter().map(|entry| Message::parse(&syslog::line(entry))).collect();
        Self { written: log.written(), messages }
    }
}

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
        let mut out = format!(
            "Syslog logging: enabled (0 messages dropped, 0 messages rate-limited, 0 flushes, 0 overruns, xml disabled, filtering disabled)\n\n\
             No Active Message Discriminator.\n\n\n\nNo Inactive Message Discriminator.\n\n\n    \
             Console logging: level debugging, {written} messages logged, xml disabled,\n                     filtering disabled\n    \
             Monitor logging: level debugging, 0 messages logged, xml disabled,\n                     filtering disabled\n    \
             Buffer logging:  level debugging, {written} messages logged, xml disabled,\n                    filtering disabled\n    \
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
        let mut in_buffer = false;
        for line in lines(text) {
            if let Some([_, written, _]) = line.holes("Buffer logging: level {}, {} messages logged, {}") {
                record.written = line.value(written, "a count")?;
            } else if line.text.trim_start().starts_with("Log Buffer (") {
                in_buffer = true;
            } else if in_buffer {
                record.messages.push(Message::parse(line.text));
            }
        }
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
        fn round_trip(written in any::<u64>(), messages in prop::collection::vec(message(), 0..6)) {
            let record = Logging { written, messages };
            prop_assert_eq!(Logging::parse(&record.render()), Ok(record));
        }
    }
}
