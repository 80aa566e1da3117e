// One question as a card: where it is from, the sentence, the path, what the model believes, and the buttons to answer.
import { button, drawn, element, key } from "./elements.js";
import { drawPath } from "./path.js";
import { path } from "./server.js";
import { coloursOf, markedSentence } from "./sentence.js";
import { ANSWERS, pairOf, probability, said } from "./wording.js";

export const TYPE_KEYS = 9;
const ROLES_UNSAID = ["e1", "e2", "trigger", "", null, undefined];

// `act(answer, type)` and `correct()` are called by the buttons; `types` are the relation types to choose from.
export const questionCard = (question, { act, correct, types, threshold, withAnswers }) => [
  element("header", null,
    element("a", { href: path("documents", question.document), title: "the whole document" }, question.document),
    question.assertion && element("span", { class: `assertion ${question.assertion}` }, question.assertion),
    question.why && element("span", { class: "why" }, question.why)),
  element("p", { class: "sentence" }, markedSentence(question)),
  element("div", { class: "drawing", tabindex: question.stations?.length ? 0 : null, role: "group", "aria-label": "path between the two names" },
    drawPath(question.stations, coloursOf(question)) ?? element("p", { class: "words" }, question.words)),
  element("div", { class: "claim" },
    element("span", { class: "pair" }, names(question), element("span", { class: "soft" }, ` · ${question.type ?? "relation"} `),
      button(["Correct a name ", key("c")], correct, { class: "link", "aria-keyshortcuts": "c" })),
    scale(question, threshold)),
  withAnswers && question.answers?.length ? opinions(question.answers) : null,
  types.length > 1 ? element("div", { class: "buttons types", role: "group", "aria-label": "Yes, of type" },
    types.map((type, number) => button([number < TYPE_KEYS && key(number + 1), type], () => act("yes", type),
      { class: type === question.type ? "yes likely" : "yes", "aria-keyshortcuts": number < TYPE_KEYS ? number + 1 : null }))) : null,
  answerButtons(act, true),
];

export const answerButtons = (act, withKeys = false) => element("div", { class: "buttons", role: "group", "aria-label": "Answer" },
  ANSWERS.map((one) => button([one.label, withKeys && key(one.key)], () => act(one.answer, null),
    { class: one.answer, title: one.hint, "data-answer": one.answer, "aria-keyshortcuts": withKeys ? one.key : null })));

export const names = (question) => question.entities.map((entity, number) => [
  number ? " – " : "",
  element("mark", { class: coloursOf(question)[number], title: [entity.type, entity.id].filter(Boolean).join(" · ") || null }, entity.text),
  ROLES_UNSAID.includes(entity.role) ? null : element("small", null, ` ${entity.role}`),
]);

const opinions = (answers) => element("p", { class: "opinions" }, "Answered: ",
  answers.map((one, number) => [number ? ", " : "", element("b", null, said(one.answer)), ` by ${one.curator}`, one.type ? ` (${one.type})` : "", one.names.some(Boolean) ? `: ${one.names.filter(Boolean).join(", ")}` : ""]));

// From 0 to 1: a tick where rows are accepted, a ring for the belief without answers, a dot for the belief now.
export const scale = (question, threshold) => {
  const [now, before] = [question.probability, question.probability_before];
  const at = (share) => 8 + share * 144;
  const isMoved = typeof before === "number" && Math.abs(before - now) >= 0.005;
  const words = [`${probability(now)}`, isMoved ? `${probability(before)} without answers` : "",
    question.accepted ? "accepted" : "not accepted"].filter(Boolean);
  return element("span", { class: "belief" },
    drawn("svg", { class: "scale", width: 160, height: 22, viewBox: "0 0 160 22", role: "img", "aria-label": `probability ${words.join(", ")}` },
      drawn("line", { class: "track", x1: 8, x2: 152, y1: 11, y2: 11 }),
      drawn("line", { class: "filled", x1: 8, x2: at(now), y1: 11, y2: 11 }),
      typeof threshold === "number" && drawn("line", { class: "tick", x1: at(threshold), x2: at(threshold), y1: 3, y2: 19 }),
      isMoved && drawn("circle", { class: "before", cx: at(before), cy: 11, r: 4.5 }),
      drawn("circle", { class: "now", cx: at(now), cy: 11, r: 6 })),
    element("b", { class: "figure" }, probability(now)),
    element("span", { class: "soft" }, words.slice(1).join(" · ")));
};

export const spokenQuestion = (question) => `Are ${pairOf(question).replace(" – ", " and ")} related? ${question.sentence} Probability ${probability(question.probability)}.`;
