//! `show memory statistics`, `show processes cpu`: what the box uses.
//!
//! Row fields of the first, one row for each pool: `pool`, `head`, `total`, `used`, `free`, `lowest`, `largest` (octets). What is used is the
//! size of the router's state, the rest is free. Of the second, one row for each process, or one in all if none is listed: `five_seconds`,
//! `interrupts`, `one_minute`, `five_minutes` (per cent), and of the process `pid`, `runtime_ms`, `invoked`, `usecs`, `last_five_seconds`,
//! `last_minute`, `last_five_minutes` (`0.00%`), `tty`, `process`. What a router computes takes no time of the network: all are zero here.
//! Those processes are listed that do something at the router: input, routing protocols, sessions of people.

use netconfarena_emu::rib::RouteOwner;
use serde::{Deserialize, Serialize};

use super::system::FIRST_TERMINAL;
use super::text::{Line, lines};
use super::version::Version;
use super::{ParseError, Record, Row, ShowContext, ShowHandler, row};
use crate::grammar::{Spec, kw, plain};

/// The record of `show memory statistics`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// `Processor` and `I/O`.
    pub pools: Vec<Pool>,
}

/// A pool of memory, in octets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pool {
    /// `Processor`.
    pub pool: String,
    /// Where it begins, in hexadecimal.
    pub head: String,
    /// How large it is.
    pub total: u64,
    /// What is used.
    pub used: u64,
    /// What is free.
    pub free: u64,
    /// The least that was free.
    pub lowest: u64,
    /// The largest free piece.
    pub largest: u64,
}

impl Memory {
    /// From a router.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>) -> Self {
        let memory = Version::collect(context).memory;
        let sizes = memory.split('/').map(|size| size.trim_end_matches('K').parse().unwrap_or(0_u64) * 1024);
        let state = postcard::to_stdvec(context.router()).map_or(0, |octets| octets.len() as u64);
        let kinds = [("Processor", "8F000000", state), ("I/O", "7B000000", 0)];
        let pools = kinds.into_iter().zip(sizes).map(|((pool, head, used), total)| {
            let free = total.saturating_sub(used);
            let (pool, head) = (pool.to_owned(), head.to_owned());
            Pool { pool, head, total, used: total - free, free, lowest: free, largest: free }
        });
        Self { pools: pools.collect() }
    }
}

impl Record for Memory {
    fn render(&self) -> String {
        let head =
            "                Head    Total(b)     Used(b)     Free(b)   Lowest(b)  Largest(b)\n".to_owned();
        self.pools.iter().fold(head, |text, pool| {
            let Pool { pool, head, total, used, free, lowest, largest } = pool;
            text + &format!(
                "{pool:>9}   {head:>8} {total:>11} {used:>11} {free:>11} {lowest:>11} {largest:>11}\n"
            )
        })
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text).into_iter().filter(|line| !line.text.trim_start().starts_with("Head ")) {
            let fail = || ParseError::new(line.number, line.text, "a pool of memory");
            let words: Vec<&str> = line.text.split_ascii_whitespace().collect();
            let [pool, head, sizes @ ..] = words.as_slice() else { return Err(fail()) };
            let sizes: Result<Vec<u64>, _> = sizes.iter().map(|size| size.parse()).collect();
            let Ok([total, used, free, lowest, largest]) = sizes.as_deref() else { return Err(fail()) };
            record.pools.push(Pool {
                pool: (*pool).to_owned(),
                head: (*head).to_owned(),
                total: *total,
                used: *used,
                free: *free,
                lowest: *lowest,
                largest: *largest,
            });
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.pools.iter().map(row).collect()
    }
}

/// The record of `show processes cpu`, per cent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Processor {
    /// Of the last five seconds.
    pub five_seconds: u8,
    /// The part of them that interrupts took.
    pub interrupts: u8,
    /// Of the last minute.
    pub one_minute: u8,
    /// Of the last five minutes.
    pub five_minutes: u8,
    /// What ran.
    pub processes: Vec<Process>,
}

/// A process of the operating system.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// Milliseconds that it took.
    pub runtime_ms: u64,
    /// How often it ran.
    pub invoked: u64,
    /// Microseconds each time.
    pub usecs: u64,
    /// `0.00%`.
    pub last_five_seconds: String,
    /// `0.00%`.
    pub last_minute: String,
    /// `0.00%`.
    pub last_five_minutes: String,
    /// Its terminal.
    pub tty: u16,
    /// Its name.
    pub process: String,
}

impl Processor {
    /// From a router: what runs there, none of which takes time.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>) -> Self {
        let router = context.router();
        let mut names: Vec<(u16, String)> = ["ARP Input", "IP Input"].map(|name| (0, name.to_owned())).into();
        for (key, _) in router.processes() {
            let own: Vec<String> = match key.owner {
                RouteOwner::Connected | RouteOwner::Static => Vec::new(),
                RouteOwner::Eigrp(_) => vec!["EIGRP-IPv4".to_owned(), "EIGRP-IPv4 Hello".to_owned()],
                RouteOwner::Ospf(id) => vec![format!("OSPF-{id} Router"), format!("OSPF-{id} Hello")],
                RouteOwner::Rip => vec!["RIP Router".to_owned(), "RIP Send".to_owned()],
                RouteOwner::Bgp(_) => vec!["BGP Router".to_owned(), "BGP I/O".to_owned()],
            };
            for name in own {
                // Protocols of several VRFs run in one process.
                if !names.iter().any(|(_, known)| *known == name) {
                    names.push((0, name));
                }
            }
        }
        let at_terminals = router.line_users().map(|(line, _)| line.saturating_add(FIRST_TERMINAL));
        names.extend(at_terminals.map(|tty| (tty, "Virtual Exec".to_owned())));
        let idle = || "0.00%".to_owned();
        let processes = (1..).zip(names).map(|(pid, (tty, process))| Process {
            pid,
            tty,
            process,
            last_five_seconds: idle(),
            last_minute: idle(),
            last_five_minutes: idle(),
            ..Process::default()
        });
        Self { processes: processes.collect(), ..Self::default() }
    }
}

impl Record for Processor {
    fn render(&self) -> String {
        let Self { five_seconds, interrupts, one_minute, five_minutes, processes } = self;
        let head = format!(
            "CPU utilization for five seconds: {five_seconds}%/{interrupts}%; one minute: {one_minute}%; five minutes: {five_minutes}%\n\
             \u{20}PID Runtime(ms)     Invoked      uSecs   5Sec   1Min   5Min TTY Process \n"
        );
        processes.iter().fold(head, |text, one| {
            let Process { pid, runtime_ms, invoked, usecs, tty, process, .. } = one;
            let shares = [&one.last_five_seconds, &one.last_minute, &one.last_five_minutes];
            let shares: String = shares.iter().map(|share| format!(" {share:>6}")).collect();
            text + &format!(
                "{pid:>4} {runtime_ms:>11} {invoked:>11} {usecs:>10}{shares} {tty:>3} {process}\n"
            )
        })
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = None;
        for line in lines(text) {
            let words = line.words();
            match words.as_slice() {
                ["CPU", "utilization", ..] => {
                    record = Some(utilization(line)?);
                }
                ["PID", ..] => {
                    record.get_or_insert_default();
                }
                [pid, ..] if pid.parse::<u32>().is_ok() => {
                    record.get_or_insert_default().processes.push(process(line, &words)?);
                }
                _ => {}
            }
        }
        record.ok_or_else(|| ParseError::missing("the utilization"))
    }

    fn rows(&self) -> Vec<Row> {
        let mut all = row(self);
        all.remove("processes");
        if self.processes.is_empty() {
            return vec![all];
        }
        let of_process = |process| all.clone().into_iter().chain(row(process)).collect();
        self.processes.iter().map(of_process).collect()
    }
}

fn utilization(line: Line<'_>) -> Result<Processor, ParseError> {
    let numbers = line.text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let numbers: Result<Vec<u8>, _> = numbers.map(str::parse).collect();
    match numbers.as_deref() {
        Ok(&[five_seconds, interrupts, one_minute, five_minutes]) => {
            Ok(Processor { five_seconds, interrupts, one_minute, five_minutes, processes: Vec::new() })
        }
        _ => Err(line.error("the utilization")),
    }
}

fn process(line: Line<'_>, words: &[&str]) -> Result<Process, ParseError> {
    let fail = || line.error("a process");
    let [pid, runtime, invoked, usecs, five_seconds, minute, five_minutes, tty, name @ ..] = words else {
        return Err(fail());
    };
    Ok(Process {
        pid: pid.parse().map_err(|_| fail())?,
        runtime_ms: runtime.parse().map_err(|_| fail())?,
        invoked: invoked.parse().map_err(|_| fail())?,
        usecs: usecs.parse().map_err(|_| fail())?,
        last_five_seconds: (*five_seconds).to_owned(),
        last_minute: (*minute).to_owned(),
        last_five_minutes: (*five_minutes).to_owned(),
        tty: tty.parse().map_err(|_| fail())?,
        process: name.join(" "),
    })
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    let memory: ShowHandler = |context, _| Ok(Memory::collect(context).render());
    let processor: ShowHandler = |context, _| Ok(Processor::collect(context).render());
    vec![
        kw("memory", "Memory statistics").then([plain("statistics", "Show memory statistics", memory)]),
        kw("processes", "Active process statistics").then([kw("cpu", "Show CPU use per process")
            .run(processor)
            .then([kw("sorted", "Show sorted output based on percentage of usage").run(processor).then([
                plain("1min", "Sort based on 1 minute utilization", processor),
                plain("5min", "Sort based on 5 minutes utilization", processor),
                plain("5sec", "Sort based on 5 seconds utilization", processor),
            ])])]),
    ]
}

#[cfg(test)]
mod tests {
    use netconfarena_emu::network::Network;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_used_grows_with_the_state_of_the_router() {
        let mut network = Network::new(1);
        let node = network.add_router("R1", &["GigabitEthernet0/0".parse().unwrap()]);
        let used = |network: &Network| Memory::collect(&ShowContext { network, node }).pools[0].used;
        let before = used(&network);
        let lines: String = (1..50).map(|n| format!("ip route 10.{n}.0.0 255.255.0.0 Null0\n")).collect();
        crate::session::apply_lines(&mut network, node, &lines);
        assert!(used(&network) > before + 1000);
    }

    proptest! {
        #[test]
        fn memory_round_trips(sizes in prop::collection::vec(prop::array::uniform5(0u64..1 << 33), 0..3)) {
            let pool = |[total, used, free, lowest, largest]: [u64; 5]| {
                Pool { pool: "Processor".to_owned(), head: "8F00AB10".to_owned(), total, used, free, lowest, largest }
            };
            let record = Memory { pools: sizes.into_iter().map(pool).collect() };
            prop_assert_eq!(Memory::parse(&record.render()), Ok(record));
        }

        #[test]
        fn processors_round_trip(shares in prop::array::uniform4(0u8..100), list in prop::collection::vec((1u32..999, 0u64..1 << 30, 0u64..1 << 30, 0u64..100_000, 0u16..999, "[A-Z]{1,9}( [a-z]{1,9})?"), 0..3)) {
            let [five_seconds, interrupts, one_minute, five_minutes] = shares;
            let process = |(pid, runtime_ms, invoked, usecs, tty, process)| Process {
                pid, runtime_ms, invoked, usecs, tty, process,
                last_five_seconds: "0.07%".to_owned(), last_minute: "12.00%".to_owned(), last_five_minutes: "0.00%".to_owned(),
            };
            let processes = list.into_iter().map(process).collect();
            let record = Processor { five_seconds, interrupts, one_minute, five_minutes, processes };
            prop_assert_eq!(Processor::parse(&record.render()), Ok(record));
        }
    }
}
