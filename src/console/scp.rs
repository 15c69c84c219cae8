//! The router's side of `scp`: a file into the flash, or out of it. Bytes in, bytes out; no sockets.
//!
//! The client runs `scp -t FILE` to send a file, and `scp -f FILE` to get one. Who sends, sends
//!
//! ```text
//! C0644 SIZE NAME\n  octets of the file  0
//! ```
//!
//! and the other side answers the line and the file with an octet 0 each, or with 1 and a message. Times (`T`) are taken and
//! forgotten; folders (`D`) are refused.

use netconfarena_emu::router::Flash;

/// The longest line in front of a file.
const LONGEST_LINE: usize = 512;

/// What a command of SCP asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `scp -t FILE`: the client sends it.
    Put(String),
    /// `scp -f FILE`: the client gets it.
    Get(String),
}

impl Request {
    /// Reads the command line that a client of `scp` runs; `None` if it is another command.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("scp") {
            return None;
        }
        let (mut to, mut from, mut file) = (false, false, None);
        for word in words {
            match word.strip_prefix('-').filter(|_| file.is_none()) {
                Some(options) => {
                    to |= options.contains('t');
                    from |= options.contains('f');
                }
                None => file = Some(word.trim_matches(['\'', '"']).to_owned()),
            }
        }
        match (to, from) {
            (true, false) => file.map(Self::Put),
            (false, true) => file.map(Self::Get),
            _ => None,
        }
    }
}

/// A refusal, as the protocol carries it.
#[must_use]
pub fn refusal(reason: &str) -> Vec<u8> {
    let mut octets = vec![1];
    octets.extend(reason.trim().replace('\n', " ").as_bytes());
    octets.push(b'\n');
    octets
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    /// Within the line in front of a file.
    Line,
    /// So many octets of the file are missing.
    Data { missing: usize },
    /// The octet behind the file.
    End,
}

/// What a piece of input led to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// What is answered.
    pub answer: Vec<u8>,
    /// A file that is complete, by the name that its sender gives it; it is to be answered when it has been written.
    pub file: Option<(String, String)>,
    /// Whether nothing more can be understood.
    pub failed: bool,
}

/// Takes files from a client.
#[derive(Clone, Debug)]
pub struct Receiver {
    state: State,
    name: String,
    held: Vec<u8>,
}

impl Default for Receiver {
    fn default() -> Self {
        Self { state: State::Line, name: String::new(), held: Vec::new() }
    }
}

impl Receiver {
    /// Takes octets up to the end of a file; returns how many, and what they led to.
    pub fn input(&mut self, octets: &[u8]) -> (usize, Received) {
        let mut received = Received::default();
        for (place, &octet) in octets.iter().enumerate() {
            match self.state {
                State::Line if octet == b'\n' => self.line(&mut received),
                State::Line if self.held.len() < LONGEST_LINE => self.held.push(octet),
                State::Line => fail(&mut received, "line too long"),
                State::Data { missing } => {
                    self.held.push(octet);
                    self.state = if missing > 1 { State::Data { missing: missing - 1 } } else { State::End };
                }
                State::End => {
                    let text = String::from_utf8(std::mem::take(&mut self.held));
                    self.state = State::Line;
                    match text {
                        Ok(text) if octet == 0 => {
                            received.file = Some((std::mem::take(&mut self.name), text))
                        }
                        Ok(_) => fail(&mut received, "lost synchronization"),
                        Err(_) => fail(&mut received, "only texts can be kept here"),
                    }
                }
            }
            if received.failed || received.file.is_some() {
                return (place + 1, received);
            }
        }
        (octets.len(), received)
    }

    fn line(&mut self, received: &mut Received) {
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.held)).into_owned();
        let mut words = line.splitn(3, ' ');
        let kind = words.next().unwrap_or_default();
        if kind.starts_with('T') {
            received.answer.push(0);
            return;
        }
        let size = words.next().and_then(|size| size.parse::<usize>().ok());
        match (kind.starts_with('C'), size, words.next()) {
            (true, Some(size), Some(name)) if size <= Flash::CAPACITY => {
                name.clone_into(&mut self.name);
                self.state = if size > 0 { State::Data { missing: size } } else { State::End };
                received.answer.push(0);
            }
            (true, Some(_), Some(_)) => fail(received, "No space left on device"),
            _ => fail(received, "only single files can be copied"),
        }
    }
}

fn fail(received: &mut Received, reason: &str) {
    received.answer.extend(refusal(reason));
    received.failed = true;
}

/// A file as its sender sends it: the line in front, and what follows when that was answered.
#[must_use]
pub fn sent(name: &str, text: &str) -> (Vec<u8>, Vec<u8>) {
    let name = name.rsplit(['/', ':']).next().unwrap_or_default();
    let mut data = text.as_bytes().to_vec();
    data.push(0);
    (format!("C0644 {} {name}\n", text.len()).into_bytes(), data)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_client_says_which_way_a_file_goes() {
        let put = |name: &str| Some(Request::Put(name.to_owned()));
        assert_eq!(Request::parse("scp -t flash:/a.cfg"), put("flash:/a.cfg"));
        assert_eq!(Request::parse("scp -v -p -t 'a.cfg'"), put("a.cfg"));
        assert_eq!(Request::parse("scp -qf flash:a"), Some(Request::Get("flash:a".to_owned())));
        assert_eq!(Request::parse("scp flash:a"), None);
        assert_eq!(Request::parse("show version"), None);
    }

    #[test]
    fn a_file_is_taken_whole_and_answered_twice() {
        let (line, data) = sent("flash:/a.cfg", "hostname X\n");
        let mut receiver = Receiver::default();
        assert_eq!(receiver.input(b"T1 0 1 0\n").1.answer, [0]);
        assert_eq!(receiver.input(&line).1, Received { answer: vec![0], ..Received::default() });
        assert_eq!(receiver.input(&data[..4]).1, Received::default());
        let (taken, received) = receiver.input(&data[4..]);
        assert_eq!(taken, data.len() - 4);
        assert_eq!(received.file, Some(("a.cfg".to_owned(), "hostname X\n".to_owned())));
    }

    #[test]
    fn what_cannot_be_kept_is_refused() {
        for (line, reason) in [
            (&b"C0644 99999999 big\n"[..], "No space left"),
            (b"D0755 0 folder\n", "only single files"),
            (b"C0644 x name\n", "only single files"),
            (b"C0644 1 name\n\xff\0", "only texts"),
            (b"C0644 1 name\nab", "lost synchronization"),
        ] {
            let (_, received) = Receiver::default().input(line);
            assert!(
                received.failed && String::from_utf8_lossy(&received.answer).contains(reason),
                "{reason}"
            );
        }
    }

    proptest! {
        #[test]
        fn octets_never_panic_nor_grow(pieces in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..600), 0..6)) {
            let mut receiver = Receiver::default();
            for piece in pieces {
                let (taken, _) = receiver.input(&piece);
                prop_assert!(taken <= piece.len() && receiver.held.len() <= Flash::CAPACITY);
            }
        }

        #[test]
        fn any_text_arrives(text in "\\PC{0,200}") {
            let (line, data) = sent("name", &text);
            let mut receiver = Receiver::default();
            receiver.input(&line);
            prop_assert_eq!(receiver.input(&data).1.file, Some(("name".to_owned(), text)));
        }
    }
}
