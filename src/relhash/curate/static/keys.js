// The keyboard: one letter per answer. Typing in a field, keys with Ctrl or Alt, and held-down keys do nothing here.
import { element, find, key, show } from "./elements.js";
import { TYPE_KEYS } from "./question.js";
import { ANSWERS } from "./wording.js";

const isTyping = (target) => target instanceof HTMLElement && target.matches("input:not([type=checkbox], [type=range]), select, textarea");

export const showHelp = () => {
  const help = find("#help");
  if (help.open) help.close();
  else help.showModal();
};

export const listenToKeys = ({ types, answer, undo, correct, evidence, similar, group }) => {
  const others = [["u", "undo the last answer", undo], ["c", "correct a name: its words or its id", correct], ["e", "evidence: why the model believes this", evidence],
    ["m", "more like it: similar sentences", similar],
    ["t", "tick the group of sentences that say nearly the same", group], ["?", "this help", showHelp]];
  const acts = new Map([
    ...ANSWERS.map((one) => [one.key, () => answer(one.answer, null)]),
    ...(types.length > 1 ? types.slice(0, TYPE_KEYS).map((type, number) => [String(number + 1), () => answer("yes", type)]) : []),
    ...others.map(([letter, , act]) => [letter, act]),
  ]);
  show(find("#help-keys"),
    ANSWERS.map((one) => line(one.key, `${one.label.toLowerCase()}: ${one.hint}`)),
    types.length > 1 ? line("1 – 9", "yes, with this type") : null,
    others.map(([letter, words]) => line(letter, words)));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target)) return;
    if (find("dialog[open]") && !(event.key === "?" && find("#help").open)) return;
    const act = acts.get(event.key) ?? acts.get(event.key.toLowerCase());
    if (!act) return;
    event.preventDefault();
    act();
  });
};

const line = (letter, words) => element("div", null, element("dt", null, key(letter)), element("dd", null, words));
