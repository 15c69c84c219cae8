use proptest::prelude::*;

use super::*;

fn tree() -> Tree<u32> {
    Tree::new([
        kw("show", "Show things").then([
            kw("ip", "IP").then([
                plain("interface", "Interfaces", 1),
                kw("route", "Routes").run(2).then([ip("address", "Destination").run(3)]),
            ]),
            plain("inventory", "Parts", 4),
        ]),
        kw("default", "Defaults").then([kw("originate", "Originate").run(5).options([
            plain("always", "Always", 5),
            kw("metric", "Metric").then([int("metric-value", 0, 100, "Value").run(5)]),
        ])]),
        kw("interface", "Interface").then([interface("Name").run(6)]),
        kw("description", "Text").negatable(8).then([line("text", "Text").run(7)]),
    ])
}

const COLOURS: Choice =
    Choice { greatest: Some(9), names: &[("red", 1, "Red"), ("green", 2, "Green"), ("grey", 3, "Grey")] };

fn colour(name: &'static str, next: u32) -> Spec<u32> {
    choice(name, &COLOURS, "A colour").run(next)
}

fn last() -> Vec<Spec<u32>> {
    vec![kw("on", "On").named("second-on").then([colour("second", 2).options_shared("options", options)])]
}

fn options() -> Vec<Spec<u32>> {
    vec![plain("log", "Log", 3), kw("tag", "Tag").then([int("tag-value", 0, 9, "Value").run(3)])]
}

/// Two beginnings with one end, and options behind it.
fn shared() -> Tree<u32> {
    Tree::new([
        kw("any", "Any").then_shared("last", last),
        kw("host", "Host").then([ip("address", "Address").then_shared("last", last)]),
        kw("on", "On").then([colour("first", 1)]),
    ])
}

#[test]
fn shared_parts_end_every_branch_that_names_them() {
    let run = |text: &str| parse(&shared(), text, 0, Form::Set).map(|m| (m.handler, m.args));
    for text in ["any on gree log tag 3", "host 1.2.3.4 on 2 tag 3 log"] {
        let (handler, args) = run(text).unwrap();
        assert_eq!((handler, args.int::<u8>("second"), args.int::<u8>("tag-value")), (3, Some(2), Some(3)));
        assert!(args.has("second-on") && !args.has("on"));
    }
    assert_eq!(run("any on green").unwrap().0, 2);
    assert!(matches!(run("any on green log log"), Err(ParseError::Invalid { .. })));
    let size = |tree: Tree<u32>| tree.nodes.len();
    assert_eq!(size(shared()), 3 + 2 + 2 + 3);
}

#[test]
fn a_choice_is_a_number_or_a_name() {
    let run = |text: &str| parse(&shared(), text, 0, Form::Set).map(|m| m.args.int::<u8>("first"));
    assert_eq!(run("on 7"), Ok(Some(7)));
    assert_eq!(run("on GREY"), Ok(Some(3)));
    assert_eq!(run("on r"), Ok(Some(1)));
    assert_eq!(run("on gr"), Err(ParseError::Ambiguous));
    assert_eq!(run("on 10"), Err(ParseError::Invalid { at: 3, understood: 1 }));
    assert_eq!(run("on blue"), Err(ParseError::Invalid { at: 3, understood: 1 }));
    let help = help(&shared(), "on ", 0, Form::Set).unwrap();
    assert_eq!(help, "  <0-9>  A colour\n  green  Green\n  grey   Grey\n  red    Red\n");
}

fn run(text: &str) -> Result<u32, ParseError> {
    parse(&tree(), text, 0, Form::Set).map(|m| m.handler)
}

#[test]
fn words_may_be_abbreviated_while_unambiguous() {
    assert_eq!(run("sh ip int"), Ok(1));
    assert_eq!(run("SHOW IP ROUTE"), Ok(2));
    assert_eq!(run("sh i"), Err(ParseError::Ambiguous));
    assert_eq!(run("sh ip"), Err(ParseError::Incomplete));
    assert_eq!(run(""), Err(ParseError::Empty));
}

#[test]
fn the_caret_is_at_the_first_character_that_no_candidate_accepts() {
    assert_eq!(run("show ip intx"), Err(ParseError::Invalid { at: 11, understood: 2 }));
    assert_eq!(run("show ip route 1.2.3"), Err(ParseError::Invalid { at: 14, understood: 3 }));
    assert_eq!(run("zzz"), Err(ParseError::Invalid { at: 0, understood: 0 }));
}

#[test]
fn options_come_in_any_order_each_once() {
    assert_eq!(run("default originate metric 5 always"), Ok(5));
    assert_eq!(run("default originate always metric 5"), Ok(5));
    assert_eq!(run("default originate metric"), Err(ParseError::Incomplete));
    assert!(matches!(run("default originate always always"), Err(ParseError::Invalid { .. })));
}

#[test]
fn interface_names_may_be_split() {
    let parsed = parse(&tree(), "interface gi 0/1", 0, Form::Set).unwrap();
    assert_eq!(parsed.args.interface().unwrap().to_string(), "GigabitEthernet0/1");
    assert_eq!(run("interface gi"), Err(ParseError::Incomplete));
}

#[test]
fn a_negated_command_may_end_early() {
    assert_eq!(parse(&tree(), "description", 0, Form::No).unwrap().handler, 8);
    assert_eq!(run("description"), Err(ParseError::Incomplete));
    assert_eq!(parse(&tree(), "description a  b ", 0, Form::Set).unwrap().args.text("text"), Some("a  b"));
}

#[test]
fn help_lists_what_may_follow() {
    assert_eq!(help(&tree(), "show ", 0, Form::Set).unwrap(), "  inventory  Parts\n  ip         IP\n");
    assert_eq!(help(&tree(), "show ip route ", 0, Form::Set).unwrap(), "  A.B.C.D  Destination\n  <cr>\n");
    assert_eq!(help(&tree(), "show i", 0, Form::Set).unwrap(), "inventory  ip\n");
    assert_eq!(complete(&tree(), "show inv", 0, Form::Set).as_deref(), Some("entory "));
    assert_eq!(complete(&tree(), "show i", 0, Form::Set), None);
}

proptest! {
    #[test]
    fn no_line_panics(text in any::<String>(), from in 0usize..4) {
        let from = if text.is_char_boundary(from) { from } else { 0 };
        let _ = parse(&tree(), &text, from, Form::Set);
        let _ = help(&tree(), &text, from.min(text.len()), Form::No);
        let _ = complete(&tree(), &text, from.min(text.len()), Form::Default);
    }
}
