// Numbers and answers as a person reads them.

export const ANSWERS = [
  { answer: "yes", key: "y", label: "Yes", hint: "the sentence says that the two are related" },
  { answer: "no", key: "n", label: "No", hint: "the sentence does not say so" },
  { answer: "negated", key: "a", label: "Negated", hint: "the sentence denies it" },
  { answer: "entity", key: "g", label: "Entity wrong", hint: "a marked name is none, or is cut wrongly" },
  { answer: "skip", key: "s", label: "Skip", hint: "cannot tell: not asked again, nothing is learned" },
];

export const ORDERS = {
  useful: "Most useful first",
  uncertain: "Uncertain first",
  confident: "Most confident first",
  entity: "By entity",
  pair: "By pair",
  random: "At random",
  disagreements: "Disagreements",
};

export const FORMATS = {
  jsonl: "JSON Lines",
  tsv: "Table (TSV)",
  xlsx: "Spreadsheet (xlsx)",
  bioc: "BioC (text with relations)",
  brat: "brat (text with relations)",
  model: "The model that learned",
};

const SAID = { "entity wrong": "entity wrong", entity: "entity wrong" };
export const said = (answer) => SAID[answer] ?? answer ?? "";

export const probability = (value) => (typeof value === "number" && Number.isFinite(value) ? value.toFixed(2) : "–");
export const count = (value) => (typeof value === "number" ? value.toLocaleString("en") : "–");
export const counted = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

export const pairOf = (question) => question.entities.map((entity) => entity.text).join(" – ");

// What a curator said before that the names of a question should be: it stays with a new answer.
export const namesBy = (curator, question) => question.answers?.find((one) => one.curator === curator)?.names ?? [];

export const changeLine = (entry, reply) => {
  if (entry.answer === "skip") return "saved, nothing to learn";
  if (typeof reply.after !== "number") return `${probability(reply.before)}, saved`;
  const rows = typeof reply.changed === "number" ? `; ${counted(reply.changed, "row")} changed` : "";
  return `${probability(reply.before)} → ${probability(reply.after)}${rows}`;
};

export const pairOfEntities = (relation) => `${relation.names?.[0] ?? relation.from} – ${relation.names?.[1] ?? relation.to}`;
