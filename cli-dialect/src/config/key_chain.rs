//! `key chain NAME` and its keys.

use netconfarena_emu::config::{CryptographicAlgorithm, Key};

use super::interface::setting;
use super::{Complaint, ConfigMode, Editor, Handler, need};
use crate::grammar::{Args, Spec, int, kw, line, plain, word};

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    vec![
        kw("key", "Key management").then([kw("chain", "Key-chain management").then([word(
            "chain-name",
            "Key-chain name",
        )
        .run(chain as Handler)])]),
    ]
}

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![
        kw("key", "Configure a key")
            .then([int("key-id", 0, 2_147_483_647, "Key identifier").run(key as Handler)]),
    ]
}

pub(super) fn key_table() -> Vec<Spec<Handler>> {
    let algorithm = |word: &'static str| plain(word, "Algorithm", algorithm as Handler);
    let mut table = super::key_lifetime::table();
    let names = ["md5", "hmac-sha-1", "hmac-sha-256", "hmac-sha-384", "hmac-sha-512"];
    table.extend([
        kw("key-string", "Set key string").negatable(key_string as Handler).then([line(
            "string",
            "The UNENCRYPTED (cleartext) user password",
        )
        .run(key_string as Handler)]),
        kw("cryptographic-algorithm", "Set cryptographic authentication algorithm")
            .negatable(self::algorithm as Handler)
            .then(names.map(algorithm)),
        kw("key", "Configure a key")
            .then([int("key-id", 0, 2_147_483_647, "Key identifier").run(key as Handler)]),
    ]);
    table
}

fn chain(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.text("chain-name"))?.to_owned();
    if args.negated() {
        editor.config.key_chains.remove(&name);
        *editor.mode = ConfigMode::Global;
    } else {
        editor.config.key_chains.entry(name.clone()).or_default();
        *editor.mode = ConfigMode::KeyChain(name);
    }
    Ok(())
}

fn key(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let id = need(args.int("key-id"))?;
    let name = match &*editor.mode {
        ConfigMode::KeyChain(name) | ConfigMode::Key(name, _) => name.clone(),
        _ => return need(None),
    };
    let keys = &mut need(editor.config.key_chains.get_mut(&name))?.keys;
    if args.negated() {
        keys.remove(&id);
        *editor.mode = ConfigMode::KeyChain(name);
    } else {
        keys.entry(id).or_insert_with(Key::default);
        *editor.mode = ConfigMode::Key(name, id);
    }
    Ok(())
}

/// The key of the mode.
pub(super) fn current<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut Key, Complaint> {
    let key = match &*editor.mode {
        ConfigMode::Key(name, id) => editor.config.key_chains.get_mut(name).and_then(|c| c.keys.get_mut(id)),
        _ => None,
    };
    need(key)
}

/// A leading `0` says that the string is in clear text, as it is anyway.
fn key_string(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let string = setting(args, args.text("string"));
    current(editor)?.key_string = string.map(|s| s.strip_prefix("0 ").unwrap_or(s).to_owned());
    Ok(())
}

fn algorithm(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let chosen = args.names().last().and_then(|name| {
        Some(match name {
            "md5" => CryptographicAlgorithm::Md5,
            "hmac-sha-1" => CryptographicAlgorithm::HmacSha1,
            "hmac-sha-256" => CryptographicAlgorithm::HmacSha256,
            "hmac-sha-384" => CryptographicAlgorithm::HmacSha384,
            "hmac-sha-512" => CryptographicAlgorithm::HmacSha512,
            _ => return None,
        })
    });
    current(editor)?.algorithm = setting(args, chosen);
    Ok(())
}
