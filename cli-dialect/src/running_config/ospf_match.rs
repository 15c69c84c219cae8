//! `match` of `redistribute ospf N`.

use std::collections::BTreeSet;

use netconfarena_emu::policy::OspfRouteType;

/// ` match ...`, or nothing. Like IOS, every type is written by itself: `match internal external 1 external 2`.
pub(super) fn match_words(types: &BTreeSet<OspfRouteType>) -> String {
    let word = |kind: &OspfRouteType| match kind {
        OspfRouteType::Internal => " internal",
        OspfRouteType::External1 => " external 1",
        OspfRouteType::External2 => " external 2",
        OspfRouteType::NssaExternal1 => " nssa-external 1",
        OspfRouteType::NssaExternal2 => " nssa-external 2",
    };
    let words: String = types.iter().map(word).collect();
    if words.is_empty() { words } else { format!(" match{words}") }
}
