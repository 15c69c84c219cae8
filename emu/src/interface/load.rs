//! What an interface carries on average: the "5 minute input rate" of `show interfaces`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::time::Time;

/// How often IOS takes a sample.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(5);

/// How many samples make the default load interval of five minutes. Each new one counts for that part of the average.
const SAMPLES: u64 = 60;

/// Averages are kept in thousandths, so that small ones do not get lost.
const THOUSAND: u64 = 1000;

/// After so many samples of an idle line nothing is left of an average that fits the counters.
const LONGEST_DECAY: u64 = 64 * SAMPLES;

/// An average rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Rate {
    /// Bits a second.
    pub bits: u64,
    /// Packets a second.
    pub packets: u64,
}

/// An exponentially weighted average over five minutes, sampled every five seconds.
///
/// Nothing ticks: the samples that have passed are taken in when a frame comes or somebody asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Load {
    /// The number of the sample that is being gathered, from the start of the network.
    sample: u64,
    /// What it has so far.
    packets: u64,
    octets: u64,
    /// The average of the samples before, in thousandths a second.
    average: Rate,
}

impl Load {
    /// A frame of so many octets has passed.
    pub fn carried(&mut self, now: Time, octets: u64) {
        self.advance(now);
        self.packets = self.packets.saturating_add(1);
        self.octets = self.octets.saturating_add(octets);
    }

    /// The average up to the last sample before `now`.
    #[must_use]
    pub fn rate(&self, now: Time) -> Rate {
        let mut load = *self;
        load.advance(now);
        Rate { bits: load.average.bits / THOUSAND, packets: load.average.packets / THOUSAND }
    }

    /// Takes in the samples that have ended.
    fn advance(&mut self, now: Time) {
        let sample = now.as_secs() / SAMPLE_INTERVAL.as_secs();
        let passed = sample.saturating_sub(self.sample);
        if passed == 0 {
            return;
        }
        let per_second = |amount: u64| amount.saturating_mul(THOUSAND) / SAMPLE_INTERVAL.as_secs();
        let (packets, bits) = (per_second(self.packets), per_second(self.octets.saturating_mul(8)));
        self.average = Rate {
            bits: averaged(self.average.bits, bits),
            packets: averaged(self.average.packets, packets),
        };
        if passed > LONGEST_DECAY {
            self.average = Rate::default();
        }
        for _ in 1..passed.min(LONGEST_DECAY) {
            self.average =
                Rate { bits: averaged(self.average.bits, 0), packets: averaged(self.average.packets, 0) };
        }
        *self = Self { sample, average: self.average, ..Self::default() };
    }
}

/// An average with one more sample.
const fn averaged(average: u64, sample: u64) -> u64 {
    average.saturating_mul(SAMPLES - 1).saturating_add(sample) / SAMPLES
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line that carries a thousand octets four times a second, for so long.
    fn busy(seconds: u64) -> Load {
        let mut load = Load::default();
        for quarter in 0..seconds * 4 {
            load.carried(Time::from_millis(quarter * 250), 1000);
        }
        load
    }

    #[test]
    fn a_steady_load_is_approached_over_the_load_interval() {
        let now = Time::from_secs(300);
        let five_minutes = busy(300).rate(now);
        // After one time constant an exponential average has reached 1 - 1/e of the rate.
        assert!((19_800..20_800).contains(&five_minutes.bits), "{five_minutes:?}");
        assert_eq!(five_minutes.packets, 2);
        let hour = busy(3600).rate(Time::from_secs(3600));
        assert!((31_900..=32_000).contains(&hour.bits), "{hour:?}");
    }

    #[test]
    fn an_idle_line_forgets_its_load() {
        let load = busy(3600);
        let later = load.rate(Time::from_secs(3900));
        assert!((11_000..12_500).contains(&later.bits), "{later:?}");
        assert_eq!(load.rate(Time::from_secs(100_000)), Rate::default());
        assert_eq!(load.rate(Time::from_nanos(u64::MAX)), Rate::default());
    }

    #[test]
    fn the_sample_that_is_being_gathered_does_not_count_yet() {
        let mut load = Load::default();
        load.carried(Time::from_secs(1), 1_000_000);
        assert_eq!(load.rate(Time::from_secs(4)), Rate::default());
        assert_eq!(load.rate(Time::from_secs(5)), Rate { bits: 26_666, packets: 0 });
    }
}
