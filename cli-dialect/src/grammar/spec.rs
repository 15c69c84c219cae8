//! The builder in which command tables are written.
//!
//! ```ignore
//! kw("ip", "IP commands").then([
//!     kw("mtu", "Set the MTU of IP packets").negatable(set_ip_mtu)
//!         .then([int("bytes", 68, 9216, "MTU in octets").run(set_ip_mtu)]),
//! ])
//! ```

use super::token::{Choice, Token};

/// A place of a command, what may follow, and what is run if the line ends here.
#[derive(Clone, Debug)]
pub struct Spec<H> {
    pub(super) token: Token,
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) run: Option<H>,
    pub(super) negative: Option<H>,
    pub(super) children: Vec<Spec<H>>,
    pub(super) options: Vec<Spec<H>>,
    pub(super) fragments: Vec<Fragment<H>>,
}

/// A part of a table that stands at many places and is compiled once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fragment<H> {
    /// Names the part within its tree.
    pub name: &'static str,
    /// Makes it.
    pub make: fn() -> Vec<Spec<H>>,
    /// Its commands are options: any order, each once, behind each of them the line may end.
    pub are_options: bool,
}

impl<H: Copy> Spec<H> {
    fn new(token: Token, name: &'static str, help: &'static str) -> Self {
        Self {
            token,
            name,
            help,
            run: None,
            negative: None,
            children: Vec::new(),
            options: Vec::new(),
            fragments: Vec::new(),
        }
    }

    /// The same table with other handlers, as when it is mounted in a tree that holds more kinds of them.
    #[must_use]
    pub fn map<G: Copy>(self, handler: fn(H) -> G) -> Spec<G> {
        debug_assert!(self.fragments.is_empty(), "shared parts cannot be mounted");
        let all = |specs: Vec<Self>| specs.into_iter().map(|spec| spec.map(handler)).collect();
        Spec {
            token: self.token,
            name: self.name,
            help: self.help,
            run: self.run.map(handler),
            negative: self.negative.map(handler),
            children: all(self.children),
            options: all(self.options),
            // A fragment's maker is bound to its kind of handler; tables that are mounted elsewhere have none.
            fragments: Vec::new(),
        }
    }

    /// What may follow.
    #[must_use]
    pub fn then(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }

    /// The line may end here; `handler` is run, also for `no` and `default` in front.
    #[must_use]
    pub fn run(mut self, handler: H) -> Self {
        self.run = Some(handler);
        self
    }

    /// Behind `no` or `default` the line may end here, though it may not without.
    #[must_use]
    pub fn negatable(mut self, handler: H) -> Self {
        self.negative = Some(handler);
        self
    }

    /// What may follow, as a part that other places share. `name` stands for one part in a tree.
    #[must_use]
    pub fn then_shared(mut self, name: &'static str, make: fn() -> Vec<Self>) -> Self {
        self.fragments.push(Fragment { name, make, are_options: false });
        self
    }

    /// [`Self::options`] that other places share; each option must have its own handler.
    #[must_use]
    pub fn options_shared(mut self, name: &'static str, make: fn() -> Vec<Self>) -> Self {
        self.fragments.push(Fragment { name, make, are_options: true });
        self
    }

    /// The name under which the value is found, where the keyword's own would not be the only one in the line.
    #[must_use]
    pub fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }

    /// Options that may follow in any order, each once. The handler of this place is run behind each of them.
    #[must_use]
    pub fn options(mut self, options: impl IntoIterator<Item = Self>) -> Self {
        self.options.extend(options);
        self
    }
}

/// A keyword.
#[must_use]
pub fn kw<H: Copy>(word: &'static str, help: &'static str) -> Spec<H> {
    Spec::new(Token::Keyword(word), word, help)
}

/// A number from `min` to `max`.
#[must_use]
pub fn int<H: Copy>(name: &'static str, min: u64, max: u64, help: &'static str) -> Spec<H> {
    Spec::new(Token::Int { min, max }, name, help)
}

/// A number or a name for one.
#[must_use]
pub fn choice<H: Copy>(name: &'static str, choice: &'static Choice, help: &'static str) -> Spec<H> {
    Spec::new(Token::Choice(choice), name, help)
}

/// An address, mask or wildcard.
#[must_use]
pub fn ip<H: Copy>(name: &'static str, help: &'static str) -> Spec<H> {
    Spec::new(Token::Ipv4, name, help)
}

/// An address with a prefix length.
#[must_use]
pub fn prefix<H: Copy>(name: &'static str, help: &'static str) -> Spec<H> {
    Spec::new(Token::Prefix, name, help)
}

/// An OSPF area.
#[must_use]
pub fn area<H: Copy>(help: &'static str) -> Spec<H> {
    Spec::new(Token::Area, "area-id", help)
}

/// An interface.
#[must_use]
pub fn interface<H: Copy>(help: &'static str) -> Spec<H> {
    Spec::new(Token::Interface, "interface-name", help)
}

/// A word.
#[must_use]
pub fn word<H: Copy>(name: &'static str, help: &'static str) -> Spec<H> {
    Spec::new(Token::Word, name, help)
}

/// The rest of the line.
#[must_use]
pub fn line<H: Copy>(name: &'static str, help: &'static str) -> Spec<H> {
    Spec::new(Token::Line, name, help)
}

/// An OSPF process id.
#[must_use]
pub fn ospf_process<H: Copy>() -> Spec<H> {
    int("process-id", 1, 65535, "Process ID number")
}

/// A keyword that ends the line.
#[must_use]
pub fn plain<H: Copy>(keyword: &'static str, help: &'static str, handler: H) -> Spec<H> {
    kw(keyword, help).run(handler)
}
