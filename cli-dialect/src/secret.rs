//! Passwords as configurations hold them: MD5-crypt (type 5) and the obfuscation of type 7.

use md5::{Digest, Md5};
use netconfarena_emu::config::Secret;

/// The alphabet of hashes in text, six bits a character.
const ALPHABET: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// What passwords of type 7 are combined with.
const OBFUSCATION: &[u8; 53] = b"dsfd;kfoA,.iyewrkldJKDHSUBsgvca69834ncxv9873254k;fg87";

/// How often MD5-crypt hashes.
const ROUNDS: usize = 1000;

/// Whether `password` is what a secret stands for.
#[must_use]
pub fn matches(secret: &Secret, password: &str) -> bool {
    match secret {
        Secret::Clear(text) => text == password,
        Secret::Md5(hash) => salt_of(hash).is_some_and(|salt| md5_crypt(password, salt) == *hash),
        Secret::Obfuscated(text) => reveal(text).is_some_and(|text| text == password),
        Secret::Other(..) => false,
    }
}

/// A secret of type 5. The salt follows from the password, so that the same line always gives the same configuration.
#[must_use]
pub fn hash(password: &str) -> Secret {
    let digest = Md5::digest(password.as_bytes());
    let salt: String = digest.iter().take(4).map(|octet| character(u32::from(*octet))).collect();
    Secret::Md5(md5_crypt(password, &salt))
}

fn salt_of(hash: &str) -> Option<&str> {
    let (salt, _) = hash.strip_prefix("$1$")?.split_once('$')?;
    Some(salt)
}

fn character(bits: u32) -> char {
    ALPHABET.get(bits as usize & 63).map_or('.', |&octet| char::from(octet))
}

/// MD5-crypt with a salt, of which eight characters count.
fn md5_crypt(password: &str, salt: &str) -> String {
    let salt: String = salt.chars().take(8).collect();
    let (key, salt_octets) = (password.as_bytes(), salt.as_bytes());
    let inner = Md5::new().chain_update(key).chain_update(salt_octets).chain_update(key).finalize();
    let mut context = Md5::new().chain_update(key).chain_update("$1$").chain_update(salt_octets);
    for start in (0..key.len()).step_by(inner.len()) {
        let length = inner.len().min(key.len() - start);
        context.update(inner.get(..length).unwrap_or_default());
    }
    let mut length = key.len();
    while length > 0 {
        context.update(if length & 1 == 1 { &[0] } else { key.get(..1).unwrap_or_default() });
        length >>= 1;
    }
    let mut digest = context.finalize();
    for round in 0..ROUNDS {
        let mut next = Md5::new();
        let odd = round % 2 == 1;
        next.update(if odd { key } else { digest.as_slice() });
        if round % 3 != 0 {
            next.update(salt_octets);
        }
        if round % 7 != 0 {
            next.update(key);
        }
        next.update(if odd { digest.as_slice() } else { key });
        digest = next.finalize();
    }
    format!("$1${salt}${}", in_text(digest.as_slice()))
}

/// The digest in text: three octets in an order of their own make four characters, the last octet two.
fn in_text(digest: &[u8]) -> String {
    let octet = |at: usize| digest.get(at).map_or(0, |&octet| u32::from(octet));
    let groups = [[0, 6, 12], [1, 7, 13], [2, 8, 14], [3, 9, 15], [4, 10, 5]];
    let mut text = String::new();
    let mut put = |mut bits: u32, characters: usize| {
        for _ in 0..characters {
            text.push(character(bits));
            bits >>= 6;
        }
    };
    for [high, middle, low] in groups {
        put(octet(high) << 16 | octet(middle) << 8 | octet(low), 4);
    }
    put(octet(11), 2);
    text
}

/// A password of type 7: where in the key it begins, in decimal, then the octets in hexadecimal.
fn reveal(text: &str) -> Option<String> {
    let start: usize = text.get(..2)?.parse().ok()?;
    let digits = text.get(2..)?;
    let octets = (0..digits.len()).step_by(2).enumerate().map(|(at, from)| {
        let octet = u8::from_str_radix(digits.get(from..from + 2)?, 16).ok()?;
        Some(octet ^ OBFUSCATION.get((start + at) % OBFUSCATION.len())?)
    });
    String::from_utf8(octets.collect::<Option<Vec<u8>>>()?).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn hashes_are_those_of_crypt() {
        // Made with `openssl passwd -1`.
        assert_eq!(md5_crypt("cisco", "mERr"), "$1$mERr$hx5rVt7rPNoS4wqbXKX7m0");
        assert_eq!(
            md5_crypt("a longer password of more than sixteen", "abcdefgh"),
            "$1$abcdefgh$IL48y4h/Rg0W91Kpz.JFt1"
        );
        assert_eq!(md5_crypt("", "x"), "$1$x$fwjfZtMwarkdetsjiQreU1");
    }

    #[test]
    fn passwords_match_their_secrets_only() {
        assert!(matches(&Secret::Obfuscated("0822455D0A16".to_owned()), "cisco"));
        assert!(!matches(&Secret::Obfuscated("0822455D0A".to_owned()), "cisco"));
        assert!(matches(&Secret::Clear("x".to_owned()), "x"));
        assert!(!matches(&Secret::Other(9, "x".to_owned()), "x"));
        assert!(!matches(&Secret::Md5("no hash".to_owned()), "no hash"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn a_password_matches_its_hash_and_no_other(password in ".{0,40}", other in ".{0,40}") {
            let secret = hash(&password);
            prop_assert!(matches(&secret, &password));
            prop_assert_eq!(matches(&secret, &other), password == other);
        }

        #[test]
        fn no_secret_panics(text in ".*") {
            let _ = matches(&Secret::Obfuscated(text.clone()), "x");
            let _ = matches(&Secret::Md5(text), "x");
        }
    }
}
