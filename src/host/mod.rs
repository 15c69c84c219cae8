//! Links between an emulated network and the machine it runs on, and a network that keeps pace with the wall clock.
//!
//! | file | what |
//! |---|---|
//! | here | [`Medium`]: anything that carries Ethernet frames; [`Paced`]: a network in real time |
//! | `tap.rs` | TAP devices (Linux, CAP_NET_ADMIN) |

mod tap;

use std::io;
use std::time::{Duration, Instant};

use netconfarena_emu::network::{ExternalPort, Network};
use netconfarena_emu::time::Time;

pub use tap::TapDevice;

/// Something outside that carries Ethernet frames.
pub trait Medium {
    /// Takes one frame, if one waits; never blocks.
    ///
    /// # Errors
    /// The device fails.
    fn receive(&mut self) -> io::Result<Option<Vec<u8>>>;

    /// Sends one frame. A frame that the device has no room for is lost, as on a real wire.
    ///
    /// # Errors
    /// The device fails.
    fn send(&mut self, frame: &[u8]) -> io::Result<()>;
}

/// How long nothing happens between two looks at the devices.
const TICK: Duration = Duration::from_millis(1);

/// How many frames are taken from a device before the network runs on.
const FRAMES_PER_TICK: usize = 1024;

/// A network whose virtual time follows the wall clock, with ports that lead to devices of the machine.
pub struct Paced<M> {
    /// The network.
    pub network: Network,
    devices: Vec<(ExternalPort, M)>,
    started: Instant,
    origin: Time,
}

impl<M: Medium> Paced<M> {
    /// Starts the clock: from now on the network runs in real time.
    pub fn new(network: Network, devices: Vec<(ExternalPort, M)>) -> Self {
        let origin = network.now();
        Self { network, devices, started: Instant::now(), origin }
    }

    /// Runs until `done` says so, or for `limit` of wall time; tells whether it was done.
    ///
    /// # Errors
    /// A device fails.
    pub fn run_until(&mut self, limit: Duration, mut done: impl FnMut(&Network) -> bool) -> io::Result<bool> {
        let end = Instant::now() + limit;
        while Instant::now() < end {
            self.catch_up()?;
            if done(&self.network) {
                return Ok(true);
            }
            std::thread::sleep(TICK);
        }
        Ok(false)
    }

    /// Brings the network to the present, with all frames that have come in.
    fn catch_up(&mut self) -> io::Result<()> {
        self.network.run_until(self.origin + self.started.elapsed());
        for (port, device) in &mut self.devices {
            for _ in 0..FRAMES_PER_TICK {
                let Some(frame) = device.receive()? else { break };
                self.network.inject(*port, &frame);
            }
        }
        self.network.run_until(self.origin + self.started.elapsed());
        for sent in self.network.take_outbox() {
            if let Some((_, device)) = self.devices.iter_mut().find(|(port, _)| *port == sent.port) {
                device.send(&sent.frame)?;
            }
        }
        Ok(())
    }
}
