// How far the work is, how fast it goes, and how good the accepted rows are as far as the answers tell.
import { bar, element, show } from "./elements.js";
import { count, counted, probability } from "./wording.js";

export const showProgress = (node, progress) => {
  const { answered = 0, skipped = 0, total = 0 } = progress;
  show(node,
    element("h2", null, counted(answered, "answer"), skipped ? element("span", { class: "soft" }, ` · ${count(skipped)} skipped`) : null),
    element("div", { class: "track", role: "progressbar", "aria-label": "answered", "aria-valuemin": 0, "aria-valuemax": total, "aria-valuenow": answered + skipped },
      bar(total ? (answered + skipped) / total : 0)),
    element("dl", null,
      fact("Open", `${count(progress.open)} of ${count(total)}`),
      fact("Accepted", progress.accepted === undefined ? null : `${count(progress.accepted)}${typeof progress.threshold === "number" ? ` from ${probability(progress.threshold)} on` : ""}`),
      fact("Answers per minute", typeof progress.per_minute === "number" ? progress.per_minute.toFixed(1) : null),
      fact("Since the first answer", progress.gained || progress.lost ? `+${count(progress.gained)} −${count(progress.lost)} rows` : null, "Rows that are accepted now and were not, and the other way round"),
      fact("Right among accepted", precision(progress.precision?.n >= 5 ? progress.precision : null, progress.precision?.n), "Estimated from the questions drawn at random, with a 95% interval"),
      fact("Found of all relations", progress.recall && progress.recall.n >= 20 ? precision(progress.recall) : null, "Estimated from the questions drawn at random, with a 95% interval"),
      fact("F1 on gold", progress.f1 ? f1(progress.f1) : null),
      fact("Agreement (κ)", progress.agreement ? [element("b", null, figure(progress.agreement.kappa)), element("small", null, `on ${count(progress.agreement.double)} answered twice`)] : null)),
    ...(progress.compared ?? []).map((line) => element("p", { class: "soft" }, line)),
    progress.compared?.length ? element("p", { class: "soft" }, "Most questions are asked because they are hard: compare the two shares, not either with 100%.") : null,
    progress.changed?.length > 1 ? element("details", null, element("summary", null, progress.changed[0]),
      element("ul", null, ...progress.changed.slice(1).map((line) => element("li", null, line)))) : null,
    progress.problem ? element("p", { class: "notice", role: "alert" }, progress.problem) : null);
};

const figure = (value) => (typeof value === "number" ? value.toFixed(2) : "–");

const fact = (name, value, title = null) => (value === null || value === undefined ? null
  : element("div", { title }, element("dt", null, name), element("dd", null, value)));

const precision = (one, known = 0) => (one && typeof one.value === "number"
  ? [element("b", null, `${Math.round(one.value * 100)}%`), ` ${Math.round(one.low * 100)}–${Math.round(one.high * 100)}%`, element("small", null, `from ${counted(one.n, "answer")}`)]
  : ["not yet known", element("small", null, `${known} of 5 random answers`)]);

const f1 = (one) => (typeof one === "number" ? figure(one) : [element("b", null, figure(one.value ?? one.f1)),
  typeof one.low === "number" ? ` ${figure(one.low)}–${figure(one.high)}` : "", typeof one.n === "number" ? element("small", null, `on ${counted(one.n, "row")}`) : null]);
