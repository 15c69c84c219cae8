//! Table II on the terminal.

use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{CellAlignment, Table};

use crate::scores::paper::ROWS;
use crate::scores::table::{Column, Row, Summary};

/// The rows of a run: all episodes, then each category; with the paper's rows beside them if asked for.
pub(super) fn table(label: &str, summary: &Summary, paper: bool) -> Table {
    let mut table = empty();
    add(&mut table, label, &summary.overall);
    if summary.categories.len() > 1 {
        for (category, row) in &summary.categories {
            add(&mut table, &format!("  {category}"), row);
        }
    }
    if paper {
        for row in &ROWS {
            add(&mut table, &row.label(), &row.row());
        }
    }
    table
}

/// A table with the headings only.
pub(super) fn empty() -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_BORDERS_ONLY);
    let headings = ["", "Episodes"].into_iter().chain(Column::ALL.map(Column::title));
    table.set_header(headings);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Adds a row.
pub(super) fn add(table: &mut Table, label: &str, row: &Row) {
    let mut cells = vec![label.to_owned(), row.episodes.to_string()];
    cells.extend(Column::ALL.map(|column| cell(column, row)));
    table.add_row(cells);
}

fn cell(column: Column, row: &Row) -> String {
    row.values.get(&column).map(|value| column.write(*value)).unwrap_or_default()
}

/// What the table has no room for: intervals, pass^k, infrastructure errors.
pub(super) fn notes(summary: &Summary) -> String {
    let mut notes = String::new();
    for column in [Column::Score, Column::PassRate] {
        if let Some((low, high)) = summary.overall.intervals.get(&column) {
            notes.push_str(&format!(
                "{}: 95 % interval {low:.3} to {high:.3}, clustered by template\n",
                column.title()
            ));
        }
    }
    let repeats = summary.overall.repeats();
    if !repeats.is_empty() {
        notes.push_str(&format!("{}\n", repeats.join(", ")));
    }
    for (class, share) in &summary.failures {
        notes.push_str(&format!("{:.0} % of the failures: {class}\n", 100.0 * share));
    }
    if summary.given_up > 0 {
        notes.push_str(&format!(
            "{} episodes were given up by the agent; `gave_up` in `episodes.jsonl` says why\n",
            summary.given_up
        ));
    }
    if summary.infrastructure_errors > 0 {
        notes.push_str(&format!(
            "{} episodes could not be played and are not scored; `errors.jsonl` says why, the same command tries them again\n",
            summary.infrastructure_errors
        ));
    }
    notes
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_table_has_every_column_and_the_papers_rows() {
        let values =
            BTreeMap::from([(Column::Score, 0.5), (Column::Turns, 3.0), (Column::WallSeconds, 0.0042)]);
        let row = Row { episodes: 7, values, ..Row::default() };
        let categories =
            BTreeMap::from([("ospf".to_owned(), row.clone()), ("static".to_owned(), row.clone())]);
        let summary =
            Summary { overall: row, categories, given_up: 3, infrastructure_errors: 2, ..Summary::default() };
        let text = table("mine", &summary, true).to_string();
        for part in
            ["Cfg. F1", "0.500", "3.00", "0.0042", "  ospf", "qwen3-8B (paper, thinking off)", "0.337"]
        {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(notes(&summary).contains("2 episodes could not be played"));
        assert!(notes(&summary).contains("3 episodes were given up"));
        assert!(!table("mine", &summary, false).to_string().contains("paper"));
    }
}
