//! `show key chain [X]`.
//!
//! Row fields, one row for each key: `chain`, `key`, `text`, `accept`, `send` (lifetimes in words), `accept_valid`, `send_valid` (now).

use netconfarena_emu::calendar::DateTime;
use netconfarena_emu::config::{Key, Lifetime};
use serde::{Deserialize, Serialize};

use crate::config::Complaint;
use crate::grammar::{Args, Spec, kw, word};
use crate::show::age::hms;
use crate::show::clock::MONTHS;
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, ShowContext, ShowHandler, row};

/// The record of `show key chain`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyChains {
    /// The chains by name.
    pub chains: Vec<Chain>,
}

/// A key chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    /// Name.
    pub name: String,
    /// Keys by number.
    pub keys: Vec<KeyEntry>,
}

/// A key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyEntry {
    /// Number.
    pub key: u32,
    /// The secret.
    pub text: String,
    /// When packets signed with it are taken.
    pub accept: String,
    /// Now.
    pub accept_valid: bool,
    /// When packets are signed with it.
    pub send: String,
    /// Now.
    pub send_valid: bool,
}

impl KeyChains {
    /// From a router; one chain only, if one is named.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, only: Option<&str>) -> Self {
        let now = context.now().unix_secs();
        let entry = |(&number, key): (&u32, &Key)| KeyEntry {
            key: number,
            text: key.key_string.clone().unwrap_or_default(),
            accept: lifetime_text(key.accept_lifetime),
            accept_valid: is_valid(key.accept_lifetime, now),
            send: lifetime_text(key.send_lifetime),
            send_valid: is_valid(key.send_lifetime, now),
        };
        let chains = context.router().config().key_chains.iter();
        let chains = chains.filter(|(name, _)| only.is_none_or(|only| only == name.as_str()));
        let chain = chains
            .map(|(name, chain)| Chain { name: name.clone(), keys: chain.keys.iter().map(entry).collect() });
        Self { chains: chain.collect() }
    }
}

fn is_valid(lifetime: Option<Lifetime>, now: u64) -> bool {
    lifetime.is_none_or(|life| life.from <= now && life.until.is_none_or(|until| now < until))
}

/// `(always valid) - (always valid)`, `(00:00:00 UTC Jan 1 2026) - (infinite)`.
fn lifetime_text(lifetime: Option<Lifetime>) -> String {
    let Some(life) = lifetime else { return "(always valid) - (always valid)".to_owned() };
    let instant = |seconds: u64| {
        let date = DateTime::from_unix(seconds);
        let month = usize::from(date.month()).checked_sub(1).and_then(|at| MONTHS.get(at)).unwrap_or(&"");
        format!("{} UTC {month} {} {}", hms(seconds % 86_400), date.day(), date.year())
    };
    let until = life.until.map_or_else(|| "infinite".to_owned(), instant);
    format!("({}) - ({until})", instant(life.from))
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    fn show(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        Ok(KeyChains::collect(context, args.text("chain")).render())
    }
    let run: ShowHandler = show;
    vec![
        kw("key", "Key information").then([kw("chain", "Key chains").run(run).then([word(
            "chain",
            "key chain name",
        )
        .run(run)])]),
    ]
}

impl Record for KeyChains {
    fn render(&self) -> String {
        let mut out = String::new();
        for Chain { name, keys } in &self.chains {
            out.push_str(&format!("Key-chain {name}:\n"));
            for key in keys {
                let valid = |valid: bool| if valid { " [valid now]" } else { "" };
                out.push_str(&format!(
                    "    key {} -- text \"{}\"\n        accept lifetime {}{}\n        send lifetime {}{}\n",
                    key.key,
                    key.text,
                    key.accept,
                    valid(key.accept_valid),
                    key.send,
                    valid(key.send_valid)
                ));
            }
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some([name]) = line.holes("Key-chain {}:") {
                record.chains.push(Chain { name: name.to_owned(), keys: Vec::new() });
                continue;
            }
            let chain = record.chains.last_mut().ok_or_else(|| line.error("`Key-chain X:`"))?;
            read(line, &mut chain.keys)?;
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let of = |chain: &Chain| -> Vec<Row> {
            let with = |key: &KeyEntry| {
                let mut fields = row(key);
                fields.insert("chain".to_owned(), chain.name.clone().into());
                fields
            };
            chain.keys.iter().map(with).collect()
        };
        self.chains.iter().flat_map(of).collect()
    }
}

fn read(line: Line<'_>, keys: &mut Vec<KeyEntry>) -> Result<(), ParseError> {
    let lifetime = |text: &str| match text.split_once(" [valid now]") {
        Some((text, _)) => (text.to_owned(), true),
        None => (text.to_owned(), false),
    };
    let trimmed = line.text.trim();
    if let Some((number, text)) = trimmed.strip_prefix("key ").and_then(|rest| rest.split_once(" -- text ")) {
        let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        keys.push(KeyEntry {
            key: line.value(number, "a number")?,
            text: text.ok_or_else(|| line.error("a text in quotes"))?.to_owned(),
            accept: String::new(),
            accept_valid: false,
            send: String::new(),
            send_valid: false,
        });
    } else if let Some(key) = keys.last_mut() {
        if let Some(text) = trimmed.strip_prefix("accept lifetime ") {
            (key.accept, key.accept_valid) = lifetime(text);
        } else if let Some(text) = trimmed.strip_prefix("send lifetime ") {
            (key.send, key.send_valid) = lifetime(text);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn key()(key in any::<u32>(), text in "[!-~]{0,16}", valid in any::<[bool; 2]>(), from in 1_600_000_000u64..2_000_000_000, ends in any::<bool>()) -> KeyEntry {
            let life = Lifetime { from, until: ends.then_some(from + 86_400) };
            KeyEntry { key, text, accept: lifetime_text(Some(life)), accept_valid: valid[0], send: lifetime_text(None), send_valid: valid[1] }
        }
    }

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((arbitrary::name(), prop::collection::vec(key(), 0..3)), 0..3)) {
            let chains = list.into_iter().map(|(name, keys)| Chain { name, keys }).collect();
            let record = KeyChains { chains };
            prop_assert_eq!(KeyChains::parse(&record.render()), Ok(record));
        }
    }
}
