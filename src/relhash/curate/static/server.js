// Requests to the server of this page. Two kinds of failure: the server is gone (try again), or it refused (say why).

export class Refused extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

const reply = async (response) => {
  const body = await response.json().catch(() => null);
  if (response.ok) return body;
  const detail = typeof body?.detail === "string" ? body.detail : `the server answered ${response.status}`;
  if (response.status >= 500 || response.status === 429) throw new Error(detail);
  throw new Refused(response.status, detail);
};

export const path = (...parts) => `/${parts.map(encodeURIComponent).join("/")}`;

export const query = (address, parameters) => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined && one !== null && one !== "") given.append(name, one);
  }
  return `${address}?${given}`;
};

const HEADERS = { Accept: "application/json", "X-RelHash": "1" };

export const get = async (address, options = {}) => reply(await fetch(address, { headers: HEADERS, ...options }));
export const remove = async (address) => reply(await fetch(address, { method: "DELETE", headers: { ...HEADERS, "Content-Type": "application/json" } }));
export const post = async (address, body) =>
  reply(await fetch(address, { method: "POST", headers: { ...HEADERS, "Content-Type": "application/json" }, body: JSON.stringify(body) }));
export const upload = async (address, file) =>
  reply(await fetch(address, { method: "POST", headers: { ...HEADERS, "Content-Type": "application/octet-stream" }, body: file }));
