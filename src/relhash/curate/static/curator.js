// Who answers: the name that the server was started with, unless somebody has written another one at the top of the page.
import { find } from "./elements.js";

const FALLBACK = "curator";
const given = JSON.parse(find("#state").textContent).curator || FALLBACK;
const place = `relhash-curator:${given}`; // a server that is started with another name is believed

export const curatorName = () => {
  try { return localStorage.getItem(place) || given; } catch { return given; }
};

export const keepCurator = (name) => {
  try { localStorage.setItem(place, name.trim()); } catch { /* kept for this page only */ }
};
