//! `crypto key generate rsa`: the key without which a router has no SSH server. It is no part of the configuration.

use super::{Complaint, Editor, Handler, Request, refuse};
use crate::grammar::{Args, Spec, int, kw, plain};

/// The size of a key that is made without one.
const MODULUS: u16 = 1024;

pub(super) fn table() -> Vec<Spec<Handler>> {
    let run = generate as Handler;
    let modulus = || {
        kw("modulus", "Provide number of modulus bits on the command line").then([int(
            "bits",
            360,
            4096,
            "size of the key modulus",
        )
        .run(run)])
    };
    vec![
        kw("crypto", "Encryption module").then([kw("key", "Long term key operations").then([
            kw("generate", "Generate new keys").then([kw("rsa", "Generate RSA keys").run(run).then([
                kw("general-keys", "Generate a general purpose RSA key pair for signing and encryption")
                    .run(run)
                    .then([modulus()]),
                modulus(),
            ])]),
            kw("zeroize", "Remove keys").then([plain("rsa", "Remove RSA keys", zeroize as Handler)]),
        ])]),
    ]
}

/// The name of the key is that of the router with its domain, so that both must be there.
fn generate(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let heads = ["ip domain name ", "ip domain-name "];
    let all = &editor.config.inert.global;
    let domain = all.iter().find_map(|line| heads.iter().find_map(|head| line.strip_prefix(head)));
    let Some(domain) = domain else { return refuse("% Please define a domain-name first.") };
    if editor.config.hostname == "Router" {
        return refuse("% Please define a hostname other than Router.");
    }
    let bits = args.int("bits").unwrap_or(MODULUS);
    editor.said = format!(
        "The name for the keys will be: {}.{domain}\n\n% The key modulus size is {bits} bits\n\
         % Generating {bits} bit RSA keys, keys will be non-exportable...\n[OK] (elapsed time was 0 seconds)\n",
        editor.config.hostname
    );
    editor.request = Some(Request::HostKey(Some(bits)));
    Ok(())
}

fn zeroize(editor: &mut Editor<'_>, _args: &Args) -> Result<(), Complaint> {
    editor.request = Some(Request::HostKey(None));
    Ok(())
}
