"use strict";
// Takes answers by button or key, keeps them in this browser until they are saved, and saves them as lines of JSON.
(() => {
  const cards = [...document.querySelectorAll("article")];
  const done = document.querySelector(".done");
  const store = "relhash-review:" + cards.map((card) => card.dataset.id).join("\n");
  const history = [];
  let now = 0;

  const keep = () => {
    const answers = Object.fromEntries(cards.filter((card) => card.dataset.answer).map((card) => [card.dataset.id, card.dataset.answer]));
    try { localStorage.setItem(store, JSON.stringify(answers)); } catch { /* a browser that keeps nothing: save in time */ }
  };
  const show = () => {
    const answered = cards.filter((card) => card.dataset.answer).length;
    done.textContent = `${answered} of ${cards.length} answered`;
    cards.forEach((card, number) => {
      card.classList.toggle("now", number === now);
      card.querySelectorAll("button").forEach((button) => button.setAttribute("aria-pressed", button.dataset.answer === card.dataset.answer));
    });
  };
  const go = (number) => {
    now = Math.max(0, Math.min(cards.length - 1, number));
    show();
    cards[now]?.scrollIntoView({ block: "nearest" });
  };
  const answer = (card, text) => {
    history.push([card, card.dataset.answer]);
    card.dataset.answer = text;
    keep();
    go(cards.indexOf(card) + 1);
  };
  const spread = (card) => { // the answer of the group's first card that has one, to its cards without
    const group = card.dataset.group ? cards.filter((other) => other.dataset.group === card.dataset.group) : [];
    const text = group.find((other) => other.dataset.answer)?.dataset.answer;
    if (text) group.filter((other) => !other.dataset.answer).forEach((other) => answer(other, text));
  };
  const undo = () => {
    if (!history.length) return;
    const [card, before] = history.pop();
    if (before) card.dataset.answer = before; else delete card.dataset.answer;
    keep();
    go(cards.indexOf(card));
  };
  const save = () => {
    const lines = cards.filter((card) => card.dataset.answer).map((card) => JSON.stringify({
      key: card.dataset.id, answer: card.dataset.answer, draw: card.dataset.draw, entity1: card.dataset.entity1, entity2: card.dataset.entity2,
    }));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(lines.map((line) => line + "\n"), { type: "application/x-ndjson" }));
    link.download = "review.answers.jsonl";
    link.click();
  };

  try {
    const kept = JSON.parse(localStorage.getItem(store) ?? "{}");
    cards.forEach((card) => { if (kept[card.dataset.id]) card.dataset.answer = kept[card.dataset.id]; });
  } catch { /* nothing was kept */ }
  cards.forEach((card, number) => {
    card.addEventListener("focusin", () => { now = number; show(); });
    card.querySelectorAll("button").forEach((button) => button.addEventListener("click", () => answer(card, button.dataset.answer)));
  });
  document.querySelector(".save").addEventListener("click", save);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !cards.length) return;
    const button = cards[now].querySelector(`button[data-key="${CSS.escape(event.key)}"]`);
    if (button) answer(cards[now], button.dataset.answer);
    else if (event.key === "t") spread(cards[now]);
    else if (event.key === "u") undo();
    else if (event.key === "ArrowDown") go(now + 1);
    else if (event.key === "ArrowUp") go(now - 1);
    else return;
    event.preventDefault();
  });
  const open = cards.findIndex((card) => !card.dataset.answer);
  go(open < 0 ? 0 : open);
})();
