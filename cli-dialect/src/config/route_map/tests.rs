//! Lines of route maps.

use netconfarena_emu::config::RouterConfig;

use crate::config::{Complaint, ConfigMode, Editor};
use crate::grammar::ParseError;

/// Types lines; gives the route maps of the configuration, and the complaints.
fn typed(lines: &str) -> (Vec<String>, Vec<Complaint>) {
    let mut config = RouterConfig::default();
    let mut mode = ConfigMode::Global;
    let refused =
        lines.lines().filter_map(|line| Editor::new(&mut config, &mut mode).apply(line).err()).collect();
    let text = crate::running_config::render(&config);
    let lines = text.lines().skip_while(|line| !line.starts_with("route-map"));
    let lines = lines.take_while(|line| *line != "control-plane").filter(|line| *line != "!");
    (lines.map(str::to_owned).collect(), refused)
}

fn shown(lines: &str) -> Vec<String> {
    let (shown, refused) = typed(lines);
    assert_eq!(refused, []);
    shown
}

#[test]
fn an_entry_is_permit_10_unless_said_otherwise() {
    assert_eq!(shown("route-map A"), ["route-map A permit 10"]);
    assert_eq!(shown("route-map A deny"), ["route-map A deny 10"]);
    assert_eq!(shown("route-map A deny 7\nroute-map A permit 7"), ["route-map A permit 7"]);
    assert_eq!(
        shown("route-map A permit 20\nroute-map A permit 5"),
        ["route-map A permit 5", "route-map A permit 20"]
    );
}

#[test]
fn maps_and_entries_are_removed() {
    let maps = "route-map A permit 10\nroute-map A permit 20\nroute-map B permit 10\n";
    assert_eq!(shown(&format!("{maps}no route-map A permit 10\nno route-map B")), ["route-map A permit 20"]);
    assert_eq!(shown(&format!("{maps}no route-map A")), ["route-map B permit 10"]);
}

#[test]
fn matches_gather_values_and_lose_them_one_by_one_or_all() {
    let head =
        "route-map A\n match ip address 1 2\n match ip address 2 3\n match tag 5 4\n match metric 7 +- 2\n";
    let lines = [" match ip address 1 2 3", " match metric 7 +- 2", " match tag 4 5"];
    assert_eq!(shown(head)[1..], lines);
    assert_eq!(
        shown(&format!("{head} no match ip address 2\n no match tag\n no match metric 7 +- 2"))[1..],
        [" match ip address 1 3"]
    );
    let both = "route-map A\n match ip address 1\n match ip address prefix-list P Q\n";
    assert_eq!(
        shown(&format!("{both} no match ip address prefix-list P"))[1..],
        [" match ip address 1", " match ip address prefix-list Q"]
    );
    assert_eq!(shown(&format!("{both} no match ip address prefix-list"))[1..], [" match ip address 1"]);
    assert_eq!(shown(&format!("{both} no match ip address"))[1..], [""; 0]);
}

#[test]
fn sets_replace_what_was_set() {
    let sets = "route-map A\n set metric 5\n set metric -3\n set community 1 2\n set community 3 additive\n\
                 set as-path prepend 1 1\n set as-path prepend last-as 2\n set ip next-hop 1.1.1.1 2.2.2.2\n";
    assert_eq!(
        shown(sets)[1..],
        [
            " set metric -3",
            " set ip next-hop 1.1.1.1 2.2.2.2",
            " set as-path prepend 1 1",
            " set as-path prepend last-as 2",
            " set community 3 additive"
        ]
    );
    let without = "no set metric\nno set community\nno set as-path prepend\nno set ip next-hop";
    assert_eq!(shown(&format!("{sets}{without}")), ["route-map A permit 10"]);
}

#[test]
fn a_metric_has_one_part_or_five() {
    assert_eq!(
        shown("route-map A\n set metric 10000 100 255 1 1500")[1..],
        [" set metric 10000 100 255 1 1500"]
    );
    let (_, refused) = typed("route-map A\n set metric 10000 100\n set metric x\n set metric +1x");
    let invalid = |at| Complaint::Syntax(ParseError::Invalid { at, understood: 2 });
    assert_eq!(refused, [Complaint::Syntax(ParseError::Incomplete), invalid(12), invalid(12)]);
}

#[test]
fn what_is_not_implemented_is_named() {
    let (shown, refused) = typed("route-map A\n set level level-1\n match track 1");
    assert_eq!(shown, ["route-map A permit 10"]);
    let named = ["set ... level", "match ... track"].map(|name| Complaint::Unsupported(name.to_owned()));
    assert_eq!(refused, named);
}
