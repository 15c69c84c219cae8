//! Cisco HDLC frames, without flags and check sequence.
//!
//! ```text
//! +---------+---------+----------+---------+
//! | address | control | protocol | payload |
//! |    1    |    1    |    2     |   ..    |
//! +---------+---------+----------+---------+
//! ```

use super::{EtherType, WireError};

/// The header of a frame. Protocols have the numbers of Ethernet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HdlcHeader {
    /// Address 0x8f instead of 0x0f: for all stations.
    pub broadcast: bool,
    /// What follows.
    pub protocol: EtherType,
}

impl HdlcHeader {
    const UNICAST: u8 = 0x0f;
    const BROADCAST: u8 = 0x8f;

    /// Splits a frame into header and payload.
    ///
    /// # Errors
    /// If the frame is too short or its address unknown.
    pub fn parse(frame: &[u8]) -> Result<(Self, &[u8]), WireError> {
        let (&[address, _, high, low], payload) = frame.split_first_chunk().ok_or(WireError::Truncated)?;
        let broadcast = match address {
            Self::UNICAST => false,
            Self::BROADCAST => true,
            _ => return Err(WireError::Field("address")),
        };
        Ok((Self { broadcast, protocol: EtherType(u16::from_be_bytes([high, low])) }, payload))
    }

    /// The frame.
    #[must_use]
    pub fn emit(&self, payload: &[u8]) -> Vec<u8> {
        let mut frame = Vec::with_capacity(payload.len() + 4);
        frame.push(if self.broadcast { Self::BROADCAST } else { Self::UNICAST });
        frame.push(0);
        frame.extend_from_slice(&self.protocol.0.to_be_bytes());
        frame.extend_from_slice(payload);
        frame
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn round_trip(broadcast: bool, payload in proptest::collection::vec(any::<u8>(), 0..50)) {
            let header = HdlcHeader { broadcast, protocol: EtherType::IPV4 };
            let frame = header.emit(&payload);
            prop_assert_eq!(HdlcHeader::parse(&frame), Ok((header, &payload[..])));
        }

        #[test]
        fn any_octets(frame in proptest::collection::vec(any::<u8>(), 0..10)) {
            let _ = HdlcHeader::parse(&frame);
        }
    }
}
