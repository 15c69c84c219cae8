//! `ip prefix-list`.

use netconfarena_emu::policy::{Permission, PrefixList, PrefixListEntry};

use super::{Complaint, Editor, Handler, need, refuse};
use crate::grammar::{Args, Spec, int, kw, line, prefix, word};
use crate::running_config::prefix_list_entry;

/// The longest description.
const LONGEST_DESCRIPTION: usize = 80;

pub(super) fn table() -> Vec<Spec<Handler>> {
    let action = |keyword, help| {
        let run = entry as Handler;
        let length =
            |keyword, name, help| kw(keyword, help).then([int(name, 1, 32, "Prefix length").run(run)]);
        kw(keyword, help).then([prefix("prefix", "IP prefix <network>/<length>, e.g., 35.0.0.0/8")
            .run(run)
            .options([
                length("ge", "ge-value", "Minimum prefix length to be matched"),
                length("le", "le-value", "Maximum prefix length to be matched"),
            ])])
    };
    let actions =
        || [action("deny", "Specify packets to reject"), action("permit", "Specify packets to forward")];
    let sequence = int("sequence", 1, 4_294_967_294, "Sequence number").then(actions());
    vec![
        kw("ip", "Global IP configuration subcommands").then([kw("prefix-list", "Build a prefix list")
            .then([word("list-name", "Name of a prefix list")
                .negatable(remove as Handler)
                .then(actions())
                .then([
                    kw("description", "Prefix-list specific description")
                        .negatable(description as Handler)
                        .then([line("text", "Up to 80 characters describing this prefix-list")
                            .run(description as Handler)]),
                    kw("seq", "sequence number of an entry").then([sequence]),
                ])])]),
    ]
}

fn remove(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.text("list-name"))?;
    match editor.config.policy.prefix_lists.remove(name) {
        Some(_) => Ok(()),
        None => refuse("%Can't find prefix-list"),
    }
}

fn description(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.text("list-name"))?.to_owned();
    let lists = &mut editor.config.policy.prefix_lists;
    if args.negated() {
        if let Some(list) = lists.get_mut(&name) {
            list.description = None;
        }
        lists.retain(|_, list| *list != PrefixList::default());
        return Ok(());
    }
    let text = need(args.text("text"))?.chars().take(LONGEST_DESCRIPTION).collect();
    lists.entry(name).or_default().description = Some(text);
    Ok(())
}

fn entry(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.text("list-name"))?.to_owned();
    let action = if args.has("permit") { Permission::Permit } else { Permission::Deny };
    let prefix = need(args.prefix("prefix"))?;
    let entry = match PrefixListEntry::new(action, prefix, args.int("ge-value"), args.int("le-value")) {
        Ok(entry) => entry,
        Err(error) => return refuse(format!("% {error}")),
    };
    let sequence: Option<u32> = args.int("sequence");
    let lists = &mut editor.config.policy.prefix_lists;
    let known = lists.get(&name).and_then(|list| list.entries.iter().find(|(_, e)| **e == entry));
    let known = known.map(|(&sequence, _)| sequence);
    if args.negated() {
        return match (known, lists.get_mut(&name)) {
            (Some(known), Some(list)) if sequence.is_none_or(|s| s == known) => {
                list.entries.remove(&known);
                lists.retain(|_, list| *list != PrefixList::default());
                Ok(())
            }
            (_, Some(_)) => refuse("%Can't find prefix-list entry"),
            (_, None) => refuse("%Can't find prefix-list"),
        };
    }
    let list = lists.entry(name.clone()).or_default();
    let sequence = sequence.unwrap_or_else(|| list.next_sequence());
    let (reason, at) = match (known, list.entries.get(&sequence)) {
        // The same again says nothing new.
        (Some(known), _) if !args.has("sequence") || known == sequence => return Ok(()),
        (Some(known), _) => ("prefix-list entry exists", known),
        (None, Some(_)) => ("seq # exists", sequence),
        (None, None) => {
            list.entries.insert(sequence, entry);
            return Ok(());
        }
    };
    let shown = list.entries.get(&at).map(|entry| prefix_list_entry(at, entry)).unwrap_or_default();
    refuse(format!("%Insertion failed - {reason}:\n  ip prefix-list {name}\n    {shown}"))
}

#[cfg(test)]
mod tests {
    use netconfarena_emu::config::RouterConfig;

    use super::*;
    use crate::config::ConfigMode;

    fn typed(lines: &str) -> (Vec<String>, Vec<String>) {
        let mut config = RouterConfig::default();
        let mut mode = ConfigMode::Global;
        let mut said = Vec::new();
        for line in lines.lines() {
            match Editor::new(&mut config, &mut mode).apply(line) {
                Ok(()) => {}
                Err(Complaint::Refused(text)) => said.push(text),
                Err(other) => said.push(format!("{other:?}")),
            }
        }
        let text = crate::running_config::render(&config);
        (text.lines().filter(|line| line.contains("prefix-list")).map(str::to_owned).collect(), said)
    }

    #[test]
    fn entries_are_numbered_in_fives() {
        let (shown, said) = typed(
            "ip prefix-list P permit 10.1.2.3/8 ge 9 le 32\nip prefix-list P deny 0.0.0.0/0 le 32\n\
             ip prefix-list P seq 7 permit 1.1.1.1/32\nip prefix-list P desc the  lot",
        );
        assert_eq!(said, Vec::<String>::new());
        assert_eq!(
            shown,
            [
                "ip prefix-list P description the  lot",
                "ip prefix-list P seq 5 permit 10.0.0.0/8 ge 9",
                "ip prefix-list P seq 7 permit 1.1.1.1/32",
                "ip prefix-list P seq 10 deny 0.0.0.0/0 le 32"
            ]
        );
    }

    #[test]
    fn what_ios_refuses_is_refused_in_its_words() {
        let (shown, said) = typed(
            "ip prefix-list P permit 10.0.0.0/8 le 8\nip prefix-list P seq 5 permit 1.0.0.0/8\n\
             ip prefix-list P seq 5 permit 2.0.0.0/8\nip prefix-list P seq 6 permit 1.0.0.0/8\n\
             ip prefix-list P permit 1.0.0.0/8\nno ip prefix-list P permit 9.0.0.0/8\nno ip prefix-list Q",
        );
        assert_eq!(shown, ["ip prefix-list P seq 5 permit 1.0.0.0/8"]);
        assert_eq!(
            said,
            [
                "% Invalid prefix range for 10.0.0.0/8, make sure: len < ge-value <= le-value",
                "%Insertion failed - seq # exists:\n  ip prefix-list P\n    seq 5 permit 1.0.0.0/8",
                "%Insertion failed - prefix-list entry exists:\n  ip prefix-list P\n    seq 5 permit 1.0.0.0/8",
                "%Can't find prefix-list entry",
                "%Can't find prefix-list"
            ]
        );
    }

    #[test]
    fn entries_and_lists_are_removed() {
        let list = "ip prefix-list P permit 1.0.0.0/8\nip prefix-list P permit 2.0.0.0/8\n";
        let (shown, _) = typed(&format!("{list}no ip prefix-list P seq 5 permit 1.0.0.0/8"));
        assert_eq!(shown, ["ip prefix-list P seq 10 permit 2.0.0.0/8"]);
        assert!(typed(&format!("{list}no ip prefix-list P")).0.is_empty());
    }
}
