// The sentence of a question with its entities and the words of the path marked. Offsets count code points, as Python does.
import { element } from "./elements.js";

export const markedText = (text, markings) => {
  const characters = Array.from(text ?? "");
  const kinds = new Array(characters.length).fill("");
  for (const [spans, kind] of markings) {
    for (const [start, end] of spans ?? []) kinds.fill(kind, Math.max(0, start), Math.max(0, end));
  }
  const pieces = [];
  for (let begin = 0, at = 1; at <= characters.length; at += 1) {
    if (at < characters.length && kinds[at] === kinds[begin]) continue;
    const piece = characters.slice(begin, at).join("");
    pieces.push(kinds[begin] ? element("mark", { class: kinds[begin] }, piece) : piece);
    begin = at;
  }
  return pieces;
};

// The colour of each entity: the word that names an interaction has its own, the others go by their order.
export const coloursOf = (question) => {
  let number = 0;
  return question.entities.map((entity) => (entity.role === "trigger" ? "e3" : `e${Math.min((number += 1), 2)}`));
};

// Later markings win: the participants count before the path.
export const markedSentence = (question) => markedText(question.sentence, [
  [question.others, "other"],
  [question.path, "path"],
  ...coloursOf(question).map((colour, number) => [question.entities[number].spans, colour]),
]);
