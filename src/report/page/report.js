// The viewer of trajectories. Whatever comes from runs is set as text, never as markup.
"use strict";
(() => {
  const data = (id) => JSON.parse(document.getElementById(id).textContent);
  const runs = data("runs");
  const index = data("index");
  const SHOWN = 200;
  const SVG = "http://www.w3.org/2000/svg";

  const node = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  };
  const shape = (name, attributes, ...children) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };
  const verdict = (passed) => node("span", { class: passed ? "yes" : "no" }, passed ? "\u2713" : "\u2717");
  const folded = (title, ...children) => node("details", {}, node("summary", {}, title), ...children);

  const form = document.getElementById("filter");
  const byRun = document.getElementById("by-run");
  const byEnd = document.getElementById("by-end");
  const byName = document.getElementById("by-name");
  const list = document.getElementById("list");
  const place = document.getElementById("episode");

  const options = (select, names) => {
    select.append(node("option", { value: "" }, "all"));
    names.forEach((name, at) => select.append(node("option", { value: String(at) }, name)));
  };
  const endings = [...new Set(index.map((entry) => entry[4]))].sort();

  const current = () => (/^#e(\d+)$/.exec(location.hash) || [])[1];

  const showList = () => {
    const wanted = byName.value.toLowerCase();
    const fits = ([run, name, , , ending]) =>
      (byRun.value === "" || run === Number(byRun.value)) &&
      (byEnd.value === "" || ending === endings[Number(byEnd.value)]) &&
      name.toLowerCase().includes(wanted);
    const found = index.map((entry, at) => [at, entry]).filter(([, entry]) => fits(entry));
    const rows = found.slice(0, SHOWN).map(([at, [run, name, score, turns, ending, passed]]) =>
      node("tr", { "aria-current": String(String(at) === current()) },
        node("td", {}, verdict(passed)),
        node("td", {}, node("a", { href: `#e${at}` }, name)),
        node("td", {}, score.toFixed(2)), node("td", {}, ending), node("td", {}, String(turns)),
        node("td", {}, runs[run])));
    const heads = ["", "Episode", "Score", "Ended", "Turns", "Run"].map((text) => node("th", { scope: "col" }, text));
    list.replaceChildren(
      node("table", {}, node("thead", {}, node("tr", {}, ...heads)), node("tbody", {}, ...rows)));
    if (found.length > SHOWN) list.append(node("p", { class: "note" }, `${found.length - SHOWN} more: narrow the choice above`));
    if (found.length === 0) list.append(node("p", { class: "note" }, "No trajectory."));
  };

  const topology = ({ spots, lines }) => {
    const [width, height, margin] = [640, 400, 60];
    const x = (spot) => margin + spot.x * (width - 2 * margin);
    const y = (spot) => margin / 2 + spot.y * (height - margin * 1.2);
    const picture = shape("svg", { class: "topology", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "Topology" });
    for (const line of lines) {
      const [a, b] = [spots[line.from], spots[line.to]];
      // Lines between the same routers stand side by side.
      const aside = (7 * line.shift) / Math.max(1, Math.hypot(x(b) - x(a), y(b) - y(a)));
      const [dx, dy] = [(y(a) - y(b)) * aside, (x(b) - x(a)) * aside];
      const ends = { x1: x(a) + dx, y1: y(a) + dy, x2: x(b) + dx, y2: y(b) + dy };
      picture.append(shape("line", ends, shape("title", {}, line.detail)));
      picture.append(shape("text", { class: "small", x: (ends.x1 + ends.x2) / 2, y: (ends.y1 + ends.y2) / 2 - 4 }, line.label));
    }
    for (const spot of spots) {
      const [left, top] = [x(spot), y(spot)];
      if (spot.router) {
        picture.append(shape("circle", { cx: left, cy: top, r: 13 }), shape("text", { x: left, y: top + 27 }, spot.name));
      } else {
        picture.append(shape("rect", { x: left - 5, y: top - 5, width: 10, height: 10 }),
          shape("text", { class: "small", x: left, y: top + 18 }, spot.name));
      }
    }
    return picture;
  };

  // Which goals held after each turn.
  const state = (episode) => {
    if (!episode.groups_at_start) return null;
    const turns = [episode.groups_at_start, ...episode.steps.map((step) => step.groups || [])];
    const heads = turns.map((_, turn) => node("td", { class: "soft" }, turn === 0 ? "start" : String(turn)));
    const rows = episode.groups.map((group, at) =>
      node("tr", {}, node("th", { scope: "row" }, group.intent),
        ...turns.map((held) => node("td", {}, held[at] === undefined ? "" : verdict(held[at]))),
        node("td", {}, verdict(group.passed))));
    return node("div", { class: "wide" }, node("table", { class: "state" },
      node("thead", {}, node("tr", {}, node("th", {}, "Goal, judged after each turn"), ...heads, node("td", { class: "soft" }, "end"))),
      node("tbody", {}, ...rows)));
  };

  const byHost = (texts, draw) => Object.entries(texts).flatMap(([host, text]) => [node("div", { class: "host" }, host), draw(text)]);
  const text = (value) => node("pre", {}, typeof value === "string" ? value : JSON.stringify(value, null, 1));
  const diff = (value) => {
    const kinds = { "+": "plus", "-": "minus", "@": "at" };
    const lines = value.split("\n").map((line) => node("span", { class: kinds[line[0]] || "" }, line + "\n"));
    return node("pre", {}, ...lines);
  };
  const action = (step) => {
    if (!step.action) return ["no action (null turn)", []];
    const { name, arguments: given } = step.action;
    if (given === undefined) return [name, []];
    if (Array.isArray(given)) return [`${name} ${given.length ? given.join(", ") : "of all routers"}`, []];
    if (typeof given !== "object") return [`${name} ${given}`, []];
    return [name, byHost(given, text)];
  };

  const turn = (episode, step, at) => {
    const [name, given] = action(step);
    const seen = step.observation && typeof step.observation === "object" ? byHost(step.observation, text) : [text(step.observation)];
    const changed = step.diff ? [node("h4", {}, "Running configuration"), ...byHost(step.diff, diff)] : [];
    const lost = step.lost && step.lost.length ? [node("h4", {}, "The guard: what is lost"), text(step.lost.join("\n"))] : [];
    const held = step.groups
      ? node("p", { class: "soft" }, `Goals that hold: ${step.groups.filter(Boolean).length} of ${step.groups.length} `, ...step.groups.map(verdict))
      : null;
    const said = episode.said[at];
    const raw = said ? folded("what the agent said", text(said.tool_calls ? said : said.content)) : null;
    return node("section", { class: "turn" },
      node("h4", {}, `Turn ${at + 1}: ${name}`, step.rejected ? node("span", { class: "no" }, " (rejected in part)") : ""),
      step.reasoning ? folded("what it thought beside its answer", text(step.reasoning)) : null,
      step.thought ? node("p", { class: "thought" }, step.thought) : null,
      ...given, folded("what it saw", ...seen), ...changed, ...lost, held, raw);
  };

  const tests = (episode) => {
    const rows = episode.tests.map((test) => node("tr", {},
      node("td", {}, verdict(test.passed)), node("td", {}, test.intent),
      node("td", {}, `${test.device}#${test.command}${test.down ? ` [${test.down} cut]` : ""}`),
      node("td", {}, test.expected), node("td", {}, test.reason || "as expected")));
    const heads = ["", "Goal", "Asked", "Expected", "Observed"].map((head) => node("th", { scope: "col" }, head));
    const table = node("div", { class: "wide", hidden: "" },
      node("table", {}, node("thead", {}, node("tr", {}, ...heads)), node("tbody", {}, ...rows)));
    const box = node("input", { type: "checkbox", id: "reveal" });
    box.addEventListener("change", () => { table.hidden = !box.checked; });
    return [node("p", {}, node("label", {}, box, " show the hidden tests, expected against observed")), table];
  };

  const showEpisode = () => {
    const number = current();
    const entry = number === undefined ? undefined : index[Number(number)];
    place.hidden = !entry;
    showList();
    if (!entry) return;
    const episode = data(`e${number}`);
    const [run, name, score, , ending] = entry;
    const facts = [`score ${score.toFixed(2)}`, ending, `${episode.steps.length} turns`,
      `configuration F1 ${episode.metrics.cfg.f1.toFixed(2)}`,
      `${episode.virtual_seconds.toFixed(0)} s of network time, ${episode.wall_seconds.toFixed(2)} s of real time`];
    if (episode.tokens) facts.push(`${episode.tokens.input} tokens read, ${episode.tokens.output} written`);
    if (episode.gave_up) facts.push(`gave up: ${episode.gave_up}`);
    const again = [...episode.failed_attempts, ...episode.failed_requests];
    if (again.length) facts.push(`tried again after: ${again.join("; ")}`);
    if (!episode.converged) facts.push("the network did not come to rest");
    place.replaceChildren(
      node("h3", {}, `${name}, ${runs[run]}`),
      node("p", {}, facts.join("; ")),
      episode.failures.length ? node("p", { class: "no" }, `Failed by: ${episode.failures.join("; ")}`) : "",
      topology(episode.topology),
      folded("the task", text(episode.prompt)),
      state(episode) || node("ul", {}, ...episode.groups.map((group) => node("li", {}, verdict(group.passed), ` ${group.intent}`))),
      ...tests(episode),
      ...episode.steps.map((step, at) => turn(episode, step, at)),
      node("p", { class: "note" }, `hash ${episode.hash}`));
    place.scrollIntoView();
  };

  if (index.length === 0) {
    list.append(node("p", { class: "note" }, "The report was written without trajectories."));
    return;
  }
  options(byRun, runs);
  options(byEnd, endings);
  form.hidden = false;
  form.addEventListener("input", showList);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", showEpisode);
  showEpisode();
})();
