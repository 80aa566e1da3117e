// The page of questions: shows one, holds the next, sends answers, and says what each has changed.
import { correctionForm } from "./correcting.js";
import { curatorName, keepCurator } from "./curator.js";
import { button, element, find, key, show } from "./elements.js";
import { EvidencePanel } from "./evidence.js";
import { fillFiles, saveLines } from "./files.js";
import { QueueForm } from "./filters.js";
import { listenToKeys, showHelp } from "./keys.js";
import { Latest } from "./latest.js";
import { Outbox } from "./outbox.js";
import { showProgress } from "./progress.js";
import { questionCard, scale, spokenQuestion } from "./question.js";
import { get, path, query, remove } from "./server.js";
import { SimilarPanel } from "./similar.js";
import { changeLine, counted, namesBy, pairOf, said } from "./wording.js";

const state = JSON.parse(find("#state").textContent);
const types = state.types ?? [];
const card = find("#question");
const change = find("#change");
const warning = find("#waiting");
const name = find("#curator");

const FOLLOWED = 20; // times that the page asks what came of an answer
const LONGEST = 3600; // seconds on one question that count: the rest was a coffee

let current = null; // the question that is shown
let ahead = null; // the one after it, already here
let progress = {};
const seen = new Map(); // questions that were shown, to go back to one without the server
let shownAt = 0;
let asked = 0; // the number of the last request for a queue: an older reply is not shown

const context = () => ({ curator: name.value.trim() || curatorName() });
const held = () => [current, ahead].filter(Boolean).map((one) => one.key);

const form = new QueueForm(find("#queue"), { orders: state.orders, types, assertions: state.assertions, changed: () => refill() });
const evidence = new EvidencePanel(find("#evidence"), (now) => {
  if (current?.key !== now.key) return;
  Object.assign(current, { probability: now.probability, accepted: now.accepted });
  find(".belief", card)?.replaceWith(scale(current, progress.threshold));
});
const latest = new Latest(find("#latest"), { revisit });
const similar = new SimilarPanel(find("#similar"), find("#confirm"), {
  context,
  saved: (reply, answer) => {
    took(reply.progress);
    say(`${counted(reply.saved, "answer")} “${said(answer)}” saved.`);
    refill();
  },
});
const outbox = new Outbox([location.host, state.model, state.input, state.candidates].join(" "), {
  size: (n) => { card.dataset.unsaved = n; },
  more: () => ({ order: form.order, filters: form.filters, holding: held() }),
  sent: (entry, reply) => {
    took(reply.progress);
    card.dataset.saved = Number(card.dataset.saved ?? 0) + 1;
    tell(entry, reply);
    if (reply.refitted === false) follow(entry, reply);
    const isNew = reply.next && !held().includes(reply.next.key);
    if (!current) display(isNew ? reply.next : null);
    else if (!ahead && isNew) ahead = reply.next;
  },
  refused: (entry, error) => {
    say(element("span", { class: "no" }, `The answer for ${entry.shown} was not taken: ${error.message}`));
    if (!current) refill();
  },
  waiting: (n, seconds) => {
    warning.hidden = n === 0;
    if (n && !current) show(card, element("p", { class: "sentence" }, "The next question comes when the server is back."));
    if (n) {
      show(warning, `The server does not answer. ${counted(n, "answer")} ${n === 1 ? "is" : "are"} kept in this browser and will be sent`,
        seconds ? ` (next try in ${seconds} s). ` : ". ", button("Try now", () => outbox.send()), " ", button("Save to a file", () => saveLines("unsent.answers.jsonl", outbox.lines)));
    }
  },
});

const say = (...words) => show(change, words);

let shownEntry = null; // the answer of which the line under the question speaks
const tell = (entry, reply) => {
  const line = changeLine(entry, reply);
  shownEntry = entry;
  latest.add(entry, line);
  say(element("b", null, said(entry.answer)), entry.type ? ` (${entry.type})` : "", ` for ${entry.shown}: ${line}${reply.refitted === false ? "; the model is learning it" : ""}`, " ", button(["Undo", key("u")], undo, { class: "link" }));
};

// On a large text, or a busy machine, the model learns after the reply: what came of it is asked for until it is known.
async function follow(entry, reply) {
  for (let tries = 0; tries < FOLLOWED && shownEntry === entry; tries += 1) {
    await new Promise((later) => setTimeout(later, Math.min(300 * 1.5 ** tries, 4000)));
    try {
      const news = await get(query("/api/progress", context()));
      if (news.is_learning) continue;
      const { probability: after } = await get(path("api", "questions", entry.key));
      if (shownEntry !== entry) return;
      took(news);
      tell(entry, { before: reply.before, after, changed: null });
      return;
    } catch {
      return; // the answer is saved; what it did is seen at the next one
    }
  }
}

const took = (news) => {
  if (!news) return;
  progress = news;
  showProgress(find("#progress"), progress);
};

function display(question) {
  current = question;
  if (question) seen.set(question.key, question);
  shownAt = performance.now();
  card.removeAttribute("aria-busy");
  if (!question) {
    delete card.dataset.key;
    show(card, nothingLeft());
    return;
  }
  card.dataset.key = question.key;
  const focused = card.contains(document.activeElement) ? document.activeElement.dataset.answer : null;
  show(card, questionCard(question, { act: answer, correct, types, threshold: progress.threshold, withAnswers: form.order === "disagreements" || question.isAgain }));
  if (focused) find(`[data-answer="${focused}"]`, card)?.focus(); // who answers by Tab and Enter stays where he was
  show(find("#spoken"), spokenQuestion(question));
  evidence.show(question);
  similar.show(question);
}

async function refill() {
  asked += 1;
  const mine = asked;
  try {
    const reply = await get(query("/api/queue", { order: form.order, n: 2, ...context(), ...form.filters }));
    if (mine !== asked) return;
    took(reply.progress);
    [ahead = null] = reply.questions.slice(1);
    display(reply.questions[0] ?? null);
  } catch (error) {
    if (mine === asked) show(card, element("p", { class: "sentence" }, "No question came."), element("p", { class: "soft" }, error.message), button("Try again", refill));
  }
}

function answer(text, type) {
  if (!current) return;
  const seconds = Math.min(Math.round(performance.now() - shownAt) / 1000, LONGEST);
  const entry = { key: current.key, answer: text, type: type ?? (text === "yes" && types.length > 1 ? current.type : null), names: current.names ?? namesBy(context().curator, current), seconds, ...context(), shown: pairOf(current) };
  current = ahead;
  ahead = null;
  if (current) display(current);
  else card.setAttribute("aria-busy", "true");
  outbox.push(entry);
}

function correct() {
  if (!current || find(".correction", card)) return;
  const since = shownAt;
  find(".claim", card).before(correctionForm(current, find(".sentence", card), (question) => {
    display(question);
    shownAt = since;
  }));
  find(".correction input", card).focus();
}

async function undo() {
  const unsent = outbox.pop();
  try {
    if (!unsent && outbox.size) await outbox.send(); // the answer to take back is on its way
    const back = unsent ? { question: seen.get(unsent.key) ?? await get(path("api", "questions", unsent.key)) } : await remove(query("/api/answers/last", context()));
    took(back.progress);
    latest.drop(back.question.key);
    ahead = current ?? ahead;
    display(back.question);
    say(back.count > 1 ? `${counted(back.count, "answer")} that were given at once are taken back.` : `Answer taken back: ${pairOf(back.question)}.`);
  } catch (error) {
    say(error.status === 404 ? "There is nothing to undo." : `Not undone: ${error.message}`);
  }
}

async function revisit(given) {
  try {
    const question = await get(path("api", "questions", given));
    if (current && current.key !== given) ahead = current;
    display({ ...question, isAgain: true });
  } catch (error) {
    say(error.message);
  }
}

const nothingLeft = () => [
  element("p", { class: "sentence" }, "Nothing left here."),
  element("p", { class: "soft" }, form.isFiltered ? "No open question passes the filters."
    : form.order === "disagreements" ? "No disagreements: no question has two different answers." : "Every candidate is answered or skipped, or another curator has it just now."),
  element("div", { class: "buttons" },
    form.isFiltered ? button("Clear the filters", () => form.clear()) : null,
    form.order === "disagreements" ? button("Back to the most useful", () => form.setOrder("useful")) : null,
    button("Look again", refill),
    button("Export", () => { find("#files").open = true; find("#files a").focus(); })),
];

name.value = curatorName();
name.addEventListener("change", () => {
  keepCurator(name.value);
  refill();
});
fillFiles({ formats: state.formats, context, imported: refill });
listenToKeys({
  types,
  answer,
  undo,
  correct,
  evidence: () => current && evidence.toggle(current),
  similar: () => current && similar.toggle(current),
  group: () => similar.tickGroup(),
});
addEventListener("beforeunload", (event) => { if (outbox.isGone && outbox.size) event.preventDefault(); });
find("#ask-help").addEventListener("click", showHelp);

await (outbox.size ? outbox.send() : null);
if (!current) await refill();
