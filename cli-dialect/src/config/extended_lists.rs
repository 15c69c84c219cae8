//! `ip extcommunity-list`, and extended communities as lines write them.

use std::collections::BTreeSet;

use netconfarena_emu::ids::Asn;
use netconfarena_emu::policy::{
    Administrator, ExpandedCommunityEntry, ExtendedCommunity, ExtendedCommunityList, StandardExtendedEntry,
};

use super::access_list::TYPE_CONFLICT;
use super::path_lists::{action, actions, edit, list_name, regex};
use super::{Complaint, Editor, Handler, refuse};
use crate::grammar::{Args, ParseError, Spec, abbreviates, int, kw, line, word};

pub(super) fn table() -> Vec<Spec<Handler>> {
    let numbered = |from, to, help, end: fn(Spec<Handler>) -> Spec<Handler>| {
        int("list-number", from, to, help).negatable(remove as Handler).then(actions(end))
    };
    let named = |keyword, help, end: fn(Spec<Handler>) -> Spec<Handler>| {
        kw(keyword, help).then([word("list-name", "Extended Community list name")
            .negatable(remove as Handler)
            .then(actions(end))])
    };
    vec![kw("ip", "Global IP configuration subcommands").then([
        kw("extcommunity-list", "Add a extended community list entry").then([
            numbered(1, 99, "Extended Community list number (standard)", standard),
            numbered(100, 500, "Extended Community list number (expanded)", expanded),
            named("standard", "Specify standard extcommunity-list", standard),
            named("expanded", "Specify expanded extcommunity-list", expanded),
        ]),
    ])]
}

fn standard(action: Spec<Handler>) -> Spec<Handler> {
    let communities = line("communities", "rt or soo, each with ASN:nn or IP-address:nn");
    action.then([communities.run(standard_entry as Handler)])
}

fn expanded(action: Spec<Handler>) -> Spec<Handler> {
    action.then([line("regex", "An ordered list as a regular-expression").run(expanded_entry as Handler)])
}

/// What kind of extended community a value is for.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// `rt`.
    RouteTarget,
    /// `soo`.
    SiteOfOrigin,
}

impl Kind {
    /// `ASN:nn` or `A.B.C.D:nn`; the number has two octets where the administrator takes four.
    pub(super) fn read(self, text: &str) -> Option<ExtendedCommunity> {
        let (administrator, number) = text.split_once(':')?;
        let number: u32 = number.parse().ok()?;
        let administrator = match administrator.parse() {
            Ok(address) => Administrator::Address(address),
            Err(_) => Administrator::As(Asn(administrator.parse().ok()?)),
        };
        let is_wide = match administrator {
            Administrator::Address(_) => true,
            Administrator::As(asn) => asn.0 > u32::from(u16::MAX),
        };
        if is_wide && number > u32::from(u16::MAX) {
            return None;
        }
        Some(match self {
            Self::RouteTarget => ExtendedCommunity::route_target(administrator, number),
            Self::SiteOfOrigin => ExtendedCommunity::site_of_origin(administrator, number),
        })
    }
}

/// The values in the rest of a line, with the place of each in the line.
pub(super) fn words<'a>(args: &'a Args, name: &str) -> Vec<(usize, &'a str)> {
    let text = args.text(name).unwrap_or_default();
    let start = args.at(name);
    let words = text.split_ascii_whitespace();
    // Each word is a part of the text, so its place is the distance between the two.
    words.map(|word| (start + (word.as_ptr() as usize - text.as_ptr() as usize), word)).collect()
}

/// Refuses the word at a place.
pub(super) fn invalid<T>(args: &Args, at: usize) -> Result<T, Complaint> {
    let understood = args.names().count().saturating_sub(1);
    Err(Complaint::Syntax(ParseError::Invalid { at, understood }))
}

fn standard_entry(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let mut communities = BTreeSet::new();
    let mut kind = None;
    for (at, word) in words(args, "communities") {
        if abbreviates(word, "rt") {
            kind = Some(Kind::RouteTarget);
        } else if abbreviates(word, "soo") {
            kind = Some(Kind::SiteOfOrigin);
        } else {
            match kind.and_then(|kind| kind.read(word)) {
                Some(community) => _ = communities.insert(community),
                None => return invalid(args, at),
            }
        }
    }
    if communities.is_empty() {
        return Err(Complaint::Syntax(ParseError::Incomplete));
    }
    let entry = StandardExtendedEntry { action: action(args), communities };
    let lists = &mut editor.config.policy.extended_community_lists;
    match lists.entry(list_name(args)?).or_insert_with(|| ExtendedCommunityList::Standard(Vec::new())) {
        ExtendedCommunityList::Standard(entries) => edit(entries, entry, args),
        ExtendedCommunityList::Expanded(_) => return refuse(TYPE_CONFLICT),
    }
    forget_empty_lists(editor);
    Ok(())
}

fn expanded_entry(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let entry = ExpandedCommunityEntry { action: action(args), regex: regex(args)? };
    let lists = &mut editor.config.policy.extended_community_lists;
    match lists.entry(list_name(args)?).or_insert_with(|| ExtendedCommunityList::Expanded(Vec::new())) {
        ExtendedCommunityList::Expanded(entries) => edit(entries, entry, args),
        ExtendedCommunityList::Standard(_) => return refuse(TYPE_CONFLICT),
    }
    forget_empty_lists(editor);
    Ok(())
}

fn remove(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = list_name(args)?;
    editor.config.policy.extended_community_lists.remove(&name);
    Ok(())
}

fn forget_empty_lists(editor: &mut Editor<'_>) {
    editor.config.policy.extended_community_lists.retain(|_, list| match list {
        ExtendedCommunityList::Standard(entries) => !entries.is_empty(),
        ExtendedCommunityList::Expanded(entries) => !entries.is_empty(),
    });
}
