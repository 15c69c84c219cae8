//! End systems: a station with one address and a gateway, to ping, trace and connect from.
//!
//! A file `NAME.host` of a laboratory's folder says
//!
//! ```text
//! address 10.0.0.10/24
//! gateway 10.0.0.1
//! ```
//!
//! The station is a router of one port that routes nothing but its own packets. Its console knows what user exec mode knows: `ping`,
//! `traceroute`, `telnet ADDRESS` (to the virtual terminals of routers), `telnet ADDRESS PORT` (which tells whether anything listens),
//! and show commands. Nothing listens at a station itself.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

/// The configuration of a station.
///
/// # Errors
/// What is wrong, by line.
pub fn configuration(name: &str, text: &str) -> Result<String, String> {
    let (mut address, mut gateway) = (None, None);
    for (index, line) in text.lines().enumerate() {
        let fail = |what: &str| format!("line {}: {what}, found `{}`", index + 1, line.trim());
        match line.split_ascii_whitespace().collect::<Vec<_>>().as_slice() {
            [] => {}
            [comment, ..] if comment.starts_with(['#', '!']) => {}
            ["address", net] => {
                let net: Ipv4Net =
                    net.parse().map_err(|_| fail("expected an address such as 10.0.0.10/24"))?;
                address = Some(net);
            }
            ["gateway", ip] => {
                let ip: Ipv4Addr = ip.parse().map_err(|_| fail("expected the address of a router"))?;
                gateway = Some(ip);
            }
            _ => return Err(fail("expected `address A.B.C.D/LENGTH` or `gateway A.B.C.D`")),
        }
    }
    let address = address.ok_or("an address is missing: `address A.B.C.D/LENGTH`")?;
    if let Some(gateway) = gateway.filter(|gateway| !address.contains(gateway)) {
        return Err(format!("the gateway {gateway} is not in {}", address.trunc()));
    }
    let mut lines = format!(
        "hostname {name}\ninterface Ethernet0/0\n ip address {} {}\n no ip redirects\n no ip proxy-arp\n no shutdown\n",
        address.addr(),
        address.netmask()
    );
    if let Some(gateway) = gateway {
        lines += &format!("ip route 0.0.0.0 0.0.0.0 {gateway}\n");
    }
    Ok(lines + "line vty 0 4\n no login\n")
}

#[cfg(test)]
mod tests {
    use super::configuration;

    #[test]
    fn a_station_has_an_address_and_perhaps_a_gateway() {
        let text = configuration("H1", "# a client\naddress 10.0.0.10/24\ngateway 10.0.0.1\n").unwrap();
        assert!(text.contains(" ip address 10.0.0.10 255.255.255.0\n"));
        assert!(text.contains("ip route 0.0.0.0 0.0.0.0 10.0.0.1\n"));
        assert!(!configuration("H1", "address 10.0.0.10/24").unwrap().contains("ip route"));
    }

    #[test]
    fn what_is_no_station_is_refused_by_line() {
        for (text, wanted) in [
            ("", "an address is missing"),
            ("address 10.0.0.10", "line 1: expected an address such as"),
            ("\nname x", "line 2: expected `address"),
            ("address 10.0.0.10/24\ngateway 10.0.1.1", "the gateway 10.0.1.1 is not in 10.0.0.0/24"),
        ] {
            let error = configuration("H1", text).unwrap_err();
            assert!(error.starts_with(wanted), "{error}");
        }
    }
}
