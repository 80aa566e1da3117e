// Correcting a name of a question: other words of the sentence, or another id. What is right goes with the answer.
import { button, element, find } from "./elements.js";

// Where the words stand that share a character with a span of the entity, whatever blanks are between them; offsets in code points.
const placeOf = (question, entity, words) => {
  const characters = Array.from(question.sentence);
  const solid = [...characters.keys()].filter((at) => characters[at].trim());
  const wanted = Array.from(words.replace(/\s+/g, ""));
  const begins = [...solid.keys()].filter((at) => wanted.length && wanted.every((one, number) => characters[solid[at + number]] === one));
  const places = begins.map((at) => [solid[at], solid[at + wanted.length - 1] + 1]);
  const shared = ([start, end]) => Math.min(end, entity.spans.at(-1)[1]) - Math.max(start, entity.spans[0][0]);
  return places.filter((place) => shared(place) > 0).sort((one, other) => shared(other) - shared(one))[0];
};

// The question with its names as the form says, and `names` as the server takes them; complains in the form if words are not there.
const corrected = (question, form) => {
  const names = [...(question.names ?? [])];
  const entities = question.entities.map((entity, number) => {
    const [words, id] = ["words", "id"].map((field) => form.elements[`${field}${number}`]);
    if (!words || (words.value === entity.text && id.value === entity.id)) return entity;
    const place = words.value === entity.text ? null : placeOf(question, entity, words.value);
    words.setCustomValidity(place === undefined ? `words of the sentence that overlap “${entity.text}”` : "");
    names[entity.number - 1] = `${words.value.trim()} [${id.value.trim()}]`;
    return { ...entity, text: words.value.trim(), id: id.value.trim(), spans: place ? [place] : entity.spans };
  });
  return form.reportValidity() ? { ...question, entities, names: Array.from(names, (name) => name ?? "") } : null;
};

// `done(question)` is called with the corrected question; words that are marked in the sentence go into the field that had the focus.
export const correctionForm = (question, sentence, done) => {
  const field = (name, label, value) => element("label", null, label, element("input", { name, value, maxlength: 200, autocomplete: "off", spellcheck: "false" }));
  const form = element("form", { class: "correction", "aria-label": "Correct the names" },
    element("p", { class: "soft" }, "Write the name as it stands in the sentence, or mark it there with the mouse; then answer."),
    question.entities.map((entity, number) => (entity.number ? element("div", null, field(`words${number}`, "Name", entity.text), field(`id${number}`, "Id", entity.id)) : null)),
    element("div", { class: "buttons" }, element("button", { type: "submit" }, "Use these names"), button("Cancel", () => done(question))));
  let last = find("input", form);
  form.addEventListener("focusin", (event) => { if (event.target.name?.startsWith("words")) last = event.target; });
  form.addEventListener("input", (event) => event.target.setCustomValidity?.(""));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const found = corrected(question, form);
    if (found) done(found);
  });
  sentence.addEventListener("mouseup", () => {
    const marked = String(getSelection()).trim();
    if (marked && form.isConnected) last.value = marked;
  });
  return form;
};
