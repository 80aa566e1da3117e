// Why the model believes what it does: contributions, hash functions, nearest labelled candidates, and how well the text is known.
import { bar, element, show } from "./elements.js";
import { get, path } from "./server.js";
import { counted, probability } from "./wording.js";

const REASONS = 12;

export class EvidencePanel {
  // `fresh(question)` is called with the question as it stands now: what is explained is the belief of now.
  constructor(node, fresh) {
    Object.assign(this, { node, fresh, asked: null });
  }

  get isOpen() { return !this.node.hidden; }

  toggle(question) {
    this.node.hidden = this.isOpen;
    if (this.isOpen && question) this.show(question);
    return this.isOpen;
  }

  async show(question) {
    if (!this.isOpen) return;
    this.asked = question.key;
    this.node.setAttribute("aria-busy", "true");
    if (!this.node.childElementCount) show(this.node, element("p", { class: "soft" }, "Looking …"));
    try {
      const place = path("api", "questions", question.key);
      const [evidence, now] = await Promise.all([get(`${place}/evidence`), get(place)]);
      if (this.asked !== question.key) return;
      this.fresh(now);
      show(this.node, element("h2", null, "Why"), evidenceView(evidence));
    } catch (error) {
      if (this.asked === question.key) show(this.node, element("p", { class: "soft" }, `No evidence: ${error.message}`));
    }
    if (this.asked === question.key) this.node.removeAttribute("aria-busy");
  }
}

const evidenceView = (evidence) => [
  coverage(evidence.coverage),
  reasons(evidence),
  chain(evidence),
  functions(evidence.hash_functions ?? []),
  neighbours(evidence.neighbours ?? []),
];

const coverage = (one) => (one?.words ? element("p", { class: `seen ${one.seen ?? ""}` }, one.words) : null);

const reasons = ({ base, log_odds: total, reasons: given }) => {
  if (!given?.length) return null;
  const rows = [...(typeof base === "number" ? [{ words: "where it starts, knowing nothing of the candidate", contribution: base }] : []), ...given.slice(0, REASONS)];
  const rest = typeof total === "number" ? total - rows.reduce((sum, row) => sum + row.contribution, 0) : 0;
  if (Math.abs(rest) >= 0.0005) rows.push({ words: "everything else", contribution: rest });
  const largest = Math.max(...rows.map((row) => Math.abs(row.contribution)), 1e-9);
  return element("table", { class: "reasons" },
    element("caption", { class: "unseen" }, "What moved the decision, in log-odds"),
    element("tbody", null,
      rows.map((row) => element("tr", null,
        element("td", null, row.words, row.part && element("small", null, ` ${row.part}`)),
        element("td", { class: "bar" }, bar(Math.abs(row.contribution) / largest, row.contribution < 0 ? "minus" : "plus")),
        element("td", { class: "number" }, signed(row.contribution)))),
      typeof total === "number" && element("tr", { class: "total" }, element("td", null, "log-odds of the classifier"), element("td"), element("td", { class: "number" }, signed(total)))));
};

// What stands between the classifier and the shown probability: calibration, and how sure the tagger is of the names.
const chain = ({ pair_probability: pair, names_probability: names }) => (typeof pair === "number"
  ? element("p", { class: "soft" }, `Calibrated: ${probability(pair)} that the pair is related`,
    typeof names === "number" && names < 0.9995 ? ` × ${probability(names)} that both names are right = ${probability(pair * names)}` : "", ".") : null);

const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

const functions = (given) => (given.length ? element("details", null,
  element("summary", null, `${counted(given.length, "hash function")} and the side of this candidate`),
  given.map((one, number) => [
    element("h3", null, `Hash function ${one.bit ?? number + 1} `, element("small", null, one.view)),
    element("div", { class: "sides" }, [0, 1].map((side) => element("div", { class: one.side === side ? "here" : null },
      element("b", null, one.side === side ? `side ${side}, this one` : `side ${side}`),
      element("ul", null, (one.sides?.[side] ?? []).map((reference) => element("li", null, element("code", null, reference.path ?? reference),
        typeof reference.near === "number" && element("small", null, ` ${reference.near.toFixed(2)}`))))))),
  ])) : null);

const neighbours = (given) => {
  if (!given.length) return null;
  const related = given.filter((one) => one.label === true || one.label === 1 || one.label === "related").length;
  return element("details", null,
    element("summary", null, `Nearest labelled candidates: ${related} of ${given.length} related`),
    element("ul", { class: "neighbours" }, given.map((one) => {
      const isRelated = one.label === true || one.label === 1 || one.label === "related";
      return element("li", null, `${one.similarity == null ? "near by its code" : `similarity ${one.similarity.toFixed(2)}`}${one.from ? `, ${one.from}` : ""}: `, element("b", { class: isRelated ? "yes" : "no" }, isRelated ? "related" : "not related"), one.sentence ? `. ${one.sentence}` : "");
    })));
};
