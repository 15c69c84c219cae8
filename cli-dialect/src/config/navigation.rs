//! What every configuration mode has: `exit`, `end`, `do`, and the words `no` and `default` themselves.

use super::{Complaint, Editor, Handler, Request, need};
use crate::grammar::{Args, Spec, kw, line, plain};

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![
        kw("default", "Set a command to its defaults"),
        kw("do", "To run exec commands in config mode")
            .then([line("command", "Exec Command").run(execute as Handler)]),
        plain("end", "Exit from configure mode", end as Handler),
        plain("exit", "Exit from the current mode", exit as Handler),
        kw("no", "Negate a command or set its defaults"),
    ]
}

fn execute(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    editor.request = Some(Request::Execute(need(args.text("command"))?.to_owned()));
    Ok(())
}

fn end(editor: &mut Editor<'_>, _args: &Args) -> Result<(), Complaint> {
    editor.request = Some(Request::Leave);
    Ok(())
}

fn exit(editor: &mut Editor<'_>, _args: &Args) -> Result<(), Complaint> {
    match editor.mode.parent() {
        Some(parent) => *editor.mode = parent,
        None => editor.request = Some(Request::Leave),
    }
    Ok(())
}
