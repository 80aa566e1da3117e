"use strict";
// Sorts and filters the rows of the page. Without it, everything is there, in the order of the file.
(() => {
  const STEP = 300; // rows laid out at a time, so that long tables stay quick
  const table = document.querySelector("table.rows");
  if (!table) return;
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows];
  const tools = document.querySelector(".tools");
  const count = tools.querySelector(".count");
  const buttons = [...document.querySelectorAll(".more button")];
  const filters = [];
  let order = rows, limit = STEP, texts = null;

  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.v ?? cell.firstChild?.textContent ?? "";
  };
  const control = (label, element, extra) => {
    const box = document.createElement("label");
    box.append(label, element, ...(extra ? [extra] : []));
    tools.insertBefore(box, count);
    return element;
  };
  const select = (label, options) => {
    const element = document.createElement("select");
    for (const [text, key] of options) element.add(new Option(text, key));
    return control(label, element);
  };

  const search = tools.querySelector("input[type=search]");
  search.addEventListener("input", () => update());
  filters.push((row, number) => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (!words.length) return true;
    texts ??= new Map(rows.map((one) => [one, one.textContent.toLowerCase()]));
    return words.every((word) => texts.get(row).includes(word));
  });
  heads.forEach((head, column) => {
    if (head.dataset.filter === "choice") {
      const seen = [...new Set(rows.map((row) => value(row, column)))].sort();
      if (seen.length < 2 || seen.length > 40) return;
      const chosen = select(head.textContent, [["all", ""], ...seen.map((text) => [text, "=" + text])]);
      chosen.addEventListener("change", () => update());
      filters.push((row) => !chosen.value || "=" + value(row, column) === chosen.value);
    } else if (head.dataset.filter === "atleast") {
      const range = Object.assign(document.createElement("input"), { type: "range", min: 0, max: 1, step: 0.01, value: 0 });
      const said = document.createElement("output");
      const label = document.createElement("span");
      label.append(head.textContent + " from ", said);
      const say = () => { said.textContent = Number(range.value).toFixed(2); };
      say();
      control(label, range);
      range.addEventListener("input", () => { say(); update(); });
      filters.push((row) => Number(value(row, column)) >= Number(range.value));
    }
  });

  const ofRow = (label, key, names) => {
    const seen = [...new Set(rows.map((row) => row.dataset[key] ?? ""))].sort();
    if (seen.length < 2 || seen.length > 40) return;
    const chosen = select(label, [["all", ""], ...seen.map((text) => [names?.[text] ?? text, "=" + text])]);
    chosen.addEventListener("change", () => update());
    filters.push((row) => !chosen.value || "=" + (row.dataset[key] ?? "") === chosen.value);
  };
  ofRow("Types", "types");
  ofRow("Ids", "ids", { both: "both known", one: "one known", none: "none known" });

  const choices = [["order of the file", ""]];
  heads.forEach((head, column) => {
    const name = head.textContent;
    const button = document.createElement("button");
    button.textContent = name;
    button.title = "sort";
    button.addEventListener("click", () => {
      const first = head.dataset.kind === "number" ? "descending" : "ascending";
      const other = first === "ascending" ? "descending" : "ascending";
      sort(column, head.getAttribute("aria-sort") === first ? other : first);
    });
    head.replaceChildren(button);
    choices.push(head.dataset.kind === "number" ? [`${name}, highest first`, `${column}:descending`] : [name, `${column}:ascending`]);
  });
  const sorting = select("Sort", choices);
  sorting.addEventListener("change", () => {
    const [column, direction] = sorting.value.split(":");
    sort(column === "" ? null : Number(column), direction);
  });

  function sort(column, direction) {
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    order = rows;
    if (column !== null) {
      heads[column].setAttribute("aria-sort", direction);
      const sign = direction === "descending" ? -1 : 1;
      const keys = new Map(rows.map((row) => [row, value(row, column)]));
      const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
      const compare = heads[column].dataset.kind === "number"
        ? (a, b) => Number(keys.get(a)) - Number(keys.get(b))
        : (a, b) => collator.compare(keys.get(a), keys.get(b));
      order = [...rows].sort((a, b) => sign * compare(a, b));
    }
    const option = column === null ? "" : `${column}:${direction}`;
    sorting.value = [...sorting.options].some((one) => one.value === option) ? option : sorting.value;
    const all = document.createDocumentFragment();
    all.append(...order);
    body.append(all);
    update();
  }

  function update(keep) {
    if (!keep) limit = STEP;
    let matching = 0;
    order.forEach((row, number) => {
      const matches = filters.every((filter) => filter(row, number));
      matching += matches;
      row.hidden = !matches || matching > limit;
    });
    const shown = Math.min(matching, limit);
    const format = (n) => n.toLocaleString("en");
    const all = `${format(rows.length)} ${rows.length === 1 ? "row" : "rows"}`;
    count.textContent = matching === rows.length ? all : `${format(matching)} of ${all}`;
    if (shown < matching) count.textContent += `, ${format(shown)} shown`;
    buttons.forEach((button) => { button.hidden = shown >= matching; });
  }
  buttons[0].addEventListener("click", () => { limit += STEP; update(true); });
  buttons[1].addEventListener("click", () => { limit = Infinity; update(true); });

  function reveal() { // a link to a row that is filtered out, or further down
    const row = location.hash && document.getElementById(location.hash.slice(1));
    if (!row || !row.hidden) return;
    search.value = "";
    tools.querySelectorAll("select").forEach((one) => { if (one !== sorting) one.value = ""; });
    tools.querySelectorAll("input[type=range]").forEach((one) => { one.value = 0; one.dispatchEvent(new Event("input")); });
    limit = Infinity;
    update(true);
    row.scrollIntoView();
  }
  addEventListener("hashchange", reveal);
  tools.hidden = false;
  update();
  reveal();
})();
