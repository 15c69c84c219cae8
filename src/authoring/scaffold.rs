//! A small template to start from: sound as it is, with comments that teach each table.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

/// The files of the template, by their path in its folder.
const FILES: [(&str, &str); 8] = [
    ("template.toml", include_str!("scaffold/template.toml")),
    ("startup/branch.cfg", include_str!("scaffold/startup/branch.cfg")),
    ("startup/core.cfg", include_str!("scaffold/startup/core.cfg")),
    ("startup/hub.cfg", include_str!("scaffold/startup/hub.cfg")),
    ("reference/branch.cfg", include_str!("scaffold/reference/branch.cfg")),
    ("reference/hub.cfg", include_str!("scaffold/reference/hub.cfg")),
    ("alternative/on-interfaces/branch.cfg", include_str!("scaffold/alternative/on-interfaces/branch.cfg")),
    ("alternative/on-interfaces/hub.cfg", include_str!("scaffold/alternative/on-interfaces/hub.cfg")),
];

/// Why no template was written.
#[derive(Debug, Error, Diagnostic)]
pub enum ScaffoldError {
    /// The folder's last two parts are no name of a template.
    #[error("{} does not end in CATEGORY/SLUG", .0.display())]
    #[diagnostic(help("use lower-case letters, digits and hyphens, e.g. templates/ospf/stub-area"))]
    Name(PathBuf),
    /// There is something already.
    #[error("{} exists already; nothing was written", .0.display())]
    #[diagnostic(help("choose another name, or check what is there: netconfarena template check {}", .0.display()))]
    Exists(PathBuf),
    /// A file or folder cannot be written.
    #[error("{} cannot be written: {reason}", path.display())]
    Unwritable {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
}

/// Writes the template into a folder that does not exist yet, and gives its name.
///
/// # Errors
/// The folder exists, cannot be written, or does not end in a category and a slug.
pub fn write(folder: &Path) -> Result<String, ScaffoldError> {
    let name = name_of(folder).ok_or_else(|| ScaffoldError::Name(folder.to_owned()))?;
    if folder.symlink_metadata().is_ok() {
        return Err(ScaffoldError::Exists(folder.to_owned()));
    }
    for (file, text) in FILES {
        let path = folder.join(file);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent)
            .and_then(|()| File::create_new(&path))
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|reason| ScaffoldError::Unwritable { path, reason })?;
    }
    Ok(name)
}

/// The name of the template in a folder, if the folder can hold one.
fn name_of(folder: &Path) -> Option<String> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let word = |part: Component<'_>| {
        let Component::Normal(text) = part else { return None };
        let text = text.to_str()?;
        (text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(fits))
            .then(|| text.to_owned())
    };
    let mut parts = folder.components().rev();
    let (slug, category) = (word(parts.next()?)?, word(parts.next()?)?);
    Some(format!("{category}/{slug}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authoring::advice::advise;
    use crate::authoring::variety::Variety;
    use crate::backend::emulator::Emulator;
    use crate::template::Template;
    use crate::validation::validate;

    #[test]
    fn what_is_written_is_sound_and_needs_no_advice() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("static/first-steps");
        assert_eq!(write(&folder).unwrap(), "static/first-steps");
        let template = Template::load(&folder).unwrap();
        let advice = advise(&template, &Variety::of(&template, 0..200).unwrap());
        assert!(advice.is_empty(), "{advice:?}");
        assert_eq!(validate(&template.instantiate(0).unwrap(), &Emulator::default()), []);
    }

    #[test]
    fn every_table_is_there_with_a_comment() {
        let text = FILES[0].1;
        for table in ["[parameters]", "[nodes]", "[[links]]", "[[tests]]", "[[optional]]", "[[wrong]]"] {
            let lines: Vec<&str> = text.lines().collect();
            let first = lines.iter().position(|line| *line == table).unwrap();
            assert!(lines[first - 1].starts_with("# "), "{table}");
        }
        assert!(text.contains("guard = true") && text.contains("down = "));
    }

    #[test]
    fn what_exists_is_left_alone() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("ospf/mine");
        fs::create_dir_all(&folder).unwrap();
        assert!(matches!(write(&folder), Err(ScaffoldError::Exists(_))));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        let file = root.path().join("ospf/file");
        fs::write(&file, "precious").unwrap();
        assert!(matches!(write(&file), Err(ScaffoldError::Exists(_))));
        assert!(matches!(write(&file.join("x/slug")), Err(ScaffoldError::Unwritable { .. })));
        assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
    }

    #[test]
    fn a_folder_that_is_no_name_is_refused() {
        for folder in ["slug", "OSPF/slug", "ospf/two words", "ospf/..", "ospf/under_score", "ospf/1st", "/"]
        {
            assert!(matches!(write(Path::new(folder)), Err(ScaffoldError::Name(_))), "{folder}");
        }
    }
}
