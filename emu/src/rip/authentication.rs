//! Which messages of version 2 are believed, and how own ones are signed (RFC 2453 sections 4.1 and 5.2, RFC 2082).

use std::net::Ipv4Addr;

use super::config::{AuthenticationMode, RipInterfaceConfig, Version};
use super::packet::{Authentication, Message, digest_is_right, padded};
use super::process::RipInterface;
use crate::config::{Key, Lifetime, RouterConfig};
use crate::time::Time;

/// How an interface signs and checks: the mode, and the secrets valid at the moment by key number.
pub(super) struct Keys {
    mode: AuthenticationMode,
    send: Vec<(u32, Vec<u8>)>,
    accept: Vec<(u32, Vec<u8>)>,
}

impl Keys {
    /// The keys of an interface; `None` if it does not authenticate.
    pub(super) fn of(settings: &RipInterfaceConfig, router: &RouterConfig, now: Time) -> Option<Self> {
        let chain = settings.key_chain.as_ref()?;
        let valid = |lifetime: fn(&Key) -> Option<Lifetime>| {
            let secret = |(id, key): (u32, &Key)| Some((id, key.key_string.as_ref()?.as_bytes().to_vec()));
            router.valid_keys(chain, now, lifetime).filter_map(secret).collect()
        };
        Some(Self {
            mode: settings.authentication_mode.unwrap_or(AuthenticationMode::Text),
            send: valid(|key| key.send_lifetime),
            accept: valid(|key| key.accept_lifetime),
        })
    }

    /// How the next message of an interface is authenticated, and with which secret. `None` if no key is valid: then IOS sends with the
    /// empty secret of key 0, which nobody believes.
    pub(super) fn sign(&self, interface: &mut RipInterface, now: Time) -> (Authentication, Vec<u8>) {
        let (id, secret) = self.send.first().cloned().unwrap_or_default();
        let authentication = match self.mode {
            AuthenticationMode::Text => Authentication::Text(padded(&secret)),
            AuthenticationMode::Md5 => {
                // By the clock it grows over a restart too.
                let seconds = u32::try_from(now.unix_secs()).unwrap_or(u32::MAX);
                interface.sequence = interface.sequence.max(seconds);
                Authentication::Md5 {
                    key_id: u8::try_from(id & 0xFF).unwrap_or(0),
                    sequence: interface.sequence,
                }
            }
        };
        (authentication, secret)
    }

    fn accepts(&self, message: &Message, octets: &[u8], last: Option<u32>) -> bool {
        match (self.mode, message.authentication) {
            (AuthenticationMode::Text, Authentication::Text(password)) => {
                self.accept.iter().any(|(_, secret)| padded(secret) == password)
            }
            (AuthenticationMode::Md5, Authentication::Md5 { key_id, sequence }) => {
                let of_key = |(id, _): &&(u32, Vec<u8>)| *id & 0xFF == u32::from(key_id);
                // RFC 2082 section 3.2.2; a neighbour that has started anew begins at 0.
                let fresh = sequence == 0 || last.is_none_or(|last| sequence >= last);
                fresh && self.accept.iter().filter(of_key).any(|(_, secret)| digest_is_right(octets, secret))
            }
            _ => false,
        }
    }
}

/// Whether a message is to be believed. An interface that authenticates believes no others, and one that does not believes no
/// authenticated ones (RFC 2453 section 5.2).
pub(super) fn is_authentic(
    keys: Option<&Keys>,
    message: &Message,
    octets: &[u8],
    interface: &mut RipInterface,
    sender: Ipv4Addr,
) -> bool {
    let Some(keys) = keys else { return message.authentication == Authentication::None };
    if message.version == Version::V1 || !keys.accepts(message, octets, interface.heard.get(&sender).copied())
    {
        return false;
    }
    if let Authentication::Md5 { sequence, .. } = message.authentication {
        interface.heard.insert(sender, sequence);
    }
    true
}
