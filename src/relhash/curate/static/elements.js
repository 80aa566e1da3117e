// Elements from data. Text goes in as text nodes only, made visible: nothing that comes from a corpus is ever read as markup.
import { visible } from "./visible.js";

const SVG = "http://www.w3.org/2000/svg";

const fill = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : visible(value));
  }
  append(node, children);
  return node;
};

const append = (node, children) => {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
};

export const element = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const drawn = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const find = (selector, within = document) => within.querySelector(selector);

export const show = (node, ...children) => {
  node.replaceChildren();
  append(node, children);
  return node;
};

export const button = (label, act, attributes = {}) => element("button", { type: "button", onclick: act, ...attributes }, label);
export const key = (name) => element("kbd", null, name);

// A bar that is a fraction wide. The width is set through the object model: the page's policy allows no style attribute.
export const bar = (share, kind = "plus") => {
  const node = element("i", { class: kind });
  node.style.setProperty("--w", Math.max(0, Math.min(1, share)).toFixed(3));
  return node;
};
