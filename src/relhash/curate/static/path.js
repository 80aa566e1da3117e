// A dependency path: who governs stands higher, so that the path climbs to its top word and comes down again.
// The same drawing as relhash.explain.path_drawing.
import { drawn } from "./elements.js";
import { visible } from "./visible.js";

const [HEIGHT, MARGIN, PADDING] = [28, 4, 10];
const SMALLEST = 0.6; // a long path is drawn smaller, down to this; then it scrolls
const [CAPITAL, SMALL, EDGE] = [10.4, 8.5, 6.6];

const textWidth = (text) => Array.from(text).reduce((sum, one) => sum + (/[\p{Lu}\d]/u.test(one) ? CAPITAL : SMALL), 0);

const spoken = (stations) => stations.map(({ text, kind }) => ({ up: `←${text}`, down: `${text}→` })[kind] ?? text).join(" ");

// `colours` are those of the participants, in their order.
export const drawPath = (stations, colours = ["e1", "e2"]) => {
  if (!stations?.length) return null;
  const shown = stations.map(({ text, kind }) => ({ text: visible(text), kind }));
  const stops = shown.filter((_, number) => number % 2 === 0);
  const edges = shown.filter((_, number) => number % 2 === 1);
  const heights = edges.reduce((all, edge) => [...all, all.at(-1) + (edge.kind === "up" ? 1 : -1)], [0]);
  const highest = Math.max(...heights);
  const level = highest - Math.min(...heights) > 2 ? 28 : 38;
  const widths = stops.map((stop) => Math.max(26, textWidth(stop.text) + 2 * PADDING));
  const lefts = [MARGIN];
  edges.forEach((edge, number) => lefts.push(lefts[number] + widths[number] + Math.max(38, edge.text.length * EDGE + 24)));
  const tops = heights.map((height) => MARGIN + (highest - height) * level);
  const width = lefts.at(-1) + widths.at(-1) + MARGIN;
  const height = Math.max(...tops) + HEIGHT + MARGIN;
  const picture = drawn("svg", { class: "path", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `path: ${spoken(stations)}` });
  picture.style.setProperty("min-width", `${width * SMALLEST}px`);
  edges.forEach((edge, number) => {
    const start = [lefts[number] + widths[number] + 2, tops[number] + HEIGHT / 2];
    const end = [lefts[number + 1] - 2, tops[number + 1] + HEIGHT / 2];
    picture.append(arrow(start, end, edge));
  });
  let participant = 0;
  stops.forEach((stop, number) => {
    const kind = stop.kind === "participant" ? `participant ${colours[participant++] ?? "e2"}` : stop.kind;
    picture.append(drawn("g", { class: `station ${kind}` },
      drawn("rect", { x: lefts[number], y: tops[number], width: widths[number], height: HEIGHT, rx: 6 }),
      drawn("text", { x: lefts[number] + widths[number] / 2, y: tops[number] + 19 }, stop.text)));
  });
  return picture;
};

const arrow = (start, end, edge) => {
  const isUp = edge.kind === "up";
  const [source, target] = isUp ? [end, start] : [start, end];
  const middle = (start[0] + end[0]) / 2;
  return drawn("g", { class: "edge" },
    drawn("path", { d: `M${source}C${middle},${source[1]} ${middle},${target[1]} ${target}` }),
    drawn("path", { class: "head", d: `M${target}l${isUp ? 7 : -7},-3.5v7z` }),
    drawn("text", { x: isUp ? middle - 9 : middle + 9, y: Math.min(start[1], end[1]) - 4 }, edge.text));
};
