// Building DOM nodes by hand: text is always a text node, so nothing a person or the bot
// writes can become markup.

/**
 * el("button", { class: "key", data: { data: "b:1" }, on: { click } }, "1")
 * Attributes that are null, undefined or false are left out; true becomes an empty attribute.
 */
export function el(tag, { on = {}, data = {}, ...attributes } = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? "" : value);
    }
  }
  Object.assign(node.dataset, data);
  for (const [event, listener] of Object.entries(on)) node.addEventListener(event, listener);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** A name someone chose: isolated, so a right-to-left name cannot reorder the line around it. */
export function bdi(text, attributes = {}) {
  return el("bdi", attributes, text);
}

const SVG = "http://www.w3.org/2000/svg";

// 24×24 outlines; drawn here because the page loads nothing from elsewhere.
const OUTLINES = {
  back: "M15 5l-7 7 7 7",
  more: "M12 5.5v.01M12 12v.01M12 18.5v.01",
  close: "M6 6l12 12M18 6L6 18",
  slash: "M14.5 7.5l-5 9M4 6a2 2 0 012-2h12a2 2 0 012 2v12a2 2 0 01-2 2H6a2 2 0 01-2-2z",
  send: "M4 11.6L20.5 4l-5 16.5-3.6-6.6zM11.9 13.9L20.5 4",
  down: "M5 9l7 7 7-7",
  reply: "M9 6l-5 5 5 5M4.5 11H14a6 6 0 016 6v1",
  pencil: "M4 20l1-4L16 5l3 3L8 19z",
  read: "M2 13l4 4 8-9M11 16l1 1 8-9",
  plus: "M12 5v14M5 12h14",
  group: "M9 11a3.5 3.5 0 100-7 3.5 3.5 0 000 7zM2.5 20a6.5 6.5 0 0113 0M16 4.5a3.5 3.5 0 010 6.5M18 14.5a6 6 0 013.5 5.5",
};

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", OUTLINES[name]);
  svg.append(path);
  return svg;
}

export function iconButton(name, label, click, className = "") {
  return el("button", { type: "button", class: `icon-button ${className}`, "aria-label": label, title: label, on: { click } }, icon(name));
}

// Characters that take no room or only steer direction; a name of nothing else looks empty.
const INVISIBLE = /[\p{Cf}\p{Cc}\p{Zs}\u115f\u1160\u3164\uffa0\u2800]/gu;

function isBlank(text) {
  return text.replace(INVISIBLE, "") === "";
}

export function fullName(user) {
  const name = [user.first_name, user.last_name].filter(Boolean).join(" ");
  return isBlank(name) ? `#${user.id}` : name;
}

function initials(name) {
  const words = name.split(/\s+/u).map((word) => word.match(/[\p{L}\p{N}]/u)?.[0]).filter(Boolean);
  return words.slice(0, 2).join("").toUpperCase() || "#";
}

/** Telegram gives every account one of seven colours, by its id. */
export function hue(id) {
  return Math.abs(id) % 7;
}

export function avatar(id, name, className = "") {
  return el("span", { class: `avatar ${className}`, "aria-hidden": "true", data: { hue: hue(id) } }, initials(name));
}
