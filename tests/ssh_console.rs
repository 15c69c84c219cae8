//! SSH consoles of a laboratory, by a client of the same library. Other clients: `tests/clients.rs`.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use pair::PAIR;
use running_lab::{RunningLab, folder};
use russh::client::{self, Handle, KeyboardInteractiveAuthResponse};
use russh::keys::{Algorithm, HashAlg, PublicKeyOrCertificate};
use russh::{ChannelMsg, Preferred};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

#[path = "running_lab/pair.rs"]
mod pair;
mod running_lab;

struct Trusting;

impl client::Handler for Trusting {
    type Error = russh::Error;

    async fn check_server_key(&mut self, _key: &PublicKeyOrCertificate) -> Result<bool, Self::Error> {
        Ok(true)
    }
}

async fn connect(address: &str, key: Option<Algorithm>) -> Handle<Trusting> {
    let mut configuration = client::Config::default();
    if let Some(key) = key {
        configuration.preferred = Preferred { key: Cow::Owned(vec![key]), ..Preferred::default() };
    }
    client::connect(Arc::new(configuration), address, Trusting).await.unwrap()
}

async fn logged_in(address: &str) -> Handle<Trusting> {
    let mut handle = connect(address, None).await;
    assert!(handle.authenticate_password("admin", "cisco").await.unwrap().success());
    handle
}

fn pair() -> (tempfile::TempDir, RunningLab, Runtime) {
    let folder = folder(&PAIR);
    let lab = RunningLab::start(folder.path(), &["--ssh", "0"]);
    (folder, lab, Builder::new_current_thread().enable_all().build().unwrap())
}

/// Everything that a channel shows up to a text.
async fn until(channel: &mut russh::Channel<client::Msg>, wanted: &str) -> String {
    let mut seen = String::new();
    while !seen.contains(wanted) {
        match timeout(Duration::from_secs(60), channel.wait()).await {
            Ok(Some(ChannelMsg::Data { data })) => seen.push_str(&String::from_utf8_lossy(&data)),
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => panic!("no `{wanted}` in: {seen}"),
        }
    }
    seen
}

#[test]
fn a_shell_shows_the_prompt_and_ends_with_exit() {
    let (_folder, lab, runtime) = pair();
    runtime.block_on(async {
        let handle = logged_in(&lab.routers[1].ssh).await;
        let mut channel = handle.channel_open_session().await.unwrap();
        channel.request_pty(true, "vt100", 80, 6, 0, 0, &[]).await.unwrap();
        channel.request_shell(true).await.unwrap();
        until(&mut channel, "R2#").await;
        channel.data_bytes(&b"show running-config\r"[..]).await.unwrap();
        // Six lines of the window, echo included.
        assert_eq!(until(&mut channel, " --More-- ").await.matches("\r\n").count(), 6);
        channel.data_bytes(&b"qping 192.0.2.1\r"[..]).await.unwrap();
        until(&mut channel, "Success rate is 100 percent").await;
        channel.data_bytes(&b"exit\r"[..]).await.unwrap();
        let mut status = None;
        while let Some(message) = timeout(Duration::from_secs(60), channel.wait()).await.unwrap() {
            if let ChannelMsg::ExitStatus { exit_status } = message {
                status = Some(exit_status);
            }
        }
        assert_eq!(status, Some(0));
    });
}

/// What a client learns of the server: its host key.
#[derive(Clone, Default)]
struct Noting(Arc<std::sync::Mutex<Option<String>>>);

impl client::Handler for Noting {
    type Error = russh::Error;

    async fn check_server_key(&mut self, key: &PublicKeyOrCertificate) -> Result<bool, Self::Error> {
        *self.0.lock().unwrap() = Some(format!("{key:?}"));
        Ok(true)
    }
}

/// The host key of a kind that a new laboratory shows.
fn host_key(options: &[&str], kind: Algorithm) -> String {
    let folder = folder(&PAIR);
    let lab = RunningLab::start(folder.path(), &[&["--ssh", "0"], options].concat());
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let noting = Noting::default();
    let preferred = Preferred { key: Cow::Owned(vec![kind]), ..Preferred::default() };
    let configuration = client::Config { preferred, ..client::Config::default() };
    runtime.block_on(async {
        client::connect(Arc::new(configuration), lab.routers[0].ssh.as_str(), noting.clone()).await.unwrap();
    });
    noting.0.lock().unwrap().take().unwrap()
}

#[test]
fn host_keys_last_in_their_folder_and_are_new_without_one() {
    let kept = tempfile::tempdir().unwrap();
    let place = kept.path().join("keys");
    let options = ["--host-keys", place.to_str().unwrap()];
    let rsa = || Algorithm::Rsa { hash: Some(HashAlg::Sha512) };
    let first = [host_key(&options, Algorithm::Ed25519), host_key(&options, rsa())];
    assert_eq!([host_key(&options, Algorithm::Ed25519), host_key(&options, rsa())], first);
    assert_ne!(host_key(&[], Algorithm::Ed25519), first[0]);
    let files: Vec<_> = std::fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(files.len(), 2, "{files:?}");
    #[cfg(unix)]
    for file in &files {
        let mode = std::fs::metadata(place.join(file)).unwrap().permissions();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777, 0o600, "{file:?}");
    }
}

#[test]
fn host_keys_that_cannot_be_used_are_named_with_what_is_wrong() {
    let laboratory = folder(&PAIR);
    let refused = |place: &std::path::Path, options: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_netconfarena"))
            .arg("lab")
            .arg(laboratory.path())
            .args(options)
            .arg("--host-keys")
            .arg(place)
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        assert!(!output.status.success());
        // Long lines are broken, with a bar in front of the rest.
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        said.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
    };
    let kept = tempfile::tempdir().unwrap();
    let key = kept.path().join("ssh_host_ed25519_key");
    std::fs::write(&key, "no key").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&key, PermissionsExt::from_mode(0o644)).unwrap();
        let said = refused(kept.path(), &["--ssh", "0"]);
        assert!(said.contains("ssh_host_ed25519_key") && said.contains("mode 0644"), "{said}");
        std::fs::set_permissions(&key, PermissionsExt::from_mode(0o600)).unwrap();
    }
    let said = refused(kept.path(), &["--ssh", "0"]);
    assert!(said.contains("ssh_host_ed25519_key") && said.contains("no private key"), "{said}");
    let said = refused(&key, &["--ssh", "0"]);
    assert!(said.contains("host key") && said.contains("ssh_host_ed25519_key"), "{said}");
    let said = refused(kept.path(), &["--telnet", "0"]);
    assert!(said.contains("--ssh"), "{said}");
}

#[test]
fn a_command_is_run_without_a_shell() {
    let (_folder, lab, runtime) = pair();
    runtime.block_on(async {
        let handle = logged_in(&lab.routers[0].ssh).await;
        let mut channel = handle.channel_open_session().await.unwrap();
        channel.exec(true, "show privilege").await.unwrap();
        assert_eq!(until(&mut channel, "15\r\n").await, "\r\nCurrent privilege level is 15\r\n");
    });
}

#[test]
fn passwords_are_checked_by_both_methods_and_with_both_host_keys() {
    let (_folder, lab, runtime) = pair();
    let address = &lab.routers[0].ssh;
    runtime.block_on(async {
        for key in [Algorithm::Ed25519, Algorithm::Rsa { hash: Some(HashAlg::Sha256) }] {
            let mut handle = connect(address, Some(key)).await;
            assert!(!handle.authenticate_password("admin", "wrong").await.unwrap().success());
            assert!(handle.authenticate_password("admin", "cisco").await.unwrap().success());
        }
        for (password, admitted) in [("cisco", true), ("wrong", false)] {
            let mut handle = connect(address, None).await;
            let asked = handle.authenticate_keyboard_interactive_start("admin", None).await.unwrap();
            let KeyboardInteractiveAuthResponse::InfoRequest { prompts, .. } = asked else {
                panic!("{asked:?}");
            };
            assert_eq!((prompts[0].prompt.as_str(), prompts[0].echo), ("Password: ", false));
            let answers = vec![password.to_owned()];
            let answer = handle.authenticate_keyboard_interactive_respond(answers).await.unwrap();
            assert_eq!(matches!(answer, KeyboardInteractiveAuthResponse::Success), admitted);
        }
        let mut handle = connect(address, None).await;
        assert!(!handle.authenticate_none("admin").await.unwrap().success());
    });
}
