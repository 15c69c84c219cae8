//! The table of all templates, as Markdown.

use std::collections::{BTreeMap, BTreeSet};

use crate::template::Template;

/// The line before the table in a file that holds it.
pub const BEGIN: &str = "<!-- begin: netconfarena template index -->";
/// The line after it.
pub const END: &str = "<!-- end: netconfarena template index -->";

/// All templates, a section for each category, by subcategory and name. Links are relative to the folder of the templates.
#[must_use]
pub fn markdown(templates: &[Template]) -> String {
    let mut categories: BTreeMap<&str, Vec<&Template>> = BTreeMap::new();
    for template in templates {
        categories.entry(template.category()).or_default().push(template);
    }
    let mut text = String::new();
    for (category, mut members) in categories {
        members.sort_by_key(|template| (&template.file.subcategory, &template.name));
        let subcategories: BTreeSet<&str> = members.iter().map(|t| t.file.subcategory.as_str()).collect();
        text.push_str(&format!(
            "### {category}: {} in {}\n\n\
             | subcategory | template | title | difficulty | routers | groups | tests | wrong solutions |\n\
             |---|---|---|---|---:|---:|---:|---:|\n",
            counted(members.len(), "template", "templates"),
            counted(subcategories.len(), "subcategory", "subcategories"),
        ));
        members.iter().for_each(|template| text.push_str(&row(template)));
        text.push('\n');
    }
    text
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

fn row(template: &Template) -> String {
    let (file, name) = (&template.file, &template.name);
    let cell = |text: &str| text.replace('|', "\\|").replace('\n', " ");
    let groups: BTreeSet<&str> = file.tests.iter().map(|test| test.get_ref().intent.as_str()).collect();
    format!(
        "| {} | [{name}]({name}/template.toml) | {} | {} | {} | {} | {} | {} |\n",
        cell(&file.subcategory),
        cell(&file.title),
        file.difficulty,
        file.nodes.len(),
        groups.len(),
        file.tests.len(),
        file.wrong.len(),
    )
}

/// The parts of a file before, between and after the markers; nothing if they are not there.
#[must_use]
pub fn around(file: &str) -> Option<(&str, &str, &str)> {
    let start = file.find(BEGIN)? + BEGIN.len();
    let end = start + file.get(start..)?.find(END)?;
    Some((file.get(..start)?, file.get(start..end)?, file.get(end..)?))
}

/// A file with `table` between its markers; nothing if it has none.
#[must_use]
pub fn put(file: &str, table: &str) -> Option<String> {
    around(file).map(|(before, _, after)| format!("{before}\n\n{table}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_put_between_the_markers_again_and_again() {
        let file = format!("# A\n\n{BEGIN}\nold\n{END}\n\nrest\n");
        let once = put(&file, "new\n\n").unwrap();
        assert_eq!(once, format!("# A\n\n{BEGIN}\n\nnew\n\n{END}\n\nrest\n"));
        assert_eq!(put(&once, "new\n\n").unwrap(), once);
        for wrong in ["", BEGIN, END, &format!("{END}{BEGIN}")] {
            assert_eq!(put(wrong, "x"), None);
        }
    }
}
