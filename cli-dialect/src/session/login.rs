//! What a terminal says before a session: banners, and the questions that its line's configuration wants answered.

use netconfarena_emu::config::RouterConfig;
use serde::{Deserialize, Serialize};

use super::{Level, Line, LineSettings, Login};
use crate::running_config::banner;

/// How often a login may fail.
const TRIES: u8 = 3;

/// How a session on a line begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Nobody is asked for anything.
    Open,
    /// The questions.
    Ask(LoginDialog),
    /// `login` without a password to compare with: nobody gets in.
    NoPassword,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Question {
    User,
    PasswordOf(String),
    LinePassword,
}

/// The questions before a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoginDialog {
    question: Question,
    tries: u8,
}

/// What became of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoginStep {
    /// There is a question, perhaps behind a remark.
    Ask(&'static str),
    /// Somebody is in: the user's name if one was asked for, and the level.
    In(Option<String>, Level),
    /// It was wrong too often; a remark.
    Out(&'static str),
}

impl Opening {
    /// As a line's configuration says.
    #[must_use]
    pub fn of(settings: &LineSettings) -> Self {
        match &settings.login {
            Login::Open => Self::Open,
            Login::LinePassword(None) => Self::NoPassword,
            Login::LinePassword(Some(_)) => {
                Self::Ask(LoginDialog { question: Question::LinePassword, tries: TRIES })
            }
            Login::Local => Self::Ask(LoginDialog::of_users()),
        }
    }

    /// What is printed first, up to the first prompt.
    #[must_use]
    pub fn greeting(&self, config: &RouterConfig) -> String {
        let mut text = banner_text(config, "motd");
        if *self != Self::Open {
            text += &banner_text(config, "login");
        }
        match self {
            Self::Open => {}
            Self::Ask(_) => text += "\nUser Access Verification\n\n",
            Self::NoPassword => text += "\n\nPassword required, but none set\n",
        }
        text
    }
}

impl LoginDialog {
    /// Asks for a user's name and password.
    #[must_use]
    pub const fn of_users() -> Self {
        Self { question: Question::User, tries: TRIES }
    }

    /// What stands in front of the cursor.
    #[must_use]
    pub const fn prompt(&self) -> &'static str {
        match self.question {
            Question::User => "Username: ",
            Question::PasswordOf(_) | Question::LinePassword => "Password: ",
        }
    }

    /// Whether the answer is a password, which a terminal does not show.
    #[must_use]
    pub const fn hides_input(&self) -> bool {
        !matches!(self.question, Question::User)
    }

    /// Takes an answer. `admit` tells the level of a user with a password.
    pub fn answer(
        &mut self,
        settings: &LineSettings,
        answer: &str,
        admit: impl FnOnce(&str, &str) -> Option<Level>,
    ) -> LoginStep {
        match &self.question {
            Question::User => {
                let user = answer.trim();
                if !user.is_empty() {
                    self.question = Question::PasswordOf(user.to_owned());
                }
                LoginStep::Ask("")
            }
            Question::PasswordOf(user) => match admit(user, answer) {
                Some(level) => LoginStep::In(Some(user.clone()), level.max(settings.level)),
                None => {
                    self.question = Question::User;
                    self.failed("% Login invalid\n\n", "% Login invalid\n")
                }
            },
            Question::LinePassword if settings.login.is_line_password(answer) => {
                LoginStep::In(None, settings.level)
            }
            Question::LinePassword => self.failed("", "% Bad passwords\n"),
        }
    }

    fn failed(&mut self, again: &'static str, over: &'static str) -> LoginStep {
        self.tries -= 1;
        if self.tries > 0 { LoginStep::Ask(again) } else { LoginStep::Out(over) }
    }
}

/// The text of a banner, ended by one newline; nothing if it is not configured.
#[must_use]
pub fn banner_text(config: &RouterConfig, kind: &str) -> String {
    banner(config, kind).map_or_else(String::new, |text| format!("{}\n", text.trim_end_matches('\n')))
}

/// Who a session is, as the log calls it: `console by admin on vty0 (10.0.0.9)`.
#[must_use]
pub fn source_of(user: Option<&str>, line: Line, from: Option<&str>) -> String {
    let place = match (line, from) {
        (Line::Console, _) => "console".to_owned(),
        (Line::Auxiliary, _) => "aux0".to_owned(),
        (Line::Vty(number), None) => format!("vty{number}"),
        (Line::Vty(number), Some(from)) => format!("vty{number} ({from})"),
    };
    match user {
        Some(user) => format!("console by {user} on {place}"),
        None => format!("console by {place}"),
    }
}
