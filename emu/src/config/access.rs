//! Who may use the router: users and passwords.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A password as the configuration holds it, by the number that IOS puts in front.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Secret {
    /// 0: in clear text.
    Clear(String),
    /// 5: hashed by MD5-crypt.
    Md5(String),
    /// 7: obfuscated, readable by anybody.
    Obfuscated(String),
    /// 8 and 9 (PBKDF2, scrypt): kept, and never matched by a password here.
    Other(u8, String),
}

/// A user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserConfig {
    /// `privilege`; IOS's default is 1.
    pub privilege: Option<u8>,
    /// `password`.
    pub password: Option<Secret>,
    /// `secret`, which takes the place of a password.
    pub secret: Option<Secret>,
    /// `nopassword`.
    pub no_password: bool,
}

/// Users and the passwords of privilege levels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessConfig {
    /// `enable secret [level N]`, by level; without a level it is that of 15.
    pub enable_secrets: BTreeMap<u8, Secret>,
    /// `enable password [level N]`, by level; used where there is no secret.
    pub enable_passwords: BTreeMap<u8, Secret>,
    /// `username`.
    pub users: BTreeMap<String, UserConfig>,
}
