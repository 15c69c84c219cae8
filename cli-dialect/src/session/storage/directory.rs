//! `dir`, `more`, `verify`, `delete`, `show flash:`.

use md5::{Digest, Md5};
use netconfarena_emu::router::{Flash, FlashFile};

use super::super::exec::{Exec, Handler};
use super::super::question::Question;
use super::FileName;
use super::file::not_found;
use crate::config::Complaint;
use crate::grammar::{Args, Spec, kw, plain, word};
use crate::show::clock::Clock;

pub(super) fn table() -> Vec<Spec<Handler>> {
    let (dir, more, delete) = (Handler::Print(dir), Handler::Print(more), Handler::Act(delete));
    vec![
        kw("verify", "Verify a file").then([kw("/md5", "Compute an md5 signature for a file").then([word(
            "file",
            "File to be verified",
        )
        .run(Handler::Print(verify))])]),
        kw("dir", "List files on a filesystem")
            .run(dir)
            .then([word("file", "Directory or file name").run(dir)]),
        kw("more", "Display the contents of a file").then([word("file", "File to display").run(more)]),
        kw("delete", "Delete a file").then([
            kw("/force", "Force delete").then([word("file", "File to be deleted").run(delete)]),
            word("file", "File to be deleted").run(delete),
        ]),
        kw("show", "Show running system information").then([plain(
            "flash:",
            "display information about flash: file system",
            Handler::Print(show_flash),
        )]),
    ]
}

/// The files that a name means, with their numbers: all without a name.
fn files<'f>(flash: &'f Flash, wanted: &str) -> Vec<(usize, &'f str, &'f FlashFile)> {
    let numbered = flash.iter().enumerate().map(|(at, (name, file))| (at + 1, name, file));
    numbered.filter(|(_, name, _)| wanted.is_empty() || *name == wanted).collect()
}

fn dir(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let name = FileName::parse(args.text("file").unwrap_or_default())?;
    let FileName::Flash(wanted) = &name else {
        return Err(Complaint::Unsupported(format!("dir {name}")));
    };
    let flash = exec.router().flash();
    let found = files(flash, wanted);
    if found.is_empty() && !wanted.is_empty() {
        return Err(not_found(&name));
    }
    let mut text = format!("Directory of {name}\n\n");
    for (number, name, file) in &found {
        let Clock { month, day, year, time, .. } = Clock::at(file.written);
        let time = time.split('.').next().unwrap_or_default();
        let size = file.text.len();
        text += &format!("{number:>5}  -rw-  {size:>10}  {month} {day:>2} {year} {time} +00:00  {name}\n");
    }
    if found.is_empty() {
        text += "No files in directory\n";
    }
    text += &format!("\n{} bytes total ({} bytes free)\n", Flash::CAPACITY, flash.free());
    exec.out.push_str(&text);
    Ok(())
}

fn show_flash(exec: &mut Exec<'_>, _args: &Args) -> Result<(), Complaint> {
    let flash = exec.router().flash();
    let mut text = "-#- --length-- -----date/time------ path\n".to_owned();
    for (number, name, file) in files(flash, "") {
        let Clock { month, day, year, time, .. } = Clock::at(file.written);
        let time = time.split('.').next().unwrap_or_default();
        let size = file.text.len();
        text += &format!("{number:<3} {size:>10} {month} {day:>2} {year} {time} +00:00 /{name}\n");
    }
    let free = flash.free();
    text += &format!("\n{free} bytes available ({} bytes used)\n", Flash::CAPACITY - free);
    exec.out.push_str(&text);
    Ok(())
}

fn more(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let text = exec.read_file(&FileName::parse(args.text("file").unwrap_or_default())?)?;
    exec.out.push_str(&text);
    if !text.ends_with('\n') {
        exec.out.push('\n');
    }
    Ok(())
}

fn verify(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let name = FileName::parse(args.text("file").unwrap_or_default())?;
    let digest = Md5::digest(exec.read_file(&name)?);
    let digest = digest.iter().fold(String::new(), |text, octet| text + &format!("{octet:02x}"));
    exec.say(".Done!");
    exec.say(&format!("verify /md5 ({name}) = {digest}"));
    Ok(())
}

fn delete(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let name = FileName::parse(args.text("file").unwrap_or_default())?;
    let quiet = exec.router().config().inert.global.iter().any(|line| line == "file prompt quiet");
    match name {
        FileName::Flash(name) if args.has("/force") || quiet => exec.delete(&name),
        FileName::Flash(name) => {
            exec.ask(Question::DeleteName(name));
            Ok(())
        }
        other => Err(Complaint::Refused(format!("%Error deleting {other} (Permission denied)"))),
    }
}

impl Exec<'_> {
    /// Deletes a file of the flash.
    ///
    /// # Errors
    /// There is no such file.
    pub fn delete(&mut self, name: &str) -> Result<(), Complaint> {
        let node = self.session.node();
        if self.network.router_mut(node).flash_mut().remove(name) {
            return Ok(());
        }
        Err(Complaint::Refused(format!("%Error deleting flash:/{name} (No such file or directory)")))
    }
}
