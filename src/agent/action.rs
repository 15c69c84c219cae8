//! The five actions an agent can take.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Texts by the name of a router.
pub type ByHost = BTreeMap<String, String>;

/// What an agent does in a turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "name", content = "arguments", rename_all = "snake_case")]
pub enum Action {
    /// Read the running configurations of these routers; of all, if there are none.
    GetRunningConfig(Vec<String>),
    /// Enter configuration lines, one to a line of the text.
    ApplyConfig(ByHost),
    /// Run show, ping and traceroute commands, one to a line of the text.
    ExecuteValidation(ByHost),
    /// Let this many virtual seconds pass.
    Wait(u64),
    /// End the episode.
    Submit,
}

impl Action {
    /// Names of all actions, as agents write them.
    pub const NAMES: [&'static str; 5] =
        ["get_running_config", "apply_config", "execute_validation", "wait", "submit"];

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::GetRunningConfig(_) => Self::NAMES[0],
            Self::ApplyConfig(_) => Self::NAMES[1],
            Self::ExecuteValidation(_) => Self::NAMES[2],
            Self::Wait(_) => Self::NAMES[3],
            Self::Submit => Self::NAMES[4],
        }
    }

    /// Whether a device judges its lines: the actions that `Err. act.` and `Rep. act.` are about.
    #[must_use]
    pub const fn is_config_or_validation(&self) -> bool {
        matches!(self, Self::ApplyConfig(_) | Self::ExecuteValidation(_))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn actions_are_stored_as_name_and_arguments() {
        let apply = Action::ApplyConfig(ByHost::from([("R1".to_owned(), "a\nb".to_owned())]));
        for (action, stored) in [
            (apply, json!({"name": "apply_config", "arguments": {"R1": "a\nb"}})),
            (Action::Wait(30), json!({"name": "wait", "arguments": 30})),
            (Action::Submit, json!({"name": "submit"})),
        ] {
            assert_eq!(serde_json::to_value(&action).unwrap(), stored);
            assert_eq!(stored["name"], action.name());
            assert_eq!(serde_json::from_value::<Action>(stored).unwrap(), action);
        }
    }
}
