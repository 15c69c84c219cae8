//! `copy` and `write`.

use serde::{Deserialize, Serialize};

use super::super::exec::{Exec, Handler, act};
use super::super::question::Question;
use super::FileName;
use crate::config::Complaint;
use crate::grammar::{Args, Spec, kw, word};

/// A copy that waits for an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Copy {
    /// What is copied.
    pub from: FileName,
    /// To where.
    pub to: FileName,
}

pub(super) fn table() -> Vec<Spec<Handler>> {
    let save = |exec: &mut Exec<'_>, _: &_| {
        exec.save();
        Ok(())
    };
    let destinations = || {
        let run = Handler::Act(copy);
        [
            kw("running-config", "Update (merge with) current system configuration").run(run),
            kw("startup-config", "Copy to startup configuration").run(run),
            word("destination", "Destination file").run(run),
        ]
    };
    // The source has another name than a destination with the same keyword.
    let source = |keyword, help, name: &'static str| kw(keyword, help).named(name).then(destinations());
    vec![
        kw("write", "Write running configuration to memory, network, or terminal")
            .run(Handler::Act(save))
            .then([
                act("erase", "Erase NV memory", erase),
                act("memory", "Write to NV memory", save),
                super::super::show_config::write_terminal(),
            ]),
        kw("copy", "Copy from one file to another").then([
            source("running-config", "Copy from current system configuration", "from-running"),
            source("startup-config", "Copy from startup configuration", "from-startup"),
            word("source", "Source file").then(destinations()),
        ]),
    ]
}

pub(super) fn erase(exec: &mut Exec<'_>, _args: &Args) -> Result<(), Complaint> {
    exec.ask(Question::Erase);
    Ok(())
}

/// `copy FROM TO`: without `file prompt quiet` the name is asked for.
fn copy(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let from = match args.text("source") {
        Some(text) => FileName::parse(text)?,
        None if args.has("from-running") => FileName::Running,
        None => FileName::Startup,
    };
    let mut to = match args.text("destination") {
        Some(text) => FileName::parse(text)?,
        None if args.has("running-config") => FileName::Running,
        None => FileName::Startup,
    };
    if let FileName::Flash(name) = &mut to
        && name.is_empty()
    {
        *name = default_name(exec, &from);
    }
    exec.read_file(&from)?;
    let copy = Copy { from, to };
    if exec.router().config().inert.global.iter().any(|line| line == "file prompt quiet") {
        return exec.copy(&copy);
    }
    exec.ask(Question::CopyTo(copy));
    Ok(())
}

/// The name that is offered for a copy to `flash:`.
fn default_name(exec: &Exec<'_>, from: &FileName) -> String {
    match from {
        FileName::Running => format!("{}-confg", exec.router().config().hostname.to_ascii_lowercase()),
        other => other.short().to_owned(),
    }
}

impl Exec<'_> {
    /// The name of the destination was given, or left as it is.
    pub fn copy_to(&mut self, mut copy: Copy, answer: &str) -> Result<(), Complaint> {
        if !answer.is_empty() && answer != copy.to.short() {
            let named = FileName::parse(answer)?;
            // An answer without a file system stays in that of the destination, where there is one file only.
            if copy.to != named && !matches!(copy.to, FileName::Flash(_)) && !answer.contains(':') {
                return Err(Complaint::Refused(format!("%Error opening {} (Invalid file name)", copy.to)));
            }
            copy.to = named;
        }
        let exists = match &copy.to {
            FileName::Flash(name) => self.router().flash().get(name).is_some(),
            FileName::Running | FileName::Startup | FileName::Null => false,
        };
        if exists {
            self.say("%Warning:There is a file already existing with this name ");
            self.ask(Question::OverWrite(copy));
            return Ok(());
        }
        self.copy(&copy)
    }

    /// Copies.
    ///
    /// # Errors
    /// The source does not exist, or the destination cannot be written.
    pub fn copy(&mut self, copy: &Copy) -> Result<(), Complaint> {
        if (&copy.from, &copy.to) == (&FileName::Running, &FileName::Startup) {
            self.save();
            return Ok(());
        }
        let text = self.read_file(&copy.from)?;
        self.write_file(&copy.to, &text)?;
        let size = text.len();
        self.say(&format!("{size} bytes copied in 0.100 secs ({} bytes/sec)", size * 10));
        Ok(())
    }
}
