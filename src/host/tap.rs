//! TAP devices: Ethernet ports of the kernel whose other end is a file descriptor.

use std::io;

use tun_tap::{Iface, Mode};

use super::Medium;

/// Octets of the largest frame that a device delivers.
const LARGEST_FRAME: usize = 65_536;

/// A TAP device. It exists as long as this value does, also after it was moved to another network namespace.
#[derive(Debug)]
pub struct TapDevice {
    device: Iface,
    buffer: Vec<u8>,
}

impl TapDevice {
    /// Creates a device whose name begins with `prefix` and ends with a number.
    ///
    /// # Errors
    /// No permission (CAP_NET_ADMIN), or no `/dev/net/tun`.
    pub fn create(prefix: &str) -> io::Result<Self> {
        let device = Iface::without_packet_info(&format!("{prefix}%d"), Mode::Tap)?;
        device.set_non_blocking()?;
        Ok(Self { device, buffer: vec![0; LARGEST_FRAME] })
    }

    /// The device's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.device.name()
    }
}

/// Errors after which the device goes on: nothing to read, no room, or not up yet.
fn is_passing(error: &io::Error) -> bool {
    const EIO: i32 = 5;
    const ENOBUFS: i32 = 105;
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
        || matches!(error.raw_os_error(), Some(EIO | ENOBUFS))
}

impl Medium for TapDevice {
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        match self.device.recv(&mut self.buffer) {
            Ok(length) => Ok(self.buffer.get(..length).map(<[u8]>::to_vec)),
            Err(error) if is_passing(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn send(&mut self, frame: &[u8]) -> io::Result<()> {
        match self.device.send(frame) {
            Ok(_) => Ok(()),
            Err(error) if is_passing(&error) => Ok(()),
            Err(error) => Err(error),
        }
    }
}
