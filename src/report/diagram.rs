//! The picture of a topology as text for a terminal, and as SVG.

use std::collections::BTreeMap;

use super::topology::{Line, Picture};

/// Columns between the left-most and the right-most spot.
const COLUMNS: f64 = 60.0;
/// Columns between two boxes on one row.
const BETWEEN: i32 = 9;
/// Most rows between the highest and the lowest spot.
const MOST_ROWS: usize = 30;

/// Where a character stands: row and column.
type Place = (i32, i32);

/// What stands at each line of a picture: the number of the link, or nothing where the network is a spot of its own.
fn numbers(picture: &Picture) -> Vec<Option<usize>> {
    let mut count = 0;
    let mut number = |line: &Line| {
        let between_routers = !line.label.is_empty();
        count += usize::from(between_routers);
        between_routers.then_some(count)
    };
    picture.lines.iter().map(&mut number).collect()
}

/// What is told of each link below the picture, once.
fn legend(picture: &Picture) -> Vec<String> {
    let mut told: Vec<String> = Vec::new();
    for (line, number) in picture.lines.iter().zip(numbers(picture)) {
        let mark = number.map(|n| format!("({n})")).unwrap_or_default();
        let text = format!("{mark:>5} {}", line.detail);
        if !told.contains(&text) {
            told.push(text);
        }
    }
    // Numbered links first; what comes behind stays in order.
    told.sort_by_key(|text| !text.trim_start().starts_with('('));
    told
}

/// The picture as text: routers in brackets, networks in angle brackets, links by number; what they are stands below.
#[must_use]
pub fn text(picture: &Picture) -> String {
    let mut canvas = Canvas::default();
    let boxes = place(picture);
    let centre = |spot: usize| boxes.get(spot).map(Placed::centre);
    let mut ways = Vec::new();
    for line in &picture.lines {
        let (Some(from), Some(to)) = (centre(line.from), centre(line.to)) else { continue };
        let way = way(from, to, line.shift);
        for pair in way.windows(2) {
            if let &[before, here] = pair {
                canvas.put(here, stroke(before, here));
            }
        }
        ways.push(way);
    }
    boxes.iter().for_each(|spot| canvas.write(spot.place, &spot.text));
    let mut taken: Vec<Placed> = boxes;
    for (way, number) in ways.iter().zip(numbers(picture)) {
        let Some(number) = number else { continue };
        let text = format!("({number})");
        // On the line, as near to its middle as there is room; else beside it.
        let places =
            [0, 1, -1].into_iter().flat_map(|row| [50, 42, 58, 34, 66, 26, 74].map(|part| (row, part)));
        let label = places.into_iter().find_map(|(beside, percent)| {
            let &(row, column) = way.get(way.len() * percent / 100)?;
            let label = Placed { place: (row + beside, column - 1), text: text.clone() };
            (!taken.iter().any(|other| other.near(&label, 1))).then_some(label)
        });
        if let Some(label) = label {
            canvas.write(label.place, &label.text);
            taken.push(label);
        }
    }
    format!("{}\n{}\n", canvas.text(), legend(picture).join("\n"))
}

/// A text and where it begins.
#[derive(Clone, Debug)]
struct Placed {
    place: Place,
    text: String,
}

impl Placed {
    fn width(&self) -> i32 {
        i32::try_from(self.text.chars().count()).unwrap_or(i32::MAX)
    }

    fn centre(&self) -> Place {
        (self.place.0, self.place.1.saturating_add(self.width() / 2))
    }

    /// Whether fewer than so many blanks are between both on one row.
    fn near(&self, other: &Self, blanks: i32) -> bool {
        let end = |it: &Self| it.place.1.saturating_add(it.width()).saturating_add(blanks);
        self.place.0 == other.place.0 && self.place.1 < end(other) && other.place.1 < end(self)
    }

    /// Whether both stand so close that no line with its number can be seen between them.
    fn crowds(&self, other: &Self) -> bool {
        let above = |rows: i32| Self { place: (self.place.0 + rows, self.place.1), text: self.text.clone() };
        self.near(other, BETWEEN) || above(1).near(other, 0) || above(-1).near(other, 0)
    }
}

/// Boxes of all spots; one that comes too close to another moves down.
#[expect(clippy::cast_possible_truncation, reason = "coordinates lie between 0 and 1")]
#[expect(clippy::cast_precision_loss, reason = "a handful of spots")]
fn place(picture: &Picture) -> Vec<Placed> {
    let rows = (2 * picture.spots.len() + 2).clamp(4, MOST_ROWS) as f64;
    let mut order: Vec<usize> = (0..picture.spots.len()).collect();
    let height = |spot: &usize| picture.spots.get(*spot).map_or(0.0, |s| s.y);
    order.sort_by(|a, b| height(a).total_cmp(&height(b)));
    let mut placed: BTreeMap<usize, Placed> = BTreeMap::new();
    for number in order {
        let Some(spot) = picture.spots.get(number) else { continue };
        let text = if spot.router { format!("[ {} ]", spot.name) } else { format!("<{}>", spot.name) };
        let (row, column) = ((spot.y * rows).round() as i32, (spot.x * COLUMNS).round() as i32);
        let mut one = Placed { place: (row, column), text };
        one.place.1 -= one.width() / 2;
        while placed.values().any(|other| other.crowds(&one)) {
            one.place.0 += 1;
        }
        placed.insert(number, one);
    }
    placed.into_values().collect()
}

/// The cells from one place to another; parallel lines bend away from each other in the middle.
fn way(from: Place, to: Place, shift: i32) -> Vec<Place> {
    if shift == 0 {
        return straight(from, to);
    }
    let flat = (to.1 - from.1).abs() > 2 * (to.0 - from.0).abs();
    // Seen from either end, a line bends to the same side.
    let side = if (from.1, from.0) < (to.1, to.0) { shift } else { -shift };
    let mut middle = (i32::midpoint(from.0, to.0), i32::midpoint(from.1, to.1));
    if flat {
        middle.0 += side;
    } else {
        middle.1 += 4 * side;
    }
    let mut way = straight(from, middle);
    way.extend(straight(middle, to).into_iter().skip(1));
    way
}

/// The cells of a straight line.
fn straight(from: Place, to: Place) -> Vec<Place> {
    let (rows, columns) = (to.0 - from.0, to.1 - from.1);
    let steps = rows.abs().max(columns.abs()).max(1);
    let part = |all: i32, step: i32| (2 * all * step + steps * all.signum()) / (2 * steps);
    (0..=steps).map(|step| (from.0 + part(rows, step), from.1 + part(columns, step))).collect()
}

/// The character that leads from one cell to the next.
const fn stroke(from: Place, to: Place) -> char {
    match (to.0 - from.0, to.1 - from.1) {
        (0, _) => '-',
        (_, 0) => '|',
        (rows, columns) if (rows > 0) == (columns > 0) => '\\',
        _ => '/',
    }
}

/// Characters by where they stand.
#[derive(Clone, Debug, Default)]
struct Canvas(BTreeMap<i32, BTreeMap<i32, char>>);

impl Canvas {
    fn put(&mut self, (row, column): Place, character: char) {
        self.0.entry(row).or_default().insert(column, character);
    }

    fn write(&mut self, (row, column): Place, text: &str) {
        (column..).zip(text.chars()).for_each(|(column, character)| self.put((row, column), character));
    }

    fn text(&self) -> String {
        let left = self.0.values().filter_map(|row| row.keys().next()).min().copied().unwrap_or_default();
        let rows = self.0.keys().next().copied().zip(self.0.keys().next_back().copied());
        let mut text = String::new();
        for row in rows.into_iter().flat_map(|(first, last)| first..=last) {
            let mut column = left - 1;
            for (&place, &character) in self.0.get(&row).into_iter().flatten() {
                text.extend((column..place).map(|_| ' '));
                text.push(character);
                column = place + 1;
            }
            text.push('\n');
        }
        text
    }
}

/// Size of the SVG picture without what stands below, and its margins.
const SIZE: (f64, f64) = (720.0, 440.0);
const MARGIN: (f64, f64) = (90.0, 34.0);
/// Distance of parallel lines, and of lines of text.
const BESIDE: f64 = 9.0;
const LINE_HEIGHT: f64 = 17.0;

const STYLE: &str = "text{font:12px ui-monospace,monospace;fill:#1b1f24}.c{text-anchor:middle}.n{font-weight:600}\
    line{stroke:#6b7480;stroke-width:1.5}rect{fill:#fff;stroke:#2f6f4f}.r{stroke:#1f5fa8;stroke-width:2}";

/// The picture as an SVG file, with what the links are below it.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "a handful of lines")]
pub fn svg(picture: &Picture) -> String {
    let legend = legend(picture);
    let height = SIZE.1 + LINE_HEIGHT * (legend.len() as f64 + 1.0);
    let longest = legend.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let width = SIZE.0.max(20.0 + 7.3 * longest as f64);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\">\n<style>{STYLE}</style>\n\
         <rect width=\"100%\" height=\"100%\" stroke=\"none\" style=\"stroke:none\"/>\n"
    );
    let at = |spot: usize| {
        picture.spots.get(spot).map(|spot| {
            let across = |value: f64, size: f64, margin: f64| margin + value * (size - 2.0 * margin);
            (across(spot.x, width, MARGIN.0), across(spot.y, SIZE.1, MARGIN.1))
        })
    };
    for (line, number) in picture.lines.iter().zip(numbers(picture)) {
        let (Some(a), Some(b)) = (at(line.from), at(line.to)) else { continue };
        let beside = BESIDE * f64::from(line.shift) / (b.0 - a.0).hypot(b.1 - a.1).max(1.0);
        let (dx, dy) = ((a.1 - b.1) * beside, (b.0 - a.0) * beside);
        let (x1, y1, x2, y2) = (a.0 + dx, a.1 + dy, b.0 + dx, b.1 + dy);
        let detail = escaped(&line.detail);
        text.push_str(&format!(
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"><title>{detail}</title></line>\n"
        ));
        if let Some(number) = number {
            let (x, y) = (f64::midpoint(x1, x2), f64::midpoint(y1, y2));
            text.push_str(&format!(
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"18\" height=\"16\" rx=\"8\"/>\
                 <text class=\"c\" x=\"{x:.1}\" y=\"{:.1}\">{number}</text>\n",
                x - 9.0,
                y - 8.0,
                y + 4.0
            ));
        }
    }
    for (number, spot) in picture.spots.iter().enumerate() {
        let Some((x, y)) = at(number) else { continue };
        let half = 8.0 + 3.7 * spot.name.chars().count() as f64;
        let (shape, words) = if spot.router { (" class=\"r\" rx=\"4\"", "c n") } else { ("", "c") };
        text.push_str(&format!(
            "<rect{shape} x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"24\"/>\
             <text class=\"{words}\" x=\"{x:.1}\" y=\"{:.1}\">{}</text>\n",
            x - half,
            y - 12.0,
            2.0 * half,
            y + 4.0,
            escaped(&spot.name)
        ));
    }
    for (number, line) in legend.iter().enumerate() {
        let y = SIZE.1 + LINE_HEIGHT * (number as f64 + 0.5);
        text.push_str(&format!(
            "<text x=\"10\" y=\"{y:.1}\" xml:space=\"preserve\">{}</text>\n",
            escaped(line)
        ));
    }
    text.push_str("</svg>\n");
    text
}

/// A text that can stand in markup.
fn escaped(text: &str) -> String {
    let printable = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let text: String = text.chars().map(printable).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMPT: &str = "# Scenario\nx\n\n# Topology\nRouters: Ash, Elm, Oak\n\
        - Ash Serial0/0 (10.0.0.1) <-> Elm Serial0/1 (10.0.0.2): 10.0.0.0/30, everyday line\n\
        - Ash Serial0/2 (10.0.0.5) <-> Elm Serial0/3 (10.0.0.6): 10.0.0.4/30, standby line\n\
        - Ash Ethernet0 (10.1.0.1) <-> Elm Ethernet0 (10.1.0.2) <-> Oak Ethernet0 (10.1.0.3): 10.1.0.0/24\n\
        - Oak Ethernet1 (10.2.0.1): local network 10.2.0.0/24, <users>\n\n# Goals\n1. x\n";

    #[test]
    fn a_text_shows_every_router_network_link_interface_and_address() {
        let text = text(&Picture::of(PROMPT));
        for part in ["[ Ash ]", "[ Elm ]", "[ Oak ]", "<10.1.0.0/24>", "<10.2.0.0/24>"] {
            assert_eq!(text.matches(part).count(), 1, "{part}\n{text}");
        }
        for number in ["(1)", "(2)"] {
            assert_eq!(text.matches(number).count(), 2, "in the picture and below\n{text}");
        }
        assert!(!text.contains("(3)"), "{text}");
        let below: Vec<&str> = text.lines().rev().take(4).collect();
        let wanted = [
            "      Oak Ethernet1 (10.2.0.1): 10.2.0.0/24, <users>",
            "      Ash Ethernet0 (10.1.0.1) <-> Elm Ethernet0 (10.1.0.2) <-> Oak Ethernet0 (10.1.0.3): 10.1.0.0/24",
            "  (2) Ash Serial0/2 (10.0.0.5) <-> Elm Serial0/3 (10.0.0.6): 10.0.0.4/30, standby line",
            "  (1) Ash Serial0/0 (10.0.0.1) <-> Elm Serial0/1 (10.0.0.2): 10.0.0.0/30, everyday line",
        ];
        assert_eq!(below, wanted);
    }

    #[test]
    fn every_instance_is_drawn_with_all_its_numbers_and_names() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
        for template in crate::template::catalog::load(&folder, &[]).unwrap() {
            let instance = template.instantiate(2).unwrap();
            let picture = Picture::of(&instance.prompt());
            let text = text(&picture);
            for node in &instance.nodes {
                assert!(text.contains(&format!("[ {} ]", node.name)), "{}\n{text}", instance.name);
            }
            for number in numbers(&picture).into_iter().flatten() {
                assert_eq!(text.matches(&format!("({number})")).count(), 2, "{}\n{text}", instance.name);
            }
        }
    }

    #[test]
    fn lines_go_from_end_to_end_in_single_steps() {
        for to in [(5, 20), (-3, 2), (0, 7), (9, 0), (0, 0), (-4, -4)] {
            for shift in [-1, 0, 1] {
                let way = way((0, 0), to, shift);
                assert_eq!((way.first(), way.last()), (Some(&(0, 0)), Some(&to)));
                for pair in way.windows(2) {
                    let step = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
                    assert!(step.0.abs() <= 1 && step.1.abs() <= 1, "{way:?}");
                }
            }
        }
    }

    #[test]
    fn markup_in_names_stays_text_in_the_svg() {
        let svg = svg(&Picture::of(&PROMPT.replace("Oak", "<b>&\u{1b}")));
        assert!(svg.contains("&lt;b&gt;&amp;\u{fffd}") && !svg.contains("<b>") && !svg.contains("<users>"));
        assert_eq!(svg.matches("<line ").count(), 6);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert_eq!(text(&Picture::default()), "\n\n");
        assert!(svg(&Picture::default()).ends_with("</svg>\n"));
    }
}
