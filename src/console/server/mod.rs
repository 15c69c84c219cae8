//! Consoles over TCP: listeners, one a router, and the sessions at them.
//!
//! | module | what it holds |
//! |---|---|
//! | here | [`listen`]: ports, one a router upwards; how many connections there may be |
//! | `owner.rs` | [`Owner`]: the thread of the network, which paces it and serves the terminals |
//! | `pump.rs` | between a connection and its terminal |
//! | `ssh.rs`, `host_keys.rs` | SSH (feature `ssh`) |

#[cfg(feature = "ssh")]
mod host_keys;
mod owner;
mod pump;
#[cfg(feature = "ssh")]
mod ssh;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use miette::Diagnostic;
use netconfarena_emu::ids::NodeIndex;
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

pub use self::owner::Owner;
use self::owner::{Entry, PIECES};
use self::pump::{Coding, pump};
use crate::console::telnet::Telnet;

/// How a console is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Telnet.
    Telnet,
    /// SSH.
    Ssh,
}

/// Why there are no consoles.
#[derive(Debug, Error, Diagnostic)]
pub enum ServerError {
    /// A port is taken, or none.
    #[error("{address}: {error}")]
    Port {
        /// Where.
        address: SocketAddr,
        /// The system's answer.
        error: io::Error,
    },
    /// There are more routers than ports.
    #[error("port {first} and the {routers} above it are beyond 65535")]
    TooHigh {
        /// The first port.
        first: u16,
        /// How many are wanted.
        routers: usize,
    },
    /// No keys could be made.
    #[cfg(feature = "ssh")]
    #[error("no host keys: {0}")]
    Keys(String),
    /// A host key cannot be kept.
    #[cfg(feature = "ssh")]
    #[error("host key {}: {what}", file.display())]
    HostKey {
        /// Its file, or the folder.
        file: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// SSH is missing.
    #[cfg(not(feature = "ssh"))]
    #[error("this build has no SSH")]
    #[diagnostic(help("build it with `cargo build --release --features ssh`, or use --telnet"))]
    NoSsh,
}

/// What consoles are wanted.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// Where to listen.
    pub address: IpAddr,
    /// How they are reached.
    pub protocol: Protocol,
    /// The first port; 0 lets the system choose each.
    pub first: u16,
    /// The folder of SSH's host keys; without it they are made anew.
    pub host_keys: Option<PathBuf>,
}

/// The routers of a laboratory: names, and where they are in the network.
pub type Routers = Vec<(String, NodeIndex)>;

/// Opens a port for each router. Returns the addresses in the order of the routers; the consoles are served by tasks of the
/// current runtime.
///
/// # Errors
/// A port is taken, there are not enough of them, or there is no SSH.
pub async fn listen(
    owner: &Owner,
    routers: &Routers,
    wanted: &Wanted,
    connections: &Arc<Semaphore>,
) -> Result<Vec<SocketAddr>, ServerError> {
    let door = match wanted.protocol {
        Protocol::Telnet => Door::Telnet,
        #[cfg(feature = "ssh")]
        Protocol::Ssh => Door::Ssh(ssh::configuration(host_keys::host_keys(wanted.host_keys.as_deref())?)),
        #[cfg(not(feature = "ssh"))]
        Protocol::Ssh => return Err(ServerError::NoSsh),
    };
    let mut addresses = Vec::new();
    for (offset, (_, node)) in routers.iter().enumerate() {
        let too_high = || ServerError::TooHigh { first: wanted.first, routers: routers.len() };
        let port = match wanted.first {
            0 => 0,
            first => u16::try_from(offset).ok().and_then(|o| first.checked_add(o)).ok_or_else(too_high)?,
        };
        let address = SocketAddr::new(wanted.address, port);
        let fail = |error| ServerError::Port { address, error };
        let listener = TcpListener::bind(address).await.map_err(fail)?;
        addresses.push(listener.local_addr().map_err(fail)?);
        tokio::spawn(accept(listener, door.clone(), owner.clone(), *node, Arc::clone(connections)));
    }
    Ok(addresses)
}

/// What answers at a port.
#[derive(Clone)]
enum Door {
    Telnet,
    #[cfg(feature = "ssh")]
    Ssh(Arc<russh::server::Config>),
}

async fn accept(
    listener: TcpListener,
    door: Door,
    owner: Owner,
    node: NodeIndex,
    connections: Arc<Semaphore>,
) {
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            // Out of descriptors: it passes when a session ends.
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            continue;
        };
        // Above the limit a connection is closed at once.
        let Ok(permit) = Arc::clone(&connections).try_acquire_owned() else { continue };
        // Keys are echoed one by one.
        let _ = stream.set_nodelay(true);
        match &door {
            Door::Telnet => drop(tokio::spawn(telnet(stream, owner.clone(), node, peer.ip(), permit))),
            #[cfg(feature = "ssh")]
            Door::Ssh(configuration) => {
                let client = ssh::Client::new(owner.clone(), node, peer.ip());
                drop(tokio::spawn(ssh::serve(Arc::clone(configuration), stream, client, permit)));
            }
        }
    }
}

async fn telnet(
    mut stream: TcpStream,
    owner: Owner,
    node: NodeIndex,
    from: IpAddr,
    _permit: OwnedSemaphorePermit,
) {
    use tokio::io::AsyncWriteExt;
    if stream.write_all(&Telnet::OPENING).await.is_err() {
        return;
    }
    let (sender, output) = mpsc::channel(PIECES);
    if let Some(id) = owner.open(node, from, Entry::Unknown, sender).await {
        pump(stream, Coding::Telnet(Telnet::default()), &owner, id, output).await;
    }
}
