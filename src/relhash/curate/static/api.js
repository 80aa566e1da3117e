// The description of the API as a page: what each address takes and gives, read from the server's own OpenAPI file.
import { element, find, show } from "./elements.js";
import { get } from "./server.js";

const METHODS = ["get", "post", "put", "patch", "delete"];

const named = (schema, all) => (schema?.$ref ? all[schema.$ref.split("/").at(-1)] ?? {} : schema ?? {});

const kindOf = (schema, all) => {
  if (schema?.$ref) return schema.$ref.split("/").at(-1);
  if (schema?.anyOf) return schema.anyOf.map((one) => kindOf(one, all)).join(" or ");
  if (schema?.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (schema?.type === "array") return `list of ${kindOf(schema.items, all)}`;
  return schema?.type ?? "anything";
};

const table = (caption, rows) => (rows.length ? element("div", { class: "scroll" }, element("table", null, element("caption", null, caption), element("tbody", null, rows.map((row) => element("tr", null,
  element("td", null, element("code", null, row.name), row.isNeeded ? element("small", null, " needed") : null),
  element("td", null, row.kind), element("td", null, row.words))))) ) : null);

const operation = (address, method, one, all) => {
  const body = Object.values(one.requestBody?.content ?? {})[0]?.schema;
  const schema = named(body, all);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => ({ name, kind: kindOf(field, all), words: field.description ?? "", isNeeded: schema.required?.includes(name) }));
  const parameters = (one.parameters ?? []).map((given) => ({ name: given.name, kind: kindOf(given.schema, all), words: given.description ?? given.schema?.description ?? "", isNeeded: given.required }));
  const replies = Object.entries(one.responses ?? {}).map(([code, reply]) => ({ name: code, kind: kindOf(Object.values(reply.content ?? {})[0]?.schema, all), words: reply.description ?? "" }));
  return element("details", { class: "operation" },
    element("summary", null, element("b", { class: `method ${method}` }, method.toUpperCase()), " ", element("code", null, address), " ", element("span", { class: "soft" }, one.summary)),
    one.description ? element("p", null, one.description) : null,
    table("Parameters", parameters), table("Body", fields), table("Replies", replies));
};

try {
  const description = await get("api/openapi.json");
  const all = description.components?.schemas ?? {};
  show(find("#operations"), Object.entries(description.paths).flatMap(([address, methods]) => METHODS.filter((method) => methods[method]).map((method) => operation(address, method, methods[method], all))));
} catch (error) {
  find("#status").textContent = `No description: ${error.message}`;
}
