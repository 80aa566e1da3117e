// A question inside another view (document, pair): the sentence with its buttons; one answer is sent at once.
import { curatorName } from "./curator.js";
import { element, show } from "./elements.js";
import { answerButtons } from "./question.js";
import { get, path, post } from "./server.js";
import { markedSentence } from "./sentence.js";
import { changeLine, namesBy, probability, said } from "./wording.js";

export const answeredLine = (answer, pair, reply) => `${said(answer)} for ${pair}: ${changeLine({ answer }, reply)}`;

// Shows the question with this key in `node`; `done(reply, answer)` is called when it was answered.
export const answerHere = async (node, key, done) => {
  try {
    const question = await get(path("api", "questions", key));
    const act = async (answer) => {
      try {
        done(await post("/api/answers", { key, answer, type: null, names: namesBy(curatorName(), question), curator: curatorName(), seconds: null }), answer);
      } catch (error) {
        node.append(element("p", { class: "notice", role: "alert" }, `Not saved: ${error.message}`));
      }
    };
    const mine = question.answers?.find((one) => one.curator === curatorName());
    show(node,
      element("p", { class: "sentence" }, markedSentence(question)),
      element("p", { class: "soft" }, [question.document, probability(question.probability), question.assertion, mine ? `you: ${said(mine.answer)}` : ""].filter(Boolean).join(" · ")),
      answerButtons(act));
    return question;
  } catch (error) {
    show(node, element("p", { class: "soft" }, `Not shown: ${error.message}`));
    return null;
  }
};
