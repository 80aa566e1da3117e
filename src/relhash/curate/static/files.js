// The menu of files: exports to download at any time, and answers to take in.
import { element, find, show } from "./elements.js";
import { query, upload } from "./server.js";
import { counted, FORMATS } from "./wording.js";

const TABLES = ["jsonl", "tsv", "xlsx"]; // the others hold the whole text, or the model

export const saveLines = (name, lines) => {
  const address = URL.createObjectURL(new Blob(lines.map((line) => `${JSON.stringify(line)}\n`), { type: "application/x-ndjson" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
};

export const fillFiles = ({ formats, context, imported }) => {
  const menu = find("#files");
  const rows = find("#rows");
  const list = () => show(find("#formats"), (formats?.length ? formats : Object.keys(FORMATS)).map((name) => element("li", null,
    element("a", { href: query("/api/export", { format: name, rows: TABLES.includes(name) ? rows.value : null }), download: true, "data-format": name }, FORMATS[name] ?? name))));
  rows.addEventListener("change", list);
  list();
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    find("summary", menu).focus();
  });
  addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
  const form = find("#import");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = find("#imported");
    said.textContent = "Reading …";
    try {
      const reply = await upload(query("/api/import", { format: form.elements.format.value, ...context() }), form.elements.file.files[0]);
      show(said, `${counted(reply.saved, "answer")} taken`, reply.skipped ? `, ${counted(reply.skipped, "other")} belong to no candidate here` : "", reply.detail ? `; ${reply.detail}` : "", ".");
      imported();
    } catch (error) {
      show(said, `Nothing taken: ${error.message}`);
    }
  });
};
