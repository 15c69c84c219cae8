//! `archive` and what stands under it.

use netconfarena_emu::config::ArchiveConfig;

use super::interface::setting;
use super::{Complaint, ConfigMode, Editor, Handler, need};
use crate::grammar::{Args, Spec, int, kw, plain, word};

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    vec![plain("archive", "Archive the configuration", archive as Handler)]
}

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![
        kw("maximum", "maximum number of backup copies").negatable(maximum as Handler).then([int(
            "copies",
            1,
            14,
            "maximum number of backup copies",
        )
        .run(maximum as Handler)]),
        kw("path", "path for backups").negatable(path as Handler).then([word(
            "url",
            "Write archive on flash: file system",
        )
        .run(path as Handler)]),
        plain(
            "write-memory",
            "Enable automatic backup generation during write memory",
            write_memory as Handler,
        ),
    ]
}

fn archive(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    if args.negated() {
        editor.config.archive = None;
        *editor.mode = ConfigMode::Global;
    } else {
        editor.config.archive.get_or_insert_default();
        *editor.mode = ConfigMode::Archive;
    }
    Ok(())
}

fn current<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut ArchiveConfig, Complaint> {
    need(editor.config.archive.as_mut())
}

fn path(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let url = setting(args, args.text("url"));
    if let Some(url) = url.filter(|url| !url.starts_with("flash:") && !url.starts_with("flash0:")) {
        return Err(Complaint::Unsupported(format!("path {url}")));
    }
    current(editor)?.path = url.map(str::to_owned);
    Ok(())
}

fn maximum(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    /// What IOS keeps without being told.
    const DEFAULT: u8 = 10;
    current(editor)?.maximum = setting(args, args.int("copies")).filter(|copies| *copies != DEFAULT);
    Ok(())
}

fn write_memory(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.write_memory = !args.negated();
    Ok(())
}
