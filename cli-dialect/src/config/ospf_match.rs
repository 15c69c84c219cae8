//! `redistribute ospf N match ...`, for every protocol that takes routes from OSPF.

use netconfarena_emu::policy::OspfRouteType;

use super::Handler;
use crate::grammar::{Args, Spec, int, kw, plain};

/// `match`: which of OSPF's routes `redistribute ospf` takes. A kind without a number is both types; IOS writes both of them out.
pub(super) fn match_option(handler: Handler) -> Spec<Handler> {
    let external = |word: &'static str, name: &'static str, help| {
        let number = || int(name, 1, 2, "External type").run(handler);
        let second = kw(word, help).then([number()]);
        kw(word, help).run(handler).then([number().then([second])])
    };
    kw("match", "Redistribution of OSPF routes").options([
        plain("internal", "Redistribute OSPF internal routes", handler),
        external("external", "external-type", "Redistribute OSPF external routes"),
        external("nssa-external", "nssa-external-type", "Redistribute OSPF NSSA external routes"),
    ])
}

/// The kinds of routes that a line names.
pub(super) fn match_types(args: &Args) -> Vec<OspfRouteType> {
    let of = |keyword: &str, name: &str, types: [OspfRouteType; 2]| -> Vec<OspfRouteType> {
        let numbers: Vec<usize> = args.ints(name).collect();
        match numbers.is_empty() {
            true if args.has(keyword) => types.to_vec(),
            _ => numbers.iter().filter_map(|number| types.get(number.checked_sub(1)?).copied()).collect(),
        }
    };
    let mut types: Vec<OspfRouteType> =
        args.has("internal").then_some(OspfRouteType::Internal).into_iter().collect();
    types.extend(of("external", "external-type", [OspfRouteType::External1, OspfRouteType::External2]));
    types.extend(of(
        "nssa-external",
        "nssa-external-type",
        [OspfRouteType::NssaExternal1, OspfRouteType::NssaExternal2],
    ));
    types
}
