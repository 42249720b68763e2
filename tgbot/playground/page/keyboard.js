// The inline keyboard under a message.

import { el } from "./dom.js";

const STYLES = new Set(["primary", "success", "danger"]);

/**
 * Brings `node` (a .keyboard or null) to the rows of `markup` and answers the node to show.
 * While the buttons stay the same ones, their nodes stay too: a finger that is down on a button
 * keeps it through an edit of the message, and so does the keyboard focus.
 */
export function updateKeyboard(node, markup, press) {
  const rows = markup?.inline_keyboard ?? [];
  if (!rows.length) return null;
  if (node && node.dataset.shape === shape(rows)) {
    const keys = node.querySelectorAll("button");
    rows.flat().forEach((key, index) => dress(keys[index], key));
    return node;
  }
  return build(rows, press);
}

// Everything that decides what a tap does; labels and colours may change freely.
function shape(rows) {
  return JSON.stringify(rows.map((row) => row.map(({ text, style, icon_custom_emoji_id, ...deed }) => deed)));
}

function build(rows, press) {
  return el("div", { class: "keyboard", data: { shape: shape(rows) } },
    rows.map((row) => el("div", { class: "keys" }, row.map((key) => button(key, press)))));
}

function button(key, press) {
  const node = el("button", { type: "button", class: "key", on: { click: () => press(key, node) } },
    el("span", { class: "label", dir: "auto" }));
  if (key.callback_data !== undefined) node.dataset.data = key.callback_data;
  if (key.url !== undefined) node.dataset.url = key.url;
  dress(node, key);
  return node;
}

function dress(node, key) {
  const label = node.firstElementChild;
  if (label.textContent !== key.text) label.textContent = key.text;
  node.title = key.text.length > 12 ? key.text : ""; // long labels are cut off, as in Telegram
  if (STYLES.has(key.style)) node.dataset.style = key.style;
  else delete node.dataset.style;
}

/** The spinner of a tap that the bot has not answered yet. */
export function setBusy(message, data, busy) {
  for (const node of message.querySelectorAll("button.key")) {
    if (node.dataset.data !== data) continue;
    node.classList.toggle("busy", busy);
    node.setAttribute("aria-busy", String(busy));
  }
}
