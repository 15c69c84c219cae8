//! `show ip bgp paths`: the different AS paths that the router holds, with how many routes share each.
//!
//! Row fields: `address`, `hash`, `refcount`, `metric`, `as_path`, `origin`. Address and bucket are places in a router's memory: here they
//! are numbers made of the path, the same in each run.

use serde::{Deserialize, Serialize};

use crate::show::text::lines;
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip bgp paths`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpBgpPaths {
    /// The paths.
    pub paths: Vec<AsPathEntry>,
}

/// An AS path with what is held together with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AsPathEntry {
    /// Where it is held.
    pub address: u32,
    /// The bucket that it is found in.
    pub hash: u32,
    /// How many routes have it.
    pub refcount: u32,
    /// MED.
    pub metric: u32,
    /// AS_PATH in words; empty if it begins here.
    pub as_path: String,
    /// `i`, `e`, `?`.
    pub origin: String,
}

impl Record for IpBgpPaths {
    fn render(&self) -> String {
        let mut out = "Address    Hash Refcount     Metric Path\n".to_owned();
        for AsPathEntry { address, hash, refcount, metric, as_path, origin } in &self.paths {
            let path = if as_path.is_empty() { String::new() } else { format!("{as_path} ") };
            out.push_str(&format!("{address:#010X} {hash:>4} {refcount:>8} {metric:>10} {path}{origin}\n"));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            match line.words().as_slice() {
                ["Address", "Hash", ..] => {}
                [address, hash, refcount, metric, as_path @ .., origin] => {
                    let digits = address.trim_start_matches("0x");
                    record.paths.push(AsPathEntry {
                        address: u32::from_str_radix(digits, 16).map_err(|_| line.error("an address"))?,
                        hash: line.value(hash, "a bucket")?,
                        refcount: line.value(refcount, "a count")?,
                        metric: line.value(metric, "a metric")?,
                        as_path: as_path.join(" "),
                        origin: (*origin).to_owned(),
                    });
                }
                _ => return Err(line.error("address, bucket, count, metric, path")),
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.paths.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn path()(
            numbers in any::<[u32; 4]>(), as_path in "([1-9][0-9]{0,9}( [1-9][0-9]{0,9}){0,3}( \\{[1-9],[1-9]\\})?)?", origin in arbitrary::word(&["i", "e", "?"]),
        ) -> AsPathEntry {
            let [address, hash, refcount, metric] = numbers;
            AsPathEntry { address, hash, refcount, metric, as_path, origin }
        }
    }

    proptest! {
        #[test]
        fn round_trip(paths in prop::collection::vec(path(), 0..5)) {
            let record = IpBgpPaths { paths };
            prop_assert_eq!(IpBgpPaths::parse(&record.render()), Ok(record));
        }
    }

    #[test]
    fn columns_stand_where_ios_puts_them() {
        let text = "Address    Hash Refcount     Metric Path\n0x60E5742C    0        1          0 i\n0x60E577B0   35        2         40 10 ?\n";
        assert_eq!(IpBgpPaths::parse(text).unwrap().render(), text);
    }
}
