// The list of documents, or one document with its relations as arcs over the text.
import { drawArcs, namedText } from "./arcs.js";
import { button, element, find, show } from "./elements.js";
import { answerHere, answeredLine } from "./answering.js";
import { get, path, query } from "./server.js";
import { count, counted, pairOfEntities, probability, said } from "./wording.js";

const state = JSON.parse(find("#state").textContent);
const status = find("#status");
const CUT = 160; // characters of a document that the list shows

// ---- the list

async function list(search, page) {
  try {
    const reply = await get(query("/api/documents", { search, page }));
    status.textContent = reply.documents.length ? "" : "No document fits.";
    show(find("#documents"), reply.documents.map((one) => element("li", null,
      element("a", { href: path("documents", one.id) }, one.id),
      element("p", null, one.text, one.text.length >= CUT ? " …" : ""),
      element("small", null, `${counted(one.candidates, "pair")} · ${count(one.accepted)} accepted · ${count(one.answered)} answered`))));
    const turn = (to, label) => button(label, () => list(search, to), { disabled: to < 1 || to > reply.pages });
    show(find("#turn"), reply.pages > 1 ? [turn(reply.page - 1, "Back"), element("span", { class: "soft" }, `page ${count(reply.page)} of ${count(reply.pages)}`), turn(reply.page + 1, "On")] : null);
  } catch (error) {
    status.textContent = `No list: ${error.message}`;
  }
}

// ---- one document

let page = null;
let chosen = null;

const shownRelations = () => {
  const from = Number(find("#shown").elements.from.value);
  return page.relations.filter((one) => one.probability >= from || one.answer === "yes" || one.key === chosen);
};

function showFrom(least) {
  find("#shown").elements.from.value = Math.floor(least * 20) / 20;
  find("#from-shown").textContent = probability(Number(find("#shown").elements.from.value));
}

async function open(id) {
  show(find("#title"), id);
  find("#ask").href = query("/", { document: id });
  try {
    page = await get(path("api", "documents", id));
  } catch (error) {
    status.textContent = `Not shown: ${error.message}`;
    return;
  }
  const names = new Map(page.entities.map((entity) => [entity.id, entity.text]));
  page.relations.forEach((one) => { one.names = [names.get(one.from), names.get(one.to)]; });
  page.relations.sort((one, other) => other.probability - one.probability);
  if (!chosen) showFrom(Math.min(0.5, ...page.relations.filter((one) => one.accepted).map((one) => one.probability)));
  const characters = Array.from(page.text);
  show(find("#text"), page.sentences.map((sentence) => {
    const [start, end] = Array.isArray(sentence) ? sentence : [sentence.start, sentence.end];
    return element("p", { class: "line" }, namedText(characters, start, end, page.entities.filter((one) => one.spans[0][0] >= start && one.spans[0][1] <= end)));
  }));
  draw();
}

function draw() {
  const relations = shownRelations();
  const options = { choose, chosen, withFigures: find("#shown").elements.labels.checked };
  for (const block of document.querySelectorAll(".line")) drawArcs(block, relations, options);
  status.textContent = page.relations.length ? `${counted(relations.length, "arc")} of ${counted(page.relations.length, "pair")} shown.` : "This document has no pair of names in one sentence.";
  show(find("#relations"),
    element("thead", null, element("tr", null, ["Pair", "Probability", "Answer", ""].map((heading) => element("th", { scope: "col" }, heading)))),
    element("tbody", null, page.relations.map((one) => element("tr", { class: one.key === chosen ? "chosen" : null },
      element("td", null, pairOfEntities(one), one.type ? element("small", null, ` ${one.type}`) : null),
      element("td", { class: "number" }, probability(one.probability), one.accepted ? element("small", null, " accepted") : null),
      element("td", null, said(one.answer) || "–"),
      element("td", null, button("Look", () => choose(one), { "aria-label": `Look at ${pairOfEntities(one)}` }))))));
}

async function choose(relation) {
  chosen = relation.key;
  draw();
  const panel = find("#choice");
  panel.hidden = false;
  await answerHere(panel, relation.key, (reply, answer) => {
    relation.answer = answer;
    status.textContent = answeredLine(answer, pairOfEntities(relation), reply);
    open(state.document);
  });
  panel.scrollIntoView({ block: "nearest" });
}

if (state.document === null || state.document === undefined) {
  const form = find("#search");
  form.addEventListener("input", () => list(form.elements.search.value, 1));
  form.addEventListener("submit", (event) => event.preventDefault());
  await list("", 1);
} else {
  const form = find("#shown");
  form.addEventListener("input", () => {
    find("#from-shown").textContent = probability(Number(form.elements.from.value));
    if (page) draw();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  await open(state.document);
  let width = innerWidth;
  addEventListener("resize", () => { if (page && width !== innerWidth) { width = innerWidth; draw(); } });
}
