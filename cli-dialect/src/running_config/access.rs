//! `enable secret`, `enable password`, `username`.

use netconfarena_emu::config::{RouterConfig, Secret};

use super::Lines;

/// The level that a line without one is for.
const HIGHEST: u8 = 15;

/// The passwords of privilege levels.
pub(super) fn enable(config: &RouterConfig, lines: &mut Lines) {
    let access = &config.access;
    let kinds = [("secret", &access.enable_secrets), ("password", &access.enable_passwords)];
    for (kind, secrets) in kinds {
        for (level, secret) in secrets {
            let level = if *level == HIGHEST { String::new() } else { format!(" level {level}") };
            // A password in clear text has no number here, that of a user has.
            match secret {
                Secret::Clear(text) if !begins_with_type(text) => {
                    lines.push(format!("enable {kind}{level} {text}"))
                }
                other => lines.push(format!("enable {kind}{level} {}", typed(other))),
            }
        }
    }
}

pub(super) fn users(config: &RouterConfig, lines: &mut Lines) {
    for (name, user) in &config.access.users {
        let mut line = format!("username {name}");
        if let Some(level) = user.privilege {
            line += &format!(" privilege {level}");
        }
        if user.no_password {
            line += " nopassword";
        }
        if let Some(secret) = &user.secret {
            line += &format!(" secret {}", typed(secret));
        }
        if let Some(password) = &user.password {
            line += &format!(" password {}", typed(password));
        }
        lines.push(line);
    }
}

/// Whether a password would be read as the number of a type with something behind it.
pub(super) fn begins_with_type(text: &str) -> bool {
    text.split(' ').next().is_some_and(|word| word.len() == 1 && word.bytes().all(|b| b.is_ascii_digit()))
}

pub(super) fn typed(secret: &Secret) -> String {
    match secret {
        Secret::Clear(text) => format!("0 {text}"),
        Secret::Md5(text) => format!("5 {text}"),
        Secret::Obfuscated(text) => format!("7 {text}"),
        Secret::Other(kind, text) => format!("{kind} {text}"),
    }
}
