// Arcs over the lines of a text, as brat draws them: an arc per relation between two marked names. Where the names stand on
// different lines the arc leaves at the right edge of one line and comes in at the left edge of the next.
import { drawn, element } from "./elements.js";
import { pairOfEntities, probability } from "./wording.js";

const [LANE, LIFT, MOST_LANES] = [15, 5, 8];

// `block` holds the text with its marked names ([data-entity]); `lines()` can change with the width of the window.
export const drawArcs = (block, relations, { choose, chosen, withFigures }) => {
  block.querySelector("svg.arcs")?.remove();
  block.style.setProperty("--lanes", "0");
  const lanes = new Lanes();
  const segments = relations.flatMap((relation) => segmentsOf(block, relation));
  segments.sort((one, other) => (one.right - one.left) - (other.right - other.left)); // short arcs lie under long ones
  for (const segment of segments) segment.lane = lanes.take(segment);
  if (!segments.length) return;
  block.style.setProperty("--lanes", String(lanes.most));
  // the lines have moved apart: measure again, keep the lanes
  const placed = new Map(segments.map((segment) => [segment.id, segment.lane]));
  const box = block.getBoundingClientRect();
  const picture = drawn("svg", { class: "arcs", width: box.width, height: box.height });
  for (const relation of relations) {
    const parts = segmentsOf(block, relation);
    if (!parts.length) continue;
    picture.append(arc(relation, parts.map((part) => ({ ...part, lane: placed.get(part.id) ?? 0 })), { choose, isChosen: relation.key === chosen, withFigures }));
  }
  block.append(picture);
};

class Lanes {
  constructor() {
    this.lines = new Map();
    this.most = 1;
  }

  take({ line, left, right }) {
    const lanes = this.lines.get(line) ?? [];
    this.lines.set(line, lanes);
    let lane = lanes.findIndex((taken) => taken.every(([from, to]) => right < from || left > to));
    if (lane < 0) lane = Math.min(lanes.length, MOST_LANES - 1);
    (lanes[lane] ??= []).push([left, right]);
    this.most = Math.max(this.most, lanes.length);
    return lane;
  }
}

const segmentsOf = (block, relation) => {
  const box = block.getBoundingClientRect();
  const ends = [relation.from, relation.to].map((id) => block.querySelector(`[data-entity="${CSS.escape(id)}"]`)?.getClientRects()[0]);
  if (ends.some((end) => !end)) return [];
  const [first, second] = ends.map((end) => ({ x: end.left + end.width / 2 - box.left, y: end.top - box.top, line: Math.round(end.top + end.height / 2 - box.top) }))
    .sort((one, other) => one.line - other.line || one.x - other.x);
  const id = (part) => `${relation.key} ${part}`;
  if (Math.abs(first.line - second.line) < 6) {
    const line = Math.min(first.line, second.line);
    return [{ id: id(0), line: snapped(line), left: first.x, right: second.x, feet: [first.x, second.x], y: first.y }];
  }
  return [
    { id: id(0), line: snapped(first.line), left: first.x, right: box.width, feet: [first.x], y: first.y },
    { id: id(1), line: snapped(second.line), left: 0, right: second.x, feet: [second.x], y: second.y },
  ];
};

const snapped = (line) => Math.round(line / 12);

const arc = (relation, parts, { choose, isChosen, withFigures }) => {
  const answered = relation.answer ? ` answered ${relation.answer.replaceAll(" ", "-")}` : "";
  const label = `${pairOfEntities(relation)}: ${probability(relation.probability)}${relation.answer ? `, answered ${relation.answer}` : ""}`;
  const group = drawn("g", { class: `arc ${relation.accepted ? "accepted" : "open"}${answered}${isChosen ? " chosen" : ""}`, tabindex: 0, role: "button", "aria-label": label,
    onclick: () => choose(relation), onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); choose(relation); } } },
  drawn("title", null, label));
  parts.forEach((part, number) => {
    const top = part.y - LIFT - (part.lane + 1) * LANE + 4;
    const foot = part.y - 1;
    const isWhole = part.feet.length === 2;
    const [left, right] = [part.left, part.right];
    const bend = Math.min(9, (right - left) / 2);
    const rise = `M${left},${foot}V${top + bend}Q${left},${top} ${left + bend},${top}`;
    const line = isWhole ? `${rise}H${right - bend}Q${right},${top} ${right},${top + bend}V${foot}`
      : number === 0 ? `${rise}H${right}` : `M0,${top}H${right - bend}Q${right},${top} ${right},${top + bend}V${foot}`;
    group.append(drawn("path", { class: "wide", d: line }), drawn("path", { d: line }));
    if (withFigures && (isWhole || number === 0)) group.append(drawn("text", { x: (left + right) / 2, y: top + 4 }, probability(relation.probability)));
  });
  return group;
};

// Marked names of a text, each with its id, so that arcs find them; nested names keep the outer one.
export const namedText = (characters, start, end, entities) => {
  const pieces = [];
  let at = start;
  for (const entity of [...entities].sort((one, other) => one.spans[0][0] - other.spans[0][0] || other.spans[0][1] - one.spans[0][1])) {
    const [from, to] = entity.spans[0];
    if (from < at || to > end) continue;
    pieces.push(characters.slice(at, from).join(""), element("mark", { class: "named", "data-entity": entity.id, title: entity.type }, characters.slice(from, to).join("")));
    at = to;
  }
  pieces.push(characters.slice(at, end).join(""));
  return pieces;
};
