// Sentences that say nearly the same: read them, tick those that do (or their group at once), and answer them alike after a
// confirmation. Nothing is ticked beforehand: similar words are no proof that the answer is the same.
import { button, element, find, show } from "./elements.js";
import { get, path, post, query } from "./server.js";
import { markedSentence } from "./sentence.js";
import { ANSWERS, counted, pairOf, probability, said } from "./wording.js";

const SHOWN = 20;
const NAMED = 6; // pairs that the confirmation names

export class SimilarPanel {
  // `saved(reply)` is called when answers were saved; `context()` gives what goes along with them (the curator).
  constructor(node, confirm, { saved, context }) {
    Object.assign(this, { node, confirm, saved, context, asked: null, questions: [] });
  }

  get isOpen() { return !this.node.hidden; }

  toggle(question) {
    this.node.hidden = this.isOpen;
    if (this.isOpen && question) this.show(question);
  }

  async show(question) {
    if (!this.isOpen) return;
    this.asked = question.key;
    this.question = question;
    this.node.setAttribute("aria-busy", "true");
    if (!this.node.childElementCount) show(this.node, element("p", { class: "soft" }, "Looking …"));
    try {
      const { questions } = await get(query(`${path("api", "questions", question.key)}/similar`, { n: SHOWN }));
      if (this.asked === question.key) this.#draw(questions);
    } catch (error) {
      if (this.asked === question.key) show(this.node, element("p", { class: "soft" }, `No similar sentences: ${error.message}`));
    }
    if (this.asked === question.key) this.node.removeAttribute("aria-busy");
  }

  #draw(questions) {
    this.questions = questions;
    const open = this.questions.filter((one) => !one.answers?.length);
    show(this.node, element("h2", null, "Similar sentences"),
      this.questions.length ? null : element("p", { class: "soft" }, "No other sentence is near."),
      element("ul", { class: "alike" }, this.questions.map((one) => element("li", null,
        element("label", null,
          element("input", { type: "checkbox", value: one.key, "data-group": one.in_group ? "yes" : "no", disabled: Boolean(one.answers?.length) }),
          element("span", null, markedSentence(one), element("small", null,
            ` similarity ${one.similarity.toFixed(2)} · probability ${probability(one.probability)}${one.answers?.length ? ` · ${said(one.answers.at(-1).answer)}` : ""}`)))))),
      open.length ? element("div", { class: "buttons", role: "group", "aria-label": "Answer all that are ticked" },
        element("span", { class: "soft" }, "All that are ticked:"),
        ANSWERS.slice(0, 4).map((one) => button(one.label, () => this.#answerAll(one.answer), { class: one.answer })),
        open.some((one) => one.in_group) ? button("tick the group", () => this.tickGroup(), { class: "link" }) : null) : null);
  }

  // The sentences that are so similar that one look may judge them together.
  tickGroup() {
    if (!this.isOpen) return;
    for (const box of this.node.querySelectorAll("input[data-group=yes]:not(:disabled)")) box.checked = true;
  }

  async #answerAll(answer) {
    const keys = [...this.node.querySelectorAll("input:checked")].map((box) => box.value);
    if (!keys.length) return;
    const pairs = this.questions.filter((one) => keys.includes(one.key)).map(pairOf);
    const more = pairs.length > NAMED ? ` and ${pairs.length - NAMED} more` : "";
    show(find("#confirm-text", this.confirm), "Save ", element("b", null, said(answer)), ` for ${counted(keys.length, "sentence")}? `,
      element("small", null, `${pairs.slice(0, NAMED).join("; ")}${more}`));
    this.confirm.returnValue = "no";
    this.confirm.showModal();
    await new Promise((done) => this.confirm.addEventListener("close", done, { once: true }));
    if (this.confirm.returnValue !== "yes") return;
    try {
      this.saved(await post("/api/answers/alike", { keys, answer, type: null, ...this.context() }), answer);
    } catch (error) {
      this.node.append(element("p", { class: "notice", role: "alert" }, `Not saved: ${error.message}`));
    }
  }
}
