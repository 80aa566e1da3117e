// Answers on their way. Each is kept in this browser before the next question is shown, sent one after the other, and forgotten
// only when the server has it on disk: neither a killed server nor a closed tab loses one.
import { post, Refused } from "./server.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;

export class Outbox {
  // `sent(entry, reply)` and `refused(entry, error)` are called with each answer, `waiting(n, seconds)` of those that could not be sent,
  // `size(n)` of how many are not saved yet; `more()` gives what only the moment of sending knows.
  constructor(name, { sent, refused, waiting, more, size }) {
    this.name = `relhash-outbox:${name}`;
    this.tell = { sent, refused, waiting, more, size };
    this.entries = this.#kept();
    this.wait = FIRST_WAIT;
    this.timer = null;
    this.sending = null;
    this.isGone = false;
  }

  get size() { return this.entries.length; }

  // What waits, as an export would have it: the import of this page reads it, and `relhash fit --answers`.
  get lines() {
    return this.entries.map(({ key, answer, type, names = [], curator }) => (
      { key, answer, right1: names[0], right2: names[1], answers: [{ curator, answer, type, names }] }));
  }

  push(entry) {
    this.entries.push(entry);
    this.#keep();
    if (this.isGone) this.tell.waiting(this.size, null);
    else this.send();
  }

  // Takes back the last answer if it was not sent yet.
  pop() {
    if (this.entries.length <= (this.sending ? 1 : 0)) return null;
    const entry = this.entries.pop();
    this.#keep();
    this.tell.waiting(this.isGone ? this.size : 0, null);
    return entry;
  }

  // Sends what waits; resolves when all is sent, or the server is gone.
  send() {
    clearTimeout(this.timer);
    this.sending ??= this.#sendAll().finally(() => { this.sending = null; });
    return this.sending;
  }

  async #sendAll() {
    while (this.entries.length) {
      const [entry] = this.entries;
      const { shown, ...body } = entry;
      const [reply, error] = await post("/api/answers", { ...body, ...this.tell.more() }).then((given) => [given, null], (failed) => [null, failed]);
      if (error && !(error instanceof Refused)) {
        this.#later();
        return;
      }
      this.#done();
      if (error) this.tell.refused(entry, error);
      else this.tell.sent(entry, reply);
    }
  }

  #done() {
    this.entries.shift();
    this.#keep();
    this.wait = FIRST_WAIT;
    if (this.isGone) this.tell.waiting(0, null);
    this.isGone = false;
  }

  #later() {
    this.isGone = true;
    this.tell.waiting(this.size, this.wait / 1000);
    this.timer = setTimeout(() => this.send(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  #keep() {
    this.tell.size(this.size);
    try { localStorage.setItem(this.name, JSON.stringify(this.entries)); } catch { /* kept in memory only */ }
  }

  #kept() {
    try { return JSON.parse(localStorage.getItem(this.name) ?? "[]"); } catch { return []; }
  }
}
