//! The telnet protocol (RFC 854): what stands between the octets of a terminal. Bytes in, bytes out; no sockets.
//!
//! A command is `IAC` (255) with a verb, and with an option behind `WILL`, `WONT`, `DO` and `DONT`:
//!
//! ```text
//! IAC DO ECHO                 IAC SB NAWS columns(16) lines(16) IAC SE
//! 255 253 1                   255 250 31  0 80  0 24  255 240
//! ```
//!
//! The router echoes and suppresses go-ahead (RFC 857, 858), and asks for the size of the window (RFC 1073). Every other option
//! is declined. An `IAC` among the data is doubled.

const IAC: u8 = 255;
const DONT: u8 = 254;
const DO: u8 = 253;
const WONT: u8 = 252;
const WILL: u8 = 251;
const SB: u8 = 250;
const SE: u8 = 240;
/// Erase character, as the terminal understands it.
const ERASE_CHARACTER: u8 = 247;
/// Erase line.
const ERASE_LINE: u8 = 248;
const INTERRUPT: u8 = 244;

const ECHO: u8 = 1;
const SUPPRESS_GO_AHEAD: u8 = 3;
const NAWS: u8 = 31;

/// How much of a subnegotiation is kept: the longest that is understood has five octets.
const SUBNEGOTIATION: usize = 16;

/// How many options a connection may negotiate before the rest goes unanswered.
const MOST_ANSWERS: u16 = 1024;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Data,
    /// Behind an `IAC`.
    Command,
    /// Behind a verb.
    Option(u8),
    /// Within a subnegotiation.
    Sub,
    /// Behind an `IAC` within a subnegotiation.
    SubCommand,
}

/// What a piece of a connection said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// What was typed.
    pub typed: Vec<u8>,
    /// What is to be answered at once.
    pub answer: Vec<u8>,
    /// Columns and lines of the window, if they were told.
    pub window: Option<(u16, u16)>,
}

/// One side of a telnet connection: the router's.
#[derive(Clone, Debug, Default)]
pub struct Telnet {
    state: State,
    sub: Vec<u8>,
    answers: u16,
}

impl Telnet {
    /// What the router opens the connection with.
    pub const OPENING: [u8; 9] = [IAC, WILL, ECHO, IAC, WILL, SUPPRESS_GO_AHEAD, IAC, DO, NAWS];

    /// Takes the protocol out of what came in.
    pub fn decode(&mut self, input: &[u8]) -> Decoded {
        let mut decoded = Decoded::default();
        for &octet in input {
            self.octet(octet, &mut decoded);
        }
        decoded
    }

    fn octet(&mut self, octet: u8, decoded: &mut Decoded) {
        self.state = match (self.state, octet) {
            (State::Data, IAC) => State::Command,
            (State::Data, _) => {
                decoded.typed.push(octet);
                State::Data
            }
            (State::Command, WILL | WONT | DO | DONT) => State::Option(octet),
            (State::Command, SB) => {
                self.sub.clear();
                State::Sub
            }
            (State::Command, verb) => {
                decoded.typed.extend(typed_by(verb));
                State::Data
            }
            (State::Option(verb), option) => {
                self.negotiate(verb, option, &mut decoded.answer);
                State::Data
            }
            (State::Sub, IAC) => State::SubCommand,
            (State::SubCommand, SE) => {
                if let [NAWS, a, b, c, d] = self.sub[..] {
                    decoded.window = Some((u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])));
                }
                State::Data
            }
            (State::Sub, _) | (State::SubCommand, IAC) => {
                if self.sub.len() < SUBNEGOTIATION {
                    self.sub.push(octet);
                }
                State::Sub
            }
            (State::SubCommand, _) => State::Data,
        };
    }

    /// Declines what was not offered; to what was, the answer of the other side needs none.
    fn negotiate(&mut self, verb: u8, option: u8, answer: &mut Vec<u8>) {
        let known = match verb {
            DO | DONT => [ECHO, SUPPRESS_GO_AHEAD].contains(&option),
            _ => option == NAWS,
        };
        let decline = match verb {
            DO => WONT,
            WILL if option == SUPPRESS_GO_AHEAD => DO,
            WILL => DONT,
            _ => return,
        };
        if !known && self.answers < MOST_ANSWERS {
            self.answers += 1;
            answer.extend([IAC, decline, option]);
        }
    }

    /// What goes out for a text of the terminal.
    #[must_use]
    pub fn encode(output: &[u8]) -> Vec<u8> {
        let mut encoded = Vec::with_capacity(output.len());
        for &octet in output {
            encoded.push(octet);
            if octet == IAC {
                encoded.push(IAC);
            }
        }
        encoded
    }
}

/// The key that a command stands for.
fn typed_by(verb: u8) -> Option<u8> {
    match verb {
        IAC => Some(IAC),
        INTERRUPT => Some(0x03),
        ERASE_CHARACTER => Some(0x7f),
        ERASE_LINE => Some(0x15),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn decode(input: &[u8]) -> Decoded {
        Telnet::default().decode(input)
    }

    #[test]
    fn what_is_typed_passes_and_commands_do_not() {
        assert_eq!(decode(b"show\r\n").typed, b"show\r\n");
        assert_eq!(decode(&[b'a', IAC, 241, b'b', IAC, IAC]).typed, [b'a', b'b', IAC]);
        assert_eq!(decode(&[IAC, INTERRUPT, IAC, ERASE_CHARACTER, IAC, ERASE_LINE]).typed, [3, 0x7f, 0x15]);
    }

    #[test]
    fn options_that_were_not_offered_are_declined_once_each() {
        const TERMINAL_TYPE: u8 = 24;
        assert_eq!(decode(&[IAC, DO, TERMINAL_TYPE]).answer, [IAC, WONT, TERMINAL_TYPE]);
        assert_eq!(decode(&[IAC, WILL, TERMINAL_TYPE]).answer, [IAC, DONT, TERMINAL_TYPE]);
        assert_eq!(decode(&[IAC, WILL, SUPPRESS_GO_AHEAD]).answer, [IAC, DO, SUPPRESS_GO_AHEAD]);
        for agreed in [[IAC, DO, ECHO], [IAC, DO, SUPPRESS_GO_AHEAD], [IAC, WILL, NAWS], [IAC, WONT, 24]] {
            assert_eq!(decode(&agreed), Decoded::default(), "{agreed:?}");
        }
    }

    #[test]
    fn the_size_of_the_window_is_read_wherever_the_pieces_end() {
        let told = [b'x', IAC, SB, NAWS, 0, 132, 0, IAC, IAC, IAC, SE, b'y'];
        let mut telnet = Telnet::default();
        let pieces: Vec<Decoded> = told.iter().map(|octet| telnet.decode(&[*octet])).collect();
        assert_eq!(pieces.iter().find_map(|piece| piece.window), Some((132, 255)));
        assert_eq!(pieces.iter().flat_map(|piece| piece.typed.clone()).collect::<Vec<_>>(), b"xy");
    }

    proptest! {
        #[test]
        fn data_pass_both_ways_unchanged(data in prop::collection::vec(any::<u8>(), 0..300)) {
            let decoded = decode(&Telnet::encode(&data));
            prop_assert_eq!(decoded.typed, data);
        }

        #[test]
        fn octets_never_panic_nor_grow(input in prop::collection::vec(prop_oneof![Just(IAC), Just(SB), any::<u8>()], 0..6000)) {
            let mut telnet = Telnet::default();
            let decoded = telnet.decode(&input);
            prop_assert!(decoded.typed.len() <= input.len() && decoded.answer.len() <= 3 * usize::from(MOST_ANSWERS));
            prop_assert!(telnet.sub.len() <= SUBNEGOTIATION);
        }
    }
}
