// Pairs of entities with their belief; each unfolds to its sentences, which can be answered there.
import { answerHere, answeredLine } from "./answering.js";
import { bar, element, find, show } from "./elements.js";
import { get, query } from "./server.js";
import { count, counted, pairOf, probability } from "./wording.js";

const MOST_SENTENCES = 20;
const status = find("#status");
const form = find("#search");
let asked = 0;

async function list() {
  asked += 1;
  const mine = asked;
  try {
    const { pairs } = await get(query("/api/pairs", { search: form.elements.search.value.trim() }));
    if (mine !== asked) return;
    status.textContent = pairs.length ? counted(pairs.length, "pair") : "No pair fits.";
    show(find("#pairs"), pairs.map(pairCard));
  } catch (error) {
    if (mine === asked) status.textContent = `No pairs: ${error.message}`;
  }
}

const pairCard = (pair) => {
  const sentences = element("div", { class: "sentences" });
  const belief = element("span", { class: "belief" });
  const tell = (one) => show(belief, element("span", { class: "track" }, bar(one.belief)), element("b", null, probability(one.belief)));
  tell(pair);
  const card = element("details", null,
    element("summary", null,
      element("span", { class: "names" }, element("b", null, pair.a), " – ", element("b", null, pair.b), pair.type ? element("small", null, ` ${pair.type}`) : null),
      element("small", null, `${counted(pair.sentences, "sentence")}${pair.documents ? ` in ${counted(pair.documents, "document")}` : ""}${pair.answered ? ` · ${count(pair.answered)} answered` : ""}`),
      belief),
    sentences);
  const refresh = async () => {
    const { pairs } = await get(query("/api/pairs", { search: form.elements.search.value.trim() }));
    const now = pairs.find((one) => one.a === pair.a && one.b === pair.b && one.type === pair.type);
    if (now) tell(now);
  };
  card.addEventListener("toggle", () => {
    if (!card.open || sentences.childElementCount) return;
    const hidden = pair.keys.length - MOST_SENTENCES;
    for (const key of pair.keys.slice(0, MOST_SENTENCES)) {
      const place = element("div", { class: "one" });
      sentences.append(place);
      const ask = async () => {
        const question = await answerHere(place, key, async (reply, answer) => {
          status.textContent = answeredLine(answer, pairOf(question), reply);
          await Promise.all([ask(), refresh()]);
        });
      };
      ask();
    }
    if (hidden > 0) sentences.append(element("p", { class: "soft" }, `… and ${count(hidden)} more`));
  });
  return element("li", null, card);
};

let timer = null;
form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(list, 200);
});
form.addEventListener("submit", (event) => event.preventDefault());
await list();
