//! `ip as-path access-list`, `ip community-list`, `ip bgp-community new-format`.

use std::collections::BTreeSet;

use netconfarena_emu::policy::{
    AsPathEntry, Community, CommunityList, ExpandedCommunityEntry, IosRegex, Permission,
    StandardCommunityEntry,
};

use super::access_list::TYPE_CONFLICT;
use super::{Complaint, Editor, Handler, need, refuse};
use crate::grammar::{Args, Form, ParseError, Spec, abbreviates, int, kw, line, plain, word};

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![
        kw("ip", "Global IP configuration subcommands").then([
            kw("as-path", "BGP autonomous system path filter").then([kw(
                "access-list",
                "Specify an access list number",
            )
            .then([int("as-path-list", 1, 500, "AS path access list number")
                .negatable(as_path as Handler)
                .then(actions(|spec| {
                    spec.then([line("regex", "A regular-expression to match the BGP AS paths")
                        .run(as_path as Handler)])
                }))])]),
            kw("bgp-community", "format for BGP community").then([plain(
                "new-format",
                "select aa:nn format for BGP community",
                new_format as Handler,
            )]),
            kw("community-list", "Add a community list entry").then([
                int("list-number", 1, 99, "Community list number (standard)")
                    .negatable(remove_community_list as Handler)
                    .then(actions(standard)),
                int("list-number", 100, 500, "Community list number (expanded)")
                    .negatable(remove_community_list as Handler)
                    .then(actions(expanded)),
                kw("standard", "Add a standard community-list entry").then([word(
                    "list-name",
                    "Standard community-list name",
                )
                .negatable(remove_community_list as Handler)
                .then(actions(standard))]),
                kw("expanded", "Add an expanded community-list entry").then([word(
                    "list-name",
                    "Expanded community-list name",
                )
                .negatable(remove_community_list as Handler)
                .then(actions(expanded))]),
            ]),
        ]),
    ]
}

pub(super) fn actions(end: fn(Spec<Handler>) -> Spec<Handler>) -> [Spec<Handler>; 2] {
    [("deny", "Specify packets to reject"), ("permit", "Specify packets to forward")]
        .map(|(keyword, help)| end(kw(keyword, help)))
}

fn standard(action: Spec<Handler>) -> Spec<Handler> {
    let communities =
        line("communities", "internet, local-AS, no-advertise, no-export, gshut, aa:nn or a number");
    action.run(standard_entry as Handler).then([communities.run(standard_entry as Handler)])
}

fn expanded(action: Spec<Handler>) -> Spec<Handler> {
    action.then([line("regex", "An ordered list as a regular-expression").run(expanded_entry as Handler)])
}

pub(super) fn action(args: &Args) -> Permission {
    if args.has("permit") { Permission::Permit } else { Permission::Deny }
}

pub(super) fn regex(args: &Args) -> Result<IosRegex, Complaint> {
    let pattern = need(args.text("regex"))?;
    IosRegex::new(pattern).or_else(|error| refuse(format!("% Invalid regular expression: {error}")))
}

/// Communities in the rest of a line, and whether the keyword ends it.
///
/// # Errors
/// With the place of the first word that is none.
pub(super) fn communities(
    args: &Args,
    name: &str,
    keyword: &str,
) -> Result<(BTreeSet<Community>, bool), Complaint> {
    let mut all = BTreeSet::new();
    let mut rest = args.text(name).unwrap_or_default();
    let end = args.at(name) + rest.len();
    let mut understood = args.names().count().saturating_sub(1);
    while let Some(word) = rest.split_ascii_whitespace().next() {
        rest = rest.trim_ascii_start();
        let at = end - rest.len();
        rest = &rest[word.len()..];
        if !keyword.is_empty() && abbreviates(word, keyword) && rest.trim_ascii().is_empty() {
            return Ok((all, true));
        }
        let Ok(community) = word.parse() else {
            return Err(Complaint::Syntax(ParseError::Invalid { at, understood }));
        };
        all.insert(community);
        understood += 1;
    }
    Ok((all, false))
}

fn as_path(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let number = need(args.int("as-path-list"))?;
    let lists = &mut editor.config.policy.as_path_lists;
    if !args.has("regex") {
        lists.remove(&number);
        return Ok(());
    }
    let entry = AsPathEntry { action: action(args), regex: regex(args)? };
    edit(&mut lists.entry(number).or_default().entries, entry, args);
    lists.retain(|_, list| !list.entries.is_empty());
    Ok(())
}

/// Adds an entry at the end, unless it is there already, or removes it.
pub(super) fn edit<E: PartialEq>(entries: &mut Vec<E>, entry: E, args: &Args) {
    if args.negated() {
        entries.retain(|known| *known != entry);
    } else if !entries.contains(&entry) {
        entries.push(entry);
    }
}

fn new_format(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    editor.config.policy.community_new_format = args.form == Form::Set;
    Ok(())
}

/// The name of a community list. A number is a name only of the kind that it belongs to.
pub(super) fn list_name(args: &Args) -> Result<String, Complaint> {
    if let Some(number) = args.int::<u16>("list-number") {
        return Ok(number.to_string());
    }
    let name = need(args.text("list-name"))?;
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        return refuse("% Invalid community-list name.");
    }
    Ok(name.to_owned())
}

fn remove_community_list(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = list_name(args)?;
    editor.config.policy.community_lists.remove(&name);
    Ok(())
}

fn standard_entry(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let (communities, _) = communities(args, "communities", "")?;
    let entry = StandardCommunityEntry { action: action(args), communities };
    let lists = &mut editor.config.policy.community_lists;
    match lists.entry(list_name(args)?).or_insert_with(|| CommunityList::Standard(Vec::new())) {
        CommunityList::Standard(entries) => edit(entries, entry, args),
        CommunityList::Expanded(_) => return refuse(TYPE_CONFLICT),
    }
    forget_empty_lists(editor);
    Ok(())
}

fn expanded_entry(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let entry = ExpandedCommunityEntry { action: action(args), regex: regex(args)? };
    let lists = &mut editor.config.policy.community_lists;
    match lists.entry(list_name(args)?).or_insert_with(|| CommunityList::Expanded(Vec::new())) {
        CommunityList::Expanded(entries) => edit(entries, entry, args),
        CommunityList::Standard(_) => return refuse(TYPE_CONFLICT),
    }
    forget_empty_lists(editor);
    Ok(())
}

fn forget_empty_lists(editor: &mut Editor<'_>) {
    editor.config.policy.community_lists.retain(|_, list| match list {
        CommunityList::Standard(entries) => !entries.is_empty(),
        CommunityList::Expanded(entries) => !entries.is_empty(),
    });
}

#[cfg(test)]
mod tests {
    use netconfarena_emu::config::RouterConfig;

    use super::*;
    use crate::config::ConfigMode;

    fn typed(lines: &str) -> (Vec<String>, Vec<Complaint>) {
        let mut config = RouterConfig::default();
        let mut mode = ConfigMode::Global;
        let mut apply = |line| Editor::new(&mut config, &mut mode).apply(line).err();
        let refused = lines.lines().filter_map(&mut apply).collect();
        let text = crate::running_config::render(&config);
        let of_paths = |line: &&str| line.contains("-list") || line.contains("bgp-community");
        (text.lines().filter(of_paths).map(str::to_owned).collect(), refused)
    }

    #[test]
    fn communities_are_shown_in_the_format_chosen() {
        let lines = "ip community-list 1 permit 65000:1 no-export\nip community-list standard S deny 1\nip community-list 1 permit";
        let (shown, refused) = typed(lines);
        assert_eq!(refused, []);
        assert_eq!(
            shown,
            [
                "ip community-list 1 permit 4259840001 no-export",
                "ip community-list 1 permit",
                "ip community-list standard S deny 1"
            ]
        );
        let (shown, _) = typed(&format!("ip bgp-community new-format\n{lines}"));
        assert_eq!(
            shown[..2],
            ["ip bgp-community new-format", "ip community-list 1 permit 65000:1 no-export"]
        );
    }

    #[test]
    fn regular_expressions_keep_their_blanks_and_order() {
        let (shown, refused) = typed(
            "ip as-path access-list 1 deny _65001 65002_\nip as-path access-list 1 permit .*\n\
             ip community-list 100 permit 65000:[0-9]+\nip community-list expanded E permit ^1:1 1:2$",
        );
        assert_eq!(refused, []);
        assert_eq!(
            shown,
            [
                "ip community-list 100 permit 65000:[0-9]+",
                "ip community-list expanded E permit ^1:1 1:2$",
                "ip as-path access-list 1 deny _65001 65002_",
                "ip as-path access-list 1 permit .*",
            ]
        );
    }

    #[test]
    fn entries_and_lists_are_removed() {
        let lists = "ip as-path access-list 1 permit ^1$\nip as-path access-list 1 permit ^2$\nip community-list 1 permit 1:1";
        let (shown, _) = typed(&format!(
            "{lists}\nno ip as-path access-list 1 permit ^1$\nno ip community-list 1 permit 1:1"
        ));
        assert_eq!(shown, ["ip as-path access-list 1 permit ^2$"]);
        assert!(typed(&format!("{lists}\nno ip as-path access-list 1\nno ip community-list 1")).0.is_empty());
    }

    #[test]
    fn what_is_no_community_or_expression_is_refused() {
        let (shown, refused) =
            typed("ip community-list 1 permit 1:1 export\nip as-path access-list 1 permit *");
        assert!(shown.is_empty());
        assert_eq!(refused[0], Complaint::Syntax(ParseError::Invalid { at: 31, understood: 5 }));
        assert_eq!(
            refused[1],
            Complaint::Refused("% Invalid regular expression: ?+* follows nothing".to_owned())
        );
        let (_, refused) =
            typed("ip community-list standard A permit 1:1\nip community-list expanded A permit 1");
        assert_eq!(refused, [Complaint::Refused(TYPE_CONFLICT.to_owned())]);
    }
}
