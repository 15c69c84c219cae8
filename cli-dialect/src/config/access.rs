//! `enable secret`, `enable password`, `username`.

use netconfarena_emu::config::{Secret, UserConfig};

use super::unsupported::refused;
use super::{Complaint, ConfigMode, Editor, Handler, need, refuse};
use crate::grammar::{Args, Spec, int, kw, line, plain, word};
use crate::secret;

/// The most users of a router.
const MOST_USERS: usize = 500;

/// The level that `enable` without a number leads to.
const HIGHEST: u8 = 15;

pub(super) fn table() -> Vec<Spec<Handler>> {
    let level = |run: Handler, types: fn(Handler) -> Vec<Spec<Handler>>| {
        kw("level", "Set exec level password")
            .then([int("level-number", 1, 15, "Level number").negatable(run).then(types(run))])
    };
    let enable = |keyword, help, run: Handler, types: fn(Handler) -> Vec<Spec<Handler>>| {
        kw(keyword, help).negatable(run).then([level(run, types)]).then(types(run))
    };
    vec![
        kw("enable", "Modify enable password parameters").then([
            refused("algorithm-type", "Algorithm to use for hashing the plain text enable secret"),
            enable("password", "Assign the privileged level password", enable_password, password_types),
            enable("secret", "Assign the privileged level secret", enable_secret, secret_types),
        ]),
        kw("username", "Establish User Name Authentication").then([word("user-name", "User name")
            .run(user as Handler)
            .then(user_options())
            .then([kw("privilege", "Set user privilege level").then([int(
                "level-number",
                0,
                15,
                "User privilege level",
            )
            .run(user as Handler)
            .then(user_options())])])]),
    ]
}

fn user_options() -> Vec<Spec<Handler>> {
    let mut options = vec![
        plain("nopassword", "No password is required for the user to log in", user as Handler),
        kw("password", "Specify the password for the user").then(password_types(user)),
        kw("secret", "Specify the secret for the user").then(secret_types(user)),
    ];
    let others = [
        ("access-class", "Restrict access by access-class"),
        ("algorithm-type", "Algorithm to use for hashing the plain text secret"),
        ("autocommand", "Automatically issue a command after the user logs in"),
        ("view", "Set view name"),
    ];
    options.extend(others.map(|(keyword, help)| refused(keyword, help)));
    options
}

/// A text behind its type; without a type it is in clear text.
fn typed(run: Handler, types: &[(&'static str, &'static str)]) -> Vec<Spec<Handler>> {
    let with_type = |&(number, help): &(&'static str, &'static str)| {
        kw(number, help).then([line("text", "The password").run(run)])
    };
    let mut specs: Vec<Spec<Handler>> = types.iter().map(with_type).collect();
    specs.push(line("text", "The UNENCRYPTED (cleartext) password").run(run));
    specs
}

pub(super) fn password_types(run: Handler) -> Vec<Spec<Handler>> {
    typed(
        run,
        &[
            ("0", "Specifies an UNENCRYPTED password will follow"),
            ("7", "Specifies a HIDDEN password will follow"),
        ],
    )
}

fn secret_types(run: Handler) -> Vec<Spec<Handler>> {
    typed(
        run,
        &[
            ("0", "Specifies an UNENCRYPTED secret will follow"),
            ("5", "Specifies a MD5 HASHED secret will follow"),
            ("8", "Specifies a PBKDF2 HASHED secret will follow"),
            ("9", "Specifies a SCRYPT HASHED secret will follow"),
        ],
    )
}

/// The password of a line: of `secret` a hash, if it is in clear text.
pub(super) fn given(args: &Args) -> Option<Secret> {
    let text = args.text("text")?.to_owned();
    Some(match args.names().find(|name| ["5", "7", "8", "9"].contains(name)) {
        Some("5") => Secret::Md5(text),
        Some("7") => Secret::Obfuscated(text),
        Some("8") => Secret::Other(8, text),
        Some(_) => Secret::Other(9, text),
        None if args.has("secret") => secret::hash(&text),
        None => Secret::Clear(text),
    })
}

fn enable_secret(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let level = args.int("level-number").unwrap_or(HIGHEST);
    *editor.mode = ConfigMode::Global;
    let secrets = &mut editor.config.access.enable_secrets;
    match given(args).filter(|_| !args.negated()) {
        Some(secret) => secrets.insert(level, secret),
        None => secrets.remove(&level),
    };
    Ok(())
}

fn enable_password(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let level = args.int("level-number").unwrap_or(HIGHEST);
    *editor.mode = ConfigMode::Global;
    let passwords = &mut editor.config.access.enable_passwords;
    match given(args).filter(|_| !args.negated()) {
        Some(password) => passwords.insert(level, password),
        None => passwords.remove(&level),
    };
    Ok(())
}

/// Several lines about one user add up. `no username NAME`, whatever follows, removes the user.
fn user(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.text("user-name"))?.to_owned();
    *editor.mode = ConfigMode::Global;
    let users = &mut editor.config.access.users;
    if args.negated() {
        users.remove(&name);
        return Ok(());
    }
    if users.len() >= MOST_USERS && !users.contains_key(&name) {
        return refuse("% Insufficient memory for this configuration");
    }
    let user = users.entry(name).or_default();
    let secret = given(args);
    let is_secret = args.has("secret");
    if !is_secret && secret.is_some() && user.secret.is_some() {
        return refuse(
            "ERROR: Can not have both a user password and a user secret.\nPlease choose one or the other.",
        );
    }
    if let Some(level) = args.int::<u8>("level-number") {
        // Level 1 is the default, and not shown.
        user.privilege = Some(level).filter(|level| *level != 1);
    }
    match secret {
        Some(secret) if is_secret => {
            *user = UserConfig { privilege: user.privilege, secret: Some(secret), ..UserConfig::default() };
        }
        Some(password) => (user.password, user.no_password) = (Some(password), false),
        None if args.has("nopassword") => {
            *user = UserConfig { privilege: user.privilege, no_password: true, ..UserConfig::default() };
        }
        None => {}
    }
    Ok(())
}
