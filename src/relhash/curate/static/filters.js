// Order and filters of the queue: a form, kept in the address so that a reload or a link shows the same queue.
import { element, find, show } from "./elements.js";
import { ORDERS } from "./wording.js";

const ASSERTIONS = ["asserted", "negated", "speculative", "questioned"];
const NAMES = ["entity", "document", "min_probability", "max_probability", "type", "assertion", "ids"];

export class QueueForm {
  constructor(form, { orders, types, assertions, changed }) {
    this.form = form;
    this.changed = changed;
    show(form.elements.order, (orders?.length ? orders : Object.keys(ORDERS)).map((name) => element("option", { value: name }, ORDERS[name] ?? name)));
    for (const [name, values] of [["type", types], ["assertion", assertions ?? ASSERTIONS]]) {
      form.elements[name].append(...values.map((value) => element("option", { value }, value)));
      form.elements[name].closest("label").hidden = values.length < 2; // nothing to choose
    }
    const given = new URLSearchParams(location.search);
    for (const name of ["order", ...NAMES]) if (given.has(name)) form.elements[name].value = given.get(name);
    find("#filters", form).open = this.isFiltered;
    this.#say();
    form.addEventListener("change", () => this.#tell());
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => queueMicrotask(() => this.#tell()));
  }

  get order() { return this.form.elements.order.value; }

  get filters() {
    const given = NAMES.map((name) => [name, this.form.elements[name].value.trim()]).filter(([, value]) => value !== "");
    return Object.fromEntries(given.map(([name, value]) => [name, name.endsWith("probability") ? Number(value) : value]));
  }

  get isFiltered() { return Object.keys(this.filters).length > 0; }

  clear() {
    for (const name of NAMES) this.form.elements[name].value = "";
    this.#tell();
  }

  setOrder(name) {
    this.form.elements.order.value = name;
    this.#tell();
  }

  #say() {
    const n = Object.keys(this.filters).length;
    find("#filtered", this.form).textContent = n ? `(${n} on)` : "";
  }

  #tell() {
    this.#say();
    const kept = new URLSearchParams({ order: this.order, ...this.filters });
    history.replaceState(null, "", `?${kept}`);
    this.changed();
  }
}
