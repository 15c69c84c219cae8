//! Messages: layout, what is refused, and round trips.

use proptest::prelude::*;

use super::*;

fn entry(metric: u8) -> Entry {
    Entry {
        address: Ipv4Addr::new(10, 1, 2, 0),
        mask: Ipv4Addr::new(255, 255, 255, 0),
        tag: 7,
        next_hop: Ipv4Addr::new(10, 0, 0, 9),
        metric,
    }
}

fn response(entries: Vec<Entry>) -> Message {
    Message {
        command: Command::Response,
        version: Version::V2,
        authentication: Authentication::None,
        body: Body::Entries(entries),
    }
}

#[test]
fn rfc2453_4_layout_of_an_entry() {
    let octets = response(vec![entry(3)]).emit(&[]);
    let expected = [2, 2, 0, 0, 0, 2, 0, 7, 10, 1, 2, 0, 255, 255, 255, 0, 10, 0, 0, 9, 0, 0, 0, 3];
    assert_eq!(octets, expected);
}

#[test]
fn rfc2453_3_9_1_one_entry_of_family_0_and_metric_16_asks_for_everything() {
    let request = Message { command: Command::Request, body: Body::WholeTable, ..response(vec![]) };
    let octets = request.emit(&[]);
    assert_eq!(octets[4..], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16]);
    assert_eq!(Message::parse(&octets), Ok(request));
}

#[test]
fn rfc2453_4_6_version_1_with_fields_that_must_be_zero_is_refused() {
    let mut octets = response(vec![entry(3)]).emit(&[]);
    octets[1] = 1;
    assert_eq!(Message::parse(&octets), Err(MessageError::NotZero));
    let mut header = Message { version: Version::V1, ..response(vec![]) }.emit(&[]);
    header[3] = 1;
    assert_eq!(Message::parse(&header), Err(MessageError::NotZero));
}

#[test]
fn metrics_of_responses_are_1_to_16() {
    for metric in [0, 17, u32::MAX] {
        let mut octets = response(vec![entry(1)]).emit(&[]);
        octets[20..24].copy_from_slice(&metric.to_be_bytes());
        assert_eq!(Message::parse(&octets), Err(MessageError::Metric(metric)));
    }
}

#[test]
fn other_families_are_left_out() {
    let mut octets = response(vec![entry(1), entry(2)]).emit(&[]);
    octets[5] = 99;
    assert_eq!(Message::parse(&octets), Ok(response(vec![entry(2)])));
}

#[test]
fn what_is_no_message_is_refused() {
    let good = response(vec![entry(1)]).emit(&[]);
    let with = |at: usize, octet: u8| {
        let mut octets = good.clone();
        octets[at] = octet;
        Message::parse(&octets)
    };
    assert_eq!(with(0, 3), Err(MessageError::Command(3)));
    assert_eq!(with(1, 0), Err(MessageError::Version(0)));
    assert_eq!(with(1, 3), Err(MessageError::Version(3)));
    assert_eq!(Message::parse(&good[..3]), Err(MessageError::Length(3)));
    assert_eq!(Message::parse(&good[..23]), Err(MessageError::Length(23)));
    let many = response(vec![entry(1); 26]).emit(&[]);
    assert_eq!(Message::parse(&many), Err(MessageError::TooManyEntries(26)));
}

#[test]
fn rfc2453_4_1_a_password_fills_the_first_entry() {
    let message =
        Message { authentication: Authentication::Text(padded(b"secret")), ..response(vec![entry(1)]) };
    let octets = message.emit(&[]);
    assert_eq!(octets[4..14], [0xFF, 0xFF, 0, 2, b's', b'e', b'c', b'r', b'e', b't']);
    assert_eq!(octets.len(), 44);
    assert_eq!(Message::parse(&octets), Ok(message));
}

#[test]
fn rfc2082_3_2_the_digest_covers_the_whole_message_and_the_secret() {
    let authentication = Authentication::Md5 { key_id: 5, sequence: 77 };
    let message = Message { authentication, ..response(vec![entry(1)]) };
    let octets = message.emit(b"secret");
    assert_eq!(octets[4..16], [0xFF, 0xFF, 0, 3, 0, 44, 5, 20, 0, 0, 0, 77]);
    assert_eq!(octets[44..48], [0xFF, 0xFF, 0, 1]);
    assert_eq!(octets.len(), 64);
    assert_eq!(Message::parse(&octets), Ok(message));
    assert!(digest_is_right(&octets, b"secret"));
    assert!(!digest_is_right(&octets, b"Secret"));
    for at in 0..octets.len() {
        let mut changed = octets.clone();
        changed[at] ^= 1;
        assert!(!digest_is_right(&changed, b"secret"), "octet {at}");
    }
}

fn any_entry() -> impl Strategy<Value = Entry> {
    let address = || any::<u32>().prop_map(Ipv4Addr::from);
    (address(), address(), any::<u16>(), address(), 1..=16u8)
        .prop_map(|(address, mask, tag, next_hop, metric)| Entry { address, mask, tag, next_hop, metric })
}

fn any_message() -> impl Strategy<Value = Message> {
    let authentication = prop_oneof![
        Just(Authentication::None),
        any::<[u8; 16]>().prop_map(Authentication::Text),
        (any::<u8>(), any::<u32>()).prop_map(|(key_id, sequence)| Authentication::Md5 { key_id, sequence }),
    ];
    let entries = prop::collection::vec(any_entry(), 0..=24);
    (any::<bool>(), any::<bool>(), authentication, entries).prop_map(
        |(request, v1, authentication, entries)| {
            let old = |entry: Entry| Entry {
                mask: Ipv4Addr::UNSPECIFIED,
                next_hop: Ipv4Addr::UNSPECIFIED,
                tag: 0,
                ..entry
            };
            let (version, authentication, entries) = match v1 {
                true => (Version::V1, Authentication::None, entries.into_iter().map(old).collect()),
                false => (Version::V2, authentication, entries),
            };
            let command = if request { Command::Request } else { Command::Response };
            Message { command, version, authentication, body: Body::Entries(entries) }
        },
    )
}

proptest! {
    #[test]
    fn messages_read_back(message in any_message(), secret in any::<[u8; 20]>()) {
        let octets = message.emit(&secret);
        prop_assert_eq!(Message::parse(&octets), Ok(message.clone()));
        if let Authentication::Md5 { .. } = message.authentication {
            prop_assert!(digest_is_right(&octets, &secret));
        }
    }

    #[test]
    fn any_octets_are_read_or_refused(octets in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = Message::parse(&octets);
        let _ = digest_is_right(&octets, &octets);
    }

    #[test]
    fn near_messages_are_read_or_refused(message in any_message(), at in any::<prop::sample::Index>(), to in any::<u8>()) {
        let mut octets = message.emit(b"x");
        let at = at.index(octets.len());
        octets[at] = to;
        let _ = Message::parse(&octets);
    }
}
