// The last answers of this sitting, to see what they did and to go back to one.
import { button, element, show } from "./elements.js";
import { said } from "./wording.js";

const KEPT = 8;

export class Latest {
  constructor(node, { revisit }) {
    Object.assign(this, { node, revisit, entries: [] });
  }

  add(entry, line) {
    this.entries = [{ ...entry, line }, ...this.entries.filter((one) => one.key !== entry.key)].slice(0, KEPT);
    this.#draw();
  }

  drop(key) {
    this.entries = this.entries.filter((one) => one.key !== key);
    this.#draw();
  }

  #draw() {
    show(this.node, this.entries.length ? element("h2", null, "Your last answers") : null,
      element("ol", null, this.entries.map((one) => element("li", null,
        element("span", { class: `said ${one.answer}` }, said(one.answer)), " ",
        button(one.shown, () => this.revisit(one.key), { class: "link", title: "look at it again" }),
        element("small", null, one.type ? `${one.type} · ${one.line}` : one.line)))));
  }
}
