//! Networks as template values: `{{ lan }}`, `{{ lan.mask }}`, `{{ lan.host(3) }}`.

use std::fmt;
use std::net::Ipv4Addr;
use std::sync::Arc;

use ipnet::Ipv4Net;
use minijinja::value::{Enumerator, Object, Value};
use minijinja::{Error, ErrorKind, State};

/// An IPv4 network that texts can take apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subnet(pub Ipv4Net);

/// The attributes of [`Subnet`].
pub const ATTRIBUTES: [&str; 8] =
    ["cidr", "network", "mask", "wildcard", "length", "broadcast", "first", "last"];

impl Subnet {
    /// The value of an attribute, `None` if there is none of that name.
    #[must_use]
    pub fn attribute(self, name: &str) -> Option<Value> {
        let net = self.0;
        Some(match name {
            "cidr" => Value::from(net.to_string()),
            "network" => Value::from(net.network().to_string()),
            "mask" => Value::from(net.netmask().to_string()),
            "wildcard" => Value::from(net.hostmask().to_string()),
            "length" => Value::from(net.prefix_len()),
            "broadcast" => Value::from(net.broadcast().to_string()),
            "first" => Value::from(self.host(1)?.to_string()),
            "last" => Value::from(self.host(-1)?.to_string()),
            _ => return None,
        })
    }

    /// How many addresses a router can have here.
    #[must_use]
    pub fn capacity(self) -> i64 {
        let size = 1_i64 << (32 - u32::from(self.0.prefix_len()));
        if size > 2 { size - 2 } else { size }
    }

    /// The address number `index`, from 1; negative counts from the end.
    #[must_use]
    pub fn host(self, index: i64) -> Option<Ipv4Addr> {
        let capacity = self.capacity();
        let position = if index < 0 { capacity + 1 + index } else { index };
        if !(1..=capacity).contains(&position) {
            return None;
        }
        let skip = if self.0.prefix_len() < 31 { 0 } else { 1 };
        let offset = u32::try_from(position - skip).ok()?;
        Some(Ipv4Addr::from(u32::from(self.0.network()).checked_add(offset)?))
    }

    /// The network that a template value holds, if it holds one.
    #[must_use]
    pub fn of(value: &Value) -> Option<Self> {
        value.downcast_object_ref::<Self>().copied()
    }
}

impl Object for Subnet {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.attribute(key.as_str()?)
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Str(&ATTRIBUTES)
    }

    fn call_method(
        self: &Arc<Self>,
        _state: &mut State<'_, '_>,
        method: &str,
        args: &[Value],
    ) -> Result<Value, Error> {
        let bad = |text: String| Error::new(ErrorKind::InvalidOperation, text);
        let number = args.first().and_then(Value::as_i64);
        match (method, number) {
            ("host", Some(index)) => self
                .host(index)
                .map(|a| Value::from(a.to_string()))
                .ok_or_else(|| bad(format!("{} has no host {index}", self.0))),
            ("subnet", Some(length)) => {
                let index = args.get(1).and_then(Value::as_i64).unwrap_or(0);
                let length = u8::try_from(length).ok();
                let index = usize::try_from(index).ok();
                length
                    .zip(index)
                    .and_then(|(length, index)| self.0.subnets(length).ok()?.nth(index))
                    .map(|net| Value::from_object(Self(net)))
                    .ok_or_else(|| bad(format!("{} has no such subnet", self.0)))
            }
            _ => Err(Error::from(ErrorKind::UnknownMethod)),
        }
    }

    fn render(self: &Arc<Self>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_count_from_both_ends_and_know_31_and_32() {
        let of = |text: &str| Subnet(text.parse().unwrap());
        assert_eq!(of("10.0.0.0/24").host(1), Some(Ipv4Addr::new(10, 0, 0, 1)));
        assert_eq!(of("10.0.0.0/24").host(-1), Some(Ipv4Addr::new(10, 0, 0, 254)));
        assert_eq!(of("10.0.0.0/24").host(255), None);
        assert_eq!(of("10.0.0.4/31").host(1), Some(Ipv4Addr::new(10, 0, 0, 4)));
        assert_eq!(of("10.0.0.4/31").host(2), Some(Ipv4Addr::new(10, 0, 0, 5)));
        assert_eq!(of("10.0.0.4/32").host(1), Some(Ipv4Addr::new(10, 0, 0, 4)));
        assert_eq!(of("10.0.0.4/32").host(2), None);
    }
}
