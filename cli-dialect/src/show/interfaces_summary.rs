//! `show interfaces [X] summary`: what waits at the interfaces, and their rates.
//!
//! Row fields: `interface` (full name), `up`, `input_queue`, `input_drops`, `output_queue`, `output_drops`, `input_rate` (bits/s),
//! `input_packet_rate`, `output_rate`, `output_packet_rate`, `throttles`.

use serde::{Deserialize, Serialize};

use super::interfaces::{Entry as Interface, Interfaces};
use super::text::{Line, lines};
use super::{ParseError, Record, Row, ShowContext, ShowHandler, row};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, interface, kw, plain};

/// The record of `show interfaces summary`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterfacesSummary {
    /// The interfaces.
    pub interfaces: Vec<Entry>,
}

/// An interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Full name.
    pub interface: String,
    /// `*`.
    pub up: bool,
    /// Packets in the input hold queue.
    pub input_queue: u64,
    /// Packets dropped from it.
    pub input_drops: u64,
    /// Packets in the output hold queue.
    pub output_queue: u64,
    /// Packets dropped from it.
    pub output_drops: u64,
    /// Bits a second.
    pub input_rate: u64,
    /// Packets a second.
    pub input_packet_rate: u64,
    /// Bits a second.
    pub output_rate: u64,
    /// Packets a second.
    pub output_packet_rate: u64,
    /// Throttles.
    pub throttles: u64,
}

const LEGEND: &str = "
 *: interface is up
 IHQ: pkts in input hold queue     IQD: pkts dropped from input queue
 OHQ: pkts in output hold queue    OQD: pkts dropped from output queue
 RXBS: rx rate (bits/sec)          RXPS: rx rate (pkts/sec)
 TXBS: tx rate (bits/sec)          TXPS: tx rate (pkts/sec)
 TRTL: throttle count

  Interface                   IHQ       IQD       OHQ       OQD      RXBS      RXPS      TXBS      TXPS      TRTL
-----------------------------------------------------------------------------------------------------------------
";

impl Entry {
    const fn numbers(&self) -> [u64; 9] {
        let Self { input_queue, input_drops, output_queue, output_drops, .. } = *self;
        let Self { input_rate, input_packet_rate, output_rate, output_packet_rate, throttles, .. } = *self;
        [
            input_queue,
            input_drops,
            output_queue,
            output_drops,
            input_rate,
            input_packet_rate,
            output_rate,
            output_packet_rate,
            throttles,
        ]
    }

    /// Of an interface here: nothing waits in queues.
    fn of(interface: &Interface) -> Self {
        let traffic = interface.traffic.clone().unwrap_or_default();
        Self {
            interface: interface.interface.clone(),
            up: interface.protocol == "up",
            output_drops: traffic.output_drops,
            input_rate: traffic.input_rate,
            input_packet_rate: traffic.input_packet_rate,
            output_rate: traffic.output_rate,
            output_packet_rate: traffic.output_packet_rate,
            ..Self::default()
        }
    }
}

impl Record for InterfacesSummary {
    fn render(&self) -> String {
        let mut out = LEGEND.to_owned();
        for entry in &self.interfaces {
            let mark = if entry.up { '*' } else { ' ' };
            let numbers: String = entry.numbers().iter().map(|number| format!("{number:>10}")).collect();
            out.push_str(&format!("{mark} {:<21}{numbers}\n", entry.interface));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let all = lines(text);
        let body = all.into_iter().skip_while(|line| !line.text.starts_with("---")).skip(1);
        let interfaces = body.filter(|line| !line.text.starts_with("NOTE")).map(entry);
        Ok(Self { interfaces: interfaces.collect::<Result<_, _>>()? })
    }

    fn rows(&self) -> Vec<Row> {
        self.interfaces.iter().map(row).collect()
    }
}

fn entry(line: Line<'_>) -> Result<Entry, ParseError> {
    let expected = "an interface with nine numbers";
    let up = line.text.starts_with('*');
    let words: Vec<&str> = line.text.trim_start_matches('*').split_whitespace().collect();
    let [interface, numbers @ ..] = words.as_slice() else { return Err(line.error(expected)) };
    let numbers: Result<Vec<u64>, _> = numbers.iter().map(|word| line.value(word, expected)).collect();
    let &[
        input_queue,
        input_drops,
        output_queue,
        output_drops,
        input_rate,
        input_packet_rate,
        output_rate,
        output_packet_rate,
        throttles,
    ] = numbers?.as_slice()
    else {
        return Err(line.error(expected));
    };
    Ok(Entry {
        interface: (*interface).to_owned(),
        up,
        input_queue,
        input_drops,
        output_queue,
        output_drops,
        input_rate,
        input_packet_rate,
        output_rate,
        output_packet_rate,
        throttles,
    })
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    fn show(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        let all = Interfaces::collect(context, args.interface())?;
        Ok(InterfacesSummary { interfaces: all.interfaces.iter().map(Entry::of).collect() }.render())
    }
    let run: ShowHandler = show;
    let summary = || plain("summary", "Show interface summary", run);
    vec![
        kw("interfaces", "Interface status and configuration")
            .then([summary(), interface("Interface name").then([summary()])]),
    ]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((any::<bool>(), "(GigabitEthernet|Serial)[0-9]/[0-9]", any::<[u32; 9]>()), 0..4)) {
            let one = |(up, interface, numbers): (bool, String, [u32; 9])| {
                let [input_queue, input_drops, output_queue, output_drops, input_rate, input_packet_rate, output_rate, output_packet_rate, throttles] =
                    numbers.map(|number| u64::from(number) / 10);
                Entry { interface, up, input_queue, input_drops, output_queue, output_drops, input_rate, input_packet_rate, output_rate, output_packet_rate, throttles }
            };
            let record = InterfacesSummary { interfaces: list.into_iter().map(one).collect() };
            prop_assert_eq!(InterfacesSummary::parse(&record.render()), Ok(record));
        }
    }
}
