//! The keys that packets of an interface are signed and checked with (RFC 7868 section 5.2).

use super::config::{AuthenticationMode, EigrpInterfaceConfig};
use super::packet::{AuthenticationKey, Digest};
use crate::config::{Key, Lifetime, RouterConfig};
use crate::time::Time;

/// How packets of an interface are authenticated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keys {
    /// Not at all.
    None,
    /// With these keys, of which there may be none at the moment: then nothing passes.
    Any(Vec<AuthenticationKey>),
}

impl Keys {
    /// The keys to sign with: of a key chain the valid one with the least number comes first, and is used.
    #[must_use]
    pub fn to_send(settings: &EigrpInterfaceConfig, router: &RouterConfig, now: Time) -> Self {
        Self::of(settings, router, now, |key| key.send_lifetime)
    }

    /// The keys that received packets may be signed with.
    #[must_use]
    pub fn to_accept(settings: &EigrpInterfaceConfig, router: &RouterConfig, now: Time) -> Self {
        Self::of(settings, router, now, |key| key.accept_lifetime)
    }

    fn of(
        settings: &EigrpInterfaceConfig,
        router: &RouterConfig,
        now: Time,
        lifetime: fn(&Key) -> Option<Lifetime>,
    ) -> Self {
        let (digest, password) = match &settings.authentication {
            None => return Self::None,
            Some(AuthenticationMode::Md5) => (Digest::Md5, None),
            Some(AuthenticationMode::HmacSha256(password)) => (Digest::Sha256, Some(password)),
        };
        let Some(chain) = &settings.key_chain else {
            return match password {
                Some(password) => {
                    Self::Any(vec![AuthenticationKey { digest, id: 0, secret: password.clone() }])
                }
                // MD5 without a key chain is not in force.
                None => Self::None,
            };
        };
        let valid = router.valid_keys(chain, now, lifetime).filter_map(|(id, key)| {
            let secret = key.key_string.clone()?;
            Some(AuthenticationKey { digest, id, secret })
        });
        Self::Any(valid.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::KeyChain;

    fn router() -> RouterConfig {
        let key = |text: &str, from, until| Key {
            key_string: Some(text.to_owned()),
            send_lifetime: Some(Lifetime { from, until }),
            ..Key::default()
        };
        let start = Time::ZERO.unix_secs();
        let keys = [(1, key("old", start, Some(start + 100))), (2, key("new", start + 50, None))];
        let mut router = RouterConfig::default();
        router.key_chains.insert("K".to_owned(), KeyChain { keys: keys.into() });
        router
    }

    fn secrets(keys: Keys) -> Option<Vec<(u32, String)>> {
        match keys {
            Keys::None => None,
            Keys::Any(keys) => Some(keys.into_iter().map(|key| (key.id, key.secret)).collect()),
        }
    }

    #[test]
    fn keys_are_sent_within_their_lifetimes_the_least_number_first_and_accepted_within_theirs() {
        let settings = EigrpInterfaceConfig {
            authentication: Some(AuthenticationMode::Md5),
            key_chain: Some("K".to_owned()),
            ..EigrpInterfaceConfig::default()
        };
        let (old, new) = ((1, "old".to_owned()), (2, "new".to_owned()));
        for (at, sent) in
            [(0, vec![old.clone()]), (60, vec![old.clone(), new.clone()]), (100, vec![new.clone()])]
        {
            let keys = Keys::to_send(&settings, &router(), Time::from_secs(at));
            assert_eq!(secrets(keys), Some(sent), "at {at}");
        }
        let accepted = Keys::to_accept(&settings, &router(), Time::ZERO);
        assert_eq!(secrets(accepted), Some(vec![old, new]));
        let gone = EigrpInterfaceConfig { key_chain: Some("X".to_owned()), ..settings };
        assert_eq!(Keys::to_send(&gone, &router(), Time::ZERO), Keys::Any(Vec::new()));
    }

    #[test]
    fn a_password_needs_no_chain_and_md5_does() {
        let password = AuthenticationMode::HmacSha256("secret".to_owned());
        let mut settings =
            EigrpInterfaceConfig { authentication: Some(password), ..EigrpInterfaceConfig::default() };
        let keys = Keys::to_send(&settings, &router(), Time::ZERO);
        assert_eq!(secrets(keys), Some(vec![(0, "secret".to_owned())]));
        settings.authentication = Some(AuthenticationMode::Md5);
        assert_eq!(Keys::to_send(&settings, &router(), Time::ZERO), Keys::None);
    }
}
