//! The output of `ping`.
//!
//! One row: `destination`, `sent`, `received`, `success_percent`, `size`, `greatest_size` (null unless sizes were swept),
//! `timeout`, `source` (null if not given), `replies`
//! (the characters), `rtt_min`, `rtt_avg`, `rtt_max` (ms, null without replies).

use serde::{Deserialize, Serialize};

use super::text::lines;
use super::{ParseError, Record, Row, row};

/// Replies on one line of output.
const WIDTH: usize = 70;

/// The record of a ping.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ping {
    /// Where to, as printed.
    pub destination: String,
    /// Echo requests sent.
    pub sent: u32,
    /// Size of the IP packets, in octets.
    pub size: u32,
    /// The greatest size, if a range of sizes was swept, which `size` begins.
    pub greatest_size: Option<u32>,
    /// Seconds waited for each reply.
    pub timeout: u32,
    /// Source address, if one was asked for.
    pub source: Option<String>,
    /// `df-bit`.
    pub df_bit: bool,
    /// One character for each request: `!` reply, `.` none, `U` unreachable, `Q` quench, `M` must fragment, `&` time to live exceeded.
    pub replies: String,
    /// Echo replies received.
    pub received: u32,
    /// Share of requests answered, in percent, rounded down.
    pub success_percent: u32,
    /// Least round-trip time, in ms.
    pub rtt_min: Option<u32>,
    /// Mean round-trip time, in ms.
    pub rtt_avg: Option<u32>,
    /// Greatest round-trip time, in ms.
    pub rtt_max: Option<u32>,
}

impl Record for Ping {
    fn render(&self) -> String {
        let size = match self.greatest_size {
            Some(greatest) => format!("[{}..{greatest}]", self.size),
            None => self.size.to_string(),
        };
        let mut out = format!(
            "Type escape sequence to abort.\nSending {}, {size}-byte ICMP Echos to {}, timeout is {} seconds:\n",
            self.sent, self.destination, self.timeout
        );
        if let Some(source) = &self.source {
            out.push_str(&format!("Packet sent with a source address of {source} \n"));
        }
        if self.df_bit {
            out.push_str("Packet sent with the DF bit set\n");
        }
        for (at, reply) in self.replies.chars().enumerate() {
            if at > 0 && at % WIDTH == 0 {
                out.push('\n');
            }
            out.push(reply);
        }
        out.push_str(&format!(
            "\nSuccess rate is {} percent ({}/{})",
            self.success_percent, self.received, self.sent
        ));
        if let (Some(min), Some(avg), Some(max)) = (self.rtt_min, self.rtt_avg, self.rtt_max) {
            out.push_str(&format!(", round-trip min/avg/max = {min}/{avg}/{max} ms"));
        }
        out.push('\n');
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let lines = lines(text);
        let mut head = None;
        let mut source = None;
        let mut df_bit = false;
        let mut replies = String::new();
        for line in lines {
            if let Some([sent, size, destination, timeout]) =
                line.holes("Sending {}, {}-byte ICMP Echos to {}, timeout is {} seconds:")
            {
                let range =
                    size.strip_prefix('[').and_then(|range| range.strip_suffix(']')?.split_once(".."));
                let (size, greatest) =
                    range.map_or((size, None), |(least, greatest)| (least, Some(greatest)));
                head = Some((
                    line.value(sent, "a count")?,
                    line.value(size, "a size")?,
                    greatest.map(|greatest| line.value(greatest, "a size")).transpose()?,
                    destination.to_owned(),
                    line.value(timeout, "seconds")?,
                ));
            } else if let Some([address]) = line.holes("Packet sent with a source address of {}") {
                source = Some(address.to_owned());
            } else if line.is("Packet sent with the DF bit set") {
                df_bit = true;
            } else if line.text.starts_with("Success rate is") {
                let (sent, size, greatest_size, destination, timeout) =
                    head.ok_or_else(|| line.error("`Sending ...` before the success rate"))?;
                let (summary, times) =
                    line.text.split_once(", round-trip min/avg/max = ").unwrap_or((line.text, ""));
                let [percent, received, _sent] =
                    super::text::holes(summary, "Success rate is {} percent ({}/{})")
                        .ok_or_else(|| line.error("Success rate is N percent (M/N)"))?;
                let [rtt_min, rtt_avg, rtt_max] = match super::text::holes::<3>(times, "{}/{}/{} ms") {
                    Some(times) => {
                        let [min, avg, max] = times.map(|t| line.value(t, "milliseconds"));
                        [Some(min?), Some(avg?), Some(max?)]
                    }
                    None => [None; 3],
                };
                return Ok(Self {
                    destination,
                    sent,
                    size,
                    greatest_size,
                    timeout,
                    source,
                    df_bit,
                    replies,
                    rtt_min,
                    rtt_avg,
                    rtt_max,
                    received: line.value(received, "a count")?,
                    success_percent: line.value(percent, "a percentage")?,
                });
            } else if head.is_some() && line.text.chars().all(|c| "!.UQM?&ANHP".contains(c)) {
                replies.push_str(line.text.trim());
            } else if !line.text.starts_with("Type escape") && !line.text.starts_with("Reply to request") {
                return Err(line.error("the output of ping"));
            }
        }
        Err(ParseError::missing("`Success rate is ...`"))
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
        fn round_trip(
            destination in any::<u32>(), replies in "[!.UQM]{1,200}", source in prop::option::of(any::<u32>()),
            size in 36u32..18024, greatest_size in prop::option::of(36u32..18024), df_bit in any::<bool>(), times in prop::option::of(any::<[u16; 3]>()),
        ) {
            let received = replies.matches('!').count() as u32;
            let sent = replies.len() as u32;
            let times = times.map(|t| t.map(u32::from));
            let record = Ping {
                destination: std::net::Ipv4Addr::from(destination).to_string(),
                source: source.map(|s| std::net::Ipv4Addr::from(s).to_string()),
                sent, size, greatest_size, timeout: 2, df_bit, replies, received, success_percent: received * 100 / sent,
                rtt_min: times.map(|t| t[0]), rtt_avg: times.map(|t| t[1]), rtt_max: times.map(|t| t[2]),
            };
            prop_assert_eq!(Ping::parse(&record.render()), Ok(record));
        }
    }
}
