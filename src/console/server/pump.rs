//! Between a connection and its terminal.
//!
//! A piece of input is typed only when the answer to the one before has gone out: who does not read is not read from, and
//! nothing grows.

use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::owner::{Output, Owner, SessionId};
use crate::console::telnet::Telnet;

/// How long a connection may take no output before it is given up.
const STUCK: Duration = Duration::from_secs(60);

/// The largest piece of input.
const PIECE: usize = 4096;

/// What the octets of a connection stand for.
pub(super) enum Coding {
    /// What is typed and shown, as it is.
    #[cfg(feature = "ssh")]
    Plain,
    /// The telnet protocol.
    Telnet(Telnet),
}

/// Carries octets between a connection and a session until either has ended.
pub(super) async fn pump(
    connection: impl AsyncRead + AsyncWrite,
    mut coding: Coding,
    owner: &Owner,
    id: SessionId,
    mut output: mpsc::Receiver<Output>,
) {
    let (mut reader, mut writer) = tokio::io::split(connection);
    let mut piece = vec![0; PIECE];
    // What was typed and not taken yet.
    let mut typed: Vec<u8> = Vec::new();
    loop {
        tokio::select! {
            shown = output.recv() => {
                let Some(shown) = shown else { break };
                let octets = match coding {
                    #[cfg(feature = "ssh")]
                    Coding::Plain => shown.text.into_bytes(),
                    Coding::Telnet(_) => Telnet::encode(shown.text.as_bytes()),
                };
                if !write(&mut writer, &octets).await || shown.closed {
                    break;
                }
                if let Some(taken) = shown.taken {
                    typed.drain(..taken.min(typed.len()));
                    if !typed.is_empty() {
                        owner.input(id, typed.clone()).await;
                    }
                }
            }
            read = reader.read(&mut piece), if typed.is_empty() => {
                let octets = match read {
                    Ok(count @ 1..) => piece.get(..count).unwrap_or_default(),
                    Ok(0) | Err(_) => break,
                };
                typed = match &mut coding {
                    #[cfg(feature = "ssh")]
                    Coding::Plain => octets.to_vec(),
                    Coding::Telnet(telnet) => {
                        let decoded = telnet.decode(octets);
                        if let Some((columns, lines)) = decoded.window {
                            owner.resize(id, columns.into(), lines.into()).await;
                        }
                        if !write(&mut writer, &decoded.answer).await {
                            break;
                        }
                        decoded.typed
                    }
                };
                if !typed.is_empty() {
                    owner.input(id, typed.clone()).await;
                }
            }
        }
    }
    owner.close(id).await;
    // The other side may be gone already.
    let _ = timeout(STUCK, writer.shutdown()).await;
}

/// Whether octets went out in time.
async fn write(writer: &mut (impl AsyncWrite + Unpin), octets: &[u8]) -> bool {
    let all = async {
        writer.write_all(octets).await?;
        writer.flush().await
    };
    matches!(timeout(STUCK, all).await, Ok(Ok(())))
}
