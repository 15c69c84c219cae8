//! The host keys of the SSH consoles: made anew at each start, or kept in a folder in the format of OpenSSH.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use russh::keys::ssh_key::LineEnding;
use russh::keys::ssh_key::private::{KeypairData, RsaKeypair};
use russh::keys::{Algorithm, PrivateKey};

use super::ServerError;

/// Bits of the RSA host key.
const RSA_BITS: usize = 2048;

/// The longest file that may be a key, in octets.
const LONGEST: u64 = 64 * 1024;

/// A kind of host key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Ed25519,
    Rsa,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Ed25519, Self::Rsa];

    /// The name of its file, as OpenSSH has it.
    const fn file(self) -> &'static str {
        match self {
            Self::Ed25519 => "ssh_host_ed25519_key",
            Self::Rsa => "ssh_host_rsa_key",
        }
    }

    fn fits(self, key: &PrivateKey) -> bool {
        match self {
            Self::Ed25519 => key.algorithm() == Algorithm::Ed25519,
            Self::Rsa => key.algorithm().is_rsa(),
        }
    }

    fn make(self) -> Result<PrivateKey, ServerError> {
        let fail = |error: russh::keys::ssh_key::Error| ServerError::Keys(error.to_string());
        let mut random = rand::rng();
        match self {
            Self::Ed25519 => PrivateKey::random(&mut random, Algorithm::Ed25519).map_err(fail),
            Self::Rsa => {
                let pair = RsaKeypair::random(&mut random, RSA_BITS).map_err(fail)?;
                PrivateKey::new(KeypairData::from(pair), "").map_err(fail)
            }
        }
    }
}

/// The host keys: those of a folder, which are made once and then read, or new ones.
///
/// # Errors
/// A file cannot be read or written, is open to others, or holds no key of its kind.
pub(super) fn host_keys(folder: Option<&Path>) -> Result<Vec<PrivateKey>, ServerError> {
    let Some(folder) = folder else { return Kind::ALL.into_iter().map(Kind::make).collect() };
    make_folder(folder)
        .map_err(|error| ServerError::HostKey { file: folder.to_owned(), what: error.to_string() })?;
    Kind::ALL.into_iter().map(|kind| kept(kind, &folder.join(kind.file()))).collect()
}

/// A folder that nobody else can look into, unless it is there already.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// The key of a file, which is made if there is none.
fn kept(kind: Kind, file: &Path) -> Result<PrivateKey, ServerError> {
    let fail = |what: String| ServerError::HostKey { file: file.to_owned(), what };
    match fs::metadata(file) {
        Ok(found) => read(kind, file, &found).map_err(fail),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let key = kind.make()?;
            match write(&key, file) {
                Ok(()) => Ok(key),
                // Another laboratory was faster: its key counts.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    let found = fs::metadata(file).map_err(|error| fail(error.to_string()))?;
                    read(kind, file, &found).map_err(fail)
                }
                Err(error) => Err(fail(error.to_string())),
            }
        }
        Err(error) => Err(fail(error.to_string())),
    }
}

fn read(kind: Kind, file: &Path, found: &fs::Metadata) -> Result<PrivateKey, String> {
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o777;
        if mode & 0o077 != 0 {
            return Err(format!("others may use it (mode {mode:04o}); `chmod 600` makes it private"));
        }
    }
    if !found.is_file() || found.len() > LONGEST {
        return Err("it is no file with a key".to_owned());
    }
    let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
    let key = PrivateKey::from_openssh(&text).map_err(|error| format!("it holds no private key: {error}"))?;
    if key.is_encrypted() {
        return Err("it is encrypted, and nobody is asked for its passphrase".to_owned());
    }
    if !kind.fits(&key) {
        return Err(format!("it holds a key of another kind: {}", key.algorithm()));
    }
    Ok(key)
}

/// Writes a key whole or not at all, and over no other.
fn write(key: &PrivateKey, file: &Path) -> std::io::Result<()> {
    let text = key.to_openssh(LineEnding::LF).map_err(std::io::Error::other)?;
    let beside = PathBuf::from(format!("{}.{}", file.display(), std::process::id()));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(&beside).and_then(|mut open| {
        open.write_all(text.as_bytes())?;
        open.sync_all()?;
        fs::hard_link(&beside, file)
    });
    // Under its own name, or of no use.
    let _ = fs::remove_file(&beside);
    written
}
