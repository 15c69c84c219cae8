//! The picture of a topology: where routers and links stand, from the topology section of a prompt.
//!
//! The prompt is what a run keeps of the topology, and all that is drawn is in it.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use serde::Serialize;

/// The most that is drawn; a prompt from elsewhere may name more.
const MOST: usize = 64;
/// Steps of the layout.
const STEPS: u32 = 300;

/// A router or a network in the picture; coordinates lie between 0 and 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spot {
    /// Its name: that of the router, or the prefix of the network.
    pub name: String,
    /// Whether it is a router.
    pub router: bool,
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// A line of the picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// Position of one end among the spots.
    pub from: usize,
    /// Position of the other.
    pub to: usize,
    /// What is written at it.
    pub label: String,
    /// What is told of it: interfaces and addresses.
    pub detail: String,
    /// On which side it stands of the straight way between its ends, seen along the line, and how far: lines between the same
    /// spots stand side by side.
    pub shift: i32,
}

/// A picture of a topology.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Picture {
    /// Routers, and networks with one end or more than two.
    pub spots: Vec<Spot>,
    /// Links.
    pub lines: Vec<Line>,
}

impl Picture {
    /// The picture of the topology section of a prompt; an empty one if there is none.
    #[must_use]
    pub fn of(prompt: &str) -> Self {
        let section = prompt.split("\n# Topology\n").nth(1).unwrap_or_default();
        let mut picture = Self::default();
        let mut known = BTreeMap::new();
        for line in section.lines().take_while(|line| !line.starts_with('#')) {
            if let Some(names) = line.strip_prefix("Routers: ") {
                names.split(", ").take(MOST).for_each(|name| {
                    picture.spot(name, true, &mut known);
                });
            } else if let Some((ends, network)) = line.strip_prefix("- ").and_then(|l| l.split_once(": ")) {
                picture.link(ends, network, &mut known);
            }
        }
        picture.part_parallels();
        picture.lay_out();
        picture
    }

    /// Lines between the same spots step aside, the same way whichever end comes first.
    fn part_parallels(&mut self) {
        let mut parallel: BTreeMap<(usize, usize), Vec<&mut Line>> = BTreeMap::new();
        for line in &mut self.lines {
            let ends = (line.from.min(line.to), line.from.max(line.to));
            parallel.entry(ends).or_default().push(line);
        }
        for lines in parallel.into_values() {
            let mut shift = 1 - i32::try_from(lines.len()).unwrap_or(1);
            for line in lines {
                line.shift = if line.from <= line.to { shift } else { -shift };
                shift += 2;
            }
        }
    }

    fn spot(&mut self, name: &str, router: bool, known: &mut BTreeMap<String, usize>) -> usize {
        *known.entry(name.to_owned()).or_insert_with(|| {
            self.spots.push(Spot { name: name.to_owned(), router, x: 0.0, y: 0.0 });
            self.spots.len() - 1
        })
    }

    /// A line between two routers, or from each router to the spot of their network.
    fn link(&mut self, ends: &str, network: &str, known: &mut BTreeMap<String, usize>) {
        if self.lines.len() >= MOST {
            return;
        }
        let network = network.trim_start_matches("local network ");
        let detail = format!("{ends}: {network}");
        let prefix = network.split(',').next().unwrap_or_default();
        let ends: Vec<&str> =
            ends.split(" <-> ").take(MOST).filter_map(|end| end.split(' ').next()).collect();
        let ends: Vec<usize> = ends.into_iter().map(|name| self.spot(name, true, known)).collect();
        if let &[from, to] = ends.as_slice() {
            self.lines.push(Line { from, to, label: prefix.to_owned(), detail, shift: 0 });
            return;
        }
        let to = self.spot(prefix, false, known);
        for from in ends {
            self.lines.push(Line { from, to, label: String::new(), detail: detail.clone(), shift: 0 });
        }
    }

    /// Spots repel each other and lines pull, from a circle on, in steps that get smaller (Fruchterman and Reingold).
    #[expect(clippy::cast_precision_loss, reason = "a handful of spots")]
    fn lay_out(&mut self) {
        let count = self.spots.len().max(1) as f64;
        let mut places: Vec<(f64, f64)> =
            (0..self.spots.len()).map(|n| (TAU * n as f64 / count).sin_cos()).collect();
        let ideal = (4.0 / count).sqrt();
        for step in 0..STEPS {
            let mut moves = vec![(0.0, 0.0); places.len()];
            for (one, place) in moves.iter_mut().zip(&places) {
                for other in &places {
                    let (dx, dy) = (place.0 - other.0, place.1 - other.1);
                    let square = (dx * dx + dy * dy).max(1e-4);
                    one.0 += dx * ideal * ideal / square;
                    one.1 += dy * ideal * ideal / square;
                }
            }
            for line in &self.lines {
                let (Some(&a), Some(&b)) = (places.get(line.from), places.get(line.to)) else { continue };
                let (dx, dy) = (b.0 - a.0, b.1 - a.1);
                let pull = dx.hypot(dy) / ideal;
                for (end, sign) in [(line.from, pull), (line.to, -pull)] {
                    if let Some(one) = moves.get_mut(end) {
                        one.0 += dx * sign;
                        one.1 += dy * sign;
                    }
                }
            }
            let most = 0.2 * (1.0 - f64::from(step) / f64::from(STEPS));
            for (place, (dx, dy)) in places.iter_mut().zip(moves) {
                let scale = most / dx.hypot(dy).max(most).max(1e-9);
                place.0 += dx * scale;
                place.1 += dy * scale;
            }
        }
        let range = |of: fn(&(f64, f64)) -> f64| {
            let low = places.iter().map(of).fold(f64::INFINITY, f64::min);
            let high = places.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
            (low, (high - low).max(1e-9))
        };
        let (x, y) = (range(|p| p.0), range(|p| p.1));
        let rounded = |value: f64| (value * 1000.0).round() / 1000.0;
        for (spot, place) in self.spots.iter_mut().zip(&places) {
            spot.x = rounded((place.0 - x.0) / x.1);
            spot.y = rounded((place.1 - y.0) / y.1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROMPT: &str = "# Scenario\nx\n\n# Topology\nRouters: A, B, C\n\
        - A Serial0/0 (10.0.0.1) <-> B Serial0/1 (10.0.0.2): 10.0.0.0/30, the line\n\
        - A Ethernet0 (10.1.0.1) <-> B Ethernet0 (10.1.0.2) <-> C Ethernet0 (10.1.0.3): 10.1.0.0/24\n\
        - C Ethernet1 (10.2.0.1): local network 10.2.0.0/24, users\n\n# Goals\n1. - D x: no link\n";

    #[test]
    fn routers_links_segments_and_local_networks_are_drawn() {
        let picture = Picture::of(PROMPT);
        let names: Vec<(&str, bool)> = picture.spots.iter().map(|s| (s.name.as_str(), s.router)).collect();
        let wanted = [("A", true), ("B", true), ("C", true), ("10.1.0.0/24", false), ("10.2.0.0/24", false)];
        assert_eq!(names, wanted);
        let ends: Vec<(usize, usize, &str)> =
            picture.lines.iter().map(|l| (l.from, l.to, l.label.as_str())).collect();
        assert_eq!(ends, [(0, 1, "10.0.0.0/30"), (0, 3, ""), (1, 3, ""), (2, 3, ""), (2, 4, "")]);
        assert!(picture.lines[4].detail.ends_with("10.2.0.0/24, users"));
        assert!(picture.lines.iter().all(|line| line.shift == 0));
    }

    #[test]
    fn lines_between_the_same_routers_stand_side_by_side() {
        let lines = "- A x (1) <-> B x (1): 1\n- B y (2) <-> A y (2): 2\n- A z (3) <-> C z (3): 3\n";
        let picture = Picture::of(&format!("\n# Topology\nRouters: A, B, C\n{lines}"));
        assert_eq!(picture.lines.iter().map(|line| line.shift).collect::<Vec<_>>(), [-1, -1, 0]);
    }

    #[test]
    fn every_instance_gives_its_routers_and_links() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
        for template in crate::template::catalog::load(&folder, &[]).unwrap() {
            let instance = template.instantiate(1).unwrap();
            let picture = Picture::of(&instance.prompt());
            let routers = picture.spots.iter().filter(|spot| spot.router).count();
            assert_eq!(routers, instance.nodes.len(), "{}", instance.name);
            let lines: usize =
                instance.links.iter().map(|l| if l.ends.len() == 2 { 1 } else { l.ends.len() }).sum();
            assert_eq!(picture.lines.len(), lines, "{}", instance.name);
        }
    }

    #[test]
    fn spots_lie_in_the_picture_and_apart() {
        let picture = Picture::of(PROMPT);
        for (number, spot) in picture.spots.iter().enumerate() {
            assert!((0.0..=1.0).contains(&spot.x) && (0.0..=1.0).contains(&spot.y), "{spot:?}");
            for other in picture.spots.iter().skip(number + 1) {
                assert!((spot.x - other.x).hypot(spot.y - other.y) > 0.15, "{spot:?} {other:?}");
            }
        }
    }

    #[test]
    fn a_prompt_from_elsewhere_is_drawn_within_bounds() {
        assert_eq!(Picture::of("hello"), Picture::default());
        let many: String = (0..9999).map(|n| format!("- a{n} x <-> b{n} y: 1\n")).collect();
        let picture = Picture::of(&format!("\n# Topology\nRouters: \n{many}"));
        assert!(picture.lines.len() <= MOST && picture.spots.len() <= 3 * MOST);
        assert!(picture.spots.iter().all(|spot| spot.x.is_finite() && spot.y.is_finite()));
    }
}
