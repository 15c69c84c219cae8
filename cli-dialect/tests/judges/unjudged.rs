//! Commands that exist here and cannot be judged, each with the reason.

/// The protocol does not run here: a router says so, as IOS does where it is off, and there is nothing to read.
const NO_DISCOVERY: &str = "`% CDP is not enabled` and `% LLDP is not enabled` are all that is said";

/// The running configuration has no such lines: the feature does not exist here.
const NO_FEATURE: &str = "the configuration of a feature that does not exist here";

/// Of ntc-templates.
pub const NTC: &[(&str, &str)] = &[
    ("show cdp neighbors", NO_DISCOVERY),
    ("show cdp neighbors detail", NO_DISCOVERY),
    ("show lldp neighbors", NO_DISCOVERY),
    ("show lldp neighbors detail", NO_DISCOVERY),
    ("show running-config interface", "the template does not know `end`, the last line, nor `duplex`"),
];

/// Of Genie.
pub const GENIE: &[(&str, &str)] = &[
    ("show cdp neighbors", NO_DISCOVERY),
    ("show cdp neighbors detail", NO_DISCOVERY),
    ("show lldp neighbors", NO_DISCOVERY),
    ("show lldp neighbors detail", NO_DISCOVERY),
    ("show debug", "only the debugging of HSRP and of conditions is known"),
    ("show bgp {address_family}", "of `show bgp ipv4 unicast` the last word is taken for a route"),
    ("show run | include ptp", NO_FEATURE),
    ("show run | sec isis", NO_FEATURE),
    ("show running-config all | section alarm", NO_FEATURE),
    ("show running-config | section l2vpn evpn", NO_FEATURE),
    ("show running-config | section mac address", NO_FEATURE),
    ("show running-config | section ospfv3", NO_FEATURE),
    ("show running-config all | section class {class_map}", NO_FEATURE),
];
