//! `banner`: texts of many lines, kept and shown to who connects.

use super::inert::{begins_with, put_in_order};
use super::{Complaint, ConfigMode, Editor, Handler, need, refuse};
use crate::grammar::{Args, Spec, kw, line};

pub(super) fn table() -> Vec<Spec<Handler>> {
    let banner = |kind: &'static str, help: &'static str| {
        kw(kind, help).negatable(banner as Handler).then([line(
            "banner",
            "c banner-text c, where 'c' is a delimiting character",
        )
        .run(banner as Handler)])
    };
    vec![kw("banner", "Define a login banner").then([
        banner("exec", "Set EXEC process creation banner"),
        banner("incoming", "Set incoming terminal line banner"),
        banner("login", "Set login banner"),
        banner("motd", "Set Message of the Day banner"),
    ])]
}

/// `banner motd #text#`: the text may go on over many lines, up to the delimiter.
fn banner(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let kind = need(args.names().find(|name| ["exec", "incoming", "login", "motd"].contains(name)))?;
    editor.config.inert.global.retain(|line| !begins_with(line, &format!("banner {kind}")));
    *editor.mode = ConfigMode::Global;
    if args.negated() {
        return Ok(());
    }
    let text = need(args.text("banner"))?;
    // A control-C is shown as `^C`, also in saved configurations.
    let delimiter = if text.starts_with("^C") { "^C".to_owned() } else { text.chars().take(1).collect() };
    let rest = text.strip_prefix(&delimiter).unwrap_or_default().to_owned();
    *editor.mode = ConfigMode::Banner { kind: kind.to_owned(), delimiter, text: String::new() };
    editor.banner_line(&rest, true)?;
    if let ConfigMode::Banner { delimiter, .. } = &*editor.mode {
        editor.said = format!("Enter TEXT message.  End with the character '{delimiter}'.\n");
    }
    Ok(())
}

/// The longest banner, in octets.
const LONGEST_BANNER: usize = 8192;

impl Editor<'_> {
    /// A line of a banner's text.
    pub(super) fn banner_line(&mut self, raw: &str, first: bool) -> Result<(), Complaint> {
        let ConfigMode::Banner { kind, delimiter, text } = &mut *self.mode else { return Ok(()) };
        if !first {
            text.push('\n');
        }
        let end = raw.split_once(delimiter.as_str()).map(|(before, _)| before);
        text.push_str(end.unwrap_or(raw));
        if text.len() > LONGEST_BANNER {
            *self.mode = ConfigMode::Global;
            return refuse("% Banner text too long");
        }
        if end.is_some() {
            let line = format!("banner {kind} ^C{text}^C");
            self.config.inert.global.push(line);
            put_in_order(&mut self.config.inert.global);
            *self.mode = ConfigMode::Global;
        }
        Ok(())
    }
}
