//! `netconfarena list`.

use std::process::ExitCode;

use clap::Args;
use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{ContentArrangement, Table};
use miette::Result;

use super::select::Selection;

/// Options of `list`.
#[derive(Debug, Args)]
pub(super) struct ListArgs {
    #[command(flatten)]
    selection: Selection,
}

impl ListArgs {
    pub fn run(self) -> Result<ExitCode> {
        let mut table = Table::new();
        table.load_style(UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
        table.set_header([
            "Template",
            "Title",
            "Subcategory",
            "Difficulty",
            "Routers",
            "Goals",
            "Tests",
            "Tags",
        ]);
        let templates = self.selection.templates()?;
        for template in &templates {
            let file = &template.file;
            table.add_row([
                template.name.clone(),
                file.title.clone(),
                file.subcategory.clone(),
                file.difficulty.to_string(),
                file.nodes.len().to_string(),
                file.goals.len().to_string(),
                file.tests.len().to_string(),
                file.tags.join(", "),
            ]);
        }
        println!("{table}");
        println!("{} templates. `netconfarena show TEMPLATE@SEED` prints a task.", templates.len());
        Ok(ExitCode::SUCCESS)
    }
}
